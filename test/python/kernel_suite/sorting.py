# SPDX-License-Identifier: MIT
"""Sorting and selecting."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import Result, Session, kernel_case


@triton.jit
def sort_rows_kernel(out_ptr, x_ptr, columns, DESCENDING: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.arange(0, BLOCK)[None, :]
    mask = j < columns
    x = tl.load(x_ptr + i * columns + j, mask=mask, other=-1e30 if DESCENDING else 1e30)
    tl.store(out_ptr + i * columns + j, tl.sort(x, descending=DESCENDING), mask=mask)


@kernel_case(num_warps=(4, 8), descending=(False, True))
def sort_rows(session: Session, descending: bool) -> list[Result]:
    """Rows sorted as a whole."""
    rows, columns = 8, 50
    x, out = session.randn((rows, columns)), session.output((rows, columns))
    session.launch(sort_rows_kernel, (2,), out, x, columns, DESCENDING=descending, ROWS=4, BLOCK=64)
    return [Result(out, x.sort(1, descending=descending).values, 0.0)]


@triton.jit
def topk_kernel(out_ptr, x_ptr, columns, K: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + i * columns + j, mask=j < columns, other=-1000000)
    tl.store(out_ptr + i * K + tl.arange(0, K)[None, :], tl.topk(x, K, dim=1))


@kernel_case(num_warps=(4, 1), dtype=(torch.float32, torch.int32))
def topk(session: Session, dtype: torch.dtype) -> list[Result]:
    """The largest values of rows with ties."""
    rows, columns, k = 8, 60, 8
    x, out = session.randint(-20, 20, (rows, columns), dtype), session.output((rows, k), dtype)
    session.launch(topk_kernel, (4,), out, x, columns, K=k, ROWS=2, BLOCK=64)
    return [Result(out, x.topk(k, 1).values, 0.0)]


@triton.jit
def route_kernel(value_ptr, index_ptr, x_ptr, rows, columns, K: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """The K largest scores of a row one after the other, with their places, made to a distribution."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + i[:, None] * columns + j, mask=(i < rows)[:, None] & (j < columns), other=-float("inf"))
    total = tl.zeros((ROWS,), tl.float32)
    first = tl.zeros((ROWS,), tl.float32)
    for step in tl.static_range(K):
        value, place = tl.max(x, axis=1, return_indices=True)
        if step == 0:
            first = value
        weight = tl.exp(value - first)
        total += weight
        tl.store(value_ptr + i * K + step, weight, mask=i < rows)
        tl.store(index_ptr + i * K + step, place, mask=i < rows)
        x = tl.where(j == place[:, None], -float("inf"), x)
    tl.debug_barrier()
    for step in tl.static_range(K):
        weight = tl.load(value_ptr + i * K + step, mask=i < rows)
        tl.store(value_ptr + i * K + step, weight / total, mask=i < rows)


@kernel_case(num_warps=(4, 2))
def route(session: Session) -> list[Result]:
    """Routing to experts: repeated maximum with its place, and a softmax over the chosen."""
    rows, columns, k = 21, 24, 3
    x = session.randn((rows, columns))
    value, index = session.output((rows, k)), session.output((rows, k), torch.int32)
    session.launch(route_kernel, (triton.cdiv(rows, 8),), value, index, x, rows, columns, K=k, ROWS=8, BLOCK=32)
    chosen = x.double().topk(k, 1)
    return [Result(value, chosen.values.softmax(1), 1e-5), Result(index, chosen.indices, 0.0)]


