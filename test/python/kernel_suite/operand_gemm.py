# SPDX-License-Identifier: MIT
"""Products of matrices in every type and order of memory, with something done to an operand or to the result."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import triton
import triton.language as tl
from numerics import TOLERANCES

from kernel_suite.case import Result, Session, kernel_case


@triton.jit
def widen(x, TO: tl.constexpr):
    if TO == "fp16":
        x = x.to(tl.float16)
    if TO == "bf16":
        x = x.to(tl.bfloat16)
    return x


@triton.jit
def operand_gemm_kernel(
    a, b, c, extra, M, N, K, A_TO: tl.constexpr, B_TO: tl.constexpr, TA: tl.constexpr, TB: tl.constexpr,
    PROLOGUE: tl.constexpr, EPILOGUE: tl.constexpr, ACC: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Operands are widened to A_TO and B_TO; TA and TB state that they lie in memory by columns."""
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    if TA:
        left = tl.make_tensor_descriptor(a, [K, M], [M, 1], [BK, BM])
    else:
        left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    if TB:
        right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    else:
        right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    total = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        x = left.load([k, m]).T if TA else left.load([m, k])
        y = right.load([n, k]).T if TB else right.load([k, n])
        x, y = widen(x, A_TO), widen(y, B_TO)
        if PROLOGUE == "exp":
            x = tl.exp(x.to(tl.float32)).to(x.dtype)
        total = tl.dot(x, y, total, out_dtype=ACC)
    if EPILOGUE == "matrix":
        total += tl.make_tensor_descriptor(extra, [M, N], [N, 1], [BM, BN]).load([m, n])
    if EPILOGUE == "row":
        columns = n + tl.arange(0, BN)
        total += tl.load(extra + columns, mask=columns < N, other=0.0)[None, :]
    if EPILOGUE == "gelu":
        total = 0.5 * total * (1 + tl.erf(total * 0.7071067811865476))
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    out.store([m, n], total.to(c.dtype.element_ty))


@dataclass(frozen=True)
class OperandGemm:
    """A problem of that kernel; sizes are M, N, K."""

    shape: tuple[int, int, int]
    tile: tuple[int, int, int]
    dtype: torch.dtype
    transposed: tuple[bool, bool] = (False, False)
    prologue: str = ""
    epilogue: str = ""

    def run(self, session: Session, **options: object) -> list[Result]:
        """Launch it, with the options of a launch."""
        m, n, k = self.shape
        is_integer = not self.dtype.is_floating_point
        if is_integer:
            a, b = (session.randint(-128, 128, shape, self.dtype) for shape in ((m, k), (k, n)))
        else:
            a, b = (session.randn(shape, self.dtype, scale=0.5) for shape in ((m, k), (k, n)))
        extra = session.randn((m, n) if self.epilogue == "matrix" else (n,))
        c = session.output((m, n), torch.int32 if is_integer else torch.float32)
        stored = [
            session.input(x.T) if is_transposed else x for x, is_transposed in zip((a, b), self.transposed, strict=True)
        ]
        grid = (triton.cdiv(m, self.tile[0]), triton.cdiv(n, self.tile[1]))
        session.launch(
            operand_gemm_kernel, grid, *stored, c, extra, m, n, k, None, None, *self.transposed, self.prologue,
            self.epilogue, tl.int32 if is_integer else tl.float32, *self.tile, **options,
        )  # fmt: skip
        left = a.double()
        if self.prologue == "exp":
            left = a.float().exp().to(self.dtype).double()
        expected = left @ b.double()
        if self.epilogue in ("matrix", "row"):
            expected += extra.double()
        if self.epilogue == "gelu":
            expected = torch.nn.functional.gelu(expected)
        return [Result(c, expected, TOLERANCES.get(self.dtype, 1e-4))]


@kernel_case(num_warps=(8,), transposed=("nn", "nt", "tn", "tt"))
def transposed_gemm(session: Session, transposed: str) -> list[Result]:
    """Both operands lie in memory by rows or by columns."""
    order = (transposed[0] == "t", transposed[1] == "t")
    return OperandGemm((96, 80, 112), (64, 64, 32), torch.bfloat16, order).run(session)


