# SPDX-License-Identifier: MIT
"""The results of the simulator's timing model for launches: cycles of a model, which no hardware has confirmed.

docs/Simulator.md, "The timing model", describes the parts of the model.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from triton_xe import errors, target
from triton_xe.tools.report import hardware

#: Bytes of a line of the caches.
_LINE_BYTES = 64


@dataclass(frozen=True)
class ThreadCycles:
    """Cycles of the threads of a core, all threads together, that instructions issued, or waited before."""

    issued: int = 0
    #: The cycles of each cause in `_simulator.STALLS` that are not 0.
    stalls: dict[str, int] = field(default_factory=dict)
    #: Cycles of all instructions of the kernel, for `share`.
    whole: int = 0

    def __add__(self, other: ThreadCycles) -> ThreadCycles:
        stalls = dict(self.stalls)
        for cause, cycles in other.stalls.items():
            stalls[cause] = stalls.get(cause, 0) + cycles
        return ThreadCycles(self.issued + other.issued, stalls, max(self.whole, other.whole))

    @property
    def total(self) -> int:
        """Return the cycles that threads issued and waited."""
        return self.issued + sum(self.stalls.values())

    @property
    def share(self) -> int:
        """Return the cycles in percent of those of the kernel."""
        return round(100 * self.total / self.whole) if self.whole else 0

    def describe(self, most: int = 3) -> str:
        """Return the largest causes of stalls in words, each with its share of all cycles."""
        largest = sorted(self.stalls.items(), key=lambda entry: (-entry[1], entry[0]))[:most]
        return ", ".join(f"{cause} {100 * cycles / self.total:.0f} %" for cause, cycles in largest) or "none"


@dataclass(frozen=True)
class Modelled:
    """The results of the model for the launches of a kernel."""

    launches: int
    #: The cycles of all launches together, and those that memory bandwidth alone requires.
    cycles: int
    memory_cycles: int
    #: Figures of the last launch: cycles of a core for the work-groups that it holds at the same time, their number and
    #: that of their threads, and how often cores take new ones.
    core_cycles: int
    groups: int
    threads: int
    waves: int
    #: The cycles of each instruction, by its address.
    instructions: dict[int, ThreadCycles]

    @property
    def total(self) -> ThreadCycles:
        """Return the sum over all instructions."""
        return sum(self.instructions.values(), ThreadCycles())

    def describe(self) -> str:
        """Return the result in words."""
        bound = ", bound by memory bandwidth" if self.memory_cycles >= self.cycles else ""
        launches = f" of {self.launches} launches" if self.launches > 1 else ""
        return (
            f"model: {self.cycles} cycles{launches}{bound}; {self.waves} x {self.core_cycles} of a core with "
            f"{self.threads} threads; stalls: {self.total.describe()}"
        )


def chip(arch: str, product: hardware.Hardware | None = None, *, sampled: bool = False) -> Any:
    """Return what the model has to know of an architecture, or of another product with it. Raises OptionError for an
    architecture without published figures.

    Launches that are sampled run few of their groups: the model gets what it needs, results are incomplete.
    """
    from triton_xe import _simulator

    figures, limits = product or hardware.resolve(arch), target.resolve(arch)
    return _simulator.ChipModel(
        cores=int(figures.cores.value),
        engines=int(figures.engines_per_core.value),
        threads=dict(limits.max_warps),
        lanes_per_cycle=int(figures.lanes_per_cycle),
        dpas_cycles_per_row=figures.dpas_cycles_per_row,
        load_store_bytes=figures.load_store_bytes.value,
        lines_per_cycle=figures.far_bytes.value / _LINE_BYTES,
        memory_bytes=figures.sustained_bandwidth.value / figures.clock.value,
        memory_read_bytes=figures.sustained_reads.value / figures.clock.value,
        cache_bytes=int(figures.cache_bytes.value),
        shared_bytes=limits.shared_memory,
        sampled=sampled,
    )


@contextlib.contextmanager
def modelling(arch: str, product: hardware.Hardware | None = None, *, sampled: bool = False) -> Iterator[None]:
    """Let launches on the simulator be modelled for a chip; see `modelled` and `chip`, also for what it raises."""
    from triton_xe import _simulator

    before = _simulator.model_timing(chip(arch, product, sampled=sampled))
    try:
        yield
    finally:
        _simulator.model_timing(before)


def modelled(kernel: Any) -> Modelled | None:
    """Return the model's result for a compiled kernel's launches so far.

    None for a kernel that was not launched on the simulator, or not while it was modelled.
    """
    return of_function(getattr(kernel, "function", None))


def of_function(function: Any) -> Modelled | None:
    """Return the same of a kernel of `_simulator`."""
    found = dict(getattr(function, "timing", {}))
    if not found.get("launches"):
        return None
    from triton_xe import _simulator

    cycles = found.pop("instructions")
    whole = sum(issued + sum(stalls) for _, issued, stalls in cycles)
    instructions = {
        address: ThreadCycles(issued, _named(_simulator.STALLS, stalls), whole) for address, issued, stalls in cycles
    }
    return Modelled(instructions=instructions, **found)


def _named(names: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    return {name: number for name, number in zip(names, numbers, strict=True) if number}


@dataclass(frozen=True)
class LastLaunch:
    """The launch that was modelled last."""

    name: str
    cycles: int
    #: The cycles that memory bandwidth alone needs; for a sampled launch, those for the lines that its groups have
    #: touched.
    memory_cycles: int
    threads: int
    #: Threads that a core could hold with this number of registers.
    most_threads: int
    registers: int
    #: Bytes of a thread.
    spills: int
    total: ThreadCycles


def last_launch() -> LastLaunch:
    """Return the launch that was modelled last. Raises LaunchError if there is none."""
    from triton_xe import _simulator

    found = _simulator.last_modelled()
    if found is None:
        raise errors.LaunchError("no launch was modelled")
    issued, stalls = found.pop("issued"), _named(_simulator.STALLS, found.pop("stalls"))
    return LastLaunch(total=ThreadCycles(issued, stalls), **found)
