# SPDX-License-Identifier: MIT
"""Arithmetic, comparisons and conversions, in every type of the language, against exact arithmetic.

Kernels hold many operations each, since compiling dominates; layouts, sub-group sizes and scalar code alternate.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numeric.expressions import SIZE, evaluate
from numeric.layouts import KernelBuilder, TensorType
from numerics import poisoned
from rounding import assert_equal, round_to, to_longdouble
from support import FLOAT_TYPES, INTEGER_TYPES, covers

SIGNED = [torch.int8, torch.int16, torch.int32, torch.int64]
UNSIGNED = [torch.uint8, torch.uint16, torch.uint32, torch.uint64]
INTEGERS = SIGNED + UNSIGNED
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
FLOAT8 = [torch.float8_e5m2, torch.float8_e4m3fn]
NAMES = {
    torch.bool: "int1",
    torch.float16: "float16",
    torch.bfloat16: "bfloat16",
    torch.float32: "float32",
    torch.float64: "float64",
    torch.float8_e5m2: "float8e5",
    torch.float8_e4m3fn: "float8e4nv",
    **{dtype: str(dtype).removeprefix("torch.") for dtype in INTEGERS},
}
#: (form of the operands, sub-groups, lanes): every type meets several of them.
CONTEXTS = [("vector", 4, 16), ("scalar", 1, 16), ("vector", 4, 32), ("vector", 8, 16), ("scalar", 2, 32)]


def contexts(dtypes: list[torch.dtype], per_type: int) -> list:
    """Return each type with `per_type` contexts, going round."""
    cycle = itertools.cycle(CONTEXTS)
    return [pytest.param(dtype, *next(cycle), id=None) for dtype in dtypes for _ in range(per_type)]


def random_bits(dtype: torch.dtype, seed: int) -> torch.Tensor:
    """Return random bit patterns of any type, so all exponents of floats, infinities and NaN."""
    generator = torch.Generator().manual_seed(seed)
    if dtype == torch.bool:
        return torch.randint(0, 2, (SIZE,), generator=generator).bool()
    return torch.randint(0, 256, (SIZE * dtype.itemsize,), generator=generator, dtype=torch.uint8).view(dtype)


def random_integers(dtype: torch.dtype, seed: int) -> torch.Tensor:
    """Return random numbers of all magnitudes, with every pair of extreme values first."""
    info = np.iinfo(NAMES[dtype])
    random = np.random.default_rng(seed)
    values = random_bits(dtype, seed).numpy() >> random.integers(0, 8 * dtype.itemsize, SIZE).astype(NAMES[dtype])
    edges = np.array([0, 1, 2, info.max, info.min, info.max - 1, info.min + 1, info.max // 2], dtype=NAMES[dtype])
    if info.min < 0:
        edges[2] = -1
    values[:64] = np.repeat(edges, 8) if seed % 2 else np.tile(edges, 8)
    return torch.from_numpy(values)


def random_floats(dtype: torch.dtype, seed: int) -> torch.Tensor:
    """Return normal numbers, with every pair of special values first."""
    generator = torch.Generator().manual_seed(seed)
    values = (torch.randn(SIZE, generator=generator) * 8).to(dtype)
    edges = torch.tensor([0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1.0, -2.5, 3.0]).to(dtype)
    values[:64] = edges.repeat_interleave(8) if seed % 2 else edges.repeat(8)
    return values


def as_numpy(tensor: torch.Tensor) -> np.ndarray:
    return tensor.numpy()


def run(expressions: dict[str, torch.dtype], inputs: dict[str, torch.Tensor], form: str, warps: int, lanes: int):
    """Return results by expression."""
    results = evaluate(list(expressions), inputs, list(expressions.values()), form, num_warps=warps, warp_size=lanes)
    return dict(zip(expressions, results, strict=True))


def integer_reference(x: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """Return two's complement, quotients toward zero; what has no quotient is divided by 1."""
    width = 8 * x.dtype.itemsize
    wide_x, wide_y = x.astype(object), y.astype(object)
    low = int(np.iinfo(x.dtype).min)
    is_undefined = (wide_y == 0) | ((wide_x == low) & (wide_y == -1))
    divisor = np.where(is_undefined, 1, wide_y)
    quotient = abs(wide_x) // abs(divisor) * np.where((wide_x < 0) != (divisor < 0), -1, 1)
    amount = np.minimum(wide_y % (1 << width), width)

    def wrap(values: np.ndarray) -> np.ndarray:
        mask = (1 << width) - 1
        bits = np.array([int(value) & mask for value in values], dtype=np.uint64)
        return bits.astype(f"uint{width}").view(x.dtype)

    return {
        "x + y": wrap(wide_x + wide_y),
        "x - y": wrap(wide_x - wide_y),
        "x * y": wrap(wide_x * wide_y),
        "x // y": wrap(quotient),
        "x % y": wrap(wide_x - quotient * divisor),
        "x & y": x & y,
        "x | y": x | y,
        "x ^ y": x ^ y,
        "x << y": wrap(wide_x << amount),
        "x >> y": wrap(wide_x >> amount),
        "-x": wrap(-wide_x),
        "~x": ~x,
        "tl.abs(x)": wrap(np.abs(wide_x)),
        "tl.maximum(x, y)": np.maximum(x, y),
        "tl.minimum(x, y)": np.minimum(x, y),
        "tl.where(x > y, x, y - x)": np.where(x > y, x, wrap(wide_y - wide_x)),
    }


