# SPDX-License-Identifier: MIT
"""Scans as machine code on the simulator."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc

pytestmark = needs_ocloc

CHIPS = ("pvc", pytest.param("bmg", marks=pytest.mark.full))


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def scan_kernel(out_ptr, x_ptr, n, SIZE: tl.constexpr, REVERSE: tl.constexpr):
    place = tl.arange(0, SIZE)
    x = tl.load(x_ptr + place, mask=place < n, other=0)
    total = tl.associative_scan(x, 0, add, reverse=REVERSE)
    tl.store(out_ptr + place, total.to(out_ptr.dtype.element_ty), mask=place < n)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("size", "n", "num_warps"), [(16, 16, 1), (128, 77, 4), (256, 201, 2)])
@pytest.mark.parametrize(
    ("dtype", "result"),
    [
        (torch.float32, torch.float32),
        (torch.float16, torch.float32),
        (torch.int32, torch.int64),
        (torch.uint8, torch.int32),
        (torch.int64, torch.int32),
        (torch.float64, torch.float64),
    ],
    ids=str,
)
def test_scan(dtype, result, size: int, n: int, num_warps: int, reverse: bool, chip: str) -> None:
    """Lanes read regions of registers that hold any type, between conversions of any kind."""
    # Whole numbers that are small enough for sums in any order.
    x = torch.randint(0, 5, (size,), generator=torch.Generator().manual_seed(7)).to(dtype)
    out = torch.full((size,), 99, dtype=result)
    options = {"num_warps": num_warps, "cpu_code": "zebin", "arch": chip, "cpu_checks": True}
    scan_kernel[(1,)](out, x, n, size, reverse, **options)
    whole = x[:n].long()
    sums = whole.flip(0).cumsum(0).flip(0) if reverse else whole.cumsum(0)
    # As many bits as Triton sums up in.
    if dtype == torch.uint8:
        sums = sums % 256
    assert torch.equal(out, torch.cat([sums.to(result), out.new_full((size - n,), 99)]))
