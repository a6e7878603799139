"""The tests marked `instruction_sets` under every set that the machine has besides the one in use.

Two compilers of a device, here one with several vector widths, agree only where a kernel's meaning does not depend on
what a builtin leaves open (docs/Builtins.md).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton.language as tl
from instruction_sets import INSTRUCTION_SETS, VARIABLE, available, in_use
from numeric.test_dot import dot_kernel
from numerics import TOLERANCES, assert_close, poisoned, random_tensor, reference_matmul

TESTS = Path(__file__).parents[1]
#: Files with marked tests: collecting all others would take longer than the tests.
FILES = [
    "e2e/test_instruction_sets.py",
    "numeric/test_math.py",
    "numeric/test_reduce_values.py",
    "numeric/test_special_values.py",
]
OTHERS = [name for name in available() if name != in_use()]

#: The widest registers that code for a set has, and those that it must not have.
REGISTERS = {"skx": ("zmm", None), "core-avx2": ("ymm", "zmm"), "corei7": ("xmm", "ymm")}


def run(name: str, *arguments: str, directory: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with an instruction set; nothing of this run's own pytest leaks into it."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment = inherited | {VARIABLE: name} | variables
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", OTHERS, ids=lambda name: INSTRUCTION_SETS[name][0])
def test_marked_tests(name):
    options = ("-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "instruction_sets")
    result = run(name, "-m", "pytest", *options, *FILES, directory=TESTS)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.instruction_sets
def test_product():
    """A dot, which is slow to compile in larger kernels."""
    a, b = random_tensor((32, 32), torch.float16, 1), random_tensor((32, 32), torch.float16, 2)
    c, out = torch.zeros(32, 32), poisoned((32, 32), torch.float32)
    dot_kernel[(1,)](a, b, c, out, M=32, N=32, K=32, PRECISION="ieee", TYPE=tl.float32, num_warps=4)
    assert_close(out, reference_matmul(a, b), TOLERANCES[torch.float16])


KERNEL = """
import torch, triton
from numeric.test_reduce_values import reduce_kernel
x, out = torch.zeros(8, 64), torch.empty(3, 8)
reduce_kernel[(1,)](out, x, AXIS=1, ROWS=8, COLUMNS=64, num_warps=2)
"""


@pytest.mark.parametrize("name", available(), ids=lambda name: INSTRUCTION_SETS[name][0])
def test_setting_takes_effect(tmp_path, name):
    """Otherwise the tests above would prove nothing."""
    variables = {"PYTHONPATH": str(TESTS), "TRITON_CACHE_DIR": str(tmp_path), "CL_CONFIG_DUMP_DISASSEMBLY": "True"}
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    result = run(name, str(script), directory=tmp_path, **variables)
    assert result.returncode == 0, result.stderr
    assembly = "".join(path.read_text() for path in tmp_path.glob("*.asm"))
    used, unknown = REGISTERS[name]
    assert used in assembly
    assert unknown is None or unknown not in assembly
