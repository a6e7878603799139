# SPDX-License-Identifier: MIT
"""Operands whose rows lie in pages that a table names: 2D block messages of one page each.

A cache is (pages, rows, columns) with a pitch; the table of a sequence states where each of its pages is. After the
last row of the sequence, and in pages that it does not have, the cache is NaN. The CPU device checks every message
against the rules of the hardware.
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
    table, start, length, page_stride, row_stride, PAGE: tl.constexpr, TILE: tl.constexpr, WAY: tl.constexpr
):
    """Return where rows from `start` on begin, and which there are."""
    row = start + tl.arange(0, TILE)
    inside = row < length
    within = row % PAGE
    if WAY == "plain":
        page = tl.load(table + row // PAGE)
    elif WAY == "masked":
        page = tl.load(table + row // PAGE, mask=inside, other=0)
    elif WAY == "chosen":
        page = tl.where(inside, tl.load(table + row // PAGE), 0)
    else:
        tl.static_assert(WAY == "shifted")
        shift: tl.constexpr = 4 if PAGE == 16 else 5 if PAGE == 32 else 6
        page = tl.load(table + (row >> shift), mask=inside, other=0)
        within = row & (PAGE - 1)
    return page.to(tl.int64) * page_stride + within * row_stride, inside


@triton.jit
def rows_kernel(
    other, cache, table, out, length, page_stride, row_stride, OUT: tl.constexpr, ROLE: tl.constexpr, M: tl.constexpr,
    COLUMNS: tl.constexpr, PAGE: tl.constexpr, TILE: tl.constexpr, WAY: tl.constexpr,
):  # fmt: skip
    """Rows of a sequence as an operand that is not transposed.

    left: out = rows @ other (COLUMNS, M); right: out = other (M, length) @ rows, through a loop.
    """
    m, column, slot = tl.arange(0, M), tl.arange(0, COLUMNS), tl.arange(0, TILE)
    if ROLE == "left":
        start = tl.program_id(0) * TILE
        offset, inside = row_offsets(table, start, length, page_stride, row_stride, PAGE, TILE, WAY)
        rows = tl.load(cache + offset[:, None] + column[None, :], mask=inside[:, None], other=0.0)
        operand = tl.load(other + column[:, None] * M + m[None, :])
        result = tl.dot(rows.to(operand.dtype), operand, out_dtype=OUT)
        tl.store(out + (start + slot)[:, None] * M + m[None, :], result, mask=inside[:, None])
    else:
        acc = tl.zeros((M, COLUMNS), OUT)
        for tile in range(tl.cdiv(length, TILE)):
            offset, inside = row_offsets(table, tile * TILE, length, page_stride, row_stride, PAGE, TILE, WAY)
            rows = tl.load(cache + offset[:, None] + column[None, :], mask=inside[:, None], other=0.0)
            operand = tl.load(
                other + m[:, None] * length + (tile * TILE + slot)[None, :], mask=inside[None, :], other=0
            )
            acc = tl.dot(operand, rows.to(operand.dtype), acc, out_dtype=OUT)
        tl.store(out + m[:, None] * COLUMNS + column[None, :], acc)


@triton.jit
def columns_kernel(
    other, cache, table, out, length, page_stride, row_stride, OUT: tl.constexpr, ROLE: tl.constexpr, M: tl.constexpr,
    COLUMNS: tl.constexpr, PAGE: tl.constexpr, TILE: tl.constexpr, WAY: tl.constexpr,
):  # fmt: skip
    """Rows of a sequence as a transposed operand.

    left: out = rows^T @ other (length, M), through a loop; right: out = other (M, COLUMNS) @ rows^T.
    """
    m, column, slot = tl.arange(0, M), tl.arange(0, COLUMNS), tl.arange(0, TILE)
    if ROLE == "left":
        acc = tl.zeros((COLUMNS, M), OUT)
        for start in range(0, length, TILE):
            offset, inside = row_offsets(table, start, length, page_stride, row_stride, PAGE, TILE, WAY)
            rows = tl.load(cache + offset[None, :] + column[:, None], mask=inside[None, :], other=0.0)
            operand = tl.load(other + (start + slot)[:, None] * M + m[None, :], mask=inside[:, None], other=0)
            acc = tl.dot(rows.to(operand.dtype), operand, acc, out_dtype=OUT)
        tl.store(out + column[:, None] * M + m[None, :], acc)
    else:
        operand = tl.load(other + m[:, None] * COLUMNS + column[None, :])
        for start in range(0, length, TILE):
            offset, inside = row_offsets(table, start, length, page_stride, row_stride, PAGE, TILE, WAY)
            rows = tl.load(cache + offset[None, :] + column[:, None], mask=inside[None, :], other=0.0)
            result = tl.dot(operand, rows.to(operand.dtype), out_dtype=OUT)
            tl.store(out + m[:, None] * length + (start + slot)[None, :], result, mask=inside[None, :])


def make_cache(page: int, columns: int, length: int, dtype: torch.dtype) -> tuple[torch.Tensor, ...]:
    """Return a cache with a sequence, its table, and the sequence."""
    count, spare = math.ceil(length / page), 3
    sequence = random_tensor((count * page, columns), dtype, 1)
    pages = torch.randperm(count + spare, generator=torch.Generator().manual_seed(2)).to(torch.int32)
    # Rows have a pitch, and an unused read would show.
    cache = poisoned((count + spare, page, 2 * columns), dtype)
    used = pages[:count].long()
    cache[used, :, :columns] = sequence.view(count, page, columns)
    cache[used[-1], length - (count - 1) * page :] = poisoned((1,), dtype)[0]
    return cache, pages, sequence[:length]


def check(role: str, transposed: bool, dtype: torch.dtype, page: int, tile: int, num_warps: int, way: str) -> None:
    m, columns, length = 32, 64, 5 * tile // 2 - 3
    wide, out_type = (torch.int32, tl.int32) if dtype == torch.int8 else (torch.float32, tl.float32)
    cache, table, sequence = make_cache(page, columns, length, dtype)
    # In which order the other operand and the result are.
    if transposed:
        shape, kernel = ((length, m) if role == "left" else (m, columns)), columns_kernel
    else:
        shape, kernel = ((columns, m) if role == "left" else (m, length)), rows_kernel
    # A cache of 8-bit floats is widened, as attention does.
    other = random_tensor(shape, torch.float16 if dtype == torch.float8_e5m2 else dtype, 3)
    rows = sequence.T if transposed else sequence
    expected = reference_matmul(rows, other) if role == "left" else reference_matmul(other, rows)
    out = poisoned(tuple(expected.shape), wide)
    grid = (triton.cdiv(length, tile) if (role, transposed) == ("left", False) else 1,)
    compiled = kernel[grid](
        other, cache, table, out, length, cache.stride(0), cache.stride(1), out_type, role, m, columns, page, tile,
        way, num_warps=num_warps,
    )  # fmt: skip
    assert_close(out, expected, TOLERANCES[other.dtype])
    # An instruction takes 32 bytes along K at a time.
    is_along_k = transposed if role == "left" else not transposed
    is_long_enough = page >= 32 or not is_along_k or dtype.itemsize > 1
    assert ("] pages[" in compiled.asm["ttgir"]) == (page < tile and is_long_enough)


TYPES = [torch.float16, torch.bfloat16, torch.float32, torch.int8, torch.float8_e5m2]
#: Rows of a page and of a tile, and sub-groups.
TILES = [(16, 32, 4), (16, 64, 1), (32, 128, 8), (16, 64, 16), (32, 64, 2), (64, 32, 4)]


@pytest.mark.pairwise
@pytest.mark.parametrize("way", ["plain", "masked"])
@pytest.mark.parametrize("tile", TILES[:2] + TILES[3:4])
@pytest.mark.parametrize(("role", "transposed"), list(itertools.product(["left", "right"], [False, True])))
def test_pages(role, transposed, tile, way):
    check(role, transposed, torch.float16, *tile, way)


@pytest.mark.parametrize("way", ["chosen", "shifted"])
@pytest.mark.parametrize(("role", "transposed"), list(itertools.product(["left", "right"], [False, True])))
def test_ways_to_look_up(role, transposed, way):
    """A choice under the mask of the rows, and shifts and masks of bits."""
    check(role, transposed, torch.bfloat16, *TILES[0], way)


@pytest.mark.full
@pytest.mark.parametrize("way", ["plain", "masked", "chosen", "shifted"])
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("role", "transposed"), list(itertools.product(["left", "right"], [False, True])))
def test_all_pages(role, transposed, dtype, tile, way):
    check(role, transposed, dtype, *tile, way)


@triton.jit
def split_kernel(
    other, cache, table, first, out, length, page_stride, row_stride, M: tl.constexpr, COLUMNS: tl.constexpr,
    PAGE: tl.constexpr, TILE: tl.constexpr,
):  # fmt: skip
    """out = the sum of other (M, rows) @ rows from tile `first` on, which is loaded and may be negative."""
    m, column, slot = tl.arange(0, M), tl.arange(0, COLUMNS), tl.arange(0, TILE)
    acc = tl.zeros((M, COLUMNS), tl.float32)
    for start in range(tl.load(first) * TILE, length, TILE):
        row = start + slot[:, None]
        page = tl.load(table + row // PAGE, mask=row < length, other=0)
        inside = (start + slot) < length
        offset = page.to(tl.int64) * page_stride + (row % PAGE) * row_stride
        rows = tl.load(cache + offset + column[None, :], mask=inside[:, None], other=0.0)
        operand = tl.load(other + m[:, None] * 512 + (start + slot)[None, :], mask=inside[None, :], other=0.0)
        acc = tl.dot(operand, rows, acc)
    tl.store(out + m[:, None] * COLUMNS + column[None, :], acc)


@pytest.mark.parametrize("page", [16, 32])
@pytest.mark.parametrize("first", [0, 1, -1])
def test_first_row_of_any_sign(first, page):
    """Quotients are rounded toward zero: before row 0 a tile has rows of other pages than after it."""
    m, columns, tile, length, front = 16, 32, 32, 75, 64
    cache, pages, _ = make_cache(page, columns, 4 * page + 96, torch.float16)
    # Whole pages that are no NaN, before the first one, too.
    cache = random_tensor(tuple(cache.shape), torch.float16, 4)
    other = random_tensor((m, 512), torch.float16, 5)
    out = poisoned((m, columns), torch.float32)
    compiled = split_kernel[(1,)](
        other[:, front:], cache, pages[2:], torch.tensor([first], dtype=torch.int32), out, length, cache.stride(0),
        cache.stride(1), m, columns, page, tile, num_warps=4,
    )  # fmt: skip
    row = torch.arange(first * tile, length)
    quotient = torch.div(row, page, rounding_mode="trunc")
    place = pages[(2 + quotient).long()].long() * cache.stride(0) + (row - quotient * page) * cache.stride(1)
    rows = cache.flatten()[(place[:, None] + torch.arange(columns)[None, :]).long()]
    assert_close(out, reference_matmul(other[:, front + row], rows), TOLERANCES[torch.float16])
    # A page with the rows of the tile is a block like any other.
    assert ("] pages[" if page < tile else "ttig.load_block") in compiled.asm["ttgir"]
