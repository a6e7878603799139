# SPDX-License-Identifier: MIT
"""Numbers are right without any one of the optional passes: none is needed for them, or hides a fault of another."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from kernel_suite import ALL_CASES
from numerics import assert_close

from triton_xe import errors
from triton_xe.options import XeOptions, optional_passes

#: The kernels that need the passes: products in any order, chained ones, gathered rows, plain pointers and reductions.
COMPACT = (
    "attention/attention_forward-causal_True-head_64-dtype_bfloat16",
    "experts/mixture_of_experts-dtype_bfloat16-b_order_nk",
    "operand_gemm/transposed_gemm-transposed_tt",
    "softmax/row_softmax-dtype_bfloat16",
)
#: The passes that others rely on: what is left out of them are their rewrites.
KEPT = ("tritonintelgpu-accelerate-matmul", "tritonintelgpu-materialize-block-pointer")
TOOL = Path(sys.executable).with_name("triton-xe-opt")


@pytest.mark.parametrize("name", optional_passes())
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=str(case), marks=() if case.name in COMPACT else pytest.mark.full)
        for case in ALL_CASES
        if not case.full
    ],
)
def test_numbers_without(case, name):
    for result in case.run("cpu", skip_passes=(name,)):
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


@pytest.mark.pairwise
@pytest.mark.parametrize("numbers", ["0", "1-"])
@pytest.mark.parametrize("name", optional_passes())
@pytest.mark.parametrize("case", [pytest.param(case, id=str(case)) for case in ALL_CASES if case.name in COMPACT])
def test_numbers_without_rewrites(case, name, numbers):
    """No rewrite of a pass needs another one."""
    for result in case.run("cpu", skip_passes=(f"{name}:{numbers}",)):
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


def test_compact_cases_exist():
    assert set(COMPACT) <= {case.name for case in ALL_CASES}


@pytest.mark.parametrize("name", optional_passes())
def test_passes_are_left_out(name):
    """Each name is that of a pass of one of the pipelines, which does not have it, or its rewrites, then."""

    def passes(options: str) -> str:
        command = [str(TOOL), "--dump-pass-pipeline", f"--triton-xe-llvm-pipeline={options}"]
        command.append(f"--triton-xe-ttgir-pipeline=raise-pointers=true assume-launch=true {options}")
        return subprocess.run(command, input="", capture_output=True, text=True, check=True).stderr

    assert name in passes("")
    left = passes(f"skip={name}")
    if name in KEPT:
        assert re.search(rf"{name}{{(?:[^{{}}]* )?skip={{0-}}", left)
    else:
        assert name not in left


def test_unknown_names():
    with pytest.raises(
        errors.OptionError, match=r"`skip_passes`: expected .*, found `tritonintelgpu-rewrite-tensor-pointer`"
    ):
        XeOptions(skip_passes=("tritonintelgpu-rewrite-tensor-pointer",))


@pytest.mark.parametrize("numbers", ["", "x", "-1", "1-2-3", "3-1", "1,2", "4294967296", " 1"])
def test_no_numbers(numbers):
    with pytest.raises(
        errors.OptionError,
        match=rf"`skip_passes`: expected numbers .* after `tritonintelgpu-pipeline:`, found `{numbers}`",
    ):
        XeOptions(skip_passes=(f"tritonintelgpu-pipeline:{numbers}",))
