# SPDX-License-Identifier: MIT
"""Quotients with the same divisor, as GPUs get them: products with one reciprocal, as exact as OpenCL demands."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned
from support import Runtime, needs_ocloc

from triton_xe import compiler
from triton_xe.options import XeOptions

#: Rows of 8 dividends, each with a separate divisor.
KERNEL = """
target triple = "spirv64-unknown-unknown"
define spir_kernel void @divide(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out)
    !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %row = call spir_func i64 @_Z12get_group_idj(i32 0)
  %y.place = getelementptr float, ptr addrspace(1) %y, i64 %row
  %divisor = load float, ptr addrspace(1) %y.place
  %first = insertelement <8 x float> poison, float %divisor, i64 0
  %all = shufflevector <8 x float> %first, <8 x float> poison, <8 x i32> zeroinitializer
  %x.place = getelementptr <8 x float>, ptr addrspace(1) %x, i64 %row
  %dividends = load <8 x float>, ptr addrspace(1) %x.place, align 32
  %quotients = fdiv <8 x float> %dividends, %all
  %out.place = getelementptr <8 x float>, ptr addrspace(1) %out, i64 %row
  store <8 x float> %quotients, ptr addrspace(1) %out.place, align 32
  ret void
}
declare spir_func i64 @_Z12get_group_idj(i32)
!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
"""

SPECIAL = np.array(
    [
        0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1,
        -1,
        3,
        2.0**-149,
        1e-45,
        -1e-40,
        2.0**-126,
        2.0**126,
        2.0**127,
        3.4e38,
        1e-30,
    ],
    dtype=np.float32,
)


@pytest.mark.parametrize("seed", range(3))
def test_division(seed):
    """Any bits of divisor and dividend: within 2.5 units in the last place, and what is special as it should be."""
    generator = np.random.default_rng(seed)

    def numbers(count: int) -> np.ndarray:
        bits = generator.integers(0, 2**32, count, dtype=np.uint32).view(np.float32)
        near = np.ldexp(generator.standard_normal(count), generator.integers(-4, 4, count)).astype(np.float32)
        return np.where(generator.random(count) < 0.5, bits, near)

    y = np.concatenate([SPECIAL, numbers(2000)])
    x = np.stack([generator.permutation(np.concatenate([generator.choice(SPECIAL, 4), numbers(4)])) for _ in y])
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64) / y[:, None].astype(np.float64)
        expected = exact.astype(np.float32)

    runtime = Runtime("opencl")
    optimized = compiler.native_compiler().optimize_llvm_ir(KERNEL)
    # The code that a GPU's driver gets, without the emulation of its functions.
    binary = compiler.translate_to_spirv(optimized, "none", XeOptions(arch="pvc"))
    kernel = runtime.device.load_kernel(binary, "divide")
    launcher = runtime.module.make_launcher(["*fp32"] * 3, ["x", "y", "out"], "cpu", 16, True)
    tensors = [torch.from_numpy(x), torch.from_numpy(y), torch.full(x.shape, 7.0)]
    pointers = [tensor.data_ptr() for tensor in tensors]
    launcher(len(y), 1, 1, 0, kernel, None, SimpleNamespace(name="divide"), None, None, *pointers)
    actual = tensors[2].numpy()

    check_quotients(actual, expected, exact)


def check_quotients(actual: np.ndarray, expected: np.ndarray, exact: np.ndarray) -> None:
    """Check that quotients are within OpenCL's 2.5 units of the exact ones, and no divisions."""
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    assert (same | (np.isfinite(actual) & np.isfinite(expected))).all()
    unit = np.maximum(np.spacing(np.abs(expected)), np.float32(2.0**-149)).astype(np.float64)
    with np.errstate(all="ignore"):
        error = np.where(same, 0, np.abs(actual.astype(np.float64) - exact) / unit)
    assert error.max() <= 2.5
    # Products, and no division per element.
    assert error.max() > 0


@triton.jit
def divide_rows(x, y, out, out_rows, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Quotients of rows and their sums; the sums are then used again."""
    row, column = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    places = row[:, None] * COLUMNS + column[None, :]
    sums = tl.sum(tl.load(y + places), 1)
    tl.store(out + places, tl.load(x + places) / sums[:, None])
    tl.store(out_rows + row, sums * 0.5 + 1.0)


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize(("rows", "columns"), [(16, 64), (16, 256), (8, 128)])
def test_rows_in_lanes(rows, columns, arch):
    """Sums of rows are in lanes of a register: so are their scales and reciprocals. Each is one number of a row."""
    y = torch.zeros(rows, columns)
    numbers = np.resize(SPECIAL, rows)
    y[torch.arange(rows), torch.randint(columns, (rows,))] = torch.from_numpy(numbers)
    x = torch.randn(rows, columns) * 2.0 ** torch.randint(-20, 20, (rows, columns))
    out, out_rows = poisoned((rows, columns), torch.float32), poisoned((rows,), torch.float32)
    options = {"num_warps": 1, "cpu_code": "zebin", "arch": arch}
    divide_rows[(1,)](x, y, out, out_rows, ROWS=rows, COLUMNS=columns, **options)
    with np.errstate(all="ignore"):
        # A sum with zeros has no negative zero.
        exact = x.double().numpy() / (numbers.astype(np.float64) + 0.0)[:, None]
        check_quotients(out.numpy(), exact.astype(np.float32), exact)
        assert np.array_equal(out_rows.numpy(), numbers * np.float32(0.5) + np.float32(1), equal_nan=True)
