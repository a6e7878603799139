# SPDX-License-Identifier: MIT
"""Plain pointers that are block pointers in disguise: raised or not, numbers and bounds are those of the source.

Matrices lie in poisoned memory: an element that a mask hides is a NaN, or beside the memory. Every 2D block message on
the CPU device is checked against the rules of the hardware.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numeric.matrices import Matrix
from numerics import assert_close, poisoned, random_tensor
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

BLOCK = 32


@triton.jit
def exact(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Coordinates and exact masks again in each iteration."""
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), ACC)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + rm[:, None] * sam + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        y = tl.load(b + rk[:, None] * sbk + rn[None, :], mask=(rk[:, None] < K) & (N > rn[None, :]), other=0)  # noqa: SIM300
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    tl.store(c + rm[:, None] * scm + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] <= N - 1))


@triton.jit
def carried(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Pointers that advance, and a bound that shrinks."""
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    rk = tl.arange(0, BK)
    ap, bp = a + (rm[:, None] * sam + rk[None, :]), b + (rk[:, None] * sbk + rn[None, :])
    acc = tl.zeros((B, B), ACC)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(ap, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0)
        y = tl.load(bp, mask=(rk[:, None] < K - k * BK) & (rn[None, :] < N), other=0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
        ap += BK
        bp += BK * sbk
    tl.store(c + scm * rm[:, None] + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def wrapped(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Rows and columns that wrap around where the matrix ends, as in Triton's tutorial."""
    rm, rn = (tl.program_id(0) * B + tl.arange(0, B)) % M, (tl.program_id(1) * B + tl.arange(0, B)) % N
    rk = tl.arange(0, BK)
    ap, bp = a + (rm[:, None] * sam + rk[None, :]), b + (rk[:, None] * sbk + rn[None, :])
    acc = tl.zeros((B, B), ACC)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(ap, mask=rk[None, :] < K - k * BK, other=0)
        y = tl.load(bp, mask=rk[:, None] < K - k * BK, other=0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
        ap += BK
        bp += BK * sbk
    cm, cn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    tl.store(c + scm * cm[:, None] + cn[None, :], acc, mask=(cm[:, None] < M) & (cn[None, :] < N))


@triton.jit
def downwards(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """A loop that counts what is left, and a scalar pointer that moves; rows through a pointer per row."""
    rm, rn = tl.arange(0, B), tl.arange(0, B)
    rk = tl.arange(0, BK)
    rows = M - tl.program_id(0) * B
    columns = N - tl.program_id(1) * B
    a += tl.program_id(0).to(tl.int64) * B * sam
    b += tl.program_id(1) * B
    acc = tl.zeros((B, B), ACC)
    for left in range(K, 0, -BK):
        x = tl.load((a + rm * sam)[:, None] + rk[None, :], (rm < rows)[:, None] & (rk < left)[None, :], other=0)
        y = tl.load((b + rk * sbk)[:, None] + rn[None, :], (rk < left)[:, None] & (rn < columns)[None, :], other=0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
        a += BK
        b += BK * sbk
    c += tl.program_id(0) * B * scm + tl.program_id(1) * B
    tl.store(c + rm[:, None] * scm + rn[None, :], acc, mask=(rm[:, None] < rows) & (rn[None, :] < columns))


@triton.jit
def column_major(a, b, c, M, N, K, sam, sbn, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """B's columns lie in memory; its block is read so, or transposed."""
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), ACC)
    for k in range(0, K, 2 * BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + rm[:, None] * sam + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        y = tl.load(b + rk[:, None] + rn[None, :] * sbn, mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
        rk += BK
        x = tl.load(a + rm[:, None] * sam + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        y = tl.load(b + rn[:, None] * sbn + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0)
        acc = tl.dot(x, y.T, acc, out_dtype=ACC)
    tl.store(c + rm[:, None] * scm + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def unmasked(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Multiply whole blocks: only the loop's end determines how far memory goes. The second half goes by two blocks."""
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    rk = tl.arange(0, BK)
    ap, bp = a + (rm[:, None] * sam + rk[None, :]), b + (rk[:, None] * sbk + rn[None, :])
    acc = tl.zeros((B, B), ACC)
    for _ in range(0, K // 2, BK):
        acc = tl.dot(tl.load(ap), tl.load(bp), acc, out_dtype=ACC)
        ap += BK
        bp += BK * sbk
    for k in range(K // 2, K, 2 * BK):
        for half in tl.static_range(2):
            rk = k + half * BK + tl.arange(0, BK)
            x = tl.load(a + rm[:, None] * sam + rk[None, :])
            acc = tl.dot(x, tl.load(b + rk[:, None] * sbk + rn[None, :]), acc, out_dtype=ACC)
    tl.store(c + scm * rm[:, None] + rn[None, :], acc)


@triton.jit
def hinted(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Hints in one of two branches, as torch's templates have them; offsets are sums of whole blocks."""
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    if M >= B and K > 1:  # noqa: SIM108
        wm = tl.max_contiguous(tl.multiple_of(rm % M, B), B)
    else:
        wm = rm % M
    if N >= B and K > 1:  # noqa: SIM108
        wn = tl.max_contiguous(tl.multiple_of(rn % N, B), B)
    else:
        wn = rn % N
    rk = tl.arange(0, BK)
    acc = tl.zeros((B, B), ACC)
    for k in range(tl.cdiv(K, BK)):
        ka, kb = rk[None, :] + k * BK, rk[:, None] + k * BK
        x = tl.load(a + (ka + sam * wm[:, None]), mask=rk[None, :] < K - k * BK, other=0)
        y = tl.load(b + (wn[None, :] + sbk * kb), mask=rk[:, None] < K - k * BK, other=0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    tl.store(
        c + tl.broadcast_to(rn[None, :] + scm * rm[:, None], acc.shape), acc, (rm[:, None] < M) & (rn[None, :] < N)
    )


@triton.jit
def selected(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Tiles that programs take in turns; rows and columns past the end are the first ones instead."""
    columns = tl.cdiv(N, B)
    for tile in range(tl.program_id(0) + tl.program_id(1) * tl.num_programs(0), tl.cdiv(M, B) * columns, 2):
        rm, rn = tile // columns * B + tl.arange(0, B), tile % columns * B + tl.arange(0, B)
        rk = tl.arange(0, BK)
        ap = a + tl.where(rm < M, rm, 0)[:, None] * sam + rk[None, :]
        bp = b + rk[:, None] * sbk + tl.where(rn < N, rn, 0)[None, :]
        acc = tl.zeros((B, B), ACC)
        for k in range(tl.cdiv(K, BK)):
            x = tl.load(ap, mask=rk[None, :] < K - k * BK, other=0)
            y = tl.load(bp, mask=rk[:, None] < K - k * BK, other=0)
            acc = tl.dot(x, y, acc, out_dtype=ACC)
            ap += BK
            bp += BK * sbk
        tl.store(c + rm[:, None] * scm + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def block_pointers(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Compute what the others are compared with."""
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    a_block = tl.make_block_ptr(a, (M, K), (sam, 1), (row, 0), (B, BK), (1, 0))
    b_block = tl.make_block_ptr(b, (K, N), (sbk, 1), (0, column), (BK, B), (1, 0))
    acc = tl.zeros((B, B), ACC)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(a_block, boundary_check=(0, 1)), tl.load(b_block, boundary_check=(0, 1)), acc)
        a_block = tl.advance(a_block, (0, BK))
        b_block = tl.advance(b_block, (BK, 0))
    c_block = tl.make_block_ptr(c, (M, N), (scm, 1), (row, column), (B, B), (1, 0))
    tl.store(c_block, acc, boundary_check=(0, 1))


KERNELS = [exact, carried, wrapped, downwards, column_major, hinted, selected]
SIZES = [(64, 64, 64), (40, 56, 48), (33, 72, 40), (96, 32, 100), (7, 5, 3)]
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.int8]


def launch(kernel, matrices, sizes, **options):
    """Run the product, and compare everything in C's memory."""
    a, b, c = matrices
    acc = torch.int32 if a.memory.dtype == torch.int8 else torch.float32
    untouched = c.memory.clone()
    grid = (triton.cdiv(sizes[0], BLOCK), triton.cdiv(sizes[1], BLOCK))
    compiled = kernel[grid](
        a.pointer, b.pointer, c.pointer, *sizes, a.pitch, b.pitch, c.pitch,
        B=BLOCK, BK=BLOCK, ACC=getattr(tl, str(acc).removeprefix("torch.")), **options,
    )  # fmt: skip
    right = b.numpy().T if kernel is column_major else b.numpy()
    assert_close(torch.from_numpy(c.numpy()), torch.from_numpy(a.numpy() @ right), 1e-2)
    for row in range(c.rows):
        c.row(row).copy_(untouched[c.first + row * c.pitch :][: c.columns])
    assert torch.equal(c.memory.view(torch.uint8), untouched.view(torch.uint8))
    return compiled


def make(kernel, sizes, dtype, more=0, shift=0):
    """Return A, B and C; their rows have `more` elements between them."""
    m, n, k = sizes
    out = torch.int32 if dtype == torch.int8 else torch.float32
    b = (n, k) if kernel is column_major else (k, n)
    return (
        Matrix.make(m, k, k + more, dtype, 1, shift),
        Matrix.make(*b, b[1] + more, dtype, 300),
        Matrix.make(m, n, n + more, out, 600),
    )


#: Elements that rows have in addition, and the distance of A from a line, for each of the sizes.
PLACES = [(0, 0), (8, 0), (3, 1), (16, 8), (61, 2)]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_product(request, kernel, dtype):
    """Each kernel with all sizes, and each type with all sizes; each kernel and type with two of them, or all with
    `--full`.
    """
    problems = list(zip(SIZES, PLACES, strict=True))
    if not request.config.getoption("--full"):
        first = KERNELS.index(kernel) + 2 * DTYPES.index(dtype)
        problems = [problems[number % len(problems)] for number in (first, first + 1)]
    for sizes, (more, shift) in problems:
        launch(kernel, make(kernel, sizes, dtype, more, shift), sizes)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_product_of_whole_blocks(dtype):
    for sizes, more in (((64, 32, 128), 0), ((32, 96, 256), 24), ((32, 32, 128), 3)):
        launch(unmasked, make(unmasked, sizes, dtype, more), sizes)


@pytest.mark.parametrize(
    "kernel", [kernel for kernel in KERNELS if kernel is not column_major], ids=lambda kernel: kernel.__name__
)
def test_messages(kernel):
    """All three matrices are block accesses, and nothing of the pointers is left."""
    sizes = (64, 64, 64)
    ttgir = launch(kernel, make(kernel, sizes, torch.bfloat16), sizes).asm["ttgir"]
    assert ttgir.count("ttig.load_block") >= 2
    assert ttgir.count("ttig.store_block") == 1
    assert "!tt.ptr<bf16>, #" not in ttgir


@needs_ocloc
def test_native_code():
    """Whichever way memory is addressed, loops of native code are as long as that of block pointers, within 5 %."""

    def compile_native(kernel, **options):
        constants = {"B": 256, "BK": 32, "ACC": tl.float32}
        signature = {name: "*bf16" if name in "ab" else "*fp32" if name == "c" else "i32" for name in kernel.arg_names}
        aligned = {(index,): [["tt.divisibility", 16]] for index in range(len(signature) - len(constants))}
        source = ASTSource(kernel, signature | dict.fromkeys(constants, "constexpr"), constants, aligned)
        options = {"num_warps": 32, "grf_mode": "256", "generate_native_code": True} | options
        compiled = triton.compile(source, target=GPUTarget("xpu", "pvc", 16), options=options)
        native = compiled.metadata.native
        # Of two versions the one with messages.
        loop = min(part["instructions"] for part in native["loops"] if part["dpas"])
        return compiled.metadata.shared, native["total"], loop

    shared, total, loop = compile_native(block_pointers)
    assert shared == 0
    for kernel in (exact, carried, downwards, wrapped, unmasked):
        raised = compile_native(kernel)
        assert raised[0] == 0
        assert raised[1]["scratch_messages"] == 0
        assert raised[2] <= 1.05 * loop
        # That one has more than one loop.
        if kernel is not unmasked:
            assert all(raised[1][key] == total[key] for key in ("dpas", "load_block2d", "store_block2d", "prefetches"))
    # Without the pass there is nothing to see of it.
    assert compile_native(exact, raise_pointers=False)[1]["load_block2d"] == 0


@triton.jit
def neighbours(x, w, out, HEIGHT, WIDTH, B: tl.constexpr, FILL: tl.constexpr):
    """A convolution with 3 x 3 matrices of weights: coordinates before the image, and a separate value there."""
    ys, xs = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for dy in tl.static_range(-1, 2):
        for dx in range(-2, 3, 2):
            y, z = ys + dy, xs + dx
            inside = (y[:, None] >= 0) & (y[:, None] < HEIGHT) & (z[None, :] >= 0) & (z[None, :] < WIDTH)
            part = tl.load(x + y[:, None] * WIDTH + z[None, :], mask=inside, other=FILL)
            weights = tl.load(w + ((dy + 1) * 3 + dx // 2 + 1) * B * B + xs[:, None] * B + xs[None, :])
            acc = tl.dot(part, weights, acc)
    tl.store(out + ys[:, None] * B + xs[None, :], acc)


@pytest.mark.parametrize("fill", [0, 2])
def test_coordinates_in_front_of_a_matrix(fill):
    height, width = 45, 32
    image = Matrix.make(height, width, width, torch.float16, 1)
    weights = torch.randn(3, 3, BLOCK, BLOCK, dtype=torch.float16)
    out = torch.full((64, BLOCK), float("nan"))
    neighbours[(2,)](image.pointer, weights, out, height, width, B=BLOCK, FILL=fill)
    padded = torch.full((64 + 2, BLOCK + 4), fill, dtype=torch.float64)
    padded[1 : 1 + height, 2 : 2 + width] = torch.from_numpy(image.numpy())
    expected = sum(
        padded[dy : dy + 64, 2 * dx : 2 * dx + BLOCK] @ weights[dy, dx].to(torch.float64)
        for dy in range(3)
        for dx in range(3)
    )
    assert_close(out, expected, 1e-2)


@triton.jit
def circular(a, b, c, M, N, K, sam, sbk, scm, B: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr):
    """Rows that wrap around for good: those after the last one are the first ones again, and all are stored."""
    rm, rn = (tl.program_id(0) * B + tl.arange(0, B)) % M, tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), ACC)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + rm[:, None] * sam + rk[None, :], mask=rk[None, :] < K, other=0)
        y = tl.load(b + rk[:, None] * sbk + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    cm = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(c + cm[:, None] * scm + rn[None, :], acc, mask=(rn[None, :] < N))


def with_prints(ttgir: str) -> str:
    """Both versions of the only branch print which one they are."""
    lines, branches = [], 0
    for line in ttgir.splitlines():
        lines.append(line)
        if "scf.if" in line:
            branches += 1
            lines.append('tt.print " raised" {hex = false, isSigned = array<i32>}')
        elif line.strip().startswith("} else {"):
            lines.append('tt.print " plain" {hex = false, isSigned = array<i32>}')
    assert branches == 1
    return "\n".join(lines)


def see_versions(run, folder, capfd, programs):
    """Return which version each program runs, once `run` is given TTGIR that prints it."""
    path = folder / "kernel.ttgir"
    path.write_text(with_prints(run().asm["ttgir"]))
    capfd.readouterr()
    run(ir_override=str(path))
    printed = capfd.readouterr().out.splitlines()
    taken = [{line.split()[-1] for line in printed if f"({program}, 0, 0)" in line} for program in range(programs)]
    assert all(len(versions) == 1 for versions in taken)
    return [versions.pop() for versions in taken]


@pytest.mark.parametrize("rows", [96, 64, 40])
def test_each_program_takes_the_right_version(tmp_path, capfd, rows):
    """Programs whose rows end before the last one use block pointers, all others do not; both are right."""
    m, n, k = rows, 32, 64
    a = Matrix.make(m, k, k, torch.float16, 1)
    b = Matrix.make(k, n, n, torch.float16, 300)
    expected = np.resize(a.numpy(), (96, k)) @ b.numpy()

    def run(**options):
        c = Matrix.make(96, n, n, torch.float32, 600)
        arguments = (a.pointer, b.pointer, c.pointer, m, n, k, a.pitch, b.pitch, c.pitch)
        compiled = circular[(3, 1)](*arguments, B=BLOCK, BK=BLOCK, ACC=tl.float32, **options)
        assert_close(torch.from_numpy(c.numpy()), torch.from_numpy(expected), 1e-2)
        return compiled

    taken = see_versions(run, tmp_path, capfd, programs=3)
    assert taken == ["raised" if (program + 1) * BLOCK <= rows else "plain" for program in range(3)]


@triton.jit
def picked(a, w, c, M, starts, B: tl.constexpr):
    """Tiles that memory picks; those before the pointer do not wrap around, as signs of remainders are."""
    i, j = tl.arange(0, B), tl.arange(0, B)
    rows = tl.load(starts + tl.program_id(0)) + i
    acc = tl.zeros((B, B), tl.float32)
    for k in range(2):
        x = tl.load(a + (rows % M)[:, None] * (2 * B) + k * B + j[None, :])
        acc = tl.dot(x, tl.load(w + (k * B + i)[:, None] * B + j[None, :]), acc)
    c += tl.program_id(0) * B * B
    tl.store(c + i[:, None] * B + j[None, :], acc, mask=(rows < M)[:, None])


def test_programs_in_front_of_a_matrix(tmp_path, capfd):
    """Only its program knows whether a tile begins before the matrix: it reads the memory at its addresses."""
    starts = torch.tensor([0, -32, 32, -5], dtype=torch.int32)
    a, w = random_tensor((3 * BLOCK, 2 * BLOCK), torch.float16, 1), random_tensor((2 * BLOCK, BLOCK), torch.float16, 2)

    def run(**options):
        c = poisoned((len(starts), BLOCK, BLOCK), torch.float32)
        compiled = picked[(len(starts),)](a[BLOCK:], w, c, 2 * BLOCK, starts, B=BLOCK, **options)
        for number, start in enumerate(starts.tolist()):
            assert_close(c[number], a[BLOCK + start :][:BLOCK].double() @ w.double(), 1e-3)
        return compiled

    taken = see_versions(run, tmp_path, capfd, len(starts))
    assert taken == ["raised" if start >= 0 else "plain" for start in starts.tolist()]


@triton.jit
def delayed(a, w, c, M, tiles, B: tl.constexpr):
    """Go backwards from the last tile. A round stores what the one before has loaded, under the mask of its rows."""
    i, j = tl.arange(0, B), tl.arange(0, B)
    weights = tl.load(w + i[:, None] * B + j[None, :])
    before = tl.zeros((B, B), tl.float32)
    for tile in range(tiles):
        first = (tiles - 1 - tile) * B
        tl.assume(first >= 0)
        rows = first + i
        x = tl.load(a + (rows % M)[:, None] * B + j[None, :])
        tl.store(c + (tile * B + i)[:, None] * B + j[None, :], before, mask=(rows < M)[:, None])
        before = tl.dot(x, weights)


def test_rows_that_a_later_round_stores():
    """Surplus rows of the last tile are seen: the mask of the next round leaves none of them out."""
    rows, tiles = 40, 2
    a, w = random_tensor((rows, BLOCK), torch.float16, 1), random_tensor((BLOCK, BLOCK), torch.float16, 2)
    c = poisoned((tiles * BLOCK, BLOCK), torch.float32)
    delayed[(1,)](a, w, c, rows, tiles, B=BLOCK)
    wrapped = a.double()[torch.arange(BLOCK, 2 * BLOCK) % rows]
    assert_close(c[BLOCK:], wrapped @ w.double(), 1e-3)
    assert torch.equal(c[: rows - BLOCK], torch.zeros(rows - BLOCK, BLOCK))
    assert c[rows - BLOCK : BLOCK].isnan().all()
