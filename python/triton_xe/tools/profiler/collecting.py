# SPDX-License-Identifier: MIT
"""Collect the data of a session while it is active, until its file is written."""

from __future__ import annotations

import collections
import dataclasses
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triton_xe import errors
from triton_xe.tools.profiler import call_stack, events, kernel_trace, metrics, scope_stack, trace, tree
from triton_xe.tools.profiler.events import Metric

#: Bytes of records that a session leaves on devices. Beyond this it waits for the devices.
PENDING_BYTES = 64 << 20
#: Launches and metrics that may wait until they are read from their devices.
PENDING_EVENTS = 4096

#: The names of scopes, the outermost first.
ScopePath = tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Settings:
    """The arguments of `start`."""

    name: str
    #: `tree` or `trace`.
    data: str
    #: `shadow`: launches belong to scopes of the host; `python`: to the functions that the thread is in.
    context: str
    #: `instrumentation`: scopes inside of kernels; `cpu` or `xpu`: whole kernels.
    backend: str
    #: The mode of `instrumentation`.
    mode: str
    #: This is true if launches have the names and metrics of their metadata.
    reads_metadata: bool


class Collector:
    """Collects launches and metrics of the host. Several threads may call it at once."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.lock = threading.RLock()
        self.phase = 0
        self.clock, self.time = _read_clock(), time.perf_counter_ns()
        #: The tree of each phase.
        self.trees: dict[int, tree.Node] = {0: tree.Node()}
        self.launches: list[events.Launch] = []
        self.records = bytearray()
        self.slices: list[kernel_trace.Slice] = []
        #: Launches whose records have to be read from devices, in order.
        self.pending_launches: collections.deque[tuple[int, events.Launch]] = collections.deque()
        self.pending_bytes = 0
        self.pending_runs: collections.deque[tuple[int, events.Run]] = collections.deque()
        self.pending_metrics: collections.deque[tuple[int, ScopePath, str, Any]] = collections.deque()

    @property
    def is_instrumented(self) -> bool:
        return self.settings.backend == "instrumentation"

    def place(self, path: ScopePath) -> ScopePath:
        """Return the path in the profile for an event in this thread and in these scopes of the host."""
        if self.settings.context == "shadow":
            return path
        return (*call_stack.capture(), *scope_stack.current_state())

    def _named(self, event: Any) -> Any:
        """Return the launch with its path and, if the session reads metadata, the name from these."""
        if self.settings.context == "shadow" and not event.operation:
            return event
        operation = event.operation if self.settings.reads_metadata else None
        return dataclasses.replace(
            event,
            path=self.place(event.path),
            kernel=operation.name if operation else event.kernel,
            operation=operation,
        )

    def launched(self, launch: events.Launch) -> None:
        if not self.is_instrumented:
            return
        launch = self._named(launch)
        with self.lock:
            self.pending_launches.append((self.phase, launch))
            self.pending_bytes += launch.memory.nbytes
            self._add_metrics((*launch.path, launch.kernel), launch.operation)
            # There is nothing to wait for, or there is too much of it.
            if launch.memory.device.type == "cpu" or self.pending_bytes > PENDING_BYTES:
                self._read_launches()

    def ran(self, run: events.Run) -> None:
        run = self._named(run)
        with self.lock:
            self.pending_runs.append((self.phase, run))
            self._add_metrics((*run.path, run.kernel), run.operation)
            self._read_runs(PENDING_EVENTS)

    def measured(self, path: ScopePath, values: Mapping[str, Metric]) -> None:
        path = self.place(path)
        with self.lock:
            self.trees[self.phase].find(path)
            for name, value in values.items():
                self._add_metric(path, name, value)

    def _add_metrics(self, path: ScopePath, operation: events.Operation | None) -> None:
        for name, value in operation.metrics.items() if operation else ():
            self._add_metric(path, name, value)

    def _add_metric(self, path: ScopePath, name: str, value: Any) -> None:
        if not metrics.is_late(value):
            self.trees[self.phase].find(path).add({name: value})
            return
        self.pending_metrics.append((self.phase, path, name, value))
        if len(self.pending_metrics) > PENDING_EVENTS:
            self._read_metrics()

    def _read_launches(self) -> None:
        """Wait for launches with records, and read these from their devices."""
        while self.pending_launches:
            phase, launch = self.pending_launches.popleft()
            if self.settings.data == "trace":
                self.launches.append(launch.store(self.records))
            elif phase in self.trees:
                tree.add_launch(self.trees[phase], launch)
        self.pending_bytes = 0

    def _read_runs(self, limit: int) -> None:
        """Read the times that are known, and wait for others until at most `limit` launches are left."""
        while self.pending_runs and (self.pending_runs[0][1].time.is_known or len(self.pending_runs) > limit):
            phase, run = self.pending_runs.popleft()
            if self.settings.data == "trace":
                self.slices.append(kernel_trace.Slice(run, *run.time.read()))
            elif phase in self.trees:
                tree.add_run(self.trees[phase], run)

    def _read_metrics(self) -> None:
        while self.pending_metrics:
            phase, path, name, value = self.pending_metrics.popleft()
            if phase in self.trees:
                self.trees[phase].find(path).add({name: metrics.read(value)})

    def flush(self) -> None:
        """Wait for all devices."""
        with self.lock:
            self._read_launches()
            self._read_runs(0)
            self._read_metrics()

    def advance(self) -> int:
        """Begin another phase, whose data are kept separately."""
        with self.lock:
            self.phase += 1
            self.trees[self.phase] = tree.Node()
            return self.phase

    def database(self, phase: int) -> list[dict[str, Any]]:
        """Return the tree of a phase, and its devices, as in files. Raises OptionError if there is no such phase."""
        if self.settings.data != "tree":
            raise errors.OptionError("only sessions with `data='tree'` have data to look at")
        with self.lock:
            self.flush()
            if phase not in self.trees:
                raise errors.OptionError(f"`phase`: session `{self.settings.name}` has no data of phase {phase}")
            return tree.to_database(self.trees[phase])

    def is_complete(self, phase: int) -> bool:
        """Return whether a phase is complete, without waiting."""
        with self.lock:
            self._read_runs(len(self.pending_runs))
            pending = (*self.pending_launches, *self.pending_runs, *self.pending_metrics)
            return phase < self.phase and all(entry[0] != phase for entry in pending)

    def clear(self, phase: int, up_to: bool) -> None:
        """Delete the data of a phase, or of all phases up to it."""
        with self.lock:
            self.flush()
            for number in list(self.trees):
                if number == phase or (up_to and number < phase):
                    del self.trees[number]
            if self.phase not in self.trees:
                self.trees[self.phase] = tree.Node()

    def write(self, suffix: str) -> None:
        """Write the file or, for several phases, the files. A trace of records converts cycles to times by the speed of
        the clock during the session."""
        self.flush()
        name = self.settings.name
        with self.lock:
            if self.settings.data == "tree":
                for phase, root in self.trees.items():
                    part = f".part_{phase}" if self.phase else ""
                    tree.write(Path(f"{name}{part}.{suffix}"), root)
            elif self.is_instrumented:
                microseconds = max(time.perf_counter_ns() - self.time, 1) / 1000
                frequency = max(_read_clock() - self.clock, 1) / microseconds
                trace.write(Path(f"{name}.{suffix}"), self.launches, self.clock, frequency)
            else:
                kernel_trace.write(Path(f"{name}.{suffix}"), self.slices)


def _read_clock() -> int:
    from triton_xe import _cpu

    return _cpu.read_clock()
