"""The records in the profile memory of a launch; its layout is described in docs/Dialects/ProtonGPU.md."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterable, Iterator

PREAMBLE = 0xDEADBEEF
_PREAMBLE_WORDS = 10
#: Words in front of the pieces of the arena, and of the records in a piece.
ARENA_WORDS = _PIECE_WORDS = 4
_SCOPE_SHIFT, _END_SHIFT = 23, 31


@dataclasses.dataclass(frozen=True)
class Record:
    """One begin or end; `clock` in cycles, with the low bits of it alone."""

    scope: int
    is_start: bool
    clock: int


@dataclasses.dataclass(frozen=True)
class Interval:
    """A scope that was entered and left by a warp of a program; times in cycles."""

    scope: int
    warp: int
    begin: int
    end: int


@dataclasses.dataclass(frozen=True)
class Program:
    """What one program did. `begin` and `end` are readings of the whole clock.

    Times of intervals are without readings of the clock: a record is as much earlier as those in front of it took.
    """

    number: int
    begin: int
    end: int
    intervals: tuple[Interval, ...]
    #: Records that were overwritten by later ones, or had no place.
    lost: int


@dataclasses.dataclass(frozen=True)
class Layout:
    """How a kernel was compiled: where its records are."""

    program_bytes: int
    num_warps: int
    #: The units that make records; the first of the `warps_per_unit` warps of each does.
    units: tuple[int, ...]
    warps_per_unit: int
    clock_bits: int
    #: Bytes behind those of all programs, for segments that were full; 0: these lose their oldest records instead.
    arena_bytes: int = 0
    #: The programs that have memory; none: all of them.
    programs: tuple[int, ...] = ()

    def memory_bytes(self, num_programs: int) -> int:
        """What a launch has to provide: zeros, but for the size of the arena (`arena_header`)."""
        return (len(self.programs) or num_programs) * self.program_bytes + self.arena_bytes

    def arena_header(self) -> bytes:
        """The words that the arena begins with."""
        return struct.pack(f"<{ARENA_WORDS}I", 0, self.arena_bytes // 4 - ARENA_WORDS, 0, 0)


#: Words of records by the program and the warp that wrote them, and by the number of the first of them.
Pieces = dict[tuple[int, int], dict[int, tuple[int, ...]]]


def decode(memory: bytes, layout: Layout) -> list[Program]:
    """The programs of a launch whose records are in `memory`."""
    end = len(memory) - layout.arena_bytes
    pieces = _find_pieces(_unpack(memory[end:]))
    programs = [_unpack(memory[i : i + layout.program_bytes]) for i in range(0, end, layout.program_bytes)]
    made = [words for words in programs if words[0] == PREAMBLE]
    # Anything may come between two readings in one of them.
    cost = min((words[2] & 0xFFFF for words in made), default=0)
    return [_decode_program(words, layout, pieces, cost) for words in made]


def _unpack(memory: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(memory) // 4}I", memory)


def used_arena_bytes(arena: bytes) -> int:
    """The part of an arena that has records in it, with its header."""
    used, capacity = struct.unpack_from("<2I", arena)
    return 4 * (ARENA_WORDS + min(used, capacity))


def _find_pieces(arena: tuple[int, ...]) -> Pieces:
    """What is in the arena; nothing if there is none."""
    pieces: Pieces = {}
    if len(arena) < ARENA_WORDS:
        return pieces
    used, capacity = arena[:2]
    capacity = min(capacity, len(arena) - ARENA_WORDS)
    place = ARENA_WORDS
    # All pieces have one size: the first one without a place is the last that there is.
    while place + _PIECE_WORDS <= ARENA_WORDS + min(used, capacity):
        program, warp, count, begin = arena[place : place + _PIECE_WORDS]
        if place + _PIECE_WORDS + count > ARENA_WORDS + capacity or not count:
            break
        pieces.setdefault((program, warp), {})[begin] = arena[place + _PIECE_WORDS :][:count]
        place += _PIECE_WORDS + count
    return pieces


def _decode_program(words: tuple[int, ...], layout: Layout, pieces: Pieces, cost: int) -> Program:
    begin, end = words[4] | words[5] << 32, words[6] | words[7] << 32
    segment_words = words[3] // 4 // len(layout.units)
    first = _PREAMBLE_WORDS + layout.num_warps
    intervals: list[Interval] = []
    lost = 0
    for place, unit in enumerate(layout.units):
        warp = unit * layout.warps_per_unit
        count = words[_PREAMBLE_WORDS + warp]
        start = first + place * segment_words
        segment = words[start : start + min(count, segment_words)]
        if layout.arena_bytes:
            # What the segment had since it was full for the last time, behind what it had before.
            rest = (count - 1) % segment_words + 1 if count else 0
            parts = pieces.get((words[1], warp), {}) | {count - rest: segment[:rest]}
            kept = tuple(word for begin in sorted(parts) for word in parts[begin])
        else:
            # The oldest record is behind the latest one where the segment was full.
            oldest = count % segment_words if count > segment_words else 0
            kept = segment[oldest:] + segment[:oldest]
        missing = (count - len(kept)) // 2
        records = map(_decode_record, _pairs(kept))
        intervals += _match(warp, _without_readings(records, begin, layout.clock_bits, missing, cost))
        lost += missing
    return Program(words[1], begin, end, tuple(intervals), lost)


def _pairs(words: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    return zip(words[::2], words[1::2], strict=True)


def _decode_record(words: tuple[int, int]) -> Record:
    tag, low = words
    return Record(
        scope=tag >> _SCOPE_SHIFT & 0xFF,
        is_start=not tag >> _END_SHIFT,
        clock=(tag & 0x7FF) << 32 | low,
    )


def _without_readings(
    records: Iterable[Record], begin: int, clock_bits: int, number: int, cost: int
) -> Iterator[tuple[Record, int]]:
    """Records with their whole times, without the `cost` of each reading before; the first one is the `number`th.

    Their order stays, where one took less than others do.
    """
    last = 0
    for place, record in enumerate(records, number):
        # No record is older than the program.
        clock = begin + ((record.clock - begin) & ((1 << clock_bits) - 1))
        last = max(clock - place * cost, last + 1)
        yield record, last


def _match(warp: int, records: Iterable[tuple[Record, int]]) -> Iterator[Interval]:
    """Pairs of begins and ends; records that have lost their other half are left out."""
    open_scopes: dict[int, int] = {}
    for record, time in records:
        if record.is_start:
            open_scopes[record.scope] = time
        elif record.scope in open_scopes:
            yield Interval(record.scope, warp, open_scopes.pop(record.scope), time)
