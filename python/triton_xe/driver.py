# SPDX-License-Identifier: MIT
"""The part that the drivers of both backends share: loading and launching kernels."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import time
from typing import Any

from triton.backends import driver as triton_driver

from triton_xe import crashes, errors, global_scratch, knobs, options, register_mode, seals, target
from triton_xe.compat import host_descriptors
from triton_xe.profiler import events as profile_events
from triton_xe.profiler import launches as profile_launches
from triton_xe.profiler import stock as stock_profiler

# Triton loads this module with itself, and thus before its profiler.
stock_profiler.watch()

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
    launch = make_unverified_launcher(src, metadata, wait=wait)
    if metadata.target.backend == "cpu" and (metadata.verify or knobs.VERIFY.enabled()):
        from triton_xe.verify import launches

        launch = launches.with_verification(launch, src, metadata)
    return launch


def make_unverified_launcher(src: Any, metadata: Any, *, wait: bool, source: Any = None) -> Any:
    """Return a launcher for arguments with the signature of `src`. Variants are compiled from `source`, or from `src`
    itself."""
    seals.check_metadata(metadata)
    # Of these only SPIR-V needs SYCL.
    module = {"avx2": "_cpu", "avx512": "_cpu", "zebin": "_simulator"}.get(metadata.cpu_code, "_runtime")
    runtime = importlib.import_module(f"triton_xe.{module}")
    profile_events.add_module(runtime)
    signature = list(src.signature.values())
    if any(str(kind).startswith("tensordesc") for kind in signature):
        host_descriptors.install(runtime)
    names = list(src.fn.arg_names) if hasattr(src, "fn") else []
    names += [""] * (len(signature) - len(names))
    # What launches bring along is behind the arguments.
    if metadata.global_scratch_size:
        signature.append("*i8")
        names.append("global scratch")
    if metadata.profile_scratch_size:
        signature.append("*i8")
        names.append("profile memory")
    launch = runtime.make_launcher(
        signature,
        names,
        metadata.target.backend,
        metadata.num_warps * metadata.threads_per_warp,
        wait,
        metadata.launch_conditions,
        functools.partial(compile_variant, src if source is None else source, metadata),
        # Object code checks itself.
        **({"checks": metadata.cpu_checks} if module == "_simulator" else {}),
    )
    if module == "_simulator":
        from triton_xe.cpu import simulator

        launch = simulator.with_lines(launch, src, metadata)
    if metadata.profile_scratch_size:
        launch = profile_launches.with_profile_memory(launch, metadata, src)
    if metadata.global_scratch_size:
        launch = global_scratch.with_global_scratch(launch, metadata)
    return launch


def compile_for_launches(
    src: Any, metadata: Any, surfaces: list[int], nan_descriptors: list[int], assume_launch: bool
) -> Any:
    """Compile a variant of the kernel with this `metadata`, for launches that do not satisfy its conditions.

    There are three kinds: the launch has tensors that 2D block messages cannot address (`surfaces`), it has descriptors
    that pad with NaN, or it breaks an assumption about launches (the variant is then compiled without `assume_launch`).
    """
    from triton.compiler import compiler as triton_compiler

    # A kernel from one of Inductor's processes, or from its cache, comes without its function.
    if getattr(getattr(src, "fn", src), "fn", src) is None:
        src = kept_source(src, metadata)
    fields = {field.name for field in dataclasses.fields(options.XeOptions)}
    values = {name: value for name, value in metadata._asdict().items() if name in fields}
    # A file of TTIR continues with TTGIR.
    if nan_descriptors and src.ext not in ("ttir", "ttgir"):
        raise errors.ArgumentError(f"descriptors that pad with NaN: known to kernels from TTIR, not from {src.ext}")
    values["assume_launch"] = values["assume_launch"] and assume_launch
    values["ordinary_surfaces"] = (*values["ordinary_surfaces"], *surfaces)
    values["nan_descriptors"] = (*values["nan_descriptors"], *nan_descriptors)
    return triton_compiler.compile(src, target=metadata.target, options=values)


#: Seconds that the launches of this process have spent in `compile_variant`.
_variant_seconds = 0.0


def variant_seconds() -> float:
    """Return how many seconds the launches of this process have spent in `compile_variant`."""
    return _variant_seconds


def compile_variant(
    src: Any, metadata: Any, surfaces: list[int], nan_descriptors: list[int], assume_launch: bool
) -> tuple[Any, Any]:
    """Load the kernel that `compile_for_launches` returns, and return its function and launch conditions."""
    global _variant_seconds
    started = time.perf_counter()
    kernel = compile_for_launches(src, metadata, surfaces, nan_descriptors, assume_launch)
    kernel._init_handles()
    _variant_seconds += time.perf_counter() - started
    return kernel.function, kernel.metadata.launch_conditions


def kept_file(src: Any, metadata: Any, suffix: str) -> str | None:
    """The path of a stage of a kernel in Triton's cache; None where it is kept no longer."""
    from triton.runtime import cache

    name = src.name[:150]
    files = cache.get_cache_manager(metadata.hash).get_group(f"{name}.json") or {}
    return files.get(f"{name}.{suffix}")


def kept_source(src: Any, metadata: Any) -> Any:
    """Return the TTIR that Triton keeps beside a kernel's binary, as a source.

    Raises CompileError if it is no longer there.
    """
    from triton_xe import ir_source

    path = kept_file(src, metadata, "ttir")
    if path is None:
        raise errors.CompileError(
            f"a launch of `{src.name}` needs other code than there is, and neither its function is in this process "
            "nor its TTIR in Triton's cache"
        )
    # TTIR has several arguments for a descriptor.
    return ir_source.IRSource(path, list(src.signature.values()))


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
    Inductor's `spill_threshold` limits it. Drivers tell the bytes of a whole sub-group.
    """
    return -(-kernel.spill_size // (4 * kernel.sub_group_size))


class XeUtils:
    """The functions that Triton's runtime expects in `driver.utils`."""

    def __init__(self, driver: XeDriver) -> None:
        self.driver = driver

    def load_binary(self, name: str, binary: bytes, shared: int, device: int) -> tuple[Any, Any, int, int, int]:
        """Load a kernel; returns (module, function, registers, spilled registers per lane, largest work-group).

        Shared local memory is static in the SPIR-V, and the number of registers is not known before the launch.
        """
        seals.check_binary(name, binary)
        opened = self.driver.open_device_for(binary, device)
        try:
            kernel = opened.load_kernel(binary, name)
        except errors.CompileError as error:
            raise crashes.crash_error(str(error), name, binary) from None
        if said := describe_spills(kernel, binary, self.driver.architecture(device)):
            from triton_xe import compiler

            compiler.say_spills(name, "the GPU's compiler", said)
        limit = min(kernel.max_work_group_size, self.driver.architecture(device).max_work_group_size)
        return opened, kernel, 0, count_spills(kernel), limit

    def unload_module(self, module: Any) -> None:
        """Do nothing, since kernels own their modules. From Triton 3.8 on this gets the first result of
        `load_binary`."""

    def get_device_properties(self, device: int) -> dict[str, Any]:
        """Properties of a device under the names that Triton uses."""
        opened = self.driver.open_device(device)
        architecture = self.driver.architecture(device)
        return {
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

    #: Whether a launch returns only after the kernel has ended.
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
