# SPDX-License-Identifier: MIT
"""Kernels whose block pointers cannot be 2D block messages for one reason at a time.

Comments at the end of lines (`# load A`) name the accesses; the tests look their line numbers up.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def gemm_add(
    a_ptr, b_ptr, c_ptr, d_ptr, M, N, K, N_D,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, stride_dm, stride_dn, shift,
    BLOCK: tl.constexpr, ACC: tl.constexpr, D_PADDING: tl.constexpr, A_VOLATILE: tl.constexpr,
):  # fmt: skip
    """C = A @ B + D[:, shift:]; D has N_D columns, whatever D_PADDING is beyond them."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, stride_ak), (row, 0), (BLOCK, BLOCK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (0, column), (BLOCK, BLOCK), (1, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, stride_cn), (row, column), (BLOCK, BLOCK), (1, 0))
    d = tl.make_block_ptr(d_ptr, (M, N_D), (stride_dm, stride_dn), (row, column + shift), (BLOCK, BLOCK), (1, 0))
    accumulator = tl.zeros((BLOCK, BLOCK), dtype=ACC)
    for _ in range(0, K, BLOCK):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero", volatile=A_VOLATILE)  # load A
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")  # load B
        accumulator = tl.dot(x, y, accumulator, out_dtype=ACC)
        a = tl.advance(a, (0, BLOCK))
        b = tl.advance(b, (BLOCK, 0))
    accumulator += tl.load(d, boundary_check=(0, 1), padding_option=D_PADDING).to(ACC)  # load D
    tl.store(c, accumulator, boundary_check=(0, 1))  # store C


@triton.jit
def gemm(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, BLOCK: tl.constexpr,
):  # fmt: skip
    """C = A @ B."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, 1), (row, 0), (BLOCK, BLOCK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, 1), (0, column), (BLOCK, BLOCK), (1, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, 1), (row, column), (BLOCK, BLOCK), (1, 0))
    accumulator = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for _ in range(0, K, BLOCK):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")  # load A
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")  # load B
        accumulator = tl.dot(x, y, accumulator)
        a = tl.advance(a, (0, BLOCK))
        b = tl.advance(b, (BLOCK, 0))
    tl.store(c, accumulator, boundary_check=(0, 1))  # store C


#: The kernel `gemm`, compiled without looking at A's pitch.
gemm_unknown_pitch = triton.jit(gemm.fn, do_not_specialize=["stride_am"])


@triton.jit
def copy_vector(x_ptr, y_ptr, N, start, BLOCK: tl.constexpr):
    """Y[:N - start] = X[start:] in pieces."""
    offset = tl.program_id(0) * BLOCK
    x = tl.make_block_ptr(x_ptr, (N,), (1,), (start + offset,), (BLOCK,), (0,))
    y = tl.make_block_ptr(y_ptr, (N - start,), (1,), (offset,), (BLOCK,), (0,))
    value = tl.load(x, boundary_check=(0,), padding_option="zero")  # load X
    tl.store(y, value, boundary_check=(0,))  # store Y


@triton.jit
def copy_matrix(x_ptr, y_ptr, M, N, stride_x, stride_y, BLOCK: tl.constexpr):
    """Y = X: no dot, hence no layout of DPAS."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    x = tl.make_block_ptr(x_ptr, (M, N), (stride_x, 1), (row, column), (BLOCK, BLOCK), (1, 0))
    y = tl.make_block_ptr(y_ptr, (M, N), (stride_y, 1), (row, column), (BLOCK, BLOCK), (1, 0))
    value = tl.load(x, boundary_check=(0, 1), padding_option="zero")  # load X
    tl.store(y, value, boundary_check=(0, 1))  # store Y


