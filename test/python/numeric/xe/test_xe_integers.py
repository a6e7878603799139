# SPDX-License-Identifier: MIT
"""Integer instructions of Xe on the simulator, against Python's integers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

import pytest
from support import needs_ocloc
from xe_assembly import Batch, clamp, range_of, size_of, wrap

pytestmark = needs_ocloc

SMALL = ("ub", "b", "uw", "w")
WORDS = ("uw", "w")
DWORDS = ("ud", "d")
NARROW = SMALL + DWORDS
LANES = 32
CONDITIONS: dict[str, Callable[[int], bool]] = {
    "eq": lambda value: value == 0,
    "ne": lambda value: value != 0,
    "gt": lambda value: value > 0,
    "ge": lambda value: value >= 0,
    "lt": lambda value: value < 0,
    "le": lambda value: value <= 0,
}


def edges(type_name: str) -> list[int]:
    least, largest = range_of(type_name)
    return sorted({least, largest, 0, 1, -1 if least else largest - 1})


def tuples(generator: random.Random, types: Sequence[str], lanes: int = LANES) -> list[list[int]]:
    """Return values of each source: combinations of edges, those that there is room for, and random numbers."""
    combinations = list(itertools.product(*(edges(name) for name in types)))
    chosen = generator.sample(combinations, min(len(combinations), lanes * 3 // 4))
    while len(chosen) < lanes:
        # All magnitudes are as likely.
        chosen.append(
            tuple(
                wrap(generator.getrandbits(64) >> generator.randrange(64), name)
                if generator.random() < 0.8
                else generator.choice(edges(name))
                for name in types
            )
        )
    generator.shuffle(chosen)
    return [list(values) for values in zip(*chosen, strict=True)]


def sources(batch: Batch, values: Sequence[Sequence[int]], types: Sequence[str]) -> list[str]:
    """Return operands of an instruction with two or three sources."""
    regions = ("<1;0>", "<1;0>", "<1>") if len(types) == 3 else ("<1;1,0>",) * 2
    return [
        f"r{batch.input(value, name)}.0{region}:{name}"
        for value, name, region in zip(values, types, regions, strict=False)
    ]


def add_operation(
    batch: Batch,
    generator: random.Random,
    name: str,
    result_type: str,
    types: Sequence[str],
    compute: Callable[..., int],
    saturates: bool = True,
) -> None:
    """The instruction on edges and random numbers, with and without saturation.

    `compute` gives the exact result.
    """
    values = tuples(generator, types)
    operands = " ".join(sources(batch, values, types))
    exact = [compute(*lane) for lane in zip(*values, strict=True)]
    text = f"{name} (32|M0) {{dst}}.0<1>:{result_type} {operands}"
    batch.add(text, result_type, [wrap(value, result_type) for value in exact], inputs=values)
    if saturates:
        text = f"{name} (32|M0) (sat){{dst}}.0<1>:{result_type} {operands}"
        batch.add(text, result_type, [clamp(value, result_type) for value in exact], inputs=values)


def run_all(
    name: str, rows: Sequence[tuple[str, tuple[str, ...]]], compute: Callable[..., int], saturates: bool = True
) -> None:
    generator = random.Random(name)
    for begin in range(0, len(rows), 12):
        batch = Batch()
        for result_type, types in rows[begin : begin + 12]:
            add_operation(batch, generator, name, result_type, types, compute, saturates)
        batch.check()


PAIRS = [(a, b) for a in NARROW for b in NARROW]


def test_add():
    rows = [(result, pair) for pair in PAIRS for result in NARROW if (NARROW.index(result) + hash_of(pair)) % 3 == 0]
    run_all("add", rows, lambda a, b: a + b)


@pytest.mark.full
def test_add_every_row():
    run_all("add", [(result, pair) for pair in PAIRS for result in NARROW], lambda a, b: a + b)


def hash_of(pair: tuple[str, str]) -> int:
    return NARROW.index(pair[0]) + 5 * NARROW.index(pair[1])


def test_add_of_qwords():
    wide = ("w", "uw", "d", "ud", "q", "uq")
    rows = [(result, (a, b)) for result in ("q", "uq") for a in wide for b in wide]
    rows += [(result, (a, b)) for result in ("w", "uw", "d", "ud") for a in ("q", "uq") for b in ("q", "uq")]
    # Beyond 64 bits sums wrap around; the effect of saturation there is not documented.
    run_all("add", rows, lambda a, b: a + b, saturates=False)


def test_three_addends():
    types = WORDS + DWORDS
    rows = [(result, (a, b, c)) for result in types for a in types for b in types for c in ("w", "ud")][::3]
    run_all("add3", rows, lambda a, b, c: a + b + c)


def test_products():
    rows = [(result, pair) for result in (*WORDS, *DWORDS) for pair in itertools.product(WORDS, WORDS)]
    rows += [(result, (a, b)) for result in DWORDS for a in DWORDS for b in WORDS]
    run_all("mul", rows, lambda a, b: a * b)


def test_multiply_add_takes_the_addend_first():
    types = WORDS + DWORDS
    rows = [(result, (a, b, c)) for result in types for a in types for b, c in itertools.product(WORDS, WORDS)]
    run_all("mad", rows, lambda a, b, c: a + b * c)


def test_averages():
    run_all("avg", [(DWORDS[hash_of(pair) % 2], pair) for pair in PAIRS], lambda a, b: (a + b + 1) >> 1)


@pytest.mark.parametrize("lanes", ["16|M0", "16|M16", "32|M0"])
def test_products_of_dwords(lanes):
    """Mul by the lower half into the accumulator, then the low or the high half of the whole product."""
    generator = random.Random(lanes)
    count = int(lanes[:2])
    batch = Batch()
    for a_type, b_type in itertools.product(DWORDS, DWORDS):
        values = a, b = tuples(generator, (a_type, b_type), count)
        first, second = batch.input(a, a_type), batch.input(b, b_type)
        product = [x * y for x, y in zip(a, b, strict=True)]
        acc = "d" if "d" in (a_type, b_type) else "ud"
        multiply = f"(W) mul ({lanes}) acc0.0<1>:{acc} r{first}.0<1;1,0>:{a_type} r{second}.0<2;1,0>:uw\n"
        operands = f"r{first}.0<1;1,0>:{a_type} r{second}.0<1;1,0>:{b_type}"
        for result_type in DWORDS:
            text = f"{multiply}macl ({lanes}) {{dst}}.0<1>:{result_type} {operands}"
            batch.add(text, result_type, [wrap(value, result_type) for value in product], inputs=values)
            text = f"{multiply}mach ({lanes}) {{dst}}.0<1>:{result_type} {operands}"
            batch.add(text, result_type, [wrap(value >> 32, result_type) for value in product], inputs=values)
        # After it the accumulator has the lower half.
        text = f"{multiply}mach ({lanes}) null<1>:d {operands}\nmov ({lanes}) {{dst}}.0<1>:ud acc0.0<1;1,0>:ud"
        batch.add(text, "ud", [wrap(value, "ud") for value in product], inputs=values)
    batch.check()


@pytest.mark.parametrize(("opcode", "shift"), [("macl", 0), ("mach", 32)])
def test_products_of_single_dwords(opcode, shift):
    """The accumulator's element is the one at the place of the result in its register, as libraries write it."""
    generator = random.Random(opcode)
    batch = Batch()
    values = a, b = tuples(generator, ("ud", "ud"), 16)
    first, second = batch.input(a, "ud"), batch.input(b, "ud")
    lines = []
    for place in generator.sample(range(16), 16):
        operands = f"r{first}.{place}<0;1,0>:ud r{second}.{place}<0;1,0>:ud"
        lines += [
            f"(W) mul (1|M0) acc0.{place}<1>:ud r{first}.{place}<0;1,0>:ud r{second}.{2 * place}<0;1,0>:uw",
            f"(W) {opcode} (1|M0) {{dst}}.{place}<1>:ud {operands}",
        ]
    expected = [wrap(x * y >> shift, "ud") for x, y in zip(a, b, strict=True)]
    batch.add("\n".join(lines), "ud", expected, inputs=values)
    batch.check()


