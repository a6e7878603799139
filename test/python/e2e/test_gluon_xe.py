# SPDX-License-Identifier: MIT
"""Kernels in Gluon with DPAS and 2D block messages: right numbers, and the messages that they request."""

from __future__ import annotations

import math
import re

import gluon_attention
import pytest
import torch
import triton
from generated import load_source
from kernel_suite.case import PVC, Launch
from numerics import poisoned
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler.errors import CompilationError
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from triton_xe import errors
from triton_xe.experimental import gluon as xe


@gluon.jit
def multiply(
    a, b, bias, c, M, N, K, a_row, a_column, b_row, b_column, c_row, BM: gl.constexpr, BN: gl.constexpr,
    BK: gl.constexpr, dpas: gl.constexpr, AHEAD: gl.constexpr, PRECISION: gl.constexpr,
):  # fmt: skip
    m, n = gl.program_id(0) * BM, gl.program_id(1) * BN
    result: gl.constexpr = dpas.accumulator([BM, BN])
    left = xe.make_tensor_descriptor(a, [M, K], [a_row, a_column], [BM, BK])
    right = xe.make_tensor_descriptor(b, [K, N], [b_row, b_column], [BK, BN])
    acc = xe.make_tensor_descriptor(bias, [M, N], [c_row, 1], [BM, BN]).load([m, n], result)
    for k in range(0, K, BK):
        if AHEAD > 0:
            left.prefetch([m, k + AHEAD * BK])
            right.prefetch([k + AHEAD * BK, n])
        x = left.load([m, k], dpas.operand(0, [BM, BK], a.dtype.element_ty))
        y = right.load([k, n], dpas.operand(1, [BK, BN], b.dtype.element_ty))
        acc = xe.dot(x, y, acc, PRECISION)
    xe.make_tensor_descriptor(c, [M, N], [c_row, 1], [BM, BN]).store([m, n], acc)


@gluon.jit
def multiply_in_step(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, dpas: gl.constexpr):
    """Warps arrive at a barrier at the end of one iteration, and wait for it in the next one."""
    m, n = gl.program_id(0) * BM, gl.program_id(1) * BN
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = xe.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    acc = gl.zeros([BM, BN], gl.float32, dpas.accumulator([BM, BN]))
    xe.arrive_barrier()
    for k in range(0, K, BK):
        left.prefetch([m, k + BK])
        x = left.load([m, k], dpas.operand(0, [BM, BK], gl.float16))
        xe.wait_barrier()
        y = right.load([k, n], dpas.operand(1, [BK, BN], gl.float16))
        acc = xe.dot(x, y, acc)
        xe.arrive_barrier()
    xe.wait_barrier()
    xe.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN]).store([m, n], acc)


def product_in_step(size: int, tile: tuple[int, int, int], dpas: xe.DPASLayout) -> tuple[Launch, torch.Tensor]:
    a, b = (torch.randn(size, size, dtype=torch.float16) for _ in range(2))
    arguments = (a, b, poisoned((size, size), torch.float32), size, size, size, *tile, dpas)
    warps = dpas.warps_per_cta[0] * dpas.warps_per_cta[1]
    grid = (size // tile[0], size // tile[1])
    return Launch(multiply_in_step, grid, arguments, {"num_warps": warps}), a.double() @ b.double()


def product(
    shape: tuple[int, int, int],
    tile: tuple[int, int, int],
    dpas: xe.DPASLayout,
    dtype: torch.dtype = torch.float16,
    transposed: tuple[bool, bool] = (False, False),
    ahead: int = 0,
) -> tuple[Launch, torch.Tensor]:
    """Return the launch of a product, and its result in higher precision."""
    m, n, k = shape
    is_integer = dtype == torch.int8

    def operand(rows: int, columns: int, is_transposed: bool) -> torch.Tensor:
        size = (columns, rows) if is_transposed else (rows, columns)
        value = torch.randint(-8, 8, size).to(dtype) if is_integer else torch.randn(size).to(dtype)
        return value.t() if is_transposed else value

    a, b = operand(m, k, transposed[0]), operand(k, n, transposed[1])
    bias = torch.randint(-8, 8, (m, n), dtype=torch.int32) if is_integer else torch.randn(m, n)
    c = poisoned((m, n), bias.dtype)
    grid = (triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1]))
    precision = "tf32" if dtype == torch.float32 else "ieee"
    arguments = (a, b, bias, c, m, n, k, *a.stride(), *b.stride(), n, *tile, dpas, ahead, precision)
    warps = dpas.warps_per_cta[0] * dpas.warps_per_cta[1]
    expected = a.double() @ b.double() + bias.double()
    return Launch(multiply, grid, arguments, {"num_warps": warps}), expected


