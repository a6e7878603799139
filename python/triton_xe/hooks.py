# SPDX-License-Identifier: MIT
"""The hooks by which tools take part in compilations and launches.

The core, which compiles and launches kernels, imports nothing of `triton_xe.tools`. Where a tool may take part, the
core calls a function of this module, which loads the tool if it is in use, and only then.

    look_up               before Triton makes a key: bundles, if this process has any
    wrap_launcher         for each kernel that gets a launcher: `verify` and `harvest`, if they are switched on
    give_profile_memory   for a kernel with scopes, whose records need memory: the profiler
    route_profiler        when a program has imported Triton's profiler: ours
    inductor_features     when torch's Inductor generates Triton kernels for CPU tensors: exports for AOTInductor

In the other direction a tool calls `observe_launches`, to see every launch and its time.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import threading
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from triton_xe import knobs, options

if TYPE_CHECKING:
    from triton_xe.compat.features import Feature

#: Launches a kernel: the launcher that Triton keeps as `CompiledKernel.run`.
Launch = Callable[..., None]
#: Gets the name of a kernel, the metadata of the launch, the stream, the time, and the `CompiledKernel.function`.
Observer = Callable[[str, Any, int, Any, Any], None]

#: The group of entry points of packages that have a bundle, and the value of the variable that turns these off.
BUNDLES, NO_BUNDLES = "triton_xe.bundles", "off"


def _tool(name: str) -> ModuleType:
    """Load a module of a tool. The core knows tools by these names alone."""
    return importlib.import_module(f"triton_xe.tools.{name}")


@functools.cache
def _packages_have_bundles() -> bool:
    return bool(importlib.metadata.entry_points(group=BUNDLES))


def look_up() -> None:
    """Let bundles take part in the search for a kernel, if this process has any."""
    text = knobs.BUNDLE.text()
    if text != NO_BUNDLES if text else _packages_have_bundles():
        _tool("bundle.activation").install()


def wrap_launcher(launch: Launch, source: Any, metadata: Any) -> Launch:
    """Return a launcher that does what `launch` does, and what the tools do that are in use."""
    on_simulator = options.ON_SIMULATOR in (metadata.verify, knobs.VERIFY.text())
    if metadata.target.backend == "cpu" and (metadata.verify or knobs.VERIFY.enabled() or on_simulator):
        launch = _tool("verify.launches").with_verification(launch, source, metadata, on_simulator)
    if path := knobs.HARVEST.text():
        launch = _tool("harvest.recording").with_recording(launch, source, metadata, path)
    return launch


def give_profile_memory(launch: Launch, source: Any, metadata: Any) -> Launch:
    """Return a launcher that passes memory for the records of the kernel's scopes after all other arguments."""
    return _tool("profiler.launches").with_profile_memory(launch, metadata, source)


def route_profiler(module: ModuleType) -> None:
    """Let Triton's profiler, whose module `profile` was imported, know our devices."""
    _tool("profiler.stock").change(module)


def inductor_features() -> tuple[Feature, ...]:
    """Return what tools change in torch's Inductor where it generates Triton kernels for CPU tensors."""
    return _tool("ahead_of_time.inductor").FEATURES


_lock = threading.Lock()
#: The modules that launch kernels, and the function that they call after each launch.
_runtimes: tuple[Any, ...] = ()
_observer: Observer | None = None


def observe_launches(observer: Observer | None) -> None:
    """Measure the time of every launch from now on, and call the observer; with None, stop both."""
    global _observer
    with _lock:
        _observer = observer
        for runtime in _runtimes:
            runtime.set_launch_observer(observer)


def add_runtime(runtime: Any) -> None:
    """Let a module that launches kernels call the observer, now and later."""
    global _runtimes
    if runtime not in _runtimes:
        with _lock:
            _runtimes = (*_runtimes, runtime)
            runtime.set_launch_observer(_observer)
