# SPDX-License-Identifier: MIT
"""Compare our kernels with those of Intel's libraries, oneDNN, oneMKL and OpenVINO, in the simulator's timing model.

    .venv/bin/python benchmarks/peers.py FOLDER [--chip pvc] [--filter '^bf16'] [--largest 1073741824]

All of them run on the virtual GPU (docs/VirtualGPU.md), through the real driver, with its compiler, on one model.
FOLDER gets the libraries, of pinned versions, from PyPI. Results of all sides are compared with those of 64 bits. Ours
is the best of a few configurations; each begins with empty caches, as the libraries' kernels do. Libraries may run
several kernels for a call, which count together.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: The runtimes of SYCL are those of this environment; of the packages only these are new.
PACKAGES = ("onednn==2026.1.0", "onemkl-sycl-blas==2026.2.0", "mkl==2026.2.0")
#: OpenVINO and what it imports, which has no files in common with the environment.
OPENVINO = ("openvino==2026.4.1", "openvino-telemetry==2025.2.0")
LIBRARIES = ("oneDNN", "oneMKL", "OpenVINO")


@dataclasses.dataclass(frozen=True)
class Case:
    """A computation that all sides do."""

    kind: str
    dtype: str
    #: (batch, M, N, K) or (M, N, K) of products; heads, length and columns of attention; else rows and columns.
    shape: tuple[int, ...]
    a_by_columns: bool = False
    b_by_columns: bool = False
    #: The operations that follow a product: "bias", "gelu", "added", joined by spaces.
    epilogue: str = ""
    #: Rows of attention see the columns up to their own number alone.
    is_causal: bool = False

    @property
    def name(self) -> str:
        """Return the name of the row."""
        kind = "" if self.kind == "product" else f"{self.kind} "
        kind += "causal " if self.is_causal else ""
        layout = (" A by columns" if self.a_by_columns else "") + (" B by columns" if self.b_by_columns else "")
        epilogue = f" {self.epilogue}" if self.epilogue else ""
        return f"{kind}{self.dtype} {'x'.join(map(str, self.shape))}{layout}{epilogue}"

    @property
    def work(self) -> int:
        """Return how many products or elements there are."""
        result = 1
        for size in self.shape:
            result *= size
        return result


def make_cases() -> list[Case]:
    """Return all cases."""
    cases = [
        Case("product", dtype, (size, size, size))
        for size in (512, 1024, 2048, 4096)
        for dtype in ("bf16", "f16", "int8", "tf32", "f32")
    ]
    cases += [Case("product", dtype, (m, 4096, 4096)) for dtype in ("bf16", "f16") for m in (1, 8, 16, 32)]
    cases += [Case("product", "bf16", (16, 512, 512, 512)), Case("product", "bf16", (32, 512, 512, 64))]
    cases += [
        Case("product", dtype, (1024, 1024, 1024), a_by_columns, b_by_columns)
        for dtype in ("bf16", "f16", "int8")
        for a_by_columns, b_by_columns in ((True, False), (False, True), (True, True))
    ]
    cases += [
        Case("product", "bf16", (1024, 1024, 1024), epilogue=epilogue)
        for epilogue in ("bias", "gelu", "added", "bias gelu", "bias gelu added")
    ]
    cases += [
        Case(kind, dtype, shape)
        for kind in ("softmax", "layer norm", "RMS norm")
        for dtype in ("bf16", "f32")
        for shape in ((4096, 1024), (1024, 4096))
    ]
    cases += [
        Case("attention", dtype, (16, 1024, head), is_causal=is_causal)
        for dtype in ("bf16", "f16")
        for is_causal in (False, True)
        for head in (64, 128)
    ]
    return cases


def find_case(name: str) -> Case:
    """Return the case with this name."""
    return next(case for case in make_cases() if case.name == name)


def install(folder: Path) -> None:
    """Install the libraries, without what they depend on."""
    if not (folder / "lib" / "libdnnl.so.3").exists():
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--prefix", str(folder), *PACKAGES]
        subprocess.run(command, check=True)
    if not (folder / "openvino").exists():
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder / "openvino")]
        subprocess.run([*command, *OPENVINO], check=True)


def run_side(
    side: str, case: Case, folder: Path, chip: str, seconds: int = 400, configurations: str = ""
) -> list[dict[str, Any]] | str:
    """Return the results of the configurations of a side, or why it has none."""
    with tempfile.TemporaryDirectory() as temporary:
        log = Path(temporary) / "kernels.json"
        command = [
            sys.executable,
            "-m",
            "triton_xe",
            "gpu",
            "run",
            "--chip",
            chip,
            "--log",
            str(log),
            "--",
        ]
        command += [sys.executable, str(Path(__file__).with_name("peer_run.py")), side, case.name, str(folder)]
        command += ["--configurations", configurations] if configurations else []
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"takes longer than {seconds} s"
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if found or not done.returncode:
        return found
    reasons = [line for line in done.stderr.splitlines() if line.startswith("virtual GPU:") or "Error:" in line]
    return (reasons or done.stderr.splitlines() or [f"status {done.returncode}"])[0]


@dataclasses.dataclass(frozen=True)
class Best:
    """The fastest configuration of a side."""

    name: str
    kernels: int
    cycles: int
    executed: int
    touched_bytes: int


def choose(results: Sequence[dict[str, Any]]) -> Best:
    """Return the fastest one."""
    best = []
    for result in results:
        cycles, executed, touched = (
            sum(kernel[field] for kernel in result["kernels"]) for field in ("cycles", "executed", "touched_bytes")
        )
        best.append(Best(result["name"], len(result["kernels"]), cycles, executed, touched))
    return min(best, key=lambda each: each.cycles)


def describe(case: Case, arguments: argparse.Namespace) -> str:
    """Return the row of a case."""
    best: dict[str, Best] = {}
    cells = [case.name]
    notes = []
    for side in ("ours", *LIBRARIES):
        found = run_side(side, case, arguments.folder, arguments.chip, arguments.seconds, arguments.configurations)
        if isinstance(found, str):
            notes.append(f"{side}: {found}")
        elif found:
            best[side] = choose(found)
            if arguments.verbose:
                notes += [f"{side}: {result['name']}: {choose([result]).cycles}" for result in found]
        each = best.get(side)
        cells.append(f"{each.cycles}" if each else "-")
    library = min((best[side] for side in LIBRARIES if side in best), key=lambda each: each.cycles, default=None)
    own = best.get("ours")
    if own and library:
        cells.append(f"{own.cycles / library.cycles:.2f}")
        cells.append(f"{own.executed / library.executed:.2f}")
        cells.append(f"{own.touched_bytes / library.touched_bytes:.2f}")
        cells.append(f"{own.name}; {library.name}" + (f" ({library.kernels} kernels)" if library.kernels > 1 else ""))
    else:
        cells += ["-"] * 3 + [own.name if own else "-"]
    return "\n".join(["| " + " | ".join(cells) + " |", *(f"    {note}" for note in notes)])


def main() -> int:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chip", default="pvc", help="a virtual GPU (pvc)")
    parser.add_argument("--filter", default="", help="only cases in whose names this regular expression occurs")
    parser.add_argument("--largest", type=int, default=4096**3, help="only cases of at most this number of products")
    parser.add_argument("--seconds", type=int, default=400, help="how long a side of a case may take (%(default)s)")
    parser.add_argument(
        "--configurations", default="", help="only those of ours in whose names this regular expression occurs"
    )
    parser.add_argument("--verbose", action="store_true", help="print all configurations")
    arguments = parser.parse_args()
    arguments.folder = arguments.folder.resolve()
    cases = [case for case in make_cases() if re.search(arguments.filter, case.name) and case.work <= arguments.largest]
    if cases:
        install(arguments.folder)
    titles = ("case", "ours", *LIBRARIES, "cycles", "instructions", "bytes", "configurations")
    print("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|", flush=True)
    for case in cases:
        print(describe(case, arguments), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
