# SPDX-License-Identifier: MIT
"""A mixture of experts: rows of tokens, gathered by number, times the matrix of the expert that they are sent to."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def experts_kernel(
    a_ptr, b_ptr, c_ptr, weights_ptr, tokens_ptr, experts_ptr, count_ptr, N, K, slots, valid, stride_am, stride_ak,
    stride_be, stride_bk, stride_bn, stride_cm, stride_cn, TOP: tl.constexpr, BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr, WHOLE_K: tl.constexpr, NUMBER: tl.constexpr,
    ACC: tl.constexpr,
):  # fmt: skip
    """c[t] = (a[t // TOP] @ b[expert]) * weights[t], for the tokens t of each block of a table that sorts them by
    expert and fills up with numbers from `valid` on."""
    pid = tl.program_id(0)
    blocks_m, blocks_n = tl.cdiv(slots, BLOCK_M), tl.cdiv(N, BLOCK_N)
    in_group = GROUP_M * blocks_n
    first_m = pid // in_group * GROUP_M
    group_m = min(blocks_m - first_m, GROUP_M)
    block_m, block_n = first_m + (pid % in_group) % group_m, (pid % in_group) // group_m
    if block_m * BLOCK_M >= tl.load(count_ptr):
        return
    token = tl.load(tokens_ptr + block_m * BLOCK_M + tl.arange(0, BLOCK_M)).to(NUMBER)
    is_valid = token < valid
    expert = tl.load(experts_ptr + block_m).to(tl.int64)
    n = (block_n * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)) % N
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (token[:, None] // TOP * stride_am + k[None, :] * stride_ak)
    b_ptrs = b_ptr + expert * stride_be + (k[:, None] * stride_bk + n[None, :] * stride_bn)
    acc = tl.zeros((BLOCK_M, BLOCK_N), ACC)
    for step in range(tl.cdiv(K, BLOCK_K)):
        if WHOLE_K:
            a = tl.load(a_ptrs, mask=is_valid[:, None], other=0.0)
            b = tl.load(b_ptrs)
        else:
            a = tl.load(a_ptrs, mask=is_valid[:, None] & (k[None, :] < K - step * BLOCK_K), other=0.0)
            b = tl.load(b_ptrs, mask=k[:, None] < K - step * BLOCK_K, other=0.0)
        acc = tl.dot(a, b, acc, out_dtype=ACC)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    acc *= tl.load(weights_ptr + token, mask=is_valid, other=0)[:, None].to(ACC)
    n = block_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_ptrs = c_ptr + stride_cm * token[:, None] + stride_cn * n[None, :]
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=is_valid[:, None] & (n[None, :] < N))


def sort_tokens(count: int, experts: int, block: int, padding: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return tokens in blocks that go to one expert each, filled up with `padding`; and the experts of the blocks."""
    generator = torch.Generator().manual_seed(seed)
    expert = torch.randint(0, experts, (count,), generator=generator)
    table, owners = [], []
    for e in range(experts):
        own = torch.nonzero(expert == e)[:, 0]
        own = own[torch.randperm(len(own), generator=generator)]
        table.append(torch.cat([own, torch.full((-len(own) % block,), padding)]))
        owners += [e] * (len(table[-1]) // block)
    return torch.cat(table).to(torch.int32), torch.tensor(owners, dtype=torch.int32)


@kernel_case(num_warps=(4, 8), dtype=(torch.bfloat16,), b_order=("nk", "kn"))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.float16,), b_order=("nk", "kn"))
def mixture_of_experts(
    session: Session,
    dtype: torch.dtype,
    b_order: str,
    sizes: tuple[int, int, int] = (37, 80, 96),
    tile: tuple[int, int] = (32, 64),
) -> list[Result]:
    """Tokens of two experts each; the matrices lie as libraries have them, or transposed."""
    (tokens, n, k), (block, block_n), top, experts = sizes, tile, 2, 3
    count = tokens * top
    table, owners = sort_tokens(count, experts, block, 2**31 - 1, seed=1)
    a = session.randn((tokens, k), dtype)
    b = session.randn((experts, n, k) if b_order == "nk" else (experts, k, n), dtype)
    matrices = b.transpose(1, 2) if b_order == "nk" else b
    weights, c = session.randn((count,)), session.zeros((count, n), dtype)
    slots = session.input(torch.tensor([len(table)], dtype=torch.int32))
    grid = (len(owners) * triton.cdiv(n, block_n),)
    session.launch(
        experts_kernel, grid, a, b, c, weights, session.input(table), session.input(owners), slots, n, k, len(table),
        count, *a.stride(), *matrices.stride(), *c.stride(), TOP=top, BLOCK_M=block, BLOCK_N=block_n, BLOCK_K=32,
        GROUP_M=2, WHOLE_K=False, NUMBER=tl.int64, ACC=tl.float32,
    )  # fmt: skip
    expected = torch.zeros(count, n, dtype=torch.float64)
    for slot, token in enumerate(table.tolist()):
        if token < count:
            expected[token] = a[token // top].double().cpu() @ matrices[owners[slot // block]].double().cpu()
    return [Result(c, expected * weights.double().cpu()[:, None], TOLERANCE[dtype])]


@triton.jit
def packed_experts_kernel(
    a_ptr, b_ptr, c_ptr, scales_ptr, zeros_ptr, tokens_ptr, experts_ptr, N, K, valid, stride_am, stride_be, stride_bn,
    stride_se, stride_sn, stride_sk, stride_ze, stride_zn, stride_zk, stride_cm, TOP: tl.constexpr,
    GROUP: tl.constexpr, HAS_ZEROS: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """The same product with weights of 4 bits: two along K per byte, with scales and zero points by group of K."""
    blocks_n = tl.cdiv(N, BLOCK_N)
    block_m, block_n = tl.program_id(0) // blocks_n, tl.program_id(0) % blocks_n
    token = tl.load(tokens_ptr + block_m * BLOCK_M + tl.arange(0, BLOCK_M)).to(tl.int64)
    is_valid = token < valid
    expert = tl.load(experts_ptr + block_m).to(tl.int64)
    n, k = (block_n * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)) % N, tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (token[:, None] // TOP * stride_am + k[None, :])
    b_ptrs = b_ptr + expert * stride_be + (k[:, None] // 2 + n[None, :] * stride_bn)
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=is_valid[:, None], other=0.0)
        weight = (tl.load(b_ptrs) >> (k[:, None] % 2 * 4)) & 0xF
        group = (k[:, None] + BLOCK_K * step) // GROUP
        scale = tl.load(scales_ptr + expert * stride_se + n[None, :] * stride_sn + group * stride_sk).to(tl.float32)
        if HAS_ZEROS:
            zero_ptrs = zeros_ptr + expert * stride_ze + (n[None, :] // 2) * stride_zn + group * stride_zk
            zero = ((tl.load(zero_ptrs) >> (n[None, :] % 2 * 4)) & 0xF).to(tl.float32)
        else:
            zero = 8.0
        acc = tl.dot(a, ((weight.to(tl.float32) - zero) * scale).to(a.dtype), acc)
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K // 2
    n = block_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_ptrs = c_ptr + stride_cm * token[:, None] + n[None, :]
    tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=is_valid[:, None] & (n[None, :] < N))


@kernel_case(num_warps=(4, 8), has_zeros=(False, True))
def packed_experts(session: Session, has_zeros: bool) -> list[Result]:
    """Weights of 4 bits, as libraries pack them: K is the last dimension of both weights and scales."""
    tokens, top, experts, n, k, block, group, dtype = 37, 2, 3, 96, 256, 16, 64, torch.bfloat16
    count = tokens * top
    table, owners = sort_tokens(count, experts, block, 2**31 - 1, seed=1)
    a, generator = session.randn((tokens, k), dtype), torch.Generator().manual_seed(session.seed)
    weights = torch.randint(0, 16, (experts, n, k), generator=generator, dtype=torch.uint8)
    zeros = torch.randint(0, 16, (experts, n, k // group), generator=generator, dtype=torch.uint8)
    packed = session.input(weights[:, :, ::2] | weights[:, :, 1::2] << 4)
    packed_zeros = session.input(zeros[:, ::2] | zeros[:, 1::2] << 4)
    scales = session.randn((experts, n, k // group), dtype)
    c = session.zeros((count, n), dtype)
    session.launch(
        packed_experts_kernel, (len(owners) * triton.cdiv(n, 64),), a, packed, c, scales, packed_zeros,
        session.input(table), session.input(owners), n, k, count, a.stride(0), *packed.stride()[:2],
        *scales.stride(), *packed_zeros.stride(), c.stride(0), TOP=top, GROUP=group, HAS_ZEROS=has_zeros,
        BLOCK_M=block, BLOCK_N=64, BLOCK_K=128,
    )  # fmt: skip
    steps = weights.double() - (zeros.double().repeat_interleave(group, 2) if has_zeros else 8)
    wide = (steps * scales.double().cpu().repeat_interleave(group, 2)).transpose(1, 2)
    expected = torch.zeros(count, n, dtype=torch.float64)
    for slot, token in enumerate(table.tolist()):
        if token < count:
            expected[token] = a[token // top].double().cpu() @ wide[owners[slot // block]]
    return [Result(c, expected, TOLERANCE[dtype])]
