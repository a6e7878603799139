# SPDX-License-Identifier: MIT
"""`grf_mode="auto"`: how many registers per thread a kernel gets, by an estimate, and by spills where it is wrong."""

from __future__ import annotations

import shlex
import types

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite import CASES, block_pointer_gemm
from kernel_suite.case import PVC
from support import needs_ocloc
from triton.compiler import ASTSource

from triton_xe import (
    _compiler,
    _runtime,
    compiler,
    device_compiler,
    driver,
    errors,
    native,
    options,
    register_mode,
    seals,
    target,
)
from triton_xe.cpu import runtime
from triton_xe.ir_source import IRSource
from triton_xe.tools import command_line, report

LARGE = target.resolve("pvc").grf_build_options["256"]
#: This is the text of `ocloc` 26.27.
SCRATCH = (
    "error: in kernel 'increment': total scratch space exceeds HW supported limit: 280704 bytes "
    "(max permitted PTSS 262144 bytes)"
)
ATTENTION = "attention/attention_forward_large-causal_True-head_128"


@triton.jit
def increment(x_ptr, y_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets) + 1)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Nothing compiled before: remarks are those of a compilation."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path / "cache"))


def compile_small(**changes: object) -> triton.compiler.CompiledKernel:
    source = ASTSource(increment, {"x_ptr": "*fp32", "y_ptr": "*fp32", "N": "constexpr"}, {(2,): 64})
    return triton.compile(source, target=PVC, options={"grf_mode": "auto"} | changes)


def compile_gemm(rows: int = 256, **changes: object) -> triton.compiler.CompiledKernel:
    """Compile a tile with rows of 256 numbers, in 32 sub-groups by default: 8 KiB of each's registers."""
    kernel = block_pointer_gemm.gemm
    constants = {
        "BLOCK_M": rows, "BLOCK_N": 256, "BLOCK_K": 32, "GROUP_M": 4, "ACC": tl.float32,
        "stride_ak": 1, "stride_bn": 1, "stride_cn": 1,
    }  # fmt: skip
    types = {"a_ptr": "*bf16", "b_ptr": "*bf16", "c_ptr": "*fp32"}
    names = kernel.arg_names
    signature = {name: "constexpr" if name in constants else types.get(name, "i32") for name in names}
    hints = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names) if name not in constants}
    values = {(names.index(name),): value for name, value in constants.items()}
    return triton.compile(
        ASTSource(kernel, signature, values, hints),
        target=PVC,
        options={"num_warps": 32, "grf_mode": "auto"} | changes,
    )


def compile_case(name: str, number: int = 0, **changes: object) -> triton.compiler.CompiledKernel:
    source, launch_options = CASES[name].launches()[number].source(PVC, grf_mode="auto")
    return triton.compile(source, target=PVC, options=launch_options | changes)


def build_options(kernel: triton.compiler.CompiledKernel) -> tuple[str, str | None]:
    """Return the options for a driver, and those for where it spills registers."""
    binary = kernel.asm["spv"]
    return _runtime.read_build_options(binary), _runtime.read_spill_build_options(binary)


def scratch_messages(kernel: triton.compiler.CompiledKernel) -> int:
    return kernel.metadata.native["total"]["scratch_messages"]


def spill_remarks(text: str) -> list[str]:
    return [line for line in text.splitlines() if "spills registers" in line]


def test_small_kernel_gets_few():
    """It gets few, with the other mode for a driver that finds it too few."""
    kernel = compile_small()
    assert kernel.metadata.chosen_grf_mode == "128"
    assert build_options(kernel) == ("", LARGE)
    # The requested modes stay: variants for other launches are chosen for again.
    assert kernel.metadata.grf_mode == "auto"


def test_large_tile_gets_many():
    kernel = compile_gemm()
    assert kernel.metadata.chosen_grf_mode == "256"
    assert build_options(kernel) == (LARGE, None)
    # From the cache, too.
    assert compile_gemm().metadata.chosen_grf_mode == "256"


def test_too_many_warps_for_many_registers():
    """No error: a launch of this size has one mode only, and nothing else to try."""
    kernel = compile_gemm(num_warps=64)
    assert kernel.metadata.chosen_grf_mode == "128"
    assert build_options(kernel) == ("", None)


def test_order_is_that_of_the_mode():
    """Blocks are loaded again in loops for 128 registers only."""
    many, few = compile_case(ATTENTION), compile_case(ATTENTION, grf_mode="128")
    assert many.metadata.chosen_grf_mode == "256"
    assert many.asm["llir"] == compile_case(ATTENTION, grf_mode="256").asm["llir"] != few.asm["llir"]
    small = CASES["softmax/row_softmax-dtype_float32"].launches()[0].source(PVC)[0]
    llir = [triton.compile(small, target=PVC, options={"grf_mode": mode}).asm["llir"] for mode in ("auto", "128")]
    assert llir[0] == llir[1]


