# SPDX-License-Identifier: MIT
"""Whole kernels on all runtimes of the CPU device, bit by bit: object code, SPIR-V on Intel's OpenCL runtime, and
machine code of a GPU on the simulator.

Multiplications are not fused with additions here: which ones are, is a choice of each compiler. The remaining
differences are functions whose last bits OpenCL leaves open, and sums of floats by several programs at once
(docs/Builtins.md). On a GPU these are also divisions, square roots, and sums inside of DPAS.
"""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite import ALL_CASES
from kernel_suite.case import KernelCase
from numerics import assert_close
from support import needs_ocloc
from triton.backends.compiler import GPUTarget

CPU = GPUTarget("cpu", "pvc", 16)

#: Cases that are cheap for the OpenCL runtime's compiler: a second or two each. A product of 8-bit floats is
#: not: a test below converts a few of them.
CHEAP = {
    "embedding/rotary-interleaved_True-dtype_float16",
    "matmul/convolution-stride_1",
    "matmul/descriptor_gemm-made_on_device",
    "pointwise/vector_add-dtype_bfloat16",
    "quantized/int4_interleaved",
    "quantized/int8_gemm",
    "reductions/extreme_index-dtype_float32",
    "reductions/welford",
    "scan/block_pointer_time-dtype_float32",
    "scan/cumsum_rows-dtype_float32-reverse_True",
    "softmax/online_softmax-dtype_float32",
    "sorting/histogram",
    "sorting/sort_rows-descending_False",
}

#: Calls of functions with open last bits, and accesses whose order is open.
OPEN_FUNCTION = re.compile(
    r"call [^\n]*@(?:llvm\.|_Z\d+)(?:native_|half_)?"
    r"(?:a?(?:cos|sin|tan)h?|erfc?|exp|exp10|exp2|expm1|log|log10|log1p|log2|pow|rsqrt)[DdfS.]"
)
OPEN_ORDER = re.compile(r"\b(?:atomicrmw|cmpxchg)\b")

#: The operations that are also open on a GPU.
OPEN_ON_GPU = re.compile(r"\bfdiv\b|sqrt|(?:f16|tf32)_matrix_mad")

OPTIONS = {"enable_fp_fusion": False}


def parameters() -> list:
    """Return every case; all but the cheap ones for long runs."""
    marks = {True: [], False: [pytest.mark.full]}
    return [pytest.param(case, id=str(case), marks=marks[case.name in CHEAP]) for case in ALL_CASES]


@pytest.fixture
def run(monkeypatch, request):
    """Runs a case on a runtime. Triton keeps compiled kernels, and does not know that the runtime has changed."""

    def run_on(case: KernelCase, runtime: str) -> list[torch.Tensor]:
        monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", runtime)
        for kernel in case.kernels:
            kernel.device_caches.clear()
            request.addfinalizer(kernel.device_caches.clear)
        results = case.run(seed=1, **OPTIONS)
        for result in results:
            assert_close(result.actual, result.expected, result.tolerance)
        return [result.actual.contiguous() for result in results]

    return run_on


def is_open(case: KernelCase, runtime: str) -> bool:
    """Return whether the language leaves bits of the results open."""
    for source, options in case.sources(CPU, **OPTIONS):
        code = triton.compile(source, target=CPU, options=options).asm["llir"]
        if OPEN_FUNCTION.search(code) or OPEN_ORDER.search(code):
            return True
        if runtime == "simulator" and OPEN_ON_GPU.search(code):
            return True
    return False


@pytest.mark.parametrize("runtime", ["opencl", pytest.param("simulator", marks=needs_ocloc)])
@pytest.mark.parametrize("case", parameters())
def test_runtimes_give_the_same_bits(case, runtime, run):
    ours, theirs = run(case, "native"), run(case, runtime)
    if is_open(case, runtime):
        return
    for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        differ = (one.view(torch.uint8) != other.view(torch.uint8)).sum().item()
        assert differ == 0, f"result {index}: {differ} bytes differ"


@triton.jit
def through_8_bits(x_ptr, y_ptr, TYPE: tl.constexpr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y_ptr + index, tl.load(x_ptr + index).to(TYPE).to(tl.float32))


@pytest.mark.parametrize("dtype", [torch.float8_e5m2, torch.float8_e4m3fn], ids=str)
def test_both_runtimes_round_to_8_bits(monkeypatch, dtype):
    """A code of each sign and exponent, and numbers between two; the suite's product has them in a long run."""
    x = torch.arange(256, dtype=torch.uint8).view(dtype).float()
    x = torch.where(x.isfinite(), x * 1.07, 1.0).clamp(-400, 400)
    for runtime in ("native", "opencl"):
        monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", runtime)
        through_8_bits.device_caches.clear()
        y = torch.full_like(x, float("nan"))
        language = {torch.float8_e5m2: tl.float8e5, torch.float8_e4m3fn: tl.float8e4nv}[dtype]
        through_8_bits[(1,)](x, y, language, 256, num_warps=4)
        assert torch.equal(y, x.to(dtype).float())
    through_8_bits.device_caches.clear()
