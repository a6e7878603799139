# SPDX-License-Identifier: MIT
"""How long a stretch of code takes at least, and which part of the hardware says so.

The unit is a cycle of one vector engine with its matrix engine, for one sub-group. The sub-groups that an engine holds
at once share all three of what is estimated, so what bounds one bounds all of them; latencies, which they hide from
each other, are not in it. It is a bound from below, made of the code alone: nothing was run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triton_xe import errors
from triton_xe.report.instructions import Instruction


@dataclass(frozen=True)
class Figure:
    """A number of the hardware and who says so."""

    value: float
    unit: str
    source: str


_ARCHITECTURE_DAY = "Intel Architecture Day 2021: the Xe-core of Xe HPC"
_ARK = "Intel Data Center GPU Max 1550, product specification (ark.intel.com, 232873)"


@dataclass(frozen=True)
class Hardware:
    """What bounds a loop on one architecture."""

    device: str
    engines_per_core: Figure
    #: Operations (a multiplication and an addition are two) of bf16 that the matrix engines of an Xe core finish.
    matrix_operations: Figure
    #: The same of f32 and its vector engines.
    vector_operations: Figure
    #: Bytes between an Xe core's registers and its L1 cache, which is the shared local memory too.
    load_store_bytes: Figure
    cores: Figure
    clock: Figure
    memory_bandwidth: Figure

    @property
    def dpas_cycles_per_row(self) -> float:
        """Cycles of a DPAS per row of its result. The product of a row has 16 columns and, of bf16, a K of 16; other
        types have another K and a rate that is another by the same factor."""
        operations = 2 * 16 * 16
        return operations / (self.matrix_operations.value / self.engines_per_core.value)

    @property
    def lanes_per_cycle(self) -> float:
        """Channels of 32 bits that a vector engine takes in a cycle; a fused multiply-add is two operations of each."""
        return self.vector_operations.value / self.engines_per_core.value / 2

    @property
    def bytes_per_cycle(self) -> float:
        """An engine's share of the bytes between registers and L1."""
        return self.load_store_bytes.value / self.engines_per_core.value

    @property
    def memory_bytes_per_cycle(self) -> float:
        """An engine's share of the memory's bandwidth."""
        engines = self.cores.value * self.engines_per_core.value
        return self.memory_bandwidth.value / self.clock.value / engines

    def figures(self) -> dict[str, Figure]:
        """All figures with their sources, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Figure)}


#: Of other architectures not all of these figures were published.
HARDWARE = {
    "pvc": Hardware(
        device="Intel Data Center GPU Max 1550",
        engines_per_core=Figure(8, "engines per Xe core", _ARCHITECTURE_DAY),
        matrix_operations=Figure(4096, "operations per cycle of an Xe core, bf16", _ARCHITECTURE_DAY),
        vector_operations=Figure(256, "operations per cycle of an Xe core, f32", _ARCHITECTURE_DAY),
        load_store_bytes=Figure(512, "bytes per cycle of an Xe core, L1 and SLM", _ARCHITECTURE_DAY),
        cores=Figure(128, "Xe cores", _ARK),
        clock=Figure(1.6e9, "cycles per second, at most", _ARK),
        memory_bandwidth=Figure(3276.8e9, "bytes per second", _ARK),
    )
}


@dataclass(frozen=True)
class Estimate:
    """Cycles of one sub-group and one engine, at least."""

    #: The matrix engine is busy.
    dpas: float
    #: The vector engine takes instructions: one per cycle, of 16 lanes of 32 bits.
    issue: float
    #: Registers and L1 or SLM exchange data; prefetches, which fill no register, are not in it.
    bytes: float
    #: The same bytes of global memory, if none of them is ever found in a cache.
    memory: float

    @property
    def parts(self) -> dict[str, float]:
        """What may be the bound, by name."""
        return {"DPAS": self.dpas, "issue": self.issue, "bytes": self.bytes}

    @property
    def cycles(self) -> float:
        """The largest part."""
        return max(self.parts.values())

    @property
    def bound(self) -> str:
        """The name of the largest part."""
        return max(self.parts, key=lambda name: self.parts[name])

    @property
    def ratios(self) -> dict[str, float]:
        """Every part as a share of the bound."""
        return {name: part / self.cycles if self.cycles else 0.0 for name, part in self.parts.items()}

    @property
    def reuse(self) -> float:
        """How often each byte has to be found in a cache for memory not to be the bound; below 1 it never is."""
        return self.memory / self.cycles if self.cycles else 0.0


def resolve(arch: str) -> Hardware:
    """The figures of an architecture."""
    if arch not in HARDWARE:
        raise errors.OptionError(f"there are figures of {', '.join(HARDWARE)}, not of `{arch}`")
    return HARDWARE[arch]


def estimate(instructions: Sequence[Instruction], arch: str) -> Estimate | None:
    """Estimate instructions that each run once; None for an architecture without figures."""
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