@pytest.mark.parametrize("lanes", ["16|M0", "16|M16", "32|M0"])
def test_carry_and_borrow(lanes):
    generator = random.Random(lanes)
    batch = Batch()
    for _ in range(3):
        values = a, b = tuples(generator, ("ud", "ud"), int(lanes[:2]))
        operands = f"r{batch.input(a, 'ud')}.0<1;1,0>:ud r{batch.input(b, 'ud')}.0<1;1,0>:ud"
        for name, results, carries in (
            ("addc", [x + y for x, y in zip(a, b, strict=True)], [x + y >> 32 for x, y in zip(a, b, strict=True)]),
            ("subb", [x - y for x, y in zip(a, b, strict=True)], [int(x < y) for x, y in zip(a, b, strict=True)]),
        ):
            text = f"{name} ({lanes}) {{dst}}.0<1>:ud {operands}"
            batch.add(text, "ud", [wrap(value, "ud") for value in results], inputs=values)
            text = f"{name} ({lanes}) null<1>:ud {operands}\nmov ({lanes}) {{dst}}.0<1>:ud acc0.0<1;1,0>:ud"
            batch.add(text, "ud", carries, inputs=values)
    batch.check()


def test_logic():
    for name, compute in (
        ("and", lambda a, b: a & b),
        ("or", lambda a, b: a | b),
        ("xor", lambda a, b: a ^ b),
    ):
        rows = [(result, pair) for pair in PAIRS for result in ("ub", "w", "d") if hash_of(pair) % 3 == 0]
        run_all(name, rows, compute, saturates=False)


