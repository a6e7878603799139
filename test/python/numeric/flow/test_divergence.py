# SPDX-License-Identifier: MIT
"""Lanes of a sub-group that go separate ways, and programs that do not: loops, branches, calls and returns."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned, random_tensor

CONTEXTS = pytest.mark.parametrize(("num_warps", "warp_size"), [(1, 16), (4, 16), (2, 32)])
N = 256


# --- Lanes ------------------------------------------------------------------------------------------------------------


@triton.jit
def nested_loops(x, limit):
    """A loop in a loop, both as long as the element determines, with a way out of the inner one."""
    total = x - x
    i = x - x
    while i < x:
        j = i
        going = 1
        while going == 1:
            if (j * j > limit) | (j >= x):
                going = 0
            else:
                if j % 3 == 0:
                    total += j
                elif j % 3 == 1:
                    total -= i
                else:
                    if (i + j) % 5 == 0:
                        total += 7
                j += 1
        i += 2
    return total


def nested_loops_reference(x: int, limit: int) -> int:
    total = 0
    for i in range(0, max(x, 0), 2):
        j = i
        while not (j * j > limit or j >= x):
            if j % 3 == 0:
                total += j
            elif j % 3 == 1:
                total -= i
            elif (i + j) % 5 == 0:
                total += 7
            j += 1
    return total


@triton.jit
def first_divisor(x, limit):
    """Returns out of the middle of nested conditions."""
    if x < 2:
        return x
    if x % 2 == 0:
        if x > limit:
            return x - limit
        return x - x + 2
    d = x - x + 3
    while (d * d <= x) & (x % d != 0):
        d += 2
    if d * d > x:
        return x
    return d


def first_divisor_reference(x: int, limit: int) -> int:
    if x < 2:
        return x
    if x % 2 == 0:
        return x - limit if x > limit else 2
    d = 3
    while d * d <= x and x % d:
        d += 2
    return x if d * d > x else d


@triton.jit
def greatest_divisor(x, y):
    """Euclid's algorithm; returns two values."""
    steps = x - x
    while y != 0:
        x, y = y, x % y
        steps += 1
    return x, steps


@triton.jit
def map_kernel(x_ptr, y_ptr, out_ptr, second_ptr, FUNCTION: tl.constexpr, N: tl.constexpr):
    index = tl.arange(0, N)
    x, y = tl.load(x_ptr + index), tl.load(y_ptr + index)
    if FUNCTION == "loops":
        tl.store(out_ptr + index, tl.map_elementwise(nested_loops, x, y))
    elif FUNCTION == "returns":
        tl.store(out_ptr + index, tl.map_elementwise(first_divisor, x, y))
    else:
        divisor, steps = tl.map_elementwise(greatest_divisor, x, y)
        tl.store(out_ptr + index, divisor)
        tl.store(second_ptr + index, steps)


def euclid(x: int, y: int) -> tuple[int, int]:
    steps = 0
    while y:
        x, y, steps = y, x % y, steps + 1
    return x, steps


@pytest.mark.pairwise
@CONTEXTS
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64], ids=str)
@pytest.mark.parametrize("function", ["loops", "returns", "tuple"])
def test_every_element_goes_its_own_way(function, dtype, num_warps, warp_size):
    generator = torch.Generator().manual_seed(1)
    x = torch.randint(0, 60 if function == "loops" else 10000, (N,), generator=generator).to(dtype)
    y = torch.randint(0, 500, (N,), generator=generator).to(dtype)
    out, second = poisoned((N,), dtype), poisoned((N,), dtype)
    map_kernel[(1,)](x, y, out, second, function, N, num_warps=num_warps, warp_size=warp_size)
    pairs = list(zip(x.tolist(), y.tolist(), strict=True))
    if function == "tuple":
        assert list(zip(out.tolist(), second.tolist(), strict=True)) == [euclid(*pair) for pair in pairs]
    else:
        reference = nested_loops_reference if function == "loops" else first_divisor_reference
        assert out.tolist() == [reference(*pair) for pair in pairs]


