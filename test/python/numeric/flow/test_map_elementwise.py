# SPDX-License-Identifier: MIT
"""Scalar functions with control flow on every element, alone and in packs."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numeric.layouts import LANES
from numerics import assert_close, poisoned, random_tensor
from support import covers, needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def branches(x, y):
    """Early returns: blocks that `scf` does not have."""
    if x > 1:
        return x - y
    if y > 0:
        return y * 2
    return x + y


@triton.jit
def collatz_steps(x):
    """A loop with another number of iterations for every element."""
    steps = 0
    while x > 1:
        x = tl.where(x % 2 == 0, x // 2, 3 * x + 1)
        steps += 1
    return steps


@triton.jit
def divide_two(a0, a1, b0, b1):
    """Quotients and remainders of a pack of two."""
    if b0 == b1:
        return a0 // b0, a1 // b0, a0 % b0, a1 % b0
    return a0 // b0, a1 // b1, a0 % b0, a1 % b1


@triton.jit
def kernel(x, y, out, rest, N: tl.constexpr, FUNCTION: tl.constexpr):
    """Applies a function inside a loop, whose body has one block."""
    index = tl.arange(0, N)
    for step in range(2):
        place = step * N + index
        a, b = tl.load(x + place), tl.load(y + place)
        if FUNCTION == "branches":
            tl.store(out + place, tl.map_elementwise(branches, a, b))
        elif FUNCTION == "loop":
            tl.store(out + place, tl.map_elementwise(collatz_steps, a))
        else:
            quotient, remainder = tl.map_elementwise(divide_two, a, b, pack=2)
            tl.store(out + place, quotient)
            tl.store(rest + place, remainder)


@covers("tl.map_elementwise", "i32")
@pytest.mark.parametrize(
    ("dtype", "n", "num_warps", "warp_size"),
    [(torch.float32, 128, 4, 16), (torch.bfloat16, 256, 2, 32), (torch.float16, 16, 2, 16), (torch.int32, 64, 1, 32)],
)
def test_branches(dtype, n, num_warps, warp_size):
    x, y = (random_tensor((2 * n,), dtype, seed) for seed in (1, 2))
    if dtype == torch.int32:
        x, y = x % 5 - 2, y % 5 - 2
    out = poisoned((2 * n,), dtype)
    kernel[(1,)](x, y, out, None, n, "branches", num_warps=num_warps, warp_size=warp_size)
    a, b = x.to(torch.float64), y.to(torch.float64)
    expected = torch.where(a > 1, a - b, torch.where(b > 0, b * 2, a + b))
    assert_close(out, expected.to(dtype), {torch.int32: 0.0, torch.float32: 1e-6}.get(dtype, 8e-3))


@pytest.mark.parametrize("warp_size", [16, 32])
def test_loop(warp_size):
    n = 128
    x = torch.randint(1, 100, (2 * n,), generator=torch.Generator().manual_seed(3)).to(torch.int32)
    out = poisoned((2 * n,), torch.int32)
    kernel[(1,)](x, x, out, None, n, "loop", warp_size=warp_size)
    expected = []
    for value in x.tolist():
        steps = 0
        while value > 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps += 1
        expected.append(steps)
    assert out.tolist() == expected


@pytest.mark.parametrize(("n", "num_warps"), [(256, 2), (16, 1), (8, 4)])
def test_pack(n, num_warps):
    """Also with one register per work-item, and with fewer elements than lanes."""
    x = torch.randint(0, 1000, (2 * n,), generator=torch.Generator().manual_seed(4)).to(torch.int32)
    y = torch.randint(1, 9, (2 * n,), generator=torch.Generator().manual_seed(5)).to(torch.int32)
    out, rest = poisoned((2 * n,), torch.int32), poisoned((2 * n,), torch.int32)
    kernel[(1,)](x, y, out, rest, n, "pack", num_warps=num_warps)
    assert torch.equal(out, x // y)
    assert torch.equal(rest, x % y)


@triton.jit
def pick_pointer(p, q, x):
    """Pointers go in and out, and a value from outside comes in."""
    if x > 0:
        return p
    return q


@triton.jit
def select_pointers(p, q, x, out, N: tl.constexpr):
    """Loads through pointers that a mapped function has chosen."""
    index = tl.arange(0, N)
    chosen = tl.map_elementwise(pick_pointer, p + index, q + index, tl.load(x + index))
    tl.store(out + index, tl.load(chosen))


def test_pointers():
    n = 64
    p, q, x = (random_tensor((n,), torch.float32, seed) for seed in (1, 2, 3))
    out = poisoned((n,), torch.float32)
    select_pointers[(1,)](p, q, x, out, n)
    assert torch.equal(out, torch.where(x > 0, p, q))


@needs_ocloc
def test_native_code():
    source = ASTSource(
        kernel,
        {"x": "*fp32", "y": "*fp32", "out": "*fp32", "rest": "*fp32"},
        {"N": 128, "FUNCTION": "branches"},
    )
    compiled = triton.compile(source, target=GPUTarget("xpu", "pvc", LANES), options={"generate_native_code": True})
    assert compiled.asm["zebin"]
