# SPDX-License-Identifier: MIT
"""Attention in Gluon with DPAS and 2D block messages.

Each warp has eight rows of queries, and whole rows of scores: maxima and sums stay in it, and so do the weights, which
are the left operand of the second product. No shared memory is needed, and no barrier.
"""

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from triton_xe.experimental import gluon as xe

#: The columns of DPAS, each of which is in a lane.
LANES = gl.constexpr(16)
#: Warps lie below each other.
DPAS = xe.DPASLayout(warps_per_cta=[16, 1], rep_cluster=[1, 2])


@gluon.jit
def attention_kernel(q, k, v, o, length, scale, HEAD: gl.constexpr, BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr,
                     dpas: gl.constexpr):  # fmt: skip
    start, base = gl.program_id(0) * BLOCK_M, gl.program_id(1).to(gl.int64) * length * HEAD
    scores: gl.constexpr = dpas.accumulator([BLOCK_M, BLOCK_N])
    sums: gl.constexpr = xe.DPASLayout(dpas.warps_per_cta).accumulator([BLOCK_M, LANES])
    output: gl.constexpr = dpas.accumulator([BLOCK_M, HEAD])
    weights: gl.constexpr = dpas.operand(0, [BLOCK_M, BLOCK_N], gl.float16)
    queries = xe.make_tensor_descriptor(q + base, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])
    # The transpose of the keys: a message can turn a block on its way.
    keys = xe.make_tensor_descriptor(k + base, [HEAD, length], [1, HEAD], [HEAD, BLOCK_N])
    values = xe.make_tensor_descriptor(v + base, [length, HEAD], [HEAD, 1], [BLOCK_N, HEAD])
    results = xe.make_tensor_descriptor(o + base, [length, HEAD], [HEAD, 1], [BLOCK_M, HEAD])

    query = queries.load([start, 0], dpas.operand(0, [BLOCK_M, HEAD], gl.float16))
    largest = gl.full([BLOCK_M], float("-inf"), gl.float32, gl.SliceLayout(1, scores))
    # Each lane adds up what it has of a row. All lanes meet after the loop.
    total = gl.zeros([BLOCK_M, LANES], gl.float32, sums)
    acc = gl.zeros([BLOCK_M, HEAD], gl.float32, output)
    keys.prefetch([0, 0])
    values.prefetch([0, 0])
    for n in range(0, length, BLOCK_N):
        key = keys.load([0, n], dpas.operand(1, [HEAD, BLOCK_N], gl.float16))
        keys.prefetch([0, n + BLOCK_N])
        score = xe.dot(query, key, gl.zeros([BLOCK_M, BLOCK_N], gl.float32, scores)) * scale
        column = n + gl.arange(0, BLOCK_N, layout=gl.SliceLayout(0, scores))
        score = gl.where(column[None, :] < length, score, float("-inf"))
        now = gl.maximum(largest, gl.max(score, 1))
        weight = gl.exp2(score - now[:, None])
        change = gl.exp2(largest - now)
        parts = gl.sum(weight.reshape([BLOCK_M, BLOCK_N // LANES, LANES]), 1)
        total = total * gl.convert_layout(change, gl.SliceLayout(1, sums))[:, None] + gl.convert_layout(parts, sums)
        largest = now
        value = values.load([n, 0], dpas.operand(1, [BLOCK_N, HEAD], gl.float16))
        values.prefetch([n + BLOCK_N, 0])
        # Rows have the same lanes and warps in all of these layouts.
        change = gl.convert_layout(change, gl.SliceLayout(1, output))
        acc = xe.dot(gl.convert_layout(weight.to(gl.float16), weights), value, acc * change[:, None])
    total = gl.convert_layout(gl.sum(total, 1), gl.SliceLayout(1, output))
    results.store([start, 0], (acc / total[:, None]).to(gl.float16))


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    batch, length, head = q.shape
    o = torch.empty_like(q)
    scale = head**-0.5 * 1.4426950408889634
    grid = (triton.cdiv(length, 128), batch)
    attention_kernel[grid](q, k, v, o, length, scale, HEAD=head, BLOCK_M=128, BLOCK_N=64, dpas=DPAS, num_warps=16)
    return o


def main() -> None:
    device = triton.runtime.driver.active.get_active_torch_device()
    q, k, v = (torch.randn(4, 300, 64, dtype=torch.float16, device=device) for _ in range(3))
    weights = torch.softmax(q.float() @ k.float().mT * 64**-0.5, -1)
    torch.testing.assert_close(attention(q, k, v).float(), weights @ v.float(), rtol=1e-2, atol=1e-2)
    print("gluon_attention: right")


if __name__ == "__main__":
    main()
