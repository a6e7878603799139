# SPDX-License-Identifier: MIT
"""Compile a specialization of a harvest for a chip, with the variants that launches may choose.

A job runs in a separate process, maybe on another machine. Its input and its result can be pickled; the files of
compiled kernels come back as bytes, since machines need not share a file system.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import compiler as triton_compiler
from triton.errors import TritonError
from triton.runtime import cache

from triton_xe import compiler, errors, launching, native, origins, seals
from triton_xe.tools.ahead_of_time.compilation import parse_target
from triton_xe.tools.bundle import entries, manifest
from triton_xe.tools.precompile import checks, variants
from triton_xe.tools.precompile.sources import RecordedSource

if TYPE_CHECKING:
    from triton_xe.tools.harvest.records import Specialization

#: The stages that a launch needs: variants for other launches are compiled from the TTIR.
LAUNCHED = ("json", "ttir", "spv", "obj")


@dataclasses.dataclass(frozen=True)
class Settings:
    """The choices of a run that all of its jobs share."""

    #: Compile all variants that launch conditions may choose, not only those that the harvest has.
    all_variants: bool = True
    #: Compile to native code, too, and count its spills.
    native: bool = False
    #: Run the kernel on the CPU device with generated inputs: `cpu`, `simulator`, or an empty text.
    check: str = ""
    #: Keep the IR of all stages.
    with_ir: bool = False


@dataclasses.dataclass(frozen=True)
class Job:
    """A specialization to compile, and the chip in the notation of `parse_target`."""

    record: Specialization
    chip: str


@dataclasses.dataclass(frozen=True)
class Built:
    """A compiled kernel: its folder in a cache of Triton's, and figures about it."""

    #: The name of the folder.
    key: str
    #: The variant in words; empty for the kernel itself.
    variant: str
    files: dict[str, bytes]
    #: Bytes of shared local memory of a work-group.
    shared: int
    #: Messages to scratch memory in native code; None if it was not made.
    spills: int | None


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of a job. `built` begins with the kernel itself; without it, `problems` has the reason."""

    name: str
    chip: str
    #: The key of the specialization in the harvest.
    record: str
    built: tuple[Built, ...] = ()
    #: The reasons why the kernel, or a variant of it, is missing.
    problems: tuple[str, ...] = ()
    #: The result of the check, if there was one.
    finding: checks.Finding | None = None
    seconds: float = 0.0


_lock = threading.Lock()


@functools.cache
def _cache_folder() -> str:
    """Return the folder that is Triton's cache in this process, and goes with it."""
    folder = tempfile.mkdtemp(prefix="triton-xe-precompile-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@contextlib.contextmanager
def _own_cache() -> Iterator[None]:
    """Let this process compile into a separate folder, in Triton's format, and use neither a bundle nor a cache."""
    # Settings are those of a process, and the workers of some engines have threads.
    with _lock, triton.knobs.cache.scope():
        triton.knobs.cache.dir = _cache_folder()
        triton.knobs.cache.manager_class = cache.FileCacheManager
        yield


def _find_target(job: Job) -> GPUTarget:
    """Return the target of a job.

    Inductor compiles for sub-groups of 32 lanes where Triton itself compiles for the smallest ones.
    """
    target = parse_target(job.chip)
    lanes = job.record.target.get("warp_size")
    return GPUTarget(target.backend, target.arch, lanes if isinstance(lanes, int) else target.warp_size)


def key_of(job: Job) -> str:
    """Return the name of the folder of the kernel that a job compiles. Raises what parsing its options raises."""
    source = RecordedSource(job.record)
    backend = triton_compiler.make_backend(_find_target(job))
    return entries.describe(source, backend, backend.parse_options(job.record.options), job.record.environment).key


def check_version(record: Specialization) -> None:
    """Raise CompileError for a record without a key, or of another Triton, whose TTIR and keys do not fit this one."""
    if not record.source_hash:
        raise errors.CompileError("the key that it had does not follow from its source and options")
    if record.triton_key != origins.triton_key_digest():
        raise errors.CompileError(
            f"it was recorded with Triton {record.triton_version}, and this is {triton.__version__}"
            + (" of another build" if record.triton_version == triton.__version__ else "")
        )


def _read_folder(key: str, *, with_ir: bool) -> dict[str, bytes]:
    """Return the files of a compiled kernel by their names."""
    return {
        path.name: path.read_bytes()
        for path in sorted(Path(_cache_folder(), key).iterdir())
        if with_ir or path.suffix[1:] in LAUNCHED
    }


def _count_spills(kernel: Any) -> int:
    """Return the messages to scratch memory of native code, as today's device compiler makes it."""
    metadata = kernel.metadata
    code = native.compile_native(kernel.asm["spv"], metadata.arch, metadata.chosen_grf_mode, metadata.name)
    return code.figures.total.scratch_messages


class _Compilation:
    """The compilations of a job."""

    def __init__(self, job: Job, settings: Settings) -> None:
        self.source = RecordedSource(job.record)
        self.target = _find_target(job)
        self.settings = settings
        #: By their keys, since two conditions may request the same variant.
        self.built: dict[str, Built] = {}
        self.problems: list[str] = []

    def build(self, options: dict[str, Any], variant: str = "") -> Any:
        """Compile with the options of a launch, and return Triton's `CompiledKernel`."""
        kernel = triton_compiler.compile(
            self.source, target=self.target, options=options, _env_vars=self.source.record.environment
        )
        seals.check_metadata(kernel.metadata)
        wants_figures = self.settings.native and "spv" in kernel.asm
        key = manifest.key_of(kernel.hash)
        self.built.setdefault(
            key,
            Built(
                key=key,
                variant=variant,
                files=_read_folder(key, with_ir=self.settings.with_ir),
                shared=kernel.metadata.shared,
                spills=_count_spills(kernel) if wants_figures else None,
            ),
        )
        return kernel

    def build_variant(self, kernel: Any, variant: variants.Variant) -> Any:
        """Compile a variant of a compiled kernel. Returns None if it cannot be compiled."""
        options = launching.variant_options(kernel.metadata, variant.surfaces, (), variant.assume_launch)
        try:
            return self.build(options, str(variant))
        except TritonError as error:
            self.problems.append(f"variant {variant}: {describe(error)}")
            return None

    def build_all(self) -> Any:
        """Compile the kernel, and the variants that its launch conditions may choose. Returns the kernel."""
        kernel = self.build(self.source.record.options)
        if not self.settings.all_variants:
            return kernel
        for variant in variants.with_assumptions(kernel.metadata.launch_conditions):
            other = self.build_variant(kernel, variant)
            if other is not None and not variant.assume_launch:
                for without in variants.without_assumptions(other.metadata.launch_conditions):
                    self.build_variant(kernel, without)
        return kernel


def run(job: Job, settings: Settings) -> Outcome:
    """Compile a specialization for a chip. Errors are in the outcome."""
    started = time.perf_counter()
    outcome = Outcome(name=job.record.name, chip=job.chip, record=job.record.key)
    try:
        # Triton's cache, which the compilation does not use, has Triton's own part of keys.
        check_version(job.record)
        with _own_cache(), compiler.collect_diagnostics():
            compilation = _Compilation(job, settings)
            kernel = compilation.build_all()
            built, problems = tuple(compilation.built.values()), tuple(compilation.problems)
            outcome = dataclasses.replace(outcome, built=built, problems=problems)
            if settings.check:
                finding = checks.run(compilation.source, kernel, settings.check)
                outcome = dataclasses.replace(outcome, finding=finding)
    except (TritonError, OSError) as error:
        outcome = dataclasses.replace(outcome, problems=(*outcome.problems, describe(error)))
    return dataclasses.replace(outcome, seconds=time.perf_counter() - started)


def describe(error: Exception) -> str:
    """Return the reason of a failure, on one line."""
    if isinstance(error, OSError):
        return f"{os.strerror(error.errno) if error.errno else error}"
    return next(iter(str(error).splitlines()), type(error).__name__)
