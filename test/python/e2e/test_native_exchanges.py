# SPDX-License-Identifier: MIT
"""Exchanges between sub-groups whose lanes keep their places, as code of both devices, with checks of races."""

from __future__ import annotations

import random

import pytest
import torch
from support import needs_ocloc
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

SIZE = 1024


@gluon.jit
def alone_kernel(out_ptr, x_ptr, n, SIZE: gl.constexpr, first: gl.constexpr, second: gl.constexpr):
    """The loop has one exchange, and its iterations take turns to use two places."""
    x = gl.load(x_ptr + gl.arange(0, SIZE, layout=first))
    total = gl.zeros([SIZE], x_ptr.dtype.element_ty, layout=second)
    for i in range(3, n, 4):
        total += gl.convert_layout(x + i.to(x_ptr.dtype.element_ty), second)
    gl.store(out_ptr + gl.arange(0, SIZE, layout=second), total)


@gluon.jit
def pair_kernel(out_ptr, x_ptr, n, SIZE: gl.constexpr, first: gl.constexpr, second: gl.constexpr):
    """The loop has two exchanges, each with separate memory, and another one comes after it."""
    x = gl.load(x_ptr + gl.arange(0, SIZE, layout=first))
    for i in range(3, n, 4):
        y = gl.convert_layout(x, second) + i.to(x_ptr.dtype.element_ty)
        x += gl.convert_layout(y, first)
    gl.store(out_ptr + gl.arange(0, SIZE, layout=second), gl.convert_layout(x, second))


def random_layout(
    draw: random.Random, lane_bits: list[int], register_bits: list[int], num_warps: int, has_copies: bool
) -> gl.DistributedLinearLayout:
    """Return a layout with these lanes and first registers; warps and more registers hold other bits in any order."""
    bits = [bit for bit in range(SIZE.bit_length() - 1) if bit not in lane_bits + register_bits]
    draw.shuffle(bits)
    warps = [[1 << bits.pop()] for _ in range(num_warps.bit_length() - 1)]
    if has_copies:
        # Warps that differ in this bit have the same elements.
        bits.append(warps[0][0].bit_length() - 1)
        warps[0] = [0]
    registers = [[1 << bit] for bit in register_bits + bits]
    return gl.DistributedLinearLayout(registers, [[1 << bit] for bit in lane_bits], warps, [], [SIZE])


@pytest.mark.pairwise
@pytest.mark.parametrize("code", ["", pytest.param("zebin", marks=needs_ocloc)], ids=["lanes", "zebin"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("dtype", [torch.int16, torch.int32, torch.int64, torch.float16, torch.int8], ids=str)
def test_exchanges(dtype: torch.dtype, seed: int, code: str) -> None:
    draw = random.Random(f"{seed} {dtype}")
    num_warps = draw.choice((2, 4, 8))
    lane_bits, register_bits = draw.choice(
        (([0, 1, 2, 3], [4, 5, 6]), ([2, 3, 4, 5], [1, 9, 0]), ([0, 4, 3, 9], [7, 2, 8]))
    )
    layouts = [
        random_layout(draw, lane_bits, register_bits, num_warps, has_copies)
        for has_copies in (False, draw.random() < 0.5)
    ]
    generator = torch.Generator().manual_seed(seed)
    x = torch.randint(-3, 3, (SIZE,), generator=generator).to(dtype)
    options = {"num_warps": num_warps, "cpu_checks": True} | ({"cpu_code": code} if code else {})
    steps = range(3, 15, 4)

    out = torch.full_like(x, 77)
    compiled = alone_kernel[(1,)](out, x, 15, SIZE, *layouts, **options)
    assert torch.equal(out, sum(x + i for i in steps))
    # Registers of 2 bytes or more go as they are.
    has_block = "sub_group_block_read" in compiled.asm["llir"]
    assert has_block == (compiled.metadata.shared > 0 and dtype != torch.int8)

    out = torch.full_like(x, 77)
    pair_kernel[(1,)](out, x, 15, SIZE, *layouts, **options)
    expected = x.clone()
    for i in steps:
        expected += expected + i
    assert torch.equal(out, expected)
