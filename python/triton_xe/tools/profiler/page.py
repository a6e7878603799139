# SPDX-License-Identifier: MIT
"""Write a profile as one HTML file: timelines of some launches, and the times of all scopes.

The page has the first and the slowest launches of each kernel. For each launch it has the first program, the slowest,
the median, and then others in order while there is room. The page states what it leaves out.
"""

from __future__ import annotations

import dataclasses
import html
import json
from pathlib import Path
from typing import Any

from triton_xe.tools.profiler import clocks, events, naming, records
from triton_xe.tools.profiler.totals import ScopeTotals

_FILES = Path(__file__).with_name("page_files")
#: The numbers of first and slowest launches of a kernel.
_FIRST, _SLOWEST = 3, 3
#: The most programs and intervals of a launch, and intervals and launches of a page. An interval takes some 20 bytes.
_MAX_PROGRAMS, _LAUNCH_INTERVALS, _PAGE_INTERVALS, _PAGE_LAUNCHES = 256, 20_000, 150_000, 100


@dataclasses.dataclass(frozen=True, eq=False)
class Shown:
    """A program of a launch, or the part of it that there is room for."""

    program: records.Program
    #: Remarks, such as that it is the slowest program.
    remarks: tuple[str, ...]


@dataclasses.dataclass(frozen=True, eq=False)
class Kept:
    """A launch of which programs are shown."""

    #: The number of the launch among all launches.
    number: int
    launch: events.Launch
    num_programs: int
    programs: list[Shown]
    #: The axis of the device's clocks, the begin of the first program, and the cycles until the last one ended.
    axis: clocks.Axis
    begin: float
    cycles: float

    @property
    def num_intervals(self) -> int:
        return sum(len(shown.program.columns) for shown in self.programs)

    def since_begin(self, program: records.Program) -> float:
        """Return the reading of the program's clock when the launch began."""
        zero, frequency = self.axis.of(self.launch, program)
        return zero + self.begin * frequency


class Selection:
    """Selects the launches for the page among all launches."""

    def __init__(self) -> None:
        self.num_launches = 0
        self._kept: dict[tuple[str, events.Configuration], list[Kept]] = {}
        #: The cycles of all launches of a kernel.
        self._cycles: dict[tuple[str, events.Configuration], float] = {}

    def look(self, launch: events.Launch, programs: list[records.Program]) -> None:
        """Look at a launch, and keep it if it is one of the first or the slowest."""
        number = self.num_launches
        self.num_launches += 1
        if not programs:
            return
        key = (launch.kernel, launch.configuration)
        axis = _axis(launch, programs)
        times = [(program, *axis.of(launch, program)) for program in programs]
        begin = min((program.begin - zero) / frequency for program, zero, frequency in times)
        cycles = max((program.last - zero) / frequency for program, zero, frequency in times) - begin
        self._cycles[key] = self._cycles.get(key, 0) + cycles
        kept = self._kept.setdefault(key, [])
        others = kept[_FIRST:]
        if len(others) == _SLOWEST:
            fastest = min(others, key=lambda one: one.cycles)
            if cycles <= fastest.cycles:
                return
            kept.remove(fastest)
        # Its memory need not stay.
        light = dataclasses.replace(launch, memory=None)
        shown = _choose(_describe_all(programs), _LAUNCH_INTERVALS)
        kept.append(Kept(number, light, len(programs), shown, axis, begin, cycles))

    def of_kernel(self, kernel: str, configuration: events.Configuration) -> list[Kept]:
        """Return the kept launches of one kernel."""
        return self._kept.get((kernel, configuration), [])

    def launches(self) -> list[Kept]:
        """Return the launches on the page, in order. With many launches, each gets less room.

        The first launch of every kernel is preferred to a second launch of any kernel, and kernels that take long to
        others.
        """
        kernels = sorted(self._kept, key=lambda key: -self._cycles[key])
        ranks = range(_FIRST + _SLOWEST)
        chosen = [self._kept[key][rank] for rank in ranks for key in kernels if rank < len(self._kept[key])]
        chosen = chosen[:_PAGE_LAUNCHES]
        room = _PAGE_INTERVALS // max(len(chosen), 1)
        fitting = [
            dataclasses.replace(kept, programs=_choose(kept.programs, room)) if kept.num_intervals > room else kept
            for kept in chosen
        ]
        return sorted(fitting, key=lambda one: one.number)


def _axis(launch: events.Launch, programs: list[records.Program]) -> clocks.Axis:
    """Return the axis of one launch. On other devices than the CPU, each clock begins with its first program."""
    origins: dict[tuple[str, int], float] = {}
    if launch.device != "cpu":
        for program in programs:
            clock = (launch.device, program.processor)
            origins[clock] = min(origins.get(clock, program.begin), program.begin)
    return clocks.Axis(0, 1.0, origins)


