# SPDX-License-Identifier: MIT
"""Attention: forward and backward in one pass over blocks, with grouped heads, and paged decoding."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case

LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def attention_forward_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, scale, heads, kv_group, length, kv_length,
    stride_q, stride_kv, HEAD: tl.constexpr, CAUSAL: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """Rows of one head per program. Tensors are (batch x heads, length, HEAD) with rows `stride` apart.

    Exponentials are powers of two, so `scale` enters with log2(e); lse is the logarithm (to base 2) of a row's sum.
    """
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1).to(tl.int64)
    kv_head = head // kv_group
    q = tl.make_block_ptr(
        q_ptr + head * length * stride_q, (length, HEAD), (stride_q, 1), (start_m, 0), (BLOCK_M, HEAD), (1, 0)
    )
    k = tl.make_block_ptr(
        k_ptr + kv_head * kv_length * stride_kv, (HEAD, kv_length), (1, stride_kv), (0, 0), (HEAD, BLOCK_N), (0, 1)
    )
    v = tl.make_block_ptr(
        v_ptr + kv_head * kv_length * stride_kv, (kv_length, HEAD), (stride_kv, 1), (0, 0), (BLOCK_N, HEAD), (1, 0)
    )
    rows = start_m + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    # Row i of a causal product sees the keys that come before it when both ends coincide.
    offset = kv_length - length
    largest = tl.full((BLOCK_M,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    accumulator = tl.zeros((BLOCK_M, HEAD), tl.float32)
    query = tl.load(q, boundary_check=(0,), padding_option="zero")
    qk_scale = scale * LOG2_E
    end = tl.minimum(kv_length, start_m + BLOCK_M + offset) if CAUSAL else kv_length
    for start_n in range(0, end, BLOCK_N):
        key = tl.load(k, boundary_check=(1,), padding_option="zero")
        score = tl.dot(query, key) * qk_scale
        place = start_n + columns[None, :]
        visible = place < kv_length
        if CAUSAL:
            visible = visible & (place <= rows[:, None] + offset)
        score = tl.where(visible, score, -float("inf"))
        new = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp2(score - new[:, None])
        decay = tl.exp2(largest - new)
        total = total * decay + tl.sum(weight, axis=1)
        accumulator = accumulator * decay[:, None]
        value = tl.load(v, boundary_check=(0,), padding_option="zero")
        accumulator = tl.dot(weight.to(value.dtype), value, accumulator)
        largest = new
        k = tl.advance(k, (0, BLOCK_N))
        v = tl.advance(v, (BLOCK_N, 0))
    accumulator = accumulator / total[:, None]
    tl.store(lse_ptr + head * length + rows, largest + tl.log2(total), mask=rows < length)
    out = tl.make_block_ptr(
        out_ptr + head * length * stride_q, (length, HEAD), (stride_q, 1), (start_m, 0), (BLOCK_M, HEAD), (1, 0)
    )
    tl.store(out, accumulator.to(out_ptr.dtype.element_ty), boundary_check=(0,))


@triton.jit
def attention_delta_kernel(
    delta_ptr, out_ptr, grad_ptr, length, stride, HEAD: tl.constexpr, BLOCK_M: tl.constexpr,
):  # fmt: skip
    """delta = sum(out * grad) per row."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    place = head * length * stride + rows[:, None] * stride + tl.arange(0, HEAD)[None, :]
    mask = rows[:, None] < length
    out = tl.load(out_ptr + place, mask=mask, other=0.0).to(tl.float32)
    grad = tl.load(grad_ptr + place, mask=mask, other=0.0).to(tl.float32)
    tl.store(delta_ptr + head * length + rows, tl.sum(out * grad, axis=1), mask=rows < length)


