# SPDX-License-Identifier: MIT
"""Estimate how many cycles a part of the code takes at least, and which part of the hardware bounds it.

The unit is a cycle of one vector engine with its matrix engine, for one sub-group. All sub-groups of an engine share
the three resources of the estimate, so the bound of one of them bounds all. Latencies, which sub-groups hide from each
other, are not estimated. The estimate is a lower bound that is computed from the code alone, without running it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triton_xe.tools.report.hardware import HARDWARE
from triton_xe.tools.report.instructions import Instruction


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
        # A DPAS and a message take one cycle of those that issue, whatever their result.
        issue=sum(
            1.0
            if instruction.repeat_count or instruction.message
            else max(1.0, instruction.lanes / hardware.lanes_per_cycle)
            for instruction in instructions
        ),
        bytes=moved / hardware.bytes_per_cycle,
        memory=global_bytes / hardware.memory_bytes_per_cycle,
    )
