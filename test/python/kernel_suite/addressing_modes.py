# SPDX-License-Identifier: MIT
"""Kernels for the same products and attention by every addressing mode that Triton has.

An addressing mode defines where a tile lies: block pointers, descriptors made in the kernel or on the host, plain
pointers with exact masks, plain pointers as in Triton's tutorial (rows wrap around, K is masked), plain pointers
without masks. The kernels of a family differ in nothing else; `benchmarks/addressing_modes.py` compares their code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import triton
import triton.language as tl
from triton.runtime.jit import JITFunction
from triton.tools.tensor_descriptor import TensorDescriptor

from kernel_suite.case import TOLERANCE, Result, Session

# ===-----------------------------------------------------------------------===#
# C[z] = A[z] @ B[z] (+ D[z])
# ===-----------------------------------------------------------------------===#


@triton.jit
def _matrices(a, b, c, d, saz, sbz, scz, BATCHED: tl.constexpr):
    """Return the matrices of this program's product."""
    if BATCHED:
        z = tl.program_id(2).to(tl.int64)
        a += z * saz
        b += z * sbz
        c += z * scz
        d += z * scz
    return a, b, c, d


@triton.jit
def gemm_block_pointers(
    a, b, c, d, M, N, K, saz, sam, sak, sbz, sbk, sbn, scz, scm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
    ADD: tl.constexpr, BATCHED: tl.constexpr,
):  # fmt: skip
    a, b, c, d = _matrices(a, b, c, d, saz, sbz, scz, BATCHED)
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    ap = tl.make_block_ptr(a, (M, K), (sam, sak), (m, 0), (BM, BK), (1, 0))
    bp = tl.make_block_ptr(b, (K, N), (sbk, sbn), (0, n), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), ACC)
    for _ in range(0, K, BK):
        x = tl.load(ap, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(bp, boundary_check=(0, 1), padding_option="zero")
        acc = tl.dot(x, y, acc, out_dtype=ACC)
        ap = tl.advance(ap, (0, BK))
        bp = tl.advance(bp, (BK, 0))
    if ADD:
        dp = tl.make_block_ptr(d, (M, N), (scm, 1), (m, n), (BM, BN), (1, 0))
        acc += tl.load(dp, boundary_check=(0, 1), padding_option="zero")
    cp = tl.make_block_ptr(c, (M, N), (scm, 1), (m, n), (BM, BN), (1, 0))
    tl.store(cp, acc, boundary_check=(0, 1))


@triton.jit
def gemm_descriptors(
    a, b, c, d, M, N, K, saz, sam, sak, sbz, sbk, sbn, scz, scm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
    ADD: tl.constexpr, BATCHED: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    a, b, c, d = _matrices(a, b, c, d, saz, sbz, scz, BATCHED)
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    if COLUMNS == "a":
        ad = tl.make_tensor_descriptor(a, [K, M], [sak, 1], [BK, BM])
    else:
        ad = tl.make_tensor_descriptor(a, [M, K], [sam, 1], [BM, BK])
    if COLUMNS == "b":
        bd = tl.make_tensor_descriptor(b, [N, K], [sbn, 1], [BN, BK])
    else:
        bd = tl.make_tensor_descriptor(b, [K, N], [sbk, 1], [BK, BN])
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        x = ad.load([k, m]).T if COLUMNS == "a" else ad.load([m, k])
        y = bd.load([n, k]).T if COLUMNS == "b" else bd.load([k, n])
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    if ADD:
        acc += tl.make_tensor_descriptor(d, [M, N], [scm, 1], [BM, BN]).load([m, n])
    tl.make_tensor_descriptor(c, [M, N], [scm, 1], [BM, BN]).store([m, n], acc)


@triton.jit
def gemm_host_descriptors(
    a, b, c, d, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
    ADD: tl.constexpr, BATCHED: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """A batch is the first dimension of the descriptors; their blocks have one element of it. Rows of K only, there."""
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        if BATCHED:
            x = a.load([tl.program_id(2), m, k]).reshape(BM, BK)
            y = b.load([tl.program_id(2), k, n]).reshape(BK, BN)
        else:
            x = a.load([k, m]).T if COLUMNS == "a" else a.load([m, k])
            y = b.load([n, k]).T if COLUMNS == "b" else b.load([k, n])
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    if BATCHED:
        if ADD:
            acc += d.load([tl.program_id(2), m, n]).reshape(BM, BN)
        c.store([tl.program_id(2), m, n], acc.reshape(1, BM, BN))
    else:
        if ADD:
            acc += d.load([m, n])
        c.store([m, n], acc)


@triton.jit
def gemm_exact_masks(
    a, b, c, d, M, N, K, saz, sam, sak, sbz, sbk, sbn, scz, scm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
    ADD: tl.constexpr, BATCHED: tl.constexpr,
):  # fmt: skip
    a, b, c, d = _matrices(a, b, c, d, saz, sbz, scz, BATCHED)
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), ACC)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + rm[:, None] * sam + rk[None, :] * sak, mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        y = tl.load(b + rk[:, None] * sbk + rn[None, :] * sbn, mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
    place = rm[:, None] * scm + rn[None, :]
    mask = (rm[:, None] < M) & (rn[None, :] < N)
    if ADD:
        acc += tl.load(d + place, mask=mask, other=0.0)
    tl.store(c + place, acc, mask=mask)


@triton.jit
def gemm_tutorial(
    a, b, c, d, M, N, K, saz, sam, sak, sbz, sbk, sbn, scz, scm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
    ADD: tl.constexpr, BATCHED: tl.constexpr,
):  # fmt: skip
    a, b, c, d = _matrices(a, b, c, d, saz, sbz, scz, BATCHED)
    rm, rn = (tl.program_id(0) * BM + tl.arange(0, BM)) % M, (tl.program_id(1) * BN + tl.arange(0, BN)) % N
    rk = tl.arange(0, BK)
    ap, bp = a + (rm[:, None] * sam + rk[None, :] * sak), b + (rk[:, None] * sbk + rn[None, :] * sbn)
    acc = tl.zeros((BM, BN), ACC)
    for k in range(tl.cdiv(K, BK)):
        x = tl.load(ap, mask=rk[None, :] < K - k * BK, other=0.0)
        y = tl.load(bp, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(x, y, acc, out_dtype=ACC)
        ap += BK * sak
        bp += BK * sbk
    cm, cn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    place = cm[:, None] * scm + cn[None, :]
    mask = (cm[:, None] < M) & (cn[None, :] < N)
    if ADD:
        acc += tl.load(d + place, mask=mask, other=0.0)
    tl.store(c + place, acc, mask=mask)


@triton.jit
def gemm_no_masks(
    a, b, c, d, M, N, K, saz, sam, sak, sbz, sbk, sbn, scz, scm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
    ADD: tl.constexpr, BATCHED: tl.constexpr,
):  # fmt: skip
    """This kernel takes whole tiles only."""
    a, b, c, d = _matrices(a, b, c, d, saz, sbz, scz, BATCHED)
    rm, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    ap, bp = a + (rm[:, None] * sam + rk[None, :] * sak), b + (rk[:, None] * sbk + rn[None, :] * sbn)
    acc = tl.zeros((BM, BN), ACC)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(ap), tl.load(bp), acc, out_dtype=ACC)
        ap += BK * sak
        bp += BK * sbk
    place = rm[:, None] * scm + rn[None, :]
    if ADD:
        acc += tl.load(d + place)
    tl.store(c + place, acc)


# ===-----------------------------------------------------------------------===#
# O[z] = softmax(Q[z] K[z]^T / sqrt(D)) V[z]
# ===-----------------------------------------------------------------------===#


@triton.jit
def _attend(acc, highest, total, scores, v):
    """One step of the softmax that runs along the keys: what it adds to the result, in units of the highest score."""
    new = tl.maximum(highest, tl.max(scores, 1))
    p = tl.exp2(scores - new[:, None])
    scale = tl.exp2(highest - new)
    return tl.dot(p.to(v.dtype), v, acc * scale[:, None]), new, total * scale + tl.sum(p, 1)


@triton.jit
def attention_block_pointers(
    q, k, v, o, N, sz, sn, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    z, m = tl.program_id(1).to(tl.int64) * sz, tl.program_id(0) * BM
    qp = tl.make_block_ptr(q + z, (N, D), (sn, 1), (m, 0), (BM, D), (1, 0))
    kp = tl.make_block_ptr(k + z, (D, N), (1, sn), (0, 0), (D, BN), (0, 1))
    vp = tl.make_block_ptr(v + z, (N, D), (sn, 1), (0, 0), (BN, D), (1, 0))
    op = tl.make_block_ptr(o + z, (N, D), (sn, 1), (m, 0), (BM, D), (1, 0))
    x = tl.load(qp, boundary_check=(0,), padding_option="zero")
    acc, total = tl.zeros((BM, D), tl.float32), tl.zeros((BM,), tl.float32)
    highest = tl.full((BM,), float("-inf"), tl.float32)
    for n in range(0, N, BN):
        scores = tl.dot(x, tl.load(kp, boundary_check=(1,), padding_option="zero")) * scale
        scores = tl.where((n + tl.arange(0, BN))[None, :] < N, scores, float("-inf"))
        y = tl.load(vp, boundary_check=(0,), padding_option="zero")
        acc, highest, total = _attend(acc, highest, total, scores, y)
        kp = tl.advance(kp, (0, BN))
        vp = tl.advance(vp, (BN, 0))
    tl.store(op, acc / total[:, None], boundary_check=(0,))


@triton.jit
def attention_descriptors(
    q, k, v, o, N, sz, sn, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    z, m = tl.program_id(1).to(tl.int64) * sz, tl.program_id(0) * BM
    kd = tl.make_tensor_descriptor(k + z, [N, D], [sn, 1], [BN, D])
    vd = tl.make_tensor_descriptor(v + z, [N, D], [sn, 1], [BN, D])
    x = tl.make_tensor_descriptor(q + z, [N, D], [sn, 1], [BM, D]).load([m, 0])
    acc, total = tl.zeros((BM, D), tl.float32), tl.zeros((BM,), tl.float32)
    highest = tl.full((BM,), float("-inf"), tl.float32)
    for n in range(0, N, BN):
        scores = tl.dot(x, kd.load([n, 0]).T) * scale
        scores = tl.where((n + tl.arange(0, BN))[None, :] < N, scores, float("-inf"))
        acc, highest, total = _attend(acc, highest, total, scores, vd.load([n, 0]))
    tl.make_tensor_descriptor(o + z, [N, D], [sn, 1], [BM, D]).store([m, 0], acc / total[:, None])


@triton.jit
def attention_host_descriptors(q, k, v, o, N, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """Sequences follow each other in descriptors of rank 2, as in Triton's tutorial: whole tiles only."""
    m, first = tl.program_id(0) * BM, tl.program_id(1) * N
    x = q.load([first + m, 0])
    acc, total = tl.zeros((BM, D), tl.float32), tl.zeros((BM,), tl.float32)
    highest = tl.full((BM,), float("-inf"), tl.float32)
    for n in range(0, N, BN):
        scores = tl.dot(x, k.load([first + n, 0]).T) * scale
        acc, highest, total = _attend(acc, highest, total, scores, v.load([first + n, 0]))
    o.store([first + m, 0], acc / total[:, None])


@triton.jit
def attention_exact_masks(
    q, k, v, o, N, sz, sn, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    z = tl.program_id(1).to(tl.int64) * sz
    rm, rd = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    x = tl.load(q + z + rm[:, None] * sn + rd[None, :], mask=rm[:, None] < N, other=0.0)
    acc, total = tl.zeros((BM, D), tl.float32), tl.zeros((BM,), tl.float32)
    highest = tl.full((BM,), float("-inf"), tl.float32)
    for n in range(0, N, BN):
        rn = n + tl.arange(0, BN)
        kt = tl.load(k + z + rn[None, :] * sn + rd[:, None], mask=rn[None, :] < N, other=0.0)
        scores = tl.where(rn[None, :] < N, tl.dot(x, kt) * scale, float("-inf"))
        y = tl.load(v + z + rn[:, None] * sn + rd[None, :], mask=rn[:, None] < N, other=0.0)
        acc, highest, total = _attend(acc, highest, total, scores, y)
    tl.store(o + z + rm[:, None] * sn + rd[None, :], acc / total[:, None], mask=rm[:, None] < N)


@triton.jit
def attention_tutorial(
    q, k, v, o, N, sz, sn, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    """Rows of Q wrap around; pointers to K and V advance."""
    z = tl.program_id(1).to(tl.int64) * sz
    rm, rn, rd = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    x = tl.load(q + z + (rm % N)[:, None] * sn + rd[None, :])
    kp, vp = k + z + (rn[None, :] * sn + rd[:, None]), v + z + (rn[:, None] * sn + rd[None, :])
    acc, total = tl.zeros((BM, D), tl.float32), tl.zeros((BM,), tl.float32)
    highest = tl.full((BM,), float("-inf"), tl.float32)
    for n in range(0, N, BN):
        scores = tl.dot(x, tl.load(kp, mask=rn[None, :] < N - n, other=0.0)) * scale
        scores = tl.where(rn[None, :] < N - n, scores, float("-inf"))
        acc, highest, total = _attend(acc, highest, total, scores, tl.load(vp, mask=rn[:, None] < N - n, other=0.0))
        kp += BN * sn
        vp += BN * sn
    tl.store(o + z + rm[:, None] * sn + rd[None, :], acc / total[:, None], mask=rm[:, None] < N)


@triton.jit
def attention_no_masks(
    q, k, v, o, N, sz, sn, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    """This kernel takes whole tiles only."""
    z = tl.program_id(1).to(tl.int64) * sz
    rm, rn, rd = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    x = tl.load(q + z + rm[:, None] * sn + rd[None, :])
    kp, vp = k + z + (rn[None, :] * sn + rd[:, None]), v + z + (rn[:, None] * sn + rd[None, :])
    acc, total = tl.zeros((BM, D), tl.float32), tl.zeros((BM,), tl.float32)
    highest = tl.full((BM,), float("-inf"), tl.float32)
    for _ in range(0, N, BN):
        acc, highest, total = _attend(acc, highest, total, tl.dot(x, tl.load(kp)) * scale, tl.load(vp))
        kp += BN * sn
        vp += BN * sn
    tl.store(o + z + rm[:, None] * sn + rd[None, :], acc / total[:, None])


#: For each addressing mode the kernel for products and that for attention.
ADDRESSING_MODES: dict[str, tuple[JITFunction, JITFunction]] = {
    "block_pointers": (gemm_block_pointers, attention_block_pointers),
    "descriptors": (gemm_descriptors, attention_descriptors),
    "host_descriptors": (gemm_host_descriptors, attention_host_descriptors),
    "exact_masks": (gemm_exact_masks, attention_exact_masks),
    "tutorial": (gemm_tutorial, attention_tutorial),
    "no_masks": (gemm_no_masks, attention_no_masks),
}


@dataclass(frozen=True)
class Gemm:
    """Sizes, tiles and form of a product."""

    shape: tuple[int, int, int]
    tile: tuple[int, int, int]
    dtype: torch.dtype = torch.bfloat16
    batch: int = 0
    add: bool = False
    #: The operand whose columns lie in memory: "a", "b" or none.
    columns: str = ""
    #: Elements between the rows (or columns) of an operand in memory.
    gap: int = 0

    def run(self, session: Session, mode: str) -> list[Result]:
        """Launch; the result has one entry."""
        m, n, k = self.shape
        bm, bn, bk = self.tile
        integers = self.dtype == torch.int8
        result = torch.int32 if integers else torch.float32

        def matrix(rows: int, columns: int, dtype: torch.dtype, transposed: bool, empty: bool = False) -> torch.Tensor:
            rows, columns = (columns, rows) if transposed else (rows, columns)
            shape = (max(self.batch, 1), rows, columns + self.gap)
            if empty:
                memory = session.output(shape, dtype)
            elif integers:
                memory = session.randint(-8, 8, shape, dtype)
            else:
                memory = session.randn(shape, dtype)
            tile = memory[:, :, :columns] if self.batch else memory[0, :, :columns]
            return tile.mT if transposed else tile

        a, b = matrix(m, k, self.dtype, self.columns == "a"), matrix(k, n, self.dtype, self.columns == "b")
        d, c = matrix(m, n, result, False), matrix(m, n, result, False, empty=True)
        constants = {
            "BM": bm, "BN": bn, "BK": bk, "ACC": tl.int32 if integers else tl.float32,
            "ADD": self.add, "BATCHED": self.batch > 0,
        }  # fmt: skip
        if "descriptors" in mode:
            constants["COLUMNS"] = self.columns
        kernel = ADDRESSING_MODES[mode][0]
        grid = (triton.cdiv(m, bm), triton.cdiv(n, bn), max(self.batch, 1))
        if mode == "host_descriptors":

            def describe(tensor: torch.Tensor, rows: int, columns: int, transposed: bool = False) -> TensorDescriptor:
                block = [columns, rows] if transposed else [rows, columns]
                return TensorDescriptor.from_tensor(tensor.mT if transposed else tensor, [1] * (self.batch > 0) + block)

            session.launch(
                kernel, grid, describe(a, bm, bk, self.columns == "a"), describe(b, bk, bn, self.columns == "b"),
                describe(c, bm, bn), describe(d, bm, bn), k, **constants,
            )  # fmt: skip
        else:

            def steps(tensor: torch.Tensor) -> tuple[int, ...]:
                return tensor.stride() if self.batch else (0, *tensor.stride())

            session.launch(kernel, grid, a, b, c, d, m, n, k, *steps(a), *steps(b), *steps(c)[:2], **constants)
        expected = a.double() @ b.double()
        # float32 is multiplied as tf32; products of narrower types are exact in float32.
        tolerance = 0 if integers else 2e-3 if self.dtype == torch.float32 else 1e-5
        return [Result(c, expected + d.double() if self.add else expected, tolerance)]


@dataclass(frozen=True)
class Attention:
    """Sizes and tiles of attention."""

    length: int
    tile: tuple[int, int]
    head: int = 64
    dtype: torch.dtype = torch.bfloat16
    batch: int = 2

    def run(self, session: Session, mode: str) -> list[Result]:
        """Launch; the result has one entry."""
        shape, (bm, bn) = (self.batch, self.length, self.head), self.tile
        q, k, v = (session.randn(shape, self.dtype) for _ in range(3))
        o = session.output(shape, torch.float32)
        scale = self.head**-0.5
        grid, constants = (triton.cdiv(self.length, bm), self.batch), {"BM": bm, "BN": bn, "D": self.head}
        kernel, in_bits = ADDRESSING_MODES[mode][1], scale * math.log2(math.e)
        if mode == "host_descriptors":
            q_rows, k_rows, v_rows, o_rows = (
                TensorDescriptor.from_tensor(tensor.view(-1, self.head), [rows, self.head])
                for tensor, rows in ((q, bm), (k, bn), (v, bn), (o, bm))
            )
            session.launch(kernel, grid, q_rows, k_rows, v_rows, o_rows, self.length, in_bits, **constants)
        else:
            steps = self.length * self.head, self.head
            session.launch(kernel, grid, q, k, v, o, self.length, *steps, in_bits, **constants)
        scores = (q.double() @ k.double().mT * scale).softmax(-1)
        return [Result(o, scores @ v.double(), TOLERANCE[self.dtype])]


def needs_whole_tiles(mode: str, problem: Gemm | Attention) -> bool:
    """Return whether the kernel does not handle elements outside."""
    return mode == "no_masks" or (mode == "host_descriptors" and isinstance(problem, Attention))
