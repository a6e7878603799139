# SPDX-License-Identifier: MIT
"""Tiles that are too large for straight code, which the CPU device computes in loops over slices."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned
from triton.language.extra import libdevice

from triton_xe import errors

#: The numbers of warps. With one of them, or four, the tiles below have 128 to 1,024 elements per lane.
WARPS = (1, 4)


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed + sum(shape))
    if dtype.is_floating_point:
        return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)
    return torch.randint(-100, 100, shape, generator=generator, dtype=torch.int64).to(dtype)


def is_sliced(kernel) -> bool:
    """Return whether values are in private memory, where loops over slices leave them."""
    return "alloca [" in kernel.asm["llir"]


@triton.jit
def chain(x, y, out, n, SIZE: tl.constexpr):
    offsets = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    mask = offsets < n
    a = tl.load(x + offsets, mask=mask, other=1.0).to(tl.float32)
    b = tl.load(y + offsets, mask=mask).to(tl.float32)
    value = libdevice.tanh(a) * b + tl.sigmoid(b)
    tl.store(out + offsets, value, mask=mask)


@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_chain(dtype: torch.dtype, num_warps: int) -> None:
    n, size = 30_000, 16_384
    x, y = random(n, dtype=dtype), random(n, dtype=dtype, seed=1)
    out = poisoned((n,), torch.float32)
    kernel = chain[(triton.cdiv(n, size),)](x, y, out, n, SIZE=size, num_warps=num_warps)
    assert is_sliced(kernel)
    assert_close(out, x.double().tanh() * y.double() + y.double().sigmoid(), 2e-5)


@pytest.mark.parametrize("registers", [2, 32, 64, 128, 0])
def test_limit(registers: int) -> None:
    """The option determines how large tiles in straight code may be."""
    x, y, out = random(4096), random(4096, seed=1), poisoned((4096,), torch.float32)
    kernel = chain[(1,)](x, y, out, 4096, SIZE=4096, num_warps=4, tile_registers=registers)
    # 64 numbers per lane, with pointers to them.
    assert is_sliced(kernel) == (registers in (2, 32, 64))
    assert_close(out, x.double().tanh() * y.double() + y.double().sigmoid(), 2e-5)


@pytest.mark.parametrize("registers", [-1, 1, 2.5])
def test_invalid_limit(registers: float) -> None:
    x = random(64)
    with pytest.raises(errors.OptionError, match="tile_registers"):
        chain[(1,)](x, x, x, 64, SIZE=64, tile_registers=registers)


@triton.jit
def polynomial(out, SIZE: tl.constexpr):
    """Each value is used twice, so that there are 2^40 ways from the first one to the last one."""
    value = tl.arange(0, SIZE)
    for _ in tl.static_range(40):
        value = value * value + value
    tl.store(out + tl.arange(0, SIZE), value)


@pytest.mark.parametrize("num_warps", WARPS)
def test_values_used_twice(num_warps: int) -> None:
    out = poisoned((8192,), torch.int32)
    polynomial[(1,)](out, SIZE=8192, num_warps=num_warps)
    expected = torch.arange(8192, dtype=torch.int64)
    for _ in range(40):
        expected = (expected * expected + expected) % 2**32
    assert torch.equal(out.long() % 2**32, expected)


@triton.jit
def softmax(x, out, n, m, DEPTH: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    depth, rows, columns = tl.arange(0, DEPTH), tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    mask = (rows < n)[None, :, None] & (columns < m)[None, None, :]
    offsets = depth[:, None, None] * n * m + rows[None, :, None] * m + columns[None, None, :]
    value = tl.load(x + offsets, mask=mask, other=float("-inf"))
    value = tl.exp(value - tl.max(value, 2)[:, :, None])
    tl.store(out + offsets, value / tl.sum(value, 2)[:, :, None], mask=mask)


@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("tile", [(16, 16, 64), (1, 1, 16_384), (128, 2, 64), (2, 1024, 8)])
def test_rows_in_three_dimensions(tile: tuple[int, int, int], num_warps: int) -> None:
    depth, rows, columns = tile
    n, m = max(rows - 1, 1), columns - 3
    x, out = random(depth, n, m), poisoned((depth, n, m), torch.float32)
    kernel = softmax[(1,)](x, out, n, m, DEPTH=depth, ROWS=rows, COLUMNS=columns, num_warps=num_warps)
    assert is_sliced(kernel)
    assert_close(out, x.double().softmax(2), 1e-5)


@triton.jit
def reverse(x, n: tl.constexpr):
    """All loads come ahead of all stores."""
    offsets = tl.arange(0, n)
    value = tl.load(x + offsets)
    tl.debug_barrier()
    tl.store(x + n - 1 - offsets, value)


@pytest.mark.parametrize("num_warps", WARPS)
def test_in_place(num_warps: int) -> None:
    x = random(8192)
    expected = x.flip(0)
    reverse[(1,)](x, 8192, num_warps=num_warps)
    assert torch.equal(x, expected)


@triton.jit
def two_stores(x, out, n: tl.constexpr):
    """Elements that both stores write have the second one's number."""
    offsets = tl.arange(0, n)
    value = tl.load(x + offsets)
    tl.store(out + offsets, value)
    tl.debug_barrier()
    tl.store(out + offsets // 2, value + 1.0, mask=offsets % 2 == 0)


@pytest.mark.parametrize("num_warps", WARPS)
def test_order_of_stores(num_warps: int) -> None:
    x, out = random(8192), poisoned((8192,), torch.float32)
    two_stores[(1,)](x, out, 8192, num_warps=num_warps)
    expected = x.clone()
    expected[:4096] = x[::2] + 1
    assert torch.equal(out, expected)


@triton.jit
def normalize(x, weight, out, mean_out, n, N: tl.constexpr, ROWS: tl.constexpr):
    """Statistics in a loop that carries large tensors."""
    rows, columns = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, N)
    total, squares = tl.zeros((ROWS, N), tl.float32), tl.zeros((ROWS, N), tl.float32)
    for first in range(0, n, N):
        value = tl.load(x + rows[:, None] * n + first + columns[None, :], mask=first + columns[None, :] < n, other=0.0)
        total += value
        squares += value * value
    mean = tl.sum(total, 1) / n
    scale = tl.rsqrt(tl.sum(squares, 1) / n - mean * mean + 1e-5)
    tl.store(mean_out + rows, mean)
    for first in range(0, n, N):
        mask = (first + columns < n)[None, :]
        value = tl.load(x + rows[:, None] * n + first + columns[None, :], mask=mask, other=0.0)
        value = (value - mean[:, None]) * scale[:, None] * tl.load(weight + first + columns, mask=first + columns < n)
        tl.store(out + rows[:, None] * n + first + columns[None, :], value, mask=mask)


