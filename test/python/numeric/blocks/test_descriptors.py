# SPDX-License-Identifier: MIT
"""Rows gathered through a descriptor, and reductions into memory: in, at, and over the border of the tensor."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numeric.layouts import LANES
from numerics import poisoned, random_tensor, strided
from support import covers, needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def gather_rows(
    x, rows, out, M, N, pitch, column, R: tl.constexpr, C: tl.constexpr, NAN: tl.constexpr,
):  # fmt: skip
    """out = x[rows, column : column + C]."""
    padding: tl.constexpr = "nan" if NAN else "zero"
    descriptor = tl.make_tensor_descriptor(x, [M, N], [pitch, 1], [1, C], padding_option=padding)
    number = tl.arange(0, R)
    value = descriptor.gather(tl.load(rows + number), column)
    tl.store(out + number[:, None] * C + tl.arange(0, C)[None, :], value)


@triton.jit
def scatter_rows(x, rows, out, M, N, pitch, column, R: tl.constexpr, C: tl.constexpr):
    """out[rows, column : column + C] = x."""
    descriptor = tl.make_tensor_descriptor(out, [M, N], [pitch, 1], [1, C])
    number = tl.arange(0, R)
    value = tl.load(x + number[:, None] * C + tl.arange(0, C)[None, :])
    descriptor.scatter(value, tl.load(rows + number), column)


@triton.jit
def reduce_block(x, out, M, N, pitch, row, column, R: tl.constexpr, C: tl.constexpr, KIND: tl.constexpr):
    """Combines every program's x with the same block of out."""
    descriptor = tl.make_tensor_descriptor(out, [M, N], [pitch, 1], [R, C])
    place = tl.program_id(0) * R * C + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    value = tl.load(x + place)
    if KIND == "add":
        descriptor.atomic_add([row, column], value)
    elif KIND == "min":
        descriptor.atomic_min([row, column], value)
    elif KIND == "max":
        descriptor.atomic_max([row, column], value)
    elif KIND == "and":
        descriptor.atomic_and([row, column], value)
    elif KIND == "or":
        descriptor.atomic_or([row, column], value)
    else:
        descriptor.atomic_xor([row, column], value)


#: Rows and columns of the block, column where it starts, warps, lanes.
GEOMETRIES = [(8, 16, 0, 1, 16), (32, 32, 5, 4, 16), (16, 64, 30, 2, 32), (64, 16, -3, 8, 32), (8, 32, 60, 4, 16)]
M, N, PITCH = 37, 61, 64


def row_numbers(count: int) -> torch.Tensor:
    """Return different rows, some of them beyond the border on both sides."""
    return (torch.randperm(M + 40, generator=torch.Generator().manual_seed(count))[:count] - 20).to(torch.int32)


def outside(rows: torch.Tensor, column: int, columns: int) -> torch.Tensor:
    """Return which elements of a block of rows do not exist."""
    c = column + torch.arange(columns)
    return ((rows < 0) | (rows >= M))[:, None] | ((c < 0) | (c >= N))[None, :]


@covers("tl.make_tensor_descriptor", "i8", "i32", "fp16", "bf16", "fp32")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32])
@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_gather(dtype, geometry):
    r, c, column, num_warps, warp_size = geometry
    c = max(c, 32 // (8 * dtype.itemsize) * 8)
    x, rows = strided(random_tensor((M, N), dtype, 1), PITCH), row_numbers(r)
    out = poisoned((r, c), dtype)
    nan = dtype.is_floating_point and column >= 0
    gather_rows[(1,)](x, rows, out, M, N, PITCH, column, r, c, nan, num_warps=num_warps, warp_size=warp_size)
    columns = (column + torch.arange(c)).clamp(0, N - 1)
    expected = x[rows.clamp(0, M - 1).long()][:, columns]
    expected[outside(rows, column, c)] = float("nan") if nan else 0
    assert torch.allclose(out, expected, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32])