def test_complements():
    """Also of sources: a minus of a logic instruction complements."""
    generator = random.Random(1)
    batch = Batch()
    for a_type in NARROW:
        for result in ("w", "d"):
            (a,) = tuples(generator, (a_type,))
            operand = f"r{batch.input(a, a_type)}.0<1;1,0>:{a_type}"
            expected = [wrap(~value, result) for value in a]
            batch.add(f"not (32|M0) {{dst}}.0<1>:{result} {operand}", result, expected, inputs=[a])
            (b,) = tuples(generator, ("d",))
            other = f"r{batch.input(b, 'd')}.0<1;1,0>:d"
            expected = [wrap(~x & y, result) for x, y in zip(a, b, strict=True)]
            batch.add(f"and (32|M0) {{dst}}.0<1>:{result} ~{operand} {other}", result, expected, inputs=[a, b])
            expected = [wrap(x ^ ~y, result) for x, y in zip(a, b, strict=True)]
            batch.add(f"xor (32|M0) {{dst}}.0<1>:{result} {operand} ~{other}", result, expected, inputs=[a, b])
    batch.check()


def test_negated_sources():
    generator = random.Random(2)
    batch = Batch()
    for a_type, b_type in (("d", "d"), ("ud", "d"), ("w", "uw"), ("b", "d"), ("ud", "ud")):
        a, b = tuples(generator, (a_type, b_type))
        first, second = sources(batch, (a, b), (a_type, b_type))
        pairs = list(zip(a, b, strict=True))
        for result in ("d", "ud", "w"):
            for text, exact in (
                (f"{first} -{second}", [x - y for x, y in pairs]),
                (f"-{first} (abs){second}", [-x + abs(y) for x, y in pairs]),
                (f"-(abs){first} {second}", [-abs(x) + y for x, y in pairs]),
            ):
                expected = [wrap(value, result) for value in exact]
                batch.add(f"add (32|M0) {{dst}}.0<1>:{result} {text}", result, expected, inputs=[a, b])
        batch.add(f"mov (32|M0) {{dst}}.0<1>:d -{first}", "d", [wrap(-value, "d") for value in a], inputs=[a])
    batch.check()


def shift(name: str, result: str, a_type: str) -> Callable[[int, int], int]:
    """Narrow values are extended to 32 bits; the count has 5 bits, or 6 where 64 bits take part."""
    wide = 8 in (size_of(result), size_of(a_type))
    mask, width = (63, 64) if wide else (31, 32)

    def compute(value: int, count: int) -> int:
        count &= mask
        if name == "shl":
            return value << count
        if name == "asr":
            return value >> count
        return (value % (1 << width)) >> count

    return compute


@pytest.mark.parametrize("name", ["shl", "shr", "asr"])
def test_shifts(name):
    operands = {"shl": NARROW, "shr": ("ub", "uw", "ud"), "asr": NARROW}[name]
    counts = ("uw", "ud", "d", "w")
    # Each type in a third of its combinations.
    rows = [(result, (a, count)) for result in NARROW for a in operands for count in counts]
    rows = rows[::3]
    wide = {"shl": ("w", "d", "ud", "q", "uq"), "shr": ("ud", "uq"), "asr": ("w", "d", "q", "uq")}[name]
    rows += [(result, (a, count)) for result in ("q", "uq") for a in wide for count in ("uw", "d")]
    rows += [("d", ("uq" if name == "shr" else "q", "ud")), ("w", ("uq" if name == "shr" else "q", "uw"))]
    generator = random.Random(name)
    for begin in range(0, len(rows), 12):
        batch = Batch()
        for result, types in rows[begin : begin + 12]:
            values = tuples(generator, types)
            # Most counts of all bits are larger than any width.
            values[1] = [value if lane % 2 else generator.randrange(70) for lane, value in enumerate(values[1])]
            compute = shift(name, result, types[0])
            expected = [wrap(compute(*lane), result) for lane in zip(*values, strict=True)]
            operands = " ".join(sources(batch, values, types))
            batch.add(f"{name} (32|M0) {{dst}}.0<1>:{result} {operands}", result, expected, inputs=values)
        batch.check()


