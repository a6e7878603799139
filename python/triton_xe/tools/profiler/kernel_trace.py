# SPDX-License-Identifier: MIT
"""Write whole kernels as traces for Perfetto and chrome://tracing: a process per device, a row per stream."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triton_xe.tools.profiler import events, metrics


@dataclasses.dataclass(frozen=True)
class Slice:
    """A launch that has ended, with times in nanoseconds of its device's clock."""

    run: events.Run
    begin: int
    end: int


def write(path: Path, slices: Iterable[Slice]) -> None:
    """Write launches to a file.

    Times are microseconds from the first launch of the same device on: devices have separate clocks.
    """
    rows: dict[tuple[str, int], list[Slice]] = {}
    for piece in slices:
        rows.setdefault((piece.run.device_type, piece.run.device), []).append(piece)
    entries: list[dict[str, Any]] = []
    for (kind, number), pieces in sorted(rows.items()):
        origin = min(piece.begin for piece in pieces)
        entries += (_entry(piece, f"{kind} {number}", origin) for piece in pieces)
    path.write_text(json.dumps({"displayTimeUnit": "ns", "traceEvents": entries}))


def _entry(piece: Slice, device: str, origin: int) -> dict[str, Any]:
    run = piece.run
    arguments: dict[str, Any] = {"call_stack": list(run.path)}
    if run.operation:
        arguments["metrics"] = metrics.read_all(run.operation.metrics)
    if run.is_host_time:
        arguments["clock"] = "host"
    return {
        "name": run.kernel,
        "cat": "kernel",
        "ph": "X",
        "pid": device,
        "tid": f"stream {run.stream:#x}",
        "ts": (piece.begin - origin) / 1000,
        "dur": (piece.end - piece.begin) / 1000,
        "args": arguments,
    }
