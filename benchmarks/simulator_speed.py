# SPDX-License-Identifier: MIT
"""Measure how fast the simulator executes native code: lanes of instructions per second and processor.

    .venv/bin/python benchmarks/simulator_speed.py

A lane counts once for each instruction that it takes part in; one of dpas counts 16 lanes, whatever it computes.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from kernel_suite import CASES

from triton_xe.cpu import simulator

#: Products, attention, sorting, reductions, pointwise.
NAMES = (
    "matmul/stream_k",
    "attention/attention_forward_large-causal_True-head_64",
    "sorting/sort_rows-descending_False",
    "normalization/layer_norm-dtype_float32",
    "pointwise/dropout",
)


def main() -> None:
    """Print a row for each case."""
    warnings.simplefilter("ignore")
    processors = simulator.open_device().compute_units
    print(f"{'case':<56}{'instructions':>14}{'million lanes per second and processor':>40}")
    for name in NAMES:
        case = CASES[name]
        launches = list(case.launches(cpu_code="zebin"))
        for launch in launches:
            launch.run()
        with simulator.counting() as total:
            begin = time.perf_counter()
            for launch in launches:
                launch.run()
            taken = time.perf_counter() - begin
        speed = total.executed.lanes / taken / processors / 1e6
        print(f"{name:<56}{total.executed.executions:>14}{speed:>40.0f}")


if __name__ == "__main__":
    main()
