# SPDX-License-Identifier: MIT
"""One program per operation of the language that moves, reduces, scans or makes tensors.

Each case gets a tensor `x` and writes the lines of a kernel that computes something from the value named `x`; beside
them it states what the named results must be. Inputs are small integers in every type, so that sums are exact and
results are compared bit by bit.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import torch

SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = ("fp16", "bf16", "fp32", "fp64")
NUMBERS = (*INTEGERS, *FLOATS)
FP8 = ("fp8e5", "fp8e4nv")
ANY = ("i1", *NUMBERS, *FP8)

TORCH_TYPES = {
    "i1": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
    "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
    "fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64,
    "fp8e5": torch.float8_e5m2, "fp8e4nv": torch.float8_e4m3fn,
}  # fmt: skip

Results = dict[str, torch.Tensor]


@dataclass
class Program:
    """Lines of a kernel, and its results by the names that they have there."""

    lines: list[str]
    results: Results


@dataclass(frozen=True)
class Case:
    """An operation with everything that can be varied about it."""

    names: tuple[str, ...]
    build: Callable[[torch.Tensor, random.Random], Program | None]
    element_types: tuple[str, ...]
    #: Smallest and largest rank of `x`.
    ranks: tuple[int, int] = (1, 5)
    #: Definitions before the kernel.
    preamble: str = ""

    def __str__(self) -> str:
        return self.build.__name__.removeprefix("case_")


CASES: list[Case] = []


def case(names: str, element_types: tuple[str, ...], **options: object) -> Callable:
    """Add a case for the operations in `names`, which are separated by blanks."""

    def add(build: Callable) -> Callable:
        CASES.append(Case(tuple(names.split()), build, element_types, **options))
        return build

    return add


def wide(x: torch.Tensor) -> torch.Tensor:
    """Return the values in a type in which torch can compute and everything is exact."""
    return x.to(torch.float64 if x.dtype.is_floating_point else torch.int64)


def index_along(x: torch.Tensor, axis: int) -> torch.Tensor:
    """Return the coordinate of each element along `axis`."""
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    return torch.arange(x.shape[axis]).reshape(shape).expand(x.shape)


def simple(line: str, value: torch.Tensor) -> Program:
    return Program([f"r = {line}"], {"r": value})


# ----------------------------------------------------------------------------------------------------------------------
# Shapes
# ----------------------------------------------------------------------------------------------------------------------


@case("tl.reshape", ANY)
def case_reshape(x, rng):
    bits = int(math.log2(x.numel()))
    first = rng.randint(0, bits)
    second = rng.randint(0, bits - first)
    shape = (1 << first, 1 << second, 1 << (bits - first - second))
    return simple(f"tl.reshape(x, {shape})", x.reshape(shape))


@case("tl.reshape tl.view", (*NUMBERS, *FP8))
def case_reshape_in_any_order(x, rng):
    """The order is free, so only what does not depend on it can be compared."""
    total = wide(x).double().sum().reshape(1)
    lines = [
        f"r = tl.sum(tl.reshape(x, ({x.numel()},), can_reorder=True).to(tl.float64), 0, keep_dims=True)",
        f"s = tl.sum(tl.view(x, ({x.numel()},)).to(tl.float64), 0, keep_dims=True)",
    ]
    return Program(lines, {"r": total.float(), "s": total.float()})


@case("tl.ravel", ANY)
def case_ravel(x, rng):
    return simple("tl.ravel(x)", x.reshape(-1))


@case("tl.permute tl.trans", ANY, ranks=(2, 5))
def case_permute(x, rng):
    order = rng.sample(range(x.ndim), x.ndim)
    name = rng.choice(["permute", "trans"])
    return simple(f"tl.{name}(x, {', '.join(map(str, order))})", x.permute(order))


@case("tl.expand_dims tl.broadcast_to", ANY)
def case_broadcast_to(x, rng):
    axis = rng.randint(0, x.ndim)
    value = x.unsqueeze(axis)
    shape = tuple(4 if dim == axis else size for dim, size in enumerate(value.shape))
    return simple(f"tl.broadcast_to(tl.expand_dims(x, {axis}), {shape})", value.expand(shape))


@case("tl.squeeze tl.unsqueeze", ANY)
def case_squeeze(x, rng):
    axis = rng.randint(0, x.ndim)
    lines = [f"one = tl.unsqueeze(x, {axis})", f"r = tl.squeeze(one, {axis})"]
    return Program(lines, {"one": x.unsqueeze(axis), "r": x})


@case("tl.broadcast", INTEGERS, ranks=(2, 5))
def case_broadcast(x, rng):
    axis = rng.randrange(x.ndim)
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    lines = [f"a, b = tl.broadcast(x, tl.reshape(tl.arange(0, {shape[axis]}), {tuple(shape)}))", "r = a + b"]
    return Program(lines, {"b": index_along(x, axis).int(), "r": wide(x) + index_along(x, axis)})


@case("tl.join tl.split", ANY)
def case_join_and_split(x, rng):
    lines = ["joined = tl.join(x, x)", "a, b = tl.split(joined)"]
    return Program(lines, {"joined": torch.stack([x, x], -1), "a": x, "b": x})


@case("tl.split", NUMBERS)
def case_split(x, rng):
    shape = (x.numel() // 2, 2)
    lines = [f"a, b = tl.split(tl.reshape(x, {shape}))"]
    a, b = x.reshape(shape).unbind(-1)
    return Program(lines, {"a": a, "b": b})


@case("tl.interleave", ANY)
def case_interleave(x, rng):
    other = torch.zeros_like(x)
    expected = torch.stack([x, other], -1).reshape(*x.shape[:-1], -1)
    return simple("tl.interleave(x, tl.zeros_like(x))", expected)


@case("tl.flip", NUMBERS)
def case_flip(x, rng):
    axis = rng.randrange(x.ndim)
    return simple(f"tl.flip(x, {axis})", wide(x).flip(axis))


@case("tl.sort", (*SIGNED, *FLOATS), ranks=(2, 2))
def case_sort(x, rng):
    descending = rng.choice([True, False])
    return simple(f"tl.sort(x, descending={descending})", wide(x).sort(-1, descending=descending).values)


@case("tl.topk", (*SIGNED, *FLOATS), ranks=(2, 2))
def case_topk(x, rng):
    count = 1 << rng.randint(0, int(math.log2(x.shape[-1])) - 1)
    return simple(f"tl.topk(x, {count})", wide(x).sort(-1, descending=True).values[..., :count])


@case("tl.bitonic_merge", ("i32",), ranks=(2, 2))
def case_bitonic_merge(x, rng):
    half = x.shape[-1] // 2
    index = f"tl.arange(0, {x.shape[-1]})"
    lines = [f"i = {index}", f"v = tl.where(i < {half}, i, {x.shape[-1]} - i)", "r = tl.bitonic_merge(v)"]
    i = torch.arange(x.shape[-1])
    return Program(lines, {"r": torch.where(i < half, i, x.shape[-1] - i).sort().values.int()})


@case("tl.where", ANY)
def case_where(x, rng):
    axis = rng.randrange(x.ndim)
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    lines = [
        f"even = tl.reshape(tl.arange(0, {shape[axis]}), {tuple(shape)}) % 2 == 0",
        "r = tl.where(even, x, tl.zeros_like(x))",
    ]
    even = index_along(x, axis) % 2 == 0
    return Program(lines, {"r": torch.where(even, x.float(), 0).to(x.dtype)})


@case("tl.zeros tl.zeros_like tl.full", ANY)
def case_constants(x, rng):
    shape = tuple(x.shape)
    lines = [
        "zeros = tl.zeros_like(x)",
        f"more = tl.zeros({shape}, x.dtype)",
        f"ones = tl.full({shape}, 1, tl.float32).to(x.dtype)",
    ]
    zeros = torch.zeros_like(x)
    return Program(lines, {"zeros": zeros, "more": zeros, "ones": torch.ones(shape).to(x.dtype)})


@case("tl.arange", ("i32",))
def case_arange(x, rng):
    start = 1 << rng.randint(3, 6)
    return simple(f"tl.arange({start}, {start * 2})", torch.arange(start, start * 2, dtype=torch.int32))


@case("tl.cast tl.tensor", NUMBERS)
def case_cast(x, rng):
    lines = ["r = tl.cast(x, tl.int64)", "s = x.to(tl.float32)", "back = tl.cast(s, x.dtype)"]
    return Program(lines, {"r": x.long(), "s": x.float(), "back": x})


@case("tl.cast", ("i8", "i16", "i32", "i64", "fp16", "bf16", "fp32", "fp64"))
def case_bitcast(x, rng):
    bits = x.element_size() * 8
    integer = {8: torch.int8, 16: torch.int16, 32: torch.int32, 64: torch.int64}[bits]
    return simple(f"tl.cast(x, tl.int{bits}, bitcast=True)", x.view(integer))


@case("tl.to_tensor", ("i32", "fp32"))
def case_to_tensor(x, rng):
    lines = ["i = tl.to_tensor(3)", "f = tl.to_tensor(2.5)"]
    return Program(lines, {"i": torch.tensor(3, dtype=torch.int32), "f": torch.tensor(2.5)})


@case("tl.slice tl.tuple", NUMBERS)
def case_slices_and_tuples(x, rng):
    last = ", ".join([":"] * x.ndim + ["None"])
    lines = [f"pair = (x[None], x[{last}])", "a, b = pair", "r = pair[1]"]
    return Program(lines, {"a": x[None], "b": x[..., None], "r": x[..., None]})


# ----------------------------------------------------------------------------------------------------------------------
# Reductions and scans
# ----------------------------------------------------------------------------------------------------------------------


@case("tl.sum", NUMBERS)
def case_sum(x, rng):
    axis = rng.choice([None, *range(x.ndim)])
    keep = rng.choice([True, False])
    value = wide(x).sum() if axis is None else wide(x).sum(axis, keepdim=keep)
    if axis is None and keep:
        value = value.reshape([1] * x.ndim)
    small = x.dtype in (torch.int8, torch.int16, torch.uint8, torch.uint16)
    result = torch.int32 if small else x.dtype
    return simple(f"tl.sum(x, {axis}, keep_dims={keep})", value.to(result))


@case("tl.max tl.min", NUMBERS)
def case_extremes(x, rng):
    axis = rng.randrange(x.ndim)
    lines = [f"low = tl.min(x, {axis})", f"high = tl.max(x, {axis})"]
    return Program(lines, {"low": wide(x).amin(axis), "high": wide(x).amax(axis)})


@case("tl.max tl.min", (*SIGNED, *FLOATS))
def case_extremes_with_indices(x, rng):
    """Inputs are small integers, so there are ties."""
    axis = rng.randrange(x.ndim)
    lines = [
        f"low, low_at = tl.min(x, {axis}, return_indices=True)",
        f"high, high_at = tl.max(x, {axis}, return_indices=True)",
    ]
    low, high = wide(x).amin(axis, keepdim=True), wide(x).amax(axis, keepdim=True)
    indices = index_along(x, axis)
    first = [torch.where(wide(x) == value, indices, x.shape[axis]).amin(axis) for value in (low, high)]
    return Program(
        lines,
        {"low": low.squeeze(axis), "low_at": first[0], "high": high.squeeze(axis), "high_at": first[1]},
    )


@case("tl.argmax tl.argmin", (*SIGNED, *FLOATS))
def case_arguments(x, rng):
    axis = rng.randrange(x.ndim)
    lines = [f"low = tl.argmin(x, {axis})", f"high = tl.argmax(x, {axis})"]
    indices = index_along(x, axis)

    def first(extreme: torch.Tensor) -> torch.Tensor:
        return torch.where(wide(x) == extreme, indices, x.shape[axis]).amin(axis)

    results = {"low": first(wide(x).amin(axis, keepdim=True)), "high": first(wide(x).amax(axis, keepdim=True))}
    return Program(lines, results)


@case("tl.xor_sum", INTEGERS)
def case_xor_sum(x, rng):
    axis = rng.randrange(x.ndim)
    value = torch.zeros_like(wide(x).select(axis, 0))
    for part in wide(x).unbind(axis):
        value = value ^ part
    return simple(f"tl.xor_sum(x, {axis})", value)


@case("tl.reduce_or", INTEGERS)
def case_reduce_or(x, rng):
    axis = rng.randrange(x.ndim)
    value = torch.zeros_like(wide(x).select(axis, 0))
    for part in wide(x).unbind(axis):
        value = value | part
    return simple(f"tl.reduce_or(x, {axis})", value)


WELFORD = """
@triton.jit
def combine(sum_a, count_a, last_a, sum_b, count_b, last_b):
    return sum_a + sum_b, count_a + count_b, last_b
