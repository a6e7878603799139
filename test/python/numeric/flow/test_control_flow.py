# SPDX-License-Identifier: MIT
"""Branches, loops, functions and tuples, with scalars, tensors, pointers and block pointers in them.

Scalars that decide arrive as arguments of the kernel, so that no branch folds; every path runs.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned, random_tensor

SIZE = 256
CONTEXTS = pytest.mark.parametrize(("num_warps", "warp_size"), [(4, 16), (2, 32)])


def inputs(dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, torch.Tensor]:
    return random_tensor((SIZE,), dtype, 1), poisoned((SIZE,), dtype)


# --- Early return -----------------------------------------------------------------------------------------------------


@triton.jit
def early_return_kernel(x_ptr, out_ptr, mode, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    x = tl.load(x_ptr + index)
    if mode == 0:
        return
    tl.store(out_ptr + index, x)
    if mode == 1:
        x = x * 2
        tl.store(out_ptr + index, x)
        return
    elif mode == 2:  # noqa: RET505
        tl.store(out_ptr + index, x + tl.sum(x))
    else:
        if mode == 3:
            return
        tl.store(out_ptr + index, -x)


@CONTEXTS
@pytest.mark.parametrize("mode", range(5))
def test_early_return(mode, num_warps, warp_size):
    x, out = inputs()
    early_return_kernel[(1,)](x, out, mode, SIZE, num_warps=num_warps, warp_size=warp_size)
    expected = [None, x * 2, x + x.double().sum().float(), x, -x][mode]
    if expected is None:
        assert torch.isnan(out).all()
    else:
        torch.testing.assert_close(out, expected)


@triton.jit
def choose(x, threshold):
    """Returns from the middle, and at the end."""
    if threshold > 2.0:
        return x * threshold
    y = x + 1.0
    if threshold > 1.0:
        return y
    return y - threshold


@triton.jit
def returning_function_kernel(x_ptr, out_ptr, threshold, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(out_ptr + index, choose(tl.load(x_ptr + index), threshold) + choose(1.0, threshold))


@pytest.mark.parametrize("threshold", [3.0, 1.5, 0.5])
def test_functions_that_return_early(threshold):
    x, out = inputs()
    returning_function_kernel[(1,)](x, out, threshold, SIZE)

    def reference(value):
        return value * threshold if threshold > 2 else value + 1 if threshold > 1 else value + 1 - threshold

    torch.testing.assert_close(out, reference(x) + reference(1.0))


# --- Loops ------------------------------------------------------------------------------------------------------------


@triton.jit
def range_kernel(out_ptr, start, stop, STEP: tl.constexpr):
    count = 0
    last = start - start
    for i in range(start, stop, STEP):
        count += 1
        last = last * 3 + i
    tl.store(out_ptr, count.to(tl.int64))
    tl.store(out_ptr + 1, last.to(tl.int64))


@pytest.mark.parametrize("step", [1, 3, -1, -4])
@pytest.mark.parametrize(("start", "stop"), [(0, 7), (7, -2), (5, 5), (-3, 4), (2**40, 2**40 + 9), (2**40 + 9, 2**40)])
def test_ranges(start, stop, step):
    """Steps down, no trips at all, and bounds of 64 bits."""
    out = poisoned((2,), torch.int64)
    range_kernel[(1,)](out, start, stop, step)
    last = 0
    for i in range(start, stop, step):
        last = last * 3 + i
    bits = 64 if max(start, stop) > 2**31 else 32
    last = (last + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
    assert out.tolist() == [len(range(start, stop, step)), last]


@triton.jit
def variable_step_kernel(out_ptr, start, stop, step):
    total = 0
    for i in tl.range(start, stop, step):
        for j in tl.static_range(0, 3):
            for k in range(i, stop, step + j):
                total += k * (j + 1)
    tl.store(out_ptr, total)


@pytest.mark.parametrize(("start", "stop", "step"), [(0, 10, 2), (3, 20, 7), (9, 3, 1)])
def test_nested_loops_of_unknown_steps(start, stop, step):
    out = poisoned((1,), torch.int32)
    variable_step_kernel[(1,)](out, start, stop, step)
    expected = sum(k * (j + 1) for i in range(start, stop, step) for j in range(3) for k in range(i, stop, step + j))
    assert out.item() == expected


@triton.jit
def attributes_kernel(a_ptr, b_ptr, out_ptr, K, BLOCK: tl.constexpr, STAGES: tl.constexpr, FLATTEN: tl.constexpr,
                      MULTI: tl.constexpr, SPECIALIZE: tl.constexpr, UNROLL: tl.constexpr):  # fmt: skip
    a = tl.make_block_ptr(a_ptr, (BLOCK, K), (K, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, BLOCK), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for _ in tl.range(0, K, BLOCK, num_stages=STAGES, flatten=FLATTEN, disallow_acc_multi_buffer=MULTI,
                      warp_specialize=SPECIALIZE, loop_unroll_factor=UNROLL):  # fmt: skip
        total = tl.dot(tl.load(a), tl.load(b), total)
        a = tl.advance(a, (0, BLOCK))
        b = tl.advance(b, (BLOCK, 0))
    rows = tl.arange(0, BLOCK)
    tl.store(out_ptr + rows[:, None] * BLOCK + rows[None, :], total)


@pytest.mark.parametrize(("stages", "flatten", "multi", "specialize", "unroll"), [
    (1, False, False, False, None), (3, True, False, False, None), (2, False, True, False, None),
    (4, False, False, True, None), (2, True, True, False, 2),
])  # fmt: skip
def test_loop_attributes(stages, flatten, multi, specialize, unroll):
    """They guide other targets' schedules and change no result."""
    a, b = random_tensor((16, 80), torch.float16, 1), random_tensor((80, 16), torch.float16, 2)
    out = poisoned((16, 16), torch.float32)
    attributes_kernel[(1,)](a, b, out, 80, 16, stages, flatten, multi, specialize, unroll, num_warps=1)
    torch.testing.assert_close(out.double(), a.double() @ b.double(), rtol=1e-5, atol=1e-5)


