# SPDX-License-Identifier: MIT
"""Float instructions of Xe on the simulator, against fractions rounded by the rules of each format."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import mpmath
import pytest
import xe_numbers
from support import needs_ocloc
from xe_assembly import KEEP_DENORMALS, ROUNDINGS, Batch, size_of
from xe_numbers import FORMATS, flush, round_to, value_of

pytestmark = needs_ocloc

LANES = 32
#: An integer type to read the bits of a float by.
BITS = {1: "ub", 2: "uw", 4: "ud", 8: "uq"}
#: Bits of cr0.0.
KEEPS = {"df": 1 << 6, "f": 1 << 7, "hf": 1 << 10}


def bits_type(type_name: str) -> str:
    return BITS[size_of(type_name)]


def special_bits(type_name: str) -> list[int]:
    """Return zeros, denormal numbers, the limits of normal ones, infinities, a NaN, and small numbers."""
    kind = FORMATS[type_name]
    smallest_normal, one = 1 << kind.mantissa_bits, kind.bias << kind.mantissa_bits
    codes = [0, 1, smallest_normal - 1, smallest_normal, smallest_normal + 1, kind.infinity - 1, kind.infinity,
             kind.infinity | 1 << (kind.mantissa_bits - 1), one, one + 1, one + smallest_normal // 2]  # fmt: skip
    return [(code | sign) << kind.padding for code in codes for sign in (0, kind.sign)]


def random_bits(generator: random.Random, type_name: str) -> int:
    """Return random bits, half of them near 1, where sums do not lose one of their terms."""
    kind = FORMATS[type_name]
    code = generator.getrandbits(1 + kind.exponent_bits + kind.mantissa_bits)
    if generator.random() < 0.5:
        exponent = kind.bias + generator.randrange(-4, 5)
        mask = ((1 << kind.exponent_bits) - 1) << kind.mantissa_bits
        code = (code & ~mask) | exponent << kind.mantissa_bits
    return code << kind.padding


def operands(generator: random.Random, types: Sequence[str], count: int = LANES) -> list[list[int]]:
    rows = [
        [
            generator.choice(special_bits(name)) if generator.random() < 0.4 else random_bits(generator, name)
            for name in types
        ]
        for _ in range(count)
    ]
    return [list(values) for values in zip(*rows, strict=True)]


def place(batch: Batch, values: Sequence[Sequence[int]], types: Sequence[str], modifiers: Sequence[str] = ()) -> str:
    regions = ("<1;0>", "<1;0>", "<1>") if len(types) == 3 else ("<1;1,0>",) * 2
    modifiers = modifiers or ("",) * len(types)
    return " ".join(
        f"{modifier}r{batch.input(bits, bits_type(name))}.0{region}:{name}"
        for bits, name, region, modifier in zip(values, types, regions, modifiers, strict=False)
    )


def expect(type_name: str, *alternatives: int | None) -> tuple[str, set]:
    """Return bits that a result may be; `None` means any NaN."""
    return type_name, set(alternatives)


def is_same(found: int, expected: tuple[str, set]) -> bool:
    type_name, alternatives = expected
    if None in alternatives and math.isnan(value_of(found, type_name)):
        return True
    return found in alternatives


def add_result(batch: Batch, text: str, result: str, expected: list, inputs: list) -> None:
    batch.add(text, bits_type(result), [expect(result, *options) for options in expected], inputs=inputs)


ARITHMETIC: dict[str, Callable[..., int | None]] = {
    "add": xe_numbers.add, "mul": xe_numbers.multiply, "mad": xe_numbers.multiply_add,
}  # fmt: skip
ROWS = {
    "add": (("f", ("f", "f")), ("hf", ("hf", "hf")), ("df", ("df", "df"))),
    "mul": (("f", ("f", "f")), ("hf", ("hf", "hf")), ("df", ("df", "df"))),
    "mad": (("f", ("f", "f", "f")), ("hf", ("hf",) * 3), ("df", ("df",) * 3)),
}
MIXED = {
    "add": (("f", ("f", "bf")), ("f", ("bf", "f")), ("bf", ("f", "bf")), ("bf", ("bf", "bf"))),
    "mul": (("f", ("f", "bf")), ("f", ("bf", "f")), ("bf", ("f", "bf")), ("bf", ("bf", "bf"))),
    "mad": (("f", ("f", "bf", "bf")), ("f", ("bf", "f", "f")), ("bf", ("f", "bf", "bf")), ("f", ("f", "f", "bf"))),
}


@pytest.mark.parametrize("keeps", [True, False], ids=["keeps", "flushes"])
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_arithmetic(rounding, keeps):
    """One rounding, by cr0; denormal sources and results are zeros unless cr0 keeps them."""
    generator = random.Random(f"{rounding} {keeps}")
    batch = Batch(control=(KEEP_DENORMALS if keeps else 0) | ROUNDINGS[rounding] << 4)

    def value(bits: int, type_name: str) -> float:
        return value_of(bits if keeps else flush(bits, type_name), type_name)

    for name, rows in ROWS.items():
        for result, types in rows:
            values = operands(generator, types)
            expected = []
            for lane in zip(*values, strict=True):
                numbers = [value(bits, kind) for bits, kind in zip(lane, types, strict=True)]
                bits = ARITHMETIC[name](*numbers, result, rounding)
                expected.append([bits if keeps else flush(bits, result)])
            text = f"{name} (32|M0) {{dst}}.0<1>:{result} {place(batch, values, types)}"
            add_result(batch, text, result, expected, values)
    batch.check(is_same)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_arithmetic_with_bfloats(rounding):
    """They widen exactly; results of f32 are rounded to nearest even. Whether twice is not documented."""
    generator = random.Random(rounding)
    batch = Batch(control=KEEP_DENORMALS | ROUNDINGS[rounding] << 4)
    for name, rows in MIXED.items():
        for result, types in rows:
            values = operands(generator, types)
            expected = []
            for lane in zip(*values, strict=True):
                numbers = [value_of(bits, kind) for bits, kind in zip(lane, types, strict=True)]
                if result == "f":
                    expected.append([ARITHMETIC[name](*numbers, "f", rounding)])
                    continue
                once = ARITHMETIC[name](*numbers, "bf", "nearest")
                single = ARITHMETIC[name](*numbers, "f", rounding)
                expected.append([once, None if single is None else round_to(value_of(single, "f"), "bf", "nearest")])
            text = f"{name} (32|M0) {{dst}}.0<1>:{result} {place(batch, values, types)}"
            add_result(batch, text, result, expected, values)
    batch.check(is_same)


def test_modifiers_of_sources():
    generator = random.Random(1)
    batch = Batch()
    for type_name in ("f", "hf", "df"):
        for modifiers in itertools.product(("", "-", "(abs)", "-(abs)"), repeat=2):
            values = operands(generator, (type_name,) * 2)
            expected = []
            for lane in zip(*values, strict=True):
                numbers = [value_of(bits, type_name) for bits in lane]
                for i, modifier in enumerate(modifiers):
                    numbers[i] = abs(numbers[i]) if "abs" in modifier else numbers[i]
                    numbers[i] = -numbers[i] if "-" in modifier else numbers[i]
                expected.append([xe_numbers.add(*numbers, type_name, "nearest")])
            text = f"add (32|M0) {{dst}}.0<1>:{type_name} {place(batch, values, (type_name,) * 2, modifiers)}"
            add_result(batch, text, type_name, expected, values)
            if batch.next_input > 90:
                batch.check(is_same)
                batch = Batch()
    batch.check(is_same)


def saturated(bits: int | None, type_name: str) -> list[int]:
    """Clamp to [0, 1]; a NaN becomes 0. The zero that -0 becomes is not documented."""
    number = math.nan if bits is None else value_of(bits, type_name)
    if math.isnan(number) or number <= 0:
        kind = FORMATS[type_name]
        return [0, kind.sign << kind.padding] if number == 0 else [0]
    return [round_to(1.0, type_name, "nearest")] if number >= 1 else [bits]


def test_saturation():
    generator = random.Random(2)
    batch = Batch()
    for name, rows in ROWS.items():
        for result, types in rows:
            values = operands(generator, types)
            expected = []
            for lane in zip(*values, strict=True):
                numbers = [value_of(bits, kind) for bits, kind in zip(lane, types, strict=True)]
                expected.append(saturated(ARITHMETIC[name](*numbers, result, "nearest"), result))
            text = f"{name} (32|M0) (sat){{dst}}.0<1>:{result} {place(batch, values, types)}"
            add_result(batch, text, result, expected, values)
    batch.check(is_same)


COMPARE: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
}  # fmt: skip
TYPE_PAIRS = (("f", "f"), ("hf", "hf"), ("df", "df"), ("f", "bf"), ("bf", "f"))


@pytest.mark.parametrize("condition", sorted(COMPARE))
def test_comparisons(condition):
    """With a NaN only `ne` holds. Minimum and maximum (lt, ge) take the other source; gt and le the second one."""
    generator = random.Random(condition)
    batch = Batch()
    for types in TYPE_PAIRS:
        values = operands(generator, types)
        values[1][:5] = values[0][:5] if types[0] == types[1] else values[1][:5]
        place_text = place(batch, values, types)
        numbers = [
            [value_of(bits, kind) for bits, kind in zip(lane, types, strict=True)] for lane in zip(*values, strict=True)
        ]
        holds = [COMPARE[condition](a, b) for a, b in numbers]
        # The width of the destination counts, not that it is a float.
        for result in ("ud", types[0]):
            ones = (1 << 8 * size_of(result)) - 1
            text = f"cmp (32|M0) ({condition})f0.0 {{dst}}.0<1>:{result} {place_text}"
            kind = bits_type(result)
            batch.add(text, kind, [("ud", {ones if value else 0}) for value in holds], inputs=values)
        text = f"cmp (32|M0) ({condition})f0.0 null<1>:f {place_text}\n(W) mov (1|M0) {{dst}}.0<1>:ud f0.0<0;1,0>:ud"
        batch.add(text, "ud", [("ud", {sum(int(value) << lane for lane, value in enumerate(holds))})])
        if condition in ("ne", "eq") or "bf" in types:
            continue
        expected = []
        for lane, (a, b) in enumerate(numbers):
            first, second = values[0][lane], values[1][lane]
            if (math.isnan(a) or math.isnan(b)) and condition in ("gt", "le"):
                expected.append([None] if math.isnan(b) else [second])
            elif math.isnan(a) or math.isnan(b):
                expected.append([None] if math.isnan(a) and math.isnan(b) else [second if math.isnan(a) else first])
            elif a == b == 0:
                expected.append([first, second])
            else:
                expected.append([first if COMPARE[condition](a, b) else second])
        text = f"sel (32|M0) ({condition})f0.0 {{dst}}.0<1>:{types[0]} {place_text}"
        add_result(batch, text, types[0], expected, values)
    batch.check(is_same)


def test_unordered_and_result_conditions():
    generator = random.Random(3)
    batch = Batch()
    get_flag = "\n(W) mov (1|M0) {dst}.0<1>:ud f0.0<0;1,0>:ud"
    for type_name in ("f", "hf", "df"):
        types = (type_name,) * 2
        values = operands(generator, types)
        numbers = [[value_of(bits, type_name) for bits in lane] for lane in zip(*values, strict=True)]
        sums = [xe_numbers.add(a, b, type_name, "nearest") for a, b in numbers]
        totals = [math.nan if bits is None else value_of(bits, type_name) for bits in sums]
        for condition, compare in COMPARE.items():
            expected = sum(int(compare(total, 0)) << lane for lane, total in enumerate(totals))
            text = f"add (32|M0) ({condition})f0.0 null<1>:{type_name} {place(batch, values, types)}"
            batch.add(text + get_flag, "ud", [("ud", {expected})])
        expected = sum(int(math.isnan(total)) << lane for lane, total in enumerate(totals))
        text = f"add (32|M0) (un)f0.0 null<1>:{type_name} {place(batch, values, types)}"
        batch.add(text + get_flag, "ud", [("ud", {expected})])
    batch.check(is_same)


def test_selection_by_a_third_source():
    generator = random.Random(4)
    batch = Batch()
    for type_name in ("f", "hf"):
        for condition, compare in COMPARE.items():
            types = (type_name,) * 3
            values = operands(generator, types)
            expected = [
                [
                    None
                    if math.isnan(value_of(a if compare(value_of(c, type_name), 0) else b, type_name))
                    else (a if compare(value_of(c, type_name), 0) else b)
                ]
                for a, b, c in zip(*values, strict=True)
            ]
            text = f"csel (32|M0) ({condition})f0.0 {{dst}}.0<1>:{type_name} {place(batch, values, types)}"
            add_result(batch, text, type_name, expected, values)
    batch.check(is_same)


def nearest_even(value: float) -> float:
    return math.copysign(float(round(Fraction(value))), value)


ROUND: dict[str, Callable[[float], float]] = {
    "rndd": lambda value: math.copysign(float(math.floor(value)), value) if value else value,
    "rndu": lambda value: math.copysign(float(math.ceil(value)), value) if value else value,
    "rnde": nearest_even,
    "rndz": lambda value: math.copysign(float(math.trunc(value)), value),
}


@pytest.mark.parametrize("rounding", ["nearest", "up"])
def test_rounding_to_integers(rounding):
    """Integers are the same whatever cr0. The rest above the floor is rounded by it."""
    generator = random.Random(5)
    batch = Batch(control=KEEP_DENORMALS | ROUNDINGS[rounding] << 4)
    for _ in range(3):
        (values,) = operands(generator, ("f",))
        halves = [2.5, -2.5, 3.5, -0.5, 0.5, 0.49999997, 8388607.5, -8388608.5, 1.5, -1.25]
        values[: len(halves)] = [xe_numbers.f32_bits(value) for value in halves]
        numbers = [value_of(bits, "f") for bits in values]
        text = place(batch, [values], ("f",))
        for name, compute in ROUND.items():
            expected = [
                [round_to(compute(value) if math.isfinite(value) else value, "f", "nearest")] for value in numbers
            ]
            add_result(batch, f"{name} (32|M0) {{dst}}.0<1>:f {text}", "f", expected, [values])
        expected = []
        for value in numbers:
            if not math.isfinite(value):
                # An infinity has no fraction that is documented.
                expected.append([None] if math.isnan(value) else [None, 0, 1 << 31])
                continue
            bits = xe_numbers.add(value, -float(math.floor(value)), "f", rounding)
            expected.append([bits, 0, 1 << 31] if value_of(bits, "f") == 0 else [bits])
        add_result(batch, f"frc (32|M0) {{dst}}.0<1>:f {text}", "f", expected, [values])
    batch.check(is_same)


def exact_math(name: str, value: float) -> mpmath.mpf:
    functions = {
        "inv": lambda x: 1 / x, "sqt": mpmath.sqrt, "rsqt": lambda x: 1 / mpmath.sqrt(x),
        "exp": lambda x: mpmath.power(2, x), "log": lambda x: mpmath.log(x, 2), "sin": mpmath.sin, "cos": mpmath.cos,
    }  # fmt: skip
    return functions[name](mpmath.mpf(value))


#: Infinity, -infinity, 0, -0, -1.
SPECIAL = (math.inf, -math.inf, 0.0, -0.0, -1.0)
MATH_SPECIALS: dict[str, tuple[float, ...]] = {
    "inv": (0.0, -0.0, math.inf, -math.inf, -1.0),
    "sqt": (math.inf, math.nan, 0.0, -0.0, math.nan),
    "rsqt": (0.0, math.nan, math.inf, -math.inf, math.nan),
    "exp": (math.inf, 0.0, 1.0, 1.0, 0.5),
    "log": (math.inf, math.nan, -math.inf, -math.inf, math.nan),
    "sin": (math.nan, math.nan, 0.0, -0.0, math.sin(-1.0)),
    "cos": (math.nan, math.nan, 1.0, 1.0, math.cos(-1.0)),
}


@pytest.mark.parametrize("type_name", ["f", "hf"])
def test_math_functions(type_name):
    """Within one unit in the last place of the exact value."""
    generator = random.Random(type_name)
    batch = Batch()
    limit = 20 if type_name == "f" else 8
    for name, specials in MATH_SPECIALS.items():
        values = [round_to(value, type_name, "nearest") for value in SPECIAL]
        values.append(special_bits(type_name)[14])
        while len(values) < LANES:
            number = (
                generator.uniform(-4, 4) if name in ("sin", "cos", "exp") else 2 ** generator.uniform(-limit, limit)
            )
            values.append(round_to(number, type_name, "nearest"))
        expected = [[round_to(value, type_name, "nearest")] for value in specials] + [[None]]
        if name == "rsqt":
            # The result for -0 is infinite, with an undocumented sign.
            expected[3].append(round_to(math.inf, type_name, "nearest"))
        for bits in values[len(expected) :]:
            exact = exact_math(name, value_of(bits, type_name))
            nearest = round_to(float(exact), type_name, "nearest")
            expected.append([nearest - 1, nearest, nearest + 1] if nearest else [0, 1, FORMATS[type_name].sign + 1])
        expected[4] = [*expected[4], *([expected[4][0] - 1, expected[4][0] + 1] if expected[4][0] else [])]
        text = f"math.{name} (32|M0) {{dst}}.0<1>:{type_name} {place(batch, [values], (type_name,))}"
        add_result(batch, text, type_name, expected, [values])
    batch.check(is_same)


#: Constants of the sequences for f64: 0, 1, 0.5 and 1.5.
CONSTANTS = "\n".join(
    f"(W) mov (16|M0) r{register}.0<1>:df 0x{bits:016X}:df"
    for register, bits in ((80, 0), (82, 0x3FF0 << 48), (84, 0x3FE0 << 48), (86, 0x3FF8 << 48))
)
#: Destination and sources of each step, as the device compiler has them: a register and the number of its extension.
DIVISION = (
    ("r60.1", "r80", "{a}", "{dst}.0"), ("r62.2", "r82", "-{b}", "{dst}.0"), ("r64.3", "{a}", "-{b}", "r60.1"),
    ("r66.4", "{dst}.0", "r62.2", "{dst}.0"), ("r68.5", "r82", "-{b}", "r66.4"), ("r70.6", "{dst}.0", "r62.2", "r66.4"),
    ("r60.7", "r60.1", "r64.3", "r66.4"), ("r66.0", "r66.4", "r70.6", "r68.5"), ("r64.1", "{a}", "-{b}", "r60.7"),
    ("{dst}", "r60.7", "r64.1", "r66.0"),
)  # fmt: skip
SQUARE_ROOT = (
    ("r60.1", "r80", "r84", "{dst}.0"), ("r62.2", "r80", "{a}", "{dst}.0"), ("r64.3", "r84", "-r62.2", "r60.1"),
    ("r66.5", "r82", "r86", "r64.3"), ("r68.6", "r80", "r64.3", "r62.2"), ("r64.7", "r80", "r64.3", "r60.1"),
    ("r68.6", "r62.2", "r66.5", "r68.6"), ("r66.5", "r60.1", "r66.5", "r64.7"), ("r60.1", "{a}", "-r68.6", "r68.6"),
    ("{dst}", "r68.6", "r60.1", "r66.5"),
)  # fmt: skip


def macro(seed: str, steps: Sequence[Sequence[str]], **names: str) -> str:
    """Return a sequence of f64: a seed, and what refines it in lanes that the seed's flag does not call final."""

    def operand(name: str) -> str:
        register, _, extension = name.partition(".")
        return f"{register}.{'mme' + extension if extension else 'nomme'}:df"

    lines = ["(W) mov (1|M0) f0.0<1>:ud 0xFFFFFFFF:ud", seed]
    lines += [f"(~f0.0) madm (16|M0) {' '.join(map(operand, step))}" for step in steps]
    text = "\n".join(lines)
    for name, register in names.items():
        text = text.replace("{" + name + "}", register)
    return text


