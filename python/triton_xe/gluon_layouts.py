# SPDX-License-Identifier: MIT
"""Read layouts as kernels in Gluon write them, for tools that know encodings of the IR."""

from __future__ import annotations

from collections.abc import Sequence

from triton._C.libtriton import gluon_ir, ir
from triton.experimental.gluon import language as gl

from triton_xe import errors
from triton_xe.experimental import gluon as xe


def read_layout(text: str, shape: Sequence[int]) -> str:
    """Return the encoding of a layout on tensors of this shape.

    `text` is Python, such as `gl.BlockedLayout([1, 4], [4, 4], [4, 1], [1, 0])` or
    `xe.DPASLayout([4, 2]).accumulator([32, 32])`. Raises OptionError if it is no layout.
    """
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    try:
        encoding = eval(text, {"gl": gl, "xe": xe})._to_ir(builder)
        kind = str(builder.get_distributed_ty(builder.get_float_ty(), list(shape), encoding))
    except Exception as error:
        raise errors.OptionError(f"`{text}` is no layout of Gluon: {error}") from error
    # tensor<32x32xf32, #ttg.blocked<...>>
    found = kind[kind.index("#") : -1]
    if found.startswith("#gluon."):
        raise errors.OptionError(f"`{text}` leaves it to a compiler to choose a layout")
    return found
