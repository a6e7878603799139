"""A profile as one HTML page, that needs nothing else: timelines of some launches, and the times of all scopes.

Of each kernel the first launches are kept and the slowest ones, and of each launch the first program, the slowest, the
median, and then others from the first on, as far as there is room: the page says what is not on it.
"""

from __future__ import annotations

import dataclasses
import html
import json
from pathlib import Path
from typing import Any

from triton_xe.profiler import clocks, events, naming, records
from triton_xe.profiler.collection import Collection

_FILES = Path(__file__).with_name("page_files")
#: Launches of a kernel.
_FIRST, _SLOWEST = 3, 3
#: Of a launch; of all launches on the page: some 20 bytes each.
_MAX_PROGRAMS, _LAUNCH_INTERVALS, _PAGE_INTERVALS = 256, 20_000, 150_000


@dataclasses.dataclass(frozen=True, eq=False)
class Shown:
    """A program of a launch, or as much of it as there is room for."""

    program: records.Program
    #: Such as that it is the slowest.
    remarks: tuple[str, ...]


@dataclasses.dataclass(frozen=True, eq=False)
class Kept:
    """A launch of which programs are shown."""

    #: Among all launches.
    number: int
    launch: events.Launch
    num_programs: int
    programs: list[Shown]
    #: Of the device's clocks: when the first program began, and how long it took to the end of the last.
    axis: clocks.Axis
    begin: float
    cycles: float

    @property
    def num_intervals(self) -> int:
        return sum(len(shown.program.columns) for shown in self.programs)

    def since_begin(self, program: records.Program) -> float:
        """What the program's clock showed when the launch began."""
        zero, frequency = self.axis.of(self.launch, program)
        return zero + self.begin * frequency


class Selection:
    """Looks at all launches, and keeps some."""

    def __init__(self) -> None:
        self.num_launches = 0
        self._kept: dict[tuple, list[Kept]] = {}

    def look(self, launch: events.Launch, programs: list[records.Program]) -> None:
        """Keep the launch, or not."""
        number = self.num_launches
        self.num_launches += 1
        if not programs:
            return
        kept = self._kept.setdefault((launch.kernel, launch.configuration), [])
        cycles = _duration(launch, programs)
        others = kept[_FIRST:]
        if len(others) == _SLOWEST:
            fastest = min(others, key=lambda one: one.cycles)
            if cycles[1] <= fastest.cycles:
                return
            kept.remove(fastest)
        kept.append(_keep(number, launch, programs, cycles))

    def launches(self, limit: int = _PAGE_INTERVALS) -> list[Kept]:
        """Those with room on the page, in their order: the first one of each kernel before a second one of any."""
        chosen: list[Kept] = []
        ranks = max(map(len, self._kept.values()), default=0)
        for kept in (one[rank] for rank in range(ranks) for one in self._kept.values() if rank < len(one)):
            if not chosen or kept.num_intervals <= limit:
                chosen.append(kept)
                limit -= kept.num_intervals
        return sorted(chosen, key=lambda one: one.number)


def _axis(launch: events.Launch, programs: list[records.Program]) -> clocks.Axis:
    """Of one launch: clocks of other devices than the host begin with their first program."""
    origins: dict[tuple[str, int], float] = {}
    if launch.device != "cpu":
        for program in programs:
            clock = (launch.device, program.processor)
            origins[clock] = min(origins.get(clock, program.begin), program.begin)
    return clocks.Axis(0, 1.0, origins)


def _duration(launch: events.Launch, programs: list[records.Program]) -> tuple[float, float]:
    axis = _axis(launch, programs)
    times = [(program, *axis.of(launch, program)) for program in programs]
    begin = min((program.begin - zero) / frequency for program, zero, frequency in times)
    return begin, max((program.last - zero) / frequency for program, zero, frequency in times) - begin