@kernel_case(num_warps=(8,), change=("exp", "matrix", "row", "gelu"))
def changed_gemm(session: Session, change: str) -> list[Result]:
    """An exponential of an operand; a matrix, a row or an activation on the result."""
    before = change if change == "exp" else ""
    after = "" if before else change
    return OperandGemm((96, 80, 112), (64, 64, 32), torch.float16, prologue=before, epilogue=after).run(session)


@triton.jit
def low_rank_kernel(
    x_ptr, w_ptr, a_ptr, b_ptr, out_ptr, M, N, K, scale,
    RANK: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """X W + scale (X A) B with a small A and B: two products share an operand, and a small chain follows the loop."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    rank = tl.arange(0, RANK)
    result = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    small = tl.zeros((BLOCK_M, RANK), tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + rows[:, None] * K + k, mask=(rows < M)[:, None] & (k < K), other=0.0)
        w = tl.load(w_ptr + k[:, None] * N + columns, mask=(k < K)[:, None] & (columns < N), other=0.0)
        a = tl.load(a_ptr + k[:, None] * RANK + rank, mask=(k < K)[:, None], other=0.0)
        result = tl.dot(x, w, result)
        small = tl.dot(x, a, small)
    b = tl.load(b_ptr + rank[:, None] * N + columns, mask=(columns < N)[None, :], other=0.0)
    result += scale * tl.dot(small.to(b.dtype), b)
    mask = (rows < M)[:, None] & (columns < N)
    tl.store(out_ptr + rows[:, None] * N + columns, result.to(out_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(8, 4), rank=(16, 32))
def low_rank(session: Session, rank: int) -> list[Result]:
    """A layer with an adapter of low rank."""
    m, n, k, scale, dtype = 90, 144, 80, 0.5, torch.bfloat16
    x, w = session.randn((m, k), dtype), session.randn((k, n), dtype)
    a, b = session.randn((k, rank), dtype, k**-0.5), session.randn((rank, n), dtype)
    out = session.output((m, n), dtype)
    grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
    session.launch(
        low_rank_kernel, grid, x, w, a, b, out, m, n, k, scale, RANK=rank, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32
    )
    small = (x.double() @ a.double()).to(dtype).double()
    return [Result(out, x.double() @ w.double() + scale * (small @ b.double()), TOLERANCES[dtype])]


@triton.jit
def normalized_gemm_kernel(
    x, w, out, M, N, K, eps, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Rows are divided by their root mean square, which is known when the product is: both take a step's operand."""
    m, n, k = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    total, squares = tl.zeros((BM, BN), tl.float32), tl.zeros((BM,), tl.float32)
    for start in range(0, K, BK):
        place = x + m[:, None] * K + (start + k)[None, :]
        rows = tl.load(place, mask=(m[:, None] < M) & (start + k < K)[None, :], other=0.0)
        place = w + (start + k)[:, None] * N + n[None, :]
        columns = tl.load(place, mask=(start + k < K)[:, None] & (n[None, :] < N), other=0.0)
        wide = rows.to(tl.float32)
        squares += tl.sum(wide * wide, 1)
        total = tl.dot(rows, columns, total)
    result = total * tl.rsqrt(squares / K + eps)[:, None]
    mask = (m[:, None] < M) & (n[None, :] < N)
    tl.store(out + m[:, None] * N + n[None, :], result.to(out.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(8, 4, 32))
def normalized_gemm(session: Session) -> list[Result]:
    """An RMS norm before a product, in one loop."""
    M, N, K, dtype = 100, 192, 160, torch.bfloat16
    x, w, out = session.randn((M, K), dtype), session.randn((K, N), dtype), session.output((M, N), dtype)
    blocks = {"BM": 64, "BN": 64, "BK": 32}
    session.launch(normalized_gemm_kernel, (triton.cdiv(M, 64), triton.cdiv(N, 64)), x, w, out, M, N, K, 1e-5, **blocks)
    wide = x.double()
    expected = wide * (wide.square().mean(1, keepdim=True) + 1e-5).rsqrt() @ w.double()
    return [Result(out, expected, TOLERANCES[dtype])]
