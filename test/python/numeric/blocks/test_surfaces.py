# SPDX-License-Identifier: MIT
"""Tensors at and beyond the limits of 2D block messages: right numbers, and the launch notices.

Every 2D block message on the CPU device is checked against the rules of the hardware: a launch that addresses a tensor
by messages which no hardware takes fails. So these tests show both that the numbers are right and that nothing is
"taken to fit".
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
import triton
import triton.language as tl
from numeric.matrices import Matrix, window
from numerics import assert_close, poisoned, random_tensor
from support import record_variants

from triton_xe import launching

pytestmark = pytest.mark.instruction_sets

BLOCK = 32
#: The numbers of the surfaces, in the order of the kernel.
A, B, D, C = range(4)


@triton.jit
def gemm_add(
    a, b, d, c, M, N, K, rows_d, columns_d, stride_a, stride_b, stride_d, stride_c, row_d, column_d,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """C = A @ B + D, where D is read from (row_d, column_d) on."""
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    a_block = tl.make_block_ptr(a, (M, K), (stride_a, 1), (row, 0), (BM, BK), (1, 0))
    b_block = tl.make_block_ptr(b, (K, N), (stride_b, 1), (0, column), (BK, BN), (1, 0))
    d_block = tl.make_block_ptr(
        d, (rows_d, columns_d), (stride_d, 1), (row + row_d, column + column_d), (BM, BN), (1, 0)
    )
    c_block = tl.make_block_ptr(c, (M, N), (stride_c, 1), (row, column), (BM, BN), (1, 0))
    acc = tl.zeros((BM, BN), ACC)
    for _ in range(0, K, BK):
        acc = tl.dot(
            tl.load(a_block, boundary_check=(0, 1)), tl.load(b_block, boundary_check=(0, 1)), acc, out_dtype=ACC
        )
        a_block = tl.advance(a_block, (0, BK))
        b_block = tl.advance(b_block, (BK, 0))
    acc += tl.load(d_block, boundary_check=(0, 1)).to(ACC)
    tl.store(c_block, acc, boundary_check=(0, 1))


@pytest.fixture
def variants(monkeypatch) -> Iterator[list[list[int]]]:
    """Yield the surfaces of each variant that launches of the test compile."""
    yield from record_variants(monkeypatch, lambda surfaces, _: surfaces, gemm_add)


def run(a: Matrix, b: Matrix, d: Matrix, c: Matrix, *, row_d: int = 0, column_d: int = 0, rows_d: int | None = None):
    """Launch, and compare everything in C's memory."""
    acc = torch.int32 if a.memory.dtype == torch.int8 else torch.float32
    untouched = c.memory.clone()
    grid = (triton.cdiv(c.rows, BLOCK), triton.cdiv(c.columns, BLOCK))
    gemm_add[grid](
        a.pointer, b.pointer, d.pointer, c.pointer, c.rows, c.columns, a.columns, rows_d or d.rows, d.columns,
        a.pitch, b.pitch, d.pitch, c.pitch, row_d, column_d,
        BM=BLOCK, BN=BLOCK, BK=BLOCK, ACC=getattr(tl, str(acc).removeprefix("torch.")),
    )  # fmt: skip
    begin = max(0, column_d)
    addend = d.numpy(begin, max(begin, column_d + c.columns))
    expected = a.numpy() @ b.numpy() + window(addend, row_d, min(0, column_d), c.rows, c.columns)
    assert_close(torch.from_numpy(c.numpy()), torch.from_numpy(expected), 1e-2)
    for row in range(c.rows):
        c.row(row).copy_(untouched[c.first + row * c.pitch :][: c.columns])
    assert torch.equal(c.memory.view(torch.uint8), untouched.view(torch.uint8))


