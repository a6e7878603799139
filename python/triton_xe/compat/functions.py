# SPDX-License-Identifier: MIT
"""Copies of functions of torch with other constants, for functions that query the type of a device."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any


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
