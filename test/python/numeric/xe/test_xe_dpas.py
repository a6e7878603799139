# SPDX-License-Identifier: MIT
"""The systolic array on the simulator: every combination of types against products of matrices.

Integers have to be exact. For floats, it is not documented how a step of depth is rounded: they may differ from the
exact sum by a unit of f32 for each product.
"""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from support import needs_ocloc
from xe_assembly import POISON, REGISTER_BYTES, State, run
from xe_numbers import value_of

pytestmark = needs_ocloc

COLUMNS = 16
DEPTH = 8
BITS = {
    "u8": 8, "s8": 8, "u4": 4, "s4": 4, "u2": 2, "s2": 2,
    "f": 32, "tf32": 32, "bf": 16, "hf": 16, "bf8": 8, "hf8": 8,
}  # fmt: skip
#: The names of some types in the assembler.
NAMES = {"u8": "ub", "s8": "b"}
SOURCE_C, SOURCE_B, SOURCE_A, RESULT = 10, 30, 50, 70


def elements(raw: np.ndarray, begin: int, count: int, bits: int) -> list[int]:
    """Return numbers of a few bits, one after the other, from a bit on."""
    whole = int.from_bytes(raw.tobytes(), "little")
    return [whole >> (begin + i * bits) & ((1 << bits) - 1) for i in range(count)]


def number(code: int, type_name: str) -> float | int:
    bits = BITS[type_name]
    if type_name[0] in "us":
        return code - (1 << bits) if type_name[0] == "s" and code >> (bits - 1) else code
    # Of tf32 the lowest 13 bits do not count.
    return value_of(code & ~0x1FFF if type_name == "tf32" else code, type_name)


