# SPDX-License-Identifier: MIT
"""Random programs give what numpy gives: chains of operations that change layouts, trees of elementwise operations,
and accesses with random masks, which never touch memory outside.

All arithmetic here is exact, so results are compared bit by bit. The default selection is the same in every run;
`--full` draws new programs each time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from generated import kernel_from_source
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

# Numbers overflow on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck)}
FEW = settings(max_examples=40, derandomize=True, **COMMON)
MANY = settings(max_examples=500, **COMMON)

MAX_ELEMENTS = 1024
MAX_RANK = 4

launch_options = st.fixed_dictionaries(
    {"num_warps": st.sampled_from([1, 2, 4, 8]), "warp_size": st.sampled_from([16, 32])}
)


def power_of_two(draw: st.DrawFn, low: int, high: int) -> int:
    return 1 << draw(st.integers(low.bit_length() - 1, high.bit_length() - 1))


# ----------------------------------------------------------------------------------------------------------------------
# Chains of operations that change layouts
# ----------------------------------------------------------------------------------------------------------------------


@dataclass
class Chain:
    """A kernel under construction, and what numpy has for its value `v`."""

    value: np.ndarray
    lines: list[str]

    def append(self, line: str, value: np.ndarray) -> None:
        assert value.dtype == np.int32
        self.lines.append(line)
        self.value = np.ascontiguousarray(value)


def split_into(draw: st.DrawFn, bits: int, rank: int) -> tuple[int, ...]:
    """Return dimensions whose sizes multiply to 2**bits."""
    cuts = sorted(draw(st.lists(st.integers(0, bits), min_size=rank - 1, max_size=rank - 1)))
    return tuple(1 << (high - low) for low, high in zip([0, *cuts], [*cuts, bits], strict=True))


def reshape(draw: st.DrawFn, chain: Chain) -> None:
    shape = split_into(draw, int(math.log2(chain.value.size)), draw(st.integers(1, MAX_RANK)))
    chain.append(f"v = tl.reshape(v, {shape})", chain.value.reshape(shape))


def permute(draw: st.DrawFn, chain: Chain) -> None:
    order = tuple(draw(st.permutations(range(chain.value.ndim))))
    chain.append(f"v = tl.permute(v, {order})", chain.value.transpose(order))


def broadcast(draw: st.DrawFn, chain: Chain) -> None:
    if chain.value.ndim == MAX_RANK or chain.value.size * 2 > MAX_ELEMENTS:
        return
    axis = draw(st.integers(0, chain.value.ndim))
    value = np.expand_dims(chain.value, axis)
    shape = list(value.shape)
    shape[axis] = power_of_two(draw, 1, min(4, MAX_ELEMENTS // chain.value.size))
    chain.append(f"v = tl.broadcast_to(tl.expand_dims(v, {axis}), {tuple(shape)})", np.broadcast_to(value, shape))


def reduce(draw: st.DrawFn, chain: Chain) -> None:
    if chain.value.ndim < 2:
        return
    axis = draw(st.integers(0, chain.value.ndim - 1))
    name, function = draw(st.sampled_from([("sum", np.add), ("max", np.maximum), ("xor_sum", np.bitwise_xor)]))
    chain.append(f"v = tl.{name}(v, {axis})", function.reduce(chain.value, axis, dtype=np.int32))


def scan(draw: st.DrawFn, chain: Chain) -> None:
    axis, reverse = draw(st.integers(0, chain.value.ndim - 1)), draw(st.booleans())
    value = np.flip(chain.value, axis) if reverse else chain.value
    value = np.cumsum(value, axis, dtype=np.int32)
    line = f"v = tl.cumsum(v, {axis}, reverse={reverse})"
    chain.append(line, np.flip(value, axis) if reverse else value)


def join(_draw: st.DrawFn, chain: Chain) -> None:
    if chain.value.ndim < MAX_RANK and chain.value.size * 2 <= MAX_ELEMENTS:
        chain.append("v = tl.join(v, v * 3 + 1)", np.stack([chain.value, chain.value * 3 + 1], axis=-1))


def split(_draw: st.DrawFn, chain: Chain) -> None:
    if chain.value.ndim > 1 and chain.value.shape[-1] == 2:
        chain.append("a, b = tl.split(v)", chain.value)
        chain.append("v = a * 5 - b", chain.value[..., 0] * 5 - chain.value[..., 1])


def flip(draw: st.DrawFn, chain: Chain) -> None:
    # The frontend cannot flip a single element.
    if chain.value.size == 1:
        return
    axis = draw(st.integers(0, chain.value.ndim - 1))
    chain.append(f"v = tl.flip(v, {axis})", np.flip(chain.value, axis))


def sort(draw: st.DrawFn, chain: Chain) -> None:
    # Compiles to many operations.
    if chain.value.shape[-1] > 32:
        return
    descending = draw(st.booleans())
    value = np.sort(chain.value, -1)
    chain.append(f"v = tl.sort(v, descending={descending})", np.flip(value, -1) if descending else value)


def add_index(draw: st.DrawFn, chain: Chain) -> None:
    """Adds a range along one dimension: a value in a sliced layout meets the others."""
    axis = draw(st.integers(0, chain.value.ndim - 1))
    place = [1] * chain.value.ndim
    place[axis] = chain.value.shape[axis]
    indices = np.arange(place[axis], dtype=np.int32).reshape(place)
    chain.append(f"v += tl.reshape(tl.arange(0, {place[axis]}), {tuple(place)}) * 7", chain.value + indices * 7)


STEPS = (reshape, permute, broadcast, reduce, scan, join, split, flip, sort, add_index)


@st.composite
def chains(draw: st.DrawFn) -> tuple[np.ndarray, Chain]:
    count = power_of_two(draw, 4, 512)
    data = np.random.default_rng(draw(st.integers(0, 2**32))).integers(-(2**31), 2**31, count, dtype=np.int32)
    chain = Chain(data, [])
    for step in draw(st.lists(st.sampled_from(STEPS), min_size=2, max_size=8)):
        step(draw, chain)
    return data, chain


def check_chain(data: np.ndarray, chain: Chain, options: dict[str, int]) -> None:
    size = chain.value.size
    body = [
        f"v = tl.load(x_ptr + tl.arange(0, {data.size}))",
        *chain.lines,
        f"tl.store(y_ptr + tl.arange(0, {size}), tl.reshape(v, ({size},)))",
    ]
    text = "def kernel(x_ptr, y_ptr):\n" + "".join(f"    {line}\n" for line in body)
    note(text)
    y = torch.full((size,), 0x5A5A5A5A, dtype=torch.int32)
    kernel_from_source(text)[(1,)](torch.from_numpy(data), y, **options)
    np.testing.assert_array_equal(y.numpy(), chain.value.reshape(-1))


@FEW
@given(chains(), launch_options)
def test_chains_of_layout_changes(program, options):
    check_chain(*program, options)


@pytest.mark.full
@MANY
@given(chains(), launch_options)
def test_many_chains_of_layout_changes(program, options):
    check_chain(*program, options)


# ----------------------------------------------------------------------------------------------------------------------
# Trees of elementwise operations
# ----------------------------------------------------------------------------------------------------------------------

ELEMENTS = 100


@dataclass(frozen=True)
class Expression:
    """The text of an expression, and its value in numpy."""

    text: str
    value: np.ndarray


def binary(symbol: str, function: np.ufunc) -> object:
    return lambda a, b: Expression(f"({a.text} {symbol} {b.text})", function(a.value, b.value))


def call(name: str, function: object) -> object:
    def apply(*arguments: Expression) -> Expression:
        text = ", ".join(argument.text for argument in arguments)
        return Expression(f"tl.{name}({text})", function(*(argument.value for argument in arguments)))

    return apply


def extreme(name: str, function: object) -> object:
    """Return a minimum or maximum. It is open which zero of two is the smaller one: adding zero makes it positive."""

    def apply(a: Expression, b: Expression) -> Expression:
        return Expression(f"(tl.{name}({a.text}, {b.text}) + 0.0)", function(a.value, b.value) + np.float32(0))

    return apply


def truncated_division(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return C's quotient, which Triton has too. Divisors are odd, hence not zero, and not -1: the quotient fits."""
    return (np.sign(a.astype(np.int64)) * np.sign(b) * (abs(a.astype(np.int64)) // abs(b.astype(np.int64)))).astype(
        np.int32
    )


def divide(a: Expression, b: Expression) -> Expression:
    divisor = b.value | 1
    divisor = np.where(divisor == -1, np.int32(3), divisor)
    text = f"({a.text} // tl.where(({b.text} | 1) == -1, 3, {b.text} | 1))"
    return Expression(text, truncated_division(a.value, divisor))


def remainder(a: Expression, b: Expression) -> Expression:
    divisor = b.value | 1
    divisor = np.where(divisor == -1, np.int32(3), divisor)
    text = f"({a.text} % tl.where(({b.text} | 1) == -1, 3, {b.text} | 1))"
    return Expression(text, a.value - truncated_division(a.value, divisor) * divisor)


def shift(symbol: str, function: np.ufunc) -> object:
    return lambda a, b: Expression(f"({a.text} {symbol} ({b.text} & 31))", function(a.value, b.value & 31))


def narrow(name: str, dtype: type) -> object:
    return lambda a: Expression(f"({a.text}).to(tl.{name}).to(tl.int32)", a.value.astype(dtype).astype(np.int32))


def select(a: Expression, b: Expression, c: Expression) -> Expression:
    return Expression(
        f"tl.where({a.text} < {b.text}, {b.text}, {c.text})", np.where(a.value < b.value, b.value, c.value)
    )


def multiply_high(a: Expression, b: Expression) -> Expression:
    wide = (a.value.view(np.uint32).astype(np.uint64) * b.value.view(np.uint32).astype(np.uint64)) >> np.uint64(32)
    text = f"tl.umulhi({a.text}.to(tl.uint32), {b.text}.to(tl.uint32)).to(tl.int32, bitcast=True)"
    return Expression(text, wide.astype(np.uint32).view(np.int32))


INTEGER_OPERATIONS = {
    1: [
        lambda a: Expression(f"(-{a.text})", -a.value),
        lambda a: Expression(f"(~{a.text})", ~a.value),
        call("abs", np.abs),
        narrow("int8", np.int8),
        narrow("uint8", np.uint8),
        narrow("int16", np.int16),
        narrow("uint16", np.uint16),
        narrow("int64", np.int64),
    ],
    2: [
        *(binary(*pair) for pair in (("+", np.add), ("-", np.subtract), ("*", np.multiply))),
        *(binary(*pair) for pair in (("&", np.bitwise_and), ("|", np.bitwise_or), ("^", np.bitwise_xor))),
        call("minimum", np.minimum),
        call("maximum", np.maximum),
        divide,
        remainder,
        shift("<<", np.left_shift),
        shift(">>", np.right_shift),
        multiply_high,
    ],
    3: [select],
}

FLOAT_OPERATIONS = {
    1: [
        # The language subtracts from zero, which gives zeros a plus sign.
        lambda a: Expression(f"(-{a.text})", np.zeros_like(a.value) - a.value),
        call("abs", np.abs),
        call("floor", np.floor),
        call("ceil", np.ceil),
        lambda a: Expression(f"tl.sqrt_rn(tl.abs({a.text}))", np.sqrt(np.abs(a.value))),
        lambda a: Expression(f"({a.text}).to(tl.float64).to(tl.float32)", a.value),
        lambda a: Expression(
            f"({a.text}).to(tl.float16).to(tl.float32)", a.value.astype(np.float16).astype(np.float32)
        ),
    ],
    2: [
        *(binary(*pair) for pair in (("+", np.add), ("-", np.subtract), ("*", np.multiply))),
        call("div_rn", np.divide),
        extreme("minimum", np.fmin),
        extreme("maximum", np.fmax),
    ],
    3: [select],
}

LEAVES = ("a", "b", "c")


@st.composite
def trees(draw: st.DrawFn, operations: dict[int, list], dtype: type, extremes: tuple) -> tuple[list, Expression]:
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    leaves = []
    for name in LEAVES:
        if dtype is np.int32:
            data = generator.integers(-(2**31), 2**31, ELEMENTS, dtype=np.int32)
        else:
            data = (generator.standard_normal(ELEMENTS) * 10.0 ** generator.integers(-6, 7, ELEMENTS)).astype(dtype)
        places = generator.integers(0, ELEMENTS, 2 * len(extremes))
        data[places] = np.resize(np.array(extremes, dtype), places.size)
        leaves.append(Expression(name, data))
    values = list(leaves)
    for _ in range(draw(st.integers(1, 12))):
        arity = draw(st.sampled_from([1, 2, 2, 2, 3]))
        operation = draw(st.sampled_from(operations[arity]))
        # Mostly what was made last, so that trees grow high.
        chosen = [draw(st.sampled_from([values[-1], values[-1], *values])) for _ in range(arity)]
        expression = operation(*chosen)
        # Operands are texts: without names the size would double at each step.
        values.append(Expression(f"t{len(values)}", expression.value))
        leaves.append(Expression(expression.text, expression.value))
    return (
        [leaf.value for leaf in leaves[: len(LEAVES)]],
        [leaf.text for leaf in leaves[len(LEAVES) :]],
        values[-1].value,
    )


def check_tree(program: tuple, element: str, options: dict[str, int]) -> None:
    data, lines, expected = program
    body = [
        "offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)",
        "mask = offsets < n",
        *(f"{name} = tl.load({name}_ptr + offsets, mask, other=1)" for name in LEAVES),
        *(f"t{index} = {line}" for index, line in enumerate(lines, len(LEAVES))),
        f"tl.store(y_ptr + offsets, t{len(LEAVES) + len(lines) - 1}, mask)",
    ]
    arguments = ", ".join(f"{name}_ptr" for name in LEAVES)
    text = f"def kernel({arguments}, y_ptr, n, BLOCK: tl.constexpr):\n" + "".join(f"    {line}\n" for line in body)
    note(text)
    y = torch.full((ELEMENTS,), 77, dtype=getattr(torch, element))
    tensors = [torch.from_numpy(values) for values in data]
    kernel_from_source(text)[(2,)](*tensors, y, ELEMENTS, BLOCK=64, enable_fp_fusion=False, **options)
    np.testing.assert_array_equal(y.numpy(), expected.astype(y.numpy().dtype))


INTEGER_EXTREMES = (0, 1, -1, 2**31 - 1, -(2**31), 255, -128, 65535)
FLOAT_EXTREMES = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, 3.4e38, -65504.0, 1e-40)