@needs_ocloc
@pytest.mark.parametrize(("name", "counts"), [("softmax/row_softmax-dtype_float32", [128]), (ATTENTION, [128, 256])])
def test_plans_are_made_again_only_where_registers_matter(name, counts, monkeypatch):
    made = []
    plan = compiler.XeBackend.plan_ttgir

    def plan_and_note(self, source, options, registers):
        made.append(registers)
        return plan(self, source, options, registers)

    monkeypatch.setattr(compiler.XeBackend, "plan_ttgir", plan_and_note)
    source, changes = CASES[name].launches()[0].source(PVC, grf_mode="auto")
    kernel = triton.compile(source, target=PVC, options=changes)
    assert made == counts
    assert f"ttig.registers = {counts[-1]} : i32" in kernel.asm["ttgir"]


def compile_wide_softmax() -> triton.compiler.CompiledKernel:
    source = ASTSource(wide_softmax, {"x_ptr": "*fp32", "y_ptr": "*fp32", "N": "constexpr"}, {(2,): 8192})
    return triton.compile(source, target=PVC, options={"num_warps": 1, "grf_mode": "auto"})


@pytest.mark.parametrize(
    ("compile_kernel", "count"), [(lambda: compile_gemm(rows=128, num_warps=4), 2), (compile_wide_softmax, 3)]
)
def test_nothing_is_lowered_twice(compile_kernel, count, monkeypatch):
    """Both kernels have more than registers hold. No limit makes a loop for a tile of the product, so that there is one
    lowering for each number of registers; the row of the softmax has one more, with slices.
    """
    lowered = []
    lower = compiler.XeBackend.lower_to_llvm

    def lower_and_note(self, module, *arguments):
        lowered.append(module.to_text())
        return lower(self, module, *arguments)

    monkeypatch.setattr(compiler.XeBackend, "lower_to_llvm", lower_and_note)
    assert compile_kernel().metadata.chosen_grf_mode == "256"
    assert len(set(lowered)) == len(lowered) == count


@needs_ocloc
@pytest.mark.parametrize(
    ("backend", "changes"), [("xpu", {"generate_native_code": True}), ("cpu", {"cpu_code": "zebin"})]
)
def test_spirv_is_translated_once(backend, changes, monkeypatch):
    """The device compiler gets the SPIR-V that a driver gets, or that the name of the kernel is read from."""
    translated = []
    translate = _compiler.translate_to_spirv

    def translate_and_note(*arguments):
        translated.append(translate(*arguments))
        return translated[-1]

    monkeypatch.setattr(_compiler, "translate_to_spirv", translate_and_note)
    built = []
    build = register_mode.compile_native
    monkeypatch.setattr(
        register_mode, "compile_native", lambda code, *rest: (built.append(code), build(code, *rest))[1]
    )
    source = ASTSource(increment, {"x_ptr": "*fp32", "y_ptr": "*fp32", "N": "constexpr"}, {(2,): 64})
    gpu_target = triton.backends.compiler.GPUTarget(backend, "pvc", 16)
    kernel = triton.compile(source, target=gpu_target, options={"grf_mode": "128"} | changes)
    assert built == translated and len(translated) == 1
    assert backend == "cpu" or kernel.asm["spv"] == translated[0]


def test_file_states_no_registers(tmp_path):
    """The number is chosen for TTGIR that states none, as for a kernel whose author has chosen the layouts."""
    kernel = compile_gemm()
    file = tmp_path / "gemm.ttgir"
    file.write_text(kernel.asm["ttgir"].replace("ttig.registers = 256 : i32, ", ""))
    again = triton.compile(IRSource(file), target=PVC, options={"num_warps": kernel.metadata.num_warps})
    assert "ttig.registers" not in file.read_text()
    assert again.metadata.chosen_grf_mode == "256"
    assert build_options(again) == (LARGE, None)


def test_file_states_registers(tmp_path):
    """The number that TTGIR states is taken, also where others would do."""
    kernel = compile_small()
    file = tmp_path / "small.ttgir"
    file.write_text(kernel.asm["ttgir"].replace("ttig.registers = 128", "ttig.registers = 256"))
    again = triton.compile(IRSource(file), target=PVC, options={"num_warps": kernel.metadata.num_warps})
    assert again.metadata.chosen_grf_mode == "256"


