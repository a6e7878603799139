# SPDX-License-Identifier: MIT
"""Snippets of PTX against what its ISA defines, written a second time: bit by bit, or in wider numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
import pytest
import torch
from numeric.expressions import SIZE, evaluate
from rounding import assert_equal, round_to, to_longdouble
from support import covers, needs_ocloc

from triton_xe import errors

I16, I32, I64 = torch.int16, torch.int32, torch.int64
F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
NAMES = {
    torch.int8: "tl.int8", torch.uint8: "tl.uint8", I16: "tl.int16", I32: "tl.int32", I64: "tl.int64",
    F16: "tl.float16", BF16: "tl.bfloat16", F32: "tl.float32", F64: "tl.float64",
    E4M3: "tl.float8e4nv", E5M2: "tl.float8e5",
}  # fmt: skip
LETTERS = {2: "h", 4: "r", 8: "l"}

#: Where kernels run: on the CPU device, and as machine code.
DEVICES = [
    pytest.param({}, id="cpu"),
    pytest.param({"cpu_code": "zebin", "arch": "bmg"}, id="bmg", marks=needs_ocloc),
]


def call(text: str, arguments: str, result: torch.dtype, constraints: str, pack: int = 1) -> str:
    """Return the expression that executes a snippet."""
    return (
        f"tl.inline_asm_elementwise({text!r}, {constraints!r}, [{', '.join(arguments)}], {NAMES[result]}, True, {pack})"
    )


def integers(dtype: torch.dtype, seed: int) -> torch.Tensor:
    """Return integers of all magnitudes, limits among them."""
    generator = torch.Generator().manual_seed(seed)
    bits = dtype.itemsize * 8
    values = torch.randint(-(2**63), 2**63 - 1, (SIZE,), generator=generator, dtype=I64)
    values >>= torch.randint(64 - bits, 64, (SIZE,), generator=generator)
    values[:8] = torch.tensor([0, -1, 1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), 31, 32, 33])
    return values[torch.randperm(SIZE, generator=generator)].to(dtype)


def unsigned(value: int, bits: int = 32) -> int:
    return value & (1 << bits) - 1


def signed(value: int, bits: int = 32) -> int:
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def extract(value: int, first: int, length: int, bits: int, has_sign: bool) -> int:
    """`bfe`, as the loop of the ISA."""
    first, length, last = first & 255, length & 255, bits - 1
    sign = 0 if not has_sign or length == 0 else value >> min(first + length - 1, last) & 1
    result = 0
    for i in range(bits):
        result |= (value >> first + i & 1 if i < length and first + i <= last else sign) << i
    return result


def insert(field: int, base: int, first: int, length: int, bits: int) -> int:
    """`bfi`, as the loop of the ISA."""
    first, length = first & 255, length & 255
    for i in range(length):
        if first + i < bits:
            base = base & ~(1 << first + i) | (field >> i & 1) << first + i
    return base


def permute(low: int, high: int, selectors: int) -> int:
    data = (high << 32 | low).to_bytes(8, "little")
    picked = [data[selectors >> 4 * i & 7] for i in range(4)]
    signs = [selectors >> 4 * i & 8 for i in range(4)]
    picked = [(255 if byte >> 7 else 0) if sign else byte for byte, sign in zip(picked, signs, strict=True)]
    return int.from_bytes(bytes(picked), "little")


def logic(table: int) -> Callable[[int, int, int], int]:
    def combine(a: int, b: int, c: int) -> int:
        return sum((table >> (a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1) & 1) << i for i in range(32))

    return combine


def find(value: int, bits: int, has_sign: bool) -> int:
    if has_sign and value >> bits - 1:
        value = ~value & (1 << bits) - 1
    return value.bit_length() - 1


def byte_products(a: int, b: int, c: int) -> int:
    return c + sum(signed(a >> i, 8) * unsigned(b >> i, 8) for i in range(0, 32, 8))


#: Functions of unsigned numbers of 32 bits, of which the low 32 bits of the result count.
WORDS: dict[str, Callable[[int, int, int], int]] = {
    "add.s32 $0, $1, $2;": lambda a, b, c: a + b,
    "sub.u32 $0, $1, $2;": lambda a, b, c: a - b,
    "add.sat.s32 $0, $1, $2;": lambda a, b, c: clamp(signed(a) + signed(b), -(2**31), 2**31 - 1),
    "sub.sat.s32 $0, $1, $2;": lambda a, b, c: clamp(signed(a) - signed(b), -(2**31), 2**31 - 1),
    "mul.lo.u32 $0, $1, $2;": lambda a, b, c: a * b,
    "mul.hi.u32 $0, $1, $2;": lambda a, b, c: a * b >> 32,
    "mul.hi.s32 $0, $1, $2;": lambda a, b, c: signed(a) * signed(b) >> 32,
    "mad.lo.s32 $0, $1, $2, $3;": lambda a, b, c: a * b + c,
    "mad.hi.s32 $0, $1, $2, $3;": lambda a, b, c: (signed(a) * signed(b) >> 32) + c,
    "{ .reg .b16 l, h; mov.b32 {l, h}, $1; mul.wide.s16 $0, l, h; }":
        lambda a, b, c: signed(a, 16) * signed(a >> 16, 16),
    "{ .reg .b16 l, h; mov.b32 {l, h}, $1; mad.wide.u16 $0, h, l, $2; }":
        lambda a, b, c: unsigned(a, 16) * (a >> 16) + b,
    "min.s32 $0, $1, $2;": lambda a, b, c: min(signed(a), signed(b)),
    "max.u32 $0, $1, $2;": lambda a, b, c: max(a, b),
    "max.relu.s32 $0, $1, $2;": lambda a, b, c: max(signed(a), signed(b), 0),
    "min.s16x2 $0, $1, $2;": lambda a, b, c: unsigned(min(signed(a, 16), signed(b, 16)), 16)
        | min(signed(a >> 16, 16), signed(b >> 16, 16)) << 16,
    "add.u16x2 $0, $1, $2;": lambda a, b, c: unsigned(a + b, 16) | (a >> 16) + (b >> 16) << 16,
    "abs.s32 $0, $1;": lambda a, b, c: abs(signed(a)),
    "neg.s32 $0, $1;": lambda a, b, c: -a,
    "popc.b32 $0, $1;": lambda a, b, c: a.bit_count(),
    "clz.b32 $0, $1;": lambda a, b, c: 32 - a.bit_length(),
    "bfind.u32 $0, $1;": lambda a, b, c: find(a, 32, False),
    "bfind.s32 $0, $1;": lambda a, b, c: find(a, 32, True),
    "bfind.shiftamt.u32 $0, $1;": lambda a, b, c: 31 - find(a, 32, False) if a else -1,
    "brev.b32 $0, $1;": lambda a, b, c: int(f"{a:032b}"[::-1], 2),
    "bfe.u32 $0, $1, $2, $3;": lambda a, b, c: extract(a, b, c, 32, False),
    "bfe.s32 $0, $1, $2, $3;": lambda a, b, c: extract(a, b, c, 32, True),
    "bfe.s32 $0, $1, 5, 9;": lambda a, b, c: extract(a, 5, 9, 32, True),
    "bfi.b32 $0, $1, $2, $3, 7;": lambda a, b, c: insert(a, b, c, 7, 32),
    "bfi.b32 $0, $1, $2, 11, $3;": lambda a, b, c: insert(a, b, 11, c, 32),
    "and.b32 $0, $1, $2;": lambda a, b, c: a & b,
    "or.b32 $0, $1, 0xF0F0F0F0;": lambda a, b, c: a | 0xF0F0F0F0,
    "xor.b32 $0, $1, -2;": lambda a, b, c: a ^ -2,
    "not.b32 $0, $1;": lambda a, b, c: ~a,
    "cnot.b32 $0, $1;": lambda a, b, c: a == 0,
    "shl.b32 $0, $1, $2;": lambda a, b, c: a << min(b, 32),
    "shr.u32 $0, $1, $2;": lambda a, b, c: a >> min(b, 32),
    "shr.s32 $0, $1, $2;": lambda a, b, c: signed(a) >> min(b, 32),
    "shf.l.clamp.b32 $0, $1, $2, $3;": lambda a, b, c: (b << 32 | a) << min(c, 32) >> 32,
    "shf.r.clamp.b32 $0, $1, $2, $3;": lambda a, b, c: (b << 32 | a) >> min(c, 32),
    "shf.l.wrap.b32 $0, $1, $2, $3;": lambda a, b, c: (b << 32 | a) << (c & 31) >> 32,
    "shf.r.wrap.b32 $0, $1, $2, $3;": lambda a, b, c: (b << 32 | a) >> (c & 31),
    "prmt.b32 $0, $1, $2, $3;": permute,
    "prmt.b32 $0, $1, $2, 0x5410;": lambda a, b, c: permute(a, b, 0x5410),
    "prmt.b32 $0, $1, $2, 0xBA98;": lambda a, b, c: permute(a, b, 0xBA98),
    "dp4a.s32.u32 $0, $1, $2, $3;": byte_products,
    "{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $3, $1, p; }":
        lambda a, b, c: c if signed(a) < signed(b) else a,
    "{ .reg .pred p, q; setp.hi.u32 p|q, $1, $2; selp.b32 $0, $3, 7, !q; @q add.s32 $0, $0, $1; }":
        lambda a, b, c: c if a > b else 7 + a,
    "{ .reg .pred p; setp.eq.b32 p, $1, $2; setp.ne.or.b32 p, $3, 0, p; mov.u32 $0, 1; @!p mov.u32 $0, 2; }":
        lambda a, b, c: 1 if c != 0 or a == b else 2,
    "cvt.s32.s8 $0, $1;": lambda a, b, c: signed(a, 8),
    "cvt.u32.u16 $0, $1;": lambda a, b, c: unsigned(a, 16),
    "{ .reg .s16 h; cvt.sat.s16.s32 h, $1; cvt.s32.s16 $0, h; }":
        lambda a, b, c: clamp(signed(a), -(2**15), 2**15 - 1),
    "{ .reg .u16 h; cvt.sat.u16.s32 h, $1; cvt.u32.u16 $0, h; }": lambda a, b, c: clamp(signed(a), 0, 2**16 - 1),
    "cvt.sat.s32.u32 $0, $1;": lambda a, b, c: min(a, 2**31 - 1),
    "cvt.sat.u8.s32 $0, $1;": lambda a, b, c: clamp(signed(a), 0, 255),
    "{ .reg .b64 w; mov.b64 w, {$1, $2}; shr.u64 w, w, 13; cvt.u32.u64 $0, w; }":
        lambda a, b, c: (b << 32 | a) >> 13,
    "{ .reg .b32 t<2>; mov.b32 t0, $1; { .reg .b32 t0; mov.b32 t0, $2; add.u32 t1, t0, 1; } xor.b32 $0, t0, t1 }":
        lambda a, b, c: a ^ unsigned(b + 1),
    **{f"lop3.b32 $0, $1, $2, $3, {t};": logic(t) for t in (0, 0x27, 0x6A, 0x80, 0x96, 0xC0, 0xCA, 0xEA, 255)},
}  # fmt: skip

#: Likewise of 64 bits.
LONG_WORDS: dict[str, Callable[[int, int, int], int]] = {
    "mul.lo.s64 $0, $1, $2;": lambda a, b, c: a * b,
    "mul.hi.u64 $0, $1, $2;": lambda a, b, c: a * b >> 64,
    "mad.hi.s64 $0, $1, $2, $3;": lambda a, b, c: (signed(a, 64) * signed(b, 64) >> 64) + c,
    "{ .reg .u32 l, h; mov.b64 {l, h}, $1; mul.wide.u32 $0, l, h; }": lambda a, b, c: unsigned(a) * (a >> 32),
    "{ .reg .u32 n; popc.b64 n, $1; cvt.u64.u32 $0, n; }": lambda a, b, c: a.bit_count(),
    "{ .reg .u32 n; clz.b64 n, $1; cvt.u64.u32 $0, n; }": lambda a, b, c: 64 - a.bit_length(),
    "brev.b64 $0, $1;": lambda a, b, c: int(f"{a:064b}"[::-1], 2),
    "{ .reg .u32 n, m; cvt.u32.u64 n, $2; cvt.u32.u64 m, $3; bfe.s64 $0, $1, n, m; }":
        lambda a, b, c: extract(a, unsigned(b), unsigned(c), 64, True),
    "{ .reg .u32 n; cvt.u32.u64 n, $3; bfi.b64 $0, $1, $2, n, 40; }":
        lambda a, b, c: insert(a, b, unsigned(c), 40, 64),
    "{ .reg .u32 n; cvt.u32.u64 n, $2; shr.s64 $0, $1, n; }": lambda a, b, c: signed(a, 64) >> min(unsigned(b), 64),
    "max.s64 $0, $1, $2;": lambda a, b, c: max(signed(a, 64), signed(b, 64)),
    "cvt.sat.s64.u64 $0, $1;": lambda a, b, c: min(a, 2**63 - 1),
}  # fmt: skip


def check_integers(snippets: dict, dtype: torch.dtype, options: dict) -> None:
    bits = dtype.itemsize * 8
    inputs = {name: integers(dtype, seed) for seed, name in enumerate("xyz")}
    letter = LETTERS[dtype.itemsize]
    constraints = ",".join(["=" + letter, *[letter] * 3])
    results = evaluate(
        [call(text, "xyz", dtype, constraints) for text in snippets], inputs, [dtype] * len(snippets), **options
    )
    rows = list(zip(*([unsigned(v, bits) for v in value.tolist()] for value in inputs.values()), strict=True))
    for result, (text, function) in zip(results, snippets.items(), strict=True):
        expected = [signed(function(*row), bits) for row in rows]
        wrong = [(row, a, e) for row, a, e in zip(rows, result.tolist(), expected, strict=True) if a != e]
        assert not wrong, (text, len(wrong), wrong[:3])


@covers("tl.inline_asm_elementwise", "i32")
@pytest.mark.parametrize("options", DEVICES)
def test_words(options):
    check_integers(WORDS, I32, options)


@covers("tl.inline_asm_elementwise", "i64")
def test_long_words():
    check_integers(LONG_WORDS, I64, {})


SPECIAL = [
    0.0,
    -0.0,
    float("inf"),
    -float("inf"),
    float("nan"),
    1.0,
    -1.0,
    0.5,
    2.5,
    3.5,
    -2.5,
    1e-40,
    448.0,
    465.0,
    3e38,
]


def floats(dtype: torch.dtype, seed: int, scale: float = 20.0) -> torch.Tensor:
    """Return floats of many magnitudes, special ones among them."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(SIZE, generator=generator, dtype=F64)
    values *= 2.0 ** ((torch.rand(SIZE, generator=generator, dtype=F64) - 0.5) * scale)
    values[: len(SPECIAL)] = torch.tensor(SPECIAL, dtype=F64)
    return values[torch.randperm(SIZE, generator=generator)].to(dtype)


