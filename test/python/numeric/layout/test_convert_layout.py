# SPDX-License-Identifier: MIT
"""Layout conversions between random layouts, element by element."""

from __future__ import annotations

import itertools
import math
import random

import pytest
import torch
from numeric.layouts import ELEMENT_TYPES, LANES, KernelBuilder, TensorType, random_layout, random_shape
from numerics import poisoned, random_tensor

DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int16, torch.int64, torch.float64]
SHAPES = [(64,), (256,), (16, 16), (32, 32), (64, 128), (128, 16), (16, 1), (4, 16, 32), (2, 2, 64)]


def convert(directory, rng: random.Random, lanes: int) -> None:
    """Converts random values between two layouts, then back to a third."""
    shape, dtype = random_shape(rng, SHAPES, lanes), rng.choice(DTYPES)
    # At most 32 values per work-item: more take the compiler of the CPU device long.
    num_warps = rng.choice([n for n in (1, 2, 4, 8, 16) if math.prod(shape) <= 32 * LANES * n])
    types = [TensorType(shape, ELEMENT_TYPES[dtype], random_layout(rng, shape, num_warps, lanes)) for _ in range(3)]
    builder = KernelBuilder(num_warps, lanes)
    value = builder.load(types[0])
    for source, target in itertools.pairwise(types):
        value = builder.op(f"ttg.convert_layout {value} : {source} -> {target}")
    builder.store(value, types[-1])

    source, result = random_tensor(shape, dtype, rng.randrange(2**31)), poisoned(shape, dtype)
    builder.run(directory, source, result)
    assert torch.equal(result, source), builder.text()


@pytest.mark.parametrize("seed", range(24))
def test_convert_layout_moves_every_element(tmp_path, seed):
    convert(tmp_path, random.Random(seed), (16, 32)[seed % 2] if seed < 16 else 8)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_convert_layout_moves_every_element_on_many_layouts(tmp_path, seed):
    convert(tmp_path, random.Random(seed), (16, 32, 16, 32, 8)[seed % 5])


@pytest.mark.parametrize("seed", range(12))
def test_conversions_that_share_an_exchange(tmp_path, seed):
    """Three conversions that do not depend on each other, between random layouts."""
    rng = random.Random(seed)
    shape, dtype = rng.choice([(64,), (16, 16), (32, 32), (4, 16, 32)]), rng.choice([torch.float32, torch.int16])
    add = "arith.addf" if dtype.is_floating_point else "arith.addi"
    num_warps = rng.choice([2, 4, 8])
    source, *types, last = (
        TensorType(shape, ELEMENT_TYPES[dtype], random_layout(rng, shape, num_warps, 16)) for _ in range(5)
    )
    builder = KernelBuilder(num_warps, 16)
    value = builder.load(source)
    converted = []
    for target in types:
        moved = builder.op(f"ttg.convert_layout {value} : {source} -> {target}")
        converted.append((moved, target))
        value = builder.op(f"{add} {value}, {value} : {source}")
    total = None
    for moved, target in converted:
        part = builder.op(f"ttg.convert_layout {moved} : {target} -> {last}")
        total = part if total is None else builder.op(f"{add} {total}, {part} : {last}")
    builder.store(total, last)

    x, result = random_tensor(shape, dtype, rng.randrange(2**31)), poisoned(shape, dtype)
    builder.run(tmp_path, x, result)
    assert torch.equal(result, x + 2 * x + 4 * x), builder.text()


def test_convert_layout_of_booleans(tmp_path):
    """One bit has no address: it crosses warps as a byte."""
    rng = random.Random(1)
    shape, num_warps = (32, 32), 4
    types = [TensorType(shape, "i1", random_layout(rng, shape, num_warps)) for _ in range(4)]
    builder = KernelBuilder(num_warps)
    bytes_in, bytes_out = types[0].with_element("i8"), types[-1].with_element("i8")
    value = builder.op(f"arith.trunci {builder.load(bytes_in)} : {bytes_in} to {types[0]}")
    for source, target in itertools.pairwise(types):
        value = builder.op(f"ttg.convert_layout {value} : {source} -> {target}")
    builder.store(builder.op(f"arith.extui {value} : {types[-1]} to {bytes_out}"), bytes_out)
    source, result = random_tensor(shape, torch.bool, 1).to(torch.int8), poisoned(shape, torch.int8)
    builder.run(tmp_path, source, result)
    assert torch.equal(result, source)


def test_convert_layout_in_several_rounds(tmp_path):
    """256 KiB of data through 64 KiB of shared memory."""
    shape, num_warps = (256, 256), 32
    blocked = "#ttg.blocked<{sizePerThread = [8, 8], threadsPerWarp = %s, warpsPerCTA = %s, order = %s}>"
    rows = TensorType(shape, "f32", blocked % ([2, 8], [8, 4], [1, 0]))
    columns = TensorType(shape, "f32", blocked % ([8, 2], [4, 8], [0, 1]))
    builder = KernelBuilder(num_warps)
    builder.store(builder.op(f"ttg.convert_layout {builder.load(rows)} : {rows} -> {columns}"), columns)
    source, result = random_tensor(shape, torch.float32, 1), poisoned(shape, torch.float32)
    builder.run(tmp_path, source, result)
    assert torch.equal(result, source)