@triton.jit
def flattened_kernel(x_ptr, out_ptr, start, stop, step, inner_start, inner_stop, inner_step, DEPENDENT: tl.constexpr,
                     FLATTEN: tl.constexpr):  # fmt: skip
    """Three loops: values go through all of them, loads come before the inner ones, stores after them."""
    total = tl.zeros((), tl.int64)
    row_ptr = out_ptr
    for i in tl.range(start, stop, step, flatten=FLATTEN):
        x = tl.load(x_ptr)
        last = total
        for j in tl.range(inner_start, i if DEPENDENT else inner_stop, inner_step):
            total = total * 3 + i - j * x
            for k in range(j, j + 2):
                last += k
        x_ptr += 1
        row_ptr += 1
        tl.store(row_ptr, total - last)
    tl.store(out_ptr, total)


@pytest.mark.pairwise
@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("dependent", [False, True])
@pytest.mark.parametrize(("outer", "inner"), [
    ((0, 4, 1), (0, 3, 1)), ((0, 4, 1), (3, 3, 1)), ((0, 4, 1), (5, 3, 1)), ((4, 0, 1), (0, 3, 1)),
    ((-5, 4, 3), (-7, 2, 4)), ((-2, -9, 1), (5, 3, 2)), ((2**40, 2**40 + 4, 2), (2**40 - 3, 2**40 + 1, 3)),
    ((0, 2, 1), (-(2**31), 2**31 - 1 - 2**30, 2**30)),
])  # fmt: skip
def test_flattened_nests(outer, inner, dependent, flatten):
    """Flattened or not, a nest has the same iterations, also where differences of bounds need more bits."""
    x, out = torch.arange(1, 6), torch.full((6,), 77, dtype=torch.int64)
    flattened_kernel[(1,)](x, out, *outer, *inner, dependent, flatten)
    expected, total = [77] * 6, 0
    for row, i in enumerate(range(*outer)):
        last = total
        for j in range(inner[0], i if dependent else inner[1], inner[2]):
            total = total * 3 + i - j * x[row].item()
            last += 2 * j + 1
        expected[row + 1] = total - last
    expected[0] = total
    assert out.tolist() == expected


