# SPDX-License-Identifier: MIT
"""Moves of Xe on the simulator: conversions, regions of registers, predicates and masks."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
import xe_numbers
from support import needs_ocloc
from xe_assembly import (
    KEEP_DENORMALS,
    POISON,
    REGISTER_BYTES,
    REGISTERS,
    ROUNDINGS,
    Batch,
    clamp,
    range_of,
    run,
    size_of,
    wrap,
)
from xe_numbers import FORMATS, flush, round_to, value_of

pytestmark = needs_ocloc

INTEGERS = ("ub", "b", "uw", "w", "ud", "d", "uq", "q")
LANES = 32
BITS = {1: "ub", 2: "uw", 4: "ud", 8: "uq"}


def integers(generator: random.Random, type_name: str) -> list[int]:
    least, largest = range_of(type_name)
    values = [least, largest, 0, 1, least + 1, largest - 1, largest // 2, largest // 2 + 1, -1 if least else 5]
    bits = 8 * size_of(type_name)
    # The numbers that f16, f32 and f64 have to round.
    values += [wrap((1 << shift) + odd, type_name) for shift in (11, 24, 53) for odd in (1, 3) if shift < bits - 1]
    while len(values) < LANES:
        values.append(wrap(generator.getrandbits(bits) >> generator.randrange(bits), type_name))
    return values


def floats(generator: random.Random, type_name: str, extra: Sequence[float] = ()) -> list[int]:
    """Return bits of numbers: the limits of the integer types and of small floats, special ones, and random ones."""
    kind = FORMATS[type_name]
    codes = [0, 1, kind.infinity - 1, kind.infinity, kind.infinity | 1 << (kind.mantissa_bits - 1)]
    values = [(code | sign) << kind.padding for code in codes for sign in (0, kind.sign)]
    values += [xe_numbers.to_bits(value, type_name) for value in extra]
    while len(values) < LANES:
        magnitude = generator.uniform(1, 2) * 2.0 ** generator.randrange(1 - kind.bias // 2, min(kind.bias, 66))
        values.append(round_to(math.copysign(magnitude, generator.random() - 0.5), type_name, "nearest"))
    return values[:LANES]


def is_same(found: int, expected: tuple[str, set]) -> bool:
    type_name, alternatives = expected
    if None in alternatives and math.isnan(value_of(found, type_name)):
        return True
    return found in alternatives


def add_float(batch: Batch, text: str, result: str, expected: list[int | None], inputs: list) -> None:
    batch.add(text, BITS[size_of(result)], [(result, {value}) for value in expected], inputs=inputs)


def test_integers_to_integers():
    generator = random.Random(1)
    for source in INTEGERS:
        batch = Batch()
        values = integers(generator, source)
        operand = f"r{batch.input(values, source)}.0<1;1,0>:{source}"
        for result in INTEGERS:
            expected = [wrap(value, result) for value in values]
            batch.add(f"mov (32|M0) {{dst}}.0<1>:{result} {operand}", result, expected, inputs=[values])
            expected = [clamp(value, result) for value in values]
            batch.add(f"mov (32|M0) (sat){{dst}}.0<1>:{result} {operand}", result, expected, inputs=[values])
            expected = [wrap(-value, result) for value in values]
            batch.add(f"mov (32|M0) {{dst}}.0<1>:{result} -{operand}", result, expected, inputs=[values])
            expected = [wrap(abs(value), result) for value in values]
            batch.add(f"mov (32|M0) {{dst}}.0<1>:{result} (abs){operand}", result, expected, inputs=[values])
        batch.check()


def to_integer(value: float, type_name: str, rounding: str) -> int:
    """Clamp to the limits of the type; a NaN is 0."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return range_of(type_name)[value > 0]
    exact = Fraction(value)
    whole = {
        "zero": math.trunc, "nearest": round, "up": math.ceil, "down": math.floor,
    }[rounding](exact)  # fmt: skip
    return clamp(whole, type_name)


LIMITS = [2.5, -2.5, 3.5, -0.75, 127.5, 128.0, -128.5, 255.5, 32767.5, 65535.5]
WIDE_LIMITS = [2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**64]