def products_of_step(a: str, b: str) -> int:
    """Return how many products of a step fit a dword of the wider type; 2 bits count as 4."""
    return min(32 // max(BITS[a], BITS[b]), 8)


def read_b(raw: np.ndarray, type_name: str, products: int) -> np.ndarray:
    """Return K rows of 16 columns. A dword of a column holds a step's products, or those of several steps."""
    bits = BITS[type_name]
    steps = 32 // (bits * products)
    matrix = np.empty((DEPTH * products, COLUMNS), object)
    for depth in range(DEPTH):
        register = raw[depth // steps * REGISTER_BYTES :][:REGISTER_BYTES]
        for column in range(COLUMNS):
            codes = elements(register[4 * column : 4 * column + 4], depth % steps * products * bits, products, bits)
            for j, code in enumerate(codes):
                matrix[depth * products + j, column] = number(code, type_name)
    return matrix


def read_a(raw: np.ndarray, type_name: str, products: int, rows: int) -> np.ndarray:
    """Return rows of K elements, one after the other."""
    count, bits = DEPTH * products, BITS[type_name]
    return np.array(
        [[number(code, type_name) for code in elements(raw, row * count * bits, count, bits)] for row in range(rows)],
        object,
    )


def random_operand(generator: random.Random, type_name: str, size: int) -> np.ndarray:
    """Return bytes of numbers between -2 and 2, or any integers."""
    if type_name[0] in "us":
        return np.frombuffer(generator.randbytes(size), np.uint8)
    values = np.array([generator.uniform(-2, 2) for _ in range(size * 8 // BITS[type_name])], np.float32)
    if type_name == "hf":
        return values.astype(np.float16).view(np.uint8)
    if type_name in ("bf8", "hf8"):
        # Codes of small numbers of both signs.
        return np.array([generator.randrange(0x20, 0x40) | generator.choice((0, 0x80)) for _ in values], np.uint8)
    if type_name in ("f", "tf32"):
        return values.view(np.uint8)
    return (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)


def accumulators(raw: np.ndarray, type_name: str, rows: int) -> np.ndarray:
    size = 2 if type_name in ("bf", "hf") else 4
    raw = raw[: rows * COLUMNS * size]
    if type_name == "bf":
        values = (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    else:
        values = raw.view({"f": np.float32, "hf": np.float16, "d": np.int32, "ud": np.uint32}[type_name])
    return values.reshape(rows, COLUMNS)


BITS_OF_RESULT = {"f": 24, "bf": 8, "hf": 11}


class Case:
    """One dpas: its operands, and what it must leave."""

    def __init__(self, seed: str, result: str, c: str | None, b: str, a: str, rows: int, **options) -> None:
        generator = random.Random(seed)
        self.result, self.c, self.a, self.b, self.rows = result, c, a, b, rows
        self.live = options.get("live", 0xFFFF)
        self.begin = options.get("begin", 0)
        self.platform = options.get("platform", "xehpc")
        self.values = {
            SOURCE_C: random_operand(generator, c if c not in (None, "d", "ud") else "u8", 8 * REGISTER_BYTES),
            SOURCE_B: random_operand(generator, b, 8 * REGISTER_BYTES),
            SOURCE_A: random_operand(generator, a, 8 * REGISTER_BYTES),
        }

    def text(self, result_register: int) -> str:
        source = f"r{SOURCE_C}:{self.c}" if self.c else f"null:{self.result}"
        sub = self.begin * 8 // BITS[self.a]
        a, b = NAMES.get(self.a, self.a), NAMES.get(self.b, self.b)
        operands = f"{source} r{SOURCE_B}:{b} r{SOURCE_A}.{sub}:{a}"
        return f"dpas.8x{self.rows} (16|M0) r{result_register}:{self.result} {operands}"

    def check(self, state: State, register: int) -> None:
        products = products_of_step(self.a, self.b)
        b = read_b(self.values[SOURCE_B], self.b, products)
        a = read_a(self.values[SOURCE_A][self.begin :], self.a, products, self.rows)
        exact = a.dot(b)
        c = np.zeros((self.rows, COLUMNS), object)
        if self.c:
            c = accumulators(self.values[SOURCE_C], self.c, self.rows).astype(object)
        exact = exact + c
        found_bytes = state.bytes.reshape(-1)[register * REGISTER_BYTES :][: 8 * REGISTER_BYTES]
        found = accumulators(found_bytes, self.result, self.rows)
        name = self.text(register)
        is_on = np.array([bool(self.live >> lane & 1) for lane in range(COLUMNS)])
        poison = accumulators(np.full(8 * REGISTER_BYTES, POISON, np.uint8), self.result, self.rows)
        assert (found[:, ~is_on] == poison[:, ~is_on]).all(), f"{name}: lanes that are off changed"
        # Nothing after the last row.
        size = 2 if self.result in ("bf", "hf") else 4
        assert (found_bytes[self.rows * COLUMNS * size :] == POISON).all(), name
        if self.result in ("d", "ud"):
            wanted = np.vectorize(lambda value: value % (1 << 32), otypes=[object])(exact)
            assert (found.astype(np.int64) % (1 << 32) == wanted)[:, is_on].all(), name
            return
        magnitude = (abs(a).dot(abs(b)) + abs(c)).astype(np.float64)
        limit = magnitude * (a.shape[1] * 2.0**-23 + 2.0 ** -BITS_OF_RESULT[self.result])
        error = np.abs(found.astype(np.float64) - exact.astype(np.float64))
        assert (error <= limit)[:, is_on].all(), f"{name}: {error.max()}"


def check_cases(cases: list[Case]) -> None:
    """Each with separate registers for the result, and one program per set of sources."""
    for case in cases:
        state = run(case.text(RESULT), case.values, lanes=case.live, platform=case.platform)
        case.check(state, RESULT)


INTEGER_TYPES = ("u8", "s8", "u4", "s4", "u2", "s2")


def test_integers():
    """All mixes of widths and signs; sums wrap around."""
    cases = []
    for number_of_pair, (b, a) in enumerate(itertools.product(INTEGER_TYPES, INTEGER_TYPES)):
        result = ("d", "ud")[number_of_pair % 2]
        c = (result, None, "d")[number_of_pair % 3]
        cases.append(Case(f"{a} {b}", result, c, b, a, rows=number_of_pair % 8 + 1))
    check_cases(cases)


FLOAT_ROWS = (
    ("f", "f", "bf"), ("f", None, "bf"), ("bf", "f", "bf"), ("f", "bf", "bf"), ("bf", "bf", "bf"),
    ("f", "f", "hf"), ("f", None, "hf"), ("hf", "f", "hf"), ("f", "hf", "hf"), ("hf", "hf", "hf"),
    ("f", "f", "tf32"), ("f", None, "tf32"),
)  # fmt: skip


def test_floats():
    check_cases(
        [
            Case(f"{result} {c} {source}", result, c, source, source, rows)
            for number_of_row, (result, c, source) in enumerate(FLOAT_ROWS)
            for rows in (8, number_of_row % 7 + 1)
        ]
    )


def test_floats_of_8_bits():
    check_cases([Case("bf8", "f", "f", "bf8", "bf8", rows) for rows in (3, 8)])
    types = itertools.product(("bf8", "hf8"), ("bf8", "hf8"))
    check_cases([Case(f"{a} {b}", "f", "f", b, a, 8, platform="xe3") for a, b in types])


@pytest.mark.parametrize("rows", range(1, 9))
def test_repeats(rows):
    """Operands begin in the middle of a register, too."""
    check_cases(
        [
            Case(f"bf {rows}", "f", "f", "bf", "bf", rows),
            Case(f"half {rows}", "f", None, "bf", "bf", rows, begin=32),
            Case(f"s8 {rows}", "d", "d", "s8", "u8", rows, begin=32),
            Case(f"s4 {rows}", "d", "d", "s4", "s4", rows, begin=32),
            Case(f"u2 {rows}", "d", "d", "s2", "u2", rows, begin=32),
            Case(f"hf {rows}", "hf", "hf", "hf", "hf", rows),
        ]
    )


def test_lanes_that_are_off():
    check_cases(
        [
            Case("f", "f", "f", "bf", "bf", 8, live=0x5A0F),
            Case("bf", "bf", "bf", "bf", "bf", 7, live=0x8001),
            Case("d", "d", "d", "s8", "s8", 3, live=0x00F1),
        ]
    )


@pytest.mark.parametrize("platform", ["xe2", "xe3"])
def test_other_platforms(platform):
    check_cases(
        [
            Case(platform, "f", "f", "bf", "bf", 8, platform=platform),
            Case(platform, "bf", "bf", "bf", "bf", 8, platform=platform),
            Case(platform, "f", "f", "hf", "hf", 5, platform=platform),
            Case(platform, "f", "f", "tf32", "tf32", 8, platform=platform),
            Case(platform, "d", "d", "s8", "u8", 8, platform=platform),
            Case(platform, "d", None, "u4", "s4", 2, platform=platform),
        ]
    )


def test_results_over_accumulators():
    """The result is in place, and computed twice: the second adds to what the first left."""
    case = Case("twice", "f", "f", "bf", "bf", 8)
    text = case.text(SOURCE_C)
    once = run(text, case.values).read(SOURCE_C, "f", 128).reshape(8, 16).astype(np.float64)
    twice = run(f"{text}\n{text}", case.values).read(SOURCE_C, "f", 128).reshape(8, 16).astype(np.float64)
    first = case.values[SOURCE_C].view(np.float32).reshape(8, 16).astype(np.float64)
    case.check(State(np.roll(run(text, case.values).bytes.reshape(-1), (RESULT - SOURCE_C) * REGISTER_BYTES)), RESULT)
    assert np.abs((twice - once) - (once - first)).max() < 1e-4


@pytest.mark.parametrize("distance", [-3, 1, 7])
@pytest.mark.parametrize("source", [SOURCE_C, SOURCE_A])
def test_results_over_other_rows(source, distance):
    """All rows of accumulators and of A are read before one is written: compilers let results share registers with
    them, at another row."""
    case = Case("shifted", "f", "f", "bf", "bf", 8)
    register = source + distance
    found = run(case.text(register), case.values).bytes.reshape(-1)[register * REGISTER_BYTES :][: 8 * REGISTER_BYTES]
    apart = run(case.text(RESULT), case.values).bytes.reshape(-1)[RESULT * REGISTER_BYTES :][: 8 * REGISTER_BYTES]
    assert (found == apart).all()
