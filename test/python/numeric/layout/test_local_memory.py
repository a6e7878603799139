# SPDX-License-Identifier: MIT
"""Tensors that go through named shared memory with any layout on both sides and any storage between."""

from __future__ import annotations

import math
import random

import pytest
import torch
from numeric.layouts import ELEMENT_TYPES, LANES, KernelBuilder, TensorType, random_layout, random_shape
from numerics import poisoned, random_tensor

DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int64]
SHAPES = [(64,), (16, 16), (32, 64), (64, 32), (4, 8, 32)]


def random_shared(rng: random.Random, shape: tuple[int, ...]) -> str:
    """Return plain, swizzled or padded storage."""
    rank = len(shape)
    order = rng.sample(range(rank), rank)
    if rng.random() < 0.3:
        interval, padding = rng.choice([16, 64, 128]), rng.choice([1, 4, 8])
        return f"#ttg.padded_shared<[{interval}:+{padding}] {{order = {order}, shape = {list(shape)}}}>"
    vector, per_phase, max_phase = (rng.choice(choices) for choices in ([1, 4, 8], [1, 2], [1, 4, 8]))
    return f"#ttg.swizzled_shared<{{vec = {vector}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {order}}}>"


def memdesc(shape: tuple[int, ...], element: str, encoding: str, allocation: tuple[int, ...] = ()) -> str:
    """Return a mutable memdesc type."""
    dims = "x".join(map(str, shape))
    suffix = f", {'x'.join(map(str, allocation))}" if allocation else ""
    return f"!ttg.memdesc<{dims}x{element}, {encoding}, #ttg.shared_memory, mutable{suffix}>"


def round_trip(directory, rng: random.Random, lanes: int) -> None:
    """Stores into one of two buffers and loads from it in another layout."""
    shape, dtype = random_shape(rng, SHAPES, lanes), rng.choice(DTYPES)
    element = ELEMENT_TYPES[dtype]
    num_warps = rng.choice([n for n in (1, 2, 4, 8) if math.prod(shape) <= 32 * LANES * n])
    source_type, result_type = (
        TensorType(shape, element, random_layout(rng, shape, num_warps, lanes)) for _ in range(2)
    )
    encoding = random_shared(rng, shape)
    pair, single = memdesc((2, *shape), element, encoding), memdesc(shape, element, encoding)
    builder = KernelBuilder(num_warps, lanes)
    buffers = builder.op(f"ttg.local_alloc : () -> {pair}")
    views = []
    for number in range(2):
        index = builder.op(f"arith.constant {number} : i32")
        views.append(builder.op(f"ttg.memdesc_index {buffers}[{index}] : {pair} -> {single}"))
    values = [builder.load(source_type) for _ in range(2)]
    for value, view in zip(values, views, strict=True):
        builder.lines.append(f"ttg.local_store {value}, {view} : {source_type} -> {single}")
    for view in views:
        builder.store(builder.op(f"ttg.local_load {view} : {single} -> {result_type}"), result_type)

    sources = [random_tensor(shape, dtype, rng.randrange(2**31)) for _ in range(2)]
    results = [poisoned(shape, dtype) for _ in range(2)]
    builder.run(directory, *sources, *results)
    for source, result in zip(sources, results, strict=True):
        assert torch.equal(result, source), builder.text()


@pytest.mark.parametrize("seed", range(12))
def test_store_and_load(tmp_path, seed):
    round_trip(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_store_and_load_in_many_layouts(tmp_path, seed):
    round_trip(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.parametrize("vector", [1, 8])
def test_a_part_of_a_transposed_buffer(tmp_path, vector):
    """Views change coordinates, never places."""
    num_warps, rng = 4, random.Random(7)
    whole = TensorType((32, 64), "f16", random_layout(rng, (32, 64), num_warps))
    part = TensorType((32, 16), "f16", random_layout(rng, (32, 16), num_warps))
    encoding, transposed = (
        f"#ttg.swizzled_shared<{{vec = {vector}, perPhase = 1, maxPhase = 8, order = {order}}}>"
        for order in ([1, 0], [0, 1])
    )
    buffer = memdesc((32, 64), "f16", encoding)
    transposed_buffer = memdesc((64, 32), "f16", transposed)
    transposed_part = memdesc((16, 32), "f16", transposed, (64, 32))
    straight_part = memdesc((32, 16), "f16", encoding, (32, 64))
    builder = KernelBuilder(num_warps)
    memory = builder.op(f"ttg.local_alloc {builder.load(whole)} : ({whole}) -> {buffer}")
    view = builder.op(f"ttg.memdesc_trans {memory} {{order = array<i32: 1, 0>}} : {buffer} -> {transposed_buffer}")
    view = builder.op(f"ttg.memdesc_subslice {view}[48, 0] : {transposed_buffer} -> {transposed_part}")
    view = builder.op(f"ttg.memdesc_trans {view} {{order = array<i32: 1, 0>}} : {transposed_part} -> {straight_part}")
    builder.store(builder.op(f"ttg.local_load {view} : {straight_part} -> {part}"), part)

    source, result = random_tensor((32, 64), torch.float16, 1), poisoned((32, 16), torch.float16)
    builder.run(tmp_path, source, result)
    assert torch.equal(result, source[:, 48:])
