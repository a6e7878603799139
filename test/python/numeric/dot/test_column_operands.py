# SPDX-License-Identifier: MIT
"""Left operands of dots that lie in memory by columns: 2D block messages transpose them.

8 bits: two messages, for rows of memory with even numbers and for those with odd ones, which take two rows for one.
The memory between the rows, before them and after the last one must not be seen. 16 and 32 bits: one message.
"""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from hypothesis import given, settings
from hypothesis import strategies as st
from numerics import TOLERANCES, assert_close, poisoned, random_tensor

pytestmark = pytest.mark.instruction_sets


@triton.jit
def column_kernel(
    a, b, c, M, N, K, pitch, first_block, first_k, TO: tl.constexpr, ACC: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """C[:, :] = A[first_row:, first_k:] B[first_k:, :]; rows and places along K before A are zero."""
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    # Rows of 8 bits come 32 at a time.
    first_row = first_block * 32
    left = tl.make_block_ptr(a, (M, K), (1, pitch), (first_row + m, first_k), (BM, BK), (0, 1))
    right = tl.make_block_ptr(b, (K, N), (N, 1), (first_k, n), (BK, BN), (1, 0))
    total = tl.zeros((BM, BN), ACC)
    for _ in range(first_k, K, BK):
        x = tl.load(left, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(right, boundary_check=(0, 1), padding_option="zero")
        total = tl.dot(x.to(TO), y.to(TO), total, out_dtype=ACC)
        left = tl.advance(left, (0, BK))
        right = tl.advance(right, (BK, 0))
    out = tl.make_block_ptr(c, (M, N), (N, 1), (m, n), (BM, BN), (1, 0))
    tl.store(out, total, boundary_check=(0, 1))


#: The types in memory, and those that the kernel converts to.
TYPES = {
    "i8": (torch.int8, torch.int8),
    "i8_as_bf16": (torch.int8, torch.bfloat16),
    "fp8e5": (torch.float8_e5m2, torch.float8_e5m2),
    "fp8e4nv": (torch.float8_e4m3fn, torch.float8_e4m3fn),
    "bf16": (torch.bfloat16, torch.bfloat16),
    "fp32": (torch.float32, torch.float32),
    "fp32_as_fp16": (torch.float32, torch.float16),
}
#: The types that no message transposes so that lanes have what DPAS wants.
OTHER_TYPES = {
    "i32_as_i8": (torch.int32, torch.int8),
    "fp16_as_fp32": (torch.float16, torch.float32),
    "i8_as_fp32": (torch.int8, torch.float32),
}
TRITON_TYPES = {
    torch.int8: tl.int8, torch.bfloat16: tl.bfloat16, torch.float16: tl.float16, torch.float32: tl.float32,
    torch.float8_e5m2: tl.float8e5, torch.float8_e4m3fn: tl.float8e4nv,
}  # fmt: skip
WARPS = 4


def random_operand(shape: tuple[int, int], dtype: torch.dtype, seed: int) -> torch.Tensor:
    """Return random values; small floats of 8 bits come from wider ones."""
    if dtype.itemsize == 1 and dtype.is_floating_point:
        return random_tensor(shape, torch.float32, seed).to(dtype)
    return random_tensor(shape, dtype, seed)


def columns_in_poison(matrix: torch.Tensor, pitch: int, skew: int = 0) -> torch.Tensor:
    """Return columns `pitch` elements apart, `skew` into a line of 64 bytes, with poison around and between them."""
    rows, columns = matrix.shape
    bits = {1: torch.int8, 2: torch.int16, 4: torch.int32}[matrix.element_size()]
    # A read of it changes any sum.
    storage = torch.full((pitch * (columns + 2) + 256,), 0x77, dtype=bits)
    start = -(storage.data_ptr() // storage.element_size()) % (64 // storage.element_size()) + 64 + skew
    view = storage.as_strided((rows, columns), (1, pitch), start)
    view.copy_(matrix.view(bits))
    return view.view(matrix.dtype) if matrix.element_size() == view.element_size() else view


def run(name, shape, tile, pitch, first_row=0, first_k=0, skew=0, seed=0):
    """Compare with float64; returns the compiled kernel."""
    m, n, k = shape
    dtype, to = (TYPES | OTHER_TYPES)[name]
    a, b = random_operand((m, k), dtype, seed), random_operand((k, n), dtype, seed + 1)
    is_integer = to == torch.int8
    c = poisoned((m, n), torch.int32 if is_integer else torch.float32)
    grid = (triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1]))
    compiled = column_kernel[grid](
        columns_in_poison(a, pitch, skew), b, c, m, n, k, pitch, first_row // 32, first_k, TRITON_TYPES[to],
        tl.int32 if is_integer else tl.float32, *tile, num_warps=WARPS,
    )  # fmt: skip
    left, right = (x.to(to).to(torch.int64 if is_integer else torch.float64) for x in (a, b))
    # Elements before the operands are zero.
    shifted = torch.zeros((m, k - min(first_k, 0)), dtype=left.dtype)
    source = left[max(first_row, 0) :, max(first_k, 0) :]
    at = max(-first_row, 0)
    part = source[: m - at]
    shifted[at : at + part.shape[0], : part.shape[1]] = part
    expected = shifted[:, : part.shape[1]] @ right[max(first_k, 0) :]
    assert_close(c, expected, 0 if is_integer else max(TOLERANCES.get(to, 1e-2), 2e-3))
    return compiled


@pytest.mark.parametrize("tile", [(32, 32, 64), (64, 32, 32), (128, 16, 32), (16, 32, 128)], ids=str)
@pytest.mark.parametrize("name", TYPES)
def test_messages(name, tile):
    """Tiles come by messages, nothing through shared memory; the last tiles and steps lie partly after the matrix."""
    compiled = run(name, (112, 80, 208), tile, 128, seed=sum(tile))
    assert len(re.findall("ttig.load_block", compiled.asm["ttgir"])) == 2
    assert compiled.metadata.shared == 0


@triton.jit
def plain_kernel(
    a, b, c, M, N, K, ACC: tl.constexpr, TRANSPOSED: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    """C = A B with columns of A one after the other, as the gradient of weights has it."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), ACC)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        if TRANSPOSED:
            x = tl.load(a + k[:, None] * M + i[None, :], mask=(k[:, None] < K) & (i[None, :] < M), other=0.0).T
        else:
            x = tl.load(a + i[:, None] + k[None, :] * M, mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
        y = tl.load(b + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
        total = tl.dot(x, y, total, out_dtype=ACC)
    tl.store(c + i[:, None] * N + j[None, :], total, mask=(i[:, None] < M) & (j[None, :] < N))


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("name", ["i8", "fp8e5", "fp8e4nv", "bf16", "fp32"])
def test_plain_pointers(name, transposed):
    """Pointers element by element, to the operand or to what is transposed."""
    m, n, k = 160, 96, 200
    dtype, _ = TYPES[name]
    a, b = random_operand((k, m), dtype, 3), random_operand((k, n), dtype, 4)
    is_integer = name == "i8"
    c = poisoned((m, n), torch.int32 if is_integer else torch.float32)
    acc = tl.int32 if is_integer else tl.float32
    compiled = plain_kernel[(3, 2)](a, b, c, m, n, k, acc, transposed, 64, 64, 32, num_warps=WARPS)
    wide = torch.int64 if is_integer else torch.float64
    assert_close(c, a.to(wide).T @ b.to(wide), 0 if is_integer else max(TOLERANCES.get(dtype, 1e-2), 2e-3))
    assert len(re.findall("ttig.load_block", compiled.asm["ttgir"])) == 2


@pytest.mark.parametrize("name", OTHER_TYPES)
def test_no_message(name, capfd, monkeypatch):
    """Right nevertheless, and a remark states what keeps messages away."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    monkeypatch.setattr(triton.knobs.compilation, "always_compile", True)
    column_kernel.device_caches.clear()
    run(name, (112, 80, 208), (32, 32, 32), 128)
    bits = 8 * OTHER_TYPES[name][0].itemsize
    reason = f"the left operand of a dot cannot be loaded transposed in elements of {bits} bits"
    if bits == 8:
        reason = "2D block loads cannot transpose elements of 8 bits"
    assert reason in capfd.readouterr().err


@pytest.mark.parametrize("k", [1, 2, 3, 31, 33, 65])
@pytest.mark.parametrize("name", ["i8", "fp8e4nv", "fp32"])
def test_few_places_along_k(name, k):
    """An odd number of rows of memory: the last one has no neighbour. Of one row, there is no odd one at all."""
    run(name, (64, 64, k), (64, 64, 64), 96, seed=k)


@pytest.mark.parametrize("first_k", [1, 2, 17, -1, -6, -33])
@pytest.mark.parametrize("name", ["i8", "fp8e5", "fp32"])
def test_first_place_along_k(name, first_k):
    """K begins in any row of memory, or before it; rows with odd numbers may be the first ones."""
    run(name, (64, 64, 96), (64, 64, 32), 64, first_k=first_k, seed=first_k + 40)


@pytest.mark.pairwise
@pytest.mark.parametrize("skew", [0, 16])
@pytest.mark.parametrize("first_row", [-32, -64, 32])
@pytest.mark.parametrize("name", ["i8", "fp8e5", "bf16", "fp32"])
def test_first_row(name, first_row, skew):
    """Rows of the operand, columns of memory, before it: the end of the row of memory before it is not seen."""
    run(name, (96, 64, 64), (32, 32, 32), 160, first_row=first_row, skew=skew, seed=first_row + 70 + skew)


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(["i8", "i8_as_bf16", "fp8e5", "fp32"]),
    m=st.integers(1, 20), n=st.integers(1, 5), k=st.integers(1, 150), gap=st.integers(0, 5),
    first_k=st.integers(-40, 80), tile=st.sampled_from([(32, 32, 32), (64, 32, 64)]), skew=st.sampled_from([0, 16, 32]),
)  # fmt: skip
def test_surfaces(name, m, n, k, gap, first_k, tile, skew):
    """Any extents, pitches and places."""
    rows = 4 * m
    run(
        name,
        (rows, 16 * n, k),
        tile,
        (max(rows, 64) + 15) // 16 * 16 + 16 * gap,
        first_k=min(first_k, k - 1),
        skew=skew,
    )
