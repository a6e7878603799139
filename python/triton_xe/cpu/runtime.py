# SPDX-License-Identifier: MIT
"""Who runs kernels on the CPU device, and the kind of code that they are compiled to.

The package's own runtime (`_cpu`) runs object code; it needs nothing else. Intel's OpenCL runtime runs the SPIR-V that
a GPU gets, and is the check of that: slow to compile, and an extra of its own.
"""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import Any

from triton_xe import errors, knobs

OPENCL_RUNTIME = "libintelocl.so"
OPENCL_ADVICE = "`pip install triton-xe[opencl]`, TRITON_XE_CPU_RUNTIME=opencl"

#: The kind of code that is no object code.
SPIRV = "spirv"
SPIRV_MAGIC = (0x07230203).to_bytes(4, "little")


@functools.cache
def open_native() -> Any:
    """The processor as a device; there is one per process."""
    from triton_xe import _cpu

    return _cpu.Device.open_cpu()


@functools.cache
def open_opencl() -> Any:
    """The processor through Intel's OpenCL runtime."""
    try:
        from triton_xe import _runtime
    except ImportError as error:
        raise errors.DeviceError(f"SYCL is not there ({error}): {OPENCL_ADVICE}") from error
    return _runtime.Device.open_cpu(_opencl_drivers())


def _opencl_drivers() -> str:
    """The value of OCL_ICD_FILENAMES under which the OpenCL runtime of this environment is found."""
    library = Path(sys.prefix, "lib", OPENCL_RUNTIME)
    if not library.exists():
        raise errors.DeviceError(f"no OpenCL CPU runtime at `{library}`: {OPENCL_ADVICE}")
    return os.pathsep.join(filter(None, (knobs.OPENCL_DRIVERS.text(), str(library))))


def code() -> str:
    """The kind of code to compile to: `avx2`, `avx512` or `spirv`."""
    chosen = knobs.CPU_RUNTIME.text() or "native"
    if chosen not in ("native", "opencl"):
        raise errors.OptionError(f"{knobs.CPU_RUNTIME.name}: expected `native` or `opencl`, found `{chosen}`")
    if chosen == "opencl":
        return SPIRV
    available = open_native().instruction_sets
    requested = knobs.CPU_INSTRUCTIONS.text() or available[-1]
    if requested not in available:
        raise errors.OptionError(
            f"{knobs.CPU_INSTRUCTIONS.name}: this processor has {' and '.join(available)}, found `{requested}`"
        )
    return requested


def open_for(binary: bytes) -> Any:
    """The device that runs a binary."""
    return open_opencl() if binary[:4] == SPIRV_MAGIC else open_native()
