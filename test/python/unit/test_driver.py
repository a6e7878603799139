# SPDX-License-Identifier: MIT
"""Drivers are active where they should be, and nothing else is disturbed."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path

import pytest
import support
import torch
import triton.backends
import triton.language as tl
import warm_python
from triton.tools.tensor_descriptor import TensorDescriptor

import triton_xe
from triton_xe import _compiler, driver, errors, kept_files, launching, target, timing
from triton_xe.cpu import runtime
from triton_xe.cpu.driver import CPUDriver
from triton_xe.xpu.driver import XPUDriver


@pytest.fixture
def machine(monkeypatch):
    """Pretend to be a machine with the given GPUs."""

    def pretend(*, cuda: bool = False, xpu: bool = False, requested: str = "") -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
        monkeypatch.setattr(torch._C, "_has_xpu", xpu, raising=False)
        monkeypatch.setattr(torch.xpu, "is_available", lambda: xpu)
        monkeypatch.setenv("TRITON_DEFAULT_BACKEND", requested)

    return pretend


@pytest.mark.parametrize(
    ("gpus", "requested", "cpu_active", "xpu_active"),
    [
        ({}, "", True, False),
        ({"cuda": True}, "", False, False),
        ({"xpu": True}, "", False, True),
        ({"cuda": True, "xpu": True}, "", False, False),
        ({"cuda": True}, "cpu", True, False),
        ({"xpu": True}, "cpu", True, True),
        ({"cuda": True, "xpu": True}, "xpu", False, True),
        ({"cuda": True}, "cuda", False, False),
    ],
)
def test_active_drivers(machine, gpus, requested, cpu_active, xpu_active):
    machine(**gpus, requested=requested)
    assert (CPUDriver.is_active(), XPUDriver.is_active()) == (cpu_active, xpu_active)


def test_torch_xpu_is_not_called_in_builds_without_it(machine, monkeypatch):
    machine()

    def fail() -> bool:
        raise AssertionError("torch.xpu was called")

    monkeypatch.setattr(torch.xpu, "is_available", fail)
    assert CPUDriver.is_active()
    assert not XPUDriver.is_active()


def test_entry_points_are_registered():
    assert triton.backends.backends["cpu"].driver is CPUDriver
    assert triton.backends.backends["xpu"].driver is XPUDriver


def test_import_loads_neither_torch_nor_sycl_nor_the_compiler():
    # Triton imports every backend; that must stay cheap and without side effects.
    program = """
import os, sys
before = dict(os.environ)
import triton
loaded = open("/proc/self/maps").read()
assert "triton_xe.cpu.driver" in sys.modules
assert "torch" not in sys.modules, "torch was imported"
assert "libsycl" not in loaded, "the SYCL runtime was loaded"
assert "libMLIR" not in loaded, "the compiler was loaded"
assert dict(os.environ) == before, "the environment was changed"
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


#: The most modules of the package that come with Triton. Compilations and launches import those that only they need.
MOST_MODULES = 30


@pytest.mark.parametrize("others", ["", "torch, "])
def test_few_modules_come_with_triton(others):
    """No tool is among them, and nothing that only compilations need."""
    program = f"""
import {others}triton, sys, pathlib
folder = pathlib.Path(sys.modules["triton_xe"].__file__).parent
files = {{name: getattr(module, "__file__", None) for name, module in sys.modules.items()}}
print(*sorted(name for name, file in files.items() if file and folder in pathlib.Path(file).parents))
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    names = result.stdout.split()
    assert "triton_xe.compiler" in names, result.stderr
    assert len(names) <= MOST_MODULES, names
    assert not [name for name in names if name.startswith(("triton_xe.tools", "triton_xe.compat"))]


def test_backends_change_nothing_in_triton_before_they_are_used():
    """Triton makes backends where it only looks for one. Changes that concern keys come with the first key."""
    program = """
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import compiler
from triton.runtime import cache
from triton_xe.compat import originals

