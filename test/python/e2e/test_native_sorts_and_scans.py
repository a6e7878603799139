# SPDX-License-Identifier: MIT
"""Sorts and scans as machine code on the simulator: bits are those of the CPU device, whose code is another one."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc

pytestmark = needs_ocloc

CHIPS = ("pvc", pytest.param("bmg", marks=pytest.mark.full))
BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@triton.jit
def sort_kernel(out_ptr, x_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DESCENDING: tl.constexpr):
    place = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + place, tl.sort(tl.load(x_ptr + place), descending=DESCENDING))


SHAPES = [(4, 64), (1, 128), (8, 16)]
SORTED = [torch.float32, torch.float16, torch.float64, torch.int32, torch.int8]


def sorts() -> list:
    """Return all types and shapes; a short run has two shapes of each type, and all three in turn."""
    chosen = []
    for number, dtype in enumerate(SORTED):
        for index, shape in enumerate(SHAPES):
            marks = pytest.mark.full if (number + index) % len(SHAPES) == 0 else ()
            chosen.append(pytest.param(dtype, shape, id=f"{shape}-{dtype}", marks=marks))
    return chosen


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("dtype", "shape"), sorts())
def test_sort(dtype: torch.dtype, shape: tuple[int, int], chip: str) -> None:
    """Equal numbers with different bits, and NaN, which no order places, are where Triton's algorithm puts them."""
    generator = torch.Generator().manual_seed(7)
    # Quarters and whole numbers, so that many are equal.
    x = (torch.randn(shape, generator=generator) * 16).round().to(dtype)
    if dtype.is_floating_point:
        kinds = torch.rand(shape, generator=generator)
        x = x / 4
        x[kinds < 0.3] = float("inf")
        x[kinds < 0.25] = -0.0
        x[kinds < 0.2] = 0.0
        x[kinds < 0.1] = float("nan")
    for descending in (False, True):
        results = []
        for options in ({}, {"cpu_code": "zebin", "arch": chip}):
            out = torch.zeros_like(x)
            sort_kernel[(1,)](out, x, *shape, descending, **options)
            results.append(out.view(BITS[x.element_size()]))
        assert torch.equal(*results)


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def scan_kernel(out_ptr, x_ptr, n, SIZE: tl.constexpr, REVERSE: tl.constexpr):
    place = tl.arange(0, SIZE)
    x = tl.load(x_ptr + place, mask=place < n, other=0)
    total = tl.associative_scan(x, 0, add, reverse=REVERSE)
    tl.store(out_ptr + place, total.to(out_ptr.dtype.element_ty), mask=place < n)


@pytest.mark.pairwise
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
    # The number of bits in which Triton sums up.
    if dtype == torch.uint8:
        sums = sums % 256
    assert torch.equal(out, torch.cat([sums.to(result), out.new_full((size - n,), 99)]))


@triton.jit
def region_kernel(out_ptr, x_ptr, y_ptr, FIRST: tl.constexpr, V: tl.constexpr, W: tl.constexpr, H: tl.constexpr):
    """Lanes read those of a region, of values whose 64 bits were computed as one, and as two halves."""
    lane = tl.arange(0, 16)
    x, y = tl.load(x_ptr + lane), tl.load(y_ptr + lane)
    place = FIRST + (lane // W) * V + (lane % W) * H
    next_lane = tl.gather(x, (lane + 1) % 16, 0)
    tl.store(out_ptr + lane, tl.gather(x + y, place, 0) + x)
    tl.store(out_ptr + 16 + lane, tl.gather(tl.where(y > 0, x, y), place, 0) ^ y)
    low = tl.gather(tl.where(lane < 8, x, y), place, 0)
    tl.store(out_ptr + 32 + lane, tl.where(lane < 8, low, tl.gather(x, 15 - lane, 0)) + y)
    mixed = tl.gather(tl.where(lane % 4 == 0, next_lane, x), place, 0)
    tl.store(out_ptr + 48 + lane, tl.where(y > 0, mixed, next_lane) + x)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    "region",
    [(0, 1, 8, 2), (0, 1, 4, 4), (0, 2, 2, 1), (1, 4, 4, 0), (0, 0, 8, 1), (0, 2, 8, 1), (1, 2, 4, 2), (0, 1, 2, 4)],
    ids=str,
)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.int16], ids=str)
def test_regions(dtype: torch.dtype, region: tuple[int, int, int, int], chip: str) -> None:
    """A lane gets the same value whether an instruction reads a region or an address for each lane."""
    first, vertical, width, horizontal = region
    lane = torch.arange(16)
    place = first + lane // width * vertical + lane % width * horizontal
    generator = torch.Generator().manual_seed(sum(region))
    x = torch.randint(-(2**14), 2**14, (16,), generator=generator).to(dtype)
    y = torch.randint(-5, 5, (16,), generator=generator).to(dtype)
    if dtype == torch.int64:
        x = x * 2**40 - 3
    out = torch.full((4, 16), 77, dtype=dtype)
    region_kernel[(1,)](out, x, y, *region, num_warps=1, cpu_code="zebin", arch=chip)
    next_lane = x[(lane + 1) % 16]
    expected = torch.stack(
        [
            (x + y)[place] + x,
            torch.where(y > 0, x, y)[place] ^ y,
            torch.where(lane < 8, torch.where(lane < 8, x, y)[place], x[15 - lane]) + y,
            torch.where(y > 0, torch.where(lane % 4 == 0, next_lane, x)[place], next_lane) + x,
        ]
    )
    assert torch.equal(out, expected)