@pytest.mark.instruction_sets
def test_lanes_that_all_go_one_way():
    """No lane, all lanes, and one lane alone come into the loop."""
    for x in (torch.zeros(N), torch.full((N,), 59), torch.nn.functional.one_hot(torch.tensor(77), N) * 59):
        x, out = x.to(torch.int32), poisoned((N,), torch.int32)
        map_kernel[(1,)](x, torch.full((N,), 400, dtype=torch.int32), out, out, "loops", N)
        assert out.tolist() == [nested_loops_reference(value, 400) for value in x.tolist()]


@triton.jit
def absorb(a, b):
    """Associative: of two numbers the one with the larger absolute value, the later one if they are equal."""
    result = b
    if a * a > b * b:
        result = a
    else:
        if a * a == b * b:
            result = b
            if a + b < 0:
                result = a
    return result


@triton.jit
def scan_kernel(x_ptr, out_ptr, total_ptr, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    index = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + index)
    tl.store(out_ptr + index, tl.associative_scan(x, AXIS, absorb))
    kept: tl.constexpr = COLUMNS if AXIS == 0 else ROWS
    tl.store(total_ptr + tl.arange(0, kept), tl.reduce(x, AXIS, absorb))


@pytest.mark.instruction_sets
@CONTEXTS
@pytest.mark.parametrize("axis", [0, 1])
def test_scans_with_branches(axis, num_warps, warp_size):
    x = torch.randint(-50, 51, (16, 32), generator=torch.Generator().manual_seed(2)).to(torch.int32)
    out, total = poisoned((16, 32), torch.int32), poisoned((x.shape[1 - axis],), torch.int32)
    scan_kernel[(1,)](x, out, total, axis, 16, 32, num_warps=num_warps, warp_size=warp_size)
    expected = x.clone().movedim(axis, 0)
    for row in range(1, len(expected)):
        a, b = expected[row - 1], expected[row]
        expected[row] = torch.where(a * a > b * b, a, b)
    assert torch.equal(out.movedim(axis, 0), expected)
    # A reduction may take the operands in any order, hence either sign.
    assert torch.equal(total.abs(), expected[-1].abs())


# --- Calls ------------------------------------------------------------------------------------------------------------


@triton.jit(noinline=True)
def weigh(x_ptr, factor, N: tl.constexpr):
    """A pointer and a scalar in, a scalar out; reduces, so that sub-groups meet inside."""
    x = tl.load(x_ptr + tl.arange(0, N))
    return tl.sum(x * factor) + tl.max(x)


@triton.jit(noinline=True)
def weigh_twice(x_ptr, factor, N: tl.constexpr):
    result = weigh(x_ptr, factor, N)
    if factor > 2:
        result = result * 3 + weigh(x_ptr + N, factor - 2, N)
    return result


@triton.jit
def calls_kernel(x_ptr, out_ptr, trips, flag, N: tl.constexpr):
    """Calls in a straight line, in a branch and in a loop, whose conditions are those of the whole program."""
    program = tl.program_id(0)
    x_ptr += program * N
    total = weigh(x_ptr, 2, N)
    if flag > 0:
        total += weigh_twice(x_ptr, flag, N)
    else:
        if flag < -1:
            total -= weigh(x_ptr, 1, N)
    for i in range(trips):
        if i % 2 == program % 2:
            total += weigh_twice(x_ptr, i, N)
    tl.store(out_ptr + program * N + tl.arange(0, N), total + tl.zeros((N,), tl.int32))


@CONTEXTS
@pytest.mark.parametrize(("trips", "flag"), [(0, 0), (3, 3), (4, -2), (1, 1)])
def test_calls(trips, flag, num_warps, warp_size):
    programs = 3
    x = torch.randint(-9, 10, (programs + 1, N), generator=torch.Generator().manual_seed(3)).to(torch.int32)
    out = poisoned((programs, N), torch.int32)
    calls_kernel[(programs,)](x, out, trips, flag, N, num_warps=num_warps, warp_size=warp_size)

    def once(program, factor):
        return (x[program].sum() * factor + x[program].max()).item()

    def two(program, factor):
        return once(program, factor) if factor <= 2 else once(program, factor) * 3 + once(program + 1, factor - 2)

    for program in range(programs):
        expected = once(program, 2)
        if flag > 0:
            expected += two(program, flag)
        elif flag < -1:
            expected -= once(program, 1)
        expected += sum(two(program, i) for i in range(trips) if i % 2 == program % 2)
        assert out[program].tolist() == [expected] * N


