# SPDX-License-Identifier: MIT
"""How functions of torch are replaced: once, by what is made of the original, and all of a feature or none."""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any


class Changes:
    """What a feature changes in torch, with the way back."""

    def __init__(self) -> None:
        #: Modules or classes, with the names of what was replaced there.
        self.replaced: list[tuple[Any, str]] = []
        self._undo: list[Callable[[], None]] = []

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Set what a module or class has already. Raises AttributeError where it has no such thing."""
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
        """Put `make(original)` in the place of a function of a module or class, if that has not happened yet.

        `kind` is `staticmethod` or `classmethod` for such methods.
        """
        original = getattr(owner, name)
        if getattr(original, "is_triton_xe", False):
            return
        replacement = make(original)
        replacement.is_triton_xe = True
        self.put(owner, name, kind(replacement))

    def keep(self, table: MutableMapping) -> None:
        """What is done to this table later counts as a change."""
        before = dict(table)

        def restore() -> None:
            table.clear()
            table.update(before)

        self._undo.append(restore)

    def undo(self) -> None:
        """Leave torch as it was."""
        for step in reversed(self._undo):
            step()
        self._undo.clear()
        self.replaced.clear()


@dataclass(frozen=True)
class Feature:
    """Something that compiled functions have thanks to changes in torch which belong together."""

    name: str
    change: Callable[[Changes], None]

    def enable(self) -> bool:
        """Make all changes. Where that cannot be, none is made, which costs this feature, and a warning says so.

        Torch moves and renames what is changed here, so whatever is raised means that this torch is another one.
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
    """The first of the names, of one thing in several versions of torch, that a module or class has."""
    for name in names:
        if hasattr(owner, name):
            return name
    described = " or ".join(f"`{name}`" for name in names)
    raise AttributeError(f"`{owner.__name__}` has no {described}")


def has_constant(function: Callable, constant: Any) -> bool:
    """Whether the code of a function has this constant, of the same type."""
    return any(constant == other and type(constant) is type(other) for other in function.__code__.co_consts)


def with_constants(function: Callable, constants: dict[Any, Any]) -> Callable:
    """A copy of a function with other constants in the place of some; AttributeError where it has not all of them."""
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
    """A copy of a function that does not treat CPUs in a way of their own.

    What says `device.type == "cpu"` compares with nothing there.
    """
    return with_constants(function, {"cpu": None})
