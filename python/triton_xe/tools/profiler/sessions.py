# SPDX-License-Identifier: MIT
"""Sessions, which measure between `start` and `finalize`, and write a file."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import threading
from collections.abc import Callable
from typing import Any

from triton_xe import errors, instrumentation_mode
from triton_xe.tools.profiler import collecting, events, hooks

DEFAULT_PROFILE_NAME = "proton"

#: The suffixes of files, the default first.
FORMATS = {"tree": ("hatchet", "hatchet_msgpack"), "trace": ("chrome_trace",)}
CONTEXTS = ("shadow", "python")
#: Backends that measure whole kernels.
TARGETS = ("cpu", "xpu")


@dataclasses.dataclass(frozen=True)
class Session:
    """A session that was started."""

    collector: collecting.Collector
    hook: hooks.Hook | None


_ids = itertools.count()
_sessions: dict[int, Session] = {}
_active: set[int] = set()
#: The first is true if Triton's flag is set for a session, the second if Triton's own profiler is routed.
_is_instrumenting = _is_routed = False
#: The flag of Triton's own profiler before that.
_was_profiling = False
#: Guards all functions here, since threads begin and end sessions at the same time.
_lock = threading.RLock()


def start(
    name: str | None = None,
    *,
    context: str | None = "shadow",
    data: str | None = "tree",
    backend: str | None = None,
    mode: Any = None,
    hook: Any = None,
) -> int | None:
    """Start to measure. Returns the number of the session, or None if Triton's profiler is disabled.

    Takes what `triton.profiler.start` takes (docs/Profiling.md). `backend` is None for the times of whole kernels on
    the active device (or its name, `cpu` or `xpu`) and "instrumentation" for the scopes in them. If a session has this
    name already, it continues. Raises `OptionError` for unknown values.
    """
    from triton import knobs
    from triton.profiler.flags import flags

    if flags.command_line or knobs.proton.disable:
        return None
    check("data", data, tuple(FORMATS))
    check("context", context, CONTEXTS)
    chosen = choose_backend(backend)
    resolved = hooks.resolve(hook)
    settings = collecting.Settings(
        name=name or DEFAULT_PROFILE_NAME,
        data=data,
        context=context,
        backend=chosen,
        mode=read_mode(chosen, mode),
        reads_metadata=isinstance(resolved, hooks.LaunchHook),
    )
    return open_session(settings, resolved)


def open_session(settings: collecting.Settings, hook: hooks.Hook | None) -> int:
    """Open a session as `start` does, with valid settings."""
    with _lock:
        for number, session in _sessions.items():
            if session.collector.settings.name == settings.name:
                if session.collector.settings != settings:
                    raise errors.OptionError(f"`name`: a session `{settings.name}` with other settings has not ended")
                activate(number)
                return number
        number = next(_ids)
        _sessions[number] = Session(collecting.Collector(settings), hook)
        try:
            activate(number)
        except BaseException:
            _drop(number)
            raise
    return number


def check(key: str, value: Any, known: tuple[str, ...]) -> Any:
    """Return the value of an option. Raises OptionError if the value is unknown."""
    if value not in known:
        raise errors.OptionError(f"`{key}`: expected {' or '.join(map(repr, known))}, found {value!r}")
    return value


def active_target() -> str:
    """Return the active target of Triton's driver."""
    from triton.runtime import driver

    return driver.active.get_current_target().backend


def choose_backend(backend: str | None) -> str:
    """Return `instrumentation` or the active target. Raises OptionError for others, and if the target is not ours."""
    target = active_target()
    if target not in TARGETS:
        raise errors.OptionError(
            f"`backend`: kernels for `{target}`, which is active, are measured by `triton.profiler`; here are "
            f"{' and '.join(map(repr, TARGETS))}"
        )
    if backend not in (None, target, "instrumentation"):
        raise errors.OptionError(f"`backend`: expected None, {target!r} or 'instrumentation', found {backend!r}")
    return backend or target


def read_mode(backend: str, mode: Any) -> str:
    text = str(mode or "")
    if backend == "instrumentation":
        instrumentation_mode.Mode.parse(text or "default")
        return text or "default"
    if text:
        raise errors.OptionError(
            f"`mode`: times of whole kernels have none (no sampling of instructions, no periodic files), found {text!r}"
        )
    return ""


def _hook_key(number: int) -> str:
    """Return the key of a session for Triton's hook manager, which differs from the numbers of Triton's own
    sessions."""
    return f"triton_xe {number}"