@pytest.mark.parametrize("rounding", ["truncates", *ROUNDINGS])
def test_floats_to_integers(rounding):
    """They are rounded to zero, or by the mode where bit 12 of cr0 is set."""
    generator = random.Random(rounding)
    control = KEEP_DENORMALS | 0x20 if rounding == "truncates" else KEEP_DENORMALS | 1 << 12 | ROUNDINGS[rounding] << 4
    mode = "zero" if rounding == "truncates" else rounding
    for source in ("f", "hf", "df"):
        batch = Batch(control=control)
        bits = floats(generator, source, LIMITS + (WIDE_LIMITS if source != "hf" else []))
        operand = f"r{batch.input(bits, BITS[size_of(source)])}.0<1;1,0>:{source}"
        for result in INTEGERS:
            expected = [to_integer(value_of(value, source), result, mode) for value in bits]
            for saturate in ("", "(sat)"):
                text = f"mov (32|M0) {saturate}{{dst}}.0<1>:{result} {operand}"
                batch.add(text, result, expected, inputs=[[value_of(value, source) for value in bits]])
        batch.check()


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_integers_to_floats(rounding):
    generator = random.Random(rounding)
    for source in INTEGERS:
        batch = Batch(control=KEEP_DENORMALS | ROUNDINGS[rounding] << 4)
        values = integers(generator, source)
        operand = f"r{batch.input(values, source)}.0<1;1,0>:{source}"
        for result in ("f", "hf", "df"):
            expected = [xe_numbers.round_exact(Fraction(value), result, rounding) for value in values]
            add_float(batch, f"mov (32|M0) {{dst}}.0<1>:{result} {operand}", result, expected, [values])
            # For 64 bits it is not documented whether the negated number has more.
            if size_of(source) < 8:
                expected = [xe_numbers.round_exact(Fraction(-value), result, rounding) for value in values]
                add_float(batch, f"mov (32|M0) {{dst}}.0<1>:{result} -{operand}", result, expected, [values])
            expected = [xe_numbers.to_bits(float(min(max(value, 0), 1)), result) for value in values]
            add_float(batch, f"mov (32|M0) (sat){{dst}}.0<1>:{result} {operand}", result, expected, [values])
        batch.check(is_same)


#: The limits of integers: floats are between these, and just beyond the largest ones.
NARROW = {
    "f": [0.1, 1 + 2**-24, 1 + 3 * 2**-24, 2.0**-149, 2.0**-150, 2.0**-150 * 1.5, 1e39, -1e39, 2.0**128 - 2.0**103],
    "hf": [65519.0, 65520.0, -65520.0, 65504.0, 2.0**-24, 2.0**-25, 2.0**-25 * 1.5, 2.0**-14 - 2.0**-26, 1 + 2**-11],
    "bf": [1 + 2**-8, 1 + 3 * 2**-8, 2.0**128 - 2.0**120, 2.0**-133, 2.0**-134],
}
CONVERSIONS = (("hf", "f"), ("f", "df"), ("hf", "df"), ("f", "hf"), ("df", "f"), ("df", "hf"), ("f", "bf"))


