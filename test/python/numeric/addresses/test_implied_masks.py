# SPDX-License-Identifier: MIT
"""Masks that the bounds of ranges and loops decide, next to those that they do not: what lies outside is NaN."""

from __future__ import annotations

import random

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned


@triton.jit
def sums_kernel(
    x_ptr, out_ptr, end,
    START: tl.constexpr, STEP: tl.constexpr, BLOCK: tl.constexpr, OFFSET: tl.constexpr, LIMIT: tl.constexpr,
    FORM: tl.constexpr,
):  # fmt: skip
    """Sums of elements in steps; the mask states in one of several ways which of them exist."""
    limit = end if LIMIT is None else LIMIT
    lane = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for begin in range(START, limit, STEP):
        place = begin + lane + OFFSET
        if FORM == 0:
            mask = (place < limit) & (place >= 0)
        elif FORM == 1:
            mask = (limit > place) & (place >= 0)
        elif FORM == 2:
            mask = (place <= limit - 1) & (place > -1)
        else:
            mask = tl.where(place >= limit, 0, 1).to(tl.int1) & (place.to(tl.uint32, bitcast=True) < 2**31)
        total += tl.load(x_ptr + place, mask=mask, other=0.0)
    tl.store(out_ptr + lane, total)


def cases() -> list[tuple]:
    """Return cases, half of them with masks that always hold; limits are constants or arguments."""
    generator = random.Random(7)
    chosen = []
    for number in range(24):
        block = generator.choice([16, 32, 64])
        step = generator.choice([block, block, 2 * block, 16, 24])
        start = generator.choice([0, 0, 16, 5, -block])
        offset = generator.choice([0, 0, 1, -3, block])
        end = generator.choice([start + step * generator.randint(1, 5), generator.randint(1, 300), 256])
        chosen.append((block, step, start, offset, end, number % 4, generator.choice([True, False])))
    return chosen


@pytest.mark.instruction_sets
@pytest.mark.parametrize(("block", "step", "start", "offset", "end", "form", "constant"), cases())
def test_sums(block, step, start, offset, end, form, constant):
    guard = 512
    memory = torch.full((guard + max(end, 0) + guard,), float("nan"))
    values = torch.randn(max(end, 0), generator=torch.Generator().manual_seed(1))
    memory[guard : guard + len(values)] = values
    out = poisoned((block,), torch.float32)
    sums_kernel[(1,)](
        memory[guard:], out, end, START=start, STEP=step, BLOCK=block, OFFSET=offset, LIMIT=end if constant else None,
        FORM=form, num_warps=2,
    )  # fmt: skip
    expected = torch.zeros(block, dtype=torch.float64)
    for begin in range(start, end, step):
        for lane in range(block):
            place = begin + lane + offset
            if 0 <= place < end:
                expected[lane] += values[place].double()
    assert_close(out, expected, 1e-5)


@triton.jit
def heads_kernel(x_ptr, out_ptr, HEAD: tl.constexpr, BLOCK: tl.constexpr, ROWS: tl.constexpr, LENGTH: tl.constexpr):
    """Rows of a head that may be narrower than the block."""
    column = tl.arange(0, BLOCK)
    inside = column < HEAD
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, LENGTH, ROWS):
        row = first + tl.arange(0, ROWS)
        mask = (row < LENGTH)[:, None] & inside[None, :]
        total += tl.sum(tl.load(x_ptr + row[:, None] * HEAD + column[None, :], mask=mask, other=0.0), 0)
    tl.store(out_ptr + column, total, mask=inside)


@pytest.mark.parametrize(("head", "length", "is_implied"), [(64, 96, True), (64, 90, False), (48, 96, False)])
def test_heads(head, length, is_implied):
    """An implied mask is not compared; numbers are right either way."""
    x, out = torch.randn(length, head), poisoned((64,), torch.float32)
    compiled = heads_kernel[(1,)](x, out, HEAD=head, BLOCK=64, ROWS=32, LENGTH=length, num_warps=4)
    assert ("arith.cmpi" not in compiled.asm["ttgir"]) == is_implied
    assert_close(out[:head], x.double().sum(0), 1e-5)
    assert torch.equal(out[head:].view(torch.int32), poisoned((64,), torch.float32)[head:].view(torch.int32))
