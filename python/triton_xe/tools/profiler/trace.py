# SPDX-License-Identifier: MIT
"""Write profiles as traces for Perfetto and chrome://tracing.

A *process* of the trace is a program of a kernel on a processor. A *thread* is a warp of it, or a further row of a warp
for scopes that overlap. Another process has all launches. Launches of a kernel follow each other in the same rows
unless they overlap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from triton_xe.tools.profiler import clocks, events, metrics, naming, records

#: Numbers of threads: that of the row of the program itself, and the distance between those of its warps.
_PROGRAM_THREAD, _THREADS_PER_WARP = 1, 1000
_LAUNCHES_PROCESS = 1


def write(path: Path, launches: Sequence[events.Launch], origin: int, frequency: float) -> None:
    """Write the scopes of launches to a file.

    Times are microseconds since `origin`, a reading of the host's clock, which counts `frequency` cycles per
    microsecond.
    """
    launches = sorted(launches, key=lambda launch: launch.submitted)
    axis = clocks.Axis.make(launches, origin, frequency)
    with path.open("w") as file:
        _Writer(file, axis, naming.labels(launches)).write(launches)


class _Writer:
    """Writes entries one by one, and at the end the names of their rows."""

    def __init__(self, file: TextIO, axis: clocks.Axis, labels: list[str]) -> None:
        self.file, self.axis, self.labels = file, axis, labels
        #: The numbers of processes, by kernel, track, processor and program.
        self.processes: dict[tuple[str, int, int, int], int] = {}
        self.threads: dict[tuple[int, int], str] = {}
        #: The times when the launches in each row have ended, by kernel and processor, and for the row of all launches.
        self.tracks: dict[tuple[str, int] | None, list[float]] = {}
        self.flows = 0
        self.separator = ""

    def write(self, launches: Iterable[events.Launch]) -> None:
        self.file.write('{"displayTimeUnit": "ns", "traceEvents": [')
        for number, launch in enumerate(launches):
            self._write_launch(number, launch)
        self._entries(self._names())
        self.file.write("\n]}\n")

    def _entries(self, entries: Iterable[str]) -> None:
        text = ",\n".join(entries)
        if text:
            self.file.write(f"{self.separator}\n{text}")
            self.separator = ","

    def _write_launch(self, number: int, launch: events.Launch) -> None:
        programs = launch.programs()
        if not programs:
            return
        clocks_of = [self.axis.of(launch, program) for program in programs]
        pairs = list(zip(programs, clocks_of, strict=True))
        # By processor: clocks of several need not agree on what is at one time.
        spans: dict[int, tuple[float, float]] = {}
        for program, (zero, frequency) in pairs:
            begin, end = (program.begin - zero) / frequency, (program.last - zero) / frequency
            first, last = spans.get(program.processor, (begin, end))
            spans[program.processor] = min(first, begin), max(last, end)
        begin, end = min(first for first, _last in spans.values()), max(last for _first, last in spans.values())
        label = self.labels[number]
        arguments = {"launch": number, "programs": len(programs), **dict(launch.configuration)}
        if launch.operation:
            arguments["metrics"] = metrics.read_all(launch.operation.metrics)
        stack = ["ROOT", *launch.path, launch.kernel]
        thread = self._track(None, begin, end) + 1
        self.threads[_LAUNCHES_PROCESS, thread] = f"launches {thread}" if thread > 1 else "launches"
        entry = {"name": label, "cat": launch.kernel, "ph": "X", "pid": _LAUNCHES_PROCESS, "tid": thread}
        self._entries(
            [json.dumps(entry | {"ts": begin, "dur": end - begin, "args": arguments | {"call_stack": stack}})]
        )
        tracks = {processor: self._track((label, processor), *span) for processor, span in spans.items()}
        for program, clock in pairs:
            process = self._process((label, tracks[program.processor], program.processor, program.number))
            self._entries(_ProgramEntries(self, launch, number, stack, program, clock, process).all())

    def _track(self, row: tuple[str, int] | None, begin: float, end: float) -> int:
        """Return the first row that is free from `begin` on."""
        ends = self.tracks.setdefault(row, [])
        track = next((track for track, last in enumerate(ends) if last <= begin), len(ends))
        ends[track:] = [end, *ends[track + 1 :]]
        return track

    def _process(self, key: tuple[str, int, int, int]) -> int:
        return self.processes.setdefault(key, _LAUNCHES_PROCESS + 1 + len(self.processes))

    def _names(self) -> Iterator[str]:
        """Name and sort the rows: by kernels, processors and programs, and warps by their numbers."""
        order = {label: place for place, label in enumerate(dict.fromkeys(self.labels))}
        yield from self._name_process(_LAUNCHES_PROCESS, "launches", 0)
        keys = sorted(self.processes, key=lambda key: (order[key[0]], *key[1:]))
        for place, key in enumerate(keys, 1):
            label, track, processor, program = key
            where = f" on processor {processor}" if processor >= 0 else ""
            beside = f" (beside others, {track})" if track else ""
            # The difference comes first: viewers shorten long names.
            yield from self._name_process(self.processes[key], f"program {program}{where} of {label}{beside}", place)
        for (process, thread), name in sorted(self.threads.items()):
            yield _metadata("thread_name", process, thread, name=name)
            yield _metadata("thread_sort_index", process, thread, sort_index=thread)

    def _name_process(self, process: int, name: str, place: int) -> Iterator[str]:
        yield _metadata("process_name", process, 0, name=name)
        yield _metadata("process_sort_index", process, 0, sort_index=place)


class _ProgramEntries:
    """The entries of one program of a launch. Many differ in times only, so the rest is made once for each scope."""

    def __init__(
        self,
        writer: _Writer,
        launch: events.Launch,
        number: int,
        stack: list[str],
        program: records.Program,
        clock: tuple[float, float],
        process: int,
    ) -> None:
        self.writer, self.launch, self.program, self.process = writer, launch, program, process
        self.zero, self.frequency = clock
        nanoseconds = {
            "Init Time (ns)": self._time(program.begin) * 1000,
            "Post Final Time (ns)": self._time(program.copied) * 1000,
            "Finalization Time (ns)": (program.copied - program.end) / self.frequency * 1000,
        }
        arguments = {name: round(value, 1) for name, value in nanoseconds.items()}
        arguments |= {"Frequency (MHz)": round(self.frequency, 3), "launch": number, "call_stack": stack}
        self.arguments = json.dumps(arguments, separators=(",", ":"))[1:-1]
        self.category = json.dumps(launch.kernel)

    def _time(self, clock: int) -> float:
        return (clock - self.zero) / self.frequency

    def all(self) -> Iterator[str]:
        program = self.program
        name = f"program {program.number}"
        yield self._slice(json.dumps(name), self.category, self._thread(-1, 0), program.begin, program.last)
        columns = program.columns
        names = [json.dumps(name) for name, _parent in self.launch.scopes]
        lines = [f'"line":{line},' if line else "" for line in self.launch.lines] or [""] * len(names)
        threads = {
            (warp, lane): self._thread(warp, lane)
            for warp, lane in sorted(set(zip(columns.warp.tolist(), columns.lane.tolist(), strict=True)))
        }
        for scope, warp, begin, end, lane, _depth, is_event, end_warp in zip(*columns.lists(), strict=True):
            if not is_event:
                yield self._slice(names[scope], self.category, threads[warp, lane], begin, end, lines[scope])
            elif warp == end_warp:
                yield self._slice(names[scope], '"async"', threads[warp, lane], begin, end, lines[scope])
            else:
                yield from self._flow(
                    names[scope], lines[scope], threads[warp, lane], self._thread(end_warp, 0), begin, end
                )
        if program.lost:
            place = {"pid": self.process, "tid": _PROGRAM_THREAD, "ts": self._time(program.begin)}
            what = {"name": f"{program.lost} records are lost", "cat": self.launch.kernel, "ph": "i", "s": "p"}
            yield json.dumps(what | place)

    def _thread(self, warp: int, lane: int) -> int:
        """Return the row of a warp, or that of the program for -1."""
        thread = (warp + 1) * _THREADS_PER_WARP + lane if warp >= 0 else _PROGRAM_THREAD
        name = "program" if warp < 0 else f"warp {warp}" if not lane else f"warp {warp}, row {lane + 1}"
        self.writer.threads.setdefault((self.process, thread), name)
        return thread

    def _slice(
        self, name: str, category: str, thread: int, begin: int, end: int, line: str = "", more: str = ""
    ) -> str:
        # Rounded before they are subtracted, so that what is nested stays so.
        time = round(self._time(begin), 4)
        duration = round(self._time(end), 4) - time
        return (
            f'{{"name":{name},"cat":{category},"ph":"X","pid":{self.process},"tid":{thread},'
            f'"ts":{time:.4f},"dur":{duration:.4f},{more}"args":{{"cycles":{end - begin},{line}{self.arguments}}}}}'
        )

    def _flow(self, name: str, line: str, first: int, second: int, begin: int, end: int) -> Iterator[str]:
        """Draw an arrow from the begin of an event to its end in another warp."""
        self.writer.flows += 1
        bind = f'"bind_id":"{self.writer.flows:#x}",'
        yield self._slice(name, '"flow"', first, begin, begin + 1, line, f'{bind}"flow_out":true,')
        yield self._slice(name, '"flow"', second, end, end + 1, line, f'{bind}"flow_in":true,')


def _metadata(kind: str, process: int, thread: int, **arguments: Any) -> str:
    return json.dumps({"name": kind, "ph": "M", "pid": process, "tid": thread, "args": arguments})
