# SPDX-License-Identifier: MIT
"""Every function of `libdevice` against arithmetic of 40 digits, or against integers."""

from __future__ import annotations

import inspect
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
import triton
import triton.language as tl
import triton.language.extra.cuda.libdevice as cuda_libdevice
import triton.language.extra.hip.libdevice as hip_libdevice
import triton.language.extra.libdevice as stock_libdevice
from mpmath import mp
from numeric.expressions import SIZE, evaluate, make_kernel
from rounding import assert_equal, assert_ulps, round_to, to_longdouble, ulp_errors
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from triton_xe import libdevice
from triton_xe.libdevice import dispatch

mp.dps = 40
F32, F64 = torch.float32, torch.float64

#: Inputs that belong to no range: results must be those of IEEE 754 and C.
SPECIAL = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1.0, -1.0, 0.5]


def samples(low: float, high: float, dtype: torch.dtype, seed: int, special: bool = True) -> torch.Tensor:
    """Return random numbers between two bounds, small ones of all magnitudes among them, and special ones first."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.rand(SIZE, generator=generator, dtype=F64) * (high - low) + low
    scale = 2.0 ** -torch.randint(0, 20, (SIZE,), generator=generator).double()
    small = values * scale
    values = torch.where((small >= low) & (small <= high), small, values)
    if special:
        values[: len(SPECIAL)] = torch.tensor(SPECIAL, dtype=F64)
    return values.to(dtype)


def guarded(function):
    """Return an mpmath function that gives NaN outside of its domain, and limits at infinities, as C does."""

    def evaluate_one(*arguments):
        if any(mpmath.isnan(a) for a in arguments):
            return mpmath.nan
        try:
            result = function(*arguments)
        except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence):
            return mpmath.nan
        return mpmath.nan if isinstance(result, mpmath.mpc) else mpmath.mpf(result)

    return evaluate_one


def half_away(x):
    return mpmath.sign(x) * mpmath.floor(abs(x) + mpmath.mpf(1) / 2) if mpmath.isfinite(x) else x


def half_even(x):
    return mpmath.nint(x) if mpmath.isfinite(x) else x


def truncate(x):
    return mpmath.sign(x) * mpmath.floor(abs(x)) if mpmath.isfinite(x) else x


def finite_only(function):
    """Like C at infinities where mpmath has no value: NaN."""
    return lambda x: function(x) if mpmath.isfinite(x) else mpmath.nan


def refined(function, x, start):
    """Return the root of `function(y) = x`, `erf` or `erfc`, by Newton's steps from a number of 10 digits."""
    y, sign = mpmath.mpf(start), -1 if function is mpmath.erf else 1
    for _ in range(3):
        y += sign * (function(y) - x) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(y * y)
    return y


def erfinv(x):
    if abs(x) == 1:
        return mpmath.sign(x) * mpmath.inf
    if not abs(x) < 1:
        return mpmath.nan
    return refined(mpmath.erf, x, torch.special.erfinv(torch.tensor(float(x), dtype=F64)).item())


def erfcinv(x):
    if not 0 < x < 2:
        return {0: mpmath.inf, 2: -mpmath.inf}.get(x, mpmath.nan)
    return refined(mpmath.erfc, x, torch.special.erfinv(torch.tensor(float(1 - x), dtype=F64)).item())


def erfcx(x):
    if mpmath.isinf(x):
        return mpmath.mpf(0) if x > 0 else mpmath.inf
    return mpmath.exp(x * x) * mpmath.erfc(x)


def limit(at_minus, at_plus):
    """Decorate a function that mpmath does not evaluate at infinity."""

    def decorate(function):
        def wrapped(x):
            if mpmath.isinf(x):
                return mpmath.mpf(at_plus if x > 0 else at_minus)
            return function(x)

        return wrapped

    return decorate


