# SPDX-License-Identifier: MIT
"""The device libraries: every builtin on the CPU device against numpy, and those of GPU drivers in the disassembly.

On the CPU there are two of them: bitcode that is linked into the SPIR-V (`opencl`), and vector functions that object
code calls (`native`).
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from numeric import block_builtins
from numeric.block_builtins import LANES, VALUE_TYPES, Builtin, block_kernel
from support import Runtime, needs_ocloc

from triton_xe import _compiler, _simulator, compiler, native
from triton_xe.cpu import simulator

#: A surface whose sides are no multiples of any tile, in memory with more columns and rows around it.
WIDTH, HEIGHT, PITCH = 208, 37, 256

#: Corners of a tile, in bytes and rows: inside, over each side and corner, beyond each side.
CORNERS = [
    (0, 0), (64, 3), (-32, 5), (192, 5), (16, -3), (16, 33), (-16, -1), (200, 36),
    (208, 0), (0, 37), (-64, 0), (0, -32), (2**24, 2**24), (-(2**24), -(2**24)),
]  # fmt: skip


def spirv(llvm_ir: str, library: str, arch: str = "") -> bytes:
    bitcode = compiler.device_library_path(library).read_bytes() if library != "none" else b""
    return _compiler.translate_to_spirv(_compiler.optimize_llvm_ir(llvm_ir), library, bitcode, arch=arch)


@pytest.fixture(params=["native", "opencl"])
def runtime(request) -> Runtime:
    return Runtime(request.param)


def load(runtime: Runtime, llvm_ir: str, name: str):
    """Load a kernel on the CPU device; call it with its arguments."""
    kernel = runtime.load(llvm_ir, name)

    def launch(signature, *arguments, grid=(1, 1), work_group=LANES):
        pointers = [argument.ctypes.data if isinstance(argument, np.ndarray) else argument for argument in arguments]
        names = [f"arg{index}" for index in range(len(signature))]
        launcher = runtime.module.make_launcher(signature, names, "cpu", work_group, True)
        launcher(*grid, 1, 0, kernel, None, SimpleNamespace(name=name), None, None, *pointers)

    return launch


def aligned(size: int, seed: int) -> np.ndarray:
    """Return random bytes on a 64-byte boundary."""
    storage = np.random.default_rng(seed).integers(0, 256, size + 64, dtype=np.uint8)
    start = -storage.ctypes.data % 64
    return storage[start : start + size]


def cut(surface: np.ndarray, builtin: Builtin, x: int, y: int) -> np.ndarray:
    """Return the tile at element x, row y of a surface: zero outside of it."""
    elements = surface.reshape(-1, PITCH)[:HEIGHT, :WIDTH].copy().view(VALUE_TYPES[builtin.bits][1])
    tile = np.zeros((builtin.rows, builtin.columns * builtin.blocks), elements.dtype)
    rows, columns = np.mgrid[y : y + tile.shape[0], x : x + tile.shape[1]]
    inside = (rows >= 0) & (rows < elements.shape[0]) & (columns >= 0) & (columns < elements.shape[1])
    tile[inside] = elements[rows[inside], columns[inside]]
    return tile


BLOCK_SIGNATURE = ["*i8", "*i8", "i32", "i32", "i32", "i32", "i32"]

READS = {f"read-{bits}": block_builtins.reads(bits) for bits in VALUE_TYPES}
READS |= {f"transform-{bits}": block_builtins.transforms(bits) for bits in (8, 16)}
READS |= {f"transpose-{bits}": block_builtins.transposes(bits) for bits in (32, 64)}


@pytest.mark.parametrize("builtins", READS.values(), ids=READS.keys())
def test_block_reads(request, runtime, builtins):
    """Every shape at every corner: the order of the values, and zeros outside of the surface.

    The OpenCL runtime takes long to compile them, and longer if they share a kernel: a third, other than in a long run.
    """
    if runtime.name == "opencl" and not request.config.getoption("--full"):
        builtins = builtins[::3]
    # Rows above and below keep out-of-bounds accesses of a wrong emulation in allocated memory.
    memory = aligned(3 * HEIGHT * PITCH, seed=1)
    surface = memory[HEIGHT * PITCH :][: HEIGHT * PITCH]
    assert surface.ctypes.data % 64 == 0
    for builtin in builtins:
        launch = load(runtime, block_kernel([builtin]), "blocks")
        for x_byte, y in CORNERS:
            x = x_byte * 8 // builtin.bits
            values = np.full(builtin.count * LANES * builtin.value_bits // 8, 0xA5, np.uint8)
            launch(BLOCK_SIGNATURE, surface, values, WIDTH, HEIGHT, PITCH, x, y)
            expected = builtin.lanes(cut(surface, builtin, x, y))
            actual = values.view(expected.dtype).reshape(expected.shape)
            np.testing.assert_array_equal(actual, expected, f"{builtin} at byte {x_byte}, row {y}")


@pytest.mark.parametrize("bits", VALUE_TYPES)
def test_block_writes(runtime, bits):
    """Every shape at every corner: what lies outside of the surface keeps its content."""
    builtins = block_builtins.writes(bits)
    stride = 3 * HEIGHT * PITCH
    launch = load(runtime, block_kernel(builtins, surface_stride=stride), "blocks")
    sizes = [builtin.count * LANES * builtin.value_bits // 8 for builtin in builtins]
    values = aligned(sum(sizes), seed=2)
    for x_byte, y in CORNERS:
        x = x_byte * 8 // bits
        memory = aligned(stride * len(builtins), seed=3)
        expected = memory.copy()
        launch(BLOCK_SIGNATURE, memory[HEIGHT * PITCH :], values, WIDTH, HEIGHT, PITCH, x, y)
        for index, (builtin, part) in enumerate(zip(builtins, np.split(values, np.cumsum(sizes)[:-1]), strict=True)):
            surface = expected[index * stride + HEIGHT * PITCH :][: HEIGHT * PITCH].reshape(HEIGHT, PITCH)
            tile = part.reshape(builtin.rows, -1)
            for row in range(builtin.rows):
                for column in range(tile.shape[1]):
                    if 0 <= y + row < HEIGHT and 0 <= x_byte + column < WIDTH:
                        surface[y + row, x_byte + column] = tile[row, column]
        np.testing.assert_array_equal(memory, expected, f"{bits} bits at byte {x_byte}, row {y}")


def test_prefetches_touch_nothing(runtime):
    launch = load(runtime, block_kernel(block_builtins.prefetches()), "blocks")
    launch(BLOCK_SIGNATURE, 0, 0, WIDTH, HEIGHT, PITCH, 0, 0)


def test_address_bits_below_a_cache_line_are_ignored(runtime):
    """A message has no such bits; who passes them must see the wrong data here too."""
    builtin = Builtin("read", 16, 8, 16, 1)
    launch = load(runtime, block_kernel([builtin]), "blocks")
    surface = aligned(HEIGHT * PITCH, seed=4)
    values = np.zeros((8, LANES), np.uint16)
    launch(BLOCK_SIGNATURE, surface[32:], values, WIDTH, HEIGHT, PITCH, 2, 1)
    np.testing.assert_array_equal(values, builtin.lanes(cut(surface, builtin, 2, 1)))


# ---------------------------------------------------------------------------------------------------------------------
# DPAS
# ---------------------------------------------------------------------------------------------------------------------

#: Name -> (parameter letters of A, B, C; bits of an element; value of A that holds one row).
MADS = {
    "bf16_bf16_matrix_mad_k16-f32": ("s", "i", "f", 16),
    "bf16_bf16_matrix_mad_k16-bf16": ("s", "i", "s", 16),
    "f16_f16_matrix_mad_k16-f32": ("s", "i", "f", 16),
    "f16_f16_matrix_mad_k16-f16": ("s", "i", "Dh", 16),
    "tf32_tf32_matrix_mad_k8-f32": ("f", "f", "f", 32),
    # Products of all bits, which no driver has; of those of 16 elements a value of A holds one row.
    "f32_f32_matrix_mad_k8-f32": ("f", "f", "f", 32),
    "f32_f32_matrix_mad_k16-f32": ("f", "f", "f", 32),
    "i8_i8_matrix_mad_k32-i32": ("s", "i", "i", 8),
    "i8_u8_matrix_mad_k32-i32": ("s", "j", "i", 8),
    "u8_i8_matrix_mad_k32-i32": ("t", "i", "i", 8),
    "u8_u8_matrix_mad_k32-i32": ("t", "j", "i", 8),
    # These are for sub-groups of 8, whose lanes have 32 bits of A.
    "bf16_bf16_matrix_mad_k16-f32-half": ("i", "i", "f", 16),
    "f16_f16_matrix_mad_k16-f32-half": ("i", "i", "f", 16),
    "i8_i8_matrix_mad_k32-i32-half": ("i", "i", "i", 8),
}
#: 8-bit floats; the operands of a product may be of two kinds.
FLOAT8 = {"e5m2": torch.float8_e5m2, "e4m3": torch.float8_e4m3fn}
MADS |= {
    f"{a}_{b}_matrix_mad_k32-{c}": ("s", "i", letter, 8)
    for a in FLOAT8
    for b in FLOAT8
    for c, letter in (("f32", "f"), ("bf16", "s"))
}
LLVM_TYPES = {"s": "i16", "t": "i16", "i": "i32", "j": "i32", "f": "float", "Dh": "half"}


def lanes_of(family: str) -> int:
    """Return the lanes of a sub-group, which are the columns of its products."""
    return LANES // 2 if family.endswith("-half") else LANES


def depth_of(family: str) -> int:
    """Return the length of sums."""
    return int(family.split("_k")[1].split("-")[0])


def rows_of_value(family: str) -> int:
    """Return the rows of A that all lanes of a value hold."""
    return max(1, LANES // depth_of(family)) if MADS[family][3] == 32 else 1


def mad_kernel(family: str, rows: int) -> str:
    """Return LLVM IR that multiplies fragments of A, B and C; the result replaces C."""
    letters = MADS[family][:3]
    dwords = depth_of(family) * MADS[family][3] // 32
    lengths = (max(1, rows // rows_of_value(family)), dwords, rows)
    name = "intel_sub_group_" + family.split("-")[0]
    types, parts, substitutions = [], [], []
    for letter, length in zip(letters, lengths, strict=True):
        types.append(LLVM_TYPES[letter] if length == 1 else f"<{length} x {LLVM_TYPES[letter]}>")
        mangled = letter if length == 1 else f"Dv{length}_{letter}"
        if length > 1 and mangled in substitutions:
            index = substitutions.index(mangled)
            parts.append("S_" if index == 0 else f"S{index - 1}_")
        else:
            parts.append(mangled)
            substitutions += [mangled] if length > 1 else []
    callee = f"_Z{len(name)}{name}{''.join(parts)}"
    operands = "".join(
        f"  %p.{operand} = getelementptr {llvm_type}, ptr addrspace(1) %{operand}, i64 %lane\n"
        f"  %v.{operand} = load {llvm_type}, ptr addrspace(1) %p.{operand}, align 2\n"
        for operand, llvm_type in zip("abc", types, strict=True)
    )
    return f"""target triple = "spirv64-unknown-unknown"
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func {types[2]} @{callee}({", ".join(types)})
define spir_kernel void @mad(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c)
    !intel_reqd_sub_group_size !0 {{
  %lane32 = call spir_func i32 @_Z22get_sub_group_local_idv()
  %lane = zext i32 %lane32 to i64
{operands}  %r = call spir_func {types[2]} @{callee}({types[0]} %v.a, {types[1]} %v.b, {types[2]} %v.c)
  store {types[2]} %r, ptr addrspace(1) %p.c, align 2
  ret void
}}
!0 = !{{i32 {lanes_of(family)}}}
"""


def fragment_a(matrix: np.ndarray, lanes: int) -> np.ndarray:
    """Return values of A per lane: [lane, value], from a matrix of bit patterns."""
    rows = matrix.shape[0]
    if lanes == LANES // 2:  # whole dwords
        return np.ascontiguousarray(matrix).view(np.uint32).T.copy()
    if matrix.itemsize == 1:  # two neighbouring columns in a value
        return np.ascontiguousarray(matrix).view(np.uint16).T.copy()
    if matrix.itemsize == 2:
        return matrix.T.copy()
    missing = -rows % (LANES // matrix.shape[1])
    padded = np.concatenate([matrix, np.full((missing, matrix.shape[1]), 0x7F7F7F7F, np.uint32)])
    return padded.reshape(-1, LANES).T.copy()


def fragment_b(matrix: np.ndarray) -> np.ndarray:
    """Return values of B per lane: 32 bits of the lane's column each."""
    return np.ascontiguousarray(matrix.T).view(np.uint32)


