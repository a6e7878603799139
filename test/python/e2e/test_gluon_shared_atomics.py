# SPDX-License-Identifier: MIT
"""Atomic operations on shared memory in Gluon, which Triton 3.8 and later have."""

from __future__ import annotations

import pytest
import torch
import triton
from numerics import poisoned
from packaging.version import Version
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(
        Version(triton.__version__) < Version("3.8"),
        reason="Gluon has atomic operations on shared memory since Triton 3.8",
    ),
]

LINE = gl.BlockedLayout([2], [16], [4], [0])
#: Each element is in two lanes, or in two warps.
COPIES = {
    "none": LINE,
    "lanes": gl.SliceLayout(0, gl.BlockedLayout([1, 2], [2, 8], [1, 4], [1, 0])),
    "warps": gl.SliceLayout(0, gl.BlockedLayout([1, 2], [1, 16], [2, 2], [1, 0])),
}
ELEMENTS = {
    gl.int8: torch.int8, gl.int16: torch.int16, gl.int32: torch.int32, gl.int64: torch.int64,
    gl.float16: torch.float16, gl.bfloat16: torch.bfloat16, gl.float32: torch.float32, gl.float64: torch.float64,
}  # fmt: skip


@gluon.jit
def add(x, y, element: gl.constexpr, layout: gl.constexpr, bins: gl.constexpr):
    place = gl.arange(0, 512, layout=layout)
    memory = gl.allocate_shared_memory(element, [64], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    memory.store(gl.full([64], 0, element, bins))
    memory.atomic_scatter_add(gl.load(x + place), place * 7 % 64, 0, mask=place < 500)
    gl.store(y + gl.arange(0, 64, layout=bins), memory.load(bins))


@pytest.mark.parametrize("element", ELEMENTS, ids=str)
@pytest.mark.parametrize("copies", COPIES)
def test_sums(element, copies):
    """Many elements are added to the same place; copies count once."""
    dtype = ELEMENTS[element]
    x = torch.arange(512).remainder(5).to(dtype)
    y = poisoned((64,), dtype)
    add[(1,)](x, y, element, COPIES[copies], gl.BlockedLayout([1], [16], [4], [0]), cpu_checks=True)
    expected = torch.zeros(64, dtype=torch.float64)
    place = torch.arange(500)
    expected.index_add_(0, place * 7 % 64, x[:500].double())
    assert torch.equal(y.double(), expected)


@gluon.jit
def combine(x, y, kind: gl.constexpr, element: gl.constexpr, layout: gl.constexpr):
    place = gl.arange(0, 256, layout=layout)
    value = gl.load(x + place).to(element, bitcast=True)
    memory = gl.allocate_shared_memory(element, [256], gl.PaddedSharedLayout.with_identity_for([[32, 4]], [256], [0]))
    memory.store(gl.full([256], 100, element, layout))
    if kind == "max":
        memory.atomic_scatter_max(value, place // 4, 0)
    elif kind == "min":
        memory.atomic_scatter_min(value, place // 4, 0)
    elif kind == "and":
        memory.atomic_scatter_and(value, place // 4, 0)
    elif kind == "or":
        memory.atomic_scatter_or(value, place // 4, 0)
    else:
        memory.atomic_scatter_xor(value, place // 4, 0)
    gl.store(y + place, memory.load(layout).to(gl.int32, bitcast=True))


def bits(combine_two, x: torch.Tensor) -> torch.Tensor:
    result = torch.full((64,), 100, dtype=torch.int32)
    for part in x.reshape(64, 4).unbind(1):
        result = combine_two(result, part)
    return result


KINDS = {
    ("max", gl.int32): torch.maximum,
    ("min", gl.int32): torch.minimum,
    ("max", gl.uint32): lambda a, b: torch.maximum(a.view(torch.uint32).long(), b.view(torch.uint32).long()).int(),
    ("min", gl.uint32): lambda a, b: torch.minimum(a.view(torch.uint32).long(), b.view(torch.uint32).long()).int(),
    ("and", gl.int32): torch.bitwise_and,
    ("or", gl.int32): torch.bitwise_or,
    ("xor", gl.int32): torch.bitwise_xor,
}


@pytest.mark.parametrize(("kind", "element"), KINDS, ids=str)
def test_kinds(kind, element):
    x = torch.randint(-1000, 1000, (256,), generator=torch.Generator().manual_seed(8), dtype=torch.int32)
    y = poisoned((256,), torch.int32)
    combine[(1,)](x, y, kind, element, LINE, cpu_checks=True)
    assert torch.equal(y[:64], bits(KINDS[kind, element], x))
    assert y[64:].eq(100).all()


@gluon.jit
def exchange(x, y, z, shared: gl.constexpr, layout: gl.constexpr, axis: gl.constexpr):
    row = gl.arange(0, 16, layout=gl.SliceLayout(1, layout))[:, None]
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))[None, :]
    place = row * 32 + column
    memory = gl.allocate_shared_memory(gl.float32, [16, 32], shared)
    memory.store(gl.load(x + place))
    index = (15 - row + 0 * column) if axis == 0 else (31 - column + 0 * row)
    gl.store(y + place, memory.atomic_scatter_xchg(place.to(gl.float32), index, axis))
    gl.store(z + place, memory.load(layout))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("swizzled", [False, True])
@pytest.mark.parametrize("layout", ["plain", "copies"])
def test_old_values(axis, swizzled, layout):
    """The result is the previous value, in all lanes and warps that hold the element."""
    shared = gl.SwizzledSharedLayout(4, 1, 4, [1, 0]) if swizzled else gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    chosen = {
        "plain": gl.BlockedLayout([1, 2], [2, 8], [4, 1], [1, 0]),
        "copies": gl.SliceLayout(0, gl.BlockedLayout([1, 1, 2], [2, 2, 4], [2, 1, 2], [2, 1, 0])),
    }[layout]
    x = torch.randn(16, 32)
    y, z = poisoned((16, 32), torch.float32), poisoned((16, 32), torch.float32)
    exchange[(1,)](x, y, z, shared, chosen, axis, cpu_checks=True)
    assert torch.equal(y, x.flip(axis))
    assert torch.equal(z, torch.arange(512.0).reshape(16, 32).flip(axis))


@gluon.jit
def histogram(x, y, n, layout: gl.constexpr, bins: gl.constexpr):
    """Iterations follow each other without a barrier that the kernel requests."""
    memory = gl.allocate_shared_memory(gl.int32, [32], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    memory.store(gl.full([32], 0, gl.int32, bins))
    place = gl.arange(0, 128, layout=layout)
    for step in range(n):
        memory.atomic_scatter_add(gl.full([128], 1, gl.int32, layout), gl.load(x + step * 128 + place), 0)
    gl.store(y + gl.arange(0, 32, layout=bins), memory.load(bins))


def test_a_histogram():
    x = torch.arange(128 * 5, dtype=torch.int32).square() % 32
    y = poisoned((32,), torch.int32)
    histogram[(1,)](x, y, 5, LINE, gl.BlockedLayout([1], [16], [4], [0]), cpu_checks=True)
    assert torch.equal(y.long(), torch.bincount(x, minlength=32))