PI_HALF = mpmath.pi / 2
#: name: (function, lowest and highest input, ulps in f32, ulps in f64). Limits are OpenCL's (7.4 of its specification),
#: and ours where the function is composed.
UNARY = {
    "acos": (mpmath.acos, -1.5, 1.5, 4, 4),
    "acosh": (limit("nan", "inf")(mpmath.acosh), 0.5, 50, 4, 4),
    "asin": (mpmath.asin, -1.5, 1.5, 4, 4),
    "asinh": (limit("-inf", "inf")(mpmath.asinh), -50, 50, 4, 4),
    "atan": (limit(-PI_HALF, PI_HALF)(mpmath.atan), -50, 50, 5, 5),
    "atanh": (lambda x: mpmath.inf * mpmath.sign(x) if abs(x) == 1 else mpmath.atanh(x), -1.2, 1.2, 5, 5),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), -1e6, 1e6, 2, 2),
    "rcbrt": (lambda x: mpmath.sign(x) / mpmath.cbrt(abs(x)) if x else mpmath.nan, 0.01, 1e6, 5, 3),
    "ceil": (lambda x: mpmath.ceil(x) if mpmath.isfinite(x) else x, -1e5, 1e5, 0, 0),
    "cos": (finite_only(mpmath.cos), -100, 100, 4, 4),
    "cosh": (mpmath.cosh, -80, 80, 4, 4),
    "cospi": (finite_only(mpmath.cospi), -100, 100, 4, 4),
    "erf": (limit(-1, 1)(mpmath.erf), -5, 5, 16, 16),
    "erfc": (limit(2, 0)(mpmath.erfc), -5, 9, 16, 16),
    "erfcinv": (erfcinv, 1e-5, 2, 1, 12),
    "erfcx": (erfcx, -5, 60, 1, 8),
    "erfinv": (erfinv, -1, 1, 1, 12),
    "exp": (mpmath.exp, -80, 80, 3, 3),
    "exp10": (limit(0, "inf")(lambda x: mpmath.power(10, x)), -35, 35, 3, 3),
    "exp2": (limit(0, "inf")(lambda x: mpmath.power(2, x)), -100, 100, 3, 3),
    "expm1": (mpmath.expm1, -20, 20, 3, 3),
    "floor": (lambda x: mpmath.floor(x) if mpmath.isfinite(x) else x, -1e5, 1e5, 0, 0),
    "log": (lambda x: -mpmath.inf if x == 0 else mpmath.log(x), 1e-6, 1e6, 3, 3),
    "log10": (lambda x: -mpmath.inf if x == 0 else mpmath.log10(x), 1e-6, 1e6, 3, 3),
    "log1p": (lambda x: -mpmath.inf if x == -1 else mpmath.log1p(x), -0.999, 1e6, 2, 2),
    "log2": (lambda x: -mpmath.inf if x == 0 else mpmath.log(x, 2), 1e-6, 1e6, 3, 3),
    "nearbyint": (half_even, -1e4, 1e4, 0, 0),
    "normcdf": (limit(0, 1)(mpmath.ncdf), -12, 6, 2, 20),
    "normcdfinv": (lambda x: -mpmath.sqrt(2) * erfcinv(2 * x), 1e-5, 1, 1, 16),
    "rint": (half_even, -1e4, 1e4, 0, 0),
    "round": (half_away, -1e4, 1e4, 0, 0),
    "sin": (finite_only(mpmath.sin), -100, 100, 4, 4),
    "sinh": (mpmath.sinh, -80, 80, 4, 4),
    "sinpi": (finite_only(mpmath.sinpi), -100, 100, 4, 4),
    "tan": (finite_only(mpmath.tan), -100, 100, 5, 5),
    "tanh": (limit(-1, 1)(mpmath.tanh), -20, 20, 5, 5),
    "tgamma": (mpmath.gamma, 0.1, 30, 16, 16),
    "trunc": (truncate, -1e5, 1e5, 0, 0),
    "abs": (abs, -1e5, 1e5, 0, 0),
    "sqrt": (mpmath.sqrt, 0, 1e9, 3, 0.5),
    "logb": (None, 1e-6, 1e6, 0, 0),
}
#: Functions with a special input for which C allows several results, or mpmath has another one.
NO_SPECIAL = {"tgamma", "rcbrt", "logb"}


@pytest.mark.parametrize("dtype", [pytest.param(F32, marks=pytest.mark.instruction_sets), F64], ids=str)
def test_functions_of_one_number(dtype):
    """Eight in each kernel, each on numbers of its range."""
    names = list(UNARY)
    for group in (names[start : start + 8] for start in range(0, len(names), 8)):
        inputs, expressions = {}, {}
        for letter, name in zip("abcdefgh", group, strict=False):
            _, low, high, _, _ = UNARY[name]
            inputs[letter] = samples(low, high, dtype, seed=1, special=name not in NO_SPECIAL)
            expressions[f"libdevice.{name}({letter})"] = dtype
        results = evaluate(list(expressions), inputs, list(expressions.values()))
        for name, result, values in zip(group, results, inputs.values(), strict=True):
            function, _, _, single, double = UNARY[name]
            numbers = [mpmath.mpf(value) for value in values.tolist()]
            if name == "logb":
                expected = [mpmath.mpf(mpmath.frexp(x)[1] - 1) for x in numbers]
            else:
                expected = [guarded(function)(x) for x in numbers]
            try:
                assert_ulps(result, expected, single if dtype == F32 else double, values)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from None


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_lgamma(dtype):
    """OpenCL promises nothing for lgamma; near its zeros at 1 and 2 only the absolute error is small."""
    x = samples(0.1, 50, dtype, 2, special=False)
    (result,) = evaluate(["libdevice.lgamma(x)"], {"x": x}, [dtype])
    expected = np.array([float(mpmath.loggamma(v)) for v in x.tolist()])
    tolerance = 16 * torch.finfo(dtype).eps
    assert np.allclose(result.double().numpy(), expected, rtol=tolerance, atol=tolerance)


