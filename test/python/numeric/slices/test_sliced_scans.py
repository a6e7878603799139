# SPDX-License-Identifier: MIT
"""Scans along the dimension that is cut: the CPU device goes on in each slice where the one ahead has ended.

Results are compared with sequential loops in numpy. Regions of integers are exact, and most of them do not commute.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned

#: Registers of the largest tile in straight code: the smallest limit, a limit that cuts some of the tiles, and none.
LIMITS = (2, 16, 0)
WARPS = (1, 4)


def random(*shape: int, dtype: torch.dtype = torch.int32, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed + sum(shape))
    if dtype.is_floating_point:
        return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)
    bounds = torch.iinfo(dtype)
    return torch.randint(bounds.min, bounds.max, shape, generator=generator, dtype=dtype)


def is_cut(kernel) -> bool:
    """Return whether a loop runs over slices: these kernels have no separate loops."""
    return "br i1" in kernel.asm["llir"] and "phi" in kernel.asm["llir"]


@triton.jit
def compose(a, b, c, d):
    """The map x -> a x + b, then x -> c x + d."""
    return a * c, b * c + d


@triton.jit
def last_valid(a, b):
    """The second, unless it is NaN."""
    return tl.where(b == b, b, a)


@triton.jit
def matrix_product(a, b, c, d, e, f, g, h):
    """Two matrices of 2x2."""
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h


@triton.jit
def segmented_sum(sum_a, starts_a, sum_b, starts_b):
    """Starts again where a flag is set."""
    return tl.where(starts_b, sum_b, sum_a + sum_b), starts_a | starts_b


@triton.jit
def latest_maximum(value_a, index_a, value_b, index_b):
    """Return the larger value with the index of the last one of equal maxima, in the order of the scan."""
    isSecond = value_b >= value_a
    return tl.where(isSecond, value_b, value_a), tl.where(isSecond, index_b, index_a)


@triton.jit
def greatest_divisor(a, b):
    """A loop in the region."""
    while b != 0:
        a, b = b, a % b
    return a


@triton.jit
def sums(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + offsets, tl.cumsum(tl.load(x + offsets), AXIS, reverse=REVERSE))


@pytest.mark.pairwise
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("rows", "columns", "axis"), [(512, 4, 0), (8, 256, 1), (64, 64, 0), (64, 64, 1), (1, 4096, 1)]
)
def test_axes(rows: int, columns: int, axis: int, *, reverse: bool, num_warps: int, limit: int) -> None:
    """Sums that wrap, in rows and columns."""
    x, out = random(rows, columns), poisoned((rows, columns), torch.int32)
    sums[(1,)](
        x,
        out,
        ROWS=rows,
        COLUMNS=columns,
        AXIS=axis,
        REVERSE=reverse,
        num_warps=num_warps,
        tile_registers=limit,
    )
    values = np.flip(x.numpy(), axis) if reverse else x.numpy()
    expected = np.cumsum(values, axis, dtype=np.int32)
    np.testing.assert_array_equal(out.numpy(), np.flip(expected, axis) if reverse else expected)


@pytest.mark.pairwise
@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "dtype",
    [torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64],
)
def test_types(dtype: torch.dtype, *, reverse: bool, num_warps: int) -> None:
    """All types are scanned with the default limit, in a tile that it cuts."""
    x = random(16, 1024, dtype=dtype)
    if dtype.is_floating_point:
        # Sums of integers are exact in all types.
        x = (x * 3).round().clamp(-1, 1)
        x[:, ::2] = -x[:, 1::2]
    # Small integers are added in 32 bits.
    wide = {torch.int8: torch.int32, torch.int16: torch.int32}.get(dtype, dtype)
    out = poisoned((16, 1024), wide)
    sums[(1,)](x, out, ROWS=16, COLUMNS=1024, AXIS=1, REVERSE=reverse, num_warps=num_warps)
    values = x.to(torch.float64 if dtype.is_floating_point else torch.int64)
    expected = values.flip(1).cumsum(1).flip(1) if reverse else values.cumsum(1)
    assert torch.equal(out, expected.to(wide))


@triton.jit
def scan_numbers(x, y, z, w, out, SIZE: tl.constexpr, REGION: tl.constexpr, REVERSE: tl.constexpr):
    """A scan of one, two or four tensors; `out` gets one row for each."""
    offsets = tl.arange(0, SIZE)
    a, b = tl.load(x + offsets), tl.load(y + offsets)
    if REGION == "divisor":
        a = tl.associative_scan(a, 0, greatest_divisor, reverse=REVERSE)
    elif REGION == "valid":
        a = tl.associative_scan(a, 0, last_valid, reverse=REVERSE)
    elif REGION == "compose":
        a, b = tl.associative_scan((a, b), 0, compose, reverse=REVERSE)
        tl.store(out + SIZE + offsets, b)
    elif REGION == "maximum":
        a, b = tl.associative_scan((a, b), 0, latest_maximum, reverse=REVERSE)
        tl.store(out + SIZE + offsets, b)
    else:
        c, d = tl.load(z + offsets), tl.load(w + offsets)
        a, b, c, d = tl.associative_scan((a, b, c, d), 0, matrix_product, reverse=REVERSE)
        tl.store(out + SIZE + offsets, b)
        tl.store(out + 2 * SIZE + offsets, c)
        tl.store(out + 3 * SIZE + offsets, d)
    tl.store(out + offsets, a)


def scanned(inputs: list[np.ndarray], combine: Callable[..., tuple], *, reverse: bool) -> list[np.ndarray]:
    """Scan one element after the other."""
    order = range(len(inputs[0]) - 1, -1, -1) if reverse else range(len(inputs[0]))
    results = [np.empty_like(array) for array in inputs]
    total: tuple | None = None
    with np.errstate(over="ignore"):
        for index in order:
            own = tuple(array[index] for array in inputs)
            total = own if total is None else combine(*total, *own)
            for array, value in zip(results, total, strict=True):
                array[index] = value
    return results


#: The number of tensors, and the same in Python.
REGIONS: dict[str, tuple[int, Callable[..., tuple]]] = {
    "compose": (2, lambda a, b, c, d: (a * c, b * c + d)),
    "matrix": (4, lambda a, b, c, d, e, f, g, h: (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)),
    "maximum": (2, lambda a, i, b, j: (b, j) if b >= a else (a, i)),
    "divisor": (1, lambda a, b: (np.gcd(a, b),)),
}


@pytest.mark.pairwise
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", REGIONS)
def test_regions(name: str, *, reverse: bool, num_warps: int, limit: int) -> None:
    """Tensors have one dimension, so that the loop carries scalars."""
    count, reference = REGIONS[name]
    # Without slices, the compiler takes longer than in proportion to the size.
    size = 512 * num_warps if limit == 0 else 2048
    inputs = [random(size, seed=seed) for seed in range(4)]
    if name == "maximum":
        # Equal values, each with its index.
        inputs[0], inputs[1] = inputs[0] % 50, torch.arange(size, dtype=torch.int32)
    if name == "divisor":
        inputs[0] = inputs[0] % 1000 * 720 + 720
    out = poisoned((count, size), torch.int32)
    kernel = scan_numbers[(1,)](
        *inputs, out, SIZE=size, REGION=name, REVERSE=reverse, num_warps=num_warps, tile_registers=limit
    )
    if name != "divisor":
        assert is_cut(kernel) == (limit > 0)
    expected = scanned([tensor.numpy() for tensor in inputs[:count]], reference, reverse=reverse)
    np.testing.assert_array_equal(out.numpy(), np.stack(expected))


@pytest.mark.pairwise
@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_bits_stay(dtype: torch.dtype, *, reverse: bool, num_warps: int) -> None:
    """A loop carries a number of the tensor: a negative zero, an infinity, or NaN at the beginning."""
    size = 8192
    x = torch.full((size,), float("nan"), dtype=dtype)
    x[700], x[3001], x[3002], x[7000] = -0.0, float("inf"), -0.0, float("-inf")
    out = poisoned((1, size), dtype)
    scan_numbers[(1,)](x, x, x, x, out, SIZE=size, REGION="valid", REVERSE=reverse, num_warps=num_warps)
    expected = x.double().numpy().copy()
    indices = range(size - 2, -1, -1) if reverse else range(1, size)
    for index in indices:
        if np.isnan(expected[index]):
            expected[index] = expected[index + 1 if reverse else index - 1]
    np.testing.assert_array_equal(out[0].double().numpy(), expected)
    np.testing.assert_array_equal(np.signbit(out[0].double().numpy()), np.signbit(expected))


@triton.jit
def segments(x, starts, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    offsets = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    values, flags = tl.load(x + offsets), tl.load(starts + offsets) != 0
    total, _ = tl.associative_scan((values, flags), AXIS, segmented_sum, reverse=REVERSE)
    tl.store(out + offsets, total)


@pytest.mark.pairwise
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("num_warps", WARPS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_types_of_a_tuple(axis: int, *, reverse: bool, num_warps: int, limit: int) -> None:
    """64 bits and one bit, in tensors that a loop carries."""
    shape = (32, 64) if limit == 0 else (32, 128)
    x, starts = random(*shape, dtype=torch.int64), (random(*shape, seed=1) % 20 == 0).to(torch.int8)
    out = poisoned(shape, torch.int64)
    segments[(1,)](
        x,
        starts,
        out,
        ROWS=shape[0],
        COLUMNS=shape[1],
        AXIS=axis,
        REVERSE=reverse,
        num_warps=num_warps,
        tile_registers=limit,
    )
    rows, flags = x.numpy(), starts.numpy()
    if axis == 0:
        rows, flags = rows.T, flags.T
    expected = np.stack(
        [
            scanned([row, own], lambda a, f, b, g: (b if g else a + b, f | g), reverse=reverse)[0]
            for row, own in zip(rows, flags, strict=True)
        ]
    )
    np.testing.assert_array_equal(out.numpy(), expected.T if axis == 0 else expected)


@triton.jit
def both_directions(x, out, SIZE: tl.constexpr):
    """Sums of both sides of each element: two scans that cannot be in one loop."""
    offsets = tl.arange(0, SIZE)
    value = tl.load(x + offsets)
    before = tl.cumsum(value, 0) - value
    after = tl.cumsum(value, 0, reverse=True) - value
    tl.store(out + offsets, before * 3 - after)


@pytest.mark.parametrize("num_warps", WARPS)
def test_both_directions(num_warps: int) -> None:
    x, out = random(8192), poisoned((8192,), torch.int32)
    both_directions[(1,)](x, out, SIZE=8192, num_warps=num_warps)
    value = x.numpy()
    before = np.cumsum(value, dtype=np.int32) - value
    after = np.flip(np.cumsum(np.flip(value), dtype=np.int32)) - value
    np.testing.assert_array_equal(out.numpy(), before * np.int32(3) - after)


@triton.jit
def compaction(x, out, count, n, SIZE: tl.constexpr):
    """Moves the positive elements to the front: stores go where a scan determines."""
    offsets = tl.arange(0, SIZE)
    value = tl.load(x + offsets, mask=offsets < n, other=-1.0)
    isKept = value > 0
    places = tl.cumsum(isKept.to(tl.int32), 0) - 1
    tl.store(out + places, value, mask=isKept)
    tl.store(count, tl.sum(isKept.to(tl.int32), 0))


@pytest.mark.parametrize("num_warps", WARPS)
def test_compaction(num_warps: int) -> None:
    n, size = 10_000, 16_384
    x, out = random(n, dtype=torch.float32), poisoned((n,), torch.float32)
    count = poisoned((1,), torch.int32)
    compaction[(1,)](x, out, count, n, SIZE=size, num_warps=num_warps)
    kept = x[x > 0]
    assert count.item() == len(kept)
    assert torch.equal(out[: len(kept)], kept)


@triton.jit
def recurrence(x, decay, out, steps, CHANNELS: tl.constexpr, STEPS: tl.constexpr):
    """A linear recurrence over time in chunks, as state space models have it: one scan inside of the kernel's loop."""
    time, channel = tl.arange(0, STEPS)[:, None], tl.arange(0, CHANNELS)[None, :]
    state = tl.zeros((1, CHANNELS), tl.float32)
    for start in range(0, steps, STEPS):
        mask = start + time < steps
        offsets = (start + time) * CHANNELS + channel
        a = tl.load(decay + offsets, mask=mask, other=1.0)
        b = tl.load(x + offsets, mask=mask, other=0.0)
        a, b = tl.associative_scan((a, b), 0, compose)
        b += a * state
        tl.store(out + offsets, b, mask=mask)
        state = tl.sum(tl.where(time == STEPS - 1, b, 0.0), 0, keep_dims=True)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("num_warps", WARPS)
def test_recurrence(num_warps: int, limit: int) -> None:
    steps, channels = 300, 16
    x, decay = random(steps, channels, dtype=torch.float32), torch.rand(steps, channels)
    out = poisoned((steps, channels), torch.float32)
    recurrence[(1,)](x, decay, out, steps, CHANNELS=channels, STEPS=128, num_warps=num_warps, tile_registers=limit)
    state, expected = torch.zeros(channels, dtype=torch.float64), []
    for step in range(steps):
        state = decay[step].double() * state + x[step].double()
        expected.append(state)
    assert_close(out, torch.stack(expected), 1e-5)
