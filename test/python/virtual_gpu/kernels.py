# SPDX-License-Identifier: MIT
"""Kernels that the XPU driver launches on the virtual GPU, through SYCL; a program, which asserts."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
import xpu_double as xpu


@triton.jit
def scale_kernel(x_ptr, y_ptr, count, factor, SIZE: tl.constexpr):
    places = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    mask = places < count
    tl.store(y_ptr + places, tl.load(x_ptr + places, mask=mask) * factor, mask=mask)


@triton.jit
def softmax_kernel(x_ptr, y_ptr, columns, SIZE: tl.constexpr):
    row, places = tl.program_id(0), tl.arange(0, SIZE)
    x = tl.load(x_ptr + row * columns + places, mask=places < columns, other=-float("inf"))
    exponentials = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + row * columns + places, exponentials / tl.sum(exponentials, 0), mask=places < columns)


@triton.jit
def gemm_kernel(a_ptr, b_ptr, c_ptr, M, N, K, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [ROWS, DEPTH])
    b = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [DEPTH, COLUMNS])
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [ROWS, COLUMNS])
    row, column = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for k in range(0, K, DEPTH):
        total = tl.dot(a.load([row, k]), b.load([k, column]), total)
    c.store([row, column], total)


@triton.jit
def lock_kernel(lock_ptr, total_ptr):
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(total_ptr, tl.load(total_ptr, volatile=True) + tl.program_id(0))
    tl.atomic_xchg(lock_ptr, 0)


@triton.jit
def differences_kernel(x_ptr, y_ptr, out_ptr, SIZE: tl.constexpr):
    places = tl.arange(0, SIZE)
    x, y = tl.load(x_ptr + places) + 1, tl.load(y_ptr + places) + 1
    tl.store(out_ptr + 2 * places[:, None] + tl.arange(0, 2)[None, :], tl.join(x - y, y - x))


@triton.jit
def print_kernel(x_ptr):
    tl.device_print("value", tl.load(x_ptr + tl.program_id(0)))


def scale() -> None:
    """Arguments of all kinds, and a mask."""
    x, y = torch.randn(1000), xpu.empty((1000,), torch.float32)
    scale_kernel[(4,)](xpu.copy(x), y, 1000, 2.5, SIZE=256)
    assert torch.equal(xpu.host(y), x * 2.5)


def differences() -> None:
    """The driver's compiler would take the first difference for both, if the SPIR-V let it (CopyFirstElements.cpp)."""
    x, y = (torch.randint(-50, 50, (16,)).float() for _ in range(2))
    out = xpu.empty((16, 2), torch.float32)
    differences_kernel[(1,)](xpu.copy(x), xpu.copy(y), out, 16, num_warps=1)
    assert torch.equal(xpu.host(out), torch.stack([x - y, y - x], dim=1))


def softmax() -> None:
    """A reduction over several sub-groups."""
    x, y = torch.randn(32, 300), xpu.empty((32, 300), torch.float32)
    softmax_kernel[(32,)](xpu.copy(x), y, 300, SIZE=512, num_warps=8)
    torch.testing.assert_close(xpu.host(y).double(), torch.softmax(x.double(), 1), rtol=1e-5, atol=1e-7)


def gemm() -> None:
    """Block messages and the systolic array."""
    a, b = torch.randn(256, 128).half(), torch.randn(128, 256).half()
    c = xpu.empty((256, 256), torch.float32)
    gemm_kernel[(2, 2)](xpu.copy(a), xpu.copy(b), c, 256, 256, 128, ROWS=128, COLUMNS=128, DEPTH=32, num_warps=16)
    torch.testing.assert_close(xpu.host(c).double(), a.double() @ b.double(), rtol=1e-4, atol=1e-3)


def lock() -> None:
    """Programs that wait for each other."""
    state, total = xpu.copy(torch.zeros(1, dtype=torch.int32)), xpu.copy(torch.zeros(1, dtype=torch.int32))
    lock_kernel[(40,)](state, total)
    assert xpu.host(total).item() == sum(range(40))


def printing() -> None:
    """The driver's own buffer for what kernels print."""
    print_kernel[(3,)](xpu.copy(torch.tensor([11, 22, 33], dtype=torch.int32)), num_warps=1)
    xpu.queue().wait()


if __name__ == "__main__":
    xpu.install()
    for program in (scale, differences, softmax, gemm, lock, printing):
        program()
        print(program.__name__, "ok", flush=True)
