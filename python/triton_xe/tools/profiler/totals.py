# SPDX-License-Identifier: MIT
"""Add up how long the warps of each kernel were in which scope.

The time of a scope is the sum over all warps that made records. The time of a kernel is the sum over these warps, each
from its first scope to the end of its last. Shares are relative to this time. It differs from the time of programs,
since the warps of a program need not run at once: on the CPU device they take turns.
"""

from __future__ import annotations

import collections
import dataclasses
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from triton_xe import _cpu
from triton_xe.tools.profiler import events, naming, records
from triton_xe.tools.profiler.collecting import ScopePath
from triton_xe.tools.profiler.kernel_trace import Slice

#: Bytes and launches that may wait to be added up, since the device may still work on them.
_PENDING_BYTES, _PENDING_LAUNCHES = 256 << 20, 64
#: Launches that may wait until their times are read.
_PENDING_RUNS = 4096


@dataclasses.dataclass
class Scope:
    """The time that warps spent in a scope, and how often they entered it."""

    name: str
    #: The number of the scope around it; -1 is the kernel.
    parent: int
    count: int = 0
    cycles: int = 0
    #: This is true of an event, which may overlap with other events and scopes of its warps.
    is_event: bool = False


@dataclasses.dataclass
class Kernel:
    """The totals of all launches of a kernel in the same scopes of the host."""

    name: str
    configuration: events.Configuration
    #: The host's scopes, the outermost first.
    path: tuple[str, ...]
    device: str
    scopes: list[Scope]
    launches: int = 0
    #: The sums over all launches.
    programs: int = 0
    program_cycles: int = 0
    cycles: int = 0
    lost: int = 0

    def add(self, launch: events.Launch, programs: list[records.Program]) -> None:
        """Add a launch with these programs."""
        self.launches += 1
        for program in programs:
            self.programs += 1
            self.program_cycles += program.last - program.begin
            self.lost += program.lost
            columns = program.columns
            self.cycles += _span(columns)
            for scope, count, cycles in zip(self.scopes, *columns.totals(), strict=False):
                scope.count += count
                scope.cycles += cycles
            for number in set(columns.scope[columns.is_event].tolist()):
                self.scopes[number].is_event = True


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the table, for a kernel or one of its scopes."""

    #: The kernel's name, and the scopes down to this one.
    path: tuple[str, ...]
    #: The host's scopes around the kernel.
    host: tuple[str, ...]
    #: The number of launches, or how often warps were in the scope.
    count: int
    cycles: int
    #: The mean cycles of a program, or of one stay of a warp in the scope.
    each: float
    #: The shares of the time of all kernels, and of the scope around this one; None for rows without shares.
    share: float | None
    parent_share: float | None
    #: This is true if the clock is that of the host.
    is_host_clock: bool


class ScopeTotals:
    """Adds up the records of launches.

    `launched_more` gets the number of launches, and the name of the last one; `look` gets each with its programs.
    `place` maps the scopes of the host to the path in the table.
    """

    def __init__(
        self,
        launched_more: Callable[[int, str], None] | None = None,
        look: Callable[[events.Launch, list[records.Program]], None] | None = None,
        place: Callable[[ScopePath], ScopePath] | None = None,
    ) -> None:
        self.launched_more, self.look, self.place = launched_more, look, place
        self.kernels: dict[tuple, Kernel] = {}
        self.num_launches = 0
        self._pending: list[events.Launch] = []
        self._lock = threading.RLock()
        self._clock, self._time = _cpu.read_clock(), time.perf_counter_ns()

    def launched(self, launch: events.Launch) -> None:
        if self.place or launch.operation:
            path = self.place(launch.path) if self.place else launch.path
            kernel = launch.operation.name if launch.operation else launch.kernel
            launch = dataclasses.replace(launch, kernel=kernel, path=path)
        with self._lock:
            self.num_launches += 1
            self._pending.append(launch)
            waiting = sum(one.layout.arena_bytes + one.memory.numel() for one in self._pending)
            if len(self._pending) > _PENDING_LAUNCHES or waiting > _PENDING_BYTES:
                self.finish()
            if self.launched_more:
                self.launched_more(self.num_launches, launch.kernel)

    def measured(self, path: tuple[str, ...], metrics: Mapping[str, float]) -> None:
        """Do nothing, since the session's tree has the metrics of the host."""

    def finish(self) -> None:
        """Add all launches so far."""
        with self._lock:
            pending, self._pending = self._pending, []
            for launch in pending:
                key = (launch.kernel, launch.configuration, launch.path, launch.scopes, launch.device)
                if key not in self.kernels:
                    scopes = [Scope(name, parent) for name, parent in launch.scopes]
                    self.kernels[key] = Kernel(*key[:3], launch.device, scopes)
                programs = launch.programs()
                self.kernels[key].add(launch, programs)
                if self.look:
                    self.look(launch, programs)

    def frequency(self) -> float:
        """Return the cycles of the host's clock per microsecond, as measured so far."""
        microseconds = max(time.perf_counter_ns() - self._time, 1) / 1000
        return max(_cpu.read_clock() - self._clock, 1) / microseconds

    @property
    def lost(self) -> int:
        """Return the number of records that were lost."""
        return sum(kernel.lost for kernel in self.kernels.values())

    def rows(self) -> list[Row]:
        """Return the rows, each kernel followed by its scopes; kernels that took long come first."""
        names = naming.distinguish((kernel.name, kernel.configuration) for kernel in self.kernels.values())
        total = max(sum(kernel.cycles for kernel in self.kernels.values()), 1)
        kernels = sorted(self.kernels.values(), key=lambda kernel: -kernel.cycles)
        return [
            row for kernel in kernels for row in _kernel_rows(kernel, names[kernel.name, kernel.configuration], total)
        ]


