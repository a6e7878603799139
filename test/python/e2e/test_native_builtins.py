# SPDX-License-Identifier: MIT
"""The instructions of the GPU's compiler for single builtins, read in the text of its code.

It may drop one without a message, or put a loop or a dozen of instructions in its place.
"""

from __future__ import annotations

import re
import struct
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
from numeric.block_builtins import Builtin
from numerics import poisoned
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice
from triton.profiler.flags import flags

from triton_xe import _compiler, native

pytestmark = needs_ocloc
CHIPS = pytest.mark.parametrize("chip", ["pvc", "bmg"])
#: Elements of a block: four of each lane, with 4 sub-groups of 16.
SIZE = 256
PER_LANE = 4

#: Numbers of SPIR-V: instructions, a decoration, and the storage class of global memory.
TYPE_POINTER, ACCESS_CHAINS, DECORATE, BITCAST, BLOCK_LOAD = 32, (67, 70), 71, 124, 6231
LOAD_CONTROLS, CROSS_WORKGROUP = 6442, 5


def compile_native(kernel: Any, chip: str, pointers: str, sizes: str = "", **constants: Any) -> tuple[Any, str]:
    """Compile a kernel, and return it with its code, all of which has to be known; sizes are multiples of 16."""
    types = [f"*{kind}" for kind in pointers.split()] + sizes.split()
    names = [name for name in kernel.arg_names if name not in constants]
    signature = dict(zip(names, types, strict=True)) | dict.fromkeys(constants, "constexpr")
    hints = {(kernel.arg_names.index(name),): [["tt.divisibility", 16]] for name in names}
    source = ASTSource(kernel, signature, constants, hints)
    options = {"num_warps": 4, "num_stages": 3, "generate_native_code": True}
    options["instrumentation_mode"] = "default" if flags.instrumentation_on else ""
    compiled = triton.compile(source, target=GPUTarget("xpu", chip, 16), options=options)
    figures = compiled.metadata.native
    assert figures["unknown_functions"] == []
    assert figures["total"]["indirect_calls"] == 0
    return compiled, compiled.asm["isa"]


def messages(code: str, name: str) -> list[str]:
    """Return the names of the messages that begin like that, in the order of the code, without offsets of addresses."""
    return [found.partition(".flat[")[0] for found in re.findall(rf"// [^;\n]*; ({name}\S*)", code)]


def count(code: str, pattern: str) -> int:
    """Return the number of instructions whose text the pattern is in."""
    return len(re.findall(pattern, code))


# --- Output and clocks ------------------------------------------------------------------------------------------------


@triton.jit
def print_kernel(x, SIZE: tl.constexpr):
    tl.device_print("value", tl.load(x + tl.arange(0, SIZE)))


@CHIPS
def test_print(chip):
    """Each of the four registers of a lane is a line: one addition to the buffer's end, and what is printed."""
    _, code = compile_native(print_kernel, chip, "fp32", SIZE=SIZE)
    assert len(messages(code, "atomic_iadd")) == PER_LANE
    # The number of the text, three of the program, the lane's place, and the value: more than a vector of four.
    assert len(messages(code, "store.ugm.d32x4")) >= 2 * PER_LANE


@triton.jit
def scope_kernel(x, SIZE: tl.constexpr):
    place = x + tl.arange(0, SIZE)
    with pl.scope("load"):
        value = tl.load(place)
    with pl.scope("store"):
        tl.store(place, value + 1)


