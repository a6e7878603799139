# SPDX-License-Identifier: MIT
"""Kernels in TTGIR with any layouts: what tests of single operations run on the device.

A kernel loads tensors in one layout, applies some operations, and stores the results in the layouts that those have.
Pointers are made in each layout from its own ranges, so that a tensor's places in memory do not depend on layouts.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import triton
from triton.backends.compiler import GPUTarget

from triton_xe.ir_source import IRSource

LANES = 16

ELEMENT_TYPES = {
    torch.bool: "i8",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.float8_e5m2: "f8E5M2",
    torch.float8_e4m3fn: "f8E4M3FN",
}


@dataclass(frozen=True)
class TensorType:
    """A tensor type with a layout."""

    shape: tuple[int, ...]
    element: str
    layout: str

    def __str__(self) -> str:
        return f"tensor<{'x'.join(map(str, self.shape))}x{self.element}, {self.layout}>"

    def with_element(self, element: str) -> TensorType:
        """Return the same type with another element type."""
        return TensorType(self.shape, element, self.layout)


class KernelBuilder:
    """Writes a kernel whose arguments are pointers to row-major tensors."""

    def __init__(self, num_warps: int, lanes: int = LANES) -> None:
        self.num_warps = num_warps
        self.lanes = lanes
        self.arguments: list[str] = []
        self.lines: list[str] = []
        self.count = 0

    def op(self, text: str) -> str:
        """Append an operation with one result; returns its name."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def argument(self, element: str) -> str:
        """Append a pointer argument."""
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: !tt.ptr<{element}>")
        return name

    def pointers(self, argument: str, tensor: TensorType) -> str:
        """Return pointers to the elements of a row-major tensor."""
        offsets = self.offsets(tensor)
        pointer_type = tensor.with_element(f"!tt.ptr<{tensor.element}>")
        base = self.op(f"tt.splat {argument} : !tt.ptr<{tensor.element}> -> {pointer_type}")
        index_type = tensor.with_element("i32")
        return self.op(f"tt.addptr {base}, {offsets} : {pointer_type}, {index_type}")

    def offsets(self, tensor: TensorType) -> str:
        """Return the row-major index of every element."""
        index_type = tensor.with_element("i32")
        total, stride = "", 1
        for dim in reversed(range(len(tensor.shape))):
            index = self.index_along(dim, tensor)
            constant = self.op(f"arith.constant dense<{stride}> : {index_type}")
            term = self.op(f"arith.muli {index}, {constant} : {index_type}")
            total = self.op(f"arith.addi {total}, {term} : {index_type}") if total else term
            stride *= tensor.shape[dim]
        return total

    def index_along(self, dim: int, tensor: TensorType) -> str:
        """Return every element's coordinate along a dimension."""
        rank = len(tensor.shape)
        # Slices taken from the layout, outermost last; undone one by one below.
        layouts = [tensor.layout]
        others = [other for other in reversed(range(rank)) if other != dim]
        for other in others:
            layouts.append(f"#ttg.slice<{{dim = {other}, parent = {layouts[-1]}}}>")
        size = tensor.shape[dim]
        shape = [size]
        value = self.op(f"tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32, {layouts[-1]}>")
        for step, other in enumerate(reversed(others)):
            old = TensorType(tuple(shape), "i32", layouts[-1 - step])
            axis = other if other < dim else len([o for o in [*others[-1 - step :], dim] if o < other])
            shape.insert(axis, 1)
            new = TensorType(tuple(shape), "i32", layouts[-2 - step])
            value = self.op(f"tt.expand_dims {value} {{axis = {axis} : i32}} : {old} -> {new}")
        if tuple(shape) == tensor.shape:
            return value
        return self.op(
            f"tt.broadcast {value} : {TensorType(tuple(shape), 'i32', tensor.layout)} -> {tensor.with_element('i32')}"
        )

    def load(self, tensor: TensorType) -> str:
        """Load the next argument."""
        pointers = self.pointers(self.argument(tensor.element), tensor)
        return self.op(f"tt.load {pointers} : {tensor.with_element(f'!tt.ptr<{tensor.element}>')}")

    def store(self, value: str, tensor: TensorType) -> None:
        """Store to the next argument."""
        pointers = self.pointers(self.argument(tensor.element), tensor)
        self.lines.append(f"tt.store {pointers}, {value} : {tensor.with_element(f'!tt.ptr<{tensor.element}>')}")

    def store_scalar(self, value: str, element: str) -> None:
        """Store a scalar to the next argument."""
        self.lines.append(f"tt.store {self.argument(element)}, {value} : !tt.ptr<{element}>")

    def text(self) -> str:
        """Return the module."""
        body = "\n    ".join([*self.lines, "tt.return"])
        return f"""\
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {self.num_warps} : i32, ttg.target = "xpu",
                   "ttg.threads-per-warp" = {self.lanes} : i32}} {{
  tt.func public @kernel({", ".join(self.arguments)}) {{
    {body}
  }}
}}
"""

    def run(self, directory: Path, *tensors: torch.Tensor) -> None:
        """Compile for the CPU device and launch one program."""
        path = directory / "kernel.ttgir"
        path.write_text(self.text())
        arch = "pvc" if self.lanes >= LANES else "dg2"
        kernel = triton.compile(IRSource(path), target=GPUTarget("cpu", arch, self.lanes))
        kernel[(1, 1, 1)](*tensors)