def check(launch: Launch, expected: torch.Tensor, tolerance: float = 1e-4) -> str:
    """Run the launch, compare its result, and return the TTGIR of its kernel."""
    compiled = launch.run()
    torch.testing.assert_close(launch.arguments[3].double(), expected, rtol=tolerance, atol=tolerance * 10)
    return compiled.asm["ttgir"]


LAYOUTS = {
    "cluster": xe.DPASLayout([2, 4], [2, 2]),
    "rows": xe.DPASLayout([8, 1], [1, 2]),
    "columns": xe.DPASLayout([1, 8], [4, 1]),
    "short": xe.DPASLayout([4, 2], [2, 1], repeat_count=4),
    "copies": xe.DPASLayout([4, 1], [4, 4]),
    "one": xe.DPASLayout([1, 1], [1, 1]),
}

ELEMENTS = {
    torch.float16: gl.float16, torch.bfloat16: gl.bfloat16, torch.int8: gl.int8, torch.float32: gl.float32
}  # fmt: skip


@pytest.mark.conformance
@pytest.mark.pairwise
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ELEMENTS, ids=str)
@pytest.mark.parametrize("shape", [(128, 128, 64), (72, 80, 96), (37, 71, 45)], ids=str)
@pytest.mark.parametrize("ahead", [0, 2])
def test_products(layout, dtype, shape, ahead):
    """Each layout that the author states is the layout of the product, for sizes that messages take or not."""
    dpas = LAYOUTS[layout]
    launch, expected = product(shape, (64, 64, 32), dpas, dtype, ahead=ahead)
    text = check(launch, expected, 1e-2 if dtype == torch.float32 else 1e-4)
    # Several descriptions may be of one layout: what counts is where elements are.
    (name,) = re.findall(r"tt\.dot .* -> tensor<64x64x\w+, (#\w+)>", text)
    found = re.search(rf"^{name} = (.*)$", text, re.MULTILINE)[1]
    cluster = re.search(r"repCluster = \[(\d+), (\d+)\]", found)
    warps = re.search(r"warpsPerCTA = \[(\d+), (\d+)\]", found)
    count = re.search(r"repeatCount = (\d+)", found)
    used = xe.DPASLayout([*map(int, warps.groups())], [*map(int, cluster.groups())], int(count[1]))
    for role in (
        lambda each: each.accumulator([64, 64]),
        lambda each: each.operand(0, [64, 32], ELEMENTS[dtype]),
        lambda each: each.operand(1, [32, 64], ELEMENTS[dtype]),
    ):
        assert role(used) == role(dpas)


@pytest.mark.parametrize("transposed", [(False, True), (True, False), (True, True)], ids=str)
def test_transposed_operands(transposed):
    launch, expected = product((128, 128, 64), (64, 64, 32), LAYOUTS["cluster"], transposed=transposed)
    assert check(launch, expected).count("order = #ttig.order<column_major>") == sum(transposed)


def test_checks_of_the_cpu_device():
    launch, expected = product((72, 80, 96), (64, 64, 32), LAYOUTS["cluster"], ahead=2)
    launch.keywords["cpu_checks"] = True
    check(launch, expected)


@pytest.mark.conformance
def test_split_barriers():
    launch, expected = product_in_step(128, (64, 64, 32), LAYOUTS["cluster"])
    launch.run()
    torch.testing.assert_close(launch.arguments[2].double(), expected, rtol=1e-4, atol=1e-3)


def attention(length: int) -> tuple[Launch, torch.Tensor]:
    head = 64
    q, k, v = (torch.randn(3, length, head, dtype=torch.float16) for _ in range(3))
    o = poisoned((3, length, head), torch.float16)
    grid = (triton.cdiv(length, 64), 3)
    arguments = (q, k, v, o, length, head**-0.5 * 1.44269504, head, 64, 32, xe.DPASLayout([8, 1]))
    launch = Launch(gluon_attention.attention_kernel, grid, arguments, {"num_warps": 8})
    weight = torch.softmax(q.double() @ k.double().mT * head**-0.5, -1)
    return launch, weight @ v.double()


