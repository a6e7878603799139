# SPDX-License-Identifier: MIT
"""Reductions: long vectors, tuples, persistent and looped reductions in the style of generated code."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import Result, Session, kernel_case


@triton.jit
def partial_sum_kernel(part_ptr, x_ptr, count, per_program, BLOCK: tl.constexpr):
    """The sum of a stretch of a long vector."""
    program = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    end = tl.minimum((program + 1) * per_program, count)
    for start in range(program * per_program, end, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + offsets, mask=offsets < end, other=0.0).to(tl.float32)
    tl.store(part_ptr + program, tl.sum(total, axis=0))


@triton.jit
def final_sum_kernel(out_ptr, part_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr, tl.sum(tl.load(part_ptr + offsets, mask=offsets < count, other=0.0)))


@kernel_case(num_warps=(4, 16), dtype=(torch.float32, torch.bfloat16))
def long_sum(session: Session, dtype: torch.dtype) -> list[Result]:
    """The sum of a long vector in two launches."""
    count, programs = 20011, 5
    x = session.randn((count,), dtype)
    part, out = session.output((programs,)), session.output((1,))
    session.launch(partial_sum_kernel, (programs,), part, x, count, triton.cdiv(count, programs), BLOCK=1024)
    session.launch(final_sum_kernel, (1,), out, part, programs, BLOCK=8)
    # Relative to a sum of random signs, which is small.
    return [Result(out, x.double().sum().reshape(1), 1e-3)]


@triton.jit
def combine_welford(mean_a, m2_a, weight_a, mean_b, m2_b, weight_b):
    """Mean, sum of squared deviations and count of two parts (Chan et al., parallel variance)."""
    delta = mean_b - mean_a
    weight = weight_a + weight_b
    share = tl.where(weight == 0.0, 0.0, weight_b / weight)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * weight_a * share, weight


@triton.jit
def welford_kernel(mean_ptr, variance_ptr, x_ptr, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Blocks of columns are merged lane by lane; the lanes by a reduction of three values."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    mean = tl.zeros((ROWS, BLOCK), tl.float32)
    m2 = tl.zeros((ROWS, BLOCK), tl.float32)
    weight = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, columns, BLOCK):
        j = start + tl.arange(0, BLOCK)[None, :]
        mask = (i < rows) & (j < columns)
        x = tl.load(x_ptr + i * columns + j, mask=mask, other=0.0)
        new = weight + 1.0
        delta = x - mean
        moved = mean + delta / new
        m2 = tl.where(mask, m2 + delta * (x - moved), m2)
        mean = tl.where(mask, moved, mean)
        weight = tl.where(mask, new, weight)
    mean_row, m2_row, weight_row = tl.reduce((mean, m2, weight), 1, combine_welford)
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    tl.store(mean_ptr + row, mean_row, mask=row < rows)
    tl.store(variance_ptr + row, m2_row / weight_row, mask=row < rows)


@kernel_case(num_warps=(4, 1, 8))
def welford(session: Session) -> list[Result]:
    """Mean and variance with a large mean, where sums of squares would cancel."""
    rows, columns = 11, 333
    x = session.input(1000 + torch.randn(rows, columns, generator=torch.Generator().manual_seed(session.seed)))
    mean, variance = session.output((rows,)), session.output((rows,))
    session.launch(welford_kernel, (triton.cdiv(rows, 4),), mean, variance, x, rows, columns, ROWS=4, BLOCK=64)
    wide = x.double()
    return [Result(mean, wide.mean(1), 1e-6), Result(variance, wide.var(1, unbiased=False), 1e-3)]


@triton.jit
def persistent_reduction_kernel(
    in_ptr0, in_ptr1, out_ptr0, out_ptr1, xnumel, rnumel, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr,
):  # fmt: skip
    """A whole row in registers: softmax of a sum, and its maximum."""
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    rindex = tl.arange(0, RBLOCK)[None, :]
    rmask = rindex < rnumel
    tmp0 = tl.load(in_ptr0 + (rindex + rnumel * xindex), rmask & xmask, eviction_policy="evict_last", other=0.0)
    tmp1 = tl.load(in_ptr1 + rindex, rmask, eviction_policy="evict_last", other=0.0)
    tmp2 = tmp0.to(tl.float32) + tmp1
    tmp3 = tl.broadcast_to(tmp2, [XBLOCK, RBLOCK])
    tmp4 = tl.where(rmask & xmask, tmp3, float("-inf"))
    tmp5 = tl.max(tmp4, 1)[:, None]
    tmp6 = tl.exp(tmp2 - tmp5)
    tmp7 = tl.where(rmask & xmask, tmp6, 0.0)
    tmp8 = tl.sum(tmp7, 1)[:, None]
    tl.store(out_ptr0 + (rindex + rnumel * xindex), tmp6 / tmp8, rmask & xmask)
    tl.store(out_ptr1 + xindex, tmp5, xmask)


@kernel_case(num_warps=(4, 8), dtype=(torch.float16,))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.float32,))
def persistent_reduction(session: Session, dtype: torch.dtype) -> list[Result]:
    """A fused addition, softmax and maximum of short rows."""
    rows, columns = 19, 100
    x, bias = session.randn((rows, columns), dtype), session.randn((columns,))
    out, largest = session.output((rows, columns)), session.output((rows,))
    session.launch(
        persistent_reduction_kernel, (triton.cdiv(rows, 8),), x, bias, out, largest, rows, columns, XBLOCK=8, RBLOCK=128
    )
    total = x.double() + bias.double()
    return [Result(out, total.softmax(1), 1e-5), Result(largest, total.amax(1), 1e-5)]


@triton.jit
def looped_reduction_kernel(in_ptr0, out_ptr0, out_ptr1, xnumel, rnumel, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
    """Sum and squared norm over the *outer* dimension, in a loop over blocks of it."""
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    rbase = tl.arange(0, RBLOCK)[None, :]
    _tmp2 = tl.full([XBLOCK, RBLOCK], 0, tl.float32)
    _tmp4 = tl.full([XBLOCK, RBLOCK], 0, tl.float32)
    for roffset in range(0, rnumel, RBLOCK):
        rindex = roffset + rbase
        rmask = rindex < rnumel
        tmp0 = tl.load(in_ptr0 + (xindex + xnumel * rindex), rmask & xmask, eviction_policy="evict_first", other=0.0)
        tmp1 = tl.broadcast_to(tmp0, [XBLOCK, RBLOCK])
        _tmp2 = tl.where(rmask & xmask, _tmp2 + tmp1, _tmp2)
        _tmp4 = tl.where(rmask & xmask, _tmp4 + tmp1 * tmp1, _tmp4)
    tl.store(out_ptr0 + xindex, tl.sum(_tmp2, 1)[:, None], xmask)
    tl.store(out_ptr1 + xindex, tl.sqrt(tl.sum(_tmp4, 1)[:, None]), xmask)


@kernel_case(num_warps=(4, 2))
def looped_reduction(session: Session) -> list[Result]:
    """Column sums and norms: the reduced dimension is the strided one."""
    rows, columns = 150, 37
    x, total, norm = session.randn((rows, columns)), session.output((columns,)), session.output((columns,))
    grid = (triton.cdiv(columns, 16),)
    session.launch(looped_reduction_kernel, grid, x, total, norm, columns, rows, XBLOCK=16, RBLOCK=32)
    return [Result(total, x.double().sum(0), 1e-5), Result(norm, x.double().norm(dim=0), 1e-5)]


@triton.jit
def generated_pointwise_kernel(in_ptr0, in_ptr1, in_ptr2, out_ptr0, ks0, xnumel, XBLOCK: tl.constexpr):
    """Index select along rows, concatenation with a second input, negative indices wrapped, and a clamp."""
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    x0 = xindex % 24
    x1 = xindex // 24
    tmp0 = x0
    tmp1 = tl.full([1], 16, tl.int64)
    tmp2 = tmp0 < tmp1
    tmp3 = tl.load(in_ptr0 + x1, xmask & tmp2, eviction_policy="evict_last", other=0)
    tmp4 = tl.where(tmp3 < 0, tmp3 + ks0, tmp3)
    tmp5 = tl.load(in_ptr1 + (x0 + 16 * tmp4), xmask & tmp2, other=0.0).to(tl.float32)
    tmp6 = tmp0 >= tmp1
    tmp7 = tl.load(in_ptr2 + ((x0 - 16) + 8 * x1), xmask & tmp6, eviction_policy="evict_last", other=0.0)
    tmp8 = tl.where(tmp2, tmp5, tmp7)
    tmp9 = triton_clamp(tmp8, -1.0, 1.0)
    tl.store(out_ptr0 + xindex, tmp9, xmask)


@triton.jit
def triton_clamp(value, low, high):
    return tl.minimum(tl.maximum(value, low), high)


@kernel_case(num_warps=(4, 2))
def generated_pointwise(session: Session) -> list[Result]:
    """A fused index_select, cat and clamp."""
    rows, table_rows = 41, 29
    index = session.randint(-table_rows, table_rows, (rows,), torch.int64)
    table, tail = session.randn((table_rows, 16), torch.bfloat16), session.randn((rows, 8))
    out = session.output((rows, 24))
    count = rows * 24
    grid = (triton.cdiv(count, 256),)
    session.launch(generated_pointwise_kernel, grid, index, table, tail, out, table_rows, count, XBLOCK=256)
    expected = torch.cat([table.double()[index], tail.double()], 1).clamp(-1, 1)
    return [Result(out, expected, 1e-6)]


@triton.jit
def extreme_index_kernel(max_ptr, min_ptr, x_ptr, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr, LEFT: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.arange(0, BLOCK)[None, :]
    mask = j < columns
    x = tl.load(x_ptr + i[:, None] * columns + j, mask=mask, other=0)
    largest = tl.argmax(tl.where(mask, x, -1000), axis=1, tie_break_left=LEFT)
    smallest = tl.argmin(tl.where(mask, x, 1000), axis=1, tie_break_left=LEFT)
    tl.store(max_ptr + i, largest)
    tl.store(min_ptr + i, smallest)


@kernel_case(num_warps=(4, 1, 8), dtype=(torch.int32, torch.float32))
def extreme_index(session: Session, dtype: torch.dtype) -> list[Result]:
    """argmax and argmin of rows with many ties: the leftmost place wins."""
    rows, columns = 8, 100
    x = session.randint(-3, 4, (rows, columns), dtype)
    largest, smallest = session.output((rows,), torch.int32), session.output((rows,), torch.int32)
    session.launch(extreme_index_kernel, (2,), largest, smallest, x, columns, ROWS=4, BLOCK=128, LEFT=True)
    # The smallest place of the extreme value, whatever torch's own argmax promises.
    places = torch.arange(columns).expand(rows, columns)
    values = x.cpu()

    def first(extreme: torch.Tensor) -> torch.Tensor:
        return torch.where(values == extreme[:, None], places, columns).amin(1)

    return [Result(largest, first(values.amax(1)), 0.0), Result(smallest, first(values.amin(1)), 0.0)]
