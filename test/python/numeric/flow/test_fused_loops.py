# SPDX-License-Identifier: MIT
"""Nests of loops that `tl.range(flatten=True)` makes one loop of, on the CPU device against loops in Python."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

WARPS = (1, 4)


def count_loops(kernel) -> int:
    return kernel.asm["ttgir"].count("scf.for")


@triton.jit
def trace(out, start, stop, step, inner_start, inner_stop, inner_step, BY: tl.constexpr, FLATTEN: tl.constexpr):
    """Writes down all events, in its order: `BY` times the outer counter moves the inner end."""
    place = out
    for i in tl.range(start, stop, step, flatten=FLATTEN):
        tl.store(place, i)
        place += 1
        for j in tl.range(inner_start, inner_stop + BY * i, inner_step):
            tl.store(place, 1000 + j)
            place += 1
        tl.store(place, -1)
        place += 1
    tl.store(place, -2)


def expected_trace(outer: tuple[int, int, int], inner: tuple[int, int, int], by: int) -> list[int]:
    events = []
    for i in range(*outer):
        events.append(i)
        events += [1000 + j for j in range(inner[0], inner[1] + by * i, inner[2])]
        events.append(-1)
    return [*events, -2]


NESTS = [
    ((0, 4, 1), (0, 3, 1), 0),
    ((0, 4, 1), (3, 3, 1), 0),
    ((0, 4, 1), (5, 3, 1), 0),
    ((4, 0, 1), (0, 3, 1), 0),
    ((0, 0, 1), (0, 0, 1), 0),
    ((-5, 4, 3), (-7, 2, 4), 0),
    ((0, 5, 1), (0, 0, 1), 1),
    ((0, 5, 1), (0, 6, 2), -1),
    ((-3, 6, 2), (2, 3, 3), 2),
    ((2**31 - 10, 2**31 - 1, 4), (0, 2, 1), 0),
    ((-(2**31), 2**31 - 1 - 2**30, 2**30), (-(2**31), -(2**31) + 2, 1), 0),
    ((0, 2, 1), (-(2**31), 2**31 - 1 - 2**30, 2**30), 0),
]


@pytest.mark.parametrize("specialize", [False, True])
@pytest.mark.parametrize(("outer", "inner", "by"), NESTS)
def test_order(outer: tuple[int, int, int], inner: tuple[int, int, int], by: int, *, specialize: bool) -> None:
    """Everything happens as often as in a nest, and in its order, also without inner iterations."""
    events = expected_trace(outer, inner, by)
    out = poisoned((len(events) + 3,), torch.int64)
    kernel = trace
    if not specialize:
        # Arguments of zero and one stay arguments.
        names = ("start", "stop", "step", "inner_start", "inner_stop", "inner_step")
        kernel = triton.JITFunction(trace.fn, do_not_specialize=list(names))
    launched = kernel[(1,)](out, *outer, *inner, BY=by, FLATTEN=True)
    assert count_loops(launched) == 1 + (by != 0)
    assert out[: len(events)].tolist() == events


@pytest.mark.parametrize(("rows", "columns"), [(3, 0), (0, 5), (0, 0)])
def test_no_step(rows: int, columns: int) -> None:
    """A loop that has no iteration does not use its step, which would be a divisor of zero."""
    out = torch.full((8,), 77, dtype=torch.int64)
    kernel = triton.JITFunction(trace.fn, do_not_specialize=["stop", "inner_stop", "inner_step"])
    assert count_loops(kernel[(1,)](out, 0, rows, 1, 0, columns, 0, BY=0, FLATTEN=True)) == 1
    events = [event for row in range(rows) for event in (row, -1)]
    assert out.tolist() == [*events, -2, *[77] * (7 - len(events))]


@triton.jit
def carried(x, out, sums, ROWS, COLUMNS, BLOCK: tl.constexpr, FLATTEN: tl.constexpr):
    """Tensors and scalars go through both loops, loads come before the inner one, stores after it."""
    offsets = tl.arange(0, BLOCK)
    total, last = tl.zeros((BLOCK,), tl.float32), 0
    for row in tl.range(0, ROWS, flatten=FLATTEN):
        scale = tl.load(x + row * COLUMNS * BLOCK)
        part = tl.load(x + row * COLUMNS * BLOCK + offsets)
        for column in range(1, COLUMNS):
            value = tl.load(x + (row * COLUMNS + column) * BLOCK + offsets)
            part = part * 0.5 + value * scale
            last += column * row
        total += part
        tl.store(out + row * BLOCK + offsets, part + total)
        tl.store(sums + row, last)


@pytest.mark.pairwise
@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (5, 1), (0, 4)])
def test_carried(rows: int, columns: int, num_warps: int, *, flatten: bool) -> None:
    block = 64
    x = torch.randn(max(rows, 1), columns, block)
    out, sums = poisoned((max(rows, 1), block), torch.float32), poisoned((max(rows, 1),), torch.int32)
    kernel = carried[(1,)](x, out, sums, rows, columns, BLOCK=block, FLATTEN=flatten, num_warps=num_warps)
    # A loop from 1 to 1 is none.
    assert count_loops(kernel) == (1 if flatten or columns == 1 else 2)
    total, last = torch.zeros(block, dtype=torch.float64), 0
    for row in range(rows):
        part = x[row, 0].double()
        for column in range(1, columns):
            part = part * 0.5 + x[row, column].double() * x[row, 0, 0].double()
            last += column * row
        total += part
        assert_close(out[row], part + total, 1e-5)
        assert sums[row].item() == last


@triton.jit
def triangle(x, out, n, BLOCK: tl.constexpr):
    """Solves with a lower triangle, row by row: each row waits for the stores of those above."""
    columns = tl.arange(0, BLOCK)
    for i in tl.range(0, n, flatten=True):
        row = tl.load(out + i * BLOCK + columns)
        for j in tl.range(0, i):
            factor = tl.load(x + i * n + j)
            row -= factor * tl.load(out + j * BLOCK + columns)
        tl.store(out + i * BLOCK + columns, row / tl.load(x + i * n + i))
        # With more lanes than columns, other sub-groups load copies of what one of them has stored.
        tl.debug_barrier()


@pytest.mark.parametrize("num_warps", WARPS)
def test_triangle(num_warps: int) -> None:
    n, block = 12, 32
    x = torch.tril(torch.randn(n, n)) + 4 * torch.eye(n)
    right = torch.randn(n, block)
    out = right.clone()
    assert count_loops(triangle[(1,)](x, out, n, BLOCK=block, num_warps=num_warps)) == 2
    assert_close(out, torch.linalg.solve_triangular(x.double(), right.double(), upper=False), 1e-4)


@triton.jit
def persistent_softmax(x, out, rows, columns, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of a persistent program, each in blocks: maximum and sum online, then a `while` that writes."""
    offsets = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), rows, PROGRAMS, flatten=True):
        highest, total = float("-inf"), 0.0
        for start in tl.range(0, columns, BLOCK):
            value = tl.load(x + row * columns + start + offsets, mask=start + offsets < columns, other=float("-inf"))
            new = tl.maximum(highest, tl.max(value, 0))
            total = total * tl.exp(highest - new) + tl.sum(tl.exp(value - new), 0)
            highest = new
        start = 0
        while start < columns:
            mask = start + offsets < columns
            value = tl.load(x + row * columns + start + offsets, mask=mask)
            tl.store(out + row * columns + start + offsets, tl.exp(value - highest) / total, mask=mask)
            start += BLOCK