@pytest.mark.conformance
@pytest.mark.parametrize("length", [128, 200])
def test_attention(length):
    """Rows of a warp stay in it, so that no shared memory is needed."""
    launch, expected = attention(length)
    assert launch.run().metadata.shared == 0
    torch.testing.assert_close(launch.arguments[3].double(), expected, rtol=5e-3, atol=5e-3)


@gluon.jit
def stated_messages(x, y, M, N, BM: gl.constexpr, BN: gl.constexpr, layout: gl.constexpr, LOAD: gl.constexpr,
                    STORE: gl.constexpr, PREFETCH: gl.constexpr):  # fmt: skip
    m, n = gl.program_id(0) * BM, gl.program_id(1) * BN
    source = xe.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    source.prefetch([m + BM, n], message=PREFETCH)
    value = source.load([m, n], layout, message=LOAD)
    if STORE is None:
        row = m + gl.arange(0, BM, layout=gl.SliceLayout(1, layout))
        column = n + gl.arange(0, BN, layout=gl.SliceLayout(0, layout))
        gl.store(y + row[:, None] * N + column[None, :], value, mask=(row < M)[:, None] & (column < N)[None, :])
    else:
        xe.make_tensor_descriptor(y, [M, N], [N, 1], [BM, BN]).store([m, n], value, message=STORE)


#: A block of 64 rows and columns as operand of bf16 or as accumulator, and the shapes of the messages that load, store
#: and prefetch it. No message stores a right operand.
STATED = {
    "largest": ("a", (32, 16, 2), (8, 16), (16, 16, 2)),
    "two-numbers": ("a", (16, 16), (4, 16), (8, 16)),
    "narrow": ("a", (8, 16, 2), (2, 16), (32, 16, 1)),
    "rows-of-b": ("b", (32, 16, 2), None, (4, 16, 2)),
    "part-of-b": ("b", (16, 16, 1), None, (2, 16, 1)),
    "accumulator": ("c", (4, 16, 1), (1, 16, 1), (8, 8, 2)),
}  # fmt: skip


def stated_launch(name: str, rows: int = 128, columns: int = 128) -> Launch:
    role, load, store, prefetch = STATED[name]
    dpas = xe.DPASLayout([2, 2], [4, 2])
    layout = {
        "a": dpas.operand(0, [64, 64], gl.bfloat16),
        "b": dpas.operand(1, [64, 64], gl.bfloat16),
        "c": dpas.accumulator([64, 64]),
    }[role]
    dtype = torch.float32 if role == "c" else torch.bfloat16
    x, y = torch.randn(rows, columns).to(dtype), poisoned((rows, columns), dtype)
    grid = (triton.cdiv(rows, 64), 2)
    arguments = (x, y, rows, columns, 64, 64, layout, load, store, prefetch)
    return Launch(stated_messages, grid, arguments, {"num_warps": 4})


@pytest.mark.conformance
@pytest.mark.parametrize("name", STATED)
@pytest.mark.parametrize(("rows", "columns"), [(128, 128), (100, 128), (70, 71)], ids=["whole", "part", "odd"])
def test_blocks_by_stated_messages(name, rows, columns):
    """Rows of odd lengths are nothing that messages take: such a launch has ordinary accesses."""
    launch = stated_launch(name, rows, columns)
    launch.run()
    assert torch.equal(launch.arguments[1], launch.arguments[0])


@gluon.jit
def turned_block(x, y, n, layout: gl.constexpr, MESSAGE: gl.constexpr):
    """The matrix is contiguous along its columns."""
    value = xe.make_tensor_descriptor(x, [n, n], [1, n], [64, 64]).load([0, 0], layout, message=MESSAGE)
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    gl.store(y + row[:, None] * 64 + column[None, :], value)


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize("message", [(16, 16), (16, 8, 1), (16, 4)], ids=str)
def test_transposing_messages(index, message):
    """Rows of a message are those of memory: here they lie along columns of the matrix."""
    x, y = torch.randn(64, 64).bfloat16(), poisoned((64, 64), torch.bfloat16)
    layout = xe.DPASLayout([2, 2], [4, 2]).operand(index, [64, 64], gl.bfloat16)
    turned_block[(1,)](x, y, 64, layout, message, num_warps=4)
    assert torch.equal(y, x.t())


