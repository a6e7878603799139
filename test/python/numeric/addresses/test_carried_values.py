# SPDX-License-Identifier: MIT
"""Variables that a loop assigns again with the value that they have: addresses from them are blocks as before."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned

B = 32


@triton.jit
def product(x, y, z, n, pitch, KIND: tl.constexpr, B: tl.constexpr):
    columns, others = tl.arange(0, B), tl.arange(0, B)
    base, scale = x, pitch * 1
    acc = tl.zeros((B, B), tl.float32)
    weight = tl.load(y + tl.arange(0, B)[:, None] * B + columns[None, :])
    for i in range(n):
        rows = i * B + tl.arange(0, B)
        acc = tl.dot(tl.load(base + rows[:, None] * scale + columns[None, :]), weight, acc)
        if KIND == "again":
            columns = tl.arange(0, B)
        elif KIND == "swapped":
            columns, others = others, columns
        elif KIND == "branch":
            if i % 2 == 0:
                columns = tl.arange(0, B)
        elif KIND == "inner loop":
            for _ in range(i):
                columns = tl.arange(0, B)
        elif KIND == "choice":
            columns = tl.where(rows > 3, tl.arange(0, B), columns)
        elif KIND == "scalars":
            base, scale = x + 0, pitch * 1
        elif KIND == "changing":
            columns = B - 1 - columns
    tl.store(z + tl.arange(0, B)[:, None] * B + columns[None, :], acc)


@pytest.mark.parametrize("kind", ["again", "swapped", "branch", "inner loop", "choice", "scalars", "changing"])
@pytest.mark.parametrize("trips", [0, 3])
def test_assigned_again(kind, trips):
    """Each kind has the blocks of a loop without it, except one that really changes the columns."""
    x, y = torch.randn(3 * B, 64).half(), torch.randn(B, B).half()
    z = poisoned((B, B), torch.float32)
    plain = product.warmup(x, y, z, trips, 64, KIND="none", B=B, grid=(1,))
    kernel = product[(1,)](x, y, z, trips, 64, KIND=kind, B=B)
    blocks = [k.asm["ttgir"].count("_block %") for k in (plain, kernel)]
    assert blocks[0] >= 3 and (blocks[1] < blocks[0] if kind == "changing" else blocks[1] == blocks[0])
    want = torch.zeros(B, B, dtype=torch.float64)
    columns = torch.arange(B)
    for i in range(trips):
        want += x[i * B : (i + 1) * B, columns].double() @ y.double()
        columns = B - 1 - columns if kind == "changing" else columns
    assert torch.allclose(z[:, columns].double(), want, atol=1e-2)
