# SPDX-License-Identifier: MIT
"""Tiles that the registers of a GPU do not hold: machine code computes them in loops over slices."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned
from support import needs_ocloc

pytestmark = needs_ocloc

#: Functions of Inductor that a kernel calls: a module, while a test needs it.
triton_helpers = None


def is_sliced(kernel) -> bool:
    """Return whether values are in private memory, where loops over slices leave them."""
    return "alloca [" in kernel.asm["llir"]


@triton.jit
def softmax(x, out, length, SIZE: tl.constexpr):
    offsets = tl.arange(0, SIZE)
    value = tl.load(x + offsets, mask=offsets < length, other=-float("inf")).to(tl.float32)
    value = tl.exp(value - tl.max(value, 0))
    tl.store(out + offsets, value / tl.sum(value, 0), mask=offsets < length)


@pytest.mark.parametrize(
    ("dtype", "size", "num_warps", "chip"),
    [(torch.float32, 32768, 4, "pvc"), (torch.float16, 16384, 2, "bmg"), (torch.float32, 8192, 1, "bmg")],
)
def test_softmax(dtype: torch.dtype, size: int, num_warps: int, chip: str) -> None:
    """A lane has 512 numbers of the row."""
    x, out = torch.randn(size - 5, dtype=torch.float64).to(dtype), poisoned((size - 5,), torch.float32)
    kernel = softmax[(1,)](x, out, size - 5, SIZE=size, num_warps=num_warps, cpu_code="zebin", arch=chip)
    assert is_sliced(kernel)
    assert_close(out, x.double().softmax(0), 1e-5)


@pytest.fixture
def inductor_helpers(monkeypatch):
    """Functions of Inductor for the kernels; to import them takes longer than to collect most files."""
    from torch._inductor.runtime import triton_helpers

    monkeypatch.setitem(globals(), "triton_helpers", triton_helpers)


@triton.jit
def sort_rows(x, out, places, length, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows, columns = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    offsets = rows * length + columns
    value = tl.broadcast_to(tl.load(x + offsets, columns < length, other=0.0), [ROWS, COLUMNS])
    index = tl.broadcast_to(columns.to(tl.int16), [ROWS, COLUMNS])
    value, index = triton_helpers.sort_with_index(value, index, length, 1, stable=True, descending=False)
    tl.store(out + offsets, value, columns < length)
    tl.store(places + offsets, index.to(tl.int64), columns < length)


@pytest.mark.usefixtures("inductor_helpers")
@pytest.mark.parametrize(("dtype", "chip"), [(torch.float64, "pvc"), (torch.int64, "bmg")])
def test_sort_with_indices(dtype: torch.dtype, chip: str) -> None:
    """Each tile fits, but not all those that the sort has at once. Equal numbers keep their order."""
    rows, columns = 8, 100
    x = torch.randint(-9, 10, (rows, columns)).to(dtype)
    out, places = poisoned((rows, columns), dtype), poisoned((rows, columns), torch.int64)
    kernel = sort_rows[(1,)](x, out, places, columns, ROWS=rows, COLUMNS=128, num_warps=2, cpu_code="zebin", arch=chip)
    assert is_sliced(kernel)
    values, indices = x.sort(dim=1, stable=True)
    assert torch.equal(out, values) and torch.equal(places, indices)


@triton.jit
def scaled_tiles(x, out, COUNT: tl.constexpr, SIZE: tl.constexpr):
    """Scale each tile by the sums of the rows of all."""
    place = tl.arange(0, SIZE)[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
    tiles = ()
    total = tl.zeros((SIZE,), tl.float32)
    for i in tl.static_range(COUNT):
        tile = tl.load(x + i * SIZE * SIZE + place)
        tiles += (tile,)
        total += tl.sum(tile, 1)
    for i in tl.static_range(COUNT):
        tl.store(out + i * SIZE * SIZE + place, tiles[i] * total[:, None])


@pytest.mark.parametrize(("count", "num_warps", "chip"), [(5, 4, "pvc"), (3, 2, "bmg")])
def test_tiles_that_are_live_together(count: int, num_warps: int, chip: str) -> None:
    """Each has 16 KiB of a sub-group's registers or more, and private memory once: products are computed where they are
    stored."""
    size = 128
    x, out = torch.randn(count, size, size), poisoned((count, size, size), torch.float32)
    kernel = scaled_tiles[(1,)](x, out, count, size, num_warps=num_warps, cpu_code="zebin", arch=chip)
    assert_close(out, x.double() * x.double().sum((0, 2))[:, None], 1e-4)
    # The sums of the rows are kept, too.
    assert kernel.asm["llir"].count("alloca [") == count + 1


@triton.jit
def recurrences(x, decay, out, steps, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """A loop carries a tile; each of its steps has a scan along the dimension that is cut, and a reduction."""
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    state = tl.zeros((ROWS, COLUMNS), tl.float32)
    for step in range(steps):
        factor = tl.load(decay + step)
        state = state * factor + tl.cumsum(tl.load(x + step * ROWS * COLUMNS + offsets), 0)
        state -= tl.max(state, 1)[:, None]
    tl.store(out + offsets, state)


@pytest.mark.parametrize(
    ("rows", "columns", "num_warps", "chip"), [(128, 64, 2, "bmg"), (64, 256, 4, "pvc"), (512, 8, 1, "bmg")]
)
def test_carried_tiles(rows: int, columns: int, num_warps: int, chip: str) -> None:
    steps = 2
    x, decay, out = torch.randn(steps, rows, columns), torch.rand(steps), poisoned((rows, columns), torch.float32)
    recurrences[(1,)](
        x, decay, out, steps, ROWS=rows, COLUMNS=columns, num_warps=num_warps, cpu_code="zebin", arch=chip
    )
    state = torch.zeros(rows, columns, dtype=torch.float64)
    for step in range(steps):
        state = state * decay[step].double() + x[step].double().cumsum(0)
        state -= state.amax(1, keepdim=True)
    assert_close(out, state, 1e-4)


@triton.jit
def counts(x, out, total, length, SIZE: tl.constexpr):
    """A chain under a mask, whose elements become bytes, and an atomic addition of each of them."""
    offsets = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    mask = offsets < length
    value = tl.load(x + offsets, mask=mask, other=0)
    flag = ((value & 3) == 1) ^ (value < 0) | ((value > 50) & (value % 7 != 0))
    tl.store(out + offsets, flag.to(tl.int8), mask=mask)
    tl.atomic_add(total + value.to(tl.int32) % 4 + 4, flag.to(tl.int32), mask=mask)


@pytest.mark.parametrize(("dtype", "chip"), [(torch.int16, "bmg"), (torch.int64, "pvc")])
def test_bytes_and_atomics(dtype: torch.dtype, chip: str) -> None:
    size, length = 8192, 8192 + 777
    x = torch.randint(-100, 100, (length,)).to(dtype)
    out, total = poisoned((length,), torch.int8), torch.zeros(8, dtype=torch.int32)
    counts[(2,)](x, out, total, length, SIZE=size, num_warps=1, cpu_code="zebin", arch=chip)
    value = x.numpy().astype(np.int64)
    # Remainders have the sign of the dividend.
    flag = ((value & 3) == 1) ^ (value < 0) | ((value > 50) & (np.fmod(value, 7) != 0))
    assert np.array_equal(out.numpy(), flag.astype(np.int8))
    assert np.array_equal(total.numpy(), np.bincount(np.fmod(value, 4) + 4, weights=flag, minlength=8).astype(np.int32))