"""


@case("tl.reduce", ("i32", "i64", "fp32", "fp64"), preamble=WELFORD)
def case_reduce_of_three(x, rng):
    """Operands of several types, and a function that is not commutative."""
    axis = rng.randrange(x.ndim)
    lines = [f"s, n, last = tl.reduce((x, tl.full(x.shape, 1, tl.int8).to(tl.int16), x), {axis}, combine)"]
    return Program(
        lines,
        {
            "s": wide(x).sum(axis),
            "n": torch.full(wide(x).sum(axis).shape, x.shape[axis], dtype=torch.int16),
            "last": x.select(axis, -1),
        },
    )


@case("tl.cumsum", (*SIGNED, *FLOATS))
def case_cumsum(x, rng):
    axis, reverse = rng.randrange(x.ndim), rng.choice([True, False])
    value = wide(x).flip(axis).cumsum(axis).flip(axis) if reverse else wide(x).cumsum(axis)
    return simple(f"tl.cumsum(x, {axis}, reverse={reverse})", value)


@case("tl.cumprod", ("i32", "i64", "fp32", "fp64"))
def case_cumprod(x, rng):
    axis, reverse = rng.randrange(x.ndim), rng.choice([True, False])
    # Factors 1 and -1: every product is exact.
    signs = torch.where(wide(x) % 2 == 0, 1, -1)
    value = signs.flip(axis).cumprod(axis).flip(axis) if reverse else signs.cumprod(axis)
    lines = [
        "signs = tl.where(x.to(tl.int32) % 2 == 0, 1, -1).to(x.dtype)",
        f"r = tl.cumprod(signs, {axis}, reverse={reverse})",
    ]
    return Program(lines, {"r": value})


AFFINE = """
@triton.jit
def compose(a0, b0, a1, b1):
    return a0 * a1, a1 * b0 + b1
