"""How fast kernels run without a GPU: our CPU device against Triton's interpreter, on the same kernels and problems.

The interpreter replaces `triton.jit` when it is imported, so that each side runs in a process of its own; both check
their numbers. Compilation is left out on our side.

    .venv/bin/python benchmarks/cpu_device.py [--cases attention,matmul] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "python"))

#: Cases of the kernel suite that are compared by default. Dots are of float16: the interpreter computes wrong numbers
#: for bfloat16.
CASES = (
    "matmul/batched_gemm-dtype_float16-pitches_whole",
    "attention/attention_forward-causal_True-head_128-dtype_float16",
    "softmax/row_softmax-dtype_float32",
    "normalization/layer_norm-dtype_float32",
    "pointwise/vector_add-dtype_float32",
)
#: Cases that have to be faster than the interpreter by this factor.
REQUIRED = {"matmul": 10.0, "attention": 10.0}


def measure(name: str, seconds: float) -> dict[str, object]:
    """Run one case in this process: the time of all its launches together, and whether the numbers are right."""
    from kernel_suite import ALL_CASES
    from kernel_suite.case import Session
    from numerics import assert_close

    case = next(case for case in ALL_CASES if case.name == name)
    interpreted = os.environ.get("TRITON_INTERPRET") == "1"
    session = Session("cpu", 1, {} if interpreted else {"num_warps": case.num_warps[0]})
    if interpreted:
        drop_own_options(session)
    for result in case.body(session):
        assert_close(result.actual.cpu(), result.expected, result.tolerance)
    times = []
    begin = time.perf_counter()
    while not times or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        for launch in session.launches:
            launch.run()
        times.append(time.perf_counter() - start)
    return {"milliseconds": min(times) * 1000}


def drop_own_options(session: object) -> None:
    """The interpreter knows no options of a backend."""
    stock = session.launch

    def launch(kernel: object, grid: object, *arguments: object, **keywords: object) -> None:
        keywords = {name: value for name, value in keywords.items() if name not in ("grf_mode", "warp_size")}
        stock(kernel, grid, *arguments, **keywords)

    session.launch = launch


def run_worker(name: str, seconds: float, *, interpret: bool) -> float | str:
    """Milliseconds of one case in a process of its own, or why it failed."""
    environment = os.environ | {"TRITON_INTERPRET": "1" if interpret else "0", "TRITON_DEFAULT_BACKEND": "cpu"}
    command = [sys.executable, "-W", "ignore", __file__, "--worker", name, "--seconds", str(seconds)]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if result.returncode:
        return result.stderr.strip().splitlines()[-1] if result.stderr.strip() else f"exit code {result.returncode}"
    return json.loads(result.stdout.splitlines()[-1])["milliseconds"]


def main() -> int:
    """Print a row per case; non-zero when a case fails or is not as fast as it has to be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", help="topics or names of cases, separated by commas", default=",".join(CASES))
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each side repeats a case")
    parser.add_argument("--csv", help="also write the table to this file")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        print(json.dumps(measure(arguments.worker, arguments.seconds)))
        return 0

    from kernel_suite import ALL_CASES

    wanted = tuple(arguments.cases.split(","))
    names = [case.name for case in ALL_CASES if case.name.startswith(wanted) and (case.name in wanted or not case.full)]
    print(f"{'case':<66}{'device ms':>12}{'interpreter ms':>16}{'faster':>9}")
    rows, good = [], bool(names)
    for name in names:
        device, interpreter = (run_worker(name, arguments.seconds, interpret=flag) for flag in (False, True))
        failure = next((side for side in (device, interpreter) if isinstance(side, str)), None)
        if failure:
            print(f"{name:<66} {failure}")
            good = False
            continue
        factor = interpreter / device
        enough = factor >= REQUIRED.get(name.partition("/")[0], 0.0)
        good &= enough
        rows.append([name, device, interpreter, factor])
        print(
            f"{name:<66}{device:>12.2f}{interpreter:>16.1f}{factor:>8.0f}x{'' if enough else '  too slow'}", flush=True
        )
    if arguments.csv:
        with Path(arguments.csv).open("w", newline="") as file:
            csv.writer(file).writerows([["case", "device_ms", "interpreter_ms", "factor"], *rows])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