def at_zero(function):
    """Decorate a Bessel function of the second kind, which is -infinity at 0 and no real number below."""
    return lambda x: -mpmath.inf if x == 0 else function(x) if x > 0 else mpmath.nan


#: name: (function, the limit at infinity, the magnitude of the oscillation that the error is compared with as well).
BESSEL = {
    "j0": (lambda x: mpmath.besselj(0, x), 0, True),
    "j1": (lambda x: mpmath.besselj(1, x), 0, True),
    "y0": (at_zero(lambda x: mpmath.bessely(0, x)), 0, True),
    "y1": (at_zero(lambda x: mpmath.bessely(1, x)), 0, True),
    "cyl_bessel_i0": (lambda x: mpmath.besseli(0, x), mpmath.inf, False),
    "cyl_bessel_i1": (lambda x: mpmath.besseli(1, x), mpmath.inf, False),
}
#: Zeros of these functions below 8, and the place where the formulas change.
BESSEL_POINTS = [
    *(2.404825557695773, 5.520078110286311, 3.8317059702075125, 7.015586669815619),
    *(0.8935769662791675, 3.957678419314858, 7.086051060301773, 2.1971413260310172, 5.42968104079413, 8.0, 7.999999),
]


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_bessel_functions(dtype):
    """In f32 they are rounded once; in f64 they have a few ulps, or a few of those of the waves' height. Small, large,
    special and negative numbers, and all zeros below 8."""
    generator = torch.Generator().manual_seed(9)
    x = samples(-100, 100, dtype, 8)
    points = torch.tensor(BESSEL_POINTS, dtype=F64)
    x[16 : 16 + len(points)] = points.to(dtype)
    x[64:192] = torch.rand(128, generator=generator, dtype=F64).mul(20).to(dtype)
    x[192:256] = torch.exp(torch.rand(64, generator=generator, dtype=F64) * 30 - 12).to(dtype)
    x[256:264] = torch.tensor([1e-30, 88.5, 90.0, 91.5, 95.0, 700.0, 713.5, 720.0]).to(dtype)
    results = evaluate([f"libdevice.{name}(x)" for name in BESSEL], {"x": x}, [dtype] * len(BESSEL))
    for (name, (function, at_infinity, waves)), result in zip(BESSEL.items(), results, strict=True):
        is_odd, values = name.endswith("1"), x.tolist()
        for value, found in zip(values, result.tolist(), strict=True):
            if np.isinf(value):
                right = at_infinity if value > 0 or "y" not in name[:1] else mpmath.nan
                right = -right if is_odd and value < 0 and "y" not in name[:1] else right
            else:
                right = mpmath.nan if np.isnan(value) else function(mpmath.mpf(value))
            (error,) = ulp_errors(torch.tensor([found], dtype=dtype), [mpmath.mpf(right)])
            bound = 0.51 if dtype == F32 else 8
            if error > bound and waves:
                height = min(1.0, float(np.sqrt(2 / (np.pi * abs(value)))))
                error = abs(found - right) / (torch.finfo(F64).eps * height) / 4
                error *= 1 if dtype == F64 else 0.01
            assert error <= bound, (name, value, found, right, error)


