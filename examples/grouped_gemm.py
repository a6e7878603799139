# SPDX-License-Identifier: MIT
"""Products of many pairs of matrices of different sizes in one launch.

A fixed number of program instances walks over the tiles of all products, one after the other. Addresses and sizes come
from arrays in memory, as a library would hand them over.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def grouped_kernel(addresses, sizes, group_count, PROGRAMS: tl.constexpr, BLOCK_M: tl.constexpr,
                   BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):  # fmt: skip
    tile = tl.program_id(0)
    first = 0
    for group in range(group_count):
        m, n, k = tl.load(sizes + group * 3), tl.load(sizes + group * 3 + 1), tl.load(sizes + group * 3 + 2)
        rows, columns = tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N)
        while tile >= first and tile < first + rows * columns:
            a_ptr = tl.load(addresses + group * 3).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(addresses + group * 3 + 1).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(addresses + group * 3 + 2).to(tl.pointer_type(tl.float16))
            om = (tile - first) // columns * BLOCK_M + tl.arange(0, BLOCK_M)
            on = (tile - first) % columns * BLOCK_N + tl.arange(0, BLOCK_N)
            ok = tl.arange(0, BLOCK_K)
            total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
            for start in range(0, k, BLOCK_K):
                inner = start + ok
                a = tl.load(a_ptr + om[:, None] * k + inner[None, :],
                            mask=(om[:, None] < m) & (inner[None, :] < k), other=0.0)  # fmt: skip
                b = tl.load(b_ptr + inner[:, None] * n + on[None, :],
                            mask=(inner[:, None] < k) & (on[None, :] < n), other=0.0)  # fmt: skip
                total = tl.dot(a, b, total)
            tl.store(c_ptr + om[:, None] * n + on[None, :], total.to(tl.float16),
                     mask=(om[:, None] < m) & (on[None, :] < n))  # fmt: skip
            tile += PROGRAMS
        first += rows * columns


def grouped_matmul(pairs: list[tuple[torch.Tensor, torch.Tensor]]) -> list[torch.Tensor]:
    device = pairs[0][0].device
    results = [torch.empty(a.shape[0], b.shape[1], dtype=a.dtype, device=device) for a, b in pairs]
    addresses = [x.data_ptr() for (a, b), c in zip(pairs, results, strict=True) for x in (a, b, c)]
    sizes = [size for a, b in pairs for size in (a.shape[0], b.shape[1], a.shape[1])]
    grouped_kernel[(8,)](
        torch.tensor(addresses, dtype=torch.int64, device=device),
        torch.tensor(sizes, dtype=torch.int32, device=device), len(pairs),
        PROGRAMS=8, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=8,
    )  # fmt: skip
    return results


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    shapes = [(256, 128, 64), (64, 96, 320), (200, 72, 40), (1, 128, 128)]
    pairs = [
        tuple(torch.randn(shape, dtype=torch.float16, device=device) for shape in ((m, k), (k, n)))
        for m, n, k in shapes
    ]
    for (a, b), c in zip(pairs, grouped_matmul(pairs), strict=True):
        torch.testing.assert_close(c.float(), a.float() @ b.float(), rtol=1e-2, atol=5e-2)
    print("grouped_gemm: right for", len(pairs), "products")


if __name__ == "__main__":
    main()
