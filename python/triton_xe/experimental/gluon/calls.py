# SPDX-License-Identifier: MIT
"""Calls of functions without a body, which our compiler replaces by operations.

Triton's frontend builds no operations that only Intel's GPUs have. It does build declarations and calls of functions,
which its passes leave alone. The pass `tritonintelgpu-raise-xe-calls` puts the operations in their place.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Mapping, Sequence
from typing import Any

from triton._C.libtriton import ir

from triton_xe import errors, options


def call(
    generator: Any,
    semantic: Any,
    name: str,
    operands: Sequence[Any],
    result: Any = None,
    attributes: Mapping[str, int | str] = types.MappingProxyType({}),
) -> Any:
    """Call a function of Xe, and return its result, a tensor of the type `result`.

    Attributes are what the author of the kernel has stated as constants. Raises CompileError in compilations for other
    devices, which have no such functions.
    """
    if not isinstance(semantic.builder.options, options.XeOptions):
        raise errors.CompileError(f"`xe.{name}` is for Intel's GPUs and the CPU device of triton-xe")
    key = repr(
        ([operand.type.mangle() for operand in operands], result and result.mangle(), sorted(attributes.items()))
    )
    symbol = f"xe.{name}.{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    module = generator.module
    if not module.has_function(symbol):
        builder = semantic.builder
        inputs = [operand.handle.get_type() for operand in operands]
        kind = builder.get_function_ty(inputs, [] if result is None else [result.to_ir(builder)])
        # A builder with no place to insert at: that of the kernel would put the function into the kernel.
        function = ir.builder(generator.context).get_or_insert_function(module, symbol, kind, "private", True)
        for attribute, value in attributes.items():
            is_text = isinstance(value, str)
            function.set_attr(attribute, builder.get_string_attr(value) if is_text else builder.get_int32_attr(value))
        module.push_back(function)
    made = semantic.builder.call(module.get_function(symbol), [operand.handle for operand in operands])
    return None if result is None else semantic.tensor(made.get_result(0), result)