@triton.jit
def copy_cube(
    x_ptr, y_ptr, L, M, N, stride_xl, stride_xm, stride_xn, stride_yl, stride_ym, stride_yn, BLOCK: tl.constexpr,
):  # fmt: skip
    """Y = X with three dimensions."""
    i, j, k = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK, tl.program_id(2) * BLOCK
    x = tl.make_block_ptr(
        x_ptr, (L, M, N), (stride_xl, stride_xm, stride_xn), (i, j, k), (BLOCK, BLOCK, BLOCK), (2, 1, 0)
    )
    y = tl.make_block_ptr(
        y_ptr, (L, M, N), (stride_yl, stride_ym, stride_yn), (i, j, k), (BLOCK, BLOCK, BLOCK), (2, 1, 0)
    )
    value = tl.load(x, boundary_check=(0, 1, 2), padding_option="zero")  # load X
    tl.store(y, value, boundary_check=(0, 1, 2))  # store Y


@triton.jit
def gemm_chosen(
    a0_ptr, a1_ptr, b_ptr, c_ptr, M, N, K, stride_a0, stride_a1, stride_bk, stride_cm, second, BLOCK: tl.constexpr,
):  # fmt: skip
    """C = (A1 if second else A0) @ B: a branch chooses the block pointer."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, 1), (0, column), (BLOCK, BLOCK), (1, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, 1), (row, column), (BLOCK, BLOCK), (1, 0))
    a = tl.make_block_ptr(a0_ptr, (M, K), (stride_a0, 1), (row, 0), (BLOCK, BLOCK), (1, 0))
    if second > 0:
        a = tl.make_block_ptr(a1_ptr, (M, K), (stride_a1, 1), (row, 0), (BLOCK, BLOCK), (1, 0))
    accumulator = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for _ in range(0, K, BLOCK):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")  # load A
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")  # load B
        accumulator = tl.dot(x, y, accumulator)
        a = tl.advance(a, (0, BLOCK))
        b = tl.advance(b, (BLOCK, 0))
    tl.store(c, accumulator, boundary_check=(0, 1))  # store C


@triton.jit
def gemm_while(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, BLOCK: tl.constexpr,
):  # fmt: skip
    """C = A @ B in a `while` loop."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, 1), (row, 0), (BLOCK, BLOCK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, 1), (0, column), (BLOCK, BLOCK), (1, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, 1), (row, column), (BLOCK, BLOCK), (1, 0))
    accumulator = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    left = K
    while left > 0:
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")  # load A
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")  # load B
        accumulator = tl.dot(x, y, accumulator)
        a = tl.advance(a, (0, BLOCK))
        b = tl.advance(b, (BLOCK, 0))
        left -= BLOCK
    tl.store(c, accumulator, boundary_check=(0, 1))  # store C


@triton.jit
def gemm_nested(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, BLOCK: tl.constexpr, INNER: tl.constexpr = 2,
):  # fmt: skip
    """C = A @ B, the steps along K in two nested loops that carry the same block pointers."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, 1), (row, 0), (BLOCK, BLOCK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, 1), (0, column), (BLOCK, BLOCK), (1, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, 1), (row, column), (BLOCK, BLOCK), (1, 0))
    accumulator = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for _ in range(0, K, BLOCK * INNER):
        for _ in range(INNER):
            x = tl.load(a, boundary_check=(0, 1), padding_option="zero")  # load A
            y = tl.load(b, boundary_check=(0, 1), padding_option="zero")  # load B
            accumulator = tl.dot(x, y, accumulator)
            a = tl.advance(a, (0, BLOCK))
            b = tl.advance(b, (BLOCK, 0))
    tl.store(c, accumulator, boundary_check=(0, 1))  # store C


@triton.jit
def gemm_stepped(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, step, BLOCK: tl.constexpr,
):  # fmt: skip
    """C = sum of A[:, i:i + BLOCK] @ B[i:i + BLOCK] over multiples i of `step`, which is known at run time only."""
    # Without this, A might be read to the left of its rows.
    tl.assume(step >= 0)
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, 1), (row, 0), (BLOCK, BLOCK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, 1), (0, column), (BLOCK, BLOCK), (1, 0))
    c = tl.make_block_ptr(c_ptr, (M, N), (stride_cm, 1), (row, column), (BLOCK, BLOCK), (1, 0))
    accumulator = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for _ in range(0, K, step):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")  # load A
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")  # load B
        accumulator = tl.dot(x, y, accumulator)
        a = tl.advance(a, (0, step))
        b = tl.advance(b, (step, 0))
    tl.store(c, accumulator, boundary_check=(0, 1))  # store C
