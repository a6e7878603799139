# SPDX-License-Identifier: MIT
"""Integers that wrap around: data is right for all of them; only what becomes an address is taken not to overflow."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned

BLOCK = 64
PROGRAMS = 24


@triton.jit
def pieces(number, span, KIND: tl.constexpr, B: tl.constexpr):
    """Numbers of a block, most of which wrap around in some program."""
    i = tl.arange(0, B)
    if KIND == "product":
        return number * 268435456 + i
    if KIND == "argument":
        return number * span + i
    if KIND == "shift":
        return (number << 27) + i
    if KIND == "difference":
        return i - number * 268435456
    if KIND == "hash":
        return (number * 1103515245 + 12345) * 16 + i
    if KIND == "sum":
        return number * 64 + 2147483584 + i
    if KIND == "square":
        return (number * 65536) * (number * 4096) + i
    total = number * 0
    for step in range(number + 1):
        total += 268435456 + step * 16
    return total + i


@triton.jit
def divide(out, products, span, KIND: tl.constexpr, DIVISOR: tl.constexpr, WITH_DOT: tl.constexpr, B: tl.constexpr):
    number = tl.program_id(0)
    x = pieces(number, span, KIND, B)
    scalar = tl.min(x, 0)
    at = out + number * 5 * B + tl.arange(0, B)
    tl.store(at, x)
    tl.store(at + B, x // DIVISOR)
    tl.store(at + 2 * B, x % DIVISOR)
    # A quotient of scalars is assumed not to be negative where it numbers a tile; this one is data.
    first = number * span
    tl.store(at + 3 * B, tl.zeros((B,), tl.int32) + first // DIVISOR + scalar * 0)
    # A place in a table, by a remainder that may be negative.
    place = (x % 64 + 64) % 64
    tl.store(out + number * 5 * B + 4 * B + place, place)
    if WITH_DOT:
        i = tl.arange(0, 16)
        ones = tl.full((16, 16), 1.0, tl.float16)
        at_matrix = products + number * 256 + i[:, None] * 16 + i[None, :]
        tl.store(at_matrix, tl.dot(ones, ones).to(tl.int32) + first // DIVISOR)


def expected(kind: str, number: int, span: int) -> np.ndarray:
    """Return the numbers of a block in 32 bits, computed in Python's integers."""
    i = [int(value) for value in range(BLOCK)]
    numbers = {
        "product": lambda: [number * 2**28 + k for k in i],
        "argument": lambda: [number * span + k for k in i],
        "shift": lambda: [(number << 27) + k for k in i],
        "difference": lambda: [k - number * 2**28 for k in i],
        "hash": lambda: [(number * 1103515245 + 12345) * 16 + k for k in i],
        "sum": lambda: [number * 64 + 2147483584 + k for k in i],
        "square": lambda: [number * 65536 * number * 4096 + k for k in i],
        "loop": lambda: [sum(2**28 + step * 16 for step in range(number + 1)) + k for k in i],
    }[kind]()
    return np.array([(value + 2**31) % 2**32 - 2**31 for value in numbers], dtype=np.int64)


def truncate(x: np.ndarray, divisor: int) -> np.ndarray:
    """Return quotients that are rounded toward zero, as in C."""
    return np.sign(x) * (np.abs(x) // divisor)


@pytest.mark.pairwise
@pytest.mark.parametrize("with_dot", [False, True])
@pytest.mark.parametrize("divisor", [16, 64, 24])
@pytest.mark.parametrize("kind", ["product", "argument", "shift", "difference", "hash", "sum", "square", "loop"])
def test_data(kind, divisor, with_dot):
    """Quotients and remainders of data that has wrapped around are those of C."""
    span = 3 * 2**26
    out = poisoned((PROGRAMS, 5, BLOCK), torch.int32)
    products = poisoned((PROGRAMS, 256), torch.int32)
    divide[(PROGRAMS,)](out, products, span, KIND=kind, DIVISOR=divisor, WITH_DOT=with_dot, B=BLOCK)
    for number in range(PROGRAMS):
        x = expected(kind, number, span)
        first = (number * span + 2**31) % 2**32 - 2**31
        quotients = truncate(x, divisor)
        assert out[number, 0].tolist() == x.tolist()
        assert out[number, 1].tolist() == quotients.tolist()
        assert out[number, 2].tolist() == (x - quotients * divisor).tolist()
        quotient = int(truncate(np.array(first), divisor))
        assert set(out[number, 3].tolist()) == {quotient}
        if with_dot:
            assert set(products[number].tolist()) == {quotient + 16}
        assert out[number, 4].tolist() == list(range(BLOCK))


@triton.jit
def unsigned_masks(a, b, c, rows, stride, B: tl.constexpr):
    """Rows and their number are compared as unsigned numbers, of which a negative one is a large one."""
    rm, rk = tl.arange(0, B), tl.arange(0, B)
    mask = (rm.to(tl.uint32) < rows.to(tl.uint32, bitcast=True))[:, None]
    x = tl.load(a + rm[:, None] * stride + rk[None, :], mask=mask, other=0)
    y = tl.load(b + rk[:, None] * B + rk[None, :])
    tl.store(c + rm[:, None] * B + rk[None, :], tl.dot(x, y))


@pytest.mark.parametrize("rows", [-1, -(2**31), 0, 5, 32, 100])
def test_a_mask_of_unsigned_numbers(rows):
    size = 32
    a = torch.from_numpy(np.random.default_rng().standard_normal((size, size)).astype(np.float16))
    b = torch.from_numpy(np.random.default_rng().standard_normal((size, size)).astype(np.float16))
    c = poisoned((size, size), torch.float32)
    unsigned_masks[(1,)](a, b, c, rows, a.stride(0), size)
    expected = a.double()
    expected[rows % 2**32 :] = 0
    torch.testing.assert_close(c.double(), expected @ b.double(), rtol=1e-3, atol=1e-2)
