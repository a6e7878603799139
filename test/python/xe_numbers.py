# SPDX-License-Identifier: MIT
"""Number formats of Xe in exact arithmetic: what bits mean, and what a real number is rounded to."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Format:
    """A binary format: an implicit leading bit, and denormal numbers where the exponent is 0."""

    exponent_bits: int
    mantissa_bits: int
    #: Bits below those of the format, which are zero (tf32 is kept in 32 bits).
    padding: int = 0
    #: Without infinities all codes are numbers but the last one, which is NaN (E4M3).
    has_infinity: bool = True

    @property
    def bias(self) -> int:
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def infinity(self) -> int:
        """Return the code of infinity, without padding; of a format without infinities that of NaN."""
        exponent = ((1 << self.exponent_bits) - 1) << self.mantissa_bits
        return exponent if self.has_infinity else exponent + (1 << self.mantissa_bits) - 1

    @property
    def sign(self) -> int:
        return 1 << (self.exponent_bits + self.mantissa_bits)

    @property
    def smallest_normal(self) -> Fraction:
        return Fraction(2) ** (1 - self.bias)


FORMATS = {
    "hf": Format(5, 10), "bf": Format(8, 7), "f": Format(8, 23), "df": Format(11, 52),
    "tf32": Format(8, 10, padding=13), "bf8": Format(5, 2), "hf8": Format(4, 3, has_infinity=False),
}  # fmt: skip


def to_bits(value: float, type_name: str) -> int:
    """Return the bits of a number that the type has."""
    return round_to(value, type_name, "nearest")


def has(type_name: str, value: float) -> bool:
    """Return whether a number is one of the type."""
    return value_of(to_bits(value, type_name), type_name) == value


def value_of(bits: int, type_name: str) -> float:
    """Return the number as Python's float, which holds the numbers of all formats."""
    kind = FORMATS[type_name]
    bits >>= kind.padding
    sign = -1.0 if bits & kind.sign else 1.0
    magnitude = bits & (kind.sign - 1)
    if magnitude >= kind.infinity:
        return sign * math.inf if kind.has_infinity and magnitude == kind.infinity else math.nan
    exponent, mantissa = magnitude >> kind.mantissa_bits, magnitude & ((1 << kind.mantissa_bits) - 1)
    if exponent:
        mantissa += 1 << kind.mantissa_bits
    return sign * math.ldexp(mantissa, max(exponent, 1) - kind.bias - kind.mantissa_bits)


def is_denormal(value: float, type_name: str) -> bool:
    return value != 0 and math.isfinite(value) and abs(Fraction(value)) < FORMATS[type_name].smallest_normal


def round_exact(value: Fraction, type_name: str, rounding: str, is_negative_zero: bool = False) -> int:
    """Return the bits that a real number becomes."""
    kind = FORMATS[type_name]
    is_negative = value < 0 or (value == 0 and is_negative_zero)
    magnitude = abs(value)
    exponent = 1 - kind.bias
    if magnitude:
        exponent = max(exponent, magnitude.numerator.bit_length() - magnitude.denominator.bit_length())
        # The lengths of two integers determine the exponent of their quotient within one.
        if magnitude < Fraction(2) ** exponent and exponent > 1 - kind.bias:
            exponent -= 1
    units = magnitude / Fraction(2) ** (exponent - kind.mantissa_bits)
    code, rest = int(units), units - int(units)
    away = rounding == ("down" if is_negative else "up")
    if rounding == "nearest":
        code += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and code % 2 == 1)
    elif away and rest:
        code += 1
    # A number below the implicit bit is denormal; a carry makes the next exponent.
    if code >> kind.mantissa_bits:
        code += (exponent + kind.bias - 1) << kind.mantissa_bits
    if code >= kind.infinity:
        code = kind.infinity if away or rounding == "nearest" else kind.infinity - 1
    return (code | (kind.sign if is_negative else 0)) << kind.padding


def round_to(value: float, type_name: str, rounding: str) -> int | None:
    """Return the bits of a float as a type rounds it; `None` means a NaN."""
    kind = FORMATS[type_name]
    if math.isnan(value):
        return None
    if math.isinf(value):
        if not kind.has_infinity:
            return None
        return (kind.infinity | (kind.sign if value < 0 else 0)) << kind.padding
    return round_exact(Fraction(value), type_name, rounding, math.copysign(1, value) < 0)


def flush(bits: int | None, type_name: str) -> int | None:
    """Return the bits with a denormal number as a zero with its sign."""
    if bits is None or not is_denormal(value_of(bits, type_name), type_name):
        return bits
    return bits & (FORMATS[type_name].sign << FORMATS[type_name].padding)


def add(a: float, b: float, type_name: str, rounding: str) -> int | None:
    """Return the rounded sum, as bits."""
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b) and a != b):
        return None
    if math.isinf(a) or math.isinf(b):
        return round_to(a if math.isinf(a) else b, type_name, rounding)
    return _sum(Fraction(a), math.copysign(1, a) < 0, Fraction(b), math.copysign(1, b) < 0, type_name, rounding)


def _sum(a: Fraction, is_a_negative: bool, b: Fraction, is_b_negative: bool, type_name: str, rounding: str) -> int:
    # Zeros of both signs, and numbers that cancel, make +0, but -0 where it rounds down.
    is_negative_zero = is_a_negative if is_a_negative == is_b_negative else rounding == "down"
    return round_exact(a + b, type_name, rounding, is_negative_zero)


def multiply(a: float, b: float, type_name: str, rounding: str) -> int | None:
    if math.isnan(a) or math.isnan(b):
        return None
    is_negative = math.copysign(1, a) != math.copysign(1, b)
    if math.isinf(a) or math.isinf(b):
        if a == 0 or b == 0:
            return None
        return round_to(-math.inf if is_negative else math.inf, type_name, rounding)
    return round_exact(Fraction(a) * Fraction(b), type_name, rounding, is_negative)


def multiply_add(addend: float, a: float, b: float, type_name: str, rounding: str) -> int | None:
    """Return the bits of a sum of a number and a product, with one rounding."""
    if any(math.isnan(value) for value in (addend, a, b)):
        return None
    is_negative = math.copysign(1, a) != math.copysign(1, b)
    if math.isinf(a) or math.isinf(b):
        if a == 0 or b == 0:
            return None
        return add(addend, -math.inf if is_negative else math.inf, type_name, rounding)
    if math.isinf(addend):
        return round_to(addend, type_name, rounding)
    product = Fraction(a) * Fraction(b)
    return _sum(Fraction(addend), math.copysign(1, addend) < 0, product, is_negative, type_name, rounding)


def f32_bits(value: float) -> int:
    """Return the bits of a number that f32 has, fast."""
    return struct.unpack("<I", struct.pack("<f", value))[0]
