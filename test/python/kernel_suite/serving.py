# SPDX-License-Identifier: MIT
"""Attention of engines for serving: latent caches in splits, prefills after a cached prefix, and both in one kernel.

As there, all accesses are by plain pointers with masks. Sizes of models are constants, and most strides are arguments.
"""

from __future__ import annotations

import itertools
import math

import torch
import triton
import triton.language as tl

from kernel_suite.attention import LOG2_E, cache_in_pages
from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def latent_decode_kernel(
    q_ptr, cache_ptr, part_ptr, table_ptr, length_ptr, scale, stride_table, stride_qs, stride_qh, stride_slot,
    stride_ps, stride_ph, stride_pp, HEADS: tl.constexpr, RANK: tl.constexpr, ROPE: tl.constexpr, PAGE: tl.constexpr,
    BLOCK: tl.constexpr, BLOCK_HEADS: tl.constexpr, SPLITS: tl.constexpr, MULTIPLE: tl.constexpr,
    IS_VALUE_READ: tl.constexpr,
):  # fmt: skip
    """One new token per sequence against a part of its cache, whose rows are keys and, without ROPE columns, values.

    A row of the result has the part's own average of RANK values, and after it the logarithm of the weights' sum.
    """
    sequence, head_block, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    length = tl.load(length_ptr + sequence)
    share = tl.cdiv(tl.cdiv(length, SPLITS), MULTIPLE) * MULTIPLE
    first = share * split
    end = tl.minimum(first + share, length)
    if first >= end:
        return
    heads = head_block * BLOCK_HEADS + tl.arange(0, BLOCK_HEADS)
    is_head = heads < HEADS
    inner, rope = tl.arange(0, RANK), RANK + tl.arange(0, ROPE)
    rows = q_ptr + sequence * stride_qs + heads[:, None] * stride_qh
    query = tl.load(rows + inner[None, :], mask=is_head[:, None], other=0.0)
    query_rope = tl.load(rows + rope[None, :], mask=is_head[:, None], other=0.0)
    largest = tl.full((BLOCK_HEADS,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK_HEADS,), tl.float32)
    accumulator = tl.zeros((BLOCK_HEADS, RANK), tl.float32)
    for start in range(first, end, BLOCK):
        place = start + tl.arange(0, BLOCK)
        inside = place < end
        page = tl.load(table_ptr + sequence * stride_table + place // PAGE, mask=inside, other=0)
        row = (page * PAGE + place % PAGE) * stride_slot
        key = tl.load(cache_ptr + row[None, :] + inner[:, None], mask=inside[None, :], other=0.0)
        score = tl.dot(query, key)
        key_rope = tl.load(cache_ptr + row[None, :] + rope[:, None], mask=inside[None, :], other=0.0)
        score += tl.dot(query_rope, key_rope)
        score = tl.where(is_head[:, None] & inside[None, :], score * scale, -float("inf"))
        if IS_VALUE_READ:
            value = tl.load(cache_ptr + row[:, None] + inner[None, :], mask=inside[:, None], other=0.0)
        else:
            value = tl.trans(key)
        new = tl.maximum(largest, tl.max(score, 1))
        decay, weight = tl.exp(largest - new), tl.exp(score - new[:, None])
        accumulator *= decay[:, None]
        accumulator += tl.dot(weight.to(value.dtype), value)
        total = total * decay + tl.sum(weight, 1)
        largest = new
    part = part_ptr + sequence * stride_ps + heads * stride_ph + split * stride_pp
    tl.store(part[:, None] + inner[None, :], accumulator / total[:, None], mask=is_head[:, None])
    tl.store(part + RANK, largest + tl.log(total), mask=is_head)


@kernel_case(num_warps=(8, 4), rank=(128,), multiple=(1, 32), is_value_read=(False,))
@kernel_case(num_warps=(16, 8, 4), full=True, rank=(512,), multiple=(1,), is_value_read=(False,))
@kernel_case(num_warps=(16, 8, 4), full=True, spills=True, rank=(512,), multiple=(32,), is_value_read=(False,))
@kernel_case(num_warps=(16, 8, 4), full=True, rank=(512,), multiple=(32,), is_value_read=(True,))
def latent_decode(session: Session, rank: int, multiple: int, is_value_read: bool) -> list[Result]:
    """Decoding in splits, of whole blocks or as equal as they can be; the last ones of a sequence may be empty."""
    sequences, heads, rope, page, pages, splits = 3, 16, 64, 16, 24, 4
    dtype = torch.bfloat16
    lengths = [70, 5, 101]
    q = session.randn((sequences, heads, rank + rope), dtype)
    table = session.permutation(pages)[: sequences * 7].view(sequences, 7)
    cache = cache_in_pages(session, (pages, page, rank + rope), dtype, table, lengths)
    part = session.output((sequences, heads, splits, rank + 1))
    scale = (rank + rope) ** -0.5
    session.launch(
        latent_decode_kernel, (sequences, 1, splits), q, cache, part, table,
        session.input(torch.tensor(lengths, dtype=torch.int32)), scale, table.stride(0), q.stride(0), q.stride(1),
        cache.stride(1), *part.stride()[:3], HEADS=heads, RANK=rank, ROPE=rope, PAGE=page, BLOCK=32, BLOCK_HEADS=16,
        SPLITS=splits, MULTIPLE=multiple, IS_VALUE_READ=is_value_read, grf_mode="256",
    )  # fmt: skip
    actual, expected = [], []
    for i, length in enumerate(lengths):
        rows = cache[table[i].long()].double().flatten(0, 1)[:length]
        for split, own in enumerate(rows.split(triton.cdiv(triton.cdiv(length, splits), multiple) * multiple)):
            score = q[i].double() @ own.T * scale
            sums = score.logsumexp(1, keepdim=True)
            expected.append(torch.cat([score.softmax(1) @ own[:, :rank], sums], 1))
            actual.append(part[i, :, split])
    actual, expected = torch.stack(actual), torch.stack(expected)
    return [
        Result(actual[..., :rank], expected[..., :rank], TOLERANCE[dtype]),
        Result(actual[..., rank], expected[..., rank], 1e-4),
    ]


@triton.jit
def grouped_decode_kernel(
    q_ptr, k_ptr, v_ptr, part_ptr, sums_ptr, table_ptr, start_ptr, scale, stride_qs, stride_qh, stride_kt, stride_kh,
    stride_vt, stride_vh, stride_ps, stride_ph, stride_pp, GROUP: tl.constexpr, HEAD: tl.constexpr, PAGE: tl.constexpr,
    BLOCK: tl.constexpr, BLOCK_HEADS: tl.constexpr, SPLITS: tl.constexpr, MULTIPLE: tl.constexpr,
):  # fmt: skip
    """One new token per sequence against a part of its cache: the heads that share a cache head are the rows.

    `table` has the pages of all sequences one after the other, from `start` on; pages of one token are its place.
    """
    sequence, kv_head, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    begin = tl.load(start_ptr + 2 * sequence)
    length = tl.load(start_ptr + 2 * sequence + 1)
    share = tl.cdiv(tl.cdiv(length, SPLITS), MULTIPLE) * MULTIPLE
    first = share * split
    end = tl.minimum(first + share, length)
    member = tl.arange(0, BLOCK_HEADS)
    heads = kv_head * GROUP + member
    is_head = member < GROUP
    inner = tl.arange(0, HEAD)
    query_place = sequence * stride_qs + heads[:, None] * stride_qh + inner[None, :]
    if end > first:
        query = tl.load(q_ptr + query_place, mask=is_head[:, None] & (inner[None, :] < HEAD), other=0.0)
        largest = tl.full((BLOCK_HEADS,), -float("inf"), tl.float32)
        total = tl.zeros((BLOCK_HEADS,), tl.float32)
        accumulator = tl.zeros((BLOCK_HEADS, HEAD), tl.float32)
        for start in range(first, end, BLOCK):
            place = start + tl.arange(0, BLOCK)
            inside = place < end
            page = tl.load(table_ptr + begin + place // PAGE, mask=inside, other=0)
            token = page * PAGE + place % PAGE
            k_place = token[None, :] * stride_kt + kv_head * stride_kh + inner[:, None]
            key = tl.load(k_ptr + k_place, mask=inside[None, :], other=0.0)
            score = tl.dot(query, key.to(query.dtype)) * scale
            score = tl.where(is_head[:, None] & inside[None, :], score, -float("inf"))
            v_place = token[:, None] * stride_vt + kv_head * stride_vh + inner[None, :]
            value = tl.load(v_ptr + v_place, mask=inside[:, None], other=0.0)
            new = tl.maximum(largest, tl.max(score, 1))
            decay, weight = tl.exp(largest - new), tl.exp(score - new[:, None])
            accumulator *= decay[:, None]
            accumulator += tl.dot(weight.to(value.dtype), value)
            total = total * decay + tl.sum(weight, 1)
            largest = new
        part = sequence * stride_ps + heads * stride_ph + split * stride_pp
        tl.store(part_ptr + part[:, None] + inner[None, :], accumulator / total[:, None], mask=is_head[:, None])
        tl.store(sums_ptr + part // HEAD, largest + tl.log(total), mask=is_head)


@kernel_case(num_warps=(4, 8), head=(64,), page=(1, 16), multiple=(1,))
@kernel_case(num_warps=(4, 8), full=True, head=(128,), page=(1, 16), multiple=(1, 32))
def grouped_decode(session: Session, head: int, page: int, multiple: int) -> list[Result]:
    """Decoding in splits, with tables of pages or of tokens; the last splits of a sequence may be empty."""
    kv_heads, group, splits, dtype = 2, 5, 4, torch.bfloat16
    lengths, scale = [70, 5, 133], head**-0.5
    counts = [-(-length // page) for length in lengths]
    rows = session.permutation(sum(counts) + 3)
    starts = [sum(counts[:i]) for i in range(len(counts))]
    table = torch.full((len(counts), max(counts)), -1)
    for i, (start, count) in enumerate(zip(starts, counts, strict=True)):
        table[i, :count] = rows[start : start + count]
    q = session.randn((len(lengths), kv_heads * group, head), dtype)
    shape = (len(rows), page, kv_heads, head)
    k, v = (cache_in_pages(session, shape, dtype, table, lengths) for _ in range(2))
    part = session.output((len(lengths), kv_heads * group, splits, head))
    sums = session.output(part.shape[:3])
    where = session.input(torch.tensor(list(zip(starts, lengths, strict=True)), dtype=torch.int32))
    session.launch(
        grouped_decode_kernel, (len(lengths), kv_heads, splits), q, k, v, part, sums, rows, where, scale,
        *q.stride()[:2], *k.stride()[1:3], *v.stride()[1:3], *part.stride()[:3], GROUP=group, HEAD=head, PAGE=page,
        BLOCK=32, BLOCK_HEADS=16, SPLITS=splits, MULTIPLE=multiple, grf_mode="256",
    )  # fmt: skip
    results = []
    for i, length in enumerate(lengths):
        keys, values = (
            cache[table[i, : counts[i]]].double().flatten(0, 1)[:length].repeat_interleave(group, 1) for cache in (k, v)
        )
        score = torch.einsum("hd,thd->ht", q[i].double(), keys) * scale
        size = triton.cdiv(triton.cdiv(length, splits), multiple) * multiple
        for split, own in enumerate(score.split(size, 1)):
            expected = torch.einsum("ht,thd->hd", own.softmax(1), values[split * size :][: own.shape[1]])
            results.append(Result(part[i, :, split], expected, TOLERANCE[dtype]))
            results.append(Result(sums[i, :, split], own.logsumexp(1), 1e-4))
    return results


@triton.jit
def prefix_prefill_kernel(
    q_ptr, k_ptr, v_ptr, k_cache_ptr, v_cache_ptr, out_ptr, table_ptr, start_ptr, length_ptr, scale, stride_table,
    stride_qt, stride_qh, stride_kt, stride_kh, stride_kc_page, stride_kc_head, stride_kc_part,
    stride_kc_slot: tl.constexpr, stride_vc_page, stride_vc_head, stride_vc_slot, stride_vc_inner, GROUP: tl.constexpr,
    HEAD: tl.constexpr, PAGE: tl.constexpr, PACKED: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """New tokens of a sequence against those of its cache, of which they see all, and against those up to themselves.

    New queries, keys and values of all sequences lie one after the other and begin at `start`. Keys of the cache have
    PACKED numbers of a token next to each other.
    """
    sequence, head, block = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    kv_head = head // GROUP
    begin = tl.load(start_ptr + sequence)
    new_tokens = tl.load(start_ptr + sequence + 1) - begin
    cached_tokens = tl.load(length_ptr + sequence) - new_tokens
    if block * BLOCK_M >= new_tokens:
        return
    token, column, inner = block * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, BLOCK_N), tl.arange(0, HEAD)
    is_token = token[:, None] < new_tokens
    offset = (begin + token)[:, None] * stride_qt + head * stride_qh + inner[None, :]
    query = tl.load(q_ptr + offset, mask=is_token, other=0.0)
    largest = tl.full((BLOCK_M,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    accumulator = tl.zeros((BLOCK_M, HEAD), tl.float32)
    qk_scale = scale * LOG2_E
    for start in range(0, cached_tokens, BLOCK_N):
        place = start + column
        inside = place < cached_tokens
        page = tl.load(table_ptr + sequence * stride_table + place // PAGE, mask=inside, other=0).to(tl.int64)
        slot = place % PAGE
        key_place = page * stride_kc_page + kv_head * stride_kc_head + slot * stride_kc_slot
        part = inner // PACKED * stride_kc_part + inner % PACKED
        value_place = page * stride_vc_page + kv_head * stride_vc_head + slot * stride_vc_slot
        key = tl.load(k_cache_ptr + (key_place[None, :] + part[:, None]), mask=inside[None, :], other=0.0)
        score = tl.dot(query, key) * qk_scale
        score = tl.where(inside[None, :], score, -float("inf"))
        new = tl.maximum(largest, tl.max(score, 1))
        weight = tl.exp2(score - new[:, None])
        decay = tl.exp2(largest - new)
        accumulator = accumulator * decay[:, None]
        value_offset = value_place[:, None] + inner[None, :] * stride_vc_inner
        value = tl.load(v_cache_ptr + value_offset, mask=inside[:, None], other=0.0)
        accumulator = tl.dot(weight.to(value.dtype), value, accumulator)
        total = total * decay + tl.sum(weight, 1)
        largest = new
    k_ptrs = k_ptr + (begin + column)[None, :] * stride_kt + kv_head * stride_kh + inner[:, None]
    v_ptrs = v_ptr + (begin + column)[:, None] * stride_kt + kv_head * stride_kh + inner[None, :]
    for start in range(0, tl.minimum((block + 1) * BLOCK_M, new_tokens), BLOCK_N):
        place = start + column
        key = tl.load(k_ptrs + start * stride_kt, mask=place[None, :] < new_tokens, other=0.0)
        score = tl.dot(query, key) * qk_scale
        score = tl.where(place[None, :] <= token[:, None], score, -float("inf"))
        new = tl.maximum(largest, tl.max(score, 1))
        weight = tl.exp2(score - new[:, None])
        decay = tl.exp2(largest - new)
        accumulator = accumulator * decay[:, None]
        value = tl.load(v_ptrs + start * stride_kt, mask=place[:, None] < new_tokens, other=0.0)
        accumulator = tl.dot(weight.to(value.dtype), value, accumulator)
        total = total * decay + tl.sum(weight, 1)
        largest = new
    result = accumulator / total[:, None]
    tl.store(out_ptr + offset, result.to(out_ptr.dtype.element_ty), mask=is_token)


@kernel_case(num_warps=(4, 16), head=(64,), cache=("rows", "packed"))
@kernel_case(num_warps=(4, 8, 16), full=True, spills=True, head=(128,), cache=("rows", "packed"))
def prefix_prefill(
    session: Session,
    head: int,
    cache: str,
    contrast: float = 1.0,
    lengths: tuple[int, ...] = (133, 40, 75),
    tokens: tuple[int, ...] = (130, 3, 75),
) -> list[Result]:
    """Sequences with and without cached tokens; caches with whole rows of tokens, or with eight numbers of a key next
    to each other and values transposed. Scores are larger by the `contrast`. `lengths` counts the tokens of each
    sequence, of which `tokens` are new.
    """
    heads, group, page, packed = 4, 2, 16, 8
    kv_heads, dtype, scale = heads // group, torch.bfloat16, contrast * head**-0.5
    cached = [length - new for length, new in zip(lengths, tokens, strict=True)]
    # Tables have more columns than a sequence has pages, and the cache more pages than the tables.
    columns = triton.cdiv(max(cached), page) + 4
    pages = len(lengths) * columns + 3
    starts = torch.tensor([0, *itertools.accumulate(tokens)], dtype=torch.int32)
    q = session.randn((sum(tokens), heads, head), dtype)
    k, v = (session.randn((sum(tokens), kv_heads, head), dtype) for _ in range(2))
    table = session.permutation(pages)[: len(lengths) * columns].view(len(lengths), columns)
    k_rows, v_rows = (cache_in_pages(session, (pages, page, kv_heads, head), dtype, table, cached) for _ in range(2))
    if cache == "rows":
        k_cache, v_cache, packed = k_rows, v_rows, head
        k_strides = (k_cache.stride(0), k_cache.stride(2), head, k_cache.stride(1))
        v_strides = (v_cache.stride(0), v_cache.stride(2), v_cache.stride(1), 1)
    else:
        k_cache = session.input(k_rows.view(pages, page, kv_heads, head // packed, packed).permute(0, 2, 3, 1, 4))
        v_cache = session.input(v_rows.permute(0, 2, 3, 1))
        k_strides = k_cache.stride()[:4]
        v_strides = (v_cache.stride(0), v_cache.stride(1), 1, v_cache.stride(2))
    out = session.output(q.shape, dtype)
    session.launch(
        prefix_prefill_kernel, (len(lengths), heads, triton.cdiv(max(tokens), 128)), q, k, v, k_cache, v_cache, out,
        table, session.input(starts), session.input(torch.tensor(lengths, dtype=torch.int32)), scale, table.stride(0),
        q.stride(0), q.stride(1), k.stride(0), k.stride(1), *k_strides, *v_strides, GROUP=group, HEAD=head, PAGE=page,
        PACKED=packed, BLOCK_M=128, BLOCK_N=64, grf_mode="256",
    )  # fmt: skip
    expected = torch.empty(q.shape, dtype=torch.float64)
    for i, old in enumerate(cached):
        mine = slice(int(starts[i]), int(starts[i + 1]))
        keys, values = (
            torch.cat([rows[table[i].long()].flatten(0, 1)[:old], fresh[mine]]).double().repeat_interleave(group, 1)
            for rows, fresh in ((k_rows, k), (v_rows, v))
        )
        expected[mine] = visible_attention(q[mine].double(), keys, values, scale)
    return [Result(out, expected, TOLERANCE[dtype])]


@kernel_case(num_warps=(4,), full=True, head=(64,), cache=("rows",))
@kernel_case(num_warps=(4,), full=True, spills=True, head=(64,), cache=("packed",))
def long_prefill(session: Session, head: int, cache: str) -> list[Result]:
    """Prompts in chunks: blocks of 128 tokens are full."""
    return prefix_prefill(session, head, cache, lengths=(900, 1100, 512), tokens=(512, 256, 512))


def visible_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, window: int = 0, softcap: float = 0.0
) -> torch.Tensor:
    """Return attention of (tokens, heads, size): the last token of `q` is that of `k`, and none sees those after it.

    With a `window` each sees this number of tokens, including itself; with a `softcap` scores stay below it.
    """
    score = torch.einsum("qhd,thd->hqt", q, k) * scale
    if softcap:
        score = softcap * torch.tanh(score / softcap)
    distance = torch.arange(len(k) - len(q), len(k))[:, None] - torch.arange(len(k))[None, :]
    hidden = (distance < 0) | (distance >= (window or len(k)))
    return torch.einsum("hqt,thd->qhd", score.masked_fill(hidden, -math.inf).softmax(2), v)


@triton.jit
def find_sequence(start_ptr, block, sequences, TOKENS: tl.constexpr):
    """The sequence of a block of TOKENS tokens, where each sequence has a block more than it needs at most."""
    low, high = 0, sequences
    while high - low > 1:
        middle = (low + high) // 2
        is_behind = tl.load(start_ptr + middle) // TOKENS + middle <= block
        low = tl.where(is_behind, middle, low)
        high = tl.where(is_behind, high, middle)
    return low


@triton.jit
def unified_attention_kernel(
    out_ptr, q_ptr, k_cache_ptr, v_cache_ptr, table_ptr, length_ptr, start_ptr, scale, softcap, sequences,
    stride_table: tl.int64, stride_qt: tl.int64, stride_qh: tl.int64, stride_ot: tl.int64, stride_oh: tl.int64,
    stride_kp: tl.int64, stride_ks: tl.int64, stride_kh: tl.int64, stride_kd: tl.constexpr, stride_vp: tl.int64,
    stride_vs: tl.int64, stride_vh: tl.int64, stride_vd: tl.constexpr, GROUP: tl.constexpr, HEAD: tl.constexpr,
    PAGE: tl.constexpr, TILE: tl.constexpr, ROWS: tl.constexpr, WINDOW: tl.constexpr, HAS_SOFTCAP: tl.constexpr,
):  # fmt: skip
    """Prefills and decoding alike: rows are ROWS // GROUP tokens of the GROUP heads that share a cache head.

    All tokens are in the cache already. With a WINDOW, a token sees this number of tokens, of which it is the last one.
    """
    TOKENS: tl.constexpr = ROWS // GROUP
    block, kv_head = tl.program_id(0), tl.program_id(1)
    sequence = find_sequence(start_ptr, block, sequences, TOKENS)
    begin = tl.load(start_ptr + sequence)
    own_block = block - (begin // TOKENS + sequence)
    new_tokens = tl.load(start_ptr + sequence + 1) - begin
    if own_block * TOKENS >= new_tokens:
        return
    row, inner, slot = tl.arange(0, ROWS), tl.arange(0, HEAD), tl.arange(0, TILE)
    token = own_block * TOKENS + row // GROUP
    head = kv_head * GROUP + row % GROUP
    is_token = (token < new_tokens)[:, None]
    place_q = (begin + token)[:, None] * stride_qt + head[:, None] * stride_qh + inner[None, :]
    query = tl.load(q_ptr + place_q, mask=is_token, other=0.0)
    length = tl.load(length_ptr + sequence)
    before = length - new_tokens
    end = tl.minimum(before + own_block * TOKENS + TOKENS, length)
    first = 0
    if WINDOW > 0:
        first = tl.maximum(before + own_block * TOKENS - WINDOW + 1, 0) // TILE
    largest = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.full((ROWS,), 1.0, tl.float32)
    accumulator = tl.zeros((ROWS, HEAD), tl.float32)
    for tile in range(first, tl.cdiv(end, TILE)):
        place = tile * TILE + slot
        inside = place < end
        page = tl.load(table_ptr + sequence * stride_table + place // PAGE).to(tl.int64)
        k_place = page[None, :] * stride_kp + kv_head * stride_kh + inner[:, None] * stride_kd
        v_place = page[:, None] * stride_vp + kv_head * stride_vh + inner[None, :] * stride_vd
        k_place += (place % PAGE)[None, :] * stride_ks
        v_place += (place % PAGE)[:, None] * stride_vs
        key = tl.load(k_cache_ptr + k_place, mask=inside[None, :], other=0.0)
        value = tl.load(v_cache_ptr + v_place, mask=inside[:, None], other=0.0)
        score = scale * tl.dot(query, key)
        if HAS_SOFTCAP:
            ratio = tl.exp(2 * (score / softcap))
            score = softcap * ((ratio - 1) / (ratio + 1))
        distance = (before + token)[:, None] - place[None, :]
        score = tl.where(is_token & (distance >= 0), score, -float("inf"))
        if WINDOW > 0:
            score = tl.where(distance < WINDOW, score, -float("inf"))
        new = tl.maximum(largest, tl.max(score, 1))
        new = tl.where(new > -float("inf"), new, 0.0)
        weight = tl.exp(score - new[:, None])
        decay = tl.exp(largest - new)
        accumulator = accumulator * decay[:, None]
        total = total * decay + tl.sum(weight, 1)
        largest = new
        accumulator += tl.dot(weight.to(value.dtype), value)
    accumulator = accumulator / total[:, None]
    place_o = (begin + token)[:, None] * stride_ot + head[:, None] * stride_oh + inner[None, :]
    tl.store(out_ptr + place_o, accumulator.to(out_ptr.dtype.element_ty), mask=is_token)


@kernel_case(num_warps=(4, 8), head=(64,), window=(0, 40), softcap=(0.0,))
@kernel_case(num_warps=(4, 8), head=(64,), window=(0,), softcap=(2.0,))
@kernel_case(num_warps=(4, 8), full=True, head=(128,), window=(0,), softcap=(0.0,))
@kernel_case(num_warps=(4, 8), full=True, head=(128,), window=(40,), softcap=(2.0,))
def unified_attention(session: Session, head: int, window: int, softcap: float) -> list[Result]:
    """Sequences that decode next to ones that begin, in one launch."""
    kv_heads, group, page, pages, tile, rows = 2, 4, 16, 40, 32, 16
    dtype, scale = torch.bfloat16, head**-0.5
    lengths, tokens = [70, 133, 5, 18], [1, 19, 5, 1]
    starts = torch.tensor([0, *tokens], dtype=torch.int32).cumsum(0).to(torch.int32)
    q = session.randn((sum(tokens), kv_heads * group, head), dtype)
    # A tile looks up more pages than a sequence may have.
    columns = -(-max(lengths) // tile) * tile // page
    table = session.permutation(pages)[: len(lengths) * columns].view(len(lengths), columns)
    shape = (pages, page, kv_heads, head)
    k_cache, v_cache = (cache_in_pages(session, shape, dtype, table, lengths) for _ in range(2))
    out = session.output(q.shape, dtype)
    blocks = sum(tokens) // (rows // group) + len(lengths)
    session.launch(
        unified_attention_kernel, (blocks, kv_heads), out, q, k_cache, v_cache, table,
        session.input(torch.tensor(lengths, dtype=torch.int32)), session.input(starts), scale, softcap, len(lengths),
        table.stride(0), *q.stride()[:2], *out.stride()[:2], *k_cache.stride(), *v_cache.stride(), GROUP=group,
        HEAD=head, PAGE=page, TILE=tile, ROWS=rows, WINDOW=window, HAS_SOFTCAP=softcap > 0, grf_mode="256",
    )  # fmt: skip
    expected = torch.empty(q.shape, dtype=torch.float64)
    for i, length in enumerate(lengths):
        k, v = (
            cache[table[i].long()].double().flatten(0, 1)[:length].repeat_interleave(group, 1)
            for cache in (k_cache, v_cache)
        )
        mine = slice(int(starts[i]), int(starts[i + 1]))
        expected[mine] = visible_attention(q[mine].double(), k, v, scale, window, softcap)
    return [Result(out, expected, TOLERANCE[dtype])]
