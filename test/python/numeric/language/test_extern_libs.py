# SPDX-License-Identifier: MIT
"""Functions of a library of the user's, given as bitcode in `extern_libs`."""

from __future__ import annotations

import shutil
import subprocess

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned, random_tensor
from triton.language import core

from triton_xe import errors

CLANG = shutil.which("clang-22") or shutil.which("clang")
SIZE = 256
SOURCE = """
float helper(float x) { return exp(-x * x); }
__attribute__((noinline)) float bell(float x, int width) { return helper(x / width) + width; }
double bell_f64(double x) { return x + 1.0; }
float broken(float x) { extern float undefined_function(float); return undefined_function(x); }
float mistyped(float x, float y) { return x + y; }
"""


@core.extern
def bell(x, width, _semantic=None):
    overloads = {
        (core.dtype("fp32"), core.dtype("int32")): ("bell", core.dtype("fp32")),
    }
    return core.extern_elementwise("", "", [x, width], overloads, is_pure=True, _semantic=_semantic)


@core.extern
def one(x, symbol, _semantic=None):
    overloads = {(core.dtype("fp32"),): (symbol.value, core.dtype("fp32"))}
    return core.extern_elementwise("", "", [x], overloads, is_pure=True, _semantic=_semantic)


@triton.jit
def bell_kernel(x_ptr, out_ptr, width, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(out_ptr + index, bell(tl.load(x_ptr + index), width) * 2)


@triton.jit
def one_kernel(x_ptr, out_ptr, SYMBOL: tl.constexpr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(out_ptr + index, one(tl.load(x_ptr + index), SYMBOL))


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if not CLANG:
        pytest.skip("a library of device functions is made by clang 22, which is not on this machine")
    folder = tmp_path_factory.mktemp("library")
    source, bitcode = folder / "bell.cl", folder / "bell.bc"
    source.write_text(SOURCE)
    flags = ["-x", "cl", "-cl-std=CL3.0", "--target=spirv64v1.4-unknown-unknown", "-O1", "-emit-llvm", "-c"]
    flags += ["-Xclang", "-finclude-default-header", "-Wno-everything"]
    subprocess.run([CLANG, *flags, str(source), "-o", str(bitcode)], check=True)
    return bitcode


@pytest.mark.parametrize("warp_size", [16, 32])
def test_functions_of_a_library(library, warp_size):
    """They are inlined, with what they call."""
    x, out = random_tensor((SIZE,), torch.float32, 1), poisoned((SIZE,), torch.float32)
    compiled = bell_kernel[(1,)](x, out, 3, SIZE, extern_libs={"bell": str(library)}, warp_size=warp_size)
    torch.testing.assert_close(out.double(), (torch.exp(-((x.double() / 3) ** 2)) + 3) * 2, rtol=1e-6, atol=1e-6)
    assert "@bell(" not in compiled.asm["llir"]
    assert "@bell_f64(" not in compiled.asm["llir"]


@pytest.mark.parametrize(
    ("symbol", "message"),
    [
        ("unknown", "`unknown` is not the mangled name of an OpenCL function"),
        ("broken", "the library calls 'undefined_function', which is not defined"),
        ("mistyped", "'mistyped' has other types in the library than in the kernel"),
    ],
)
def test_functions_that_cannot_be_called(library, symbol, message):
    x, out = torch.zeros(SIZE), torch.zeros(SIZE)
    with pytest.raises(errors.CompileError, match=message):
        one_kernel[(1,)](x, out, symbol, SIZE, extern_libs={"bell": str(library)})


def test_files_that_are_no_library(tmp_path):
    x, out = torch.zeros(SIZE), torch.zeros(SIZE)
    path = tmp_path / "text.bc"
    path.write_text("define float @bell()")
    with pytest.raises(errors.OptionError, match="`bell` is not a library of LLVM bitcode"):
        bell_kernel[(1,)](x, out, 3, SIZE, extern_libs={"bell": str(path)})
    with pytest.raises(errors.OptionError, match="cannot read"):
        bell_kernel[(1,)](x, out, 3, SIZE, extern_libs={"bell": str(tmp_path / "nothing.bc")})
