# SPDX-License-Identifier: MIT
"""Blocks whose place a table has are prefetched: its entries are read ahead, but never past its end."""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from numeric.slices.test_cpu_lanes import between_guards
from numerics import assert_close, poisoned, random_tensor

ROWS, COLUMNS, PAGE = 16, 64, 32


@triton.jit
def paged_kernel(
    a_ptr, cache_ptr, c_ptr, table_ptr, first, pages, stride,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, PAGE: tl.constexpr, STEP: tl.constexpr,
):  # fmt: skip
    """Columns of `a` times those pages of a cache that a table has for them."""
    i, j, k = tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, PAGE)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for page in range(first, pages, STEP):
        number = tl.load(table_ptr + page).to(tl.int64)
        a = tl.load(a_ptr + i[:, None] * stride + page * PAGE + k[None, :])
        b = tl.load(cache_ptr + (number * PAGE + k[:, None]) * COLUMNS + j[None, :])
        total += tl.dot(a, b)
    tl.store(c_ptr + i[:, None] * COLUMNS + j[None, :], total)


# The OpenCL runtime takes longer for more stages, up to half a minute.
@pytest.mark.parametrize("num_stages", [pytest.param(2, marks=pytest.mark.opencl), 3, 4])
@pytest.mark.parametrize(("first", "pages", "step"), [(0, 0, 1), (0, 1, 1), (0, 3, 1), (2, 7, 1), (1, 6, 2), (5, 2, 1)])
def test_pages(first, pages, step, num_stages):
    """The table ends before memory without access rights; entries that are not used are wild."""
    used = range(first, pages, step)
    size = max(pages, 1)
    table = between_guards(size, torch.int32, at_end=True)
    table.fill_(2**30)
    for page, number in zip(used, torch.randperm(9).tolist(), strict=False):
        table[page] = number
    a = random_tensor((ROWS, size * PAGE), torch.float16, 1)
    cache = random_tensor((9, PAGE, COLUMNS), torch.float16, 2)
    c = poisoned((ROWS, COLUMNS), torch.float32)
    compiled = paged_kernel[(1,)](
        a, cache, c, table, first, pages, a.stride(0), ROWS, COLUMNS, PAGE, step, num_warps=1, num_stages=num_stages
    )
    guarded = re.findall(
        r"scf\.if [^\n]*\n(?:(?!\n    \}).)*?tt\.load.*?ttig\.prefetch", compiled.asm["ttgir"], re.DOTALL
    )
    assert len(guarded) == num_stages
    expected = torch.zeros((ROWS, COLUMNS), dtype=torch.float64)
    for page in used:
        expected += a[:, page * PAGE : (page + 1) * PAGE].double() @ cache[table[page]].double()
    assert_close(c, expected, 2e-3)


def test_checks_find_nothing():
    """Kernels that check themselves read no entry ahead that does not exist, and fetch no page of one."""
    table = torch.tensor([3, 1, 2, 0], dtype=torch.int32)
    a = random_tensor((ROWS, 4 * PAGE), torch.float16, 3)
    cache = random_tensor((4, PAGE, COLUMNS), torch.float16, 4)
    c = poisoned((ROWS, COLUMNS), torch.float32)
    options = {"num_warps": 1, "num_stages": 3, "debug": True}
    paged_kernel[(1,)](a, cache, c, table, 0, 4, a.stride(0), ROWS, COLUMNS, PAGE, 1, **options)
    expected = a.double() @ cache[table.long()].flatten(0, 1).double()
    assert_close(c, expected, 2e-3)
