# SPDX-License-Identifier: MIT
"""Operations of the language in every element type, in contexts that force layouts, on 1 to 32 warps of both sizes.

The contexts decide in which layout an operation finds its operand: a vector, rows, columns, a tensor of rank 3, the
accumulator of a dot, the slice that a reduction leaves. The default selection takes every value of every variant of an
operation at least once; `--full` takes every pair.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import torch
from allpairspy import AllPairs
from generated import kernel_from_source
from numeric.language_cases import CASES, TORCH_TYPES, Case
from numerics import poisoned
from support import covers


@dataclass(frozen=True)
class Context:
    """The origin of `x`: its shape, how much of it is in memory, and lines after its load."""

    name: str
    shape: tuple[int, ...]
    extent: tuple[int, ...]
    #: Dimensions from the slowest to the fastest in memory.
    order: tuple[int, ...]
    lines: tuple[str, ...] = ()
    element_types: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return self.name


CONTEXTS = (
    Context("vector", (128,), (101,), (0,)),
    Context("rows", (16, 32), (13, 27), (0, 1)),
    Context("columns", (32, 16), (29, 11), (1, 0)),
    Context("cube", (4, 8, 16), (3, 7, 13), (0, 1, 2)),
    Context("rank_5", (2, 4, 2, 4, 8), (2, 3, 2, 3, 7), (0, 1, 2, 3, 4)),
    Context("slice", (8, 16), (7, 13), (0, 1), ("x = tl.max(tl.join(x, x), 2).to(x.dtype)",)),
    Context(
        "dot",
        (32, 32),
        (29, 31),
        (0, 1),
        (
            "one = tl.where(tl.arange(0, 32)[:, None] == tl.arange(0, 32)[None, :], 1.0, 0.0).to(tl.bfloat16)",
            "x = tl.dot(x.to(tl.bfloat16), one)",
        ),
        ("fp32",),
    ),
    Context(
        "integer_dot",
        (32, 32),
        (29, 31),
        (0, 1),
        (
            "one = tl.where(tl.arange(0, 32)[:, None] == tl.arange(0, 32)[None, :], 1, 0).to(tl.int8)",
            "x = tl.dot(x.to(tl.int8), one, out_dtype=tl.int32)",
        ),
        ("i32",),
    ),
)


@dataclass(frozen=True)
class Variant:
    """One combination."""

    case: Case
    element_type: str
    context: Context
    num_warps: int
    warp_size: int

    def __str__(self) -> str:
        return f"{self.case}-{self.element_type}-{self.context}-{self.num_warps}x{self.warp_size}"

    def is_possible(self) -> bool:
        low, high = self.case.ranks
        if not low <= len(self.context.shape) <= high:
            return False
        if self.context.element_types and self.element_type not in self.context.element_types:
            return False
        # A slice is made by a maximum, which these types do not have; DPAS has 16 lanes.
        if self.context.name == "slice" and self.element_type in ("i1", "fp8e5", "fp8e4nv"):
            return False
        return not ("dot" in self.context.name and self.warp_size == 32)


WARPS = (1, 4, 8, 32)
WARP_SIZES = (16, 32)


def each_choice(case: Case) -> Iterator[Variant]:
    """Yield every element type, context, number of warps and warp size of a case at least once."""
    rng = random.Random(zlib.crc32(str(case).encode()))
    pools = [list(case.element_types), list(CONTEXTS), list(WARPS), list(WARP_SIZES)]
    missing = [set(pool) for pool in pools]
    everything = [
        variant
        for element_type in case.element_types
        for context in CONTEXTS
        for num_warps in WARPS
        for warp_size in WARP_SIZES
        if (variant := Variant(case, element_type, context, num_warps, warp_size)).is_possible()
    ]
    rng.shuffle(everything)

    def gain(variant: Variant) -> int:
        values = (variant.element_type, variant.context, variant.num_warps, variant.warp_size)
        return sum(value in still for value, still in zip(values, missing, strict=True))

    while any(missing):
        # None can have more than this: the first that has it is the one.
        most = sum(map(bool, missing))
        best = next((variant for variant in everything if gain(variant) == most), None)
        best = best or max(everything, key=gain, default=None)
        if best is None or not gain(best):
            return
        everything.remove(best)
        for value, still in zip(
            (best.element_type, best.context, best.num_warps, best.warp_size), missing, strict=True
        ):
            still.discard(value)
        yield best


def each_pair(case: Case) -> Iterator[Variant]:
    """Yield a set in which every pair of values occurs."""
    pools = [list(case.element_types), list(CONTEXTS), list(WARPS), list(WARP_SIZES)]
    if len(pools[0]) == 1:
        # AllPairs wants a choice in each dimension that it filters.
        pools[0] = pools[0] * 2

    def is_possible(values: list) -> bool:
        return len(values) < len(pools) or Variant(case, *values).is_possible()

    seen = set()
    for values in AllPairs(pools, filter_func=is_possible):
        variant = Variant(case, *values)
        if str(variant) not in seen:
            seen.add(str(variant))
            yield variant


def parameters(select: object) -> list:
    """Return variants with the marks that state what they cover."""
    return [
        pytest.param(variant, id=str(variant), marks=covers(case.names, variant.element_type))
        for case in CASES
        for variant in select(case)
    ]


def run(variant: Variant) -> None:
    context, dtype = variant.context, TORCH_TYPES[variant.element_type]
    rng = random.Random(zlib.crc32(str(variant).encode()))
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    low = 0 if variant.element_type.startswith(("u", "i1")) else -2
    inner = torch.randint(low, 3, context.extent, generator=generator)
    inner = (inner != 0) if dtype == torch.bool else inner.to(torch.float32).to(dtype)

    x = torch.zeros(context.shape).to(dtype)
    # Copies of 8-bit floats and unsigned integers go through their bytes.
    x.view(torch.uint8)[_bytes(context.extent, x)] = inner.contiguous().view(torch.uint8)
    program = variant.case.build(x, rng)

    memory = inner.permute(context.order).contiguous()
    strides = dict(zip(context.order, memory.stride(), strict=True))
    axes = [f"i{dim}" for dim in range(x.ndim)]
    lines = []
    for dim, size in enumerate(context.shape):
        index = ", ".join(":" if other == dim else "None" for other in range(x.ndim))
        lines.append(f"i{dim} = tl.arange(0, {size})" + (f"[{index}]" if x.ndim > 1 else ""))
    place = " + ".join(f"{axis} * {strides[dim]}" for dim, axis in enumerate(axes))
    mask = " & ".join(f"({axis} < {extent})" for axis, extent in zip(axes, context.extent, strict=True))
    lines.append(f"x = tl.load(x_ptr + {place}, {mask}, other=0.0)")
    lines += [*context.lines, *program.lines]
    outputs = {}
    for name, expected in program.results.items():
        outputs[name] = poisoned(tuple(expected.shape), _stored_type(expected, dtype))
        lines += _store(name, tuple(expected.shape))
    arguments = ", ".join(["x_ptr", *(f"{name}_ptr" for name in outputs)])
    text = f"def kernel({arguments}):\n" + "".join(f"    {line}\n" for line in lines)
    kernel = kernel_from_source(text, variant.case.preamble)
    kernel[(1,)](memory, *outputs.values(), num_warps=variant.num_warps, warp_size=variant.warp_size)
    for name, actual in outputs.items():
        expected = program.results[name].to(actual.dtype)
        equal = _as_bytes(actual) == _as_bytes(expected)
        # Zero has two signs.
        assert equal.all() or torch.equal(actual.double(), expected.double()), f"{name} in\n{text}"


def _as_bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().reshape(-1).view(torch.uint8)


def _bytes(extent: tuple[int, ...], x: torch.Tensor) -> tuple[slice, ...]:
    *outer, last = extent
    return (*(slice(0, size) for size in outer), slice(0, last * x.element_size()))


def _stored_type(expected: torch.Tensor, dtype: torch.dtype) -> torch.dtype:
    """Wide references are compared in the operand's type, truth values as bytes."""
    if expected.dtype == torch.bool:
        return torch.uint8
    same_kind = expected.dtype.is_floating_point == dtype.is_floating_point
    return (
        dtype
        if expected.dtype in (torch.int64, torch.float64) and same_kind and dtype != torch.bool
        else expected.dtype
    )