backend, _ = (compiler.make_backend(GPUTarget(name, "pvc", 16)) for name in ("xpu", "cpu"))

def changed():
    owners = {cache: "triton_key", compiler: "get_cache_key", cache.RedisRemoteCacheBackend: "__init__"}
    return [originals.is_replaced(owner, name) for owner, name in owners.items()]

print(*changed())
USE
print(*changed())
"""
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_REMOTE_CACHE_BACKEND"}
    redis = {"TRITON_REMOTE_CACHE_BACKEND": "triton.runtime.cache:RedisRemoteCacheBackend"}
    for use in ("backend.parse_options({})", "backend.hash()"):
        for variables in ({}, redis):
            command = [sys.executable, "-c", program.replace("USE", use)]
            result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment | variables)
            assert result.stdout.splitlines() == ["False False False", f"True True {bool(variables)}"]


@pytest.mark.parametrize(
    "module", ["triton_xe", "triton_xe.errors", "triton_xe.cpu.driver", "triton_xe.xpu.compiler", "triton_xe.compiler"]
)
def test_every_module_can_be_imported_first(module):
    program = f"import {module}, triton; assert {{'cpu', 'xpu'}} <= triton.backends.backends.keys()"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_cpu_driver_answers_what_triton_asks():
    driver = CPUDriver()
    target = driver.get_current_target()
    assert (target.backend, target.arch, target.warp_size) == ("cpu", "pvc", 16)
    assert driver.get_active_torch_device() == torch.device("cpu")
    assert (driver.get_current_device(), driver.get_current_stream(0)) == (0, 0)
    assert driver.map_python_to_cpp_type("*fp32") == "void *"
    assert driver.map_python_to_cpp_type("i32") == "int32_t"
    with pytest.raises(errors.DeviceError):
        driver.set_current_device(1)


def test_xpu_driver_finds_the_stream(monkeypatch):
    """By torch's function of C, or by the stream's object in a torch without it."""
    monkeypatch.setattr(torch.xpu, "current_stream", lambda device: types.SimpleNamespace(sycl_queue=7 + device))
    assert XPUDriver().get_current_stream(1) == 8
    monkeypatch.setattr(torch._C, "_xpu_getCurrentRawStream", lambda device: 70 + device, raising=False)
    assert XPUDriver().get_current_stream(1) == 71


@pytest.fixture
def fresh_devices(monkeypatch):
    """Devices are opened once per process: not those that other tests have opened."""
    for name in ("open_native", "open_opencl"):
        monkeypatch.setattr(runtime, name, getattr(runtime, name).__wrapped__)


def test_missing_opencl_runtime_is_named(monkeypatch, tmp_path, fresh_devices):
    monkeypatch.setattr(runtime, "sys", types.SimpleNamespace(prefix=str(tmp_path)))
    with pytest.raises(errors.DeviceError, match=r"no OpenCL CPU runtime at .*`pip install triton-xe\[opencl\]`"):
        runtime.open_opencl()


def test_missing_sycl_is_named(monkeypatch, fresh_devices):
    monkeypatch.setitem(sys.modules, "triton_xe._runtime", None)
    monkeypatch.delattr(triton_xe, "_runtime", raising=False)
    with pytest.raises(errors.DeviceError, match=r"SYCL cannot be loaded .*`pip install triton-xe\[opencl\]`"):
        runtime.open_opencl()


def test_other_opencl_drivers_stay(monkeypatch):
    monkeypatch.setenv("OCL_ICD_FILENAMES", "/other/libdriver.so")
    first, second = runtime._opencl_drivers().split(":")
    assert first == "/other/libdriver.so"
    assert second.endswith("libintelocl.so")


def test_runtime_and_instruction_set_are_chosen_at_each_call(monkeypatch):
    monkeypatch.delenv("TRITON_XE_CPU_RUNTIME", raising=False)
    monkeypatch.delenv("TRITON_XE_CPU_INSTRUCTIONS", raising=False)
    available = runtime.open_native().instruction_sets
    assert runtime.code() == available[-1]
    for name in available:
        monkeypatch.setenv("TRITON_XE_CPU_INSTRUCTIONS", name)
        assert runtime.code() == name
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", "native")
    assert runtime.code() == available[-1]
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", "opencl")
    assert runtime.code() == "spirv"
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", "simulator")
    assert runtime.code() == "zebin"


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        (
            "TRITON_XE_CPU_RUNTIME",
            "sycl",
            "TRITON_XE_CPU_RUNTIME: expected `native`, `opencl` or `simulator`, found `sycl`",
        ),
        ("TRITON_XE_CPU_INSTRUCTIONS", "sse", "TRITON_XE_CPU_INSTRUCTIONS: this processor has avx2.*, found `sse`"),
    ],
)
def test_unknown_runtimes_and_instruction_sets_are_named(monkeypatch, variable, value, message):
    monkeypatch.delenv("TRITON_XE_CPU_RUNTIME", raising=False)
    monkeypatch.setenv(variable, value)
    with pytest.raises(errors.OptionError, match=message):
        runtime.code()


def test_a_launch_needs_no_sycl():
    """Object code runs where neither SYCL nor an OpenCL runtime is; the driver loads neither."""
    program = """
