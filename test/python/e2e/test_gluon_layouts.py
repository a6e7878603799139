# SPDX-License-Identifier: MIT
"""Random layouts: what moves from one to another, through registers or shared memory, arrives unchanged."""

from __future__ import annotations

import random

import pytest
import torch
from gluon_layouts import random_layout, random_shared
from numerics import poisoned
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def places(A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, layout: gl.constexpr):
    first = gl.arange(0, A, layout=gl.SliceLayout(1, gl.SliceLayout(2, layout)))[:, None, None]
    second = gl.arange(0, B, layout=gl.SliceLayout(0, gl.SliceLayout(2, layout)))[None, :, None]
    third = gl.arange(0, C, layout=gl.SliceLayout(0, gl.SliceLayout(1, layout)))[None, None, :]
    return (first * B + second) * C + third


@gluon.jit
def move(
    x, y, z, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, first: gl.constexpr, second: gl.constexpr,
    shared: gl.constexpr, element: gl.constexpr,
):  # fmt: skip
    value = gl.load(x + places(A, B, C, first))
    gl.store(y + places(A, B, C, second), gl.convert_layout(value, second))
    memory = gl.allocate_shared_memory(element, [A, B, C], shared)
    memory.store(value)
    gl.store(z + places(A, B, C, second), memory.load(second))


ELEMENTS = (
    (gl.int8, torch.int8), (gl.float16, torch.float16), (gl.int32, torch.int32), (gl.float64, torch.float64),
)  # fmt: skip


def check_moves(seed: int) -> None:
    draw = random.Random(seed)
    shape = [1 << draw.choice((0, 1, 2, 3)) for _ in range(3)]
    shape[draw.randrange(3)] *= 8
    num_warps = draw.choice((1, 2, 4, 8))
    element, dtype = draw.choice(ELEMENTS)
    layouts = [random_layout(draw, shape, num_warps) for _ in range(2)]
    shared = random_shared(draw, shape)
    generator = torch.Generator().manual_seed(seed)
    x = torch.randint(-128, 128, shape, generator=generator).to(dtype)
    y, z = poisoned(tuple(shape), dtype), poisoned(tuple(shape), dtype)
    try:
        move[(1,)](x, y, z, *shape, *layouts, shared, element, num_warps=num_warps, cpu_checks=draw.random() < 0.5)
    finally:
        move.device_caches.clear()
    description = f"{shape}, {num_warps} warps, {dtype}: {layouts[0]} to {layouts[1]}, through {shared}"
    assert torch.equal(y, x), description
    assert torch.equal(z, x), description


@pytest.mark.parametrize("seed", range(12))
def test_random_layouts(seed):
    check_moves(seed)


@pytest.mark.full
@pytest.mark.parametrize("first", range(12, 1012, 50))
def test_many_random_layouts(first):
    for seed in range(first, first + 50):
        check_moves(seed)
