# SPDX-License-Identifier: MIT
"""Measure how much memory compilations do not release: 1000 different kernels, for each backend, in a separate process.

The kernels differ in a constant, so that each is compiled. The data that Triton keeps (compiled kernels, files of its
cache) is dropped after each; memory is that of the process once the first compilations are over.

    .venv/bin/python benchmarks/compile_memory.py [--count 1000] [--kinds obj,spv,opencl] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "python"))

#: For each kind of binary the name of the target, and the environment's settings for the CPU device.
KINDS = {"obj": ("cpu", "native"), "spv": ("xpu", "native"), "opencl": ("cpu", "opencl")}

#: Megabytes that 1000 compilations may not release.
LIMIT = 50


class Measurement(NamedTuple):
    """Megabytes of the process and milliseconds per compilation, at the begin and at the end."""

    first_megabytes: float
    last_megabytes: float
    first_milliseconds: float
    last_milliseconds: float


def measure(kind: str, count: int) -> Measurement:
    """Compile `count` kernels in a separate process."""
    environment = os.environ | {"TRITON_XE_CPU_RUNTIME": KINDS[kind][1]}
    arguments = [sys.executable, __file__, "--child", kind, "--count", str(count)]
    result = subprocess.run(arguments, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return Measurement(*map(float, result.stdout.split()))


def run_child(kind: str, count: int) -> Measurement:
    """Compile the kernels of a kind in this process."""
    from different_kernels import compile_different, resident_megabytes
    from triton.backends.compiler import GPUTarget

    target = GPUTarget(KINDS[kind][0], "pvc", 16)
    # Data that is loaded or allocated once does not grow.
    warm = max(count // 10, 20)
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
        compile_different(target, range(warm), Path(cache))
        first = resident_megabytes()
        parts = []
        for part in range(4):
            begin, end = (warm + count * (part + i) // 4 for i in range(2))
            start = time.perf_counter()
            compile_different(target, range(begin, end), Path(cache))
            parts.append((time.perf_counter() - start) * 1000 / (end - begin))
    return Measurement(first, resident_megabytes(), parts[0], parts[-1])


def main() -> int:
    """Print the table; non-zero when a kind grows by more than the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="compilations per kind of binary")
    parser.add_argument("--kinds", default=",".join(KINDS), help="only these, separated by commas")
    parser.add_argument("--csv", help="also write the table to this file")
    parser.add_argument("--child", choices=KINDS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(*run_child(arguments.child, arguments.count))
        return 0

    header = ["binary", "MB before", "MB after", "MB per 1000", "ms at first", "ms at last"]
    print("".join(f"{name:>13}" for name in header))
    rows = []
    for kind in arguments.kinds.split(","):
        found = measure(kind, arguments.count)
        growth = (found.last_megabytes - found.first_megabytes) * 1000 / arguments.count
        row = [found.first_megabytes, found.last_megabytes, growth, found.first_milliseconds, found.last_milliseconds]
        print(f"{kind:>13}" + "".join(f"{value:>13.1f}" for value in row), flush=True)
        rows.append([kind, *row])
    if arguments.csv:
        with Path(arguments.csv).open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
    return 0 if all(row[3] < LIMIT for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