@pytest.mark.parametrize("num_warps", WARPS)
def test_persistent_softmax(num_warps: int) -> None:
    x, out = torch.randn(11, 300), poisoned((11, 300), torch.float32)
    kernel = persistent_softmax[(4,)](x, out, 11, 300, PROGRAMS=4, BLOCK=128, num_warps=num_warps)
    assert count_loops(kernel) == 1
    assert_close(out, x.double().softmax(1), 1e-5)


@triton.jit
def segments(x, ends, out, n, FLATTEN: tl.constexpr):
    """The ends of the segments are loaded, so that nothing is fused; numbers are right nevertheless."""
    for segment in tl.range(0, n, flatten=FLATTEN):
        total = 0
        for place in tl.range(tl.load(ends + segment), tl.load(ends + segment + 1)):
            total += tl.load(x + place)
        tl.store(out + segment, total)


def test_loaded_bounds() -> None:
    x = torch.randint(-100, 100, (50,), dtype=torch.int32)
    ends = torch.tensor([0, 7, 7, 30, 50], dtype=torch.int32)
    out = poisoned((4,), torch.int32)
    assert count_loops(segments[(1,)](x, ends, out, 4, FLATTEN=True)) == 2
    assert out.tolist() == [x[a:b].sum().item() for a, b in itertools.pairwise(ends)]


@triton.jit
def counts(x, bins, groups, members, BLOCK: tl.constexpr):
    """Atomic additions in the inner body, a store through a pointer that moves in the outer one."""
    place = bins
    for group in tl.range(0, groups, flatten=True):
        for member in tl.range(0, members):
            value = tl.load(x + (group * members + member) * BLOCK + tl.arange(0, BLOCK))
            tl.atomic_add(place + value, 1)
        place += 8


@pytest.mark.parametrize("num_warps", WARPS)
def test_atomics(num_warps: int) -> None:
    groups, members, block = 3, 5, 64
    x = torch.randint(0, 8, (groups, members * block), dtype=torch.int32)
    bins = torch.zeros(groups, 8, dtype=torch.int32)
    kernel = counts[(1,)](x, bins, groups, members, BLOCK=block, num_warps=num_warps)
    assert count_loops(kernel) == 1
    np.testing.assert_array_equal(bins.numpy(), np.stack([np.bincount(row, minlength=8) for row in x.numpy()]))


