# SPDX-License-Identifier: MIT
"""Layer normalization, forward and backward.

The gradients of weight and bias are sums over all rows: program instances first add up the rows that they take, and a
second kernel adds the partial sums. Nothing waits for another program instance.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def forward_kernel(x_ptr, y_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / columns
    centered = tl.where(mask, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(centered * centered, axis=0) / columns + epsilon)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    weight = tl.load(weight_ptr + offsets, mask=mask)
    bias = tl.load(bias_ptr + offsets, mask=mask)
    tl.store(y_ptr + row * columns + offsets, centered * rstd * weight + bias, mask=mask)


@triton.jit
def backward_kernel(dx_ptr, dy_ptr, dweight_ptr, dbias_ptr, x_ptr, weight_ptr, mean_ptr, rstd_ptr, rows, columns,
                    BLOCK: tl.constexpr):  # fmt: skip
    program = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    weight = tl.load(weight_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
    dweight = tl.zeros((BLOCK,), tl.float32)
    dbias = tl.zeros((BLOCK,), tl.float32)
    for row in tl.range(program, rows, tl.num_programs(0)):
        x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
        rstd = tl.load(rstd_ptr + row)
        normal = tl.where(mask, (x - tl.load(mean_ptr + row)) * rstd, 0.0)
        scaled = weight * dy
        along = tl.sum(normal * scaled, axis=0) / columns
        mean = tl.sum(scaled, axis=0) / columns
        tl.store(dx_ptr + row * columns + offsets, (scaled - (normal * along + mean)) * rstd, mask=mask)
        dweight += dy * normal
        dbias += dy
    tl.store(dweight_ptr + program * columns + offsets, dweight, mask=mask)
    tl.store(dbias_ptr + program * columns + offsets, dbias, mask=mask)


@triton.jit
def sum_kernel(parts_ptr, out_ptr, parts, columns, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    n = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, parts, BLOCK_M):
        m = start + tl.arange(0, BLOCK_M)
        mask = (m[:, None] < parts) & (n[None, :] < columns)
        total += tl.load(parts_ptr + m[:, None] * columns + n[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + n, tl.sum(total, axis=0), mask=n < columns)


class LayerNorm(torch.autograd.Function):
    """The function `torch.nn.functional.layer_norm` over the last dimension of a matrix."""

    @staticmethod
    def forward(ctx, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, epsilon: float) -> torch.Tensor:
        rows, columns = x.shape
        y, block = torch.empty_like(x), triton.next_power_of_2(columns)
        mean, rstd = (torch.empty(rows, device=x.device) for _ in range(2))
        forward_kernel[(rows,)](x, y, weight, bias, mean, rstd, columns, epsilon, BLOCK=block)
        ctx.save_for_backward(x, weight, mean, rstd)
        return y

    @staticmethod
    def backward(ctx, dy: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, weight, mean, rstd = ctx.saved_tensors
        rows, columns = x.shape
        programs, block = min(rows, 32), triton.next_power_of_2(columns)
        dx = torch.empty_like(x)
        partial = [torch.empty(programs, columns, device=x.device) for _ in range(2)]
        backward_kernel[(programs,)](dx, dy.contiguous(), *partial, x, weight, mean, rstd, rows, columns, BLOCK=block)
        sums = [torch.empty_like(weight) for _ in range(2)]
        for parts, out in zip(partial, sums, strict=True):
            sum_kernel[(triton.cdiv(columns, 128),)](parts, out, programs, columns, BLOCK_M=32, BLOCK_N=128)
        return dx, *sums, None


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    shape = (151, 1000)
    x = (torch.randn(shape, device=device) * 2 - 0.5).requires_grad_()
    weight, bias = (torch.rand(shape[1], device=device, requires_grad=True) for _ in range(2))
    dy = torch.randn(shape, device=device)
    y = LayerNorm.apply(x, weight, bias, 1e-5)
    expected = torch.nn.functional.layer_norm(x, shape[1:], weight, bias, 1e-5)
    torch.testing.assert_close(y, expected, rtol=1e-4, atol=1e-4)
    gradients = torch.autograd.grad(y, (x, weight, bias), dy)
    for ours, theirs in zip(gradients, torch.autograd.grad(expected, (x, weight, bias), dy), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-3)
    print("layer_norm: right, with the gradients of input, weight and bias")


if __name__ == "__main__":
    main()