def _describe_all(programs: list[records.Program]) -> list[Shown]:
    """Return the programs, with remarks on some."""
    by_time = sorted(programs, key=lambda program: program.last - program.begin)
    special: dict[int, list[str]] = {}
    if len(programs) > 1:
        special[by_time[-1].number] = ["the slowest"]
    if len(programs) > 2:
        special.setdefault(by_time[len(by_time) // 2].number, []).append("the median")
    return [Shown(program, tuple(special.get(program.number, ()))) for program in programs]


def _choose(programs: list[Shown], room: int) -> list[Shown]:
    """Choose programs with at most `room` intervals. The first program and those with remarks are always there,
    shortened if necessary; others only if they fit."""
    special = [place for place, shown in enumerate(programs) if place == 0 or shown.remarks]
    others = [place for place in range(1, len(programs)) if not programs[place].remarks]
    chosen: dict[int, Shown] = {}
    for count, place in enumerate([*special, *others][:_MAX_PROGRAMS]):
        shown = programs[place]
        columns, remarks = shown.program.columns, shown.remarks
        share = room // max(len(special) - count, 1)
        if len(columns) > share:
            if count >= len(special):
                continue
            columns = columns[columns.end <= _quantile(columns.end, max(share, 1))]
            remarks = (*remarks, f"the first {naming.count(len(columns), 'scope', 'scopes')}")
        room -= len(columns)
        # Slices of arrays would keep these in memory.
        columns = dataclasses.replace(columns, **{field: values.copy() for field, values in vars(columns).items()})
        chosen[place] = Shown(dataclasses.replace(shown.program, columns=columns), remarks)
    return [chosen[place] for place in sorted(chosen)]


def _quantile(values: Any, count: int) -> int:
    """Return the largest of the `count` smallest values."""
    import numpy as np

    return int(np.partition(values, count - 1)[count - 1])


def write(path: Path, name: str, collected: ScopeTotals, selection: Selection) -> None:
    """Write the page."""
    write_data(path, name, _describe(name, collected, selection))


def write_data(path: Path, name: str, described: dict[str, Any]) -> None:
    """Write the page of what its script reads."""
    texts = {part: (_FILES / f"page.{part}").read_text() for part in ("html", "css", "js")}
    # Nothing in a script may look like its end.
    data = json.dumps(described, separators=(",", ":")).replace("<", "\\u003c")
    page = texts["html"]
    for place, text in (
        ("@TITLE@", html.escape(f"{name}: profile")),
        ("@STYLE@", texts["css"].strip()),
        ("@SCRIPT@", texts["js"].strip()),
        ("@DATA@", data),
    ):
        page = page.replace(place, text)
    path.write_text(page, encoding="utf-8")


def _describe(name: str, collected: ScopeTotals, selection: Selection) -> dict[str, Any]:
    """Return the data that the page's script reads."""
    frequency = collected.frequency()
    launches = selection.launches()
    # For all programs that were launched, not only for those that are here.
    names = naming.distinguish((kernel.name, kernel.configuration) for kernel in collected.kernels.values())
    labels = [names[kept.launch.kernel, kept.launch.configuration] for kept in launches]
    kernels = len({row.path[0] for row in collected.rows()})
    summary = (
        f"{naming.count(collected.num_launches, 'launch', 'launches')} of {naming.count(kernels, 'kernel', 'kernels')}"
    )
    if collected.lost:
        summary += f"; {naming.count(collected.lost, 'record is', 'records are')} lost"
    return {
        "kind": "scopes",
        "name": name,
        "summary": summary,
        "left_out": collected.num_launches - len(launches),
        "rows": [
            {
                "path": row.path,
                "host": row.host,
                "count": row.count,
                "each": round(row.each, 1),
                "share": row.share,
                "parent_share": row.parent_share,
                "frequency": frequency if row.is_host_clock else None,
            }
            for row in collected.rows()
        ],
        "launches": [_describe_launch(kept, label, frequency) for kept, label in zip(launches, labels, strict=True)],
    }


def time_text(microseconds: float) -> str:
    """Format a time in a suitable unit."""
    return f"{microseconds:.1f} µs" if microseconds < 1000 else f"{microseconds / 1000:.1f} ms"


def _describe_launch(kept: Kept, label: str, frequency: float) -> dict[str, Any]:
    launch = kept.launch
    # Clocks of other devices are taken to count nanoseconds.
    frequency, length = (frequency, kept.cycles) if launch.device == "cpu" else (1000.0, kept.cycles * 1000)
    where = f" in {' > '.join(launch.path)}" if launch.path else ""
    return {
        "title": f"{label}, launch {kept.number}{where}, {time_text(length / frequency)}",
        "frequency": frequency,
        "length": max(length, 1),
        "programs": kept.num_programs,
        "scopes": [name for name, _parent in launch.scopes],
        "lines": launch.lines,
        "kept": [_describe_program(shown, round(kept.since_begin(shown.program))) for shown in kept.programs],
    }


def _describe_program(shown: Shown, zero: int) -> dict[str, Any]:
    """Describe a program. Times are cycles since `zero`; those of slices are cycles since the previous slice of the
    row."""
    program = shown.program
    lost = [f"{naming.count(program.lost, 'record is', 'records are')} lost"] if program.lost else []
    rows: dict[tuple[int, int], list[int]] = {}
    last: dict[tuple[int, int], int] = {}
    arrows = []
    for scope, warp, begin, end, lane, depth, _is_event, end_warp in zip(*program.columns.lists(), strict=True):
        row = rows.setdefault((warp, lane), [])
        if warp != end_warp:
            arrows.append([scope, warp, end_warp, begin - zero, end - zero])
            rows.setdefault((end_warp, 0), [])
            continue
        row += [scope, depth, begin - last.get((warp, lane), zero), end - begin]
        last[warp, lane] = begin
    return {
        "number": program.number,
        "processor": program.processor,
        "remarks": (*shown.remarks, *lost),
        "begin": program.begin - zero,
        "end": program.last - zero,
        "rows": [{"warp": warp, "lane": lane, "slices": rows[warp, lane]} for warp, lane in sorted(rows)],
        "arrows": arrows,
    }