@triton.jit
def halve_until(x, limit):
    """Called for some elements, from two places."""
    while x > limit:
        x = x // 2
    return x


@triton.jit
def halve_some(x, limit):
    if x % 3 == 0:
        return halve_until(x, limit)
    if x % 3 == 1:
        return halve_until(x * 2, limit) + 1
    return x


@triton.jit
def masked_calls_kernel(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    index = tl.arange(0, N)
    tl.store(out_ptr + index, tl.map_elementwise(halve_some, tl.load(x_ptr + index), tl.load(y_ptr + index)))


@pytest.mark.instruction_sets
@CONTEXTS
def test_calls_of_some_lanes(num_warps, warp_size):
    generator = torch.Generator().manual_seed(4)
    x = torch.randint(0, 10000, (N,), generator=generator).to(torch.int32)
    limit = torch.randint(1, 100, (N,), generator=generator).to(torch.int32)
    out = poisoned((N,), torch.int32)
    masked_calls_kernel[(1,)](x, limit, out, N, num_warps=num_warps, warp_size=warp_size)

    def halved(value, bound):
        while value > bound:
            value //= 2
        return value

    expected = [
        halved(v, b) if v % 3 == 0 else halved(v * 2, b) + 1 if v % 3 == 1 else v
        for v, b in zip(x.tolist(), limit.tolist(), strict=True)
    ]
    assert out.tolist() == expected


# --- Programs ---------------------------------------------------------------------------------------------------------


@triton.jit
def search_kernel(x_ptr, out_ptr, target, blocks, N: tl.constexpr):
    """Leaves two loops early, on what is in memory; some programs return before."""
    program = tl.program_id(0)
    if program % 4 == 3:
        return
    index = tl.arange(0, N)
    total = tl.zeros((N,), tl.int32)
    block = program
    found = 0
    while (block < blocks) & (found == 0):
        part = 0
        while (part < 4) & (found == 0):
            x = tl.load(x_ptr + (block * 4 + part) * N + index)
            total += x
            if tl.max((x == target).to(tl.int32)) > 0:
                found = 1
            part += 1
        block += 1
    tl.store(out_ptr + program * N + index, total * 2 + found)


@CONTEXTS
def test_loops_that_end_early(num_warps, warp_size):
    programs, blocks, n = 9, 6, 64
    x = torch.randint(0, 900, (blocks, 4, n), generator=torch.Generator().manual_seed(5)).to(torch.int32)
    target = x[3, 2, 17].item()
    out = poisoned((programs, n), torch.int32)
    expected = out.clone()
    search_kernel[(programs,)](x, out, target, blocks, n, num_warps=num_warps, warp_size=warp_size)
    for program in range(programs):
        if program % 4 == 3:
            continue
        total, found = torch.zeros(n, dtype=torch.int32), 0
        for part in x[program:].reshape(-1, n):
            total += part
            if (part == target).any():
                found = 1
                break
        expected[program] = total * 2 + found
    assert torch.equal(out, expected)


@triton.jit
def bisect_kernel(sorted_ptr, keys_ptr, out_ptr, SIZE, N: tl.constexpr):
    """A loop over tensors whose number of iterations depends on data: as long as any element is not done."""
    index = tl.arange(0, N)
    key = tl.load(keys_ptr + index)
    low, high = tl.zeros((N,), tl.int32), tl.zeros((N,), tl.int32) + SIZE
    while tl.max(high - low) > 0:
        middle = (low + high) // 2
        below = tl.load(sorted_ptr + middle, middle < SIZE, other=2**31 - 1) < key
        going = low < high
        low = tl.where(going & below, middle + 1, low)
        high = tl.where(going & (below == 0), middle, high)
    tl.store(out_ptr + index, low)


@CONTEXTS
def test_loop_until_all_are_done(num_warps, warp_size):
    values = random_tensor((1000,), torch.int32, 6).sort().values
    keys = torch.cat([values[::8], random_tensor((N - 125,), torch.int32, 7)])
    out = poisoned((N,), torch.int32)
    bisect_kernel[(1,)](values, keys, out, len(values), N, num_warps=num_warps, warp_size=warp_size)
    assert torch.equal(out, torch.searchsorted(values, keys, out_int32=True))
