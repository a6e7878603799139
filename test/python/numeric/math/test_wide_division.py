# SPDX-License-Identifier: MIT
"""Quotients of 64 bits: rows of small numbers and others go different ways on the CPU device."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

pytestmark = pytest.mark.instruction_sets
SIZE = 512


@triton.jit
def divide(x_ptr, y_ptr, out_ptr, n, SIZE: tl.constexpr):
    offsets = tl.arange(0, SIZE)
    mask = offsets < n
    x, y = tl.load(x_ptr + offsets, mask=mask, other=0), tl.load(y_ptr + offsets, mask=mask, other=1)
    results = (x // y, x % y, x // 7, x % 1000003, x // 64)
    for place in tl.static_range(5):
        tl.store(out_ptr + place * SIZE + offsets, results[place], mask=mask)


@triton.jit
def divide_in_branches(x_ptr, y_ptr, out_ptr, SIZE: tl.constexpr):
    """Lanes that take another way have zero as a divisor."""
    place = tl.program_id(0)
    y = tl.load(y_ptr + place)
    result = tl.full((), -1, tl.int64)
    if y != 0:
        result = (tl.load(x_ptr + place) // y).to(tl.int64)
    tl.store(out_ptr + place, result)


def truncated(x: np.ndarray, y: np.ndarray | int) -> tuple[np.ndarray, np.ndarray]:
    """Return quotient and remainder as C has them, in Python's integers."""
    pairs = [(int(a), int(b)) for a, b in zip(x, np.broadcast_to(y, x.shape), strict=True)]
    quotients = [abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in pairs]
    remainders = [a - q * b for (a, b), q in zip(pairs, quotients, strict=True)]
    return np.array(quotients, object), np.array(remainders, object)


@pytest.mark.parametrize("bits", [8, 31, 32, 40, 63])
@pytest.mark.parametrize("dtype", [torch.int64, torch.uint64], ids=str)
def test_quotients(bits, dtype):
    """Exact for all sizes of numbers, with the largest of each among them, and in rows of both kinds."""
    generator = np.random.default_rng()
    low = -(2**bits) + 1 if dtype == torch.int64 else 0
    x, y = (generator.integers(low, 2**bits - 1, SIZE, endpoint=True) for _ in range(2))
    # Rows of small numbers next to rows with a large one; divisors of all sizes.
    x[:64] = generator.integers(0, 2 ** min(bits, 31), 64)
    y[:64] = generator.integers(1, 2**16, 64)
    x[64:68], y[64:68] = 2**bits - 1, [1, 2, 3, 2**bits - 1]
    y[y == 0] = 1
    n = SIZE - 5
    out = torch.full((5, SIZE), 0x5A5A).to(dtype)
    numpy_type = np.int64 if dtype == torch.int64 else np.uint64
    arguments = (torch.from_numpy(value.astype(numpy_type)) for value in (x, y))
    divide[(1,)](*arguments, out, n, SIZE=SIZE, num_warps=2)
    quotient, remainder = truncated(x, y)
    expected = (quotient, remainder, truncated(x, 7)[0], truncated(x, 1000003)[1], truncated(x, 64)[0])
    for actual, numbers in zip(out.numpy(), expected, strict=True):
        assert (actual[:n].astype(object) == numbers[:n]).all()
        assert (actual[n:] == 0x5A5A).all()


def test_quotients_in_branches():
    """Nothing is divided where the branch is not taken."""
    x, y = torch.arange(-8, 8) * 3_000_000_000, torch.arange(16) % 5 - 2
    out = torch.full((16,), -77)
    divide_in_branches[(16,)](x, y, out, SIZE=16)
    expected = truncated(x.numpy()[y != 0], y.numpy()[y != 0])[0].tolist()
    assert out[y != 0].tolist() == expected
    assert (out[y == 0] == -1).all()