def quotient(x: float, y: float, rounding: str) -> int | None:
    is_negative = math.copysign(1, x) != math.copysign(1, y)
    if math.isfinite(x) and math.isfinite(y) and y:
        return xe_numbers.round_exact(Fraction(x) / Fraction(y), "df", rounding, is_negative)
    if math.isnan(x) or math.isnan(y) or (x == 0 and y == 0) or (math.isinf(x) and math.isinf(y)):
        return None
    limit = 0.0 if math.isinf(y) else math.inf
    return xe_numbers.to_bits(-limit if is_negative else limit, "df")


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_division_of_doubles(rounding):
    """The sequence of the compiler gives the rounded quotient, also of special values."""
    generator = random.Random(rounding)
    batch = Batch(lanes=16, control=KEEP_DENORMALS | ROUNDINGS[rounding] << 4, prologue=CONSTANTS)
    for _ in range(6):
        values = operands(generator, ("df", "df"), 16)
        for lane, (x, y) in enumerate(((1.0, 3.0), (6.0, 3.0), (-3.0, 11.0), (7.0, 49.0))):
            values[0][lane], values[1][lane] = xe_numbers.to_bits(x, "df"), xe_numbers.to_bits(y, "df")
        a, b = (f"r{batch.input(bits, 'uq')}" for bits in values)
        seed = "math.invm (16|M0) (eo)f0.0 {dst}.mme0:df {a}.nomme<1;1,0>:df {b}.nomme<1;1,0>:df"
        expected = [[quotient(value_of(x, "df"), value_of(y, "df"), rounding)] for x, y in zip(*values, strict=True)]
        add_result(batch, macro(seed, DIVISION, a=a, b=b), "df", expected, values)
    batch.check(is_same)


