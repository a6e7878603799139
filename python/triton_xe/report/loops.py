"""Loops of native code, and what bounds them.

A loop is a backward jump: it goes from the jump's target to the last jump there. Figures of a loop are those of one
iteration, in which each instruction runs once: of a branch in it, both sides count. Inner loops count in their own
right, and not in those around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triton_xe.report.attribution import loop_statement
from triton_xe.report.instructions import Figures, Instruction, Places
from triton_xe.report.roofline import Estimate, estimate


@dataclass(frozen=True)
class Loop:
    """A loop; positions are of instructions."""

    begin: int
    #: The last jump back.
    end: int
    #: Loops around it.
    depth: int
    #: The statement that it comes from; empty if the compiler made it of none.
    places: Places
    #: Of its own instructions.
    figures: Figures
    estimate: Estimate
    has_inner: bool


def _ranges(instructions: Sequence[Instruction]) -> dict[int, int]:
    """The last jump back by its target."""
    positions = {
        instruction.label: position
        for position, instruction in enumerate(instructions)
        if instruction.label is not None
    }
    found: dict[int, int] = {}
    for position, instruction in enumerate(instructions):
        for target in instruction.targets:
            if target in positions and positions[target] <= position:
                found[positions[target]] = position
    return found


def find(instructions: Sequence[Instruction], arch: str) -> list[Loop]:
    """The loops in the order of their first instructions, so that a nested loop follows the one around it."""
    ranges = sorted(_ranges(instructions).items())
    loops = []
    for begin, end in ranges:
        inner = [(first, last) for first, last in ranges if begin < first and last <= end]
        own = [
            instruction
            for position, instruction in enumerate(instructions[begin : end + 1], begin)
            if not any(first <= position <= last for first, last in inner)
        ]
        loops.append(
            Loop(
                begin,
                end,
                depth=sum(first < begin and end <= last for first, last in ranges),
                places=loop_statement(own),
                figures=Figures.of(own),
                estimate=estimate(own, arch),
                has_inner=bool(inner),
            )
        )
    return loops
