# SPDX-License-Identifier: MIT
"""Products of quantized matrices."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def int8_gemm_kernel(
    a_ptr, b_ptr, c_ptr, scale_a_ptr, scale_b_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """int8 x int8 with one scale per row of A and per column of B; B is given by columns."""
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    a = tl.make_block_ptr(a_ptr, (M, K), (K, 1), (row, 0), (BLOCK_M, BLOCK_K), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (N, 1), (0, column), (BLOCK_K, BLOCK_N), (1, 0))
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.int32)
    for _ in range(0, K, BLOCK_K):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        accumulator = tl.dot(x, y, accumulator, out_dtype=tl.int32)
        a = tl.advance(a, (0, BLOCK_K))
        b = tl.advance(b, (BLOCK_K, 0))
    i, j = row + tl.arange(0, BLOCK_M), column + tl.arange(0, BLOCK_N)
    scale_a = tl.load(scale_a_ptr + i, mask=i < M, other=0.0)
    scale_b = tl.load(scale_b_ptr + j, mask=j < N, other=0.0)
    result = accumulator.to(tl.float32) * scale_a[:, None] * scale_b[None, :]
    mask = (i[:, None] < M) & (j[None, :] < N)
    tl.store(c_ptr + i[:, None] * N + j[None, :], result.to(c_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 8, 1))
def int8_gemm(session: Session) -> list[Result]:
    """int8 operands with scales by row and by column."""
    m, n, k = 50, 80, 144
    a, b = session.randint(-128, 128, (m, k), torch.int8), session.randint(-128, 128, (k, n), torch.int8)
    scale_a, scale_b = session.randn((m,)), session.randn((n,))
    c = session.output((m, n), torch.bfloat16)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 64))
    session.launch(int8_gemm_kernel, grid, a, b, c, scale_a, scale_b, m, n, k, BLOCK_M=32, BLOCK_N=64, BLOCK_K=64)
    expected = (a.double() @ b.double()) * scale_a.double()[:, None] * scale_b.double()
    return [Result(c, expected, 1e-2)]


@triton.jit
def fp8_gemm_kernel(
    a_ptr, b_ptr, c_ptr, scale_a_ptr, scale_b_ptr, M, N, K,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """fp8 x fp8; A has a scale per row and block of K, B one per block of K and of N."""
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    blocks = tl.cdiv(K, BLOCK_K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for block in range(blocks):
        k = block * BLOCK_K + depth
        x = tl.load(a_ptr + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
        y = tl.load(b_ptr + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
        scale_a = tl.load(scale_a_ptr + i * blocks + block, mask=i < M, other=0.0)
        scale_b = tl.load(scale_b_ptr + block * tl.num_programs(1) + tl.program_id(1))
        accumulator += tl.dot(x, y) * scale_a[:, None] * scale_b
    mask = (i[:, None] < M) & (j[None, :] < N)
    tl.store(c_ptr + i[:, None] * N + j[None, :], accumulator, mask=mask)


@kernel_case(num_warps=(4, 8), dtype=(torch.float8_e4m3fn, torch.float8_e5m2))
def fp8_gemm(session: Session, dtype: torch.dtype) -> list[Result]:
    """fp8 operands with scales by block."""
    m, n, k, block = 40, 48, 80, 32
    a, b = session.randn((m, k), dtype), session.randn((k, n), dtype)
    blocks, tiles = triton.cdiv(k, block), triton.cdiv(n, block)
    scale_a, scale_b = session.randn((m, blocks)), session.randn((blocks, tiles))
    c = session.output((m, n))
    session.launch(
        fp8_gemm_kernel, (triton.cdiv(m, 32), tiles), a, b, c, scale_a, scale_b, m, n, k,
        BLOCK_M=32, BLOCK_N=block, BLOCK_K=block,
    )  # fmt: skip
    wide_a = a.double() * scale_a.double().repeat_interleave(block, 1)[:, :k]
    wide_b = b.double() * scale_b.double().repeat_interleave(block, 0)[:k].repeat_interleave(block, 1)[:, :n]
    return [Result(c, wide_a @ wide_b, 1e-4)]


@triton.jit
def int4_gemm_kernel(
    a_ptr, packed_ptr, c_ptr, scales_ptr, zeros_ptr, M, N, K, GROUP: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Eight weights of a column per int32; scales and packed zero points per group of K."""
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + depth
        x = tl.load(a_ptr + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
        mask = (k[:, None] < K) & (j[None, :] < N)
        word = tl.load(packed_ptr + (k // 8)[:, None] * N + j[None, :], mask=mask, other=0)
        weight = (word >> ((k % 8) * 4)[:, None]) & 0xF
        group = k // GROUP
        scale = tl.load(scales_ptr + group[:, None] * N + j[None, :], mask=mask, other=0.0)
        packed_zero = tl.load(zeros_ptr + group[:, None] * (N // 8) + (j // 8)[None, :], mask=mask, other=0)
        zero = (packed_zero >> ((j % 8) * 4)[None, :]) & 0xF
        y = (weight - zero).to(tl.float32) * scale.to(tl.float32)
        accumulator = tl.dot(x, y.to(x.dtype), accumulator)
    tl.store(c_ptr + i[:, None] * N + j[None, :], accumulator, mask=(i[:, None] < M) & (j[None, :] < N))


def pack_int4(values: torch.Tensor, dim: int) -> torch.Tensor:
    """Pack eight consecutive values below 16 along `dim` in an int32, the first in the lowest bits."""
    groups = values.movedim(dim, -1).to(torch.int64)
    groups = groups.reshape(*groups.shape[:-1], -1, 8)
    words = (groups << (4 * torch.arange(8))).sum(-1)
    words = torch.where(words >= 2**31, words - 2**32, words)
    return words.to(torch.int32).movedim(-1, dim).contiguous()


@kernel_case(num_warps=(4, 8))
def int4_gemm(session: Session) -> list[Result]:
    """Weights of 4 bits unpacked in the kernel, with scales and zero points by group."""
    m, n, k, group = 20, 40, 96, 32
    generator = torch.Generator().manual_seed(session.seed)
    weights = torch.randint(0, 16, (k, n), generator=generator)
    zeros = torch.randint(0, 16, (k // group, n), generator=generator)
    a, scales = session.randn((m, k), torch.float16), session.randn((k // group, n), torch.float16)
    packed, packed_zeros = session.input(pack_int4(weights, 0)), session.input(pack_int4(zeros, 1))
    c = session.output((m, n))
    session.launch(
        int4_gemm_kernel, (triton.cdiv(m, 16), triton.cdiv(n, 32)), a, packed, c, scales, packed_zeros, m, n, k,
        GROUP=group, BLOCK_M=16, BLOCK_N=32, BLOCK_K=32,
    )  # fmt: skip
    steps = (weights - zeros.repeat_interleave(group, 0)).double()
    expected = a.double() @ (steps * scales.double().repeat_interleave(group, 0))
    return [Result(c, expected, 2e-3)]


@triton.jit
def byte_weights_kernel(
    a_ptr, b_ptr, c_ptr, scale_ptr, M, N, K, stride_k, stride_n,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Weights of 8 bits become numbers of A's type before the product; one scale per column."""
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + depth
        x = tl.load(a_ptr + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
        mask = (k[:, None] < K) & (j[None, :] < N)
        y = tl.load(b_ptr + k[:, None] * stride_k + j[None, :] * stride_n, mask=mask, other=0)
        accumulator = tl.dot(x, y.to(x.dtype), accumulator)
    accumulator *= tl.load(scale_ptr + j, mask=j < N, other=0.0)[None, :]
    mask = (i[:, None] < M) & (j[None, :] < N)
    tl.store(c_ptr + i[:, None] * N + j[None, :], accumulator.to(c_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(8, 4), dtype=(torch.bfloat16,), order=("kn", "nk"))
@kernel_case(num_warps=(8, 16), full=True, dtype=(torch.float16,), order=("kn", "nk"))
def byte_weights(session: Session, dtype: torch.dtype, order: str) -> list[Result]:
    """Weights of 8 bits, by rows or by columns in memory."""
    m, n, k = 70, 144, 208
    a = session.randn((m, k), dtype)
    b = session.randint(-128, 128, (k, n) if order == "kn" else (n, k), torch.int8)
    right = b if order == "kn" else b.T
    scale = session.randn((n,))
    c = session.output((m, n), dtype)
    session.launch(
        byte_weights_kernel, (triton.cdiv(m, 64), triton.cdiv(n, 128)), a, b, c, scale, m, n, k, *right.stride(),
        BLOCK_M=64, BLOCK_N=128, BLOCK_K=64, grf_mode="256",
    )  # fmt: skip
    return [Result(c, (a.double() @ right.double()) * scale.double(), TOLERANCE[dtype])]


@triton.jit
def int4_interleaved_kernel(
    a_ptr, packed_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Two signed weights per byte, put side by side along K by join and reshape."""
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        pair = start // 2 + tl.arange(0, BLOCK_K // 2)
        x = tl.load(a_ptr + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
        mask = (pair[:, None] * 2 < K) & (j[None, :] < N)
        byte = tl.load(packed_ptr + pair[:, None] * N + j[None, :], mask=mask, other=0)
        low = (byte << 4).to(tl.int8) >> 4
        high = byte >> 4
        weight = tl.join(low, high).permute(0, 2, 1).reshape(BLOCK_K, BLOCK_N)
        accumulator = tl.dot(x, weight.to(x.dtype), accumulator)
    tl.store(c_ptr + i[:, None] * N + j[None, :], accumulator, mask=(i[:, None] < M) & (j[None, :] < N))


@kernel_case(num_warps=(4, 8))
def int4_interleaved(session: Session) -> list[Result]:
    """Signed weights of 4 bits, two per byte, through join, permute and reshape."""
    m, n, k = 20, 40, 72
    weights = torch.randint(-8, 8, (k, n), generator=torch.Generator().manual_seed(session.seed))
    pairs = weights.reshape(k // 2, 2, n)
    packed = session.input(((pairs[:, 1] << 4) | (pairs[:, 0] & 15)).to(torch.int8))
    a, c = session.randn((m, k), torch.bfloat16), session.output((m, n))
    session.launch(
        int4_interleaved_kernel, (triton.cdiv(m, 16), triton.cdiv(n, 32)), a, packed, c, m, n, k,
        BLOCK_M=16, BLOCK_N=32, BLOCK_K=32,
    )  # fmt: skip
    return [Result(c, a.double() @ weights.double(), 1e-5)]


@triton.jit
def row_quantize_kernel(x_ptr, q_ptr, scale_ptr, rows, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    """Each row in 8 bits, with one scale: the largest becomes 127."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.arange(0, BLOCK)
    mask = (i < rows)[:, None]
    x = tl.load(x_ptr + i[:, None] * BLOCK + j[None, :], mask=mask, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), 1), 1e-8) / 127.0
    ratio = x / scale[:, None]
    rounded = tl.where(ratio >= 0, tl.floor(ratio + 0.5), tl.ceil(ratio - 0.5))
    tl.store(q_ptr + i[:, None] * BLOCK + j[None, :], rounded.to(tl.int8), mask=mask)
    tl.store(scale_ptr + i, scale, mask=i < rows)


@kernel_case(num_warps=(8, 2))
def row_quantize(session: Session) -> list[Result]:
    """Activations of a token in 8 bits."""
    rows, columns = 21, 512
    x, q = session.randn((rows, columns), torch.bfloat16), session.output((rows, columns), torch.int8)
    scale = session.output((rows,))
    session.launch(row_quantize_kernel, (triton.cdiv(rows, 8),), x, q, scale, rows, BLOCK=columns, ROWS=8)
    expected = x.double().abs().amax(1) / 127
    # One step off where the quotient of f32 lies next to a half.
    return [Result(scale, expected, 1e-6), Result(q, (x.double() / expected[:, None]).round(), 1.01 / 127)]
