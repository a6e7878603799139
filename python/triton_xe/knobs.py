# SPDX-License-Identifier: MIT
"""The environment variables of the package. No other module reads them. They are read at each call.

Settings that change the generated code are options of the compilation, and so part of the cache key. The variables of
the CPU device give the defaults of such options.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


def environment() -> dict[str, str]:
    """Return all variables of this process, for another one that is not started by it."""
    return dict(os.environ)


def replace_environment(variables: Mapping[str, str]) -> None:
    """Replace all variables of this process."""
    os.environ.clear()
    os.environ.update(variables)


@dataclass(frozen=True)
class Knob:
    """An environment variable with its documentation."""

    name: str
    summary: str

    def text(self) -> str:
        """Return the value, or an empty string: a variable of blanks is one that is not set."""
        return os.environ.get(self.name, "").strip()

    def enabled(self) -> bool:
        """Return whether the variable is set to a value that means yes."""
        return self.text().lower() in ("1", "on", "true", "yes")

    def set(self, value: str) -> None:
        """Set the variable for this process and the processes that it starts."""
        os.environ[self.name] = value

    @contextlib.contextmanager
    def within(self, value: str) -> Iterator[None]:
        """Set the variable in a block."""
        before = os.environ.get(self.name)
        self.set(value)
        try:
            yield
        finally:
            os.environ.pop(self.name, None)
            if before is not None:
                self.set(before)


REMARKS = Knob("TRITON_XE_REMARKS", "print the compiler's remarks, with the Python line, when a kernel is compiled")
PRINT_IR = Knob("TRITON_XE_PRINT_IR", "print the IR to stderr after each pass that changes it")
IR_TREE = Knob("TRITON_XE_IR_TREE", "write the IR after each pass to files below this folder, by kernel and stage")
REPRODUCER = Knob("TRITON_XE_REPRODUCER", "write a reproducer for triton-xe-opt to this file when a pass fails")
DROPPED = Knob(
    "TRITON_XE_DROPPED",
    "1 or 0: print which configurations the autotuner drops, and why; by default on a terminal only",
)
CPU_RUNTIME = Knob(
    "TRITON_XE_CPU_RUNTIME",
    "native (default), opencl or simulator: run kernels on the CPU device as code for the processor, by Intel's OpenCL "
    "runtime, or as native code of a GPU on the simulator",
)
CPU_ARCHITECTURE = Knob(
    "TRITON_XE_CPU_ARCH", "the GPU that the CPU device represents, instead of pvc: a chip or a product"
)
CPU_INSTRUCTIONS = Knob(
    "TRITON_XE_CPU_INSTRUCTIONS",
    "avx2 or avx512: the instruction set that the CPU device compiles for; by default the best one of the processor",
)
CPU_DEBUG = Knob("TRITON_XE_CPU_DEBUG", "kernels on the CPU device check themselves, as with the option `cpu_checks`")
VERIFY = Knob(
    "TRITON_XE_VERIFY",
    "1 or simulator: launches on the CPU device run without optional passes, too, and raise an error if the results "
    "differ, as with the option `verify`",
)

INDUCTOR = Knob(
    "TRITON_XE_INDUCTOR",
    "1: torch.compile works as after `triton_xe.inductor.enable()`, which the program need not call; auto: for Intel "
    "GPUs only, where torch has one",
)

HARVEST = Knob(
    "TRITON_XE_HARVEST", "record every kernel that is launched, and its first launches, in this file (docs/fleet.md)"
)

BUNDLE = Knob(
    "TRITON_XE_BUNDLE",
    "folders of compiled kernels, separated by colons, where kernels are looked for before Triton's cache; off: also "
    "those of installed packages are not used",
)
OCLOC = Knob("TRITON_XE_OCLOC", "the path or the name of the `ocloc` that makes native code, of any version")
OCLOC_SECONDS = Knob("TRITON_XE_OCLOC_SECONDS", "how long `ocloc` may take for a kernel, in seconds, instead of 1800")

# Variables of Triton and OpenCL that the package honours.
MLIR_DUMP = Knob("MLIR_ENABLE_DUMP", "like TRITON_XE_PRINT_IR, but also for Triton's own passes")
STAGE_REPRODUCERS = Knob(
    "TRITON_REPRODUCER_PATH",
    "a reproducer of each stage, in files that begin with this: `.make_ttir.repro.mlir` for Triton's `triton-opt`, "
    "`.make_ttgir.repro.mlir` and `.make_llir.repro.mlir` for `triton-xe-opt`",
)
LOCAL_VARIABLES = Knob(
    "LLVM_EXTRACT_DI_LOCAL_VARIABLES", "1: the LLVM IR states which value each local variable of the kernel has"
)
DEFAULT_BACKEND = Knob("TRITON_DEFAULT_BACKEND", "cpu or xpu: use this backend even if another GPU is active")
OPENCL_DRIVERS = Knob("OCL_ICD_FILENAMES", "OpenCL drivers to load in addition to Intel's CPU runtime")
ONEAPI = Knob(
    "CMPLR_ROOT",
    "the folder of the compiler of Intel's oneAPI, as `setvars.sh` sets it; `triton-xe config` names its SYCL",
)

# Set by `triton_xe.inductor.enable` for torch: not for users.
INDUCTOR_XPU_FORMAT = Knob("TORCHINDUCTOR_XPU_KERNEL_FORMAT", "spv or zebin: what Inductor launches on Intel GPUs")

# Set by `triton-xe gpu run` for the programs that it starts: not for users. The first ten are for the library that
# represents the GPU, the others for Intel's loaders and driver.
VIRTUAL_GPU_CHIP = Knob("TRITON_XE_VIRTUAL_GPU_CHIP", "the chip of the virtual GPU")
VIRTUAL_GPU_COUNT = Knob("TRITON_XE_VIRTUAL_GPU_COUNT", "how many virtual GPUs there are")
VIRTUAL_GPU_SECONDS = Knob("TRITON_XE_VIRTUAL_GPU_SECONDS", "how long a kernel may run")
VIRTUAL_GPU_EXECUTE = Knob("TRITON_XE_VIRTUAL_GPU_EXECUTE", "0: kernels are not executed")
VIRTUAL_GPU_CHECK = Knob("TRITON_XE_VIRTUAL_GPU_CHECK", "1: kernels are watched by the simulator's checks")
VIRTUAL_GPU_LOG = Knob("TRITON_XE_VIRTUAL_GPU_LOG", "the file that gets a line of JSON for each kernel")
VIRTUAL_GPU_PYTHON = Knob("TRITON_XE_VIRTUAL_GPU_PYTHON", "the Python that finds the source of kernels that fail")
VIRTUAL_GPU_LOADER = Knob("TRITON_XE_VIRTUAL_GPU_LOADER", "the loader of programs that a program starts")
VIRTUAL_GPU_LIBRARIES = Knob(
    "TRITON_XE_VIRTUAL_GPU_LIBRARIES", "the folders of libraries that this loader looks in first"
)
VIRTUAL_GPU_CACHE = Knob("TRITON_XE_VIRTUAL_GPU_CACHE", "the folder of decoded kernels and of the GPU's files")
LEVEL_ZERO_DRIVERS = Knob("ZE_ENABLE_ALT_DRIVERS", "the drivers of Level Zero")
OPENCL_VENDORS = Knob("OCL_ICD_VENDORS", "the drivers of OpenCL")
DRIVER_CACHE = Knob("NEO_CACHE_DIR", "where Intel's driver keeps compiled programs")
LIBRARY_PATH = Knob("LD_LIBRARY_PATH", "folders of libraries, before those of the system")

ALL = (
    REMARKS,
    PRINT_IR,
    IR_TREE,
    REPRODUCER,
    DROPPED,
    CPU_RUNTIME,
    CPU_ARCHITECTURE,
    CPU_INSTRUCTIONS,
    CPU_DEBUG,
    VERIFY,
    INDUCTOR,
    HARVEST,
    BUNDLE,
    OCLOC,
    OCLOC_SECONDS,
    MLIR_DUMP,
    STAGE_REPRODUCERS,
    LOCAL_VARIABLES,
    DEFAULT_BACKEND,
    OPENCL_DRIVERS,
    ONEAPI,
)
