# SPDX-License-Identifier: MIT
"""Scopes of the host, which launches belong to. Each thread has its own."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from typing import Any

from triton_xe.tools.profiler import events, metrics, scope_stack

#: The name by which viewers know such launches.
_METADATA = "__proton_launch_metadata"


class scope(contextlib.ContextDecorator):
    """A scope for the launches in a `with` statement, or in the calls of a function that it decorates.

    `metrics` are added to those of the scope: numbers, lists of numbers, or tensors.
    """

    def __init__(self, name: str, metrics: Mapping[str, Any] | None = None) -> None:
        self.name, self.metrics = name, metrics

    def __enter__(self) -> scope:
        enter(self.name, self.metrics, owner=self)
        return self

    def __exit__(self, *_error: object) -> None:
        leave(self)


class cpu_timed_scope(scope):
    """A scope with its time on the host as a metric, in nanoseconds. Raises ValueError for another metric of that
    name."""

    def __init__(self, name: str, metrics: Mapping[str, Any] | None = None) -> None:
        if metrics and "cpu_time" in metrics:
            raise ValueError("the metric `cpu_time` is the scope's own")
        super().__init__(name, metrics)

    def __exit__(self, *_error: object) -> None:
        entry = leave(self)
        measure(entry.path, {"cpu_time (ns)(exc)": time.perf_counter_ns() - entry.start})


class state(contextlib.ContextDecorator):
    """A state of launches: it becomes their innermost scope, whatever scopes they are in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> state:
        enter_state(self.name)
        return self

    def __exit__(self, *_error: object) -> None:
        exit_state()


class metadata_state(state):
    """The state of launches that compute metrics, of one kernel or of all. Viewers leave these launches out."""

    def __init__(self, kernel_name: str | None = None) -> None:
        super().__init__(_METADATA)


def enter_scope(name: str, *, metrics: Mapping[str, Any] | None = None) -> int | None:
    """Begin a scope in this thread. Returns its number, or None if no session is active."""
    return enter(name, metrics)


def exit_scope(name: str | None = None, *, metrics: Mapping[str, Any] | None = None) -> int | None:
    """End the innermost scope of this thread. Raises ValueError if there is none, or if it has another name."""
    entries = scope_stack.entries()
    if not entries:
        raise ValueError("there is no scope to end")
    if name is not None and name != entries[-1].name:
        raise ValueError(f"expected the scope `{entries[-1].name}` to end, found `{name}`")
    if metrics:
        measure(entries[-1].path, metrics)
    number = entries.pop().number
    return number if events.is_anybody_listening() else None


def enter_state(name: str) -> None:
    """Begin a state in this thread."""
    scope_stack.states().append(name)


def exit_state() -> None:
    """End the last state of this thread. Raises ValueError if there is none."""
    if not scope_stack.states():
        raise ValueError("there is no state to end")
    scope_stack.states().pop()


def enter(name: str, given: Mapping[str, Any] | None = None, owner: object = None) -> int | None:
    """Begin a scope as `enter_scope` does, which `owner` ends with `leave`; without an owner, any code ends it."""
    entry = scope_stack.push(name, owner)
    try:
        measure(entry.path, given or {})
    except BaseException:
        scope_stack.entries().pop()
        raise
    return entry.number if events.is_anybody_listening() else None


def leave(owner: object) -> scope_stack.Entry:
    """End the latest scope of `owner`, and the scopes in it that an exception has left open.

    Raises ValueError in a thread that is not in the scope.
    """
    place, entries = scope_stack.find(owner), scope_stack.entries()
    if place is None:
        raise ValueError("this thread is not in the scope that it is to leave")
    found = entries[place]
    del entries[place:]
    return found


def path_of(owner: object) -> tuple[str, ...]:
    """Return the path for metrics of the latest scope of `owner`; none in a thread that is not in this scope."""
    place = scope_stack.find(owner)
    return () if place is None else scope_stack.entries()[place].path


def measure(path: tuple[str, ...], given: Mapping[str, Any]) -> None:
    """Give metrics to the sessions."""
    if not events.is_anybody_listening():
        return
    with metadata_state() if given else contextlib.nullcontext():
        converted = metrics.convert(given)
    events.announce_metrics(path, converted)
