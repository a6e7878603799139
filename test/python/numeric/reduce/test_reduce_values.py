# SPDX-License-Identifier: MIT
"""Reductions of values that are special: NaN, infinities, the ends of integer types.

Whatever the lowering takes for the lanes of a sub-group (a function of the device, or butterflies) has to agree on
them.
"""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned

pytestmark = [pytest.mark.instruction_sets, pytest.mark.opencl]


@triton.jit
def reduce_kernel(out_ptr, x_ptr, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = tl.arange(0, ROWS)
    j = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + i[:, None] * COLUMNS + j[None, :])
    kept: tl.constexpr = COLUMNS if AXIS == 0 else ROWS
    k = tl.arange(0, kept)
    tl.store(out_ptr + k, tl.max(x, AXIS))
    tl.store(out_ptr + kept + k, tl.min(x, AXIS))
    tl.store(out_ptr + 2 * kept + k, tl.sum(x, AXIS))


def special_values(dtype: torch.dtype, rows: int, columns: int, seed: int) -> torch.Tensor:
    """Return random values, every fourth replaced by a special one, and a row and a column of nothing else."""
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        x = torch.randn(rows, columns, generator=generator).to(dtype)
        special = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0], dtype=dtype)
    else:
        info = torch.iinfo(dtype)
        x = torch.randint(-1000, 1000, (rows, columns), generator=generator).clamp(info.min, info.max).to(dtype)
        special = torch.tensor([info.min, info.max, 0], dtype=torch.int64).to(dtype)
    chosen = special[torch.randint(len(special), (rows, columns), generator=generator)]
    where = torch.rand(rows, columns, generator=generator) < 0.25
    where[rows // 2] = True
    where[:, columns // 2] = True
    x = torch.where(where, chosen, x)
    if dtype.is_floating_point:
        x[0] = float("nan")
        x[:, 0] = float("nan")
    return x


def extreme(x: torch.Tensor, axis: int, sign: int) -> torch.Tensor:
    """Return the largest (or smallest) number; NaN only where there is nothing else."""
    if not x.is_floating_point():
        return x.amax(axis) if sign > 0 else x.amin(axis)
    numbers = torch.where(x.isnan(), -sign * float("inf"), x)
    result = numbers.amax(axis) if sign > 0 else numbers.amin(axis)
    return torch.where(x.isnan().all(axis), float("nan"), result)


@pytest.mark.parametrize(
    ("dtype", "axis", "rows", "columns", "num_warps", "warp_size"),
    [
        (torch.float32, 1, 8, 64, 2, 16),
        (torch.float32, 1, 4, 16, 4, 16),
        (torch.float32, 0, 32, 16, 2, 16),
        (torch.float32, 1, 8, 64, 4, 32),
        (torch.float32, 1, 16, 8, 1, 16),
        (torch.float16, 1, 8, 64, 2, 16),
        (torch.float64, 1, 8, 32, 2, 16),
        (torch.int32, 1, 8, 64, 2, 16),
        (torch.int32, 1, 4, 32, 4, 32),
        (torch.uint32, 1, 8, 64, 2, 16),
        (torch.int64, 1, 8, 64, 2, 16),
        (torch.int32, 0, 64, 8, 8, 16),
    ],
)
def test_special_values(dtype, axis, rows, columns, num_warps, warp_size):
    x = special_values(torch.int32 if dtype == torch.uint32 else dtype, rows, columns, seed=rows + columns + num_warps)
    kept = columns if axis == 0 else rows
    out = poisoned((3, kept), x.dtype)
    meta = {"AXIS": axis, "ROWS": rows, "COLUMNS": columns, "num_warps": num_warps, "warp_size": warp_size}
    reduce_kernel[(1,)](out.view(dtype), x.view(dtype), **meta)
    if dtype == torch.uint32:
        wide = x.to(torch.int64) & 0xFFFFFFFF
        actual = out.to(torch.int64) & 0xFFFFFFFF
        expected = torch.stack([wide.amax(axis), wide.amin(axis), wide.sum(axis) & 0xFFFFFFFF])
        assert torch.equal(actual, expected)
        return
    total = x.double().sum(axis) if dtype.is_floating_point else x.sum(axis)
    assert torch.equal(out[0].nan_to_num(nan=123.0), extreme(x, axis, 1).nan_to_num(nan=123.0))
    assert torch.equal(out[1].nan_to_num(nan=123.0), extreme(x, axis, -1).nan_to_num(nan=123.0))
    if dtype.is_floating_point:
        torch.testing.assert_close(out[2].double(), total, rtol=1e-3, atol=1e-2, equal_nan=True)
    else:
        assert torch.equal(out[2], total.to(dtype))
