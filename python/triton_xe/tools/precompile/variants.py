# SPDX-License-Identifier: MIT
"""The variants of a kernel that its launch conditions may choose.

A launch that breaks conditions requests the variant without 2D block messages for exactly the tensors in question, or,
if it breaks an assumption about all launches, for the one without assumptions, which has separate conditions
(`KernelVariants.cpp`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

#: The number of an assumption about all launches in the place of a tensor's, as in `intel/ABI/ConditionOp.h`.
LAUNCH_ASSUMPTION = -1

#: With more tensors than this the sets of some of them are too many: a set for each tensor, and the one of all.
MAX_TENSORS = 4


@dataclass(frozen=True)
class Variant:
    """A request of the launcher for other code."""

    surfaces: tuple[int, ...] = ()
    assume_launch: bool = True

    def __str__(self) -> str:
        parts = [f"ordinary_surfaces={','.join(map(str, self.surfaces))}"] if self.surfaces else []
        return " ".join([*parts, *([] if self.assume_launch else ["assume_launch=False"])])


def _surface_sets(conditions: Sequence[Sequence[Any]]) -> Iterator[tuple[int, ...]]:
    surfaces = sorted({surface for surface, _ in conditions} - {LAUNCH_ASSUMPTION})
    if len(surfaces) > MAX_TENSORS:
        yield from ((surface,) for surface in surfaces)
        yield tuple(surfaces)
        return
    for size in range(1, len(surfaces) + 1):
        yield from itertools.combinations(surfaces, size)


def with_assumptions(conditions: Sequence[Sequence[Any]]) -> list[Variant]:
    """Return the variants that the launcher may request of a kernel with these conditions, but none of a variant."""
    variants = [Variant(surfaces) for surfaces in _surface_sets(conditions)]
    if any(surface == LAUNCH_ASSUMPTION for surface, _ in conditions):
        variants.append(Variant(assume_launch=False))
    return variants


def without_assumptions(conditions: Sequence[Sequence[Any]]) -> list[Variant]:
    """Return the variants that the launcher may request of the one without assumptions, which has these conditions."""
    return [Variant(surfaces, assume_launch=False) for surfaces in _surface_sets(conditions)]
