# SPDX-License-Identifier: MIT
"""Remember what Triton or torch had in the place of what has been replaced."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class _Replaced:
    """A replaced attribute. It keeps the owner alive, whose number is its key."""

    owner: Any
    original: Any
    value: Any


#: The original of an attribute that was added.
ABSENT = object()

#: The replacements of an attribute, by the number of its owner and by its name. There may be several, as others may set
#: an attribute again, and restore later what they have found.
_replaced: dict[tuple[int, str], list[_Replaced]] = {}


def function_of(value: Any) -> Any:
    """Return the function of a method or of a static or class method, and any other value as it is."""
    return getattr(value, "__func__", value)


def remember(owner: Any, name: str, original: Any, value: Any) -> None:
    """Remember that `value` has taken the place of `original` in a module or class."""
    _replaced.setdefault((id(owner), name), []).append(_Replaced(owner, original, value))


def forget(owner: Any, name: str, value: Any) -> None:
    """Forget a replacement that was undone."""
    kept = [replaced for replaced in _replaced.pop((id(owner), name), []) if replaced.value is not value]
    if kept:
        _replaced[id(owner), name] = kept


def is_ours(value: Any) -> bool:
    """Return whether a value is a replacement, in whichever module it was found."""
    function = function_of(value)
    return any(
        function is function_of(replaced.value) for replacements in _replaced.values() for replaced in replacements
    )


def is_replaced(owner: Any, name: str) -> bool:
    """Return whether this attribute is replaced now. Other code may have set it again since."""
    return _find(owner, name) is not None


def exists(owner: Any, name: str) -> bool:
    """Return whether Triton or torch itself has this attribute."""
    return _original(owner, name) is not ABSENT


def original(owner: Any, name: str) -> Any:
    """Return what Triton or torch itself has as this attribute. Raises AttributeError if it has none."""
    if not exists(owner, name):
        raise AttributeError(f"`{owner.__name__}` has no `{name}` itself")
    return _original(owner, name)


def source(owner: Any, name: str) -> str:
    """Return the source text of what Triton or torch itself has as this attribute."""
    return inspect.getsource(original(owner, name))


def _find(owner: Any, name: str) -> _Replaced | None:
    current = function_of(getattr(owner, name, ABSENT))
    replacements = _replaced.get((id(owner), name), ())
    return next((replaced for replaced in replacements if function_of(replaced.value) is current), None)


def _original(owner: Any, name: str) -> Any:
    replaced = _find(owner, name)
    return replaced.original if replaced else getattr(owner, name, ABSENT)