#: name: (function, range of the first and of the second number, ulps).
BINARY = {
    "atan2": (mpmath.atan2, -10, 10, 6),
    "copysign": (lambda x, y: abs(x) if y >= 0 else -abs(x), -10, 10, 0),
    "fdim": (lambda x, y: max(x - y, mpmath.mpf(0)), -10, 10, 0.5),
    "fmod": (lambda x, y: mpmath.sign(x) * mpmath.fmod(abs(x), abs(y)), -100, 10, 0),
    "hypot": (mpmath.hypot, -10, 10, 4),
    "pow": (mpmath.power, 0.01, 10, 16),
    "remainder": (lambda x, y: x - y * mpmath.nint(x / y), -100, 10, 0),
    "rhypot": (lambda x, y: 1 / mpmath.hypot(x, y), -10, 10, 6),
    "div_rn": (lambda x, y: x / y, -10, 10, 0.5),
    "mul_rn": (lambda x, y: x * y, -10, 10, 0.5),
}


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_functions_of_several_numbers(dtype):
    x, y, z, w = (samples(-10, 10, dtype, seed, special=False) for seed in range(4))
    positive = samples(0.01, 10, dtype, 5, special=False)
    exponents = (torch.arange(SIZE, dtype=torch.int32) % 61) - 30
    names = list(BINARY)
    expressions = {f"libdevice.{n}({'p' if n == 'pow' else 'x'}, y)": BINARY[n][0] for n in names}
    limits = [BINARY[n][3] for n in names]
    others = {
        "libdevice.pow(p, n)": (lambda p, n: mpmath.power(p, n), "pn", 16),
        "libdevice.ldexp(x, n)": (mpmath.ldexp, "xn", 0),
        "libdevice.scalbn(x, n)": (mpmath.ldexp, "xn", 0),
        "libdevice.fma(x, y, z)": (lambda a, b, c: a * b + c, "xyz", 0.5),
        "libdevice.norm3d(x, y, z)": (lambda *v: mpmath.sqrt(sum(a * a for a in v)), "xyz", 6),
        "libdevice.rnorm3d(x, y, z)": (lambda *v: 1 / mpmath.sqrt(sum(a * a for a in v)), "xyz", 9),
        "libdevice.norm4d(x, y, z, w)": (lambda *v: mpmath.sqrt(sum(a * a for a in v)), "xyzw", 8),
        "libdevice.rnorm4d(x, y, z, w)": (lambda *v: 1 / mpmath.sqrt(sum(a * a for a in v)), "xyzw", 11),
    }
    inputs = {"x": x, "y": y, "z": z, "w": w, "p": positive, "n": exponents}
    results = evaluate([*expressions, *others], inputs, [dtype] * (len(expressions) + len(others)))
    functions = list(expressions.values()) + [function for function, _, _ in others.values()]
    letters = [("p" if n == "pow" else "x") + "y" for n in names] + [arguments for _, arguments, _ in others.values()]
    limits += [bound for _, _, bound in others.values()]
    for text, function, arguments, bound, result in zip(
        [*expressions, *others], functions, letters, limits, results, strict=True
    ):
        columns = [inputs[letter].tolist() for letter in arguments]
        expected = []
        for row in zip(*columns, strict=True):
            numbers = [value if isinstance(value, int) else mpmath.mpf(value) for value in row]
            expected.append(guarded(function)(*numbers) if text[10:15] != "ldexp" else mpmath.ldexp(*numbers))
        try:
            assert_ulps(result, expected, bound, *(inputs[letter] for letter in arguments))
        except AssertionError as error:
            raise AssertionError(f"{text}: {error}") from None


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_nextafter(dtype):
    x, y = samples(-10, 10, dtype, 1), samples(-10, 10, dtype, 2)
    y[:4] = x[:4]
    (result,) = evaluate(["libdevice.nextafter(x, y)"], {"x": x, "y": y}, [dtype])
    assert_equal(result, np.nextafter(x.numpy(), y.numpy()).astype(np.longdouble), x, y)


def exact_or_none(values: torch.Tensor) -> list[Fraction | None]:
    return [Fraction(v) if np.isfinite(v) else None for v in values.tolist()]


def round_fraction(value: Fraction, dtype: torch.dtype, mode: str) -> float:
    """Return the neighbour of a rational number in one direction. Square roots come squared, see the caller."""
    nearest = float(value) if dtype == F64 else np.float32(float(round_half(value, 24)))
    kind = np.float64 if dtype == F64 else np.float32
    y = kind(nearest)
    if mode == "rn":
        return float(y)
    down = y if Fraction(float(y)) <= value else np.nextafter(y, kind(-np.inf))
    up = y if Fraction(float(y)) >= value else np.nextafter(y, kind(np.inf))
    return float({"rd": down, "ru": up, "rz": down if value >= 0 else up}[mode])