def problem(dtype=torch.bfloat16, m=40, n=64, k=64, *, pa=None, pb=None, pd=None, pc=None, nd=None, shift=0):
    """Return A, B, D and C with these pitches; contiguous ones by default."""
    acc = torch.int32 if dtype == torch.int8 else torch.float32
    nd = n if nd is None else nd
    return (
        Matrix.make(m, k, k if pa is None else pa, dtype, 1, shift),
        Matrix.make(k, n, n if pb is None else pb, dtype, 100),
        Matrix.make(m, nd, nd if pd is None else pd, acc, 200),
        Matrix.make(m, n, n if pc is None else pc, acc, 300),
    )


def test_launches_within_the_limits_share_a_kernel(variants):
    for n in (64, 80, 96):
        run(*problem(n=n))
    run(*problem(pa=80, pd=96, pc=128))
    assert variants == []


def test_each_tensor_on_its_own(variants):
    """Only the tensor that does not fit gets ordinary accesses, and only once."""
    for _ in range(2):
        run(*problem(pa=66))
    run(*problem(pc=65))
    assert variants == [[A], [C]]


def test_threads_need_the_same_variant(variants, monkeypatch, one_parser):
    """Both get it, whichever compiles it: other threads run while Python compiles."""
    recorded, both = launching.compile_variant, threading.Barrier(2, timeout=60)

    def compile_together(*arguments):
        both.wait()
        return recorded(*arguments)

    monkeypatch.setattr(launching, "compile_variant", compile_together)
    gemm_add.device_caches.clear()
    # As little is known of this pitch as of the other, so that the kernel is the same.
    run(*problem(pa=72))
    with ThreadPoolExecutor(2) as threads:
        for result in [threads.submit(run, *problem(pa=66)) for _ in range(2)]:
            result.result()
    assert variants == [[A], [A]]


