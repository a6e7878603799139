# SPDX-License-Identifier: MIT
"""Kernels without loops whose code is one block of thousands of instructions, which the CPU device's compiler cuts."""

from __future__ import annotations

import pytest
import torch
from generated import kernel_from_source
from numerics import assert_close

SIZE = 64


def compile_kernel(lines: list[str]):
    """Compile a kernel with these lines, in which `offsets` and `x_ptr` are defined, and `y` is stored."""
    body = "".join(f"    {line}\n" for line in lines)
    return kernel_from_source(
        "def kernel(x_ptr, y_ptr, SIZE: tl.constexpr):\n"
        f"    offsets = tl.arange(0, SIZE)\n{body}    tl.store(y_ptr + offsets, y)\n"
    )


def run(kernel, rows: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random rows, and the kernel's results for them."""
    x = torch.randn(rows, SIZE, generator=torch.Generator().manual_seed(rows))
    y = torch.empty(SIZE)
    kernel[(1,)](x, y, SIZE=SIZE, num_warps=1)
    return x, y


@pytest.mark.parametrize("rows", [200, pytest.param(700, marks=pytest.mark.full)])
def test_a_chain(rows):
    lines = ["y = tl.load(x_ptr + offsets)"]
    lines += [f"y = y * 0.5 + tl.load(x_ptr + {row} * SIZE + offsets)" for row in range(1, rows)]
    x, y = run(compile_kernel(lines), rows)
    expected = x[0]
    for row in x[1:]:
        expected = expected * 0.5 + row
    assert_close(y, expected, 1e-5)


@pytest.mark.parametrize("rows", [40, pytest.param(300, marks=pytest.mark.full)])
def test_values_alive_from_end_to_end(rows):
    """Every row is loaded and changed before the first one is used, in reverse."""
    lines = [f"x{row} = tl.exp(tl.load(x_ptr + {row} * SIZE + offsets))" for row in range(rows)]
    lines += ["y = x0"]
    lines += [f"y = tl.where(y < x{row}, x{row} - y, y * 0.75)" for row in reversed(range(rows))]
    x, y = run(compile_kernel(lines), rows)
    x = x.exp()
    expected = x[0]
    for row in x.flip(0):
        expected = torch.where(expected < row, row - expected, expected * 0.75)
    assert_close(y, expected, 1e-4)
