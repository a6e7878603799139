# SPDX-License-Identifier: MIT
"""The choice between the runtimes of the CPU device, and with it of the kind of code.

The package's own runtime (`_cpu`) runs object code, and needs no other package. Intel's OpenCL runtime runs the SPIR-V
that a GPU gets, and so checks it. It compiles slowly, and is an extra of this package. The simulator runs the native
code that the GPU's compiler generates from that SPIR-V, and needs that compiler.
"""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import Any

from triton_xe import errors, knobs
from triton_xe.cpu import simulator

OPENCL_RUNTIME = "libintelocl.so"
OPENCL_ADVICE = "`pip install triton-xe[opencl]`, TRITON_XE_CPU_RUNTIME=opencl"

#: The kinds of code that are not object code for this processor.
SPIRV = "spirv"
ZEBIN = "zebin"
SPIRV_MAGIC = (0x07230203).to_bytes(4, "little")


@functools.cache
def open_native() -> Any:
    """Return the processor as a device, of which a process has one."""
    from triton_xe import _cpu

    return _cpu.Device.open_cpu()


@functools.cache
def open_opencl() -> Any:
    """Return the processor as a device of Intel's OpenCL runtime."""
    try:
        from triton_xe import _runtime
    except ImportError as error:
        raise errors.DeviceError(f"SYCL cannot be loaded ({error}): {OPENCL_ADVICE}") from error
    return _runtime.Device.open_cpu(_opencl_drivers())


def _opencl_drivers() -> str:
    """Return the value of OCL_ICD_FILENAMES with which SYCL finds the OpenCL runtime of this environment."""
    library = Path(sys.prefix, "lib", OPENCL_RUNTIME)
    if not library.exists():
        raise errors.DeviceError(f"no OpenCL CPU runtime at `{library}`: {OPENCL_ADVICE}")
    return os.pathsep.join(filter(None, (knobs.OPENCL_DRIVERS.text(), str(library))))


def code() -> str:
    """Return the kind of code to compile to: `avx2`, `avx512`, `spirv` or `zebin`."""
    chosen = knobs.CPU_RUNTIME.text() or "native"
    if chosen not in ("native", "opencl", "simulator"):
        raise errors.OptionError(
            f"{knobs.CPU_RUNTIME.name}: expected `native`, `opencl` or `simulator`, found `{chosen}`"
        )
    if chosen != "native":
        return SPIRV if chosen == "opencl" else ZEBIN
    available = open_native().instruction_sets
    requested = knobs.CPU_INSTRUCTIONS.text() or available[-1]
    if requested not in available:
        raise errors.OptionError(
            f"{knobs.CPU_INSTRUCTIONS.name}: this processor has {' and '.join(available)}, found `{requested}`"
        )
    return requested


def open_for(binary: bytes) -> Any:
    """Return the device that runs a binary."""
    if binary[:4] == SPIRV_MAGIC:
        return open_opencl()
    return simulator.open_device() if simulator.is_zebin(binary) else open_native()


def open_default() -> Any:
    """Return the device that runs what is compiled by default."""
    openers = {SPIRV: open_opencl, ZEBIN: simulator.open_device}
    return openers.get(code(), open_native)()