@covers("tl.abs tl.maximum tl.minimum tl.where", *INTEGER_TYPES)
@pytest.mark.parametrize(("dtype", "form", "warps", "lanes"), contexts(INTEGERS, 2))
def test_integer_arithmetic(dtype, form, warps, lanes):
    x, y = random_integers(dtype, 1), random_integers(dtype, 2)
    expected = integer_reference(as_numpy(x), as_numpy(y))
    results = run(dict.fromkeys(expected, dtype), {"x": x, "y": y}, form, warps, lanes)
    for expression, result in results.items():
        wrong = np.nonzero(result.numpy() != expected[expression])[0]
        examples = [(x[i].item(), y[i].item(), result[i].item(), expected[expression][i]) for i in wrong[:4]]
        assert len(wrong) == 0, f"{expression}: {examples}"


@covers("tl.umulhi", "i32", "i64", "u32", "u64")
@pytest.mark.parametrize("dtype", [torch.int32, torch.uint32, torch.int64, torch.uint64], ids=str)
def test_upper_half_of_products(dtype):
    x, y = random_integers(dtype, 1), random_integers(dtype, 2)
    result = run({"tl.umulhi(x, y)": dtype}, {"x": x, "y": y}, "vector", 4, 16)["tl.umulhi(x, y)"]
    width, mask = 8 * dtype.itemsize, (1 << 8 * dtype.itemsize) - 1
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    assert [value & mask for value in result.tolist()] == [((a & mask) * (b & mask)) >> width for a, b in pairs]


