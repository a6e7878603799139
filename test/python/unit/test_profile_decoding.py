# SPDX-License-Identifier: MIT
"""Records of memory that was written by hand: times, order, what is lost, and memory that is damaged."""

from __future__ import annotations

import struct
import time

from hypothesis import given
from hypothesis import strategies as st
from profile_memory import BEGIN, COST, make_layout, make_program, record

from triton_xe.tools.profiler import decoding


def test_times_are_without_readings_of_the_clock():
    """Each record is earlier by the time of the readings before it."""
    times = [100, 120, 150, 165, 180, 300]
    scopes = [(0, False), (1, False), (1, True), (2, False), (2, True), (0, True)]
    segment = [record(scope, is_end, BEGIN + time) for (scope, is_end), time in zip(scopes, times, strict=True)]
    memory = make_program([segment], [12])
    (program,) = decoding.decode(memory, make_layout(memory, 1))
    assert [(i.scope, i.begin - BEGIN, i.end - BEGIN) for i in program.intervals] == [
        (0, 100, 300 - 50),
        (1, 120 - 10, 150 - 20),
        (2, 165 - 30, 180 - 40),
    ]


def test_cost_is_the_least_of_all_programs():
    """Something came between the two readings of one of them; a record that took less than others keeps its place."""
    segment = [record(0, False, BEGIN + 100), record(0, True, BEGIN + 104)]
    programs = [make_program([segment], [4], number, cost) for number, cost in enumerate((5000, COST))]
    decoded = decoding.decode(b"".join(programs), make_layout(programs[0], 1))
    assert [program.number for program in decoded] == [0, 1]
    assert [(i.begin - BEGIN, i.end - BEGIN) for program in decoded for i in program.intervals] == [(100, 101)] * 2


