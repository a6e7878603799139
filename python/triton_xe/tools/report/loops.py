# SPDX-License-Identifier: MIT
"""Find the loops of native code, the source loops that they come from, and what bounds them.

A backward jump makes a loop, which extends from the target to the last jump there. The figures of a loop are those of
one iteration in which each instruction runs once; both sides of a branch count. An inner loop has its own figures,
which the loop around it does not include.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from triton_xe.native_lines import Places
from triton_xe.tools.report.instructions import Figures, Instruction
from triton_xe.tools.report.roofline import Estimate, estimate


@dataclass(frozen=True)
class Loop:
    """A loop. Its positions are those of instructions."""

    begin: int
    #: The position of the last jump back.
    end: int
    #: The number of loops around it.
    depth: int
    #: The statement that it comes from; empty if the compiler made the loop from none.
    places: Places
    #: The figures of its instructions alone.
    figures: Figures
    #: None for an architecture without published figures.
    estimate: Estimate | None
    has_inner: bool


def _ranges(instructions: Sequence[Instruction]) -> dict[int, int]:
    """Return the last jump back to each target."""
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


def _line(places: Places) -> tuple[tuple[str, int], ...]:
    return tuple((place.file, place.line) for place in places)


@functools.lru_cache(maxsize=64)
def _statements(file: str, _time: float) -> tuple[tuple[int, int], ...]:
    """Return first and last lines of the loops of a Python file that become loops of the code."""
    try:
        tree = ast.parse(Path(file).read_text())
    except (OSError, SyntaxError, ValueError):
        return ()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While):
            call = node.iter if isinstance(node, ast.For) else None
            function = call.func if isinstance(call, ast.Call) else None
            name = getattr(function, "attr", getattr(function, "id", ""))
            if name != "static_range":
                found.append((node.lineno, node.end_lineno or node.lineno))
    return tuple(found)


def loop_statement(own: Sequence[Instruction]) -> Places:
    """Return the source loop that most instructions of a native loop are in: its line and, in an inlined function, the
    calls. The result is empty if there is no such source loop."""
    votes: dict[tuple, tuple[int, int, int]] = {}
    places: dict[tuple, Places] = {}
    for instruction in own:
        for level, place in enumerate(instruction.places):
            path = Path(place.file)
            time = path.stat().st_mtime if path.is_file() else 0.0
            for first, last in _statements(place.file, time):
                if first <= place.line <= last:
                    outer = instruction.places[level + 1 :]
                    key = (place.file, first, _line(outer))
                    count = votes.get(key, (0, 0, 0))[0]
                    # Of several around the same code the innermost one counts.
                    votes[key] = (count + 1, len(outer), first - last)
                    places[key] = (dataclasses.replace(place, line=first, column=0), *outer)
    return places[max(votes, key=lambda key: votes[key])] if votes else ()


def find(instructions: Sequence[Instruction], arch: str) -> list[Loop]:
    """Return the loops in the order of their first instructions. A nested loop follows the loop around it."""
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
