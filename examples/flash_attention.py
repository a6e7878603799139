# SPDX-License-Identifier: MIT
"""Attention without the matrix of scores in memory, forward and backward, causal or not.

The forward pass keeps a running maximum and sum for each row (Dao et al., "FlashAttention-2", arXiv 2307.08691); the
backward pass computes the scores again. On PVC all products run on the systolic array.
"""

import torch
import triton
import triton.language as tl

#: Kernels compute powers of two, as the hardware does.
LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def forward_kernel(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, length, scale, HEAD: tl.constexpr, CAUSAL: tl.constexpr,
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):  # fmt: skip
    start_m, base = tl.program_id(0) * BLOCK_M, tl.program_id(1).to(tl.int64) * length
    q_desc = tl.make_tensor_descriptor(q_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    k_desc = tl.make_tensor_descriptor(k_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    v_desc = tl.make_tensor_descriptor(v_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    o_desc = tl.make_tensor_descriptor(o_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    m = start_m + tl.arange(0, BLOCK_M)
    scale *= LOG2E
    largest = tl.full((BLOCK_M,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    out = tl.zeros((BLOCK_M, HEAD), tl.float32)
    q = q_desc.load([start_m, 0])
    end = min(start_m + BLOCK_M, length) if CAUSAL else length
    for start_n in range(0, end, BLOCK_N):
        n = start_n + tl.arange(0, BLOCK_N)
        scores = tl.dot(q, k_desc.load([start_n, 0]).T) * scale
        seen = n[None, :] < length
        if CAUSAL:
            seen &= n[None, :] <= m[:, None]
        scores = tl.where(seen, scores, -float("inf"))
        new_largest = tl.maximum(largest, tl.max(scores, axis=1))
        weights = tl.exp2(scores - new_largest[:, None])
        decay = tl.exp2(largest - new_largest)
        total = total * decay + tl.sum(weights, axis=1)
        out = tl.dot(weights.to(v_ptr.dtype.element_ty), v_desc.load([start_n, 0]), out * decay[:, None])
        largest = new_largest
    o_desc.store([start_m, 0], (out / total[:, None]).to(o_ptr.dtype.element_ty))
    tl.store(lse_ptr + base + m, largest + tl.log2(total), mask=m < length)


@triton.jit
def key_value_kernel(q_ptr, k_ptr, v_ptr, do_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr, length, scale,
                     HEAD: tl.constexpr, CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr):  # fmt: skip
    start_n, base = tl.program_id(0) * BLOCK_N, tl.program_id(1).to(tl.int64) * length
    q_desc = tl.make_tensor_descriptor(q_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    do_desc = tl.make_tensor_descriptor(do_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    k_desc = tl.make_tensor_descriptor(k_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    v_desc = tl.make_tensor_descriptor(v_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    dk_desc = tl.make_tensor_descriptor(dk_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    dv_desc = tl.make_tensor_descriptor(dv_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    n = start_n + tl.arange(0, BLOCK_N)
    k, v = k_desc.load([start_n, 0]), v_desc.load([start_n, 0])
    dk, dv = tl.zeros((BLOCK_N, HEAD), tl.float32), tl.zeros((BLOCK_N, HEAD), tl.float32)
    # Rows above the diagonal see none of these keys.
    first = start_n // BLOCK_M * BLOCK_M if CAUSAL else 0
    for start_m in range(first, length, BLOCK_M):
        m = start_m + tl.arange(0, BLOCK_M)
        q, do = q_desc.load([start_m, 0]), do_desc.load([start_m, 0])
        lse = tl.load(lse_ptr + base + m, mask=m < length, other=0.0)
        delta = tl.load(delta_ptr + base + m, mask=m < length, other=0.0)
        # Rows are those of keys: nothing has to be transposed but what is loaded.
        seen = (n[:, None] < length) & (m[None, :] < length)
        if CAUSAL:
            seen &= n[:, None] <= m[None, :]
        scores = tl.dot(k, q.T) * (scale * LOG2E)
        weights = tl.where(seen, tl.exp2(scores - lse[None, :]), 0.0)
        dv = tl.dot(weights.to(do.dtype), do, dv)
        change = weights * (tl.dot(v, do.T) - delta[None, :])
        dk = tl.dot(change.to(q.dtype), q, dk)
    dk_desc.store([start_n, 0], (dk * scale).to(dk_ptr.dtype.element_ty))
    dv_desc.store([start_n, 0], dv.to(dv_ptr.dtype.element_ty))


@triton.jit
def query_kernel(q_ptr, k_ptr, v_ptr, do_ptr, dq_ptr, lse_ptr, delta_ptr, length, scale, HEAD: tl.constexpr,
                 CAUSAL: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):  # fmt: skip
    start_m, base = tl.program_id(0) * BLOCK_M, tl.program_id(1).to(tl.int64) * length
    q_desc = tl.make_tensor_descriptor(q_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    do_desc = tl.make_tensor_descriptor(do_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    k_desc = tl.make_tensor_descriptor(k_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    v_desc = tl.make_tensor_descriptor(v_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    dq_desc = tl.make_tensor_descriptor(dq_ptr + base * HEAD, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    m = start_m + tl.arange(0, BLOCK_M)
    q, do = q_desc.load([start_m, 0]), do_desc.load([start_m, 0])
    lse = tl.load(lse_ptr + base + m, mask=m < length, other=0.0)
    delta = tl.load(delta_ptr + base + m, mask=m < length, other=0.0)
    dq = tl.zeros((BLOCK_M, HEAD), tl.float32)
    end = min(start_m + BLOCK_M, length) if CAUSAL else length
    for start_n in range(0, end, BLOCK_N):
        n = start_n + tl.arange(0, BLOCK_N)
        k, v = k_desc.load([start_n, 0]), v_desc.load([start_n, 0])
        seen = n[None, :] < length
        if CAUSAL:
            seen &= n[None, :] <= m[:, None]
        scores = tl.dot(q, k.T) * (scale * LOG2E)
        weights = tl.where(seen, tl.exp2(scores - lse[:, None]), 0.0)
        change = weights * (tl.dot(do, v.T) - delta[:, None])
        dq = tl.dot(change.to(k.dtype), k, dq)
    dq_desc.store([start_m, 0], (dq * scale).to(dq_ptr.dtype.element_ty))


class Attention(torch.autograd.Function):
    """Attention over tensors of batch x heads x length x head size."""

    @staticmethod
    def forward(ctx, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool) -> torch.Tensor:
        batch, heads, length, head = q.shape
        ctx.scale, ctx.causal = head**-0.5, causal
        o, lse = torch.empty_like(q), torch.empty(batch, heads, length, device=q.device)
        forward_kernel[(triton.cdiv(length, 64), batch * heads)](
            q, k, v, o, lse, length, ctx.scale, HEAD=head, CAUSAL=causal, BLOCK_M=64, BLOCK_N=32, num_warps=8
        )
        ctx.save_for_backward(q, k, v, o, lse)
        return o

    @staticmethod
    def backward(ctx, do: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        q, k, v, o, lse = ctx.saved_tensors
        batch, heads, length, head = q.shape
        do = do.contiguous()
        delta = (o.float() * do.float()).sum(-1)
        dq, dk, dv = (torch.empty_like(x) for x in (q, k, v))
        options = {"HEAD": head, "CAUSAL": ctx.causal, "BLOCK_M": 32, "BLOCK_N": 32, "num_warps": 4}
        grid = (triton.cdiv(length, 32), batch * heads)
        key_value_kernel[grid](q, k, v, do, dk, dv, lse, delta, length, ctx.scale, **options)
        query_kernel[grid](q, k, v, do, dq, lse, delta, length, ctx.scale, **options)
        return dq, dk, dv, None


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    for causal in (False, True):
        q, k, v, do = (torch.randn(1, 2, 200, 64, dtype=torch.bfloat16, device=device) for _ in range(4))
        inputs = [x.requires_grad_() for x in (q, k, v)]
        o = Attention.apply(*inputs, causal)
        exact = [x.detach().float().requires_grad_() for x in inputs]
        expected = torch.nn.functional.scaled_dot_product_attention(*exact, is_causal=causal)
        torch.testing.assert_close(o.float(), expected, rtol=2e-2, atol=2e-2)
        gradients = torch.autograd.grad(o, inputs, do)
        for ours, theirs in zip(gradients, torch.autograd.grad(expected, exact, do.float()), strict=True):
            torch.testing.assert_close(ours.float(), theirs, rtol=5e-2, atol=5e-2)
        print("flash_attention: right", "with a causal mask," if causal else "without a mask,", "gradients, too")


if __name__ == "__main__":
    main()