@pytest.mark.parametrize("dtype", [torch.int8, torch.bfloat16, torch.float32], ids=str)
def test_width_of_rows(dtype):
    """Rows of 1 to 80 bytes, with and without a gap."""
    element = torch.empty((), dtype=dtype).element_size()
    widths = range(1, 80 // element + 1)
    for k in widths:
        if k % 5 in (0, 1) or k * element in (60, 64, 68):
            run(*problem(dtype, k=k, n=48))
            run(*problem(dtype, n=k, pb=96 // element + k, pc=k + 16))


@pytest.mark.parametrize("pitch", [0, -64, -80, 1, 63, 65, 66, 68, 72])
def test_pitch_of_an_addend(pitch):
    """Expanded rows, rows from the last to the first, rows that overlap, rows that are not aligned."""
    run(*problem(pd=pitch))


def test_pitch_of_operands(variants):
    run(*problem(pa=-64))
    run(*problem(pb=0))
    run(*problem(dtype=torch.int8, pa=71, pb=81))
    assert len(variants) == 3


@pytest.mark.parametrize("shift", [1, 2, 8, 16])
@pytest.mark.parametrize("gap", [0, 32])
def test_base_behind_a_line(shift, gap):
    """The base is rounded down by up to 60 bytes, for which rows need room."""
    run(*problem(pa=64 + gap, shift=shift))


@pytest.mark.parametrize("rows", [2**24 - 1, 2**24, 2**24 + 1, 2**31 - 1])
def test_number_of_rows(variants, rows):
    """Extents that are not read to the end."""
    a, b, d, c = problem(m=64)
    run(a, b, d, c, rows_d=rows)
    assert variants == ([] if rows <= 2**24 else [[D]])


@pytest.mark.parametrize("extra", [-4, 0, 4])
def test_long_rows(extra):
    """Rows of 2^24 bytes, and a few more or less."""
    columns = (2**24 + extra) // 4
    a, b, _, c = problem(m=3)
    d = Matrix.make(3, columns, -(-columns // 4) * 4, torch.float32, 5)
    run(a, b, d, c, column_d=columns - 40)


@pytest.mark.parametrize("columns", [0, 1, 5, 31, 32, 33, 64])
def test_blocks_left_of_the_matrix(columns):
    """Nothing before a row is read, wherever the base lies."""
    for shift in (0, 4):
        for gap in (0, 32):
            a, b, _, c = problem()
            d = Matrix.make(40, 64, 64 + gap, torch.float32, 7, shift)
            run(a, b, d, c, column_d=-columns, row_d=-columns)


@triton.jit
def add_counted(a, b, d, c, counts, shift, row_d, stride_d, BLOCK: tl.constexpr):
    """C = A @ B + D[row_d:], where memory holds the number of D's rows."""
    rows = tl.load(counts)
    indices = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    d_block = tl.make_block_ptr(d + shift, (rows, BLOCK), (stride_d, 1), (row_d, 0), (BLOCK, BLOCK), (1, 0))
    total = tl.dot(tl.load(a + indices), tl.load(b + indices)) + tl.load(d_block, boundary_check=(0, 1))
    tl.store(c + indices, total)


@pytest.mark.parametrize("first", [-40, -5, 0, 9, 2**20 + 3, 2**24 - 7, 2**24, 2**24 + 9, 2**25 + 5, 2**30])
@pytest.mark.parametrize("count", [-20, 0, 1, 20, 100])
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_rows_that_memory_holds(first, count, dtype):
    """No row, some, and more than a surface has: `count` rows from the block's first on. Only those have memory."""
    a, b = (random_tensor((BLOCK, BLOCK), torch.float16, seed=seed) for seed in (1, 2))
    rows = max(0, first + count)
    existing = max(0, min(rows, first + BLOCK) - max(0, first))
    d = Matrix.make(existing, BLOCK, BLOCK, torch.float32, 3)
    c = poisoned((BLOCK, BLOCK), torch.float32)
    counts = torch.tensor([rows], dtype=dtype)
    shift = -max(0, first) * BLOCK
    kernel = add_counted[(1,)](a, b, d.pointer, c, counts, shift, first, BLOCK, BLOCK=BLOCK)
    expected = a.double() @ b.double()
    for row in range(existing):
        expected[max(0, first) - first + row] += d.row(row)
    assert_close(c, expected, 1e-3)
    loads = [line for line in kernel.asm["ttgir"].splitlines() if "ttig.load_block" in line]
    assert any("boundedRows" not in line for line in loads)


def random_problem(rng: random.Random) -> None:
    """Return sizes around the limits, for all matrices at once."""
    dtype = rng.choice([torch.int8, torch.bfloat16, torch.float16, torch.float32])
    element = torch.empty((), dtype=dtype).element_size()

    def size() -> int:
        return rng.choice([rng.randint(1, 80), rng.randint(1, 80 // element), 16 * rng.randint(1, 5)])

    def pitch(columns: int, signed: bool = True) -> int:
        gap = rng.choice([0, 0, 0, rng.randint(0, 40), 16 * rng.randint(0, 4)])
        return (columns + gap) * (rng.choice([1, 1, -1]) if signed else 1)

    m, n, k, nd = size(), size(), size(), size()
    acc = torch.int32 if dtype == torch.int8 else torch.float32
    a = Matrix.make(m, k, pitch(k), dtype, 1, rng.choice([0, 0, rng.randint(0, 40)]))
    b = Matrix.make(k, n, rng.choice([0, pitch(n), pitch(n)]), dtype, 2, rng.choice([0, rng.randint(0, 40)]))
    d = Matrix.make(m, nd, rng.choice([0, pitch(nd), pitch(nd)]), acc, 3, rng.choice([0, rng.randint(0, 16)]))
    c = Matrix.make(m, n, pitch(n), acc, 4, rng.choice([0, rng.randint(0, 16)]))
    run(a, b, d, c, row_d=rng.randint(-40, 40), column_d=rng.choice([0, rng.randint(-40, 40), -32]))


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(s, marks=pytest.mark.full) for s in range(6, 300))])
def test_random_sizes(seed):
    random_problem(random.Random(seed))
