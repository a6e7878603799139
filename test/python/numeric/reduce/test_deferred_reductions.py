# SPDX-License-Identifier: MIT
"""Loops that combine a reduction with what they carry: tiles are carried instead, and reduced once after the loop."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned, random_tensor


@triton.jit
def rows_kernel(
    x_ptr, sum_ptr, max_ptr, xor_ptr, length, start,
    ROWS: tl.constexpr, BLOCK: tl.constexpr, SCALAR: tl.constexpr,
):  # fmt: skip
    """A sum of floats, a maximum and an exclusive or of their bits, of each row."""
    first = tl.program_id(0) * ROWS
    if SCALAR:
        row, total, largest, mixed = first, start, -float("inf"), 0
    else:
        row = first + tl.arange(0, ROWS)
        total = tl.zeros((ROWS,), tl.float32) + start
        largest = tl.full((ROWS,), -float("inf"), tl.float32)
        mixed = tl.zeros((ROWS,), tl.int32)
    for begin in range(0, length, BLOCK):
        column = begin + tl.arange(0, BLOCK)
        mask = column < length
        if SCALAR:
            x = tl.load(x_ptr + row * length + column, mask=mask, other=0.0).to(tl.float32)
        else:
            x = tl.load(x_ptr + row[:, None] * length + column, mask=mask[None, :], other=0.0).to(tl.float32)
        total += tl.sum(x, axis=len(x.shape) - 1)
        x = tl.where(mask, x, -float("inf"))
        largest = tl.maximum(largest, tl.max(x, axis=len(x.shape) - 1))
        bits = tl.where(mask, x.to(tl.int32, bitcast=True), 0)
        mixed = mixed ^ tl.xor_sum(bits, axis=len(x.shape) - 1)
    tl.store(sum_ptr + row, total)
    tl.store(max_ptr + row, largest)
    tl.store(xor_ptr + row, mixed)


@pytest.mark.pairwise
@pytest.mark.instruction_sets
@pytest.mark.parametrize(
    ("rows", "block", "scalar", "warps", "length", "dtype", "lanes"),
    [
        (1, 64, True, 1, 1000, torch.float32, 16),
        (1, 512, True, 4, 1111, torch.bfloat16, 16),
        (1, 4096, True, 4, 9000, torch.float32, 16),
        (1, 16384, True, 2, 20000, torch.float16, 16),
        (1, 256, True, 8, 0, torch.float32, 16),
        (4, 128, False, 4, 777, torch.float32, 16),
        (16, 256, False, 2, 600, torch.float16, 16),
        (8, 2048, False, 8, 5000, torch.float32, 16),
        (4, 256, False, 4, 0, torch.float32, 16),
        (8, 64, False, 8, 333, torch.bfloat16, 32),
    ],
)
@pytest.mark.parametrize("grf_mode", ["128", "256"])
def test_rows(rows, block, scalar, warps, length, dtype, lanes, grf_mode):
    """Over the tiles that fit the registers, those that lanes have to shrink before, and loops that do nothing."""
    programs = 3
    x = random_tensor((programs * rows, max(length, 1)), dtype, 1)[:, :length].contiguous()
    total, largest = poisoned((programs * rows,), torch.float32), poisoned((programs * rows,), torch.float32)
    mixed = poisoned((programs * rows,), torch.int32)
    rows_kernel[(programs,)](
        x, total, largest, mixed, length, 0.25, ROWS=rows, BLOCK=block, SCALAR=scalar,
        num_warps=warps, warp_size=lanes, grf_mode=grf_mode,
    )  # fmt: skip
    wide = x.float()
    assert_close(total, wide.double().sum(1) + 0.25, 1e-5)
    expected = wide.max(1).values if length else torch.full_like(total, -float("inf"))
    assert torch.equal(largest, expected)
    bits = torch.zeros_like(mixed)
    for column in wide.view(torch.int32).unbind(1):
        bits ^= column
    assert torch.equal(mixed, bits)


@triton.jit
def special_kernel(x_ptr, out_ptr, length, start, BLOCK: tl.constexpr, KIND: tl.constexpr):
    result = start
    for begin in range(0, length, BLOCK):
        x = tl.load(x_ptr + begin + tl.arange(0, BLOCK))
        if KIND == "sum":
            result += tl.sum(x)
        elif KIND == "max":
            result = tl.maximum(result, tl.max(x))
        elif KIND == "min":
            result = tl.minimum(result, tl.min(x))
        else:
            result *= tl.reduce(x, 0, _multiply)
    tl.store(out_ptr, result)


@triton.jit
def _multiply(a, b):
    return a * b


@pytest.mark.parametrize("kind", ["sum", "max", "min", "product"])
@pytest.mark.parametrize("values", ["nan", "zero", "infinity"])
def test_special_numbers(kind, values):
    """NaN, zeros with their sign, and infinities come out as from reductions in the loop."""
    block = 128
    x = torch.full((3 * block,), {"nan": float("nan"), "zero": -0.0, "infinity": -float("inf")}[values])
    if values == "nan":
        x[200] = 2.0
    results = []
    for skipped in ((), ("tritonintelgpu-defer-reductions",)):
        out = poisoned((1,), torch.float32)
        special_kernel[(1,)](x, out, len(x), -0.0, BLOCK=block, KIND=kind, num_warps=4, skip_passes=skipped)
        results.append(out)
    assert torch.equal(results[0].isnan(), results[1].isnan())
    if not results[0].isnan():
        assert torch.equal(results[0].view(torch.int32), results[1].view(torch.int32))


@triton.jit
def partial_rows(
    x, out, N: tl.constexpr, M: tl.constexpr, BLOCK: tl.constexpr, PARTS: tl.constexpr, KIND: tl.constexpr
):
    """Each program reduces some columns of all rows."""
    i, part = tl.arange(0, M), tl.program_id(1)
    if KIND == "sum":
        local = tl.zeros((M,), tl.float32)
    elif KIND == "max":
        local = tl.full((M,), float("-inf"), tl.float32)
    else:
        local = tl.full((M,), float("inf"), tl.float32)
    for start in range(part * N // PARTS, (part + 1) * N // PARTS, BLOCK):
        tile = tl.load(x + i[:, None] * N + (start + tl.arange(0, BLOCK))[None, :])
        if KIND == "sum":
            local = local + tl.sum(tile, 1)
        elif KIND == "max":
            local = tl.maximum(local, tl.max(tile, 1))
        else:
            local = tl.minimum(local, tl.min(tile, 1))
    tl.store(out + i * PARTS + part, local)


@pytest.mark.pairwise
@pytest.mark.parametrize("kind", ["sum", "max", "min"])
@pytest.mark.parametrize("block", [32, 64, 128])
@pytest.mark.parametrize(("columns", "parts"), [(512, 2), (1024, 4), (2048, 2)])
def test_parts_of_rows(kind, block, columns, parts):
    """Within lanes in the loop, and between them after it: two reductions, as on other backends.

    Sums of any numbers have two more, which find an infinity and compute what has one again.
    """
    x, out = random_tensor((32, columns), torch.float32, 1), poisoned((32, parts), torch.float32)
    compiled = partial_rows[(1, parts)](x, out, columns, 32, block, parts, kind)
    assert compiled.asm["ttgir"].count('"tt.reduce"') == (4 if kind == "sum" else 2)
    loop = compiled.asm["ttgir"].split("scf.for")[1].split("scf.yield")[0]
    assert loop.count('"tt.reduce"') == 1
    pieces = x.double().reshape(32, parts, -1)
    expected = {"sum": lambda: pieces.sum(2), "max": lambda: pieces.amax(2), "min": lambda: pieces.amin(2)}[kind]()
    assert_close(out, expected, 1e-5 if kind == "sum" else 0)


def test_loops_exchange_nothing():
    """The rest of the loop is within lanes: nothing goes through shuffles or shared memory."""
    x, out = random_tensor((512,), torch.float32, 1), poisoned((1,), torch.float32)
    compiled = special_kernel[(1,)](x, out, 512, 0.0, BLOCK=128, KIND="max", num_warps=4)
    blocks = compiled.asm["llir"].split("\n\n")
    loops = [text for text in blocks if "= phi i32" in text]
    assert loops
    assert not any("sub_group" in text or "barrier" in text for text in loops)
    assert out.item() == max(x.max().item(), 0.0)


@triton.jit
def cancelling_kernel(x, out, bits, tiles, start, N: tl.constexpr, KIND: tl.constexpr):
    row, column = tl.arange(0, 8), tl.arange(0, N)
    total = tl.zeros((8,), x.dtype.element_ty) + start.to(x.dtype.element_ty)
    mixed = tl.zeros((8,), tl.int32)
    for tile in range(tiles):
        values = tl.load(x + tile * 8 * N + row[:, None] * N + column[None, :])
        if KIND == "absolute":
            values = tl.abs(values)
        elif KIND == "scaled":
            total *= 0.5
        total += tl.sum(values, 1)
        mixed ^= tl.xor_sum(column[None, :] * (values > 0), 1)
    tl.store(out + row, total)
    tl.store(bits + row, mixed)


@pytest.mark.parametrize("kind", ["any", "absolute", "scaled"])
@pytest.mark.parametrize(
    "dtype,largest", [(torch.float16, 6e4), (torch.bfloat16, 3e38), (torch.float32, 2e38)], ids=str
)
@pytest.mark.parametrize("start", [0.0, -5e4])
@pytest.mark.pairwise
def test_cancelling_sums(kind, dtype, largest, start):
    """Elements of each tile cancel, whereas one lane's own elements of all tiles overflow; absolute ones do anyway."""
    x = torch.zeros(5, 8, 64, dtype=dtype)
    x[:, :, 3], x[:, :, 33] = largest, -largest
    results = []
    for skipped in ((), ("tritonintelgpu-defer-reductions",)):
        out, bits = poisoned((8,), dtype), poisoned((8,), torch.int32)
        cancelling_kernel[(1,)](x, out, bits, 5, start, N=64, KIND=kind, num_warps=2, skip_passes=skipped)
        results.append(out)
        assert (bits == (3 ^ 33 if kind == "absolute" else 3)).all()
    want = float("inf") if kind == "absolute" else start * (0.5**5 if kind == "scaled" else 1)
    for out in results:
        assert torch.allclose(out.double(), torch.full((8,), want).double(), rtol=1e-2)