# --- Random layouts ---------------------------------------------------------------------------------------------------


def random_shape(rng: random.Random, shapes: Sequence[tuple[int, ...]], num_lanes: int) -> tuple[int, ...]:
    """Return one of `shapes`. The compiler of the CPU device takes long over many registers: no large ones."""
    return rng.choice([shape for shape in shapes if num_lanes <= LANES or math.prod(shape) <= 1024])


def split_power(rng: random.Random, total: int, rank: int) -> list[int]:
    """Return `total`, a power of two, as a product of `rank` powers of two."""
    factors = [1] * rank
    while total > 1:
        factors[rng.randrange(rank)] *= 2
        total //= 2
    return factors


def random_blocked(rng: random.Random, shape: Sequence[int], num_warps: int, num_lanes: int = LANES) -> str:
    """Return a blocked layout; it may be larger than the tensor."""
    rank = len(shape)
    order = rng.sample(range(rank), rank)
    registers = split_power(rng, rng.choice([1, 2, 4, 8, 16]), rank)
    lanes, warps = split_power(rng, num_lanes, rank), split_power(rng, num_warps, rank)
    return (
        f"#ttg.blocked<{{sizePerThread = {registers}, threadsPerWarp = {lanes}, warpsPerCTA = {warps}, "
        f"order = {order}}}>"
    )


def random_linear(rng: random.Random, shape: Sequence[int], num_warps: int, num_lanes: int = LANES) -> str:
    """Deal out bits of coordinates to registers, lanes and warps at random; some lanes and warps hold copies."""
    rank = len(shape)
    bases = [
        [1 << bit if other == dim else 0 for other in range(rank)]
        for dim in range(rank)
        for bit in range(shape[dim].bit_length() - 1)
    ]
    rng.shuffle(bases)

    def deal(count: int, copies: float) -> list[list[int]]:
        return [bases.pop() if bases and rng.random() > copies else [0] * rank for _ in range(count)]

    # Copies mean more registers, of which the compiler of the CPU device can only take a limited number.
    num_thread_bits = num_lanes.bit_length() + num_warps.bit_length() - 2
    spare_bits = 4 if num_lanes <= LANES else 2
    copies = rng.choice([0.0, 0.3]) if len(bases) - num_thread_bits < spare_bits else 0.0
    lanes = deal(num_lanes.bit_length() - 1, copies)
    warps = deal(num_warps.bit_length() - 1, copies)
    return f"#ttg.linear<{{register = {bases}, lane = {lanes}, warp = {warps}, block = []}}>"


def random_dpas(rng: random.Random, shape: Sequence[int], num_warps: int, num_lanes: int = LANES) -> str:
    """Return the layout of a DPAS accumulator or operand. With 8 lanes each has 32 bits of a row of the left one."""
    warps = split_power(rng, num_warps, 2)
    clusters = split_power(rng, rng.choice([1, 2, 4, 8]), 2)
    dpas = (
        f"#ttig.dpas<{{repeatCount = 8, systolicDepth = 8, executionSize = {num_lanes}, opsPerChan = 2, "
        f"threadsPerWarp = {num_lanes}, warpsPerCTA = {warps}, repCluster = {clusters}}}>"
    )
    operand = rng.choice([None, 0, 1])
    if operand is None or math.prod(shape) > 32 * LANES * warps[operand]:
        return dpas
    width = operand + 1 if num_lanes == LANES else 2
    return f"#ttg.dot_op<{{opIdx = {operand}, parent = {dpas}, kWidth = {width}}}>"


def random_layout(rng: random.Random, shape: Sequence[int], num_warps: int, num_lanes: int = LANES) -> str:
    """Return any distributed layout. DPAS has one lane per column."""
    if len(shape) == 2 and min(shape) >= 16 and num_lanes <= LANES and rng.randrange(3) == 2:
        return random_dpas(rng, shape, num_warps, num_lanes)
    return rng.choice([random_blocked, random_linear])(rng, shape, num_warps, num_lanes)