@dataclasses.dataclass
class Times:
    """The times of all launches of a kernel in the same scopes of the host, in nanoseconds."""

    count: int = 0
    total: int = 0
    least: int = sys.maxsize
    most: int = 0

    def add(self, time: int) -> None:
        self.count += 1
        self.total += time
        self.least, self.most = min(self.least, time), max(self.most, time)


class TimeTotals:
    """Adds up the times of launches. Its arguments are those of `ScopeTotals`.

    The first `kept_launches` of them stay in `slices`.
    """

    def __init__(
        self,
        launched_more: Callable[[int, str], None] | None = None,
        place: Callable[[ScopePath], ScopePath] | None = None,
        kept_launches: int = 0,
    ) -> None:
        self.launched_more, self.place, self.kept_launches = launched_more, place, kept_launches
        #: The times by kernel and path.
        self.kernels: dict[tuple[str, ScopePath], Times] = {}
        self.slices: list[Slice] = []
        self.num_launches = 0
        self._pending: collections.deque[events.Run] = collections.deque()
        self._lock = threading.RLock()

    def ran(self, run: events.Run) -> None:
        path = self.place(run.path) if self.place else run.path
        kernel = run.operation.name if run.operation else run.kernel
        with self._lock:
            self.num_launches += 1
            self._pending.append(dataclasses.replace(run, kernel=kernel, path=path, operation=None))
            self._read(_PENDING_RUNS)
            if self.launched_more:
                self.launched_more(self.num_launches, kernel)

    def finish(self) -> None:
        """Wait for all launches so far."""
        with self._lock:
            self._read(0)

    def counts(self) -> str:
        """Return how many launches of how many kernels there were, in words."""
        kernels = len({kernel for kernel, _path in self.kernels})
        return (
            f"{naming.count(self.num_launches, 'launch', 'launches')} of {naming.count(kernels, 'kernel', 'kernels')}"
        )

    def _read(self, limit: int) -> None:
        """Read the times that are known, and wait for others until at most `limit` are left."""
        while self._pending and (self._pending[0].time.is_known or len(self._pending) > limit):
            run = self._pending.popleft()
            begin, end = run.time.read()
            self.kernels.setdefault((run.kernel, run.path), Times()).add(end - begin)
            if len(self.slices) < self.kept_launches:
                self.slices.append(Slice(run, begin, end))


def _span(columns: records.Columns) -> int:
    """Return the cycles of all warps, each from its first begin to its last end."""
    import numpy as np

    # An event that another warp ended does not show how long this one took.
    columns = columns[columns.warp == columns.end_warp]
    if not len(columns):
        return 0
    (first,) = np.nonzero(np.diff(columns.warp, prepend=-1))
    return int((np.maximum.reduceat(columns.end, first) - columns.begin[first]).sum())


def _kernel_rows(kernel: Kernel, label: str, total: int) -> Iterator[Row]:
    is_host_clock = kernel.device == "cpu"
    each = kernel.program_cycles / max(kernel.programs, 1)
    share = kernel.cycles / total
    yield Row((label,), kernel.path, kernel.launches, kernel.cycles, each, share, None, is_host_clock)
    children: dict[int, list[int]] = {}
    for number, scope in enumerate(kernel.scopes):
        children.setdefault(scope.parent, []).append(number)

    def below(parent: int, path: tuple[str, ...], cycles: int) -> Iterator[Row]:
        for number in children.get(parent, ()):
            scope = kernel.scopes[number]
            inner = (*path, scope.name)
            rows = list(below(number, inner, scope.cycles))
            # All records of a scope may be lost, but not those of the scopes in it.
            if scope.count or rows:
                each = scope.cycles / max(scope.count, 1)
                shares = _shares(scope, total, cycles)
                yield Row(inner, kernel.path, scope.count, scope.cycles, each, *shares, is_host_clock)
            yield from rows

    yield from below(-1, (label,), kernel.cycles)


def _shares(scope: Scope, total: int, around: int) -> tuple[float | None, float | None]:
    """Return the shares of a scope in all time and in the time of the scope around it, whose records may be lost."""
    if scope.is_event:
        return None, None
    return scope.cycles / total, scope.cycles / around if 0 < scope.cycles <= around else None