def round_half(value: Fraction, bits: int) -> Fraction:
    """Return a rational number with `bits` bits of mantissa, to nearest even."""
    if value == 0:
        return value
    exponent = abs(value).numerator.bit_length() - abs(value).denominator.bit_length()
    scale = Fraction(2) ** (bits - exponent)
    scaled = value * scale
    while abs(scaled) >= 2**bits:
        scaled, scale = scaled / 2, scale / 2
    return Fraction(round(scaled)) / scale


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
def test_directed_rounding(dtype, mode):
    """Sums of numbers of all magnitudes, products, quotients and fused operations, against fractions."""
    generator = torch.Generator().manual_seed(7)
    values = []
    for _ in range(3):
        exponents = torch.randint(-40, 40, (SIZE,), generator=generator).double()
        mantissas = torch.randn(SIZE, generator=generator, dtype=F64).to(dtype)
        values.append((mantissas.double() * 2**exponents).to(dtype))
    x, y, z = values
    y[:64] = -x[:64]
    functions = {
        f"libdevice.add_{mode}(x, y)": lambda a, b, c: a + b,
        f"libdevice.sub_{mode}(x, y)": lambda a, b, c: a - b,
        f"libdevice.mul_{mode}(x, y)": lambda a, b, c: a * b,
        f"libdevice.div_{mode}(x, y)": lambda a, b, c: a / b,
        f"libdevice.rcp_{mode}(x)": lambda a, b, c: 1 / a,
        f"libdevice.fma_{mode}(x, y, z)": lambda a, b, c: a * b + c,
        # A product that is rounded by itself, whatever is added to it.
        f"libdevice.add_{mode}(x * y, z)": lambda a, b, c: Fraction(round_fraction(a * b, dtype, "rn")) + c,
    }
    results = evaluate(list(functions), {"x": x, "y": y, "z": z}, [dtype] * len(functions))
    rows = list(zip(exact_or_none(x), exact_or_none(y), exact_or_none(z), strict=True))
    for (text, function), result in zip(functions.items(), results, strict=True):
        expected = [round_fraction(function(*row), dtype, mode) for row in rows]
        wrong = [i for i in range(SIZE) if result[i].item() != expected[i]]
        assert not wrong, (text, [(rows[i], result[i].item(), expected[i]) for i in wrong[:2]])


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_directed_square_root(dtype):
    x = samples(0, 1e9, dtype, 3)
    modes = ["rz", "rd", "ru"]
    results = evaluate([f"libdevice.sqrt_{mode}(x)" for mode in modes], {"x": x}, [dtype] * 3)
    for mode, result in zip(modes, results, strict=True):
        for value, root in zip(x.tolist(), result.numpy(), strict=True):
            if not value > 0 or value == float("inf"):
                assert np.isnan(root) if value < 0 or value != value else root == value
                continue
            if mode == "ru":
                assert Fraction(float(root)) ** 2 >= Fraction(value) > Fraction(float(np.nextafter(root, -root))) ** 2
            else:
                above = np.nextafter(root, root.dtype.type(np.inf))
                assert Fraction(float(root)) ** 2 <= Fraction(value) < Fraction(float(above)) ** 2


