# SPDX-License-Identifier: MIT
"""Measure how far the configuration that `triton-xe rank` picks is from the best one of the timing model.

    .venv/bin/python benchmarks/ranked.py [--arch bmg] [--filter attention]

`rank` runs a sample of each configuration's work-groups. Here, all groups run as well (`--all-groups`), which gives the
best configuration of all. A row has the cycles of both in a whole launch, the seconds of compiling all configurations,
which both ways need, and the processor's seconds of simulating them both ways, without the launch of the script that
follows. The script fails if a pick is more than 5 % above the best one.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

import peer_kernels
from kernel_suite.attention import attention_forward_kernel
from kernel_suite.matmul import stream_k_kernel
from peers import Case
from published import TYPES, stream

from triton_xe import target
from triton_xe.cpu import simulator
from triton_xe.tools.report import hardware, rank
from triton_xe.tools.simulation import timing_model

#: How much worse than the best one a pick may be.
LIMIT = 1.05


@dataclass(frozen=True)
class Problem:
    """A launch with several configurations, each of constants and `num_warps`."""

    name: str
    kernel: Any
    configs: Sequence[dict[str, int]]
    #: Launches a kernel that has the configurations, and returns the results.
    launch: Callable[[Any], torch.Tensor]
    #: The arguments that are zero before each launch.
    zeros: tuple[str, ...] = ()


def make_product(name: str, case: Case, cores: int) -> Problem:
    """Return a product of `peers.py`, with its configurations."""
    (batch,), (m, n, k) = case.shape[:-3] or (1,), case.shape[-3:]
    element, result = TYPES[case.dtype]
    draw = (lambda *size: torch.randint(-128, 128, size, dtype=element)) if element == torch.int8 else torch.randn
    a, b = draw(batch, m, k).to(element), draw(batch, k, n).to(element)
    a, b = (
        each.mT.contiguous().mT if by_columns else each
        for each, by_columns in ((a, case.a_by_columns), (b, case.b_by_columns))
    )
    bias, added = torch.randn(n), torch.randn(batch, m, n)
    can_split = result == torch.float32 and not case.epilogue
    has_engine = case.dtype != "f32"
    sizes = (m, n, k, a.element_size())
    configs = list(
        peer_kernels.product_configs(
            *sizes, has_engine, can_split, cores, batch, a_by_columns=case.a_by_columns, b_by_columns=case.b_by_columns
        )
    )

    def launch(tuned: Any) -> torch.Tensor:
        c = torch.zeros((batch, m, n), dtype=result)

        def grid(meta: dict[str, Any]) -> tuple[int, int, int]:
            height = meta["HEIGHT"] or meta["BLOCK_M"]
            return triton.cdiv(m, height) * triton.cdiv(n, meta["BLOCK_N"]), meta["SPLIT_K"], batch

        tuned[grid](
            a, b, c, bias, added, m, n, k, *a.stride(), *b.stride(), *c.stride()[:2], GROUP_M=4,
            BIAS="bias" in case.epilogue, GELU="gelu" in case.epilogue, ADDED="added" in case.epilogue,
            ACC=tl.int32 if element == torch.int8 else tl.float32,
            PRECISION="tf32" if case.dtype == "tf32" else "ieee",
        )  # fmt: skip
        return c

    configs = [{"MORE_M": 0, "HEIGHT": 0, "TRANSPOSED": 0} | config for config in configs]
    return Problem(name, peer_kernels.product, configs, launch, zeros=("c_ptr",))


def make_rows(name: str, kind: str, shape: tuple[int, int], dtype: torch.dtype) -> Problem:
    """Return a computation of rows."""
    rows, columns = shape
    x, scale, shift = torch.randn(shape).to(dtype), torch.randn(columns), torch.randn(columns)
    kernel = peer_kernels.softmax if kind == "softmax" else peer_kernels.normalization

    def launch(tuned: Any) -> torch.Tensor:
        y = torch.full_like(x, torch.nan)
        if kind == "softmax":
            tuned[(rows,)](x, y, columns)
        else:
            tuned[(rows,)](x, scale, shift, y, columns, 1e-5, CENTRED=kind == "layer norm")
        return y

    return Problem(name, kernel, list(peer_kernels.row_configs(columns)), launch)


def make_stream(name: str, kind: str) -> Problem:
    """Return a copy or a sum."""
    count = 1 << 22
    a, b = torch.randn(count), torch.randn(count)

    def launch(tuned: Any) -> torch.Tensor:
        c = torch.full((count,), torch.nan)
        tuned[lambda meta: (count // meta["SIZE"],)](a, b, c, KERNEL=kind)
        return c

    configs = [{"SIZE": size, "num_warps": warps} for size in (512, 1024, 2048, 4096) for warps in (1, 4, 8)]
    return Problem(name, stream, configs, launch)


def make_attention(name: str, heads: int, length: int, head: int, causal: bool) -> Problem:
    """Return attention forward."""
    q, k, v = (torch.randn(heads, length, head).bfloat16() for _ in range(3))

    def launch(tuned: Any) -> torch.Tensor:
        out, lse = torch.full_like(q, torch.nan), torch.zeros((heads, length))
        tuned[lambda meta: (triton.cdiv(length, meta["BLOCK_M"]), heads)](
            q, k, v, out, lse, head**-0.5, heads, 1, length, length, head, head, HEAD=head, CAUSAL=causal,
            grf_mode="256",
        )  # fmt: skip
        return out

    configs = list(peer_kernels.attention_configs())
    return Problem(name, attention_forward_kernel, configs, launch)


def make_stream_k(name: str) -> Problem:
    """Return a product whose programs wait for others."""
    m, n, k, programs = 256, 256, 512, 48
    a, b = torch.randn(m, k).half(), torch.randn(k, n).half()

    def launch(tuned: Any) -> torch.Tensor:
        c, parts = torch.full((m, n), torch.nan), torch.zeros(m * n)
        lock = torch.zeros(m * n // 1024, dtype=torch.int32)
        steps = triton.cdiv(m * n // 1024 * k // 32, programs)
        tuned[(programs,)](a, b, c, parts, lock, m, n, k, steps)
        return c

    configs = [{"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32, "num_warps": warps} for warps in (2, 4, 8)]
    return Problem(name, stream_k_kernel, configs, launch, zeros=("lock_ptr",))


def make_problems(cores: int) -> Iterator[tuple[str, Callable[[str], Problem]]]:
    """Yield all problems by name."""
    products = [
        *(Case("product", "bf16", (size, size, size)) for size in (512, 1024, 2048)),
        *(Case("product", dtype, (1024, 1024, 1024)) for dtype in ("f16", "int8", "tf32")),
        Case("product", "f32", (512, 512, 512)),
        *(Case("product", "f16", (m, 4096, 4096)) for m in (1, 16, 32)),
        Case("product", "bf16", (16, 512, 512, 512)),
        Case("product", "bf16", (1024, 1024, 1024), a_by_columns=True),
        Case("product", "bf16", (1024, 1024, 1024), b_by_columns=True),
        Case("product", "bf16", (1024, 1024, 1024), epilogue="bias gelu added"),
    ]
    for case in products:
        yield case.name, lambda name, case=case: make_product(name, case, cores)
    for kind, shape, dtype in itertools.product(
        ("softmax", "layer norm", "RMS norm"), ((4096, 1024), (1024, 4096)), (torch.bfloat16, torch.float32)
    ):
        name = f"{kind} {str(dtype).removeprefix('torch.')} {shape[0]}x{shape[1]}"
        yield name, lambda name, kind=kind, shape=shape, dtype=dtype: make_rows(name, kind, shape, dtype)
    for kind in ("copy", "triad"):
        yield f"{kind} f32", lambda name, kind=kind: make_stream(name, kind)
    for causal, head in itertools.product((False, True), (64, 128)):
        name = f"attention{' causal' if causal else ''} 16x1024x{head}"
        yield name, lambda name, causal=causal, head=head: make_attention(name, 16, 1024, head, causal)
    yield "stream-k f16 256x256x512", make_stream_k


@dataclass(frozen=True)
class Ranked:
    """The result of a way of ranking: the cycles of each configuration, its pick, the seconds that the process took for
    it without the last launch, and the seconds that passed."""

    cycles: dict[str, int]
    pick: str
    seconds: float
    passed: float
    results: torch.Tensor


def run_rank(problem: Problem, arch: str, *, all_groups: bool) -> Ranked:
    """Rank the configurations."""
    configs = [
        triton.Config({name: value for name, value in config.items() if name != "num_warps"}, config["num_warps"])
        for config in problem.configs
    ]
    tuned = triton.autotune(configs=configs, key=[], reset_to_zero=list(problem.zeros))(problem.kernel)
    with timing_model.modelling(arch), rank.ranking(arch, all_groups=all_groups) as rankings:
        start, begin = time.perf_counter(), time.process_time()
        results = problem.launch(tuned)
        middle, passed = time.process_time(), time.perf_counter() - start
        # Tuned by now: the launch alone.
        problem.launch(tuned)
        seconds = 2 * middle - begin - time.process_time()
    cycles = {each.config: each.launch.cycles for each in rankings[0].candidates if each.launch}
    return Ranked(cycles, str(tuned.best_config), seconds, passed, results)


def describe(problem: Problem, arch: str) -> tuple[list[str], float, tuple[float, ...]]:
    """Return the cells of a row, how much worse the pick is, and the seconds: of compiling, and of both ways."""
    with tempfile.TemporaryDirectory() as cache, triton.knobs.cache.scope():
        triton.knobs.cache.dir = cache
        # The first one compiles, the others find the kernels in the cache.
        first = run_rank(problem, arch, all_groups=False)
        sampled = run_rank(problem, arch, all_groups=False)
        full = run_rank(problem, arch, all_groups=True)
    if not torch.equal(sampled.results, full.results):
        torch.testing.assert_close(sampled.results, full.results, atol=2e-2, rtol=2e-2)
    best = min(full.cycles.values())
    ratio = full.cycles[sampled.pick] / best
    compiling = max(0.0, first.passed - sampled.passed)
    cells = [
        problem.name, str(len(full.cycles)), str(best), str(full.cycles[sampled.pick]), f"{ratio:.2f}",
        f"{compiling:.1f}", f"{full.seconds:.1f}", f"{sampled.seconds:.1f}",
        f"{sampled.seconds / full.seconds:.2f}",
    ]  # fmt: skip
    return cells, ratio, (compiling, full.seconds, sampled.seconds)


TITLES = ("problem", "configurations", "best", "pick", "ratio", "compiling, s", "all groups, s", "rank, s", "share")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", type=target.chip, default="pvc", help="a chip that the timing model knows (pvc)")
    parser.add_argument("--filter", default="", help="only problems whose names contain this")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    simulator.take_over(arguments.arch)
    print("| " + " | ".join(TITLES) + " |\n" + "|---" * len(TITLES) + "|", flush=True)
    worst, sums = 1.0, (0.0, 0.0, 0.0)
    for name, make in make_problems(int(hardware.resolve(arguments.arch).cores.value)):
        if arguments.filter in name:
            cells, ratio, seconds = describe(make(name), arguments.arch)
            print("| " + " | ".join(cells) + " |", flush=True)
            worst, sums = max(worst, ratio), tuple(one + two for one, two in zip(sums, seconds, strict=True))
    if sums[1]:
        compiling, full, sampled = sums
        print(
            f"\nThe worst pick is {worst:.2f} times the best one. In all, `rank` takes {sampled / full:.2f} of the "
            f"time to simulate all groups, and {(compiling + sampled) / (compiling + full):.2f} with compiling."
        )
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