@pytest.mark.parametrize("num_warps", WARPS)
def test_carried_tensors(num_warps: int) -> None:
    rows, n = 64, 700
    x, weight = random(rows, n), random(n)
    out, mean = poisoned((rows, n), torch.float32), poisoned((rows,), torch.float32)
    normalize[(2,)](x, weight, out, mean, n, N=256, ROWS=32, num_warps=num_warps)
    exact = x.double()
    assert_close(mean, exact.mean(1), 1e-5)
    assert_close(out, torch.nn.functional.layer_norm(exact, (n,), weight.double()), 1e-4)


@triton.jit
def product(a, b, c, out, k, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    rows, columns, depth = tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, DEPTH)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, k, DEPTH):
        left = tl.load(a + rows[:, None] * k + first + depth[None, :], mask=first + depth[None, :] < k, other=0.0)
        right = tl.load(b + (first + depth)[:, None] * COLUMNS + columns, mask=(first + depth)[:, None] < k, other=0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    total = tl.trans(total) + tl.load(c + columns[:, None] * ROWS + rows[None, :])
    tl.store(out + columns[:, None] * ROWS + rows[None, :], tl.where(total > 0, total, 0.1 * total))


@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("tile", [(128, 64, 32), (32, 256, 16)])
def test_product(tile: tuple[int, int, int], num_warps: int) -> None:
    rows, columns, depth = tile
    k = 50
    a, b, c = random(rows, k), random(k, columns), random(columns, rows)
    out = poisoned((columns, rows), torch.float32)
    kernel = product[(1,)](a, b, c, out, k, ROWS=rows, COLUMNS=columns, DEPTH=depth, num_warps=num_warps)
    assert is_sliced(kernel)
    expected = (a.double() @ b.double()).T + c.double()
    assert_close(out, torch.where(expected > 0, expected, 0.1 * expected), 1e-5)


@triton.jit
def shapes(x, y, out, SIZE: tl.constexpr):
    """Joins, splits, transposes and reshapes between elementwise operations."""
    offsets = tl.arange(0, SIZE)
    pairs = tl.join(tl.load(x + offsets) * 2, tl.load(y + offsets) + 1)
    pairs = tl.reshape(pairs, (SIZE // 64, 64, 2))
    permuted = tl.permute(pairs, (1, 2, 0)) * 3
    first, second = tl.split(tl.permute(permuted, (0, 2, 1)))
    value = tl.interleave(tl.reshape(first, (SIZE,)), tl.reshape(second, (SIZE,)))
    tl.store(out + tl.arange(0, 2 * SIZE), value - 5)


@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("dtype", [torch.int8, torch.int32, torch.int64])
def test_shapes(dtype: torch.dtype, num_warps: int) -> None:
    size = 2048 if num_warps == 1 else 4096
    x, y = random(size, dtype=dtype), random(size, dtype=dtype, seed=1)
    out = poisoned((2 * size,), dtype)
    shapes[(1,)](x, y, out, SIZE=size, num_warps=num_warps)
    pairs = torch.stack([x * 2, y + 1], 1).reshape(size // 64, 64, 2)
    expected = pairs.permute(1, 2, 0).mul(3).permute(0, 2, 1).reshape(-1) - 5
    assert torch.equal(out, expected.to(dtype))


@triton.jit
def halves(out, t, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Both halves of what each loop over slices recomputes."""
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    value = offsets * 7 + t
    first, second = tl.split(tl.join(value, value) + tl.arange(0, 2)[None, None, :])
    tl.store(out + offsets, first - second * 2)


@pytest.mark.parametrize("rows, columns", [(64, 16), (32, 32)])
def test_halves(rows: int, columns: int) -> None:
    out = poisoned((rows, columns), torch.int32)
    kernel = halves[(1,)](out, 3, ROWS=rows, COLUMNS=columns, num_warps=1)
    # Nothing is in memory: offsets are computed in the one loop.
    assert kernel.asm["llir"].count("br i1") == 1
    value = torch.arange(rows * columns, dtype=torch.int32).reshape(rows, columns) * 7 + 3
    assert torch.equal(out, value - 2 * (value + 1))


@triton.jit
def drafts(flags, marks, p, q, out, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    """A row that a branch computes; only the loop ahead of it knows which way."""
    n = 0
    for i in range(2):
        if tl.load(flags + i) > 0.5:
            n += 1
            tl.store(marks + n, 1.0)
    is_last = n == 2
    total = 0.0
    for start in range(0, SIZE, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        value = tl.load(p + n * SIZE + offsets, mask=offsets < SIZE, other=0.0)
        if not is_last:
            other = tl.load(q + n * SIZE + offsets, mask=offsets < SIZE, other=0.0)
            value = tl.where(value - other > 0.0, value - other, 0.0)
        total += tl.sum(value)
    tl.store(out, total)


@pytest.mark.parametrize("accepted", [0, 1, 2])
def test_branch(accepted: int) -> None:
    """Loops over slices that some programs, or lanes, do not run."""
    size = 5003
    p, q, out = random(3, size).abs(), random(3, size, seed=1).abs(), poisoned((1,), torch.float32)
    flags, marks = torch.zeros(2), torch.zeros(3)
    flags[:accepted] = 1.0
    kernel = drafts[(1,)](flags, marks, p, q, out, SIZE=size, BLOCK=4096, num_warps=4)
    assert is_sliced(kernel)
    row = p[accepted].double()
    expected = row if accepted == 2 else (row - q[accepted].double()).clamp(min=0)
    assert_close(out, expected.sum().reshape(1), 1e-5)
    assert marks.tolist() == [0.0] + [1.0] * accepted + [0.0] * (2 - accepted)


@triton.jit
def statistics(x, index, out, counts, flags, SIZE: tl.constexpr):
    """Exchange elements: by a maximum with its place, a gather, a histogram, atomic additions, a branch."""
    offsets = tl.arange(0, SIZE)
    value = tl.load(x + offsets)
    place = tl.argmax(value, 0)
    gathered = tl.gather(value, tl.load(index + offsets), 0)
    if tl.sum(gathered, 0) > 0:
        gathered = gathered * 2
        gathered -= value
    else:
        gathered = gathered + value
    tl.store(out + offsets, gathered)
    bins = tl.histogram(tl.load(index + offsets) % 16, 16)
    tl.atomic_add(counts + tl.arange(0, 16), bins)
    old = tl.atomic_add(flags + offsets % 32, tl.where(value > 0, 1, 0))
    tl.store(counts + 16, tl.min(old, 0))
    tl.store(counts + 17, place)


@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("sign", [1, -1])
def test_exchanges(sign: int, num_warps: int) -> None:
    size = 4096
    x = random(size) + sign
    index = torch.randint(0, size, (size,), generator=torch.Generator().manual_seed(3), dtype=torch.int32)
    out, counts, flags = poisoned((size,), torch.float32), torch.zeros(18, dtype=torch.int32), torch.zeros(32).int()
    statistics[(1,)](x, index, out, counts, flags, SIZE=size, num_warps=num_warps)
    gathered = x[index.long()]
    assert_close(out, gathered * 2 - x if gathered.sum() > 0 else gathered + x, 1e-6)
    assert torch.equal(counts[:16], torch.bincount(index % 16, minlength=16).int())
    assert counts[17] == x.argmax()
    assert torch.equal(flags, (x > 0).reshape(-1, 32).sum(0).int())


@triton.jit
def sort(x, out, SIZE: tl.constexpr, descending: tl.constexpr):
    offsets = tl.arange(0, SIZE)
    tl.store(out + offsets, tl.sort(tl.load(x + offsets), descending=descending))


def sorts() -> list:
    """Return element types with numbers of warps.

    A sort depends on how wide elements are, and on whether sub-groups exchange them. A short run has f16, whose kernels
    are the longest, with both numbers, and each other type with one of them.
    """
    long_run = {(torch.int32, 1), (torch.float64, 4)}
    return [
        pytest.param(dtype, num_warps, marks=pytest.mark.full if (dtype, num_warps) in long_run else ())
        for dtype in (torch.float16, torch.int32, torch.float64)
        for num_warps in WARPS
    ]


@pytest.mark.parametrize(("dtype", "num_warps"), sorts())
def test_sort(dtype: torch.dtype, num_warps: int) -> None:
    size = 2048 * num_warps
    x, out = random(size, dtype=dtype), poisoned((size,), dtype)
    descending = num_warps == 4
    sort[(1,)](x, out, SIZE=size, descending=descending, num_warps=num_warps)
    assert torch.equal(out, x.sort(descending=descending)[0])


@triton.jit
def gelu(value):
    return value * 0.5 * (1.0 + libdevice.erf(value * 0.7071067811865476))


@triton.jit
def dropout(x, out, mask_out, seed, SIZE: tl.constexpr):
    """Random numbers, and a `while` loop that carries what is large."""
    offsets = tl.arange(0, SIZE)
    keep = tl.rand(seed, offsets) > 0.25
    value = gelu(tl.load(x + offsets))
    step = 0
    while step < 3:
        value = tl.where(keep, value * 1.5, value - 1.0)
        step += 1
    tl.store(out + offsets, value)
    tl.store(mask_out + offsets, keep)


@pytest.mark.parametrize("num_warps", WARPS)
def test_random_numbers(num_warps: int) -> None:
    size = 1024 * num_warps
    x = random(size)
    out, mask = poisoned((size,), torch.float32), torch.zeros(size, dtype=torch.bool)
    dropout[(1,)](x, out, mask, 7, SIZE=size, num_warps=num_warps, tile_registers=32)
    assert 0.7 < mask.float().mean() < 0.8
    value = torch.nn.functional.gelu(x.double())
    for _ in range(3):
        value = torch.where(mask, value * 1.5, value - 1.0)
    assert_close(out, value, 1e-5)
    # The same numbers as in straight code.
    again = torch.zeros_like(mask)
    dropout[(1,)](x, out, again, 7, SIZE=size, num_warps=num_warps, tile_registers=0)
    assert torch.equal(mask, again)


@triton.jit
def checked(x, out, SIZE: tl.constexpr):
    offsets = tl.arange(0, SIZE)
    value = tl.load(x + offsets)
    tl.device_assert(value < 10.0, "too large")
    tl.store(out + offsets, tl.exp(value) / tl.sum(tl.exp(value), 0))


@pytest.mark.parametrize("num_warps", WARPS)
def test_checks(num_warps: int) -> None:
    """Kernels that check themselves find the element, and nothing in what is right."""
    x, out = random(4096), poisoned((4096,), torch.float32)
    checked[(1,)](x, out, SIZE=4096, num_warps=num_warps, cpu_checks=True)
    assert_close(out, x.double().softmax(0), 1e-5)
    x[1234] = 11
    with pytest.raises(errors.DeviceAssertionError, match="1234"):
        checked[(1,)](x, out, SIZE=4096, num_warps=num_warps, cpu_checks=True)


@triton.jit
def choose_gathered(a, index, b, out, R: tl.constexpr, C: tl.constexpr):
    """The addresses of the second load are found once for all rows, between two loads of one loop."""
    rows, columns = tl.arange(0, R), tl.arange(0, C)
    flags = tl.load(b + columns[None, :] * R + rows[:, None])
    gathered = tl.load(a + tl.load(index + columns)[None, :] + tl.zeros([R, 1], tl.int32))
    tl.store(out + rows[:, None] * C + columns[None, :], tl.where(flags != 0, -1.0, gathered))


@pytest.mark.parametrize("num_warps", (1, 2, 4))
@pytest.mark.parametrize("rows", [64, 128])
def test_addresses_between_loads(rows: int, num_warps: int) -> None:
    a, out = random(4096), poisoned((rows, 64), torch.float32)
    index = torch.randperm(4096, generator=torch.Generator().manual_seed(rows), dtype=torch.int32)[:64]
    b = (random(64, rows) > 0).float()
    choose_gathered[(1,)](a, index, b, out, R=rows, C=64, num_warps=num_warps)
    assert torch.equal(out, torch.where(b.T != 0, -1.0, a[index.long()][None, :]))


@triton.jit
def raise_until(x, out, limit, ROWS: tl.constexpr, COLUMNS: tl.constexpr, dtype: tl.constexpr):
    """Lanes have rows, so all of them have all of the columns' results, which they leave in private memory."""
    rows, columns = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    value, trips = tl.zeros([ROWS, COLUMNS], tl.int32), 0
    while (trips < 50) & (tl.max(tl.max(value.to(dtype), axis=0), axis=0) < limit):
        tl.debug_barrier()
        trips += 1
        value = tl.load(x + columns[None, :] * ROWS + rows[:, None]) * trips
    tl.store(out, trips)


@pytest.mark.pairwise
@pytest.mark.parametrize("num_warps", (1, 2, 4))
@pytest.mark.parametrize("columns", [64, 128])
@pytest.mark.parametrize("dtype", [tl.int32, tl.int64, tl.float32], ids=str)
def test_barriers_behind_reductions(dtype: tl.dtype, columns: int, num_warps: int) -> None:
    """All lanes agree whether the loop goes on, so all of them come to the barrier."""
    x = random(columns, 64, dtype=torch.int32)
    for limit in (0, 1, 2, 700, 1500, 10**6):
        out = poisoned((1,), torch.int32)
        kernel = raise_until[(1,)](x, out, limit, ROWS=64, COLUMNS=columns, dtype=dtype, num_warps=num_warps)
        assert num_warps > 1 or is_sliced(kernel)
        expected = 0
        while expected < 50 and x.max().item() * expected < limit:
            expected += 1
        assert out.item() == expected


@triton.jit
def sum_of_copies(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows, columns = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    offsets = columns[None, :] * ROWS + rows[:, None]
    value = tl.load(x + offsets)
    totals = tl.sum(value, axis=0)
    tl.store(out + offsets, value * totals[None, :])


@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("dtype", [torch.int8, torch.int32, torch.int64, torch.float32])
def test_results_that_lanes_share(dtype: torch.dtype, num_warps: int) -> None:
    """Private memory has the same in all lanes for the sums, and other elements in each for the tile."""
    x, out = random(128, 64, dtype=dtype), poisoned((128, 64), dtype)
    kernel = sum_of_copies[(1,)](x, out, ROWS=64, COLUMNS=128, num_warps=num_warps)
    assert num_warps > 1 or is_sliced(kernel)
    expected = x.double() * x.double().sum(1, keepdim=True)
    if dtype.is_floating_point:
        assert_close(out, expected, 1e-5)
    else:
        assert torch.equal(out, expected.long().to(dtype))


@triton.jit
def flipped_between_loads(x, index, out, SIZE: tl.constexpr):
    rows, columns = tl.arange(0, SIZE), tl.arange(0, SIZE)
    zeros = tl.broadcast_to(tl.sum(tl.full([SIZE, SIZE], 0.0, x.dtype.element_ty), axis=1)[:, None], [SIZE, SIZE])
    flipped = tl.flip(zeros, 1)
    gathered = tl.trans(tl.load(x + tl.trans((tl.load(index + rows) * SIZE)[None, :] + columns[:, None])))
    mask = ~((rows < 3)[:, None] & (columns < 5)[None, :])
    repeated = tl.load(x + columns[None, :] + ((rows % 16) * SIZE)[:, None], mask=mask, other=0.0)
    tl.store(out + rows[:, None] * SIZE + columns[None, :], flipped + tl.maximum(gathered, repeated))


@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_values_between_loads(dtype: torch.dtype, num_warps: int) -> None:
    """A whole value, whose layout changes among the operations of a loop over slices, is in memory before the loop."""
    size = 64
    x, out = random(size, size, dtype=dtype), poisoned((size, size), dtype)
    index = torch.randint(0, size, (size,), dtype=torch.int32)
    kernel = flipped_between_loads[(1,)](x, index, out, SIZE=size, num_warps=num_warps)
    assert num_warps > 4 or is_sliced(kernel)
    repeated = x[torch.arange(size) % 16].clone()
    repeated[:3, :5] = 0
    assert torch.equal(out, torch.maximum(x[index.long()].T, repeated))
