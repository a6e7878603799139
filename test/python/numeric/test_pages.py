"""Factors whose rows lie in pages that a table names: 2D block messages of one page each.

A cache is (pages, rows, columns) with a pitch; the table of a sequence says where each of its pages is. Behind the last
row of the sequence, and in pages that it does not have, the cache is NaN. The CPU device checks every message against
the rules of the hardware.
"""

from __future__ import annotations

import itertools
import math

import pytest
import torch
import triton
import triton.language as tl
from numerics import TOLERANCES, assert_close, poisoned, random_tensor, reference_matmul

pytestmark = pytest.mark.instruction_sets


@triton.jit
def row_offsets(
    table, start, length, page_stride, row_stride, PAGE: tl.constexpr, TILE: tl.constexpr, IS_MASKED: tl.constexpr
):
    """Where rows from `start` on begin, and which there are."""
    row = start + tl.arange(0, TILE)
    inside = row < length
    page = tl.load(table + row // PAGE, mask=inside, other=0) if IS_MASKED else tl.load(table + row // PAGE)
    return page.to(tl.int64) * page_stride + (row % PAGE) * row_stride, inside


@triton.jit
def rows_kernel(
    other, cache, table, out, length, page_stride, row_stride, OUT: tl.constexpr, ROLE: tl.constexpr, M: tl.constexpr,
    COLUMNS: tl.constexpr, PAGE: tl.constexpr, TILE: tl.constexpr, IS_MASKED: tl.constexpr,
):  # fmt: skip
    """Rows of a sequence as a factor that is not transposed.

    left: out = rows @ other (COLUMNS, M); right: out = other (M, length) @ rows, through a loop.
    """
    m, column, slot = tl.arange(0, M), tl.arange(0, COLUMNS), tl.arange(0, TILE)
    if ROLE == "left":
        start = tl.program_id(0) * TILE
        offset, inside = row_offsets(table, start, length, page_stride, row_stride, PAGE, TILE, IS_MASKED)
        rows = tl.load(cache + offset[:, None] + column[None, :], mask=inside[:, None], other=0.0)
        factor = tl.load(other + column[:, None] * M + m[None, :])
        result = tl.dot(rows.to(factor.dtype), factor, out_dtype=OUT)
        tl.store(out + (start + slot)[:, None] * M + m[None, :], result, mask=inside[:, None])
    else:
        acc = tl.zeros((M, COLUMNS), OUT)
        for tile in range(tl.cdiv(length, TILE)):
            offset, inside = row_offsets(table, tile * TILE, length, page_stride, row_stride, PAGE, TILE, IS_MASKED)
            rows = tl.load(cache + offset[:, None] + column[None, :], mask=inside[:, None], other=0.0)
            factor = tl.load(other + m[:, None] * length + (tile * TILE + slot)[None, :], mask=inside[None, :], other=0)
            acc = tl.dot(factor, rows.to(factor.dtype), acc, out_dtype=OUT)
        tl.store(out + m[:, None] * COLUMNS + column[None, :], acc)


@triton.jit
def columns_kernel(
    other, cache, table, out, length, page_stride, row_stride, OUT: tl.constexpr, ROLE: tl.constexpr, M: tl.constexpr,
    COLUMNS: tl.constexpr, PAGE: tl.constexpr, TILE: tl.constexpr, IS_MASKED: tl.constexpr,
):  # fmt: skip
    """Rows of a sequence as a transposed factor.

    left: out = rows^T @ other (length, M), through a loop; right: out = other (M, COLUMNS) @ rows^T.
    """
    m, column, slot = tl.arange(0, M), tl.arange(0, COLUMNS), tl.arange(0, TILE)
    if ROLE == "left":
        acc = tl.zeros((COLUMNS, M), OUT)
        for start in range(0, length, TILE):
            offset, inside = row_offsets(table, start, length, page_stride, row_stride, PAGE, TILE, IS_MASKED)
            rows = tl.load(cache + offset[None, :] + column[:, None], mask=inside[None, :], other=0.0)
            factor = tl.load(other + (start + slot)[:, None] * M + m[None, :], mask=inside[:, None], other=0)
            acc = tl.dot(rows.to(factor.dtype), factor, acc, out_dtype=OUT)
        tl.store(out + column[:, None] * M + m[None, :], acc)
    else:
        factor = tl.load(other + m[:, None] * COLUMNS + column[None, :])
        for start in range(0, length, TILE):
            offset, inside = row_offsets(table, start, length, page_stride, row_stride, PAGE, TILE, IS_MASKED)
            rows = tl.load(cache + offset[None, :] + column[:, None], mask=inside[None, :], other=0.0)
            result = tl.dot(factor, rows.to(factor.dtype), out_dtype=OUT)
            tl.store(out + m[:, None] * length + (start + slot)[None, :], result, mask=inside[None, :])


def make_cache(page: int, columns: int, length: int, dtype: torch.dtype) -> tuple[torch.Tensor, ...]:
    """A cache with a sequence, its table, and the sequence."""
    count, spare = math.ceil(length / page), 3
    sequence = random_tensor((count * page, columns), dtype, 1)
    pages = torch.randperm(count + spare, generator=torch.Generator().manual_seed(2)).to(torch.int32)
    # Rows have a pitch, and what is read in vain would show.
    cache = poisoned((count + spare, page, 2 * columns), dtype)
    used = pages[:count].long()
    cache[used, :, :columns] = sequence.view(count, page, columns)
    cache[used[-1], length - (count - 1) * page :] = poisoned((1,), dtype)[0]
    return cache, pages, sequence[:length]


def check(role: str, turned: bool, dtype: torch.dtype, page: int, tile: int, num_warps: int, masked: bool) -> None:
    m, columns, length = 32, 64, 5 * tile // 2 - 3
    wide, out_type = (torch.int32, tl.int32) if dtype == torch.int8 else (torch.float32, tl.float32)
    cache, table, sequence = make_cache(page, columns, length, dtype)
    # In which order the other factor and the result are.
    if turned:
        shape, kernel = ((length, m) if role == "left" else (m, columns)), columns_kernel
    else:
        shape, kernel = ((columns, m) if role == "left" else (m, length)), rows_kernel
    # A cache of 8-bit floats is widened, as attention does.
    other = random_tensor(shape, torch.float16 if dtype == torch.float8_e5m2 else dtype, 3)
    rows = sequence.T if turned else sequence
    expected = reference_matmul(rows, other) if role == "left" else reference_matmul(other, rows)
    out = poisoned(tuple(expected.shape), wide)
    grid = (triton.cdiv(length, tile) if (role, turned) == ("left", False) else 1,)
    compiled = kernel[grid](
        other, cache, table, out, length, cache.stride(0), cache.stride(1), out_type, role, m, columns, page, tile,
        masked, num_warps=num_warps,
    )  # fmt: skip
    assert_close(out, expected, TOLERANCES[other.dtype])
    # An instruction takes 32 bytes along K at a time.
    is_along_k = turned if role == "left" else not turned
    is_long_enough = page >= 32 or not is_along_k or dtype.itemsize > 1
    assert ("ttig.gather_pages" in compiled.asm["ttgir"]) == (page < tile and is_long_enough)


TYPES = [torch.float16, torch.bfloat16, torch.float32, torch.int8, torch.float8_e5m2]
#: Rows of a page and of a tile, and sub-groups.
TILES = [(16, 32, 4), (16, 64, 1), (32, 128, 8), (16, 64, 16), (32, 64, 2), (64, 32, 4)]


@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("tile", TILES[:2] + TILES[3:4])
@pytest.mark.parametrize(("role", "turned"), list(itertools.product(["left", "right"], [False, True])))
def test_pages(role, turned, tile, is_masked):
    check(role, turned, torch.float16, *tile, is_masked)


@pytest.mark.full
@pytest.mark.parametrize("is_masked", [False, True])
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("role", "turned"), list(itertools.product(["left", "right"], [False, True])))
def test_all_pages(role, turned, dtype, tile, is_masked):
    check(role, turned, dtype, *tile, is_masked)
