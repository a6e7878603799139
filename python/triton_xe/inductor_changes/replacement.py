# SPDX-License-Identifier: MIT
"""Replace functions of torch by functions made from the originals: once, and either all of a feature or none."""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any


class Changes:
    """The changes of a feature in torch, which can be undone."""

    def __init__(self) -> None:
        #: Modules or classes, with the names of their replaced attributes.
        self.replaced: list[tuple[Any, str]] = []
        self._undo: list[Callable[[], None]] = []

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Set an attribute that a module or class has. Raises AttributeError if it has none of this name."""
        getattr(owner, name)
        own = vars(owner)
        # As it is written there: a method of a class may be static.
        before = own.get(name)
        self._undo.append((lambda: setattr(owner, name, before)) if name in own else (lambda: delattr(owner, name)))
        self.replaced.append((owner, name))
        setattr(owner, name, value)

    def replace(
        self, owner: Any, name: str, make: Callable[[Callable], Callable], kind: Callable = lambda function: function
    ) -> None:
        """Replace a function of a module or class by `make(original)`, unless it is replaced already.

        `kind` is `staticmethod` or `classmethod` for such methods.
        """
        original = getattr(owner, name)
        if getattr(original, "is_triton_xe", False):
            return
        replacement = make(original)
        replacement.is_triton_xe = True
        self.put(owner, name, kind(replacement))

    def keep(self, table: MutableMapping) -> None:
        """Save a table that is about to be changed, so that `undo` restores it."""
        before = dict(table)

        def restore() -> None:
            table.clear()
            table.update(before)

        self._undo.append(restore)

    def undo(self) -> None:
        """Restore the state of torch before the changes."""
        for step in reversed(self._undo):
            step()
        self._undo.clear()
        self.replaced.clear()


@dataclass(frozen=True)
class Feature:
    """A feature of compiled functions, and the changes in torch that it needs."""

    name: str
    change: Callable[[Changes], None]

    def enable(self) -> bool:
        """Make all changes. If one cannot be made, undo the others and warn that this feature is missing.

        Torch moves and renames the functions that are changed here, so any exception means that this torch is
        different.
        """
        import torch

        changes = Changes()
        try:
            self.change(changes)
        except Exception as error:
            changes.undo()
            warnings.warn(
                f"compiled functions do without a feature of triton-xe, {self.name}: torch {torch.__version__} has not "
                f"what it changes ({type(error).__name__}: {error})",
                stacklevel=3,
            )
            return False
        return True


def find_any(owner: Any, *names: str) -> str:
    """Return the first of these names that a module or class has; versions of torch differ in them."""
    for name in names:
        if hasattr(owner, name):
            return name
    described = " or ".join(f"`{name}`" for name in names)
    raise AttributeError(f"`{owner.__name__}` has no {described}")


def has_constant(function: Callable, constant: Any) -> bool:
    """Return whether the code of a function has this constant, with the same type."""
    return any(constant == other and type(constant) is type(other) for other in function.__code__.co_consts)


def with_constants(function: Callable, constants: dict[Any, Any]) -> Callable:
    """Return a copy of a function with some constants replaced. Raises AttributeError if one is missing."""
    code = function.__code__
    for constant in constants:
        if not has_constant(function, constant):
            raise AttributeError(f"`{function.__qualname__}` has no constant {constant!r}")
    changed = tuple(
        constants[constant] if type(constant) in (int, str) and constant in constants else constant
        for constant in code.co_consts
    )
    copy = types.FunctionType(
        code.replace(co_consts=changed),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def without_cpu(function: Callable) -> Callable:
    """Return a copy of a function that does not treat CPUs specially.

    In the copy, a comparison such as `device.type == "cpu"` is always false.
    """
    return with_constants(function, {"cpu": None})