@pytest.mark.parametrize("keeps", [True, False], ids=["keeps", "flushes"])
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_floats_to_floats(rounding, keeps):
    """One rounding by the mode of cr0, which decides about overflow, too; exact the other way."""
    generator = random.Random(f"{rounding} {keeps}")
    batch = Batch(control=(KEEP_DENORMALS if keeps else 0) | ROUNDINGS[rounding] << 4)
    for result, source in CONVERSIONS:
        if not keeps and source == "bf":
            continue
        extra = [value for value in NARROW.get(result, []) if source == "df" or xe_numbers.has("f", value)]
        bits = floats(generator, source, extra if size_of(source) > size_of(result) else [])
        operand = f"r{batch.input(bits, BITS[size_of(source)])}.0<1;1,0>:{source}"
        values = [value_of(value if keeps else flush(value, source), source) for value in bits]
        expected = [round_to(value, result, rounding) for value in values]
        expected = [value if keeps else flush(value, result) for value in expected]
        add_float(batch, f"mov (32|M0) {{dst}}.0<1>:{result} {operand}", result, expected, [values])
        expected = [round_to(-abs(value), result, rounding) for value in values]
        expected = [value if keeps else flush(value, result) for value in expected]
        add_float(batch, f"mov (32|M0) {{dst}}.0<1>:{result} -(abs){operand}", result, expected, [values])
        clamped = [0.0 if math.isnan(value) else min(max(value, 0.0), 1.0) for value in values]
        expected = [round_to(value, result, rounding) for value in clamped]
        expected = [value if keeps else flush(value, result) for value in expected]
        text = f"mov (32|M0) (sat){{dst}}.0<1>:{result} {operand}"
        zeros = {0, FORMATS[result].sign << FORMATS[result].padding}
        batch.add(
            text,
            BITS[size_of(result)],
            [(result, zeros if value in zeros else {value}) for value in expected],
            inputs=[values],
        )
    batch.check(is_same)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_floats_that_round_to_nearest(rounding):
    """Formats of bf and tf32, whatever cr0."""
    generator = random.Random(rounding)
    batch = Batch(control=KEEP_DENORMALS | ROUNDINGS[rounding] << 4)
    halves = [1 + 2**-11, 1 + 3 * 2**-11, 2.0**128 - 2.0**104, 2.0**-126 - 2.0**-149, 2.0**-127, -(2.0**-130)]
    for result in ("bf", "tf32"):
        bits = floats(generator, "f", [*NARROW["bf"], *halves])
        operand = f"r{batch.input(bits, 'ud')}.0<1;1,0>:f"
        expected = []
        for value in bits:
            number = value_of(value, "f")
            if result == "tf32" and xe_numbers.is_denormal(number, "f"):
                number = math.copysign(0.0, number)
            expected.append(round_to(number, result, "nearest"))
        add_float(batch, f"mov (32|M0) {{dst}}.0<1>:{result} {operand}", result, expected, [bits])
    batch.check(is_same)


@pytest.mark.parametrize(("platform", "narrow"), [("xehpc", "bf8"), ("xe2", "bf8"), ("xe3", "bf8"), ("xe3", "hf8")])
def test_floats_of_8_bits(platform, narrow):
    """Every one of them, and f16 between them, to nearest even."""
    generator = random.Random(narrow)
    batch = Batch(platform=platform, control=KEEP_DENORMALS)
    codes = list(range(256))
    for begin in range(0, 256, LANES):
        part = codes[begin : begin + LANES]
        operand = f"r{batch.input(part, 'ub')}.0<1;1,0>:{narrow}"
        expected = [round_to(value_of(code, narrow), "hf", "nearest") for code in part]
        add_float(batch, f"mov (32|M0) {{dst}}.0<1>:hf {operand}", "hf", expected, [part])
    for _ in range(8):
        part = [generator.getrandbits(16) for _ in range(LANES)]
        # Half way between two of them, and beyond the largest.
        part[:6] = [xe_numbers.to_bits(value, "hf") for value in (1.0625, 1.125, 464.0, 464.25, -480.0, 61440.0)]
        operand = f"r{batch.input(part, 'uw')}.0<1;1,0>:hf"
        expected = [round_to(value_of(value, "hf"), narrow, "nearest") for value in part]
        expected = [None if narrow == "hf8" and value in (0x7F, 0xFF) else value for value in expected]
        add_float(batch, f"mov (32|M0) {{dst}}.0<1>:{narrow} {operand}", narrow, expected, [part])
        if narrow == "hf8":
            largest = [0xFE if value >> 15 else 0x7E for value in part]
            numbers = [value_of(value, "hf") for value in part]
            expected = [
                limit if value is None and not math.isnan(number) else value
                for value, limit, number in zip(expected, largest, numbers, strict=True)
            ]
            text = f"mov (32|M0) (sat){{dst}}.0<1>:{narrow} {operand}"
            add_float(batch, text, narrow, expected, [part])
    batch.check(is_same)


