# SPDX-License-Identifier: MIT
"""Replace symbols of Triton and torch: only those of the table, each at most once, and so that it can be undone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from triton_xe import errors
from triton_xe.compat import originals, table
from triton_xe.compat.entries import Entry

_lock = threading.RLock()


def symbol_of(owner: Any, name: str) -> str:
    """Return how the table names an attribute of a module or class."""
    path = f"{owner.__module__}.{owner.__qualname__}" if isinstance(owner, type) else owner.__name__
    return f"{path}.{name}"


class Changes:
    """Some changes, which can be undone together. `find` returns the entry of a symbol."""

    def __init__(self, find: Callable[[str], Entry] = table.find) -> None:
        #: Modules or classes, with the names of their replaced attributes.
        self.replaced: list[tuple[Any, str]] = []
        self._undo: list[Callable[[], None]] = []
        self._find = find

    def check(self, owner: Any, name: str) -> str:
        """Return a message if a module or class does not have what is to be replaced, in the expected form."""
        entry = self._find(symbol_of(owner, name))
        problem = entry.problem(owner)
        return entry.describe(problem) if problem else ""

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Set an attribute of a module or class, unless it has been set already.

        Raises CompatibilityError if the attribute does not exist, unless it may be added, or has another form than the
        table states, and LookupError if it is not in the table.
        """
        with _lock:
            if originals.is_replaced(owner, name):
                return
            self._require(owner, name)
            original, own = getattr(owner, name, originals.ABSENT), vars(owner)
            # As it is written there: a method of a class may be static.
            self._undo.append(_restoring(owner, name, own.get(name), value, name in own))
            self.replaced.append((owner, name))
            setattr(owner, name, value)
            originals.remember(owner, name, original, value)

    def replace(
        self, owner: Any, name: str, make: Callable[[Callable], Any], kind: Callable = lambda function: function
    ) -> None:
        """Replace a function of a module or class by `make(original)`, unless it is replaced already.

        `kind` is `staticmethod` or `classmethod` for such methods. Raises what `put` raises.
        """
        with _lock:
            if not originals.is_ours(getattr(owner, name, None)):
                self._require(owner, name)
                self.put(owner, name, kind(make(getattr(owner, name))))

    def keep(self, owner: Any, name: str) -> Any:
        """Return a dictionary of a module that is about to be changed, which `undo` will restore.

        Raises what `put` raises.
        """
        self._require(owner, name)
        entries = getattr(owner, name)
        before = dict(entries)

        def restore() -> None:
            entries.clear()
            entries.update(before)

        self._undo.append(restore)
        return entries

    def _require(self, owner: Any, name: str) -> None:
        if message := self.check(owner, name):
            raise errors.CompatibilityError(message)

    def undo(self) -> None:
        """Restore the state before the changes."""
        with _lock:
            for step in reversed(self._undo):
                step()
            self._undo.clear()
            self.replaced.clear()


def _restoring(owner: Any, name: str, before: Any, value: Any, is_own: bool) -> Callable[[], None]:
    """Return a function that restores an attribute; one that was added, or that a class had inherited, is deleted."""

    def restore() -> None:
        if is_own:
            setattr(owner, name, before)
        else:
            delattr(owner, name)
        originals.forget(owner, name, value)

    return restore


def replace(owner: Any, name: str, make: Callable[[Callable], Any], kind: Callable = lambda function: function) -> None:
    """Replace a function for the rest of the process; see `Changes.replace`."""
    Changes().replace(owner, name, make, kind)


def put(owner: Any, name: str, value: Any) -> None:
    """Set an attribute for the rest of the process; see `Changes.put`."""
    Changes().put(owner, name, value)
