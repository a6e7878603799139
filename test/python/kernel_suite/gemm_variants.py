# SPDX-License-Identifier: MIT
"""One GEMM kernel with every variant that the numeric tests combine, selected by constexprs."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def _epilogue(accumulator, d, bias, EPILOGUE: tl.constexpr):
    """Apply the epilogue to the accumulator; `d` is a tile of a matrix and `bias` a row, where the epilogue has one."""
    if EPILOGUE == "add":
        accumulator = accumulator + d.to(accumulator.dtype)
    elif EPILOGUE == "gelu":
        # The tanh form of GELU, by exp2.
        x = accumulator
        inner = 0.7978845608 * (x + 0.044715 * x * x * x)
        t = 1.0 - 2.0 / (tl.exp2(2.8853900818 * inner) + 1.0)
        accumulator = 0.5 * x * (1.0 + t)
    elif EPILOGUE == "scale_bias":
        accumulator = accumulator * 2 + bias[None, :].to(accumulator.dtype)
    return accumulator


@triton.jit
def gemm_block_pointers(
    a_ptr, b_ptr, c_ptr, d_ptr, bias_ptr, M, N, K,
    stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn,
    stride_cb, stride_cm, stride_cn, stride_db, stride_dm, stride_dn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    ACC: tl.constexpr, EPILOGUE: tl.constexpr,
):  # fmt: skip
    """C[i] = epilogue(A[i] @ B[i]) with block pointers; ``load_add_store`` also writes D += C."""
    row, column, batch = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N, tl.program_id(2)
    a = tl.make_block_ptr(
        a_ptr + batch * stride_ab, (M, K), (stride_am, stride_ak), (row, 0), (BLOCK_M, BLOCK_K), (1, 0)
    )
    b = tl.make_block_ptr(
        b_ptr + batch * stride_bb, (K, N), (stride_bk, stride_bn), (0, column), (BLOCK_K, BLOCK_N), (1, 0)
    )
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for _ in range(0, K, BLOCK_K):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        accumulator = tl.dot(x, y, accumulator, out_dtype=ACC)
        a = tl.advance(a, (0, BLOCK_K))
        b = tl.advance(b, (BLOCK_K, 0))
    d = tl.make_block_ptr(
        d_ptr + batch * stride_db, (M, N), (stride_dm, stride_dn), (row, column), (BLOCK_M, BLOCK_N), (1, 0)
    )
    c = tl.make_block_ptr(
        c_ptr + batch * stride_cb, (M, N), (stride_cm, stride_cn), (row, column), (BLOCK_M, BLOCK_N), (1, 0)
    )
    tile = accumulator
    bias = tl.zeros((BLOCK_N,), dtype=ACC)
    if EPILOGUE == "add" or EPILOGUE == "load_add_store":
        tile = tl.load(d, boundary_check=(0, 1), padding_option="zero")
    if EPILOGUE == "scale_bias":
        columns = column + tl.arange(0, BLOCK_N)
        bias = tl.load(bias_ptr + columns, mask=columns < N, other=0)
    result = _epilogue(accumulator, tile, bias, EPILOGUE)
    tl.store(c, result.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))
    if EPILOGUE == "load_add_store":
        tl.store(d, (tile + result.to(tile.dtype)).to(d_ptr.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def gemm_pointers(
    a_ptr, b_ptr, c_ptr, d_ptr, bias_ptr, M, N, K,
    stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn,
    stride_cb, stride_cm, stride_cn, stride_db, stride_dm, stride_dn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
    ACC: tl.constexpr, EPILOGUE: tl.constexpr,
):  # fmt: skip
    """Compute the same products with tensors of pointers and masks."""
    batch = tl.program_id(2)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    a = a_ptr + batch * stride_ab + rows[:, None] * stride_am + depth[None, :] * stride_ak
    b = b_ptr + batch * stride_bb + depth[:, None] * stride_bk + columns[None, :] * stride_bn
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for k in range(0, K, BLOCK_K):
        x = tl.load(a, mask=(rows[:, None] < M) & (depth[None, :] < K - k), other=0)
        y = tl.load(b, mask=(depth[:, None] < K - k) & (columns[None, :] < N), other=0)
        accumulator = tl.dot(x, y, accumulator, out_dtype=ACC)
        a += BLOCK_K * stride_ak
        b += BLOCK_K * stride_bk
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    d = d_ptr + batch * stride_db + rows[:, None] * stride_dm + columns[None, :] * stride_dn
    c = c_ptr + batch * stride_cb + rows[:, None] * stride_cm + columns[None, :] * stride_cn
    tile = accumulator
    bias = tl.zeros((BLOCK_N,), dtype=ACC)
    if EPILOGUE == "add" or EPILOGUE == "load_add_store":
        tile = tl.load(d, mask=mask, other=0)
    if EPILOGUE == "scale_bias":
        bias = tl.load(bias_ptr + columns, mask=columns < N, other=0)
    result = _epilogue(accumulator, tile, bias, EPILOGUE)
    tl.store(c, result.to(c_ptr.dtype.element_ty), mask=mask)
    if EPILOGUE == "load_add_store":
        tl.store(d, (tile + result.to(tile.dtype)).to(d_ptr.dtype.element_ty), mask=mask)


def reference_epilogue(product, d, bias, name: str):
    """Return the epilogues in the precision of `product`."""
    if name == "add":
        return product + d.to(product.dtype)
    if name == "gelu":
        inner = 0.7978845608 * (product + 0.044715 * product**3)
        return 0.5 * product * (1.0 + inner.tanh())
    if name == "scale_bias":
        return product * 2 + bias.to(product.dtype)
    return product