def test_rotations():
    generator = random.Random(3)
    batch = Batch()
    for type_name in ("uw", "ud", "uq"):
        bits = 8 * size_of(type_name)
        (a,) = tuples(generator, (type_name,))
        for count_type in ("uw", "ud"):
            counts = [generator.randrange(70) for _ in a]
            operands = " ".join(sources(batch, (a, counts), (type_name, count_type)))
            for name, sign in (("rol", 1), ("ror", -1)):
                expected = []
                for value, count in zip(a, counts, strict=True):
                    digits = format(value, f"0{bits}b")
                    left = sign * count % bits
                    expected.append(int(digits[left:] + digits[:left], 2))
                text = f"{name} (32|M0) {{dst}}.0<1>:{type_name} {operands}"
                batch.add(text, type_name, expected, inputs=[a, counts])
    batch.check()


def test_boolean_functions():
    """Some functions of every table are tested on random bits."""
    generator = random.Random(4)
    for type_name in ("ud", "uw"):
        bits = 8 * size_of(type_name)
        tables = [0, 255, *generator.sample(range(1, 255), 50)]
        for begin in range(0, len(tables), 26):
            batch = Batch()
            values = tuples(generator, (type_name,) * 3)
            operands = " ".join(sources(batch, values, (type_name,) * 3))
            for table in tables[begin : begin + 26]:
                expected = [
                    sum(
                        (table >> ((a >> bit & 1) + 2 * (b >> bit & 1) + 4 * (c >> bit & 1)) & 1) << bit
                        for bit in range(bits)
                    )
                    for a, b, c in zip(*values, strict=True)
                ]
                text = f"bfn.0x{table:02X} (32|M0) {{dst}}.0<1>:{type_name} {operands}"
                batch.add(text, type_name, expected, inputs=values)
            batch.check()


def field(width: int, offset: int, value: int, is_signed: bool) -> int:
    """Return bits of a dword, cut out."""
    width, offset = width & 31, offset & 31
    digits = format(value % (1 << 32), "032b")[::-1]
    cut = digits[offset : offset + width].ljust(width, "0")
    result = sum(int(digit) << i for i, digit in enumerate(cut))
    return result - (1 << width) if is_signed and width and cut[-1] == "1" else result


def test_bit_fields():
    generator = random.Random(5)
    batch = Batch()
    for type_name in DWORDS:
        for _ in range(3):
            widths = [generator.randrange(40) for _ in range(LANES)]
            # A field that ends after the last bit has no sign that is documented.
            offsets = [
                generator.randrange(32 - (width & 31) + 1) if type_name == "d" else generator.randrange(40)
                for width in widths
            ]
            offsets = [offset if offset < 32 or type_name == "ud" else 31 for offset in offsets]
            (values,) = tuples(generator, (type_name,))
            inputs = [widths, offsets, values]
            operands = " ".join(sources(batch, inputs, (type_name,) * 3))
            expected = [
                wrap(field(width, offset, value, type_name == "d"), type_name)
                for width, offset, value in zip(*inputs, strict=True)
            ]
            batch.add(f"bfe (32|M0) {{dst}}.0<1>:{type_name} {operands}", type_name, expected, inputs=inputs)
            operands = " ".join(sources(batch, inputs[:2], (type_name,) * 2))
            expected = [
                wrap(((1 << (width & 31)) - 1) << (offset & 31), type_name)
                for width, offset in zip(*inputs[:2], strict=True)
            ]
            batch.add(f"bfi1 (32|M0) {{dst}}.0<1>:{type_name} {operands}", type_name, expected, inputs=inputs)
            inputs = tuples(generator, (type_name,) * 3)
            operands = " ".join(sources(batch, inputs, (type_name,) * 3))
            expected = [(a & b) | (~a & c) for a, b, c in zip(*inputs, strict=True)]
            expected = [wrap(value, type_name) for value in expected]
            batch.add(f"bfi2 (32|M0) {{dst}}.0<1>:{type_name} {operands}", type_name, expected, inputs=inputs)
    batch.check()


