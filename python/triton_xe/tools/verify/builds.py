# SPDX-License-Identifier: MIT
"""Compile a kernel again, with some passes and assumptions off, and run it in other memory than the user's."""

from __future__ import annotations

import dataclasses
import re
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from triton.errors import TritonError

from triton_xe import errors, kept_files, launching, options
from triton_xe.tools.verify import kernel_text
from triton_xe.tools.verify.memory import Memory, UnverifiableError

#: Options that turn off more than a pass, with the values that do so. Without tile registers the CPU device has
#: straight code in place of loops over slices. No kernel has this number of surfaces.
FLAGS = {"tile_registers": 0, "assume_launch": False, "raise_pointers": False, "ordinary_surfaces": tuple(range(64))}
#: The flag of a reference on the simulator: the code of the CPU device is what is off then.
SIMULATED = {"cpu_code": "zebin"}


@dataclasses.dataclass(frozen=True)
class Call:
    """The parts of a launch other than its arguments."""

    grid: tuple[Any, Any, Any]
    stream: Any = 0


class Build:
    """A compiled kernel that hooks and profilers do not see."""

    def __init__(self, signature: Sequence[Any], names: Sequence[str], compiled: Any) -> None:
        from triton.runtime import driver as triton_driver

        active = triton_driver.active
        metadata = compiled.metadata
        described = SimpleNamespace(
            signature=dict(enumerate(signature)), fn=SimpleNamespace(arg_names=list(names)), ext=compiled.src.ext
        )
        self._launch = launching.make_launcher(described, metadata, wait=True, source=compiled.src)
        loaded = active.utils.load_binary(compiled.name, compiled.kernel, metadata.shared, active.get_current_device())
        self._function = loaded[1]

    def run(self, call: Call, arguments: Sequence[Any]) -> None:
        """Launch with these arguments, and wait. Raises what any launch raises."""
        from triton.runtime import _allocation

        from triton_xe.tools.profiler import events

        # The user's allocator is for the user's launches.
        allocator = _allocation._allocator.get()
        _allocation._allocator.set(_allocation.NullAllocator())
        try:
            with events.muted():
                self._launch(*call.grid, call.stream, self._function, None, None, None, None, *arguments)
        finally:
            _allocation._allocator.set(allocator)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The memory that a run left, or the error that ended it."""

    memory: Memory
    error: TritonError | None = None
    seconds: float = 0.0


class Subject:
    """A kernel that can be built in several ways.

    `values` are the options of the compilation, `signature` and `names` those of all its arguments, constants too.
    """

    def __init__(
        self, text: kernel_text.KernelText, values: dict[str, Any], signature: Sequence[Any], names: Sequence[str],
        target: Any,
    ) -> None:  # fmt: skip
        self.text = text
        self.values = values
        self.signature = list(signature)
        self.names = list(names)
        self.target = target
        self._builds: dict[tuple[frozenset[str], str], Build] = {}
        self._reference: frozenset[str] | None = None
        self._problem = ""

    @property
    def flags(self) -> dict[str, Any]:
        """Return the options that can be turned off, with the values that do so."""
        return FLAGS | (SIMULATED if self.values.get("verify") == options.ON_SIMULATOR else {})

    @property
    def switches(self) -> tuple[str, ...]:
        """Return what the options of the compilation leave on, by its name as a pass or an option.

        A pass is blamed before the option that turns off it and more.
        """
        skipped = self.values.get("skip_passes", ())
        flags = self.flags
        return tuple(
            name
            for name in (*options.optional_passes(), *flags)
            if name not in skipped and (name not in flags or self.values[name] != flags[name])
        )

    def reference(self) -> frozenset[str]:
        """Return what is off in the reference: everything, if the kernel can be compiled so.

        Raises UnverifiableError if it cannot.
        """
        if self._reference is None:
            everything = frozenset(self.switches)
            self._reference = everything if self._can_build(everything) else None
        if self._reference is None:
            raise UnverifiableError(f"the reference cannot be compiled: {self._problem}")
        return self._reference

    def _can_build(self, off: frozenset[str]) -> bool:
        try:
            self.build(off)
        except TritonError as error:
            self._problem = next(iter(str(error).splitlines()), type(error).__name__)
            return False
        return True

    def build(self, off: Collection[str], text: str = "") -> Build:
        """Compile without these passes and assumptions; `text` takes the place of the kernel's TTIR.

        Raises what a compilation raises.
        """
        key = frozenset(off), text
        if key not in self._builds:
            compiled, _ = self._compile(off, text or self.text.silent)
            self._builds[key] = Build(self.signature, self.names, compiled)
        return self._builds[key]

    def run(
        self, off: Collection[str], call: Call, described: Sequence[Any], before: Memory, text: str = ""
    ) -> Outcome:
        """Run in a copy of `before`. `described` are the arguments of a `Snapshot`.

        Raises UnverifiableError if the kernel cannot be compiled so.
        """
        try:
            build = self.build(off, text)
        except TritonError as error:
            raise UnverifiableError(f"without {', '.join(sorted(off))} the kernel cannot be compiled") from error
        copies = before.clone()
        arguments = copies.arguments(described)
        started, compiled = time.perf_counter(), launching.variant_seconds()
        try:
            build.run(call, arguments)
        except TritonError as error:
            return Outcome(copies, error)
        seconds = time.perf_counter() - started - (launching.variant_seconds() - compiled)
        return Outcome(copies, seconds=seconds)

    def rewrites(self, name: str, off: Collection[str]) -> dict[int, errors.SourceLocation | None]:
        """Return the numbers of the rewrites that a pass makes while others are off, and the lines that they are about.

        There are none if the name is that of an option, or if the kernel cannot be compiled without them.
        """
        from triton import knobs as triton_knobs

        if name in self.flags:
            return {}
        left_out = re.compile(rf"rewrite ([0-9]+) of `{name}` is left out")
        try:
            with triton_knobs.compilation.scope():
                # Passes that do not run, because the kernel is in the cache, give no remarks.
                triton_knobs.compilation.always_compile = True
                _, diagnostics = self._compile((*off, f"{name}:0-"), self.text.silent)
        except TritonError:
            return {}
        found = [(left_out.search(each.message), each.locations) for each in diagnostics]
        return {int(match[1]): next(iter(places), None) for match, places in found if match}

    def _compile(self, off: Collection[str], text: str) -> tuple[Any, list[errors.Diagnostic]]:
        """Return the compiled kernel, and what passes reported about it."""
        from triton.compiler import compiler as triton_compiler

        from triton_xe import compiler, ir_source

        values = self.values | {
            "verify": False,
            "instrumentation_mode": "",
            "skip_passes": (*self.values.get("skip_passes", ()), *(name for name in off if name not in self.flags)),
        }
        values |= {name: value for name, value in self.flags.items() if name in off}
        with tempfile.TemporaryDirectory(prefix="triton-xe-verify-") as folder:
            path = Path(folder, "kernel.ttir")
            path.write_text(text)
            source = ir_source.IRSource(path, self.signature)
        # Its remarks are about code that was not requested.
        with compiler.collect_diagnostics() as diagnostics:
            return triton_compiler.compile(source, target=self.target, options=values), diagnostics


def of_kernel(source: Any, metadata: Any, on_simulator: bool = False) -> Subject:
    """Return the kernel with this source and metadata, as launchers get them; the reference may run on the simulator.

    Raises UnverifiableError if its TTIR is not known, or if it accesses memory that is not that of its arguments.
    """
    from triton import knobs as triton_knobs

    override = metadata.ir_override or ""
    if triton_knobs.compilation.override or (override and not override.endswith(".ttir")):
        raise UnverifiableError("a file replaces the result of a stage")
    text = kernel_text.KernelText(_read_ttir(source, metadata))
    if text.makes_pointers:
        raise UnverifiableError("the kernel gets addresses as numbers: their memory cannot be copied")
    fields = {field.name for field in dataclasses.fields(options.XeOptions)} - {"without_effect", "ir_override"}
    values = {name: value for name, value in metadata._asdict().items() if name in fields}
    values["verify"] = options.ON_SIMULATOR if on_simulator else True
    signature = list(source.signature.values())
    names = list(getattr(getattr(source, "fn", None), "arg_names", ()))
    names += [f"#{index}" for index in range(len(names), len(signature))]
    return Subject(text, values, signature, names[: len(signature)], metadata.target)


def _read_ttir(source: Any, metadata: Any) -> str:
    """Return the TTIR that a kernel was compiled from. Raises UnverifiableError where there is none."""
    from triton_xe import ir_source

    if isinstance(source, ir_source.IRSource):
        if source.ext == "ttir":
            return source.content.decode()
        raise UnverifiableError("the kernel was not compiled from TTIR")
    path = kept_files.find(source, metadata, "ttir")
    if path is None:
        raise UnverifiableError(kept_files.lack_of_ttir(source) or "Triton has not kept the kernel's TTIR")
    try:
        return Path(path).read_text()
    except OSError as error:
        raise UnverifiableError(f"cannot read `{path}`: {error.strerror}") from error


def error_line(error: errors.TritonXeError | TritonError) -> str:
    """Return the first line of an error, with its class."""
    return f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')}"
