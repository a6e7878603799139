# SPDX-License-Identifier: MIT
"""Runs a kernel in many configurations and reports on every single one.

The autotuner's view (the fastest configuration) hides the ones that failed. Here
each configuration gets a row: what it compiled to, how far its result is from a
float64 reference, how long it took, or the reason why it was dropped.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import torch
import triton
from triton.runtime.errors import OutOfResources

from triton_xe.tools.statistics import kernel_statistics


@dataclass(frozen=True)
class Config:
    """One configuration of a tiled GEMM kernel."""

    block_m: int
    block_n: int
    block_k: int
    num_warps: int
    num_stages: int
    grf_mode: str = "256"

    def __str__(self) -> str:
        return f"{self.block_m}x{self.block_n}x{self.block_k} w{self.num_warps} s{self.num_stages}"

    def meta(self) -> dict[str, Any]:
        """Return keyword arguments of a launch."""
        return {
            "BLOCK_M": self.block_m,
            "BLOCK_N": self.block_n,
            "BLOCK_K": self.block_k,
            "GROUP_M": 4,
            "num_warps": self.num_warps,
            "num_stages": self.num_stages,
            "grf_mode": self.grf_mode,
        }

    def triton_config(self) -> triton.Config:
        """Return the configuration for triton.autotune."""
        meta = self.meta()
        return triton.Config(meta, num_warps=meta.pop("num_warps"), num_stages=meta.pop("num_stages"))


def default_configs(stages: Sequence[int] = (2, 3)) -> list[Config]:
    """Return the tiles that matter on PVC: four with 32 sub-groups, one with 4."""
    tiles = [(256, 256, 32, 32), (256, 128, 32, 32), (64, 128, 32, 32), (8, 512, 64, 32), (8, 128, 64, 4)]
    return [Config(*tile, num_stages=s) for tile in tiles for s in stages]


@dataclass
class Row:
    """The measurements of one configuration. Times are in milliseconds."""

    kernel: str
    dtype: str
    shape: str
    config: Config
    status: str = "ok"
    reason: str = ""
    statistics: dict[str, Any] = field(default_factory=dict)
    compile_ms: dict[str, float] = field(default_factory=dict)
    error: float | None = None
    time_ms: float | None = None

    def flat(self) -> dict[str, Any]:
        """Return one level of columns, for CSV."""
        flat = {k: v for k, v in asdict(self).items() if k not in ("config", "statistics", "compile_ms")}
        flat.update({f"config.{k}": v for k, v in asdict(self.config).items()})
        flat.update(self.statistics)
        flat.update({f"compile_ms.{k}": round(v, 1) for k, v in self.compile_ms.items()})
        return flat


@dataclass(frozen=True)
class Problem:
    """One kernel on one set of arguments.

    launch(**meta) runs it into `output`, warmup(**meta) only compiles it, and
    autotune(configs) lets Triton's autotuner choose;
    `reference` is the float64 (or int64) result, `tolerance` the largest error
    relative to the largest absolute value of the reference; 0 means exact.
    """

    kernel: str
    dtype: str
    shape: str
    launch: Callable[..., Any]
    warmup: Callable[..., Any]
    autotune: Callable[[Sequence[triton.Config]], triton.Config]
    output: torch.Tensor
    reference: torch.Tensor
    tolerance: float


@contextmanager
def _fresh_compilation(times: dict[str, float]) -> Iterable[None]:
    """Let the compilation in the block start from an empty cache, and record milliseconds per stage."""

    def listener(*, times: Any, **_: Any) -> None:
        record["ast"] = times.ir_initialization / 1000
        record.update({stage: duration / 1000 for stage, duration in times.lowering_stages})

    record = times
    with tempfile.TemporaryDirectory() as cache, triton.knobs.cache.scope(), triton.knobs.compilation.scope():
        triton.knobs.cache.dir = cache
        triton.knobs.compilation.listener = listener
        yield


def relative_error(output: torch.Tensor, reference: torch.Tensor) -> float:
    """Return the largest absolute error over the largest absolute reference value; NaN counts as infinite."""
    difference = (output.to(reference.dtype) - reference).abs().max().item()
    scale = max(reference.abs().max().item(), 1e-30)
    error = float(difference) / float(scale)
    return error if error == error else float("inf")


def run_config(problem: Problem, config: Config, *, native: bool, timed: bool) -> Row:
    """Compile, inspect, run and check one configuration."""
    row = Row(problem.kernel, problem.dtype, problem.shape, config)
    meta = config.meta()
    try:
        with _fresh_compilation(row.compile_ms):
            compiled = problem.warmup(**meta, generate_native_code=native)
        row.statistics = kernel_statistics(compiled.asm, compiled.metadata)
        # A kernel that writes nothing must not pass by what memory held before.
        problem.output.fill_(float("nan") if problem.output.is_floating_point() else -77)
        problem.launch(**meta)
    except OutOfResources as error:
        row.status, row.reason = "dropped", str(error)
        return row
    except Exception as error:
        row.status, row.reason = "error", f"{type(error).__name__}: {error}"
        return row
    row.error = relative_error(problem.output, problem.reference)
    if row.error > problem.tolerance:
        row.status = "wrong"
        row.reason = f"relative error {row.error:.2e}, allowed {problem.tolerance:.0e}"
    elif timed:
        row.time_ms = triton.testing.do_bench(lambda: problem.launch(**meta), warmup=1, rep=50)
    return row


_COLUMNS: list[tuple[str, Callable[[Row], Any]]] = [
    ("kernel", lambda r: r.kernel),
    ("dtype", lambda r: r.dtype),
    ("configuration", lambda r: str(r.config)),
    ("status", lambda r: r.status),
    ("error", lambda r: None if r.error is None else f"{r.error:.1e}"),
    ("SLM", lambda r: r.statistics.get("shared")),
    ("convert", lambda r: r.statistics.get("convert_layouts")),
    ("ld2d", lambda r: r.statistics.get("block_loads")),
    ("st2d", lambda r: r.statistics.get("block_stores")),
    ("pf2d", lambda r: r.statistics.get("block_prefetches")),
    ("dpas", lambda r: r.statistics.get("dpas")),
    ("isa", lambda r: r.statistics.get("native_instructions")),
    ("spills", lambda r: r.statistics.get("native_spilled_registers")),
    ("scratch", lambda r: r.statistics.get("native_scratch_bytes")),
    ("compile", lambda r: f"{sum(r.compile_ms.values()):.0f} ms" if r.compile_ms else None),
    ("time", lambda r: None if r.time_ms is None else f"{r.time_ms:.1f} ms"),
]


def print_table(rows: Sequence[Row]) -> None:
    """Print the rows as a text table, then the reasons of those that are not ok."""
    cells = [["-" if (value := get(row)) is None else str(value) for _, get in _COLUMNS] for row in rows]
    header = [name for name, _ in _COLUMNS]
    widths = [max(len(line[i]) for line in [header, *cells]) for i in range(len(header))]
    for line in [header, ["-" * w for w in widths], *cells]:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())
    for row in rows:
        if row.status != "ok":
            print(f"\n{row.kernel} {row.dtype} {row.config}: {row.status}\n  {row.reason}")
    timed = [row for row in rows if row.time_ms is not None]
    for kernel, dtype in dict.fromkeys((row.kernel, row.dtype) for row in timed):
        group = [row for row in timed if (row.kernel, row.dtype) == (kernel, dtype)]
        best = min(group, key=lambda row: row.time_ms)
        dropped = sum(row.status != "ok" for row in rows if (row.kernel, row.dtype) == (kernel, dtype))
        print(f"\n{kernel} {dtype}: fastest {best.config}, {dropped} configuration(s) dropped")


def write_csv(rows: Sequence[Row], path: str) -> None:
    """Write everything that is known about each row, one column per figure."""
    flat = [row.flat() for row in rows]
    names = list(dict.fromkeys(name for line in flat for name in line))
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(flat)


def make_parser(description: str) -> argparse.ArgumentParser:
    """Return the command line that all GEMM benchmarks share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--shape",
        action="append",
        type=lambda text: tuple(int(part) for part in text.split(",")),
        help="M,N,K or B,M,N,K; may be given several times (default 1024,1024,1024)",
    )
    parser.add_argument("--dtype", action="append", choices=["bf16", "f16", "int8"], help="default bf16 and int8")
    parser.add_argument("--device", default=None, help="torch device, e.g. cpu or xpu (default: the active driver's)")
    parser.add_argument("--csv", metavar="FILE", help="write every figure to FILE")
    parser.add_argument("--no-native", action="store_true", help="do not compile to native PVC code with ocloc")
    parser.add_argument("--no-time", action="store_true", help="check the numbers only")
    parser.add_argument("--autotune", action="store_true", help="let Triton's autotuner choose, too")
    parser.add_argument("--stages", type=int, action="append", help="num_stages to try (default 2 and 3)")
    return parser


