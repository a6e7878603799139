# SPDX-License-Identifier: MIT
"""The scopes and states of the host that a thread is in."""

from __future__ import annotations

import dataclasses
import itertools
import threading
import time

_numbers = itertools.count()


@dataclasses.dataclass(frozen=True)
class Entry:
    """A scope that a thread is in."""

    name: str
    #: The path of its metrics: `current_path` when it began.
    path: tuple[str, ...]
    #: The number that Triton's functions return.
    number: int
    #: The context manager that began it, if one did.
    owner: object = None
    #: The time when it began, by `time.perf_counter_ns`.
    start: int = 0


class _Stack(threading.local):
    """The scopes that a thread is in, the outermost first, and its states."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.states: list[str] = []


_stack = _Stack()


def entries() -> list[Entry]:
    """Return the scopes of this thread, the outermost first."""
    return _stack.entries


def states() -> list[str]:
    """Return the states of this thread, the innermost last."""
    return _stack.states


def push(name: str, owner: object) -> Entry:
    """Begin a scope in this thread."""
    number = next(_numbers)
    names = (entry.name for entry in _stack.entries)
    entry = Entry(name, (*names, name, *current_state()), number, owner, time.perf_counter_ns())
    _stack.entries.append(entry)
    return entry


def find(owner: object) -> int | None:
    """Return the place of the latest scope of `owner`; None in a thread that is not in it."""
    places = reversed(range(len(_stack.entries)))
    return next((place for place in places if _stack.entries[place].owner == owner), None)


def current_path() -> tuple[str, ...]:
    """Return the path of a launch in this thread: the scopes around it, and the state if there is one."""
    return (*(entry.name for entry in _stack.entries), *current_state())


def current_state() -> tuple[str, ...]:
    """Return the innermost state of this thread, if there is one."""
    return tuple(_stack.states[-1:])
