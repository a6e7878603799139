# SPDX-License-Identifier: MIT
"""Offsets of 32 bits that wrap around between two lanes of a sub-group.

Neighbours then lie 4 GiB apart: in memory that is reserved but, all but a few pages, never touched.
"""

from __future__ import annotations

import mmap

import pytest
import torch
import triton
import triton.language as tl

#: Linux: no swap is set aside for pages that are never touched.
MAP_NORESERVE = 0x4000
HALF = 2**31
BLOCK = 64


@triton.jit
def copy_kernel(out_ptr, in_ptr, to, start, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + (to + i), tl.load(in_ptr + (start + i)))


@pytest.fixture(scope="module")
def memory() -> torch.Tensor:
    """Return bytes for every offset of 32 bits, and some past them."""
    try:
        pages = mmap.mmap(-1, 2 * HALF + 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)
    except OSError as error:
        pytest.skip(f"cannot reserve 4 GiB of addresses: {error}")
    return torch.frombuffer(pages, dtype=torch.int8)


def offsets(start: int) -> torch.Tensor:
    """Return `start + i` in 32 bits."""
    return (start + torch.arange(BLOCK) + HALF) % (2 * HALF) - HALF


@pytest.mark.parametrize("num_warps", [1, 4])
@pytest.mark.parametrize("start", [100, HALF - 8, HALF - 40, HALF - 64, HALF - 1, -8])
def test_loads_and_stores(memory, start, num_warps):
    places = HALF + offsets(start)
    values = torch.randint(-128, 128, (BLOCK,), dtype=torch.int8)
    memory[places] = values
    out = torch.zeros(BLOCK, dtype=torch.int8)
    copy_kernel[(1,)](out, memory[HALF:], 0, start, BLOCK, num_warps=num_warps)
    assert torch.equal(out, values)

    values = torch.randint(-128, 128, (BLOCK,), dtype=torch.int8)
    copy_kernel[(1,)](memory[HALF:], values, start, 0, BLOCK, num_warps=num_warps)
    assert torch.equal(memory[places], values)
