# SPDX-License-Identifier: MIT
"""Exact references for numbers of any format: correct rounding, and errors in units of the last place (ulps)."""

from __future__ import annotations

import mpmath
import numpy as np
import torch

#: (bits of the mantissa with the hidden one, smallest exponent of a normal number's unit fraction).
FORMATS = {
    torch.float8_e5m2: (3, -14),
    torch.float8_e4m3fn: (4, -6),
    torch.float16: (11, -14),
    torch.bfloat16: (8, -126),
    torch.float32: (24, -126),
    torch.float64: (53, -1022),
}


def to_longdouble(tensor: torch.Tensor) -> np.ndarray:
    """Return the values of a tensor of any type, exactly (x86's long double has 64 bits of mantissa)."""
    if tensor.dtype.is_floating_point:
        return tensor.to(torch.float64).numpy().astype(np.longdouble)
    return tensor.numpy().astype(np.longdouble)


def round_to(values: np.ndarray, dtype: torch.dtype, toward_zero: bool = False) -> np.ndarray:
    """Round long doubles to `dtype`, as long doubles; beyond its range infinity or, toward zero, the largest."""
    precision, smallest = FORMATS[dtype]
    finite = np.isfinite(values)
    safe = np.where(finite, values, 0)
    exponent = np.maximum(np.frexp(safe)[1] - 1, smallest) - (precision - 1)
    scaled = np.ldexp(safe, -exponent)
    rounded = np.ldexp(np.trunc(scaled) if toward_zero else np.rint(scaled), exponent)
    largest = np.longdouble(torch.finfo(dtype).max)
    limit = largest if toward_zero else np.inf
    return np.where(finite, np.where(np.abs(rounded) > largest, np.copysign(limit, rounded), rounded), values)


def assert_equal(actual: torch.Tensor, expected: np.ndarray, *inputs: torch.Tensor) -> None:
    """Fail unless the numbers are equal, NaN for NaN."""
    found = to_longdouble(actual)
    wrong = np.nonzero(~((found == expected) | (np.isnan(found) & np.isnan(expected))))[0]
    examples = [([value[i].item() for value in inputs], found[i], expected[i]) for i in wrong[:5]]
    assert len(wrong) == 0, f"{len(wrong)} of {len(found)} differ: {examples}"


def ulp_errors(actual: torch.Tensor, expected: list[mpmath.mpf], flush: bool = True) -> np.ndarray:
    """Return errors in ulps of the exact result; 0 where both are the same infinity or NaN.

    With `flush` a subnormal result may be zero, as devices are free to choose.
    """
    precision, smallest = FORMATS[actual.dtype]
    largest = mpmath.mpf(torch.finfo(actual.dtype).max)
    errors = np.zeros(len(expected))
    for i, (number, exact) in enumerate(zip(actual.to(torch.float64).tolist(), expected, strict=True)):
        if mpmath.isnan(exact) or np.isnan(number):
            errors[i] = 0 if mpmath.isnan(exact) and np.isnan(number) else np.inf
            continue
        if mpmath.isinf(exact) or abs(exact) > largest:
            # The largest number is less than an ulp away from what overflows.
            beyond = np.isinf(number) and (number > 0) == (exact > 0)
            errors[i] = 0 if beyond or (not mpmath.isinf(exact) and abs(number) == largest) else np.inf
            continue
        if np.isinf(number):
            errors[i] = np.inf
            continue
        exponent = mpmath.frexp(exact)[1] - 1 if exact else smallest
        if flush and number == 0 and exponent < smallest:
            continue
        unit = mpmath.ldexp(1, max(exponent, smallest) - (precision - 1))
        errors[i] = float(abs(mpmath.mpf(number) - exact) / unit)
    return errors


def assert_ulps(
    actual: torch.Tensor, expected: list[mpmath.mpf], limit: float | np.ndarray, *inputs: torch.Tensor
) -> None:
    """Fail with the worst place when an error is above `limit` ulps, one for all or one for each."""
    errors = ulp_errors(actual, expected)
    limits = np.broadcast_to(limit, errors.shape)
    worst = int((errors - limits).argmax())
    assert errors[worst] <= limits[worst], (
        f"{errors[worst]:.3g} ulps, expected at most {limits[worst]:.3g}: "
        f"for {[value[worst].item() for value in inputs]} found {actual[worst].item()}, "
        f"expected {mpmath.nstr(expected[worst], 20)}"
    )