@triton.jit
def upper_halves_of_choices(x, y, out, n, flag, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    a, b = tl.load(x + i), tl.load(x)
    c = tl.load(y + flag) if flag > 0 else tl.zeros([], y.dtype.element_ty)
    # A branch loads the number, or nothing does.
    tl.store(out + i, tl.umulhi(a, tl.where(i < n, tl.load(y + i), 0)))
    tl.store(out + SIZE + i, tl.umulhi(a, tl.load(y + i, mask=i < n, other=3)))
    tl.store(out + 2 * SIZE + i, tl.umulhi(a, c))
    tl.store(out + 3 * SIZE, tl.umulhi(b, c))


@pytest.mark.parametrize("dtype", [torch.int32, torch.uint32, torch.int64, torch.uint64], ids=str)
@pytest.mark.parametrize(("count", "flag"), [(0, 0), (70, 5), (128, 127)])
def test_upper_half_of_products_with_choices(dtype, count, flag):
    """LLVM moves what extends an operand into the branch that loads it."""
    size, width = 128, 8 * dtype.itemsize
    mask = (1 << width) - 1
    x, y = random_integers(dtype, 1)[:size].contiguous(), random_integers(dtype, 2)[:size].contiguous()
    out = poisoned((3 * size + 1,), dtype)
    upper_halves_of_choices[(1,)](x, y, out, count, flag, SIZE=size)
    a, b = ([value & mask for value in numbers.tolist()] for numbers in (x, y))
    c = b[flag] if flag else 0
    factors = [b[i] if i < count else 0 for i in range(size)] + [b[i] if i < count else 3 for i in range(size)]
    factors += [c] * (size + 1)
    expected = [((p * q) >> width) & mask for p, q in zip(a * 3 + a[:1], factors, strict=True)]
    assert [value & mask for value in out.tolist()] == expected


@pytest.mark.parametrize(("dtype", "form", "warps", "lanes"), contexts([torch.bool, *INTEGERS, *FLOATS], 1))
def test_comparisons(dtype, form, warps, lanes):
    if dtype == torch.bool:
        x, y = random_bits(dtype, 1), random_bits(dtype, 2)
    else:
        make = random_floats if dtype.is_floating_point else random_integers
        x, y = make(dtype, 1), make(dtype, 2)
    a, b = to_longdouble(x), to_longdouble(y)
    expected = {"x < y": a < b, "x <= y": a <= b, "x > y": a > b, "x >= y": a >= b, "x == y": a == b, "x != y": a != b}
    results = run(dict.fromkeys(expected, torch.bool), {"x": x, "y": y}, form, warps, lanes)
    for expression, result in results.items():
        assert np.array_equal(result.numpy(), expected[expression]), expression


def test_boolean_arithmetic():
    x, y = random_bits(torch.bool, 1), random_bits(torch.bool, 2)
    a, b = x.numpy(), y.numpy()
    expected = {
        "x & y": a & b,
        "x | y": a | b,
        "x ^ y": a ^ b,
        "~x": ~a,
        "not x": ~a,
        "x and y": a & b,
        "x or y": a | b,
    }
    results = run(dict.fromkeys(expected, torch.bool), {"x": x, "y": y}, "vector", 4, 16)
    for expression, result in results.items():
        assert np.array_equal(result.numpy(), expected[expression]), expression


@covers("tl.abs tl.maximum tl.minimum tl.where tl.clamp", *FLOAT_TYPES)
@pytest.mark.parametrize(("dtype", "form", "warps", "lanes"), contexts(FLOATS, 2))
def test_float_arithmetic(dtype, form, warps, lanes):
    """Sums, differences and products round once; NaN and infinities follow IEEE 754."""
    x, y = random_floats(dtype, 1), random_floats(dtype, 2)
    a, b = to_longdouble(x), to_longdouble(y)
    with np.errstate(all="ignore"):
        propagating_max = np.where(np.isnan(a) | np.isnan(b), np.nan, np.maximum(a, b))
        propagating_min = np.where(np.isnan(a) | np.isnan(b), np.nan, np.minimum(a, b))
        exact = {
            "x + y": a + b,
            "x - y": a - b,
            "x * y": a * b,
            "-x": -a,
            "tl.abs(x)": np.abs(a),
            "tl.maximum(x, y)": np.fmax(a, b),
            "tl.minimum(x, y)": np.fmin(a, b),
            "tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)": propagating_max,
            "tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)": propagating_min,
            "tl.where(x > y, x, y)": np.where(a > b, a, b),
            "tl.clamp(x, -1.5, 2.0)": np.where(np.isnan(a), -1.5, np.clip(a, -1.5, 2.0)),
            "tl.clamp(x, -1.5, 2.0, propagate_nan=tl.PropagateNan.ALL)": np.clip(a, -1.5, 2.0),
        }
        results = run(dict.fromkeys(exact, dtype), {"x": x, "y": y}, form, warps, lanes)
        for expression, result in results.items():
            assert_equal(result, round_to(exact[expression], dtype), x, y)


@covers("tl.fdiv", *FLOAT_TYPES)
@pytest.mark.parametrize(("dtype", "form", "warps", "lanes"), contexts(FLOAT8, 1))
def test_arithmetic_of_8_bits(dtype, form, warps, lanes):
    """The language computes with 8-bit floats, too: as if in f32, rounded once."""
    generator = torch.Generator().manual_seed(4)
    x, y = (torch.randn(SIZE, generator=generator).mul(2).to(dtype) for _ in range(2))
    a, b = to_longdouble(x), to_longdouble(y)
    exact = {"x + y": a + b, "x - y": a - b, "x * y": a * b, "-x": -a, "tl.abs(x)": np.abs(a)}
    exact |= {"tl.where(x > y, x, y)": np.maximum(a, b)}
    results = run(dict.fromkeys(exact, dtype), {"x": x, "y": y}, form, warps, lanes)
    for expression, result in results.items():
        assert_equal(result, round_to(exact[expression], dtype), x, y)


@pytest.mark.parametrize(("dtype", "form", "warps", "lanes"), contexts(FLOATS, 1))
def test_quotients(dtype, form, warps, lanes):
    """A quotient is off by 2.5 ulps at most in f32 and rounds correctly in f64; remainders are exact."""
    x, y = random_floats(dtype, 1), random_floats(dtype, 2)
    a, b = to_longdouble(x), to_longdouble(y)
    results = run({"x / y": dtype, "x % y": dtype}, {"x": x, "y": y}, form, warps, lanes)
    with np.errstate(all="ignore"):
        quotient = a / b
        regular = np.isfinite(quotient) & (quotient != 0)
        found = to_longdouble(results["x / y"])
        assert ((found == quotient) | (np.isnan(found) & np.isnan(quotient)))[~regular].all()
        limit = {torch.float32: 2.5, torch.float64: 0.51}.get(dtype, 1.0) * torch.finfo(dtype).eps
        assert (np.abs(found / quotient - 1)[regular] <= limit).all()
        assert_equal(results["x % y"], np.fmod(a, b), x, y)


@covers("tl.fma", *FLOAT_TYPES)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_fused_multiply_add(dtype):
    """One rounding: products that cancel show the bits that a rounded product has lost."""
    x, y = random_floats(dtype, 1), random_floats(dtype, 2)
    z = (-x.to(torch.float64) * y.to(torch.float64)).to(dtype)
    result = run({"tl.fma(x, y, z)": dtype}, {"x": x, "y": y, "z": z}, "vector", 4, 16)["tl.fma(x, y, z)"]
    numbers = [[None if v != v or abs(v) == float("inf") else v for v in t.double().tolist()] for t in (x, y, z)]
    exact = [
        np.nan if None in triple else float(Fraction(triple[0]) * Fraction(triple[1]) + Fraction(triple[2]))
        for triple in zip(*numbers, strict=True)
    ]
    finite = ~np.isnan(exact)
    expected = round_to(np.array(exact, dtype=np.longdouble), dtype)
    assert_equal(result[finite], expected[finite], x[finite], y[finite], z[finite])


@covers("tl.div_rn tl.sqrt_rn tl.fdiv", "fp32")
@pytest.mark.parametrize("form", ["vector", "scalar"])
def test_precise_division_and_root(form):
    """`div_rn` and `sqrt_rn` round correctly for all exponents, down to subnormal results."""
    x, y = random_bits(torch.float32, 1), random_bits(torch.float32, 2)
    y[:16] = torch.tensor([0.0, -0.0, float("inf"), 1e-38]).repeat(4)
    a, b = to_longdouble(x), to_longdouble(y)
    expressions = ["tl.math.div_rn(x, y)", "tl.math.sqrt_rn(x)", "tl.math.fdiv(x, y, ieee_rounding=True)"]
    results = run(dict.fromkeys(expressions, torch.float32), {"x": x, "y": y}, form, 4, 16)
    with np.errstate(all="ignore"):
        assert_equal(results[expressions[0]], round_to(a / b, torch.float32), x, y)
        assert_equal(results[expressions[1]], round_to(np.sqrt(a), torch.float32), x)


def conversion_inputs(source: torch.dtype, target: torch.dtype) -> torch.Tensor:
    """Return numbers that the target can hold where it is an integer; else anything but NaN."""
    if source == torch.bool:
        return random_bits(source, 3)
    if not source.is_floating_point:
        return random_integers(source, 3)
    values = random_bits(source, 3) if target.is_floating_point else random_floats(source, 3)
    values = values.double()
    values = torch.where(torch.isnan(values), torch.ones(()).double(), values)
    if not target.is_floating_point and target != torch.bool:
        info = torch.iinfo(target)
        high = min(info.max, torch.finfo(source).max) / 2
        values = (values * high / 64).clamp(-high, high)
        values = values if info.min < 0 else values.abs()
    return values.to(source)


def conversion_reference(values: torch.Tensor, target: torch.dtype) -> np.ndarray:
    exact = to_longdouble(values)
    if target == torch.bool:
        return exact != 0
    if target.is_floating_point:
        return round_to(exact, target)
    if values.dtype.is_floating_point:
        return np.trunc(exact).astype(NAMES[target])
    return values.numpy().astype(NAMES[target])


@covers("tl.cast", "i1", *INTEGER_TYPES, *FLOAT_TYPES)
@pytest.mark.parametrize(("source", "form", "warps", "lanes"), contexts([torch.bool, *INTEGERS, *FLOATS], 1))
def test_conversions(source, form, warps, lanes):
    """Every standard type to every other: one rounding to floats, toward zero to integers, modulo between these."""
    targets = [dtype for dtype in [torch.bool, *INTEGERS, *FLOATS] if dtype != source]
    letters = "abcdefghijklmnopq"
    inputs = {letter: conversion_inputs(source, target) for letter, target in zip(letters, targets, strict=False)}
    expressions = {f"{letter}.to(tl.{NAMES[target]})": target for letter, target in zip(letters, targets, strict=False)}
    results = run(expressions, inputs, form, warps, lanes)
    for (target, values), result in zip(zip(targets, inputs.values(), strict=True), results.values(), strict=True):
        expected = conversion_reference(values, target)
        if target.is_floating_point:
            assert_equal(result, expected, values)
        else:
            wrong = np.nonzero(result.numpy() != expected)[0]
            examples = [(values[i].item(), result[i].item(), expected[i]) for i in wrong[:4]]
            assert len(wrong) == 0, f"{target}: {examples}"


@covers("tl.cast", "fp8e5", "fp8e4nv")
@pytest.mark.parametrize("rounding", ["rtne", "rtz"])
@pytest.mark.parametrize("source", [torch.float64, torch.float32], ids=str)
def test_rounding_of_narrower_floats(source, rounding):
    """Numbers close to the middle between two of the target's, which rounding twice would move."""
    targets = [dtype for dtype in [*FLOAT8, *FLOATS] if FORMAT_BITS[dtype] < FORMAT_BITS[source]]
    inputs = {}
    for letter, target in zip("abcdef", targets, strict=False):
        grid = conversion_inputs(torch.float32, target).to(target).double()
        grid = torch.where(torch.isfinite(grid), grid, torch.ones(())).clamp(-400, 400)
        eps = torch.finfo(target).eps
        middles = grid * (1 + eps / 2)
        nudge = torch.tensor([0.0, 2.0**-40, -(2.0**-40), 2.0**-20]).repeat(SIZE // 4)
        inputs[letter] = (middles * (1 + nudge)).to(source)
    expressions = {
        f"{letter}.to(tl.{NAMES[target]}, fp_downcast_rounding='{rounding}')": target
        for letter, target in zip(inputs, targets, strict=True)
    }
    results = run(expressions, inputs, "vector", 4, 16)
    for (target, values), result in zip(zip(targets, inputs.values(), strict=True), results.values(), strict=True):
        expected = round_to(to_longdouble(values), target, rounding == "rtz")
        assert_equal(result, expected, values)


FORMAT_BITS = {dtype: 8 * dtype.itemsize for dtype in [*FLOAT8, *FLOATS]}


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.int32, torch.int64], ids=str)
def test_bitcasts(dtype):
    """The bits stay the same as every other type of the width, and back."""
    x = random_bits(dtype, 5)
    others = [other for other in [*UNSIGNED, *FLOATS, *FLOAT8] if other.itemsize == dtype.itemsize]
    expressions = {f"x.to(tl.{NAMES[other]}, bitcast=True)": other for other in others}
    twice = {f"{text}.to(x.dtype, bitcast=True)": dtype for text in expressions}
    results = run(expressions | twice, {"x": x}, "vector", 4, 16)
    for result in results.values():
        assert torch.equal(result.view(dtype), x)