@triton.jit
def while_kernel(x_ptr, out_ptr, limit, SIZE: tl.constexpr):
    """A loop that ends by what it computes, with tensors and a pointer inside, and a branch in it."""
    index = tl.arange(0, SIZE)
    x = tl.load(x_ptr + index)
    pointers = x_ptr + index
    steps = 0
    while (tl.sum(tl.abs(x)) < limit) & (steps < 20):
        if steps % 2 == 0:
            x = x * 2
        else:
            x = x + tl.load(pointers)
            pointers += 0
        steps += 1
    tl.store(out_ptr + index, x)
    while steps > 0:
        steps -= 3
    tl.store(out_ptr + SIZE, steps.to(tl.float32))


@CONTEXTS
@pytest.mark.parametrize("limit", [0.0, 1000.0, 1e30])
def test_while(limit, num_warps, warp_size):
    x, out = random_tensor((SIZE,), torch.float32, 1), poisoned((SIZE + 1,), torch.float32)
    while_kernel[(1,)](x, out, limit, SIZE, num_warps=num_warps, warp_size=warp_size)
    expected, steps = x.clone(), 0
    while expected.abs().sum() < limit and steps < 20:
        expected = expected * 2 if steps % 2 == 0 else expected + x
        steps += 1
    torch.testing.assert_close(out[:-1], expected)
    while steps > 0:
        steps -= 3
    assert out[-1].item() == steps


# --- Branches with tensors --------------------------------------------------------------------------------------------


