# SPDX-License-Identifier: MIT
"""Blocks of sequences with fewer rows than a tile: sub-groups without rows skip what no store writes."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned
from support import needs_ocloc

from triton_xe.cpu import simulator

DTYPE = torch.bfloat16


@triton.jit
def ragged_kernel(
    a_ptr, b_ptr, out_ptr, peak_ptr, start_ptr, size,
    BLOCK_M: tl.constexpr, N: tl.constexpr, BLOCK_K: tl.constexpr, HAS_PEAKS: tl.constexpr,
):  # fmt: skip
    """A product of the rows of each sequence, which lie one after the other, and the largest element of each row."""
    sequence, block = tl.program_id(0), tl.program_id(1)
    begin = tl.load(start_ptr + sequence)
    rows = tl.load(start_ptr + sequence + 1) - begin
    row, column, inner = block * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, N), tl.arange(0, BLOCK_K)
    is_row = row < rows
    total = tl.zeros((BLOCK_M, N), tl.float32)
    for k in range(0, size, BLOCK_K):
        a = tl.load(a_ptr + (begin + row)[:, None] * size + k + inner[None, :], mask=is_row[:, None], other=0.0)
        total = tl.dot(a, tl.load(b_ptr + (k + inner)[:, None] * N + column[None, :]), total)
    tl.store(out_ptr + (begin + row)[:, None] * N + column[None, :], total, mask=is_row[:, None])
    if HAS_PEAKS:
        tl.store(peak_ptr + begin + row, tl.max(total, 1), mask=is_row)


def run(lengths: list[int], block: int, has_peaks: bool, **options) -> str:
    """Launch the kernel, compare its results, and return its TTGIR."""
    starts = torch.tensor([0, *lengths]).cumsum(0).to(torch.int32)
    count, size, columns = int(starts[-1]), 64, 64
    a, b = torch.randn(count, size).to(DTYPE), torch.randn(size, columns).to(DTYPE)
    out, peaks = poisoned((count, columns), torch.float32), poisoned((count,), torch.float32)
    grid = (len(lengths), triton.cdiv(max(lengths), block))
    kernel = ragged_kernel[grid](
        a, b, out, peaks, starts, size, BLOCK_M=block, N=columns, BLOCK_K=32, HAS_PEAKS=has_peaks, **options
    )
    expected = a.double() @ b.double()
    assert_close(out, expected, 1e-5)
    if has_peaks:
        assert_close(peaks, expected.amax(1), 1e-5)
    return kernel.asm["ttgir"]


@pytest.mark.parametrize("has_peaks", [False, True])
@pytest.mark.parametrize(("block", "num_warps"), [(64, 4), (128, 4), (128, 8), (64, 1)])
def test_rows(block, num_warps, has_peaks):
    """Sequences that end just before, at and after a sub-group's first row, and empty ones."""
    text = run([1, 0, 31, 32, 33, block, block + 1, 2 * block - 32, 3], block, has_peaks, num_warps=num_warps)
    # With less than 32 rows for each sub-group, two share rows, and exchange their largest elements.
    assert ("ttg.warp_id" in text) == (num_warps > 1 and (not has_peaks or block == 32 * num_warps))


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_executed_instructions(arch):
    """One row takes one sub-group of four: the others execute next to nothing."""

    def count(length: int) -> int:
        with simulator.counting() as total:
            assert "ttg.warp_id" in run([length], 128, True, num_warps=4, cpu_code="zebin", arch=arch)
        return total.executed.executions

    assert count(1) < 0.4 * count(128)


@triton.jit
def exchanging_kernel(x_ptr, out_ptr, length_ptr, ROWS: tl.constexpr, SIZE: tl.constexpr):
    """Sums of all rows: sub-groups with rows need the parts of all others."""
    length = tl.load(length_ptr)
    row, column = tl.arange(0, ROWS), tl.arange(0, SIZE)
    total = tl.zeros((ROWS, SIZE), tl.float32)
    for _ in range(3):
        x = tl.load(x_ptr + row[:, None] * SIZE + column[None, :])
        total += x + tl.sum(x, 0)[None, :]
    tl.store(out_ptr + row[:, None] * SIZE + column[None, :], total, mask=row[:, None] < length)


@pytest.mark.parametrize("length", [1, 17, 64])
def test_exchanged_sums(length):
    x, out = torch.randn(64, 32), poisoned((length, 32), torch.float32)
    exchanging_kernel[(1,)](x, out, torch.tensor([length], dtype=torch.int32), ROWS=64, SIZE=32, num_warps=4)
    wide = x.double()
    assert_close(out, 3 * (wide + wide.sum(0))[:length], 1e-5)
