# SPDX-License-Identifier: MIT
"""Block pointers of rank 3 and 4: odd strides, and offsets before and after the tensor in every dimension.

Each index of a leading dimension addresses a separate rectangle, whose address depends on the strides.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned, random_tensor

pytestmark = pytest.mark.instruction_sets

BATCH, ROWS, COLUMNS = 2, 16, 32


@triton.jit
def batched_dot(
    a, b, c, size_a, size_b, size_c, strides_a, strides_b, strides_c, offset_a, offset_b, offset_c,
    BATCH: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """C[i] = A[i] @ B[i] for a block of each tensor that begins anywhere."""
    x = tl.make_block_ptr(a, size_a, strides_a, offset_a, (BATCH, M, K), (2, 1, 0))
    y = tl.make_block_ptr(b, size_b, strides_b, offset_b, (BATCH, K, N), (2, 1, 0))
    z = tl.make_block_ptr(c, size_c, strides_c, offset_c, (BATCH, M, N), (2, 1, 0))
    product = tl.dot(tl.load(x, boundary_check=(0, 1, 2)), tl.load(y, boundary_check=(0, 1, 2)), out_dtype=ACC)
    tl.store(z, product, boundary_check=(0, 1, 2))


@triton.jit
def copy_rank_4(x, y, size_x, size_y, strides_x, strides_y, offset_x, offset_y, B: tl.constexpr, C: tl.constexpr):
    source = tl.make_block_ptr(x, size_x, strides_x, offset_x, (2, B, 4, C), (3, 2, 1, 0))
    target = tl.make_block_ptr(y, size_y, strides_y, offset_y, (2, B, 4, C), (3, 2, 1, 0))
    tl.store(target, tl.load(source, boundary_check=(0, 1, 2, 3)), boundary_check=(0, 1, 2, 3))


@dataclass
class Tensor:
    """A tensor with gaps between its rows, matrices, ... in memory that is poisoned around it."""

    memory: torch.Tensor
    view: torch.Tensor

    @classmethod
    def make(cls, sizes: tuple[int, ...], gaps: tuple[int, ...], dtype: torch.dtype, seed: int, shift: int) -> Tensor:
        """`gaps` elements after each index of a dimension, the first for the last but one."""
        strides = [1]
        for size, gap in zip(reversed(sizes[1:]), gaps, strict=True):
            strides.insert(0, strides[0] * size + gap)
        memory = poisoned((sizes[0] * strides[0] + 1024,), dtype)
        element = memory.element_size()
        first = 256 + (-(memory.data_ptr() // element) % (64 // element)) + shift
        view = memory.as_strided(sizes, strides, first)
        view.copy_(random_tensor(sizes, dtype, seed=seed))
        return cls(memory, view)

    @property
    def arguments(self) -> tuple[torch.Tensor, tuple[int, ...], tuple[int, ...]]:
        return self.view, tuple(self.view.shape), self.view.stride()


def read(tensor: torch.Tensor, offset: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
    """Return a block of a tensor, zero outside of it."""
    values = tensor.to(torch.float64).numpy()
    result = np.zeros(shape)
    source, target = [], []
    for first, block, size in zip(offset, shape, values.shape, strict=True):
        begin, end = max(0, first), max(0, min(size, first + block))
        source.append(slice(begin, max(begin, end)))
        target.append(slice(begin - first, max(begin, end) - first))
    if all(s.stop > s.start for s in source):
        result[tuple(target)] = values[tuple(source)]
    return result


def check_written(tensor: Tensor, before: torch.Tensor, block: np.ndarray, offset: tuple[int, ...]) -> None:
    """The block is stored, as far as it is inside of the tensor; nothing else has changed."""
    expected = Tensor(before, before.as_strided(tensor.view.shape, tensor.view.stride(), tensor.view.storage_offset()))
    for index in np.ndindex(*tensor.view.shape):
        place = tuple(i - o for i, o in zip(index, offset, strict=True))
        if all(0 <= p < s for p, s in zip(place, block.shape, strict=True)):
            expected.view[index] = block[place]
    mask = torch.isnan(expected.memory) if expected.memory.dtype.is_floating_point else torch.zeros_like(before) == 1
    if expected.memory.dtype.is_floating_point:
        assert torch.equal(mask, torch.isnan(tensor.memory))
    assert_close(tensor.memory.masked_fill(mask, 0), expected.memory.masked_fill(mask, 0), 1e-2)


def run_dot(dtype: torch.dtype, gaps: list[tuple[int, int]], offsets: list[tuple[int, ...]], shifts: list[int]) -> None:
    acc = torch.int32 if dtype == torch.int8 else torch.float32
    m, n, k = ROWS, ROWS, COLUMNS
    a = Tensor.make((3, 20, 64), gaps[0], dtype, 1, shifts[0])
    b = Tensor.make((3, 40, 64), gaps[1], dtype, 2, shifts[1])
    c = Tensor.make((3, 24, 48), gaps[2], acc, 3, shifts[2])
    before = c.memory.clone()
    (pa, sa, ta), (pb, sb, tb), (pc, sc, tc) = a.arguments, b.arguments, c.arguments
    batched_dot[(1,)](
        pa, pb, pc, sa, sb, sc, ta, tb, tc, *offsets,
        BATCH=BATCH, M=m, N=n, K=k, ACC=getattr(tl, str(acc).removeprefix("torch.")),
    )  # fmt: skip
    product = read(a.view, offsets[0], (BATCH, m, k)) @ read(b.view, offsets[1], (BATCH, k, n))
    check_written(c, before, product, offsets[2])


ORIGIN = (0, 0, 0)


@pytest.mark.parametrize("gap", [0, 1, 2, 3, 4, 16])
@pytest.mark.parametrize("dtype", [torch.int8, torch.bfloat16, torch.float32], ids=str)
def test_batch_stride(dtype, gap):
    """Any stride of the batch: only multiples of four bytes begin a rectangle that messages can address."""
    run_dot(dtype, [(0, gap)] * 3, [ORIGIN] * 3, [0, 0, 0])


@pytest.mark.pairwise
@pytest.mark.parametrize("column", [-32, -16, -8, -5, -1, 40])
@pytest.mark.parametrize("gap", [0, 4, 16])
@pytest.mark.parametrize("dtype", [torch.int8, torch.bfloat16], ids=str)
def test_columns_in_front_of_a_matrix(dtype, gap, column):
    """The base is aligned and the stride of the batch is not: the previous row ends where zeros are to be read."""
    run_dot(dtype, [(64, gap)] * 3, [(1, 0, column)] * 3, [0, 0, 0])


def random_dot(rng: random.Random) -> None:
    def gaps() -> tuple[int, int]:
        return rng.choice([0, 0, 16, rng.randint(0, 64)]), rng.choice([0, 0, rng.randint(0, 64)])

    def offset() -> tuple[int, ...]:
        return rng.randint(-2, 3), rng.randint(-18, 30), rng.choice([0, -16, 16, rng.randint(-34, 66)])

    dtype = rng.choice([torch.int8, torch.bfloat16, torch.float16, torch.float32])
    shifts = [rng.choice([0, rng.randint(0, 40)]) for _ in range(3)]
    run_dot(dtype, [gaps() for _ in range(3)], [offset() for _ in range(3)], shifts)


def random_copy(rng: random.Random) -> None:
    dtype = rng.choice([torch.int8, torch.int16, torch.float32, torch.int64])

    def make(seed: int) -> Tensor:
        sizes = (rng.randint(1, 3), rng.randint(1, 5), rng.randint(1, 6), rng.randint(1, 40))
        gaps = tuple(rng.choice([0, rng.randint(0, 9)]) for _ in range(3))
        return Tensor.make(sizes, gaps, dtype, seed, rng.randint(0, 8))

    def offset() -> tuple[int, ...]:
        return rng.randint(-2, 2), rng.randint(-4, 4), rng.randint(-4, 5), rng.randint(-18, 30)

    x, y = make(1), make(2)
    before, from_, to = y.memory.clone(), offset(), offset()
    (px, sx, tx), (py, sy, ty) = x.arguments, y.arguments
    copy_rank_4[(1,)](px, py, sx, sy, tx, ty, from_, to, B=4, C=16)
    check_written(y, before, read(x.view, from_, (2, 4, 4, 16)), to)


SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(4, 300))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_rank_3(seed):
    random_dot(random.Random(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_rank_4(seed):
    random_copy(random.Random(seed))
