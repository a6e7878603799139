# SPDX-License-Identifier: MIT
"""Functions by which numeric tests make inputs and judge outputs.

A result counts only against a computation in float64 (or in wide integers) on fresh random inputs, in an output that
was poisoned before: a kernel that writes nothing, or not everything, must fail.
"""

from __future__ import annotations

import torch

#: Largest relative error, per type of the dot's operands. float32 is multiplied as tf32, which cuts off up to a 2^-10th
#: of each operand.
TOLERANCES = {
    torch.bfloat16: 1e-2,
    torch.float16: 2e-3,
    torch.float32: 2e-3,
    torch.int8: 0.0,
}


def random_tensor(shape: tuple[int, ...], dtype: torch.dtype, seed: int, device: str = "cpu") -> torch.Tensor:
    """Return random values: normal floats, and integers over the whole range of small types."""
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        return torch.randn(shape, generator=generator, dtype=torch.float32).to(dtype).to(device)
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).to(dtype).to(device)
    info = torch.iinfo(dtype)
    low, high = max(info.min, -(2**31)), min(info.max, 2**31 - 1)
    return torch.randint(low, high + 1, shape, generator=generator, dtype=torch.int64).to(dtype).to(device)


def poisoned(shape: tuple[int, ...], dtype: torch.dtype, device: str = "cpu") -> torch.Tensor:
    """Return a tensor of values that no kernel computes: NaN, or the lowest integer plus a pattern."""
    if dtype.is_floating_point:
        return torch.full(shape, float("nan"), dtype=dtype, device=device)
    return torch.full(shape, torch.iinfo(dtype).min + 0x5A, dtype=dtype, device=device)


def strided(tensor: torch.Tensor, pitch: int) -> torch.Tensor:
    """Return a copy of a matrix whose rows are `pitch` elements apart; the gap is poisoned."""
    *batch, rows, columns = tensor.shape
    storage = poisoned((*batch, rows, pitch), tensor.dtype, tensor.device.type)
    view = storage[..., :columns]
    view.copy_(tensor)
    return view


def column_major(tensor: torch.Tensor) -> torch.Tensor:
    """Return the same matrix with consecutive elements of a column in consecutive places."""
    return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)


def relative_error(actual: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest error relative to the largest expected magnitude; infinite when a value was not written."""
    actual64, expected64 = actual.to(torch.float64), expected.to(torch.float64)
    if not torch.isfinite(actual64).all():
        return float("inf")
    error = (actual64 - expected64).abs().max().item()
    return error / max(expected64.abs().max().item(), 1e-30)


def assert_close(actual: torch.Tensor, expected: torch.Tensor, tolerance: float) -> None:
    """Fail with the place of the largest error when it is above `tolerance` (0 means equal)."""
    assert actual.shape == expected.shape
    error = relative_error(actual, expected)
    if error > tolerance:
        difference = (actual.to(torch.float64) - expected.to(torch.float64)).abs()
        worst = torch.nan_to_num(difference, nan=float("inf")).argmax().item()
        place = tuple(int(index) for index in torch.unravel_index(torch.tensor(worst), actual.shape))
        wrong = int((torch.nan_to_num(difference, nan=float("inf")) > tolerance).sum())
        raise AssertionError(
            f"relative error {error:.3g}, expected at most {tolerance:.3g}: at {place} found {actual[place].item()}, "
            f"expected {expected[place].item()}; {wrong} of {actual.numel()} elements differ by more"
        )


def reference_matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the product in float64, or exactly in int64 for integers."""
    wide = torch.float64 if a.dtype.is_floating_point else torch.int64
    return a.to(wide) @ b.to(wide)
