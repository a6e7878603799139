# SPDX-License-Identifier: MIT
"""Let kernels in Gluon get descriptors of the host as descriptors of Xe, whose accesses have layouts.

Triton's own class for them makes tensors without a layout, which Gluon cannot use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triton.compiler import code_generator
from triton.language import core

from triton_xe import options
from triton_xe.compat import changes


def install() -> None:
    """Let the frontend make descriptors of Xe out of arguments. A second call does nothing.

    Kernels in Triton, and those for other devices, get what Triton makes.
    """
    changes.replace(code_generator, "str_to_ty", _converting)


class ArgumentType(core.tensor_descriptor_type):
    """The type of an argument that is a descriptor of a matrix.

    The frontend requests its IR, with the builder, before it requests its value: what the kernel gets follows from the
    builder. Each compilation creates such types again.
    """

    _is_for_us = False

    def _flatten_ir_types(self, builder: Any, out: list[Any]) -> None:
        is_gluon = isinstance(builder, code_generator.gluon_ir.GluonOpBuilder)
        self._is_for_us = is_gluon and isinstance(builder.options, options.XeOptions)
        super()._flatten_ir_types(builder, out)

    def _unflatten_ir(self, handles: list[Any], cursor: int) -> tuple[Any, int]:
        value, cursor = super()._unflatten_ir(handles, cursor)
        if self._is_for_us:
            from triton_xe.experimental.gluon.descriptors import tensor_descriptor

            value = tensor_descriptor([value], value.block_shape)
        return value, cursor


def _converting(original: Callable) -> Callable:
    """Return the function that gives the type of an argument, which `original` gives for Triton's classes."""

    def str_to_ty(name: Any, constant: Any) -> Any:
        return _convert(original(name, constant))

    return str_to_ty


def _convert(kind: Any) -> Any:
    if isinstance(kind, core.tuple_type):
        return core.tuple_type([_convert(each) for each in kind.types], kind.fields)
    # 2D block messages are for matrices, and descriptors of other chips have separate classes.
    if type(kind) is core.tensor_descriptor_type and len(kind.block_type.shape) == 2:
        return ArgumentType(kind.block_type, kind.shape_type, kind.strides_type)
    return kind
