# SPDX-License-Identifier: MIT
"""Compile all kernels of the suite in one process, for a GPU up to SPIR-V and for the CPU device.

A build with sanitizers and assertions meets here what one compilation leaves for the next (`make test-full`).

    PYTHONPATH=test/python python -m compile_suite [--targets pvc,bmg,cpu]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

import triton
from kernel_suite import ALL_CASES
from triton.backends.compiler import GPUTarget

TARGETS = {
    "pvc": GPUTarget("xpu", "pvc", 16),
    "bmg": GPUTarget("xpu", "bmg", 16),
    "cpu": GPUTarget("cpu", "pvc", 16),
}


def compile_all(target: GPUTarget, name: str) -> int:
    """Compile the different kernels of all cases, and return how many there are."""
    count = 0
    for case in ALL_CASES:
        for source, options in case.sources(target):
            triton.compile(source, target=target, options=options)
            count += 1
        if sys.stdout.isatty():
            print(f"\r{name}: {count:>4} kernels, {case.name:<80}", end="", flush=True)
    return count


def main() -> int:
    """Compile for each target; errors are those of the compiler."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", default=",".join(TARGETS), help=f"some of {','.join(TARGETS)}")
    names = parser.parse_args().targets.split(",")
    with tempfile.TemporaryDirectory(prefix="triton-xe-suite-") as cache:
        triton.knobs.cache.dir = cache
        counts = {name: compile_all(TARGETS[name], name) for name in names}
    if sys.stdout.isatty():
        print()
    print("compiled in one process:", ", ".join(f"{count} for {name}" for name, count in counts.items()))
    return 0 if all(counts.values()) else 1


if __name__ == "__main__":
    # The modes that decide on other code are for tests of one kernel.
    os.environ.pop("TRITON_XE_CPU_RUNTIME", None)
    sys.exit(main())