def number_or(a: np.ndarray, b: np.ndarray, function: Callable) -> np.ndarray:
    """Return the extreme of two numbers, or the only one that is no NaN."""
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, function(a, b)))


def saturated(values: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(values), 0, np.clip(values, 0, 1))


def assert_normal(actual: torch.Tensor, expected: np.ndarray) -> None:
    """Fail unless the numbers are equal; a device may flush those that are subnormal."""
    smallest = 2.0**-126
    flushed = (np.abs(expected) < smallest) & (np.abs(to_longdouble(actual)) < smallest)
    assert_equal(actual, np.where(flushed, to_longdouble(actual), expected))


#: Functions that are rounded once, of exact numbers.
ROUNDED: dict[str, Callable] = {
    "add.f32 $0, $1, $2;": lambda a, b, c: a + b,
    "sub.rn.ftz.f32 $0, $1, $2;": lambda a, b, c: a - b,
    "mul.f32 $0, $1, $2;": lambda a, b, c: a * b,
    "add.sat.f32 $0, $1, $2;": lambda a, b, c: saturated(a + b),
    "min.f32 $0, $1, $2;": lambda a, b, c: number_or(a, b, np.minimum),
    "max.f32 $0, $1, $2;": lambda a, b, c: number_or(a, b, np.maximum),
    "min.NaN.f32 $0, $1, $2;": lambda a, b, c: np.minimum(a, b),
    "max.NaN.f32 $0, $1, $2;": lambda a, b, c: np.maximum(a, b),
    "abs.f32 $0, $1;": lambda a, b, c: np.abs(a),
    "neg.f32 $0, $1;": lambda a, b, c: -a,
    "copysign.f32 $0, $1, $2;": lambda a, b, c: np.copysign(b, a),
    "div.rn.f32 $0, $1, $2;": lambda a, b, c: a / b,
    "rcp.rn.f32 $0, $1;": lambda a, b, c: 1 / a,
    "sqrt.rn.f32 $0, $1;": lambda a, b, c: np.sqrt(a),
    "cvt.rni.f32.f32 $0, $1;": lambda a, b, c: np.rint(a),
    "cvt.rzi.f32.f32 $0, $1;": lambda a, b, c: np.trunc(a),
    "cvt.rmi.f32.f32 $0, $1;": lambda a, b, c: np.floor(a),
    "cvt.rpi.f32.f32 $0, $1;": lambda a, b, c: np.ceil(a),
    "cvt.sat.f32.f32 $0, $1;": lambda a, b, c: saturated(a),
    "{ .reg .pred p; setp.ltu.f32 p, $1, $2; selp.f32 $0, $2, $3, p; }": lambda a, b, c: np.where(~(a >= b), b, c),
    "{ .reg .pred p; setp.ne.f32 p, $1, $2; selp.f32 $0, $2, $3, p; }":
        lambda a, b, c: np.where((a != b) & ~np.isnan(a) & ~np.isnan(b), b, c),
    "add.f32 $0, $1, 0f3F800000;": lambda a, b, c: a + 1,
    "mul.f32 $0, $1, -2.5e-1;": lambda a, b, c: a * -0.25,
    "{ .reg .f64 d, e; cvt.f64.f32 d, $1; cvt.f64.f32 e, $2; mul.f64 d, d, e; cvt.rn.f32.f64 $0, d; }":
        lambda a, b, c: a * b,
}  # fmt: skip

