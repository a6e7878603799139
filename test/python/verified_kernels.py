# SPDX-License-Identifier: MIT
"""Kernels in the style of Triton's tutorials, of Inductor's templates, and of the well-known libraries, each with a
function that launches it and checks the result: for tests of verified launches.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def add_within_kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, at < BLOCK) + tl.load(y_ptr + at, at < 2 * BLOCK), at < 3 * BLOCK)


@triton.jit
def softmax_kernel(out_ptr, x_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + offsets, mask=offsets < columns, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * columns + offsets, numerator / tl.sum(numerator, 0), mask=offsets < columns)


@triton.jit
def leaky_product_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        a = tl.load(a_ptr + rows[:, None] * K + (start + depth)[None, :], mask=(start + depth)[None, :] < K, other=0.0)
        b = tl.load(
            b_ptr + (start + depth)[:, None] * N + columns[None, :], mask=(start + depth)[:, None] < K, other=0.0
        )
        total = tl.dot(a, b, total)
    total = tl.where(total >= 0, total, 0.01 * total)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], total.to(c_ptr.dtype.element_ty), mask=mask)


@triton.jit
def descriptor_product_kernel(a, b, c, K, BLOCK: tl.constexpr):
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(0, K, BLOCK):
        total = tl.dot(a.load([row, start]), b.load([start, column]), total)
    c.store([row, column], total.to(tl.float16))


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, out_ptr, scale, N, D: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + columns[None, :])
    most = tl.full((BLOCK,), -float("inf"), tl.float32)
    weight = tl.zeros((BLOCK,), tl.float32)
    total = tl.zeros((BLOCK, D), tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * BLOCK, BLOCK):
        keys = start + tl.arange(0, BLOCK)
        k = tl.load(k_ptr + keys[None, :] * D + columns[:, None])
        scores = tl.where(rows[:, None] >= keys[None, :], tl.dot(q, k) * scale, -float("inf"))
        now = tl.maximum(most, tl.max(scores, 1))
        p = tl.exp2(scores - now[:, None])
        alpha = tl.exp2(most - now)
        weight = weight * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + keys[:, None] * D + columns[None, :])
        total = tl.dot(p.to(v.dtype), v, total * alpha[:, None])
        most = now
    tl.store(out_ptr + rows[:, None] * D + columns[None, :], (total / weight[:, None]).to(tl.bfloat16))


@triton.jit
def dropout_kernel(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, tl.load(x_ptr + offsets, mask=mask) / (1 - p), 0.0), mask=mask)


@triton.jit
def layer_norm_backward_kernel(x_ptr, dy_ptr, dw_ptr, lock_ptr, rows, N, eps, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * N + columns, mask=mask, other=0.0)
    mean = tl.sum(x, 0) / N
    centred = tl.where(mask, x - mean, 0.0)
    normal = centred / tl.sqrt(tl.sum(centred * centred, 0) / N + eps)
    partial = tl.load(dy_ptr + row * N + columns, mask=mask, other=0.0) * normal
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(dw_ptr + columns, tl.load(dw_ptr + columns, mask=mask) + partial, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


@triton.jit
def rotary_kernel(q_ptr, cos_ptr, sin_ptr, HALF: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, HALF)
    cos, sin = tl.load(cos_ptr + row * HALF + offsets), tl.load(sin_ptr + row * HALF + offsets)
    first = q_ptr + row * 2 * HALF + offsets
    x, y = tl.load(first), tl.load(first + HALF)
    tl.store(first, x * cos - y * sin)
    tl.store(first + HALF, y * cos + x * sin)


@triton.jit
def quantize_kernel(x_ptr, out_ptr, scale_ptr, N, BLOCK: tl.constexpr):
    row, columns = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + columns, mask=columns < N, other=0.0)
    scale = tl.max(tl.abs(x), 0) / 127
    tl.store(out_ptr + row * N + columns, tl.floor(x / scale + 0.5).to(tl.int8), mask=columns < N)
    tl.store(scale_ptr + row, scale)


@triton.jit
def split_kernel(a_ptr, b_ptr, c_ptr, K, BLOCK: tl.constexpr):
    rows, columns = tl.arange(0, BLOCK)[:, None], tl.arange(0, BLOCK)[None, :]
    start = tl.program_id(0) * BLOCK
    a = tl.load(a_ptr + rows * K + start + columns)
    b = tl.load(b_ptr + (start + rows) * BLOCK + columns)
    tl.atomic_add(c_ptr + rows * BLOCK + columns, tl.dot(a, b))


@triton.jit
def count_kernel(values_ptr, counts_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(values_ptr + offsets, mask=offsets < n, other=0)
    tl.atomic_add(counts_ptr + value, 1, mask=offsets < n)


@triton.jit
def compact_kernel(x_ptr, out_ptr, count_ptr, BLOCK: tl.constexpr):
    """Store where there is room: the place depends on which program comes first."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    place = tl.atomic_add(count_ptr, BLOCK)
    tl.store(out_ptr + place + tl.arange(0, BLOCK), tl.load(x_ptr + offsets))


@triton.jit
def scan_kernel(x_ptr, out_ptr, best_ptr, N, BLOCK: tl.constexpr):
    row, columns = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + columns, mask=columns < N, other=-1.0)
    tl.store(out_ptr + row * N + columns, tl.cumsum(x, 0), mask=columns < N)
    tl.store(best_ptr + row, tl.argmax(x, 0))


