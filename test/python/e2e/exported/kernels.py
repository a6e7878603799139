# SPDX-License-Identifier: MIT
"""Kernels that test_exported_programs.py exports."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, stride, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    total = tl.load(x + index * stride, mask=mask) + tl.load(y + index * stride, mask=mask)
    tl.store(out + index * stride, total, mask=mask)


@triton.jit
def gemm(
    a, b, c, M, N, K, stride_a, stride_b, stride_c,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    inner = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for k in range(0, K, BLOCK_K):
        mask_a = (rows < M) & (k + inner[None, :] < K)
        mask_b = (k + inner[:, None] < K) & (columns < N)
        block_a = tl.load(a + rows * stride_a + k + inner[None, :], mask=mask_a, other=0.0)
        block_b = tl.load(b + (k + inner[:, None]) * stride_b + columns, mask=mask_b, other=0.0)
        total = tl.dot(block_a, block_b, total)
    tl.store(c + rows * stride_c + columns, total, mask=(rows < M) & (columns < N))


@triton.jit
def scalars(integers, floats, b, i8, i16, i32, i64, u8, u16, u32, u64, fp16, bf16, fp32, fp64):
    tl.store(integers + 0, b.to(tl.int64))
    tl.store(integers + 1, i8.to(tl.int64))
    tl.store(integers + 2, i16.to(tl.int64))
    tl.store(integers + 3, i32.to(tl.int64))
    tl.store(integers + 4, i64)
    tl.store(integers + 5, u8.to(tl.int64))
    tl.store(integers + 6, u16.to(tl.int64))
    tl.store(integers + 7, u32.to(tl.int64))
    tl.store(integers + 8, u64.to(tl.int64))
    tl.store(floats + 0, fp16.to(tl.float64))
    tl.store(floats + 1, bf16.to(tl.float64))
    tl.store(floats + 2, fp32.to(tl.float64))
    tl.store(floats + 3, fp64)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    """A row per program, over several sub-groups."""
    row, index = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + index, mask=index < columns, other=-float("inf"))
    value = tl.exp(value - tl.max(value, 0))
    tl.store(out + row * columns + index, value / tl.sum(value, 0), mask=index < columns)


@triton.jit
def descriptors(x1, x2, x3, out, SIZE: tl.constexpr):
    """Blocks of descriptors that reach beyond the end, side by side: what they are padded with is stored, too."""
    index = tl.arange(0, SIZE)
    tl.store(out + index, x1.load([0]))
    place = out + tl.arange(0, 4)[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
    tl.store(place + SIZE, x2.load([0, 0]))
    tl.store(place + 5 * SIZE, x3.load([1, 0, 0]).reshape(4, SIZE))


@triton.jit
def checked(x, n, stride, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.device_assert(n <= BLOCK, "too many elements")
    tl.store(x + index * stride, index, mask=index < n)


@triton.jit
def reverse(x, out, n, BLOCK: tl.constexpr):
    """Right for memory that overlaps only if sub-groups wait for each other."""
    index = tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + n - 1 - index, mask=index < n), mask=index < n)


#: A kernel whose configurations have different grids.
tuned_add = triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256})], key=[])(add)
