# SPDX-License-Identifier: MIT
"""Decode the words of profile memory to intervals, for all records of a launch at once.

A *group* is a unit of a program: the records of one warp, in the order of their times. `_Chunk` finds the records,
computes their times, and matches begins with ends.
"""

from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Iterator

import numpy as np

from triton_xe.tools.profiler import records

PREAMBLE = 0xDEADBEEF
_PREAMBLE_WORDS = 10
#: The number of words before the records of a piece of the arena.
_PIECE_WORDS = 4
_SCOPE_SHIFT, _EVENT_SHIFT, _END_SHIFT = 23, 22, 31
_NUM_SCOPES = 256
#: The numbers of records and groups that are decoded at once, with some hundred bytes of memory for each. A key of 64
#: bits has the time within a program (43 bits) and the number of the group.
_CHUNK_RECORDS, _CHUNK_GROUPS, _GROUP_SHIFT = 1 << 20, 1 << 16, 46


def decode(memory: bytes, layout: records.Layout) -> list[records.Program]:
    """Decode the programs of a launch whose records are in `memory`."""
    words = np.frombuffer(memory, np.uint32, len(memory) // 4)
    program_words, arena_words = layout.program_bytes // 4, layout.arena_bytes // 4
    num_programs = (len(words) - arena_words) // program_words
    arena = words[len(words) - arena_words :] if arena_words else words[:0]
    programs = words[: num_programs * program_words].reshape(num_programs, program_words)
    made = np.flatnonzero(programs[:, 0] == PREAMBLE)
    # All have segments of one size; a program that did not end has not recorded it, nor how much it wrote.
    made = made[programs[made, 3] == programs[made, 3].max(initial=0)]
    if not len(made) or not layout.units:
        return []
    # Anything may come between two readings in one of them.
    cost = int((programs[made, 2] & 0xFFFF).min())
    pieces = _Pieces.find(arena)
    first = _PREAMBLE_WORDS + layout.num_warps
    segment_words = min(int(programs[made[0], 3]) // 4, program_words - first) // len(layout.units)
    num_units = len(layout.units)
    step = max(min(_CHUNK_RECORDS * 2 // max(segment_words * num_units, 1), _CHUNK_GROUPS // num_units), 1)
    return [
        program
        for start in range(0, len(made), step)
        for program in _Chunk(programs[made[start : start + step]], layout, segment_words // 2, pieces, cost).decode()
    ]


@dataclasses.dataclass(frozen=True, eq=False)
class _Pieces:
    """The pieces of the arena, each a row of records, which are pairs of words."""

    program: np.ndarray
    warp: np.ndarray
    #: The number of the first record.
    number: np.ndarray
    words: np.ndarray

    @staticmethod
    def find(arena: np.ndarray) -> _Pieces:
        """Find the pieces. All have one size, so the first piece that does not fit is the last one."""
        header = records.ARENA_WORDS
        used = min(int(arena[0]), int(arena[1])) if len(arena) > header else 0
        rows = arena[header : header + used]
        count = int(rows[2]) // 2 * 2 if len(rows) > _PIECE_WORDS else 0
        size = _PIECE_WORDS + count
        rows = rows[: len(rows) // size * size if count else 0].reshape(-1, size)
        rows = rows[np.logical_and.accumulate(rows[:, 2] == count)]
        words = rows[:, _PIECE_WORDS:].reshape(len(rows), count // 2, 2)
        return _Pieces(rows[:, 0], rows[:, 1], rows[:, 3] // 2, words)


class _Chunk:
    """Some programs of a launch, as rows of their words."""

    def __init__(
        self, words: np.ndarray, layout: records.Layout, segment_records: int, pieces: _Pieces, cost: int
    ) -> None:
        self.words, self.layout = words, layout
        self.segment_records, self.pieces, self.cost = segment_records, pieces, cost
        self.num_units = len(layout.units)
        self.warps = np.array(layout.units, np.int64) * layout.warps_per_unit
        self.begin = self._clock(4)

    def _clock(self, word: int) -> np.ndarray:
        return self.words[:, word].astype(np.int64) | self.words[:, word + 1].astype(np.int64) << 32

    def decode(self) -> Iterator[records.Program]:
        """Return the programs with their intervals."""
        self._find_records()
        self._find_times()
        columns, program = self._intervals()
        bounds = np.searchsorted(program, np.arange(len(self.words) + 1)).tolist()
        made = np.bincount(self.group // self.num_units, minlength=len(self.words))
        lost = self.counts.sum(1) - made
        fields = (self.words[:, 1], (self.words[:, 2] >> 16).astype(np.int64) - 1, self.begin)
        fields += (self._clock(6), self._clock(8), lost)
        rows = zip(*(field.tolist() for field in fields), itertools.pairwise(bounds), strict=True)
        for *values, (start, end) in rows:
            yield records.Program(*values, columns[start:end])

    def _find_records(self) -> None:
        """Return group, number and the two words of each record, in the order of groups and numbers. Numbers count from
        the first record of the group, even if that is lost.
        """
        size = self.segment_records
        self.counts = self.words[:, _PREAMBLE_WORDS + self.warps].astype(np.int64) // 2
        first = _PREAMBLE_WORDS + self.layout.num_warps
        segments = self.words[:, first : first + self.num_units * size * 2].reshape(-1, size, 2)
        counts = self.counts.reshape(-1)
        if self.layout.arena_bytes and size:
            # The records since the segment was full for the last time follow the ones before.
            kept = np.where(counts > 0, (counts - 1) % size + 1, 0)
        else:
            kept = np.minimum(counts, size)
            # The oldest record is after the latest one where the segment was full.
            (full,) = np.nonzero(counts > size)
            if len(full):
                segments = segments.copy()
                places = (np.arange(size) + counts[full, None] % max(size, 1)) % max(size, 1)
                segments[full] = np.take_along_axis(segments[full], places[..., None], 1)
        is_kept = np.arange(size) < kept[:, None]
        self.group, place = np.nonzero(is_kept)
        self.number = place + (counts - kept)[self.group]
        self.tag, self.low = (segments[..., word][is_kept] for word in range(2))
        if len(self.pieces.words):
            self._add_pieces()

    def _add_pieces(self) -> None:
        pieces = self.pieces
        groups = {
            (program, warp): place
            for place, (program, warp) in enumerate(itertools.product(self.words[:, 1].tolist(), self.warps.tolist()))
        }
        owners = zip(pieces.program.tolist(), pieces.warp.tolist(), strict=True)
        owner = np.array([groups.get(key, -1) for key in owners])
        words, owner, number = pieces.words[owner >= 0], owner[owner >= 0], pieces.number[owner >= 0]
        size = words.shape[1]
        numbers = (number[:, None].astype(np.int64) + np.arange(size)).reshape(-1)
        self.group = np.concatenate((self.group, np.repeat(owner, size)))
        self.number = np.concatenate((self.number, numbers))
        self.tag = np.concatenate((self.tag, words[..., 0].reshape(-1)))
        self.low = np.concatenate((self.low, words[..., 1].reshape(-1)))
        order = np.lexsort((self.number, self.group))
        self.group, self.number, self.tag, self.low = (
            values[order] for values in (self.group, self.number, self.tag, self.low)
        )

    def _find_times(self) -> None:
        """Compute the cycles since the program began, without the readings of the clock (`time`) and with them
        (`clock`). Records keep their order even if a reading took less than usual.
        """
        low = (self.tag & 0x7FF).astype(np.int64) << 32 | self.low
        # No record is older than the program.
        begin = self.begin[self.group // self.num_units]
        self.clock = (low - begin) & ((1 << self.layout.clock_bits) - 1)
        time = np.maximum(self.clock - self.number * self.cost, 0)
        # Each at least one later than the one before: the maximum so far of times less places, which groups do not
        # share.
        place = np.arange(len(time))
        shift = (self.group << _GROUP_SHIFT) - place
        self.time = np.maximum.accumulate(time + shift) - shift

    def _intervals(self) -> tuple[records.Columns, np.ndarray]:
        """Return all intervals, and the program of each."""
        scope = (self.tag >> _SCOPE_SHIFT & 0xFF).astype(np.int64)
        is_event = (self.tag >> _EVENT_SHIFT & 1).astype(bool)
        is_end = (self.tag >> _END_SHIFT).astype(bool)
        (marks,) = np.nonzero(~is_event)
        begins, ends = self._match_scopes(marks, scope, is_end)
        change = np.zeros(len(scope), np.int32)
        change[begins], change[ends] = 1, -1
        depths = np.cumsum(change, dtype=np.int32)
        depth = depths[begins] - 1
        # As brackets: all are nested where each ends as deep as it began.
        others = set(np.unique(self.group[begins[depths[ends] != depth]]).tolist())
        num_scopes = len(begins)
        if is_event.any():
            (marks,) = np.nonzero(is_event)
            pairs = np.array(list(self._match_events(marks, scope, is_end)), np.int64).reshape(-1, 2)
            begins, ends = np.concatenate((begins, pairs[:, 0])), np.concatenate((ends, pairs[:, 1]))
            depth = np.concatenate((depth, np.zeros(len(pairs), np.int32)))
            others |= set(self.group[pairs[:, 0]].tolist())
        begin, end = self.time[begins], self.time[ends]
        # Readings of the clock that two warps made differ.
        end = np.maximum(end, begin + 1)
        group = self.group[begins]
        lane = np.zeros(len(begins), np.int32)
        order = np.lexsort((-end, begin, group)) if len(begins) > num_scopes else np.argsort(begins)
        columns = records.Columns(
            scope=scope[begins],
            warp=self.warps[group % self.num_units],
            begin=begin + self.begin[group // self.num_units],
            end=end + self.begin[group // self.num_units],
            lane=lane,
            depth=depth,
            is_event=np.arange(len(begins)) >= num_scopes,
            end_warp=self.warps[self.group[ends] % self.num_units],
        )[order]
        group = group[order]
        for other in sorted(others):
            _arrange(columns[slice(*np.searchsorted(group, (other, other + 1)))])
        return columns, group // self.num_units

    def _match_scopes(self, marks: np.ndarray, scope: np.ndarray, is_end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Match the records that begin and end scopes: neighbours among the records of one scope in one group. Records
        whose other half is lost are left out.
        """
        key = self.group[marks] * _NUM_SCOPES + scope[marks]
        order = np.argsort(key, kind="stable")
        key, marks = key[order], marks[order]
        is_end = is_end[marks]
        is_pair = (key[:-1] == key[1:]) & ~is_end[:-1] & is_end[1:]
        return marks[:-1][is_pair], marks[1:][is_pair]

    def _match_events(self, marks: np.ndarray, scope: np.ndarray, is_end: np.ndarray) -> Iterator[tuple[int, int]]:
        """Match the records that begin and end events. An end takes the oldest begin of its warp or, if there is
        none, of all warps. If a warp that begins an event has lost records, its ends without a begin have lost theirs.
        """
        program = self.group[marks] // self.num_units
        order = np.lexsort((self.number[marks], self.clock[marks], scope[marks], program))
        marks, program = marks[order], program[order]
        rows = zip(
            *(values.tolist() for values in (marks, program, scope[marks], self.group[marks], is_end[marks])),
            strict=True,
        )
        present = np.bincount(self.group, minlength=self.counts.size)
        has_lost = (self.counts.reshape(-1) > present).tolist()
        for _key, part in itertools.groupby(rows, lambda row: row[1:3]):
            part = list(part)
            begins_here = {group for _mark, _program, _scope, group, ends in part if not ends}
            open_events: dict[int, collections.deque[int]] = collections.defaultdict(collections.deque)
            for mark, _program, _scope, group, ends in part:
                if not ends:
                    open_events[group].append(mark)
                    continue
                if not open_events[group]:
                    if group in begins_here and has_lost[group]:
                        continue
                    # By the clock with its readings: their number differs between warps.
                    others = ((self.clock[begins[0]], other) for other, begins in open_events.items() if begins)
                    group = min(others, default=(0, group))[1]
                if open_events[group]:
                    yield open_events[group].popleft(), mark


def _arrange(columns: records.Columns) -> None:
    """Assign the intervals of a warp to rows in which they are nested, and compute their depths there. Events are in
    rows below those of scopes. An event that ends in another warp is drawn as two points, and needs no row.
    """
    in_one_warp = columns.warp == columns.end_warp
    used = 0
    for chosen in (~columns.is_event, columns.is_event & in_one_warp):
        lanes: list[list[int]] = []
        for place in np.flatnonzero(chosen).tolist():
            begin, end = int(columns.begin[place]), int(columns.end[place])
            lane, open_ends = _find_lane(lanes, begin, end)
            columns.lane[place], columns.depth[place] = used + lane, len(open_ends)
            open_ends.append(end)
        used += len(lanes)


def _find_lane(lanes: list[list[int]], begin: int, end: int) -> tuple[int, list[int]]:
    """Return the first row whose open intervals last at least as long, or a new row, and the ends of those
    intervals."""
    for lane, open_ends in enumerate(lanes):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        if not open_ends or end <= open_ends[-1]:
            return lane, open_ends
    lanes.append([])
    return len(lanes) - 1, lanes[-1]
