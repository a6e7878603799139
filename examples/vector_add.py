# SPDX-License-Identifier: MIT
"""Add two vectors: the smallest kernel that loads, computes and stores.

Each program instance takes one block of elements. The mask keeps the last block inside of the vectors, whatever their
length is.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, size, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < size
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    size = out.numel()
    add_kernel[lambda meta: (triton.cdiv(size, meta["BLOCK"]),)](x, y, out, size, BLOCK=1024)
    return out


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    x, y = (torch.rand(98_432, device=device) for _ in range(2))
    torch.testing.assert_close(add(x, y), x + y)
    print("vector_add: right for", x.numel(), "elements")


if __name__ == "__main__":
    main()
