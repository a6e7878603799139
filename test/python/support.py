# SPDX-License-Identifier: MIT
"""Facts that several tests need: which operations of the language they test, which runtimes and tools there are.

Tests state what they cover (`covers("tl.sum", "i32", "fp16")`, a mark); the table of support is generated from these
marks, by `scripts/support_table.py`, and names of the language without a test are found.
"""

from __future__ import annotations

import importlib.util
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sanitizers

from triton_xe import _compiler, _cpu, compiler, device_compiler, errors, launching
from triton_xe.cpu import runtime as cpu_runtime

#: Element types in the order of the table.
ELEMENT_TYPES = (
    "i1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "fp64",
    "fp8e5", "fp8e4nv", "fp8e4b15",
)  # fmt: skip


INTEGER_TYPES = ELEMENT_TYPES[1:9]
FLOAT_TYPES = ELEMENT_TYPES[9:13]


def covers(names: str | Iterable[str], *element_types: str) -> pytest.MarkDecorator:
    """Mark a test, or one set of its parameters; a string may hold several names, separated by blanks.

    Operations on no data (`tl.program_id`) have no element type.
    """
    names = tuple(names.split()) if isinstance(names, str) else tuple(names)
    unknown = set(element_types) - set(ELEMENT_TYPES)
    if unknown:
        raise ValueError(f"unknown element types: {', '.join(sorted(unknown))}")
    return pytest.mark.covers(names=names, element_types=element_types)


#: Debian packages of these programs exist, and `make setup` installs them; elsewhere there may be none.
needs_gdb = pytest.mark.skipif(
    not shutil.which("gdb") or sanitizers.LOADED,
    reason="a debugger has to run to be tested: `gdb` is not on this machine, or cannot start Python with sanitizers, "
    "which is a script",
)


needs_test_passes = pytest.mark.skipif(
    not hasattr(_compiler, "register_test_passes"),
    reason="TRITON_XE_BUILD_TESTS is off: this build has no passes for tests",
)


def load_script(name: str) -> ModuleType:
    """Return a script of the folder `scripts` as a module, which finds its neighbours as it does when it runs."""
    folder = Path(__file__).parents[2] / "scripts"
    specification = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        specification.loader.exec_module(module)
    return module


def has_device_compiler() -> bool:
    """Return whether native code can be made and read."""
    try:
        return bool(device_compiler.find().iga64)
    except errors.ToolError:
        return False


needs_ocloc = pytest.mark.skipif(
    not has_device_compiler(),
    reason="native code is made by `ocloc` and read by `iga64`, which `triton-xe install-compiler` fetches",
)


@dataclass(frozen=True)
class Runtime:
    """One of those that run kernels on the CPU device, `native` or `opencl`, for tests of LLVM IR."""

    name: str

    @staticmethod
    def of(kernel: object) -> Runtime:
        """Return the runtime that loaded a kernel."""
        return Runtime("native" if isinstance(kernel, _cpu.Kernel) else "opencl")

    @property
    def module(self) -> ModuleType:
        """Return the extension module."""
        return _cpu if self.name == "native" else importlib.import_module("triton_xe._runtime")

    @property
    def device(self) -> Any:
        """Return the CPU."""
        return cpu_runtime.open_native() if self.name == "native" else cpu_runtime.open_opencl()

    def translate(self, llvm_ir: str, arch: str = "") -> bytes:
        """Return LLVM IR with one kernel as a binary; SPIR-V has the emulation of DPAS and 2D block messages in it.

        2D block messages are checked against the rules of `arch`, if there is one.
        """
        optimized = _compiler.optimize_llvm_ir(llvm_ir)
        if self.name == "native":
            return _compiler.translate_to_object(optimized, self.device.instruction_sets[-1], arch=arch)[1]
        bitcode = compiler.device_library_path("emulation").read_bytes()
        return _compiler.translate_to_spirv(optimized, "emulation", bitcode, arch=arch)

    def load(self, llvm_ir: str, name: str, arch: str = "") -> Any:
        """Return LLVM IR as a kernel."""
        return self.device.load_kernel(self.translate(llvm_ir, arch), name)


def interrupt(command: list[str], ready: str, delay: float, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Runs a command until it prints the line `ready`, and presses Ctrl-C `delay` seconds later; it must run so long.

    Returns the exit code, and what was written to stdout afterwards and to stderr.
    """
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    try:
        assert process.stdout.readline() == f"{ready}\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=delay)
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, output, messages


def record_variants(
    monkeypatch: pytest.MonkeyPatch, describe: Callable[[list[int], bool], Any], *kernels: Any
) -> Iterator[list[Any]]:
    """The body of a fixture: the variants that launches of `kernels` compile, as `describe` states it for tensors that
    messages cannot address and of whether the launch is as the kernel assumes.
    """
    compiled: list[Any] = []
    original = launching.compile_variant

    def record(source: Any, metadata: Any, surfaces: list[int], nan_descriptors: list[int], assume_launch: bool) -> Any:
        compiled.append(describe(list(surfaces), assume_launch))
        return original(source, metadata, surfaces, nan_descriptors, assume_launch)

    monkeypatch.setattr(launching, "compile_variant", record)
    for kernel in kernels:
        kernel.device_caches.clear()
    yield compiled
    # Launchers keep what they were made with.
    for kernel in kernels:
        kernel.device_caches.clear()
