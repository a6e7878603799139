# SPDX-License-Identifier: MIT
"""Make the launchers of compiled kernels, and compile variants for launches that do not satisfy their conditions."""

from __future__ import annotations

import contextvars
import dataclasses
import functools
import importlib
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triton_xe import errors, global_scratch, hooks, kept_files, options, seals
from triton_xe.compat import host_descriptors
from triton_xe.cpu import error_lines


def make_launcher(src: Any, metadata: Any, *, wait: bool, source: Any = None) -> Any:
    """Return a launcher for arguments with the signature of `src`, without verification.

    Variants are compiled from `source`, or from `src` itself.
    """
    seals.check_metadata(metadata)
    _prepared.set((metadata.name, getattr(src, "fn", None)))
    # The module is imported for a kernel that needs it: SPIR-V needs SYCL, and nothing else does.
    module = {"avx2": "_cpu", "avx512": "_cpu", "zebin": "_simulator"}.get(metadata.cpu_code, "_runtime")
    runtime = importlib.import_module(f"triton_xe.{module}")
    hooks.add_runtime(runtime)
    signature = list(src.signature.values())
    if any("tensordesc<" in str(kind) for kind in signature):
        host_descriptors.install(runtime)
    names = list(src.fn.arg_names) if hasattr(src, "fn") else []
    names += [""] * (len(signature) - len(names))
    # The memory that launches bring along follows the arguments.
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
        checks=metadata.cpu_checks if module == "_simulator" else False,
        cooperative=metadata.launch_cooperative_grid,
    )
    if module == "_simulator":
        launch = error_lines.with_lines(launch, src, metadata)
    if metadata.profile_scratch_size:
        launch = hooks.give_profile_memory(launch, src, metadata)
    if metadata.global_scratch_size:
        launch = global_scratch.with_global_scratch(launch, metadata)
    return launch


def variant_options(
    metadata: Any, surfaces: Sequence[int], nan_descriptors: Sequence[int], assume_launch: bool
) -> dict[str, Any]:
    """Return the options of the variant that `compile_for_launches` compiles."""
    fields = {field.name for field in dataclasses.fields(options.XeOptions)}
    values = {name: value for name, value in metadata._asdict().items() if name in fields}
    values["assume_launch"] = values["assume_launch"] and assume_launch
    values["ordinary_surfaces"] = (*values["ordinary_surfaces"], *surfaces)
    values["nan_descriptors"] = (*values["nan_descriptors"], *nan_descriptors)
    return values


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
        src = kept_files.source(src, metadata)
    if nan_descriptors and not _has_descriptors(src):
        raise errors.ArgumentError("descriptors that pad with NaN: the source of the kernel no longer has descriptors")
    values = variant_options(metadata, surfaces, nan_descriptors, assume_launch)
    if isinstance(src, triton_compiler.IRSource):
        src = _own_source(src)
    return triton_compiler.compile(src, target=metadata.target, options=values)


def _has_descriptors(src: Any) -> bool:
    """Return whether the source of a kernel that takes descriptors still has them, and not just their parts."""
    if not hasattr(src, "path"):
        return src.ext in ("ttir", "glir", "ttgir")
    suffix = Path(src.path).suffix
    # TTGIR that this compiler has written has only their parts. A file from elsewhere may have arguments that are some.
    takes_them = any("!tt.tensordesc<" in str(kind) for kind in src.signature.values())
    return suffix == ".ttir" or (suffix == ".ttgir" and takes_them)


def _own_source(src: Any) -> Any:
    """Return as a source what Triton has read from a file: it compiles such files by their paths, and only once."""
    from triton_xe import ir_source

    with tempfile.TemporaryDirectory(prefix="triton-xe-source-") as folder:
        path = Path(folder, f"kernel.{src.ext}")
        path.write_text(src.src)
        return ir_source.IRSource(path)


#: The kernel of which this thread made a launcher last, and its function. Triton then loads its binary, and passes only
#: the name.
_prepared: contextvars.ContextVar[tuple[str, Any]] = contextvars.ContextVar("prepared", default=("", None))


def place_of(name: str) -> errors.SourceLocation | None:
    """Return the line of the kernel of which this thread loads the binary; None if its function is not known."""
    from triton.runtime import jit

    prepared, function = _prepared.get()
    if prepared != name or not hasattr(function, "starting_line_number"):
        return None
    file, line = jit.get_jit_fn_file_line(function)
    return errors.SourceLocation(file, line, 1)


#: Seconds that the launches of this process have spent in `compile_variant`.
_variant_seconds = 0.0


def variant_seconds() -> float:
    """Return how many seconds the launches of this process have spent in `compile_variant`."""
    return _variant_seconds


#: The key of the kernel of which this thread loads a variant.
_variant_base: contextvars.ContextVar[str | None] = contextvars.ContextVar("variant_base", default=None)


def variant_base() -> str | None:
    """Return the key of the kernel whose launch needs the variant that is being loaded; None for any other kernel."""
    return _variant_base.get()


def compile_variant(
    src: Any, metadata: Any, surfaces: list[int], nan_descriptors: list[int], assume_launch: bool
) -> tuple[Any, Any]:
    """Load the kernel that `compile_for_launches` returns, and return its function and launch conditions."""
    global _variant_seconds
    started = time.perf_counter()
    kernel = compile_for_launches(src, metadata, surfaces, nan_descriptors, assume_launch)
    token = _variant_base.set(metadata.hash)
    try:
        kernel._init_handles()
    finally:
        _variant_base.reset(token)
    _variant_seconds += time.perf_counter() - started
    return kernel.function, kernel.metadata.launch_conditions
