# SPDX-License-Identifier: MIT
"""Compare the time of kernels on the virtual GPU, through Intel's driver, with that on the simulator device.

    .venv/bin/python benchmarks/virtual_gpu.py [--chip pvc] [--filter softmax]

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

TESTS = Path(__file__).resolve().parent.parent / "test" / "python"


def launches(move: Callable, options: dict) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield launches by name, of tensors that `move` brings to the device."""
    import kernels

    x, y = move(torch.randn(1 << 20)), move(torch.zeros(1 << 20))
    yield "elementwise, 1 M elements", lambda: kernels.scale_kernel[(1024,)](x, y, 1 << 20, 2.0, SIZE=1024, **options)
    yield "softmax, 512 x 1024", lambda: kernels.softmax_kernel[(512,)](x, y, 1024, SIZE=1024, **options)
    a, c = move(torch.randn(512, 512).half()), move(torch.zeros(512, 512))
    blocks = {"ROWS": 128, "COLUMNS": 128, "DEPTH": 32, "num_warps": 16}
    yield (
        "matrix product, 512 x 512 x 512",
        lambda: kernels.gemm_kernel[(4, 4)](a, a, c, 512, 512, 512, **blocks, **options),
    )


def measure(chip: str, device: str, runs: int, part: str) -> dict[str, float]:
    """Return the seconds of each launch in this process whose name has `part` in it."""
    sys.path.insert(0, str(TESTS / "virtual_gpu"))
    if device == "virtual":
        import xpu_double

        xpu_double.install()
        move, wait, options = xpu_double.copy, lambda: xpu_double.queue().wait(), {}
    else:
        move, wait, options = (lambda tensor: tensor), (lambda: None), {"cpu_code": "zebin", "arch": chip}
    found = {}
    for name, launch in launches(move, options):
        if part not in name:
            continue
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
    parser.add_argument("--filter", default="", help="only kernels whose name has this in it")
    arguments = parser.parse_args()
    if arguments.device:
        print(json.dumps(measure(arguments.chip, arguments.device, arguments.runs, arguments.filter)))
        return
    own = [sys.executable, __file__, "--chip", arguments.chip, "--runs", str(arguments.runs)]
    own += ["--filter", arguments.filter, "--device"]
    start = [sys.executable, "-m", "triton_xe", "gpu", "run", "--chip", arguments.chip, "--"]
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