def root(x: float, rounding: str) -> int | None:
    """Compute by integers the root of x * 4**n, with a bit more that shows whether it is exact."""
    if math.isnan(x) or x < 0:
        return None
    if x == 0 or math.isinf(x):
        return xe_numbers.to_bits(x, "df")
    numerator, denominator = Fraction(x).numerator, Fraction(x).denominator
    shift = 1300
    scaled = numerator * 4**shift // denominator
    whole = math.isqrt(scaled)
    exact = Fraction(2 * whole + int(whole * whole != scaled), 2 ** (shift + 1))
    return xe_numbers.round_exact(exact, "df", rounding)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_square_root_of_doubles(rounding):
    generator = random.Random(rounding)
    batch = Batch(lanes=16, control=KEEP_DENORMALS | ROUNDINGS[rounding] << 4, prologue=CONSTANTS)
    for _ in range(6):
        (values,) = operands(generator, ("df",), 16)
        values[:4] = [xe_numbers.to_bits(value, "df") for value in (2.0, 9.0, 0.3, 12345.678)]
        values[4:10] = [bits & ~(1 << 63) for bits in values[4:10]]
        seed = "math.rsqtm (16|M0) (eo)f0.0 {dst}.mme0:df {a}.nomme<1;1,0>:df"
        expected = [[root(value_of(x, "df"), rounding)] for x in values]
        text = macro(seed, SQUARE_ROOT, a=f"r{batch.input(values, 'uq')}")
        add_result(batch, text, "df", expected, [values])
    batch.check(is_same)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_rounding_changes_in_the_middle(rounding):
    """cr0 counts from the instruction after its change on."""
    generator = random.Random(rounding)
    batch = Batch()
    values = operands(generator, ("f", "f"))
    place_text = place(batch, values, ("f", "f"))
    numbers = [[value_of(bits, "f") for bits in lane] for lane in zip(*values, strict=True)]
    toggle = f"(W) xor (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x{ROUNDINGS[rounding] << 4:X}:uw\n"
    text = f"{toggle}mul (32|M0) {{dst}}.0<1>:f {place_text}\n{toggle}"
    add_result(batch, text, "f", [[xe_numbers.multiply(a, b, "f", rounding)] for a, b in numbers], values)
    text = f"mul (32|M0) {{dst}}.0<1>:f {place_text}"
    add_result(batch, text, "f", [[xe_numbers.multiply(a, b, "f", "nearest")] for a, b in numbers], values)
    batch.check(is_same)


