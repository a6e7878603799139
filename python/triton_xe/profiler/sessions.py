"""Sessions: what is measured between `start` and `finalize`, and the file that it goes to."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

from triton_xe import errors
from triton_xe.profiler import launches, trace
from triton_xe.profiler import mode as profile_mode

DEFAULT_PROFILE_NAME = "proton"

_ids = itertools.count()
_sessions: dict[int, Session] = {}


class Session:
    """Collects launches while it is active."""

    def __init__(self, name: str, mode: str) -> None:
        self.name, self.mode = name, mode
        self.launches: list[launches.Launch] = []
        self.is_active = False
        self.clock, self.time = _read_clock(), time.perf_counter_ns()

    def activate(self) -> None:
        if not self.is_active:
            launches.listen(self.launches.append)
            self.is_active = True

    def deactivate(self) -> None:
        if self.is_active:
            launches.ignore(self.launches.append)
            self.is_active = False

    def write(self) -> Path:
        """The trace; its times are those of the clock, as fast as it was during the session."""
        microseconds = max(time.perf_counter_ns() - self.time, 1) / 1000
        path = Path(f"{self.name}.chrome_trace")
        trace.write(path, self.launches, self.clock, max(_read_clock() - self.clock, 1) / microseconds)
        return path


def _read_clock() -> int:
    from triton_xe import _cpu

    return _cpu.read_clock()


def start(
    name: str | None = None,
    *,
    context: str = "shadow",
    data: str = "trace",
    backend: str = "instrumentation",
    mode: Any = None,
    hook: Any = None,
) -> int:
    """Measure the scopes of kernels from now on; returns the number of the session.

    Takes what `triton.profiler.start` takes, of which there are `data="trace"` and `backend="instrumentation"` on the
    CPU device so far. `mode` is a mode string (docs/Profiling.md). Raises `OptionError` for anything else.
    """
    for key, value, known in (("data", data, "trace"), ("backend", backend, "instrumentation"), ("hook", hook, None)):
        if value != known:
            raise errors.OptionError(f"`{key}`: expected {known!r}, found {value!r}")
    if context not in ("shadow", "python"):
        raise errors.OptionError(f"`context`: expected 'shadow' or 'python', found {context!r}")
    text = str(mode or "default")
    profile_mode.Mode.parse(text)
    session = Session(name or DEFAULT_PROFILE_NAME, text)
    number = next(_ids)
    _sessions[number] = session
    activate(number)
    return number


def _find(session: int | None) -> list[int]:
    """All sessions, or the one."""
    if session is not None and session not in _sessions:
        raise errors.OptionError(f"`session`: there is no session {session}")
    return list(_sessions) if session is None else [session]


def activate(session: int | None = None) -> None:
    """Collect launches, in the one session or in all."""
    for number in _find(session):
        _sessions[number].activate()
        _instrument(_sessions[number].mode)


def deactivate(session: int | None = None, flushing: bool = False) -> None:
    """Collect no more launches, in the one session or in all. What was collected stays in memory: `flushing` is for
    devices that lose it."""
    for number in _find(session):
        _sessions[number].deactivate()
    if not any(other.is_active for other in _sessions.values()):
        _instrument("")


def finalize(session: int | None = None, output_format: str = "") -> None:
    """Write the file of the session, or of all, and end it. Files are named after sessions, and end in
    `.chrome_trace`."""
    if output_format not in ("", "chrome_trace"):
        raise errors.OptionError(f"`output_format`: expected 'chrome_trace', found {output_format!r}")
    for number in _find(session):
        deactivate(number)
        _sessions.pop(number).write()


def _instrument(mode: str) -> None:
    """Let kernels be compiled with their scopes, or without."""
    import triton.profiler.language as profiler_language
    from triton import knobs
    from triton.profiler.flags import flags

    if mode:
        # Triton's own default is Gluon alone.
        profiler_language.enable_semantic("triton")
    flags.instrumentation_on = flags.profiling_on = bool(mode)
    knobs.compilation.instrumentation_mode = mode
