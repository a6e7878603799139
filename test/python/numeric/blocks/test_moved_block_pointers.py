# SPDX-License-Identifier: MIT
"""Block pointers that loops move: by the loop's counter, by other numbers, by what is loaded, and beyond 2^31."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned
from support import needs_ocloc

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


@triton.jit
def load_rows_and_diagonal(x, y, out, M, N, K, BK: tl.constexpr):
    """One of two blocks of a tensor stays in the first rows, the other one moves on in both directions."""
    rows = tl.make_block_ptr(x, (M, K), (K, 1), (0, 0), (16, BK), (1, 0))
    diagonal = tl.make_block_ptr(x, (M, K), (K, 1), (0, 0), (16, BK), (1, 0))
    right = tl.make_block_ptr(y, (K, N), (N, 1), (0, 0), (BK, 32), (1, 0))
    first, second = tl.zeros((16, 32), tl.float32), tl.zeros((16, 32), tl.float32)
    for _ in range(0, K, BK):
        b = tl.load(right, boundary_check=(0, 1))
        first = tl.dot(tl.load(rows, boundary_check=(0, 1)), b, first)
        second = tl.dot(tl.load(diagonal, boundary_check=(0, 1)), b, second)
        rows, diagonal = tl.advance(rows, (0, BK)), tl.advance(diagonal, (16, BK))
        right = tl.advance(right, (BK, 0))
    target = tl.make_block_ptr(out, (32, N), (N, 1), (0, 0), (16, 32), (1, 0))
    tl.store(target, first, boundary_check=(0, 1))
    tl.store(tl.advance(target, (16, 0)), second, boundary_check=(0, 1))


@triton.jit
def store_rows_and_diagonal(x, y, out, M, N, K, width, BK: tl.constexpr):
    """Sums of products go to such blocks, to the second one in every other iteration."""
    left = tl.make_block_ptr(x, (M, K), (K, 1), (0, 0), (16, BK), (1, 0))
    right = tl.make_block_ptr(y, (K, N), (N, 1), (0, 0), (BK, 32), (1, 0))
    rows = tl.make_block_ptr(out, (64, width), (width, 1), (0, 0), (16, 32), (1, 0))
    diagonal = tl.make_block_ptr(out, (64, width), (width, 1), (16, 0), (16, 32), (1, 0))
    total = tl.zeros((16, 32), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(tl.load(left, boundary_check=(0, 1)), tl.load(right, boundary_check=(0, 1)), total)
        tl.store(rows, total, boundary_check=(0, 1))
        if k % (2 * BK) == 0:
            tl.store(diagonal, total * 2, boundary_check=(0, 1))
        left, right = tl.advance(left, (0, BK)), tl.advance(right, (BK, 0))
        rows, diagonal = tl.advance(rows, (0, 32)), tl.advance(diagonal, (8, 32))


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize(("inner", "num_warps"), [(16, 1), (32, 1), (32, 2), (16, 4)])
def test_two_blocks_of_a_tensor_in_native_code(arch, inner, num_warps):
    """Messages to one surface whose addresses the device compiler begins with the same numbers keep their places."""
    steps, width = 4, 128
    x, y = torch.randn(80, steps * inner).half(), torch.randn(steps * inner, 32).half()
    parts = [
        x[rows, columns].double() @ y[columns].double()
        for step in range(steps)
        for columns in [slice(step * inner, (step + 1) * inner)]
        for rows in (slice(16), slice(16 * step, 16 * step + 16))
    ]
    options = {"num_warps": num_warps, "cpu_code": "zebin", "arch": arch}
    out = poisoned((32, 32), torch.float32)
    load_rows_and_diagonal[(1,)](x, y, out, 80, 32, x.shape[1], BK=inner, **options)
    torch.testing.assert_close(out.double(), torch.cat([sum(parts[::2]), sum(parts[1::2])]), atol=0.1, rtol=1e-2)

    out, expected = poisoned((64, width), torch.float32), poisoned((64, width), torch.float64)
    store_rows_and_diagonal[(1,)](x, y, out, 80, 32, x.shape[1], width, BK=inner, **options)
    for step in range(steps):
        total, columns = sum(parts[: 2 * step + 1 : 2]), slice(32 * step, 32 * step + 32)
        expected[:16, columns] = total
        if step % 2 == 0:
            expected[16 + 8 * step : 32 + 8 * step, columns] = 2 * total
    torch.testing.assert_close(out.double(), expected, atol=0.1, rtol=1e-2, equal_nan=True)