"""


@case("tl.associative_scan", ("i32", "i64", "fp32", "fp64"), preamble=AFFINE)
def case_associative_scan(x, rng):
    """The recurrence h = a * h + x with a of 1 and -1: two operands, not commutative."""
    axis, reverse = rng.randrange(x.ndim), rng.choice([True, False])
    lines = [
        "signs = tl.where(x.to(tl.int32) % 2 == 0, 1, -1).to(x.dtype)",
        f"_, r = tl.associative_scan((signs, x), {axis}, compose, reverse={reverse})",
    ]
    values = wide(x).flip(axis) if reverse else wide(x)
    state = torch.zeros_like(values.select(axis, 0))
    states = []
    for value in values.unbind(axis):
        state = torch.where(value % 2 == 0, 1, -1) * state + value
        states.append(state)
    scanned = torch.stack(states, axis)
    return Program(lines, {"r": scanned.flip(axis) if reverse else scanned})


# ----------------------------------------------------------------------------------------------------------------------
# Programs, hints, control
# ----------------------------------------------------------------------------------------------------------------------


@case("tl.program_id tl.num_programs tl.cdiv", ("i32",))
def case_programs(x, rng):
    lines = [
        "ids = tl.program_id(0) + 10 * tl.program_id(1) + 100 * tl.program_id(2)",
        "count = tl.num_programs(0) + 10 * tl.num_programs(1) + 100 * tl.num_programs(2)",
        "quotient = tl.cdiv(count, 10)",
    ]
    scalar = torch.tensor
    return Program(lines, {"ids": scalar(0), "count": scalar(111), "quotient": scalar(12)})


@case("tl.swizzle2d", ("i32",))
def case_swizzle2d(x, rng):
    """The index of a 4 x 8 grid, walked in groups of two rows."""
    lines = ["i = tl.arange(0, 32)", "a, b = tl.swizzle2d(i // 8, i % 8, 4, 8, 2)"]
    i = torch.arange(32)
    group, inner = i // 16, i % 16
    return Program(lines, {"a": (group * 2 + inner % 2).int(), "b": (inner // 2).int()})


@case("tl.multiple_of tl.max_contiguous tl.max_constancy tl.assume tl.debug_barrier", NUMBERS)
def case_hints(x, rng):
    """Hints that are true change no result."""
    size = x.numel()
    lines = [
        f"i = tl.max_contiguous(tl.multiple_of(tl.arange(0, {size}), {size}), {size})",
        "tl.assume(tl.program_id(0) >= 0)",
        "tl.debug_barrier()",
        f"c = tl.max_constancy(tl.arange(0, {size}) // 4, 4)",
        f"r = tl.reshape(x, ({size},))",
    ]
    i = torch.arange(size)
    return Program(lines, {"i": i.int(), "c": (i // 4).int(), "r": x.reshape(-1)})


@case("tl.range tl.static_range tl.condition tl.static_assert tl.static_print tl.constexpr", ("i32", "i64", "fp32"))
def case_loops(x, rng):
    lines = [
        "r = x",
        "for i in tl.range(0, 3, num_stages=2):",
        "    r += i",
        "for i in tl.static_range(3):",
        "    r += i * 10",
        "    tl.static_assert(i < 3)",
        "n = 0",
        "while n < 4:",
        "    r += 1",
        "    n += 1",
        "for i in range(5, -4, -3):",
        "    r += i * 100",
    ]
    return Program(lines, {"r": wide(x) + 3 + 30 + 4 + (5 + 2 - 1) * 100})


# ----------------------------------------------------------------------------------------------------------------------
# Composites of the standard library
# ----------------------------------------------------------------------------------------------------------------------


@case("tl.softmax tl.sigmoid", ("fp32",), ranks=(2, 2))
def case_softmax(x, rng):
    """Equal inputs give equal weights, exactly."""
    lines = ["r = tl.softmax(x * 0.0, 1, keep_dims=True)", "s = tl.sigmoid(x * 0.0)"]
    rows, columns = x.shape
    return Program(lines, {"r": torch.full((rows, columns), 1 / columns), "s": torch.full((rows, columns), 0.5)})


@case("tl.add tl.sub tl.mul", NUMBERS)
def case_arithmetic(x, rng):
    lines = ["a = tl.add(x, x)", "s = tl.sub(a, x)", "m = tl.mul(x, x)"]
    return Program(lines, {"a": wide(x) * 2, "s": wide(x), "m": wide(x) * wide(x)})


def philox(seed: int, counters: torch.Tensor) -> list[torch.Tensor]:
    """Compute Philox 4x32 with 10 rounds (Salmon et al., SC'11) of the counters (c, 0, 0, 0)."""
    mask = 0xFFFFFFFF
    outputs = []
    for counter in counters.tolist():
        c0, c1, c2, c3 = counter, 0, 0, 0
        k0, k1 = seed & mask, seed >> 32
        for _ in range(10):
            p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
            c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & mask, (p0 >> 32) ^ c3 ^ k1, p0 & mask
            k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
        outputs.append((c0, c1, c2, c3))
    return [torch.tensor(column) for column in zip(*outputs, strict=True)]


@case("tl.randint tl.randint4x tl.philox tl.philox_impl", ("i32",))
def case_random_integers(x, rng):
    seed = rng.randrange(2**31)
    lines = [
        "i = tl.arange(0, 64)",
        f"r = tl.randint({seed}, i)",
        f"a, b, c, d = tl.randint4x({seed}, i)",
    ]
    words = philox(seed, torch.arange(64))
    signed = [torch.where(word >= 2**31, word - 2**32, word).int() for word in words]
    return Program(lines, dict(zip("rabcd", [signed[0], *signed], strict=True)))


@case("tl.rand tl.rand4x tl.uint_to_uniform_float", ("fp32",))
def case_random_uniform(x, rng):
    seed = rng.randrange(2**31)
    lines = [f"r = tl.rand({seed}, tl.arange(0, 64))"]
    word = philox(seed, torch.arange(64))[0]
    signed = torch.where(word >= 2**31, word - 2**32, word)
    magnitude = torch.where(signed < 0, -signed - 1, signed)
    return Program(lines, {"r": (magnitude.float() * torch.tensor(4.6566127342e-10)).float()})
