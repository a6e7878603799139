# SPDX-License-Identifier: MIT
"""The output of `tl.device_print`: every element of a tensor once, scalars and texts once per lane, in Triton's format.

The device's runtime writes to the standard output of the process, below Python: tests read the file below it.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from numeric.layouts import LANES
from support import covers, needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

N = 32


@triton.jit
def print_kernel(x, y, scalar, N: tl.constexpr, CASE: tl.constexpr):
    """One case per kernel, so that lines are not mixed."""
    value = tl.load(x + tl.arange(0, N))
    if CASE == "signed":
        tl.device_print("value", value)
    elif CASE == "unsigned":
        tl.device_print("value", value.to(tl.uint8))
    elif CASE == "hex":
        tl.device_print("value", value, hex=True)
    elif CASE == "long":
        tl.device_print("value", value.to(tl.int64) * 2**33)
    elif CASE == "float":
        tl.device_print("value", (value * 0.25).to(tl.bfloat16), value.to(tl.float64) / 8)
    elif CASE == "matrix":
        tl.device_print("value", value[:, None] * 10 + tl.arange(0, 4)[None, :])
    elif CASE == "scalar":
        tl.device_print("value", scalar, tl.load(y))
    elif CASE == "text":
        tl.device_print("100% done")


def values() -> list[int]:
    """Return the printed tensor."""
    return [3 * i - 40 for i in range(N)]


def expected_lines(case: str, programs: int, lanes: int) -> list[str]:
    """Return all lines of programs with this number of lanes, sorted."""
    data = values()
    match case:
        case "signed":
            lines = [f"idx ({i:2}) value: {v}" for i, v in enumerate(data)]
        case "unsigned":
            lines = [f"idx ({i:2}) value: {v % 256}" for i, v in enumerate(data)]
        case "hex":
            lines = [f"idx ({i:2}) value: 0x{v % 2**32:08x}" for i, v in enumerate(data)]
        case "long":
            lines = [f"idx ({i:2}) value: {v * 2**33}" for i, v in enumerate(data)]
        case "float":
            lines = [f"idx ({i:2}) value: (operand 0) {v / 4:f}" for i, v in enumerate(data)]
            lines += [f"idx ({i:2}) value: (operand 1) {v / 8:f}" for i, v in enumerate(data)]
        case "matrix":
            lines = [f"idx ({i:2}, {j}) value: {v * 10 + j}" for i, v in enumerate(data) for j in range(4)]
        case "scalar":
            lines = ["idx () value: (operand 0) -7", "idx () value: (operand 1) 1.500000"] * lanes
        case _:
            lines = ["100% done"] * lanes
    return sorted(f"pid (0, {program}, 0) {line}" for program in range(programs) for line in lines)


def launch(case: str, programs: int, **options) -> None:
    """Prints one case."""
    x, y = torch.tensor(values(), dtype=torch.int32), torch.tensor([1.5])
    print_kernel[(1, programs)](x, y, -7, N, case, **options)


def sorted_lines(output: str) -> list[str]:
    """Return the sorted lines of an output, without blanks at the ends."""
    return sorted(re.sub(r"\s+$", "", line) for line in output.splitlines())


CONFIGURATIONS = [
    ("signed", 4, 16), ("unsigned", 1, 32), ("hex", 2, 16), ("long", 4, 32), ("float", 1, 16), ("matrix", 2, 32),
    ("scalar", 4, 16), ("text", 8, 32),
]  # fmt: skip


@pytest.mark.opencl
@covers("tl.device_print", "i32", "u8", "i64", "bf16", "fp64")
@pytest.mark.parametrize(("case", "num_warps", "warp_size"), CONFIGURATIONS)
def test_lines(capfd, case, num_warps, warp_size):
    """Once a launch has ended, all its lines are in the C library's buffer at the latest."""
    programs = 2
    launch(case, programs, num_warps=num_warps, warp_size=warp_size)
    ctypes.CDLL(None).fflush(None)
    assert sorted_lines(capfd.readouterr().out) == expected_lines(case, programs, num_warps * warp_size)


@needs_ocloc
@pytest.mark.parametrize(("case", "num_warps", "warp_size"), CONFIGURATIONS)
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_lines_of_machine_code(capfd, case, num_warps, warp_size, arch):
    """The records that the device compiler's code writes are read as a driver reads them."""
    options = {"num_warps": num_warps, "warp_size": warp_size if arch == "pvc" else 16}
    launch(case, 2, cpu_code="zebin", arch=arch, cpu_checks=True, **options)
    ctypes.CDLL(None).fflush(None)
    assert sorted_lines(capfd.readouterr().out) == expected_lines(case, 2, num_warps * options["warp_size"])


@pytest.mark.opencl
def test_a_process_that_ends():
    """Nothing is lost in a process that leaves right after the launch, whose output is a pipe."""
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    result = warm_python.run(
        [sys.executable, __file__], env={**os.environ, "PYTHONPATH": path}, check=True, timeout=120
    )
    assert sorted_lines(result.stdout) == expected_lines("float", 3, 16)


@needs_ocloc
def test_native_code():
    source = ASTSource(print_kernel, {"x": "*i32", "y": "*fp32", "scalar": "i32"}, {"N": N, "CASE": "float"})
    kernel = triton.compile(source, target=GPUTarget("xpu", "pvc", LANES), options={"generate_native_code": True})
    # Lines go to a buffer whose end is moved atomically.
    assert "atomic" in kernel.asm["isa"]


if __name__ == "__main__":
    launch("float", 3, num_warps=1, warp_size=16)