def leading(digits: str, digit: str) -> int:
    return len(digits) - len(digits.lstrip(digit))


COUNTS: dict[str, tuple[tuple[str, ...], Callable[[str, bool], int]]] = {
    "bfrev": (("ud",), lambda digits, is_signed: int(digits[::-1], 2)),
    "cbit": (("ub", "uw", "ud"), lambda digits, is_signed: digits.count("1")),
    "fbl": (("ud",), lambda digits, is_signed: leading(digits[::-1], "0") if "1" in digits else 0xFFFFFFFF),
    "fbh": (
        ("ud", "d"),
        lambda digits, is_signed: (
            0xFFFFFFFF
            if digits in ("0" * 32, "1" * 32 if is_signed else "")
            else leading(digits, digits[0] if is_signed else "0")
        ),
    ),
    "lzd": (("ud", "d", "uw"), lambda digits, is_signed: leading(digits, "0")),
}


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_counts(name):
    types, compute = COUNTS[name]
    generator = random.Random(name)
    batch = Batch()
    for type_name in types:
        (values,) = tuples(generator, (type_name,))
        values[:6] = [wrap(1 << shift, type_name) for shift in range(0, 30, 5)]
        expected = [compute(format(value % (1 << 32), "032b"), type_name == "d") for value in values]
        operand = f"r{batch.input(values, type_name)}.0<1;1,0>:{type_name}"
        batch.add(f"{name} (32|M0) {{dst}}.0<1>:ud {operand}", "ud", expected, inputs=[values])
    batch.check()


def test_dot_products_of_bytes():
    generator = random.Random(6)
    batch = Batch()

    def as_bytes(value: int, type_name: str) -> list[int]:
        return [wrap(value >> shift, "b" if type_name == "d" else "ub") for shift in (0, 8, 16, 24)]

    for result in DWORDS:
        for types in itertools.product(DWORDS, DWORDS, DWORDS):
            values = tuples(generator, types)
            exact = [
                a + sum(x * y for x, y in zip(as_bytes(b, types[1]), as_bytes(c, types[2]), strict=True))
                for a, b, c in zip(*values, strict=True)
            ]
            operands = " ".join(sources(batch, values, types))
            text = f"dp4a (32|M0) {{dst}}.0<1>:{result} {operands}"
            batch.add(text, result, [wrap(value, result) for value in exact], inputs=values)
            text = f"dp4a (32|M0) (sat){{dst}}.0<1>:{result} {operands}"
            batch.add(text, result, [clamp(value, result) for value in exact], inputs=values)
            if batch.next_input > 80:
                batch.check()
                batch = Batch()
    if batch.results:
        batch.check()


def flag_bits(holds: Sequence[bool], before: int, enabled: int = 0xFFFFFFFF) -> int:
    """Return the flag after an instruction: bits of lanes that take no part are what they were."""
    bits = sum(int(value) << lane for lane, value in enumerate(holds))
    return (before & ~enabled) | (bits & enabled)


SET_FLAG = "(W) mov (1|M0) f0.0<1>:ud 0x{before:08X}:ud\n"
GET_FLAG = "\n(W) mov (1|M0) {dst}.0<1>:ud f0.0<0;1,0>:ud"


@pytest.mark.parametrize("condition", sorted(CONDITIONS))
def test_conditions_of_results(condition):
    """The result as it is in its type, saturated or not, against zero; lanes that are off keep their bits."""
    generator = random.Random(condition)
    live = 0xF0A5FF3C
    batch = Batch(live=live)
    for result, (a_type, b_type) in (
        ("d", ("d", "d")), ("ud", ("d", "ud")), ("w", ("d", "w")), ("ub", ("w", "w")), ("b", ("d", "d")),
        ("q", ("q", "d")), ("uq", ("uq", "q")),
    ):  # fmt: skip
        values = a, b = tuples(generator, (a_type, b_type))
        # Some results are zero.
        for lane in range(0, LANES, 5):
            if range_of(a_type)[0] <= -b[lane] <= range_of(a_type)[1]:
                a[lane] = -b[lane]
        operands = " ".join(sources(batch, values, (a_type, b_type)))
        exact = [x + y for x, y in zip(a, b, strict=True)]
        for saturate in ("", "(sat)") if size_of(result) < 8 else ("",):
            values_there = [(clamp if saturate else wrap)(value, result) for value in exact]
            before = generator.getrandbits(32)
            expected = flag_bits([CONDITIONS[condition](value) for value in values_there], before, live)
            text = f"add (32|M0) ({condition})f0.0 {saturate}null<1>:{result} {operands}"
            batch.add(SET_FLAG.format(before=before) + text + GET_FLAG, "ud", [expected])
    batch.check()