#: Approximations, with inputs of moderate size.
APPROXIMATE: dict[str, Callable] = {
    "tanh.approx.f32 $0, $1;": np.tanh,
    "ex2.approx.ftz.f32 $0, $1;": np.exp2,
    "lg2.approx.f32 $0, $1;": np.log2,
    "sin.approx.f32 $0, $1;": np.sin,
    "cos.approx.f32 $0, $1;": np.cos,
    "rcp.approx.ftz.f32 $0, $1;": lambda a: 1 / a,
    "rsqrt.approx.f32 $0, $1;": lambda a: 1 / np.sqrt(a),
    "sqrt.approx.ftz.f32 $0, $1;": np.sqrt,
    "div.full.f32 $0, $1, 0f40400000;": lambda a: a / 3,
    "{ .reg .b16 h; cvt.rn.f16.f32 h, $1; cvt.f32.f16 $0, h; tanh.approx.f32 $0, $0; }":
        lambda a: np.tanh(a.astype(np.float16).astype(np.float64)),
}  # fmt: skip


@covers("tl.inline_asm_elementwise", "fp32")
@pytest.mark.parametrize("options", DEVICES)
def test_rounded_floats(options):
    inputs = {name: floats(F32, seed) for seed, name in enumerate("xyz")}
    calls = [call(text, "xyz", F32, "=f,f,f,f") for text in ROUNDED]
    results = evaluate(calls, inputs, [F32] * len(calls), **options)
    exact = [to_longdouble(value) for value in inputs.values()]
    for result, function in zip(results, ROUNDED.values(), strict=True):
        with np.errstate(all="ignore"):
            expected = round_to(function(*exact), F32)
        assert_normal(result, expected)