@triton.jit
def histogram_kernel(count_ptr, x_ptr, count, BINS: tl.constexpr, BLOCK: tl.constexpr):
    """A histogram per block of values, added to the one of all."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask, other=0)
    tl.atomic_add(count_ptr + tl.arange(0, BINS), tl.histogram(x, BINS, mask=mask), sem="relaxed")


@kernel_case(num_warps=(4, 1, 8))
def histogram(session: Session) -> list[Result]:
    """A histogram whose bins differ much in size."""
    count, bins = 1700, 32
    values = torch.randn(count, generator=torch.Generator().manual_seed(session.seed)).abs() * 6
    x, counts = session.input(values.to(torch.int32).clamp(max=bins - 1)), session.zeros((bins,), torch.int32)
    session.launch(histogram_kernel, (triton.cdiv(count, 512),), counts, x, count, BINS=bins, BLOCK=512)
    return [Result(counts, torch.bincount(x.cpu(), minlength=bins), 0.0)]


@triton.jit
def counting_sort_kernel(out_ptr, key_ptr, count, BINS: tl.constexpr, BLOCK: tl.constexpr):
    """The places of small keys in sorted order, stable: what a radix sort does per digit."""
    i = tl.arange(0, BLOCK)
    bins = tl.arange(0, BINS)
    key = tl.load(key_ptr + i, mask=i < count, other=BINS - 1)
    hits = (key[:, None] == bins[None, :]).to(tl.int32)
    before = tl.cumsum(hits, axis=0) - hits
    sizes = tl.sum(hits, axis=0)
    starts = tl.cumsum(sizes, axis=0) - sizes
    rank = tl.sum(before * hits, axis=1) + tl.gather(starts, key, axis=0)
    tl.store(out_ptr + rank, i, mask=i < count)


@kernel_case(num_warps=(4, 8))
def counting_sort(session: Session) -> list[Result]:
    """Stable places of keys by prefix sums and a gather."""
    count, bins = 57, 16
    key, order = session.randint(0, bins, (count,)), session.output((count,), torch.int32)
    session.launch(counting_sort_kernel, (1,), order, key, count, BINS=bins, BLOCK=64)
    return [Result(order, key.sort(stable=True).indices, 0.0)]


@triton.jit
def gather_rows_kernel(
    out_ptr, x_ptr, index_ptr, columns, picks, ROWS: tl.constexpr, BLOCK: tl.constexpr, PICKS: tl.constexpr,
):  # fmt: skip
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.arange(0, BLOCK)[None, :]
    p = tl.arange(0, PICKS)[None, :]
    x = tl.load(x_ptr + i * columns + j, mask=j < columns, other=0.0)
    index = tl.load(index_ptr + i * picks + p, mask=p < picks, other=0)
    tl.store(out_ptr + i * picks + p, tl.gather(x, index, axis=1), mask=p < picks)


@kernel_case(num_warps=(4, 1))
def gather_rows(session: Session) -> list[Result]:
    """Elements of rows by places in registers."""
    rows, columns, picks = 8, 50, 20
    x, index = session.randn((rows, columns)), session.randint(0, columns, (rows, picks))
    out = session.output((rows, picks))
    session.launch(gather_rows_kernel, (2,), out, x, index, columns, picks, ROWS=4, BLOCK=64, PICKS=32)
    return [Result(out, x.gather(1, index.long()), 0.0)]


@triton.jit
def nucleus_kernel(out_ptr, count_ptr, x_ptr, rows, limit, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Probabilities in descending order, summed up, and how many of them stay below a limit."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.arange(0, BLOCK)
    mask = (i < rows)[:, None]
    x = tl.load(x_ptr + i[:, None] * BLOCK + j[None, :], mask=mask, other=0.0)
    weight = tl.exp(x - tl.max(x, 1)[:, None])
    total = tl.cumsum(tl.sort(weight / tl.sum(weight, 1)[:, None], descending=True), 1)
    tl.store(out_ptr + i[:, None] * BLOCK + j[None, :], total, mask=mask)
    tl.store(count_ptr + i, tl.sum((total < limit).to(tl.int32), 1), mask=i < rows)


@kernel_case(num_warps=(4, 8))
def nucleus(session: Session) -> list[Result]:
    """Keep the most likely words of each row, as sampling does: maximum, sums, order and running sums."""
    rows, columns = 11, 64
    x, out, count = (
        session.randn((rows, columns)),
        session.output((rows, columns)),
        session.output((rows,), torch.int32),
    )
    session.launch(nucleus_kernel, (triton.cdiv(rows, 8),), out, count, x, rows, 0.75, ROWS=8, BLOCK=columns)
    expected = x.double().softmax(1).sort(1, descending=True).values.cumsum(1)
    return [Result(out, expected, 1e-5), Result(count, (expected < 0.75).sum(1), 0.0)]
