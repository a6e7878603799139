# SPDX-License-Identifier: MIT
"""Block pointers that loops move: by the loop's counter, by other numbers, by what is loaded, and beyond 2^31."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned

ROWS, COLUMNS = 8, 16


@triton.jit
def visit(x, out, height, width, first, end, dy, dx, STEP: tl.constexpr, DY: tl.constexpr, DX: tl.constexpr):
    """Each iteration stores the block at its place, and the one between two moves; the last store is after the loop."""
    block = tl.make_block_ptr(x, (height, width), (width, 1), (3, 5), (8, 16), (1, 0))
    target = tl.make_block_ptr(out, (1024, 16), (16, 1), (0, 0), (8, 16), (1, 0))
    for _ in range(first, end, STEP):
        tl.store(target, tl.load(block, boundary_check=(0, 1), padding_option="zero"))
        target = tl.advance(target, (8, 0))
        block = tl.advance(block, (DY, DX))
        tl.store(target, tl.load(block, boundary_check=(0, 1), padding_option="zero"))
        target = tl.advance(target, (8, 0))
        block = tl.advance(block, (dy, dx))
    tl.store(target, tl.load(block, boundary_check=(0, 1), padding_option="zero"))


@triton.jit
def chase(x, steps, out, height, width, count):
    """The inner loop moves by what is loaded; the outer one begins with where the inner one has ended."""
    block = tl.make_block_ptr(x, (height, width), (width, 1), (0, 0), (8, 16), (1, 0))
    total = tl.zeros((8, 16), tl.float32)
    row = 0
    while row < count:
        for column in range(2):
            total += tl.load(block, boundary_check=(0, 1), padding_option="zero")
            block = tl.advance(block, (tl.load(steps + 2 * row + column), column))
        row += 1
    offsets = tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(out + offsets, total)


@triton.jit
def walk_far(out, length, count, step):
    """Store far beyond the end, where a sum in 32 bits would be the first element, and at the way back's end."""
    block = tl.make_block_ptr(out, (length,), (1,), (0,), (16,), (0,))
    for _ in range(count):
        block = tl.advance(block, (step,))
    tl.store(block, tl.full((16,), 1.0, tl.float32), boundary_check=(0,))
    for _ in range(count - 1):
        block = tl.advance(block, (-step,))
    block = tl.advance(block, (16 - step,))
    tl.store(block, tl.full((16,), 2.0, tl.float32), boundary_check=(0,))


def window(x: torch.Tensor, row: int, column: int) -> torch.Tensor:
    """Return a block of a matrix, which has zeros around it."""
    padded = torch.zeros(x.shape[0] + 400, x.shape[1] + 400, dtype=x.dtype)
    padded[200:-200, 200:-200] = x
    return padded[200 + row :, 200 + column :][:ROWS, :COLUMNS]


@pytest.mark.parametrize(
    ("first", "end", "step", "dy", "dx", "fixed"),
    [
        pytest.param(0, 6, 1, 2, 3, (1, 0), id="counts iterations"),
        pytest.param(-5, 7, 4, 0, 6, (4, 2), id="begins below zero"),
        pytest.param(3, 40, 8, 8, 0, (8, 8), id="last iteration is short"),
        pytest.param(0, 30, 6, 1, 1, (2, 3), id="no multiple of the counter"),
        pytest.param(0, 5, 1, -3, -2, (1, 0), id="moves back"),
        pytest.param(7, 7, 2, 2, 2, (2, 2), id="no iteration"),
    ],
)
@pytest.mark.parametrize("loaded", [False, True])
def test_loops(first, end, step, dy, dx, fixed, loaded):
    """Steps are constants, or known at launch, or both."""
    if loaded:
        dy, fixed = 5, (fixed[0], -1)
    x = torch.randn(57, 83)
    out = poisoned((1024, COLUMNS), torch.float32)
    untouched = out.clone()
    visit[(1,)](x, out, *x.shape, first, end, dy, dx, STEP=step, DY=fixed[0], DX=fixed[1])
    row, column, place = 3, 5, 0
    for _ in range(first, end, step):
        for move in (fixed, (dy, dx)):
            assert torch.equal(out[place : place + ROWS], window(x, row, column))
            row, column, place = row + move[0], column + move[1], place + ROWS
    assert torch.equal(out[place : place + ROWS], window(x, row, column))
    rest = slice(place + ROWS, None)
    assert torch.equal(out[rest].view(torch.int32), untouched[rest].view(torch.int32))


def test_steps_that_are_loaded():
    """No counter gives the place of the block."""
    x, count = torch.randn(64, 48), 5
    steps = torch.randint(-4, 9, (2 * count,), dtype=torch.int32)
    out = poisoned((ROWS, COLUMNS), torch.float32)
    chase[(1,)](x, steps, out, *x.shape, count)
    row = column = 0
    expected = torch.zeros(ROWS, COLUMNS)
    for number, step in enumerate(steps.tolist()):
        expected += window(x, row, column)
        row, column = row + step, column + number % 2
    torch.testing.assert_close(out, expected)


def test_sums_of_steps_have_64_bits():
    out = poisoned((64,), torch.float32)
    walk_far[(1,)](out, out.numel(), 4, 2**30)
    assert out[:16].isnan().all() and out[32:].isnan().all()
    assert (out[16:32] == 2.0).all()