@triton.jit
def online_kernel(
    x_ptr, y_ptr, out_ptr, length, start, ROWS: tl.constexpr, BLOCK: tl.constexpr, KIND: tl.constexpr,
):  # fmt: skip
    """Sums that are scaled before each tile is added: of an online softmax, with a decay, and of integers."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    if KIND == "hash":
        code = tl.zeros((ROWS,), tl.int32) + 7
        for begin in range(0, length, BLOCK):
            column = begin + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + row[:, None] * length + column, mask=column[None, :] < length, other=0.0)
            code = code * 31 + tl.sum(x.to(tl.int32, bitcast=True), axis=1)
        tl.store(out_ptr + row, code)
        return
    largest = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32) + start
    for begin in range(0, length, BLOCK):
        column = begin + tl.arange(0, BLOCK)
        mask = column[None, :] < length
        x = tl.load(x_ptr + row[:, None] * length + column, mask=mask, other=-float("inf"))
        if KIND == "softmax":
            new = tl.maximum(largest, tl.max(x, axis=1))
            total = total * tl.exp(largest - new) + tl.sum(tl.exp(x - new[:, None]), axis=1)
            largest = new
        elif KIND == "scaled softmax":
            new = tl.maximum(tl.max(x, axis=1) * 0.5, largest)
            power = tl.exp2((x * 0.5 - new[:, None]) * 1.5)
            y = tl.load(y_ptr + row[:, None] * length + column, mask=mask, other=0.0)
            total = tl.sum(power * y, axis=1) + tl.exp2((largest - new) * 1.5) * total
            largest = new
        else:
            total = 0.75 * total + tl.sum(tl.where(mask, x, 0.0), axis=1)
    tl.store(out_ptr + row, total)


def online_reference(x: torch.Tensor, y: torch.Tensor, start: float, block: int, kind: str) -> torch.Tensor:
    """Compute the same loop in f64."""
    total, largest = torch.full((len(x),), start, dtype=torch.float64), torch.full((len(x),), -float("inf")).double()
    for begin in range(0, x.shape[1], block):
        tile = x[:, begin : begin + block].double()
        if kind == "decay":
            total = 0.75 * total + tile.sum(1)
            continue
        scale, base, factor = (1, torch.e, 1) if kind == "softmax" else (0.5, 2.0, y[:, begin : begin + block].double())
        power = 1 if kind == "softmax" else 1.5
        new = torch.maximum(largest, tile.amax(1) * scale)
        total = total * base ** ((largest - new) * power)
        total = total + (base ** ((tile * scale - new[:, None]) * power) * factor).sum(1)
        largest = new
    return total


@pytest.mark.pairwise
@pytest.mark.instruction_sets
@pytest.mark.parametrize("kind", ["softmax", "scaled softmax", "decay", "hash"])
@pytest.mark.parametrize("start", [0.0, 1.0])
@pytest.mark.parametrize(
    ("rows", "block", "warps", "length"), [(1, 512, 4, 1300), (8, 64, 4, 333), (16, 128, 2, 640), (4, 256, 8, 0)]
)
def test_scaled_sums(kind, start, rows, block, warps, length):
    """Sums are in one row, in many, over several warps, and in a loop that does nothing."""
    programs = 2
    shape = (programs * rows, max(length, 1))
    x, y = (random_tensor(shape, torch.float32, seed)[:, :length].contiguous() for seed in (1, 2))
    x = x * 3
    out = poisoned((programs * rows,), torch.int32 if kind == "hash" else torch.float32)
    kernel = online_kernel[(programs,)](
        x, y, out, length, start, ROWS=rows, BLOCK=block, KIND=kind, num_warps=warps, tile_registers=0
    )
    # Lanes are summed up after the loop, and floats are checked: nothing is known of the sign of where they start.
    assert kernel.asm["ttgir"].split("scf.yield")[1].count('"tt.reduce"') == (1 if kind == "hash" else 2)
    if kind != "hash":
        expected = online_reference(x, y, start, block, kind)
        assert_close(out, expected, 1e-5 * max(1.0, expected.abs().max().item() if length else 1.0))
        return
    code = torch.full((programs * rows,), 7, dtype=torch.int64)
    for begin in range(0, length, block):
        code = code * 31 + x[:, begin : begin + block].view(torch.int32).long().sum(1)
        code = ((code + 2**31) % 2**32) - 2**31
    assert torch.equal(out.long(), code)


@pytest.mark.parametrize("start", [0.0, 1.0])
@pytest.mark.parametrize("values", ["masked", "nan", "infinity", "rising"])
def test_special_maxima(values, start):
    """Rows with nothing, or NaN, or infinity in some tiles come out as where each tile is reduced at once."""
    x = random_tensor((8, 256), torch.float32, 3)
    if values == "masked":
        x[:, :128] = -float("inf")
    elif values == "rising":
        x += torch.arange(256.0) * 100
    else:
        x[::2, 70] = float(values[:3])
    results = []
    for skipped in ((), ("tritonintelgpu-defer-reductions",)):
        out = poisoned((8,), torch.float32)
        online_kernel[(1,)](x, x, out, 256, start, ROWS=8, BLOCK=64, KIND="softmax", num_warps=2, skip_passes=skipped)
        results.append(out)
    torch.testing.assert_close(results[0], results[1], rtol=1e-6, atol=0, equal_nan=True)
