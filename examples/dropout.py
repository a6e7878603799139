# SPDX-License-Identifier: MIT
"""Dropout whose mask is never stored: a seed and the place of an element make its random number again.

The counter-based generator of the language (Philox) gives each element the same number whenever it is called, so the
backward pass needs the seed alone.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def dropout_kernel(x_ptr, out_ptr, size, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < size
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def dropout(x: torch.Tensor, p: float, seed: int) -> torch.Tensor:
    out = torch.empty_like(x)
    dropout_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), p, seed, BLOCK=1024)
    return out


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    x = torch.rand(100_000, device=device) + 1
    first, again, other = dropout(x, 0.25, 123), dropout(x, 0.25, 123), dropout(x, 0.25, 512)
    assert torch.equal(first, again), "the same seed drops the same elements"
    assert not torch.equal(first, other), "another seed drops others"
    torch.testing.assert_close(first[first != 0], (x / 0.75)[first != 0])
    dropped = (first == 0).float().mean().item()
    assert abs(dropped - 0.25) < 0.01
    print(f"dropout: dropped {dropped:.3f} of the elements")


if __name__ == "__main__":
    main()
