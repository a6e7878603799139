# SPDX-License-Identifier: MIT
"""Read layouts as kernels in Gluon write them, for tools that know encodings of the IR."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from triton._C.libtriton import gluon_ir, ir
from triton.experimental.gluon import language as gl

from triton_xe import errors
from triton_xe.experimental import gluon as xe

#: The modules that the text of a layout may name.
_MODULES = {"gl": gl, "xe": xe}


def _evaluate(node: ast.expr) -> Any:
    """Return the value of an expression of layouts: their names, calls, attributes and literals, and nothing else that
    Python could do."""
    match node:
        case ast.Name(id=name) if name in _MODULES:
            return _MODULES[name]
        case ast.Attribute(value=owner, attr=name) if not name.startswith("_"):
            found = getattr(_evaluate(owner), name)
            # Modules of the language lead to those of Python.
            if not isinstance(found, ModuleType):
                return found
        case ast.Call(func=function, args=arguments, keywords=keywords):
            named = {keyword.arg: _evaluate(keyword.value) for keyword in keywords if keyword.arg}
            if len(named) == len(keywords):
                return _evaluate(function)(*map(_evaluate, arguments), **named)
        case ast.List(elts=elements):
            return list(map(_evaluate, elements))
        case ast.Tuple(elts=elements):
            return tuple(map(_evaluate, elements))
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"a layout has no expression such as `{ast.unparse(node)}`") from None


def read_layout(text: str, shape: Sequence[int]) -> str:
    """Return the encoding of a layout on tensors of this shape.

    `text` is Python, such as `gl.BlockedLayout([1, 4], [4, 4], [4, 1], [1, 0])` or
    `xe.DPASLayout([4, 2]).accumulator([32, 32])`. Raises OptionError if it is no layout.
    """
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    try:
        encoding = _evaluate(ast.parse(text.strip(), mode="eval").body)._to_ir(builder)
        kind = str(builder.get_distributed_ty(builder.get_float_ty(), list(shape), encoding))
    except Exception as error:
        raise errors.OptionError(f"`{text}` is no layout of Gluon: {error}") from error
    # tensor<32x32xf32, #ttg.blocked<...>>
    found = kind[kind.index("#") : -1]
    if found.startswith("#gluon."):
        raise errors.OptionError(f"`{text}` leaves it to a compiler to choose a layout")
    return found
