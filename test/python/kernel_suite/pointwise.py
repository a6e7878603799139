# SPDX-License-Identifier: MIT
"""Elementwise kernels, in the style of handwritten activations and of generated code."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def copy_kernel(x_ptr, y_ptr, count, BLOCK: tl.constexpr):
    """y = x."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask), mask=mask)


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@kernel_case(num_warps=(4, 16), dtype=(torch.float32, torch.bfloat16, torch.int8))
@kernel_case(num_warps=(4, 16), full=True, dtype=(torch.float16, torch.int32, torch.int64))
def vector_add(session: Session, dtype: torch.dtype) -> list[Result]:
    """Vector addition; integers wrap around."""
    count = 3001
    if dtype.is_floating_point:
        x, y = session.randn((count,), dtype), session.randn((count,), dtype)
        expected, tolerance = x.double() + y.double(), TOLERANCE[dtype]
    else:
        x, y = (session.randint(-128, 128, (count,), dtype) for _ in range(2))
        expected, tolerance = x + y, 0.0
    out = session.output((count,), dtype)
    session.launch(vector_add_kernel, (triton.cdiv(count, 512),), x, y, out, count, BLOCK=512)
    return [Result(out, expected, tolerance)]


@triton.jit
def gelu_kernel(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    half = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + offsets, half.to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def gelu_backward_kernel(x_ptr, grad_ptr, dx_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    grad = tl.load(grad_ptr + offsets, mask=mask).to(tl.float32)
    cumulative = 0.5 * (1.0 + tl.erf(x * 0.7071067811865476))
    density = 0.3989422804014327 * tl.exp(-0.5 * x * x)
    tl.store(dx_ptr + offsets, (grad * (cumulative + x * density)).to(dx_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 8), dtype=(torch.float32,))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.bfloat16, torch.float16))
def gelu(session: Session, dtype: torch.dtype) -> list[Result]:
    """GELU by the error function, forward and backward."""
    count = 1111
    x, grad = session.randn((count,), dtype, 2.0), session.randn((count,), dtype)
    out, dx = session.output((count,), dtype), session.output((count,), dtype)
    grid = (triton.cdiv(count, 256),)
    session.launch(gelu_kernel, grid, x, out, count, BLOCK=256)
    session.launch(gelu_backward_kernel, grid, x, grad, dx, count, BLOCK=256)
    wide = x.double().requires_grad_()
    expected = torch.nn.functional.gelu(wide)
    expected.backward(grad.double())
    return [Result(out, expected.detach(), TOLERANCE[dtype]), Result(dx, wide.grad, TOLERANCE[dtype])]