@pytest.mark.parametrize("mode", ["rz", "rd", "ru"])
def test_directed_rounding_beyond_the_range(mode):
    """An overflow ends at the largest number where the direction requires it, and infinities stay."""
    largest, infinity = torch.finfo(F32).max, float("inf")
    x = torch.full((SIZE,), largest)
    x[1::2] *= -1
    x[-2:] = torch.tensor([infinity, -infinity])
    (result,) = evaluate([f"libdevice.add_{mode}(x, x)"], {"x": x}, [F32])
    up = largest if mode in ("rz", "rd") else infinity
    down = -largest if mode in ("rz", "ru") else -infinity
    assert result[:-2].tolist() == [up, down] * (SIZE // 2 - 1)
    assert result[-2:].tolist() == [infinity, -infinity]


INTEGER_TYPES = {"int": torch.int32, "uint": torch.uint32, "ll": torch.int64, "ull": torch.uint64}


@pytest.mark.parametrize("kind", ["int", "uint", "ll", "ull"])
def test_conversions_to_integers(kind):
    """Every direction, saturation, and 0 for NaN."""
    dtype = INTEGER_TYPES[kind]
    info = torch.iinfo(dtype)
    x = samples(-(2.0**66), 2.0**66, F64, 4)
    x[64:256] = torch.linspace(-5, 5, 192, dtype=F64)
    x[256:] = x[256:] / 2.0 ** torch.randint(0, 60, (256,), generator=torch.Generator().manual_seed(1))
    single = x.float()
    signed = torch.int64 if info.bits == 64 else torch.int32
    modes = {"rn": round, "rz": int, "rd": lambda v: v.__floor__(), "ru": lambda v: v.__ceil__()}
    texts = [
        f"libdevice.{t}2{kind}_{mode}({letter})" for t, letter in (("double", "x"), ("float", "y")) for mode in modes
    ]
    results = evaluate(texts, {"x": x, "y": single}, [signed] * len(texts))
    for text, result, mode in zip(texts, results, list(modes) * 2, strict=True):
        source = x if "double" in text else single
        for value, found in zip(source.tolist(), result.view(dtype).tolist(), strict=True):
            if value != value:
                expected = 0
            elif np.isinf(value):
                expected = info.max if value > 0 else info.min
            else:
                expected = max(info.min, min(info.max, modes[mode](value)))
            assert found == expected, (text, value)


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
def test_conversions_to_floats(mode):
    generator = torch.Generator().manual_seed(5)
    bits = torch.randint(-(2**62), 2**62, (SIZE,), generator=generator) * 2 + 1
    bits = bits >> torch.randint(0, 62, (SIZE,), generator=generator)
    inputs = {
        "a": bits.to(torch.int32),
        "b": bits.to(torch.int32).view(torch.uint32),
        "c": bits,
        "d": bits.view(torch.uint64),
        "e": (torch.randn(SIZE, generator=generator, dtype=F64)),
    }
    texts = {
        f"libdevice.{kind}2float_{mode}({letter})": F32 for kind, letter in zip(INTEGER_TYPES, "abcd", strict=True)
    }
    texts |= {f"libdevice.{kind}2double_{mode}({letter})": F64 for kind, letter in (("ll", "c"), ("ull", "d"))}
    texts |= {f"libdevice.double2float_{mode}(e)": F32}
    if mode == "rn":
        texts |= {"libdevice.int2double_rn(a)": F64, "libdevice.uint2double_rn(b)": F64}
    results = evaluate(list(texts), inputs, list(texts.values()))
    for (text, dtype), result in zip(texts.items(), results, strict=True):
        source = inputs[text[-2]]
        expected = [round_fraction(Fraction(v), dtype, mode) for v in source.tolist()]
        wrong = [i for i in range(SIZE) if result[i].item() != expected[i]]
        assert not wrong, (text, [(source[i].item(), result[i].item(), expected[i]) for i in wrong[:3]])


def signed32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


@pytest.mark.parametrize("form", ["vector", "scalar"])
def test_integer_functions(form):
    generator = torch.Generator().manual_seed(3)
    x, y, s = (torch.randint(-(2**31), 2**31, (SIZE,), generator=generator).to(torch.int32) for _ in range(3))
    x[:4] = torch.tensor([0, -1, 1, -(2**31)])
    q = torch.randint(-(2**62), 2**62, (SIZE,), generator=generator)
    q[:4] = torch.tensor([0, -1, 1, -(2**63)])
    u, v = x.view(torch.uint32), y.view(torch.uint32)

    def permute(a, b, selector):
        source = (a % 2**32).to_bytes(4, "little") + (b % 2**32).to_bytes(4, "little")
        return signed32(int.from_bytes(bytes(source[(selector >> 4 * i) & 7] for i in range(4)), "little"))

    def low24(a):
        return (a + 2**23) % 2**24 - 2**23

    functions = {
        "clz(x)": (lambda a: 32 - (a % 2**32).bit_length(), "x", torch.int32),
        "clz(q)": (lambda a: 64 - (a % 2**64).bit_length(), "q", torch.int32),
        "popc(x)": (lambda a: (a % 2**32).bit_count(), "x", torch.int32),
        "popc(q)": (lambda a: (a % 2**64).bit_count(), "q", torch.int32),
        "ffs(x)": (lambda a: (a & -a).bit_length(), "x", torch.int32),
        "ffs(q)": (lambda a: (a & -a).bit_length(), "q", torch.int32),
        "brev(x)": (lambda a: signed32(int(f"{a % 2**32:032b}"[::-1], 2)), "x", torch.int32),
        "brev(q)": (lambda a: (int(f"{a % 2**64:064b}"[::-1], 2) + 2**63) % 2**64 - 2**63, "q", torch.int64),
        "byte_perm(x, y, s)": (permute, "xys", torch.int32),
        "mulhi(x, y)": (lambda a, b: (a * b) >> 32, "xy", torch.int32),
        "mulhi(u, v)": (lambda a, b: (a * b) >> 32, "uv", torch.uint32),
        "mulhi(q, q)": (lambda a, b: (a * b) >> 64, "qq", torch.int64),
        "mul24(x, y)": (lambda a, b: signed32(low24(a) * low24(b)), "xy", torch.int32),
        "mul24(u, v)": (lambda a, b: (a % 2**24) * (b % 2**24) % 2**32, "uv", torch.uint32),
        "sad(x, y, v)": (lambda a, b, c: signed32(abs(a - b) + c), "xyv", torch.int32),
        "sad(u, v, u)": (lambda a, b, c: (abs(a - b) + c) % 2**32, "uvu", torch.uint32),
        "abs(x)": (lambda a: signed32(abs(a)), "x", torch.int32),
        "hadd(x, y)": (lambda a, b: (a + b) >> 1, "xy", torch.int32),
        "rhadd(x, y)": (lambda a, b: (a + b + 1) >> 1, "xy", torch.int32),
        "hadd(u, v)": (lambda a, b: (a + b) >> 1, "uv", torch.uint32),
        "rhadd(u, v)": (lambda a, b: (a + b + 1) >> 1, "uv", torch.uint32),
    }
    inputs = {"x": x, "y": y, "s": s, "q": q, "u": u, "v": v}
    results = evaluate([f"libdevice.{t}" for t in functions], inputs, [d for _, _, d in functions.values()], form)
    for (text, (function, letters, _)), result in zip(functions.items(), results, strict=True):
        expected = [function(*row) for row in zip(*(inputs[letter].tolist() for letter in letters), strict=True)]
        assert result.tolist() == expected, text


@pytest.mark.instruction_sets
def test_bits_and_classes():
    x, y = samples(-10, 10, F32, 1), samples(-10, 10, F64, 2)
    n, q = x.view(torch.int32), y.view(torch.int64)
    expressions = {
        "float_as_int(x)": n,
        "float_as_uint(x)": n,
        "int_as_float(n)": x,
        "uint_as_float(n.to(tl.uint32, bitcast=True))": x,
        "double_as_longlong(y)": q,
        "longlong_as_double(q)": y,
        "double2loint(y)": (q & 0xFFFFFFFF).to(torch.uint32).view(torch.int32),
        "double2hiint(y)": (q >> 32).to(torch.int32),
        "hiloint2double(libdevice.double2hiint(y), libdevice.double2loint(y))": y,
        "isnan(x)": torch.isnan(x),
        "isnan(y)": torch.isnan(y),
        "isinf(x)": torch.isinf(x),
        "isinf(y)": torch.isinf(y),
        "finitef(x)": torch.isfinite(x),
        "isfinited(y)": torch.isfinite(y),
        "signbit(x)": torch.signbit(x).to(torch.int32),
        "signbit(y)": torch.signbit(y).to(torch.int32),
        "saturatef(x)": torch.nan_to_num(x, nan=0.0).clamp(0, 1) + 0.0,
        "ilogb(tl.abs(x) + 0.25)": torch.frexp(x.abs() + 0.25)[1] - 1,
        "llrint(y)": torch.round(y),
        "llround(y)": torch.sign(y) * torch.floor(y.abs() + 0.5),
    }
    expressions["ilogb(tl.abs(x) + 0.25)"][torch.isinf(x) | torch.isnan(x)] = 0
    texts = [f"libdevice.{text}" for text in expressions]
    dtypes = [torch.int64 if "llr" in text else expected.dtype for text, expected in expressions.items()]
    results = evaluate(texts, {"x": x, "y": y, "n": n, "q": q}, dtypes)
    finite = torch.isfinite(y)
    for (text, expected), result in zip(expressions.items(), results, strict=True):
        if "llr" in text:
            assert torch.equal(result[finite], expected[finite].long()), text
        elif "ilogb" in text:
            assert torch.equal(result[torch.isfinite(x)], expected[torch.isfinite(x)]), text
        else:
            assert torch.equal(result.view(torch.uint8), expected.contiguous().view(torch.uint8)), text


def test_approximations():
    """The device chooses the accuracy of `fast_` functions; on the CPU it is three digits at least."""
    x, y = samples(0.1, 3, F32, 1, special=False), samples(0.1, 3, F32, 2, special=False)
    names = ["sin", "cos", "tan", "exp", "log", "log2", "log10", "exp10", "tanh"]
    # The tangent away from its pole, where a small error of the argument is a large one of the result.
    texts = [f"libdevice.fast_{name}f({'x * 0.25' if name == 'tan' else 'x'})" for name in names]
    texts += [
        "libdevice.fast_powf(x, y)",
        "libdevice.fast_dividef(x, y)",
        "libdevice.rsqrt(x)",
        "libdevice.rsqrt_rn(x)",
    ]
    texts += ["libdevice.rcp64h(x.to(tl.float64)).to(tl.float32)"]
    results = evaluate(texts, {"x": x, "y": y}, [F32] * len(texts))
    a, b = x.double(), y.double()
    expected = [a.sin(), a.cos(), (a * 0.25).tan(), a.exp(), a.log(), a.log2(), a.log10(), 10**a, a.tanh(), a**b, a / b]
    expected += [a.rsqrt(), a.rsqrt(), 1 / a]
    for text, result, exact in zip(texts, results, expected, strict=True):
        torch.testing.assert_close(result.double(), exact, rtol=1e-3, atol=1e-5, msg=text)
    assert_equal(results[-2], round_to(1 / np.sqrt(to_longdouble(x)), F32), x)


@pytest.mark.parametrize(("module", "least"), [(stock_libdevice, 191), (cuda_libdevice, 191), (hip_libdevice, 30)])
def test_every_function_is_there(module, least):
    """Names of the wheel's interface, and of those for other devices, except for those of Python's modules."""
    names = [name for name, value in vars(module).items() if inspect.isfunction(value) and not name.startswith("_")]
    assert len(names) >= least
    assert [name for name in names if not hasattr(libdevice, name)] == []


@triton.jit
def other_devices_kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.extra.cuda.libdevice.round(x))
    tl.store(out_ptr + N + offsets, cuda_libdevice.float2int_rz(x).to(tl.float32))
    tl.store(out_ptr + 2 * N + offsets, tl.extra.hip.libdevice.isnan(x).to(tl.float32))
    tl.store(out_ptr + 3 * N + offsets, hip_libdevice.sqrt(x))


