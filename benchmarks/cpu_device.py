# SPDX-License-Identifier: MIT
"""Compare object code without a GPU with Intel's OpenCL runtime, torch and Triton's interpreter: how fast kernels run.

Each side runs in separate processes. `empty` is the time from the first launch to its result in a fresh process with an
empty cache, `filled` the same in a second process, `launch` the time of a later launch, all in milliseconds. Numbers
are checked against float64.

    .venv/bin/python benchmarks/cpu_device.py [--rows add,gemm] [--sides opencl] [--tiny] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test" / "python"), str(ROOT / "benchmarks")]

#: Variables of each side's processes.
SIDES = {
    "native": {"TRITON_XE_CPU_RUNTIME": "native"},
    "opencl": {"TRITON_XE_CPU_RUNTIME": "opencl"},
    "interpreter": {"TRITON_INTERPRET": "1"},
}


@dataclass(frozen=True)
class Problem:
    """A problem that a process measures."""

    launch: Callable[[], object]
    torch: Callable[[], object]
    #: The result of a launch, the reference in float64, and the largest relative error.
    actual: object
    expected: object
    tolerance: float


@dataclass(frozen=True)
class Row:
    """A kernel with a size, and the means to create the problem."""

    name: str
    make: Callable[..., Problem]
    arguments: dict[str, int]
    #: Arguments that are small enough for a test.
    tiny: dict[str, int]
    #: Sides that take minutes.
    left_out: tuple[str, ...] = ()
    #: The factor by which object code has to be faster than the interpreter.
    required: float = 0.0


def elementwise(kind: str, count: int) -> Problem:
    """Sum of two vectors, or a copy."""
    import torch
    import triton
    from kernel_suite.pointwise import copy_kernel, vector_add_kernel

    x, y, out = torch.randn(count), torch.randn(count), torch.empty(count)
    grid, block = (triton.cdiv(count, 1024),), 1024
    if kind == "copy":
        return Problem(lambda: copy_kernel[grid](x, out, count, BLOCK=block), lambda: y.copy_(x), out, x.double(), 0.0)
    expected = x.double() + y.double()
    spare = torch.empty(count)
    return Problem(
        lambda: vector_add_kernel[grid](x, y, out, count, BLOCK=block),
        lambda: torch.add(x, y, out=spare), out, expected, 1e-6,
    )  # fmt: skip


def add(count: int) -> Problem:
    return elementwise("add", count)


def copy(count: int) -> Problem:
    return elementwise("copy", count)


def softmax(rows: int, columns: int) -> Problem:
    import torch
    import triton
    from kernel_suite.softmax import softmax_row_kernel

    x, out = torch.randn(rows, columns), torch.empty(rows, columns)
    block = triton.next_power_of_2(columns)
    return Problem(
        lambda: softmax_row_kernel[(rows,)](out, x, columns, columns, columns, BLOCK=block),
        lambda: torch.softmax(x, 1), out, x.double().softmax(1), 1e-5,
    )  # fmt: skip


def layer_norm(rows: int, columns: int) -> Problem:
    import torch
    from kernel_suite.normalization import layer_norm_kernel

    x, out, mean, rstd = torch.randn(rows, columns), torch.empty(rows, columns), torch.empty(rows), torch.empty(rows)
    weight, bias, function = torch.randn(columns), torch.randn(columns), torch.nn.functional.layer_norm
    return Problem(
        lambda: layer_norm_kernel[(rows,)](out, mean, rstd, x, weight, bias, columns, columns, 1e-5, BLOCK=256),
        lambda: function(x, (columns,), weight, bias), out,
        function(x.double(), (columns,), weight.double(), bias.double()), 1e-5,
    )  # fmt: skip


def attention(heads: int, length: int) -> Problem:
    """Return attention of float16: the interpreter computes wrong numbers for bfloat16."""
    import torch
    import triton
    from kernel_suite.attention import attention_forward_kernel

    head, block = 64, 64
    q, k, v = (torch.randn(heads, length, head).half() for _ in range(3))
    out, lse = torch.empty_like(q), torch.empty(heads, length)
    scale, function = head**-0.5, torch.nn.functional.scaled_dot_product_attention
    return Problem(
        lambda: attention_forward_kernel[(triton.cdiv(length, block), heads)](
            q, k, v, out, lse, scale, heads, 1, length, length, head, head,
            HEAD=head, CAUSAL=False, BLOCK_M=block, BLOCK_N=32,
        ),
        lambda: function(q, k, v), out, function(q.double(), k.double(), v.double()), 5e-3,
    )  # fmt: skip


def gemm(size: int, tile: int, num_warps: int, half: bool = False) -> Problem:
    import torch
    import triton
    import triton.language as tl
    from kernel_suite.block_pointer_gemm import gemm as kernel

    dtype = torch.float16 if half else torch.bfloat16
    a, b, c = torch.randn(size, size).to(dtype), torch.randn(size, size).to(dtype), torch.empty(size, size)
    options = {} if os.environ.get("TRITON_INTERPRET") == "1" else {"grf_mode": "256" if tile == 256 else "default"}
    return Problem(
        lambda: kernel[(triton.cdiv(size, tile) ** 2,)](
            a, b, c, size, size, size, *a.stride(), *b.stride(), *c.stride(),
            BLOCK_M=tile, BLOCK_N=tile, BLOCK_K=32, GROUP_M=4, ACC=tl.float32, num_warps=num_warps, **options,
        ),
        lambda: a @ b, c, a.double() @ b.double(), 1e-2,
    )  # fmt: skip


_LARGE, _SMALL = {"tile": 256, "num_warps": 32}, {"tile": 64, "num_warps": 4}
ROWS = (
    Row("add f32 4M", add, {"count": 1 << 22}, {"count": 5000}),
    Row("copy f32 4M", copy, {"count": 1 << 22}, {"count": 5000}),
    Row("softmax f32 1024x1024", softmax, {"rows": 1024, "columns": 1024}, {"rows": 4, "columns": 60}),
    Row("layer norm f32 1024x1024", layer_norm, {"rows": 1024, "columns": 1024}, {"rows": 4, "columns": 60}),
    Row("attention f16 4x512x64", attention, {"heads": 4, "length": 512}, {"heads": 1, "length": 64}, required=10.0),
    Row("gemm f16 128^3, 64x64x32", gemm, {"size": 128, "half": True} | _SMALL, {"size": 64, "half": True} | _SMALL,
        required=10.0),
    Row("gemm bf16 1024^3, 64x64x32", gemm, {"size": 1024} | _SMALL, {"size": 64} | _SMALL, ("interpreter",)),
    Row("gemm bf16 1024^3, 256x256x32", gemm, {"size": 1024} | _LARGE, {"size": 256} | _LARGE, ("interpreter",)),
)  # fmt: skip


def repeat(action: Callable[[], object], seconds: float) -> float:
    """Return the shortest time of an action, in milliseconds."""
    times = []
    begin = time.perf_counter()
    while not times or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def measure(row: Row, seconds: float, tiny: bool) -> dict[str, float]:
    """Measure the first launch, later ones, and torch, all of them in this process."""
    import torch
    from numerics import assert_close

    torch.manual_seed(1)
    problem = row.make(**(row.tiny if tiny else row.arguments))
    start = time.perf_counter()
    problem.launch()
    first = (time.perf_counter() - start) * 1000
    assert_close(problem.actual, problem.expected, problem.tolerance)
    start = time.perf_counter()
    problem.torch()
    torch_first = (time.perf_counter() - start) * 1000
    launch, torch_launch = repeat(problem.launch, seconds), repeat(problem.torch, seconds)
    return {"first": first, "launch": launch, "torch_first": torch_first, "torch_launch": torch_launch}


def run(arguments: list[str], **variables: str) -> str:
    """Run a separate process; return its last line, or raise with the last of its errors."""
    environment = os.environ | {"TRITON_DEFAULT_BACKEND": "cpu", "TRITON_INTERPRET": "0"} | variables
    command = [sys.executable, "-W", "ignore", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if result.returncode:
        raise RuntimeError((result.stderr.strip() or f"exit code {result.returncode}").splitlines()[-1])
    return result.stdout.splitlines()[-1] if result.stdout else ""


def run_row(row: Row, sides: list[str], options: list[str]) -> dict[str, float]:
    """Measure every column of a row."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for side, variables in SIDES.items():
            if side in row.left_out or side not in sides:
                continue
            for cache in ("empty", "filled") if side != "interpreter" else ("empty",):
                arguments = [__file__, "--worker", row.name, *options]
                found = json.loads(run(arguments, TRITON_CACHE_DIR=f"{folder}/{side}", **variables))
                figures[f"{side}_{cache}"] = found["first"]
                figures[f"{side}_launch"] = min(found["launch"], figures.get(f"{side}_launch", float("inf")))
                if side == "native":
                    figures["torch_empty"], figures["torch_launch"] = found["torch_first"], found["torch_launch"]
    return figures