def _find(session: int | None) -> list[int]:
    """Return all sessions, or the one with this number."""
    from triton.profiler.flags import flags

    if flags.command_line and session not in (None, 0):
        raise ValueError("there is one session, number 0, when the command line has started it")
    if session is not None and session not in _sessions:
        raise errors.OptionError(f"`session`: there is no session {session}")
    return list(_sessions) if session is None else [session]


def find(session: int) -> collecting.Collector:
    """Return the collector of a session. Raises OptionError if no session has this number."""
    with _lock:
        (number,) = _find(session)
        return _sessions[number].collector


def is_open() -> bool:
    """Return whether a session exists."""
    return bool(_sessions)


def activate(session: int | None = None) -> None:
    """Activate a session, or all of them."""
    with _lock:
        for number in _find(session):
            if number in _active:
                continue
            found = _sessions[number]
            if found.hook:
                hooks.begin(found.hook, _hook_key(number))
            _active.add(number)
            events.listen(found.collector)
            if not found.collector.is_instrumented:
                events.listen_to_runs(found.collector)
        _instrument()


def deactivate(session: int | None = None, flushing: bool = False) -> None:
    """Deactivate a session, or all of them. Collected data stay in memory; with `flushing`, devices are waited for."""
    with _lock:
        for number in _find(session):
            _pause(number)
            if flushing:
                _sessions[number].collector.flush()
        _instrument()


def _pause(number: int) -> None:
    if number not in _active:
        return
    _active.remove(number)
    found = _sessions[number]
    if found.hook:
        hooks.end(_hook_key(number))
    events.ignore(found.collector)
    events.ignore_runs(found.collector)


def finalize(session: int | None = None, output_format: str | None = "") -> None:
    """Write the file of a session, or of all sessions, and end it. For a session that has ended this does nothing.

    Files are named after sessions, and end in `.hatchet` (trees) or `.chrome_trace`. `output_format` may name one of
    these or `hatchet_msgpack`.
    """
    with _lock:
        numbers = _find(session) if session is None or session in _sessions else []
        suffixes = {number: _choose_format(number, output_format or "") for number in numbers}
        for number, suffix in suffixes.items():
            _pause(number)
            _instrument()
            # Data that cannot be written stays there.
            _sessions[number].collector.write(suffix)
            _drop(number)


def discard(session: int) -> None:
    """End the session without a file."""
    with _lock:
        (number,) = _find(session)
        _drop(number)


def _choose_format(number: int, output_format: str) -> str:
    known = FORMATS[_sessions[number].collector.settings.data]
    if output_format not in ("", *known):
        raise errors.OptionError(f"`output_format`: expected {' or '.join(map(repr, known))}, found {output_format!r}")
    return output_format or known[0]


def _drop(number: int) -> None:
    """Remove a session."""
    _pause(number)
    del _sessions[number]
    _instrument()


def profile(
    func: Callable | None = None,
    *,
    name: str | None = None,
    context: str | None = "shadow",
    data: str | None = "tree",
    backend: str | None = None,
    mode: Any = None,
    hook: Any = None,
) -> Callable:
    """Decorate a function so that one session measures its calls; the arguments are those of `start`."""
    options = {"name": name, "context": context, "data": data, "backend": backend, "mode": mode, "hook": hook}
    if func is None:
        return functools.partial(profile, **options)

    @functools.wraps(func)
    def measured(*arguments: Any, **named: Any) -> Any:
        session = start(**options)
        try:
            return func(*arguments, **named)
        finally:
            # None where nothing was started.
            if session is not None:
                deactivate(session)

    return measured


def follow_flags(wanted: bool) -> None:
    """Set whether scopes of Triton's own profiler take part in our sessions (routing.py)."""
    from triton.profiler.flags import flags

    global _is_routed, _was_profiling
    with _lock:
        if wanted and not _is_routed:
            _was_profiling = flags.profiling_on
        elif not wanted:
            flags.profiling_on = _was_profiling
        _is_routed = wanted
        _instrument()


def _instrument() -> None:
    """Set how kernels are compiled: with scopes, as the latest session that measures them requests, or without."""
    import triton.profiler.language as profiler_language
    from triton import knobs
    from triton.profiler.flags import flags

    global _is_instrumenting
    if _is_routed:
        flags.profiling_on = bool(_sessions)
    instrumented = [number for number in _active if _sessions[number].collector.is_instrumented]
    if not instrumented and not _is_instrumenting:
        # Whatever is set now, others have set.
        return
    _is_instrumenting = bool(instrumented)
    if _is_instrumenting:
        # Triton's own default is Gluon alone.
        profiler_language.enable_semantic("triton")
    flags.instrumentation_on = _is_instrumenting
    mode = _sessions[max(instrumented)].collector.settings.mode if instrumented else ""
    knobs.compilation.instrumentation_mode = mode
