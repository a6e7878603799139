# SPDX-License-Identifier: MIT
"""Descriptors in files of TTGIR, whose tensors have any layouts: blocks in, at, and over the border of the tensor."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import torch
import triton
from numeric.layouts import ELEMENT_TYPES, KernelBuilder, TensorType, random_layout
from numerics import poisoned, random_tensor, strided
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe import IRSource, errors

#: The tensor in memory: rows, columns, and elements from one row to the next.
M, N, PITCH = 37, 61, 64
SHAPE = (16, 32)

CPU = GPUTarget("cpu", "pvc", 16)

DPAS = (
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, "
    "warpsPerCTA = [2, 2], repCluster = [1, 1]}>"
)
BLOCKED = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>"
LINE = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>"
#: Layouts of four warps.
LAYOUTS = {
    "result": DPAS,
    "left": f"#ttg.dot_op<{{opIdx = 0, parent = {DPAS}, kWidth = 1}}>",
    "right": f"#ttg.dot_op<{{opIdx = 1, parent = {DPAS}, kWidth = 2}}>",
    "blocked": BLOCKED,
    "columns": "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 4], warpsPerCTA = [1, 4], order = [0, 1]}>",
    "slice": "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 2, 1], threadsPerWarp = [1, 2, 8], "
    "warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>}>",
    "operand": f"#ttg.dot_op<{{opIdx = 1, parent = {BLOCKED}}}>",
    "linear": "#ttg.linear<{register = [[0, 1], [8, 0], [4, 0]], lane = [[1, 0], [0, 2], [0, 4], [0, 8]], "
    "warp = [[0, 16], [2, 0]], block = []}>",
}


class DescriptorKernel(KernelBuilder):
    """A kernel with descriptors among its arguments, or in it."""

    def descriptor(self, block: str) -> str:
        """Append an argument that is a descriptor of the host."""
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: !tt.tensordesc<{block}>")
        return name

    def make_descriptor(self, block: TensorType, padding: int = 1) -> str:
        """Describe the tensor of the next argument, a pointer, in the kernel."""
        base = self.argument(block.element)
        shape = ", ".join(self.op(f"arith.constant {size} : i32") for size in (M, N))
        strides = ", ".join(self.op(f"arith.constant {stride} : i64") for stride in (PITCH, 1))
        return self.op(
            f"tt.make_tensor_descriptor {base}, [{shape}], [{strides}] {{padding = {padding} : i32}} : "
            f"<{block.element}>, <{bare(block)}>"
        )

    def integer(self, divisor: int = 1) -> str:
        """Append an argument of 32 bits, a multiple of a number."""
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: i32 {{tt.divisibility = {divisor} : i32}}")
        return name

    def compile(self, directory: Path, target: GPUTarget = CPU, **options: Any) -> Any:
        """Return the kernel for the CPU device, or another target."""
        path = directory / "kernel.ttgir"
        path.write_text(self.text())
        return triton.compile(IRSource(path), target=target, options=options)


def bare(block: TensorType) -> str:
    """Return the type of a block without a layout."""
    return f"tensor<{'x'.join(map(str, block.shape))}x{block.element}>"


def copy_block(block: TensorType, result: TensorType, *, in_kernel: bool = False, padding: int = 1) -> DescriptorKernel:
    """Load a block in one layout, and store it in another one, at the same place of another tensor."""
    kernel = DescriptorKernel(num_warps=4)
    make = (lambda: kernel.make_descriptor(block, padding)) if in_kernel else (lambda: kernel.descriptor(bare(block)))
    source, target = make(), make()
    place = ", ".join(kernel.integer() for _ in block.shape)
    value = kernel.op(f"tt.descriptor_load {source}[{place}] : !tt.tensordesc<{bare(block)}> -> {block}")
    if block != result:
        value = kernel.op(f"ttg.convert_layout {value} : {block} -> {result}")
    kernel.lines.append(f"tt.descriptor_store {target}[{place}], {value} : !tt.tensordesc<{bare(block)}>, {result}")
    return kernel


def moved(x: torch.Tensor, out: torch.Tensor, row: int, column: int) -> torch.Tensor:
    """Return `out` with the block of `x` at this place."""
    expected = out.clone()
    rows = slice(max(row, 0), min(row + SHAPE[0], M))
    columns = slice(max(column, 0), min(column + SHAPE[1], N))
    expected[rows, columns] = x[rows, columns]
    return expected


#: Places of blocks: inside, and over two borders each.
PLACES = [(8, 16), (30, 40), (-5, -8), (36, -31)]


@pytest.mark.conformance
@pytest.mark.opencl
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("in_kernel", [False, True], ids=["host", "kernel"])
def test_layouts(tmp_path, layout, in_kernel):
    """Blocks of descriptors of the host, and of the kernel, are loaded and stored in every layout."""
    other = "blocked" if layout != "blocked" else "result"
    types = [TensorType(SHAPE, "f16", LAYOUTS[name]) for name in (layout, other)]
    kernel = copy_block(*types, in_kernel=in_kernel).compile(tmp_path)
    x, out = (strided(random_tensor((M, N), torch.float16, seed), PITCH) for seed in (1, 2))
    for place in PLACES:
        expected = moved(x, out, *place)
        tensors = (x, out) if in_kernel else (TensorDescriptor.from_tensor(each, list(SHAPE)) for each in (x, out))
        kernel[(1, 1, 1)](*tensors, *place)
        assert torch.equal(out, expected)


@pytest.mark.parametrize("dtype", [torch.int8, torch.float8_e4m3fn, torch.bfloat16, torch.float32, torch.int64])
def test_elements(tmp_path, dtype):
    """Random layouts, some of which have copies in several lanes or warps."""
    rng = random.Random(str(dtype))
    for number in range(4):
        types = [TensorType(SHAPE, ELEMENT_TYPES[dtype], random_layout(rng, SHAPE, 4)) for _ in range(2)]
        kernel = copy_block(*types).compile(tmp_path)
        x, out = (strided(random_tensor((M, N), dtype, seed), PITCH) for seed in (1, 2))
        # Torch cannot move and compare 8-bit floats, so it gets their bits.
        seen = (lambda tensor: tensor.view(torch.int8)) if dtype.itemsize == 1 else (lambda tensor: tensor)
        expected = moved(seen(x), seen(out), *PLACES[number])
        kernel[(1, 1, 1)](*(TensorDescriptor.from_tensor(each, list(SHAPE)) for each in (x, out)), *PLACES[number])
        assert torch.equal(seen(out), expected)


def read_block(
    block: TensorType, descriptor: str = "", *, in_kernel: bool = False, divisor: int = 1
) -> DescriptorKernel:
    """Load a block at a place that arguments give, and store all of it.

    Where the column may be any number, no message is known to begin inside of the row.
    """
    kernel = DescriptorKernel(num_warps=4)
    source = kernel.make_descriptor(block, padding=2) if in_kernel else kernel.descriptor(descriptor or bare(block))
    kernel_type = bare(block) if in_kernel else descriptor or bare(block)
    place = f"{kernel.integer()}, {kernel.integer(divisor)}"
    value = kernel.op(f"tt.descriptor_load {source}[{place}] : !tt.tensordesc<{kernel_type}> -> {block}")
    kernel.store(value, block)
    return kernel


@pytest.mark.parametrize("layout", ["left", "blocked"])
@pytest.mark.parametrize("in_kernel", [False, True], ids=["host", "kernel"])
def test_padding_with_nan(tmp_path, layout, in_kernel):
    """A host states it in each launch, for which another version of the kernel runs; a kernel states it itself."""
    kernel = read_block(TensorType(SHAPE, "f16", LAYOUTS[layout]), in_kernel=in_kernel).compile(tmp_path)
    x, out = strided(random_tensor((M, N), torch.float16, 3), PITCH), poisoned(SHAPE, torch.float16)
    expected = torch.full(SHAPE, float("nan"), dtype=torch.float16)
    expected[: M - 30, : N - 40] = x[30:, 40:]
    paddings = ("nan",) if in_kernel else ("zero", "nan", "zero")
    for padding in paddings:
        source = x if in_kernel else TensorDescriptor.from_tensor(x, list(SHAPE), padding=padding)
        kernel[(1, 1, 1)](source, 30, 40, out)
        assert torch.allclose(
            out, expected if padding == "nan" else expected.nan_to_num(0), rtol=0, atol=0, equal_nan=True
        )


@pytest.mark.parametrize(
    "descriptor",
    ["16x32xf16", "tensor<16x32xf16, {layout}>", "16x32xf16, {layout}"],
    ids=["3.8", "layout", "3.8-layout"],
)
def test_spellings_of_types(tmp_path, descriptor):
    """Triton writes descriptors with or without `tensor`, and with a layout, which is one of shared memory."""
    shared = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"
    block = TensorType(SHAPE, "f16", DPAS)
    kernel = read_block(block, descriptor.format(layout=shared)).compile(tmp_path)
    x, out = random_tensor((M, PITCH), torch.float16, 4), poisoned(SHAPE, torch.float16)
    kernel[(1, 1, 1)](TensorDescriptor.from_tensor(x, list(SHAPE)), 3, 16, out)
    assert torch.equal(out, x[3:19, 16:48])


@pytest.mark.conformance
def test_tritons_own_way_takes_descriptors(tmp_path):
    """Triton itself parses the file, and gives the type of the argument as its MLIR prints it."""
    # Later versions refuse what earlier ones write.
    spelling = "" if triton.__version__.startswith("3.7") else "16x32xf16"
    kernel = read_block(TensorType(SHAPE, "f16", BLOCKED), spelling)
    path = tmp_path / "kernel.ttgir"
    path.write_text(kernel.text())
    compiled = triton.compile(str(path), target=CPU)
    x, out = random_tensor((M, PITCH), torch.float16, 4), poisoned(SHAPE, torch.float16)
    for padding in ("zero", "nan"):
        compiled[(1, 1, 1)](TensorDescriptor.from_tensor(x, list(SHAPE), padding=padding), 3, 16, out)
        assert torch.equal(out, x[3:19, 16:48])


def test_tensors_that_messages_cannot_address(tmp_path):
    """Rows of 16 bytes are too short for 2D block messages: the launch runs a version with ordinary accesses."""
    kernel = read_block(TensorType(SHAPE, "f16", DPAS), divisor=32).compile(tmp_path)
    assert kernel.metadata.launch_conditions
    x, out = random_tensor((M, 8), torch.float16, 5), poisoned(SHAPE, torch.float16)
    expected = torch.zeros(SHAPE, dtype=torch.float16)
    expected[:7, :8] = x[30:]
    kernel[(1, 1, 1)](TensorDescriptor.from_tensor(x, list(SHAPE)), 30, 0, out)
    assert torch.equal(out, expected)


@pytest.mark.parametrize("layout", ["left", "result", "blocked", "linear"])
@pytest.mark.parametrize("bits", [16, 32])
def test_rows_by_their_numbers(tmp_path, layout, bits):
    """Gathered rows are scattered again, to twice their number. The numbers have a separate layout."""
    block = TensorType(SHAPE, "f16", LAYOUTS[layout])
    numbers = TensorType(SHAPE[:1], f"i{bits}", LINE)
    row = "!tt.tensordesc<tensor<1x32xf16>>"
    kernel = DescriptorKernel(num_warps=4)
    source, target = (kernel.descriptor("tensor<1x32xf16>") for _ in range(2))
    column = kernel.integer()
    rows = kernel.load(numbers)
    value = kernel.op(f"tt.descriptor_gather {source}[{rows}, {column}] : ({row}, {numbers}, i32) -> {block}")
    twice = kernel.op(f"arith.addi {rows}, {rows} : {numbers}")
    kernel.lines.append(f"tt.descriptor_scatter {target}[{twice}, {column}], {value} : {row}, {numbers}, i32, {block}")
    x, out = (strided(random_tensor((M, N), torch.float16, seed), PITCH) for seed in (1, 2))
    picked = (torch.randperm(M + 8, generator=torch.Generator().manual_seed(bits))[:16] - 4).to(
        getattr(torch, f"int{bits}")
    )
    expected = out.clone()
    for number in picked.tolist():
        if 0 <= 2 * number < M:
            expected[2 * number, 40:] = x[number, 40:] if number < M else 0
    descriptors = [TensorDescriptor.from_tensor(each, [1, 32]) for each in (x, out)]
    kernel.compile(tmp_path)[(1, 1, 1)](*descriptors, 40, picked)
    assert torch.equal(out, expected)


@pytest.mark.parametrize("layout", ["left", "result", "slice", "linear"])
def test_reductions_into_memory(tmp_path, layout):
    """An element that several lanes hold is added once."""
    block = TensorType(SHAPE, "i32", LAYOUTS[layout])
    kernel = DescriptorKernel(num_warps=4)
    target = kernel.descriptor(bare(block))
    place = ", ".join(kernel.integer() for _ in range(2))
    value = kernel.load(block)
    kernel.lines.append(
        f"tt.descriptor_reduce add, {target}[{place}], {value} : !tt.tensordesc<{bare(block)}>, {block}"
    )
    compiled = kernel.compile(tmp_path)
    x = random_tensor(SHAPE, torch.int32, 6)
    for row, column in PLACES:
        out = strided(random_tensor((M, N), torch.int32, 7), PITCH)
        expected = out.clone()
        rows, columns = (max(row, 0), min(row + 16, M)), (max(column, 0), min(column + 32, N))
        part = x[rows[0] - row : rows[1] - row, columns[0] - column : columns[1] - column]
        expected[slice(*rows), slice(*columns)] += part
        compiled[(1, 1, 1)](TensorDescriptor.from_tensor(out, list(SHAPE)), row, column, x)
        assert torch.equal(out, expected)


@pytest.mark.parametrize(
    ("block", "layout"),
    [
        ((16, 32), BLOCKED),
        ((16, 32), DPAS),
        (
            (1, 16, 32),
            "#ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 4, 4], warpsPerCTA = [1, 2, 2], "
            "order = [2, 1, 0]}>",
        ),
    ],
    ids=["blocked", "dpas", "batch"],
)
def test_one_matrix_of_a_batch(tmp_path, block, layout):
    """The tensor may leave out the dimension of the batch."""
    descriptor = "!tt.tensordesc<tensor<1x16x32xf16>>"
    tensor = TensorType(block, "f16", layout)
    kernel = DescriptorKernel(num_warps=4)
    source, target = (kernel.descriptor("tensor<1x16x32xf16>") for _ in range(2))
    place = ", ".join(kernel.integer() for _ in range(3))
    value = kernel.op(f"tt.descriptor_load {source}[{place}] : {descriptor} -> {tensor}")
    kernel.lines.append(f"tt.descriptor_store {target}[{place}], {value} : {descriptor}, {tensor}")
    compiled = kernel.compile(tmp_path)
    x, out = (random_tensor((3, M, PITCH), torch.float16, seed) for seed in (8, 9))
    for batch in (-1, 1, 3):
        expected = out.clone()
        if batch == 1:
            expected[1, 30:, 40:] = x[1, 30:, 40:]
        compiled[(1, 1, 1)](*(TensorDescriptor.from_tensor(each, [1, 16, 32]) for each in (x, out)), batch, 30, 40)
        assert torch.equal(out, expected)


#: A product as Intel's fork writes it: the module has capabilities, and accesses have marks. The shape and the strides
#: that the frontend has added after the first descriptor are separate arguments here.
PRODUCT = f"""
#mma = {DPAS}
#a = #ttg.dot_op<{{opIdx = 0, parent = #mma, kWidth = 1}}>
#b = #ttg.dot_op<{{opIdx = 1, parent = #mma, kWidth = 2}}>
module attributes {{ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io, ttig.support_bfloat16_conversion,
                   ttig.support_subgroup_matrix_multiply_accumulate, ttig.target_arch = "spir64",
                   "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu",
                   "ttg.threads-per-warp" = 16 : i32}} {{
  tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %rows: i32, %depth: i32, %pitch: i64, %one: i64,
                          %b: !tt.tensordesc<tensor<32x64xf16>>, %c: !tt.tensordesc<tensor<64x64xf32>>) {{
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %m = arith.muli %x, %c64 : i32
    %n = arith.muli %y, %c64 : i32
    %sum = scf.for %k = %c0 to %depth step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {{
      %left = tt.descriptor_load %a[%m, %k] {{ttig.block_io = "row_major"}}
          : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16, #a>
      %right = tt.descriptor_load %b[%k, %n] {{ttig.block_io = "row_major"}}
          : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16, #b>
      %next = tt.dot %left, %right, %acc, inputPrecision = tf32
          : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }}
    tt.descriptor_store %c[%m, %n], %sum : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32, #mma>
    tt.return
  }}
}}
"""


def test_product_of_intels_fork(tmp_path):
    """Its tiles cross the edges of all matrices."""
    path = tmp_path / "product.ttgir"
    path.write_text(PRODUCT)
    kernel = triton.compile(IRSource(path), target=CPU)
    # Rows of all matrices can be what messages want.
    assert {surface for surface, _ in kernel.metadata.launch_conditions if surface >= 0} == {0, 1, 2}
    a, b = (random_tensor(shape, torch.float16, seed) for seed, shape in enumerate([(100, 80), (80, 72)]))
    c = poisoned((100, 72), torch.float32)
    left, right, result = (
        TensorDescriptor.from_tensor(tensor, block) for tensor, block in ((a, [64, 32]), (b, [32, 64]), (c, [64, 64]))
    )
    kernel[(2, 2, 1)](left, *a.shape, *a.stride(), right, result)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-4, atol=1e-3)


def test_checks_of_the_cpu_device(tmp_path):
    """They know the memory of a descriptor, and find no access outside of it at its borders."""
    types = [TensorType(SHAPE, "f16", LAYOUTS[name]) for name in ("left", "blocked")]
    kernel = copy_block(*types).compile(tmp_path, cpu_checks=True)
    x, out = (random_tensor((M, PITCH), torch.float16, seed) for seed in (1, 2))
    expected = out.clone()
    expected[30:, 40:] = x[30:, 40:]
    kernel[(1, 1, 1)](*(TensorDescriptor.from_tensor(each, list(SHAPE)) for each in (x, out)), 30, 40)
    assert torch.equal(out, expected)


@needs_ocloc
@pytest.mark.parametrize(
    ("layout", "messages"), [("left", True), ("right", True), ("result", True), ("blocked", False)]
)
def test_messages(tmp_path, layout, messages):
    """Layouts of DPAS are loaded by 2D block messages, and others are not."""
    kernel = read_block(TensorType(SHAPE, "f16", LAYOUTS[layout]), divisor=32)
    compiled = kernel.compile(tmp_path, GPUTarget("xpu", "pvc", 16), generate_native_code=True)
    assert (compiled.metadata.native["total"]["load_block2d"] > 0) == messages


def test_errors(tmp_path):
    """A tensor in shared memory is an error with its line, and what is no descriptor one of the argument."""
    kernel = DescriptorKernel(num_warps=4)
    source, place = kernel.descriptor("tensor<16x32xf16>"), kernel.integer()
    shared = TensorType(SHAPE, "f16", "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>")
    kernel.op(f"tt.descriptor_load {source}[{place}, {place}] : !tt.tensordesc<tensor<16x32xf16>> -> {shared}")
    with pytest.raises(errors.CompileError, match=r"ttgir:4: error: .* expected a tensor with a distributed layout"):
        kernel.compile(tmp_path)
    compiled = read_block(TensorType(SHAPE, "f16", DPAS)).compile(tmp_path)
    x = torch.zeros(SHAPE, dtype=torch.float16)
    with pytest.raises(errors.ArgumentError, match="expected a tensor descriptor, found `Tensor`"):
        compiled[(1, 1, 1)](x, 0, 0, x)
    with pytest.raises(errors.ArgumentError, match="expected a descriptor of rank 2"):
        compiled[(1, 1, 1)](TensorDescriptor.from_tensor(x[0], [32]), 0, 0, x)
