# SPDX-License-Identifier: MIT
"""Write profiles as trees for `proton-viewer` and Hatchet: scopes of the host, kernels, and their scopes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triton_xe import errors
from triton_xe.tools.profiler import devices, events, metrics


@dataclasses.dataclass
class Node:
    """A scope, with the sums of the metrics of all times that it was entered."""

    metrics: dict[str, Any] = dataclasses.field(default_factory=dict)
    children: dict[str, Node] = dataclasses.field(default_factory=dict)

    def find(self, path: tuple[str, ...]) -> Node:
        """Return the child with this name, which is made if it does not exist."""
        node = self
        for name in path:
            node = node.children.setdefault(name, Node())
        return node

    def add(self, values: Mapping[str, Any]) -> None:
        """Add metrics: numbers are summed up, texts replaced."""
        for name, value in values.items():
            if name in self.metrics and not isinstance(value, str):
                value = metrics.add(self.metrics[name], value, name)
            self.metrics[name] = value

    def describe(self, name: str) -> dict[str, Any]:
        """Return the node in the form of Hatchet's JSON."""
        children = [child.describe(child_name) for child_name, child in self.children.items()]
        return {"frame": {"name": name, "type": "function"}, "metrics": dict(self.metrics), "children": children}


def add_launch(root: Node, launch: events.Launch) -> None:
    """Add a launch, and the cycles that its warps spent in each scope.

    `cycles` is the sum over all warps of all programs that made records, `normalized_cycles` the mean of these warps,
    and `count` is how often one of them was in the scope.
    """
    kernel = root.find((*launch.path, launch.kernel))
    kernel.add({"count": 1})
    programs = launch.programs()
    warps = len(launch.layout.units) * max(len(programs), 1)
    for program in programs:
        for number, (count, cycles) in enumerate(zip(*program.columns.totals(), strict=True)):
            if count:
                kernel.find(_scope_path(launch.scopes, number)).add(
                    {"count": count, "cycles": cycles, "normalized_cycles": cycles / warps}
                )
        if program.lost:
            kernel.add({"lost_records": program.lost})


def _scope_path(scopes: tuple[tuple[str, int], ...], number: int) -> tuple[str, ...]:
    names: list[str] = []
    while number >= 0:
        name, number = scopes[number]
        names.append(name)
    return tuple(reversed(names))


#: Metrics that viewers add up over inner scopes.
_SUMMED = ("count", "time (ns)")


def add_run(root: Node, run: events.Run) -> None:
    """Add a launch whose time was measured. Waits for it.

    The metrics are those of Triton's profiler. If the host had to wait for the kernel and read its own clock, the text
    `clock` states it.
    """
    begin, end = run.time.read()
    for name in _SUMMED:
        root.metrics.setdefault(name, 0)
    values = {"count": 1, "time (ns)": end - begin, "device_id": str(run.device), "device_type": run.device_type}
    if run.is_host_time:
        values["clock"] = "host"
    root.find((*run.path, run.kernel)).add(values)


def to_database(root: Node) -> list[dict[str, Any]]:
    """Return the tree, and the devices of its metrics."""
    described = root.describe("ROOT")
    return [described, devices.describe(_devices_of(root))]


def _devices_of(node: Node) -> set[tuple[str, str]]:
    found = {(node.metrics["device_type"], node.metrics["device_id"])} if "device_id" in node.metrics else set()
    return found.union(*map(_devices_of, node.children.values()))


def write(path: Path, root: Node) -> None:
    """Write the tree to a file: MessagePack if its name ends in `_msgpack`, otherwise JSON."""
    database = to_database(root)
    if path.name.endswith("_msgpack"):
        path.write_bytes(to_msgpack(database))
    else:
        path.write_text(json.dumps(database, indent=1))


def to_msgpack(database: list[dict[str, Any]]) -> bytes:
    """Return the result of `to_database` in MessagePack. Raises ToolError without the package `msgpack`."""
    try:
        import msgpack
    except ImportError as error:
        raise errors.ToolError("MessagePack needs the package `msgpack` (pip install msgpack)") from error
    return msgpack.packb(database)
