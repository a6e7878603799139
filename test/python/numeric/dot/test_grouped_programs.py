# SPDX-License-Identifier: MIT
"""Programs in groups of tiles that share rows: one version of the code, and a variant for launches it is not for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from numeric.matrices import Matrix
from numerics import assert_close, poisoned, random_tensor
from support import needs_ocloc, record_variants
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

BLOCK = 32


@triton.jit
def multiply(a, b, c, M, N, K, sam, sbk, scm, row, column, B: tl.constexpr, BK: tl.constexpr):
    """One tile, with exact masks."""
    rm, rn = row * B + tl.arange(0, B), column * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + rm[:, None] * sam + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        y = tl.load(b + rk[:, None] * sbk + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * scm + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def tile_of(number, m, n, G: tl.constexpr):
    """Row and column of a tile, where groups of G rows are numbered column by column."""
    first = number // (G * n) * G
    rows = min(m - first, G)
    return first + number % (G * n) % rows, number % (G * n) // rows


@triton.jit
def grouped(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    m, n = tl.cdiv(M, B), tl.cdiv(N, B)
    program = tl.program_id(0)
    row, column = tile_of(program, m, n, G)
    multiply(a, b, c, M, N, K, sam, sbk, scm, row, column, B, BK)


@triton.jit
def tutorial(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    """Rows and columns that wrap around, and no `tl.assume`."""
    program = tl.program_id(axis=0)
    m, n = tl.cdiv(M, B), tl.cdiv(N, B)
    programs_in_group = G * n
    first = program // programs_in_group * G
    rows = min(m - first, G)
    row, column = first + ((program % programs_in_group) % rows), (program % programs_in_group) // rows
    rm, rn = (row * B + tl.arange(0, B)) % M, (column * B + tl.arange(0, B)) % N
    rk = tl.arange(0, BK)
    ap, bp = a + (rm[:, None] * sam + rk[None, :]), b + (rk[:, None] * sbk + rn[None, :])
    acc = tl.zeros((B, B), tl.float32)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(ap, mask=rk[None, :] < K - k * BK, other=0)
        y = tl.load(bp, mask=rk[:, None] < K - k * BK, other=0)
        acc = tl.dot(x, y, acc)
        ap += BK
        bp += BK * sbk
    cm, cn = row * B + tl.arange(0, B), column * B + tl.arange(0, B)
    tl.store(c + scm * cm[:, None] + cn[None, :], acc, mask=(cm[:, None] < M) & (cn[None, :] < N))


@triton.jit
def persistent(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    """Each program computes several tiles: the loop ensures that there is none after the last."""
    m, n = tl.cdiv(M, B), tl.cdiv(N, B)
    for tile in range(tl.program_id(0), m * n, tl.num_programs(0)):
        first = tile // (G * n) * G
        rows = min(m - first, G)
        row, column = first + tile % rows, tile % (G * n) // rows
        multiply(a, b, c, M, N, K, sam, sbk, scm, row, column, B, BK)


@triton.jit
def flattened(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    """More than tiles in the number of a program: a part of K, which all but one of them leave to others."""
    m, n = tl.cdiv(M, B), tl.cdiv(N, B)
    tile = tl.program_id(0) % (m * n)
    if tl.program_id(0) // (m * n) == 1:
        row, column = tile_of(tile, m, n, G)
        multiply(a, b, c, M, N, K, sam, sbk, scm, row, column, B, BK)


@triton.jit
def swizzled(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    """The language's own order of a grid of two dimensions."""
    row, column = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.cdiv(M, B), tl.cdiv(N, B), G)
    multiply(a, b, c, M, N, K, sam, sbk, scm, row, column, B, BK)


