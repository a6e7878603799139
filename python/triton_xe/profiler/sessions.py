"""Sessions: what is measured between `start` and `finalize`, and the file that it goes to."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from triton_xe import errors
from triton_xe.profiler import events, trace, tree
from triton_xe.profiler import mode as profile_mode

DEFAULT_PROFILE_NAME = "proton"

_ids = itertools.count()
_sessions: dict[int, Session] = {}
_active: set[int] = set()

#: What a session keeps, and the end of its file's name.
SUFFIXES = {"tree": "hatchet", "trace": "chrome_trace"}


class Session:
    """Collects what happens while it is active."""

    def __init__(self, name: str, data: str, mode: str) -> None:
        self.name, self.data, self.mode = name, data, mode
        self.launches: list[events.Launch] = []
        self.tree = tree.Node()
        self.clock, self.time = _read_clock(), time.perf_counter_ns()

    def launched(self, launch: events.Launch) -> None:
        self.launches.append(launch)

    def measured(self, path: tuple[str, ...], metrics: Mapping[str, float]) -> None:
        self.tree.find(path).add(metrics)

    def write(self) -> Path:
        """The file. Times of a trace are those of the clock, as fast as it was during the session."""
        path = Path(f"{self.name}.{SUFFIXES[self.data]}")
        if self.data == "trace":
            microseconds = max(time.perf_counter_ns() - self.time, 1) / 1000
            frequency = max(_read_clock() - self.clock, 1) / microseconds
            trace.write(path, self.launches, self.clock, frequency)
        else:
            for launch in self.launches:
                tree.add_launch(self.tree, launch)
            tree.write(path, self.tree)
        return path


def _read_clock() -> int:
    from triton_xe import _cpu

    return _cpu.read_clock()


def start(
    name: str | None = None,
    *,
    context: str = "shadow",
    data: str = "tree",
    backend: str | None = "instrumentation",
    mode: Any = None,
    hook: Any = None,
) -> int:
    """Measure the scopes of kernels from now on; returns the number of the session.

    Takes what `triton.profiler.start` takes, of which there are `backend="instrumentation"` on the CPU device and
    `context="shadow"` (the scopes of the host) so far. `mode` is a mode string (docs/Profiling.md). Raises
    `OptionError` for anything else.
    """
    given = {"data": data, "backend": backend, "context": context, "hook": hook}
    known = {"data": tuple(SUFFIXES), "backend": ("instrumentation",), "context": ("shadow",), "hook": (None,)}
    for key, value in given.items():
        if value not in known[key]:
            expected = " or ".join(map(repr, known[key]))
            raise errors.OptionError(f"`{key}`: expected {expected}, found {value!r}")
    text = str(mode or "default")
    profile_mode.Mode.parse(text)
    number = next(_ids)
    _sessions[number] = Session(name or DEFAULT_PROFILE_NAME, data, text)
    activate(number)
    return number


def _find(session: int | None) -> list[int]:
    """All sessions, or the one."""
    if session is not None and session not in _sessions:
        raise errors.OptionError(f"`session`: there is no session {session}")
    return list(_sessions) if session is None else [session]


def activate(session: int | None = None) -> None:
    """Collect what happens, in the one session or in all."""
    for number in _find(session):
        if number not in _active:
            _active.add(number)
            events.listen(_sessions[number])
    _instrument()


def deactivate(session: int | None = None, flushing: bool = False) -> None:
    """Collect no more, in the one session or in all. What was collected stays in memory: `flushing` is for devices
    that lose it."""
    for number in _find(session):
        if number in _active:
            _active.remove(number)
            events.ignore(_sessions[number])
    _instrument()


def finalize(session: int | None = None, output_format: str = "") -> None:
    """Write the file of the session, or of all, and end it.

    Files are named after sessions, and end in `.hatchet` (trees) or `.chrome_trace`. `output_format` may say which.
    """
    for number in _find(session):
        suffix = SUFFIXES[_sessions[number].data]
        if output_format not in ("", suffix):
            raise errors.OptionError(f"`output_format`: expected '{suffix}', found {output_format!r}")
        deactivate(number)
        _sessions.pop(number).write()


def profile(function: Callable | None = None, **options: Any) -> Callable:
    """Decorates a function whose calls are measured, each in a session of its own; `options` are those of `start`."""
    if function is None:
        return functools.partial(profile, **options)

    @functools.wraps(function)
    def measured(*arguments: Any, **named: Any) -> Any:
        session = start(**options)
        try:
            return function(*arguments, **named)
        finally:
            deactivate(session)

    return measured


def _instrument() -> None:
    """Let kernels be compiled with their scopes, in the way of the latest session that is active, or without."""
    import triton.profiler.language as profiler_language
    from triton import knobs
    from triton.profiler.flags import flags

    mode = _sessions[max(_active)].mode if _active else ""
    if mode:
        # Triton's own default is Gluon alone.
        profiler_language.enable_semantic("triton")
    flags.instrumentation_on = flags.profiling_on = bool(mode)
    knobs.compilation.instrumentation_mode = mode
