# SPDX-License-Identifier: MIT
"""Measure what each optional pass is worth: native code of the kernels of `static_cost.py` with and without it.

A row per pass: how many kernels have another innermost loop without the pass, a longer or a shorter one by more than
one percent, and how many spill more or less. A pass whose absence makes no kernel worse has no effect.

    .venv/bin/python benchmarks/pass_value.py [--filter attention] [--pass tritonintelgpu-schedule]

With `--executed`, the kernels run on the simulator, which counts the instructions that all sub-groups execute, and the
bytes that their messages touch: the code outside of loops, and in branches, has the weight that it has in a launch.

With `--rows`, the kernels that change are listed below each pass.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import astuple, dataclass, replace

import static_cost
import triton
from kernel_suite.case import PVC, Launch
from triton.backends.compiler import GPUTarget

from triton_xe import options as xe_options
from triton_xe import target
from triton_xe.cpu import simulator

#: A loop is longer or shorter if its length differs by more than this part.
MARGIN = 0.01


@dataclass(frozen=True)
class Figures:
    """The cost of a kernel: instructions of its loop and scratch messages, or instructions and bytes of a launch."""

    instructions: int
    memory: int


@dataclass(frozen=True)
class Change:
    """A kernel with and without a pass."""

    name: str
    before: Figures
    after: Figures

    @property
    def is_longer(self) -> bool:
        """Return whether the kernel takes more instructions without the pass."""
        return self.after.instructions > self.before.instructions * (1 + MARGIN)

    @property
    def is_shorter(self) -> bool:
        """Return whether the kernel takes fewer instructions without the pass."""
        return self.after.instructions < self.before.instructions * (1 - MARGIN)


def count_native(launch: Launch, chip: GPUTarget, skipped: tuple[str, ...]) -> Figures:
    """Compile a kernel, and count what its native code has."""
    figures = static_cost.ours(launch, chip, skip_passes=skipped)
    return Figures(figures["loop"], figures["scratch"])


def count_executed(launch: Launch, chip: GPUTarget, skipped: tuple[str, ...]) -> Figures:
    """Launch a kernel on the simulator, and count what its sub-groups execute."""
    del chip  # the simulator has taken over for it
    changed = replace(launch, keywords=launch.keywords | {"grf_mode": "256", "skip_passes": skipped})
    with simulator.counting() as total:
        changed.run()
    return Figures(total.executed.executions, total.executed.bytes)


def print_pass(name: str, changes: list[Change], labels: tuple[str, str], *, lists_rows: bool) -> None:
    """Print the row of a pass."""
    counts = (
        len(changes),
        sum(change.is_longer for change in changes),
        sum(change.is_shorter for change in changes),
        sum(change.after.memory > change.before.memory for change in changes),
        sum(change.after.memory < change.before.memory for change in changes),
    )
    print(f"{name:<44}" + "".join(f"{count:>12}" for count in counts), flush=True)
    for change in changes if lists_rows else ():
        pairs = zip(labels, astuple(change.before), astuple(change.after), strict=True)
        print(f"    {change.name:<34} " + ", ".join(f"{label} {old} -> {new}" for label, old, new in pairs))


def main() -> int:
    """Command line; see --help."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", default="", help="only kernels with this in their names")
    parser.add_argument("--arch", type=target.chip, default=PVC.arch, help="a chip or a product")
    parser.add_argument("--pass", dest="passes", action="append", choices=xe_options.OPTIONAL_PASSES, metavar="PASS")
    parser.add_argument("--rows", action="store_true", help="list the kernels that change")
    parser.add_argument("--executed", action="store_true", help="count what runs on the simulator")
    arguments = parser.parse_args()
    chip = GPUTarget("xpu", arguments.arch, 16)
    count, labels = count_native, ("loop", "scratch")
    headings = ("changed", "longer", "shorter", "spill", "spill less")
    if arguments.executed:
        simulator.take_over(arguments.arch)
        count, labels = count_executed, ("executed", "bytes")
        headings = ("changed", "longer", "shorter", "more bytes", "fewer bytes")
    kernels = {row.name: row.launch() for row in static_cost.rows() if arguments.filter in row.name}
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
        triton.knobs.cache.dir = cache
        before = {name: count(launch, chip, ()) for name, launch in kernels.items()}
        print(f"{len(kernels)} kernels, without the pass:")
        print(f"{'':<44}" + "".join(f"{heading:>12}" for heading in headings))
        for skipped in arguments.passes or xe_options.OPTIONAL_PASSES:
            after = {name: count(launch, chip, (skipped,)) for name, launch in kernels.items()}
            changes = [Change(name, before[name], after[name]) for name in kernels if before[name] != after[name]]
            print_pass(skipped, changes, labels, lists_rows=arguments.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
