# SPDX-License-Identifier: MIT
"""Kernels in Gluon: functions that Triton's frontend shares with its first language, and those of later versions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

import pytest
import torch
import triton
from generated import load_source
from numerics import poisoned
from packaging.version import Version
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

M, N = 16, 32
TILE = gl.BlockedLayout([1, 2], [2, 8], [2, 2], [1, 0])

PREAMBLE = """
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(x, y, z, layout: gl.constexpr):
    row = gl.arange(0, 16, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    place = row[:, None] * 32 + column[None, :]
    a, b = gl.load(x + place), gl.load(y + place)
"""


def needs(name: str, since: str) -> pytest.MarkDecorator:
    """Skip a test with Tritons before the version whose Gluon is the first one with the function."""
    return pytest.mark.skipif(
        Version(triton.__version__) < Version(since), reason=f"Gluon has `{name}` since Triton {since}"
    )


def run(expression: str, a: torch.Tensor, b: torch.Tensor, result: torch.dtype | None = None) -> torch.Tensor:
    """Return what a kernel computes of two matrices."""
    kernel = load_source(f"{PREAMBLE}    gl.store(z + place, {expression})\n", {}).kernel
    z = poisoned((M, N), result or a.dtype)
    kernel[(1,)](a, b, z, TILE, cpu_checks=True)
    return z


def floats(low: float, high: float) -> torch.Tensor:
    return torch.rand(M, N, generator=torch.Generator().manual_seed(5)) * (high - low) + low


def integers(low: int, high: int, dtype: torch.dtype = torch.int32) -> torch.Tensor:
    return torch.randint(low, high, (M, N), generator=torch.Generator().manual_seed(6), dtype=dtype)


#: Expressions of floats, what they are, and between which numbers.
OF_FLOATS = {
    "gl.ceil(a)": (lambda a, b: a.ceil(), -9, 9),
    "gl.floor(a)": (lambda a, b: a.floor(), -9, 9),
    "gl.sin(a)": (lambda a, b: a.sin(), -9, 9),
    "gl.cos(a)": (lambda a, b: a.cos(), -9, 9),
    "gl.erf(a)": (lambda a, b: a.erf(), -3, 3),
    "gl.exp2(a)": (lambda a, b: a.exp2(), -9, 9),
    "gl.log(a)": (lambda a, b: a.log(), 0.1, 9),
    "gl.log2(a)": (lambda a, b: a.log2(), 0.1, 9),
    "gl.sqrt(a)": (lambda a, b: a.sqrt(), 0, 9),
    "gl.sqrt_rn(a)": (lambda a, b: a.sqrt(), 0, 9),
    "gl.rsqrt(a)": (lambda a, b: a.rsqrt(), 0.1, 9),
    "gl.fdiv(a, b)": (lambda a, b: a / b, 0.1, 9),
    "gl.div_rn(a, b)": (lambda a, b: a / b, 0.1, 9),
    "gl.fma(a, b, a)": (lambda a, b: a * b + a, -9, 9),
    "gl.add(a, b)": (lambda a, b: a + b, -9, 9),
    "gl.sub(a, b)": (lambda a, b: a - b, -9, 9),
    "gl.mul(a, b)": (lambda a, b: a * b, -9, 9),
    "gl.minimum(a, b)": (lambda a, b: a.minimum(b), -9, 9),
    "gl.zeros_like(a) + gl.full_like(b, 2.5)": (lambda a, b: torch.full_like(a, 2.5), -9, 9),
    "gl.cast(a, gl.int32).to(gl.float32)": (lambda a, b: a.trunc(), -9, 9),
    "gl.broadcast(gl.expand_dims(gl.sum(a, 1), 1), a)[0]": (lambda a, b: a.sum(1, True).expand_as(a), -9, 9),
}  # fmt: skip


@pytest.mark.parametrize("expression", OF_FLOATS)
def test_functions_of_floats(expression):
    expected, low, high = OF_FLOATS[expression]
    a = floats(low, high)
    b = a.flip(0, 1).contiguous()
    torch.testing.assert_close(run(expression, a, b), expected(a, b), rtol=1e-5, atol=1e-5)


def along_rows(combine: Callable, value: torch.Tensor) -> torch.Tensor:
    """Return the numbers of each row combined, in all elements of the row."""
    return functools.reduce(combine, value.unbind(1))[:, None].expand(M, N)


OF_INTEGERS = {
    "gl.cdiv(a, b)": lambda a, b: (a + b - 1) // b,
    "gl.umulhi(a.to(gl.uint32) * 65537, b.to(gl.uint32) * 65537).to(gl.int32)":
        lambda a, b: ((a.long() * 65537 * b.long() * 65537) >> 32).int(),
    "gl.expand_dims(gl.xor_sum(a, 1), 1) + gl.zeros_like(a)": lambda a, b: along_rows(operator.xor, a),
    "gl.expand_dims(gl.reduce_or(a, 1), 1) + gl.zeros_like(a)": lambda a, b: along_rows(operator.or_, a),
    "gl.multiple_of(gl.max_contiguous(gl.max_constancy(a, [1, 1]), [1, 1]), [1, 1])": lambda a, b: a,
}  # fmt: skip


@pytest.mark.parametrize("expression", OF_INTEGERS)
def test_functions_of_integers(expression):
    a, b = integers(1, 1000), integers(1, 50).flip(0).contiguous()
    assert torch.equal(run(expression, a, b), OF_INTEGERS[expression](a, b))


@pytest.mark.parametrize(
    ("name", "dtype"), [("float8e5", torch.float8_e5m2), ("float8e4nv", torch.float8_e4m3fn)], ids=["e5m2", "e4m3"]
)
def test_floats_of_8_bits(name, dtype):
    a = floats(-9, 9)
    assert torch.equal(run(f"a.to(gl.{name}).to(gl.float32)", a, a), a.to(dtype).float())


@pytest.mark.parametrize("name", ["uint8", "uint16", "uint32", "uint64"])
def test_integers_without_sign(name):
    """The largest number is more than 1, not less."""
    a = torch.full((M, N), -1, dtype=torch.int8)
    assert run(f"gl.where(a.to(gl.{name}) > 1, 1, 0)", a, a, torch.int32).eq(1).all()


@gluon.jit
def bits_in_memory(x, y, layout: gl.constexpr):
    place = gl.arange(0, 256, layout=layout)
    value = gl.load(x + place)
    gl.atomic_and(y + place % 4, value)
    gl.atomic_or(y + 4 + place % 4, value)
    gl.atomic_min(y + 8 + place % 4, value)


@pytest.mark.conformance
def test_atomic_bits():
    x = torch.randint(0, 1 << 20, (64, 4), generator=torch.Generator().manual_seed(7), dtype=torch.int32)
    y = torch.tensor([-1] * 4 + [0] * 4 + [1 << 30] * 4, dtype=torch.int32)
    bits_in_memory[(1,)](x, y, gl.BlockedLayout([1], [16], [4], [0]))
    expected = y.new_tensor([-1] * 4), y.new_zeros(4)
    for row in x:
        expected = expected[0] & row, expected[1] | row
    assert torch.equal(y, torch.cat((*expected, x.amin(0))))


@gluon.jit
def flat(x, y, layout: gl.constexpr, line: gl.constexpr):
    row = gl.arange(0, 16, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    value = gl.ravel(gl.load(x + row[:, None] * 32 + column[None, :]))
    gl.store(y + gl.arange(0, 512, layout=line), gl.convert_layout(value, line))


def test_ravel():
    x, y = floats(-9, 9), poisoned((M * N,), torch.float32)
    flat[(1,)](x, y, TILE, gl.BlockedLayout([2], [16], [4], [0]), cpu_checks=True)
    assert torch.equal(y, x.flatten())


@gluon.jit
def facts(y, n, layout: gl.constexpr):
    gl.assume(n > 0)
    gl.static_assert(gl.num_ctas() == 1)
    linear: gl.constexpr = gl.to_linear_layout(layout, [16, 32])
    gl.static_assert(len(linear.lane_bases) == 4)
    row = gl.arange(0, 16, layout=gl.SliceLayout(1, linear))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, linear))
    gl.store(y + row[:, None] * 32 + column[None, :], gl.full([16, 32], 1.0, gl.float32, linear) * n)


def test_facts_about_layouts():
    y = poisoned((M, N), torch.float32)
    facts[(1,)](y, 3, TILE, cpu_checks=True)
    assert y.eq(3).all()


# Functions of later versions


@needs("clamp", since="3.8")
@pytest.mark.conformance
def test_clamp():
    a, b = floats(-9, 9), floats(-1, 1)
    assert torch.equal(run("gl.clamp(a, -2.0, 3.0)", a, b), a.clamp(-2, 3))
    a[3, 5] = torch.nan
    assert run("gl.clamp(a, -2.0, 3.0, tl.PropagateNan.ALL)", a, b)[3, 5].isnan()
    assert run("gl.clamp(a, -2.0, 3.0, tl.PropagateNan.NONE)", a, b)[3, 5] == -2


@needs("expect_zero", since="3.8")
@pytest.mark.conformance
def test_expect_zero():
    a = floats(1, 9)
    assert torch.equal(run("gl.expect_zero(a, a > 100.0)", a, a), a)


@needs("cumsum", since="3.9")
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.conformance
def test_cumulative_sums_and_products(axis, reverse):
    a, b = integers(-8, 9), integers(-1, 2)
    b[b == 0] = 1

    def expected(value: torch.Tensor, name: str) -> torch.Tensor:
        turned = value.flip(axis) if reverse else value
        result = getattr(turned, name)(axis).to(value.dtype)
        return result.flip(axis) if reverse else result

    assert torch.equal(run(f"gl.cumsum(a, {axis}, {reverse})", a, b), expected(a, "cumsum"))
    assert torch.equal(run(f"gl.cumprod(b, {axis}, {reverse})", a, b), expected(b, "cumprod"))


@gluon.jit
def messages(x, y, flag, layout: gl.constexpr):
    """The program that comes second has what the first one has stored."""
    place = gl.arange(0, 64, layout=layout)
    if gl.program_id(0) == 0:
        gl.atomic_store(y + place, gl.load(x + place), sem="relaxed")
        gl.atomic_store(flag, 1, sem="release")
    else:
        gl.device_assert(gl.atomic_poll(flag, 1))
        gl.store(y + 64 + place, gl.atomic_load(y + place, mask=place < 60))


@needs("atomic_poll", since="3.9")
@pytest.mark.conformance
def test_atomic_loads_and_stores():
    x = torch.arange(64, dtype=torch.int32)
    y, flag = poisoned((2, 64), torch.int32), torch.zeros(1, dtype=torch.int32)
    messages[(2,)](x, y, flag, gl.BlockedLayout([1], [16], [4], [0]))
    assert torch.equal(y[0], x)
    assert torch.equal(y[1, :60], x[:60])
    assert flag == 1


@needs("CachePolicy", since="3.9")
@pytest.mark.conformance
def test_cache_policies():
    a = floats(-9, 9)
    found = run('gl.load(x + place, cache_policy=gl.CachePolicy("cg", "evict_first"))', a, a)
    assert torch.equal(found, a)
