# SPDX-License-Identifier: MIT
"""The mathematical functions of `tl.math`, within the errors that OpenCL allows (7.4 of its specification), except for
`exp` of f32: a power of two, which is off by the error of an exponent that is as large as the number."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import torch
from mpmath import mp
from numeric.expressions import SIZE, evaluate
from numerics import random_tensor
from rounding import assert_equal, assert_ulps, round_to, to_longdouble
from support import covers

mp.dps = 40
F32, F64 = torch.float32, torch.float64


def finite_only(function):
    return lambda x: function(x) if mpmath.isfinite(x) else mpmath.nan


def logarithm(base):
    return lambda x: mpmath.nan if x < 0 else -mpmath.inf if x == 0 else mpmath.log(x) / mpmath.log(base)


#: name: (function, inputs between, ulps in f32, ulps in f64).
FUNCTIONS = {
    "exp": (mpmath.exp, (-90, 90), 3, 3),
    "exp2": (lambda x: mpmath.power(2, x) if mpmath.isfinite(x) else mpmath.exp(x), (-130, 130), 3, 3),
    "log": (logarithm(mpmath.e), (1e-30, 1e6), 3, 3),
    "log2": (logarithm(2), (1e-30, 1e6), 3, 3),
    "sin": (finite_only(mpmath.sin), (-1000, 1000), 4, 4),
    "cos": (finite_only(mpmath.cos), (-1000, 1000), 4, 4),
    "sqrt": (lambda x: mpmath.nan if x < 0 else mpmath.sqrt(x), (0, 1e9), 3, 0.5),
    "rsqrt": (lambda x: mpmath.nan if x < 0 else mpmath.inf if x == 0 else 1 / mpmath.sqrt(x), (1e-9, 1e9), 2, 2),
    "erf": (lambda x: mpmath.sign(x) if mpmath.isinf(x) else mpmath.erf(x), (-6, 6), 16, 16),
    "floor": (lambda x: mpmath.floor(x) if mpmath.isfinite(x) else x, (-1e5, 1e5), 0, 0),
    "ceil": (lambda x: mpmath.ceil(x) if mpmath.isfinite(x) else x, (-1e5, 1e5), 0, 0),
    "abs": (abs, (-1e5, 1e5), 0, 0),
}


def inputs(bounds: tuple[float, float], dtype: torch.dtype, seed: int) -> torch.Tensor:
    """Return numbers between two bounds, half of them close to zero, and those that IEEE 754 has special rules for."""
    low, high = bounds
    generator = torch.Generator().manual_seed(seed)
    values = torch.rand(SIZE, generator=generator, dtype=F64) * (high - low) + low
    values[::2] /= 1024
    values[: 2 * 6 : 2] = torch.tensor([0.0, -0.0, float("inf"), -float("inf"), float("nan"), -1.0])
    return values.to(dtype)


@covers("tl.exp tl.exp2 tl.log tl.log2 tl.sin tl.cos tl.sqrt tl.rsqrt tl.erf tl.floor tl.ceil", "fp32", "fp64")
@pytest.mark.parametrize(
    ("dtype", "form", "warps", "lanes"),
    [
        pytest.param(F32, "vector", 4, 16, marks=[pytest.mark.instruction_sets, pytest.mark.opencl]),
        (F64, "vector", 8, 16),
        (F32, "scalar", 1, 16),
        (F64, "vector", 4, 32),
        (F32, "vector", 8, 32),
    ],
)
def test_functions(dtype, form, warps, lanes):
    names = list(FUNCTIONS)
    values = {letter: inputs(FUNCTIONS[name][1], dtype, 1) for letter, name in zip("abcdefghijkl", names, strict=True)}
    # The reciprocal root of -0 is -infinity, and mpmath has no -0.
    values["h"] = values["h"] + 0.0
    texts = [f"tl.math.{name}({letter})" for letter, name in zip(values, names, strict=True)]
    results = evaluate(texts, values, [dtype] * len(texts), form, num_warps=warps, warp_size=lanes)
    for name, value, result in zip(names, values.values(), results, strict=True):
        function, _, single, double = FUNCTIONS[name]
        expected = [mpmath.nan if mpmath.isnan(x) else mpmath.mpf(function(x)) for x in map(mpmath.mpf, value.tolist())]
        limit = single if dtype == F32 else double
        if name == "exp" and dtype == F32:
            limit = limit + 1.25 * np.nan_to_num(np.abs(value.numpy()), posinf=0)
        try:
            assert_ulps(result, expected, limit, value)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_narrow_types_by_way_of_f32(dtype):
    """The frontend has these functions for f32 and f64 only; kernels convert, which must round once at the end."""
    x = inputs((-8, 8), dtype, 2)
    texts = [f"tl.math.{name}(x.to(tl.float32)).to(x.dtype)" for name in ("exp", "sin", "erf")]
    results = evaluate(texts, {"x": x}, [dtype] * 3)
    for name, result in zip(("exp", "sin", "erf"), results, strict=True):
        function = FUNCTIONS[name][0]
        expected = [mpmath.nan if mpmath.isnan(v) else mpmath.mpf(function(v)) for v in map(mpmath.mpf, x.tolist())]
        assert_ulps(result, expected, 0.51, x)


@covers("tl.softmax tl.sigmoid", "fp32")
def test_softmax_and_sigmoid():
    x = random_tensor((SIZE,), F32, 3) * 10
    texts = ["tl.sigmoid(x)", "tl.softmax(x)", "tl.softmax(x, ieee_rounding=True)"]
    sigmoid, softmax, precise = evaluate(texts, {"x": x}, [F32] * 3)
    torch.testing.assert_close(sigmoid.double(), x.double().sigmoid(), rtol=1e-6, atol=0)
    for result in (softmax, precise):
        torch.testing.assert_close(result.double(), x.double().softmax(0), rtol=1e-5, atol=1e-30)


@pytest.mark.opencl
@pytest.mark.instruction_sets
def test_subnormal_numbers():
    """Arithmetic keeps subnormal numbers, or makes them zero as a whole: nothing in between."""
    x = torch.tensor([2.0**-149, 2.0**-140, -(2.0**-130), 2.0**-127]).repeat(SIZE // 4)
    results = evaluate(["x * 1.5", "x + x", "x.to(tl.float64)"], {"x": x}, [F32, F32, F64])
    exact = to_longdouble(x)
    for result, expected in zip(results, [exact * 1.5, exact + exact, exact], strict=True):
        if (to_longdouble(result)[0] == 0) and result.dtype == F32:
            assert not np.any(result.numpy()[np.abs(expected) < 2.0**-126])
        else:
            assert_equal(result, round_to(expected, result.dtype), x)
