# SPDX-License-Identifier: MIT
"""Operands of dots that memory has in 8 bits, along rows or columns: the numbers, and 2D block messages."""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite.operand_gemm import operand_gemm_kernel, widen
from numerics import assert_close, poisoned
from support import needs_ocloc

#: Torch's type and how the kernel takes it.
FORMATS = {
    "fp8e5": (torch.float8_e5m2, None),
    "fp8e4nv": (torch.float8_e4m3fn, None),
    "i8": (torch.int8, None),
    "i8_as_fp16": (torch.int8, "fp16"),
    "u8_as_bf16": (torch.uint8, "bf16"),
}


def random_bytes(shape: tuple[int, int], dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    """Return all bit patterns but NaN and infinity, among them subnormal numbers."""
    if not dtype.is_floating_point:
        info = torch.iinfo(dtype)
        return torch.randint(info.min, info.max + 1, shape, generator=generator).to(dtype)
    bits = torch.randint(0, 256, shape, generator=generator, dtype=torch.uint8)
    finite = bits.view(dtype).float().isfinite()
    return torch.where(finite, bits, torch.tensor(3, dtype=torch.uint8)).view(dtype)


def run(a, b, a_to, b_to, ta, tb, tile, num_warps, **options):
    """Compare with float64; returns the compiled kernel."""
    m, k, n = a.shape[0], a.shape[1], b.shape[1]
    acc = tl.int32 if a_to is None and a.dtype == torch.int8 else tl.float32
    c = poisoned((m, n), torch.int32 if acc == tl.int32 else torch.float32)
    grid = (triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1]))
    compiled = operand_gemm_kernel[grid](
        a.T.contiguous() if ta else a, b.T.contiguous() if tb else b, c, c, m, n, k, a_to, b_to, ta, tb, "", "", acc,
        *tile, num_warps=num_warps, **options,
    )  # fmt: skip
    assert_close(c, a.double() @ b.double(), 0 if acc == tl.int32 else 1e-5)
    return compiled


@pytest.mark.pairwise
@pytest.mark.parametrize("tb", [0, 1], ids="nt")
@pytest.mark.parametrize("ta", [0, 1], ids="nt")
@pytest.mark.parametrize("name", FORMATS)
def test_transpositions(name, ta, tb):
    """Three steps along K, the last one partly past the matrices.

    Messages transpose 32 bytes of a row at once: sub-groups have this number of rows.
    """
    generator = torch.Generator().manual_seed(4 * list(FORMATS).index(name) + 2 * ta + tb)
    dtype, to = FORMATS[name]
    a, b = (random_bytes(shape, dtype, generator) for shape in ((96, 176), (176, 80)))
    compiled = run(a, b, to, to, ta, tb, (64, 64, 64), 4)
    messages = len(re.findall("ttig.load_block", compiled.asm["ttgir"]))
    assert messages == 2
    assert compiled.metadata.shared == 0


@pytest.mark.parametrize("tile", [(16, 16, 32), (32, 32, 16), (16, 64, 32), (8, 32, 128), (128, 128, 32)], ids=str)
@pytest.mark.parametrize("pair", ["fp8e5 fp8e4nv", "fp8e4nv fp16", "fp16 fp8e5", "i8 fp16"])
def test_pairs_and_tiles(pair, tile):
    """Operands of different types in memory, and tiles from one instruction on; a K of one instruction has no pairs."""
    generator = torch.Generator().manual_seed(sum(tile))
    operands, widened = [], []
    for name, shape in zip(pair.split(), ((tile[0], 256), (256, 2 * tile[1])), strict=True):
        dtype, _ = FORMATS.get(name, (torch.float16, None))
        is_byte = dtype.itemsize == 1
        operands.append(random_bytes(shape, dtype, generator) if is_byte else torch.randn(shape).to(dtype))
        widened.append("fp16" if is_byte else None)
    run(*operands, *widened, 0, 0, tile, 4)


@pytest.mark.parametrize(("ta", "tb"), [(0, 0), (0, 1), (1, 0), (1, 1)], ids=["nn", "nt", "tn", "tt"])
@pytest.mark.parametrize("pair", ["fp8e5 fp8e5", "fp8e5 fp8e4nv", "fp8e4nv fp8e5", "fp8e4nv fp8e4nv"])
def test_products_of_xe3p(pair, ta, tb):
    """Its systolic array takes both kinds of bytes as they are."""
    generator = torch.Generator().manual_seed(len(pair) + 2 * ta + tb)
    shapes = ((96, 176), (176, 80))
    a, b = (random_bytes(shape, FORMATS[name][0], generator) for name, shape in zip(pair.split(), shapes, strict=True))
    compiled = run(a, b, None, None, ta, tb, (64, 64, 64), 4, arch="cri")
    assert "tt.fp_to_fp" not in compiled.asm["ttgir"]
    assert "_matrix_mad_k32" in compiled.asm["llir"]
    assert len(re.findall("ttig.load_block", compiled.asm["ttgir"])) == 2
    assert compiled.metadata.shared == 0


