# SPDX-License-Identifier: MIT
"""Functions that OpenCL does not have, composed of those that it has.

The argument `TYPE` is the type of the result. f32 is computed in f64, where errors of the steps do not show.
"""

from __future__ import annotations

import triton.language as tl
from triton.runtime.jit import jit

from triton_xe.libdevice.dispatch import opencl

_clz = opencl("clz", "i32 -> i32", "i64 -> i64")
_popcount = opencl("popcount", "i32 -> i32", "i64 -> i64")
_abs_diff = opencl("abs_diff", "i32 i32 -> u32", "u32 u32 -> u32")
_erf = opencl("erf", "f64 -> f64")
_erfc = opencl("erfc", "f64 -> f64")
_exp = opencl("exp", "f64 -> f64")
_log = opencl("log", "f64 -> f64")
_log1p = opencl("log1p", "f64 -> f64")
_sqrt = opencl("sqrt", "f64 -> f64")
_rint = opencl("rint", "f32 -> f32", "f64 -> f64")
_round = opencl("round", "f32 -> f32", "f64 -> f64")
_hypot = opencl("hypot", "f32 f32 -> f32", "f64 f64 -> f64")
_cbrt = opencl("cbrt", "f32 -> f32", "f64 -> f64")
_fma = opencl("fma", "f64 f64 f64 -> f64")
_native_exp2 = opencl("native_exp2", "f32 -> f32")
_native_log2 = opencl("native_log2", "f32 -> f32")

_SQRT_2: tl.constexpr = tl.constexpr(1.4142135623730951)
_SQRT_HALF: tl.constexpr = tl.constexpr(0.7071067811865476)
#: The rounding error of _SQRT_HALF.
_SQRT_HALF_LOW: tl.constexpr = tl.constexpr(-4.833646656726457e-17)
_SQRT_PI: tl.constexpr = tl.constexpr(1.772453850905516)
_TWO_OVER_SQRT_PI: tl.constexpr = tl.constexpr(1.1283791670955126)


# --- Integers and bits ------------------------------------------------------------------------------------------------


@jit
def clz(x, TYPE: tl.constexpr):
    return _clz(x).to(TYPE)


@jit
def popc(x, TYPE: tl.constexpr):
    return _popcount(x).to(TYPE)


@jit
def ffs(x, TYPE: tl.constexpr):
    """Return 1 + the number of the lowest bit that is set; 0 for 0."""
    return (x.dtype.primitive_bitwidth - _clz(x & -x)).to(TYPE)


@jit
def brev(x, TYPE: tl.constexpr):
    """Return the bits in reverse order: neighbours change places, then pairs, and so on."""
    if x.dtype.primitive_bitwidth == 64:
        bits = x.to(tl.uint64, bitcast=True)
        bits = ((bits >> 1) & 0x5555555555555555) | ((bits & 0x5555555555555555) << 1)
        bits = ((bits >> 2) & 0x3333333333333333) | ((bits & 0x3333333333333333) << 2)
        bits = ((bits >> 4) & 0x0F0F0F0F0F0F0F0F) | ((bits & 0x0F0F0F0F0F0F0F0F) << 4)
        bits = ((bits >> 8) & 0x00FF00FF00FF00FF) | ((bits & 0x00FF00FF00FF00FF) << 8)
        bits = ((bits >> 16) & 0x0000FFFF0000FFFF) | ((bits & 0x0000FFFF0000FFFF) << 16)
        bits = (bits >> 32) | (bits << 32)
    else:
        bits = x.to(tl.uint32, bitcast=True)
        bits = ((bits >> 1) & 0x55555555) | ((bits & 0x55555555) << 1)
        bits = ((bits >> 2) & 0x33333333) | ((bits & 0x33333333) << 2)
        bits = ((bits >> 4) & 0x0F0F0F0F) | ((bits & 0x0F0F0F0F) << 4)
        bits = ((bits >> 8) & 0x00FF00FF) | ((bits & 0x00FF00FF) << 8)
        bits = (bits >> 16) | (bits << 16)
    return bits.to(TYPE, bitcast=True)