def compile_for(launch: Launch, arch: str) -> triton.compiler.CompiledKernel:
    """Return native code of a kernel."""
    chip = GPUTarget("xpu", arch, PVC.warp_size)
    source, options = launch.source(chip, generate_native_code=True, grf_mode="256")
    return triton.compile(source, target=chip, options=options)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_messages_of_a_product(arch):
    """A warp has 32 rows and 64 columns of the result: two messages for B, one for A, and one prefetch of each."""
    launch, _ = product((1024,) * 3, (256, 256, 32), xe.DPASLayout([8, 4], [4, 2]), torch.bfloat16, ahead=3)
    compiled = compile_for(launch, arch)
    native = compiled.metadata.native
    (loop,) = [loop for loop in native["loops"] if loop["dpas"]]
    assert {name: loop[name] for name in ("dpas", "load_block2d", "prefetches", "scratch_messages")} == {
        "dpas": 32, "load_block2d": 3, "prefetches": 2, "scratch_messages": 0,
    }  # fmt: skip
    assert native["total"]["scratch_messages"] == 0
    assert compiled.metadata.shared == 0


def message_shapes(isa: str) -> set[tuple[int, ...]]:
    """Return rows, columns and blocks of all messages: the last word of their payloads has each number less one."""
    words = set()
    for number, kind in re.findall(r"mov \(1\|M0\)\s+r\d+\.7<1>:\w+\s+([^\s:]+):(\w+)", isa):
        # The word is printed as a tiny float where it takes one to be an immediate.
        words.add(round(float(number) * 2**149) if kind == "f" else int(number, 0))
    shapes = {((word >> 8 & 255) + 1, (word & 255) + 1, (word >> 16 & 255) + 1) for word in words}
    return {shape for shape in shapes if shape[1].bit_count() == 1}


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("name", STATED)
def test_stated_messages(name, arch):
    """The native code has the required number of messages, each of the shape that the author has stated."""
    role, *shapes = STATED[name]
    compiled = compile_for(stated_launch(name), arch)
    load, store, prefetch = ((*shape, 1)[:3] if shape else None for shape in shapes)
    # Each of four warps has a half of the rows, or of the columns, or of both; they share the prefetch.
    elements = 64 * 64 // (4 if role == "c" else 2)
    figures = compiled.metadata.native["total"]
    assert figures["load_block2d"] == elements // math.prod(load)
    assert figures["store_block2d"] == (elements // math.prod(store) if store else 0)
    assert figures["prefetches"] == 64 * 64 // 4 // math.prod(prefetch)
    assert figures["scratch_messages"] == 0
    # Blocks without registers are one wide block to the device compiler.
    rows, columns, blocks = prefetch
    expected = {load, (rows, columns * blocks, 1)} | ({store} if store else set())
    assert message_shapes(compiled.asm["isa"]) == expected


@gluon.jit
def crowded(a, b, c, K, dpas: gl.constexpr, MESSAGE: gl.constexpr):
    """A product whose accumulator leaves little room in 128 registers."""
    left = xe.make_tensor_descriptor(a, [256, K], [K, 1], [256, 32])
    right = xe.make_tensor_descriptor(b, [K, 256], [256, 1], [32, 256])
    acc = gl.zeros([256, 256], gl.float32, dpas.accumulator([256, 256]))
    for k in range(0, K, 32):
        x = left.load([0, k], dpas.operand(0, [256, 32], gl.bfloat16), message=MESSAGE)
        y = right.load([k, 0], dpas.operand(1, [32, 256], gl.bfloat16), message=MESSAGE)
        acc = xe.dot(x, y, acc)
    xe.make_tensor_descriptor(c, [256, 256], [256, 1], [256, 256]).store([0, 0], acc)


@needs_ocloc
def test_stated_messages_are_not_split():
    """With few registers the scheduler splits what it has chosen itself."""

    def messages(shape: tuple[int, int, int] | None) -> int:
        a, b = torch.randn(256, 1024).bfloat16(), torch.randn(1024, 256).bfloat16()
        arguments = (a, b, torch.zeros(256, 256), 1024, xe.DPASLayout([8, 4], [4, 2]), shape)
        launch = Launch(crowded, (1,), arguments, {"num_warps": 32})
        chip = GPUTarget("xpu", "pvc", PVC.warp_size)
        source, options = launch.source(chip, generate_native_code=True, grf_mode="128")
        native = triton.compile(source, target=chip, options=options).metadata.native
        (loop,) = [loop for loop in native["loops"] if loop["dpas"]]
        return loop["load_block2d"]

    assert messages((32, 16, 2)) == 3
    assert messages(None) > 3


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_halves_of_a_barrier(arch):
    """Loads and products stay where the author has put them, on this or that side of an arrival or a wait."""
    compiled = compile_for(product_in_step(1024, (256, 256, 32), xe.DPASLayout([8, 4], [4, 2]))[0], arch)
    names = {
        "prefetch": r"send\.ugm .* null .* load_block2d", "load": r"send\.ugm .* r\d+ .* r\d+ .* load_block2d",
        "dpas": "dpas", "store": "store_block2d", "arrive": "signal barrier", "wait": r"sync\.bar",
    }  # fmt: skip
    parts: list[set[str]] = [set()]
    for line in compiled.asm["isa"].splitlines():
        name = next((name for name, pattern in names.items() if re.search(pattern, line)), "")
        if name in ("arrive", "wait"):
            parts += [{name}, set()]
        elif name:
            parts[-1].add(name)
    assert parts == [
        set(), {"arrive"}, {"prefetch", "load"}, {"wait"}, {"load", "dpas"}, {"arrive"}, set(), {"wait"}, {"store"},
    ]  # fmt: skip


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_messages_of_attention(arch):
    compiled = compile_for(attention(1024)[0], arch)
    native = compiled.metadata.native
    (loop,) = [loop for loop in native["loops"] if loop["dpas"]]
    # Per warp 8 rows: 2 x 4 instructions for the scores, 4 x 2 for the output.
    assert loop["dpas"] == 16
    assert loop["sends"] == loop["load_block2d"] + loop["prefetches"]
    assert native["total"]["scratch_messages"] == 0


# ===-----------------------------------------------------------------------===#
# Refusals
# ===-----------------------------------------------------------------------===#

PREAMBLE = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton_xe.experimental import gluon as xe


@gluon.jit
def kernel(x, n):
    DPAS: gl.constexpr = xe.DPASLayout([2, 2])
    OTHER: gl.constexpr = xe.DPASLayout([4, 1])
    LINE: gl.constexpr = gl.BlockedLayout([1, 4], [4, 4], [2, 2], [1, 0])
    matrix = xe.make_tensor_descriptor(x, [n, n], [n, 1], [32, 32])
    acc = gl.zeros([32, 32], gl.float32, DPAS.accumulator([32, 32]))
    left = gl.zeros([32, 16], gl.float16, DPAS.operand(0, [32, 16], gl.float16))
    right = gl.zeros([16, 32], gl.float16, DPAS.operand(1, [16, 32], gl.float16))
"""

STATED_WRONGLY = {
    "xe.dot(left, left, acc)": "matrices of these shapes cannot be multiplied and added: [32, 16], [32, 16], [32, 32]",
    "xe.dot(gl.sum(left, 1), right, acc)": "cannot be multiplied and added: [32], [16, 32], [32, 32]",
    "matrix.prefetch([n.to(gl.int64), 0])": "expected each offset to be an integer of at most 32 bits, found int64",
    "matrix.prefetch([1.5, 0])": "expected each offset to be an integer of at most 32 bits, found fp32",
    "xe.make_tensor_descriptor(x, [n, n], [2.0, 1], [32, 32])": "expected each stride to be an integer",
    "xe.dot(left, right, acc, 'bf16x3')": "expected `input_precision` to be one of ieee, tf32, not 'bf16x3'",
    "xe.dot(left, right, 1.0)": "expected `acc` to be a tensor with a layout",
    "gl.zeros([32, 16], gl.float16, DPAS.operand(2, [32, 16], gl.float16))": "expected 0 or 1 as number of an operand",
    "gl.zeros([32, 16], gl.float64, DPAS.operand(0, [32, 16], gl.float64))": "operands of 8, 16 or 32 bits",
    "gl.zeros([32], gl.float32, DPAS.accumulator([32]))": "the shape [32] is not one of a matrix",
    "gl.zeros([32, 32], gl.float32, xe.DPASLayout([4], [1]).accumulator([32, 32]))": "`warps_per_cta` to have two",
    "gl.zeros([32, 32], gl.float32, xe.DPASLayout([2, 2], repeat_count=3).accumulator([32, 32]))":
        "expected 'repeatCount' to be 1 or 2 or 4 or 8, found 3",
    "gl.full([32, 32], 0, gl.float32, xe.DPASLayout([2, 4]).accumulator([32, 32]))":
        "for 8 warps, and the kernel has 4",
    "matrix.load([0, 0, 0], DPAS.accumulator([32, 32]))": "expected two offsets, for rows and columns, found 3",
    "matrix.load([0, 0], DPAS.accumulator([32, 32]), '.xy')": "expected `cache_modifier` to be one of",
    "matrix.store([0, 0], left)": "expected a block of fp32 of shape [32, 32], found fp16 of shape [32, 16]",
    "matrix.prefetch([0])": "expected two offsets",
    "matrix.prefetch([0, 0], message=(8,))": "expected `message` to be rows, columns and perhaps blocks",
    "matrix.prefetch([0, 0], message=(12, 16))": "constants that are powers of two: 12, 16",
    "matrix.prefetch([0, 0], message=8)": "expected `message` to be rows, columns and perhaps blocks",
    "matrix.prefetch([0, 0], message=(n, 16))": "expected `message` to be rows, columns and perhaps blocks",
    "xe.make_tensor_descriptor(n, [n, n], [n, 1], [32, 32])": "expected a pointer as base of a descriptor",
    "xe.make_tensor_descriptor(x, [n, n], [n, 1], [32, 24])": "the sizes of a block to be powers of two",
}  # fmt: skip

#: The errors that only the compiler of the target can report.
FOUND_BY_THE_COMPILER = {
    "acc = xe.dot(left, right, gl.convert_layout(acc, OTHER.accumulator([32, 32])))":
        "are not those of one DPAS layout of the target",
    "acc = xe.dot(left, right, acc.to(gl.float64))": "DPAS of the target cannot multiply 'f16' by 'f16' and add 'f64'",
    "acc = matrix.load([0, 0], LINE)": "neither that of a result of DPAS nor that of one of its operands",
    "acc = xe.make_tensor_descriptor(x, [n, n], [n, 2], [32, 32]).load([0, 0], DPAS.accumulator([32, 32]))":
        "no 2D block message accesses this block: ",
    "xe.make_tensor_descriptor(x, [n, n], [1, n], [32, 32]).store([0, 0], acc)":
        "no 2D block message accesses this block: ",
    "acc = matrix.load([0, 0], DPAS.accumulator([32, 32]), message=(16, 16))":
        "no message of the target has the stated shape (16, 16, 1) here; rows, columns and blocks of those that are "
        "possible: (8, 16, 1), (4, 16, 1), (2, 16, 1), (1, 16, 1)",
    "matrix.store([0, 0], acc, message=(4, 16, 2))":
        "no message of the target has the stated shape (4, 16, 2) here",
    "matrix.prefetch([0, 0], message=(32, 32))":
        "no message of the target has the stated shape (32, 32, 1) here",
    "xe.wait_barrier()": "sub-groups wait for a barrier that they did not arrive at",
    "xe.arrive_barrier()": "come to another one, which shared memory may need, before they wait for it",
}  # fmt: skip


def kernel_with(statement: str) -> gluon.jit:
    return load_source(
        f"{PREAMBLE}    {statement}\n    gl.store(x + gl.sum(gl.sum(acc, 1), 0).to(gl.int32), 1.0)\n", {}
    ).kernel


@pytest.mark.conformance
@pytest.mark.parametrize(("statement", "reason"), STATED_WRONGLY.items(), ids=range(len(STATED_WRONGLY)))
def test_statements_that_are_wrong(statement, reason):
    with pytest.raises(CompilationError) as caught:
        kernel_with(statement)[(1,)](torch.zeros(32, 32), 32)
    message = str(caught.value)
    assert reason in message
    assert statement in message


@pytest.mark.conformance
@pytest.mark.parametrize(("statement", "reason"), FOUND_BY_THE_COMPILER.items(), ids=range(len(FOUND_BY_THE_COMPILER)))
def test_statements_that_the_target_cannot_do(statement, reason):
    kernel = kernel_with(statement)
    with pytest.raises(errors.CompileError) as caught:
        kernel[(1,)](torch.zeros(32, 32), 32)
    message = str(caught.value)
    assert reason in message
    (index,) = [index for index, line in enumerate(kernel.raw_src) if statement in line]
    assert f":{kernel.starting_line_number + index}: error: " in message
