# SPDX-License-Identifier: MIT
"""Marked tests under every instruction set of the machine other than the one in use, and on Intel's OpenCL runtime.

Two compilers of a device, here with several vector widths each, agree only where a kernel's meaning does not depend on
what a builtin leaves open (docs/Builtins.md). The OpenCL runtime gets the SPIR-V that a GPU gets: the tests marked
`opencl` check that it is right. They run as machine code as well.

Every marked test runs in each of these ways, with some of its sets of parameters; `--full` takes all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from instruction_sets import NATIVE, OPENCL, RUNTIME, InstructionSet, available, in_use
from numeric.dot.test_dot import dot_kernel
from numeric.reduce.test_reduce_values import reduce_kernel
from numerics import TOLERANCES, assert_close, poisoned, random_tensor, reference_matmul
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TESTS = Path(__file__).parents[1]
#: One in this number of sets of parameters of a marked test runs here, other than in a long run.
SHARE = 64


def run(*arguments: str, directory: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with some variables; nothing of this run's own pytest leaks into it."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment = inherited | variables
    command = [sys.executable, *arguments]
    return warm_python.run(command, cwd=directory, env=environment)


def marked_files(mark: str) -> list[Path]:
    """Return files of `numeric` that name a mark; to collect all others would take longer than the tests."""
    return [path for path in sorted((TESTS / "numeric").rglob("test_*.py")) if f"mark.{mark}" in path.read_text()]


@pytest.fixture
def run_marked(request):
    """Runs the marked tests of files with some variables; native code of GPUs is the same whatever runs on the CPU."""
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    if not request.config.getoption("--full"):
        options += ["--one-in", str(SHARE)]

    def run_files(mark: str, files: list[Path], others: str = "native_code", **variables: str) -> None:
        selected = ["-m", mark, "-k", f"not ({others})"]
        result = run("-m", "pytest", *options, *selected, *map(str, files), directory=TESTS, **variables)
        assert result.returncode == 0, result.stdout + result.stderr
        assert " passed" in result.stdout

    return run_files


def others(variable: str) -> list[InstructionSet]:
    """Return the instruction sets of the machine, without the one in use."""
    return [one for one in available(variable) if one.value != in_use(variable)]


#: 25 products of random sizes and places. Their addresses are the same for each set; `blocks/test_surfaces.py` and the
#: other products by columns call the functions that read blocks.
RANDOM_PRODUCTS = "(test_column_operands and test_surfaces)"


@pytest.mark.parametrize("instruction_set", others(NATIVE), ids=str)
def test_marked_tests(instruction_set, run_marked, request):
    files = marked_files("instruction_sets")
    assert TESTS / "numeric" / "dot" / "test_dot.py" in files
    left_out = "native_code" if request.config.getoption("--full") else f"native_code or {RANDOM_PRODUCTS}"
    run_marked("instruction_sets", files, left_out, **instruction_set.environment)


#: The runtime takes four seconds to compile each product of this test. Which of its loads stay in a loop is decided
#: before there is SPIR-V, which the simulator runs, too; `test_runtimes.py` has products on this runtime.
SLOW_ON_OPENCL = "operands_of_loops"


def test_marked_tests_on_opencl(run_marked, request):
    files = marked_files("opencl")
    assert TESTS / "numeric" / "memory" / "test_atomics.py" in files
    left_out = "native_code" if request.config.getoption("--full") else f"native_code or {SLOW_ON_OPENCL}"
    run_marked("opencl", files, left_out, **{RUNTIME: "opencl"})


#: Tests of numbers that are about the CPU device alone: where it cuts reductions, which message it has for a block that
#: no hardware takes, and instructions of a chip that the simulator does not know.
OF_THE_CPU = "native_code or lines_of_messages or byte_operands or cpu_lanes or sliced_scans or sliced_tiles"


@needs_ocloc
def test_marked_tests_on_the_simulator(run_marked):
    """The machine code of the device compiler for the same SPIR-V."""
    run_marked("opencl", marked_files("opencl"), OF_THE_CPU, **{RUNTIME: "simulator"})


@needs_ocloc
def test_kernels_in_gluon_on_the_simulator(run_marked):
    """They state messages and barriers, which the machine code has to have."""
    names = ("descriptors", "fp4", "shuffles", "xe", "xe_kernels")
    files = [TESTS / "e2e" / f"test_gluon_{name}.py" for name in names]
    run_marked("not full", files, **{RUNTIME: "simulator"})


@needs_ocloc
@pytest.mark.full
@pytest.mark.parametrize("path", sorted((TESTS / "numeric").rglob("test_*.py")), ids=lambda path: path.stem)
def test_numbers_on_the_simulator(path, run_marked):
    """All other tests of numbers, as machine code."""
    run_marked("not full", [path], OF_THE_CPU, **{RUNTIME: "simulator"})


def others_on_opencl() -> list:
    """Return one set, and the rest in a long run."""
    first, *rest = others(OPENCL) or [None]
    return [first, *(pytest.param(one, marks=pytest.mark.full) for one in rest)] if first else []


@pytest.mark.parametrize("instruction_set", others_on_opencl(), ids=str)
def test_reductions_on_opencl(instruction_set, run_marked):
    """Reductions of special values depended on the vector width of the OpenCL runtime once."""
    run_marked("opencl", [TESTS / "numeric" / "reduce" / "test_reduce_values.py"], **instruction_set.environment)


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


def check_registers(instruction_set: InstructionSet, assembly: str) -> None:
    """The widest registers of the set are in the code, and none that are wider."""
    assert instruction_set.widest in assembly
    assert instruction_set.unknown is None or instruction_set.unknown not in assembly


@pytest.mark.parametrize("instruction_set", available(NATIVE), ids=str)
def test_setting_takes_effect(tmp_path, monkeypatch, instruction_set):
    """Otherwise the tests above would prove nothing."""
    for name, value in instruction_set.environment.items():
        monkeypatch.setenv(name, value)
    signature = {"out_ptr": "*fp32", "x_ptr": "*fp32"} | dict.fromkeys(("AXIS", "ROWS", "COLUMNS"), "constexpr")
    source = ASTSource(reduce_kernel, signature, {"AXIS": 1, "ROWS": 8, "COLUMNS": 64})
    kernel = triton.compile(source, target=GPUTarget("cpu", "pvc", 16), options={"num_warps": 2})
    path = tmp_path / "kernel.obj"
    path.write_bytes(kernel.asm["obj"])
    command = ["objdump", "--disassemble", "--no-show-raw-insn", str(path)]
    check_registers(instruction_set, subprocess.run(command, capture_output=True, text=True, check=True).stdout)


LAUNCH = """
import torch
from numeric.reduce.test_reduce_values import reduce_kernel
reduce_kernel[(1,)](torch.empty(3, 8), torch.zeros(8, 64), AXIS=1, ROWS=8, COLUMNS=64, num_warps=2)
"""


@pytest.mark.parametrize("instruction_set", others_on_opencl(), ids=str)
def test_setting_takes_effect_on_opencl(tmp_path, instruction_set):
    """The runtime reads it once, when it is loaded."""
    variables = {"PYTHONPATH": str(TESTS), "TRITON_CACHE_DIR": str(tmp_path), "CL_CONFIG_DUMP_DISASSEMBLY": "True"}
    script = tmp_path / "launch.py"
    script.write_text(LAUNCH)
    result = run(str(script), directory=tmp_path, **variables, **instruction_set.environment)
    assert result.returncode == 0, result.stderr
    check_registers(instruction_set, "".join(path.read_text() for path in tmp_path.glob("*.asm")))
