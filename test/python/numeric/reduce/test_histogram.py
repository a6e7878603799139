# SPDX-License-Identifier: MIT
"""Histograms of any layout, with more and fewer bins than elements, with masks and values that have no bin."""

from __future__ import annotations

import random
import re

import pytest
import torch
import triton
import triton.language as tl
from numeric.layouts import ELEMENT_TYPES, LANES, KernelBuilder, TensorType, random_layout
from numerics import poisoned
from support import covers, needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


def bin_counts(values: torch.Tensor, num_bins: int) -> torch.Tensor:
    """Return occurrences of 0 .. num_bins - 1; other values count nowhere."""
    values = values.long()
    values = values[(values >= 0) & (values < num_bins)]
    return torch.bincount(values, minlength=num_bins).to(torch.int32)


def histogram_in_layouts(directory, rng: random.Random, dtype: torch.dtype, num_bins: int, masked: bool) -> None:
    """Any layout of elements and of bins."""
    num_warps, lanes = rng.choice([1, 2, 4]), rng.choice([16, 32])
    size = rng.choice([1, 16, 64, 512])
    values_type = TensorType((size,), ELEMENT_TYPES[dtype], random_layout(rng, (size,), num_warps, lanes))
    bins_type = TensorType((num_bins,), "i32", random_layout(rng, (num_bins,), num_warps, lanes))
    builder = KernelBuilder(num_warps, lanes)
    values = builder.load(values_type)
    operands = values
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    # A few have no bin, some of them below 0.
    data = torch.randint(-2, num_bins + 2, (size,), generator=generator).to(dtype)
    mask = torch.randint(0, 2, (size,), generator=generator).to(torch.int8)
    arguments = [data]
    if masked:
        byte_type = values_type.with_element("i8")
        zero = builder.op(f"arith.constant dense<0> : {byte_type}")
        operands += ", " + builder.op(f"arith.cmpi ne, {builder.load(byte_type)}, {zero} : {byte_type}")
        arguments.append(mask)
    builder.store(builder.op(f"tt.histogram {operands} : {values_type} -> {bins_type}"), bins_type)

    out = poisoned((num_bins,), torch.int32)
    builder.run(directory, *arguments, out)
    assert torch.equal(out, bin_counts(data[mask != 0] if masked else data, num_bins)), builder.text()


@covers("tl.histogram", "i8", "i16", "i32", "i64")
@pytest.mark.parametrize(
    ("dtype", "num_bins", "masked"),
    [
        (torch.int32, 1, False), (torch.int32, 2, True), (torch.int64, 16, True), (torch.int8, 64, False),
        (torch.int16, 256, True), (torch.int32, 1024, False), (torch.int32, 32, True), (torch.int64, 512, False),
    ],
)  # fmt: skip
def test_histogram(tmp_path, dtype, num_bins, masked):
    histogram_in_layouts(tmp_path, random.Random(f"{dtype}{num_bins}"), dtype, num_bins, masked)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_histogram_in_many_layouts(tmp_path, seed):
    rng = random.Random(seed)
    dtype = rng.choice([torch.int16, torch.int32, torch.int64])
    histogram_in_layouts(tmp_path, rng, dtype, 2 ** rng.randrange(11), rng.random() < 0.5)


@triton.jit
def histogram_of_blocks(values, out, n, STEPS: tl.constexpr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """Blocks in a loop reuse the same shared memory; the last is not full."""
    total = tl.zeros((BINS,), tl.int32)
    for step in range(STEPS):
        index = step * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(values + index, mask=index < n, other=0)
        total += tl.histogram(x, BINS, mask=index < n)
    tl.store(out + tl.arange(0, BINS), total)


@covers("tl.histogram", "u8", "i32")
@pytest.mark.parametrize(("num_warps", "warp_size"), [(1, 16), (4, 16), (2, 32), (8, 32)])
@pytest.mark.parametrize("dtype", [torch.int32, torch.uint8])
def test_histogram_of_blocks(dtype, num_warps, warp_size):
    n, block, bins = 700, 256, 256
    values = torch.randint(0, bins, (n,), generator=torch.Generator().manual_seed(9)).to(dtype)
    out = poisoned((bins,), torch.int32)
    histogram_of_blocks[(1,)](values, out, n, 3, block, bins, num_warps=num_warps, warp_size=warp_size)
    assert torch.equal(out, bin_counts(values, bins))


@needs_ocloc
def test_native_code():
    source = ASTSource(
        histogram_of_blocks,
        {"values": "*i32", "out": "*i32", "n": "i32"},
        {"STEPS": 2, "BLOCK": 256, "BINS": 64},
    )
    kernel = triton.compile(source, target=GPUTarget("xpu", "pvc", LANES), options={"generate_native_code": True})
    # Additions of one have a separate message.
    assert re.search(r"atomic_i(add|inc)\.slm\.d32", kernel.asm["isa"])
