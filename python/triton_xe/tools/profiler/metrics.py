# SPDX-License-Identifier: MIT
"""Metrics of programs: numbers, lists of numbers, and tensors of either."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

from triton_xe import errors

#: Triton's mark at the end of the name of a metric that excludes inner scopes. Files leave it out of the name.
_EXCLUSIVE = "(exc)"


def convert(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Convert metrics to the form that a session keeps: numbers, lists of numbers, or copies of tensors on a device
    (`read`).

    Raises ArgumentError for anything else.
    """
    return {_name(name): _convert(name, value) for name, value in metrics.items()}


def is_metric(value: object) -> bool:
    """Return whether a value of a kernel's `launch_metadata` is a metric."""
    return isinstance(value, numbers.Number) or hasattr(value, "data_ptr")


def is_late(value: object) -> bool:
    """Return whether reading the metric may wait for a device."""
    return hasattr(value, "data_ptr")


def read(value: Any) -> Any:
    """Return the number or numbers of a tensor. Waits for its device."""
    return value.tolist() if value.numel() > 1 else value.item()


def read_all(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Replace tensors by their numbers. Waits for their devices."""
    return {name: read(value) if is_late(value) else value for name, value in metrics.items()}


def add(first: Any, second: Any, name: str) -> Any:
    """Return the sum of two metrics, of lists element by element. Raises ArgumentError if their forms differ."""
    if isinstance(first, list) != isinstance(second, list):
        raise errors.ArgumentError(f"the metric `{name}` is a number in one place and a list in another")
    if not isinstance(first, list):
        return first + second
    if len(first) != len(second):
        raise errors.ArgumentError(
            f"the metric `{name}` has {len(first)} numbers in one place, {len(second)} in another"
        )
    return [one + other for one, other in zip(first, second, strict=True)]


def _name(name: str) -> str:
    return name.removesuffix(_EXCLUSIVE).rstrip()


def _convert(name: str, value: Any) -> Any:
    if hasattr(value, "data_ptr"):
        if value.numel() == 0:
            raise errors.ArgumentError(f"the metric `{name}` is a tensor without elements")
        # Computed by then, in the order of the stream; the next use of the tensor by the program is not of interest.
        return read(value) if value.device.type == "cpu" else value.detach().clone()
    if isinstance(value, numbers.Number) and not isinstance(value, complex):
        return value.item() if hasattr(value, "item") else value + 0
    if isinstance(value, Sequence) and value and all(isinstance(one, numbers.Real) for one in value):
        return [_convert(name, one) for one in value]
    raise errors.ArgumentError(
        f"the metric `{name}`: expected a number, numbers or a tensor, found {value!r} of type `{type(value).__name__}`"
    )
