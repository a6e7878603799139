# SPDX-License-Identifier: MIT
"""Route Triton's own profiler to our sessions, for programs that import `triton.profiler`. Their first session does
this (stock.py), or they call `route`.

Triton's Python modules call a library, `libproton`, which supports no devices of others. While the profiler is routed,
these modules find our functions under that name. Functions and classes stay Triton's own, so those that a program has
imported before work, too.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

from triton_xe import errors
from triton_xe.compat.changes import Changes
from triton_xe.tools.profiler import collecting, context, data, hooks, host_scopes, sessions

_scope_numbers = itertools.count()
_lock = threading.Lock()
#: The replaced attributes of Triton's modules; none while the profiler is not routed.
_changes = Changes()
#: This is true if the program has restored the original `triton.profiler`.
_is_restored = False


def route() -> bool:
    """Make `triton.profiler` measure kernels of the active target if it is one of ours; otherwise act as `restore`.

    Returns whether the profiler is routed. Raises OptionError for a Triton with an unknown profiler.
    """
    global _is_restored
    with _lock:
        _is_restored = False
        if sessions.active_target() not in sessions.TARGETS:
            _restore()
        elif not _changes.replaced:
            _replace()
        return bool(_changes.replaced)


def restore() -> None:
    """Restore the original `triton.profiler`. Sessions continue until `triton_xe.tools.profiler.finalize`."""
    global _is_restored
    with _lock:
        _is_restored = True
        _restore()


def is_restored() -> bool:
    """Return whether `restore` was called after the last `route`."""
    return _is_restored


def _restore() -> None:
    if _changes.replaced:
        sessions.follow_flags(False)
    _changes.undo()


def _replace() -> None:
    values = [
        (module, name, value)
        for module_name, names in _replacements().items()
        for module in [importlib.import_module(f"triton.profiler.{module_name}")]
        for name, value in names.items()
    ]
    # Methods, as instances are known to be of that class.
    launch_hook = importlib.import_module("triton.profiler.hooks.launch").LaunchHook
    values += [(launch_hook, "enter", _enter_hook), (launch_hook, "exit", lambda _self, _metadata: None)]
    # All are looked at before the first is replaced.
    problems = [problem for holder, name, _ in values if (problem := _changes.check(holder, name))]
    if problems:
        raise errors.OptionError(
            f"the profiler of this Triton cannot be routed: {'; '.join(problems)}; "
            "`import triton_xe.tools.profiler as proton` takes its place"
        )
    for holder, name, value in values:
        _changes.put(holder, name, value)
    sessions.follow_flags(True)


def _replacements() -> dict[str, dict[str, Any]]:
    """Return the replacements for names in each module of `triton.profiler`."""
    library = {"libproton": _Library()}
    return {
        "context": library,
        "data": library,
        "profile": library
        | {"_select_backend": lambda: sessions.choose_backend(None), "InstrumentationHook": _InstrumentationHook},
        "scope": library
        | {"set_metric_kernels": lambda: None, "transform_tensor_metrics": lambda metrics: (metrics, {})},
        "state": library,
    }


def _enter_hook(self: Any, metadata: Any) -> None:
    hooks.read_metadata(metadata, self._matches_kernel_name)


class _InstrumentationHook(hooks.QuietHook):
    """Replaces Triton's hook that instruments kernels of CUDA, since our sessions do this themselves."""

    def __init__(self, mode: Any) -> None:
        self.mode = mode


def _owner(number: int) -> tuple[str, int]:
    return "triton.profiler", number


class _Library:
    """The functions of `libproton` that Triton's modules call."""

    def start(self, path: str, context_name: str, data_name: str, backend: str, mode: str = "") -> int:
        backend = sessions.choose_backend(backend)
        if backend == "instrumentation":
            # The target precedes the mode.
            mode = mode.partition(":")[2]
        settings = collecting.Settings(
            name=path,
            data=sessions.check("data", data_name, tuple(sessions.FORMATS)),
            context=sessions.check("context", context_name, sessions.CONTEXTS),
            backend=backend,
            mode=sessions.read_mode(backend, mode),
            # There is metadata where a hook has read it; hooks are none of this library's business.
            reads_metadata=True,
        )
        return sessions.open_session(settings, None)

    activate = staticmethod(sessions.activate)
    activate_all = staticmethod(sessions.activate)
    deactivate = staticmethod(sessions.deactivate)

    def deactivate_all(self, flushing: bool) -> None:
        sessions.deactivate(None, flushing)

    finalize = staticmethod(sessions.finalize)

    def finalize_all(self, output_format: str) -> None:
        sessions.finalize(None, output_format)

    def record_scope(self) -> int:
        return next(_scope_numbers)

    def enter_scope(self, number: int, name: str) -> None:
        host_scopes.enter(name, owner=_owner(number))

    # A scope that a program leaves may have begun before there was a session: Triton's functions did not report it
    # then.

    def exit_scope(self, number: int, _name: str) -> None:
        with contextlib.suppress(ValueError):
            host_scopes.leave(_owner(number))

    def add_metrics(self, number: int, metrics: Mapping[str, Any], _tensors: Mapping[str, Any] | None = None) -> None:
        path = host_scopes.path_of(_owner(number))
        if path:
            host_scopes.measure(path, metrics)

    enter_state = staticmethod(host_scopes.enter_state)

    def exit_state(self) -> None:
        with contextlib.suppress(ValueError):
            host_scopes.exit_state()

    get_context_depth = staticmethod(context.depth)

    def get_data(self, session: int, phase: int) -> str:
        return json.dumps(data.get(session, phase))

    get_data_msgpack = staticmethod(data.get_msgpack)
    advance_data_phase = staticmethod(data.advance_phase)
    is_data_phase_complete = staticmethod(data.is_phase_complete)
    clear_data: Callable[[int, int, bool], None] = staticmethod(data.clear)
