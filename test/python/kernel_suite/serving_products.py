# SPDX-License-Identifier: MIT
"""Products of engines for serving: the first product of low-rank adapters, and chunks of state-space models.

As there, all accesses are by plain pointers with masks. Tiles are constants, and most strides are arguments.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def adapter_shrink_kernel(
    x_ptr, weight_ptr, out_ptr, sorted_ptr, count_ptr, start_ptr, adapter_ptr, scaling, tokens, N, K, stride_xm,
    stride_xk, stride_wa, stride_wn, stride_wk, stride_om, stride_on, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr, SPLITS: tl.constexpr, WHOLE_K: tl.constexpr,
):  # fmt: skip
    """out[t] = scaling * (x[t] @ weight[adapter]^T) of the tokens t of each adapter; `sorted` has their numbers, those
    of one adapter after each other. The sum over K is split among programs, which then add up in memory.
    """
    pid = tl.program_id(0)
    number = tl.program_id(1)
    adapter = tl.load(adapter_ptr + number)
    if adapter < 0:
        return
    count = tl.load(count_ptr + number)
    split = pid % SPLITS
    blocks_m = tl.cdiv(tokens, BLOCK_M)
    block_m, block_n = pid // SPLITS % blocks_m, pid // SPLITS // blocks_m
    if block_m * BLOCK_M >= count:
        return
    place = block_m * BLOCK_M + tl.arange(0, BLOCK_M)
    is_token = place < count
    token = tl.load(sorted_ptr + tl.load(start_ptr + number) + place, mask=is_token, other=0)
    n = block_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = split * BLOCK_K + tl.arange(0, BLOCK_K)
    x_ptrs = x_ptr + token[:, None] * stride_xm + k[None, :] * stride_xk
    weight_ptrs = weight_ptr + adapter.to(tl.int64) * stride_wa + k[:, None] * stride_wk + (n % N)[None, :] * stride_wn
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(tl.cdiv(K, BLOCK_K * SPLITS)):
        if WHOLE_K:
            x = tl.load(x_ptrs)
            weight = tl.load(weight_ptrs)
        else:
            rest = K - step * (BLOCK_K * SPLITS)
            x = tl.load(x_ptrs, mask=k[None, :] < rest, other=0.0)
            weight = tl.load(weight_ptrs, mask=k[:, None] < rest, other=0.0)
        acc += tl.dot(x, weight)
        x_ptrs += BLOCK_K * SPLITS * stride_xk
        weight_ptrs += BLOCK_K * SPLITS * stride_wk
    acc *= scaling
    out_ptrs = out_ptr + token[:, None] * stride_om + n[None, :] * stride_on
    mask = is_token[:, None] & (n[None, :] < N)
    if SPLITS == 1:
        tl.store(out_ptrs, acc, mask=mask)
    else:
        tl.atomic_add(out_ptrs, acc, mask=mask, sem="relaxed")


@kernel_case(num_warps=(4, 8), splits=(1, 4), size=(1000,))
@kernel_case(num_warps=(4, 8), full=True, splits=(4,), size=(1024,))
def adapter_shrink(session: Session, splits: int, size: int) -> list[Result]:
    """Tokens of three adapters, of none, and of a place for an adapter that is empty."""
    tokens, adapters, rank, block_m, scaling = 53, 3, 16, 32, 0.5
    dtype = torch.bfloat16
    generator = torch.Generator().manual_seed(session.seed)
    owner = torch.randint(-1, adapters, (tokens,), generator=generator)
    numbers = torch.tensor([-1, 1, 0, 2, -1], dtype=torch.int32)
    order = owner.argsort(stable=True).to(torch.int32)
    starts = torch.searchsorted(owner.sort().values, numbers.long()).to(torch.int32)
    counts = (owner[None, :] == numbers[:, None]).sum(1).to(torch.int32)
    x = session.randn((tokens, size), dtype)
    weight = session.randn((adapters, rank, size), dtype)
    out = session.zeros((tokens, rank))
    session.launch(
        adapter_shrink_kernel, (splits * triton.cdiv(tokens, block_m), len(numbers)), x, weight, out,
        session.input(order), session.input(counts), session.input(starts), session.input(numbers), scaling, tokens,
        rank, size, *x.stride(), *weight.stride(), *out.stride(), BLOCK_M=block_m, BLOCK_N=16, BLOCK_K=256,
        SPLITS=splits, WHOLE_K=size % (256 * splits) == 0, grf_mode="256",
    )  # fmt: skip
    expected = torch.zeros(tokens, rank, dtype=torch.float64)
    for token, adapter in enumerate(owner.tolist()):
        if adapter >= 0:
            expected[token] = weight[adapter].double() @ x[token].double() * scaling
    return [Result(out, expected, TOLERANCE[torch.float32])]


@triton.jit
def chunk_product_kernel(
    c_ptr, b_ptr, out_ptr, offset_ptr, K, stride_ct, stride_cg, stride_ck, stride_bt, stride_bg, stride_bk, stride_oc,
    stride_og, stride_om, CHUNK: tl.constexpr, IS_CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):  # fmt: skip
    """out[chunk, group] = c[chunk, group] @ b[chunk, group]^T, where chunks begin at the offsets and may be shorter
    than CHUNK. Causal products leave out the tiles above the diagonal.
    """
    chunk, group = tl.program_id(1).to(tl.int64), tl.program_id(2)
    blocks_n: tl.constexpr = (CHUNK + BLOCK_N - 1) // BLOCK_N
    block_m, block_n = tl.program_id(0) // blocks_n, tl.program_id(0) % blocks_n
    if IS_CAUSAL and block_n * BLOCK_N >= (block_m + 1) * BLOCK_M:
        return
    begin = tl.load(offset_ptr + chunk)
    rest = tl.load(offset_ptr + chunk + 1) - begin
    m, n = block_m * BLOCK_M + tl.arange(0, BLOCK_M), block_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    c_ptr += begin * stride_ct + group * stride_cg
    b_ptr += begin * stride_bt + group * stride_bg
    c_ptrs = c_ptr + (m[:, None] * stride_ct + k[None, :] * stride_ck)
    b_ptrs = b_ptr + (k[:, None] * stride_bk + n[None, :] * stride_bt)
    acc = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(tl.cdiv(K, BLOCK_K)):
        c = tl.load(c_ptrs, mask=(m[:, None] < rest) & (k[None, :] < K - step * BLOCK_K), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] < K - step * BLOCK_K) & (n[None, :] < rest), other=0.0)
        acc += tl.dot(c, b)
        c_ptrs += BLOCK_K * stride_ck
        b_ptrs += BLOCK_K * stride_bk
    out_ptr += chunk * stride_oc + group * stride_og
    out_ptrs = out_ptr + (m[:, None] * stride_om + n[None, :])
    tl.store(out_ptrs, acc.to(out_ptr.dtype.element_ty), mask=(m[:, None] < CHUNK) & (n[None, :] < CHUNK))


@kernel_case(num_warps=(16, 8), dtype=(torch.bfloat16,), chunk=(256,), tile=((128, 256),))
@kernel_case(num_warps=(4, 8), dtype=(torch.float16,), chunk=(128,), tile=((64, 64),))
def chunk_product(session: Session, dtype: torch.dtype, chunk: int, tile: tuple[int, int]) -> list[Result]:
    """Chunks of several sequences, whose last ones are shorter."""
    groups, state = 2, 96
    offsets = [0, chunk, chunk + 37, 2 * chunk + 37, 2 * chunk + 38]
    c, b = (session.randn((offsets[-1], groups, state), dtype) for _ in range(2))
    chunks = len(offsets) - 1
    is_causal = tile[0] < chunk
    out = session.zeros((chunks, groups, chunk, chunk))
    grid = (triton.cdiv(chunk, tile[0]) * triton.cdiv(chunk, tile[1]), chunks, groups)
    session.launch(
        chunk_product_kernel, grid, c, b, out, session.input(torch.tensor(offsets, dtype=torch.int32)), state,
        *c.stride(), *b.stride(), *out.stride()[:3], CHUNK=chunk, IS_CAUSAL=is_causal, BLOCK_M=tile[0],
        BLOCK_N=tile[1], BLOCK_K=64, grf_mode="256",
    )  # fmt: skip
    expected = torch.zeros(out.shape, dtype=torch.float64)
    for i in range(chunks):
        mine = slice(offsets[i], offsets[i + 1])
        size = offsets[i + 1] - offsets[i]
        expected[i, :, :size, :size] = torch.einsum("mgk,ngk->gmn", c[mine].double(), b[mine].double())
    if is_causal:
        m, n = torch.arange(chunk)[:, None], torch.arange(chunk)[None, :]
        expected *= n // tile[1] * tile[1] < (m // tile[0] + 1) * tile[0]
    return [Result(out, expected, TOLERANCE[torch.float32])]