@pytest.mark.parametrize(
    ("name", "number", "mode", "spills"),
    [
        ("softmax/row_softmax-dtype_float32", 0, "128", False),
        (ATTENTION, 0, "256", True),
        ("attention/attention_backward-causal_False-head_128", 2, "256", True),
        ("scan/recurrence", 0, "128", False),
    ],
)
def test_estimate_against_native_code(name, number, mode, spills):
    """The choice of the estimate does not spill, though 128 registers may."""
    kernel = compile_case(name, number, generate_native_code=True)
    assert (kernel.metadata.chosen_grf_mode, scratch_messages(kernel)) == (mode, 0)
    few = compile_case(name, number, grf_mode="128", generate_native_code=True)
    assert (scratch_messages(few) > 0) == spills


@needs_ocloc
def test_native_code_knows_better(monkeypatch, capfd):
    """An estimate that is too low, as it does not know the order of instructions: the kernel is built again, the launch
    gets that mode, and a remark reports it.
    """
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    monkeypatch.setattr(register_mode, "read_attribute", lambda text, name: 0)
    # No other test has these prefetches, so that the cache cannot know the kernel.
    kernel = compile_case(ATTENTION, num_stages=5)
    assert kernel.metadata.chosen_grf_mode == "128"
    assert spill_remarks(capfd.readouterr().err) == []
    few = native.compile_native(kernel.asm["spv"], "pvc", "128", kernel.metadata.name).figures.total

    kernel = compile_case(ATTENTION, num_stages=5, generate_native_code=True)
    assert (kernel.metadata.chosen_grf_mode, scratch_messages(kernel)) == ("256", 0)
    assert build_options(kernel) == (LARGE, None)
    (remark,) = spill_remarks(capfd.readouterr().err)
    amount = f"with 128 registers per thread {few.scratch_messages} messages to scratch memory"
    assert f"spills registers: {amount}" in remark
    assert remark.endswith("; with 256 none; built with 256")


@needs_ocloc
def test_advice_without_a_choice(monkeypatch, capfd):
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    undivided = {"skip_passes": ("tritonintelgpu-divide-loops",)}
    kernel = compile_gemm(rows=512, num_warps=64, generate_native_code=True, **undivided)
    assert kernel.metadata.chosen_grf_mode == "128" and scratch_messages(kernel) > 0
    (remark,) = spill_remarks(capfd.readouterr().err)
    assert remark.endswith('; grf_mode="256" has double the number, for at most 32 warps')


@needs_ocloc
def test_less_spills_are_kept():
    """A kernel spills with both modes, in either order; the only build is kept where the other one fails."""
    kernel = compile_gemm(num_warps=8)
    spirv = compiler.translate_to_spirv(kernel.asm["llir"], "none", options.XeOptions())

    def build(*modes: str) -> tuple[int, str, str]:
        code, mode, printed = register_mode.compile_native(spirv, "pvc", register_mode.Choice(*modes), kernel.name)
        return code.figures.total.scratch_messages, mode, printed

    few, _, alone = build("128")
    many, mode, printed = build("128", "256")
    assert 0 < many < few and mode == "256"
    assert printed.startswith(f"with 128 registers per thread {few} messages to scratch memory, ")
    assert f"; with 256 {many} messages to scratch memory, " in printed and printed.endswith("; built with 256")
    assert build("256", "128")[:2] == (many, "256")
    assert build("128", "no such mode") == (few, "128", alone)


@needs_ocloc
def test_refusals_lead_to_more_registers(monkeypatch):
    """A compiler that lacks scratch memory with 128 registers compiles with 256; without a second mode, that is the
    error, with the line of the kernel, and an autotuner skips the configuration.
    """
    run = device_compiler._run
    builds: list[str] = []

    def run_with_little_memory(name: str, path: str, *arguments: object) -> str:
        if name == "ocloc":
            builds.append("256" if LARGE in arguments else "128")
            if builds[-1] == "128":
                raise errors.ToolError(f"`ocloc` failed with status 245:\nBuild failed\n{SCRATCH}")
        return run(name, path, *arguments)

    monkeypatch.setattr(device_compiler, "_run", run_with_little_memory)
    kernel = compile_small(generate_native_code=True)
    assert builds == ["128", "256"] and kernel.metadata.chosen_grf_mode == "256"
    assert kernel.metadata.native["grf_count"] == 256 and build_options(kernel) == (LARGE, None)
    with pytest.raises(errors.DeviceCompilerRefusal) as raised:
        compile_small(generate_native_code=True, grf_mode="128")
    assert (raised.value.required, raised.value.limit) == (280704, 262144)
    assert raised.value.place == errors.SourceLocation(__file__, increment.starting_line_number + 1, 1)
    assert "def increment(x_ptr" in str(raised.value) and str(raised.value).endswith(SCRATCH)


