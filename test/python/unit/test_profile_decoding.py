"""Records of memory that was written by hand: times, order, what is lost, and memory that is damaged."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from triton_xe.profiler import records

BEGIN = 5 << 40
COST = 10


def record(scope: int, is_end: bool, clock: int, bits: int = 43) -> tuple[int, int]:
    clock &= (1 << bits) - 1
    return (is_end << 31) | scope << 23 | clock >> 32, clock & 0xFFFFFFFF


def make_program(
    segments: list[list[tuple[int, int]]], counts: list[int], number: int = 0, cost: int = COST, begin: int = BEGIN
) -> bytes:
    """Profile memory of a program: the segments as they lie in memory, and the words that each warp wrote."""
    preamble = struct.pack(
        "<4I3Q", records.PREAMBLE, number, cost, 8 * sum(map(len, segments)), begin, begin + 10**6, 0
    )
    words = counts + [word for segment in segments for pair in segment for word in pair]
    return preamble + struct.pack(f"<{len(words)}I", *words)


def make_layout(program: bytes, num_warps: int, **fields) -> records.Layout:
    units = tuple(range(num_warps))
    fields = {"units": units, "warps_per_unit": 1, "clock_bits": 43} | fields
    return records.Layout(program_bytes=len(program), num_warps=num_warps, **fields)


def test_times_are_without_readings_of_the_clock():
    """Each record is as much earlier as the readings before it took."""
    times = [100, 120, 150, 165, 180, 300]
    scopes = [(0, False), (1, False), (1, True), (2, False), (2, True), (0, True)]
    segment = [record(scope, is_end, BEGIN + time) for (scope, is_end), time in zip(scopes, times, strict=True)]
    memory = make_program([segment], [12])
    (program,) = records.decode(memory, make_layout(memory, 1))
    assert [(i.scope, i.begin - BEGIN, i.end - BEGIN) for i in program.intervals] == [
        (1, 120 - 10, 150 - 20),
        (2, 165 - 30, 180 - 40),
        (0, 100, 300 - 50),
    ]


def test_cost_is_the_least_of_all_programs():
    """Something came between the two readings of one of them; a record that took less than others keeps its place."""
    segment = [record(0, False, BEGIN + 100), record(0, True, BEGIN + 104)]
    programs = [make_program([segment], [4], number, cost) for number, cost in enumerate((5000, COST))]
    decoded = records.decode(b"".join(programs), make_layout(programs[0], 1))
    assert [program.number for program in decoded] == [0, 1]
    assert [(i.begin - BEGIN, i.end - BEGIN) for program in decoded for i in program.intervals] == [(100, 101)] * 2


@given(
    start=st.integers(0, 2**45),
    steps=st.lists(st.integers(2 * COST, 2**28), min_size=2, max_size=8),
    bits=st.sampled_from([32, 43]),
)
def test_the_clock_wraps_around(start, steps, bits):
    """Whatever it is when the program begins, its low bits are enough for as long as they do not wrap twice."""
    clock, segment = start, []
    for place, step in enumerate(steps[: len(steps) // 2 * 2]):
        clock += step
        segment.append(record(0, bool(place % 2), clock, bits))
    memory = make_program([segment], [2 * len(segment)], begin=start)
    (program,) = records.decode(memory, make_layout(memory, 1, clock_bits=bits))
    assert len(program.intervals) == len(segment) // 2
    assert program.intervals[-1].end == clock - (len(segment) - 1) * COST


def test_programs_without_records_and_halves_of_scopes():
    """Zeros are a program that made none; an end without its begin, and a begin without its end, are left out."""
    segment = [record(3, True, BEGIN + 1), record(4, False, BEGIN + 20)]
    memory = make_program([segment], [4])
    decoded = records.decode(bytes(len(memory)) + memory, make_layout(memory, 1))
    assert len(decoded) == 1
    assert decoded[0].intervals == ()


@given(noise=st.binary(min_size=0, max_size=400))
def test_damaged_arenas_end(noise):
    """Whatever is in it: no error, no endless loop."""
    segment = [record(0, False, BEGIN + 100), record(0, True, BEGIN + 200)]
    memory = make_program([segment], [4])
    arena = noise[: len(noise) // 4 * 4]
    layout = make_layout(memory, 1, arena_bytes=len(arena))
    assert len(records.decode(memory + arena, layout)) == 1