@triton.jit
def interleaved(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    """Two programs per tile, next to each other, of which one has nothing to do."""
    m, n = tl.cdiv(M, B), tl.cdiv(N, B)
    tile = tl.program_id(0) // 2
    if tl.program_id(0) % 2 == 1:
        row, column = tile_of(tile, m, n, G)
        multiply(a, b, c, M, N, K, sam, sbk, scm, row, column, B, BK)


@triton.jit
def early(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    """Programs after the last tile end at once."""
    m, n = tl.cdiv(M, B), tl.cdiv(N, B)
    program = tl.program_id(0)
    if program >= m * n:
        return
    row, column = tile_of(program, m, n, G)
    multiply(a, b, c, M, N, K, sam, sbk, scm, row, column, B, BK)


@triton.jit
def shifted(a, w, c, M, shift, B: tl.constexpr):
    """Rows from `shift // 2` on, which may lie before the pointer: no mask ensures that they do not."""
    i, j = tl.arange(0, B), tl.arange(0, B)
    weights = tl.load(w + i[:, None] * B + j[None, :])
    acc = tl.zeros((B, B), tl.float32)
    for step in range(2):
        rows = shift // 2 + step * B + i
        x = tl.load(a + rows[:, None] * B + j[None, :], mask=(rows < M)[:, None], other=0)
        acc = tl.dot(x, weights, acc)
    tl.store(c + i[:, None] * B + j[None, :], acc)


@pytest.fixture
def variants(monkeypatch) -> Iterator[list[tuple[list[int], bool]]]:
    """Yield what kernels were compiled again for: tensors without messages, and whether launches are as assumed."""
    yield from record_variants(monkeypatch, lambda *found: found, *KERNELS, early, shifted)


KERNELS = (grouped, tutorial, persistent, flattened, swizzled, interleaved)
#: Rows, columns, depth and rows of tiles per group: whole and ragged tiles, groups that are not full, one tile.
PROBLEMS = ((64, 96, 64, 2), (200, 72, 48, 3), (33, 40, 32, 4), (32, 32, 32, 1), (168, 136, 40, 8))


def run(kernel: Any, m: int, n: int, k: int, group: int, more: int = 0) -> Any:
    """Multiply in poisoned memory with one program per tile, or some more, and compare."""
    a, b = Matrix.make(m, k, k + 8, torch.bfloat16, 1), Matrix.make(k, n, n + 8, torch.bfloat16, 300)
    c = Matrix.make(m, n, n + 8, torch.float32, 600)
    for row in range(m):
        c.row(row).fill_(float("nan"))
    tiles = triton.cdiv(m, BLOCK) * triton.cdiv(n, BLOCK)
    programs = {persistent: 3, flattened: 2 * tiles, interleaved: 2 * tiles}.get(kernel, tiles) + more
    grid = (triton.cdiv(m, BLOCK), triton.cdiv(n, BLOCK)) if kernel is swizzled else (programs,)
    compiled = kernel[grid](
        a.pointer, b.pointer, c.pointer, m, n, k, a.pitch, b.pitch, c.pitch, B=BLOCK, BK=BLOCK, G=group
    )
    assert_close(torch.from_numpy(c.numpy()), torch.from_numpy(a.numpy() @ b.numpy()), 1e-4)
    return compiled


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_one_version(kernel, variants):
    """Nothing but block accesses, and no launch of tiles that needs anything else."""
    for problem in PROBLEMS:
        ttgir = run(kernel, *problem).asm["ttgir"]
        assert "ttig.launch_condition" in ttgir
        assert "!tt.ptr<bf16>, #" not in ttgir
    assert all(is_as_assumed for _, is_as_assumed in variants)


def test_more_programs_than_tiles(variants):
    """The variant that assumes nothing is compiled once, when the first such launch comes, and gives the same."""
    run(early, *PROBLEMS[0])
    assert variants == []
    for _ in range(2):
        run(early, *PROBLEMS[0], more=5)
        assert variants == [([], False)]
    run(early, *PROBLEMS[0])
    assert variants == [([], False)]


def test_negative_argument(variants):
    """Rows before the pointer are read where a launch requests them."""
    a, w = random_tensor((96, BLOCK), torch.float16, 1), random_tensor((BLOCK, BLOCK), torch.float16, 2)
    for first, expected in ((8, []), (-16, [([], False)]), (0, [([], False)]), (-32, [([], False)])):
        c = poisoned((BLOCK, BLOCK), torch.float32)
        shifted[(1,)](a[BLOCK:], w, c, 40, 2 * first, B=BLOCK)
        rows = torch.zeros(2 * BLOCK, BLOCK, dtype=torch.float64)
        read = a[BLOCK + first : BLOCK + min(first + 2 * BLOCK, 40)].double()
        rows[: len(read)] = read
        assert_close(c, (rows[:BLOCK] + rows[BLOCK:]) @ w.double(), 1e-3)
        assert variants == expected


def test_variant_of_a_variant(variants):
    """A launch that is not as assumed may have a matrix that messages cannot address, too: rows of 8 elements."""
    run(early, 64, 8, 8, 2, more=1)
    assert variants[0] == ([], False)
    assert len(variants) == 2
    surfaces, is_as_assumed = variants[1]
    assert surfaces
    assert not is_as_assumed


@needs_ocloc
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_native_code(kernel):
    """No SLM, no scratch memory, and of two versions' code less than half."""
    constants = {"B": 256, "BK": 32, "G": 4}
    signature = {name: "*bf16" if name in "ab" else "*fp32" if name == "c" else "i32" for name in kernel.arg_names}
    aligned = {(index,): [["tt.divisibility", 16]] for index in range(len(signature) - len(constants))}
    source = ASTSource(kernel, signature | dict.fromkeys(constants, "constexpr"), constants, aligned)

    def compile_native(**options: Any) -> Any:
        options = {"num_warps": 32, "grf_mode": "256", "generate_native_code": True} | options
        return triton.compile(source, target=GPUTarget("xpu", "pvc", 16), options=options).metadata

    one, two = compile_native(), compile_native(assume_launch=False)
    assert one.shared == 0
    assert one.native["total"]["scratch_messages"] == 0
    assert one.native["total"]["instructions"] * 2 < two.native["total"]["instructions"]
