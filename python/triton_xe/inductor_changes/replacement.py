"""How functions of torch are replaced: once, by what is made of the original."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any


def replace(
    owner: Any, name: str, make: Callable[[Callable], Callable], kind: Callable = lambda function: function
) -> None:
    """Put `make(original)` in the place of a function of a module or class, if that has not happened yet.

    `kind` is `staticmethod` or `classmethod` for such methods. Raises AttributeError where torch has no such function.
    """
    original = getattr(owner, name)
    if getattr(original, "is_triton_xe", False):
        return
    replacement = make(original)
    replacement.is_triton_xe = True
    setattr(owner, name, kind(replacement))


def with_constants(function: Callable, constants: dict[Any, Any]) -> Callable:
    """A copy of a function with other constants in the place of some; AttributeError where it has not all of them."""
    code = function.__code__
    for constant in constants:
        if not any(constant == other and type(constant) is type(other) for other in code.co_consts):
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
