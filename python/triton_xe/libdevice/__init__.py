# SPDX-License-Identifier: MIT
"""The functions of `triton.language.extra.libdevice` for kernels on this target.

Signatures are those of Triton's NVIDIA backend. Accuracy is that of OpenCL C's table of errors (7.4) where a
function is OpenCL's. Functions named `fast_...` are OpenCL's `native_...` functions, whose accuracy the device chooses.
"""

from __future__ import annotations

from collections.abc import Callable

from triton_xe.libdevice import bessel, rounding, special
from triton_xe.libdevice.dispatch import composed, opencl, unsupported

#: Names that the language uses, so that no function here hides a builtin of Python.
_FUNCTIONS: dict[str, Callable] = {}


def _add(function: Callable) -> None:
    _FUNCTIONS[function.__name__] = function


_UNARY = ("f32 -> f32", "f64 -> f64")
_BINARY = ("f32 f32 -> f32", "f64 f64 -> f64")
_TERNARY = ("f32 f32 f32 -> f32", "f64 f64 f64 -> f64")
_QUATERNARY = ("f32 f32 f32 f32 -> f32", "f64 f64 f64 f64 -> f64")
_PREDICATE = ("f32 -> i1", "f64 -> i1")


def _define_opencl() -> None:
    """Define the functions that OpenCL has."""
    unary = (
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc exp exp10 exp2 expm1 floor lgamma log log10"
        " log1p log2 logb rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc"
    )
    for name in unary.split():
        _add(opencl(name, *_UNARY))
    _add(opencl("nearbyint", *_UNARY, function="rint"))
    for name in ("atan2", "copysign", "fdim", "fmod", "hypot", "nextafter", "remainder"):
        _add(opencl(name, *_BINARY))
    _add(opencl("fma", *_TERNARY))
    integer_powers = ("f32 i32 -> f32", "f64 i32 -> f64")
    _add(opencl("pow", *integer_powers, *_BINARY, function=("pown", "pown", "pow", "pow")))
    _add(opencl("ldexp", "f32 i32 -> f32", "f64 i32 -> f64"))
    _add(opencl("scalbn", "f32 i32 -> f32", "f64 i32 -> f64", function="ldexp"))
    _add(opencl("ilogb", "f32 -> i32", "f64 -> i32"))
    _add(opencl("mulhi", "i32 i32 -> i32", "u32 u32 -> u32", "i64 i64 -> i64", "u64 u64 -> u64", function="mul_hi"))
    for name in ("hadd", "rhadd"):
        _add(opencl(name, "i32 i32 -> i32", "u32 u32 -> u32"))
    for name in ("cos", "exp", "exp10", "log", "log10", "log2", "sin", "tan"):
        _add(opencl(f"fast_{name}f", "f32 -> f32", function=f"native_{name}"))
    _add(opencl("fast_tanhf", "f32 -> f32", function="tanh"))
    _add(opencl("fast_dividef", "f32 f32 -> f32", function="native_divide"))


def _define_rounding() -> None:
    """Define the functions with a direction of rounding: to nearest, toward zero, down, up."""
    for mode in ("rn", "rz", "rd", "ru"):
        for name, signatures in {
            "add": _BINARY,
            "sub": _BINARY,
            "mul": _BINARY,
            "div": _BINARY,
            "rcp": _UNARY,
            "sqrt": _UNARY,
            "fma": _TERNARY,
        }.items():
            _add(composed(f"{name}_{mode}", getattr(rounding, name), *signatures, constants=(mode,)))
        _add(composed(f"double2float_{mode}", rounding.float_to_float, "f64 -> f32", constants=(mode,)))
        for source, name in {"i32": "int", "u32": "uint", "i64": "ll", "u64": "ull"}.items():
            for target, float_name in {"f32": "float", "f64": "double"}.items():
                # 32 bits fit f64, so there is but one direction.
                if target == "f32" or source.endswith("64") or mode == "rn":
                    signature = f"{source} -> {target}"
                    _add(composed(f"{name}2{float_name}_{mode}", rounding.int_to_float, signature, constants=(mode,)))
                # Unsigned results come in the signed type.
                result = source.replace("u", "i")
                _add(
                    composed(
                        f"{float_name}2{name}_{mode}",
                        rounding.float_to_int,
                        f"{target} -> {result}",
                        constants=(mode, name.startswith("u")),
                    )
                )


def _define_special() -> None:
    """Define the functions that are composed of others."""
    for name in ("clz", "popc", "ffs"):
        _add(composed(name, getattr(special, name), "i32 -> i32", "i64 -> i32"))
    _add(composed("brev", special.brev, "i32 -> i32", "i64 -> i64"))
    _add(composed("byte_perm", special.byte_perm, "i32 i32 i32 -> i32"))
    _add(composed("mul24", special.mul24, "i32 i32 -> i32", "u32 u32 -> u32"))
    _add(composed("sad", special.sad, "i32 i32 u32 -> i32", "u32 u32 u32 -> u32"))
    _add(composed("abs", special.absolute, "i32 -> i32", "i64 -> i64", *_UNARY))
    for name, signature in {
        "int_as_float": "i32 -> f32",
        "float_as_int": "f32 -> i32",
        "uint_as_float": "u32 -> f32",
        "float_as_uint": "f32 -> i32",
        "longlong_as_double": "i64 -> f64",
        "double_as_longlong": "f64 -> i64",
    }.items():
        _add(composed(name, special.bitcast, signature))
    _add(composed("hiloint2double", special.hiloint2double, "i32 i32 -> f64"))
    _add(composed("double2loint", special.double2loint, "f64 -> i32"))
    _add(composed("double2hiint", special.double2hiint, "f64 -> i32"))

    _add(composed("isnan", special.isnan, *_PREDICATE))
    _add(composed("isinf", special.isinf, *_PREDICATE))
    _add(composed("finitef", special.isfinite, "f32 -> i1"))
    _add(composed("isfinited", special.isfinite, "f64 -> i1"))
    _add(composed("signbit", special.signbit, "f32 -> i32", "f64 -> i32"))
    for name in ("llrint", "llround"):
        _add(composed(name, getattr(special, name), "f32 -> i64", "f64 -> i64"))

    _add(composed("saturatef", special.saturatef, "f32 -> f32"))
    _add(composed("rcp64h", special.rcp64h, "f64 -> f64"))
    _add(composed("rsqrt_rn", special.rsqrt_rn, "f32 -> f32"))
    _add(composed("fast_powf", special.fast_powf, "f32 f32 -> f32"))
    for name in ("erfcinv", "erfcx", "erfinv", "normcdf", "normcdfinv", "rcbrt"):
        _add(composed(name, getattr(special, name), *_UNARY))
    _add(composed("rhypot", special.rhypot, *_BINARY))
    for name in ("norm3d", "rnorm3d"):
        _add(composed(name, getattr(special, name), *_TERNARY))
    for name in ("norm4d", "rnorm4d"):
        _add(composed(name, getattr(special, name), *_QUATERNARY))


def _define_bessel() -> None:
    for name in ("j0", "j1", "y0", "y1", "cyl_bessel_i0", "cyl_bessel_i1"):
        _add(composed(name, getattr(bessel, name), *_UNARY))
    for name in ("jn", "yn"):
        _add(unsupported(name, "there are Bessel functions of the orders 0 and 1 only"))


_define_opencl()
_define_rounding()
_define_special()
_define_bessel()
globals().update(_FUNCTIONS)