import sys
sys.modules["triton_xe._runtime"] = None
import torch, triton
from kernel_suite import ALL_CASES
case = next(case for case in ALL_CASES if case.name.startswith("pointwise/vector_add"))
for result in case.run():
    torch.testing.assert_close(result.actual, result.expected.to(result.actual.dtype))
loaded = open("/proc/self/maps").read()
for library in ("libsycl", "libur_", "libOpenCL", "libintelocl"):
    assert library not in loaded, library
"""
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_XE_CPU_RUNTIME"}
    command = [sys.executable, "-W", "ignore", "-c", program]
    tests = Path(__file__).parents[1]
    result = warm_python.run(command, cwd=tests, env=environment)
    assert result.returncode == 0, result.stderr


def test_benchmark_counts_no_compilation_and_reduces_like_triton():
    calls = []
    times = timing.do_bench(lambda: calls.append(1), rep=1, return_mode="all")
    assert len(calls) == len(times) + 1
    assert timing.summarize([1.0, 2.0, 3.0, 4.0, 5.0], (0.5, 0.2, 0.8), "mean") == [3.0, 1.8, 4.2]
    assert timing.summarize([4.0, 2.0], None, "mean") == 3.0
    assert timing.summarize([4.0, 2.0], (0.5,), "mean") == 3.0
    slow = timing.do_bench(lambda: None, rep=0, return_mode="all")
    assert len(slow) == 1


@pytest.mark.parametrize("options", [{}, {"num_warps": 32}, {"cpu_code": "zebin", "grf_mode": "256"}])
def test_properties_of_the_device(options):
    """Programs for CUDA compute from them how many programs run at a time: those that a work-group has registers for,
    at least one."""
    if options.get("cpu_code") == "zebin" and not support.has_device_compiler():
        pytest.skip("`ocloc` is not installed, whose figures this test reads")
    properties = triton.runtime.driver.active.utils.get_device_properties(0)
    names = ("max_shared_mem", "max_num_regs", "multiprocessor_count", "warpSize")
    assert all(properties[name] > 0 for name in names)
    assert all(properties[name] >= 0 for name in ("sm_clock_rate", "mem_clock_rate", "mem_bus_width"))
    # 64 threads of 128 registers of 64 bytes, or half of the threads with 256.
    assert properties["max_num_regs"] == 64 * 128 * 16
    x, y = torch.ones(256), torch.zeros(256)
    kernel = double_elements[(1,)](x, y, 256, **options)
    registers = 256 if "grf_mode" in options else 128
    assert kernel.n_regs == registers and torch.equal(y, 2 * x)
    warps = kernel.metadata.num_warps
    assert properties["max_num_regs"] // (kernel.n_regs * properties["warpSize"] * warps) == 8192 // registers // warps


@triton.jit
def double_elements(x, y, N: tl.constexpr):
    index = tl.arange(0, N)
    tl.store(y + index, tl.load(x + index) * 2)


def test_variants_of_kernels_without_their_function(tmp_path, monkeypatch):
    """Kernels from another process: their TTIR is found in the cache, or an error states that it is gone."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path))
    source = types.SimpleNamespace(name="copy", fn=types.SimpleNamespace(fn=None), signature={"x": "*fp32"})
    metadata = types.SimpleNamespace(hash="0" * 64)
    with pytest.raises(errors.CompileError, match="needs other code than there is"):
        launching.compile_variant(source, metadata, [], [], True)
    text = "module { tt.func public @copy(%x: !tt.ptr<f32>) { tt.return } }"
    manager = triton.runtime.cache.get_cache_manager(metadata.hash)
    manager.put_group("copy.json", {"copy.ttir": manager.put(text, "copy.ttir")})
    found = kept_files.source(source, metadata)
    assert found.name == "copy"
    assert list(found.signature.values()) == ["*fp32"]


