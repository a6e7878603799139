# SPDX-License-Identifier: MIT
"""Estimate how many cycles a part of the code takes at least, and which part of the hardware bounds it.

The unit is a cycle of one vector engine with its matrix engine, for one sub-group. All sub-groups of an engine share
the three resources of the estimate, so the bound of one of them bounds all. Latencies, which sub-groups hide from each
other, are not estimated. The estimate is a lower bound that is computed from the code alone, without running it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triton_xe import errors
from triton_xe.report.instructions import Instruction


@dataclass(frozen=True)
class Figure:
    """A number of the hardware, with its source."""

    value: float
    unit: str
    source: str


_ARCHITECTURE_DAY = "Intel Architecture Day 2021: the Xe-core of Xe HPC"
_ARK = "Intel Data Center GPU Max 1550, product specification (ark.intel.com, 232873)"


@dataclass(frozen=True)
class Hardware:
    """The numbers of an architecture that bound a loop."""

    device: str
    engines_per_core: Figure
    #: Operations of bf16 per cycle of the matrix engines of an Xe core. A multiplication and an addition are two.
    matrix_operations: Figure
    #: Operations of f32 per cycle of the vector engines of an Xe core.
    vector_operations: Figure
    #: Bytes per cycle between an Xe core's registers and its L1 cache, which is also the shared local memory.
    load_store_bytes: Figure
    #: Bytes of an Xe core for L1 and shared local memory together.
    cache_bytes: Figure
    cores: Figure
    clock: Figure
    memory_bandwidth: Figure

    @property
    def dpas_cycles_per_row(self) -> float:
        """Return the cycles of a DPAS per row of its result. A row has 16 columns and, for bf16, a K of 16. Other types
        differ in K and in the rate, by the same factor."""
        operations = 2 * 16 * 16
        return operations / (self.matrix_operations.value / self.engines_per_core.value)

    @property
    def lanes_per_cycle(self) -> float:
        """Return the channels of 32 bits that a vector engine takes in a cycle, each for a multiply-add of two
        operations."""
        return self.vector_operations.value / self.engines_per_core.value / 2

    @property
    def bytes_per_cycle(self) -> float:
        """Return an engine's share of the bytes between registers and L1."""
        return self.load_store_bytes.value / self.engines_per_core.value

    @property
    def memory_bytes_per_cycle(self) -> float:
        """Return an engine's share of the memory's bandwidth."""
        engines = self.cores.value * self.engines_per_core.value
        return self.memory_bandwidth.value / self.clock.value / engines

    def figures(self) -> dict[str, Figure]:
        """Return all figures with their sources, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Figure)}


#: For other architectures, not all of these figures are published.
HARDWARE = {
    "pvc": Hardware(
        device="Intel Data Center GPU Max 1550",
        engines_per_core=Figure(8, "engines per Xe core", _ARCHITECTURE_DAY),
        matrix_operations=Figure(4096, "operations per cycle of an Xe core, bf16", _ARCHITECTURE_DAY),
        vector_operations=Figure(256, "operations per cycle of an Xe core, f32", _ARCHITECTURE_DAY),
        load_store_bytes=Figure(512, "bytes per cycle of an Xe core, L1 and SLM", _ARCHITECTURE_DAY),
        cache_bytes=Figure(512 * 1024, "bytes of an Xe core, L1 and SLM", _ARCHITECTURE_DAY),
        cores=Figure(128, "Xe cores", _ARK),
        clock=Figure(1.6e9, "cycles per second, at most", _ARK),
        memory_bandwidth=Figure(3276.8e9, "bytes per second", _ARK),
    )
}


@dataclass(frozen=True)
class Estimate:
    """The least cycles that one sub-group occupies an engine."""

    #: Cycles in which the matrix engine is busy.
    dpas: float
    #: Cycles in which the vector engine issues instructions, 16 lanes of 32 bits per cycle.
    issue: float
    #: Cycles in which registers and L1 or SLM exchange data. Prefetches, which fill no register, do not count.
    bytes: float
    #: Cycles in which global memory moves these bytes, if none of them is found in a cache.
    memory: float

    @property
    def parts(self) -> dict[str, float]:
        """Return the cycles of each part, by name."""
        return {"DPAS": self.dpas, "issue": self.issue, "bytes": self.bytes}

    @property
    def cycles(self) -> float:
        """Return the cycles of the largest part."""
        return max(self.parts.values())

    @property
    def bound(self) -> str:
        """Return the name of the largest part."""
        return max(self.parts, key=lambda name: self.parts[name])

    @property
    def ratios(self) -> dict[str, float]:
        """Return every part as a share of the bound."""
        return {name: part / self.cycles if self.cycles else 0.0 for name, part in self.parts.items()}

    @property
    def reuse(self) -> float:
        """Return how often each byte has to be found in a cache for memory not to be the bound; below 1 it never is."""
        return self.memory / self.cycles if self.cycles else 0.0


def resolve(arch: str) -> Hardware:
    """Return the figures of an architecture."""
    if arch not in HARDWARE:
        raise errors.OptionError(f"there are figures of {', '.join(HARDWARE)}, not of `{arch}`")
    return HARDWARE[arch]


def estimate(instructions: Sequence[Instruction], arch: str) -> Estimate | None:
    """Estimate the cycles of instructions that each run once. Returns None for an architecture without figures."""
    hardware = HARDWARE.get(arch)
    if hardware is None:
        return None
    messages = [instruction.message for instruction in instructions if instruction.message]
    moved = sum(message.moved for message in messages)
    global_bytes = sum(message.moved for message in messages if not message.is_shared and not message.is_scratch)
    return Estimate(
        dpas=sum(instruction.repeat_count for instruction in instructions) * hardware.dpas_cycles_per_row,
        # A DPAS and a message take one cycle of those that issue, whatever comes of them.
        issue=sum(
            1.0
            if instruction.repeat_count or instruction.message
            else max(1.0, instruction.lanes / hardware.lanes_per_cycle)
            for instruction in instructions
        ),
        bytes=moved / hardware.bytes_per_cycle,
        memory=global_bytes / hardware.memory_bytes_per_cycle,
    )