@triton.jit
def attention_backward_kv_kernel(
    q_ptr, k_ptr, v_ptr, grad_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr, scale, length, stride,
    HEAD: tl.constexpr, CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """A block of keys and values against all rows that see it; scores are transposed, so that dK and dV come out."""
    start_n = tl.program_id(0) * BLOCK_N
    head = tl.program_id(1).to(tl.int64)
    base = head * length * stride
    k = tl.make_block_ptr(k_ptr + base, (length, HEAD), (stride, 1), (start_n, 0), (BLOCK_N, HEAD), (1, 0))
    v = tl.make_block_ptr(v_ptr + base, (length, HEAD), (stride, 1), (start_n, 0), (BLOCK_N, HEAD), (1, 0))
    key = tl.load(k, boundary_check=(0,), padding_option="zero")
    value = tl.load(v, boundary_check=(0,), padding_option="zero")
    dk = tl.zeros((BLOCK_N, HEAD), tl.float32)
    dv = tl.zeros((BLOCK_N, HEAD), tl.float32)
    columns = start_n + tl.arange(0, BLOCK_N)
    # The first block of rows that sees these keys.
    first = start_n // BLOCK_M * BLOCK_M if CAUSAL else 0
    q = tl.make_block_ptr(q_ptr + base, (length, HEAD), (stride, 1), (first, 0), (BLOCK_M, HEAD), (1, 0))
    grad = tl.make_block_ptr(grad_ptr + base, (length, HEAD), (stride, 1), (first, 0), (BLOCK_M, HEAD), (1, 0))
    for start_m in range(first, length, BLOCK_M):
        rows = start_m + tl.arange(0, BLOCK_M)
        query = tl.load(q, boundary_check=(0,), padding_option="zero")
        score = tl.dot(key, tl.trans(query)) * (scale * LOG2_E)
        lse = tl.load(lse_ptr + head * length + rows, mask=rows < length, other=0.0)
        visible = (columns[:, None] < length) & (rows[None, :] < length)
        if CAUSAL:
            visible = visible & (columns[:, None] <= rows[None, :])
        weight = tl.where(visible, tl.exp2(score - lse[None, :]), 0.0)
        output_grad = tl.load(grad, boundary_check=(0,), padding_option="zero")
        dv = tl.dot(weight.to(output_grad.dtype), output_grad, dv)
        delta = tl.load(delta_ptr + head * length + rows, mask=rows < length, other=0.0)
        dweight = tl.dot(value, tl.trans(output_grad))
        dscore = weight * (dweight - delta[None, :])
        dk = tl.dot(dscore.to(query.dtype), query, dk)
        q = tl.advance(q, (BLOCK_M, 0))
        grad = tl.advance(grad, (BLOCK_M, 0))
    out_k = tl.make_block_ptr(dk_ptr + base, (length, HEAD), (stride, 1), (start_n, 0), (BLOCK_N, HEAD), (1, 0))
    out_v = tl.make_block_ptr(dv_ptr + base, (length, HEAD), (stride, 1), (start_n, 0), (BLOCK_N, HEAD), (1, 0))
    tl.store(out_k, (dk * scale).to(dk_ptr.dtype.element_ty), boundary_check=(0,))
    tl.store(out_v, dv.to(dv_ptr.dtype.element_ty), boundary_check=(0,))


@triton.jit
def attention_backward_q_kernel(
    q_ptr, k_ptr, v_ptr, grad_ptr, dq_ptr, lse_ptr, delta_ptr, scale, length, stride,
    HEAD: tl.constexpr, CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """A block of rows against all keys that it sees."""
    start_m = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1).to(tl.int64)
    base = head * length * stride
    rows = start_m + tl.arange(0, BLOCK_M)
    q = tl.make_block_ptr(q_ptr + base, (length, HEAD), (stride, 1), (start_m, 0), (BLOCK_M, HEAD), (1, 0))
    grad = tl.make_block_ptr(grad_ptr + base, (length, HEAD), (stride, 1), (start_m, 0), (BLOCK_M, HEAD), (1, 0))
    query = tl.load(q, boundary_check=(0,), padding_option="zero")
    output_grad = tl.load(grad, boundary_check=(0,), padding_option="zero")
    lse = tl.load(lse_ptr + head * length + rows, mask=rows < length, other=0.0)
    delta = tl.load(delta_ptr + head * length + rows, mask=rows < length, other=0.0)
    dq = tl.zeros((BLOCK_M, HEAD), tl.float32)
    k = tl.make_block_ptr(k_ptr + base, (length, HEAD), (stride, 1), (0, 0), (BLOCK_N, HEAD), (1, 0))
    v = tl.make_block_ptr(v_ptr + base, (length, HEAD), (stride, 1), (0, 0), (BLOCK_N, HEAD), (1, 0))
    end = tl.minimum(length, start_m + BLOCK_M) if CAUSAL else length
    for start_n in range(0, end, BLOCK_N):
        columns = start_n + tl.arange(0, BLOCK_N)
        key = tl.load(k, boundary_check=(0,), padding_option="zero")
        value = tl.load(v, boundary_check=(0,), padding_option="zero")
        score = tl.dot(query, tl.trans(key)) * (scale * LOG2_E)
        visible = columns[None, :] < length
        if CAUSAL:
            visible = visible & (columns[None, :] <= rows[:, None])
        weight = tl.where(visible, tl.exp2(score - lse[:, None]), 0.0)
        dweight = tl.dot(output_grad, tl.trans(value))
        dscore = weight * (dweight - delta[:, None])
        dq = tl.dot(dscore.to(key.dtype), key, dq)
        k = tl.advance(k, (BLOCK_N, 0))
        v = tl.advance(v, (BLOCK_N, 0))
    out = tl.make_block_ptr(dq_ptr + base, (length, HEAD), (stride, 1), (start_m, 0), (BLOCK_M, HEAD), (1, 0))
    tl.store(out, (dq * scale).to(dq_ptr.dtype.element_ty), boundary_check=(0,))


def reference_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the output and the logarithm to base 2 of the rows' sums; heads of k and v are repeated if too few."""
    group = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(group, 0), v.repeat_interleave(group, 0)
    score = q @ k.transpose(1, 2) * scale
    if causal:
        rows, columns = score.shape[1:]
        hidden = torch.ones(rows, columns, dtype=torch.bool).triu(columns - rows + 1)
        score = score.masked_fill(hidden, -math.inf)
    return score.softmax(2) @ v, score.logsumexp(2) / math.log(2)


def forward(
    session: Session, dtype: torch.dtype, head: int, causal: bool, group: int, sizes: tuple[int, int, int],
    blocks: tuple[int, int],
) -> list[Result]:  # fmt: skip
    """Return a forward case: `sizes` are the heads and the numbers of rows and keys."""
    heads, length, kv_length = sizes
    block_m, block_n = blocks
    q = session.randn((heads, length, head), dtype)
    k, v = (session.randn((heads // group, kv_length, head), dtype) for _ in range(2))
    out, lse = session.output(q.shape, dtype), session.output((heads, length))
    scale = head**-0.5
    session.launch(
        attention_forward_kernel, (triton.cdiv(length, block_m), heads), q, k, v, out, lse, scale, heads, group,
        length, kv_length, head, head, HEAD=head, CAUSAL=causal, BLOCK_M=block_m, BLOCK_N=block_n, grf_mode="256",
    )  # fmt: skip
    expected, expected_lse = reference_attention(q.double(), k.double(), v.double(), scale, causal)
    return [Result(out, expected, TOLERANCE[dtype]), Result(lse, expected_lse, 1e-4)]


@kernel_case(num_warps=(4, 8), causal=(False, True), head=(64,), dtype=(torch.bfloat16,))
@kernel_case(num_warps=(8,), causal=(True,), head=(128,), dtype=(torch.float16,))
@kernel_case(num_warps=(8, 4), full=True, causal=(False, True), head=(128,), dtype=(torch.bfloat16,))
def attention_forward(session: Session, causal: bool, head: int, dtype: torch.dtype) -> list[Result]:
    """Flash attention with lengths that are no multiple of the blocks."""
    return forward(session, dtype, head, causal, group=1, sizes=(2, 75, 75), blocks=(32, 32))


@kernel_case(num_warps=(4, 8), causal=(True,))
@kernel_case(num_warps=(4, 8), full=True, causal=(False,))
def attention_grouped_heads(session: Session, causal: bool) -> list[Result]:
    """Several heads share keys and values; more keys than rows."""
    return forward(session, torch.bfloat16, 64, causal, group=2, sizes=(4, 35, 101), blocks=(32, 32))


@kernel_case(num_warps=(16, 8), full=True, causal=(False, True), head=(64, 128, 256))
def attention_forward_large(session: Session, causal: bool, head: int) -> list[Result]:
    """The blocks that are used in practice."""
    return forward(session, torch.bfloat16, head, causal, group=1, sizes=(1, 256, 256), blocks=(128, 64))


@kernel_case(num_warps=(8,), causal=(False, True), head=(64,))
@kernel_case(num_warps=(8,), full=True, causal=(False, True), head=(128,))
def attention_backward(session: Session, causal: bool, head: int) -> list[Result]:
    """Gradients of queries, keys and values."""
    heads, length, dtype = 2, 75, torch.bfloat16
    q, k, v, grad = (session.randn((heads, length, head), dtype) for _ in range(4))
    scale = head**-0.5
    wide = [tensor.double().requires_grad_() for tensor in (q, k, v)]
    expected, expected_lse = reference_attention(*wide, scale, causal)
    expected.backward(grad.double())
    out = session.input(expected.detach().to(dtype))
    lse = session.input(expected_lse.detach().float())
    delta = session.output((heads, length))
    dq, dk, dv = (session.output(q.shape, dtype) for _ in range(3))
    grid = (triton.cdiv(length, 32), heads)
    session.launch(attention_delta_kernel, grid, delta, out, grad, length, head, HEAD=head, BLOCK_M=32)
    expected_delta = (out.double() * grad.double()).sum(2)
    known_delta = session.input(expected_delta.float())
    meta = {"HEAD": head, "CAUSAL": causal, "BLOCK_M": 32, "BLOCK_N": 32, "grf_mode": "256"}
    session.launch(
        attention_backward_kv_kernel, grid, q, k, v, grad, dk, dv, lse, known_delta, scale, length, head, **meta
    )
    session.launch(attention_backward_q_kernel, grid, q, k, v, grad, dq, lse, known_delta, scale, length, head, **meta)
    return [
        Result(delta, expected_delta, 1e-5),
        Result(dq, wide[0].grad, 2e-2),
        Result(dk, wide[1].grad, 2e-2),
        Result(dv, wide[2].grad, 2e-2),
    ]


@triton.jit
def paged_attention_kernel(
    q_ptr, k_cache_ptr, v_cache_ptr, out_ptr, table_ptr, length_ptr, scale, kv_heads, table_stride,
    GROUP: tl.constexpr, GROUP_BLOCK: tl.constexpr, HEAD: tl.constexpr, PAGE: tl.constexpr,
):  # fmt: skip
    """One new token per sequence: the heads that share a cache head are the rows of the product.

    Caches are (pages, PAGE, kv heads, HEAD); the table has the pages of a sequence in their order.
    """
    sequence = tl.program_id(0)
    kv_head = tl.program_id(1)
    member = tl.arange(0, GROUP_BLOCK)
    inner = tl.arange(0, HEAD)
    slot = tl.arange(0, PAGE)
    length = tl.load(length_ptr + sequence)
    rows = (sequence * kv_heads + kv_head) * GROUP + member
    mask = member[:, None] < GROUP
    query = tl.load(q_ptr + rows[:, None] * HEAD + inner[None, :], mask=mask, other=0.0)
    largest = tl.full((GROUP_BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((GROUP_BLOCK,), tl.float32)
    accumulator = tl.zeros((GROUP_BLOCK, HEAD), tl.float32)
    for page in range(tl.cdiv(length, PAGE)):
        number = tl.load(table_ptr + sequence * table_stride + page).to(tl.int64)
        place = ((number * PAGE + slot) * kv_heads + kv_head) * HEAD
        inside = page * PAGE + slot < length
        key = tl.load(k_cache_ptr + place[None, :] + inner[:, None], mask=inside[None, :], other=0.0)
        value = tl.load(v_cache_ptr + place[:, None] + inner[None, :], mask=inside[:, None], other=0.0)
        score = tl.where(inside[None, :], tl.dot(query, key) * scale, -float("inf"))
        new = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp(score - new[:, None])
        decay = tl.exp(largest - new)
        total = total * decay + tl.sum(weight, axis=1)
        accumulator = tl.dot(weight.to(value.dtype), value, accumulator * decay[:, None])
        largest = new
    result = accumulator / total[:, None]
    tl.store(out_ptr + rows[:, None] * HEAD + inner[None, :], result.to(out_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 8))
def paged_attention(session: Session) -> list[Result]:
    """Decoding with a paged cache, sequences of different lengths."""
    sequences, kv_heads, group, head, page, pages = 3, 2, 4, 64, 16, 20
    dtype = torch.float16
    lengths = torch.tensor([1, 37, 64], dtype=torch.int32)
    q = session.randn((sequences, kv_heads, group, head), dtype)
    k_cache, v_cache = (session.randn((pages, page, kv_heads, head), dtype) for _ in range(2))
    table = session.permutation(pages)[: sequences * 4].view(sequences, 4)
    out = session.output(q.shape, dtype)
    scale = head**-0.5
    session.launch(
        paged_attention_kernel, (sequences, kv_heads), q, k_cache, v_cache, out, table, session.input(lengths), scale,
        kv_heads, table.stride(0), GROUP=group, GROUP_BLOCK=16, HEAD=head, PAGE=page, grf_mode="256",
    )  # fmt: skip
    expected = torch.empty(q.shape, dtype=torch.float64)
    for i, length in enumerate(lengths.tolist()):
        k, v = (cache[table[i].long()].double().flatten(0, 1)[:length] for cache in (k_cache, v_cache))
        score = torch.einsum("hgd,thd->hgt", q[i].double(), k) * scale
        expected[i] = torch.einsum("hgt,thd->hgd", score.softmax(2), v)
    return [Result(out, expected, TOLERANCE[dtype])]


@triton.jit
def latent_attention_kernel(
    q_ptr, cache_ptr, out_ptr, table_ptr, length_ptr, scale, table_stride,
    HEADS: tl.constexpr, RANK: tl.constexpr, ROPE: tl.constexpr, PAGE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """One new token per sequence; all heads share a cache whose rows are keys and, but the last columns, values."""
    sequence = tl.program_id(0)
    length = tl.load(length_ptr + sequence)
    heads, inner, rope = tl.arange(0, HEADS), tl.arange(0, RANK), RANK + tl.arange(0, ROPE)
    rows = (sequence * HEADS + heads)[:, None] * (RANK + ROPE)
    query = tl.load(q_ptr + rows + inner)
    query_rope = tl.load(q_ptr + rows + rope)
    largest = tl.full((HEADS,), -float("inf"), tl.float32)
    total = tl.zeros((HEADS,), tl.float32)
    accumulator = tl.zeros((HEADS, RANK), tl.float32)
    for start in range(0, length, BLOCK):
        place = start + tl.arange(0, BLOCK)
        page = tl.load(table_ptr + sequence * table_stride + place // PAGE, mask=place < length, other=0)
        row = (page * PAGE + place % PAGE) * (RANK + ROPE)
        inside = (place < length)[None, :]
        key = tl.load(cache_ptr + row[None, :] + inner[:, None], mask=inside, other=0.0)
        key_rope = tl.load(cache_ptr + row[None, :] + rope[:, None], mask=inside, other=0.0)
        score = tl.dot(query, key)
        score += tl.dot(query_rope, key_rope)
        score = tl.where(inside, score * scale, -float("inf"))
        new = tl.maximum(largest, tl.max(score, 1))
        decay, weight = tl.exp(largest - new), tl.exp(score - new[:, None])
        accumulator *= decay[:, None]
        accumulator += tl.dot(weight.to(key.dtype), tl.trans(key))
        total = total * decay + tl.sum(weight, 1)
        largest = new
    result = accumulator / total[:, None]
    tl.store(out_ptr + (sequence * HEADS + heads)[:, None] * RANK + inner, result.to(out_ptr.dtype.element_ty))


@kernel_case(num_warps=(8, 4), page=(16, 64), rank=(128,))
@kernel_case(num_warps=(8, 4), full=True, page=(64,), rank=(512,))
def latent_attention(session: Session, page: int, rank: int) -> list[Result]:
    """Decoding with keys that are values, too, in a paged cache whose pages are smaller than blocks, or larger."""
    sequences, heads, rope, pages = 2, 16, 32, 12
    dtype = torch.bfloat16
    lengths = torch.tensor([70, 33], dtype=torch.int32)
    q = session.randn((sequences, heads, rank + rope), dtype)
    cache = session.randn((pages, page, rank + rope), dtype)
    table = session.permutation(pages)[: sequences * 5].view(sequences, 5)
    out = session.output((sequences, heads, rank), dtype)
    scale = (rank + rope) ** -0.5
    session.launch(
        latent_attention_kernel, (sequences,), q, cache, out, table, session.input(lengths), scale, table.stride(0),
        HEADS=heads, RANK=rank, ROPE=rope, PAGE=page, BLOCK=32, grf_mode="256",
    )  # fmt: skip
    expected = torch.empty(out.shape, dtype=torch.float64)
    for i, length in enumerate(lengths.tolist()):
        rows = cache[table[i].long()].double().flatten(0, 1)[:length]
        expected[i] = (q[i].double() @ rows.T * scale).softmax(1) @ rows[:, :rank]
    return [Result(out, expected, TOLERANCE[dtype])]


@triton.jit
def serving_attention_kernel(
    q_ptr, k_cache_ptr, v_cache_ptr, out_ptr, table_ptr, start_ptr, length_ptr, scale, table_stride,
    KV_HEADS: tl.constexpr, GROUP: tl.constexpr, HEAD: tl.constexpr, PAGE: tl.constexpr, TILE: tl.constexpr,
    QUERIES: tl.constexpr, IS_LOOKUP_MASKED: tl.constexpr,
):  # fmt: skip
    """New tokens of sequences that have a cache already, as engines for serving compute them.

    Queries of all sequences lie one after the other, (tokens, heads, HEAD), and begin at `start`; caches are (pages,
    PAGE, KV_HEADS, HEAD). Rows of the product are QUERIES tokens of the GROUP heads that share a cache head. Every
    token of a tile looks up its page.
    """
    block, kv_head, sequence = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    ROWS: tl.constexpr = QUERIES * GROUP
    first = tl.load(start_ptr + sequence)
    new_tokens = tl.load(start_ptr + sequence + 1) - first
    length = tl.load(length_ptr + sequence)
    if block * QUERIES >= new_tokens:
        return
    row, inner, slot = tl.arange(0, ROWS), tl.arange(0, HEAD), tl.arange(0, TILE)
    token = block * QUERIES + row // GROUP
    heads = kv_head * GROUP + row % GROUP
    offset = ((first + token) * (KV_HEADS * GROUP) + heads)[:, None] * HEAD + inner[None, :]
    is_token = (token < new_tokens)[:, None]
    query = tl.load(q_ptr + offset, mask=is_token, other=0.0)
    # Each sees the previous values, and itself.
    seen = length - new_tokens + token
    end = tl.minimum(length - new_tokens + (block + 1) * QUERIES, length)
    largest = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    accumulator = tl.zeros((ROWS, HEAD), tl.float32)
    for tile in range(tl.cdiv(end, TILE)):
        place = tile * TILE + slot
        inside = place < end
        if IS_LOOKUP_MASKED:
            page = tl.load(table_ptr + sequence * table_stride + place // PAGE, mask=inside, other=0).to(tl.int64)
        else:
            page = tl.load(table_ptr + sequence * table_stride + place // PAGE).to(tl.int64)
        cached = ((page * PAGE + place % PAGE) * KV_HEADS + kv_head) * HEAD
        key = tl.load(k_cache_ptr + cached[None, :] + inner[:, None], mask=inside[None, :], other=0.0)
        value = tl.load(v_cache_ptr + cached[:, None] + inner[None, :], mask=inside[:, None], other=0.0)
        score = tl.dot(query, key) * scale
        score = tl.where(is_token & (place[None, :] <= seen[:, None]), score, -float("inf"))
        new = tl.maximum(largest, tl.max(score, axis=1))
        new = tl.where(new > -float("inf"), new, 0.0)
        weight = tl.exp(score - new[:, None])
        decay = tl.exp(largest - new)
        total = total * decay + tl.sum(weight, axis=1)
        accumulator = tl.dot(weight.to(value.dtype), value, accumulator * decay[:, None])
        largest = new
    result = accumulator / total[:, None]
    tl.store(out_ptr + offset, result.to(out_ptr.dtype.element_ty), mask=is_token)


def cache_in_pages(
    session: Session, shape: tuple[int, ...], dtype: torch.dtype, table: torch.Tensor, lengths: Sequence[int]
) -> torch.Tensor:
    """Return a cache (pages, slots of a page, ...), in which `table` has the pages of each sequence.

    There are NaN after the last token of each sequence, and in pages that none has.
    """
    cache = session.randn(shape, dtype).clone()
    pages, page = shape[:2]
    filled = torch.zeros((pages, page), dtype=torch.bool)
    for i, length in enumerate(lengths):
        for start in range(0, length, page):
            filled[int(table[i, start // page]), : length - start] = True
    cache[~filled] = math.nan
    return session.input(cache)


@kernel_case(num_warps=(4, 8), page=(32,), tile=(32,), is_lookup_masked=(False, True), head=(64,))
@kernel_case(num_warps=(8, 4), page=(64, 16), tile=(32,), is_lookup_masked=(True,), head=(64,))
@kernel_case(num_warps=(8, 4), full=True, page=(16, 128), tile=(16, 64), is_lookup_masked=(False, True), head=(64,))
@kernel_case(num_warps=(8, 4), full=True, page=(64, 16), tile=(64,), is_lookup_masked=(True,), head=(128,))
def serving_attention(session: Session, page: int, tile: int, is_lookup_masked: bool, head: int) -> list[Result]:
    """Sequences of different lengths, some with one new token and some with several, and a cache in pages."""
    # The rows that their sub-groups have in practice, or few.
    kv_heads, group, pages, queries = 2, 4, 40, 16 if head == 128 else 4
    dtype = torch.bfloat16
    lengths, tokens = [70, 133, 5], [1, 9, 5]
    starts = torch.tensor([0, 1, 10, 15], dtype=torch.int32)
    q = session.randn((sum(tokens), kv_heads * group, head), dtype)
    # A tile may look up more pages than a sequence has.
    columns = -(-max(lengths) // page) + 4
    table = session.permutation(pages)[: 3 * columns].view(3, columns)
    shape = (pages, page, kv_heads, head)
    k_cache, v_cache = (cache_in_pages(session, shape, dtype, table, lengths) for _ in range(2))
    out = session.output(q.shape, dtype)
    scale = head**-0.5
    session.launch(
        serving_attention_kernel, (triton.cdiv(max(tokens), queries), kv_heads, 3), q, k_cache, v_cache, out, table,
        session.input(starts), session.input(torch.tensor(lengths, dtype=torch.int32)), scale, table.stride(0),
        KV_HEADS=kv_heads, GROUP=group, HEAD=head, PAGE=page, TILE=tile, QUERIES=queries,
        IS_LOOKUP_MASKED=is_lookup_masked, grf_mode="256",
    )  # fmt: skip
    expected = torch.empty(q.shape, dtype=torch.float64)
    for i, (length, new) in enumerate(zip(lengths, tokens, strict=True)):
        k, v = (
            cache[table[i].long()].double().flatten(0, 1)[:length].repeat_interleave(group, 1)
            for cache in (k_cache, v_cache)
        )
        mine = slice(int(starts[i]), int(starts[i + 1]))
        score = torch.einsum("qhd,thd->hqt", q[mine].double(), k) * scale
        hidden = torch.ones(new, length).triu(length - new + 1).bool()
        expected[mine] = torch.einsum("hqt,thd->qhd", score.masked_fill(hidden, -math.inf).softmax(2), v)
    return [Result(out, expected, TOLERANCE[dtype])]


@triton.jit
def differential_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, share, scale, length, HEAD: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):  # fmt: skip
    """The difference of two attentions over the same values; queries and keys of both lie side by side."""
    rows, inner = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, HEAD)
    inside = rows[:, None] < length
    q = q_ptr + rows[:, None] * 2 * HEAD + inner[None, :]
    query = tl.load(q, mask=inside, other=0.0)
    other_query = tl.load(q + HEAD, mask=inside, other=0.0)
    largest, total = tl.full((BLOCK_M,), -float("inf"), tl.float32), tl.zeros((BLOCK_M,), tl.float32)
    other_largest, other_total = largest, total
    accumulator = tl.zeros((BLOCK_M, HEAD), tl.float32)
    other_accumulator = tl.zeros((BLOCK_M, HEAD), tl.float32)
    for start in range(0, length, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        exists = columns < length
        k = k_ptr + columns[None, :] * 2 * HEAD + inner[:, None]
        value = tl.load(v_ptr + columns[:, None] * HEAD + inner[None, :], mask=exists[:, None], other=0.0)
        score = tl.dot(query, tl.load(k, mask=exists[None, :], other=0.0)) * scale
        other_score = tl.dot(other_query, tl.load(k + HEAD, mask=exists[None, :], other=0.0)) * scale
        score = tl.where(exists[None, :], score, -float("inf"))
        other_score = tl.where(exists[None, :], other_score, -float("inf"))
        new = tl.maximum(largest, tl.max(score, 1))
        other_new = tl.maximum(other_largest, tl.max(other_score, 1))
        weight, other_weight = tl.exp(score - new[:, None]), tl.exp(other_score - other_new[:, None])
        decay, other_decay = tl.exp(largest - new), tl.exp(other_largest - other_new)
        total, other_total = total * decay + tl.sum(weight, 1), other_total * other_decay + tl.sum(other_weight, 1)
        accumulator = tl.dot(weight.to(value.dtype), value, accumulator * decay[:, None])
        other_accumulator = tl.dot(other_weight.to(value.dtype), value, other_accumulator * other_decay[:, None])
        largest, other_largest = new, other_new
    result = accumulator / total[:, None] - share * other_accumulator / other_total[:, None]
    place = rows[:, None] * HEAD + inner[None, :]
    tl.store(out_ptr + place, result.to(out_ptr.dtype.element_ty), mask=inside)


@kernel_case(num_warps=(16, 8))
def differential(session: Session) -> list[Result]:
    """Two attentions in one loop: the scores and sums of both are live at the same time."""
    length, head, share, dtype = 90, 64, 0.3, torch.bfloat16
    q, k = (session.randn((length, 2, head), dtype) for _ in range(2))
    v, out = session.randn((length, head), dtype), session.output((length, head), dtype)
    scale = head**-0.5
    session.launch(
        differential_kernel, (triton.cdiv(length, 64),), q, k, v, out, share, scale, length,
        HEAD=head, BLOCK_M=64, BLOCK_N=64, grf_mode="256",
    )  # fmt: skip
    one, other = ((q[:, i].double() @ k[:, i].double().T * scale).softmax(1) @ v.double() for i in range(2))
    return [Result(out, one - share * other, TOLERANCE[dtype])]