@triton.jit
def copy_tile(x, y):
    y.store([0, 0], x.load([0, 16]))


def test_variants_with_descriptors_without_their_function(tmp_path, monkeypatch):
    """The TTIR has five arguments for a descriptor of two dimensions, the launch one."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path))
    x, y = torch.randn(16, 24), torch.zeros(16, 16)
    target = TensorDescriptor.from_tensor(y, [16, 16])
    compiled = copy_tile[(1,)](TensorDescriptor.from_tensor(x, [16, 16]), target)
    compiled.src.fn = types.SimpleNamespace(fn=None, arg_names=("x", "y"))
    launch = driver.make_launcher(compiled.src, compiled.metadata, wait=True)
    padded = TensorDescriptor.from_tensor(x, [16, 16], padding="nan")
    launch(1, 1, 1, 0, compiled.function, None, None, None, None, padded, target)
    assert torch.equal(y[:, :8], x[:, 16:]) and y[:, 8:].isnan().all()


MODULE = """
define spir_kernel void @matmul() !intel_reqd_sub_group_size !0 {
  ret void
}
!0 = !{i32 16}
"""


@pytest.mark.parametrize(
    ("bytes_spilled", "registers", "fallback", "expected"),
    [
        (0, 0, None, ""),
        (4096, 64, None, "4096 bytes"),
        (0, 0, (True, 64), "with 128 registers per thread 64 bytes; with 256 none; built with 256"),
        (32, 1, (True, 64), "with 128 registers per thread 64 bytes; with 256 32 bytes; built with 256"),
        (64, 1, (False, 96), "with 128 registers per thread 64 bytes; with 256 96 bytes; built with 128"),
    ],
)
def test_spills_of_a_gpus_compiler_are_remarks(monkeypatch, capsys, bytes_spilled, registers, fallback, expected):
    """The report of a driver on a loaded kernel is a remark for users with remarks; Triton gets the
    registers of a lane, those that there are and those that are spilled."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    architecture = target.resolve("pvc")
    binary = _compiler.translate_to_spirv(MODULE)
    if fallback:
        binary = _compiler.add_spill_build_options(binary, architecture.grf_build_options["256"])
    kernel = types.SimpleNamespace(
        spill_size=bytes_spilled, spill_fallback=fallback, max_work_group_size=512, sub_group_size=16
    )
    opened = types.SimpleNamespace(load_kernel=lambda _binary, _name: kernel)
    device = types.SimpleNamespace(
        open_device_for=lambda _binary, _device: opened,
        architecture=lambda _device: architecture,
    )
    loaded = driver.XeUtils(device).load_binary("matmul", binary, 0, 0)
    # The build that is launched decides how many registers a lane has.
    available = 256 if fallback and fallback[0] else 128
    assert loaded == (opened, kernel, available, registers, 512)
    printed = f"remark: `matmul`: the GPU's compiler spills registers: {expected}\n" if expected else ""
    assert capsys.readouterr().err == printed