@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_scatter(dtype, geometry):
    r, c, column, num_warps, warp_size = geometry
    c = max(c, 32 // (8 * dtype.itemsize) * 8)
    x, rows = random_tensor((r, c), dtype, 2), row_numbers(r)
    storage = random_tensor((M, PITCH), dtype, 3)
    expected = storage.clone()
    inside = ~outside(rows, column, c)
    for i, row in enumerate(rows.tolist()):
        for j in range(c):
            if inside[i, j]:
                expected[row, column + j] = x[i, j]
    scatter_rows[(1,)](x, rows, storage, M, N, PITCH, column, r, c, num_warps=num_warps, warp_size=warp_size)
    assert torch.equal(storage, expected)


REDUCTIONS = {
    "add": torch.add, "min": torch.minimum, "max": torch.maximum, "and": torch.bitwise_and, "or": torch.bitwise_or,
    "xor": torch.bitwise_xor,
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "dtype", "geometry"),
    [
        ("add", torch.int32, 1), ("add", torch.float32, 2), ("add", torch.float16, 3), ("add", torch.bfloat16, 0),
        ("min", torch.int32, 2), ("max", torch.int64, 3), ("min", torch.uint32, 0), ("max", torch.uint32, 1),
        ("and", torch.int32, 3), ("or", torch.int64, 4), ("xor", torch.int32, 1),
    ],
)  # fmt: skip
def test_reduce(kind, dtype, geometry):
    """Small whole numbers: sums are exact in any order."""
    r, c, column, num_warps, warp_size = GEOMETRIES[geometry]
    programs, row = 3, -2 if geometry % 2 else 20
    generator = torch.Generator().manual_seed(geometry)
    low = 0 if dtype == torch.uint32 else -8
    x = torch.randint(low, 9, (programs, r, c), generator=generator)
    storage = torch.randint(low, 9, (M, PITCH), generator=generator)
    if dtype == torch.uint32:
        # Numbers that are negative in their signed reading.
        x[:, ::2] += 2**31
        storage[:, ::2] += 2**31
    expected = storage.clone()
    for i in range(r):
        for j in range(c):
            if 0 <= row + i < M and 0 <= column + j < N:
                for program in range(programs):
                    old = expected[row + i, column + j]
                    expected[row + i, column + j] = REDUCTIONS[kind](old, x[program, i, j])
    values, memory = x.to(dtype), storage.to(dtype)
    reduce_block[(programs,)](
        values, memory, M, N, PITCH, row, column, r, c, kind, num_warps=num_warps, warp_size=warp_size
    )
    assert torch.equal(memory.to(torch.int64), expected)


@triton.jit
def move_matrices(source, target, R: tl.constexpr, C: tl.constexpr, FIRST: tl.constexpr, RANK: tl.constexpr):
    """Blocks of one matrix of a batch each, from one batch before the first to one after the last."""
    z, row, column = tl.program_id(0) + FIRST, tl.program_id(1) * R - R // 2, tl.program_id(2) * C
    if RANK == 3:
        value = source.load([z, row, column]).reshape(R, C)
        target.store([z, row, column], (value + 1).reshape(1, R, C))
    else:
        value = source.load([z, -z, row, column]).reshape(R, C)
        target.store([z, -z, row, column], (value + 1).reshape(1, 1, R, C))


@pytest.mark.parametrize("padding", ["zero", "nan"])
@pytest.mark.parametrize("rank", [3, 4])
def test_batches(rank, padding):
    """Leading indices out of range read what descriptors pad with, and write nothing."""
    shape = (3, 37, 64) if rank == 3 else (3, 2, 37, 64)
    source, target = random_tensor(shape, torch.float32, 1), poisoned(shape, torch.float32)
    block = [1] * (rank - 2) + [16, 32]
    first = -2
    move_matrices[(7, 4, 2)](
        TensorDescriptor.from_tensor(source, block, padding), TensorDescriptor.from_tensor(target, block),
        R=16, C=32, FIRST=first, RANK=rank,
    )  # fmt: skip
    expected = poisoned(shape, torch.float32)
    # The second index, which counts downwards, is in range together with the first one only for 0.
    chosen = slice(None) if rank == 3 else (0, 0)
    expected[chosen] = source[chosen] + 1
    torch.testing.assert_close(target, expected, rtol=0, atol=0, equal_nan=True)


@triton.jit
def sum_of_matrices(source, out, BATCHES: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    """Adds up blocks of all matrices, and of one before and after them."""
    total = tl.zeros((R, C), tl.float32)
    for z in range(-1, BATCHES + 1):
        total += source.load([z, 8, 0]).reshape(R, C)
    tl.store(out + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :], total)


@pytest.mark.parametrize("padding", ["zero", "nan"])
def test_padding_of_batches(padding):
    source, out = random_tensor((3, 20, 32), torch.float32, 1), poisoned((16, 32), torch.float32)
    sum_of_matrices[(1,)](TensorDescriptor.from_tensor(source, [1, 16, 32], padding), out, BATCHES=3, R=16, C=32)
    expected = torch.zeros(16, 32)
    for matrix in source:
        expected[:12] += matrix[8:]
    if padding == "nan":
        expected += float("nan")
    torch.testing.assert_close(out, expected, rtol=0, atol=0, equal_nan=True)


@needs_ocloc
def test_native_code():
    signature = {"x": "*fp32", "out": "*fp32", "M": "i32", "N": "i32", "pitch": "i64", "row": "i32", "column": "i32"}
    source = ASTSource(reduce_block, signature, {"R": 16, "C": 32, "KIND": "add"})
    kernel = triton.compile(source, target=GPUTarget("xpu", "pvc", LANES), options={"generate_native_code": True})
    assert "atomic_fadd.ugm.d32" in kernel.asm["isa"]
