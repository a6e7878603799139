# SPDX-License-Identifier: MIT
"""Make the record of a launch from what a launcher gets, without looking at the contents of tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from triton_xe.tools.harvest import records

#: The arguments of a launcher before the kernel's own. The first three are the grid.
FIRST_ARGUMENT = 9


def describe_launch(signature: Sequence[Any], names: Sequence[str], arguments: Sequence[Any]) -> records.Launch:
    """Return the record of a launch with these arguments of a launcher.

    Raises AttributeError, TypeError or ValueError if they do not match the signature.
    """
    x, y, z = map(int, arguments[:3])
    described = _describe_all(signature, names, arguments[FIRST_ARGUMENT:])
    return records.Launch((x, y, z), tuple(described))


def _describe_all(kinds: Sequence[Any], names: Sequence[str], values: Sequence[Any]) -> Iterator[records.Argument]:
    for kind, name, value in zip(kinds, names, values, strict=True):
        if isinstance(kind, tuple | list):
            yield from _describe_all(kind, [f"{name}.{index}" for index in range(len(kind))], value)
        else:
            yield _describe(str(kind), name, value)


def _describe(kind: str, name: str, value: Any) -> records.Argument:
    if kind.startswith("tensordesc"):
        return records.Argument(
            "descriptor",
            name,
            dtype=_dtype(value.base),
            shape=tuple(map(int, value.shape)),
            strides=tuple(map(int, value.strides)),
            address=_address(value.base),
            block_shape=tuple(map(int, value.block_shape)),
            padding=str(getattr(value, "padding", "zero")),
        )
    if kind.startswith("*") and value is not None:
        if isinstance(value, int):
            return records.Argument("tensor", name, address=value % records.ADDRESS_MODULUS)
        # A `triton.reinterpret` has the sizes of its tensor, and a separate element type.
        tensor = value if hasattr(value, "stride") else value.base
        strides = tuple(map(int, tensor.stride()))
        shape = tuple(map(int, tensor.shape))
        return records.Argument("tensor", name, _dtype(value), shape, strides, _address(value))
    kind = "constant" if kind == "constexpr" else "scalar"
    return records.Argument(kind, name, value=records.to_json(value))


def _dtype(tensor: Any) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _address(tensor: Any) -> int:
    return int(tensor.data_ptr()) % records.ADDRESS_MODULUS
