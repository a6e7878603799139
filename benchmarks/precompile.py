# SPDX-License-Identifier: MIT
"""Measure how long `triton-xe precompile` takes with one process and with several, and how large the bundle is.

    .venv/bin/python benchmarks/precompile.py harvest.jsonl --arch pvc,bmg

Any harvest will do (docs/fleet.md); that of the whole suite of kernels comes from

    TRITON_XE_HARVEST=$PWD/harvest.jsonl make test-python
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

from triton_xe.tools.bundle.reading import Bundle

COLUMNS = ("processes", "seconds", "ratio", "kernels", "MiB")


def measure(arguments: argparse.Namespace, processes: int, folder: Path) -> float:
    """Return the seconds of a process that fills a bundle."""
    command = [sys.executable, "-m", "triton_xe", "precompile", *map(str, arguments.files)]
    options = ["--arch", arguments.arch, "--variants", arguments.variants, "--jobs", str(processes)]
    started = time.perf_counter()
    # A kernel that cannot be compiled fails in one process as in several.
    subprocess.run([*command, *options, "--output", str(folder)], stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--arch", default="pvc", help="chips or products, separated by commas")
    parser.add_argument("--variants", choices=("all", "recorded"), default="recorded")
    parser.add_argument("--csv", type=Path, help="also write the table to this file")
    arguments = parser.parse_args()
    rows = []
    print("{:>9} {:>8} {:>6} {:>8} {:>6}".format(*COLUMNS))
    with tempfile.TemporaryDirectory() as name:
        first = None
        for processes in (1, len(os.sched_getaffinity(0))):
            folder = Path(name, str(processes))
            seconds = measure(arguments, processes, folder)
            first = first or seconds
            entries = list(Bundle.open(folder).entries())
            size = sum(entry.size for entry in entries) / 2**20
            rows.append((processes, f"{seconds:.1f}", f"{seconds / first:.2f}", len(entries), f"{size:.1f}"))
            print("{:>9} {:>8} {:>6} {:>8} {:>6}".format(*rows[-1]))
    if arguments.csv:
        with arguments.csv.open("w", newline="") as file:
            csv.writer(file).writerows((COLUMNS, *rows))


if __name__ == "__main__":
    main()
