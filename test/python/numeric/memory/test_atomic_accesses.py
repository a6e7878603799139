# SPDX-License-Identifier: MIT
"""Atomic loads, stores and polls: values, masks, orders between programs, and timeouts."""

from __future__ import annotations

import time

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned, random_tensor
from support import covers

pytestmark = [pytest.mark.needs("atomic loads and stores"), pytest.mark.conformance]

DTYPES = {
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "fp32": torch.float32,
    "fp64": torch.float64,
}


@triton.jit
def move(x, y, n, N: tl.constexpr, LOAD: tl.constexpr, STORE: tl.constexpr, SCOPE: tl.constexpr):
    i = tl.arange(0, N)
    values = tl.atomic_load(x + i, mask=i < n, sem=LOAD, scope=SCOPE)
    tl.atomic_store(y + i, values, mask=i < n, sem=STORE, scope=SCOPE)


@covers("tl.atomic_load tl.atomic_store", *DTYPES)
@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize(("load", "store", "scope"), [("relaxed", "relaxed", "gpu"), ("acquire", "release", "sys")])
def test_tensors(element, load, store, scope):
    """Every element arrives, in types narrower than a word too, and none outside of the mask is written."""
    x = random_tensor((128,), DTYPES[element], seed=1)
    y = poisoned((128,), DTYPES[element])
    before = y.clone()
    move[(1,)](x, y, 100, N=128, LOAD=load, STORE=store, SCOPE=scope)
    assert torch.equal(y[:100].view(torch.uint8), x[:100].view(torch.uint8))
    assert torch.equal(y[100:].view(torch.uint8), before[100:].view(torch.uint8))


@triton.jit
def hand_over(data, flag, out, n, N: tl.constexpr):
    """Program 0 writes data and then the flag; the others wait for the flag."""
    i = tl.arange(0, N)
    if tl.program_id(0) == 0:
        tl.store(data + i, i + n)
        tl.atomic_store(flag, 1)
    else:
        tl.atomic_poll(flag, 1)
        tl.store(out + (tl.program_id(0) - 1) * N + i, tl.load(data + i))


@covers("tl.atomic_poll", "i32")
@pytest.mark.parametrize("num_warps", [1, 4])
def test_release_and_acquire(num_warps):
    """A program that has seen the flag sees the data."""
    data, flag, out = (
        torch.zeros(64, dtype=torch.int32),
        torch.zeros(1, dtype=torch.int32),
        poisoned((7, 64), torch.int32),
    )
    hand_over[(8,)](data, flag, out, 5, N=64, num_warps=num_warps)
    assert torch.equal(out, (torch.arange(64, dtype=torch.int32) + 5).expand(7, 64))


@triton.jit
def poll(x, expected, out, timeout, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.atomic_poll(x + i, tl.load(expected + i), timeout_ns=timeout).to(tl.int8))
    tl.store(out + N, tl.atomic_poll(x, tl.load(expected), timeout_ns=timeout).to(tl.int8))


@covers("tl.atomic_poll", "i16", "i32", "i64")
@pytest.mark.parametrize("element", ["i16", "i32", "i64"])
@pytest.mark.parametrize("timeout", [0, 100_000])
def test_timeout(element, timeout):
    """Elements that never get their value are false, the others are true after one read even without any time."""
    x = torch.arange(64, dtype=DTYPES[element])
    expected = torch.where(x % 3 == 1, x + 1, x)
    out = poisoned((65,), torch.int8)
    poll[(1,)](x, expected, out, timeout, N=64)
    assert torch.equal(out[:64] == 1, x == expected)
    assert set(out.tolist()) == {0, 1}
    assert out[64] == 1


def test_a_timeout_is_not_early():
    """With a timeout of a hundredth of a second, the kernel takes that long."""
    x, out = torch.zeros(16, dtype=torch.int32), poisoned((17,), torch.int8)
    poll[(1,)](x, x, out, 0, N=16)
    start = time.monotonic()
    poll[(1,)](x, x + 1, out, 10_000_000, N=16)
    assert time.monotonic() - start >= 0.01
    assert not out.any()
