# SPDX-License-Identifier: MIT
"""Measure how well the compiler's estimate of registers, which `grf_mode="auto"` uses, predicts which kernels spill.

All kernels of the tests' suite, compiled for a chip and by the device compiler with 128 registers per thread, once with
their own number of warps and once with each of `--warps`, which makes tiles of a warp larger and smaller. No GPU is
needed.

    .venv/bin/python benchmarks/register_estimate.py --warps 1 2 4 8 16 32 --csv out.csv
    .venv/bin/python benchmarks/register_estimate.py --warps 1 2 4 8 16 32 --arch bmg

Prints how many kernels a limit on the estimate is right about, for a range of limits; the one in use is marked.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.errors import TritonError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from kernel_suite import CASES

from triton_xe import compiler, errors, native, register_mode, target
from triton_xe import options as xe_options

#: The mode with the fewest registers, which the limit is for.
MODE = 128


@dataclasses.dataclass(frozen=True)
class Row:
    """A kernel with one number of warps."""

    kernel: str
    warps: int
    #: Bytes of a thread's registers.
    estimate: int
    #: Messages to scratch memory in native code.
    messages: int


def compile_all(gpu: GPUTarget, warps: int | None, seen: set[str]) -> Iterator[Row]:
    """Compile all kernels that are not like one before, with `warps` warps or with their own number."""
    for name, case in CASES.items():
        for number, launch in enumerate(case.launches()):
            source, options = launch.source(gpu, grf_mode=str(MODE))
            if warps:
                options |= {"num_warps": warps}
            try:
                compiled = triton.compile(source, target=gpu, options=options)
                llvm_ir = compiled.asm["llir"]
                key = hashlib.sha256(llvm_ir.encode()).hexdigest()
                if key in seen:
                    continue
                seen.add(key)
                spirv = compiler.translate_to_spirv(llvm_ir, "none", xe_options.XeOptions(arch=gpu.arch))
                figures = native.compile_native(spirv, gpu.arch, str(MODE), compiled.metadata.name).figures
            except (errors.TritonXeError, TritonError) as error:
                print(f"{name}, launch {number}, {warps} warps: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            estimate = register_mode.read_attribute(llvm_ir, "live-bytes")
            count = compiled.metadata.num_warps
            yield Row(f"{name}, launch {number}", count, estimate, figures.total.scratch_messages)


def print_limits(rows: Sequence[Row], arch: str) -> None:
    """Print how often each limit is right and wrong."""
    used = MODE * target.resolve(arch).register_bytes
    spilling = sum(row.messages > 0 for row in rows)
    print(f"{len(rows)} kernels, of which {spilling} spill with {MODE} registers\n")
    print("| limit | above, but do not spill | below, but spill | wrong |\n|---|---|---|---|")
    for limit in sorted({*range(6656, 11009, 256), used}):
        above = sum(row.estimate > limit and not row.messages for row in rows)
        below = sum(row.estimate <= limit and row.messages > 0 for row in rows)
        print(f"| {limit}{' (in use)' * (limit == used)} | {above} | {below} | {above + below} |")


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warps", type=int, nargs="*", default=[], help="in addition to the kernels' own numbers")
    parser.add_argument("--arch", type=target.chip, default=target.DEFAULT, help="a chip or a product")
    parser.add_argument("--csv", type=Path)
    arguments = parser.parse_args()
    if any(len(register_mode.permitted(arguments.arch, warps)) < 2 for warps in arguments.warps):
        parser.error("--warps: no choice of registers with this number")
    seen: set[str] = set()
    # The smallest sub-groups, as products have them.
    gpu = GPUTarget("xpu", arguments.arch, target.resolve(arguments.arch).sub_group_sizes[0])
    rows = [row for warps in (None, *arguments.warps) for row in compile_all(gpu, warps, seen)]
    print_limits(rows, arguments.arch)
    if arguments.csv:
        with arguments.csv.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(field.name for field in dataclasses.fields(Row))
            writer.writerows(dataclasses.astuple(row) for row in rows)


if __name__ == "__main__":
    main()
