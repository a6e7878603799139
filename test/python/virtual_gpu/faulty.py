# SPDX-License-Identifier: MIT
"""A Triton kernel that stores where no memory is, in a function that it calls; a program, which loses the device."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
import xpu_double as xpu


@triton.jit
def store(pointers, values):
    tl.store(pointers, values)  # fault


@triton.jit
def faulty_kernel(x_ptr, y_ptr, SIZE: tl.constexpr):
    places = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    x = tl.load(x_ptr + places)
    if tl.program_id(0) == 2:
        store(y_ptr + places + 1000000000, x)  # call


if __name__ == "__main__":
    xpu.install()
    x, y = xpu.copy(torch.zeros(1024)), xpu.copy(torch.zeros(1024))
    faulty_kernel[(4,)](x, y, SIZE=256)
    xpu.queue().wait()
