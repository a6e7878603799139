# SPDX-License-Identifier: MIT
"""Rotary embedding, and rows gathered from tables."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def rotary_kernel(
    out_ptr, x_ptr, cos_ptr, sin_ptr, length, heads, HALF: tl.constexpr, HEADS: tl.constexpr,
    BACKWARD: tl.constexpr, INTERLEAVED: tl.constexpr,
):  # fmt: skip
    """All heads of one token; tokens are (batch, length, heads, 2 HALF). The backward pass rotates the other way."""
    token = tl.program_id(0)
    position = token % length
    head = tl.arange(0, HEADS)[:, None]
    mask = head < heads
    i = tl.arange(0, HALF)
    cosine = tl.load(cos_ptr + position * HALF + i)[None, :]
    sine = tl.load(sin_ptr + position * HALF + i)[None, :]
    if BACKWARD:
        sine = -sine
    row = (token * heads + head) * (2 * HALF)
    if INTERLEAVED:
        place = row + tl.arange(0, 2 * HALF)[None, :]
        x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
        even, odd = tl.split(tl.reshape(x, (HEADS, HALF, 2)))
        rotated = tl.interleave(even * cosine - odd * sine, odd * cosine + even * sine)
        tl.store(out_ptr + place, rotated.to(out_ptr.dtype.element_ty), mask=mask)
    else:
        first = row + i[None, :]
        x = tl.load(x_ptr + first, mask=mask, other=0.0).to(tl.float32)
        y = tl.load(x_ptr + first + HALF, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + first, (x * cosine - y * sine).to(out_ptr.dtype.element_ty), mask=mask)
        tl.store(out_ptr + first + HALF, (y * cosine + x * sine).to(out_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 1), interleaved=(False, True), dtype=(torch.bfloat16,))
@kernel_case(num_warps=(4, 1), full=True, interleaved=(False, True), dtype=(torch.float32, torch.float16))
def rotary(session: Session, interleaved: bool, dtype: torch.dtype) -> list[Result]:
    """Rotary embedding by halves or by neighbours, forward and backward."""
    batch, length, heads, half = 2, 5, 6, 32
    x = session.randn((batch, length, heads, 2 * half), dtype)
    angle = torch.arange(length)[:, None] * 10000.0 ** (-torch.arange(half) / half)
    cosine, sine = session.input(angle.cos()), session.input(angle.sin())
    out, back = session.output(x.shape, dtype), session.output(x.shape, dtype)
    for destination, backward in ((out, False), (back, True)):
        session.launch(
            rotary_kernel, (batch * length,), destination, x, cosine, sine, length, heads,
            HALF=half, HEADS=8, BACKWARD=backward, INTERLEAVED=interleaved,
        )  # fmt: skip

    def rotate(sign: float) -> torch.Tensor:
        wide = x.double()
        c, s = cosine.double()[:, None], sign * sine.double()[:, None]
        first, second = (wide[..., ::2], wide[..., 1::2]) if interleaved else wide.split(half, -1)
        parts = (first * c - second * s, second * c + first * s)
        return torch.stack(parts, -1).flatten(-2) if interleaved else torch.cat(parts, -1)

    return [Result(out, rotate(1.0), TOLERANCE[dtype]), Result(back, rotate(-1.0), TOLERANCE[dtype])]


@triton.jit
def embedding_kernel(out_ptr, table_ptr, index_ptr, count, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(index_ptr + i, mask=i < count, other=0)
    mask = (i < count)[:, None] & (j < columns)[None, :]
    value = tl.load(table_ptr + row[:, None] * columns + j[None, :], mask=mask)
    tl.store(out_ptr + i[:, None] * columns + j[None, :], value, mask=mask)


@kernel_case(num_warps=(4, 2))
def embedding(session: Session) -> list[Result]:
    """Rows of a table by 64-bit indices."""
    rows, columns, count = 50, 90, 37
    table, index = session.randn((rows, columns), torch.bfloat16), session.randint(0, rows, (count,), torch.int64)
    out = session.output((count, columns), torch.bfloat16)
    grid = (triton.cdiv(count, 8), triton.cdiv(columns, 64))
    session.launch(embedding_kernel, grid, out, table, index, count, columns, ROWS=8, BLOCK=64)
    return [Result(out, table[index], 0.0)]


@triton.jit
def embedding_backward_kernel(dtable_ptr, grad_ptr, index_ptr, count, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(index_ptr + i, mask=i < count, other=0)
    mask = (i < count)[:, None] & (j < columns)[None, :]
    grad = tl.load(grad_ptr + i[:, None] * columns + j[None, :], mask=mask).to(tl.float32)
    tl.atomic_add(dtable_ptr + row[:, None] * columns + j[None, :], grad, mask=mask, sem="relaxed")


@kernel_case(num_warps=(4, 2))
def embedding_backward(session: Session) -> list[Result]:
    """Rows scattered and added to a table, most rows several times."""
    rows, columns, count = 10, 90, 37
    grad, index = session.randn((count, columns), torch.bfloat16), session.randint(0, rows, (count,), torch.int64)
    dtable = session.zeros((rows, columns))
    grid = (triton.cdiv(count, 8), triton.cdiv(columns, 64))
    session.launch(embedding_backward_kernel, grid, dtable, grad, index, count, columns, ROWS=8, BLOCK=64)
    expected = torch.zeros(rows, columns, dtype=torch.float64).index_add_(0, index.cpu(), grad.double().cpu())
    return [Result(dtable, expected, 1e-5)]


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