@triton.jit
def wide_softmax(x_ptr, y_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    largest = tl.max(x, 0)
    for start in range(N, 2 * N, N):
        x = tl.load(x_ptr + start + offsets)
        largest = tl.maximum(largest, tl.max(x, 0))
    power = tl.exp(x - largest)
    tl.store(y_ptr + offsets, power / tl.sum(power, 0))


@pytest.mark.parametrize("stage", ["spv", "zebin"])
def test_values_that_fit_no_memory(stage, monkeypatch):
    """4,096 numbers per lane have no place in a thread: the kernel is refused with its line before `ocloc` runs.

    Loops over slices would find room for them. To choose registers for them takes one more second.
    """
    monkeypatch.setattr(device_compiler, "_run", lambda *arguments: pytest.fail("the device compiler runs"))
    source = ASTSource(wide_softmax, {"x_ptr": "*fp32", "y_ptr": "*fp32", "N": "constexpr"}, {(2,): 2**18})
    options = {"num_warps": 4, "generate_native_code": stage == "zebin", "tile_registers": 0, "grf_mode": "256"}
    with pytest.raises(errors.DeviceCompilerRefusal, match="scratch memory of a thread") as caught:
        triton.compile(source, target=PVC, options=options)
    assert isinstance(caught.value, triton.runtime.errors.OutOfResources)
    assert caught.value.required > caught.value.limit == 256 * 1024
    assert caught.value.place.line == wide_softmax.starting_line_number + 1


@needs_ocloc
@pytest.mark.parametrize("failure", ["refuses", "crashes", "catches its crash", "is killed", "does not end"])
def test_autotuner_goes_on(failure, monkeypatch, tmp_path):
    """A configuration that the device compiler fails at is one of several."""
    script = {
        "refuses": f"echo {shlex.quote(SCRATCH)}; exit 245",
        "crashes": "kill -SEGV $$",
        "catches its crash": "echo 'IGC: Internal Compiler Error: Segmentation violation'; exit 1",
        "is killed": "kill -KILL $$",
        "does not end": "exec sleep 60",
    }[failure]
    real = device_compiler.find()
    program = tmp_path / "ocloc"
    # It fails at its first compilation.
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = compile ] && [ ! -e {tmp_path}/failed ]; then touch {tmp_path}/failed; {script}; fi\n'
        f'exec {real.ocloc} "$@"\n'
    )
    program.chmod(0o755)
    (tmp_path / "iga64").symlink_to(real.iga64)
    monkeypatch.setenv("TRITON_XE_OCLOC", str(program))
    if failure == "does not end":
        monkeypatch.setenv("TRITON_XE_OCLOC_SECONDS", "1")
        # The compilation that does not fail may take longer on a machine with other work to do.
        limit = device_compiler.seconds
        monkeypatch.setattr(device_compiler, "seconds", lambda: 60 if (tmp_path / "failed").exists() else limit())
    tuned = triton.autotune([triton.Config({}, num_warps=count) for count in (1, 2)], key=[])(increment)
    x = torch.randn(64)
    y = torch.full((64,), float("nan"))
    tuned[(1,)](x, y, 64, cpu_code="zebin", grf_mode="128")
    assert (tmp_path / "failed").exists() and tuned.best_config.num_warps == 2
    assert torch.equal(y, x + 1)


@needs_ocloc
def test_seconds_of_the_device_compiler(monkeypatch):
    monkeypatch.setenv("TRITON_XE_OCLOC_SECONDS", "soon")
    with pytest.raises(errors.OptionError, match=r"TRITON_XE_OCLOC_SECONDS.*found `soon`"):
        compile_small(generate_native_code=True)


def test_refusals_of_drivers(monkeypatch):
    """The report of a driver that loads a kernel is the same error, with the line of the function."""
    text = f"the device compiler refuses the kernel: The program was built for 1 devices\n{SCRATCH}\n"

    class Opened:
        def load_kernel(self, binary: bytes, name: str) -> None:
            raise errors.BinaryError(text)

    active = triton.runtime.driver.active
    monkeypatch.setattr(active, "open_device_for", lambda binary, device: Opened())
    y = torch.zeros(64)
    with pytest.raises(errors.DeviceCompilerRefusal, match="Required: 280704, Hardware limit: 262144") as raised:
        increment[(1,)](torch.zeros(64), y, 64)
    assert raised.value.place == errors.SourceLocation(__file__, increment.starting_line_number + 1, 1)
    text = "the device compiler refuses the kernel: -11 (UR_RESULT_ERROR_INVALID_BINARY)"
    with pytest.raises(errors.BinaryError, match="INVALID_BINARY"):
        increment[(1,)](torch.zeros(64), y, 64, num_warps=2)


