# SPDX-License-Identifier: MIT
"""Compilations in many threads at once give the same code as one after the other, and launches the same numbers."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
import triton
from kernel_suite import ALL_CASES, KernelCase
from kernel_suite.case import PVC
from numerics import assert_close
from triton.backends.compiler import GPUTarget

pytestmark = pytest.mark.usefixtures("one_parser", "emits_again")

THREADS = 8

CPU = GPUTarget("cpu", "pvc", 16)

STAGES = {PVC: ("ttir", "ttgir", "llir", "spv"), CPU: ("obj",)}


def compile_all(case: KernelCase) -> dict[str, dict[str, object]]:
    """Return the code of every stage of every kernel of a case, compiled again for the GPU and for the CPU device."""
    return {
        f"{case.name}: {source.name} {index} {target.backend}": {stage: compiled.asm[stage] for stage in stages}
        for target, stages in STAGES.items()
        for index, (source, options) in enumerate(case.sources(target))
        for compiled in [triton.compile(source, target=target, options=options)]
    }


def compile_in_threads(cases: list[KernelCase]) -> None:
    # The frontend is Python, and of the wheel: its output is not tested, but our processing of it.
    alone = [compile_all(case) for case in cases]
    jobs = [(index, case) for index, case in enumerate(cases) for _ in range(2)]
    random.Random(1).shuffle(jobs)
    with ThreadPoolExecutor(THREADS) as pool:
        for (index, _), together in zip(jobs, pool.map(compile_all, (case for _, case in jobs)), strict=True):
            assert together == alone[index]


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setattr(triton.knobs.compilation, "always_compile", True)


def test_one_case_of_each_topic():
    topics = {case.name.partition("/")[0]: case for case in ALL_CASES if not case.full}
    compile_in_threads(list(topics.values()))


@pytest.mark.full
def test_the_whole_suite():
    compile_in_threads(list(ALL_CASES))


def test_launches_in_threads():
    """Each thread compiles, loads and launches separate kernels."""
    cases = [case for case in ALL_CASES if case.name.startswith(("softmax/short", "scan/cumsum", "pointwise/vector"))]

    def run(seed: int) -> None:
        for result in cases[seed % len(cases)].run(seed=seed):
            assert_close(result.actual, result.expected, result.tolerance)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(run, range(2 * THREADS)))