@triton.jit
def reduction_template(in_ptr0, in_ptr1, out_ptr0, xnumel, rnumel, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
    """Reduce as Inductor writes it."""
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    total = tl.full([XBLOCK, RBLOCK], 0, tl.float32)
    for roffset in range(0, rnumel, RBLOCK):
        rindex = roffset + tl.arange(0, RBLOCK)[None, :]
        rmask = rindex < rnumel
        tmp0 = tl.load(in_ptr0 + rindex + rnumel * xindex, rmask & xmask, other=0.0, eviction_policy="evict_first")
        tmp1 = tl.load(in_ptr1 + rindex, rmask, other=0.0, eviction_policy="evict_last")
        total = tl.where(rmask & xmask, total + tmp0 * tl.sigmoid(tmp1), total)
    tl.store(out_ptr0 + xindex, tl.sum(total, 1)[:, None], xmask)


def half(*shape: int) -> torch.Tensor:
    return torch.randn(shape).half()


def run_add() -> None:
    x, y, out = torch.randn(1000), torch.randn(1000), torch.empty(1000)
    add_kernel[(4,)](x, y, out, 1000, BLOCK=256)
    assert torch.equal(out, x + y)


def run_softmax() -> None:
    x, out = torch.randn(8, 100)[:, :90], torch.empty(8, 90)
    softmax_kernel[(8,)](out, x, x.stride(0), 90, BLOCK=128)
    torch.testing.assert_close(out, x.softmax(1))


def run_product(n: int = 64, block: int = 32) -> None:
    a, b, c = half(64, 96), half(96, n), torch.empty(64, n, dtype=torch.float16)
    leaky_product_kernel[(64 // block, triton.cdiv(n, block))](a, b, c, 64, n, 96, block, block, 32)
    expected = torch.nn.functional.leaky_relu(a.float() @ b.float())
    torch.testing.assert_close(c.float(), expected, atol=0.1, rtol=0.01)


def run_descriptors(padding: str = "zero", block: int = 32) -> None:
    a, b, c = half(64, 64), half(64, 64), torch.empty(64, 64, dtype=torch.float16)
    made = [TensorDescriptor.from_tensor(each, [block, block], padding) for each in (a, b)]
    grid = (64 // block, 64 // block)
    descriptor_product_kernel[grid](*made, TensorDescriptor.from_tensor(c, [block, block]), 64, BLOCK=block)
    torch.testing.assert_close(c.float(), a.float() @ b.float(), atol=0.1, rtol=0.01)


def run_attention() -> None:
    q, k, v, out = (torch.randn(64, 32).bfloat16() for _ in range(4))
    attention_kernel[(2,)](q, k, v, out, 0.25, 64, D=32, BLOCK=32, num_warps=4)


def run_dropout() -> None:
    dropout_kernel[(4,)](torch.randn(1000), torch.empty(1000), 1000, 0.5, 17, BLOCK=256)


def run_layer_norm() -> None:
    x, dy, dw, lock = torch.randn(6, 60), torch.randn(6, 60), torch.zeros(60), torch.zeros(1, dtype=torch.int32)
    layer_norm_backward_kernel[(6,)](x, dy, dw, lock, 6, 60, 1e-5, BLOCK=64)
    normal = torch.nn.functional.layer_norm(x, (60,))
    torch.testing.assert_close(dw, (dy * normal).sum(0), atol=1e-4, rtol=1e-3)


def run_rotary() -> None:
    angle, q = torch.randn(8, 32), torch.randn(8, 64)
    expected = torch.cat(
        [q[:, :32] * angle.cos() - q[:, 32:] * angle.sin(), q[:, 32:] * angle.cos() + q[:, :32] * angle.sin()], 1
    )
    rotary_kernel[(8,)](q, angle.cos(), angle.sin(), HALF=32)
    torch.testing.assert_close(q, expected)


def run_quantize() -> None:
    x, out, scale = torch.randn(8, 100), torch.empty(8, 100, dtype=torch.int8), torch.empty(8)
    quantize_kernel[(8,)](x, out, scale, 100, BLOCK=128)


def run_split() -> None:
    a, b, c = half(32, 128), half(128, 32), torch.zeros(32, 32)
    split_kernel[(4,)](a, b, c, 128, BLOCK=32)
    torch.testing.assert_close(c, a.float() @ b.float(), atol=1e-2, rtol=1e-3)


def run_count() -> None:
    values, counts = torch.randint(0, 10, (1000,)), torch.zeros(10, dtype=torch.int32)
    count_kernel[(4,)](values, counts, 1000, BLOCK=256)
    assert torch.equal(counts, values.bincount(minlength=10).int())


def run_scan() -> None:
    x, out, best = torch.rand(8, 100), torch.empty(8, 100), torch.empty(8, dtype=torch.int32)
    scan_kernel[(8,)](x, out, best, 100, BLOCK=128)
    assert torch.equal(best.long(), x.argmax(1))


def run_reduction() -> None:
    x, weights, out = torch.randn(30, 300), torch.randn(300), torch.empty(30)
    reduction_template[(4,)](x, weights, out, 30, 300, XBLOCK=8, RBLOCK=128)
    torch.testing.assert_close(out, x @ weights.sigmoid(), atol=1e-4, rtol=1e-4)


RUNS = [
    run_add, run_softmax, run_product, run_descriptors, run_attention, run_dropout, run_layer_norm, run_rotary,
    run_quantize, run_split, run_count, run_scan, run_reduction,
]  # fmt: skip