integer_trees = trees(INTEGER_OPERATIONS, np.int32, INTEGER_EXTREMES)
float_trees = trees(FLOAT_OPERATIONS, np.float32, FLOAT_EXTREMES)


@FEW
@given(integer_trees, launch_options)
def test_integer_expressions(program, options):
    check_tree(program, "int32", options)


@FEW
@given(float_trees, launch_options)
def test_float_expressions(program, options):
    check_tree(program, "float32", options)


@pytest.mark.full
@MANY
@given(integer_trees, launch_options)
def test_many_integer_expressions(program, options):
    check_tree(program, "int32", options)


@pytest.mark.full
@MANY
@given(float_trees, launch_options)
def test_many_float_expressions(program, options):
    check_tree(program, "float32", options)


# ----------------------------------------------------------------------------------------------------------------------
# Masks
# ----------------------------------------------------------------------------------------------------------------------

ACCESS = """def kernel(x_ptr, m_ptr, y_ptr, START, STRIDE: tl.constexpr, OTHER: tl.constexpr, N: tl.constexpr):
    lane = tl.arange(0, N)
    mask = tl.load(m_ptr + lane) != 0
    # Whatever the mask hides has an address far outside.
    far = (lane.to(tl.int64) + 1) << 40
    place = tl.where(mask, START + lane * STRIDE, far)
    value = tl.load(x_ptr + place, mask, other=OTHER)
    seen = tl.load(x_ptr + place, mask)
    tl.store(y_ptr + place, value, mask)
    tl.store(m_ptr + lane, tl.where(mask, seen == value, value == OTHER))
"""