def test_overflow_condition():
    generator = random.Random(7)
    batch = Batch()
    for result, types in (("d", ("d", "d")), ("ud", ("ud", "ud")), ("w", ("d", "w")), ("ub", ("ub", "b"))):
        values = tuples(generator, types)
        operands = " ".join(sources(batch, values, types))
        least, largest = range_of(result)
        expected = flag_bits([not least <= a + b <= largest for a, b in zip(*values, strict=True)], 0)
        text = f"add (32|M0) (ov)f0.0 null<1>:{result} {operands}"
        batch.add(SET_FLAG.format(before=0) + text + GET_FLAG, "ud", [expected], inputs=values)
    batch.check()


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
}  # fmt: skip


@pytest.mark.parametrize("condition", sorted(COMPARE))
def test_comparisons(condition):
    """All ones or zeros in the destination's width, and the flag; also chained, where the predicate is the flag."""
    generator = random.Random(condition)
    live = 0x0FF0FF0F
    for begin in range(0, len(PAIRS), 12):
        batch = Batch(live=live)
        for pair in PAIRS[begin : begin + 12]:
            values = tuples(generator, pair)
            values[0][:4] = [value if range_of(pair[0])[0] <= value <= range_of(pair[0])[1] else 0
                             for value in values[1][:4]]  # fmt: skip
            operands = " ".join(sources(batch, values, pair))
            holds = [COMPARE[condition](a, b) for a, b in zip(*values, strict=True)]
            before = generator.getrandbits(32)
            text = f"cmp (32|M0) ({condition})f0.0 null<1>:d {operands}"
            batch.add(SET_FLAG.format(before=before) + text + GET_FLAG, "ud", [flag_bits(holds, before, live)])
            result = generator.choice(("d", "uw", "f"))
            bits = {"d": "ud", "f": "ud", "uw": "uw"}[result]
            expected = [
                (range_of(bits)[1] if value else 0) if live >> lane & 1 else None for lane, value in enumerate(holds)
            ]
            text = f"cmp (32|M0) ({condition})f0.0 {{dst}}.0<1>:{result} {operands}"
            batch.add(text, bits, expected, inputs=values)
            # Of lanes whose predicate is false the flag stays false.
            text = f"(f0.0) cmp (32|M0) ({condition})f0.0 null<1>:d {operands}"
            expected_flag = flag_bits(holds, before, live & before)
            batch.add(SET_FLAG.format(before=before) + text + GET_FLAG, "ud", [expected_flag])
        batch.check()


def test_minimum_and_maximum():
    """A selection with a condition; it leaves the flag alone."""
    generator = random.Random(8)
    for begin in range(0, len(PAIRS), 12):
        batch = Batch()
        for a_type, b_type in PAIRS[begin : begin + 12]:
            values = tuples(generator, (a_type, b_type))
            operands = " ".join(sources(batch, values, (a_type, b_type)))
            result = generator.choice(("d", "ud", "w", "ub"))
            for condition, choose in (("lt", min), ("ge", max), ("gt", max), ("le", min)):
                expected = [wrap(choose(a, b), result) for a, b in zip(*values, strict=True)]
                text = f"sel (32|M0) ({condition})f0.0 {{dst}}.0<1>:{result} {operands}"
                batch.add(text, result, expected, inputs=values)
            before = generator.getrandbits(32)
            text = f"sel (32|M0) (lt)f0.0 r110.0<1>:d {operands}"
            batch.add(SET_FLAG.format(before=before) + text + GET_FLAG, "ud", [before])
        batch.check()