def test_modules_of_other_devices():
    """Kernels that name them get our functions, by whichever way they name them; some are OpenCL's, some composed."""
    x = torch.tensor([2.5, -2.5, 0.75, 1e6, float("nan"), 9.0, -0.0, 1.0])
    out = torch.empty(4, 8)
    other_devices_kernel[(1,)](x, out, 8)
    away = torch.tensor([3.0, -3.0, 1.0, 1e6, float("nan"), 9.0, -0.0, 1.0])
    expected = [away, x.nan_to_num().trunc(), x.isnan().float(), x.sqrt()]
    torch.testing.assert_close(out, torch.stack(expected), equal_nan=True)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("libdevice.yn(2, x)", "`libdevice.yn` is not supported on this target"),
        ("libdevice.sin(x.to(tl.float16))", r"`libdevice.sin` has no overload for \(fp16\), expected one of: f32"),
        ("libdevice.pow(x)", "`libdevice.pow` has no overload"),
        ("libdevice.erfinv(x, x)", "`libdevice.erfinv` has no overload"),
    ],
)
def test_errors_name_the_function(expression, message):
    with pytest.raises(Exception, match=message):
        evaluate([expression], {"x": torch.zeros(SIZE)}, [F32])


def test_constants_take_the_type_of_the_overload():
    x = samples(0.5, 4, F64, 1, special=False)
    (result,) = evaluate(["libdevice.pow(x, 0.5)"], {"x": x}, [F64])
    assert (ulp_errors(result, [mpmath.sqrt(v) for v in x.tolist()]) <= 16).all()


