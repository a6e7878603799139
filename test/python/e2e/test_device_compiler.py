# SPDX-License-Identifier: MIT
"""The compiler of GPU drivers as a program: which one is used, and the faults of it that are avoided."""

from __future__ import annotations

import functools
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from kernel_suite import CASES
from numeric.blocks.test_descriptor_flow import moving_kernel
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

from triton_xe import _simulator, compiler, device_compiler, errors, native, refusals
from triton_xe import options as xe_options
from triton_xe.cpu import simulator
from triton_xe.tools import command_line
from triton_xe.xpu.compiler import XPUBackend

#: A program that reports a version, as the old ones do: in a file.
OLD = "#!/bin/sh\nprintf 22.43.24595 > OCL_DRIVER_VERSION\n"
NEW = "#!/bin/sh\necho 99.01.000007\n"


def write_program(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "ocloc"
    program.write_text(text)
    program.chmod(0o755)
    return program


@pytest.fixture
def elsewhere(tmp_path, monkeypatch) -> Path:
    """No compiler is installed in a folder, and the PATH has none."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.delenv("TRITON_XE_OCLOC", raising=False)
    device_compiler._find.cache_clear()
    yield tmp_path
    device_compiler._find.cache_clear()


def test_none(elsewhere) -> None:
    """The remedy is reported, by the error and by the table of installed tools."""
    with pytest.raises(errors.ToolError, match=r"`ocloc` 26.27 or newer is needed.*`triton-xe install-compiler`"):
        device_compiler.find()


def test_old_one_on_the_path(elsewhere) -> None:
    """One of 2022 is not used, unless it is requested by name."""
    program = write_program(elsewhere / "path", OLD)
    with pytest.raises(errors.ToolError, match=r"is 22\.43\.24595; .*TRITON_XE_OCLOC names another one"):
        device_compiler.find()
    assert device_compiler._find(str(program), None).version == "22.43.24595"


def test_order(elsewhere, monkeypatch) -> None:
    """The user's word, then the PATH, then the folders: this environment's, and the user's own."""
    first, second = device_compiler.PACKAGES.folders()
    write_program(second / "bin", NEW)
    assert device_compiler.find().origin == str(second)
    device_compiler._find.cache_clear()
    write_program(first / "bin", NEW)
    assert device_compiler.find().origin == str(first)
    write_program(elsewhere / "path", NEW)
    assert device_compiler.find().origin == "PATH"
    monkeypatch.setenv("TRITON_XE_OCLOC", str(write_program(elsewhere / "own", OLD)))
    found = device_compiler.find()
    assert (found.origin, found.version, found.iga64) == ("TRITON_XE_OCLOC", "22.43.24595", "")
    with pytest.raises(errors.ToolError, match="`iga64` is needed"):
        found.run_iga64("-d")


@pytest.mark.parametrize(
    ("text", "message"),
    [("#!/bin/sh\nexit 3\n", "no `ocloc`"), (None, "is no program"), ("#!/no/shell\n", "cannot run")],
)
def test_no_compiler(elsewhere, monkeypatch, text: str | None, message: str) -> None:
    program = elsewhere / "ocloc" if text is None else write_program(elsewhere, text)
    monkeypatch.setenv("TRITON_XE_OCLOC", str(program))
    with pytest.raises(errors.ToolError, match=message):
        device_compiler.find()


def test_installation_without_apt(elsewhere, capsys) -> None:
    """The packages are named, and nothing remains."""
    assert command_line.main(["install-compiler", "--folder", str(elsewhere / "new" / "compiler")]) == 1
    assert "intel-ocloc, libigc2" in capsys.readouterr().err
    assert list((elsewhere / "new").iterdir()) == []


def test_failing_installation_keeps_the_old_one(elsewhere, monkeypatch, capsys) -> None:
    """Where packages cannot be fetched, the text of apt is reported, and the old one stays."""
    for tool in ("apt-get", "dpkg-deb"):
        write_program(elsewhere / "path", "").rename(elsewhere / "path" / tool)
    (elsewhere / "path" / "apt-get").write_text("#!/bin/sh\necho 'E: no route' >&2\nexit 100\n")
    kept = write_program(elsewhere / "compiler" / "bin", NEW)
    arguments = ["install-compiler", "--folder", str(elsewhere / "compiler"), "--mirror", "file:/nowhere"]
    assert command_line.main(arguments) == 1
    assert "E: no route" in capsys.readouterr().err
    assert kept.exists() and list(elsewhere.glob(".device-compiler-*")) == []


@triton.jit
def double_kernel(x, y, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y + index, tl.load(x + index) * 2 + 1)


@needs_ocloc
def test_errors_are_not_repeated() -> None:
    """The compiler reports for each instruction that `dg2` has no f64."""
    source = ASTSource(double_kernel, {"x": "*fp64", "y": "*fp64"}, {"SIZE": 256})
    with pytest.raises(errors.TritonXeError) as raised:
        triton.compile(source, target=GPUTarget("xpu", "dg2", 16), options={"generate_native_code": True})
    assert str(raised.value).count("Double type is not supported") == 1


@needs_ocloc
def test_version_is_part_of_the_key() -> None:
    """Native code of another version is another kernel; without native code the version does not matter."""
    source = CASES["softmax/row_softmax-dtype_float32"].launches()[0].source()[0]
    target = GPUTarget("xpu", "pvc", 16)
    compiled = triton.compile(source, target=target, options={"generate_native_code": True})
    assert compiled.metadata.device_compiler == device_compiler.find().version
    assert triton.compile(source, target=target).metadata.device_compiler == ""


# ----------------------------------------------------------------------------------------------------------------------
# Faults that are avoided: the table is in docs/DeviceCompiler.md
# ----------------------------------------------------------------------------------------------------------------------


def single_lanes(isa: str) -> list[str]:
    """Return moves of one lane of what a 2D block message has brought, which brings all lanes of a row."""
    found = []
    loaded: set[str] = set()
    for line in isa.splitlines():
        text = native.without_predicate(line.strip())
        operands = re.search(r"\)\s+(r\d+)", text)
        if "load_block2d" in text and operands:
            loaded.add(operands[1])
            continue
        moved = re.match(r"mov \(1\|M0\)\s+r\d+\.\d+<1>:u?w\s+(r\d+)\.\d+<0;1,0>:u?w", text)
        if moved and moved[1] in loaded:
            found.append(line)
        if operands:
            loaded.discard(operands[1])
    return found


#: The smallest function of which compilation does not end.
FLAG_FUNCTION = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
define spir_kernel void @kernel(ptr addrspace(1) %to, i64 %a) !intel_reqd_sub_group_size !0 {
  %b = icmp slt i64 %a, 5
  %one = insertvalue {i64, i1} poison, i64 %a, 0
  %both = insertvalue {i64, i1} %one, i1 %b, 1
  %result = call spir_func i64 @function({i64, i1} %both)
  store i64 %result, ptr addrspace(1) %to
  ret void
}
define internal spir_func i64 @function({i64, i1} %both) noinline {
  %number = extractvalue {i64, i1} %both, 0
  %flag = extractvalue {i64, i1} %both, 1
  %result = select i1 %flag, i64 %number, i64 7
  ret i64 %result
}
!0 = !{i32 16}
"""


@triton.jit(noinline=True)
def order(a, b):
    if a > b:
        return b, True
    return a, False


@triton.jit
def order_kernel(x, y, n, SIZE: tl.constexpr):
    for i in range(n):
        least, swapped = order(tl.load(x + i), tl.load(x + n - 1 - i))
        tl.store(y + i, tl.where(swapped, -least, least))


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_flags_of_functions(arch: str) -> None:
    """A function of several values, one of which is a flag, is no function of the binary (InlineStructures.cpp)."""
    x, y = torch.randn(33), torch.empty(33)
    order_kernel[(1,)](x, y, 33, SIZE=16, cpu_code="zebin", arch=arch)
    other = x.flip(0)
    assert torch.equal(y, torch.where(x > other, -other, x))


@needs_ocloc
def test_a_function_with_a_flag(tmp_path: Path) -> None:
    """Once this fails, the compiler is mended, and the pass can go. SPIR-V for the CPU device has the function.

    The part of the compiler that does not end is the same for all chips.
    """
    arch = "pvc"
    options = XPUBackend(GPUTarget("xpu", arch, 16)).parse_options({})
    (tmp_path / "kernel.spv").write_bytes(compiler.translate_to_spirv(FLAG_FUNCTION, "emulation", options))
    command = [device_compiler.find().ocloc, "compile", "-spirv_input", "-file", "kernel.spv", "-device", arch]
    # A kernel of this size takes a tenth of a second. Two seconds of processor time pass on any machine alike.
    limited = ["sh", "-c", 'ulimit -S -t 2; exec "$@"', "sh", *command]
    result = subprocess.run(limited, cwd=tmp_path, capture_output=True, check=False)
    assert result.returncode == -signal.SIGXCPU, result.stdout


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_fields_of_results(arch: str) -> None:
    """Two block pointers that a function returns stay two, also if a branch assigns one to the other
    (InlineStructures.cpp)."""
    x, y, out = torch.arange(512.0).view(16, 32), torch.arange(512.0, 1024.0).view(16, 32), torch.zeros(48, 32)
    sizes = (0, 16, 32, 32, 16, 32, 32)
    moving_kernel[(1,)](x, y, out, *sizes, ROWS=16, COLUMNS=32, num_warps=1, cpu_code="zebin", arch=arch)
    assert torch.equal(out[:32], torch.cat([x, y]))
    # Once this fails, the compiler is mended, and the pass can go. SPIR-V for the CPU device has the function.
    signature = dict.fromkeys(moving_kernel.arg_names, "i32") | dict.fromkeys(["x", "y", "out"], "*fp32")
    source = ASTSource(moving_kernel, signature, {"ROWS": 16, "COLUMNS": 32})
    options = {"num_warps": 1}
    compiled = triton.compile(source, target=GPUTarget("xpu", arch, 16), options=options)
    parsed = XPUBackend(GPUTarget("xpu", arch, 16)).parse_options(options)
    binary = compiler.translate_to_spirv(compiled.asm["llir"], "emulation", parsed)
    faulty = native.compile_native(binary, arch, "128", compiled.metadata.name)
    kernel = simulator.open_device().load_kernel(faulty.zebin, compiled.metadata.name)
    out.zero_()
    arguments = [(tensor.data_ptr(), tensor.nbytes) for tensor in (x, y, out)] + [(size, 0) for size in sizes]
    _simulator.launch(kernel, [1, 1, 1], [16, 1, 1], arguments)
    assert torch.equal(out[:16], y), f"ocloc {faulty.compiler} no longer needs InlineStructures.cpp for results"


#: The smallest kernel that converts f64 of several values to f32.
DOUBLES = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i32 @_Z22get_sub_group_local_idv()
define spir_kernel void @kernel(ptr addrspace(1) %from, ptr addrspace(1) %to) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %x = getelementptr <2 x double>, ptr addrspace(1) %from, i32 %lane
  %wide = load <2 x double>, ptr addrspace(1) %x
  %narrow = fptrunc <2 x double> %wide to <2 x float>
  %y = getelementptr <2 x float>, ptr addrspace(1) %to, i32 %lane
  store <2 x float> %narrow, ptr addrspace(1) %y
  ret void
}
!0 = !{i32 16}
"""


@triton.jit
def narrow_kernel(x, y, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y + index, tl.load(x + index).to(y.dtype.element_ty))


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_several_doubles(arch: str) -> None:
    """Every lane gets its own numbers, rounded once (NarrowDoubles.cpp)."""
    half = torch.arange(1, 129).half()
    # In the middle between two f16, and beside it by less than f32 can show.
    x = half.double() * (1 + 2.0**-11) + torch.tensor([0, 2.0**-40, -(2.0**-40), 1.0]).repeat(32)
    for dtype in (torch.float32, torch.float16):
        y = torch.full_like(x, float("nan"), dtype=dtype)
        narrow_kernel[(1,)](x, y, 128, num_warps=1, cpu_code="zebin", arch=arch)
        assert torch.equal(y, torch.from_numpy(x.numpy().astype({torch.float32: "f4", torch.float16: "f2"}[dtype])))
    # Once this fails, the compiler is mended, and the pass can go. SPIR-V for the CPU device has the conversion.
    options = XPUBackend(GPUTarget("xpu", arch, 16)).parse_options({})
    binary = compiler.translate_to_spirv(DOUBLES, "emulation", options)
    faulty = native.compile_native(binary, arch, "128", "kernel")
    sources = [int(number) for number in re.findall(r"mov \(16\|M0\) .*:f +r(\d+)\.0<1;1,0>:df", faulty.isa_text)]
    assert sources[1] - sources[0] == 1, f"ocloc {faulty.compiler} no longer needs NarrowDoubles.cpp"


@triton.jit
def recurrences(x, decay, out, steps, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    state = tl.zeros((ROWS, COLUMNS), tl.float32)
    for step in range(steps):
        state = state * tl.load(decay + step) + tl.cumsum(tl.load(x + step * ROWS * COLUMNS + offsets), 0)
        state -= tl.max(state, 1)[:, None]
    tl.store(out + offsets, state)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_kernels_with_many_spills(arch: str) -> None:
    """More than 128 KB of scratch memory are refused, with the line of the kernel."""
    rows, columns, steps = 512, 64, 2
    x, decay, out = torch.randn(steps, rows, columns), torch.rand(steps), torch.full((rows, columns), 7.0)
    with pytest.raises(errors.DeviceCompilerRefusal, match="scratch memory of a thread") as refused:
        recurrences[(1,)](x, decay, out, steps, ROWS=rows, COLUMNS=columns, num_warps=2, cpu_code="zebin", arch=arch)
    assert refused.value.limit == refusals.SAFE_SCRATCH and "def recurrences" in str(refused.value)
    assert (out == 7).all()


#: The begin and the end of each kernel below: 16 lanes, which read and write pairs.
KERNEL = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z18get_num_sub_groupsv()
declare spir_func i64 @_Z21sub_group_shuffle_xorlj(i64, i32)
declare spir_func float @_Z19sub_group_broadcastfj(float, i32)
declare spir_func <2 x i16> @_Z27__spirv_ConvertFToBF16INTELDv2_f(<2 x float>)
declare spir_func <2 x float> @_Z27__spirv_ConvertBF16ToFINTELDv2_s(<2 x i16>)
declare spir_func i32 @_Z19sub_group_broadcastij(i32, i32)
declare spir_func i32 @_Z17sub_group_shuffleij(i32, i32)
declare spir_func i16 @_Z19sub_group_broadcastsj(i16, i32)
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(
  i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
define internal spir_func i32 @copy(i32 %number) {{
  ret i32 %number
}}
define spir_kernel void @kernel(ptr addrspace(1) %from, ptr addrspace(1) %to) !intel_reqd_sub_group_size !0 {{
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %x = getelementptr <2 x {type}>, ptr addrspace(1) %from, i32 %lane
  %pair = load <2 x {type}>, ptr addrspace(1) %x
  %a = extractelement <2 x {type}> %pair, i32 0
  %b = extractelement <2 x {type}> %pair, i32 1
{body}
  %left = insertelement <2 x {type}> poison, {type} %c, i32 0
  %result = insertelement <2 x {type}> %left, {type} %d, i32 1
  %y = getelementptr <2 x {type}>, ptr addrspace(1) %to, i32 %lane
  store <2 x {type}> %result, ptr addrspace(1) %y
  ret void
}}
!0 = !{{i32 16}}
"""


def run_pairs(body: str, element: str, x: torch.Tensor, arch: str, *, is_mended: bool) -> torch.Tensor:
    """Return a kernel's results for 16 pairs on the simulator, with the passes for device compilers, or without."""
    options = XPUBackend(GPUTarget("xpu", arch, 16)).parse_options({})
    library = "none" if is_mended else "emulation"
    binary = compiler.translate_to_spirv(KERNEL.format(type=element, body=body), library, options)
    compiled = native.compile_native(binary, arch, "128", "kernel")
    kernel = simulator.open_device().load_kernel(compiled.zebin, "kernel")
    y = torch.full_like(x, 7)
    _simulator.launch(kernel, [1, 1, 1], [16, 1, 1], [(tensor.data_ptr(), tensor.nbytes) for tensor in (x, y)])
    return y


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_bits_of_all_lanes(arch: str) -> None:
    """Reductions of i64 by AND, OR and XOR (SplitShuffles.cpp)."""
    body, value = [], "%a"
    for distance in (8, 4, 2, 1):
        body.append(f"  %s{distance} = call spir_func i64 @_Z21sub_group_shuffle_xorlj(i64 {value}, i32 {distance})")
        body.append(f"  %x{distance} = {{operation}} i64 {value}, %s{distance}")
        value = f"%x{distance}"
    body.append(f"  %c = or i64 {value}, 0\n  %d = or i64 %b, 0")
    # Some bits are those of all, so that no result is 0.
    x = torch.randint(-(2**63), 2**63 - 1, (16, 2)) | 0x7000000770000007
    x[0] ^= 7
    for operation, function in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        text = "\n".join(body).format(operation=operation)
        expected = torch.tensor([functools.reduce(function, x[:, 0].tolist())]).expand(16)
        y = run_pairs(text, "i64", x, arch, is_mended=True)
        assert torch.equal(y, torch.stack([expected, x[:, 1]], dim=1))
        # Once this fails, the compiler is mended, and the pass can go.
        faulty = run_pairs(text, "i64", x, arch, is_mended=False)
        assert not torch.equal(faulty[:, 0], expected), "ocloc no longer needs SplitShuffles.cpp"


#: Elements `%c` and `%d` of a pair that the device compiler computes wrongly, and what they are.
JOINED: dict[str, tuple[str, Callable[[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]]] = {
    "the same scalars in two orders": (
        """
  %e = fadd float %a, 1.0
  %f = fadd float %b, 1.0
  %c = fsub float %e, %f
  %d = fsub float %f, %e""",
        lambda a, b: ((a + 1) - (b + 1), (b + 1) - (a + 1)),
    ),
    "values of two lanes": (
        """
  %e = call spir_func float @_Z19sub_group_broadcastfj(float %a, i32 0)
  %f = call spir_func float @_Z19sub_group_broadcastfj(float %a, i32 1)
  %c = fadd float %e, 1.0
  %d = fadd float %f, 1.0""",
        lambda a, b: ((a[0] + 1).expand(16), (a[1] + 1).expand(16)),
    ),
    # Conversions to bf16 take whole vectors.
    "bf16 of a value for all": (
        """
  %u = insertelement <2 x float> poison, float %a, i32 0
  %w = insertelement <2 x float> %u, float %a, i32 1
  %v = fadd <2 x float> %pair, %w
  %x0 = call spir_func <2 x i16> @_Z27__spirv_ConvertFToBF16INTELDv2_f(<2 x float> %v)
  %e = extractelement <2 x float> %v, i32 1
  %t = insertelement <2 x float> poison, float %e, i32 0
  %s = insertelement <2 x float> %t, float %e, i32 1
  %r = fadd <2 x float> %pair, %s
  %x1 = call spir_func <2 x i16> @_Z27__spirv_ConvertFToBF16INTELDv2_f(<2 x float> %r)
  %y0 = call spir_func <2 x float> @_Z27__spirv_ConvertBF16ToFINTELDv2_s(<2 x i16> %x0)
  %y1 = call spir_func <2 x float> @_Z27__spirv_ConvertBF16ToFINTELDv2_s(<2 x i16> %x1)
  %z = fadd <2 x float> %y0, %y1
  %c = extractelement <2 x float> %z, i32 0
  %d = extractelement <2 x float> %z, i32 1""",
        lambda a, b: (4 * a + b, 2 * a + 3 * b),
    ),
    # `%e, %g` is put together, and replaced by `%e, %f` later.
    "the first scalar of another pair": (
        """
  %e = fadd float %a, 1.0
  %f = fadd float %b, 1.0
  %g = fmul float %f, 3.0
  %h = fsub float 5.0, %e
  %i = fsub float 5.0, %g
  %c = fmul float %e, %h
  %d = fmul float %f, %i""",
        lambda a, b: ((a + 1) * (5 - (a + 1)), (b + 1) * (5 - (b + 1) * 3)),
    ),
    # `%h` is computed in the register of `%e` before the values of its lanes are used.
    "values of two lanes of a register that is overwritten": (
        """
  %e = fadd float %a, 1.0
  %f = call spir_func float @_Z19sub_group_broadcastfj(float %e, i32 0)
  %g = call spir_func float @_Z19sub_group_broadcastfj(float %e, i32 1)
  %h = fmul float %e, %b
  %i = fmul float %a, %f
  %j = fmul float %b, %g
  %c = fadd float %i, %h
  %d = fadd float %j, %h""",
        lambda a, b: (a * (a[0] + 1) + (a + 1) * b, b * (a[1] + 1) + (a + 1) * b),
    ),
}


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("case", JOINED)
def test_scalars_that_are_joined(case: str, arch: str) -> None:
    """Elements of a pair that the compiler would join, and take other scalars for (CopyFirstElements.cpp)."""
    # Small integers, so that every number is exact.
    x = torch.randint(-50, 50, (16, 2)).float()
    body, function = JOINED[case]
    expected = torch.stack(function(x[:, 0], x[:, 1]), dim=1)
    assert torch.equal(run_pairs(body, "float", x, arch, is_mended=True), expected)
    # Once this fails, the compiler is mended, and the pass can go.
    faulty = run_pairs(body, "float", x, arch, is_mended=False)
    assert not torch.equal(faulty, expected), "ocloc no longer needs CopyFirstElements.cpp"


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_extended_results_of_assembly(arch: str) -> None:
    """Results of 32 and 16 bits, as numbers of 64 bits (ExtendNumbers.cpp)."""
    x = torch.randint(-(2**63), 2**63 - 1, (16, 2))
    body = (
        '  %u = trunc i64 %a to i32\n  %v = call i32 asm "\\0A", "=rw,0"(i32 %u)\n  %c = zext i32 %v to i64\n'
        '  %s = trunc i64 %b to i16\n  %t = call i16 asm "\\0A", "=rw,0"(i16 %s)\n  %w = zext i16 %t to i32\n'
        "  %d = sext i32 %w to i64"
    )
    expected = x & torch.tensor([2**32 - 1, 2**16 - 1])
    assert torch.equal(run_pairs(body, "i64", x, arch, is_mended=True), expected)


#: Ways to use `%e`, a value of lane 3, by its lowest byte as a signed number.
BYTES = {
    "extended": "  %t = trunc i32 %e to i8\n  %c = sext i8 %t to i32",
    "shifted": "  %t = shl i32 %e, 24\n  %c = ashr i32 %t, 24",
    "halves": "  %t = trunc i32 %e to i8\n  %s = sext i8 %t to i16\n  %c = sext i16 %s to i32",
    "reinterpreted": "  %v = bitcast i32 %e to <4 x i8>\n  %t = extractelement <4 x i8> %v, i32 0\n"
    "  %c = sext i8 %t to i32",
    "in a vector": "  %t = trunc i32 %e to i8\n  %s = sext i8 %t to i32\n  %u = trunc i32 %b to i8\n"
    "  %v = insertelement <4 x i8> zeroinitializer, i8 %t, i32 0\n  %w = insertelement <4 x i8> %v, i8 %u, i32 1\n"
    "  %q = bitcast <4 x i8> %w to i32\n  %l = shl i32 %q, 24\n  %c = ashr i32 %l, 24",
    "of a vector": "  %u = insertelement <2 x i32> poison, i32 %b, i32 0\n"
    "  %v = insertelement <2 x i32> %u, i32 %e, i32 1\n  %w = trunc <2 x i32> %v to <2 x i8>\n"
    "  %t = extractelement <2 x i8> %w, i32 1\n  %c = sext i8 %t to i32",
}
#: Values of lane 3: from one lane to all, by index, and as a float.
ONE_LANE = {
    "broadcast": "  %e = call spir_func i32 @_Z19sub_group_broadcastij(i32 %a, i32 3)\n",
    "shuffle": "  %e = call spir_func i32 @_Z17sub_group_shuffleij(i32 %a, i32 3)\n",
    "16 bits": "  %h = trunc i32 %a to i16\n"
    "  %g = call spir_func i16 @_Z19sub_group_broadcastsj(i16 %h, i32 3)\n  %e = sext i16 %g to i32\n",
    "float": "  %f = bitcast i32 %a to float\n"
    "  %g = call spir_func float @_Z19sub_group_broadcastfj(float %f, i32 3)\n  %e = bitcast float %g to i32\n",
}


@pytest.mark.pairwise
@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("use", BYTES)
@pytest.mark.parametrize("source", ONE_LANE)
def test_bytes_of_one_lane(source: str, use: str, arch: str) -> None:
    """The lowest byte of a value of one lane, with its sign (SplitShuffles.cpp)."""
    x = torch.randint(-(2**31), 2**31 - 1, (16, 2), dtype=torch.int32)
    x[0, 0] = x[3, 0] ^ 255
    body = f"{ONE_LANE[source]}{BYTES[use]}\n  %d = or i32 %b, 0"
    expected = torch.stack([x[3, 0].to(torch.int8).int().expand(16), x[:, 1]], dim=1)
    assert torch.equal(run_pairs(body, "i32", x, arch, is_mended=True), expected)
    # Once this fails, the compiler is mended, and shuffles of 32 bits can stay whole.
    if source != "16 bits" and use != "in a vector":
        faulty = run_pairs(body, "i32", x, arch, is_mended=False)
        assert not torch.equal(faulty, expected), "ocloc no longer needs bytes of 32 bits"


@triton.jit
def exclude(a, b):
    return a ^ b


@triton.jit
def narrow_parity(x, y, ROWS: tl.constexpr):
    places = tl.arange(0, ROWS)[:, None] * 4 + tl.arange(0, 4)[None, :]
    parity = tl.reduce(tl.load(x + places), 0, exclude)[None, :] + tl.zeros([ROWS, 4], tl.uint8)
    tl.store(y + places, parity)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_narrow_parity(arch: str) -> None:
    """Bytes of four lanes, which go to one store: each column has its own."""
    x = torch.randint(0, 256, (128, 4), dtype=torch.uint8)
    y = torch.zeros_like(x)
    narrow_parity[(1,)](x, y, 128, num_warps=2, cpu_code="zebin", arch=arch)
    expected = torch.from_numpy(np.bitwise_xor.reduce(x.numpy(), axis=0))
    assert torch.equal(y, expected.expand(128, 4))


@triton.jit
def narrow_maximum(x, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows, columns = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    value = tl.load(x + rows * COLUMNS + columns, mask=rows % 4 == 1, other=0)
    largest = tl.max(value, 1).to(tl.int8)[:, None] + tl.zeros([ROWS, COLUMNS], tl.int8)
    tl.store(y + rows * COLUMNS + columns, largest.to(tl.int32))


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_narrow_maximum(arch: str) -> None:
    """The maximum of each row, as a byte that is extended again: each row has its own."""
    x = torch.randint(-50, 50, (8, 256), dtype=torch.int8)
    y = torch.full((8, 256), 77, dtype=torch.int32)
    narrow_maximum[(1,)](x, y, 8, 256, num_warps=4, cpu_code="zebin", arch=arch)
    expected = torch.where(torch.arange(8) % 4 == 1, x.amax(1).int(), 0)
    assert torch.equal(y, expected[:, None].expand(8, 256))


@triton.jit
def combine_steps(factor_a, sum_a, factor_b, sum_b):
    return factor_a * factor_b, factor_b * sum_a + sum_b


@triton.jit
def recurrence_kernel(x, y, z, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    places = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    value = tl.load(x + places)
    factors, sums = tl.associative_scan((value, value), 1, combine_steps, reverse=True)
    blank = tl.zeros([ROWS, COLUMNS], tl.int32)
    least, total, most = (
        tl.min(value, 1)[:, None] + blank,
        tl.sum(sums, 1)[:, None] + blank,
        tl.max(factors, 1)[:, None] + blank,
    )
    tl.store(z + places, least)
    tl.store(z + ROWS * COLUMNS + places, total)
    tl.store(z + 2 * ROWS * COLUMNS + places, most)
    tl.store(y + places, factors)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_values_from_the_step_before(arch: str) -> None:
    """A loop over slices, which IGC unrolls, carries a value that all elements use (CopyFirstElements.cpp)."""
    x = torch.randint(-3, 4, (16, 32), dtype=torch.int32)
    y, z = torch.full_like(x, 7), torch.full((3, 16, 32), 7, dtype=torch.int32)
    recurrence_kernel[(1,)](x, y, z, 16, 32, num_warps=1, cpu_code="zebin", arch=arch)
    factors, sums = x.clone(), x.clone()
    for column in reversed(range(31)):
        factors[:, column] = factors[:, column + 1] * x[:, column]
        sums[:, column] = x[:, column] * sums[:, column + 1] + x[:, column]
    assert torch.equal(y, factors)
    for found, row in zip(z, (x.amin(1), sums.sum(1, dtype=torch.int32), factors.amax(1)), strict=True):
        assert torch.equal(found, row[:, None].expand(16, 32))


@triton.jit
def reverse_bits_kernel(x, y, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y + index, libdevice.brev(tl.load(x + index) + index))


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_swapped_bytes(arch: str) -> None:
    """Bytes of vectors are swapped element by element (ExpandUnsupportedIntrinsics.cpp)."""
    x = torch.randint(-(2**31), 2**31 - 1, (256,), dtype=torch.int32)
    y = torch.zeros_like(x)
    reverse_bits_kernel[(1,)](x, y, 256, num_warps=1, cpu_code="zebin", arch=arch)
    bits = (x + torch.arange(256, dtype=torch.int32)).numpy().view("u1").reshape(-1, 4)
    expected = np.unpackbits(bits, axis=1, bitorder="little")[:, ::-1]
    assert np.array_equal(np.packbits(expected, axis=1, bitorder="little").view("i4")[:, 0], y.numpy())


#: Numbers of SPIR-V: OpConstant, OpSubgroup2DBlockLoadINTEL.
CONSTANT, BLOCK_LOAD = 43, 6231


def load_single_blocks(binary: bytes) -> bytes:
    """Let block loads of one row load one block: the operand for the blocks becomes that for the rows, which is 1."""
    words = list(struct.unpack(f"<{len(binary) // 4}I", binary))
    place, constants = 5, {}
    while place < len(words):
        length, opcode = words[place] >> 16, words[place] & 0xFFFF
        if opcode == CONSTANT:
            constants[words[place + 2]] = words[place + 3]
        if opcode == BLOCK_LOAD and constants[words[place + 3]] == 1:
            words[place + 4] = words[place + 3]
        place += length
    return struct.pack(f"<{len(words)}I", *words)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("columns", [16, 32])
def test_rows_of_half_a_register(columns: int, arch: str) -> None:
    """Gathered rows of 16 numbers, and of 32: all lanes of a row arrive (FillRegisters.cpp)."""
    launch = CASES["experts/mixture_of_experts-dtype_bfloat16-b_order_kn"].launches()[0]
    launch.keywords["BLOCK_K"] = columns
    target = GPUTarget("xpu", arch, 16)
    source, options = launch.source(target, generate_native_code=True)
    compiled = triton.compile(source, target=target, options=options)
    assert "(i32 2, i32 16, i32 1, i32 " in compiled.asm["llir"]
    assert single_lanes(compiled.asm["isa"]) == []
    if columns == 32:
        return
    # Once this fails, the compiler is mended, and the pass can go.
    half = load_single_blocks(compiled.asm["spv"])
    faulty = native.compile_native(half, arch, compiled.metadata.chosen_grf_mode)
    assert single_lanes(faulty.isa_text), f"ocloc {faulty.compiler} no longer needs FillRegisters.cpp"


#: Row 3 of four blocks of one row of blocks, added up, and that of four blocks on the diagonal.
BLOCKS_OF_ONE_SURFACE = """
  %v = alloca [8 x i16]
  %w = alloca [8 x i16]
  br label %before
before:
  %width = call spir_func i32 @copy(i32 128)
  %groups = call spir_func i32 @_Z18get_num_sub_groupsv()
  %end = shl i32 %groups, 2
  br label %loop
loop:
  %k = phi i32 [ 0, %before ], [ %next, %loop ]
  %c.sum = phi i16 [ 0, %before ], [ %c, %loop ]
  %d.sum = phi i16 [ 0, %before ], [ %d, %loop ]
  %column = shl i32 %k, 4
  %row = shl i32 %k, 3
  %first = insertelement <2 x i32> <i32 poison, i32 0>, i32 %column, i64 0
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(
    i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %from, i32 128, i32 32, i32 128, <2 x i32> %first, ptr %v)
  %second = insertelement <2 x i32> %first, i32 %row, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(
    i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %from, i32 {width}, i32 32, i32 128, <2 x i32> %second, ptr %w)
  %v.all = load <8 x i16>, ptr %v
  %w.all = load <8 x i16>, ptr %w
  %v.row = extractelement <8 x i16> %v.all, i64 3
  %w.row = extractelement <8 x i16> %w.all, i64 3
  %c = add i16 %c.sum, %v.row
  %d = add i16 %d.sum, %w.row
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %after
after:
"""


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_addresses_of_one_surface(arch: str) -> None:
    """A loop loads blocks of the first rows, and others whose rows change (SeparateAddresses.cpp)."""
    x = torch.randint(-1000, 1000, (32, 64), dtype=torch.int16)
    expected = [sum(x[row, 16 * k : 16 * k + 16] for k, row in enumerate(rows)) for rows in ([3] * 4, [3, 11, 19, 27])]

    def run(width: str) -> torch.Tensor:
        body = BLOCKS_OF_ONE_SURFACE.format(width=width)
        return run_pairs(body, "i16", x, arch, is_mended=True).flatten()[:32].view(16, 2)

    assert torch.equal(run("128"), torch.stack(expected, dim=1))
    # Once this fails, the compiler is mended, and the pass can go: it does not see that the surface is the same.
    assert not torch.equal(run("%width"), torch.stack(expected, dim=1)), "ocloc no longer needs SeparateAddresses.cpp"


@triton.jit
def neighbours_kernel(a, b, out, n, FIRST: tl.constexpr, PLACE: tl.constexpr):
    """Add products of one row of blocks, and of blocks elsewhere in the same matrix."""
    acc = tl.zeros((16, 16), tl.float32)
    for k in range(0, n, 32):
        right = tl.load(tl.make_block_ptr(b, (n, 16), (16, 1), (k, 0), (32, 16), (1, 0)))
        left = tl.make_block_ptr(a, (64, n), (n, 1), (FIRST, k), (16, 32), (1, 0))
        acc = tl.dot(tl.load(left), right, acc)
        if PLACE == "diagonal":
            other = tl.make_block_ptr(a, (64, n), (n, 1), (k // 4, k), (16, 32), (1, 0))
        elif PLACE == "below":
            other = tl.make_block_ptr(a, (64, n), (n, 1), (k // 4, 0), (16, 32), (1, 0))
        else:
            other = tl.make_block_ptr(a, (64, n), (n, 1), (0, k - 32), (16, 32), (1, 0))
        acc = tl.dot(tl.load(other, boundary_check=(0, 1), padding_option="zero"), right, 2 * acc)
    rows = tl.arange(0, 16)[:, None] * 16
    tl.store(out + rows + tl.arange(0, 16)[None, :], acc)


@pytest.mark.pairwise
@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize("place", ["diagonal", "below", "before"])
@pytest.mark.parametrize("first", [0, 8])
def test_neighbours(first: int, place: str, arch: str) -> None:
    """Two operands come from one matrix; the block before the first one is outside of it (SeparateAddresses.cpp)."""
    n = 128
    a, b = torch.randn(64, n).half(), torch.randn(n, 16).half()
    out = torch.full((16, 16), float("nan"))
    neighbours_kernel[(1,)](a, b, out, n, first, place, num_warps=1, cpu_code="zebin", arch=arch)
    expected = torch.zeros(16, 16, dtype=torch.float64)
    wide = torch.nn.functional.pad(a.double(), (32, 0))
    for k in range(0, n, 32):
        right = b[k : k + 32].double()
        row, column = {"diagonal": (k // 4, k), "below": (k // 4, 0), "before": (0, k - 32)}[place]
        expected += wide[first : first + 16, 32 + k : 64 + k] @ right
        expected = 2 * expected + wide[row : row + 16, 32 + column : 64 + column] @ right
    torch.testing.assert_close(out.double(), expected, rtol=1e-4, atol=1e-2)


def compile_with_own_and_shared_registers(arch: str, edit: Callable[[str], str]) -> list[native.NativeCode]:
    """Return native code of a product whose LLVM IR `edit` changes: with registers for addresses, and with none."""
    target = GPUTarget("xpu", arch, 16)
    source, options = CASES["operand_gemm/transposed_gemm-transposed_tt"].launches()[0].source(target)
    own = edit(triton.compile(source, target=target, options=options).asm["llir"])
    shared = re.sub(r'"triton-xe-live-bytes"="\d+"', "", own)
    assert own != shared
    spirv = (compiler.translate_to_spirv(llir, "none", xe_options.XeOptions(arch=arch)) for llir in (own, shared))
    return [native.compile_native(binary, arch, "256", source.fn.__name__) for binary in spirv]


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_address_registers(arch: str) -> None:
    """Without separate registers, prefetches of a loop fill one each time, and loads copy one for Ponte Vecchio."""
    own, shared = compile_with_own_and_shared_registers(arch, lambda llir: llir)
    assert own.figures.main_loop.instructions < shared.figures.main_loop.instructions


@needs_ocloc
@pytest.mark.parametrize("far", [0, 1])
@pytest.mark.parametrize("near", [0, 1, 2, 3])
def test_cache_controls_of_addresses(near: int, far: int) -> None:
    """Messages whose addresses a loop keeps have the cache controls of any others: uncached, cached, streaming, ...

    IGC has no number for what it invalidates in L1 and does not cache below it: such a message stays what it is.
    """

    def set_controls(llir: str) -> str:
        for level, control in enumerate((near, far)):
            llir, count = re.subn(rf"(= !{{i32 6442, i32 {level}, i32 )\d", rf"\g<1>{control}", llir)
            assert count == 1
        # Loads get what prefetches have.
        controls = re.search(r", !spirv\.DecorationCacheControlINTEL !\d+", llir)[0]
        llir, count = re.subn(r"(call .*Subgroup2DBlockLoad.*\) #\d+)", rf"\g<1>{controls}", llir)
        assert count > 0
        return llir

    def read_messages(code: native.NativeCode) -> set[str]:
        return set(re.findall(r" (load_block2d\S+)$", code.isa_text, re.MULTILINE))

    own, shared = compile_with_own_and_shared_registers("pvc", set_controls)
    assert len(read_messages(own)) > 1
    assert read_messages(own) == read_messages(shared)
