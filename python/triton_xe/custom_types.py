# SPDX-License-Identifier: MIT
"""Types that only the frontend knows: `tl.float8e4b15`, which is an 8-bit integer in the IR.

The format has 4 bits of exponent with a bias of 15 and 3 of mantissa, and neither infinity nor NaN: its exponents are
those of f16 below 1, so that a number is 7 bits of an f16 (all but the highest bit of the exponent) and a sign. The
conversions are therefore integer arithmetic on the bits of f16.
"""

from __future__ import annotations

from typing import Any

import triton.language as tl
from triton._C.libtriton import ir

#: 1.75 as f16, the largest number. The one pattern above it would be NaN in the related format fp8e4nv.
_LARGEST = 0x3F00


def _widen(value: Any, semantic: Any) -> Any:
    """Convert fp8e4b15 to f16, which is exact."""
    wide = semantic.cast(semantic.bitcast(value, tl.uint8), tl.uint16)
    sign = semantic.shl(semantic.and_(wide, 0x80), 8)
    magnitude = semantic.shl(semantic.and_(wide, 0x7F), 7)
    return semantic.bitcast(semantic.or_(sign, magnitude), tl.float16)


def _narrow(value: Any, toward_zero: bool, semantic: Any) -> Any:
    """Convert f16 to fp8e4b15, to nearest even or toward zero. NaN and larger numbers become the largest number."""
    bits = semantic.bitcast(value, tl.uint16)
    magnitude = semantic.and_(bits, 0x7FFF)
    if not toward_zero:
        is_odd = semantic.and_(semantic.lshr(magnitude, 7), 1)
        magnitude = semantic.add(semantic.add(magnitude, 0x3F, False), is_odd, False)
    magnitude = semantic.minimum(magnitude, _LARGEST, tl.PropagateNan.NONE)
    sign = semantic.and_(semantic.lshr(bits, 8), 0x80)
    result = semantic.or_(semantic.lshr(magnitude, 7), sign)
    return semantic.bitcast(semantic.cast(result, tl.uint8), tl.float8e4b15)


def _round_to_odd(value: Any, semantic: Any) -> Any:
    """Convert a wider float to f16, rounded toward zero, with the last bit set if the result is inexact. A second
    rounding then gives the same result as rounding the original number once.
    """
    half = semantic.cast(value, tl.float16, "rtz")
    is_exact = semantic.equal(semantic.cast(half, value.dtype), value)
    bits = semantic.bitcast(half, tl.uint16)
    return semantic.bitcast(semantic.where(is_exact, bits, semantic.or_(bits, 1)), tl.float16)


def convert_custom_types(value: Any, target: tl.dtype, rounding: ir.ROUNDING_MODE | None, _semantic: Any) -> Any:
    """Convert from and to fp8e4b15, as a hook of the frontend; all conversions go through f16."""
    if value.dtype.is_fp8e4b15():
        return _semantic.cast(_widen(value, _semantic), target.scalar)
    if not value.dtype.is_fp16():
        if not value.dtype.is_fp64():
            value = _semantic.cast(value, tl.float32)
        value = _round_to_odd(value, _semantic)
    return _narrow(value, rounding == ir.ROUNDING_MODE.RTZ, _semantic)
