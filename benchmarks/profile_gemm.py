# SPDX-License-Identifier: MIT
"""A GEMM with scopes, for `triton-xe profile`: which part of it takes how long.

    triton-xe profile --html gemm.html benchmarks/profile_gemm.py --shape 512,512,128

docs/profile_gemm.svg is a picture of it (`--svg`).
"""

from __future__ import annotations

import argparse

import torch
import triton
import triton.language as tl
import triton.profiler.language as pl

from triton_xe.tools import profiler


@triton.jit
def multiply(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BLOCK_K, BLOCK_N])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    with pl.scope("tile"):
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for k in range(0, K, BLOCK_K):
            with pl.scope("load"):
                x = left.load([row, k])
                y = right.load([k, column])
            with pl.scope("dot"):
                total = tl.dot(x, y, total)
        with pl.scope("store"):
            out.store([row, column], total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shape", default="512,512,128", help="M,N,K")
    parser.add_argument("--launches", type=int, default=5)
    arguments = parser.parse_args()
    m, n, k = map(int, arguments.shape.split(","))
    device = triton.runtime.driver.active.get_current_target().backend
    a, b = (torch.randn(shape, dtype=torch.bfloat16, device=device) for shape in ((m, k), (k, n)))
    c = torch.empty(m, n, device=device)
    blocks = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}
    with profiler.scope("multiply"):
        for _ in range(arguments.launches):
            multiply[triton.cdiv(m, 64), triton.cdiv(n, 64)](a, b, c, m, n, k, **blocks, num_warps=4, num_stages=3)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-2, atol=1e-2)


if __name__ == "__main__":
    main()
