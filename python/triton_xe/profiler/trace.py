"""Profiles as traces that Perfetto and chrome://tracing open: a process per program, a row per warp."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from triton_xe.profiler import events, records


def write(path: Path, launches: Iterable[events.Launch], origin: int, frequency: float) -> None:
    """Write the scopes of launches to a file.

    Times are microseconds from `origin` on, a reading of the clock, which counts `frequency` cycles per microsecond.
    """
    entries: list[dict[str, Any]] = []
    for number, launch in enumerate(launches):
        for program in launch.programs():
            entries += _entries(launch, number, program, origin, frequency)
    path.write_text(json.dumps({"displayTimeUnit": "ns", "traceEvents": entries}))


def _entries(
    launch: events.Launch, number: int, program: records.Program, origin: int, frequency: float
) -> Iterator[dict[str, Any]]:
    """Outer scopes first, as viewers want those that begin at one time."""
    place = {"cat": launch.kernel, "pid": f"{launch.kernel} (launch {number}), program {program.number}"}
    for interval in sorted(program.intervals, key=lambda interval: (interval.warp, interval.begin, -interval.end)):
        cycles = interval.end - interval.begin
        yield place | {
            "name": launch.scopes[interval.scope][0],
            "ph": "X",
            "tid": f"warp {interval.warp}",
            "ts": (interval.begin - origin) / frequency,
            "dur": cycles / frequency,
            "args": {"cycles": cycles, "call_stack": list(launch.path)},
        }
    if program.lost:
        yield place | {"name": f"{program.lost} records are lost", "ph": "i", "s": "p", "tid": "", "ts": 0}
