"""The whole-kernel suite: numbers on the CPU device, and native code for PVC without any device."""

from __future__ import annotations

import pytest
import triton
from kernel_suite import ALL_CASES
from kernel_suite.case import PVC, KernelCase
from numerics import assert_close
from support import needs_ocloc


def parameters(short: int) -> list:
    """Every case with each of its numbers of warps; all but the first `short` of them are for long runs."""
    chosen = []
    for case in ALL_CASES:
        for index, num_warps in enumerate(case.num_warps):
            marks = [pytest.mark.full] if case.full or index >= short else []
            if not case.full and index == 0 and short == 2:
                marks.append(pytest.mark.conformance)
            chosen.append(pytest.param(case, num_warps, id=f"{case}-w{num_warps}", marks=marks))
    return chosen


@pytest.mark.parametrize(("case", "num_warps"), parameters(short=2))
def test_numbers(case: KernelCase, num_warps: int) -> None:
    """Every result is right, and nothing around the buffers was written."""
    results = case.run("cpu", seed=num_warps, num_warps=num_warps)
    assert results
    for result in results:
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


@needs_ocloc
@pytest.mark.parametrize(("case", "num_warps"), parameters(short=1))
def test_native_code(case: KernelCase, num_warps: int) -> None:
    """The offline compiler takes every kernel, and finds no function that it does not know."""
    for source, options in case.sources(PVC, num_warps=num_warps, generate_native_code=True):
        compiled = triton.compile(source, target=PVC, options=options)
        native = compiled.metadata.native
        assert native["unknown_functions"] == []
        assert native["total"]["indirect_calls"] == 0
        if num_warps == case.num_warps[0]:
            assert native["total"]["scratch_messages"] <= case.max_scratch