@pytest.mark.parametrize("control", [0, KEEP_DENORMALS])
def test_moves_copy_bits(control):
    """Between equal types: payloads of NaN and denormal numbers come through, also of selections."""
    generator = random.Random(control)
    batch = Batch(control=control)
    for type_name in ("f", "hf", "df", "bf"):
        kind = FORMATS[type_name]
        bits = [generator.getrandbits(8 * size_of(type_name)) for _ in range(LANES - 8)]
        bits += [kind.infinity | 1, kind.sign | kind.infinity | 1, 1, kind.sign | 1]
        bits += [kind.infinity | 1 << (kind.mantissa_bits - 1) | 5, kind.sign, 3, kind.infinity]
        other = [value ^ 3 for value in bits]
        stored = BITS[size_of(type_name)]
        first, second = (f"r{batch.input(values, stored)}.0<1;1,0>:{type_name}" for values in (bits, other))
        batch.add(f"mov (32|M0) {{dst}}.0<1>:{type_name} {first}", stored, bits)
        if type_name == "bf":
            continue
        flag = generator.getrandbits(32)
        expected = [a if flag >> lane & 1 else b for lane, (a, b) in enumerate(zip(bits, other, strict=True))]
        text = f"(W) mov (1|M0) f1.0<1>:ud 0x{flag:X}:ud\n(f1.0) sel (32|M0) {{dst}}.0<1>:{type_name} {first} {second}"
        batch.add(text, stored, expected)
    batch.add("mov (16|M0) {dst}.0<1>:f 0x00000040:f", "ud", [0x40] * 16)
    batch.add("mov (16|M0) {dst}.0<1>:f 0xFFFFFFFF:f", "ud", [0xFFFFFFFF] * 16)
    batch.add("mov (16|M0) {dst}.0<1>:f 0x7F800001:f", "ud", [0x7F800001] * 16)
    batch.check()


def test_immediates():
    batch = Batch()
    nibbles = [3, 0, 15, 8, 7, 1, 9, 12]
    packed = sum(nibble << 4 * i for i, nibble in enumerate(nibbles))
    signed = [nibble - 16 if nibble > 7 else nibble for nibble in nibbles] * 2
    batch.add(f"mov (16|M0) {{dst}}.0<1>:w 0x{packed:X}:v", "w", signed)
    batch.add(f"mov (16|M0) {{dst}}.0<1>:d 0x{packed:X}:v", "d", signed)
    batch.add(f"mov (16|M0) {{dst}}.0<1>:uw 0x{packed:X}:uv", "uw", nibbles * 2)
    batch.add(f"mov (16|M0) {{dst}}.0<1>:f 0x{packed:X}:v", "f", [float(value) for value in signed])
    ones = batch.input([100] * 16, "d")
    batch.add(f"add (16|M0) {{dst}}.0<1>:d r{ones}.0<1;1,0>:d 0x{packed:X}:v", "d", [100 + value for value in signed])
    batch.add(f"shl (16|M0) {{dst}}.0<1>:d r{ones}.0<1;1,0>:d 0x{packed:X}:uv", "d", [
        wrap(100 << nibble, "d") for nibble in nibbles * 2
    ])  # fmt: skip
    batch.add(f"and (16|M0) {{dst}}.0<1>:w r{ones}.0<2;1,0>:w 0x{packed:X}:v", "w", [100 & value for value in signed])
    floats = [0.1328125, -31.0, 0.0, 1.5]
    batch.add("mov (16|M0) {dst}.0<1>:f 0x3800FF01:vf", "f", floats * 4)
    batch.add("mov (16|M0) {dst}.0<1>:ud 0x808FF070:vf", "ud", [16, 0, 0, 0] * 4)
    batch.add(f"add (16|M0) {{dst}}.0<1>:f r{batch.input([1.0] * 16, 'f')}.0<1;1,0>:f 0x3800FF01:vf", "f", [
        float(np.float32(1 + value)) for value in floats
    ] * 4)  # fmt: skip
    batch.add("mov (16|M0) {dst}.0<1>:d -5:w", "d", [-5] * 16)
    batch.add("mov (16|M0) {dst}.0<1>:q 0xFFFFFFF0:ud", "q", [0xFFFFFFF0] * 16)
    batch.add("mov (16|M0) {dst}.0<1>:uq 0xFEDCBA9876543210:uq", "uq", [0xFEDCBA9876543210] * 16)
    batch.add("mov (16|M0) {dst}.0<1>:q -7:q", "q", [-7] * 16)
    batch.add("mov (16|M0) {dst}.0<1>:f 0x3C01:hf", "f", [float(np.float16(1.0009765625))] * 16)
    batch.add("mov (16|M0) {dst}.0<1>:df 0x3FF8000000000001:df", "uq", [0x3FF8000000000001] * 16)
    batch.add(f"add3 (16|M0) {{dst}}.0<1>:d -3:w r{ones}.0<1;0>:d 17:w", "d", [114] * 16)
    batch.check()


