# SPDX-License-Identifier: MIT
"""Compare the time of kernels on the virtual GPU, through Intel's driver, with that on the simulator device.

    .venv/bin/python benchmarks/virtual_gpu.py [--chip pvc]

Times are those of a launch and the wait for it: the best of some. They include what the simulator device does without:
the timing model, and a processor that the driver uses for polling while it waits.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
import triton
import triton.language as tl

TESTS = Path(__file__).resolve().parent.parent / "test" / "python"


@triton.jit
def scale_kernel(x_ptr, y_ptr, factor, SIZE: tl.constexpr):
    places = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y_ptr + places, tl.load(x_ptr + places) * factor)


@triton.jit
def softmax_kernel(x_ptr, y_ptr, SIZE: tl.constexpr):
    places = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    x = tl.load(x_ptr + places)
    exponentials = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + places, exponentials / tl.sum(exponentials, 0))


@triton.jit
def gemm_kernel(a_ptr, b_ptr, c_ptr, SIZE: tl.constexpr, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [SIZE, SIZE], [SIZE, 1], [BLOCK, DEPTH])
    b = tl.make_tensor_descriptor(b_ptr, [SIZE, SIZE], [SIZE, 1], [DEPTH, BLOCK])
    c = tl.make_tensor_descriptor(c_ptr, [SIZE, SIZE], [SIZE, 1], [BLOCK, BLOCK])
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, SIZE, DEPTH):
        total = tl.dot(a.load([row, k]), b.load([k, column]), total)
    c.store([row, column], total)


def launches(move: Callable, options: dict) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield launches by name, of tensors that `move` brings to the device."""
    x, y = move(torch.randn(1 << 20)), move(torch.zeros(1 << 20))
    yield "elementwise, 1 M elements", lambda: scale_kernel[(1024,)](x, y, 2.0, SIZE=1024, **options)
    yield "softmax, 512 x 1024", lambda: softmax_kernel[(512,)](x, y, SIZE=1024, **options)
    a, c = move(torch.randn(512, 512).half()), move(torch.zeros(512, 512))
    sizes = {"SIZE": 512, "BLOCK": 128, "DEPTH": 32, "num_warps": 16}
    yield "matrix product, 512 x 512 x 512", lambda: gemm_kernel[(4, 4)](a, a, c, **sizes, **options)


def measure(chip: str, device: str, runs: int) -> dict[str, float]:
    """Return the seconds of each launch in this process."""
    if device == "virtual":
        sys.path.insert(0, str(TESTS / "virtual_gpu"))
        import xpu_double

        xpu_double.install()
        move, wait, options = xpu_double.copy, lambda: xpu_double.queue().wait(), {}
    else:
        move, wait, options = (lambda tensor: tensor), (lambda: None), {"cpu_code": "zebin", "arch": chip}
    found = {}
    for name, launch in launches(move, options):
        times = []
        for _ in range(1 + runs):
            begin = time.perf_counter()
            launch()
            wait()
            times.append(time.perf_counter() - begin)
        # The first one compiles.
        found[name] = min(times[1:])
    return found


def main() -> None:
    """Print a row for each kernel."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chip", default="pvc")
    parser.add_argument("--device", choices=("simulator", "virtual"), help="measure in this process, and print JSON")
    parser.add_argument("--runs", type=int, default=15)
    arguments = parser.parse_args()
    if arguments.device:
        print(json.dumps(measure(arguments.chip, arguments.device, arguments.runs)))
        return
    own = [sys.executable, __file__, "--chip", arguments.chip, "--runs", str(arguments.runs), "--device"]
    start = [sys.executable, "-m", "triton_xe.command_line", "gpu", "run", "--chip", arguments.chip, "--"]
    simulator, virtual = (
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for command in ([*own, "simulator"], [*start, *own, "virtual"])
    )
    print(f"{'kernel':<36}{'simulator':>12}{'virtual GPU':>14}{'ratio':>8}")
    for name, seconds in simulator.items():
        row = f"{name:<36}{1000 * seconds:>9.1f} ms{1000 * virtual[name]:>11.1f} ms{virtual[name] / seconds:>8.2f}"
        print(row)


if __name__ == "__main__":
    main()