@pytest.mark.parametrize("arch", ["pvc", "nvl-p"])
@pytest.mark.parametrize("dtype", [torch.float8_e5m2, torch.float8_e4m3fn], ids=str)
def test_every_number(dtype, arch):
    """Each of the 256, times one: infinities and NaN are what they are in the wider type."""
    numbers = torch.arange(256, dtype=torch.uint8).view(16, 16).view(dtype)
    one = torch.eye(16).to(dtype)
    padded = torch.zeros(16, 48, dtype=torch.uint8).view(dtype)
    operand = torch.cat([numbers.view(torch.uint8), padded.view(torch.uint8)], 1).view(dtype)
    for row in range(16):
        # One number at a time, as NaN times zero is NaN.
        for column in (row, 15 - row):
            a = torch.zeros_like(operand.view(torch.uint8)).view(dtype)
            a.view(torch.uint8)[row, column] = operand.view(torch.uint8)[row, column]
            b = torch.zeros(64, 16, dtype=torch.uint8).view(dtype)
            b.view(torch.uint8)[column, :] = one.view(torch.uint8)[0, 0]
            c = poisoned((16, 16), torch.float32)
            operand_gemm_kernel[(1, 1)](
                a, b, c, c, 16, 16, 64, None, None, 0, 0, "", "", tl.float32, 16, 16, 64, num_warps=1, arch=arch
            )
            assert torch.equal(c[row].nan_to_num(12345.0), a[row, column].float().nan_to_num(12345.0).expand(16))


@triton.jit
def gathered_rows(
    a, b, c, rows, N, K, TO: tl.constexpr, ACC: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    row = tl.load(rows + tl.program_id(0) * BM + tl.arange(0, BM))
    n, k = tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    total = tl.zeros((BM, BN), ACC)
    for step in range(0, K, BK):
        x = tl.load(a + row[:, None] * K + (step + k)[None, :])
        y = tl.load(b + (step + k)[:, None] * N + n[None, :])
        total = tl.dot(widen(x, TO), widen(y, TO), total, out_dtype=ACC)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(c + m[:, None] * N + n[None, :], total)


@pytest.mark.parametrize("block_k", [32, 64, 16])
@pytest.mark.parametrize("name", FORMATS)
def test_gathered_rows(name, block_k):
    """Rows by their numbers, as a mixture of experts has them: a message each, if a row is long enough for one."""
    generator = torch.Generator().manual_seed(block_k)
    dtype, to = FORMATS[name]
    a, b = (random_bytes(shape, dtype, generator) for shape in ((90, 128), (128, 64)))
    rows = torch.randint(0, 90, (64,), generator=generator, dtype=torch.int32)
    acc = tl.int32 if name == "i8" else tl.float32
    c = poisoned((64, 64), torch.int32 if name == "i8" else torch.float32)
    compiled = gathered_rows[(2, 2)](a, b, c, rows, 64, 128, to, acc, 32, 32, block_k, num_warps=4)
    assert_close(c, a.double()[rows.long()] @ b.double(), 0 if name == "i8" else 1e-5)
    assert ("] rows %" in compiled.asm["ttgir"]) == (block_k >= 32)


@triton.jit
def few_columns_kernel(a_ptr, b_ptr, c_ptr, K, M: tl.constexpr, N: tl.constexpr, BLOCK_K: tl.constexpr):
    m, n, k = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, BLOCK_K)
    a = tl.load(a_ptr + m * BLOCK_K + k[None, :], k[None, :] < K, 0)
    b = tl.load(b_ptr + k[:, None] + n * BLOCK_K)
    tl.store(c_ptr + m * N + n, tl.dot(a, b, out_dtype=tl.int32))


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize(("m", "k", "num_warps"), [(16, 64, 2), (32, 64, 2), (32, 128, 4), (64, 64, 4)])
def test_few_columns_as_native_code(m, k, num_warps, arch):
    """Too few columns for DPAS: the device compiler multiplies four bytes at once, in the same order on both sides."""
    generator = torch.Generator().manual_seed(m + k)
    a, b = (random_bytes((rows, k), torch.int8, generator) for rows in (m, 8))
    c = poisoned((m, 8), torch.int32)
    few_columns_kernel[(1,)](a, b, c, k - 3, m, 8, k, num_warps=num_warps, cpu_code="zebin", arch=arch)
    assert_close(c, a[:, : k - 3].double() @ b[:, : k - 3].double().T, 0)
