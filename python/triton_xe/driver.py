# SPDX-License-Identifier: MIT
"""The part that the drivers of both backends share: loading kernels, and what Triton requires of a driver."""

from __future__ import annotations

import functools
from typing import Any

from triton.backends import driver as triton_driver

from triton_xe import errors, hooks, import_watch, inductor_watch, register_mode, target, tracebacks

# Triton loads this module with itself, and thus before its profiler.
import_watch.watch("triton.profiler.profile", hooks.route_profiler)
# Torch's compiler imports Triton before it compiles anything.
inductor_watch.install()

#: C types of kernel arguments, for tools that generate host code.
CPP_TYPES = {
    "i1": "int8_t",
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "u1": "uint8_t",
    "u8": "uint8_t",
    "u16": "uint16_t",
    "u32": "uint32_t",
    "u64": "uint64_t",
    "fp16": "double",
    "bf16": "double",
    "fp32": "double",
    "f32": "double",
    "fp64": "double",
}


def make_launcher(src: Any, metadata: Any, *, wait: bool) -> Any:
    """Return the callable that Triton keeps as `CompiledKernel.run`."""
    from triton_xe import launching

    return hooks.wrap_launcher(launching.make_launcher(src, metadata, wait=wait), src, metadata)


def describe_spills(kernel: Any, binary: bytes, architecture: target.Architecture) -> str:
    """Describe the spills of a kernel that a driver has compiled, and the second build of `grf_mode="auto"`, if any."""

    def describe(size: int) -> str:
        return f"{size} bytes" if size else ""

    # Object code has no spills, and knows of no builds.
    fallback = getattr(kernel, "spill_fallback", None)
    if fallback is None:
        return describe(kernel.spill_size)
    from triton_xe import _runtime

    modes = {text: mode for mode, text in architecture.grf_build_options.items() if mode.isdecimal()}
    choice = register_mode.Choice(
        modes[_runtime.read_build_options(binary)], modes[_runtime.read_spill_build_options(binary)]
    )
    is_second, other_size = fallback
    if is_second:
        return register_mode.describe_builds(
            describe(other_size), describe(kernel.spill_size), choice, str(choice.spare)
        )
    return register_mode.describe_builds(describe(kernel.spill_size), describe(other_size), choice, choice.mode)


def count_spills(kernel: Any) -> int:
    """Return how many registers of 32 bits each lane keeps in memory.

    On other devices `n_spills` of a compiled kernel counts the same: the local memory of a thread in units of 4 bytes.
    Inductor's `spill_threshold` limits it. Drivers report the bytes of a whole sub-group.
    """
    return -(-kernel.spill_size // (4 * kernel.sub_group_size))


def count_registers(kernel: Any, binary: bytes, architecture: target.Architecture) -> int:
    """Return how many registers of 32 bits each lane has, as `n_regs` of a compiled kernel counts on other devices.

    Code of the CPU device has at least the number that it would have on a GPU.
    """
    count = getattr(kernel, "register_count", 0) or min(architecture.max_warps)
    # A binary for a GPU records the register mode that it is built with.
    if hasattr(kernel, "spill_fallback"):
        from triton_xe import _runtime

        fallback = kernel.spill_fallback
        read = _runtime.read_spill_build_options if fallback and fallback[0] else _runtime.read_build_options
        modes = {text: int(mode) for mode, text in architecture.grf_build_options.items() if mode.isdecimal()}
        count = modes.get(read(binary), count)
    return count * architecture.register_bytes // (4 * kernel.sub_group_size)


class XeUtils:
    """The functions that Triton's runtime expects in `driver.utils`."""

    def __init__(self, driver: XeDriver) -> None:
        self.driver = driver

    @tracebacks.end_here
    def load_binary(self, name: str, binary: bytes, shared: int, device: int) -> tuple[Any, Any, int, int, int]:
        """Load a kernel; returns (module, function, registers and spilled registers per lane, largest work-group).

        Shared local memory is static in the SPIR-V.
        """
        from triton_xe import crashes, launching, refusals, seals

        seals.check_binary(name, binary)
        opened = self.driver.open_device_for(binary, device)
        try:
            kernel = opened.load_kernel(binary, name)
        except errors.CompileError as error:
            raise crashes.crash_error(str(error), name, binary) from None
        except errors.BinaryError as error:
            if refused := refusals.find(str(error)):
                raise refused.at(launching.place_of(name)) from None
            raise
        try:
            refusals.check_spills(kernel.spill_size)
        except errors.DeviceCompilerRefusal as refused:
            raise refused.at(launching.place_of(name)) from None
        if spills := describe_spills(kernel, binary, self.driver.architecture(device)):
            from triton_xe import compiler

            compiler.report_spills(name, "the GPU's compiler", spills)
        architecture = self.driver.architecture(device)
        limit = min(kernel.max_work_group_size, architecture.max_work_group_size)
        return opened, kernel, count_registers(kernel, binary, architecture), count_spills(kernel), limit

    def unload_module(self, module: Any) -> None:
        """Do nothing, since kernels own their modules. From Triton 3.8 on this gets the first result of
        `load_binary`."""

    def get_device_properties(self, device: int) -> dict[str, Any]:
        """Return properties of a device under the names that Triton uses, those of CUDA's driver among them.

        `max_num_regs` is the number of registers of 32 bits that a work-group can have: kernels that divide it by what
        one of theirs needs find room for at least one. Unknown clocks are 0.
        """
        from triton_xe import device_clocks

        opened = self.driver.open_device(device)
        architecture = self.driver.architecture(device)
        return {
            "max_num_regs": max(count * warps for count, warps in architecture.max_warps.items())
            * (architecture.register_bytes // 4),
            **device_clocks.read_clocks(opened),
            "name": opened.name,
            "max_shared_mem": architecture.shared_memory,
            "max_work_group_size": architecture.max_work_group_size,
            "sub_group_sizes": list(architecture.sub_group_sizes),
            "multiprocessor_count": opened.compute_units,
            "warpSize": architecture.sub_group_sizes[0],
        }

    def set_printf_fifo_size(self, size: int) -> None:
        """Do nothing, since the driver chooses the size of the buffer for `tl.device_print`."""


class XeDriver(triton_driver.DriverBase):
    """A driver that launches kernels. Subclasses choose the device and the queue."""

    #: This is true if a launch returns only after the kernel has ended.
    launches_wait: bool

    def __init__(self) -> None:
        super().__init__()
        self.utils = XeUtils(self)
        self.launcher_cls = functools.partial(make_launcher, wait=self.launches_wait)

    def open_device(self, device: int) -> Any:
        """Return the device with this ordinal."""
        raise NotImplementedError

    def open_device_for(self, binary: bytes, device: int) -> Any:
        """Return the device with this ordinal, for binaries of this kind."""
        return self.open_device(device)

    def architecture(self, device: int) -> target.Architecture:
        """Return the architecture that kernels for this device are compiled for."""
        raise NotImplementedError

    def map_python_to_cpp_type(self, ty: str) -> str:
        """Return the C type of a kernel argument."""
        return "void *" if ty.startswith("*") else CPP_TYPES[ty]