@CHIPS
def test_clock(monkeypatch, chip):
    """A reading is one move of both words of the counter, at both ends of the kernel and of each scope."""
    reading = r"mov \(2\|M0\)\s+r\S+<1>:ud\s+tm0\.0<1;1,0>:ud"
    pl.enable_semantic("triton")
    try:
        monkeypatch.setattr(flags, "instrumentation_on", True)
        compiled, code = compile_native(scope_kernel, chip, "fp32", SIZE=SIZE)
        calls = compiled.asm["llir"].count("call spir_func i64 @_Z20__spirv_ReadClockKHR")
        assert calls >= 6
        assert count(code, reading) == count(code, r"\btm0\.") == calls
        # The load is after the first of the scope's readings, the store after the first of the other's.
        load, store = code.index("load.ugm.d32x4.a64"), code.index("store.ugm.d32x4.a64")
        assert count(code[load:store], reading) >= 2
        monkeypatch.setattr(flags, "instrumentation_on", False)
        _, plain = compile_native(scope_kernel, chip, "fp32", SIZE=SIZE)
        assert count(plain, r"\btm0\.") == 0
    finally:
        pl.disable_semantic("triton")


# --- Barriers ---------------------------------------------------------------------------------------------------------

BARRIERS = """target triple = "spirv64-unknown-unknown"
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func void @_Z33__spirv_ControlBarrierArriveINTELiii(i32, i32, i32)
declare spir_func void @_Z31__spirv_ControlBarrierWaitINTELiii(i32, i32, i32)
define spir_kernel void @split(ptr addrspace(1) %x, ptr addrspace(1) %y)
    !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %place = getelementptr float, ptr addrspace(1) %x, i32 %lane
  %value = load float, ptr addrspace(1) %place, align 4
  call spir_func void @_Z33__spirv_ControlBarrierArriveINTELiii(i32 2, i32 2, i32 272)
  %root = call spir_func float @_Z4sqrtf(float %value)
  call spir_func void @_Z31__spirv_ControlBarrierWaitINTELiii(i32 2, i32 2, i32 272)
  %to = getelementptr float, ptr addrspace(1) %y, i32 %lane
  store float %root, ptr addrspace(1) %to, align 4
  ret void
}
declare spir_func float @_Z4sqrtf(float)
!0 = !{i32 16}
!1 = !{i32 128, i32 1, i32 1}
"""


@CHIPS
def test_split_barrier(chip):
    """Arriving is a message, waiting an instruction, and the code between the two stays there."""
    binary = _compiler.translate_to_spirv(_compiler.optimize_llvm_ir(BARRIERS), "none", b"")
    code = native.compile_native(binary, chip, "128").isa_text
    assert count(code, "signal barrier") == count(code, r"sync\.bar") == 1
    arrival, wait = code.index("signal barrier"), code.index("sync.bar")
    assert arrival < code.index("math.sqt") < wait < code.index("store.ugm")


# --- Conversions ------------------------------------------------------------------------------------------------------