@triton.jit
def branch_kernel(x_ptr, out_ptr, flag, trips, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Tensors of two shapes, pointers and a sum come out of branches, in and around a loop."""
    rows, columns = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    places = rows[:, None] * COLUMNS + columns[None, :]
    x = tl.load(x_ptr + places)
    totals = tl.zeros((ROWS,), tl.float32)
    pointers = x_ptr + places
    for i in range(trips):
        if flag > i:
            totals += tl.sum(x, 1)
            y = tl.trans(tl.reshape(x, (COLUMNS, ROWS)))
        else:
            totals = totals * 0.5
            y = x * 2
            if flag == 0:
                y += tl.load(pointers)
                pointers = x_ptr + places
        x = y + totals[:, None]
    if flag > 1:
        x = x - tl.max(x, 0)[None, :]
    tl.store(out_ptr + places, x)


@CONTEXTS
@pytest.mark.parametrize(("flag", "trips"), [(0, 2), (1, 3), (5, 2), (2, 0)])
def test_branches(flag, trips, num_warps, warp_size):
    x, out = random_tensor((16, 16), torch.float32, 1), poisoned((16, 16), torch.float32)
    branch_kernel[(1,)](x, out, flag, trips, 16, 16, num_warps=num_warps, warp_size=warp_size)
    value, totals = x.double(), torch.zeros(16, dtype=torch.float64)
    for i in range(trips):
        if flag > i:
            totals = totals + value.sum(1)
            y = value.reshape(16, 16).T
        else:
            totals = totals * 0.5
            y = value * 2
            if flag == 0:
                y = y + x.double()
        value = y + totals[:, None]
    if flag > 1:
        value = value - value.max(0).values[None, :]
    torch.testing.assert_close(out.double(), value, rtol=1e-4, atol=1e-4)


@triton.jit
def block_pointer_kernel(a_ptr, b_ptr, out_ptr, which, trips, BLOCK: tl.constexpr):
    """Block pointers come out of a branch and of loops of both kinds, and meet a dot."""
    a = tl.make_block_ptr(a_ptr, (BLOCK, 4 * BLOCK), (4 * BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    if which > 0:
        b = tl.make_block_ptr(b_ptr, (4 * BLOCK, BLOCK), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    else:
        b = tl.make_block_ptr(b_ptr, (4 * BLOCK, BLOCK), (BLOCK, 1), (BLOCK, 0), (BLOCK, BLOCK), (1, 0))
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    i = 0
    while i < trips:
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        total = tl.dot(x, y, total)
        a = tl.advance(a, (0, BLOCK))
        if which != 2:
            b = tl.advance(b, (BLOCK, 0))
        i += 1
    out = tl.make_block_ptr(out_ptr, (BLOCK, BLOCK), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    for _ in range(2):
        tl.store(out, total)
        total = total + 1.0
    tl.store(out, total)


@pytest.mark.parametrize(("which", "trips", "warp_size"), [(0, 3, 16), (1, 4, 16), (2, 2, 16), (1, 0, 16), (0, 2, 32)])
def test_block_pointers_in_branches_and_loops(which, trips, warp_size):
    a, b = random_tensor((16, 64), torch.float16, 1), random_tensor((64, 16), torch.float16, 2)
    out = poisoned((16, 16), torch.float32)
    block_pointer_kernel[(1,)](a, b, out, which, trips, 16, num_warps=1, warp_size=warp_size)
    expected = torch.zeros(16, 16, dtype=torch.float64)
    for i in range(trips):
        row = 16 * (0 if which == 2 else i + (which == 0))
        expected += a[:, 16 * i : 16 * i + 16].double() @ b[row : row + 16].double()
    torch.testing.assert_close(out.double(), expected + 2, rtol=1e-4, atol=1e-4)


# --- Functions and tuples ---------------------------------------------------------------------------------------------


@triton.jit(noinline=True)
def collatz(n, limit):
    """Not inlined: a loop and two returns."""
    steps = 0
    while (n != 1) & (steps < limit):
        if n % 2 == 0:  # noqa: SIM108
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    if steps == limit:
        return -1
    return steps


@triton.jit(noinline=True)
def twice(n, limit):
    return collatz(n, limit) * 2


@triton.jit
def call_kernel(x_ptr, out_ptr, limit):
    program = tl.program_id(0)
    n = tl.load(x_ptr + program)
    tl.store(out_ptr + program, twice(n, limit) + collatz(n + 1, limit))


@pytest.mark.parametrize("warp_size", [16, 32])
def test_functions_that_are_not_inlined(warp_size):
    x, out = torch.arange(1, 33, dtype=torch.int32), poisoned((32,), torch.int32)
    call_kernel[(32,)](x, out, 50, warp_size=warp_size)

    def reference(n):
        steps = 0
        while n != 1 and steps < 50:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        return -1 if steps == 50 else steps

    assert out.tolist() == [2 * reference(n) + reference(n + 1) for n in x.tolist()]


class Limits(NamedTuple):
    low: object
    high: object


@triton.jit
def clamp_to(x, limits, scale):
    """Takes and returns tuples, one of them with names."""
    clamped = tl.minimum(tl.maximum(x, limits.low), limits.high)
    return clamped * scale[0], Limits(limits.low * scale[1], limits.high * scale[1])


@triton.jit
def tuple_kernel(pointers, limits, out_ptr, trips, SIZE: tl.constexpr):
    """Tuples as arguments, in a loop, out of a branch and unpacked."""
    index = tl.arange(0, SIZE)
    values = (tl.load(pointers[0] + index), tl.load(pointers[1] + index))
    state = (values[0], 0)
    for i in range(trips):
        if i % 2 == 0:
            x, limits = clamp_to(state[0] + values[1], limits, (2.0, 1.5))
            state = (x, state[1] + 1)
        else:
            state = (state[0] - values[0], state[1])
    x, count = state
    tl.store(out_ptr + index, x + limits.high + count)


@CONTEXTS
@pytest.mark.parametrize("trips", [0, 1, 4])
def test_tuples(trips, num_warps, warp_size):
    x, out = inputs()
    y = random_tensor((SIZE,), torch.float32, 2)
    tuple_kernel[(1,)]((x, y), Limits(-0.5, 0.75), out, trips, SIZE, num_warps=num_warps, warp_size=warp_size)
    value, low, high, count = x.clone(), -0.5, 0.75, 0
    for i in range(trips):
        if i % 2 == 0:
            value = (value + y).clamp(low, high) * 2
            low, high, count = low * 1.5, high * 1.5, count + 1
        else:
            value = value - x
    torch.testing.assert_close(out, value + high + count)


@triton.jit
def scalar_condition_kernel(x_ptr, out_ptr, flag, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    x = tl.load(x_ptr + index)
    y = tl.where(flag > 0, x, -x)
    z = x if flag > 1 else y * 2
    tl.store(out_ptr + index, tl.where((flag > 2) & (x > 0), z, z + 1))


@pytest.mark.parametrize("flag", range(4))
def test_selection_by_a_scalar(flag):
    x, out = inputs()
    scalar_condition_kernel[(1,)](x, out, flag, SIZE)
    y = x if flag > 0 else -x
    z = x if flag > 1 else y * 2
    torch.testing.assert_close(out, torch.where((x > 0) & (flag > 2), z, z + 1))


@triton.jit
def swapping_kernel(out_ptr, a_ptr, b_ptr, steps, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    p, q = a_ptr + i, b_ptr + i
    total = tl.zeros((BLOCK,), tl.float32)
    for _ in range(steps):
        total += tl.load(p) * 2 + tl.load(q)
        p, q = q + BLOCK, p + BLOCK
    tl.store(out_ptr + i, total)


@pytest.mark.parametrize("num_warps", [1, 4, 16])
def test_pointers_that_swap_and_advance(num_warps):
    """Intel's OpenCL runtime dies of this kernel, and the process with it."""
    steps, block = 6, 256
    a, b = (random_tensor((steps, block), torch.float32, seed) for seed in (1, 2))
    out = poisoned((block,), torch.float32)
    swapping_kernel[(1,)](out, a, b, steps, block, num_warps=num_warps)
    even = torch.arange(steps)[:, None] % 2 == 0
    first, second = torch.where(even, a, b).double(), torch.where(even, b, a).double()
    torch.testing.assert_close(out.double(), (first * 2 + second).sum(0), rtol=1e-5, atol=1e-5)


@triton.jit
def repeated_blocks_kernel(x, out, rows, trips, N: tl.constexpr):
    """The inner loops load what does not change in either of them."""
    p = tl.make_block_ptr(x, (rows, N), (N, 1), (0, 0), (N, N), (1, 0))
    total = tl.zeros((N, N), tl.float32)
    for i in range(trips):
        total += tl.load(tl.advance(p, (i, 0)), boundary_check=(0, 1), padding_option="zero")
        for _ in range(trips):
            total += 2 * tl.load(p, boundary_check=(0, 1), padding_option="zero")
        for j in range(trips):
            total += 3 * tl.load(tl.advance(p, (j, 0)), boundary_check=(0, 1), padding_option="zero")
    tl.store(tl.make_block_ptr(out, (N, N), (N, 1), (0, 0), (N, N), (1, 0)), total)


@pytest.mark.parametrize("trips", [0, 1, 3])
def test_blocks_that_no_loop_changes(trips):
    rows, n = 13, 16
    x, out = random_tensor((rows, n), torch.float32, trips), poisoned((n, n), torch.float32)
    repeated_blocks_kernel[(1,)](x, out, rows, trips, N=n)
    padded = torch.zeros(rows + n + trips, n, dtype=torch.float64)
    padded[:rows] = x
    expected = torch.zeros(n, n, dtype=torch.float64)
    for i in range(trips):
        expected += padded[i : i + n] + 2 * trips * padded[:n]
        expected += 3 * sum(padded[j : j + n] for j in range(trips))
    torch.testing.assert_close(out.double(), expected, rtol=1e-5, atol=1e-4)


@triton.jit
def sum_rows(x, out, rows, DISABLE_LICM: tl.constexpr, COLUMNS: tl.constexpr):
    column = tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), tl.float32)
    for row in tl.range(0, rows, disable_licm=DISABLE_LICM):
        total += tl.load(x + row * COLUMNS + column)
    tl.store(out + column, total)


@pytest.mark.parametrize("disable_licm", [False, True])
def test_disable_licm(disable_licm):
    """A loop that is to keep what does not change in it states it to LLVM."""
    x, out = random_tensor((7, 64), torch.float32, 1), poisoned((64,), torch.float32)
    compiled = sum_rows[(1,)](x, out, 7, disable_licm, 64)
    assert ("llvm.licm.disable" in compiled.asm["llir"]) == disable_licm
    assert_close(out, x.double().sum(0), 1e-5)
