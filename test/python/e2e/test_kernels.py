# SPDX-License-Identifier: MIT
"""The whole-kernel suite: numbers on the CPU device, and native code for PVC without any device."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
import triton
from kernel_suite import ALL_CASES
from kernel_suite.case import PVC, KernelCase
from kernel_suite.declaration import Declaration
from numerics import assert_close
from support import needs_ocloc
from triton.compiler.errors import CompilationError


def parameters(first: int, others: int, *marks: pytest.MarkDecorator) -> list:
    """Return every case with each of its numbers of warps; most of them are for long runs.

    A short one has the `first` of these for the first case of each kernel, and the last `others` for its other cases.
    The usual number of warps of each first case has `marks`: the other cases differ by constants.
    """
    chosen, seen = [], set()
    for case in ALL_CASES:
        kernel = case.name.partition("-")[0]
        is_first = not case.full and kernel not in seen
        count = len(case.num_warps)
        short = range(0) if case.full else range(first) if is_first else range(count - others, count)
        seen |= {kernel} if is_first else set()
        for index, num_warps in enumerate(case.num_warps):
            own = pytest.mark.full if index not in short else marks if index == 0 and is_first else ()
            chosen.append(pytest.param(case, num_warps, id=f"{case}-w{num_warps}", marks=own))
    return chosen


@pytest.mark.parametrize(("case", "num_warps"), parameters(1, 1, pytest.mark.conformance))
def test_numbers(case: KernelCase, num_warps: int) -> None:
    """Every result is right, and nothing around the buffers was written."""
    results = case.run("cpu", seed=num_warps, num_warps=num_warps)
    assert results
    for result in results:
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


@pytest.mark.parametrize(("case", "num_warps"), parameters(1, 0))
def test_slices(case: KernelCase, num_warps: int) -> None:
    """Every tensor of more than two registers is computed in slices of one register, where it can be."""
    results = case.run("cpu", seed=num_warps, num_warps=num_warps, tile_registers=2)
    assert results
    for result in results:
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


DECLARATIONS = (
    Declaration(constants=True),
    Declaration(constants=True, descriptor=True),
    Declaration(wide=True),
    Declaration(unspecialized=True),
    Declaration(descriptor=True),
    Declaration(wide=True, unspecialized=True, descriptor=True),
)

#: Kernels that Triton's front end does not take with integers of 64 bits: a loop or `tl.swizzle2d` mixes them with
#: program ids, or a variable changes its type.
NOT_WIDE = {
    "linear_attention/chunked",
    "matmul/batched_gemm",
    "matmul/descriptor_gemm",
    "matmul/grouped_gemm",
    "matmul/stream_k",
    "operand_gemm/changed_gemm",
    "operand_gemm/transposed_gemm",
    "serving/unified_attention",
}


def declared_cases() -> list:
    """Return every case with each declaration; most of them are for long runs.

    A short one has the first case of each kernel, with one declaration, and another than the kernels next to it: what a
    declaration changes is the front end's code for all kernels alike, and each has a dozen of them.
    """
    chosen, seen = [], set()
    for case in ALL_CASES:
        kernel = case.name.partition("-")[0]
        is_first = not case.full and kernel not in seen
        for number, declaration in enumerate(DECLARATIONS):
            is_short = is_first and (number - len(seen)) % len(DECLARATIONS) == 0
            chosen.append(
                pytest.param(case, declaration, id=f"{declaration}-{case}", marks=() if is_short else pytest.mark.full)
            )
        seen |= {kernel} if is_first else set()
    return chosen


@pytest.mark.parametrize(("case", "declaration"), declared_cases())
def test_declarations(case: KernelCase, declaration: Declaration) -> None:
    """Results do not depend on how a kernel declares its integers."""
    refused = declaration.wide and case.name.partition("-")[0] in NOT_WIDE
    with pytest.raises((CompilationError, RuntimeError)) if refused else nullcontext():
        for result in case.run("cpu", seed=1, declaration=declaration):
            assert_close(result.actual.cpu(), result.expected, result.tolerance)


@needs_ocloc
@pytest.mark.full
@pytest.mark.parametrize(("case", "num_warps"), parameters(1, 0))
def test_native_code(case: KernelCase, num_warps: int) -> None:
    """The device compiler takes each variant of every kernel, and finds no function that it does not know.

    `test_simulator.py` runs the usual variants of pvc, and checks their spills, too.
    """
    for source, options in case.sources(PVC, num_warps=num_warps, generate_native_code=True):
        native = triton.compile(source, target=PVC, options=options).metadata.native
        assert native["unknown_functions"] == []
        assert native["total"]["indirect_calls"] == 0