@triton.jit
def convert_kernel(x, y, TYPE: tl.constexpr, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    tl.store(y + place, tl.load(x + place).to(TYPE))


@triton.jit
def add_kernel(x, y, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    tl.store(y + place, tl.load(x + place).to(tl.float32) + 1.0)


@CHIPS
@pytest.mark.parametrize(
    ("source", "result", "moves"),
    [
        ("fp32", "bf16", {"bf.*f": 1}),
        ("fp32", "fp16", {"hf.*f": 1}),
        ("fp16", "fp32", {"f.*hf": 1}),
        ("fp16", "bf16", {"f.*hf": 1, "bf.*f": 1}),
        ("bf16", "fp16", {"hf.*f": 1}),
    ],
)
def test_conversions(chip, source, result, moves):
    """One move for a register of results; between two types of 16 bits, by way of f32."""
    kinds = {"fp32": tl.float32, "bf16": tl.bfloat16, "fp16": tl.float16}
    _, code = compile_native(convert_kernel, chip, f"{source} {result}", TYPE=kinds[result], SIZE=SIZE)
    for types, number in moves.items():
        to, _, origin = types.partition(".*")
        pattern = rf"mov \(16\|M0\)\s+r\S+>:{to}\s+r\S+>:{origin}\s"
        assert count(code, pattern) == number * PER_LANE, types
    assert "cmp" not in code and "bfn" not in code, "the rounding uses other instructions"


@CHIPS
def test_bf16_as_an_operand(chip):
    """A sum takes bf16 as it is, or after one shift."""
    _, code = compile_native(add_kernel, chip, "bf16 fp32", SIZE=2 * SIZE)
    shifts = count(code, r"shl \(16\|M0\)\s+r\S+:ud\s+r\S+:uw\s+0x10")
    operands = count(code, r"add \(16\|M0\)\s+r\S+:f\s+[^\n]*:bf")
    assert shifts + operands == 2 * PER_LANE
    assert count(code, r"add \(16\|M0\)\s+r\S+:f ") == 2 * PER_LANE


@triton.jit
def multiply_kernel(a, b, c, M, N, K, LOAD: tl.constexpr, EVICT: tl.constexpr, STORE: tl.constexpr):
    row, column = tl.program_id(0) * 64, tl.program_id(1) * 64
    x = tl.make_block_ptr(a, (M, K), (K, 1), (row, 0), (64, 32), (1, 0))
    y = tl.make_block_ptr(b, (K, N), (1, K), (0, column), (32, 64), (0, 1))
    total = tl.zeros((64, 64), tl.float32)
    for _ in range(0, K, 32):
        left = tl.load(x, boundary_check=(0, 1), cache_modifier=LOAD, eviction_policy=EVICT)
        right = tl.load(y, boundary_check=(0, 1), cache_modifier=LOAD, eviction_policy=EVICT)
        total = tl.dot(left, right, total, input_precision="tf32")
        x, y = tl.advance(x, (0, 32)), tl.advance(y, (32, 0))
    z = tl.make_block_ptr(c, (M, N), (N, 1), (row, column), (64, 64), (1, 0))
    tl.store(z, total, boundary_check=(0, 1), cache_modifier=STORE)


def compile_product(chip: str, kind: str, load: str = "", evict: str = "", store: str = "") -> tuple[Any, str]:
    """Compile a product whose right operand is column-major."""
    return compile_native(
        multiply_kernel, chip, f"{kind} {kind} fp32", "i32 i32 i32", LOAD=load, EVICT=evict, STORE=store
    )


@CHIPS
def test_tf32(chip):
    """The array reads f32 as tf32: nothing converts it, and the loop has no other arithmetic of f32."""
    compiled, code = compile_product(chip, "fp32")
    products = count(code, r"dpas\.8x8 \(16\|M0\)\s+r\S+:f\s+r\S+:f\s+r\S+:tf32\s+r\S+:tf32")
    assert products == count(code, "dpas") == 32
    assert compiled.metadata.native["total"]["dpas"] == 32
    assert count(code, r"(?:and|bfn)\S* \(16\|M0\)\s+r\S+:ud") == 0


# --- Caches -----------------------------------------------------------------------------------------------------------

#: Modifier and policy of a load, modifier of a store, and the controls of L1 and L3 in the messages.
CONTROLS = [
    ("", "", "", "", ""),
    (".ca", "", ".wb", ".ca.ca", ""),
    (".cg", "", ".cg", ".uc.ca", ".uc.wb"),
    (".cv", "", ".wt", ".uc.uc", ".wt.wb"),
    ("", "evict_first", ".cs", ".st.ca", ".st.wb"),
    ("", "evict_last", "", "", ""),
]


@triton.jit
def copy_kernel(x, y, LOAD: tl.constexpr, EVICT: tl.constexpr, STORE: tl.constexpr, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    value = tl.load(x + place, cache_modifier=LOAD, eviction_policy=EVICT)
    tl.store(y + place, value, cache_modifier=STORE)


@CHIPS
@pytest.mark.parametrize(("load", "evict", "store", "loads", "stores"), CONTROLS)
def test_cache_controls(chip, load, evict, store, loads, stores):
    _, code = compile_native(copy_kernel, chip, "fp32 fp32", LOAD=load, EVICT=evict, STORE=store, SIZE=SIZE)
    assert messages(code, r"load\.ugm\.d32x4\.a64") == ["load.ugm.d32x4.a64" + loads]
    assert messages(code, r"store\.ugm") == ["store.ugm.d32x4.a64" + stores]


@CHIPS
@pytest.mark.parametrize(("load", "evict", "store", "loads", "stores"), CONTROLS)
def test_cache_controls_of_blocks(chip, load, evict, store, loads, stores):
    """Plain and transposing loads, and stores, have their controls; prefetches fill both caches."""
    _, code = compile_product(chip, "bf16", load, evict, store)
    prefetch = re.compile(r"send\.ugm \(1\|M0\)\s+null\s.*load_block2d")
    prefetches = "\n".join(line for line in code.splitlines() if prefetch.search(line))
    others = "\n".join(line for line in code.splitlines() if not prefetch.search(line))
    assert set(messages(others, "load_block2d")) == {f"load_block2d.ugm.{kind}.a64{loads}" for kind in ("d16", "d32t")}
    assert set(messages(others, "store_block2d")) == {f"store_block2d.ugm.d32.a64{stores}"}
    assert set(messages(prefetches, "load_block2d")) == {"load_block2d.ugm.d16.a64.ca.ca"}


BLOCK = """target triple = "spirv64-unknown-unknown"
{declaration}
define spir_kernel void @block(ptr addrspace(1) %p, ptr addrspace(1) %q)
    !intel_reqd_sub_group_size !0 !reqd_work_group_size !0 {{
  %to = alloca [16 x i32]
  {call}{controls}
  %x = load i32, ptr %to, align 4
  store i32 %x, ptr addrspace(1) %q, align 4
  ret void
}}
!0 = !{{i32 16, i32 1, i32 1}}
!1 = !{{!2, !3}}
!2 = !{{i32 6442, i32 0, i32 2, i32 4}}
!3 = !{{i32 6442, i32 1, i32 1, i32 4}}
"""


def change_types(binary: bytes) -> bytes:
    """Moves decorations of SPIR-V to a pointer of another type, between two bitcasts before the block load."""
    words = struct.unpack(f"<{len(binary) // 4}I", binary)
    parts, place = [], 5
    while place < len(words):
        parts.append(list(words[place : place + (words[place] >> 16)]))
        place += words[place] >> 16
    (decorated,) = {part[1] for part in parts if part[0] & 0xFFFF == DECORATE and part[2] == LOAD_CONTROLS}
    (chain,) = [part for part in parts if part[0] & 0xFFFF in ACCESS_CHAINS and part[2] == decorated]
    pointers = [part for part in parts if part[0] & 0xFFFF == TYPE_POINTER and part[2] == CROSS_WORKGROUP]
    other, last = next(part[1] for part in pointers if part[1] != chain[1]), words[3]
    for part in parts:
        if part[0] & 0xFFFF == DECORATE and part[1] == decorated:
            part[1] = last
        if part[0] & 0xFFFF == BLOCK_LOAD and part[5] == decorated:
            part[5] = last + 1
    place = parts.index(chain) + 1
    parts[place:place] = [
        [4 << 16 | BITCAST, other, last, decorated],
        [4 << 16 | BITCAST, chain[1], last + 1, last],
    ]
    changed = [*words[:3], last + 2, words[4], *(word for part in parts for word in part)]
    return struct.pack(f"<{len(changed)}I", *changed)


@CHIPS
@pytest.mark.parametrize(
    "message",
    [Builtin("read", 16, 8, 16, 1), Builtin("read_transpose", 32, 16, 8, 1), Builtin("read_transpose", 32, 8, 8, 1)],
    ids=lambda message: f"{message.operation}-{message.rows}",
)
def test_pointers_with_cache_controls(chip, message):
    """The compiler does not look for them after a change of the pointer's type (DecorateCacheControls.cpp)."""
    surface = "ptr addrspace(1) %p, i32 64, i32 8, i32 128, <2 x i32> zeroinitializer"

    def translate(controls: str) -> bytes:
        call = message.call(surface, "ptr %to")
        text = BLOCK.format(declaration=message.declaration, call=call, controls=controls)
        return _compiler.translate_to_spirv(_compiler.optimize_llvm_ir(text), "none", b"")

    def read(binary: bytes) -> list[str]:
        return messages(native.compile_native(binary, chip, "128").isa_text, "load_block2d")

    plain = f"load_block2d.ugm.{'d16' if message.operation == 'read' else 'd32t'}.a64"
    decorated = translate(", !spirv.DecorationCacheControlINTEL !1")
    assert read(translate("")) == [plain]
    assert read(decorated) == [plain + ".st.ca"]
    # Once this fails, any pointer will do.
    if message.operation == "read":
        assert read(change_types(decorated)) == [plain], "the compiler looks through changes of types"


# --- Atomic operations ------------------------------------------------------------------------------------------------


@triton.jit
def atomic_kernel(x, y, OPERATION: tl.constexpr, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    value = tl.load(y + place)
    if OPERATION == "add":
        tl.atomic_add(x + place, value)
    else:
        tl.atomic_max(x + place, value)


@CHIPS
@pytest.mark.parametrize(("kind", "width"), [("fp32", "d32"), ("fp64", "d64")])
def test_atomic_sums(chip, kind, width):
    """One message for a register of results, and no loop."""
    _, code = compile_native(atomic_kernel, chip, f"{kind} {kind}", OPERATION="add", SIZE=SIZE)
    assert messages(code, "atomic_") == [f"atomic_fadd.ugm.{width}.a64"] * PER_LANE
    assert count(code, r"\b(?:while|goto|jmpi)\b") == 0


@CHIPS
@pytest.mark.parametrize("kind", ["fp16", "bf16"])
def test_atomic_sums_of_16_bits(chip, kind):
    """The chips have no such message: a loop exchanges words, as long as other work-items change them."""
    _, code = compile_native(atomic_kernel, chip, f"{kind} {kind}", OPERATION="add", SIZE=SIZE)
    assert messages(code, "atomic_") == ["atomic_icas.ugm.d32.a64"] * PER_LANE
    assert count(code, r"\b(?:while|goto|jmpi)\b") >= PER_LANE


@CHIPS
@pytest.mark.parametrize(("kind", "width"), [("fp32", "d32"), ("fp64", "d64")])
def test_atomic_maxima(chip, kind, width):
    """They are those of integers, on the bits: for negative numbers the smallest one without a sign."""
    _, code = compile_native(atomic_kernel, chip, f"{kind} {kind}", OPERATION="max", SIZE=SIZE)
    expected = [f"atomic_{name}.ugm.{width}.a64" for name in ("smax", "umin") for _ in range(PER_LANE)]
    assert messages(code, "atomic_") == expected


@triton.jit
def keep_zero(x, y, FUNCTION: tl.constexpr):
    at = tl.arange(0, 16)
    value = tl.load(x + at)
    if FUNCTION == "floor":
        value = tl.floor(value)
    elif FUNCTION == "ceil":
        value = tl.ceil(value)
    elif FUNCTION == "expm1":
        value = libdevice.expm1(value)
    else:
        value = tl.sin(value)
    tl.store(y + at, value)


@pytest.mark.pairwise
@pytest.mark.parametrize("chip", ["pvc", "bmg"])
@pytest.mark.parametrize("function", ["floor", "ceil", "expm1", "sin"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_signs_of_zeros(function, dtype, chip):
    """Functions of -0 are -0, except for those of the device compiler that docs/Builtins.md lists: when one of these is
    mended there, this test fails, and the entry has to go."""
    x, y, wrong = torch.full((16,), -0.0, dtype=dtype), poisoned((16,), dtype), poisoned((16,), dtype)
    x[::2] = 0.0
    keep_zero[(1,)](x, y, function, num_warps=1)
    assert torch.equal(y, x) and torch.equal(torch.signbit(y), torch.signbit(x))
    keep_zero[(1,)](x, wrong, function, num_warps=1, cpu_code="zebin", arch=chip)
    loses_sign = (function == "sin") == (dtype is torch.float32)
    expected = torch.zeros(16, dtype=dtype) if loses_sign else x
    assert torch.equal(wrong, x) and torch.equal(torch.signbit(wrong), torch.signbit(expected))
