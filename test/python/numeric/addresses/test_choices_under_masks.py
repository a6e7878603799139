# SPDX-License-Identifier: MIT
"""Addresses with a choice in them, for accesses with masks: the choice where a mask hides it does not matter.

The same one-dimensional condition may mask the rows, the columns, or both, and decide between numbers of rows or of
columns: it hides a choice only along the dimension that it masks.
"""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned, random_tensor

BLOCK = 32
ROWS = tl.constexpr(1)
COLUMNS = tl.constexpr(2)


@triton.jit
def numbers(i, c, table, CHOICE: tl.constexpr):
    """The numbers along one dimension, some of which `c` decides."""
    if CHOICE == "where":
        return tl.where(c, i, 0)
    if CHOICE == "other":
        return tl.where(c, i, 31 - i)
    if CHOICE == "nested":
        return tl.where(c, tl.where(i < 20, i, 1), 2)
    if CHOICE == "page":
        return tl.load(table + i // 16, mask=c, other=1) * 16 + i % 16
    if CHOICE == "token":
        return tl.load(table + 2 + i, mask=c, other=3)
    return i


@triton.jit
def choose(
    x, table, w, out, n, stride, CHOICE: tl.constexpr, CHOSEN: tl.constexpr, MASKED: tl.constexpr, B: tl.constexpr
):
    i = tl.arange(0, B)
    c = i < n
    row = numbers(i, c, table, CHOICE) if CHOSEN & ROWS else i
    column = numbers(i, c, table, CHOICE) if CHOSEN & COLUMNS else i
    if MASKED == ROWS:
        mask = c[:, None] & (i[None, :] < B)
    elif MASKED == COLUMNS:
        mask = c[None, :] & (i[:, None] < B)
    else:
        mask = c[:, None] & c[None, :]
    a = tl.load(x + row[:, None] * stride + column[None, :], mask=mask, other=0.0)
    b = tl.load(w + i[:, None] * B + i[None, :])
    tl.store(out + i[:, None] * B + i[None, :], tl.dot(a, b))


@pytest.mark.pairwise
@pytest.mark.parametrize("choice", ["where", "other", "nested", "page", "token"])
@pytest.mark.parametrize("chosen", [1, 2, 3])
@pytest.mark.parametrize("masked", [1, 2, 3])
@pytest.mark.parametrize("n", [0, 8, 16, 25, 32])
def test_choice(choice, chosen, masked, n):
    """Rows, columns or both are chosen under a condition that masks rows, columns or both."""
    x = random_tensor((64, BLOCK * 2), torch.float16, n)
    tokens = torch.randperm(BLOCK, generator=torch.Generator().manual_seed(n)).to(torch.int32)
    table = torch.cat([torch.tensor([1, 0], dtype=torch.int32), tokens])
    w, out = torch.eye(BLOCK).half(), poisoned((BLOCK, BLOCK), torch.float32)
    choose[(1,)](x, table, w, out, n, x.stride(0), CHOICE=choice, CHOSEN=chosen, MASKED=masked, B=BLOCK)

    i = torch.arange(BLOCK)
    c = i < n
    found = {
        "where": lambda: torch.where(c, i, 0),
        "other": lambda: torch.where(c, i, 31 - i),
        "nested": lambda: torch.where(c, torch.where(i < 20, i, 1), 2),
        "page": lambda: torch.where(c, table[i // 16].long(), 1) * 16 + i % 16,
        "token": lambda: torch.where(c, tokens.long(), 3),
    }[choice]()
    row, column = found if chosen & 1 else i, found if chosen & 2 else i
    everywhere = torch.ones(BLOCK, dtype=torch.bool)
    mask = (c if masked & 1 else everywhere)[:, None] & (c if masked & 2 else everywhere)[None, :]
    assert_close(out, torch.where(mask, x[row][:, column].double(), 0.0), 0)
