# SPDX-License-Identifier: MIT
"""The number of registers per thread reaches the device's compiler.

A launch sees nothing but the SPIR-V, so the options travel in it.
"""

from __future__ import annotations

import pytest
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from triton_xe import _compiler, _runtime, errors
from triton_xe.cpu import runtime


@triton.jit
def increment(x_ptr, y_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets) + 1)


def compile_for(backend: str, **options: object) -> triton.compiler.CompiledKernel:
    """Return the kernel with its binary as SPIR-V."""
    source = ASTSource(increment, {"x_ptr": "*fp32", "y_ptr": "*fp32", "N": "constexpr"}, {(2,): 64})
    return triton.compile(source, target=GPUTarget(backend, "pvc", 16), options=options)


@pytest.mark.parametrize(
    ("mode", "option", "registers"),
    [
        ("default", "", 128),
        ("128", "", 128),
        ("256", "-cl-intel-256-GRF-per-thread", 256),
    ],
)
def test_binary_carries_the_mode(mode, option, registers):
    kernel = compile_for("xpu", grf_mode=mode, generate_native_code=True)
    assert _runtime.read_build_options(kernel.asm["spv"]) == option
    assert kernel.metadata.native["grf_count"] == registers
    assert kernel.metadata.chosen_grf_mode == mode
    assert _runtime.read_spill_build_options(kernel.asm["spv"]) is None


def test_cpu_has_no_register_modes(on_opencl):
    for mode in ("256", "auto"):
        kernel = compile_for("cpu", grf_mode=mode)
        assert (_runtime.read_build_options(kernel.asm["spv"]), kernel.metadata.chosen_grf_mode) == ("", "")


def test_options_of_a_binary_reach_the_device_compiler(on_opencl):
    # The CPU runtime knows this option of OpenCL, and refuses what it does not know: so it has seen both.
    kernel = compile_for("cpu")
    accepted = _compiler.add_build_options(kernel.asm["spv"], "-cl-mad-enable")
    assert runtime.open_opencl().load_kernel(accepted, kernel.name).name == kernel.name
    refused = _compiler.add_build_options(kernel.asm["spv"], "-no-such-option")
    with pytest.raises(errors.BinaryError, match="the device compiler refuses the kernel"):
        runtime.open_opencl().load_kernel(refused, kernel.name)
