# SPDX-License-Identifier: MIT
"""The command line of the fuzzer, which `make fuzz` calls (docs/Fuzz.md)."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from . import mutating
from .fuzzing import Summary, fuzz_programs
from .pool import Pool

#: A file system in memory, which Linux has.
MEMORY = "/dev/shm"

KINDS = ("programs", "ir", "cache", "binaries")


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long to draw (10); shrinking comes on top")
    parser.add_argument("--count", type=int, help="programs, and mutations of each kind, instead of a time")
    parser.add_argument("--seed", type=int, help="the first seed; without it, one of the time of day")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"some of {','.join(KINDS)}")
    parser.add_argument("--device", choices=["cpu", "pvc"], default="cpu", help="pvc: machine code on the simulator")
    parser.add_argument("--findings", type=Path, default=Path("fuzz_findings"), help="folder of scripts that fail")
    parser.add_argument("--shrink-seconds", type=float, default=120, help="at most, for each failure (120)")
    options = parser.parse_args(arguments)
    options.kinds = options.kinds.split(",")
    unknown = set(options.kinds) - set(KINDS)
    if unknown:
        parser.error(f"unknown kinds: {', '.join(sorted(unknown))}")
    if options.seed is None:
        options.seed = int(time.time()) % 1_000_000 * 1000
    return options


def print_summary(summary: Summary, seconds: float) -> None:
    """The table at the end."""
    print(f"{summary.programs} programs, {summary.launches} launches, {seconds:.0f} s")
    for name, count in summary.features.most_common():
        print(f"  {name:<16} {count:>7}")
    print("  outcomes: " + ", ".join(f"{name} {count}" for name, count in sorted(summary.outcomes.items())))
    for name, count in sorted(summary.mutations.items()):
        print(f"  {name:<40} {count:>7}")
    print(f"{len(summary.findings)} findings")
    for one in summary.findings:
        print(f"  {one.path}: seed {one.seed}: {one.kind}")
        print("    " + one.message.strip().replace("\n", "\n    ")[:600])


def main(arguments: list[str] | None = None) -> int:
    """Runs all kinds one after the other; the status is 1 if there are findings."""
    options = parse_arguments(arguments)
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    summary = Summary()
    share = options.minutes * 60 / len(options.kinds)
    # The compiler makes and removes many small files for each kernel.
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="triton-xe-fuzz-cache-", dir=memory) as cache:
        for kind in options.kinds:
            environment = {"TRITON_CACHE_DIR": cache, "PYTHONWARNINGS": "ignore"}
            if kind == "binaries" or options.device == "pvc":
                environment["TRITON_XE_CPU_RUNTIME"] = "simulator"
            if kind == "binaries":
                # Damaged code computes any address, and only the checks know which memory is that of the launch.
                environment["TRITON_XE_CPU_DEBUG"] = "1"
            end = time.monotonic() + share if options.count is None else float("inf")
            place = (options.seed, options.count, end, options.findings, summary)
            with Pool(options.jobs, environment) as pool:
                if kind == "programs":
                    fuzz_programs(pool, *place, options.shrink_seconds)
                else:
                    mutating.fuzz(kind, pool, *place)
    print_summary(summary, time.monotonic() - started)
    return 1 if summary.findings else 0


if __name__ == "__main__":
    sys.exit(main())
