# SPDX-License-Identifier: MIT
"""Weights of 4 bits, packed along K or N, with scales by group: words and scales that neighbours share are loaded once.

Kernels in the styles of GPTQ and AWQ; groups that are smaller and larger than a step, sizes that are
no multiples of anything, pointers that loops carry, a packed left operand.
"""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite.case import PVC, Session
from kernel_suite.quantized import pack_int4
from numerics import assert_close, poisoned, random_tensor
from support import needs_ocloc

pytestmark = pytest.mark.instruction_sets


@triton.jit
def carried_kernel(
    a, words, zeros, scales, c, M, N, K, pitch, GROUP: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """GPTQ: eight rows of a column in a word, pointers that the loop carries; whole steps along K."""
    i, j, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    column = j % N
    a_at = a + (i % M)[:, None] * K + k[None, :]
    w_at = words + (k // 8)[:, None] * pitch + column[None, :]
    shift, zero_shift = (k % 8) * 4, (column % 8) * 4
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(K // BK):
        group = (step * BK + k) // GROUP
        scale = tl.load(scales + group[:, None] * pitch + column[None, :])
        zero = tl.load(zeros + group[:, None] * (pitch // 8) + (column // 8)[None, :])
        zero = (zero >> zero_shift[None, :]) & 15
        weight = (tl.load(w_at) >> shift[:, None]) & 15
        acc = tl.dot(tl.load(a_at), ((weight - zero) * scale).to(a.dtype.element_ty), acc)
        a_at += BK
        w_at += (BK // 8) * pitch
    mask = (i[:, None] < M) & (j[None, :] < N)
    tl.store(c + i[:, None] * N + j[None, :], acc, mask=mask)


@triton.jit
def masked_kernel(
    a, words, zeros, scales, c, M, N, K, pitch, GROUP: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Compute the same with masks, a loop over columns around it, and no zero points but 8."""
    i, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BK)
    for first in range(tl.program_id(1) * BN, N, tl.num_programs(1) * BN):
        j = first + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for start in range(0, K, BK):
            inner = start + k
            mask = (inner[:, None] < K) & (j[None, :] < N)
            x = tl.load(a + i[:, None] * K + inner[None, :], mask=(i[:, None] < M) & (inner[None, :] < K), other=0.0)
            word = tl.load(words + (inner // 8)[:, None] * pitch + j[None, :], mask=mask, other=0)
            scale = tl.load(scales + (inner // GROUP)[:, None] * pitch + j[None, :], mask=mask, other=0.0)
            weight = ((word >> (inner % 8 * 4)[:, None]) & 15) - 8
            acc = tl.dot(x, (weight.to(tl.float32) * scale).to(a.dtype.element_ty), acc)
        tl.store(c + i[:, None] * N + j[None, :], acc, mask=(i[:, None] < M) & (j[None, :] < N))


@triton.jit
def stepping_kernel(
    a, words, zeros, scales, c, M, N, K, pitch, GROUP: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Compute the same with pointers that the loop carries, and masks of what is left along K."""
    i, j, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    a_at = a + i[:, None] * K + k[None, :]
    w_at = words + (k // 8)[:, None] * pitch + j[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(tl.cdiv(K, BK)):
        left = K - step * BK
        mask = (k[:, None] < left) & (j[None, :] < N)
        x = tl.load(a_at, mask=(i[:, None] < M) & (k[None, :] < left), other=0.0)
        word = tl.load(w_at, mask=mask, other=0)
        group = ((step * BK + k) // GROUP)[:, None]
        scale = tl.load(scales + group * pitch + j[None, :], mask=mask, other=0.0)
        weight = ((word >> ((k % 8) * 4)[:, None]) & 15) - 8
        acc = tl.dot(x, (weight.to(tl.float32) * scale).to(a.dtype.element_ty), acc)
        a_at += BK
        w_at += (BK // 8) * pitch
    tl.store(c + i[:, None] * N + j[None, :], acc, mask=(i[:, None] < M) & (j[None, :] < N))


@triton.jit
def columns_kernel(
    a, words, zeros, scales, c, M, N, K, pitch, GROUP: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """AWQ: eight columns of a row in a word, in rows of `pitch // 8` words."""
    i, j, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    inside = (j < N)[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        inner = start + k
        x = tl.load(a + i[:, None] * K + inner[None, :], mask=(i[:, None] < M) & (inner[None, :] < K), other=0.0)
        row = inner[:, None] < K
        word = tl.load(words + inner[:, None] * (pitch // 8) + (j // 8)[None, :], mask=row & inside, other=0)
        group = (inner // GROUP)[:, None]
        zero = tl.load(zeros + group * (pitch // 8) + (j // 8)[None, :], mask=row & inside, other=0)
        scale = tl.load(scales + group * pitch + j[None, :], mask=row & inside, other=0.0)
        shift = (j % 8 * 4)[None, :]
        weight = ((word >> shift) & 15) - ((zero >> shift) & 15)
        acc = tl.dot(x, (weight.to(tl.float32) * scale).to(a.dtype.element_ty), acc)
    tl.store(c + i[:, None] * N + j[None, :], acc, mask=(i[:, None] < M) & inside)


@triton.jit
def left_kernel(
    a, words, zeros, scales, c, M, N, K, pitch, GROUP: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """C = W^T @ A^T: the packed matrix is the left operand, its rows run along N."""
    i, j, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    acc = tl.zeros((BN, BM), tl.float32)
    for start in range(0, K, BK):
        inner = start + k
        mask = (j[:, None] < N) & (inner[None, :] < K)
        word = tl.load(words + (inner // 8)[None, :] * pitch + j[:, None], mask=mask, other=0)
        scale = tl.load(scales + (inner // GROUP)[None, :] * pitch + j[:, None], mask=mask, other=0.0)
        weight = ((word >> (inner % 8 * 4)[None, :]) & 15) - 8
        x = tl.load(a + i[None, :] * K + inner[:, None], mask=(i[None, :] < M) & (inner[:, None] < K), other=0.0)
        acc = tl.dot((weight.to(tl.float32) * scale).to(a.dtype.element_ty), x, acc)
    tl.store(c + i[None, :] * N + j[:, None], acc, mask=(i[None, :] < M) & (j[:, None] < N))


def run(kernel, m: int, n: int, k: int, group: int, blocks: tuple[int, int, int], dtype=torch.float16, warps=4) -> None:
    generator = torch.Generator().manual_seed(m * n + k)
    pitch, groups = triton.cdiv(n, 8) * 8, triton.cdiv(k, group)
    weights = torch.randint(0, 16, (triton.cdiv(k, 8) * 8, pitch), generator=generator)
    zeros = torch.randint(0, 16, (groups, pitch), generator=generator)
    words = pack_int4(weights, 1 if kernel is columns_kernel else 0)
    scales = random_tensor((groups, pitch), torch.float32, 3)
    a, c = random_tensor((m, k), dtype, 4), poisoned((m, n), torch.float32)
    if kernel in (masked_kernel, stepping_kernel, left_kernel):
        zeros = torch.full_like(zeros, 8)
    bm, bn, bk = blocks
    kernel[(triton.cdiv(m, bm), 2 if kernel is masked_kernel else triton.cdiv(n, bn))](
        a, words, pack_int4(zeros, 1), scales, c, m, n, k, pitch, GROUP=group, BM=bm, BN=bn, BK=bk, num_warps=warps
    )
    rows = torch.arange(k) // group
    exact = (weights[:k, :n] - zeros[rows, :n]).float() * scales[rows, :n]
    assert_close(c, a.double() @ exact.to(dtype).double(), 1e-5)


@pytest.mark.parametrize("group", (8, 32, 128))
@pytest.mark.parametrize(
    "kernel", (carried_kernel, masked_kernel, stepping_kernel, columns_kernel, left_kernel), ids=lambda k: k.__name__
)
def test_groups(kernel, group):
    """A group has less than a step, one step, or several."""
    run(kernel, 20, 72, 256, group, (16, 32, 32))


@pytest.mark.parametrize("sizes", ((16, 64, 64), (5, 41, 100), (33, 7, 24), (48, 96, 136)), ids=str)
@pytest.mark.parametrize(
    "kernel", (masked_kernel, stepping_kernel, columns_kernel, left_kernel), ids=lambda k: k.__name__
)
def test_sizes(kernel, sizes):
    """Masks that end within a word, and within a group."""
    run(kernel, *sizes, 16, (16, 32, 32), torch.bfloat16)


@pytest.mark.pairwise
@pytest.mark.parametrize("blocks", ((16, 16, 64), (32, 64, 32), (64, 32, 128)), ids=str)
@pytest.mark.parametrize("warps", (1, 8))
@pytest.mark.parametrize("kernel", (carried_kernel, columns_kernel), ids=lambda k: k.__name__)
def test_tiles(kernel, blocks, warps):
    run(kernel, 64, 64, 256, 64, blocks, warps=warps)


@needs_ocloc
@pytest.mark.parametrize("kernel", (carried_kernel, masked_kernel, stepping_kernel), ids=lambda k: k.__name__)
def test_native_code(kernel):
    """Words and scales go straight to where a lane multiplies them: nothing is exchanged, and no register spilled."""
    session = Session(recording=True, options={"num_warps": 4})
    size = 512
    a, scales = session.randn((size, size), torch.float16), session.randn((4, size))
    words, zeros = session.randint(0, 9, (size // 8, size)), session.randint(0, 9, (4, size // 8))
    session.launch(
        kernel, (8, 8), a, words, zeros, scales, session.output((size, size)), size, size, size, size,
        GROUP=128, BM=16, BN=64, BK=64,
    )  # fmt: skip
    source, options = session.launches[0].source(PVC, generate_native_code=True)
    compiled = triton.compile(source, target=PVC, options=options)
    # The innermost loop; of its two versions, where the surface of the words decides, the one with messages for them.
    products = [loop for loop in compiled.metadata.native["loops"] if loop["dpas"]]
    loop = min(products, key=lambda loop: (loop["dpas"], -loop["load_block2d"]))
    assert compiled.metadata.native["total"]["scratch_messages"] == 0
    # 64 rows of one lane: 8 words, a scale and a zero point, blocks of the left operand and prefetches. An exchange
    # through shared memory would have 4 more. After the loop, results go through it where no message can address them.
    assert loop["sends"] <= 16