#: Pointers of Triton's signatures; a flag is stored as a byte.
POINTERS = {"i1": "*i8", "i32": "*i32", "u32": "*u32", "i64": "*i64", "u64": "*u64", "f32": "*fp32", "f64": "*fp64"}


@needs_ocloc
def test_native_code_has_every_function():
    """The GPU's compiler knows every overload: what it does not know becomes an indirect call without a message."""
    functions = [value for value in vars(libdevice).values() if getattr(value, "__triton_builtin__", False)]
    overloads = [
        (f.__name__, sig) for f in functions if f.__doc__ and "->" in f.__doc__ for sig in f.__doc__.split("; ")
    ]
    assert len(overloads) > 250
    for start in range(0, len(overloads), 20):
        arguments: dict[tuple[str, int], str] = {}
        signature, expressions = {}, []
        for number, (name, overload) in enumerate(overloads[start : start + 20]):
            parameters, result = dispatch.parse_signature(overload)
            letters = [
                arguments.setdefault((kind, i), "abcdefghijklmnopqrstuvwxyz"[len(arguments)])
                for i, kind in enumerate(parameters)
            ]
            expressions.append(f"libdevice.{name}({', '.join(letters)})")
            signature[f"out{number}_ptr"] = POINTERS[result]
        signature |= {f"{letter}_ptr": POINTERS[kind] for (kind, _), letter in arguments.items()}
        kernel = make_kernel(tuple(expressions), "".join(arguments.values()))
        source = ASTSource(kernel, signature | {"SIZE": "constexpr"}, {"SIZE": 64})
        options = {"num_warps": 4, "generate_native_code": True}
        compiled = triton.compile(source, target=GPUTarget("xpu", "pvc", 16), options=options)
        assert "send" in compiled.asm["isa"]
        assert "calla" not in compiled.asm["isa"], expressions
