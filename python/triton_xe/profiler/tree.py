"""Profiles as trees that `proton-viewer` and Hatchet read: scopes of the host, kernels, and their scopes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triton_xe.profiler import events


@dataclasses.dataclass
class Node:
    """A scope; what happened in it several times is added up."""

    metrics: dict[str, float] = dataclasses.field(default_factory=dict)
    children: dict[str, Node] = dataclasses.field(default_factory=dict)

    def find(self, path: tuple[str, ...]) -> Node:
        """The node below this one, made where there is none."""
        node = self
        for name in path:
            node = node.children.setdefault(name, Node())
        return node

    def add(self, metrics: Mapping[str, float]) -> None:
        for name, value in metrics.items():
            self.metrics[name] = self.metrics.get(name, 0) + value

    def describe(self, name: str) -> dict[str, Any]:
        """As Hatchet's JSON has it."""
        children = [child.describe(child_name) for child_name, child in self.children.items()]
        return {"frame": {"name": name, "type": "function"}, "metrics": self.metrics, "children": children}


def add_launch(root: Node, launch: events.Launch) -> None:
    """Add a launch, and the cycles that its warps spent in each scope.

    `cycles` are those of all warps of all programs that made records, `normalized_cycles` those of one on average, and
    `count` is how often one of them was in the scope.
    """
    kernel = root.find((*launch.path, launch.kernel))
    kernel.add({"count": 1})
    programs = launch.programs()
    warps = len(launch.layout.units) * max(len(programs), 1)
    for program in programs:
        for interval in program.intervals:
            cycles = interval.end - interval.begin
            kernel.find(_scope_path(launch.scopes, interval.scope)).add(
                {"count": 1, "cycles": cycles, "normalized_cycles": cycles / warps}
            )
        if program.lost:
            kernel.add({"lost_records": program.lost})


def _scope_path(scopes: tuple[tuple[str, int], ...], number: int) -> tuple[str, ...]:
    names: list[str] = []
    while number >= 0:
        name, number = scopes[number]
        names.append(name)
    return tuple(reversed(names))


def write(path: Path, root: Node) -> None:
    """Write the tree to a file; behind it would stand the devices that metrics are of."""
    path.write_text(json.dumps([root.describe("ROOT"), {}], indent=1))