@triton.jit
def tanh_gelu_kernel(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    inner = 1.5957691216057308 * (x + 0.044715 * x * x * x)
    tl.store(out_ptr + offsets, (x * tl.sigmoid(inner)).to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def tanh_gelu_backward_kernel(x_ptr, grad_ptr, dx_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    grad = tl.load(grad_ptr + offsets, mask=mask).to(tl.float32)
    sigmoid = tl.sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
    slope = 1.5957691216057308 * (1.0 + 0.134145 * x * x)
    dx = grad * sigmoid * (1.0 + x * slope * (1.0 - sigmoid))
    tl.store(dx_ptr + offsets, dx.to(dx_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 8), dtype=(torch.float32, torch.bfloat16))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.float16,))
def tanh_gelu(session: Session, dtype: torch.dtype) -> list[Result]:
    """GELU by the hyperbolic tangent, which is a sigmoid of twice the argument; forward and backward."""
    count = 1111
    x, grad = session.randn((count,), dtype, 2.0), session.randn((count,), dtype)
    out, dx = session.output((count,), dtype), session.output((count,), dtype)
    grid = (triton.cdiv(count, 256),)
    session.launch(tanh_gelu_kernel, grid, x, out, count, BLOCK=256)
    session.launch(tanh_gelu_backward_kernel, grid, x, grad, dx, count, BLOCK=256)
    wide = x.double().requires_grad_()
    expected = torch.nn.functional.gelu(wide, approximate="tanh")
    expected.backward(grad.double())
    return [Result(out, expected.detach(), TOLERANCE[dtype]), Result(dx, wide.grad, TOLERANCE[dtype])]


@triton.jit
def swiglu_kernel(gate_ptr, up_ptr, out_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * stride
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    gate = tl.load(gate_ptr + row + offsets, mask=mask, other=0).to(tl.float32)
    up = tl.load(up_ptr + row + offsets, mask=mask, other=0)
    silu = gate * tl.sigmoid(gate)
    tl.store(out_ptr + row + offsets, silu.to(up.dtype) * up, mask=mask)


@triton.jit
def swiglu_backward_kernel(grad_ptr, gate_ptr, up_ptr, dgate_ptr, dup_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * stride
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    grad = tl.load(grad_ptr + row + offsets, mask=mask, other=0).to(tl.float32)
    gate = tl.load(gate_ptr + row + offsets, mask=mask, other=0).to(tl.float32)
    up = tl.load(up_ptr + row + offsets, mask=mask, other=0).to(tl.float32)
    sigmoid = tl.sigmoid(gate)
    silu = gate * sigmoid
    dgate = grad * up * (sigmoid + silu * (1.0 - sigmoid))
    tl.store(dgate_ptr + row + offsets, dgate.to(dgate_ptr.dtype.element_ty), mask=mask)
    tl.store(dup_ptr + row + offsets, (grad * silu).to(dup_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 8), dtype=(torch.float32, torch.bfloat16))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.float16,))
def swiglu(session: Session, dtype: torch.dtype) -> list[Result]:
    """SwiGLU, forward and backward, one row per program."""
    rows, columns = 5, 301
    gate, up, grad = (session.randn((rows, columns), dtype) for _ in range(3))
    out, dgate, dup = (session.output((rows, columns), dtype) for _ in range(3))
    session.launch(swiglu_kernel, (rows,), gate, up, out, columns, columns, BLOCK=512)
    session.launch(swiglu_backward_kernel, (rows,), grad, gate, up, dgate, dup, columns, columns, BLOCK=512)
    wide = [tensor.double().requires_grad_() for tensor in (gate, up)]
    expected = torch.nn.functional.silu(wide[0]) * wide[1]
    expected.backward(grad.double())
    tolerance = TOLERANCE[dtype]
    return [
        Result(out, expected.detach(), tolerance),
        Result(dgate, wide[0].grad, tolerance),
        Result(dup, wide[1].grad, tolerance),
    ]


@triton.jit
def dropout_kernel(x_ptr, out_ptr, count, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


def philox(seed: int, offsets: torch.Tensor, rounds: int = 10) -> list[torch.Tensor]:
    """Return Philox 4x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"), counters (offset, 0, 0, 0)."""
    mask = 0xFFFFFFFF
    counter = [offsets.to(torch.int64) & mask] + [torch.zeros_like(offsets, dtype=torch.int64) for _ in range(3)]
    key = [seed & mask, (seed >> 32) & mask]

    def multiply(constant: int, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        # 32 by 32 bits in two halves, so that nothing overflows 63 bits.
        low = constant * (value & 0xFFFF)
        high = constant * (value >> 16) + (low >> 16)
        return high >> 16, ((high & 0xFFFF) << 16) | (low & 0xFFFF)

    for _ in range(rounds):
        high0, low0 = multiply(0xD2511F53, counter[0])
        high1, low1 = multiply(0xCD9E8D57, counter[2])
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0]
        key = [(key[0] + 0x9E3779B9) & mask, (key[1] + 0xBB67AE85) & mask]
    return counter


@kernel_case(num_warps=(4, 8))
def dropout(session: Session) -> list[Result]:
    """Dropout by a seed: the very elements of Philox."""
    count, p, seed = 1500, 0.3, 0x1234567
    x, out = session.randn((count,)), session.output((count,))
    session.launch(dropout_kernel, (triton.cdiv(count, 256),), x, out, count, p, seed, BLOCK=256)
    bits = philox(seed, torch.arange(count))[0]
    signed = torch.where(bits >= 2**31, bits - 2**32, bits)
    uniform = torch.where(signed < 0, -signed - 1, signed).float() * 4.6566127342e-10
    return [Result(out, torch.where(uniform > p, x.double() / (1 - p), 0.0), 1e-5)]


@triton.jit
def transpose_kernel(x_ptr, out_ptr, rows, columns, stride_x, stride_out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (i[:, None] < rows) & (j[None, :] < columns)
    x = tl.load(x_ptr + i[:, None] * stride_x + j[None, :], mask=mask)
    tl.store(out_ptr + j[:, None] * stride_out + i[None, :], tl.trans(x), mask=tl.trans(mask))


@kernel_case(num_warps=(4, 8, 2), dtype=(torch.float32, torch.int8))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.bfloat16,))
def transpose(session: Session, dtype: torch.dtype) -> list[Result]:
    """A transposition whose loads and stores both go along rows: the exchange is in the work-group."""
    rows, columns = 75, 50
    x = session.randint(-100, 100, (rows, columns), dtype)
    out = session.output((columns, rows), dtype)
    grid = (triton.cdiv(rows, 32), triton.cdiv(columns, 32))
    session.launch(transpose_kernel, grid, x, out, rows, columns, columns, rows, BLOCK=32)
    return [Result(out, x.t(), 0.0)]
