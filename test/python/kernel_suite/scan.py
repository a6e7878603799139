# SPDX-License-Identifier: MIT
"""Prefix sums, recurrences and scans over time."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import Result, Session, kernel_case


@triton.jit
def cumsum_rows_kernel(out_ptr, x_ptr, rows, columns, REVERSE: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Prefix sums of whole rows."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.arange(0, BLOCK)[None, :]
    mask = (i < rows) & (j < columns)
    x = tl.load(x_ptr + i * columns + j, mask=mask, other=0)
    tl.store(out_ptr + i * columns + j, tl.cumsum(x, axis=1, reverse=REVERSE), mask=mask)


@kernel_case(num_warps=(4, 8), dtype=(torch.float32, torch.int32), reverse=(False, True))
def cumsum_rows(session: Session, dtype: torch.dtype, reverse: bool) -> list[Result]:
    """Prefix and suffix sums along rows."""
    rows, columns = 6, 200
    x = session.randn((rows, columns)) if dtype.is_floating_point else session.randint(-99, 99, (rows, columns), dtype)
    out = session.output((rows, columns), dtype)
    session.launch(cumsum_rows_kernel, (2,), out, x, rows, columns, REVERSE=reverse, ROWS=4, BLOCK=256)
    wide = x.double()
    expected = wide.flip(1).cumsum(1).flip(1) if reverse else wide.cumsum(1)
    return [Result(out, expected, 1e-5 if dtype.is_floating_point else 0.0)]


@triton.jit
def cumsum_carried_kernel(out_ptr, x_ptr, columns, BLOCK: tl.constexpr):
    """Prefix sums of a long row, a block after the other with a carry."""
    row = tl.program_id(0) * columns
    carry = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + offsets, mask=offsets < columns, other=0.0)
        tl.store(out_ptr + row + offsets, carry + tl.cumsum(x, axis=0), mask=offsets < columns)
        carry += tl.sum(x, axis=0)


@kernel_case(num_warps=(4, 2))
def cumsum_carried(session: Session) -> list[Result]:
    """Prefix sums of rows longer than a block."""
    rows, columns = 3, 777
    x, out = session.randn((rows, columns)), session.output((rows, columns))
    session.launch(cumsum_carried_kernel, (rows,), out, x, columns, BLOCK=128)
    return [Result(out, x.double().cumsum(1), 1e-5)]


@triton.jit
def compose_affine(gate_a, value_a, gate_b, value_b):
    """h -> gate * h + value, one after the other."""
    return gate_a * gate_b, gate_b * value_a + value_b


@triton.jit
def recurrence_kernel(h_ptr, gate_ptr, x_ptr, steps, channels, CHANNELS: tl.constexpr, STEPS: tl.constexpr):
    """h[t] = gate[t] * h[t - 1] + x[t] along the outer dimension, blocks of time joined by a carried state."""
    c = tl.program_id(0) * CHANNELS + tl.arange(0, CHANNELS)[None, :]
    last = tl.arange(0, STEPS)[:, None] == STEPS - 1
    state = tl.zeros((1, CHANNELS), tl.float32)
    for start in range(0, steps, STEPS):
        t = start + tl.arange(0, STEPS)[:, None]
        mask = (t < steps) & (c < channels)
        gate = tl.load(gate_ptr + t * channels + c, mask=mask, other=1.0)
        x = tl.load(x_ptr + t * channels + c, mask=mask, other=0.0)
        decay, partial = tl.associative_scan((gate, x), 0, compose_affine)
        h = partial + decay * state
        tl.store(h_ptr + t * channels + c, h, mask=mask)
        state = tl.sum(tl.where(last, h, 0.0), axis=0)[None, :]


@kernel_case(num_warps=(4, 1, 2))
def recurrence(session: Session) -> list[Result]:
    """A first-order recurrence by an associative scan of pairs."""
    steps, channels = 77, 21
    gate = session.input(torch.rand(steps, channels, generator=torch.Generator().manual_seed(session.seed)))
    x, h = session.randn((steps, channels)), session.output((steps, channels))
    session.launch(recurrence_kernel, (2,), h, gate, x, steps, channels, CHANNELS=16, STEPS=32)
    expected, state = [], torch.zeros(channels, dtype=torch.float64)
    for t in range(steps):
        state = gate[t].double() * state + x[t].double()
        expected.append(state)
    return [Result(h, torch.stack(expected), 1e-5)]


@triton.jit
def time_scan_kernel(h_ptr, gate_ptr, x_ptr, steps, channels, stride, BLOCK: tl.constexpr):
    """Compute the same recurrence one step at a time, through block pointers that move along time."""
    start = tl.program_id(0) * BLOCK
    gate = tl.make_block_ptr(gate_ptr, (steps, channels), (stride, 1), (0, start), (1, BLOCK), (1, 0))
    x = tl.make_block_ptr(x_ptr, (steps, channels), (stride, 1), (0, start), (1, BLOCK), (1, 0))
    h = tl.make_block_ptr(h_ptr, (steps, channels), (stride, 1), (0, start), (1, BLOCK), (1, 0))
    state = tl.zeros((1, BLOCK), tl.float32)
    for _ in range(steps):
        g = tl.load(gate, boundary_check=(1,), padding_option="zero").to(tl.float32)
        state = g * state + tl.load(x, boundary_check=(1,), padding_option="zero").to(tl.float32)
        tl.store(h, state.to(h_ptr.dtype.element_ty), boundary_check=(1,))
        gate = tl.advance(gate, (1, 0))
        x = tl.advance(x, (1, 0))
        h = tl.advance(h, (1, 0))


@triton.jit
def chunk_cumsum_kernel(out_ptr, x_ptr, steps, channels, stride, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    """Prefix sums inside chunks of time, through block pointers."""
    place = (tl.program_id(0) * STEPS, tl.program_id(1) * BLOCK)
    x = tl.make_block_ptr(x_ptr, (steps, channels), (stride, 1), place, (STEPS, BLOCK), (1, 0))
    out = tl.make_block_ptr(out_ptr, (steps, channels), (stride, 1), place, (STEPS, BLOCK), (1, 0))
    value = tl.load(x, boundary_check=(0, 1), padding_option="zero").to(tl.float32)
    tl.store(out, tl.cumsum(value, axis=0), boundary_check=(0, 1))


@kernel_case(num_warps=(2, 1, 4), dtype=(torch.float32, torch.bfloat16))
def block_pointer_time(session: Session, dtype: torch.dtype) -> list[Result]:
    """A recurrence along time and prefix sums of chunks, on block pointers."""
    steps, channels = 23, 40
    values = torch.rand(steps, channels, generator=torch.Generator().manual_seed(session.seed))
    gate, x = session.input(values.to(dtype)), session.randn((steps, channels), dtype)
    h, sums = session.output((steps, channels)), session.output((steps, channels))
    session.launch(time_scan_kernel, (2,), h, gate, x, steps, channels, channels, BLOCK=32)
    session.launch(chunk_cumsum_kernel, (2, 2), sums, x, steps, channels, channels, STEPS=16, BLOCK=32)
    expected, state = [], torch.zeros(channels, dtype=torch.float64)
    for t in range(steps):
        state = gate[t].double() * state + x[t].double()
        expected.append(state)
    expected_sums = torch.cat([chunk.cumsum(0) for chunk in x.double().split(16)])
    return [Result(h, torch.stack(expected), 1e-5), Result(sums, expected_sums, 1e-5)]
