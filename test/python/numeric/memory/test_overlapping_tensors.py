# SPDX-License-Identifier: MIT
"""Kernels that load through one argument and store through another, whose tensors may overlap.

Launches with tensors that overlap run a variant whose sub-groups wait for each other; others do not. Which bytes a
tensor spans decides this, from its lowest element to its highest one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc, record_variants
from triton.tools.tensor_descriptor import TensorDescriptor

pytestmark = pytest.mark.opencl

N = 1024


@triton.jit
def reverse(x, x_stride, out, out_stride, n, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + (n - 1 - i) * x_stride, mask=i < n)
    tl.store(out + i * out_stride, value, mask=i < n)


@triton.jit
def reverse_pair(pair, n, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(pair[0] + n - 1 - i, mask=i < n)
    tl.store(pair[1] + i, value, mask=i < n)


@triton.jit
def add_to_sum(x, y, out, N: tl.constexpr):
    """Three tensors, of which two are loaded: no matter whether these overlap."""
    i = tl.arange(0, N)
    value = tl.load(x + N - 1 - i) + tl.load(y + N - 1 - i)
    tl.store(out + i, value)


@triton.jit
def scale(x, out, N: tl.constexpr):
    """Each element alone: one tensor may be both."""
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) * 2)


@triton.jit
def join_rows(x, out):
    out.store([0, 0], x.load([0, 0]).reshape(16, 64))


@triton.jit
def multiply_parts(matrix, x, out, parts, WIDTH: tl.constexpr):
    """One matrix times the parts of another: it is loaded again for each, if registers are short and it stays."""
    m = tl.make_block_ptr(matrix, (64, 64), (64, 1), (0, 0), (64, 64), (1, 0))
    left = tl.load(m)
    for part in range(parts):
        place = (part * 64, 0)
        right = tl.load(tl.make_block_ptr(x, (parts * 64, WIDTH), (WIDTH, 1), place, (64, WIDTH), (1, 0)))
        o = tl.make_block_ptr(out, (parts * 64, WIDTH), (WIDTH, 1), place, (64, WIDTH), (1, 0))
        tl.store(o, tl.dot(left, right).to(tl.float16))


KERNELS = (reverse, reverse_pair, add_to_sum, scale, join_rows, multiply_parts)


@pytest.fixture
def variants(monkeypatch) -> Iterator[list[bool]]:
    """Yield whether the launch is as assumed, for each variant that was compiled: there is one kind only."""
    yield from record_variants(monkeypatch, lambda surfaces, assumed: assumed, *KERNELS)


def strided(tensor: torch.Tensor, first: int, stride: int, count: int = N) -> torch.Tensor:
    return tensor.as_strided((count,), (stride,), first)


#: The places of x and out in one tensor (first element, stride, number of elements), and whether they overlap.
PLACES = {
    "apart": ((0, 1, N), (N, 1, N), False),
    "apart, the other way round": ((N, 1, N), (0, 1, N), False),
    "the same": ((0, 1, N), (0, 1, N), True),
    "shifted": ((0, 1, N), (32, 1, N), True),
    "shifted back": ((32, 1, N), (0, 1, N), True),
    "one element": ((0, 1, N), (N - 1, 1, N), True),
    # No element is the same, but the bytes in between are.
    "interleaved": ((0, 2, N), (1, 2, N), True),
    "strided, apart": ((0, 2, N), (2 * N - 1, 2, N), False),
    "inside": ((0, 3, N), (N, 1, N), True),
    "one element repeatedly": ((7, 0, N), (8, 1, N), False),
    "nothing": ((5, 1, 0), (0, 1, N), False),
    "nothing into nothing": ((5, 1, 0), (5, 1, 0), False),
}


@pytest.mark.parametrize("num_warps", [4, 16])
@pytest.mark.parametrize("case", PLACES)
def test_views(case, num_warps, variants):
    (x_first, x_stride, n), (out_first, out_stride, room), overlaps = PLACES[case]
    memory = torch.randn(4 * N)
    expected = memory.clone()
    strided(expected, out_first, out_stride, n).copy_(strided(memory, x_first, x_stride, n).flip(0))
    x, out = strided(memory, x_first, x_stride, n), strided(memory, out_first, out_stride, room)
    kernel = reverse[(1,)](x, x_stride, out, out_stride, n, N=N, num_warps=num_warps)
    assert torch.equal(memory, expected)
    assert variants == [False] * overlaps
    assert "disjoint" in kernel.asm["ttgir"] and "ttg.barrier global" not in kernel.asm["ttgir"]


@pytest.mark.parametrize("distance", [0, 32, -32, N])
def test_elements_in_place(distance, variants):
    """A kernel that computes each element of itself runs in place, but not beside itself."""
    memory = torch.randn(4 * N)
    expected = memory.clone()
    expected[N + distance : 2 * N + distance] = memory[N : 2 * N] * 2
    kernel = scale[(1,)](memory[N : 2 * N], memory[N + distance : 2 * N + distance], N=N, num_warps=8)
    assert torch.equal(memory, expected)
    assert variants == ([False] if abs(distance) == 32 else [])
    assert "mayBeSame" in kernel.asm["ttgir"]


def test_different_storages(variants):
    """Tensors of different storages do not overlap."""
    x, out = torch.randn(N), torch.empty(N)
    reverse[(1,)](x, 1, out, 1, N, N=N, num_warps=8)
    assert torch.equal(out, x.flip(0)) and not variants


def test_transposed_views(variants):
    """Rows and columns of one matrix are the same memory; so are two types of it."""
    memory = torch.randn(32, 32)
    expected = memory.flatten().flip(0)
    reverse[(1,)](memory, 1, memory.t(), 1, N, N=N, num_warps=8)
    assert torch.equal(memory.flatten(), expected) and variants == [False]
    integers = memory.view(torch.int32)
    reverse[(1,)](integers, 1, integers.t(), 1, N, N=N, num_warps=8)
    assert torch.equal(memory.flatten(), expected.flip(0))


def test_launches_take_turns(variants):
    """The same tensors are looked at again in each launch, also if they have changed in between."""
    memory = torch.randn(4 * N)
    x, out = memory[:N], memory[N : 2 * N]
    for turn in range(6):
        if turn % 2:
            out.set_(memory.untyped_storage(), 16, (N,), (1,))
        else:
            out.set_(memory.untyped_storage(), N, (N,), (1,))
        expected = x.flip(0)
        reverse[(1,)](x, 1, out, 1, N, N=N, num_warps=8)
        assert torch.equal(out, expected)
        assert variants == [False] * (turn > 0)


def test_tuples(variants):
    memory = torch.randn(2 * N)
    expected = memory[:N].flip(0)
    reverse_pair[(1,)]((memory[:N], memory[N:]), N, N=N, num_warps=8)
    assert torch.equal(memory[N:], expected) and not variants
    reverse_pair[(1,)]((memory[:N], memory[16 : N + 16]), N, N=N, num_warps=8)
    assert torch.equal(memory[16 : N + 16], expected) and variants == [False]


@pytest.mark.parametrize(("second", "out", "overlaps"), [(16, N + 16, False), (16, 2 * N - 1, False), (N, N + 1, True)])
def test_two_that_are_loaded(second, out, overlaps, variants):
    """The stored tensor must not overlap with either; the loaded ones may overlap with each other."""
    memory = torch.randn(4 * N)
    x, y, z = memory[:N], memory[second : second + N], memory[out : out + N]
    expected = (x + y).flip(0)
    add_to_sum[(1,)](x, y, z, N=N, num_warps=8)
    assert torch.equal(z, expected) and variants == [False] * overlaps


@pytest.mark.parametrize(("first", "overlaps"), [(64, False), (63, True), (0, True)])
def test_descriptors(first, overlaps, variants):
    """A descriptor leads to the elements that it describes, however large its tensor is."""
    memory = torch.randn(80, 64)
    expected = memory.clone()
    expected[first : first + 16] = memory[:64, :16].reshape(16, 64)
    x = TensorDescriptor(memory, [64, 16], [64, 1], [64, 16])
    out = TensorDescriptor(memory[first:], [16, 64], [64, 1], [16, 64])
    join_rows[(1,)](x, out, num_warps=8)
    assert torch.equal(memory, expected) and variants == [False] * overlaps


@pytest.mark.parametrize(
    ("num_warps", "place"), [(1, "apart"), (1, "matrix"), (1, "later"), (4, "apart"), (4, "matrix"), (4, "earlier")]
)
def test_operands_of_loops(num_warps, place, variants):
    """A loop stores parts of a matrix that it has loaded before, or loads later; several warps would need a barrier."""
    width, parts = 32 * num_warps, 3
    size, start = parts * 64 * width, 64 * 64 + 64 * width
    memory = torch.randint(-2, 3, (start + 2 * size,)).half()
    matrix, x = memory[: 64 * 64].view(64, 64), memory[start:][:size].view(-1, width)
    first = {"apart": start + size, "matrix": 32, "later": start + 64 * width, "earlier": start - 32 * width}[place]
    out = memory[first:][:size].view(-1, width)
    expected, left = memory.clone(), matrix.clone()
    for part in range(parts):
        right = expected[start:][:size].view(parts, 64, width)[part]
        expected[first:][:size].view(parts, 64, width)[part] = left @ right
    kernel = multiply_parts[(1,)](matrix, x, out, parts, WIDTH=width, num_warps=num_warps, grf_mode="128")
    assert torch.equal(memory, expected)
    assert variants == [False] * (place != "apart" and num_warps > 1)
    assert ("separate_storage" in kernel.asm["llir"]) == (num_warps > 1)


class Array:
    """Memory of numpy with what Triton needs, and with the given fields in addition."""

    def __init__(self, array: np.ndarray, fields: tuple[str, ...]) -> None:
        self.array = array
        self.dtype = torch.float32
        if "shape" in fields:
            self.shape = array.shape
        if "stride" in fields:
            self.stride = lambda: tuple(step // array.itemsize for step in array.strides)
        if "element_size" in fields:
            self.element_size = lambda: array.itemsize

    def data_ptr(self) -> int:
        return self.array.ctypes.data


@pytest.mark.parametrize("fields", [("shape", "stride", "element_size"), ("shape", "stride"), ()], ids=str)
@pytest.mark.parametrize(("first", "overlaps"), [(N, False), (N - 1, True)])
def test_arrays(first, overlaps, fields, variants):
    """Only some arrays in a wrapper report the end of their memory, also backwards; others may overlap anything."""
    memory = np.random.default_rng(1).standard_normal(2 * N, np.float32)
    expected = memory[:N].copy()
    x, out = memory[N - 1 :: -1], memory[first : first + N]
    reverse[(1,)](Array(x, fields), -1, Array(out, fields), 1, N, N=N, num_warps=8)
    np.testing.assert_array_equal(out, expected)
    assert variants == [False] * (overlaps or len(fields) < 3)


def test_reinterpreted(variants):
    """Triton's own wrapper of a tensor reports where its elements are."""
    memory = torch.randint(-9, 9, (2 * N,), dtype=torch.int32)
    x, out = (triton.reinterpret(part, tl.uint32) for part in (memory[:N], memory[N:]))
    reverse[(1,)](x, 1, out, 1, N, N=N, num_warps=8)
    assert torch.equal(memory[N:], memory[:N].flip(0)) and not variants


