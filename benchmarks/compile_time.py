# SPDX-License-Identifier: MIT
"""Measure how long kernels take to compile: our stages against stock Triton's NVIDIA pipeline, in one run.

Both start from the same Python source with an empty cache and end in the binary that the driver gets (ours: SPIR-V,
theirs: PTX assembled by ptxas). The second table repeats the body of a loop, to show how the time grows with a kernel;
the third doubles long kernels without loops, and has the CPU device's object code as well.

    .venv/bin/python benchmarks/compile_time.py [--repeat 3] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import triton
from triton.backends.compiler import GPUTarget

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from generated import kernel_from_source
from kernel_suite import ALL_CASES
from kernel_suite.case import Launch

OURS = GPUTarget("xpu", "pvc", 16)
CPU = GPUTarget("cpu", "pvc", 16)
THEIRS = GPUTarget("cuda", 90, 32)

#: Cases of the kernel suite, by the first words of their names.
SUITE = (
    "matmul/batched_gemm-dtype_bfloat16-pitches_whole",
    "matmul/descriptor_gemm-made_on_device",
    "attention/attention_forward-causal_True-head_64-dtype_bfloat16",
    "attention/attention_backward-causal_True-head_64",
    "softmax/row_softmax-dtype_float32",
    "softmax/online_softmax-dtype_float32",
    "normalization/layer_norm-dtype_float32",
    "reductions/welford",
)
REPETITIONS = (1, 2, 4, 8, 16)
SORTED = (1024, 2048, 4096, 8192)
LOADS = (320, 640, 1280)


def without_own_options(launch: Launch) -> Launch:
    """Return the launch for a backend that does not know the options that are ours alone."""
    keywords = {name: value for name, value in launch.keywords.items() if name not in ("grf_mode", "warp_size")}
    return replace(launch, keywords=keywords)


@dataclass(frozen=True)
class Subject:
    """A kernel to compile, with what to compile it for."""

    name: str
    launch: Launch
    num_warps: int
    #: Further options of the compilation.
    options: Mapping[str, Any] = field(default_factory=dict)

    def compile(self, target: GPUTarget) -> tuple[dict[str, float], Any]:
        """Return milliseconds per stage, and the kernel's metadata."""
        events: list[dict[str, Any]] = []
        triton.knobs.compilation.listener = lambda **event: events.append(event)
        try:
            with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
                triton.knobs.cache.dir = cache
                launch = self.launch if target != THEIRS else without_own_options(self.launch)
                source, options = launch.source(target, num_warps=self.num_warps, **self.options)
                metadata = triton.compile(source, target=target, options=options).metadata
        finally:
            triton.knobs.compilation.listener = None
        times = events[-1]["times"]
        stages = {"ast": times.ir_initialization, **dict(times.lowering_stages)}
        return {name: microseconds / 1000 for name, microseconds in stages.items()}, metadata

    def best(self, target: GPUTarget, repeat: int) -> tuple[dict[str, float], Any]:
        """Return what the fastest of several compilations does: others measure the machine."""
        return min((self.compile(target) for _ in range(repeat)), key=lambda result: sum(result[0].values()))


def suite(topics: tuple[str, ...] = ("",)) -> Iterator[Subject]:
    """Yield kernels of the suite; of a case with several, each."""
    cases = {case.name: case for case in ALL_CASES}
    for name in (name for name in SUITE if name.startswith(topics)):
        seen = set()
        for launch in cases[name].launches():
            if launch.kernel.__name__ not in seen:
                seen.add(launch.kernel.__name__)
                topic = name.partition("/")[0]
                yield Subject(f"{topic}: {launch.kernel.__name__}", launch, cases[name].num_warps[0])


BODY = """
        a = tl.load(a_ptr + rows[:, None] * K + (k + columns)[None, :])
        b = tl.load(b_ptr + (k + columns)[:, None] * N + rows[None, :])
        accumulator = tl.dot(a, b, accumulator)
        scale = tl.max(tl.abs(accumulator), 1)
        accumulator = accumulator / (1.0 + scale)[:, None]
        k += 32
"""

LOOP = """def kernel(a_ptr, b_ptr, c_ptr, K, N):
    rows, columns = tl.arange(0, 64), tl.arange(0, 32)
    accumulator = tl.zeros((64, 64), dtype=tl.float32)
    for k in range(0, K, {step}):{body}
    tl.store(c_ptr + rows[:, None] * 64 + rows[None, :], accumulator)
"""


def grown(repetitions: tuple[int, ...]) -> Iterator[Subject]:
    """Yield a loop whose body occurs that often."""
    import torch

    a = torch.zeros(64, 1024, dtype=torch.bfloat16)
    c = torch.zeros(64, 64)
    for count in repetitions:
        kernel = kernel_from_source(LOOP.format(step=32 * count, body=BODY * count))
        yield Subject(f"loop body x {count}", Launch(kernel, (1,), (a, a, c, 1024, 64), {}), 4)


SORT = """def kernel(x_ptr, y_ptr, SIZE: tl.constexpr):
    offsets = tl.arange(0, SIZE)
    tl.store(y_ptr + offsets, tl.sort(tl.load(x_ptr + offsets)))
"""

