# SPDX-License-Identifier: MIT
"""Shuffles in Gluon: each lane gets the registers of another lane, or keeps its own."""

from __future__ import annotations

import pytest
import torch
from generated import load_source
from numerics import poisoned
from triton.compiler.errors import CompilationError
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from triton_xe import compiler, errors
from triton_xe.experimental import gluon as xe

pytestmark = pytest.mark.conformance

M, N, WARPS = 16, 64, 4
Layout = gl.BlockedLayout | gl.DistributedLinearLayout
#: Layouts of a matrix, by the lanes of a warp.
LAYOUTS = {
    16: {
        "pairs": gl.BlockedLayout([1, 2], [1, 16], [4, 1], [1, 0]),
        "tiles": gl.BlockedLayout([2, 4], [4, 4], [2, 2], [0, 1]),
        "linear": gl.DistributedLinearLayout(
            [[0, 8], [4, 0], [0, 1], [0, 32]], [[0, 2], [1, 0], [0, 4], [2, 0]], [[8, 0], [0, 16]], [], [M, N]
        ),
        "copies": gl.BlockedLayout([8, 8], [4, 4], [4, 1], [1, 0]),
    },
    32: {
        "pairs": gl.BlockedLayout([1, 2], [1, 32], [4, 1], [1, 0]),
        "tiles": gl.BlockedLayout([2, 4], [8, 4], [2, 2], [0, 1]),
    },
}
ELEMENTS = (torch.int8, torch.int16, torch.bfloat16, torch.int32, torch.float32, torch.int64, torch.float64)


def spread(bases: list[list[int]]) -> torch.Tensor:
    """Return the number in row-major order of the element at each position of a dimension with these bases."""
    numbers = torch.zeros(1, dtype=torch.int64)
    for row, column in bases:
        numbers = torch.cat((numbers, numbers ^ (row * N + column)))
    return numbers


def places(layout: Layout) -> torch.Tensor:
    """Return the number of the element in each register of each lane of each warp."""
    if isinstance(layout, gl.DistributedLinearLayout):
        bases = {"register": layout.reg_bases, "lane": layout.lane_bases, "warp": layout.warp_bases}
    else:
        text = (
            f"#ttg.blocked<{{sizePerThread = {list(layout.size_per_thread)}, "
            f"threadsPerWarp = {list(layout.threads_per_warp)}, warpsPerCTA = {list(layout.warps_per_cta)}, "
            f"order = {list(layout.order)}}}>"
        )
        bases = dict(compiler.native_compiler().describe_layout(text, [M, N]).bases)
    registers, lanes, warps = (spread(bases[name]) for name in ("register", "lane", "warp"))
    return registers[:, None, None] ^ lanes[None, :, None] ^ warps[None, None, :]


def expected(x: torch.Tensor, layout: Layout, source: torch.Tensor) -> torch.Tensor:
    """Return the matrix if lane l has the registers of lane source[l], or its own if that is outside."""
    lanes = len(source)
    place = places(layout)
    own = torch.arange(lanes)
    source = torch.where((source >= 0) & (source < lanes), source, own)
    result = x.flatten().clone()
    result[place.flatten()] = x.flatten()[place[:, source, :].flatten()]
    return result.reshape(M, N)


PREAMBLE = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton_xe.experimental import gluon as xe


