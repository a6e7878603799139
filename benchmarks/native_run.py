# SPDX-License-Identifier: MIT
"""Count what kernels execute as machine code, on the simulator: ours next to those by hand, for the same task.

`static_cost.py` counts the instructions of a loop; this runs the kernels of the suite that there is a kernel by hand
for, counts every instruction that any sub-group executes, and divides by the elements of the results. By hand are the
files under `reference/`, in the place of one launch of a case, with the same arguments and the same tiles.

    .venv/bin/python benchmarks/native_run.py [--filter softmax] [--arch bmg]

The figures are exact and the same on every machine: no time is measured. The last columns are cycles of the simulator's
timing model for the launch (docs/Simulator.md), which no hardware has confirmed. A case whose sizes are none that 2D
block messages can have by hand has no row.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from kernel_suite import CASES
from kernel_suite.case import Session
from numeric.dot.test_hand_written import NO_SURFACES, SessionByHand, load_native, native_parameters, num_warps

from triton_xe import _simulator, target
from triton_xe.cpu import simulator
from triton_xe.tools.report import hardware
from triton_xe.tools.simulation import timing_model

COLUMNS = ("kernel", "ours", "by hand", "ratio", "bytes", "by hand", "ratio", "lines", "by hand", "ratio")
#: The columns of chips that the timing model knows.
MODEL_COLUMNS = ("model", "by hand", "ratio")


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

    def __init__(self, number: int, options: Mapping[str, Any], is_modelled: bool) -> None:
        super().__init__(options=dict(options))
        self._is_modelled = is_modelled
        self._number = number
        self.executed = simulator.Executed()
        #: Cycles of the timing model, if it is on.
        self.cycles = 0

    def launch(self, kernel: Any, grid: Sequence[int], *arguments: Any, **keywords: Any) -> None:
        """Launch, and count if it is the one."""
        if len(self.launches) != self._number:
            super().launch(kernel, grid, *arguments, **keywords)
            return
        # For a launch that takes another variant of the kernel, it is that variant.
        with simulator.counting() as total:
            super().launch(kernel, grid, *arguments, **keywords)
        self.executed = total.executed
        if self._is_modelled:
            self.cycles = timing_model.last_launch().cycles


def rows() -> Iterator[Row]:
    """Yield all rows."""
    for each in native_parameters():
        file, macros, kernel, case, number = each.values
        if case not in NO_SURFACES:
            yield Row(each.id, case, number, file, macros, kernel)


def run_own(row: Row, arch: str) -> tuple[simulator.Executed, int, int]:
    """Return what our kernel executes, its cycles of the model, and how many elements the case computes."""
    case = CASES[row.case]
    options = {"num_warps": num_warps(row.case), "cpu_code": "zebin", "arch": arch}
    session = CountingSession(row.number, options, arch in hardware.HARDWARE)
    results = case.body(session)
    return session.executed, session.cycles, sum(result.actual.numel() for result in results)


def run_by_hand(row: Row, arch: str) -> tuple[simulator.Executed, int]:
    """Return what the kernel by hand executes, and its cycles of the model."""
    kernel = load_native(row.file, row.macros, row.kernel, arch)
    session = SessionByHand(_simulator, kernel, row.number, num_warps(row.case))
    with simulator.counting():
        CASES[row.case].body(session)
    # Other launches of the case do not run here.
    modelled = timing_model.of_function(kernel)
    executed = sum((simulator.Executed(*numbers) for _, *numbers in kernel.counts), simulator.Executed())
    return executed, modelled.cycles if modelled else 0


def describe(row: Row, arch: str) -> str:
    """Return the cells of a row."""
    own, own_cycles, count = run_own(row, arch)
    other, other_cycles = run_by_hand(row, arch)
    cells = ""
    for name in ("executions", "bytes", "cache_lines"):
        one, two = getattr(own, name), getattr(other, name)
        cells += f"{one / count:>9.2f}{two / count:>9.2f}{one / two:>9.2f}"
    if other_cycles:
        cells += f"{own_cycles:>9}{other_cycles:>9}{own_cycles / other_cycles:>9.2f}"
    return cells


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", default="", help="only rows whose names contain this")
    parser.add_argument("--arch", type=target.chip, default="pvc", help="a chip or a product that the simulator knows")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    print(f"executed per element of the results, {arguments.arch}: instructions, bytes and cache lines of messages")
    columns = COLUMNS + (MODEL_COLUMNS if arguments.arch in hardware.HARDWARE else ())
    print(f"{columns[0]:<32}" + "".join(f"{name:>9}" for name in columns[1:]))
    model = timing_model.modelling(arguments.arch) if len(columns) > len(COLUMNS) else contextlib.nullcontext()
    with model:
        for row in rows():
            if arguments.filter in row.name:
                print(f"{row.name:<32}{describe(row, arguments.arch)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