@dataclass
class Machine:
    """The literal rule of regions and masks, byte by byte."""

    registers: bytearray
    flags: list[int]
    live: int

    def element(self, start: int, region: tuple[int, int, int], index: int, size: int) -> int:
        v, w, h = region
        place = start + (index // w * v + index % w * h) * size
        return int.from_bytes(self.registers[place : place + size], "little")

    def store(self, start: int, stride: int, size: int, values: Sequence[int], enabled: Sequence[bool]) -> None:
        for lane, (value, is_on) in enumerate(zip(values, enabled, strict=True)):
            if is_on:
                place = start + lane * stride * size
                self.registers[place : place + size] = value.to_bytes(size, "little")


def draw_mask(generator: random.Random, machine: Machine, lanes: int, first: int) -> tuple[str, list[bool]]:
    """Draw a predicate or none, with or without the lanes that are off; and which lanes take part."""
    ignores = generator.random() < 0.3
    enabled = [ignores or bool(machine.live >> (first + lane) & 1) for lane in range(lanes)]
    parts = ["W"] if ignores else []
    number, half = generator.randrange(4), generator.randrange(2)
    begin = 16 * half + first
    if generator.random() < 0.6 and begin + lanes <= 32:
        bits = [bool(machine.flags[number] >> (begin + lane) & 1) for lane in range(lanes)]
        function, inverts = generator.choice(("", "", ".any", ".all")), generator.random() < 0.5
        if function:
            bits = [any(bits) if function == ".any" else all(bits)] * lanes
        enabled = [is_on and bit != inverts for is_on, bit in zip(enabled, bits, strict=True)]
        parts.append(f"{'~' if inverts else ''}f{number}.{half}{function}")
    return f"({'&'.join(parts)}) " if parts else "", enabled


UNARY_REGIONS = [(v, w, h) for v in (0, 1, 2, 4, 8, 16, 32) for w in (1, 2, 4, 8, 16) for h in (0, 1, 2, 4)]


def draw_region(generator: random.Random, lanes: int, size: int) -> tuple[int, int, int]:
    """Draw a region that the encoding has; rows no longer than the instruction, and within some registers."""
    while True:
        v, w, h = generator.choice(UNARY_REGIONS)
        if w <= lanes and ((lanes // w - 1) * v + (w - 1) * h + 1) * size <= 1024 and (w > 1 or h == 0):
            return v, w, h


def draw_start(generator: random.Random, size: int) -> tuple[int, str]:
    register, sub = generator.randrange(2, 80), generator.randrange(REGISTER_BYTES // size)
    return register * REGISTER_BYTES + sub * size, f"r{register}.{sub}"


def draw_move(generator: random.Random, machine: Machine, register: int) -> str:
    """Draw a move between regions, into separate registers."""
    type_name = generator.choice(("ub", "uw", "ud", "uq", "f", "hf"))
    size = size_of(type_name)
    lanes = generator.choice((1, 2, 4, 8, 16, 32))
    first = generator.choice((0, 16)) if lanes <= 16 else 0
    stride = generator.choice([stride for stride in (1, 2, 4) if lanes * stride * size <= 192] or [1])
    prefix, enabled = draw_mask(generator, machine, lanes, first)
    start, name = draw_start(generator, size)
    region = draw_region(generator, lanes, size)
    values = [machine.element(start, region, lane, size) for lane in range(lanes)]
    sub = generator.randrange(min(REGISTER_BYTES // size, 4))
    machine.store(register * REGISTER_BYTES + sub * size, stride, size, values, enabled)
    v, w, h = region
    return f"{prefix}mov ({lanes}|M{first}) r{register}.{sub}<{stride}>:{type_name} {name}<{v};{w},{h}>:{type_name}"


def draw_ternary(generator: random.Random, machine: Machine, register: int) -> str:
    """Draw an exclusive or of three regions; two have no width: that of rows that follow each other, or repeat."""
    type_name = generator.choice(("uw", "ud"))
    size = size_of(type_name)
    lanes = generator.choice((8, 16))
    first = generator.choice((0, 16))
    prefix, enabled = draw_mask(generator, machine, lanes, first)
    operands, columns = [], []
    for i in range(3):
        # Sub-registers of three sources are multiples of two bytes.
        start, name = draw_start(generator, size)
        if i < 2:
            v, h = generator.choice(((0, 0), (1, 0), (4, 2), (4, 1), (8, 4), (8, 2), (8, 1), (4, 0)))
            region, text = (v, v // h if h else max(v, 1), h), f"<{v};{h}>"
        else:
            h = generator.choice((0, 1, 2, 4))
            region, text = (h, 1, 0), f"<{h}>"
        columns.append([machine.element(start, region, lane, size) for lane in range(lanes)])
        operands.append(f"{name}{text}:{type_name}")
    values = [a ^ b ^ c for a, b, c in zip(*columns, strict=True)]
    machine.store(register * REGISTER_BYTES, 1, size, values, enabled)
    return f"{prefix}bfn.0x96 ({lanes}|M{first}) r{register}.0<1>:{type_name} {' '.join(operands)}"


def draw_indirect(generator: random.Random, machine: Machine, register: int) -> str:
    """Draw an address for each lane, one address and a region after it, or one of the destination."""
    type_name = generator.choice(("ub", "uw", "ud", "uq"))
    size = size_of(type_name)
    kind = generator.choice(("lanes", "region", "destination", "one register"))
    has_lanes = kind in ("lanes", "one register")
    lanes = generator.choice((8, 16)) if has_lanes else generator.choice((4, 16))
    prefix, enabled = draw_mask(generator, machine, lanes, 0)
    first = generator.randrange(17 - lanes) if has_lanes else generator.randrange(16)
    offset = generator.randrange(-16, 17) * size
    bound = 80 * REGISTER_BYTES // size
    addresses = [generator.randrange(2 * REGISTER_BYTES // size, bound) * size for _ in range(16)]
    if kind == "destination":
        addresses[first] = register * REGISTER_BYTES + generator.randrange(2) * size - offset
    elif kind == "lanes":
        # The values of lanes that take no part do not matter there.
        for lane, is_on in enumerate(enabled):
            if not is_on:
                addresses[first + lane] = 0xFFF8
    opcode = "mov"
    lines = [
        f"(W) mov (1|M0) a0.{i // 2}<1>:ud 0x{addresses[i] | addresses[i + 1] << 16:X}:ud" for i in range(0, 16, 2)
    ]
    if kind == "destination":
        start, name = draw_start(generator, size)
        values = [machine.element(start, (1, 1, 0), lane, size) for lane in range(lanes)]
        machine.store(addresses[first] + offset, 1, size, values, enabled)
        target, source = f"r[a0.{first},{offset}]<1>:{type_name}", f"{name}<1;1,0>:{type_name}"
    elif kind == "region":
        v, w, h = region = draw_region(generator, lanes, size)
        values = [machine.element(addresses[first] + offset, region, lane, size) for lane in range(lanes)]
        machine.store(register * REGISTER_BYTES, 1, size, values, enabled)
        target, source = f"r{register}.0<1>:{type_name}", f"r[a0.{first},{offset}]<{v};{w},{h}>:{type_name}"
    elif kind == "one register":
        # For all addresses but the first one, only the place in a register counts.
        places = [address + offset for address in addresses[first : first + lanes]]
        begin = places[0] // REGISTER_BYTES * REGISTER_BYTES
        values = [machine.element(begin + place % REGISTER_BYTES, (0, 1, 0), 0, size) for place in places]
        machine.store(register * REGISTER_BYTES, 1, size, values, enabled)
        opcode = "movi"
        region = generator.choice(("8;8,1", "1,0"))
        target, source = f"r{register}.0<1>:{type_name}", f"r[a0.{first},{offset}]<{region}>:{type_name} null<1;1,0>:ud"
    else:
        values = [
            machine.element(addresses[first + lane] + offset, (0, 1, 0), 0, size) if enabled[lane] else 0
            for lane in range(lanes)
        ]
        machine.store(register * REGISTER_BYTES, 1, size, values, enabled)
        target, source = f"r{register}.0<1>:{type_name}", f"r[a0.{first},{offset}]<1,0>:{type_name}"
    lines.append(f"{prefix}{opcode} ({lanes}|M0) {target} {source}")
    return "\n".join(lines)


def check_programs(draw, seed: str, count: int) -> None:
    """Random instructions: all registers of the thread must be those of the literal rule."""
    generator = random.Random(seed)
    for _ in range(count):
        content = {2: np.frombuffer(generator.randbytes(110 * REGISTER_BYTES), np.uint8)}
        live = generator.choice((0xFFFFFFFF, 0x0000FFFF, generator.getrandbits(32) | 1))
        machine = Machine(
            bytearray([POISON] * (REGISTERS * REGISTER_BYTES)), [generator.getrandbits(32) for _ in range(4)], live
        )
        machine.flags[3] = generator.choice((0, 0xFFFFFFFF))
        machine.registers[2 * REGISTER_BYTES : 112 * REGISTER_BYTES] = content[2].tobytes()
        lines = [f"(W) mov (1|M0) f{i}.0<1>:ud 0x{flag:X}:ud" for i, flag in enumerate(machine.flags)]
        lines += [draw(generator, machine, register) for register in range(112, 252, 5)]
        state = run("\n".join(lines), content, lanes=live)
        different = np.nonzero(state.bytes.reshape(-1) != np.frombuffer(bytes(machine.registers), np.uint8))[0]
        assert not different.size, (
            f"{lines[4 + (different[0] // REGISTER_BYTES - 112) // 5]}: byte {different[0] % REGISTER_BYTES} of "
            f"r{different[0] // REGISTER_BYTES}; flags {machine.flags}, lanes {live:#x}"
        )


@pytest.mark.parametrize("draw", [draw_move, draw_ternary, draw_indirect])
def test_regions(draw):
    check_programs(draw, draw.__name__, 12)


@pytest.mark.full
@pytest.mark.parametrize("draw", [draw_move, draw_ternary, draw_indirect])
def test_many_regions(draw):
    check_programs(draw, f"many {draw.__name__}", 100)


def test_predicates_choose_but_do_not_mask_selections():
    generator = random.Random(3)
    live = 0x5AF0F00F
    batch = Batch(live=live)
    a = [generator.getrandbits(32) for _ in range(LANES)]
    b = [generator.getrandbits(32) for _ in range(LANES)]
    operands = f"r{batch.input(a, 'ud')}.0<1;1,0>:ud r{batch.input(b, 'ud')}.0<1;1,0>:ud"
    for flag in (0, 0xFFFFFFFF, generator.getrandbits(32)):
        for predicate, chosen in (
            ("f0.0", [bool(flag >> lane & 1) for lane in range(LANES)]),
            ("~f0.0", [not flag >> lane & 1 for lane in range(LANES)]),
            ("f0.0.any", [flag != 0] * LANES),
            ("~f0.0.all", [flag != 0xFFFFFFFF] * LANES),
        ):
            for prefix, enabled in (("", live), ("W&", 0xFFFFFFFF)):
                expected = [
                    (x if first else y) if enabled >> lane & 1 else None
                    for lane, (x, y, first) in enumerate(zip(a, b, chosen, strict=True))
                ]
                text = (
                    f"(W) mov (1|M0) f0.0<1>:ud 0x{flag:X}:ud\n"
                    f"({prefix}{predicate}) sel (32|M0) {{dst}}.0<1>:ud {operands}"
                )
                batch.add(text, "ud", expected, inputs=[a, b])
    batch.check()


def test_upper_half_of_a_flag():
    """Two flags of 16 bits in one register, and lanes 16 to 31 of one of 32."""
    generator = random.Random(4)
    batch = Batch()
    a = [generator.randrange(-5, 6) for _ in range(16)]
    bits = sum(int(value < 0) << lane for lane, value in enumerate(a))
    operand = f"r{batch.input(a, 'd')}.0<1;1,0>:d"
    for place, lanes in (("f1.1", "16|M0"), ("f1.0", "16|M16")):
        before = generator.getrandbits(32)
        text = (
            f"(W) mov (1|M0) f1.0<1>:ud 0x{before:X}:ud\ncmp ({lanes}) (lt){place} null<1>:d {operand} 0:w\n"
            "(W) mov (1|M0) {dst}.0<1>:ud f1.0<0;1,0>:ud"
        )
        batch.add(text, "ud", [before & 0xFFFF | bits << 16])
    batch.check()