def _keep(number: int, launch: events.Launch, programs: list[records.Program], times: tuple[float, float]) -> Kept:
    by_time = sorted(programs, key=lambda program: program.last - program.begin)
    chosen: dict[int, list[str]] = {programs[0].number: []}
    if len(programs) > 1:
        chosen.setdefault(by_time[-1].number, []).append("the slowest")
    if len(programs) > 2:
        chosen.setdefault(by_time[len(by_time) // 2].number, []).append("the median")
    room, shown = _LAUNCH_INTERVALS, []
    by_number = {program.number: program for program in programs}
    for place in [*chosen, *(program.number for program in programs if program.number not in chosen)]:
        program = by_number[place]
        remarks = [*chosen.get(place, ())]
        columns = program.columns
        if len(columns) > room:
            if place not in chosen or room <= 0:
                continue
            # What comes first; of the first ones there is always something.
            columns = columns[columns.end <= _quantile(columns.end, room)]
            remarks.append(f"the first {len(columns)} of {len(program.columns)} scopes")
        if len(shown) == _MAX_PROGRAMS:
            break
        if program.lost:
            remarks.append(f"{naming.count(program.lost, 'record is', 'records are')} lost")
        room -= len(columns)
        # Slices of arrays would keep these in memory.
        columns = dataclasses.replace(columns, **{field: values.copy() for field, values in vars(columns).items()})
        shown.append(Shown(dataclasses.replace(program, columns=columns), tuple(remarks)))
    shown.sort(key=lambda one: one.program.number)
    kept = dataclasses.replace(launch, memory=None)
    return Kept(number, kept, len(programs), shown, _axis(launch, programs), *times)


def _quantile(values: Any, count: int) -> int:
    """The largest of the `count` smallest."""
    import numpy as np

    return int(np.partition(values, count - 1)[count - 1])


def write(path: Path, name: str, collected: Collection, selection: Selection) -> None:
    """Write the page."""
    texts = {part: (_FILES / f"page.{part}").read_text() for part in ("html", "css", "js")}
    # Nothing in a script may look like its end.
    data = json.dumps(_describe(name, collected, selection), separators=(",", ":")).replace("<", "\\u003c")
    page = texts["html"]
    for place, text in (
        ("@TITLE@", html.escape(f"{name}: profile")),
        ("@STYLE@", texts["css"].strip()),
        ("@SCRIPT@", texts["js"].strip()),
        ("@DATA@", data),
    ):
        page = page.replace(place, text)
    path.write_text(page, encoding="utf-8")


def _describe(name: str, collected: Collection, selection: Selection) -> dict[str, Any]:
    """What the page's script reads."""
    frequency = collected.frequency()
    launches = selection.launches()
    # Of all that were launched, not only of those that are here.
    names = naming.distinguish((kernel.name, kernel.configuration) for kernel in collected.kernels.values())
    labels = [names[kept.launch.kernel, kept.launch.configuration] for kept in launches]
    kernels = len({row.path[0] for row in collected.rows()})
    summary = (
        f"{naming.count(collected.num_launches, 'launch', 'launches')} of {naming.count(kernels, 'kernel', 'kernels')}"
    )
    if collected.lost:
        summary += f"; {naming.count(collected.lost, 'record is', 'records are')} lost"
    return {
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


def _time(microseconds: float) -> str:
    return f"{microseconds:.1f} µs" if microseconds < 1000 else f"{microseconds / 1000:.1f} ms"


def _describe_launch(kept: Kept, label: str, frequency: float) -> dict[str, Any]:
    launch = kept.launch
    # Clocks of other devices are taken to count nanoseconds.
    frequency, length = (frequency, kept.cycles) if launch.device == "cpu" else (1000.0, kept.cycles * 1000)
    where = f" in {' > '.join(launch.path)}" if launch.path else ""
    return {
        "title": f"{label}, launch {kept.number}{where}, {_time(length / frequency)}",
        "frequency": frequency,
        "length": max(length, 1),
        "programs": kept.num_programs,
        "scopes": [name for name, _parent in launch.scopes],
        "kept": [_describe_program(shown, round(kept.since_begin(shown.program))) for shown in kept.programs],
    }


def _describe_program(shown: Shown, zero: int) -> dict[str, Any]:
    """Times are cycles since `zero`; those of slices are since the one before in their row."""
    program = shown.program
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
        "remarks": shown.remarks,
        "begin": program.begin - zero,
        "end": program.last - zero,
        "rows": [{"warp": warp, "lane": lane, "slices": rows[warp, lane]} for warp, lane in sorted(rows)],
        "arrows": arrows,
    }
