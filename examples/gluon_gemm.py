# SPDX-License-Identifier: MIT
"""Matrix product in Gluon, in five steps: docs/guides/gluon-gemm.md explains them.

Gluon is Triton's language for authors who choose layouts and accesses themselves. Steps 2 to 5 use the functions that
this package adds for Intel GPUs: matrix products by DPAS, 2D block messages, prefetches and split barriers.
"""

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from triton_xe.experimental import gluon as xe

#: Warps share the result: each has 32 rows and 32 columns of it at a time.
DPAS = xe.DPASLayout(warps_per_cta=[8, 4], rep_cluster=[4, 2])
TILE = {"BLOCK_M": 256, "BLOCK_N": 256, "BLOCK_K": 32}


@gluon.jit
def step1_kernel(a, b, c, M, N, K, BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr, BLOCK_K: gl.constexpr):
    """Each lane multiplies and adds what it needs for its own results."""
    layout: gl.constexpr = gl.BlockedLayout([4, 4], [4, 4], [2, 2], [1, 0])
    left: gl.constexpr = gl.DotOperandLayout(0, layout, 0)
    right: gl.constexpr = gl.DotOperandLayout(1, layout, 0)
    m = gl.program_id(0) * BLOCK_M + gl.arange(0, BLOCK_M, layout=gl.SliceLayout(1, layout))
    n = gl.program_id(1) * BLOCK_N + gl.arange(0, BLOCK_N, layout=gl.SliceLayout(0, layout))
    column = gl.arange(0, BLOCK_K, layout=gl.SliceLayout(0, layout))
    row = gl.arange(0, BLOCK_K, layout=gl.SliceLayout(1, layout))
    total = gl.zeros([BLOCK_M, BLOCK_N], gl.float32, layout)
    for k in range(0, K, BLOCK_K):
        x = gl.load(a + m[:, None] * K + (k + column)[None, :])
        y = gl.load(b + (k + row)[:, None] * N + n[None, :])
        x = gl.convert_layout(x.to(gl.float32), left)
        y = gl.convert_layout(y.to(gl.float32), right)
        total = gl.dot_fma(x, y, total)
    gl.store(c + m[:, None] * N + n[None, :], total)


@gluon.jit
def step2_kernel(a, b, c, M, N, K, dpas: gl.constexpr, BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr,
                 BLOCK_K: gl.constexpr):  # fmt: skip
    """The systolic array multiplies; blocks come element by element, in the layouts that it wants."""
    left: gl.constexpr = dpas.operand(0, [BLOCK_M, BLOCK_K], gl.float16)
    right: gl.constexpr = dpas.operand(1, [BLOCK_K, BLOCK_N], gl.float16)
    result: gl.constexpr = dpas.accumulator([BLOCK_M, BLOCK_N])
    first, last = gl.program_id(0) * BLOCK_M, gl.program_id(1) * BLOCK_N
    m = first + gl.arange(0, BLOCK_M, layout=gl.SliceLayout(1, left))
    n = last + gl.arange(0, BLOCK_N, layout=gl.SliceLayout(0, right))
    column = gl.arange(0, BLOCK_K, layout=gl.SliceLayout(0, left))
    row = gl.arange(0, BLOCK_K, layout=gl.SliceLayout(1, right))
    total = gl.zeros([BLOCK_M, BLOCK_N], gl.float32, result)
    for k in range(0, K, BLOCK_K):
        x = gl.load(a + m[:, None] * K + (k + column)[None, :])
        y = gl.load(b + (k + row)[:, None] * N + n[None, :])
        total = xe.dot(x, y, total)
    m = first + gl.arange(0, BLOCK_M, layout=gl.SliceLayout(1, result))
    n = last + gl.arange(0, BLOCK_N, layout=gl.SliceLayout(0, result))
    gl.store(c + m[:, None] * N + n[None, :], total)


@gluon.jit
def step3_kernel(a, b, c, M, N, K, dpas: gl.constexpr, BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr,
                 BLOCK_K: gl.constexpr):  # fmt: skip
    """2D block messages bring the blocks, and put zeros where the matrix ends."""
    m, n = gl.program_id(0) * BLOCK_M, gl.program_id(1) * BLOCK_N
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    right = xe.make_tensor_descriptor(b, [K, N], [N, 1], [BLOCK_K, BLOCK_N])
    total = gl.zeros([BLOCK_M, BLOCK_N], gl.float32, dpas.accumulator([BLOCK_M, BLOCK_N]))
    for k in range(0, K, BLOCK_K):
        x = left.load([m, k], dpas.operand(0, [BLOCK_M, BLOCK_K], gl.float16))
        y = right.load([k, n], dpas.operand(1, [BLOCK_K, BLOCK_N], gl.float16))
        total = xe.dot(x, y, total)
    xe.make_tensor_descriptor(c, [M, N], [N, 1], [BLOCK_M, BLOCK_N]).store([m, n], total)


