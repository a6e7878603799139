# SPDX-License-Identifier: MIT
"""Rows gathered by their numbers as operands, sums and results of dots: 2D block messages of one row each.

The CPU device checks every message against the rules of the hardware. Row numbers reach past the tensor and before
 it, the last block of a loop over K reaches past the columns.
"""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite.experts import experts_kernel, sort_tokens
from numerics import TOLERANCES, assert_close, poisoned, random_tensor, reference_matmul, strided
from support import covers

pytestmark = pytest.mark.instruction_sets


@triton.jit
def descriptor_kernel(
    x, left, b, c, out, M, N, K, x_pitch, b_pitch, c_pitch, out_pitch, OUT: tl.constexpr, R: tl.constexpr,
    BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """out[left] = x[left] @ b + c[left]."""
    x_rows = tl.make_tensor_descriptor(x, [M, K], [x_pitch, 1], [1, BK])
    b_block = tl.make_tensor_descriptor(b, [K, N], [b_pitch, 1], [BK, BN])
    c_rows = tl.make_tensor_descriptor(c, [M, N], [c_pitch, 1], [1, BN])
    out_rows = tl.make_tensor_descriptor(out, [M, N], [out_pitch, 1], [1, BN])
    column = tl.program_id(1) * BN
    rows = tl.load(left + tl.program_id(0) * R + tl.arange(0, R))
    acc = tl.zeros((R, BN), OUT)
    for k in range(0, K, BK):
        acc = tl.dot(x_rows.gather(rows, k), b_block.load([k, column]), acc, out_dtype=OUT)
    acc += c_rows.gather(rows, column).to(OUT)
    out_rows.scatter(acc, rows, column)


@triton.jit
def right_kernel(
    a, b, rows, out, M, N, K, a_pitch, b_pitch, OUT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """out = a @ b[rows]; the rows are others in each round of the loop."""
    a_block = tl.make_tensor_descriptor(a, [BM, K], [a_pitch, 1], [BM, BK])
    b_rows = tl.make_tensor_descriptor(b, [M, N], [b_pitch, 1], [1, BN])
    acc = tl.zeros((BM, BN), OUT)
    for k in range(0, K, BK):
        number = tl.load(rows + k + tl.arange(0, BK))
        acc = tl.dot(a_block.load([0, k]), b_rows.gather(number, 0), acc, out_dtype=OUT)
    tl.store(out + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], acc)


def gathered(x: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Return rows of a matrix; zeros where there is no such row."""
    wide = rows.long()
    exists = (wide >= 0) & (wide < x.shape[0])
    return torch.where(exists[:, None], x[wide.clamp(0, x.shape[0] - 1)], torch.zeros((), dtype=x.dtype))


def row_numbers(count: int, rows: int, dtype: torch.dtype = torch.int32) -> torch.Tensor:
    """Return different rows, some of them on either side of the tensor."""
    numbers = torch.randperm(rows + 20, generator=torch.Generator().manual_seed(count))[:count] - 10
    # Far away, where a product with the pitch overflows 32 bits.
    numbers[3], numbers[5] = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    return numbers.to(dtype)


#: Rows, columns, K of a block, and sub-groups.
BLOCKS = [(16, 16, 16, 1), (32, 64, 32, 4), (64, 32, 64, 8), (8, 128, 32, 2)]
TYPES = [torch.float16, torch.bfloat16, torch.int8, torch.float32]
#: The types that dots take in a wider type: no message has 16 elements of 8 bits.
WIDENED = [torch.float8_e5m2, torch.float8_e4m3fn]


def check_descriptors(dtype: torch.dtype, block: tuple[int, ...], number: torch.dtype) -> None:
    r, bn, bk, num_warps = block
    bk, bn = max(bk, 32 // dtype.itemsize), max(bn, 32 // dtype.itemsize)
    wide, out_type = (torch.int32, tl.int32) if dtype == torch.int8 else (torch.float32, tl.float32)
    m, n, k, pitch = 90, 2 * bn - 16, 3 * bk - 16, 4 * bk
    x = strided(random_tensor((m, k), dtype, 1), pitch)
    b = strided(random_tensor((k, n), dtype, 2), 2 * bn)
    c = strided(random_tensor((m, n), dtype, 3), 2 * bn)
    rows = row_numbers(2 * r, max(m, 2 * r), number)
    out = random_tensor((m, 2 * bn), wide, 4)
    expected = out.clone()
    exists = (rows >= 0) & (rows < m)
    product = reference_matmul(gathered(x, rows), b) + gathered(c, rows)
    expected[rows[exists].long(), :n] = product[exists].to(wide)
    kernel = descriptor_kernel[(2, 2)](
        x, rows, b, c, out, m, n, k, pitch, 2 * bn, 2 * bn, 2 * bn, out_type, r, bn, bk, num_warps=num_warps
    )
    assert_close(out, expected, TOLERANCES[dtype])
    # No message has 16 elements of 8 bits, which a row of the sum's layout consists of. In a single sub-group, and
    # where rows have many messages, ordinary accesses to the sum and the result cost less than a message for each row.
    text = kernel.asm["ttgir"]
    assert "] rows %" in text
    if num_warps > 1 and dtype.itemsize == 2:
        assert len(re.findall(r"load_block .*\] rows", text)) == 2
        assert len(re.findall(r"store_block .*\] rows", text)) == 1


@covers("tl.make_tensor_descriptor", "i8", "fp16", "bf16", "fp32")
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("dtype", TYPES)
def test_descriptors(dtype, block):
    check_descriptors(dtype, block, torch.int32)


@pytest.mark.conformance
@pytest.mark.needs("row numbers of 16 bits")
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_short_row_numbers(dtype):
    """They are signed."""
    check_descriptors(dtype, BLOCKS[1], torch.int16)


@triton.jit
def plain_kernel(x, rows, b, out, pitch, NUMBER: tl.constexpr, R: tl.constexpr, K: tl.constexpr, STEP: tl.constexpr):
    """out = x[rows] @ b; with a step, each round of a loop has separate rows, of which every third exists."""
    i, k = tl.arange(0, R), tl.arange(0, K)
    acc = tl.zeros((R, K), tl.float32)
    weights = tl.load(b + k[:, None] * K + k[None, :])
    for first in range(2):
        number = tl.load(rows + i + first * STEP).to(NUMBER)
        exists = (i + first) % 3 == 0 if STEP else i >= 0
        value = tl.load(x + (number + 2 * first)[:, None] * pitch + k[None, :], mask=exists[:, None], other=0.0)
        acc = tl.dot(value, weights, acc)
    tl.store(out + i[:, None] * K + k[None, :], acc)


@pytest.mark.pairwise
@pytest.mark.parametrize("step", [0, 3])
@pytest.mark.parametrize("number", [tl.int16, tl.int32, tl.int64], ids=str)
@pytest.mark.parametrize("num_warps", [1, 4])
def test_numbers_of_any_sign(number, step, num_warps):
    """Plain pointers may go to rows before the pointer that they start with; each row has a separate base."""
    r, k, pitch, start = 32, 32, 40, 70
    x, b = strided(random_tensor((200, k), torch.float16, 1), pitch), random_tensor((k, k), torch.float16, 2)
    rows = torch.randperm(130, generator=torch.Generator().manual_seed(3))[: r + step].to(torch.int32) - start
    out = poisoned((r, k), torch.float32)
    kernel = plain_kernel[(1,)](x[start:], rows, b, out, pitch, number, r, k, step, num_warps=num_warps)
    expected = torch.zeros(r, k, dtype=torch.float64)
    for first in range(2):
        i = torch.arange(r)
        value = x[rows[i + first * step].long() + 2 * first + start].double()
        if step:
            value[(i + first) % 3 != 0] = 0
        expected += value @ b.double()
    assert_close(out, expected, TOLERANCES[torch.float16])
    # A single sub-group loads several rows by one ordinary message, and exchanges elements by shuffles.
    assert ("] rows %" in kernel.asm["ttgir"]) == (num_warps > 1)


@pytest.mark.parametrize("block", [(16, 16, 16, 1), (32, 64, 32, 4)])
@pytest.mark.parametrize("dtype", TYPES)
def test_right_operand(dtype, block):
    bm, bn, bk, num_warps = block
    bk, bn = max(bk, 32 // dtype.itemsize), max(bn, 32 // dtype.itemsize)
    wide, out_type = (torch.int32, tl.int32) if dtype == torch.int8 else (torch.float32, tl.float32)
    m, n, k = 150, bn, 2 * bk
    a, b = random_tensor((bm, k), dtype, 1), strided(random_tensor((m, n), dtype, 2), bn + 64)
    rows = row_numbers(k, max(m, k))
    out = poisoned((bm, bn), wide)
    right_kernel[(1,)](a, b, rows, out, m, n, k, k, bn + 64, out_type, bm, bn, bk, num_warps=num_warps)
    assert_close(out, reference_matmul(a, gathered(b, rows)), TOLERANCES[dtype])


def check_experts(dtype: torch.dtype, number: tl.dtype, whole_k: bool, block: tuple[int, ...]) -> None:
    """Tokens in any order; those that fill up the table have rows far after the tensor."""
    bm, bn, bk, num_warps = block
    wide, out_type = (torch.int32, tl.int32) if dtype == torch.int8 else (torch.float32, tl.float32)
    experts, top, n, tokens = 2, 2, bn + 16, 2 * bm - 5
    k, count = 3 * bk - (0 if whole_k else 16), top * tokens
    table, owners = sort_tokens(count, experts, bm, 2**31 - 1, seed=bm)
    a = strided(random_tensor((tokens, k), dtype, 3), 4 * bk)
    b = strided(random_tensor((experts, n, k), dtype, 4), 4 * bk)
    weights = random_tensor((count,), torch.float32 if dtype.is_floating_point else dtype, 5)
    out = random_tensor((count, 2 * bn), wide, 6)
    expected = out.clone()
    for slot, token in enumerate(table.tolist()):
        if token < count:
            row = reference_matmul(a[token // top][None], b[owners[slot // bm]].T)[0] * weights[token].to(torch.float64)
            expected[token, :n] = row.to(wide)
    kernel = experts_kernel[(len(owners) * triton.cdiv(n, bn),)](
        a, b, out, weights, table, owners, torch.tensor([len(table)], dtype=torch.int32), n, k, len(table), count,
        a.stride(0), 1, b.stride(0), 1, b.stride(1), out.stride(0), 1, TOP=top, BLOCK_M=bm, BLOCK_N=bn, BLOCK_K=bk,
        GROUP_M=2, WHOLE_K=whole_k, NUMBER=number, ACC=out_type, num_warps=num_warps,
    )  # fmt: skip
    assert_close(out, expected, TOLERANCES.get(dtype, 2e-3))
    # The matrices are stored by columns: transposes are multiplied, unless elements are bytes.
    assert ("tt.trans" in kernel.asm["ttgir"]) == (dtype.itemsize > 1)
    if num_warps > 1 and dtype.itemsize == 1:
        assert "] rows %" in kernel.asm["ttgir"]
        assert re.search(r"store_block .*\] rows", kernel.asm["ttgir"])


@pytest.mark.pairwise
@covers("tl.dot", "i8", "fp16", "bf16", "fp32")
@pytest.mark.parametrize("block", [(16, 16, 32, 1), (32, 64, 32, 4), (64, 32, 64, 8)])
@pytest.mark.parametrize("whole_k", [False, True])
@pytest.mark.parametrize("number", [tl.int32, tl.int64], ids=str)
@pytest.mark.parametrize("dtype", TYPES)
def test_experts(dtype, number, whole_k, block):
    check_experts(dtype, number, whole_k, block)


@pytest.mark.parametrize("dtype", WIDENED)
def test_experts_of_8_bits(dtype):
    check_experts(dtype, tl.int32, False, (32, 64, 64, 4))
