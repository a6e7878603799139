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
def mixture_of_experts(session: Session, dtype: torch.dtype, b_order: str) -> list[Result]:
    """Tokens of two experts each; the matrices lie as libraries have them, or transposed."""
    tokens, top, experts, n, k, block = 37, 2, 3, 80, 96, 32
    count = tokens * top
    table, owners = sort_tokens(count, experts, block, 2**31 - 1, seed=1)
    a = session.randn((tokens, k), dtype)
    b = session.randn((experts, n, k) if b_order == "nk" else (experts, k, n), dtype)
    matrices = b.transpose(1, 2) if b_order == "nk" else b
    weights, c = session.randn((count,)), session.zeros((count, n), dtype)
    slots = session.input(torch.tensor([len(table)], dtype=torch.int32))
    grid = (len(owners) * triton.cdiv(n, 64),)
    session.launch(
        experts_kernel, grid, a, b, c, weights, session.input(table), session.input(owners), slots, n, k, len(table),
        count, *a.stride(), *matrices.stride(), *c.stride(), TOP=top, BLOCK_M=block, BLOCK_N=64, BLOCK_K=32, GROUP_M=2,
        WHOLE_K=False, NUMBER=tl.int64, ACC=tl.float32,
    )  # fmt: skip
    expected = torch.zeros(count, n, dtype=torch.float64)
    for slot, token in enumerate(table.tolist()):
        if token < count:
            expected[token] = a[token // top].double().cpu() @ matrices[owners[slot // block]].double().cpu()
    return [Result(c, expected * weights.double().cpu()[:, None], TOLERANCE[dtype])]
