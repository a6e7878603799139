# SPDX-License-Identifier: MIT
"""Masked loads in native code of the GPU, and the form that each device gets of them.

A branch per load costs more than jumps: the compiler of the GPU waits for what one load brings before the next begins.
"""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

XPU, CPU = GPUTarget("xpu", "pvc", 16), GPUTarget("cpu", "pvc", 16)
#: Elements of a block; sub-groups of 16 lanes hold this number of registers of it.
SIZE, WARPS = 1024, 4
REGISTERS = SIZE // (16 * WARPS)


@triton.jit
def gather_kernel(x_ptr, index_ptr, y_ptr, SIZE: tl.constexpr):
    """Gather with a different mask for each register; what is hidden differs from zero."""
    i = tl.arange(0, SIZE)
    index = tl.load(index_ptr + i)
    tl.store(y_ptr + i, tl.load(x_ptr + index, mask=index >= 0, other=-1.0))


@triton.jit
def volatile_kernel(x_ptr, index_ptr, y_ptr, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    index = tl.load(index_ptr + i)
    tl.store(y_ptr + i, tl.load(x_ptr + index, mask=index >= 0, other=-1.0, volatile=True))


@triton.jit
def rows_kernel(x_ptr, y_ptr, rows, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Several registers have the mask of their row."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    place = i * stride + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + place, mask=i < rows)
    tl.store(y_ptr + place, x + x, mask=i < rows)


@triton.jit
def tail_kernel(x_ptr, y_ptr, count, SIZE: tl.constexpr):
    """The usual mask of the last block: of a whole vector, as `count` is a multiple of 16."""
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < count) * 2, mask=i < count)


@triton.jit
def softmax_kernel(x_ptr, y_ptr, count, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    x = tl.load(x_ptr + i, mask=i < count, other=-float("inf"))
    exponential = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + i, exponential / tl.sum(exponential, axis=0), mask=i < count)


GATHER = {"x_ptr": "*fp32", "index_ptr": "*i32", "y_ptr": "*fp32"}
TAIL = {"x_ptr": "*fp32", "y_ptr": "*fp32", "count": "i32"}
ROWS = {"x_ptr": "*fp32", "y_ptr": "*fp32", "rows": "i32", "stride": "i32"}


def compile_for(target: GPUTarget, kernel, signature: dict[str, str], constants=None, divisible=(), **options):
    """Compile a kernel; `divisible` are the arguments that are multiples of 16."""
    constants = {"SIZE": SIZE} if constants is None else constants
    attributes = {(list(signature).index(name),): [["tt.divisibility", 16]] for name in divisible}
    source = ASTSource(kernel, signature | dict.fromkeys(constants, "constexpr"), constants, attributes)
    return triton.compile(source, target=target, options={"num_warps": WARPS} | options)


def sequence(isa: str) -> str:
    """Return the loads of global memory (L), stores (S) and jumps (J) of native code, in their order."""
    letters = []
    for line in isa.splitlines():
        code = re.sub(r"^\([^)]*\)\s*", "", line.strip())
        if re.match(r"(goto|jmpi|if|else|brd|brc|while)\b", code):
            letters.append("J")
        elif re.match(r"send\.ugm \(16", code):
            letters.append("S" if "store" in code else "L")
    return "".join(letters)


