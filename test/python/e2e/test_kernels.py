"""The whole-kernel suite: numbers on the CPU device, and native code for PVC without any device."""

from __future__ import annotations

import pytest
import triton
from kernel_suite import ALL_CASES
from kernel_suite.case import PVC, KernelCase
from numerics import assert_close
from support import needs_ocloc


def parameters(first: int, others: int, *marks: pytest.MarkDecorator) -> list:
    """Every case with each of its numbers of warps; most of them are for long runs.

    A short one has the `first` of these for the first case of each kernel, and as many as `others` for its other cases.
    The usual number of warps has `marks`, if that is in a short run.
    """
    chosen, seen = [], set()
    for case in ALL_CASES:
        kernel = case.name.partition("-")[0]
        short = 0 if case.full else others if kernel in seen else first
        if not case.full:
            seen.add(kernel)
        for index, num_warps in enumerate(case.num_warps):
            own = pytest.mark.full if index >= short else marks if index == 0 else ()
            chosen.append(pytest.param(case, num_warps, id=f"{case}-w{num_warps}", marks=own))
    return chosen


@pytest.mark.parametrize(("case", "num_warps"), parameters(2, 1, pytest.mark.conformance))
def test_numbers(case: KernelCase, num_warps: int) -> None:
    """Every result is right, and nothing around the buffers was written."""
    results = case.run("cpu", seed=num_warps, num_warps=num_warps)
    assert results
    for result in results:
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


@needs_ocloc
@pytest.mark.parametrize(("case", "num_warps"), parameters(1, 0))
def test_native_code(case: KernelCase, num_warps: int) -> None:
    """The offline compiler takes every kernel, and finds no function that it does not know; in a long run it takes each
    of their variants. The usual number of warps never spills registers.
    """
    for source, options in case.sources(PVC, num_warps=num_warps, generate_native_code=True):
        compiled = triton.compile(source, target=PVC, options=options)
        native = compiled.metadata.native
        assert native["unknown_functions"] == []
        assert native["total"]["indirect_calls"] == 0
        if num_warps == case.num_warps[0]:
            assert native["total"]["scratch_messages"] == 0