@needs_ocloc
@pytest.mark.usefixtures("on_native")
def test_simulator(variants):
    """The simulator's launches choose between the same variants."""
    memory = torch.randn(2 * N)
    expected = memory[:N].flip(0)
    reverse[(1,)](memory[:N], 1, memory[N:], 1, N, N=N, num_warps=8, cpu_code="zebin")
    assert torch.equal(memory[N:], expected) and not variants
    reverse[(1,)](memory[:N], 1, memory[16 : N + 16], 1, N, N=N, num_warps=8, cpu_code="zebin")
    assert torch.equal(memory[16 : N + 16], expected) and variants == [False]


def reversed_by(launch: Callable[..., Any], memory: torch.Tensor, first: int) -> bool:
    """Return whether the launch of a compiled kernel reverses the leading part, which `first` may be in."""
    x, out = memory[:N], memory[first : first + N]
    expected = x.flip(0)
    launch(x, out)
    return torch.equal(out, expected)


def test_addresses(variants):
    """A compiled kernel takes numbers for pointers: their memory is unknown."""
    memory = torch.randn(4 * N)
    kernel = reverse[(1,)](memory, 1, torch.empty(N), 1, N, N=N, num_warps=8)
    run = kernel[(1, 1, 1)]
    assert reversed_by(lambda x, out: run(x, 1, out, 1, N, N), memory, N) and not variants
    assert reversed_by(lambda x, out: run(x.data_ptr(), 1, out, 1, N, N), memory, N) and variants == [False]
    for first in (0, 16, 2 * N):
        assert reversed_by(lambda x, out: run(x, 1, out.data_ptr(), 1, N, N), memory, first)