def bits_of(matrix: np.ndarray, family: str, operand: int = 0) -> np.ndarray:
    """Return bit patterns of floats in the type of A or B."""
    if dtype := FLOAT8.get(family.split("_")[operand]):
        return torch.from_numpy(matrix).to(dtype).view(torch.uint8).numpy()
    if family.startswith("bf16"):
        return torch.from_numpy(matrix).to(torch.bfloat16).view(torch.uint16).numpy()
    if family.startswith("f16"):
        return matrix.astype(np.float16).view(np.uint16)
    return matrix.astype(np.float32).view(np.uint32)


def run_mad(runtime: Runtime, family: str, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Return A * B + C for matrices of bit patterns; a sub-group has a lane per column."""
    values = np.ascontiguousarray(c.T)
    lanes = lanes_of(family)
    launch = load(runtime, mad_kernel(family, len(a)), "mad")
    launch(["*i8", "*i8", "*i8"], fragment_a(a, lanes), fragment_b(b), values, work_group=lanes)
    return values.T


#: Products that no instruction computes.
EXACT_MADS = [family for family in MADS if family.startswith("f32")]
INTEGER_MADS = [family for family in MADS if "-i32" in family]
FLOAT_MADS = [family for family in MADS if family not in INTEGER_MADS]


@pytest.mark.pairwise
@pytest.mark.parametrize("rows", [1, 2, 4, 8])
@pytest.mark.parametrize("family", FLOAT_MADS)
def test_float_mad_is_exact_on_integers(runtime, family, rows):
    """Small integers leave nothing to round, except in a 16-bit accumulator at the end."""
    depth = depth_of(family)
    random = np.random.default_rng(rows)
    # e5m2 has no odd numbers beyond.
    limit = 7 if "e5m2" in family else 15
    a = random.integers(-limit, limit + 1, (rows, depth)).astype(np.float32)
    b = random.integers(-limit, limit + 1, (depth, lanes_of(family))).astype(np.float32)
    c = random.integers(-128, 129, (rows, lanes_of(family))).astype(np.float32)
    a_bits, b_bits = bits_of(a, family), bits_of(b, family, 1)
    if family.startswith("tf32"):  # bits that it does not have
        a_bits, b_bits = a_bits | 0x1FFF, b_bits | 0x1ABC
    exact = torch.from_numpy(a.astype(np.float64) @ b + c)
    dtype = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[family.split("-")[1]]
    accumulator = torch.from_numpy(c).to(dtype)
    unsigned = torch.uint32 if dtype == torch.float32 else torch.uint16
    actual = run_mad(runtime, family, a_bits, b_bits, accumulator.view(unsigned).numpy())
    np.testing.assert_array_equal(actual, exact.to(dtype).view(unsigned).numpy())


@pytest.mark.parametrize("family", FLOAT_MADS)
def test_float_mad_rounds_to_f32_at_each_step(runtime, family):
    depth = depth_of(family)
    random = np.random.default_rng(9)
    a_bits = bits_of(random.standard_normal((8, depth)).astype(np.float32), family)
    b_bits = bits_of(random.standard_normal((depth, lanes_of(family))).astype(np.float32), family, 1)
    dtype = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[family.split("-")[1]]
    c = torch.from_numpy(random.standard_normal((8, lanes_of(family)))).to(dtype)
    a, b = (as_float64(bits, family, operand) for operand, bits in enumerate((a_bits, b_bits)))
    # A product has at most 48 bits and a sum in float64 53: rounding it to f32 rounds once, or hardly ever twice.
    expected = c.to(torch.float32).numpy()
    for k in range(depth):
        expected = (expected.astype(np.float64) + np.outer(a[:, k], b[k])).astype(np.float32)
    unsigned = torch.uint32 if dtype == torch.float32 else torch.uint16
    actual = run_mad(runtime, family, a_bits, b_bits, c.view(unsigned).numpy())
    np.testing.assert_array_equal(actual, torch.from_numpy(expected).to(dtype).view(unsigned).numpy())


def as_float64(bits: np.ndarray, family: str, operand: int = 0) -> np.ndarray:
    if dtype := FLOAT8.get(family.split("_")[operand]):
        return torch.from_numpy(bits).view(dtype).double().numpy()
    if family.startswith("bf16"):
        return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if family.startswith("f16"):
        return bits.view(np.float16).astype(np.float64)
    mask = np.uint32(0xFFFFE000) if family.startswith("tf32") else np.uint32(0xFFFFFFFF)
    return (bits & mask).view(np.float32).astype(np.float64)


@pytest.mark.pairwise
@pytest.mark.parametrize("rows", [1, 2, 4, 8])
@pytest.mark.parametrize("family", INTEGER_MADS)
def test_integer_mad(runtime, family, rows):
    """Every mix of signs; sums wrap around."""
    random = np.random.default_rng(rows)
    signs = family.split("_")[:2]
    a, b = (
        random.integers(0, 256, shape, dtype=np.uint8).view(np.int8 if sign == "i8" else np.uint8)
        for sign, shape in zip(signs, ((rows, 32), (32, lanes_of(family))), strict=True)
    )
    c = random.integers(-(2**31), 2**31, (rows, lanes_of(family)), dtype=np.int64)
    expected = (a.astype(np.int64) @ b.astype(np.int64) + c).astype(np.int32)
    actual = run_mad(runtime, family, a.view(np.uint8), b.view(np.uint8), c.astype(np.int32))
    np.testing.assert_array_equal(actual, expected)


# ---------------------------------------------------------------------------------------------------------------------
# The driver's functions
# ---------------------------------------------------------------------------------------------------------------------


def native_counts(llvm_ir: str, arch: str = "pvc") -> native.InstructionCounts:
    """Count the instructions of a kernel, none of which may be a call or an access to scratch memory."""
    figures = native.compile_native(spirv(llvm_ir, "none"), arch, "256").figures
    assert figures.unknown_functions == ()
    assert figures.total.indirect_calls == 0
    assert figures.total.scratch_messages == 0
    return figures.total


@needs_ocloc
@pytest.mark.parametrize("builtins", READS.values(), ids=READS.keys())
def test_reads_are_messages(builtins):
    """Each is one message of the device."""
    assert native_counts(block_kernel(builtins)).load_block2d == len(builtins)


def has_builtin(builtin: Builtin) -> bool:
    """Return whether a builtin of the device compiler loads blocks with an address that a loop keeps.

    None loads values of 8 bits, and blocks of less than a register keep their form (KeepAddresses.cpp).
    """
    return builtin.value_bits > 8 and builtin.count * builtin.value_bits >= block_builtins.REGISTER_BYTES * 8 // LANES


KEPT_READS = {name: kept for name, builtins in READS.items() if (kept := [*filter(has_builtin, builtins)])}


@needs_ocloc
@pytest.mark.parametrize("builtins", KEPT_READS.values(), ids=KEPT_READS.keys())
def test_reads_in_loops(builtins):
    """The machine code of loads whose addresses a loop keeps, in all shapes: the order of the values, and zeros."""
    # A load alone in a loop has an address that the compiler keeps itself.
    builtins = builtins * 2
    rounds = 3
    registers = '"triton-xe-live-bytes"="640" "triton-xe-registers"="256"'
    binary = spirv(block_kernel(builtins, rounds=rounds, attributes=registers), "none", "pvc")
    assert b"_block_read_ap_" in binary and b"SPV_INTEL_2d_block_io" not in binary
    kernel = simulator.open_device().load_kernel(native.compile_native(binary, "pvc", "256").zebin, "blocks")
    surface = aligned(HEIGHT * PITCH, seed=4)
    sizes = [builtin.count * LANES * builtin.value_bits // 8 for builtin in builtins] * rounds
    for x_byte, y in ((0, 0), (64, 3), (-32, 5), (200, 36)):
        x = x_byte * 8 // builtins[0].bits
        values = np.full(sum(sizes), 0xA5, np.uint8)
        arguments = [(array.ctypes.data, array.nbytes) for array in (surface, values)]
        numbers = [(number % 2**32, 0) for number in (WIDTH, HEIGHT, PITCH, x, y)]
        _simulator.launch(kernel, [1, 1, 1], [LANES, 1, 1], arguments + numbers)
        parts = iter(np.split(values, np.cumsum(sizes)[:-1]))
        for row in range(y, y + rounds):
            for builtin in builtins:
                expected = builtin.lanes(cut(surface, builtin, x, row))
                actual = next(parts).view(expected.dtype).reshape(expected.shape)
                np.testing.assert_array_equal(actual, expected, f"{builtin} at byte {x_byte}, row {row}")


@needs_ocloc
@pytest.mark.parametrize("bits", VALUE_TYPES)
def test_writes_are_messages(bits):
    builtins = block_builtins.writes(bits)
    assert native_counts(block_kernel(builtins)).store_block2d == len(builtins)


@needs_ocloc
def test_prefetches_are_messages():
    builtins = block_builtins.prefetches()
    assert native_counts(block_kernel(builtins)).prefetches == len(builtins)


@needs_ocloc
@pytest.mark.parametrize("family", [family for family in MADS if family not in EXACT_MADS])
def test_mad_is_one_dpas(family):
    """8-bit floats from Xe3P on; those of sub-groups of 8 where these are."""
    is_half = lanes_of(family) != LANES
    for rows in (1, 2, 4, 8):
        for arch in ("nvl-p", "cri") if family.startswith(tuple(FLOAT8)) else ("dg2",) if is_half else ("pvc",):
            assert native_counts(mad_kernel(family, rows), arch).dpas == 1


@needs_ocloc
@pytest.mark.parametrize("arch", ["nvl-p", "cri"])
@pytest.mark.parametrize("a", FLOAT8)
@pytest.mark.parametrize("b", FLOAT8)
def test_native_dpas_has_the_kinds_of_floats(a, b, arch):
    """The instruction has B before A. Compilers for older chips take one kind for another, without a message."""
    binary = spirv(mad_kernel(f"{a}_{b}_matrix_mad_k32-f32", 8), "none")
    isa = native.compile_native(binary, arch, "256").isa_text
    kinds = {"e5m2": "bf8", "e4m3": "hf8"}
    (line,) = [line for line in isa.splitlines() if "dpas" in line]
    assert re.findall(r":(\w+)", line.split("{")[0])[2:] == [kinds[b], kinds[a]]


# ---------------------------------------------------------------------------------------------------------------------
# All of it together: the K loop of a GEMM
# ---------------------------------------------------------------------------------------------------------------------

GEMM = Path(__file__).parents[3] / "Intel" / "Target" / "SPIRV" / "gemm-kloop.ll"


@pytest.mark.parametrize(
    "runtime",
    # Intel's runtime takes half a minute for this code, whose messages it compiles for other tests as well.
    [Runtime("native"), pytest.param(Runtime("opencl"), marks=pytest.mark.full)],
    ids=lambda runtime: runtime.name,
)
def test_gemm_loop_computes_a_product(runtime):
    """Two by two work-groups of 512, K of five steps."""
    m, n, k = 512, 512, 160
    random = np.random.default_rng(5)
    a, b = (aligned(rows * columns * 2, 0).view(np.uint16).reshape(rows, columns) for rows, columns in ((m, k), (k, n)))
    a[:], b[:] = (bits_of(random.standard_normal(shape).astype(np.float32), "bf16") for shape in (a.shape, b.shape))
    c = aligned(m * n * 4, 6).view(np.float32).reshape(m, n)
    signature = ["*i8", "*i8", "*i8", "i32", "i32", "i32"]
    load(runtime, GEMM.read_text(), "gemm")(signature, a, b, c, m, n, k, grid=(n // 256, m // 256), work_group=512)
    expected = as_float64(a, "bf16") @ as_float64(b, "bf16")
    np.testing.assert_allclose(c, expected, rtol=0, atol=1e-4)


@needs_ocloc
def test_gemm_loop_fits_the_registers():
    """Loads are the three messages that the kernel requests; nothing may spill."""
    figures = native.compile_native(spirv(GEMM.read_text(), "none"), "pvc", "256").figures
    loop = figures.main_loop
    assert (loop.dpas, loop.load_block2d, loop.prefetches) == (32, 3, 1)
    assert (figures.spilled_registers, figures.scratch_bytes, figures.total.scratch_messages) == (0, 0, 0)
    assert figures.unknown_functions == ()
    assert figures.total.store_block2d == 16
    assert loop.instructions <= 80
