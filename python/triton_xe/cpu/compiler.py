# SPDX-License-Identifier: MIT
"""Compiler of the `cpu` backend. Triton expects exactly one backend class in this module.

The binary is called `obj` also where it is native code of a GPU: Triton requests the name of the binary without passing
the options.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from triton_xe import compiler as shared
from triton_xe import errors, knobs, target, tracebacks
from triton_xe.cpu import runtime
from triton_xe.stage_files import StageFile

if TYPE_CHECKING:
    from triton.backends.compiler import GPUTarget

    from triton_xe.options import XeOptions


#: Code that this processor runs itself.
OBJECT_CODES = ("avx2", "avx512")


class CPUBackend(shared.XeBackend):
    """Compiles the code of a GPU for the CPU, with functions in the place of 2D block messages and DPAS.

    The LLVM IR is that of the GPU. It becomes vector code that runs a sub-group at a time, SPIR-V for Intel's OpenCL
    runtime, or native code of the GPU for the simulator.
    """

    target_name = "cpu"
    device_library = "emulation"
    has_register_modes = False

    @property
    def binary_ext(self) -> str:
        """Return the stage that is launched. It depends on the runtime that launches it."""
        return "spv" if runtime.code() == runtime.SPIRV else "obj"

    def read_architecture(self, gpu_target: GPUTarget) -> object:
        """Return the architecture whose messages are emulated. Torch's Inductor names none: a CPU has no such
        property."""
        return gpu_target.arch or target.DEFAULT

    @tracebacks.end_here
    def parse_options(self, opts: dict[str, Any]) -> XeOptions:
        """Parse the options as for a GPU, and choose the kind of code for this processor."""
        from triton_xe import device_compiler

        options = super().parse_options(opts)
        code = options.cpu_code or runtime.code()
        # Triton requests the suffix of the binary without passing the options.
        if (code == runtime.SPIRV) != (runtime.code() == runtime.SPIRV):
            raise errors.OptionError(
                f"`cpu_code`: `{code}` needs {knobs.CPU_RUNTIME.name}="
                + ("opencl" if code == runtime.SPIRV else "native")
            )
        # SPIR-V checks its 2D block messages, and nothing else.
        checks = (options.cpu_checks or options.debug or knobs.CPU_DEBUG.enabled()) and code != runtime.SPIRV
        # The frontend drops `tl.device_assert` without `debug`. Assertions about overflows are for kernels with that
        # option.
        return dataclasses.replace(
            options,
            cpu_code=code,
            cpu_checks=checks,
            # Native code is what a GPU gets, and is watched while it runs.
            debug=options.debug or (checks and code in OBJECT_CODES),
            sanitize_overflow=options.sanitize_overflow and options.debug,
            device_compiler=device_compiler.find().version if code == runtime.ZEBIN else options.device_compiler,
        )

    def check_binary(self, binary: StageFile, options: XeOptions) -> None:
        """Check the same for the runtime that launches it."""
        code = options.cpu_code or runtime.code()
        if code == runtime.SPIRV:
            super().check_binary(binary, options)
        elif code == runtime.ZEBIN:
            raise errors.OptionError(f"`{binary.path}`: {binary.kind} cannot be simulated; a file of LLVM IR can")
        elif binary.stage != "obj":
            raise errors.OptionError(
                f"`{binary.path}`: {binary.kind} on the CPU device needs the OpenCL runtime ({runtime.OPENCL_ADVICE})"
            )

    def add_binary_stage(self, stages: dict[str, Callable], options: XeOptions, kept: dict[str, Any]) -> None:
        """Add the stage for SPIR-V if the OpenCL runtime is used, otherwise the one for code of a processor."""
        if options.cpu_code == runtime.SPIRV:
            super().add_binary_stage(stages, options, kept)
        elif options.cpu_code == runtime.ZEBIN:
            stages["obj"] = lambda source, metadata: self.make_native(source, metadata, options, kept)
        else:
            stages["obj"] = lambda source, metadata: self.make_obj(source, metadata, options, kept)

    def wants_cpu_form(self, options: XeOptions) -> bool:
        """Return whether the code has the form for CPUs.

        In object code masked accesses are branches, and checks know only the memory of arguments.
        If native code is requested, its figures have to be those of the code that a GPU gets.
        """
        return options.cpu_code in OBJECT_CODES and (options.cpu_checks or not options.generate_native_code)

    def inserts_checks(self, options: XeOptions) -> bool:
        """Return whether the code checks itself, as object code does; the simulator watches native code."""
        return options.cpu_checks and options.cpu_code in OBJECT_CODES

    def wants_variables(self, options: XeOptions) -> bool:
        """Return whether the kernel is compiled for debugging, or they are requested."""
        return self.inserts_checks(options) or super().wants_variables(options)

    def make_native(self, source: Any, metadata: dict[str, Any], options: XeOptions, kept: dict[str, Any]) -> bytes:
        """Compile for the GPU, as its driver would."""
        kept["llir"] = str(source)
        names = shared.native_compiler().spirv_entry_points(shared.spirv_of_gpus(options, kept))
        shared.complete_metadata(metadata, names[0], options)
        return self.make_zebin(metadata, options, kept)

    @staticmethod
    def make_obj(source: Any, metadata: dict[str, Any], options: XeOptions, kept: dict[str, Any]) -> bytes:
        """Emit object code in which a function runs a whole sub-group."""
        if isinstance(source, StageFile):
            from triton_xe import _cpu

            shared.complete_metadata(metadata, _cpu.kernel_name(source.content), options)
            return source.content
        kept["llir"] = str(source)
        name, code = shared.native_compiler().translate_to_object(
            kept["llir"], options.cpu_code, options.enable_fp_fusion, options.cpu_checks, options.arch
        )
        shared.complete_metadata(metadata, name, options)
        return code

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == CPUBackend.target_name
