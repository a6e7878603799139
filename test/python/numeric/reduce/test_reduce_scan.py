# SPDX-License-Identifier: MIT
"""Reductions and scans on random layouts, along every axis, with exact results.

Layouts decide which elements share a work-item, a sub-group or a work-group, and the operations must not show it. All
arithmetic is on integers or exact in floats, so that results are compared bit by bit.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
import torch
from numeric.layouts import LANES, KernelBuilder, TensorType, random_layout, random_shape
from numerics import poisoned, random_tensor

pytestmark = pytest.mark.instruction_sets

SHAPES = [(64,), (512,), (16, 16), (32, 64), (64, 32), (4, 8, 32), (2, 128), (16, 1)]


def choose(rng: random.Random, lanes: int) -> tuple[TensorType, int, int]:
    """Return an i32 tensor, an axis, and the number of warps."""
    shape = random_shape(rng, SHAPES, lanes)
    num_warps = rng.choice([n for n in (1, 2, 4, 8, 32) if math.prod(shape) <= 32 * LANES * n])
    return TensorType(shape, "i32", random_layout(rng, shape, num_warps, lanes)), rng.randrange(len(shape)), num_warps


def reduced(tensor: TensorType, axis: int) -> TensorType | None:
    """Return the type of the result; none for a scalar."""
    shape = tensor.shape[:axis] + tensor.shape[axis + 1 :]
    return (
        TensorType(shape, tensor.element, f"#ttg.slice<{{dim = {axis}, parent = {tensor.layout}}}>") if shape else None
    )


def reduce_op(axis: int, region: str, operands: dict[str, TensorType], results: list[object]) -> str:
    """Return text of a tt.reduce."""
    types = ", ".join(map(str, operands.values()))
    outcome = ", ".join(map(str, results))
    outcome = f"({outcome})" if len(results) > 1 else outcome
    return f'"tt.reduce"({", ".join(operands)}) <{{axis = {axis} : i32}}> ({{{region}}}) : ({types}) -> {outcome}'


def store(builder: KernelBuilder, value: str, tensor: TensorType | None, element: str) -> None:
    """Stores a result of a reduction."""
    if tensor is None:
        builder.store_scalar(value, element)
    else:
        builder.store(value, tensor)


def reduce_one(directory, rng: random.Random, lanes: int, region: str, reference: Callable) -> None:
    """One tensor of i32, by `region`; `reference` has the tensor and the axis."""
    tensor, axis, num_warps = choose(rng, lanes)
    builder = KernelBuilder(num_warps, lanes)
    result_type = reduced(tensor, axis)
    value = builder.load(tensor)
    value = builder.op(reduce_op(axis, region, {value: tensor}, [result_type or "i32"]))
    store(builder, value, result_type, "i32")

    source = random_tensor(tensor.shape, torch.int32, rng.randrange(2**31))
    result = poisoned(result_type.shape if result_type else (1,), torch.int32)
    builder.run(directory, source, result)
    assert torch.equal(result, reference(source, axis).reshape(result.shape)), builder.text()


def reduce_sum(directory, rng: random.Random, lanes: int) -> None:
    """Wrapping sum: also shows when copies are counted twice."""
    region = "^bb0(%a: i32, %b: i32): %c = arith.addi %a, %b : i32 tt.reduce.return %c : i32"
    reduce_one(directory, rng, lanes, region, lambda x, axis: x.sum(axis, dtype=torch.int64).to(torch.int32))


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.opencl] * (seed < 4)) for seed in range(12)])
def test_sum(tmp_path, seed):
    reduce_sum(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_sum_on_many_layouts(tmp_path, seed):
    reduce_sum(tmp_path, random.Random(seed), (16, 32)[seed % 2])


def reduce_products(directory, rng: random.Random, lanes: int) -> None:
    """A sum of products, whose order is another one than that of sums, and that fuses them: numbers are small integers,
    so that no order rounds."""
    tensor, axis, num_warps = choose(rng, lanes)
    tensor = TensorType(tensor.shape, "f32", tensor.layout)
    result_type = reduced(tensor, axis)
    builder = KernelBuilder(num_warps, lanes)
    left, right = (builder.load(tensor) for _ in range(2))
    product = builder.op(f"arith.mulf {left}, {right} : {tensor}")
    region = "^bb0(%a: f32, %b: f32): %c = arith.addf %a, %b : f32 tt.reduce.return %c : f32"
    store(builder, builder.op(reduce_op(axis, region, {product: tensor}, [result_type or "f32"])), result_type, "f32")

    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    sources = [torch.randint(-50, 51, tensor.shape, generator=generator).float() for _ in range(2)]
    result = poisoned(result_type.shape if result_type else (1,), torch.float32)
    builder.run(directory, *sources, result)
    expected = (sources[0].double() * sources[1].double()).sum(axis).float()
    assert torch.equal(result, expected.reshape(result.shape)), builder.text()


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.opencl] * (seed < 4)) for seed in range(12)])
def test_sum_of_products(tmp_path, seed):
    reduce_products(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_sum_of_products_on_many_layouts(tmp_path, seed):
    reduce_products(tmp_path, random.Random(seed), (16, 32)[seed % 2])


def reduce_two(directory, rng: random.Random, lanes: int) -> None:
    """A sum and a maximum of other elements, which exchange what they have together."""
    tensor, axis, num_warps = choose(rng, lanes)
    result_type = reduced(tensor, axis)
    builder = KernelBuilder(num_warps, lanes)
    values = [builder.load(tensor) for _ in range(2)]
    for value, operation in zip(values, ("addi", "maxsi"), strict=True):
        region = f"^bb0(%a: i32, %b: i32): %c = arith.{operation} %a, %b : i32 tt.reduce.return %c : i32"
        result = builder.op(reduce_op(axis, region, {value: tensor}, [result_type or "i32"]))
        store(builder, result, result_type, "i32")

    sources = [random_tensor(tensor.shape, torch.int32, rng.randrange(2**31)) for _ in range(2)]
    results = [poisoned(result_type.shape if result_type else (1,), torch.int32) for _ in range(2)]
    builder.run(directory, *sources, *results)
    expected = sources[0].sum(axis, dtype=torch.int64).to(torch.int32), sources[1].amax(axis)
    for result, right in zip(results, expected, strict=True):
        assert torch.equal(result, right.reshape(result.shape)), builder.text()


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.opencl] * (seed < 4)) for seed in range(12)])
def test_sum_and_maximum(tmp_path, seed):
    reduce_two(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_sum_and_maximum_on_many_layouts(tmp_path, seed):
    reduce_two(tmp_path, random.Random(seed), (16, 32)[seed % 2])


def reduce_last(directory, rng: random.Random, lanes: int) -> None:
    """The last element: what comes first in the region has to come first in the tensor."""
    region = """^bb0(%a: i32, %b: i32):
      %zero = arith.constant 0 : i32
      %c = arith.muli %a, %zero : i32
      %d = arith.addi %b, %c : i32
      tt.reduce.return %d : i32
    """
    reduce_one(directory, rng, lanes, region, lambda x, axis: x.select(axis, -1))


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.opencl] * (seed < 4)) for seed in range(12)])
def test_last(tmp_path, seed):
    reduce_last(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_last_on_many_layouts(tmp_path, seed):
    reduce_last(tmp_path, random.Random(seed), (16, 32)[seed % 2])


def reduce_argmax(directory, rng: random.Random, lanes: int) -> None:
    """Two operands of different widths, and a region of several operations: the first of the largest values."""
    tensor, axis, num_warps = choose(rng, lanes)
    builder = KernelBuilder(num_warps, lanes)
    values_type = tensor.with_element("f16")
    region = """^bb0(%a: f16, %i: i32, %b: f16, %j: i32):
      %more = arith.cmpf ogt, %a, %b : f16
      %same = arith.cmpf oeq, %a, %b : f16
      %before = arith.cmpi slt, %i, %j : i32
      %tie = arith.andi %same, %before : i1
      %left = arith.ori %more, %tie : i1
      %v = arith.select %left, %a, %b : f16
      %k = arith.select %left, %i, %j : i32
      tt.reduce.return %v, %k : f16, i32
    """
    value_type, index_type = reduced(values_type, axis), reduced(tensor, axis)
    values = builder.load(values_type)
    indices = builder.index_along(axis, tensor)
    results = [value_type or "f16", index_type or "i32"]
    builder.count += 1
    name = f"%v{builder.count}"
    operands = {values: values_type, indices: tensor}
    builder.lines.append(f"{name}:2 = {reduce_op(axis, region, operands, results)}")
    store(builder, f"{name}#0", value_type, "f16")
    store(builder, f"{name}#1", index_type, "i32")

    # Few different values, so that ties are common.
    source = random_tensor(tensor.shape, torch.int8, rng.randrange(2**31)).remainder(7).to(torch.float16)
    shape = value_type.shape if value_type else (1,)
    result, index = poisoned(shape, torch.float16), poisoned(shape, torch.int32)
    builder.run(directory, source, result, index)
    best = source.amax(axis, keepdim=True)
    first = (source == best).to(torch.int32).argmax(axis)
    assert torch.equal(result, best.reshape(shape)), builder.text()
    assert torch.equal(index, first.to(torch.int32).reshape(shape)), builder.text()


@pytest.mark.parametrize("seed", range(8))
def test_argmax(tmp_path, seed):
    reduce_argmax(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_argmax_on_many_layouts(tmp_path, seed):
    reduce_argmax(tmp_path, random.Random(seed), (16, 32)[seed % 2])


def test_region_with_control_flow(tmp_path):
    """A region without a vector form runs element by element."""
    shape, num_warps = (16, 32), 4
    tensor = TensorType(shape, "i32", random_layout(random.Random(3), shape, num_warps))
    builder = KernelBuilder(num_warps)
    region = """^bb0(%a: i32, %b: i32):
      %less = arith.cmpi slt, %a, %b : i32
      %c = scf.if %less -> i32 {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      tt.reduce.return %c : i32
    """
    value = builder.load(tensor)
    value = builder.op(reduce_op(1, region, {value: tensor}, [reduced(tensor, 1)]))
    builder.store(value, reduced(tensor, 1))
    source, result = random_tensor(shape, torch.int32, 1), poisoned((16,), torch.int32)
    builder.run(tmp_path, source, result)
    assert torch.equal(result, source.amin(1))


def test_sum_of_bf16(tmp_path):
    """bf16 has no native registers."""
    shape, num_warps = (32, 32), 4
    tensor = TensorType(shape, "bf16", random_layout(random.Random(5), shape, num_warps))
    builder = KernelBuilder(num_warps)
    region = """^bb0(%a: bf16, %b: bf16):
      %x = arith.extf %a : bf16 to f32
      %y = arith.extf %b : bf16 to f32
      %z = arith.addf %x, %y : f32
      %c = arith.truncf %z : f32 to bf16
      tt.reduce.return %c : bf16
    """
    value = builder.load(tensor)
    value = builder.op(reduce_op(0, region, {value: tensor}, [reduced(tensor, 0)]))
    builder.store(value, reduced(tensor, 0))
    # Sums of 32 such numbers are exact.
    source = random_tensor(shape, torch.int8, 1).remainder(5).to(torch.bfloat16)
    result = poisoned((32,), torch.bfloat16)
    builder.run(tmp_path, source, result)
    assert torch.equal(result, source.sum(0))


def scan_affine(directory, rng: random.Random, lanes: int) -> None:
    """Composition of affine functions: associative, but the order matters."""
    tensor, axis, num_warps = choose(rng, lanes)
    reverse = rng.random() < 0.5
    builder = KernelBuilder(num_warps, lanes)
    region = """^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
      %p = arith.muli %a, %c : i32
      %q = arith.muli %b, %c : i32
      %r = arith.addi %q, %d : i32
      tt.scan.return %p, %r : i32, i32
    """
    first, second = builder.load(tensor), builder.load(tensor)
    builder.count += 1
    name = f"%v{builder.count}"
    attributes = f"axis = {axis} : i32, reverse = {str(reverse).lower()}"
    builder.lines.append(
        f'{name}:2 = "tt.scan"({first}, {second}) <{{{attributes}}}> ({{{region}}}) '
        f": ({tensor}, {tensor}) -> ({tensor}, {tensor})"
    )
    builder.store(f"{name}#0", tensor)
    builder.store(f"{name}#1", tensor)

    a, b = (random_tensor(tensor.shape, torch.int32, rng.randrange(2**31)) for _ in range(2))
    results = [poisoned(tensor.shape, torch.int32) for _ in range(2)]
    builder.run(directory, a, b, *results)
    for result, expected in zip(results, reference_scan(a, b, axis, reverse), strict=True):
        assert torch.equal(result, expected), builder.text()


def reference_scan(a: torch.Tensor, b: torch.Tensor, axis: int, reverse: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the scan, one position after the other."""
    positions = list(range(a.shape[axis]))
    p, r = torch.zeros_like(a), torch.zeros_like(b)
    accumulated = None
    for position in reversed(positions) if reverse else positions:
        x, y = a.select(axis, position), b.select(axis, position)
        accumulated = (accumulated[0] * x, accumulated[1] * x + y) if accumulated else (x, y)
        p.select(axis, position).copy_(accumulated[0])
        r.select(axis, position).copy_(accumulated[1])
    return p, r


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.opencl] * (seed < 4)) for seed in range(12)])
def test_scan(tmp_path, seed):
    scan_affine(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_scan_on_many_layouts(tmp_path, seed):
    scan_affine(tmp_path, random.Random(seed), (16, 32)[seed % 2])


def scan_and_total(directory, rng: random.Random, lanes: int) -> None:
    """Prefix sums, and the sums of whole rows, which the scan gives on the way."""
    tensor, axis, num_warps = choose(rng, lanes)
    result_type = reduced(tensor, axis)
    builder = KernelBuilder(num_warps, lanes)
    value = builder.load(tensor)
    region = "^bb0(%a: i32, %b: i32): %c = arith.addi %a, %b : i32"
    sums = builder.op(
        f'"tt.scan"({value}) <{{axis = {axis} : i32, reverse = false}}> ({{{region} tt.scan.return %c : i32}}) '
        f": ({tensor}) -> {tensor}"
    )
    region += " tt.reduce.return %c : i32"
    total = builder.op(reduce_op(axis, region, {value: tensor}, [result_type or "i32"]))
    builder.store(sums, tensor)
    store(builder, total, result_type, "i32")

    source = random_tensor(tensor.shape, torch.int32, rng.randrange(2**31))
    results = [poisoned(shape, torch.int32) for shape in (tensor.shape, result_type.shape if result_type else (1,))]
    builder.run(directory, source, *results)
    expected = source.cumsum(axis, dtype=torch.int64).to(torch.int32)
    assert torch.equal(results[0], expected), builder.text()
    assert torch.equal(results[1], expected.select(axis, -1).reshape(results[1].shape)), builder.text()


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.opencl] * (seed < 4)) for seed in range(12)])
def test_scan_and_total(tmp_path, seed):
    scan_and_total(tmp_path, random.Random(seed), (16, 32)[seed % 2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_scan_and_total_on_many_layouts(tmp_path, seed):
    scan_and_total(tmp_path, random.Random(seed), (16, 32)[seed % 2])