def test_regions_immediates_and_accumulators():
    """Floats come from scalars, strides, numbers in the instruction, and accumulators between two instructions."""
    generator = random.Random(6)
    batch = Batch(lanes=16)
    for type_name in ("f", "hf", "df", "bf"):
        stored, result = bits_type(type_name), "f" if type_name == "bf" else type_name
        a, b = operands(generator, (type_name, type_name), 64)
        first, second = (f"r{batch.input(bits, stored)}" for bits in (a, b))
        constant = round_to(1.5, type_name, "nearest")
        for left, right, pick in (
            (f"{first}.3<0;1,0>", f"{second}.0<1;1,0>", lambda lane: (3, lane)),
            (f"{first}.0<2;1,0>", f"{second}.1<4;1,0>", lambda lane: (2 * lane, 1 + 4 * lane)),
            (f"{first}.0<4;2,1>", f"{second}.0<1;8,0>", lambda lane: (lane // 2 * 4 + lane % 2, lane // 8)),
        ):
            pairs = [
                (value_of(a[pick(lane)[0]], type_name), value_of(b[pick(lane)[1]], type_name)) for lane in range(16)
            ]
            expected = [[xe_numbers.multiply(x, y, result, "nearest")] for x, y in pairs]
            text = f"mul (16|M0) {{dst}}.0<1>:{result} {left}:{type_name} {right}:{type_name}"
            add_result(batch, text, result, expected, [[pair[0] for pair in pairs], [pair[1] for pair in pairs]])
        if type_name == "bf":
            continue
        numbers = [value_of(bits, type_name) for bits in a[:16]]
        if type_name != "df":
            # Only moves have numbers of 64 bits.
            expected = [[xe_numbers.add(number, 1.5, type_name, "nearest")] for number in numbers]
            text = f"add (16|M0) {{dst}}.0<1>:{type_name} {first}.0<1;1,0>:{type_name} 0x{constant:X}:{type_name}"
            add_result(batch, text, type_name, expected, [a])
        others = [value_of(bits, type_name) for bits in b[:16]]
        expected = []
        for x, y in zip(numbers, others, strict=True):
            total = xe_numbers.add(x, y, type_name, "nearest")
            number = math.nan if total is None else value_of(total, type_name)
            expected.append([xe_numbers.multiply(number, y, type_name, "nearest")])
        text = (
            f"add (16|M0) acc4.0<1>:{type_name} {first}.0<1;1,0>:{type_name} {second}.0<1;1,0>:{type_name}\n"
            f"mul (16|M0) {{dst}}.0<1>:{type_name} acc4.0<1;1,0>:{type_name} {second}.0<1;1,0>:{type_name}"
        )
        add_result(batch, text, type_name, expected, [a, b])
    batch.check(is_same)


def test_selection_by_a_predicate():
    """Modifiers change the sign of a NaN at most; results are saturated, and go between f and hf."""
    generator = random.Random(7)
    batch = Batch()
    for type_name in ("f", "hf", "df"):
        kind = FORMATS[type_name]
        values = operands(generator, (type_name,) * 2)
        text = place(batch, values, (type_name,) * 2, ("-", "(abs)"))
        flag = generator.getrandbits(32)
        chosen = [
            a ^ kind.sign if flag >> lane & 1 else b & ~kind.sign
            for lane, (a, b) in enumerate(zip(*values, strict=True))
        ]
        expected = [[None] if math.isnan(value_of(bits, type_name)) else [bits] for bits in chosen]
        set_flag = f"(W) mov (1|M0) f0.0<1>:ud 0x{flag:X}:ud\n(f0.0) sel (32|M0)"
        add_result(batch, f"{set_flag} {{dst}}.0<1>:{type_name} {text}", type_name, expected, values)
        expected = [saturated(bits, type_name) for bits in chosen]
        add_result(batch, f"{set_flag} (sat){{dst}}.0<1>:{type_name} {text}", type_name, expected, values)
    batch.check(is_same)
