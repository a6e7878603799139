# SPDX-License-Identifier: MIT
"""Loops that carry tiles through two of a table of steps, in each of the forms that code can have: with loops over
slices and without, with small slices, and as machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned
from support import needs_ocloc

#: The options of a launch, by the form of the code.
FORMS: dict[str, dict[str, Any]] = {
    "slices": {},
    "straight": {"tile_registers": 0},
    "small slices": {"tile_registers": 4},
    "pvc": {"cpu_code": "zebin", "arch": "pvc"},
    "bmg": {"cpu_code": "zebin", "arch": "bmg"},
    "small slices, pvc": {"cpu_code": "zebin", "arch": "pvc", "tile_registers": 4},
}

#: Rows, columns and warps: a lane has one element or many, of one row or of several, and rows have one lane or many.
SHAPES = (
    (4, 16, 1),
    (16, 4, 1),
    (64, 16, 16),
    (16, 16, 4),
    (2, 64, 1),
    (1, 128, 1),
    (32, 32, 2),
    (128, 4, 4),
    (8, 64, 4),
)


@triton.jit
def same(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return y


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def sums(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.cumsum(y, 1)


@triton.jit
def sums_of_columns(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.cumsum(y, 0) + y


@triton.jit
def reverse_sums(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.cumsum(y, 1, reverse=True)


@triton.jit
def maxima(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.associative_scan(y, 1, larger) - tl.associative_scan(y, 0, larger, reverse=True)


@triton.jit
def without_sum(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return y - tl.sum(y, 1)[:, None]


@triton.jit
def without_maximum(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return y - tl.max(y, 0)[None, :]


@triton.jit
def sort(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.sort(y, 1)


@triton.jit
def sort_and_sums(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.sort(y, 1, descending=True) + tl.cumsum(y, 1)


@triton.jit
def pairs(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    first, second = tl.split(tl.reshape(y, (R, N // 2, 2)))
    return tl.reshape(tl.join(second - first, first + 1), (R, N))


@triton.jit
def halves(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    first, second = tl.split(tl.join(offsets, offsets) + tl.arange(0, 2)[None, None, :])
    return y + (first - second * 2)


@triton.jit
def flip(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.flip(y, 1)


@triton.jit
def transpose(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.reshape(tl.trans(y), (R, N))


@triton.jit
def gather(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return tl.gather(y, (tl.abs(y) + i).to(tl.int32) % N, 1)


@triton.jit
def masked_load(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    return y - tl.load(x + offsets, mask=y > i, other=5)


@triton.jit
def product(x, y, i, offsets, R: tl.constexpr, N: tl.constexpr):
    square = tl.dot(tl.trans(y).to(tl.float32), y.to(tl.float32), input_precision="ieee")
    return y + tl.sum(square, 0)[None, :].to(y.dtype)


Tensor = torch.Tensor
#: Each step, and the same in torch.
STEPS: tuple[tuple[Any, Callable[[Tensor, Tensor, int, Tensor], Tensor]], ...] = (
    (sums, lambda x, y, i, o: y.cumsum(1)),
    (sums_of_columns, lambda x, y, i, o: y.cumsum(0) + y),
    (reverse_sums, lambda x, y, i, o: y.flip(1).cumsum(1).flip(1)),
    (maxima, lambda x, y, i, o: y.cummax(1).values - y.flip(0).cummax(0).values.flip(0)),
    (without_sum, lambda x, y, i, o: y - y.sum(1, keepdim=True)),
    (without_maximum, lambda x, y, i, o: y - y.max(0, keepdim=True).values),
    (sort, lambda x, y, i, o: y.sort(1).values),
    (sort_and_sums, lambda x, y, i, o: y.sort(1, descending=True).values + y.cumsum(1)),
    (pairs, lambda x, y, i, o: torch.stack([y[:, 1::2] - y[:, ::2], y[:, ::2] + 1], 2).reshape(y.shape)),
    (halves, lambda x, y, i, o: y + o - 2 * (o + 1)),
    (flip, lambda x, y, i, o: y.flip(1)),
    (transpose, lambda x, y, i, o: y.T.reshape(y.shape)),
    (gather, lambda x, y, i, o: y.gather(1, ((y.abs() + i) % y.shape[1]).long())),
    (masked_load, lambda x, y, i, o: y - torch.where(y > i, x, 5)),
    (same, lambda x, y, i, o: y),
    (product, lambda x, y, i, o: y + (y.T.double() @ y.double()).sum(0, keepdim=True).to(y.dtype)),
)


@triton.jit
def limit(value, IS_LIMITED: tl.constexpr):
    """Keep numbers so small that floats are exact."""
    return tl.where(tl.abs(value) < 64, value, 7) if IS_LIMITED else value


@triton.jit
def program(
    x,
    out,
    other,
    threshold,
    rounds,
    FIRST: tl.constexpr,
    SECOND: tl.constexpr,
    R: tl.constexpr,
    N: tl.constexpr,
    IS_LIMITED: tl.constexpr,
):
    offsets = tl.arange(0, R)[:, None] * N + tl.arange(0, N)[None, :]
    y = tl.load(x + offsets)
    last = offsets.to(tl.float32)
    for i in tl.range(0, rounds):
        value = limit(FIRST(x, y, i, offsets, R, N), IS_LIMITED)
        last = last * 0.5 + tl.where(y > threshold, 1.0, -2.0)
        y = limit(SECOND(x, value, i, offsets, R, N) + i, IS_LIMITED).to(y.dtype)
    tl.store(out + offsets, y)
    tl.store(other + offsets, last)


def check(first: int, second: int, shape: tuple[int, int, int], dtype: torch.dtype) -> None:
    """Compare a program in all forms with torch."""
    rows, columns, num_warps = shape
    generator = torch.Generator().manual_seed(first * 100 + second)
    x = torch.randint(-9, 10, (rows, columns), generator=generator).to(dtype)
    is_limited = dtype.is_floating_point or len(STEPS) - 1 in (first, second)

    def limited(value: torch.Tensor) -> torch.Tensor:
        return torch.where(value.abs() < 64, value, 7) if is_limited else value

    offsets = torch.arange(rows * columns).reshape(rows, columns)
    wide = y = x.double() if dtype.is_floating_point else x.long()
    last = offsets.double()
    for i in range(2):
        value = limited(STEPS[first][1](wide, y, i, offsets))
        last = last * 0.5 + torch.where(y > 3, 1.0, -2.0)
        y = limited(STEPS[second][1](wide, value, i, offsets) + i)
    assert y.abs().max() < 2**31
    for form, options in FORMS.items():
        out, other = poisoned((rows, columns), dtype), poisoned((rows, columns), torch.float32)
        steps = STEPS[first][0], STEPS[second][0]
        program[(1,)](x, out, other, 3, 2, *steps, rows, columns, is_limited, num_warps=num_warps, **options)
        assert torch.equal(out, y.to(dtype)), form
        assert torch.equal(other.double(), last), form


def programs() -> list:
    """Return programs in which each step is twice the first one and twice the second, with all shapes and types.

    A short run has those in which each step is once in each place.
    """
    found = []
    for number in range(2 * len(STEPS)):
        first, second = number % len(STEPS), (number * 4 + number // len(STEPS)) % len(STEPS)
        shape = SHAPES[number % len(SHAPES)]
        # The last one, products, needs tiles of 16 rows and columns.
        if len(STEPS) - 1 in (first, second):
            shape = (16, 16, 1)
        dtype = (torch.int32, torch.float32, torch.int64)[number % 3]
        marks = () if number < len(STEPS) else pytest.mark.full
        found.append(pytest.param(first, second, shape, dtype, marks=marks))
    return found


@needs_ocloc
@pytest.mark.parametrize("first, second, shape, dtype", programs())
def test_programs(first: int, second: int, shape: tuple[int, int, int], dtype: torch.dtype) -> None:
    check(first, second, shape, dtype)


@needs_ocloc
@pytest.mark.parametrize(
    "first, second, shape",
    [
        # Sums of four elements of a lane, for four lanes a row.
        (0, 14, (4, 16, 1)),
        # Elements of a lane that change places.
        (4, 10, (16, 4, 1)),
    ],
)
def test_elements_of_lanes(first: int, second: int, shape: tuple[int, int, int]) -> None:
    check(first, second, shape, torch.int32)
