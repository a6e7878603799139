# SPDX-License-Identifier: MIT
"""Masks of columns that rows may reach, with numbers at the ends of their types."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned


@triton.jit
def causal_kernel(rows_ptr, bounds_ptr, out_ptr, STEPS: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
                  KIND: tl.constexpr):  # fmt: skip
    rows = tl.load(rows_ptr + tl.arange(0, M))
    begin, end = tl.load(bounds_ptr), tl.load(bounds_ptr + 1)
    counts = tl.zeros((M, N), tl.int32)
    for step in range(STEPS):
        columns = begin + (step * N + tl.arange(0, N)).to(rows.dtype)
        if KIND == "least":
            seen = (columns[None, :] > end) & (columns[None, :] >= rows[:, None])
        elif KIND == "most":
            seen = (columns[None, :] < end) & (columns[None, :] <= rows[:, None])
        else:
            seen = (columns[None, :] < end) & (rows[:, None] >= columns[None, :]) & (rows[:, None] != 7)
        counts += tl.where(seen, 1 << step, 0)
    tl.store(out_ptr + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], counts)


@pytest.mark.pairwise
@pytest.mark.parametrize("warps", [1, 4])
@pytest.mark.parametrize("kind", ["most", "least", "three"])
@pytest.mark.parametrize("dtype", [torch.int32, torch.uint32, torch.int64], ids=["i32", "u32", "i64"])
def test_ends_of_types(dtype, kind, warps):
    """Ends, rows and columns are the greatest numbers and the least ones, and some in between; columns wrap around."""
    m, n, steps = 32, 32, 4
    numbers = np.iinfo(str(dtype).removeprefix("torch."))
    special = [numbers.min, numbers.min + 1, numbers.max, numbers.max - 1, 7, 40, 100]
    random = np.random.default_rng(1)
    rows = random.integers(0, 128, m).astype(numbers.dtype)
    rows[: len(special)] = special
    for begin in (0, numbers.max - 40, numbers.min):
        for end in (*special, 90):
            out = poisoned((m, n), torch.int32)
            bounds = torch.from_numpy(np.array([begin, end], dtype=numbers.dtype))
            causal_kernel[(1,)](torch.from_numpy(rows), bounds, out, STEPS=steps, M=m, N=n, KIND=kind, num_warps=warps)
            expected = np.zeros((m, n), np.int32)
            for step in range(steps):
                with np.errstate(over="ignore"):
                    columns = np.array(begin).astype(numbers.dtype) + (step * n + np.arange(n)).astype(numbers.dtype)
                bound = np.array(end).astype(numbers.dtype)
                if kind == "least":
                    seen = (columns > bound)[None, :] & (columns[None, :] >= rows[:, None])
                else:
                    seen = (columns < bound)[None, :] & (columns[None, :] <= rows[:, None])
                if kind == "three":
                    seen &= rows[:, None] != 7
                expected += np.where(seen, 1 << step, 0).astype(np.int32)
            np.testing.assert_array_equal(out.numpy(), expected)