CHAIN = """def kernel(x_ptr, y_ptr):
    offsets = tl.arange(0, 256)
    total = tl.zeros((256,), dtype=tl.float32)
{body}    tl.store(y_ptr + offsets, total)
"""


def doubled() -> Iterator[list[Subject]]:
    """Yield kernels without loops, each twice as long as the one before."""
    import torch

    x = torch.zeros(16)
    sort = kernel_from_source(SORT)
    yield [Subject(f"sort of {size}", Launch(sort, (1,), (x, x), {"SIZE": size}), 4) for size in SORTED]
    chains = []
    for count in LOADS:
        body = "".join(f"    total = total * 2 + tl.load(x_ptr + offsets + {64 * step})\n" for step in range(count))
        kernel = kernel_from_source(CHAIN.format(body=body))
        chains.append(Subject(f"{count} loads", Launch(kernel, (1,), (x, x), {}), 4))
    yield chains


def show(rows: Iterable[list[object]], header: list[str]) -> list[list[object]]:
    """Print rows as they come."""
    print(f"{header[0]:<44}" + "".join(f"{name:>9}" for name in header[1:]))
    done = []
    for row in rows:
        done.append(row)
        cells = "".join(
            f"{cell:>9}" if isinstance(cell, str) else f"{cell:>9.0f}" if cell >= 10 else f"{cell:>9.2f}"
            for cell in row[1:]
        )
        print(f"{row[0]:<44}{cells}", flush=True)
    return done


def compare(subjects: Iterable[Subject], repeat: int) -> Iterator[list[object]]:
    """Yield one row per kernel: our stages, both totals, and how they relate."""
    for subject in subjects:
        (ours, _), (theirs, _) = subject.best(OURS, repeat), subject.best(THEIRS, repeat)
        ours_total, theirs_total = sum(ours.values()), sum(theirs.values())
        assembler = theirs.get("cubin", 0.0)
        yield [
            subject.name,
            *(ours[stage] for stage in ("ast", "ttir", "ttgir", "llir", "spv")),
            ours_total,
            theirs_total - assembler,
            theirs_total,
            ours_total / theirs_total,
        ]


def compare_doubled(series: Iterable[list[Subject]], repeat: int) -> Iterator[list[object]]:
    """Yield one row per kernel: our stages for GPU and CPU device, and their times over those of half of the kernel."""
    for subjects in series:
        previous = None
        for subject in subjects:
            stages = subject.best(OURS, repeat)[0] | {"obj": subject.best(CPU, repeat)[0]["obj"]}
            common = stages["ttgir"] + stages["llir"]
            totals = [common + stages[binary] for binary in ("spv", "obj")]
            # The first one is twice as long as nothing that was measured.
            ratios = [now / before for now, before in zip(totals, previous, strict=True)] if previous else ["-", "-"]
            previous = totals
            yield [subject.name, *(stages[stage] for stage in ("ttgir", "llir", "spv", "obj")), *totals, *ratios]


def compare_all(topics: tuple[str, ...], repetitions: tuple[int, ...], repeat: int) -> tuple[list[list[object]], bool]:
    """Print and return the first two tables, and return whether our total is below theirs."""
    header = ["kernel (milliseconds)", "ast", "ttir", "ttgir", "llir", "spv", "ours", "to ptx", "theirs", "ratio"]
    rows = show(compare(suite(topics), repeat), header)
    ours, theirs = (sum(row[header.index(name)] for row in rows) for name in ("ours", "theirs"))
    print(f"{'all':<44}{'':>45}{ours:>9.0f}{'':>9}{theirs:>9.0f}{ours / theirs:>9.2f}\n")
    growth = show(compare(grown(repetitions), repeat), header)
    first, last = (row[header.index("ours")] for row in (growth[0], growth[-1]))
    print(f"\n{repetitions[-1]} times the loop body takes {last / first:.1f} times as long")
    return [header, *rows, *growth], ours <= theirs


def main() -> int:
    """Print the tables; non-zero when our total is above theirs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3, help="compilations per kernel; the fastest counts")
    parser.add_argument("--topics", default="", help="only these of the first table: softmax,attention,...")
    parser.add_argument("--largest", type=int, default=REPETITIONS[-1], help="largest number of loop bodies")
    parser.add_argument("--doubled", action="store_true", help="only the third table")
    parser.add_argument("--csv", help="also write the tables to this file")
    arguments = parser.parse_args()
    # The first compilation loads both compilers.
    next(suite()).best(OURS, 1)
    next(suite()).best(THEIRS, 1)
    tables, is_faster = [], True
    if not arguments.doubled:
        repetitions = tuple(count for count in REPETITIONS if count <= arguments.largest)
        compared, is_faster = compare_all(tuple(arguments.topics.split(",")), repetitions, arguments.repeat)
        tables += compared
    if arguments.doubled or not arguments.topics:
        print()
        header = ["twice as long", "ttgir", "llir", "spv", "obj", "to spv", "to obj", "ratio", "ratio"]
        tables += [header, *show(compare_doubled(doubled(), arguments.repeat), header)]
    if arguments.csv:
        with Path(arguments.csv).open("w", newline="") as file:
            csv.writer(file).writerows(tables)
    return 0 if is_faster else 1


if __name__ == "__main__":
    sys.exit(main())