COLUMNS = (
    *(f"{side}_{what}" for side in ("native", "opencl") for what in ("empty", "filled", "launch")),
    *("torch_empty", "torch_launch", "interpreter_empty", "interpreter_launch"),
)
#: Ratios of launches: how many times longer the other side takes.
RATIOS = ("opencl", "torch", "interpreter")


def show(value: float | None) -> str:
    """Format a number with four digits or so."""
    return "-" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def main() -> int:
    """Print a row per kernel; non-zero when one fails or is not as fast as it has to be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", help="beginnings of names of rows, separated by commas", default="")
    parser.add_argument("--sides", help="what to compare object code with", default="opencl,interpreter")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long each process repeats a launch")
    parser.add_argument("--tiny", action="store_true", help="sizes without meaning, to check that it runs")
    parser.add_argument("--csv", help="also write the table to this file")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        row = next(row for row in ROWS if row.name == arguments.worker)
        print(json.dumps(measure(row, arguments.seconds, arguments.tiny)))
        return 0

    options = ["--seconds", str(arguments.seconds), *(["--tiny"] if arguments.tiny else [])]
    start = time.perf_counter()
    run(["-c", "import torch, triton"])
    unit = (time.perf_counter() - start) * 1000
    print(f"`import torch, triton` in a process: {unit:.0f} ms\n")
    print(f"{'milliseconds':<30}" + "".join(f"{column.replace('_', ' '):>19}" for column in COLUMNS))
    table, good = [], True
    for row in (row for row in ROWS if row.name.startswith(tuple(arguments.rows.split(",")))):
        try:
            figures = run_row(row, ["native", *arguments.sides.split(",")], options)
        except RuntimeError as error:
            print(f"{row.name:<30} {error}", flush=True)
            good = False
            continue
        ratios = {
            side: figures[f"{side}_launch"] / figures["native_launch"] for side in RATIOS if f"{side}_launch" in figures
        }
        print(f"{row.name:<30}" + "".join(f"{show(figures.get(column)):>19}" for column in COLUMNS))
        slow = not arguments.tiny and ratios.get("interpreter", float("inf")) < row.required
        words = ", ".join(f"{side} {show(ratio)}" for side, ratio in ratios.items())
        if "opencl_empty" in figures:
            words += f"; times the first: opencl {show(figures['opencl_empty'] / figures['native_empty'])}"
        print(f"{'':<30}   times a launch: {words}{'; TOO SLOW' if slow else ''}", flush=True)
        good &= not slow
        cells = [figures.get(column, "") for column in COLUMNS]
        table.append([row.name, unit, *cells, *(ratios.get(side, "") for side in RATIOS)])
    if arguments.csv:
        header = ["kernel", "import_ms", *COLUMNS, *(f"{side}_ratio" for side in RATIOS)]
        with Path(arguments.csv).open("w", newline="") as file:
            csv.writer(file).writerows([header, *table])
    return 0 if good and table else 1


if __name__ == "__main__":
    sys.exit(main())