@pytest.mark.parametrize("condition", sorted(COMPARE))
def test_comparisons_of_negated_sources(condition):
    """A negated number has the bits of the wider source, and wraps around."""
    generator = random.Random(condition)
    batch = Batch()
    for a_type, b_type in (("d", "d"), ("ud", "ud"), ("w", "w"), ("w", "d")):
        values = tuples(generator, (a_type, b_type))
        values[0][:3] = [range_of(a_type)[0], range_of(a_type)[1], 0]
        first, second = sources(batch, values, (a_type, b_type))
        wide = b_type
        for text, change in ((f"-{first}", lambda x: -x), (f"(abs){first}", abs)):
            changed = [wrap(change(value), wide) for value in values[0]]
            pairs = list(zip(changed, values[1], strict=True))
            bits = {"d": "ud", "ud": "ud", "w": "uw"}[wide]
            expected = [range_of(bits)[1] if COMPARE[condition](a, b) else 0 for a, b in pairs]
            batch.add(
                f"cmp (32|M0) ({condition})f0.0 {{dst}}.0<1>:{wide} {text} {second}", bits, expected, inputs=values
            )
            if condition in ("lt", "ge"):
                chosen = [wrap(min(pair) if condition == "lt" else max(pair), wide) for pair in pairs]
                batch.add(
                    f"sel (32|M0) ({condition})f0.0 {{dst}}.0<1>:{wide} {text} {second}", wide, chosen, inputs=values
                )
    batch.check()


def test_selection_by_a_third_source():
    generator = random.Random(9)
    batch = Batch()
    for type_name in ("d", "w"):
        for condition in sorted(CONDITIONS):
            values = tuples(generator, (type_name,) * 3)
            operands = " ".join(sources(batch, values, (type_name,) * 3))
            expected = [a if CONDITIONS[condition](c) else b for a, b, c in zip(*values, strict=True)]
            text = f"csel (32|M0) ({condition})f0.0 {{dst}}.0<1>:{type_name} {operands}"
            batch.add(text, type_name, expected, inputs=values)
    batch.check()


def test_selection_by_a_predicate():
    """Sources of other types, with modifiers, into a third type."""
    generator = random.Random(10)
    batch = Batch()
    for a_type, b_type in (("w", "d"), ("ud", "b"), ("d", "d"), ("uw", "ud"), ("ub", "w")):
        values = a, b = tuples(generator, (a_type, b_type))
        first, second = sources(batch, values, (a_type, b_type))
        flag = generator.getrandbits(32)
        for result, sat in (("d", ""), ("w", "(sat)"), ("ub", "(sat)"), ("ud", "")):
            for modified, taken, other in (
                (f"{first} {second}", a, b),
                (f"-{first} (abs){second}", [-value for value in a], [abs(value) for value in b]),
            ):
                exact = [x if flag >> lane & 1 else y for lane, (x, y) in enumerate(zip(taken, other, strict=True))]
                expected = [(clamp if sat else wrap)(value, result) for value in exact]
                text = f"(f0.0) sel (32|M0) {sat}{{dst}}.0<1>:{result} {modified}"
                batch.add(SET_FLAG.format(before=flag) + text, result, expected, inputs=values)
    batch.check()


@pytest.mark.parametrize("lanes", ["16|M0", "32|M0"])
def test_accumulators(lanes):
    """Registers like others, but what is moved into one counts for a product, too."""
    generator = random.Random(lanes)
    count = int(lanes[:2])
    batch = Batch()
    values = a, b, c = tuples(generator, ("d", "d", "d"), count)
    first, second, third = (f"r{batch.input(value, 'd')}" for value in values)
    text = f"mov ({lanes}) acc0.0<1>:d {third}.0<1;1,0>:d\n"
    operands = f"{first}.0<1;1,0>:d {second}.0<1;1,0>:d"
    wide = [z + ((x * (y >> 16)) << 16) for x, y, z in zip(a, b, c, strict=True)]
    batch.add(f"{text}macl ({lanes}) {{dst}}.0<1>:d {operands}", "d", [wrap(value, "d") for value in wide])
    batch.add(f"{text}mach ({lanes}) {{dst}}.0<1>:d {operands}", "d", [wrap(value >> 32, "d") for value in wide])
    for number in range(2, 16, 2):
        text = (
            f"add ({lanes}) acc{number}.0<1>:d {operands}\n"
            f"xor ({lanes}) {{dst}}.0<1>:d acc{number}.0<1;1,0>:d {third}.0<1;1,0>:d"
        )
        batch.add(text, "d", [wrap(x + y, "d") ^ z for x, y, z in zip(a, b, c, strict=True)])
    batch.check()
