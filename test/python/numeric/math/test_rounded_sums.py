# SPDX-License-Identifier: MIT
"""Sums and products of floats with 16 bits are computed in f32, and rounded once."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned

pytestmark = [pytest.mark.instruction_sets, pytest.mark.opencl]


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def follow(decay_a, state_a, decay_b, state_b):
    return decay_a * decay_b, state_a * decay_b + state_b


@triton.jit
def combine_kernel(
    out_ptr, x_ptr, decay_ptr, NAME: tl.constexpr, AXIS: tl.constexpr, ROWS: tl.constexpr, N: tl.constexpr
):
    places = tl.arange(0, ROWS)[:, None] * N + tl.arange(0, N)[None, :]
    x = tl.load(x_ptr + places)
    if NAME == "sum":
        tl.store(out_ptr + tl.arange(0, N if AXIS == 0 else ROWS), tl.sum(x, AXIS))
    elif NAME == "product":
        tl.store(out_ptr + tl.arange(0, N if AXIS == 0 else ROWS), tl.reduce(x, AXIS, multiply))
    elif NAME == "cumsum":
        tl.store(out_ptr + places, tl.cumsum(x, AXIS))
    elif NAME == "reverse":
        tl.store(out_ptr + places, tl.cumsum(x, AXIS, reverse=True))
    elif NAME == "cumprod":
        tl.store(out_ptr + places, tl.cumprod(x, AXIS))
    else:
        _, state = tl.associative_scan((tl.load(decay_ptr + places), x), AXIS, follow)
        tl.store(out_ptr + places, state)


def recurrence(decay: torch.Tensor, x: torch.Tensor, axis: int) -> torch.Tensor:
    """Return the states of a linear recurrence."""
    states = []
    for factor, term in zip(decay.unbind(axis), x.unbind(axis), strict=True):
        states.append(states[-1] * factor + term if states else term)
    return torch.stack(states, axis)


def combined(name: str, x: torch.Tensor, decay: torch.Tensor, axis: int) -> torch.Tensor:
    """Return the result in f64."""
    results = {
        "sum": lambda: x.sum(axis),
        "product": lambda: x.prod(axis),
        "cumsum": lambda: x.cumsum(axis),
        "reverse": lambda: x.flip(axis).cumsum(axis).flip(axis),
        "cumprod": lambda: x.cumprod(axis),
        "recurrence": lambda: recurrence(decay, x, axis),
    }
    return results[name]()


@pytest.mark.pairwise
@pytest.mark.conformance
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "f16"])
@pytest.mark.parametrize("name", ["sum", "product", "cumsum", "reverse", "cumprod", "recurrence"])
@pytest.mark.parametrize(("rows", "columns", "axis", "num_warps"), [(4, 256, 1, 4), (128, 16, 0, 2)])
def test_one_rounding(name, dtype, rows, columns, axis, num_warps):
    # All terms have one sign, so that errors of f32 are far below the last bit of 16, and add up in 16 bits.
    x = 0.5 + torch.rand(rows, columns)
    if "prod" in name:
        x = 1 + (x - 1) / 16
    x, decay = x.to(dtype), (0.9 + torch.rand(rows, columns) / 16).to(dtype)
    expected = combined(name, x.double(), decay.double(), axis)
    out = poisoned(tuple(expected.shape), dtype)
    combine_kernel[(1,)](out, x, decay, name, axis, rows, columns, num_warps=num_warps)
    half = torch.finfo(dtype).eps / 2
    torch.testing.assert_close(out.double(), expected, rtol=half * 1.01, atol=0)