@gluon.jit
def step4_kernel(a, b, c, M, N, K, dpas: gl.constexpr, BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr,
                 BLOCK_K: gl.constexpr, AHEAD: gl.constexpr):  # fmt: skip
    """Blocks are fetched into the cache some iterations before they are loaded."""
    m, n = gl.program_id(0) * BLOCK_M, gl.program_id(1) * BLOCK_N
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    right = xe.make_tensor_descriptor(b, [K, N], [N, 1], [BLOCK_K, BLOCK_N])
    total = gl.zeros([BLOCK_M, BLOCK_N], gl.float32, dpas.accumulator([BLOCK_M, BLOCK_N]))
    for i in gl.static_range(AHEAD):
        left.prefetch([m, i * BLOCK_K])
        right.prefetch([i * BLOCK_K, n])
    for k in range(0, K, BLOCK_K):
        x = left.load([m, k], dpas.operand(0, [BLOCK_M, BLOCK_K], gl.float16))
        y = right.load([k, n], dpas.operand(1, [BLOCK_K, BLOCK_N], gl.float16))
        left.prefetch([m, k + AHEAD * BLOCK_K])
        right.prefetch([k + AHEAD * BLOCK_K, n])
        total = xe.dot(x, y, total)
    xe.make_tensor_descriptor(c, [M, N], [N, 1], [BLOCK_M, BLOCK_N]).store([m, n], total)


@gluon.jit
def step5_kernel(a, b, c, M, N, K, dpas: gl.constexpr, BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr,
                 BLOCK_K: gl.constexpr, AHEAD: gl.constexpr):  # fmt: skip
    """Warps stay in the same iteration, in which they load the same blocks."""
    m, n = gl.program_id(0) * BLOCK_M, gl.program_id(1) * BLOCK_N
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    right = xe.make_tensor_descriptor(b, [K, N], [N, 1], [BLOCK_K, BLOCK_N])
    total = gl.zeros([BLOCK_M, BLOCK_N], gl.float32, dpas.accumulator([BLOCK_M, BLOCK_N]))
    for i in gl.static_range(AHEAD):
        left.prefetch([m, i * BLOCK_K])
        right.prefetch([i * BLOCK_K, n])
    for k in range(0, K, BLOCK_K):
        xe.arrive_barrier()
        x = left.load([m, k], dpas.operand(0, [BLOCK_M, BLOCK_K], gl.float16))
        y = right.load([k, n], dpas.operand(1, [BLOCK_K, BLOCK_N], gl.float16))
        left.prefetch([m, k + AHEAD * BLOCK_K])
        right.prefetch([k + AHEAD * BLOCK_K, n])
        total = xe.dot(x, y, total)
        xe.wait_barrier()
    xe.make_tensor_descriptor(c, [M, N], [N, 1], [BLOCK_M, BLOCK_N]).store([m, n], total)


#: The kernels, and their constants other than those of a tile.
STEPS = [
    (step1_kernel, {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 16}, 4),
    (step2_kernel, {"dpas": DPAS, **TILE}, 32),
    (step3_kernel, {"dpas": DPAS, **TILE}, 32),
    (step4_kernel, {"dpas": DPAS, "AHEAD": 3, **TILE}, 32),
    (step5_kernel, {"dpas": DPAS, "AHEAD": 3, **TILE}, 32),
]


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    m, n, k = 512, 256, 128
    a = torch.randn(m, k, dtype=torch.float16, device=device)
    b = torch.randn(k, n, dtype=torch.float16, device=device)
    for kernel, constants, num_warps in STEPS:
        c = torch.full((m, n), float("nan"), device=device)
        grid = (triton.cdiv(m, constants["BLOCK_M"]), triton.cdiv(n, constants["BLOCK_N"]))
        kernel[grid](a, b, c, m, n, k, **constants, num_warps=num_warps)
        torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
    print("gluon_gemm: all steps right")


if __name__ == "__main__":
    main()