@jit
def byte_perm(x, y, selector, TYPE: tl.constexpr):
    """Return four of the eight bytes of `y` and `x`, each chosen by three bits of a digit of `selector`."""
    bytes_ = (y.to(tl.uint32, bitcast=True).to(tl.uint64) << 32) | x.to(tl.uint32, bitcast=True).to(tl.uint64)
    wide = selector.to(tl.uint32, bitcast=True).to(tl.uint64)
    result = (bytes_ >> ((wide & 7) * 8)) & 0xFF
    result |= ((bytes_ >> (((wide >> 4) & 7) * 8)) & 0xFF) << 8
    result |= ((bytes_ >> (((wide >> 8) & 7) * 8)) & 0xFF) << 16
    result |= ((bytes_ >> (((wide >> 12) & 7) * 8)) & 0xFF) << 24
    return result.to(tl.uint32).to(TYPE, bitcast=True)


@jit
def mul24(x, y, TYPE: tl.constexpr):
    """Return the product of the lower 24 bits."""
    return ((x << 8) >> 8) * ((y << 8) >> 8)


@jit
def sad(x, y, z, TYPE: tl.constexpr):
    """Return z plus the difference of x and y."""
    return (_abs_diff(x, y) + z).to(TYPE, bitcast=True)


@jit
def bitcast(x, TYPE: tl.constexpr):
    return x.to(TYPE, bitcast=True)


@jit
def hiloint2double(high, low, TYPE: tl.constexpr):
    upper = high.to(tl.uint32, bitcast=True).to(tl.uint64) << 32
    return (upper | low.to(tl.uint32, bitcast=True).to(tl.uint64)).to(TYPE, bitcast=True)


@jit
def double2loint(x, TYPE: tl.constexpr):
    return x.to(tl.int64, bitcast=True).to(TYPE)


@jit
def double2hiint(x, TYPE: tl.constexpr):
    return (x.to(tl.int64, bitcast=True) >> 32).to(TYPE)


# --- Classification ---------------------------------------------------------------------------------------------------


@jit
def isnan(x, TYPE: tl.constexpr):
    return x != x


@jit
def isinf(x, TYPE: tl.constexpr):
    return tl.abs(x) == float("inf")


@jit
def isfinite(x, TYPE: tl.constexpr):
    return tl.abs(x) < float("inf")


@jit
def signbit(x, TYPE: tl.constexpr):
    INTEGER: tl.constexpr = tl.int64 if x.dtype == tl.float64 else tl.int32
    return (x.to(INTEGER, bitcast=True) < 0).to(TYPE)


# --- Rounding to integers ---------------------------------------------------------------------------------------------


@jit
def llrint(x, TYPE: tl.constexpr):
    return _rint(x).to(TYPE)


@jit
def llround(x, TYPE: tl.constexpr):
    return _round(x).to(TYPE)


# --- Algebra ----------------------------------------------------------------------------------------------------------


@jit
def absolute(x, TYPE: tl.constexpr):
    return tl.abs(x)


@jit
def saturatef(x, TYPE: tl.constexpr):
    """Return the number clamped between 0 and 1; NaN becomes 0."""
    return tl.where(x > 0, tl.minimum(x, 1.0), 0.0)


@jit
def rcp64h(x, TYPE: tl.constexpr):
    """Return the upper half of the reciprocal's bits, and zeros."""
    return ((1.0 / x).to(tl.int64, bitcast=True) & -4294967296).to(TYPE, bitcast=True)


@jit
def rsqrt_rn(x, TYPE: tl.constexpr):
    return (1.0 / _sqrt(x.to(tl.float64))).to(TYPE)


@jit
def rhypot(x, y, TYPE: tl.constexpr):
    return 1.0 / _hypot(x, y)


@jit
def norm3d(x, y, z, TYPE: tl.constexpr):
    return _hypot(_hypot(x, y), z)


@jit
def rnorm3d(x, y, z, TYPE: tl.constexpr):
    return 1.0 / _hypot(_hypot(x, y), z)


@jit
def norm4d(x, y, z, w, TYPE: tl.constexpr):
    return _hypot(_hypot(x, y), _hypot(z, w))


@jit
def rnorm4d(x, y, z, w, TYPE: tl.constexpr):
    return 1.0 / _hypot(_hypot(x, y), _hypot(z, w))


@jit
def rcbrt(x, TYPE: tl.constexpr):
    return 1.0 / _cbrt(x)


@jit
def fast_powf(x, y, TYPE: tl.constexpr):
    return _native_exp2(y * _native_log2(x))


# --- Error functions --------------------------------------------------------------------------------------------------


