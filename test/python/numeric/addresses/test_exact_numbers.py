# SPDX-License-Identifier: MIT
"""Operands of masks, narrow integers and dividends wrap around; starts of 64 bits do not.

Accesses are read as blocks where the kernel's numbers are exact. Each kernel here has a number that is not: the block
must leave out what the mask leaves out, as the kernel counts.
"""

from __future__ import annotations

import mmap

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned

#: Linux reserves no swap space for pages that are never accessed.
MAP_NORESERVE = 0x4000
M = N = K = 32
ROWS = 1024
#: With and without conditions that launches have to satisfy, and without the passes that read addresses.
WAYS = ({}, {"assume_launch": False}, {"raise_pointers": False})


def numbers(*shape: int, dtype: torch.dtype = torch.float16) -> torch.Tensor:
    return torch.randint(-3, 4, shape).to(dtype)


def int32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


@triton.jit
def masked_product(a, b, c, x, y, KIND: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.program_id(0) * M + tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    if KIND == "sum":
        mask = m + x < y
    elif KIND == "difference":
        mask = m < y - x
    elif KIND == "product":
        mask = m * 1048576 < y
    elif KIND == "scalar":
        mask = m < y * x
    elif KIND == "extended":
        mask = m.to(tl.int64) < (y - x).to(tl.int64)
    elif KIND == "both":
        mask = (m - x >= y) & (m < 1000)
    else:
        mask = m >= x + y
    value = tl.load(a + m[:, None] * K + k[None, :], mask=mask[:, None], other=0)
    tl.store(c + m[:, None] * N + n[None, :], tl.dot(value, tl.load(b + k[:, None] * N + n[None, :])))


def compared(kind: str, m: torch.Tensor, x: int, y: int) -> torch.Tensor:
    """Return the mask of `masked_product`, in 32 bits."""
    if kind == "sum":
        return int32(m + x) < y
    if kind in ("difference", "extended"):
        return m < int32(y - x)
    if kind == "product":
        return int32(m * 1048576) < y
    if kind == "scalar":
        return m < int32(y * x)
    if kind == "both":
        return (int32(m - x) >= y) & (m < 1000)
    return m >= int32(x + y)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("x,y", [(3, 700), (2**31 - 10, 5), (-(2**31), 7), (70000, 65537), (2**31 - 1, 2**31 - 1)])
@pytest.mark.parametrize("kind", ["sum", "difference", "product", "scalar", "extended", "both", "lower"])
@pytest.mark.pairwise
def test_masks(kind, x, y, way):
    """Sums, differences and products that a mask compares, of tensors and of scalars."""
    a, b, c = numbers(ROWS, K), numbers(K, N), poisoned((ROWS, N), torch.float32)
    masked_product[(ROWS // M,)](a, b, c, x, y, KIND=kind, M=M, N=N, K=K, **way)
    mask = compared(kind, torch.arange(ROWS), x, y)
    assert torch.equal(c, torch.where(mask[:, None], a, 0).float() @ b.float())


@triton.jit
def narrow_rows(a, b, c, p, OP: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    x, y = tl.load(p), tl.load(p + 1)
    number = x + y if OP == "+" else (x - y if OP == "-" else x * y)
    m, n, k = number.to(tl.int32) + 32768 + tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    value = tl.load(a + m[:, None] * K + k[None, :])
    tl.store(c + tl.arange(0, M)[:, None] * N + n[None, :], tl.dot(value, tl.load(b + k[:, None] * N + n[None, :])))


@pytest.mark.parametrize("op", "+-*")
@pytest.mark.parametrize(
    "dtype,values", [(torch.int8, (100, -100)), (torch.int8, (5, 6)), (torch.int16, (32000, 3000))]
)
@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.pairwise
def test_narrow_integers(op, dtype, values, way):
    """Loaded numbers of 8 and 16 bits, whose sums wrap around before they become rows."""
    p = torch.tensor(values, dtype=dtype)
    first = (p[0] + p[1] if op == "+" else p[0] - p[1] if op == "-" else p[0] * p[1]).item() + 32768
    a, b, c = numbers(65536 + M, K), numbers(K, N), poisoned((M, N), torch.float32)
    narrow_rows[(1,)](a, b, c, p, OP=op, M=M, N=N, K=K, **way)
    assert torch.equal(c, a[first : first + M].float() @ b.float())


@triton.jit
def wide_columns(a, b, c, pitch, end, step, KIND: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    p = tl.program_id(0)
    start = p.to(tl.int64) * step
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    acc = tl.zeros((M, N), tl.float32)
    if KIND == "start":
        value = tl.load(a + m[:, None] * pitch + (start + k)[None, :], mask=(start + k)[None, :] < end, other=0.0)
        acc = tl.dot(value, tl.load(b + k[:, None] * N + n[None, :]))
    else:
        for first in range(start, start + K, K):
            column = (first + k)[None, :]
            value = tl.load(a + m[:, None] * pitch + column, mask=column < end, other=0.0)
            acc = tl.dot(value, tl.load(b + k[:, None] * N + n[None, :]), acc)
    tl.store(c + p * M * N + m[:, None] * N + n[None, :], acc)


@pytest.mark.parametrize("kind", ["start", "loop"])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_wide_starts(kind, way):
    """Columns that begin on both sides of 2^31, in memory that is reserved but, all but a few pages, never touched."""
    programs, step, pitch = 4, 2**30, 4096
    try:
        pages = mmap.mmap(-1, 2 * programs * step, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)
    except OSError as error:
        pytest.skip(f"cannot reserve 8 GiB of addresses: {error}")
    flat = torch.frombuffer(pages, dtype=torch.float16)
    views = [flat.as_strided((M, K), (pitch, 1), p * step) for p in range(programs)]
    for view in views:
        view.copy_(numbers(M, K))
    b, c = numbers(K, N), poisoned((programs, M, N), torch.float32)
    wide_columns[(programs,)](flat, b, c, pitch, programs * step, step, KIND=kind, M=M, N=N, K=K, **way)
    assert torch.equal(c, torch.stack([view.float() @ b.float() for view in views]))


@triton.jit
def divided(out, x, step, SIZE: tl.constexpr, N: tl.constexpr):
    p = tl.program_id(0)
    r = p * step + tl.arange(0, N)
    inside = tl.load(x + r, mask=(r >= 0) & (r < 64), other=5)
    tl.store(out + p * N + tl.arange(0, N), (r // SIZE) * 10 + r % SIZE + inside)


@pytest.mark.parametrize("way", ({}, {"assume_launch": False}, {"cpu_checks": True}), ids=str)
@pytest.mark.parametrize("size", [8, 64])
@pytest.mark.parametrize("step", [8, 100_000_000, -100_000_000])
@pytest.mark.pairwise
def test_dividends(step, size, way):
    """A sum that is a part of an address where the mask allows it, and data everywhere."""
    programs, n = 30, 8
    out = poisoned((programs, n), torch.int32)
    divided[(programs,)](out, torch.zeros(64, dtype=torch.int32), step, SIZE=size, N=n, num_warps=1, **way)
    r = int32(torch.arange(programs)[:, None] * step + torch.arange(n))
    q = torch.div(r, size, rounding_mode="trunc")
    assert torch.equal(out.long(), int32(q * 10 + (r - q * size) + torch.where((r >= 0) & (r < 64), 0, 5)))