def _store(name: str, shape: tuple[int, ...]) -> list[str]:
    if not shape:
        return [f"tl.store({name}_ptr, {name})"]
    size = 1
    for extent in shape:
        size *= extent
    return [f"tl.store({name}_ptr + tl.arange(0, {size}), tl.reshape({name}, ({size},)))"]


@pytest.mark.parametrize("variant", parameters(each_choice))
def test_operation(variant: Variant) -> None:
    run(variant)


@pytest.mark.full
def test_operation_in_every_pair(variant: Variant) -> None:
    run(variant)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pairs take seconds to find: only where they run."""
    if metafunc.function is test_operation_in_every_pair:
        metafunc.parametrize("variant", parameters(each_pair) if metafunc.config.getoption("--full") else [])


@covers(("tl.randn", "tl.randn4x", "tl.pair_uniform_to_normal"), "fp32")
@pytest.mark.parametrize("num_warps", [1, 4])
def test_normal_random_numbers(num_warps: int) -> None:
    """The transformation of Box and Muller (1958) of the uniform numbers that `tl.rand4x` gives."""
    text = """def kernel(n_ptr, u_ptr, r_ptr, SEED, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c, d = tl.randn4x(SEED, i)
    p, q, r, s = tl.rand4x(SEED, i)
    tl.store(n_ptr + i, a)
    tl.store(n_ptr + N + i, b)
    tl.store(n_ptr + 2 * N + i, c)
    tl.store(n_ptr + 3 * N + i, d)
    tl.store(u_ptr + i, p)
    tl.store(u_ptr + N + i, q)
    tl.store(u_ptr + 2 * N + i, r)
    tl.store(u_ptr + 3 * N + i, s)
    tl.store(r_ptr + i, tl.randn(SEED, i))
"""
    count = 256
    normal, uniform, single = (
        poisoned((4, count), torch.float32),
        poisoned((4, count), torch.float32),
        poisoned((count,), torch.float32),
    )
    kernel_from_source(text)[(1,)](normal, uniform, single, 1234, N=count, num_warps=num_warps)
    u = uniform.double()
    assert ((u >= 0) & (u < 1)).all()
    expected = []
    for first, second in ((u[0], u[1]), (u[2], u[3])):
        radius = torch.sqrt(-2 * torch.log(torch.clamp(first, min=1e-7)))
        angle = 2 * torch.pi * second
        expected += [radius * torch.cos(angle), radius * torch.sin(angle)]
    torch.testing.assert_close(normal.double(), torch.stack(expected), rtol=1e-5, atol=1e-5)
    assert torch.equal(single, normal[0])
