# SPDX-License-Identifier: MIT
"""Exchanges of registers among the lanes of a warp, a sub-group of the device.

A tensor has a layout, and each lane has some of its elements in registers. A shuffle gives each lane the same register
of another lane. The result has the type of the value: the layout determines which element that is.

A layout may have the same element in several lanes. A shuffle can leave them with different ones, and which of those is
stored or added up is not determined.

Values are integers and floats. The number of the source is one number, or a tensor of numbers with the layout of the
value, for each register its own. A lane whose source is outside of its warp keeps its value; where that is known of a
constant, it is an error.
"""

from __future__ import annotations

from typing import Any

from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language._core import builtin

from triton_xe import errors
from triton_xe.experimental.gluon.calls import call


@builtin
def shuffle(value: Any, lane: Any, _semantic: Any = None, _generator: Any = None) -> Any:
    """Return what lane `lane` of the warp has in each register."""
    return _shuffle("shuffle", value, lane, _semantic, _generator)


@builtin
def shuffle_xor(value: Any, mask: Any, _semantic: Any = None, _generator: Any = None) -> Any:
    """Return what the lane has in each register whose number differs in the bits of `mask`."""
    return _shuffle("shuffle_xor", value, mask, _semantic, _generator)


@builtin
def shuffle_up(value: Any, delta: Any, _semantic: Any = None, _generator: Any = None) -> Any:
    """Return what the lane `delta` below has in each register; the first `delta` lanes keep what they have."""
    return _shuffle("shuffle_up", value, delta, _semantic, _generator)


@builtin
def shuffle_down(value: Any, delta: Any, _semantic: Any = None, _generator: Any = None) -> Any:
    """Return what the lane `delta` above has in each register; the last `delta` lanes keep what they have."""
    return _shuffle("shuffle_down", value, delta, _semantic, _generator)


def _shuffle(name: str, value: Any, by: Any, semantic: Any, generator: Any) -> Any:
    if not hasattr(value.type, "layout") or value.dtype.is_ptr():
        raise errors.CompileError(f"expected a tensor of integers or floats with a layout to shuffle: {value.type}")
    by = semantic.to_tensor(by)
    if not by.dtype.is_int() or by.dtype.primitive_bitwidth > 32:
        raise errors.CompileError(f"`xe.{name}` takes integers of at most 32 bits, found {by.type}")
    if by.type.is_block() and (by.shape != value.shape or by.type.layout != value.type.layout):
        raise errors.CompileError(f"expected one number, or one for each element in the layout of the value: {by.type}")
    return call(generator, semantic, name, (value, semantic.cast(by, gl.int32)), value.type)