def test_fused_sums():
    """The product is not rounded: of x * x - the rounded x * x only the error is left."""
    x = floats(F32, 7)
    (result,) = evaluate([call("fma.rn.f32 $0, $1, $1, $2;", "xy", F32, "=f,f,f")], {"x": x, "y": -(x * x)}, [F32])
    exact = to_longdouble(x)
    with np.errstate(all="ignore"):
        expected = exact * exact - to_longdouble(x * x)
    finite = np.isfinite(expected) & (np.abs(exact) > 1e-15)
    assert np.count_nonzero(expected[finite]) > 100
    assert_equal(result[torch.from_numpy(finite)], expected[finite])


@pytest.mark.parametrize("options", DEVICES)
def test_approximations(options):
    x = floats(F32, 3, scale=8)
    results = evaluate(
        [call(text, "x", F32, "=f,f") for text in APPROXIMATE], {"x": x}, [F32] * len(APPROXIMATE), **options
    )
    exact = x.double().numpy()
    for text, result, function in zip(APPROXIMATE, results, APPROXIMATE.values(), strict=True):
        with np.errstate(all="ignore"):
            expected = function(exact)
        usable = ~(np.abs(exact) > 100) & ~(np.abs(exact) < 1e-30)
        np.testing.assert_allclose(
            result.double().numpy()[usable], expected[usable], rtol=2e-5, atol=2e-6, err_msg=text
        )