@triton.jit
def branches(x, out, n, m):
    """Conditions in all three parts, one of which loads; a block pointer that the prologue creates again."""
    total = 0
    for i in tl.range(0, n, flatten=True):
        bonus = 0
        if i % 2 == 0:
            bonus = tl.load(x + i)
        row = tl.make_block_ptr(x, (n * m,), (1,), (i * m,), (16,), (0,))
        for j in tl.range(i, m):
            values = tl.load(row, boundary_check=(0,), padding_option="zero")
            if j > i + 1:
                total += tl.sum(values, 0) + bonus
            else:
                total -= j
        if total > 10:
            total -= 7
        tl.store(out + i, total)


@pytest.mark.parametrize("num_warps", WARPS)
def test_branches(num_warps: int) -> None:
    n, m = 5, 7
    x, out = torch.arange(1, n * m + 1, dtype=torch.int32), poisoned((n,), torch.int32)
    assert count_loops(branches[(1,)](x, out, n, m, num_warps=num_warps)) == 2
    total, expected = 0, []
    for i in range(n):
        bonus = x[i].item() if i % 2 == 0 else 0
        for j in range(i, m):
            total += x[i * m : i * m + 16].sum().item() + bonus if j > i + 1 else -j
        total -= 7 if total > 10 else 0
        expected.append(total)
    assert out.tolist() == expected


@triton.jit
def sieve(marks, n):
    """Steps of the inner loop that the outer one decides."""
    for i in tl.range(2, n, flatten=True):
        for j in tl.range(i * 2, n, i):
            tl.store(marks + j, 1)


def test_steps() -> None:
    marks = torch.zeros(40, dtype=torch.int32)
    assert count_loops(sieve[(1,)](marks, 40)) == 2
    assert [number for number in range(2, 40) if not marks[number]] == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]


@triton.jit
def stencil(x, out, steps, tiles, TILE: tl.constexpr):
    """Tiles inside of steps, whose results the next step reads after a barrier; hints of both loops."""
    for step in tl.range(0, steps, flatten=True, disable_licm=True):
        source, target = x, out
        if step % 2 == 1:
            source, target = out, x
        for tile in tl.range(0, tiles, num_stages=3):
            offsets = tile * TILE + tl.arange(0, TILE)
            last = tiles * TILE - 1
            left = tl.load(source + tl.maximum(offsets - 1, 0))
            right = tl.load(source + tl.minimum(offsets + 1, last))
            tl.store(target + offsets, (left + right) * 0.5)
        tl.debug_barrier()


@pytest.mark.parametrize("num_warps", WARPS)
def test_stencil(num_warps: int) -> None:
    x = torch.randn(256)
    values = x.double()
    out = poisoned((256,), torch.float32)
    assert count_loops(stencil[(1,)](x, out, 3, 4, TILE=64, num_warps=num_warps)) == 1
    for _ in range(3):
        padded = torch.cat([values[:1], values, values[-1:]])
        values = (padded[:-2] + padded[2:]) * 0.5
    assert_close(out, values, 1e-5)


@triton.jit
def multiples(out, n, FROM: tl.constexpr):
    """The step of the inner loop is the outer counter, or is computed from it."""
    for i in tl.range(2, n, flatten=True):
        for j in tl.range(FROM * i, n, i):
            tl.atomic_add(out + j, 1)


@pytest.mark.parametrize("start", [0, 1, 2])
def test_steps_of_the_outer_counter(start: int) -> None:
    n = 50
    out = torch.zeros(n, dtype=torch.int32)
    assert count_loops(multiples[(1,)](out, n, FROM=start)) == 2
    assert out.tolist() == [sum(j in range(start * i, n, i) for i in range(2, n)) for j in range(n)]


@triton.jit
def loaded_steps(steps, out, n, m):
    place = out
    for i in tl.range(0, n, flatten=True):
        for j in tl.range(0, m, tl.load(steps + i)):
            tl.store(place, j)
            place += 1


def test_loaded_steps() -> None:
    """Nothing is fused, as with other bounds that are loaded."""
    steps = torch.tensor([1, 3, 7, 2], dtype=torch.int32)
    events = [j for step in steps.tolist() for j in range(0, 7, step)]
    out = poisoned((len(events),), torch.int32)
    assert count_loops(loaded_steps[(1,)](steps, out, 4, 7)) == 2
    assert out.tolist() == events


@pytest.mark.parametrize(
    "kernel", [trace, carried, triangle, persistent_softmax, counts, branches, stencil, multiples], ids=str
)
def test_for_a_gpu(kernel) -> None:
    """Fused nests become SPIR-V, too."""
    constants = {"BY": 1, "FLATTEN": True, "BLOCK": 64, "PROGRAMS": 4, "TILE": 64, "FROM": 0}
    pointers = {"x": "*fp32", "out": "*fp32", "sums": "*i32", "bins": "*i32"}
    signature = {name: "constexpr" if name in constants else pointers.get(name, "i32") for name in kernel.arg_names}
    signature |= {"x": "*i32"} if kernel in (counts, branches) else {}
    own = {name: constants[name] for name in kernel.arg_names if name in constants}
    compiled = triton.compile(ASTSource(kernel, signature, own), target=GPUTarget("xpu", "pvc", 16))
    assert compiled.asm["spv"]
