# SPDX-License-Identifier: MIT
"""Branches and loops on scalars, which are the same for all work-items of a program, wherever they come from.

In such a branch work-items may wait for each other (a reduction over several sub-groups), exchange values, and send 2D
block messages.
"""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned

N = 512


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def scalar_of(x, p, counter, KIND: tl.constexpr, N: tl.constexpr):
    """A number between 0 and 3, which `x` (of 0 and 1, all of one row 0) decides."""
    i = tl.arange(0, N)
    if KIND == "sum":
        return tl.sum(x).to(tl.int32) % 4
    if KIND == "max":
        return tl.max(x * (i % 4)).to(tl.int32)
    if KIND == "min":
        return 3 - tl.min(3 - x * (i % 4)).to(tl.int32)
    if KIND == "argmax":
        return tl.argmax(x * (i % 4), 0) % 4
    if KIND == "argmin":
        return tl.argmin(1 - x, 0) % 4
    if KIND == "xor":
        return tl.xor_sum((x * (i % 4)).to(tl.int32))
    if KIND == "reduce":
        return tl.reduce(x.to(tl.float16), 0, add).to(tl.int32) % 4
    if KIND == "wide":
        return (tl.sum(x.to(tl.int64)) % 4).to(tl.int32)
    if KIND == "scan":
        return tl.sum(tl.where(i == N - 1, tl.cumsum(x, 0), 0)).to(tl.int32) % 4
    if KIND == "two":
        # For a block of two dimensions.
        return tl.max(tl.sum(tl.reshape(x, (N // 16, 16)), 0)).to(tl.int32) % 4
    if KIND == "load":
        return tl.load(p).to(tl.int32) % 4
    if KIND == "atomic":
        return tl.atomic_add(counter, 0) % 4
    if KIND == "histogram":
        return tl.sum(tl.histogram(x.to(tl.int32), 16) * (tl.arange(0, 16) == 1)) % 4
    if KIND == "sort":
        return tl.sum(tl.sort(x) * (i % 2)).to(tl.int32) % 4
    return tl.sum(tl.gather(x, (N - 1 - i).to(tl.int32), 0)).to(tl.int32) % 4


@triton.jit
def work(x, a, b, WORK: tl.constexpr, N: tl.constexpr):
    """A number that takes all work-items."""
    if WORK == "reduction":
        return tl.sum(x * 2)
    if WORK == "scan":
        return tl.max(tl.cumsum(x, 0))
    if WORK == "block":
        i = tl.arange(0, 32)
        left = tl.load(a + i[:, None] * 32 + i[None, :])
        right = tl.load(b + i[:, None] * 32 + i[None, :])
        return tl.sum(tl.sum(tl.dot(left, right), 1), 0)
    return tl.sum(tl.trans(tl.reshape(x, (N // 16, 16))).reshape(N) * tl.arange(0, N))


@triton.jit
def branch(px, a, b, counter, out, KIND: tl.constexpr, WORK: tl.constexpr, N: tl.constexpr):
    x = tl.load(px + tl.arange(0, N))
    chosen = scalar_of(x, px + N, counter, KIND, N)
    total = 0.0
    if chosen > 0:
        total += work(x, a, b, WORK, N)
    else:
        total -= work(x, a, b, WORK, N) + 1
    tl.store(out, chosen.to(tl.float32))
    tl.store(out + 1, total)


@triton.jit
def loop(px, a, b, counter, out, KIND: tl.constexpr, WORK: tl.constexpr, N: tl.constexpr):
    """The number of iterations, and what the next one does, depend on what an iteration has found."""
    x = tl.load(px + tl.arange(0, N))
    left = scalar_of(x, px + N, counter, KIND, N)
    chosen = left
    total, step = 0.0, 0
    while left >= 0:
        if step == 1:
            total += work(x, a, b, WORK, N)
        step = 0 if step == 2 else step + 1
        left -= 1 + tl.max(x - x).to(tl.int32)
    tl.store(out, chosen.to(tl.float32))
    tl.store(out + 1, total)


KINDS = (
    "sum", "max", "min", "argmax", "argmin", "xor", "reduce", "wide", "scan", "two", "load", "atomic", "histogram",
    "sort", "gather",
)  # fmt: skip
WORKS = ("reduction", "block", "scan", "transpose")
#: Pairs of all kinds and works, kinds and warps, works and warps.
CASES = [(kind, WORKS[(k + w) % 4], warps) for k, kind in enumerate(KINDS) for w, warps in enumerate((4, 8, 32))]


def scalar(kind: str, x: torch.Tensor, count: int) -> int:
    """Return the reference of `scalar_of`."""
    i = torch.arange(N)
    total = int(x.sum())
    return {
        "max": lambda: int((x * (i % 4)).max()),
        "min": lambda: int((x * (i % 4)).max()),
        "argmax": lambda: int((x * (i % 4)).argmax()) % 4,
        "argmin": lambda: int((1 - x).argmin()) % 4,
        "xor": lambda: int(
            torch.stack([(x * (i % 4)).int() >> bit & 1 for bit in range(2)]).sum(1) % 2 @ torch.tensor([1, 2])
        ),
        "two": lambda: int(x.reshape(N // 16, 16).sum(0).max()) % 4,
        "load": lambda: count % 4,
        "atomic": lambda: count % 4,
        "sort": lambda: int((x.sort()[0] * (i % 2)).sum()) % 4,
    }.get(kind, lambda: total % 4)()


@pytest.mark.parametrize("kernel", [branch, loop], ids=lambda kernel: kernel.__name__)
@pytest.mark.parametrize(("kind", "task", "num_warps"), CASES)
def test_scalars(kernel, kind, task, num_warps):
    """Several inputs for each, so that branches go both ways."""
    a, b = torch.randn(32, 32).half(), torch.randn(32, 32).half()
    for ones in (0, 1, 2, 3, 5, 64):
        x = torch.zeros(N)
        x[torch.randperm(N)[:ones]] = 1.0
        count = ones + 1
        counter, out = torch.tensor([count], dtype=torch.int32), poisoned((2,), torch.float32)
        kernel[(1,)](
            torch.cat([x, torch.tensor([float(count)])]), a, b, counter, out, kind, task, N, num_warps=num_warps
        )
        chosen = scalar(kind, x, count)
        done = {
            "reduction": lambda: x.sum() * 2,
            "scan": lambda: x.sum(),
            "block": lambda: (a.double() @ b.double()).sum(),
            "transpose": lambda: (x.reshape(N // 16, 16).T.reshape(N) * torch.arange(N)).sum(),
        }[task]()
        if kernel is branch:
            expected = done if chosen > 0 else -done - 1
        else:
            expected = done * sum(step % 3 == 1 for step in range(chosen + 1))
        assert out[0] == chosen
        torch.testing.assert_close(out[1].double(), torch.as_tensor(expected).double(), rtol=1e-3, atol=0.05)
