"""Mixtures of experts: rows gathered by a list of tokens, and what a list of elements picks."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def experts_kernel(
    out_ptr, x_ptr, weight_ptr, pair_ptr, expert_ptr, pairs, columns, depth, x_stride, weight_stride, out_stride,
    TOP: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """A block of pairs of a token and an expert, all of one expert; the rest of the block is no pair."""
    pair = tl.load(pair_ptr + tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M))
    is_pair = pair < pairs
    expert = tl.load(expert_ptr + tl.program_id(0)).to(tl.int64)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    x_ptrs = x_ptr + (pair[:, None] // TOP) * x_stride + k[None, :]
    weight_ptrs = weight_ptr + expert * depth * weight_stride + k[:, None] * weight_stride + (j % columns)[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, depth, BLOCK_K):
        x = tl.load(x_ptrs, mask=is_pair[:, None] & (k[None, :] < depth - start), other=0.0)
        weight = tl.load(weight_ptrs, mask=k[:, None] < depth - start, other=0.0)
        total += tl.dot(x, weight)
        x_ptrs += BLOCK_K
        weight_ptrs += BLOCK_K * weight_stride
    out_ptrs = out_ptr + pair[:, None] * out_stride + j[None, :]
    tl.store(out_ptrs, total.to(out_ptr.dtype.element_ty), mask=is_pair[:, None] & (j[None, :] < columns))


@kernel_case(num_warps=(4, 8), max_scratch=40)
def experts(session: Session) -> list[Result]:
    """Each token times the matrices of two of four experts."""
    tokens, top, count, columns, depth, block = 23, 2, 4, 48, 80, 16
    x = session.randn((tokens, depth), torch.bfloat16)
    weight = session.randn((count, depth, columns), torch.bfloat16, 0.1)
    chosen = torch.rand((tokens, count), generator=torch.Generator().manual_seed(session.seed)).topk(top).indices
    pairs, experts = [], []
    for expert in range(count):
        own = (chosen.flatten() == expert).nonzero().flatten().tolist()
        own += [tokens * top] * (-len(own) % block)
        pairs += own
        experts += [expert] * (len(own) // block)
    out = session.output((tokens * top, columns), torch.bfloat16)
    session.launch(
        experts_kernel, (len(experts), triton.cdiv(columns, 32)), out, x, weight,
        session.input(torch.tensor(pairs, dtype=torch.int32)), session.input(torch.tensor(experts, dtype=torch.int32)),
        tokens * top, columns, depth, depth, columns, columns, TOP=top, BLOCK_M=block, BLOCK_N=32, BLOCK_K=32,
    )  # fmt: skip
    expected = torch.einsum("td,pdc->tpc", x.double(), weight.double()).flatten(0, 1)
    rows = torch.arange(tokens * top)
    expected = expected[rows // top * count + chosen.flatten()]
    return [Result(out, expected, TOLERANCE[torch.bfloat16])]


@triton.jit
def gather_kernel(out_ptr, x_ptr, index_ptr, count, BLOCK: tl.constexpr):
    """Elements by their numbers; a negative one is no element."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    index = tl.load(index_ptr + i, mask=i < count, other=-1)
    tl.store(out_ptr + i, tl.load(x_ptr + index, mask=index >= 0, other=0.0), mask=i < count)


@kernel_case(num_warps=(4, 1))
def gather(session: Session) -> list[Result]:
    """Elements of memory by a list with gaps."""
    count, size = 1001, 77
    x, index = session.randn((size,)), session.randint(-20, size, (count,))
    out = session.output((count,))
    session.launch(gather_kernel, (triton.cdiv(count, 512),), out, x, index, count, BLOCK=512)
    expected = torch.where(index >= 0, x[index.clamp(min=0).long()], torch.zeros(()))
    return [Result(out, expected, 0.0)]