#: Two numbers of 16 bits in a register each.
PAIRS: dict[str, Callable] = {
    "add.{t} $0, $1, $2;": lambda a, b, c: a + b,
    "sub.{t} $0, $1, $2;": lambda a, b, c: a - b,
    "mul.{t} $0, $1, $2;": lambda a, b, c: a * b,
    "min.{t} $0, $1, $2;": lambda a, b, c: number_or(a, b, np.minimum),
    "max.NaN.{t} $0, $1, $2;": lambda a, b, c: np.maximum(a, b),
    "abs.{t} $0, $1;": lambda a, b, c: np.abs(a),
    "neg.{t} $0, $1;": lambda a, b, c: -a,
    "fma.rn.relu.{t} $0, $1, $1, $1;": lambda a, b, c: np.where(a * a + a < 0, 0, a * a + a),
    "tanh.approx.{t} $0, $1;": lambda a, b, c: np.tanh(a),
    "{{ .reg .pred p, q; .reg .b16 l, h, m, n; mov.b32 {{l, h}}, $1; mov.b32 {{m, n}}, $2; setp.gt.{t} p|q, $1, $2;"
    " selp.b16 l, l, m, p; selp.b16 h, h, n, q; mov.b32 $0, {{l, h}}; }}": lambda a, b, c: np.where(a > b, a, b),
}  # fmt: skip


@covers("tl.inline_asm_elementwise", "fp16", "bf16")
@pytest.mark.parametrize("options", DEVICES)
@pytest.mark.parametrize("dtype", [F16, BF16], ids=["f16", "bf16"])
def test_pairs(dtype, options):
    inputs = {name: floats(dtype, seed, scale=4) for seed, name in enumerate("xyz")}
    texts = [text.format(t={F16: "f16x2", BF16: "bf16x2"}[dtype]) for text in PAIRS]
    results = evaluate(
        [call(text, "xyz", dtype, "=r,r,r,r", pack=2) for text in texts], inputs, [dtype] * len(texts), **options
    )
    exact = [to_longdouble(value) for value in inputs.values()]
    for text, result, function in zip(PAIRS, results, PAIRS.values(), strict=True):
        with np.errstate(all="ignore"):
            expected = function(*exact)
        if "fma" not in text and "tanh" not in text:
            assert_equal(result, round_to(expected, dtype), *inputs.values())
            continue
        # These are rounded to f32 first, which may cross a tie.
        usable = np.isfinite(expected) & (np.abs(expected) < 6e4)
        error = np.abs(to_longdouble(result)[usable] - expected[usable])
        assert (error <= torch.finfo(dtype).eps * 0.51 * np.abs(expected[usable]) + 1e-6).all(), text
        assert (np.isnan(to_longdouble(result)) == np.isnan(expected)).all(), text


def nearest_integer(values: np.ndarray, bits: int, has_sign: bool, nan: int = 0) -> list[int]:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if has_sign else (0, 2**bits - 1)
    return [nan if np.isnan(v) else low if v <= low else high if v >= high else int(v) for v in values]


TO_INTEGERS = {
    "cvt.rni.s32.f32 $0, $1;": (np.rint, 32, True),
    "cvt.rzi.u32.f32 $0, $1;": (np.trunc, 32, False),
    "cvt.rmi.s32.f32 $0, $1;": (np.floor, 32, True),
    "cvt.rpi.s8.f32 $0, $1;": (np.ceil, 8, True),
    "cvt.rni.u8.f32 $0, $1;": (np.rint, 8, False),
    "cvt.rzi.s16.f32 $0, $1;": (np.trunc, 16, True),
    "{ .reg .b16 h; cvt.rn.f16.f32 h, $1; cvt.rni.s32.f16 $0, h; }":
        (lambda a: np.rint(a.astype(np.float16).astype(np.longdouble)), 32, True),
}  # fmt: skip


