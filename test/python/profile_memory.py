# SPDX-License-Identifier: MIT
"""Profile memory that is written by hand, and launches that have it."""

from __future__ import annotations

import struct

import torch

from triton_xe.tools.profiler import decoding, events, records

#: The clock when programs begin, and cycles of a reading.
BEGIN = 5 << 40
COST = 10


def record(scope: int, is_end: bool, clock: int, bits: int = 43, is_event: bool = False) -> tuple[int, int]:
    clock &= (1 << bits) - 1
    return (is_end << 31) | scope << 23 | is_event << 22 | clock >> 32, clock & 0xFFFFFFFF


def make_program(
    segments: list[list[tuple[int, int]]],
    counts: list[int],
    number: int = 0,
    cost: int = COST,
    begin: int = BEGIN,
    processor: int = -1,
    duration: int = 10**6,
) -> bytes:
    """Return the profile memory of a program: segments as they lie in memory, and the words that each warp wrote."""
    preamble = struct.pack(
        "<4I3Q",
        *(decoding.PREAMBLE, number, cost | (processor + 1) << 16, 8 * sum(map(len, segments))),
        *(begin, begin + duration, begin + 2 * duration),
    )
    words = counts + [word for segment in segments for pair in segment for word in pair]
    return preamble + struct.pack(f"<{len(words)}I", *words)


def make_layout(program: bytes, num_warps: int, **fields) -> records.Layout:
    units = tuple(range(num_warps))
    fields = {"units": units, "warps_per_unit": 1, "clock_bits": 43} | fields
    return records.Layout(program_bytes=len(program), num_warps=num_warps, **fields)


def make_launch(kernel: str, scopes: list[tuple[str, int]], programs: list[bytes], num_warps: int, **fields):
    """Return a launch of programs whose records are all kept; scopes are names and parents."""
    layout = make_layout(programs[0], num_warps)
    memory = torch.frombuffer(bytearray(b"".join(programs)), dtype=torch.uint8)
    fields = {"path": ()} | fields
    return events.Launch(kernel=kernel, scopes=tuple(scopes), layout=layout, memory=memory, **fields)


def scope_records(*times: int, begin: int = BEGIN) -> list[tuple[int, int]]:
    """Return records of scope 0, whose begins and ends these times are."""
    return [record(0, bool(place % 2), begin + time) for place, time in enumerate(times)]
