# SPDX-License-Identifier: MIT
"""Find the kernels that a script launches."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import triton
from triton.compiler import CompiledKernel

from triton_xe import errors, launching
from triton_xe.tools.profiler import events
from triton_xe.tools.report.contents import Launches
from triton_xe.tools.scripts import Script


@dataclass(frozen=True)
class Launched:
    """A kernel that a script launches, or a variant of one."""

    kernel: Any
    #: None unless launches of the kernel need several variants.
    launches: Launches | None = None


@dataclass
class _Loaded:
    """The kernels that are loaded, by their keys, and how often each ran."""

    name: str | None
    kernels: dict[str, Any] = field(default_factory=dict)
    #: For a variant the key of its kernel, for others the key itself.
    bases: dict[str, str] = field(default_factory=dict)
    #: By the number of the object that launches the code, which the kernel keeps.
    runs: Counter[int] = field(default_factory=Counter)

    def remember(self, _module: object, _function: object, name: str, files: Any, key: str) -> None:
        """Take a kernel that is being loaded."""
        if self.name in (None, name) and key not in self.kernels:
            self.kernels[key] = _loading() or CompiledKernel(None, files, key)
            self.bases[key] = launching.variant_base() or key

    def ran(self, run: events.Run) -> None:
        """Count a launch."""
        self.runs[id(run.code)] += 1

    def launched(self) -> list[Launched]:
        """Return the kernels in the order of their first launches."""
        counts = {key: self.runs[id(getattr(kernel, "function", None))] for key, kernel in self.kernels.items()}
        found = []
        for key, kernel in self.kernels.items():
            base = self.bases[key]
            family = [other for other, its_base in self.bases.items() if its_base == base]
            launches = None
            if len(family) > 1:
                launches = Launches(counts[key], sum(counts[other] for other in family), key != base)
            found.append(Launched(kernel, launches))
        return found


def _loading() -> CompiledKernel | None:
    """Find the kernel that is being loaded. It knows its constants, unlike its files, but hooks are called without
    it."""
    frame = sys._getframe(1)
    while frame is not None:
        if isinstance(kernel := frame.f_locals.get("self"), CompiledKernel):
            return kernel
        frame = frame.f_back
    return None


def run(script: Script, name: str | None = None, hint: str = "") -> list[Launched]:
    """Execute a script, and return the kernels that it launches, in the order of their first launches; every
    configuration of a kernel (types, constants, options) counts. With `name`, returns only kernels of that name.

    Raises OptionError if there is no such script; ScriptError if it fails, or if it launches no kernel. The message of
    the latter ends with `hint`.
    """
    loaded = _Loaded(name)
    hooks = triton.knobs.runtime.kernel_load_end_hook
    hooks.add(loaded.remember)
    events.listen_to_runs(loaded)
    try:
        script.run()
    finally:
        events.ignore_runs(loaded)
        hooks.remove(loaded.remember)
    if not loaded.kernels:
        what = "no kernel" if name is None else f"no kernel `{name}`"
        raise errors.ScriptError(f"`{script.name}` launches {what}{hint}")
    return loaded.launched()
