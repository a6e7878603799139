# SPDX-License-Identifier: MIT
"""Integers of 64 bits in native code of GPUs: products of numbers that were extended, and the extensions."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc


@triton.jit
def products_kernel(x, y, out, stride, factor, FACTOR: tl.constexpr, SIZE: tl.constexpr):
    """Products of numbers of lanes with each other, with an argument, a constant, and one of 64 bits."""
    i = tl.arange(0, SIZE)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, a.to(tl.int64) * b)
    tl.store(out + SIZE + i, a.to(tl.int64) * stride)
    tl.store(out + 2 * SIZE + i, a.to(tl.int64) * FACTOR)
    tl.store(out + 3 * SIZE + i, (b // 3).to(tl.int16).to(tl.int64) * a)
    tl.store(out + 4 * SIZE + i, i.to(tl.int64) * b)
    tl.store(out + 5 * SIZE + i, a.to(tl.int64) * factor)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("warp_size", [16, 32])
@pytest.mark.parametrize("num_warps", [1, 4])
@pytest.mark.parametrize("constant", [-3, 1000003, -(2**31)])
def test_products(constant: int, num_warps: int, warp_size: int, arch: str) -> None:
    """Signs of both operands, and the largest numbers (NarrowProducts.cpp)."""
    size, stride, factor = 256, -7654321, 2**40 + 12345
    x, y = (torch.randint(-(2**31), 2**31, (size,), dtype=torch.int32) for _ in range(2))
    ends = torch.tensor([-(2**31), 2**31 - 1, 0, -1, 1], dtype=torch.int32)
    x[:25], y[:25] = ends.repeat(5), ends.repeat_interleave(5)
    out = torch.full((6, size), 7, dtype=torch.int64)
    products_kernel[(1,)](
        x, y, out, stride, factor, constant, size, num_warps=num_warps, warp_size=warp_size, cpu_code="zebin", arch=arch
    )
    a, b = x.long(), y.long()
    quotient = torch.div(b, 3, rounding_mode="trunc").short().long()
    expected = torch.stack([a * b, a * stride, a * constant, quotient * a, torch.arange(size) * b, a * factor])
    assert torch.equal(out, expected)


@triton.jit
def extend_kernel(x, out, SIZE: tl.constexpr, FIRST: tl.constexpr, SECOND: tl.constexpr):
    """Two conversions one after the other; a lane has several elements."""
    i = tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i).to(FIRST).to(SECOND).to(tl.int64))


_INTEGERS = [getattr(tl, f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]


@needs_ocloc
@pytest.mark.pairwise
@pytest.mark.parametrize("source", [torch.int8, torch.int16, torch.int32, torch.int64], ids=str)
@pytest.mark.parametrize("first", _INTEGERS, ids=str)
@pytest.mark.parametrize("second", _INTEGERS, ids=str)
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_extensions(source, first, second, arch):
    """By signs, by zeros, and after truncations (ExtendNumbers.cpp)."""
    limits = torch.iinfo(source)
    x = torch.randint(limits.min, limits.max, (64,), dtype=source)
    x[:4] = torch.tensor([limits.min, limits.max, -1, 0], dtype=source)
    out = torch.full((64,), 7, dtype=torch.int64)
    extend_kernel[(1,)](x, out, 64, first, second, num_warps=1, cpu_code="zebin", arch=arch)
    names = [str(dtype) for dtype in (first, second)]
    expected = x
    for name in names:
        expected = expected.to(getattr(torch, name.replace("uint", "int"))).view(getattr(torch, name))
        expected = expected.to(torch.int64)
    assert torch.equal(out, expected)