@jit
def _erfinv_start(x, w):
    """Return the inverse error function to single precision; w = -log(1 - x^2) (Giles, GPU Computing Gems, 2010)."""
    near = w - 2.5
    p = 2.81022636e-08
    p = 3.43273939e-07 + p * near
    p = -3.5233877e-06 + p * near
    p = -4.39150654e-06 + p * near
    p = 0.00021858087 + p * near
    p = -0.00125372503 + p * near
    p = -0.00417768164 + p * near
    p = 0.246640727 + p * near
    p = 1.50140941 + p * near
    far = _sqrt(w) - 3.0
    q = -0.000200214257
    q = 0.000100950558 + q * far
    q = 0.00134934322 + q * far
    q = -0.00367342844 + q * far
    q = 0.00573950773 + q * far
    q = -0.0076224613 + q * far
    q = 0.00943887047 + q * far
    q = 1.00167406 + q * far
    q = 2.83297682 + q * far
    return tl.where(w < 5.0, p, q) * x


@jit
def _erfcinv(x):
    """Return the inverse of erfc on f64, by Newton's method on its logarithm. This is nearly a parabola, so two steps
    from single precision are enough, and four from the start of the asymptotic series."""
    # For x above 1/2 the sum 1 - x is exact and erf is the better conditioned function.
    center = tl.where(x < 0.5, 0.0, 1.0 - x)
    inner = _erfinv_start(center, -_log((1.0 - center) * (1.0 + center)))
    for _ in tl.static_range(2):
        slope = _TWO_OVER_SQRT_PI * _exp(-inner * inner)
        upper = (_erf(inner) - center) / slope
        # Beyond 1/2 the complement keeps the bits.
        lower = (_erfc(-inner) - (2.0 - x)) / slope
        step = tl.where(center < -0.5, lower, upper)
        inner -= step / (1.0 + inner * step)
    tail = tl.where(x < 0.5, x, 0.25)
    w = -_log(tail * _SQRT_PI)
    outer = _sqrt(w - 0.5 * _log(w + 0.5))
    for _ in tl.static_range(5):
        value = _erfc(outer)
        slope = _TWO_OVER_SQRT_PI * _exp(-outer * outer)
        outer += value / slope * _log1p((value - tail) / tail)
    result = tl.where(x < 0.5, outer, inner)
    result = tl.where(x == 0, float("inf"), tl.where(x == 2, -float("inf"), result))
    return tl.where((x >= 0) & (x <= 2), result, float("nan"))


@jit
def erfcinv(x, TYPE: tl.constexpr):
    return _erfcinv(x.to(tl.float64)).to(TYPE)


@jit
def erfinv(x, TYPE: tl.constexpr):
    wide = x.to(tl.float64)
    magnitude = tl.abs(wide)
    inner = _erfinv_start(magnitude, -_log((1.0 - magnitude) * (1.0 + magnitude)))
    for _ in tl.static_range(2):
        step = (_erf(inner) - magnitude) / (_TWO_OVER_SQRT_PI * _exp(-inner * inner))
        inner -= step / (1.0 + inner * step)
    result = tl.where(magnitude <= 0.5, inner, _erfcinv(1.0 - magnitude))
    return tl.where(wide < 0, -result, tl.where(wide == 0, wide, result)).to(TYPE)


@jit
def normcdfinv(x, TYPE: tl.constexpr):
    return (-_SQRT_2 * _erfcinv(2.0 * x.to(tl.float64))).to(TYPE)


@jit
def normcdf(x, TYPE: tl.constexpr):
    """Return erfc(-x / sqrt 2) / 2, corrected for the rounding of the argument."""
    wide = -x.to(tl.float64)
    argument = wide * _SQRT_HALF
    error = _fma(wide, _SQRT_HALF, -argument) + wide * _SQRT_HALF_LOW
    error = tl.where(tl.abs(argument) < 40.0, error, 0.0)
    value = _erfc(argument) - _TWO_OVER_SQRT_PI * _exp(-argument * argument) * error
    return (0.5 * value).to(TYPE)


@jit
def erfcx(x, TYPE: tl.constexpr):
    """Return exp(x^2) erfc(x): the product with an exact square, or the asymptotic series where erfc is too small."""
    wide = x.to(tl.float64)
    square = wide * wide
    error = _fma(wide, wide, -square)
    product = _exp(square) * _erfc(wide)
    product += tl.where(tl.abs(wide) < 27.0, product * error, 0.0)
    unit = 0.5 / square
    series = tl.full(wide.shape, 1.0, tl.float64)
    for i in tl.static_range(12):
        series = 1.0 - (23.0 - 2.0 * i) * unit * series
    series = series / (wide * _SQRT_PI)
    return tl.where(wide > 10.0, series, product).to(TYPE)
