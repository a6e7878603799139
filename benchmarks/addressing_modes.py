# SPDX-License-Identifier: MIT
"""Native code of the same kernels by every addressing mode: block pointers, descriptors, plain pointers.

One table per family, one row per mode and Triton. The figures are static, so no GPU is needed. A loop is the one with
most DPAS; of two versions of a loop, the one with 2D block messages.

    .venv/bin/python benchmarks/addressing_modes.py [--family gemm] [--python .venv-3.9.0/bin/python] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import triton
from triton.backends.compiler import GPUTarget

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from triton_xe import versions

if not versions.has_block_pointers():
    import triton_xe.block_pointers  # noqa: F401

from kernel_suite.addressing_modes import ADDRESSING_MODES, Attention, Gemm
from kernel_suite.case import Session

#: Sizes are what makes a launch typical: whole tiles, aligned rows. The tiles are what counts.
_GEMM = {"shape": (1024, 1024, 1024), "tile": (256, 256, 32)}
FAMILIES: dict[str, tuple[Gemm | Attention, dict[str, Any]]] = {
    "gemm": (Gemm(**_GEMM), {"num_warps": 32}),
    "gemm_addmatrix": (Gemm(**_GEMM, add=True), {"num_warps": 32}),
    "gemm_batched": (Gemm(**_GEMM, batch=4), {"num_warps": 32}),
    "attention": (Attention(1024, (128, 32), head=64, batch=4), {"num_warps": 16}),
}
#: Columns of the table, in its order, and what native code is compared by.
COLUMNS = (
    "SLM", "convert", "loads", "stores", "prefetches", "dpas", "loop_dpas", "loop_instructions",
    "instructions", "scratch",
)  # fmt: skip


def figures(family: str, mode: str, arch: str = "pvc") -> dict[str, int]:
    """Compile one kernel for a GPU; static figures by the names in `COLUMNS`."""
    problem, options = FAMILIES[family]
    session = Session(recording=True)
    problem.run(session, mode)
    target = GPUTarget("xpu", arch, 16)
    options = {"grf_mode": "256", "generate_native_code": True} | options
    source, options = session.launches[0].source(target, **options)
    compiled = triton.compile(source, target=target, options=options)
    total = compiled.metadata.native["total"]
    with_messages = [loop for loop in compiled.metadata.native["loops"] if loop["dpas"] and loop["load_block2d"]]
    loops = with_messages or [loop for loop in compiled.metadata.native["loops"] if loop["dpas"]]
    # The innermost of a nest, and no version is shorter for having less to do.
    loop = min(loops, key=lambda loop: (-loop["dpas"], loop["instructions"]))
    return {
        "SLM": compiled.metadata.shared,
        "convert": compiled.asm["ttgir"].count("= ttg.convert_layout "),
        "loads": total["load_block2d"],
        "stores": total["store_block2d"],
        "prefetches": total["prefetches"],
        "dpas": total["dpas"],
        "loop_dpas": loop["dpas"],
        "loop_instructions": loop["instructions"],
        "instructions": total["instructions"],
        "scratch": total["scratch_messages"],
    }


def rows_of(python: str, families: list[str], modes: list[str]) -> list[dict[str, str]]:
    """Return the rows that another environment's Triton gives."""
    with tempfile.NamedTemporaryFile(suffix=".csv", mode="r") as table:
        command = [python, str(Path(__file__).resolve()), "--csv", table.name]
        command += ["--family", *families, "--mode", *modes]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return list(csv.DictReader(table))


def print_table(family: str, rows: list[dict[str, Any]]) -> None:
    """Print the rows of one family, with the length of each loop relative to that of block pointers in this Triton."""
    problem, options = FAMILIES[family]
    shape = "x".join(map(str, problem.tile))
    print(
        f"\n{family}: {problem.dtype}, tiles {shape}, {options['num_warps']} sub-groups, 256 registers".replace(
            "torch.", ""
        )
    )
    print(f"{'mode':<18}{'triton':<8}" + "".join(f"{column:>{len(column) + 2}}" for column in COLUMNS) + "   ratio")
    rows = [row for row in rows if row["family"] == family]
    yardstick = next((row for row in rows if row["mode"] == "block_pointers"), None)
    for row in rows:
        cells = "".join(f"{row[column]:>{len(column) + 2}}" for column in COLUMNS)
        ratio = f"{int(row['loop_instructions']) / int(yardstick['loop_instructions']):8.2f}" if yardstick else ""
        print(f"{row['mode']:<18}{row['triton']:<8}{cells}{ratio}")


def main() -> int:
    """Command line; see --help."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--family", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    parser.add_argument("--mode", nargs="+", choices=list(ADDRESSING_MODES), default=list(ADDRESSING_MODES))
    parser.add_argument(
        "--python", action="append", default=[], help="interpreter of an environment with another Triton (repeatable)"
    )
    parser.add_argument("--csv", type=Path, help="also write the rows to a file")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
        triton.knobs.cache.dir = cache
        for family in arguments.family:
            for mode in arguments.mode:
                print(f"  {family} {mode} ...", end="\r", file=sys.stderr, flush=True)
                row = {"family": family, "mode": mode, "triton": triton.__version__}
                rows.append(row | figures(family, mode))
    for python in arguments.python:
        rows.extend(rows_of(python, arguments.family, arguments.mode))
    for family in arguments.family:
        print_table(family, rows)
    if arguments.csv:
        with arguments.csv.open("w") as file:
            writer = csv.DictWriter(file, ["family", "mode", "triton", *COLUMNS])
            writer.writeheader()
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
