# SPDX-License-Identifier: MIT
"""Measure how long the first launch of a process takes, compared with its imports of torch and Triton.

    .venv/bin/python benchmarks/first_launch.py

There are three kinds of processes: those that compile the kernel, those that find it in Triton's cache, and those that
have an empty cache and find it in a bundle (docs/fleet.md). They take turns, and each has a row with medians. The
launch makes Triton import Gluon; `own` is the rest.
"""

from __future__ import annotations

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from triton_xe.tools.bundle import writing

#: Prints the seconds of the imports, of Triton's import of Gluon, and of the launch.
PROGRAM = """
import time
begin = time.perf_counter()
import torch
import triton
import triton.language as tl

imported = time.perf_counter()
import triton.experimental.gluon.nvidia.hopper

gluon = time.perf_counter()

@triton.jit
def add_one(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)

x, y = torch.randn(1000), torch.empty(1000)
ready = time.perf_counter()
add_one[(4,)](x, y, 1000, 256)
launched = time.perf_counter()
assert torch.equal(y, x + 1)
print(imported - begin, gluon - imported, launched - ready)
"""
COLUMNS = ("kernel from", "imports", "ratio", "own")


def measure(program: Path, cache: Path, bundle: Path | str) -> tuple[float, ...]:
    """Return the times of a process with this cache and this bundle."""
    environment = os.environ | {
        "TRITON_CACHE_DIR": str(cache),
        "TRITON_XE_BUNDLE": str(bundle),
        "TRITON_DEFAULT_BACKEND": "cpu",
    }
    command = [sys.executable, str(program)]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return tuple(map(float, output.split()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--csv", type=Path, help="also write the table to this file")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "program.py"
        program.write_text(PROGRAM)
        measure(program, folder / "cache", "off")
        writing.collect(folder / "bundle", folder / "cache")
        times: dict[str, list[tuple[float, ...]]] = {"the compiler": [], "the cache": [], "a bundle": []}
        for run in range(arguments.runs):
            times["the compiler"].append(measure(program, folder / f"empty{run}", "off"))
            times["the cache"].append(measure(program, folder / "cache", "off"))
            times["a bundle"].append(measure(program, folder / "nowhere", folder / "bundle"))
    print("{:<14} {:>8} {:>6} {:>6}".format(*COLUMNS))
    for side, measured in times.items():
        imports = statistics.median(imported for imported, _, _ in measured)
        ratio = statistics.median((gluon + launched) / imported for imported, gluon, launched in measured)
        own = statistics.median(launched / imported for imported, _, launched in measured)
        rows.append((side, f"{imports:.2f} s", f"{ratio:.3f}", f"{own:.3f}"))
        print("{:<14} {:>8} {:>6} {:>6}".format(*rows[-1]))
    if arguments.csv:
        with arguments.csv.open("w", newline="") as file:
            csv.writer(file).writerows((COLUMNS, *rows))


if __name__ == "__main__":
    main()
