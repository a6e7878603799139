# SPDX-License-Identifier: MIT
"""Arithmetic and conversions with a direction of rounding.

Every operation gives its exact result as a sum of two f64, the nearer `high` and the sign of what is missing in `low`
(Dekker 1971, Knuth: TAOCP 4.2.2; Boldo and Muller 2005 for the fused operation). `high`, rounded to the result's type,
is then moved by one unit if it lies on the wrong side of the sum. This holds as long as no product of two f64 is below
2^-969; f32 cannot get there.
"""

from __future__ import annotations

import triton.language as tl
from triton.runtime.jit import jit

from triton_xe.libdevice.dispatch import opencl

_fma = opencl("fma", "f64 f64 f64 -> f64")
_sqrt = opencl("sqrt", "f64 -> f64")
_rint = opencl("rint", "f64 -> f64")
_floor = opencl("floor", "f64 -> f64")
_ceil = opencl("ceil", "f64 -> f64")
_trunc = opencl("trunc", "f64 -> f64")


@jit
def _is_finite(x):
    return tl.abs(x) < float("inf")


@jit
def _step(y, UP: tl.constexpr):
    """Return the next number above or below, but none beyond an infinity."""
    INTEGER: tl.constexpr = tl.int64 if y.dtype == tl.float64 else tl.int32
    bits = y.to(INTEGER, bitcast=True)
    if UP:
        moved = tl.where(bits >= 0, bits + 1, bits - 1)
        smallest = tl.full(y.shape, 1, INTEGER)
    else:
        moved = tl.where(bits >= 0, bits - 1, bits + 1)
        smallest = tl.full(y.shape, 1 - 2 ** (INTEGER.primitive_bitwidth - 1), INTEGER)
    return tl.where(y == 0, smallest, moved).to(y.dtype, bitcast=True)


@jit
def _round_sum(high, low, TYPE: tl.constexpr, MODE: tl.constexpr):
    """Round `high` + `low` to `TYPE` in the direction `MODE`."""
    y = high.to(TYPE)
    if MODE == "rn":
        return y
    rest = high - y.to(tl.float64)
    # Beyond the largest number, an infinity is a step too far, which no difference shows.
    rest = tl.where(_is_finite(high) & (tl.abs(y) == float("inf")), -high, rest)
    rest = tl.where(rest == 0, low, tl.where(_is_finite(high), rest, low))
    if MODE == "rd":
        result = tl.where(rest < 0, _step(y, UP=False), y)
    elif MODE == "ru":
        result = tl.where(rest > 0, _step(y, UP=True), y)
    else:
        lower = tl.where((y > 0) & (rest < 0), _step(y, UP=False), y)
        result = tl.where((y < 0) & (rest > 0), _step(y, UP=True), lower)
    return result


@jit
def _finish(high, low, is_finite, TYPE: tl.constexpr, MODE: tl.constexpr):
    """Round a sum whose `low` may be NaN: then the sum is infinite, or beyond the range if `is_finite`."""
    low = tl.where(low == low, low, 0.0)
    low = tl.where(is_finite & (tl.abs(high) == float("inf")), -high, low)
    return _round_sum(high, low, TYPE, MODE)


@jit
def _separate(x):
    """Return `x`, which compilers do not fuse with a sum if it is a product."""
    return tl.where(x == x, tl.maximum(x, float("-inf")), x)


@jit
def _two_sum(a, b):
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@jit
def add(a, b, TYPE: tl.constexpr, MODE: tl.constexpr):
    x = _separate(a.to(tl.float64))
    y = _separate(b.to(tl.float64))
    high, low = _two_sum(x, y)
    if MODE == "rd":
        # A sum of zero is negative, unless both terms are positive zeros.
        opposite = (x.to(tl.int64, bitcast=True) ^ y.to(tl.int64, bitcast=True)) < 0
        high = tl.where((high == 0) & opposite, -0.0, high)
    return _finish(high, low, _is_finite(x) & _is_finite(y), TYPE, MODE)


@jit
def sub(a, b, TYPE: tl.constexpr, MODE: tl.constexpr):
    return add(a, -b, TYPE, MODE)


