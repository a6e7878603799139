"""Puts native instructions into the lines that they can come from.

The offline compiler's line table is exact where code stands in the order of the source. Where it schedules (in loops,
above all), it names a neighbour's line for some instructions. What a DPAS and a 2D block message come from is known
better: some line of the LLVM IR has the like. If there are as many as in the LLVM IR, every line gets its number of
them. Otherwise, one whose line has none goes to the only line that has, or to that of the nearest instruction of its
kind whose line has. All others stay where the table puts them.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from triton_xe.report.instructions import Instruction, Places
from triton_xe.report.ir import Access

_BLOCK = re.compile(r"(load|store)_block2d\.\w+\.(d\d+[vt]?)")
_NO_DESTINATION = re.compile(r"send\S*\s+\([^)]*\)\s+null\b")

#: Kind and, of 2D blocks, element.
Kind = tuple[str, str]


def kind(instruction: Instruction) -> Kind | None:
    """What kind of access of the LLVM IR an instruction comes from, if that can be said."""
    if instruction.repeat_count:
        return ("dpas", "")
    match = _BLOCK.search(instruction.message.name) if instruction.message else None
    if not match:
        return None
    is_prefetch = match[1] == "load" and _NO_DESTINATION.search(instruction.text)
    return ("prefetch" if is_prefetch else match[1], match[2])


def _line(places: Places) -> tuple[tuple[str, int], ...]:
    return tuple((place.file, place.line) for place in places)


def _assign(claims: Sequence[tuple], sites: Sequence[tuple]) -> list[tuple]:
    """A line for each instruction of a kind: `claims` are those of the line table, `sites` those of the LLVM IR."""
    if len(claims) == len(sites):
        # One instruction per site, so that every line gets its number; where the table is wrong, in order.
        left = Counter(sites)
        kept = []
        for claim in claims:
            kept.append(left[claim] > 0)
            left[claim] -= kept[-1]
        rest = (site for site in left for _ in range(left[site]))
        return [claim if is_kept else next(rest) for claim, is_kept in zip(claims, kept, strict=True)]
    right = [position for position, claim in enumerate(claims) if claim in sites]
    nearest = [min(right, key=lambda other: abs(other - position), default=None) for position in range(len(claims))]
    only = sites[0] if len(set(sites)) == 1 else None
    return [only or (claim if other is None else claims[other]) for claim, other in zip(claims, nearest, strict=True)]


def refine(instructions: Sequence[Instruction], accesses: Sequence[Access]) -> tuple[list[Instruction], int]:
    """The instructions with lines that they can come from, and how many went elsewhere than the line table says."""
    places = {_line(item.places): item.places for item in [*instructions, *accesses]}
    sites: dict[Kind, list[tuple]] = defaultdict(list)
    for access in accesses:
        if access.places:
            for key in {(access.kind, access.element), (access.kind, "")}:
                sites[key].append(_line(access.places))
    positions: dict[Kind, list[int]] = defaultdict(list)
    for position, instruction in enumerate(instructions):
        if key := kind(instruction):
            # Of messages that the compiler made of others, the element may be another one.
            positions[key if key in sites else (key[0], "")].append(position)

    refined, moved = list(instructions), 0
    for key, found in positions.items():
        claims = [_line(instructions[position].places) for position in found]
        if key not in sites:
            continue
        for position, claim, line in zip(found, claims, _assign(claims, sites[key]), strict=True):
            if line != claim:
                moved += 1
                refined[position] = dataclasses.replace(instructions[position], places=places[line])
    return refined, moved


@functools.lru_cache(maxsize=64)
def _statements(file: str, _time: float) -> tuple[tuple[int, int], ...]:
    """First and last lines of the loops of a Python file that are loops of the code, too."""
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
    """The loop of the source that most instructions of a native loop are in: its line and, of an inlined function, the
    calls; empty if it is none of the source."""
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
