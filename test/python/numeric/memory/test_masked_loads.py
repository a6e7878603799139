# SPDX-License-Identifier: MIT
"""Masked loads of tensors: every kind of mask, of address, of `other`, in every layout that these get.

Memory ends with the last element that no mask hides, before a page without access rights. Elements that a mask hides
lie after that, or anywhere.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import pytest
import torch
import triton
import triton.language as tl
from allpairspy import AllPairs
from generated import kernel_from_source
from numeric.language_cases import ANY, TORCH_TYPES
from numeric.memory.test_memory import as_integers, random_values
from numeric.slices.test_cpu_lanes import between_guards
from numerics import poisoned

#: Rows and columns of a block; `i` and `j` are the numbers of both in the kernel.
SHAPES = {"vector": (1, 256), "small": (1, 8), "matrix": (8, 64), "tall": (64, 4)}
#: The place of element (i, j): elements side by side make vectors.
PLACES = {
    "rows": "i * {columns} + j",
    "pitched": "i * {pitch} + j",
    "columns": "j * {rows} + i",
    "strided": "(i * {columns} + j) * 3",
    "gather": "tl.load(index_ptr + i * {columns} + j)",
}
#: Masks in Python; `n` is a multiple of 16, which makes masks of whole vectors, `m` is not.
MASKS = {
    "nothing": "(i < 0) & (j < n)",
    "everything": "(i >= 0) & (j >= 0)",
    "columns": "(j < m) & (i >= 0)",
    "whole_vectors": "(j < n) & (i >= 0)",
    "every_row": "(i % 2 == 1) & (j >= 0)",
    "elements": "(i * 5 + j * 3) % 7 < 3",
    "program": "(i >= 0) & (j >= 0) & (flag != 0)",
    "not_program": "(i >= 0) & (j >= 0) & (flag == 0)",
}
OTHERS = {"none": "", "zero": ", other=0.0", "number": ", other=1.0", "tensor": ", other=other"}

VARIANTS = {
    "element_type": ANY,
    "shape": list(SHAPES),
    "place": list(PLACES),
    "mask": list(MASKS),
    "other": list(OTHERS),
    "num_warps": [1, 4, 8],
    "warp_size": [16, 32],
    "volatile": [False, False, True],
}


@dataclass(frozen=True)
class MaskedLoad:
    """One combination."""

    element_type: str
    shape: str
    place: str
    mask: str
    other: str
    num_warps: int
    warp_size: int
    volatile: bool

    def __str__(self) -> str:
        text = f"{self.element_type}-{self.shape}-{self.place}-{self.mask}-{self.other}"
        return f"{text}-{self.num_warps}x{self.warp_size}{'-volatile' * self.volatile}"


CASES = {str(case): case for case in (MaskedLoad(*values) for values in AllPairs(list(VARIANTS.values())))}


def kernel_text(case: MaskedLoad, pitch: int) -> str:
    rows, columns = SHAPES[case.shape]
    sizes = {"rows": rows, "columns": columns, "pitch": pitch}
    hint = ", volatile=True" * case.volatile
    lines = [
        "def kernel(x_ptr, other_ptr, index_ptr, y_ptr, n, m, flag):",
        f"    i = tl.arange(0, {rows})[:, None]",
        f"    j = tl.arange(0, {columns})[None, :]",
        f"    other = tl.load(other_ptr + i * {columns} + j)",
        f"    place = {PLACES[case.place].format(**sizes)}",
        f"    x = tl.load(x_ptr + place, {MASKS[case.mask]}{OTHERS[case.other]}{hint})",
        f"    tl.store(y_ptr + i * {columns} + j, x)",
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.opencl
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_masked_load(case: MaskedLoad) -> None:
    rows, columns = SHAPES[case.shape]
    dtype = TORCH_TYPES[case.element_type]
    seed = zlib.crc32(str(case).encode())
    pitch, n, m, flag = columns + 16, columns // 32 * 16, columns - 3, 1
    i, j = torch.arange(rows)[:, None], torch.arange(columns)[None, :]
    mask = eval(MASKS[case.mask], {"i": i, "j": j, "n": n, "m": m, "flag": flag}).expand(rows, columns)
    places = {
        "rows": i * columns + j,
        "pitched": i * pitch + j,
        "columns": j * rows + i,
        "strided": (i * columns + j) * 3,
    }
    if case.place == "gather":
        generator = torch.Generator().manual_seed(seed)
        place = torch.randint(-(2**40), 2**40, (rows, columns), generator=generator)
        place[mask] = torch.randint(0, rows * columns, (int(mask.sum()),), generator=generator)
    else:
        place = places[case.place]
    count = int(place[mask].max()) + 1 if mask.any() else 1
    # Vectors want aligned rows: only the end of memory can be next to the guard.
    x = between_guards(count, torch.uint8 if dtype == torch.bool else dtype, at_end=count * dtype.itemsize % 16 == 0)
    x = x.view(dtype)
    x.copy_(random_values((count,), dtype, seed))
    other = random_values((rows, columns), dtype, seed + 1)
    y = poisoned((rows, columns), torch.int8 if dtype == torch.bool else dtype)

    text = kernel_text(case, pitch)
    options = {"num_warps": case.num_warps, "warp_size": case.warp_size}
    kernel_from_source(text)[(1,)](x, other, place.contiguous(), y, n, m, flag, **options)

    # Torch cannot pick elements of all types.
    constants = {"zero": torch.zeros((), dtype=dtype), "number": torch.ones((), dtype=dtype)}
    expected = as_integers(constants.get(case.other, other)).expand(rows, columns).clone()
    expected[mask] = as_integers(x)[place[mask]]
    known = mask if case.other == "none" else torch.ones_like(mask)
    assert torch.equal(as_integers(y)[known], expected[known]), text


@triton.jit
def follow_pointers(table_ptr, y_ptr, count, SIZE: tl.constexpr):
    """Elements of pointers in a table, which is masked as they are."""
    i = tl.arange(0, SIZE)
    pointers = tl.load(table_ptr.to(tl.pointer_type(tl.pointer_type(tl.float32))) + i, mask=i < count)
    tl.store(y_ptr + i, tl.load(pointers, mask=i < count, other=-1.0))


@pytest.mark.opencl
@pytest.mark.parametrize("warp_size", [16, 32])
@pytest.mark.parametrize("count", [0, 1, 37, 64, 128])
def test_pointers_from_a_masked_table(count, warp_size):
    x = torch.randn(128)
    order = torch.randperm(128)[:count]
    table = between_guards(max(count, 1), torch.int64, at_end=True)
    table.fill_(0)
    table[:count] = x.data_ptr() + 4 * order
    y = poisoned((128,), torch.float32)
    follow_pointers[(1,)](table, y, count, 128, num_warps=2, warp_size=warp_size)
    expected = torch.full_like(y, -1.0)
    expected[:count] = x[order]
    assert torch.equal(y, expected)


@triton.jit
def load_first_columns(table_ptr, y_ptr, COLUMNS: tl.constexpr):
    """Rows of pointers, of which the first is none. Half of each mask is known to be false."""
    i, j = tl.arange(0, 16), tl.arange(0, 16)
    rows = tl.load(table_ptr + i).to(tl.pointer_type(tl.float32))
    mask = (i != 0)[:, None] & (j < COLUMNS)[None, :]
    x = tl.load(rows[:, None] + j[None, :], mask=mask, other=0.0)
    tl.store(y_ptr + i[:, None] * 16 + j[None, :], x)


@pytest.mark.opencl
@pytest.mark.parametrize("columns", [1, 2, 8])
@pytest.mark.parametrize("num_warps", [1, 4, 16])
def test_rows_behind_no_pointer(columns, num_warps):
    """An ordinary load of a half without a mask is an access to the pointer of the first row."""
    x, y = torch.randn(16, columns), poisoned((16, 16), torch.float32)
    table = x.data_ptr() + torch.arange(16) * columns * 4
    table[0] = 0
    load_first_columns[(1,)](table, y, columns, num_warps=num_warps)
    expected = torch.zeros(16, 16)
    expected[1:, :columns] = x[1:]
    assert torch.equal(y, expected)


@triton.jit
def count_visits(x_ptr, y_ptr, rounds, limit, SIZE: tl.constexpr):
    """Loads in a loop, whose masks and values change as the loop stores."""
    i = tl.arange(0, SIZE)
    for k in range(rounds):
        x = tl.load(x_ptr + i, mask=(i + k) % 3 != 0, other=100)
        y = tl.load(y_ptr + i, mask=(i < limit) & (x < 100), other=7)
        tl.store(y_ptr + i, x + y, mask=i % 2 == k % 2)


@pytest.mark.opencl
@pytest.mark.parametrize("limit", [0, 50, 64])
def test_loads_stay_between_stores(limit):
    """A load without a branch around it sees what the iteration before has stored, and nothing later."""
    size, rounds = 64, 5
    i = torch.arange(size)
    x = torch.arange(size, dtype=torch.int32)
    y = torch.arange(size, dtype=torch.int32) * 3
    expected = y.clone()
    for k in range(rounds):
        left = torch.where((i + k) % 3 != 0, x, 100)
        right = torch.where((i < limit) & (left < 100), expected, 7)
        expected = torch.where(i % 2 == k % 2, left + right, expected).to(torch.int32)
    count_visits[(1,)](x, y, rounds, limit, size, num_warps=1)
    assert torch.equal(y, expected)