@jit
def mul(a, b, TYPE: tl.constexpr, MODE: tl.constexpr):
    x = a.to(tl.float64)
    y = b.to(tl.float64)
    high = x * y
    return _finish(high, _fma(x, y, -high), _is_finite(x) & _is_finite(y), TYPE, MODE)


@jit
def div(a, b, TYPE: tl.constexpr, MODE: tl.constexpr):
    x = a.to(tl.float64)
    y = b.to(tl.float64)
    high = x / y
    rest = _fma(-high, y, x)
    low = tl.where(y < 0, -rest, rest)
    return _finish(high, low, _is_finite(x) & _is_finite(y) & (y != 0), TYPE, MODE)


@jit
def rcp(a, TYPE: tl.constexpr, MODE: tl.constexpr):
    return div(tl.full(a.shape, 1.0, tl.float64), a, TYPE, MODE)


@jit
def sqrt(a, TYPE: tl.constexpr, MODE: tl.constexpr):
    x = a.to(tl.float64)
    high = _sqrt(x)
    return _finish(high, _fma(-high, high, x), _is_finite(x), TYPE, MODE)


@jit
def fma(a, b, c, TYPE: tl.constexpr, MODE: tl.constexpr):
    x = a.to(tl.float64)
    y = b.to(tl.float64)
    z = _separate(c.to(tl.float64))
    high = _fma(x, y, z)
    product = _separate(x * y)
    error = _fma(x, y, -product)
    middle, rest = _two_sum(z, error)
    first, second = _two_sum(product, middle)
    third, last = _two_sum((first - high) + second, rest)
    low = tl.where(third == 0, last, third)
    if MODE == "rd":
        opposite = ((x.to(tl.int64, bitcast=True) ^ y.to(tl.int64, bitcast=True)) ^ z.to(tl.int64, bitcast=True)) < 0
        high = tl.where((high == 0) & opposite, -0.0, high)
    return _finish(high, low, _is_finite(x) & _is_finite(y) & _is_finite(z), TYPE, MODE)


@jit
def float_to_float(a, TYPE: tl.constexpr, MODE: tl.constexpr):
    return _round_sum(a, tl.zeros_like(a), TYPE, MODE)


@jit
def int_to_float(a, TYPE: tl.constexpr, MODE: tl.constexpr):
    if MODE == "rn":
        return a.to(TYPE)
    # The upper bits and the lower ones are exact, and so is the sum of the pair.
    upper = ((a >> 32).to(tl.float64)) * 4294967296.0 if a.dtype.primitive_bitwidth == 64 else a.to(tl.float64)
    lower = (a & 0xFFFFFFFF).to(tl.float64) if a.dtype.primitive_bitwidth == 64 else tl.zeros_like(upper)
    high, low = _two_sum(upper, lower)
    return _round_sum(high, low, TYPE, MODE)


@jit
def float_to_int(a, TYPE: tl.constexpr, MODE: tl.constexpr, UNSIGNED: tl.constexpr):
    """Saturates; NaN becomes 0."""
    x = a.to(tl.float64)
    if MODE == "rn":
        y = _rint(x)
    elif MODE == "rd":
        y = _floor(x)
    elif MODE == "ru":
        y = _ceil(x)
    else:
        y = _trunc(x)
    BITS: tl.constexpr = TYPE.primitive_bitwidth
    if UNSIGNED:
        TARGET: tl.constexpr = tl.uint64 if BITS == 64 else tl.uint32
        HIGH: tl.constexpr = 2**BITS
        LOW: tl.constexpr = 0
    else:
        TARGET: tl.constexpr = TYPE
        HIGH: tl.constexpr = 2 ** (BITS - 1)
        LOW: tl.constexpr = -(2 ** (BITS - 1))
    is_inside = (y >= LOW * 1.0) & (y < HIGH * 1.0)
    number = tl.where(is_inside, y, 0.0).to(TARGET)
    number = tl.where(y >= HIGH * 1.0, tl.full(y.shape, HIGH - 1, TARGET), number)
    number = tl.where(y < LOW * 1.0, tl.full(y.shape, LOW, TARGET), number)
    return number.to(TYPE, bitcast=True)