def test_floats_to_integers():
    x = floats(F32, 5, scale=70)
    results = evaluate([call(text, "x", I32, "=r,f") for text in TO_INTEGERS], {"x": x}, [I32] * len(TO_INTEGERS))
    exact = to_longdouble(x)
    for text, result, (function, bits, has_sign) in zip(TO_INTEGERS, results, TO_INTEGERS.values(), strict=True):
        with np.errstate(all="ignore"):
            expected = nearest_integer(function(exact), bits, has_sign)
        assert result.tolist() == [signed(value) for value in expected], text


def test_wide_floats_to_integers():
    """NaN is the highest bit where one side has 64 bits."""
    x = floats(F32, 6, scale=150)
    texts = {
        "cvt.rni.s64.f32 $0, $1;": (np.rint, True),
        "cvt.rzi.u64.f32 $0, $1;": (np.trunc, False),
        "{ .reg .f64 d; cvt.f64.f32 d, $1; cvt.rmi.s64.f64 $0, d; }": (np.floor, True),
    }
    results = evaluate([call(text, "x", I64, "=l,f") for text in texts], {"x": x}, [I64] * len(texts))
    for text, result, (function, has_sign) in zip(texts, results, texts.values(), strict=True):
        expected = nearest_integer(function(to_longdouble(x)), 64, has_sign, nan=2**63)
        assert result.tolist() == [signed(value, 64) for value in expected], text


def test_integers_to_floats():
    x = integers(I32, 8)
    texts = {
        "cvt.rn.f32.s32 $0, $1;": lambda v: v,
        "cvt.rn.f32.u32 $0, $1;": unsigned,
        "cvt.rn.f32.s8 $0, $1;": lambda v: signed(v, 8),
    }
    results = evaluate([call(text, "x", F32, "=f,r") for text in texts], {"x": x}, [F32] * len(texts))
    for result, function in zip(results, texts.values(), strict=True):
        assert_equal(result, round_to(np.array([function(v) for v in x.tolist()], dtype=np.longdouble), F32), x)


def limited(values: np.ndarray, dtype: torch.dtype) -> np.ndarray:
    """Round, and replace what is too large by the largest number."""
    rounded = round_to(values, dtype)
    largest = torch.finfo(dtype).max
    return np.where(np.isnan(rounded), rounded, np.clip(rounded, -largest, largest))


#: From f32 to two numbers in one register.
TO_PAIRS = {
    "cvt.rn.bf16x2.f32 $0, $2, $1;": (BF16, lambda v: round_to(v, BF16)),
    "cvt.rn.f16x2.f32 $0, $2, $1;": (F16, lambda v: round_to(v, F16)),
    "cvt.rz.bf16x2.f32 $0, $2, $1;": (BF16, lambda v: round_to(v, BF16, toward_zero=True)),
    "cvt.rz.f16x2.f32 $0, $2, $1;": (F16, lambda v: round_to(v, F16, toward_zero=True)),
    "cvt.rn.relu.bf16x2.f32 $0, $2, $1;": (BF16, lambda v: np.where(v < 0, 0, round_to(v, BF16))),
    "cvt.rn.satfinite.f16x2.f32 $0, $2, $1;": (F16, lambda v: limited(v, F16)),
}


@pytest.mark.parametrize("options", DEVICES)
def test_pairs_from_f32(options):
    x = floats(F32, 9, scale=40)
    for text, (dtype, function) in TO_PAIRS.items():
        (result,) = evaluate([call(text, "x", dtype, "=r,f,f", pack=2)], {"x": x}, [dtype], **options)
        expected = function(to_longdouble(x))
        if dtype == F16 and "rz" in text:
            # An infinity stays one.
            expected = np.where(np.isinf(to_longdouble(x)), to_longdouble(x), expected)
        assert_normal(result, expected)


@covers("tl.inline_asm_elementwise", "fp8e4nv", "fp8e5")
@pytest.mark.parametrize("options", DEVICES)
@pytest.mark.parametrize(("name", "dtype"), [("e4m3x2", E4M3), ("e5m2x2", E5M2)])
def test_bytes(name, dtype, options):
    """Floats of 8 bits, there and back, with numbers and ties at their limits."""
    x = floats(F32, 10, scale=24)
    (narrow,) = evaluate(
        [call(f"cvt.rn.satfinite.{name}.f32 $0, $2, $1;", "x", dtype, "=h,f,f", pack=2)], {"x": x}, [dtype], **options
    )
    assert_equal(narrow, limited(to_longdouble(x), dtype), x)
    codes = torch.arange(256, dtype=torch.int32).to(torch.uint8).repeat(2).view(dtype)
    (wide,) = evaluate([call(f"cvt.rn.f16x2.{name} $0, $1;", "x", F16, "=r,h", pack=2)], {"x": codes}, [F16], **options)
    assert_equal(wide, to_longdouble(codes), codes)


FP4 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


