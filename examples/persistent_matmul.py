# SPDX-License-Identifier: MIT
"""Matrix product with tensor descriptors, in a persistent kernel.

The program instances that the device runs at a time take tiles in turn. Descriptors made on the host state where
matrices end, so that loads and stores need no masks; on PVC they become 2D block messages.
"""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def persistent_kernel(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    columns = tl.cdiv(N, BLOCK_N)
    tiles = tl.cdiv(M, BLOCK_M) * columns
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0)):
        row, column = tile // columns * BLOCK_M, tile % columns * BLOCK_N
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for k in range(0, K, BLOCK_K):
            total = tl.dot(a.load([row, k]), b.load([column, k]).T, total)
        c.store([row, column], total.to(tl.bfloat16))


def matmul(a: torch.Tensor, b: torch.Tensor, programs: int = 16) -> torch.Tensor:
    """A (M x K) by the transposed of B (N x K), as weights of linear layers are stored."""
    (m, k), n = a.shape, b.shape[0]
    c = torch.empty(m, n, dtype=a.dtype, device=a.device)
    tiles = [TensorDescriptor.from_tensor(x, block) for x, block in ((a, [128, 32]), (b, [128, 32]), (c, [128, 128]))]
    persistent_kernel[(programs,)](*tiles, m, n, k, BLOCK_M=128, BLOCK_N=128, BLOCK_K=32, num_warps=16)
    return c


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    a, b = (torch.randn(shape, dtype=torch.bfloat16, device=device) for shape in ((600, 320), (520, 320)))
    torch.testing.assert_close(matmul(a, b).float(), a.float() @ b.float().T, rtol=2e-2, atol=2e-1)
    print("persistent_matmul: right for", tuple(a.shape), "by", tuple(b.shape))


if __name__ == "__main__":
    main()
