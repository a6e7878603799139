# SPDX-License-Identifier: MIT
"""Floats of 16 bits: LLVM narrows what is computed between their conversions, and no processor computes in them."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from instruction_sets import NATIVE, available
from numerics import poisoned, random_tensor
from triton.language.extra import libdevice

FUNCTIONS = ("none", "abs", "clamp", "maximum", "minimum", "floor", "ceil", "rint", "trunc", "sqrt", "fma", "quotient")
TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64)
#: Rows, columns and warps: one row, registers, lanes and warps along the reduced dimension.
LAYOUTS = ((1, 128, 4), (16, 64, 4), (64, 16, 8), (4, 32, 1), (2, 1024, 2))


@triton.jit
def larger(x, y):
    return tl.maximum(x, y).to(x.dtype)


@triton.jit
def cummax(x, AXIS: tl.constexpr):
    return tl.associative_scan(x, AXIS, larger)


@triton.jit
def keep(x, AXIS: tl.constexpr):
    return x


@triton.jit
def apply(x, y, FUNCTION: tl.constexpr):
    if FUNCTION == "abs":
        return tl.abs(x)
    if FUNCTION == "clamp":
        return tl.clamp(x, -1.0, 1.0).to(x.dtype)
    if FUNCTION == "maximum":
        return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL).to(x.dtype)
    if FUNCTION == "minimum":
        return tl.minimum(x, y).to(x.dtype)
    if FUNCTION == "floor":
        return tl.floor(x.to(tl.float32)).to(x.dtype)
    if FUNCTION == "ceil":
        return tl.ceil(x.to(tl.float32)).to(x.dtype)
    if FUNCTION == "rint":
        return libdevice.rint(x.to(tl.float32)).to(x.dtype)
    if FUNCTION == "trunc":
        return libdevice.trunc(x.to(tl.float32)).to(x.dtype)
    if FUNCTION == "sqrt":
        return tl.sqrt(tl.abs(x).to(tl.float32)).to(x.dtype)
    if FUNCTION == "fma":
        return tl.fma(x, y, x).to(x.dtype)
    if FUNCTION == "quotient":
        return (x / (tl.abs(y) + 1)).to(x.dtype)
    return x


@triton.jit
def kernel(x, y, out, M: tl.constexpr, N: tl.constexpr, FUNCTION: tl.constexpr, REDUCE: tl.constexpr):
    i, j = tl.arange(0, M), tl.arange(0, N)
    at = i[:, None] * N + j[None, :]
    value = apply(tl.load(x + at), tl.load(y + at), FUNCTION)
    result = REDUCE(value, 1).to(out.dtype.element_ty)
    if len(result.shape) == 1:
        tl.store(out + i, result)
    else:
        tl.store(out + at, result)


#: The functions by which a row of x becomes one number, or stays a row.
REDUCTIONS = {
    "max": tl.max,
    "min": tl.min,
    "sum": tl.sum,
    "argmax": tl.argmax,
    "argmin": tl.argmin,
    "xor_sum": tl.xor_sum,
    "cumsum": tl.cumsum,
    "cummax": cummax,
    "none": keep,
}


def is_possible(dtype: torch.dtype, function: str, reduction: str) -> bool:
    """Integers have no roundings, floats no bits to combine."""
    if dtype.is_floating_point:
        return reduction != "xor_sum"
    return function in ("none", "abs") and reduction != "cummax"


def cases(dtypes: tuple) -> list:
    """Return all reductions of values as they are, and all functions without and before a maximum."""
    chosen = [(dtype, "none", reduction) for dtype in dtypes for reduction in REDUCTIONS]
    chosen += [
        (dtype, function, reduction) for dtype in dtypes for function in FUNCTIONS for reduction in ("none", "max")
    ]
    return [case for case in dict.fromkeys(chosen) if is_possible(*case)]


def arguments(dtype: torch.dtype, reduction: str, m: int, n: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return random numbers, and what is written."""
    if dtype.is_floating_point:
        x, y = random_tensor((m, n), dtype, 1), random_tensor((m, n), dtype, 2)
    else:
        x, y = (torch.randint(-100, 100, (m, n), dtype=dtype) for _ in range(2))
    shape = (m, n) if reduction in ("none", "cumsum", "cummax") else (m,)
    return x, y, poisoned(shape, dtype)