def test_nibbles():
    """Floats of 4 bits, two in a byte: every code, and the nearest one of each number."""
    x = floats(F32, 11, scale=6)
    x[:9] = torch.tensor([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, -5.0, 1e9])
    text = "{ .reg .b8 b; cvt.rn.satfinite.e2m1x2.f32 b, $2, $1; cvt.u32.u8 $0, b; }"
    (codes,) = evaluate([call(text, "x", I16, "=r,f,f", pack=2)], {"x": x}, [I16])
    magnitudes = np.array(FP4)
    expected = []
    for value in x.double().tolist():
        distance = np.abs(magnitudes - min(abs(value), 6))
        best = [i for i in range(8) if distance[i] == distance.min()]
        code = 7 if np.isnan(value) else min(best, key=lambda i: i % 2)
        expected.append(code | (8 if np.signbit(value) and not np.isnan(value) else 0))
    pairs = codes.tolist()[::2]
    assert pairs == [low | high << 4 for low, high in zip(expected[::2], expected[1::2], strict=True)]
    every = torch.arange(SIZE, dtype=I32)
    low = "{ .reg .b8 b; .reg .b32 w; cvt.u8.u32 b, $1; cvt.rn.f16x2.e2m1x2 $0, b; }"
    (bits,) = evaluate([call(low, "x", I32, "=r,r")], {"x": every}, [I32])
    wide = bits.view(F16).double().reshape(-1, 2)
    numbers = FP4 + [-value for value in FP4]
    assert wide[:256].tolist() == [[numbers[i & 15], numbers[i >> 4]] for i in range(256)]


def test_tf32():
    x = floats(F32, 12)
    texts = {"rna": 0x1000, "rn": None, "rz": 0}
    calls = [call(f"cvt.{mode}.tf32.f32 $0, $1;", "x", F32, "=r,f") for mode in texts]
    results = evaluate(calls, {"x": x}, [F32] * len(calls))
    for result, (mode, step) in zip(results, texts.items(), strict=True):
        for value, found in zip(x.tolist(), result.tolist(), strict=True):
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            added = (0xFFF + (bits >> 13 & 1)) if step is None else step
            expected = struct.unpack("<f", struct.pack("<I", bits + added & ~0x1FFF & 0xFFFFFFFF))[0]
            assert found == expected or (np.isnan(value) and np.isnan(found)) or abs(value) < 2e-38, (mode, value)


#: Four weights of 4 bits from the low and the high halves of a word, as f16: 1024 + w has w in its last bits.
UNPACK_NIBBLES = """{
  .reg .b32 magic, high;
  mov.b32 magic, 0x64006400;            // two times 1024
  lop3.b32 $0, $2, 0x000f000f, magic, 0xEA;
  sub.rn.f16x2 $0, $0, magic;
  shr.u32 high, $2, 4;
  lop3.b32 $1, high, 0x000f000f, magic, 0xEA;
  sub.rn.f16x2 $1, $1, magic;
}"""

#: Bytes as f16 in the same way.
UNPACK_BYTES = """{
  .reg .b32 magic;
  mov.b32 magic, 0x64646464;
  prmt.b32 $0, $2, magic, 0x4140;
  prmt.b32 $1, $2, magic, 0x4342;
  mov.b32 magic, 0x64006400;
  sub.f16x2 $0, $0, magic;
  sub.f16x2 $1, $1, magic;
}"""

#: e5m2 as bf16: the exponents have different biases.
UNPACK_E5M2 = """{
  .reg .b32 word, rest, scale;
  mov.b32 scale, 0x77807780;            // two times 2^112
  prmt.b32 word, 0, $2, 0x5040;
  and.b32 rest, word, 0x80008000;
  bfe.u32 word, word, 3, 29;
  lop3.b32 word, word, 0x0fe00fe0, rest, 0xEA;
  mul.bf16x2 $0, word, scale;
  prmt.b32 word, 0, $2, 0x7060;
  and.b32 rest, word, 0x80008000;
  shr.b32 word, word, 3;
  lop3.b32 word, word, 0x0fe00fe0, rest, 0xEA;
  mul.bf16x2 $1, word, scale;
}"""

#: Two f32 in a register of 64 bits.
MULTIPLY_PAIRS = """{
  .reg .b64 a, b, c;
  mov.b64 a, { $2, $3 };
  mov.b64 b, { $4, $5 };
  mul.f32x2 c, a, b;
  mov.b64 { $0, $1 }, c;
}"""