DTYPES = ("int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


@st.composite
def accesses(draw: st.DrawFn) -> dict:
    count = power_of_two(draw, 16, 256)
    kind = draw(st.sampled_from(["random", "prefix", "suffix", "all", "none", "blocks"]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    lanes = np.arange(count)
    cut = draw(st.integers(0, count))
    mask = {
        "random": generator.integers(0, 2, count) != 0,
        "prefix": lanes < cut,
        "suffix": lanes >= cut,
        "all": lanes >= 0,
        "none": lanes < 0,
        "blocks": lanes // 4 % 2 == 0,
    }[kind]
    return {
        "mask": mask,
        "dtype": draw(st.sampled_from(DTYPES)),
        "start": draw(st.integers(0, 20)),
        "stride": draw(st.sampled_from([1, 1, 1, 2, 3])),
        "seed": draw(st.integers(0, 2**32)),
    }


GUARD = 64


def check_access(mask: np.ndarray, dtype: str, start: int, stride: int, seed: int, options: dict[str, int]) -> None:
    size = start + mask.size * stride
    generator = torch.Generator().manual_seed(seed)
    bits = torch.randint(0, 100, (2, size + 2 * GUARD), generator=generator)
    x, y = bits.to(getattr(torch, dtype))
    before, inner = y.clone(), slice(GUARD, GUARD + size)
    flags = torch.from_numpy(mask.astype(np.int8))
    kernel_from_source(ACCESS)[(1,)](x[inner], flags, y[inner], start, STRIDE=stride, OTHER=101, N=mask.size, **options)
    expected = before.clone()
    places = GUARD + start + torch.arange(mask.size)[torch.from_numpy(mask)] * stride
    expected[places] = x[places]
    assert torch.equal(y, expected)
    assert flags.all(), "a lane without memory did not get `other`, or two loads differ"


@FEW
@given(accesses(), launch_options)
def test_masks_hide_memory(access, options):
    check_access(**access, options=options)


@pytest.mark.full
@MANY
@given(accesses(), launch_options)
def test_many_masks_hide_memory(access, options):
    check_access(**access, options=options)