@given(
    start=st.integers(0, 2**45),
    steps=st.lists(st.integers(2 * COST, 2**28), min_size=2, max_size=8),
    bits=st.sampled_from([32, 43]),
)
def test_the_clock_wraps_around(start, steps, bits):
    """Low bits are enough as long as they do not wrap twice, whatever the clock is when the program begins."""
    clock, segment = start, []
    for place, step in enumerate(steps[: len(steps) // 2 * 2]):
        clock += step
        segment.append(record(0, bool(place % 2), clock, bits))
    memory = make_program([segment], [2 * len(segment)], begin=start)
    (program,) = decoding.decode(memory, make_layout(memory, 1, clock_bits=bits))
    assert len(program.intervals) == len(segment) // 2
    assert program.intervals[-1].end == clock - (len(segment) - 1) * COST


def test_programs_without_records_and_halves_of_scopes():
    """Zeros are a program that made none; an end without its begin, and a begin without its end, are left out."""
    segment = [record(3, True, BEGIN + 1), record(4, False, BEGIN + 20)]
    memory = make_program([segment], [4])
    decoded = decoding.decode(bytes(len(memory)) + memory, make_layout(memory, 1))
    assert len(decoded) == 1
    assert decoded[0].intervals == ()


def test_programs_that_did_not_end():
    """A program that stopped has a begin only, and the others their records; no unit, no records."""
    segment = [record(3, False, BEGIN + 1), record(3, True, BEGIN + 20)]
    memory = make_program([segment], [4], number=1)
    stopped = make_program([segment], [0], number=0)
    # Word 3 is the size of the segments, which is written at the end.
    stopped = stopped[:12] + bytes(4) + stopped[16:]
    decoded = decoding.decode(stopped + memory, make_layout(memory, 1))
    assert [(program.number, len(program.intervals)) for program in decoded] == [(1, 1)]
    assert decoding.decode(memory, make_layout(memory, 1, units=())) == []
    assert decoding.decode(b"", make_layout(memory, 1)) == []


@given(noise=st.binary(min_size=0, max_size=400))
def test_damaged_arenas_end(noise):
    """Whatever is in it, there is no error and no endless loop."""
    segment = [record(0, False, BEGIN + 100), record(0, True, BEGIN + 200)]
    memory = make_program([segment], [4])
    arena = noise[: len(noise) // 4 * 4]
    layout = make_layout(memory, 1, arena_bytes=len(arena))
    assert len(decoding.decode(memory + arena, layout)) == 1


def decode_marks(*warps: list[tuple], counts: list[int] | None = None) -> list[tuple]:
    """Decode intervals of one program from (scope, is an end, time, is of an event) of each warp.

    As (scope, first warp, last warp, begin, end, row, depth); readings of the clock cost nothing.
    """
    size = max(map(len, warps))
    segments = [
        [record(scope, is_end, BEGIN + time, is_event=is_event) for scope, is_end, time, is_event in warp]
        + [(0, 0)] * (size - len(warp))
        for warp in warps
    ]
    memory = make_program(segments, counts or [2 * len(warp) for warp in warps], cost=0)
    (program,) = decoding.decode(memory, make_layout(memory, len(warps)))
    return [(i.scope, i.warp, i.end_warp, i.begin - BEGIN, i.end - BEGIN, i.lane, i.depth) for i in program.intervals]


def test_processor():
    """Beside the cost of a reading, which it does not change; 0 is none."""
    segment = [record(0, False, BEGIN + 100), record(0, True, BEGIN + 200)]
    programs = [make_program([segment], [4], number, processor=number - 1) for number in range(3)]
    decoded = decoding.decode(b"".join(programs), make_layout(programs[0], 1))
    assert [program.processor for program in decoded] == [-1, 0, 1]
    assert [(p.begin, p.end, p.copied) for p in decoded] == [(BEGIN, BEGIN + 10**6, BEGIN + 2 * 10**6)] * 3
    assert {i.end - i.begin for p in decoded for i in p.intervals} == {100 - COST}


def test_nested_scopes_share_a_row():
    warp = [(0, False, 10, False), (1, False, 20, False), (1, True, 30, False), (0, True, 40, False)]
    assert decode_marks(warp, warp) == [
        *((0, 0, 0, 10, 40, 0, 0), (1, 0, 0, 20, 30, 0, 1)),
        *((0, 1, 1, 10, 40, 0, 0), (1, 1, 1, 20, 30, 0, 1)),
    ]


def test_scopes_that_are_not_nested_have_rows():
    """The second of two that overlap; what is in it goes with it."""
    warp = [(0, False, 10, False), (1, False, 20, False), (2, False, 30, False), (2, True, 40, False)]
    warp += [(0, True, 50, False), (1, True, 60, False), (3, False, 70, False), (3, True, 80, False)]
    assert decode_marks(warp) == [
        *((0, 0, 0, 10, 50, 0, 0), (1, 0, 0, 20, 60, 1, 0), (2, 0, 0, 30, 40, 0, 1), (3, 0, 0, 70, 80, 0, 0)),
    ]


def test_events_of_a_warp():
    """Ends take the oldest begin of the event; those that overlap have rows below the scopes."""
    warp = [(0, False, 5, False), (1, False, 10, True), (1, False, 20, True), (1, True, 30, True)]
    warp += [(1, True, 40, True), (0, True, 50, False)]
    assert decode_marks(warp) == [(0, 0, 0, 5, 50, 0, 0), (1, 0, 0, 10, 30, 1, 0), (1, 0, 0, 20, 40, 2, 0)]


def test_events_that_end_in_another_warp():
    """A warp's own begins come first, then the oldest of all; an end that nothing began before it is left out."""
    first = [(1, True, 5, True), (1, False, 10, True), (1, False, 20, True), (1, True, 60, True)]
    second = [(1, False, 30, True), (1, True, 40, True), (1, True, 50, True)]
    assert decode_marks(first, second) == [
        *((1, 0, 1, 10, 50, 0, 0), (1, 0, 0, 20, 60, 0, 0)),
        (1, 1, 1, 30, 40, 0, 0),
    ]


def test_events_that_lost_their_begin():
    """An end does not take another warp's begin where its own was overwritten; where it cannot have one, it does."""
    first = [(1, False, 10, True), (2, False, 15, True), (3, False, 16, False), (3, True, 17, False)]
    second = [(1, True, 20, True), (1, False, 30, True), (1, True, 40, True), (2, True, 50, True)]
    # The second warp wrote four records before these.
    assert decode_marks(first, second, counts=[8, 16]) == [
        *((2, 0, 1, 15, 50, 0, 0), (3, 0, 0, 16, 17, 0, 0)),
        (1, 1, 1, 30, 40, 0, 0),
    ]


def test_pieces_of_the_arena():
    """Records of full segments come before the rest; their numbers show how many readings were before them."""
    times = [(place % 2 == 1, BEGIN + 100 * place) for place in range(10)]
    segment = [record(0, is_end, time) for is_end, time in times[8:]] + [record(0, False, 0)] * 2
    memory = make_program([segment], [20], number=7)
    pieces = []
    # The later piece first: warps take places as they need them.
    for first in (4, 0):
        words = [word for is_end, time in times[first : first + 4] for word in record(0, is_end, time)]
        pieces += [7, 0, len(words), 2 * first, *words]
    arena = struct.pack(f"<{4 + len(pieces)}I", len(pieces), len(pieces), 0, 0, *pieces)
    (program,) = decoding.decode(memory + arena, make_layout(memory, 1, arena_bytes=len(arena)))
    assert program.lost == 0
    assert [(i.begin - BEGIN, i.end - BEGIN) for i in program.intervals] == [
        (200 * k - 2 * k * COST, 200 * k + 100 - (2 * k + 1) * COST) for k in range(5)
    ]


def test_many_records():
    """There are many programs and warps, more than are decoded at a time: this is as fast as arrays are."""
    num_warps, count, programs = 32, 100, 700
    marks = [record(place // 2 % 2, bool(place % 2), BEGIN + 50 * place) for place in range(count)]
    one = make_program([marks] * num_warps, [2 * count] * num_warps)
    begin = time.perf_counter()
    decoded = decoding.decode(one * programs, make_layout(one, num_warps))
    seconds = time.perf_counter() - begin
    assert sum(len(program.columns) for program in decoded) == programs * num_warps * count // 2
    assert decoded[0].intervals == decoded[-1].intervals
    # 2.2 million records; a second on an idle machine.
    assert seconds < 30
