# SPDX-License-Identifier: MIT
"""Measure what loops over slices of large tiles change on the CPU device: times to compile and to run.

One row per kernel: how long it runs in loops, as a ratio to straight code (the option `tile_registers=0`), both
measured in turn and the fastest run taken, and the seconds of both compilations, with an empty cache. Fails if a kernel
is slower in loops, by more than what is seen without any difference.

    .venv/bin/python benchmarks/large_tiles.py [--limit 1.15] [--repeat 15]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import triton

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

import compile_growth as kernels
from kernel_suite.case import Launch

OPTIONS = {"straight": {"tile_registers": 0}, "loops": {}}


def subjects() -> dict[str, tuple[Launch, int]]:
    """Return launches and their numbers of warps, by name."""

    def random(dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return torch.randn(1 << 20).to(dtype)

    def launch(kernel: Any, arguments: tuple[Any, ...], **constants: int) -> tuple[Launch, int]:
        return Launch(kernel, (4,), arguments, constants), 1 if kernel is kernels.sort else 4

    f32, half, f64 = random(), random(torch.bfloat16), random(torch.float64)
    out, out64 = torch.empty_like(f32), torch.empty_like(f64)
    matrices = (f32, f32, out, 512)
    heads = (half, half, half, out, 512)
    numbers = torch.arange(1 << 20, dtype=torch.int32) % 1024
    return {
        "pointwise 16384": launch(kernels.pointwise, (f32, out, 1 << 20), SIZE=16384),
        "pointwise 32768": launch(kernels.pointwise, (f32, out, 1 << 20), SIZE=32768),
        "softmax 128x128": launch(kernels.softmax, (f32, out, 1000, 128), ROWS=128, COLUMNS=128),
        "softmax 1x32768": launch(kernels.softmax, (f32, out, 30, 32000), ROWS=1, COLUMNS=32768),
        "quotients 8192": launch(kernels.quotients, (f32, out, 1000, 1000), SIZE=8192),
        "product 128x128": launch(kernels.product, matrices, ROWS=128, COLUMNS=128),
        "product 256x64": launch(kernels.product, matrices, ROWS=256, COLUMNS=64),
        "attention 128x128": launch(kernels.attention, heads, ROWS=128, HEAD=128),
        "transposed 256x128": launch(kernels.transposed, (f32, out), ROWS=256, COLUMNS=128),
        "gathered 16384": launch(kernels.gathered, (f32, numbers, out), SIZE=16384),
        "sort 2048 f64": launch(kernels.sort, (f64, out64), SIZE=2048),
        "scan 16384": launch(kernels.scan, (f32, out), SIZE=16384),
    }


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(launch: Launch, num_warps: int, repeat: int) -> tuple[float, float, float]:
    """Run time in loops over that of straight code; seconds to compile straight code, and loops."""
    calls = {
        name: lambda options=options: launch.kernel[launch.grid](
            *launch.arguments, **launch.keywords, **options, num_warps=num_warps
        )
        for name, options in OPTIONS.items()
    }
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
        triton.knobs.cache.dir = cache
        compiled = {name: seconds(call) for name, call in calls.items()}
        fastest = dict.fromkeys(calls, float("inf"))
        for _ in range(repeat):
            for name, call in calls.items():
                fastest[name] = min(fastest[name], seconds(call))
    return fastest["loops"] / fastest["straight"], compiled["straight"], compiled["loops"]


def main() -> int:
    """Print the table; non-zero when a kernel runs longer than allowed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=15, help="runs per kernel; the fastest counts")
    parser.add_argument("--limit", type=float, default=1.15, help="ratios of run times above it are an error")
    arguments = parser.parse_args()
    # The first compilation loads the compiler.
    next(iter(subjects().values()))[0].kernel.warmup(torch.float32, torch.float32, 1, SIZE=16, grid=(1,))
    print(f"{'kernel':<24}{'run time':>10}{'straight, s':>14}{'loops, s':>12}")
    worst = 0.0
    for name, (launch, num_warps) in subjects().items():
        ratio, straight, loops = measure(launch, num_warps, arguments.repeat)
        print(f"{name:<24}{ratio:>10.2f}{straight:>14.2f}{loops:>12.2f}", flush=True)
        worst = max(worst, ratio)
    return 0 if worst <= arguments.limit else 1


if __name__ == "__main__":
    sys.exit(main())
