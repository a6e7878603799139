# SPDX-License-Identifier: MIT
"""The parts that only a wheel has: LLVM inside, beside other copies of it in the process, and tools that are scripts.

`scripts/test_wheel.py` runs these tests on a system that has no LLVM.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = """
import sys
import torch, triton
import triton.language as tl

@triton.jit
def double(x, y, SIZE: tl.constexpr):
    lanes = tl.arange(0, SIZE)
    tl.store(y + lanes, tl.load(x + lanes) * 2)

def run_triton():
    x, y = torch.randn(64), torch.full((64,), float("nan"))
    double[(1,)](x, y, SIZE=64)
    assert torch.equal(y, x * 2)
"""

OTHERS = """
import llvmlite.binding as llvm, numba, numpy as np

def run_numba():
    triple = numba.njit(lambda x: np.sin(x) * 3)
    x = np.random.rand(100)
    np.testing.assert_allclose(triple(x), np.sin(x) * 3)

def run_llvmlite():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly("define i32 @four() { ret i32 4 }")
    machine = llvm.Target.from_default_triple().create_target_machine()
    assert b"four" in machine.emit_object(module)
"""


def run(program: Path) -> str:
    command = [sys.executable, str(program)]
    # A separate cache: otherwise kernels of other tests would do, and nothing is compiled.
    environment = os.environ | {"TRITON_CACHE_DIR": str(program.with_name("cache"))}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


@pytest.mark.parametrize("order", list(itertools.permutations(("triton", "numba", "llvmlite"))), ids="-".join)
def test_other_compilers_with_llvm(tmp_path, order):
    """Whichever comes first, all of them compile, also after the others did."""
    program = tmp_path / "program.py"
    calls = "".join(f"run_{name}()\n" for name in (*order, order[0]))
    program.write_text(KERNEL + OTHERS + calls)
    run(program)


@pytest.mark.parametrize("name", ["libLLVM.so.22.1", "libMLIR.so.22.1", "libboost_context.so.1.81.0", "libsleef.so.3"])
def test_the_system_has_no_library_of_the_build(name):
    """So that what is tested here is what a user without these packages has."""
    with pytest.raises(OSError, match=re.escape(name)):
        ctypes.CDLL(name)


def test_no_library_of_llvm_is_loaded(tmp_path):
    """The process has no libraries of these names: LLVM is in the module."""
    program = tmp_path / "program.py"
    program.write_text(KERNEL + "run_triton()\nprint(open('/proc/self/maps').read())\n")
    maps = run(program)
    assert "_compiler." in maps
    for name in ("libLLVM", "libMLIR", "libclang"):
        assert name not in maps


def test_modules_show_only_their_entry(tmp_path):
    """So no symbol of another LLVM can be bound to theirs."""
    program = tmp_path / "program.py"
    # `dlsym` finds what is visible of a library, and nothing else.
    program.write_text("""
import ctypes
from triton_xe import _compiler
library = ctypes.CDLL(_compiler.__file__)
assert library.PyInit__compiler
for name in ("LLVMInitializeX86Target", "LLVMContextCreate", "ZSTD_compress", "_ZSt4cout"):
    assert not hasattr(library, name), name
""")
    run(program)


def test_opt():
    """Passes on textual IR, from standard input."""
    text = "tt.func @f(%x: i32) {\n  %y = arith.addi %x, %x : i32\n  tt.return\n}\n"
    command = [tool("triton-xe-opt"), "--canonicalize", "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert "tt.func @f" in result.stdout
    assert "addi" not in result.stdout


@pytest.mark.parametrize("name", ["triton-xe-opt", "triton-xe-translate"])
def test_version(name):
    """The tools know it from the build, Python from the package."""
    result = subprocess.run([tool(name), "--version"], capture_output=True, text=True, check=True)
    assert f"triton-xe {importlib.metadata.version('triton-xe')}\n" in result.stdout


def test_opt_says_what_is_wrong():
    """The tools end with the exit code of a program."""
    result = subprocess.run([tool("triton-xe-opt"), "-"], input="tt.fun", capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "error:" in result.stderr


def test_translate(tmp_path):
    """SPIR-V with the device library, which is found in the package."""
    source, binary = tmp_path / "kernel.ll", tmp_path / "kernel.spv"
    source.write_text("define spir_kernel void @kernel(ptr addrspace(1) %x) {\n  ret void\n}\n")
    command = [tool("triton-xe-translate"), "--llvmir-to-spirv", "--library=emulation", source, "-o", binary]
    subprocess.run(command, check=True)
    assert binary.read_bytes()[:4] == (0x07230203).to_bytes(4, "little")


def test_papers():
    """The licence, and those of what the wheel holds, come along."""
    files = {file.name for file in importlib.metadata.files("triton-xe") if "licenses" in file.parts}
    assert {"LICENSE", "THIRD_PARTY_NOTICES.md"} <= files
