# SPDX-License-Identifier: MIT
"""Route `triton.profiler` at its first session, for programs that know nothing of this package.

Without this, Triton's own profiler would only report that it has no backend for our devices. Its module is not loaded
here, since few programs need it, but changed when a program imports it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from triton_xe.compat import changes

_MODULE = "triton.profiler.profile"


def watch() -> None:
    """Watch for the import of `triton.profiler`, and route it at its first session. A second call does nothing."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path) and _MODULE not in sys.modules:
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Finds this one module by other finders, and changes it after its execution."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != _MODULE:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in others)), None)
        if spec and spec.loader:
            _after_execution(spec.loader, _change)
        return spec


def _after_execution(loader: Any, change: Callable[[ModuleType], None]) -> None:
    execute = loader.exec_module

    def execute_and_change(module: ModuleType) -> None:
        execute(module)
        change(module)

    loader.exec_module = execute_and_change


def _change(module: ModuleType) -> None:
    changes.replace(module, "start", _routing)


def _routing(start: Callable) -> Callable:
    """Return the function that starts a session, extended to route the profiler before."""

    @functools.wraps(start)
    def start_routed(*arguments: Any, **named: Any) -> Any:
        _route()
        return start(*arguments, **named)

    return start_routed


def _route() -> None:
    """Route the profiler if one of our devices is active, unless the program has restored it or disabled measuring."""
    from triton import knobs
    from triton.profiler.flags import flags

    from triton_xe.profiler import routing

    if not (flags.command_line or knobs.proton.disable or routing.is_restored()):
        routing.route()
