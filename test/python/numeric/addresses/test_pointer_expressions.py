# SPDX-License-Identifier: MIT
"""Random ways to write the addresses and masks of a dot's operand: raised to a block pointer or not, the same numbers.

The operand's memory is exactly what its elements that no mask hides take up, and kernels check their accesses
(`debug=True`): one that touches a hidden element at either end, or a 2D block message that addresses more than there
is, is an error. The default selection is the same in every run; `--full` draws new kernels each time.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from generated import kernel_from_source
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from numerics import assert_close, poisoned

COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck)}
FEW = settings(max_examples=30, derandomize=True, **COMMON)
MANY = settings(max_examples=300, **COMMON)

#: Rows and columns of a tile, programs, iterations of the loop.
ROWS, STEP, COLUMNS = 32, 16, 32
PROGRAMS, STEPS = 2, 3

#: The numbers of a program's rows: source, and what it is in numpy for row numbers `i` of program `p`.
STARTS = {
    "tl.program_id(0) * ROWS + i": lambda i, p, v: p * ROWS + i,
    "i + tl.program_id(0) * ROWS + FIRST": lambda i, p, v: i + p * ROWS + v["FIRST"],
    "(i - BACK) + tl.program_id(0) * ROWS": lambda i, p, v: i - v["BACK"] + p * ROWS,
    "M - 1 - (tl.program_id(0) * ROWS + i)": lambda i, p, v: v["M"] - 1 - (p * ROWS + i),
    "(tl.program_id(0) // 2 * 2 + tl.program_id(0) % 2) * ROWS + i": lambda i, p, v: p * ROWS + i,
    "2 * (tl.program_id(0) * ROWS + i)": lambda i, p, v: 2 * (p * ROWS + i),
}
#: The changes of a coordinate `r` before it is multiplied with a stride. Truncating remainders keep the sign.
BENDS = {
    "r": lambda r, v: r,
    "r % M": lambda r, v: np.fmod(r, v["M"]),
    "tl.where(r < M, r, 0)": lambda r, v: np.where(r < v["M"], r, 0),
    "tl.where(r < M, r, M - 1)": lambda r, v: np.where(r < v["M"], r, v["M"] - 1),
    "tl.max_contiguous(tl.multiple_of(r % M, 4), 4)": lambda r, v: np.fmod(r, v["M"]),
    "tl.minimum(r, M - 1)": lambda r, v: np.minimum(r, v["M"] - 1),
    "r.to(tl.int64)": lambda r, v: r,
    "(r + FIRST) - FIRST": lambda r, v: r,
}
#: Bounds of rows `r` and columns `k`.
ROW_BOUNDS = {
    "r < M": lambda r, v: r < v["M"],
    "M > r": lambda r, v: r < v["M"],
    "r <= M - 1": lambda r, v: r < v["M"],
    "(r >= 0) & (r < M)": lambda r, v: (r >= 0) & (r < v["M"]),
    "(r < M) & (r < FIRST + 40)": lambda r, v: (r < v["M"]) & (r < v["FIRST"] + 40),
    "r % 3 != 1": lambda r, v: np.fmod(r, 3) != 1,
}
COLUMN_BOUNDS = {
    "{k} < K": lambda k, v: k < v["K"],
    "K - 1 >= {k}": lambda k, v: k < v["K"],
    "{k} - K < 0": lambda k, v: k < v["K"],
    "({k} < K) | ({k} < 5)": lambda k, v: (k < v["K"]) | (k < 5),
}
#: The sums of the row's and the column's part of the address.
SUMS = (
    "a + (rows[:, None] + columns[None, :])",
    "a + rows[:, None] + columns[None, :]",
    "(a + columns)[None, :] + rows[:, None]",
    "(a + rows[:, None]) + columns[None, :]",
    "a + tl.trans(columns[:, None] + rows[None, :])",
)
LOOPS = ("recomputed", "carried", "scalar", "downwards")


@dataclass(frozen=True)
class Access:
    """One way to write a load in a loop."""

    start: str
    bend: str
    row_bound: str
    column_bound: str
    other: float | None
    sum: str
    loop: str
    #: Elements from row to row, and from column to column.
    row_stride: int
    column_stride: int
    #: This is true if the store leaves out the rows from M on, as the tutorial's does.
    hides: bool
    values: tuple[tuple[str, int], ...]

    @property
    def source(self) -> str:
        """Return the kernel: c = sum over steps of (what the load gives) @ (a step of b)."""
        counted = {"recomputed": "step * STEP + tl.arange(0, STEP)", "downwards": "(K_ALL - left) + tl.arange(0, STEP)"}
        now = {"carried": "columns_k + step * STEP", "scalar": "columns_k + step * STEP"}.get(self.loop, "columns_k")
        header = "for left in range(K_ALL, 0, -STEP)" if self.loop == "downwards" else "for step in range(STEPS)"
        number = "(K_ALL - left) // STEP" if self.loop == "downwards" else "step"
        bounds = []
        if self.row_bound:
            bounds.append(f"({self.row_bound})[:, None]")
        if self.column_bound:
            bounds.append(f"({self.column_bound.format(k=f'({now})')})[None, :]")
        mask = f", mask={' & '.join(bounds)}" if bounds else ""
        if bounds and self.other is not None:
            mask += f", other={self.other}"
        lines = [
            "i = tl.arange(0, ROWS)",
            f"r = {self.start}",
            f"rows = ({self.bend}) * ROW_STRIDE",
            "n = tl.arange(0, COLUMNS)",
            "acc = tl.zeros((ROWS, COLUMNS), tl.float32)",
        ]
        inside = []
        if self.loop in counted:
            inside = [f"columns_k = {counted[self.loop]}", "columns = columns_k * COLUMN_STRIDE"]
        else:
            lines += ["columns_k = tl.arange(0, STEP)", "columns = columns_k * COLUMN_STRIDE"]
        pointers = f"pointers = {self.sum}"
        if self.loop == "carried":
            lines.append(pointers)
        else:
            inside.append(pointers)
        inside += [
            f"x = tl.load(pointers{mask})",
            f"y = tl.load(b + ({number} * STEP + tl.arange(0, STEP))[:, None] * COLUMNS + n[None, :])",
            "acc = tl.dot(x, y, acc)",
        ]
        if self.loop == "carried":
            inside.append("pointers += STEP * COLUMN_STRIDE")
        if self.loop == "scalar":
            inside.append("a += STEP * COLUMN_STRIDE")
        lines += [header + ":", *("    " + line for line in inside)]
        lines += [
            "place = (tl.program_id(0) * ROWS + i)[:, None] * COLUMNS + n[None, :]",
            "tl.store(c + place, acc" + (", mask=(r < M)[:, None])" if self.hides else ")"),
        ]
        names = "a, b, c, M, K, K_ALL, FIRST, BACK, STEPS, ROW_STRIDE, COLUMN_STRIDE"
        constants = ", ".join(f"{name}: tl.constexpr" for name in ("ROWS", "STEP", "COLUMNS"))
        return f"def kernel({names}, {constants}):\n" + "".join(f"    {line}\n" for line in lines)

    def elements(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return for every element its place, whether no mask hides it, and its row's coordinate."""
        v = dict(self.values)
        p, i, k = np.ogrid[:PROGRAMS, :ROWS, : STEPS * STEP]
        r = STARTS[self.start](i, p, v)
        places = BENDS[self.bend](r, v) * self.row_stride + k * self.column_stride
        visible = np.ones_like(places, dtype=bool)
        if self.row_bound:
            visible &= ROW_BOUNDS[self.row_bound](r, v)
        if self.column_bound:
            visible &= COLUMN_BOUNDS[self.column_bound](k, v)
        return places, visible, np.broadcast_to(r, places.shape)

    def hints_hold(self) -> bool:
        """Return whether the hints of the kernel hold: a load may rely on them, and read more than it was to."""
        if "multiple_of" not in self.bend:
            return True
        p, i = np.ogrid[:PROGRAMS, :ROWS]
        v = dict(self.values)
        groups = BENDS[self.bend](STARTS[self.start](i, p, v), v).reshape(PROGRAMS, -1, 4)
        return bool((groups == groups[..., :1] // 4 * 4 + np.arange(4)).all())


@st.composite
def accesses(draw: st.DrawFn) -> Access:
    def choose(options):
        return draw(st.sampled_from(list(options)))

    rows_lie = draw(st.booleans())
    long = draw(st.sampled_from([64, 72, 77, 96]))
    strides = (long, 1) if rows_lie else draw(st.sampled_from([(1, 128), (1, 131), (96, 2), (64, 1)]))
    values = {
        "M": draw(st.sampled_from([64, 48, 33, 5])),
        "K": draw(st.sampled_from([48, 40, 17])),
        "FIRST": draw(st.sampled_from([0, 3, 16])),
        "BACK": draw(st.sampled_from([0, 4, 31])),
    }
    bounded = draw(st.sampled_from(["both", "both", "columns", "rows", "none"]))
    access = Access(
        start=choose(STARTS), bend=choose(BENDS),
        row_bound=choose(ROW_BOUNDS) if bounded in ("both", "rows") else "",
        column_bound=choose(COLUMN_BOUNDS) if bounded in ("both", "columns") else "",
        other=draw(st.sampled_from([0.0, None, 1.5])),
        sum=choose(SUMS), loop=choose(LOOPS), row_stride=strides[0], column_stride=strides[1],
        hides=draw(st.booleans()), values=tuple(values.items()),
    )  # fmt: skip
    return access if access.hints_hold() else dataclasses.replace(access, bend="r % M")


def check(access: Access, seed: int) -> None:
    note(access.source)
    v = dict(access.values)
    places, visible, r = access.elements()
    used = places[visible] if visible.any() else np.zeros(1, np.int64)
    low, high = min(used.min(), 0), max(used.max(), 0)
    generator = torch.Generator().manual_seed(seed)
    memory = torch.randn(int(high - low + 1), generator=generator).to(torch.float16)
    b = torch.randn(STEPS * STEP, COLUMNS, generator=generator).to(torch.float16)
    c = poisoned((PROGRAMS * ROWS, COLUMNS), torch.float32)
    kernel = kernel_from_source(access.source)
    kernel[(PROGRAMS,)](
        memory[-low:], b, c, v["M"], v["K"], STEPS * STEP, v["FIRST"], v["BACK"], STEPS,
        access.row_stride, access.column_stride, ROWS, STEP, COLUMNS, num_warps=2, debug=True,
    )  # fmt: skip
    elements = memory.double().numpy()
    x = np.where(visible, elements[np.where(visible, places - low, 0)], access.other or 0.0)
    expected = torch.from_numpy(x.reshape(PROGRAMS * ROWS, -1)) @ b.double()
    stored = torch.from_numpy(r[:, :, 0].reshape(-1) < v["M"]) if access.hides else torch.ones(len(c), dtype=torch.bool)
    # Values that a load leaves undefined are not checked.
    if access.other is None:
        stored &= torch.from_numpy(visible.all(axis=2).reshape(-1))
    untouched = r[:, :, 0].reshape(-1) >= v["M"] if access.hides else np.zeros(len(c), dtype=bool)
    if stored.any():
        assert_close(c[stored], expected[stored], 1e-3)
    assert c[torch.from_numpy(untouched)].isnan().all()


@FEW
@given(access=accesses(), seed=st.integers(0, 1 << 20))
def test_expressions(access, seed):
    check(access, seed)


@pytest.mark.full
@MANY
@given(access=accesses(), seed=st.integers(0, 1 << 20))
def test_many_expressions(access, seed):
    check(access, seed)


@triton.jit
def doubled_kernel(x, out, DOUBLINGS: tl.constexpr):
    places = tl.program_id(0) * 8 + tl.arange(0, 8)
    index = places
    for _ in tl.static_range(DOUBLINGS):
        index += index
    tl.store(out + places, tl.load(x + index % 11))


def test_index_that_is_doubled_many_times():
    """Each addition has the one before as both operands, so that there are 2^26 ways through them."""
    x, out = torch.randn(11), poisoned((16,), torch.float32)
    doubled_kernel[(2,)](x, out, 26)
    assert torch.equal(out, x[(torch.arange(16) << 26) % 11])
