# SPDX-License-Identifier: MIT
"""What kernels execute as machine code, on the simulator: ours next to those by hand, for the same task.

`static_cost.py` counts the instructions of a loop; this runs the kernels of the suite that there is a kernel by hand
for, counts every instruction that any sub-group executes, and divides by the elements of the results. By hand are the
files under `reference/`, in the place of one launch of a case, with the same arguments and the same tiles.

    .venv/bin/python benchmarks/native_run.py [--filter softmax] [--arch bmg]

The figures are exact and the same on every machine: no time is measured. A case whose sizes are none that 2D block
messages can have by hand has no row.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python" / "numeric"))

from kernel_suite import CASES
from kernel_suite.case import Session
from test_hand_written import NO_SURFACES, SessionByHand, load_native, native_parameters

from triton_xe import _simulator
from triton_xe.cpu import simulator

COLUMNS = ("kernel", "ours", "by hand", "ratio", "bytes", "by hand", "ratio", "lines", "by hand", "ratio")


@dataclasses.dataclass(frozen=True)
class Row:
    """A launch of a case, and the kernel by hand in its place."""

    name: str
    case: str
    number: int
    file: str
    macros: Mapping[str, Any]
    kernel: str


class CountingSession(Session):
    """Keeps what one of the launches of a case executes."""

    def __init__(self, number: int, options: Mapping[str, Any]) -> None:
        super().__init__(options=dict(options))
        self._number = number
        self.executed = simulator.Executed()

    def launch(self, kernel: Any, grid: Sequence[int], *arguments: Any, **keywords: Any) -> None:
        """Launch, and count if it is the one."""
        if len(self.launches) != self._number:
            super().launch(kernel, grid, *arguments, **keywords)
            return
        # Of a launch that takes another variant of the kernel, it is that one.
        with simulator.counting() as total:
            super().launch(kernel, grid, *arguments, **keywords)
        self.executed = total.executed


def rows() -> Iterator[Row]:
    """All of them."""
    for each in native_parameters():
        file, macros, kernel, case, number = each.values
        if case not in NO_SURFACES:
            yield Row(each.id, case, number, file, macros, kernel)


def run_own(row: Row, arch: str) -> tuple[simulator.Executed, int]:
    """What our kernel executes, and how many elements the case computes."""
    case = CASES[row.case]
    session = CountingSession(row.number, {"num_warps": case.num_warps[0], "cpu_code": "zebin", "arch": arch})
    results = case.body(session)
    return session.executed, sum(result.actual.numel() for result in results)


def run_by_hand(row: Row, arch: str) -> simulator.Executed:
    """What the kernel by hand executes."""
    kernel = load_native(row.file, row.macros, row.kernel, arch)
    session = SessionByHand(_simulator, kernel, row.number, CASES[row.case].num_warps[0])
    with simulator.counting():
        CASES[row.case].body(session)
    # Other launches of the case do not run here.
    return sum((simulator.Executed(*numbers) for _, *numbers in kernel.counts), simulator.Executed())


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", default="", help="only rows whose names contain this")
    parser.add_argument("--arch", default="pvc", help="a chip that the simulator knows")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    print(f"executed per element of the results, {arguments.arch}: instructions, bytes and cache lines of messages")
    print(f"{COLUMNS[0]:<32}" + "".join(f"{name:>9}" for name in COLUMNS[1:]))
    for row in rows():
        if arguments.filter not in row.name:
            continue
        own, count = run_own(row, arguments.arch)
        other = run_by_hand(row, arguments.arch)
        cells = ""
        for name in ("executions", "bytes", "cache_lines"):
            one, two = getattr(own, name), getattr(other, name)
            cells += f"{one / count:>9.2f}{two / count:>9.2f}{one / two:>9.2f}"
        print(f"{row.name:<32}{cells}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
