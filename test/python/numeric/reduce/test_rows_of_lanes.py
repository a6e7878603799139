# SPDX-License-Identifier: MIT
"""Reductions of several rows whose elements lie in lanes, as machine code of GPUs.

Halves of two rows are combined in one register, and the assembly that does it exists only there.
"""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned
from support import needs_ocloc

pytestmark = needs_ocloc


@triton.jit
def smaller(a, b):
    return tl.where(a < b, a, b)


@triton.jit
def kernel(x_ptr, out_ptr, place_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Sums, extremes, what a region of the author's chooses, and places, of rows."""
    i, j = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + i[:, None] * COLUMNS + j[None, :])
    tl.store(out_ptr + i, tl.sum(x, 1))
    tl.store(out_ptr + ROWS + i, tl.max(x, 1))
    tl.store(out_ptr + 2 * ROWS + i, tl.min(x, 1))
    tl.store(out_ptr + 3 * ROWS + i, tl.reduce(x, 1, smaller))
    tl.store(place_ptr + i, tl.argmax(x, 1))


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize(
    ("rows", "columns", "num_warps", "dtype"),
    [
        # One row of a sub-group, and up to the rows that leave a lane to each.
        (1, 64, 1, torch.float32),
        (2, 64, 1, torch.float32),
        (4, 128, 1, torch.int32),
        (8, 64, 1, torch.int32),
        (16, 64, 1, torch.float32),
        # Groups of 16 rows, and rows of several sub-groups.
        (64, 64, 1, torch.float32),
        (32, 64, 2, torch.int32),
        (16, 256, 4, torch.float32),
        (4, 512, 4, torch.int32),
        # Rows in lanes, lanes that hold copies, and elements that fill no register.
        (64, 16, 1, torch.float32),
        (8, 8, 1, torch.float32),
        (16, 128, 2, torch.float16),
    ],
)
def test_rows(rows, columns, num_warps, dtype, arch):
    generator = torch.Generator().manual_seed(rows * columns + num_warps)
    if dtype.is_floating_point:
        x = torch.randn(rows, columns, generator=generator).to(dtype)
    else:
        x = torch.randint(-(2**31), 2**31 - 1, (rows, columns), generator=generator).to(dtype)
    # Sums of integers wrap around; no two elements are equal.
    assert len(x.unique()) == x.numel() or dtype == torch.float16
    out, places = poisoned((4, rows), dtype), poisoned((rows,), torch.int32)
    kernel[(1,)](x, out, places, ROWS=rows, COLUMNS=columns, num_warps=num_warps, cpu_code="zebin", arch=arch)
    if dtype.is_floating_point:
        assert_close(out[0], x.double().sum(1), 1e-5 if dtype == torch.float32 else 2e-3)
    else:
        assert torch.equal(out[0], x.sum(1, dtype=torch.int64).to(torch.int32))
    assert torch.equal(out[1], x.amax(1))
    assert torch.equal(out[2], x.amin(1))
    assert torch.equal(out[3], x.amin(1))
    assert torch.equal(x.gather(1, places.long()[:, None])[:, 0], x.amax(1))


@triton.jit
def add_and_compare(sum_a, largest_a, sum_b, largest_b):
    return sum_a + sum_b, tl.maximum(largest_a, largest_b)


@triton.jit
def sums_and_maxima(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i, j = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + i[:, None] * COLUMNS + j[None, :])
    total, largest = tl.reduce((x, x), 1, add_and_compare)
    tl.store(out_ptr + i, total)
    tl.store(out_ptr + ROWS + i, largest)


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("columns", [16, 64, 256])
@pytest.mark.parametrize("rows", [1, 2, 4, 8])
def test_results_that_are_stored_together(rows, columns, arch):
    """The results of one reduction are next to each other in memory: the device compiler makes one store of both."""
    x, out = torch.randn(rows, columns), poisoned((2, rows), torch.float32)
    sums_and_maxima[(1,)](x, out, ROWS=rows, COLUMNS=columns, num_warps=1, cpu_code="zebin", arch=arch)
    assert_close(out[0], x.double().sum(1), 1e-5)
    assert torch.equal(out[1], x.amax(1))


@triton.jit
def scale_by_magnitudes(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i, j = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    places = i[:, None] * COLUMNS + j[None, :]
    x = tl.load(x_ptr + places)
    tl.store(out_ptr + places, x * tl.abs(tl.sum(x, 1))[:, None])


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_bits_of_results(arch):
    """A magnitude is computed from the bits of a sum, which assembly returns."""
    x, out = torch.randn(16, 64), poisoned((16, 64), torch.float32)
    scale_by_magnitudes[(1,)](x, out, ROWS=16, COLUMNS=64, num_warps=1, cpu_code="zebin", arch=arch)
    assert_close(out, x.double() * x.double().sum(1, keepdim=True).abs(), 1e-5)


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_rows_without_numbers(arch):
    """Maxima ignore NaN, unless a row has nothing else."""
    x = torch.randn(16, 64)
    x[:, ::3] = float("nan")
    x[5] = float("nan")
    x[7, 1] = float("inf")
    x[9] = -float("inf")
    out, places = poisoned((4, 16), torch.float32), poisoned((16,), torch.int32)
    kernel[(1,)](x, out, places, ROWS=16, COLUMNS=64, num_warps=1, cpu_code="zebin", arch=arch)
    numbers = torch.where(x.isnan(), -float("inf"), x).amax(1)
    assert torch.equal(out[1, [*range(5), *range(6, 16)]], numbers[[*range(5), *range(6, 16)]])
    assert out[1, 5].isnan()
