# SPDX-License-Identifier: MIT
"""Sums with rows of an identity matrix: machine code of GPUs adds to one lane of a register."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned
from support import needs_ocloc

pytestmark = needs_ocloc


@triton.jit
def diagonal_kernel(x_ptr, out_ptr, count, NUMBER: tl.constexpr, SHIFT: tl.constexpr, N: tl.constexpr):
    """Matrices plus a diagonal of one number, and of ones where a program has more than one matrix."""
    i, j = tl.arange(0, N), tl.arange(0, N)
    offset = tl.program_id(0) * N * N + i[:, None] * N + j[None, :]
    x = tl.load(x_ptr + offset)
    x += tl.where(i[:, None] == j[None, :] + SHIFT, NUMBER, 0.0)
    if count > 1:
        x = x * 2 + (i[:, None] == j[None, :])
    for _ in range(count):
        x = (j[None, :] == i[:, None]) + x
    tl.store(out_ptr + offset, x)


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize(("size", "num_warps"), [(16, 1), (16, 4), (32, 2), (64, 4)])
@pytest.mark.parametrize(("number", "shift", "count"), [(1.0, 0, 0), (-2.5, 3, 1), (1e-30, -1, 2)])
def test_diagonals(size, num_warps, number, shift, count, arch):
    """All bits are those of the sums, those of negative zeros and special numbers among them."""
    x = torch.randn(2, size, size)
    special = torch.tensor([0.0, -0.0, torch.inf, -torch.inf, torch.nan, -1.0, 2.5, -1e-30, 1e-40])
    where = torch.rand(x.shape) < 0.5
    x[where] = special[torch.randint(len(special), (int(where.sum()),))]
    out = poisoned(x.shape, torch.float32)
    options = {"num_warps": num_warps, "cpu_code": "zebin", "arch": arch}
    diagonal_kernel[(2,)](x, out, count, NUMBER=number, SHIFT=shift, N=size, **options)
    row, column = np.arange(size)[:, None], np.arange(size)[None, :]
    ones = (row == column).astype(np.float32)
    expected = x.numpy() + np.where(row == column + shift, np.float32(number), np.float32(0))
    if count > 1:
        expected = expected * np.float32(2) + ones
    for _ in range(count):
        expected = ones + expected
    result = out.numpy()
    is_nan = np.isnan(expected)
    assert np.array_equal(np.isnan(result), is_nan)
    assert np.array_equal(result.view(np.int32)[~is_nan], expected.view(np.int32)[~is_nan])
