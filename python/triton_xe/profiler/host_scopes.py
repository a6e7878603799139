"""Scopes of the host: what a launch was part of. Each thread has its own."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Mapping

from triton_xe.profiler import events


class _Stack(threading.local):
    """The scopes that a thread is in, the outermost first, and its state."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.states: list[str] = []


_stack = _Stack()


def current_path() -> tuple[str, ...]:
    """Where a launch of this thread belongs: the scopes around it, and the state if there is one."""
    return (*_stack.names, *_stack.states[-1:])


class scope(contextlib.ContextDecorator):
    """Launches in it belong to it: in a `with` statement, or in the calls of a function that it decorates.

    `metrics` are numbers that are added to those of the scope.
    """

    def __init__(self, name: str, metrics: Mapping[str, float] | None = None) -> None:
        self.name, self.metrics = name, metrics

    def __enter__(self) -> scope:
        enter_scope(self.name, metrics=self.metrics)
        return self

    def __exit__(self, *_error: object) -> None:
        exit_scope(self.name)


class cpu_timed_scope(scope):
    """A scope whose time on the host is a metric of it, in nanoseconds. Raises ValueError for a metric of that name."""

    def __init__(self, name: str, metrics: Mapping[str, float] | None = None) -> None:
        if metrics and "cpu_time" in metrics:
            raise ValueError("the metric `cpu_time` is the scope's own")
        super().__init__(name, metrics)
        self.starts: list[int] = []

    def __enter__(self) -> cpu_timed_scope:
        super().__enter__()
        self.starts.append(time.perf_counter_ns())
        return self

    def __exit__(self, *_error: object) -> None:
        nanoseconds = time.perf_counter_ns() - self.starts.pop()
        exit_scope(self.name, metrics={"cpu_time (ns)(exc)": nanoseconds})


class state(contextlib.ContextDecorator):
    """What launches are for: the innermost scope of those in it, whatever others they are in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> state:
        enter_state(self.name)
        return self

    def __exit__(self, *_error: object) -> None:
        exit_state()


def enter_scope(name: str, *, metrics: Mapping[str, float] | None = None) -> None:
    """Begin a scope in this thread."""
    _stack.names.append(name)
    events.announce_metrics(tuple(_stack.names), metrics or {})


def exit_scope(name: str | None = None, *, metrics: Mapping[str, float] | None = None) -> None:
    """End the innermost scope of this thread. Raises ValueError where there is none, or it has another name."""
    if not _stack.names:
        raise ValueError("there is no scope to end")
    if name is not None and name != _stack.names[-1]:
        raise ValueError(f"expected the scope `{_stack.names[-1]}` to end, found `{name}`")
    if metrics:
        events.announce_metrics(tuple(_stack.names), metrics)
    _stack.names.pop()


def enter_state(name: str) -> None:
    """Begin a state in this thread."""
    _stack.states.append(name)


def exit_state() -> None:
    """End the last one. Raises ValueError where there is none."""
    if not _stack.states:
        raise ValueError("there is no state to end")
    _stack.states.pop()
