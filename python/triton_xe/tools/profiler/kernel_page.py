# SPDX-License-Identifier: MIT
"""Write a profile of whole kernels as an HTML page: the timeline of launches, a row per stream, and a table of times.

The page has the form of the page of scopes (page.py), with a device in the place of a program and a stream in the place
of a warp.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triton_xe.tools.profiler import naming, page
from triton_xe.tools.profiler.kernel_trace import Slice
from triton_xe.tools.profiler.totals import TimeTotals

#: The page shows this many launches, the first ones, with some 25 bytes each.
MAX_LAUNCHES = 20_000
#: Times of the page are nanoseconds.
_PER_MICROSECOND = 1000


def write(path: Path, name: str, collected: TimeTotals) -> None:
    """Write the page."""
    page.write_data(path, name, describe(name, collected))


def describe(name: str, collected: TimeTotals) -> dict[str, Any]:
    """Return the data that the page's script reads."""
    total = max(sum(times.total for times in collected.kernels.values()), 1)
    kernels = list(dict.fromkeys(kernel for kernel, _path in collected.kernels))
    return {
        "kind": "kernels",
        "name": name,
        "summary": f"{collected.counts()}, {page.time_text(total / _PER_MICROSECOND)}",
        "left_out": collected.num_launches - len(collected.slices),
        "rows": [
            {
                "path": [kernel],
                "host": path,
                "count": times.count,
                "share": times.total / total,
                "each": times.total / times.count / _PER_MICROSECOND,
                "least": times.least / _PER_MICROSECOND,
                "most": times.most / _PER_MICROSECOND,
            }
            for (kernel, path), times in sorted(collected.kernels.items(), key=lambda item: -item[1].total)
        ],
        "launches": [_describe_launches(collected.slices, {kernel: place for place, kernel in enumerate(kernels)})],
    }


def _describe_launches(slices: Iterable[Slice], kernels: dict[str, int]) -> dict[str, Any]:
    """Describe the launches of all devices. Each device has a separate clock, which begins with its first launch."""
    by_device: dict[tuple[str, int], list[Slice]] = {}
    for piece in slices:
        by_device.setdefault((piece.run.device_type, piece.run.device), []).append(piece)
    devices = [
        _describe_device(place, f"{kind} {number}", pieces, kernels)
        for place, ((kind, number), pieces) in enumerate(sorted(by_device.items()))
    ]
    length = max(device["end"] for device in devices)
    return {
        "title": f"all launches, {page.time_text(length / _PER_MICROSECOND)}",
        "frequency": _PER_MICROSECOND,
        "length": max(length, 1),
        "programs": len(devices),
        "scopes": list(kernels),
        "lines": [],
        "kept": devices,
    }


def _describe_device(place: int, label: str, pieces: list[Slice], kernels: dict[str, int]) -> dict[str, Any]:
    origin = min(piece.begin for piece in pieces)
    by_stream: dict[int, list[Slice]] = {}
    for piece in sorted(pieces, key=lambda one: one.begin):
        by_stream.setdefault(piece.run.stream, []).append(piece)
    rows = [
        {
            "warp": stream,
            "lane": lane,
            "label": "" if lane else f"stream {stream:#x}",
            "slices": _encode(lane_pieces, origin, kernels),
        }
        for stream, stream_pieces in sorted(by_stream.items())
        for lane, lane_pieces in enumerate(_lanes(stream_pieces))
    ]
    return {
        "number": place,
        "name": label,
        "processor": -1,
        "remarks": [naming.count(len(pieces), "launch", "launches")],
        "begin": 0,
        "end": max(piece.end for piece in pieces) - origin,
        "rows": rows,
        "arrows": [],
    }


def _lanes(pieces: list[Slice]) -> list[list[Slice]]:
    """Distribute launches to as few rows as possible without overlaps: threads of the host may launch at once."""
    lanes: list[list[Slice]] = []
    free: list[tuple[int, int]] = []
    for piece in pieces:
        if free and free[0][0] <= piece.begin:
            lane = heapq.heappop(free)[1]
        else:
            lane = len(lanes)
            lanes.append([])
        lanes[lane].append(piece)
        heapq.heappush(free, (piece.end, lane))
    return lanes


def _encode(pieces: list[Slice], origin: int, kernels: dict[str, int]) -> list[int]:
    """Encode each launch by four numbers: kernel, depth, time since the previous launch began, and duration."""
    numbers = []
    last = origin
    for piece in pieces:
        numbers += [kernels[piece.run.kernel], 0, piece.begin - last, piece.end - piece.begin]
        last = piece.begin
    return numbers