def compilations() -> list:
    """Return types, layouts and instruction sets.

    A short run has all layouts for f16, and one layout for each other type, alternately for the two sets.
    """
    chosen = []
    for number, dtype in enumerate(TYPES):
        for index, layout in enumerate(LAYOUTS):
            for place, instructions in enumerate(("avx2", "avx512")):
                is_chosen = dtype == torch.float16 or index == number % len(LAYOUTS)
                turn = index if dtype == torch.float16 else number
                is_short = is_chosen and turn % 2 == place
                name = f"{str(dtype).removeprefix('torch.')}-{layout}-{instructions}"
                marks = () if is_short else pytest.mark.full
                chosen.append(pytest.param(dtype, layout, instructions, id=name, marks=marks))
    return chosen


@pytest.mark.parametrize(("dtype", "layout", "instructions"), compilations())
def test_functions_of_objects(monkeypatch, dtype, layout, instructions):
    """Every element type, reduction and layout compiles for both instruction sets, wherever this runs.

    A function that the device lacks is an error of the code generator.
    """
    monkeypatch.setenv(NATIVE, instructions)
    if instructions not in {one.value for one in available(NATIVE)}:
        pytest.skip(f"this processor has no {instructions}, and the runtime loads no code that it cannot run")
    m, n, num_warps = layout
    for _, function, reduction in cases((dtype,)):
        x, y, out = arguments(dtype, reduction, m, n)
        kernel.warmup(x, y, out, m, n, function, REDUCTIONS[reduction], num_warps=num_warps, grid=(1,))


HALVES = (torch.float16, torch.bfloat16)


def layouts_of(dtype: torch.dtype, function: str, reduction: str) -> list:
    """Return half of the layouts: the other type has the others, and so has the next function or reduction."""
    number = HALVES.index(dtype) + list(FUNCTIONS).index(function) + list(REDUCTIONS).index(reduction)
    return [layout for index, layout in enumerate(LAYOUTS) if index % 2 == number % 2]


@pytest.mark.parametrize(("dtype", "function", "reduction"), cases(HALVES))
def test_numbers(request, dtype, function, reduction):
    """Results of f16 and bf16, with the NaN and the infinities that reductions have to treat; all layouts of both with
    `--full`.
    """
    layouts = LAYOUTS if request.config.getoption("--full") else layouts_of(dtype, function, reduction)
    for m, n, num_warps in layouts:
        x, y, out = arguments(dtype, reduction, m, n)
        kernel[(1,)](x, y, out, m, n, function, REDUCTIONS[reduction], num_warps=num_warps)
        a, b = x.double(), y.double()
        value = {
            "none": lambda: a,
            "abs": a.abs,
            "clamp": lambda: a.clamp(-1, 1),
            "maximum": lambda: torch.maximum(a, b),
            "minimum": lambda: torch.minimum(a, b),
            "floor": a.floor,
            "ceil": a.ceil,
            "rint": a.round,
            "trunc": a.trunc,
            "sqrt": lambda: a.abs().sqrt(),
            "fma": lambda: a * b + a,
            "quotient": lambda: a / (b.abs() + 1),
        }[function]()
        expected = {
            "none": lambda: value,
            "max": lambda: value.amax(1),
            "min": lambda: value.amin(1),
            "sum": lambda: value.sum(1),
            "argmax": lambda: value.argmax(1),
            "argmin": lambda: value.argmin(1),
            "cumsum": lambda: value.cumsum(1),
            "cummax": lambda: value.cummax(1)[0],
        }[reduction]()
        exact = reduction not in ("sum", "cumsum") and function not in ("sqrt", "fma", "quotient")
        if exact:
            assert torch.equal(out.double(), expected.to(dtype).double())
        else:
            scale = value.abs().cumsum(1).amax() if reduction in ("sum", "cumsum") else 1
            tolerance = (1e-3 if dtype == torch.float16 else 1e-2) * float(scale)
            torch.testing.assert_close(out.double(), expected.double(), rtol=2e-2, atol=tolerance)
