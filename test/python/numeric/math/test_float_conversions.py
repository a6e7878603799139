# SPDX-License-Identifier: MIT
"""Conversions between float formats, on every value of the formats that are small enough.

The reference is exact arithmetic in float64 over the table of all values of the target format, not another library's
conversion: rounding, subnormal numbers, saturation and NaN follow from the table.
"""

from __future__ import annotations

import pytest
import torch
from numeric.layouts import ELEMENT_TYPES, KernelBuilder, TensorType
from numerics import poisoned

SIZE = 4096
LAYOUT = "#ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>"
FLOAT8 = [torch.float8_e5m2, torch.float8_e4m3fn]
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def run_conversion(directory, source: torch.Tensor, target: torch.dtype, operation: str) -> torch.Tensor:
    """Convert a tensor of SIZE elements on the device."""
    from_type = TensorType((SIZE,), ELEMENT_TYPES[source.dtype], LAYOUT)
    to_type = TensorType((SIZE,), ELEMENT_TYPES[target], LAYOUT)
    builder = KernelBuilder(num_warps=4)
    # Memory is read and written as bits: only the conversion is under test.
    bits = [f"i{8 * dtype.itemsize}" for dtype in (source.dtype, target)]
    value = builder.load(from_type.with_element(bits[0]))
    value = builder.op(f"tt.bitcast {value} : {from_type.with_element(bits[0])} -> {from_type}")
    separator = "to" if operation.startswith("arith") else "->"
    name, _, rounding = operation.partition(" ")
    rounding = f", rounding = {rounding}" if rounding else ""
    value = builder.op(f"{name} {value}{rounding} : {from_type} {separator} {to_type}")
    value = builder.op(f"tt.bitcast {value} : {to_type} -> {to_type.with_element(bits[1])}")
    builder.store(value, to_type.with_element(bits[1]))
    result = poisoned((SIZE,), torch.int64)[: SIZE * target.itemsize // 8].clone().view(BITS[target.itemsize])
    builder.run(directory, source.view(BITS[source.dtype.itemsize]), result)
    return result.view(target)


def all_values(dtype: torch.dtype) -> torch.Tensor:
    """Return every bit pattern of a format of at most 16 bits."""
    count = 1 << (8 * dtype.itemsize)
    return torch.arange(count).to(BITS[dtype.itemsize]).view(dtype)


def samples(dtype: torch.dtype, target: torch.dtype, seed: int) -> torch.Tensor:
    """Return random bit patterns; numbers that `target` has, middles between these, neighbours; infinities, NaN."""
    generator = torch.Generator().manual_seed(seed)
    grid = all_values(target).to(torch.float64)
    grid = grid[torch.isfinite(grid)].sort().values
    grid = grid[torch.linspace(0, len(grid) - 1, 600).long()] if len(grid) > 600 else grid
    near = torch.cat([grid, (grid[1:] + grid[:-1]) / 2]).to(dtype)
    near = near[torch.isfinite(near)]
    bits = near.view(BITS[dtype.itemsize])
    special = torch.tensor([float("inf"), -float("inf"), float("nan"), 0.0, -0.0], dtype=torch.float32).to(dtype)
    edges = torch.cat([bits, bits + 1, bits - 1]).view(dtype)
    edges = torch.cat([special, edges])[: SIZE // 2]
    low, high = -(1 << (8 * dtype.itemsize - 1)), 1 << (8 * dtype.itemsize - 1)
    noise = torch.randint(low, high, (SIZE - len(edges),), generator=generator).to(BITS[dtype.itemsize]).view(dtype)
    return torch.cat([edges, noise])


def reference(source: torch.Tensor, target: torch.dtype, rounding: str) -> torch.Tensor:
    """Return bits of the rounded values."""
    table = all_values(target)
    values = table.to(torch.float64)
    finite = torch.isfinite(values) & ~torch.signbit(values)
    codes = table.view(BITS[target.itemsize]).to(torch.int64)[finite]
    grid = values[finite]
    order = grid.argsort()
    codes, grid = codes[order], grid[order]

    wide = source.to(torch.float64)
    magnitude = wide.abs().nan_to_num(nan=0.0)
    below = (torch.searchsorted(grid, magnitude, right=True) - 1).clamp(max=len(grid) - 2)
    low, high = grid[below], grid[below + 1]
    up = torch.where(magnitude - low == high - magnitude, codes[below] % 2 == 1, magnitude - low > high - magnitude)
    if rounding == "rtz":
        up = magnitude >= high
    result = codes[torch.where(up, below + 1, below)]
    # e4m3 has no infinity, and saturates.
    if target != torch.float8_e4m3fn:
        infinity = torch.tensor(float("inf")).to(target).view(BITS[target.itemsize]).long()
        # Beyond the middle between the largest number and the next that there would be.
        limit = grid[-1] + (grid[-1] - grid[-2]) / 2
        overflows = wide.isinf() if rounding == "rtz" else magnitude >= limit
        result = torch.where(overflows, infinity, result)
    sign = torch.signbit(wide).long() << (8 * target.itemsize - 1)
    return result | sign


def assert_same(result: torch.Tensor, source: torch.Tensor, expected: torch.Tensor) -> None:
    """NaN for NaN, and equal bits for all else."""
    is_nan = torch.isnan(source.to(torch.float64))
    assert torch.isnan(result.to(torch.float64))[is_nan].all()
    mask = (1 << (8 * result.dtype.itemsize)) - 1
    bits = result.view(BITS[result.dtype.itemsize]).to(torch.int64) & mask
    wrong = ((bits != (expected & mask)) & ~is_nan).nonzero().flatten()
    assert len(wrong) == 0, [(source[i].item(), hex(bits[i]), hex(expected[i] & mask)) for i in wrong[:5]]


@pytest.mark.instruction_sets
@pytest.mark.parametrize("target", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("source", FLOAT8, ids=str)
def test_widening_from_8_bits_is_exact(tmp_path, source, target):
    values = all_values(source).repeat(SIZE // 256)
    result = run_conversion(tmp_path, values, target, "tt.fp_to_fp")
    number = ~torch.isnan(values.to(torch.float64))
    assert torch.equal(result.to(torch.float64)[number], values.to(torch.float64)[number])
    assert torch.isnan(result)[~number].all()


@pytest.mark.pairwise
@pytest.mark.parametrize("rounding", ["rtne", "rtz"])
@pytest.mark.parametrize("target", FLOAT8, ids=str)
@pytest.mark.parametrize("source", [torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_narrowing_to_8_bits(tmp_path, source, target, rounding):
    values = samples(source, target, seed=1)
    result = run_conversion(tmp_path, values, target, f"tt.fp_to_fp {rounding}")
    assert_same(result, values, reference(values, target, rounding))


@pytest.mark.instruction_sets
@pytest.mark.parametrize("target", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("rounding", ["rtne", "rtz"])
def test_narrowing_to_16_bits(tmp_path, target, rounding):
    values = samples(torch.float32, target, seed=2)
    # Not below what the formats of f32 themselves round: subnormal numbers of f32 may be flushed.
    values = torch.where(values.abs() < 2.0**-126, torch.zeros_like(values), values)
    result = run_conversion(tmp_path, values, target, f"tt.fp_to_fp {rounding}")
    assert_same(result, values, reference(values, target, rounding))


def test_bf16_widens_to_the_same_number(tmp_path):
    values = all_values(torch.bfloat16)[5::16].contiguous()
    result = run_conversion(tmp_path, values, torch.float32, "arith.extf")
    number = ~torch.isnan(values)
    assert torch.equal(result[number], values.to(torch.float32)[number])
