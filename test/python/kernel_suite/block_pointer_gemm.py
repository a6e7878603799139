# SPDX-License-Identifier: MIT
"""The GEMM kernels of the benchmarks and of `make gemm`, written with block pointers.

Each kernel computes ``C = epilogue(A @ B)`` for row-major or column-major
operands given by their strides, in tiles of BLOCK_M x BLOCK_N x BLOCK_K.
Accumulation is in float32, or int32 for int8 operands.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def _tile_of_program(M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    """Row and column of this program's tile; GROUP_M rows of tiles share columns of B in the cache."""
    program = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    per_group = GROUP_M * tiles_n
    group = program // per_group
    first = group * GROUP_M
    rows = min(tiles_m - first, GROUP_M)
    row = first + (program % per_group) % rows
    column = (program % per_group) // rows
    return row, column


@triton.jit
def _accumulate(
    a_ptr, b_ptr, M, N, K,
    stride_am, stride_ak, stride_bk, stride_bn,
    row, column,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    ACC: tl.constexpr,
):  # fmt: skip
    """The tile of A @ B at (row, column), with out-of-range elements as zero."""
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, stride_ak), (row * BLOCK_M, 0), (BLOCK_M, BLOCK_K), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (0, column * BLOCK_N), (BLOCK_K, BLOCK_N), (1, 0))
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for _ in range(0, K, BLOCK_K):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        accumulator = tl.dot(x, y, accumulator, out_dtype=ACC)
        a = tl.advance(a, (0, BLOCK_K))
        b = tl.advance(b, (BLOCK_K, 0))
    return accumulator


@triton.jit
def gemm(
    a_ptr, b_ptr, c_ptr, M, N, K,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """C = A @ B."""
    row, column = _tile_of_program(M, N, BLOCK_M, BLOCK_N, GROUP_M)
    accumulator = _accumulate(
        a_ptr, b_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, row, column,
        BLOCK_M, BLOCK_N, BLOCK_K, ACC,
    )  # fmt: skip
    c = tl.make_block_ptr(
        c_ptr, (M, N), (stride_cm, stride_cn), (row * BLOCK_M, column * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0)
    )
    tl.store(c, accumulator.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def gemm_batched(
    a_ptr, b_ptr, c_ptr, B, M, N, K,
    stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn, stride_cb, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """C[i] = A[i] @ B[i]; the batch is the grid's second axis."""
    batch = tl.program_id(1).to(tl.int64)
    row, column = _tile_of_program(M, N, BLOCK_M, BLOCK_N, GROUP_M)
    accumulator = _accumulate(
        a_ptr + batch * stride_ab, b_ptr + batch * stride_bb, M, N, K,
        stride_am, stride_ak, stride_bk, stride_bn, row, column,
        BLOCK_M, BLOCK_N, BLOCK_K, ACC,
    )  # fmt: skip
    c = tl.make_block_ptr(
        c_ptr + batch * stride_cb, (M, N), (stride_cm, stride_cn),
        (row * BLOCK_M, column * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0),
    )  # fmt: skip
    tl.store(c, accumulator.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def gemm_addmatrix(
    a_ptr, b_ptr, c_ptr, d_ptr, M, N, K,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, stride_dm, stride_dn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """C = A @ B + D."""
    row, column = _tile_of_program(M, N, BLOCK_M, BLOCK_N, GROUP_M)
    accumulator = _accumulate(
        a_ptr, b_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, row, column,
        BLOCK_M, BLOCK_N, BLOCK_K, ACC,
    )  # fmt: skip
    d = tl.make_block_ptr(
        d_ptr, (M, N), (stride_dm, stride_dn), (row * BLOCK_M, column * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0)
    )
    accumulator += tl.load(d, boundary_check=(0, 1), padding_option="zero").to(ACC)
    c = tl.make_block_ptr(
        c_ptr, (M, N), (stride_cm, stride_cn), (row * BLOCK_M, column * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0)
    )
    tl.store(c, accumulator.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def gemm_addmatrix_batched(
    a_ptr, b_ptr, c_ptr, d_ptr, B, M, N, K,
    stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn,
    stride_cb, stride_cm, stride_cn, stride_db, stride_dm, stride_dn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    """C[i] = A[i] @ B[i] + D[i]; the batch is the grid's second axis."""
    batch = tl.program_id(1).to(tl.int64)
    row, column = _tile_of_program(M, N, BLOCK_M, BLOCK_N, GROUP_M)
    accumulator = _accumulate(
        a_ptr + batch * stride_ab, b_ptr + batch * stride_bb, M, N, K,
        stride_am, stride_ak, stride_bk, stride_bn, row, column,
        BLOCK_M, BLOCK_N, BLOCK_K, ACC,
    )  # fmt: skip
    d = tl.make_block_ptr(
        d_ptr + batch * stride_db, (M, N), (stride_dm, stride_dn),
        (row * BLOCK_M, column * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0),
    )  # fmt: skip
    accumulator += tl.load(d, boundary_check=(0, 1), padding_option="zero").to(ACC)
    c = tl.make_block_ptr(
        c_ptr + batch * stride_cb, (M, N), (stride_cm, stride_cn),
        (row * BLOCK_M, column * BLOCK_N), (BLOCK_M, BLOCK_N), (1, 0),
    )  # fmt: skip
    tl.store(c, accumulator.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


def reference_grid(M: int, N: int, batch: int | None, BLOCK_M: int, BLOCK_N: int) -> tuple[int, ...]:
    """Return the grid of the kernels above: tiles, and the batch where there is one."""
    tiles = triton.cdiv(M, BLOCK_M) * triton.cdiv(N, BLOCK_N)
    return (tiles,) if batch is None else (tiles, batch)