@needs_ocloc
def test_report_names_the_mode():
    """The report is of a kernel for a GPU, and of one that was launched on the CPU device."""
    assert "grf_mode=auto (256)" in str(report.of(compile_gemm()))
    source, changes = CASES[ATTENTION].launches()[0].source(PVC, grf_mode="auto")
    on_cpu = triton.compile(source, target=triton.backends.compiler.GPUTarget("cpu", "pvc", 16), options=changes)
    found = report.of(on_cpu)
    assert found.options["grf_mode"] == "auto (256)" and found.native.total.scratch_messages == 0


def test_exported_sources_name_the_mode(tmp_path, monkeypatch, capsys):
    file = tmp_path / "copy.py"
    file.write_text(
        "import triton, triton.language as tl\n"
        "@triton.jit\n"
        "def copy(x, y, N: tl.constexpr):\n"
        "    i = tl.arange(0, N)\n"
        "    tl.store(y + i, tl.load(x + i))\n"
    )
    for length, mode in ((256, "128"), (16384, "256")):
        command = ["compile", str(file), "-s", f"*fp32, *fp32, {length}", "--grf-mode", "auto", "-o", str(tmp_path)]
        monkeypatch.setattr("sys.argv", ["triton-xe", *command])
        assert command_line.main() == 0, capsys.readouterr().err
        assert f"grf_mode=auto ({mode})" in (tmp_path / "copy.h").read_text()


def test_builds_of_a_driver():
    """On a device that spills nothing, but is taken to: what is built, and with which options."""
    kernel = compile_small()
    plain = kernel.asm["spv"]
    # The CPU runtime knows this option of OpenCL, and refuses what it does not know: so it has seen both.
    accepted = _compiler.add_spill_build_options(plain, "-cl-mad-enable")
    refused = _compiler.add_spill_build_options(plain, "-no-such-option")
    opened = runtime.open_opencl()

    def load(binary: bytes, *sizes: int, lanes: int = 16) -> tuple[int, tuple[bool, int] | None]:
        loaded = opened.load_kernel(binary, kernel.name, sizes)
        assert loaded.name == kernel.name and loaded.argument_count == 2
        assert loaded.sub_group_size == lanes
        return loaded.spill_size, loaded.spill_fallback

    assert load(accepted, 64, 32) == (32, (True, 64))
    assert load(accepted, 64, 64) == (64, (False, 64))
    # Nothing is built a second time without need, and what cannot be built is no loss.
    assert load(accepted, 0, 32) == (0, None)
    assert load(refused, 0, 32) == (0, None)
    assert load(refused, 64, 32) == (64, None)
    # A kernel that the driver refuses is built with the other options. If it refuses these, too, that is the error.
    second = _compiler.add_spill_build_options(_compiler.add_build_options(plain, "-no-such-option"), "-cl-mad-enable")
    assert load(second, 64, 32) == (64, None)
    neither = _compiler.add_spill_build_options(_compiler.add_build_options(plain, "-no-such-option"), "-nor-this-one")
    with pytest.raises(errors.BinaryError, match=r"nor-this-one|refuses the kernel"):
        load(neither)
    bare = compile_small(grf_mode="128").asm["spv"]
    assert load(bare, 64, 32) == (64, None)
    assert _runtime.read_spill_build_options(bare) is None
    # Of 64 bytes, which are two registers of 16 lanes, 32 lanes have half a register each.
    assert load(compile_small(warp_size=32).asm["spv"], 64, lanes=32) == (64, None)


def test_driver_that_tells_nothing_of_spills(monkeypatch, capfd):
    """The launcher's way to a kernel, on a device that has no register modes: there is one build, which runs."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    kernel = compile_small()
    device = types.SimpleNamespace(
        open_device_for=lambda _binary, _device: runtime.open_opencl(),
        architecture=lambda _device: target.resolve("pvc"),
    )
    # No launcher expects another binary.
    monkeypatch.setattr(seals, "_expected", {})
    for binary in (
        kernel.asm["spv"],
        # Would be refused.
        _compiler.add_spill_build_options(kernel.asm["spv"], "-no-such-option"),
    ):
        _, loaded, _, spilled, _ = driver.XeUtils(device).load_binary(kernel.name, binary, 0, 0)
        assert (loaded.name, loaded.spill_size, loaded.spill_fallback, spilled) == (kernel.name, 0, None, 0)
    assert spill_remarks(capfd.readouterr().err) == []