def select_device(name: str | None) -> torch.device:
    """Return the torch device to run on; honours USE_IPEX=1."""
    if os.environ.get("USE_IPEX") == "1":
        try:
            import intel_extension_for_pytorch  # noqa: F401
        except ImportError as error:
            raise SystemExit("USE_IPEX=1, but intel_extension_for_pytorch is not installed") from error
    if name is not None:
        return torch.device(name)
    return triton.runtime.driver.active.get_active_torch_device()


def run(problems: Iterable[Problem], configs: Sequence[Config], arguments: argparse.Namespace) -> int:
    """Run every problem in every configuration, and return the exit code of the script.

    Non-zero if a number is wrong, a configuration fails for another reason than
    missing resources, or nothing at all could run.
    """
    rows: list[Row] = []
    choices: list[str] = []
    start = time.perf_counter()
    for problem in problems:
        for config in configs:
            row = run_config(problem, config, native=not arguments.no_native, timed=not arguments.no_time)
            rows.append(row)
            elapsed = time.perf_counter() - start
            print(f"[{elapsed:6.1f} s] {problem.kernel} {problem.dtype} {config}: {row.status}", file=sys.stderr)
        if arguments.autotune:
            chosen = problem.autotune([config.triton_config() for config in configs])
            choices.append(f"{problem.kernel} {problem.dtype}: the autotuner chose {chosen}")
    print_table(rows)
    for choice in choices:
        print(choice)
    if arguments.csv:
        write_csv(rows, arguments.csv)
    good = any(row.status == "ok" for row in rows)
    bad = any(row.status in ("wrong", "error") for row in rows)
    return 0 if good and not bad else 1
