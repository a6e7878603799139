"""Marked tests under every instruction set of the machine besides the one in use, and on Intel's OpenCL runtime.

Two compilers of a device, here with several vector widths each, agree only where a kernel's meaning does not depend on
what a builtin leaves open (docs/Builtins.md). The OpenCL runtime gets the SPIR-V that a GPU gets: the tests marked
`opencl` check that it is right.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton.language as tl
from instruction_sets import NATIVE, OPENCL, RUNTIME, InstructionSet, available, in_use
from numeric.test_dot import dot_kernel
from numerics import TOLERANCES, assert_close, poisoned, random_tensor, reference_matmul

TESTS = Path(__file__).parents[1]
#: Files with tests marked `instruction_sets`, in two parts of about the same time; collecting all others would take
#: longer than the tests.
FILES = {
    "values": ["reduce_scan", "reduce_values", "special_values", "float_conversions", "math", "libdevice"],
    "memory": ["block_pointer_fallback", "cpu_lanes", "divergence", "dot", "gather", "gemm"],
}
#: Files with tests marked `opencl`.
OPENCL_FILES = ["assert", "atomics", "block_rules", "print", "reduce_values", "reduce_scan", "math"]


def run(*arguments: str, directory: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with some variables; nothing of this run's own pytest leaks into it."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment = inherited | variables
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)


def run_marked(mark: str, files: list[str], **variables: str) -> None:
    """Runs the marked tests of files in `numeric`; native code of GPUs is the same whatever runs on the CPU."""
    options = ("-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", mark, "-k", "not native_code")
    paths = [f"numeric/test_{name}.py" for name in files]
    result = run("-m", "pytest", *options, *paths, directory=TESTS, **variables)
    assert result.returncode == 0, result.stdout + result.stderr
    assert " passed" in result.stdout


def others(variable: str) -> list[InstructionSet]:
    """Those that the machine has, but for the one in use."""
    return [one for one in available(variable) if one.value != in_use(variable)]


@pytest.mark.parametrize("part", FILES)
@pytest.mark.parametrize("instruction_set", others(NATIVE), ids=str)
def test_marked_tests(instruction_set, part):
    run_marked("instruction_sets", FILES[part], **instruction_set.environment)


def test_marked_tests_on_opencl():
    run_marked("opencl", OPENCL_FILES, **{RUNTIME: "opencl"})


def others_on_opencl() -> list:
    """One, and the rest in a long run."""
    first, *rest = others(OPENCL) or [None]
    return [first, *(pytest.param(one, marks=pytest.mark.full) for one in rest)] if first else []


@pytest.mark.parametrize("instruction_set", others_on_opencl(), ids=str)
def test_reductions_on_opencl(instruction_set):
    """Reductions of special values depended on the vector width of the OpenCL runtime once."""
    run_marked("opencl", ["reduce_values"], **instruction_set.environment)


@pytest.mark.instruction_sets
@pytest.mark.parametrize("instruction_set", available(NATIVE), ids=str)
def test_product(instruction_set):
    """The set is an option of a kernel, too: code for several of them side by side."""
    a, b = random_tensor((32, 32), torch.float16, 1), random_tensor((32, 32), torch.float16, 2)
    c, out = torch.zeros(32, 32), poisoned((32, 32), torch.float32)
    options = (
        {"num_warps": 4} if os.environ.get(RUNTIME) == "opencl" else {"num_warps": 4, "cpu_code": str(instruction_set)}
    )
    kernel = dot_kernel[(1,)](a, b, c, out, M=32, N=32, K=32, PRECISION="ieee", TYPE=tl.float32, **options)
    assert_close(out, reference_matmul(a, b), TOLERANCES[torch.float16])
    assert kernel.metadata.cpu_code == options.get("cpu_code", "spirv")


KERNEL = """
import sys
import torch, triton
from pathlib import Path
from numeric.test_reduce_values import reduce_kernel
x, out = torch.zeros(8, 64), torch.empty(3, 8)
kernel = reduce_kernel[(1,)](out, x, AXIS=1, ROWS=8, COLUMNS=64, num_warps=2)
if "obj" in kernel.asm:
    Path("kernel.obj").write_bytes(kernel.asm["obj"])
"""


@pytest.mark.parametrize("instruction_set", [*available(NATIVE), *others_on_opencl()], ids=str)
def test_setting_takes_effect(tmp_path, instruction_set):
    """Otherwise the tests above would prove nothing."""
    variables = {"PYTHONPATH": str(TESTS), "TRITON_CACHE_DIR": str(tmp_path), "CL_CONFIG_DUMP_DISASSEMBLY": "True"}
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    result = run(str(script), directory=tmp_path, **variables, **instruction_set.environment)
    assert result.returncode == 0, result.stderr
    if instruction_set.variable == NATIVE:
        command = ["objdump", "--disassemble", "--no-show-raw-insn", str(tmp_path / "kernel.obj")]
        assembly = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    else:
        assembly = "".join(path.read_text() for path in tmp_path.glob("*.asm"))
    assert instruction_set.widest in assembly
    assert instruction_set.unknown is None or instruction_set.unknown not in assembly