@needs_ocloc
def test_a_masked_gather_has_no_jump():
    """All loads are adjacent, and the only other jump of a kernel is that of its end."""
    compiled = compile_for(XPU, gather_kernel, GATHER, generate_native_code=True)
    assert compiled.metadata.native["total"]["jumps"] == 0
    # Indices are loaded side by side.
    assert "L" * (REGISTERS + REGISTERS // 4) in sequence(compiled.asm["isa"]).replace("S", "")


@needs_ocloc
def test_every_volatile_load_has_a_jump():
    """Where the mask is false there must be no access, so each is on its own."""
    compiled = compile_for(XPU, volatile_kernel, GATHER, generate_native_code=True)
    assert compiled.metadata.native["total"]["jumps"] >= REGISTERS


@needs_ocloc
def test_loads_of_a_tail_have_no_jump():
    """Vectors of four elements; those that are stored have one jump each."""
    compiled = compile_for(XPU, tail_kernel, TAIL, divisible=("x_ptr", "y_ptr", "count"), generate_native_code=True)
    assert compiled.metadata.native["total"]["jumps"] <= REGISTERS // 4


@needs_ocloc
@pytest.mark.parametrize("divisible", [("x_ptr", "y_ptr", "count"), ("x_ptr", "y_ptr")])
def test_rows_are_accessed_by_vectors(divisible):
    """The code between load and store takes the layout of vectors. Where a mask may end within them, the elements of a
    vector but the last one are also stored one by one.
    """
    compiled = compile_for(XPU, softmax_kernel, TAIL, divisible=divisible, generate_native_code=True)
    accesses = sequence(compiled.asm["isa"])
    assert accesses.count("S") == REGISTERS // 4 * (1 if "count" in divisible else 4)
    assert accesses.count("L") == REGISTERS // 4
    assert f"{'L' * (REGISTERS // 4)}" in accesses


@needs_ocloc
def test_stores_of_a_row_share_a_jump():
    """Four rows of 1024 columns: each lane stores four vectors of each row."""
    constants = {"ROWS": 4, "COLUMNS": 1024}
    compiled = compile_for(
        XPU, rows_kernel, ROWS, constants, divisible=("x_ptr", "y_ptr", "stride"), generate_native_code=True
    )
    isa = compiled.asm["isa"]
    assert compiled.metadata.native["total"]["jumps"] <= constants["ROWS"]
    assert sequence(isa).count("S") == 16


@pytest.mark.parametrize("code", ["avx2", "avx512"])
def test_object_code_has_branches(code):
    """The vectorizer of the CPU device makes masked accesses of them."""
    text = compile_for(CPU, tail_kernel, TAIL, cpu_code=code).asm["llir"]
    assert "@triton_xe_other_" not in text
    assert text.count("br i1") >= REGISTERS


@needs_ocloc
def test_native_figures_of_the_cpu_device_are_those_of_a_gpu():
    """With native code on request, the IR is that of a GPU. Checks win: the constant is in no argument's memory."""
    options = {"cpu_code": "avx2", "generate_native_code": True}
    gpu = compile_for(XPU, gather_kernel, GATHER).asm["llir"]
    assert compile_for(CPU, gather_kernel, GATHER, **options).asm["llir"] == gpu
    assert "@triton_xe_other_" in gpu
    assert "@triton_xe_other_" not in compile_for(CPU, gather_kernel, GATHER, cpu_checks=True, **options).asm["llir"]


def test_spirv_of_the_cpu_device_is_that_of_a_gpu(monkeypatch):
    """Intel's OpenCL runtime checks what a GPU gets."""
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", "opencl")
    gpu, cpu = (compile_for(target, gather_kernel, GATHER).asm["llir"] for target in (XPU, CPU))
    assert "@triton_xe_other_" in gpu
    assert cpu == gpu


@triton.jit
def nearest_kernel(distances, groups, out, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """The least distance of each row to one of another group. A lane has several columns next to each other."""
    row = tl.arange(0, ROWS)
    own = tl.load(groups + row, mask=row < N, other=-1)
    best = tl.full((ROWS,), float("inf"), tl.float32)
    for start in range(0, N, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        group = tl.load(groups + column, mask=column < N, other=-1)
        mask = (row < N)[:, None] & (column < N)[None, :]
        value = tl.load(distances + row[:, None] * N + column[None, :], mask=mask, other=float("inf"))
        best = tl.minimum(best, tl.min(tl.where(group[None, :] != own[:, None], value, float("inf")), 1))
    tl.store(out + row, best, mask=row < N)


@needs_ocloc
@pytest.mark.parametrize("count", [60, 57, 52])
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_vectors_that_end_after_a_tensor(count: int, arch: str) -> None:
    """A vector of 32 aligned bytes, of which a tensor has the first ones, is no access outside of it."""
    distances, groups = torch.rand(count, count), torch.arange(count, dtype=torch.int32) // 2
    out = torch.full((count,), torch.nan)
    options = {"num_warps": 4, "cpu_code": "zebin", "arch": arch, "cpu_checks": True}
    compiled = nearest_kernel[(1,)](distances, groups, out, count, 64, 128, **options)
    assert "tt.divisibility = 32" in compiled.asm["ttgir"]
    expected = torch.where(groups[:, None] != groups[None, :], distances, torch.inf).min(1).values
    assert torch.equal(out, expected)
