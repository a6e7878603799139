# SPDX-License-Identifier: MIT
"""Measure what each optional pass is worth: native code of the kernels of `static_cost.py` with and without it.

A row per pass: how many kernels have another innermost loop without the pass, a longer or a shorter one by more than
one percent, and how many spill more or less. A pass whose absence makes no kernel worse has nothing to do any more.

    .venv/bin/python benchmarks/pass_value.py [--filter attention] [--pass tritonintelgpu-schedule]

With `--rows`, the kernels that change are listed below each pass.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass

import static_cost
import triton
from kernel_suite.case import PVC, Launch
from triton.backends.compiler import GPUTarget

from triton_xe import options as xe_options
from triton_xe import target

#: A loop is longer or shorter if its length differs by more than this part.
MARGIN = 0.01


@dataclass(frozen=True)
class Change:
    """A kernel with and without a pass: instructions of its loop, and scratch messages."""

    name: str
    loops: tuple[int, int]
    scratch: tuple[int, int]

    @property
    def is_longer(self) -> bool:
        """Return whether the loop is longer without the pass."""
        return self.loops[1] > self.loops[0] * (1 + MARGIN)

    @property
    def is_shorter(self) -> bool:
        """Return whether the loop is shorter without the pass."""
        return self.loops[1] < self.loops[0] * (1 - MARGIN)


def find_changes(
    kernels: dict[str, Launch], before: dict[str, dict[str, int]], skipped: str, chip: GPUTarget
) -> list[Change]:
    """Compile all kernels without a pass, and return those whose native code differs."""
    changes = []
    for name, launch in kernels.items():
        with_pass, without = before[name], static_cost.ours(launch, chip, skip_passes=(skipped,))
        if with_pass != without:
            pairs = [(with_pass[column], without[column]) for column in ("loop", "scratch")]
            changes.append(Change(name, *pairs))
    return changes


def print_pass(name: str, changes: list[Change], *, lists_rows: bool) -> None:
    """Print the row of a pass."""
    counts = (
        len(changes),
        sum(change.is_longer for change in changes),
        sum(change.is_shorter for change in changes),
        sum(change.scratch[1] > change.scratch[0] for change in changes),
        sum(change.scratch[1] < change.scratch[0] for change in changes),
    )
    print(f"{name:<44}" + "".join(f"{count:>10}" for count in counts), flush=True)
    for change in changes if lists_rows else ():
        loops, scratch = (" -> ".join(map(str, pair)) for pair in (change.loops, change.scratch))
        print(f"    {change.name:<34} loop {loops}, scratch {scratch}")


def main() -> int:
    """Command line; see --help."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", default="", help="only kernels with this in their names")
    parser.add_argument("--arch", default=PVC.arch, choices=target.architectures(), help="the chip to compile for")
    parser.add_argument("--pass", dest="passes", action="append", choices=xe_options.OPTIONAL_PASSES, metavar="PASS")
    parser.add_argument("--rows", action="store_true", help="list the kernels that change")
    arguments = parser.parse_args()
    chip = GPUTarget("xpu", arguments.arch, 16)
    kernels = {row.name: row.launch() for row in static_cost.rows() if arguments.filter in row.name}
    headings = ("changed", "longer", "shorter", "spill", "spill less")
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
        triton.knobs.cache.dir = cache
        before = {name: static_cost.ours(launch, chip) for name, launch in kernels.items()}
        print(f"{len(kernels)} kernels, without the pass:")
        print(f"{'':<44}" + "".join(f"{heading:>10}" for heading in headings))
        for name in arguments.passes or xe_options.OPTIONAL_PASSES:
            print_pass(name, find_changes(kernels, before, name, chip), lists_rows=arguments.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
