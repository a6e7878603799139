# SPDX-License-Identifier: MIT
"""Blocks in loops with branches or loops inside, in native code: the device compiler shares their addresses."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc


@triton.jit
def branches_kernel(a, b, out, n, first_end, second_end, KIND: tl.constexpr):
    """Add a product in each of two branches, whose left operand is the same block."""
    acc = tl.zeros((16, 16), tl.float32)
    left = tl.make_block_ptr(a, (16, n), (n, 1), (0, 0), (16, 32), (1, 0))
    for k in range(0, n, 32):
        right = tl.load(tl.make_block_ptr(b, (n, 16), (16, 1), (k, 0), (32, 16), (1, 0)))
        if KIND == "before":
            acc = tl.dot(tl.load(tl.advance(left, (0, k))), right, acc)
        if k < first_end:
            acc = tl.dot(tl.load(tl.advance(left, (0, k))), right, acc)
        elif KIND == "or":
            acc = tl.dot(tl.load(tl.advance(left, (0, k))), right, 2 * acc)
        if k < second_end:
            acc = tl.dot(tl.load(tl.advance(left, (0, k))), right, 2 * acc)
        if KIND == "after":
            acc = tl.dot(tl.load(tl.advance(left, (0, k))), right, acc)
    tl.store(out + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], acc)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("kind", ["", "or", "before", "after"])
@pytest.mark.parametrize("ends", [(0, 128), (64, 128), (128, 64), (32, 96)])
def test_blocks_in_branches(ends: tuple[int, int], kind: str, arch: str) -> None:
    """A block that two branches of a loop read is that of the iteration in each of them (HidePlaces.cpp)."""
    n, (first_end, second_end) = 128, ends
    a, b = torch.randn(16, n).half(), torch.randn(n, 16).half()
    out = torch.full((16, 16), float("nan"))
    branches_kernel[(1,)](a, b, out, n, first_end, second_end, kind, num_warps=1, cpu_code="zebin", arch=arch)
    expected = torch.zeros(16, 16, dtype=torch.float64)
    for k in range(0, n, 32):
        product = a[:, k : k + 32].double() @ b[k : k + 32].double()
        expected += (kind == "before") * product + (k < first_end) * product
        if kind == "or" and k >= first_end:
            expected = 2 * expected + product
        if k < second_end:
            expected = 2 * expected + product
        expected += (kind == "after") * product
    torch.testing.assert_close(out.double(), expected, rtol=1e-4, atol=1e-2)


@triton.jit
def unrolled_kernel(a, b, out, n, end):
    """The loop has four iterations, which the compiler executes as straight code."""
    acc = tl.zeros((16, 16), tl.float32)
    right = tl.load(tl.make_block_ptr(b, (32, 16), (16, 1), (0, 0), (32, 16), (1, 0)))
    for k in range(0, 128, 32):
        if k < end:
            left = tl.make_block_ptr(a, (16, n), (n, 1), (0, k), (16, 32), (1, 0))
            acc = tl.dot(tl.load(left), right, 2 * acc)
        else:
            left = tl.make_block_ptr(a, (16, n), (n, 1), (0, k // 2), (16, 32), (1, 0))
            acc = tl.dot(tl.load(left), right, 3 * acc)
        if k != end:
            left = tl.make_block_ptr(a, (16, n), (n, 1), (0, k + 32), (16, 32), (1, 0))
            acc = tl.dot(tl.load(left), right, acc)
    tl.store(out + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], acc)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("end", [0, 32, 64, 96, 128])
def test_branches_that_iterations_leave_out(end: int, arch: str) -> None:
    """A block does not begin where it would if the iteration before had read it, too (HidePlaces.cpp)."""
    n = 176
    a, b = torch.randn(16, n).half(), torch.randn(32, 16).half()
    out = torch.full((16, 16), float("nan"))
    unrolled_kernel[(1,)](a, b, out, n, end, num_warps=1, cpu_code="zebin", arch=arch)
    expected = torch.zeros(16, 16, dtype=torch.float64)
    for k in range(0, 128, 32):
        factor, first = (2, k) if k < end else (3, k // 2)
        expected = factor * expected + a[:, first : first + 32].double() @ b.double()
        if k != end:
            expected = expected + a[:, k + 32 : k + 64].double() @ b.double()
    torch.testing.assert_close(out.double(), expected, rtol=1e-4, atol=1e-2)


@triton.jit
def load_block(a, n, row, column):
    """Return 16 rows of 32 columns of 48 rows of `n`, and zeros outside of them."""
    block = tl.make_block_ptr(a, (48, n), (n, 1), (row, column), (16, 32), (1, 0))
    return tl.load(block, boundary_check=(0, 1), padding_option="zero")


@triton.jit
def nested_kernel(a, b, out, n, row, column, steps, KIND: tl.constexpr):
    """The compiler unrolls the outer loop, whose blocks are apart then: loops are between them."""
    acc = tl.zeros((16, 16), tl.float32)
    right = tl.load(tl.make_block_ptr(b, (32, 16), (16, 1), (0, 0), (32, 16), (1, 0)))
    for k in range(0, 128, 32):
        if KIND == "twice":
            for _ in range(2):
                acc = tl.dot(load_block(a, n, row, 0), right, 2 * acc * 0.5)
        acc = tl.dot(load_block(a, n, row, k + 32), right, 2 * acc * 0.5)
        for _ in range(steps):
            acc = tl.dot(load_block(a, n, row, k + 32), right, 2 * acc * 0.5)
            acc = tl.dot(load_block(a, n, 8, column), right, acc * 0.5)
    tl.store(out + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], acc)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("kind", ["", "twice"])
@pytest.mark.parametrize("steps", [0, 1, 2])
@pytest.mark.parametrize("place", [(0, 0), (8, 16), (4, 32)])
def test_blocks_around_loops(place: tuple[int, int], steps: int, kind: str, arch: str) -> None:
    """A block before a loop is that of the iteration, not of the one after it (HidePlaces.cpp)."""
    n, (row, column) = 192, place
    a, b = torch.randn(48, n).half(), torch.randn(32, 16).half()
    out = torch.full((16, 16), float("nan"))
    nested_kernel[(1,)](a, b, out, n, row, column, steps, kind, num_warps=1, cpu_code="zebin", arch=arch)

    wide = torch.nn.functional.pad(a.double(), (0, 32))

    def product(row: int, column: int) -> torch.Tensor:
        return wide[row : row + 16, column : column + 32] @ b.double()

    expected = torch.zeros(16, 16, dtype=torch.float64)
    for k in range(0, 128, 32):
        for _ in range(2 if kind == "twice" else 0):
            expected = expected + product(row, 0)
        expected = expected + product(row, k + 32)
        for _ in range(steps):
            expected = (expected + product(row, k + 32)) * 0.5 + product(8, column)
    torch.testing.assert_close(out.double(), expected, rtol=1e-4, atol=1e-2)


@triton.jit
def inner_kernel(a, b, out, n, row):
    """The compiler unrolls the inner loops, so that their blocks are those of the outer loop."""
    acc = tl.zeros((16, 16), tl.float32)
    right = tl.load(tl.make_block_ptr(b, (32, 16), (16, 1), (0, 0), (32, 16), (1, 0)))
    for k in range(0, 128, 32):
        for j in range(2):
            acc = tl.dot(load_block(a, n, 0, k), right, 2 * acc * 0.5)
            acc = tl.dot(load_block(a, n, 0, 16 * j), right, 2 * acc * 0.5)
            acc = tl.dot(load_block(a, n, row + 8 * j, k + 32), right, 2 * acc * 0.5)
        for j in range(2):
            acc = tl.dot(load_block(a, n, 8, k + 16 * j), right, 2 * acc * 0.5)
            acc = tl.dot(load_block(a, n, row + 8 * j, k // 2 + 16 * j), right, acc * 0.5)
    tl.store(out + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], acc)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("row", [0, 4, 8])
def test_blocks_of_loops_inside(row: int, arch: str) -> None:
    """Blocks of short loops in a loop are those of their iteration (HidePlaces.cpp)."""
    n = 192
    a, b = torch.randn(48, n).half(), torch.randn(32, 16).half()
    out = torch.full((16, 16), float("nan"))
    inner_kernel[(1,)](a, b, out, n, row, num_warps=1, cpu_code="zebin", arch=arch)

    def product(row: int, column: int) -> torch.Tensor:
        return a[row : row + 16, column : column + 32].double() @ b.double()

    expected = torch.zeros(16, 16, dtype=torch.float64)
    for k in range(0, 128, 32):
        for j in range(2):
            expected = expected + product(0, k) + product(0, 16 * j) + product(row + 8 * j, k + 32)
        for j in range(2):
            expected = (expected + product(8, k + 16 * j)) * 0.5 + product(row + 8 * j, k // 2 + 16 * j)
    torch.testing.assert_close(out.double(), expected, rtol=1e-4, atol=1e-2)