@gluon.jit
def kernel(x, y, n, layout: gl.constexpr):
    row = gl.arange(0, 16, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    place = row[:, None] * 64 + column[None, :]
    value = gl.load(x + place)
"""


def kernel_with(expression: str) -> gluon.jit:
    return load_source(f"{PREAMBLE}    gl.store(y + place, {expression})\n", {}).kernel


def source_lanes(name: str, by: int, lanes: int) -> torch.Tensor:
    own = torch.arange(lanes)
    kinds = {"shuffle": own * 0 + by, "shuffle_xor": own ^ by, "shuffle_up": own - by, "shuffle_down": own + by}
    return kinds[name]


def check(expression: str, name: str, by: int, lanes: int, layout: str, dtype: torch.dtype = torch.float32) -> None:
    """Run a shuffle by `by`, which `n` is, too."""
    chosen = LAYOUTS[lanes][layout]
    x = torch.arange(M * N).to(dtype).reshape(M, N)
    y = poisoned((M, N), dtype)
    kernel_with(expression)[(1,)](x, y, by, chosen, num_warps=WARPS, warp_size=lanes, cpu_checks=True)
    assert torch.equal(y, expected(x, chosen, source_lanes(name, by, lanes)))


@pytest.mark.parametrize(
    ("name", "lanes", "layout"),
    [
        (name, lanes, layout)
        for lanes in LAYOUTS
        for layout in LAYOUTS[lanes]
        for name in ("shuffle", "shuffle_xor", "shuffle_up", "shuffle_down")
        # Other shuffles give different elements to lanes that have the same one, and which of them is stored is not
        # determined.
        if layout != "copies" or name == "shuffle_xor"
    ],
)
def test_constants(name, lanes, layout):
    check(f"xe.{name}(value, 5)", name, 5, lanes, layout)


@pytest.mark.parametrize("dtype", ELEMENTS, ids=str)
@pytest.mark.parametrize("name", ["shuffle_xor", "shuffle_down"])
def test_elements(name, dtype):
    check(f"xe.{name}(value, 3)", name, 3, 16, "tiles", dtype)


def test_truth_values():
    layout = LAYOUTS[16]["tiles"]
    x, y = torch.rand(M, N), poisoned((M, N), torch.float32)
    kernel_with("xe.shuffle_xor(value > 0.5, 3).to(gl.float32)")[(1,)](x, y, 2, layout, cpu_checks=True)
    assert torch.equal(y, expected((x > 0.5).float(), layout, source_lanes("shuffle_xor", 3, 16)))


@pytest.mark.parametrize("name", ["shuffle", "shuffle_xor", "shuffle_up", "shuffle_down"])
@pytest.mark.parametrize("by", [0, 7, 15, 16, 40, -1, -3])
def test_numbers_of_the_launch(name, by):
    """A lane whose source is outside of its warp keeps its value."""
    check(f"xe.{name}(value, n)", name, by, 16, "pairs")


@pytest.mark.parametrize("lanes", [16, 32])
def test_a_number_for_each_element(lanes):
    """Lanes come from a matrix that each lane has its own part of."""
    layout = LAYOUTS[lanes]["tiles"]
    x = torch.arange(M * N, dtype=torch.int32).reshape(M, N)
    y = poisoned((M, N), torch.int32)
    kernel_with("xe.shuffle(value, (value * 7 + n) % 40)")[(1,)](x, y, 3, layout, warp_size=lanes, cpu_checks=True)
    place = places(layout)
    requested = (x.flatten()[place] * 7 + 3) % 40
    own = torch.arange(lanes)[None, :, None].expand_as(requested)
    source = torch.where(requested < lanes, requested, own).long()
    result = x.flatten().clone()
    result[place.flatten()] = x.flatten()[place.gather(1, source)].flatten()
    assert torch.equal(y, result.reshape(M, N))


@gluon.jit
def sum_of_a_warp(x, y, layout: gl.constexpr):
    place = gl.arange(0, 64, layout=layout)
    value = gl.load(x + place)
    for step in gl.static_range(4):
        value += xe.shuffle_xor(value, 1 << step)
    gl.store(y + place, value)


def test_a_sum_over_lanes():
    """Each warp adds up its 16 numbers, without shared memory."""
    x, y = torch.arange(64, dtype=torch.int32), poisoned((64,), torch.int32)
    compiled = sum_of_a_warp[(1,)](x, y, gl.BlockedLayout([1], [16], [4], [0]))
    assert compiled.metadata.shared == 0
    assert torch.equal(y, x.reshape(4, 16).sum(1, dtype=torch.int32).repeat_interleave(16))


STATED_WRONGLY = {
    "xe.shuffle(n, 1)": "expected a tensor of integers or floats with a layout to shuffle: int32",
    "xe.shuffle(x + place, 1)": "expected a tensor of integers or floats with a layout to shuffle: <[",
    "xe.shuffle_xor(value, 1.5)": "`xe.shuffle_xor` takes integers of at most 32 bits, found fp32",
    "xe.shuffle_up(value, n.to(gl.int64))": "`xe.shuffle_up` takes integers of at most 32 bits, found int64",
    "xe.shuffle(value, row)": "expected one number, or one for each element in the layout of the value",
}  # fmt: skip


@pytest.mark.parametrize(("expression", "reason"), STATED_WRONGLY.items(), ids=range(len(STATED_WRONGLY)))
def test_statements_that_are_wrong(expression, reason):
    with pytest.raises(CompilationError) as caught:
        kernel_with(expression)[(1,)](torch.zeros(M, N), torch.zeros(M, N), 2, LAYOUTS[16]["pairs"])
    assert reason in str(caught.value)
    assert expression in str(caught.value)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("xe.shuffle(value, 16)", "the lanes 0 to 15, and `xe.shuffle` reaches none by 16"),
        ("xe.shuffle_xor(value, 16)", "`xe.shuffle_xor` reaches none by 16"),
        ("xe.shuffle_down(value, -1)", "`xe.shuffle_down` reaches none by -1"),
    ],
)
def test_lanes_that_do_not_exist(expression, reason):
    kernel = kernel_with(expression)
    with pytest.raises(errors.CompileError) as caught:
        kernel[(1,)](torch.zeros(M, N), torch.zeros(M, N), 2, LAYOUTS[16]["pairs"])
    (index,) = [index for index, line in enumerate(kernel.raw_src) if expression in line]
    assert f":{kernel.starting_line_number + index}: error: " in str(caught.value)
    assert reason in str(caught.value)
