# SPDX-License-Identifier: MIT
"""The records in the profile memory of a launch; its layout is described in docs/Dialects/ProtonGPU.md."""

from __future__ import annotations

import dataclasses
import functools
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

#: The number of words before the pieces of the arena.
ARENA_WORDS = 4


@dataclasses.dataclass(frozen=True)
class Interval:
    """The time that a warp of a program was in a scope, or the time of an event between warps, in cycles."""

    scope: int
    warp: int
    begin: int
    end: int
    #: The row of the warp that it is drawn in, and the number of intervals around it there.
    lane: int
    depth: int
    #: This is true of an event, which may end in another warp: `end_warp`.
    is_event: bool
    end_warp: int


@dataclasses.dataclass(frozen=True, eq=False)
class Columns:
    """Intervals as arrays of their fields, in the order of warps, begins, and (outer ones first) ends."""

    scope: numpy.ndarray
    warp: numpy.ndarray
    begin: numpy.ndarray
    end: numpy.ndarray
    lane: numpy.ndarray
    depth: numpy.ndarray
    is_event: numpy.ndarray
    end_warp: numpy.ndarray

    def __len__(self) -> int:
        return len(self.scope)

    def __getitem__(self, part: slice | numpy.ndarray) -> Columns:
        return Columns(*(getattr(self, field.name)[part] for field in dataclasses.fields(self)))

    def totals(self) -> tuple[list[int], list[int]]:
        """Return the number of intervals of each scope, and the sum of their cycles (exact below 2^53)."""
        import numpy as np

        counts = np.bincount(self.scope)
        return counts.tolist(), np.bincount(self.scope, self.end - self.begin).astype(np.int64).tolist()

    def lists(self) -> list[list[int]]:
        """Return the values of each field as Python's numbers."""
        return [getattr(self, field.name).tolist() for field in dataclasses.fields(self)]


@dataclasses.dataclass(frozen=True, eq=False)
class Program:
    """The intervals of one program. Its own times are readings of the whole clock.

    The times of intervals leave out the time that readings of the clock take: a record is earlier by the readings
    before it.
    """

    number: int
    #: The processor that ran it; -1 if unknown.
    processor: int
    begin: int
    #: The time when its first warp ended. Others may still run.
    end: int
    #: The time when its records had been copied.
    copied: int
    #: The number of records that were overwritten by later ones, or had no place.
    lost: int
    columns: Columns

    @functools.cached_property
    def last(self) -> int:
        """Return when the last interval of its warps, or its first warp, had ended."""
        return max(self.end, int(self.columns.end.max(initial=self.end)))

    @functools.cached_property
    def intervals(self) -> tuple[Interval, ...]:
        """Return the intervals as objects; `columns` is faster for programs with many."""
        return tuple(Interval(*fields) for fields in zip(*self.columns.lists(), strict=True))


@dataclasses.dataclass(frozen=True)
class Layout:
    """The layout of the records in profile memory, as the kernel was compiled."""

    program_bytes: int
    num_warps: int
    #: The units that make records. The first of the `warps_per_unit` warps of a unit makes them.
    units: tuple[int, ...]
    warps_per_unit: int
    clock_bits: int
    #: Bytes after the memory of all programs, for full segments. If 0, full segments lose their oldest records.
    arena_bytes: int = 0
    #: The programs that have memory; an empty tuple means all.
    programs: tuple[int, ...] = ()

    def memory_bytes(self, num_programs: int) -> int:
        """Return the bytes of memory for a launch. They have to be zeros, except for the header of the arena."""
        return (len(self.programs) or num_programs) * self.program_bytes + self.arena_bytes

    def arena_header(self) -> bytes:
        """Return the words that the arena begins with."""
        return struct.pack(f"<{ARENA_WORDS}I", 0, self.arena_bytes // 4 - ARENA_WORDS, 0, 0)


def used_arena_bytes(arena: bytes) -> int:
    """Return the bytes of an arena that are in use, with its header."""
    used, capacity = struct.unpack_from("<2I", arena)
    return 4 * (ARENA_WORDS + min(used, capacity))