def e4b15_values() -> np.ndarray:
    """Return the value of every pattern: 4 bits of exponent with a bias of 15, no infinity or NaN."""
    bits = np.arange(256)
    exponent, mantissa = (bits >> 3) & 15, bits & 7
    magnitude = np.where(exponent == 0, mantissa / 8 * 2.0**-14, (1 + mantissa / 8) * 2.0 ** (exponent - 15.0))
    return np.where(bits >= 128, -magnitude, magnitude)


@covers("tl.cast", "fp8e4b15")
def test_fp8e4b15():
    """Every value widens exactly; numbers narrow to the nearest, ties to even, and saturate."""
    bits = torch.arange(SIZE).to(torch.uint8)
    number = "x.to(tl.float8e4b15, bitcast=True)"
    widened = run(
        {f"{number}.to(tl.float16)": torch.float16, f"{number}.to(tl.float32)": torch.float32},
        {"x": bits}, "vector", 4, 16,
    )  # fmt: skip
    values = e4b15_values()
    for result in widened.values():
        assert_equal(result, values[bits.numpy()].astype(np.longdouble), bits)

    positive = values[:128]
    near = np.concatenate([positive, (positive[1:] + positive[:-1]) / 2, positive * 1.001, positive * 0.999])
    samples = torch.tensor(np.concatenate([near, [1.8125, 2.0, 1000.0]])).float()[:SIZE]
    samples = torch.cat([samples, torch.zeros(SIZE - len(samples))]) * torch.tensor([1.0, -1.0]).repeat(SIZE // 2)
    text = "x.to(tl.float8e4b15).to(tl.uint8, bitcast=True)"
    result = run({text: torch.uint8}, {"x": samples}, "vector", 4, 16)[text]
    exact = to_longdouble(samples)
    unit = np.ldexp(np.longdouble(1), np.maximum(np.frexp(exact)[1] - 1, -14) - 3)
    expected = np.clip(np.rint(exact / unit) * unit, -1.75, 1.75)
    assert np.array_equal(values[result.numpy()], expected.astype(np.float64))


@pytest.mark.parametrize("element", ["i1", "i8", "i32", "i64", "f16", "bf16", "f32", "f64"])
def test_constant_of_different_elements(tmp_path, element):
    """Every element reaches the place that its coordinates name, in a layout that permutes registers and lanes."""
    layout = "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 8], warpsPerCTA = [2, 1], order = [0, 1]}>"
    shape = (8, 32)
    torch_type = {"i1": torch.int8, "i8": torch.int8, "i32": torch.int32, "i64": torch.int64, "f16": torch.float16}
    torch_type |= {"bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
    dtype = torch_type[element]
    values = (torch.arange(256) * 37 % 101 - 50).reshape(shape).to(dtype)
    if element == "i1":
        values = (values > 0).to(dtype)
    names = {True: "true", False: "false"} if element == "i1" else {}
    rows = [[str(names.get(v, v)) for v in (r.bool() if names else r).tolist()] for r in values]
    text = ", ".join("[" + ", ".join(row) + "]" for row in rows)
    type_ = TensorType(shape, element, layout)
    builder = KernelBuilder(num_warps=2)
    value = builder.op(f"arith.constant dense<[{text}]> : {type_}")
    stored = type_
    if element == "i1":
        stored = type_.with_element("i8")
        value = builder.op(f"arith.extui {value} : {type_} to {stored}")
    builder.store(value, stored)
    result = poisoned(shape, dtype)
    builder.run(tmp_path, result)
    assert torch.equal(result, values)