@pytest.mark.parametrize("options", DEVICES)
def test_snippets_of_libraries(options):
    """Weights that are unpacked by bits of floats, and pairs of f32."""
    words = integers(I32, 13)
    text = f"tl.inline_asm_elementwise({UNPACK_NIBBLES!r}, '=r,=r,r', [x], (tl.int32, tl.int32), True, 1)"
    low, high = evaluate([f"{text}[0]", f"{text}[1]"], {"x": words}, [I32, I32], **options)
    for result, shift in ((low, 0), (high, 4)):
        pairs = result.view(F16).reshape(-1, 2).tolist()
        assert pairs == [[word >> shift & 15, word >> shift + 16 & 15] for word in words.tolist()]

    weights = integers(torch.int8, 14).view(torch.uint8)
    (result,) = evaluate([call(UNPACK_BYTES, "x", F16, "=r,=r,r", pack=4)], {"x": weights}, [F16], **options)
    assert torch.equal(result, weights.to(F16))

    codes = torch.randint(-128, 128, (SIZE,), generator=torch.Generator().manual_seed(15)).to(torch.int8).view(E5M2)
    codes = torch.where(codes.float().isfinite(), codes.float(), 1.5).to(E5M2)
    (result,) = evaluate([call(UNPACK_E5M2, "x", BF16, "=r,=r,r", pack=4)], {"x": codes}, [BF16], **options)
    assert torch.equal(result, codes.to(BF16))

    pairs = {"x": floats(F32, 16), "y": floats(F32, 17)}
    (result,) = evaluate([call(MULTIPLY_PAIRS, "xy", F32, "=r,=r,r,r,r,r", pack=2)], pairs, [F32], **options)
    with np.errstate(all="ignore"):
        assert_normal(result, round_to(to_longdouble(pairs["x"]) * to_longdouble(pairs["y"]), F32))


def test_operands_that_hold_less_than_a_register():
    """Elements of 8 and 16 bits alone in registers, a result that begins as an operand, and several results."""
    x, y = integers(torch.int8, 1), integers(I32, 2)
    text = "add.s32 $0, $0, $2; mov.b32 $1, $3;"
    both = f"tl.inline_asm_elementwise({text!r}, '=r,=r,0,r', [y, x], (tl.int32, tl.int32), True, 1)"
    low, rest = evaluate([f"{both}[0]", f"{both}[1]"], {"x": x, "y": y}, [I32, I32])
    assert torch.equal(low, y + y)
    assert rest.tolist() == [unsigned(value, 8) for value in x.tolist()]


#: Results, in bits, of numbers that need care.
EDGES = {
    "max.f32 $0, 0f80000000, 0f00000000;": 0,
    "min.f32 $0, 0f00000000, 0f80000000;": 0x80000000,
    "cvt.rz.satfinite.f16x2.f32 $0, 0f7F800000, 0fFF800000;": 0x7BFFFBFF,
    "cvt.rna.satfinite.tf32.f32 $0, 0f7F800000;": 0x7F7FE000,
    "cvt.rn.satfinite.tf32.f32 $0, 0fFF7FFFFF;": 0xFF7FE000,
    "{ .reg .b16 h; mov.b16 h, 0x57F6; cvt.rz.bf16.f16 h, h; mov.b32 $0, {h, h}; }": 0x42FE42FE,
    "{ .reg .b16 h; mov.b16 h, 0x4780; cvt.rz.f16.bf16 h, h; mov.b32 $0, {h, h}; }": 0x7BFF7BFF,
    "tanh.approx.f32 $0, 0f80000000;": 0x80000000,
}


@pytest.mark.parametrize("options", DEVICES)
def test_edges(options):
    """Signs of zeros, and infinities that are limited."""
    results = evaluate(
        [call(text, "x", I32, "=r,r") for text in EDGES], {"x": integers(I32, 0)}, [I32] * len(EDGES), **options
    )
    for (text, bits), result in zip(EDGES.items(), results, strict=True):
        assert torch.equal(result, torch.full_like(result, signed(bits))), text


REFUSED = {
    ("ld.global.b32 $0, [$1];", "=r,l"): "`ld.global.b32`: memory is accessed; write tl.load instead",
    ("mov.u32 $0, %clock;", "=r,r"): "`mov.u32`: `%clock` is a register of the hardware",
    ("add.rz.f32 $0, $1, $1;", "=r,r"): "`add.rz.f32`: `.rz` is not translated; write arithmetic of Python instead",
    ("shfl.sync.idx.b32 $0, $1, 0, 31, -1;", "=r,r"):
        "`shfl.sync.idx.b32`: there is no translation; write tl.reduce, tl.gather",
    ("add.s32 $0, $1, b;", "=r,r"): "`add.s32`: `b` is not declared",
    ("add.s32 $0, $1, $1;", "=x,r"): "the constraint `=x` has no register",
    ("add.s64 $0, $1, $1;", "=r,r"): "`add.s64`: expected 64 bits in `$1`, found 32",
    ("add.s32 $0, $1, 1.5;", "=r,r"): "`add.s32`: expected an integer, found a float",
    ("add.s32 $0, $1, 08;", "=r,r"): "`add.s32`: `08` is not a number",
    ("mov.b32 $0, \u00e9;", "=r,r"): "`mov.b32`: expected an operand, found a character outside of ASCII",
    ("cvt.rn.satfinite.sat.e4m3x2.f32 $0, $1, $1;", "=r,r"): "`.sat` is not translated for this type",
}  # fmt: skip


@pytest.mark.parametrize(("snippet", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_refusals(snippet, message):
    text, constraints = snippet
    with pytest.raises(errors.CompileError) as caught:
        evaluate([call(text, "x", I32, constraints)], {"x": integers(I32, 0)}, [I32])
    assert message in str(caught.value)
    assert "kernel_" in str(caught.value) and "inline_asm_elementwise" in str(caught.value)
