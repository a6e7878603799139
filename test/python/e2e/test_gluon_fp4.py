# SPDX-License-Identifier: MIT
"""`gl.fp4_to_fp`: two values of e2m1 in each byte, the lower half first."""

from __future__ import annotations

import pytest
import torch
from generated import load_source
from numerics import poisoned
from triton.compiler.errors import CompilationError
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

pytestmark = pytest.mark.conformance

M, N = 16, 32
LAYOUTS = {
    "rows": gl.BlockedLayout([1, 4], [2, 8], [4, 1], [1, 0]),
    "columns": gl.BlockedLayout([4, 1], [4, 4], [1, 4], [0, 1]),
    "single": gl.BlockedLayout([1, 1], [4, 4], [2, 2], [1, 0]),
    "linear": gl.DistributedLinearLayout(
        [[0, 8], [4, 0], [0, 1]], [[0, 2], [1, 0], [0, 4], [2, 0]], [[8, 0], [0, 16]], [], [M, N]
    ),
    "slice": gl.SliceLayout(1, gl.BlockedLayout([1, 2, 4], [2, 2, 4], [2, 1, 2], [2, 0, 1])),
}
ELEMENTS = {gl.float16: torch.float16, gl.bfloat16: torch.bfloat16}
#: The values of e2m1, by their bits.
VALUES = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


@gluon.jit
def unpack(x, y, axis: gl.constexpr, element: gl.constexpr, layout: gl.constexpr):
    row = gl.arange(0, 16, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    value = gl.fp4_to_fp(gl.load(x + row[:, None] * 32 + column[None, :]), element, axis)
    rows: gl.constexpr = 32 if axis == 0 else 16
    columns: gl.constexpr = 64 if axis == 1 else 32
    # Any layout will do for what is stored.
    row = gl.arange(0, rows, layout=gl.SliceLayout(1, value.type.layout))
    column = gl.arange(0, columns, layout=gl.SliceLayout(0, value.type.layout))
    gl.store(y + row[:, None] * columns + column[None, :], value)


def unpacked(x: torch.Tensor, axis: int, dtype: torch.dtype) -> torch.Tensor:
    halves = torch.stack((x & 15, x.view(torch.uint8) >> 4), axis + 1)
    shape = [M, N]
    shape[axis] *= 2
    return VALUES[halves.long()].reshape(shape).to(dtype)


@pytest.mark.pairwise
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_values(layout, axis, element):
    """All bytes, in each layout; zeros keep their signs."""
    x = torch.arange(M * N).to(torch.uint8).reshape(M, N)
    expected = unpacked(x, axis, ELEMENTS[element])
    y = poisoned(tuple(expected.shape), ELEMENTS[element])
    unpack[(1,)](x, y, axis, element, LAYOUTS[layout], cpu_checks=True)
    assert torch.equal(y, expected)
    assert torch.equal(y.signbit(), expected.signbit())


PREAMBLE = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(x):
    TILE: gl.constexpr = gl.BlockedLayout([1, 4], [4, 4], [2, 2], [1, 0])
    tile = gl.full([32, 32], 1, gl.uint8, TILE)
"""


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("gl.fp4_to_fp(tile, gl.float16, 2)", "expected `axis` of `fp4_to_fp` to be from 0 to 1, found 2"),
        ("gl.fp4_to_fp(tile, gl.float16, -1)", "expected `axis` of `fp4_to_fp` to be from 0 to 1, found -1"),
        (
            "gl.fp4_to_fp(tile.to(gl.int16), gl.float16, 1)",
            "unpacks a tensor of 8-bit integers, found tensor<32x32xi16",
        ),
        ("gl.fp4_to_fp(gl.to_tensor(3), gl.float16, 0)", "unpacks a tensor of 8-bit integers, found i32"),
        ("gl.fp4_to_fp(tile, gl.float32, 1)", "`fp4_to_fp` makes numbers of f16 or bf16, found f32"),
    ],
)
def test_statements_that_are_wrong(expression, reason):
    kernel = load_source(f"{PREAMBLE}    {expression}\n", {}).kernel
    with pytest.raises(CompilationError) as caught:
        kernel[(1,)](torch.zeros(1))
    assert reason in str(caught.value)
    assert expression in str(caught.value)
