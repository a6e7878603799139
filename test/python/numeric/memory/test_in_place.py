# SPDX-License-Identifier: MIT
"""Kernels that store where they have loaded: all sub-groups have loaded by then.

Another one may still have to load the memory that one of them stores to. On the CPU device sub-groups run one after the
other between barriers, so that each missing barrier shows in numbers.
"""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import relative_error

WARPS = pytest.mark.parametrize("num_warps", [1, 4, 16])


@triton.jit
def product_kernel(x, w, out, M, D: tl.constexpr, BLOCK: tl.constexpr, RESIDUAL: tl.constexpr):
    """Rows of `out` are those of `x` times a square matrix, as large as a row."""
    rows, columns = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, D)
    place, mask = rows[:, None] * D + columns, (rows < M)[:, None]
    value = tl.load(x + place, mask=mask, other=0.0)
    result = tl.dot(value, tl.load(w + columns[:, None] * D + columns))
    if RESIDUAL:
        result += value.to(tl.float32)
    tl.store(out + place, result.to(out.dtype.element_ty), mask=mask)


@triton.jit
def product_in_place_kernel(x, w, M, D: tl.constexpr, BLOCK: tl.constexpr, RESIDUAL: tl.constexpr):
    """Compute the same product with one argument, through descriptors."""
    row = tl.program_id(0) * BLOCK
    tensor = tl.make_tensor_descriptor(x, [M, D], [D, 1], [BLOCK, D])
    value = tensor.load([row, 0])
    result = tl.dot(value, tl.make_tensor_descriptor(w, [D, D], [D, 1], [D, D]).load([0, 0]))
    if RESIDUAL:
        result += value.to(tl.float32)
    tensor.store([row, 0], result.to(x.dtype.element_ty))


@pytest.mark.pairwise
@WARPS
@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("form", ["arguments", "argument"])
@pytest.mark.parametrize(("block", "size"), [(64, 64), (32, 128)])
def test_product_over_its_operand(block, size, form, residual, num_warps):
    generator = torch.Generator().manual_seed(size)
    before = torch.randn((150, size), generator=generator).to(torch.bfloat16)
    w = (torch.randn((size, size), generator=generator) * size**-0.5).to(torch.bfloat16)
    x, meta = before.clone(), {"D": size, "BLOCK": block, "RESIDUAL": residual, "num_warps": num_warps}
    grid = (triton.cdiv(150, block),)
    if form == "arguments":
        product_kernel[grid](x, w, x, 150, **meta)
    else:
        product_in_place_kernel[grid](x, w, 150, **meta)
    expected = before.double() @ w.double() + (before.double() if residual else 0)
    assert relative_error(x, expected) < 1e-2


def test_launches_take_turns():
    """A launch with different tensors and one with the same take turns: each gets the numbers of its code."""
    x, w = torch.randn(64, 64).to(torch.bfloat16), torch.eye(64).to(torch.bfloat16)
    for same in (False, True, False, True):
        given = x.clone()
        out = given if same else torch.full_like(given, 7)
        kernel = product_kernel[(1,)](given, w, out, 64, D=64, BLOCK=64, RESIDUAL=False, num_warps=8)
        assert torch.equal(out, x)
        assert "ttg.barrier global" not in kernel.asm["ttgir"]


@triton.jit
def count_kernel(counter, out, BLOCK: tl.constexpr):
    """A scalar that all sub-groups load, and one of them changes."""
    before = tl.load(counter)
    tl.store(counter, before + 1)
    tl.store(out + tl.arange(0, BLOCK), tl.full((BLOCK,), before, tl.int32))


@WARPS
def test_scalar(num_warps):
    counter, out = torch.tensor([41], dtype=torch.int32), torch.zeros(512, dtype=torch.int32)
    count_kernel[(1,)](counter, out, BLOCK=512, num_warps=num_warps)
    assert counter.item() == 42 and (out == 41).all()


@triton.jit
def double_kernel(x, y, steps, N: tl.constexpr):
    """Scalars and small tensors of which each element is needed by the sub-group alone that stores it."""
    i = tl.program_id(0)
    for _ in range(steps):
        tl.store(x + i, tl.load(x + i) * 2 + 1)
    place = y + i * N + tl.arange(0, N)
    wanted = tl.arange(0, N) != 1
    tl.store(place, tl.load(place, mask=wanted) * 2, mask=wanted)


@pytest.mark.pairwise
@WARPS
@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("size", [2, 16, 32])
def test_owners(size, checks, num_warps):
    """Nothing waits, and no sub-group races with the one that stores."""
    x, y = torch.randn(40), torch.randn(40, size)
    expected, rows = x.double(), y.clone()
    for _ in range(3):
        expected = expected * 2 + 1
    rows[:, 0], rows[:, 2:] = rows[:, 0] * 2, rows[:, 2:] * 2
    kernel = double_kernel[(40,)](x, y, 3, N=size, num_warps=num_warps, cpu_checks=checks)
    assert torch.allclose(x.double(), expected, rtol=1e-6, atol=1e-6)
    assert torch.equal(y, rows)
    assert "ttg.barrier" not in kernel.asm["ttgir"]


@triton.jit
def reverse_kernel(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + N - 1 - i))


@triton.jit
def transpose_kernel(x, out, N: tl.constexpr):
    i, j = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    tl.store(out + i * N + j, tl.load(x + j * N + i))


@triton.jit
def permute_kernel(x, out, index, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + tl.load(index + i)))


@WARPS
@pytest.mark.parametrize("dtype", [torch.float32, torch.int16])
def test_elements_change_places(dtype, num_warps):
    row = torch.randint(-99, 99, (1024,)).to(dtype)
    x = row.clone()
    reverse_kernel[(1,)](x, x, N=1024, num_warps=num_warps)
    assert torch.equal(x, row.flip(0))

    x = row.clone()
    transpose_kernel[(1,)](x, x, N=32, num_warps=num_warps)
    assert torch.equal(x.view(32, 32), row.view(32, 32).T)

    x, index = row.clone(), torch.randperm(1024).to(torch.int32)
    permute_kernel[(1,)](x, x, index, N=1024, num_warps=num_warps)
    assert torch.equal(x, row[index.long()])


@triton.jit
def add_kernel(x, index, step, N: tl.constexpr):
    """Places that several elements name: each takes the previous value."""
    place = x + (tl.load(index + tl.arange(0, N)) + tl.arange(0, N) % 8)
    tl.store(place, tl.load(place) + step)


@WARPS
def test_elements_with_one_place(num_warps):
    before, index = torch.randn(64), torch.randint(0, 56, (512,)).to(torch.int32)
    x = before.clone()
    add_kernel[(1,)](x, index, 1.0, N=512, num_warps=num_warps)
    named = torch.zeros(64).index_fill(0, (index + torch.arange(512) % 8).long(), 1.0)
    assert torch.equal(x, before + named)


@triton.jit
def shift_kernel(x, rows, N: tl.constexpr):
    """Each row becomes the next one, rotated by one element."""
    i = tl.arange(0, N)
    for row in range(rows - 1):
        tl.store(x + row * N + i, tl.load(x + (row + 1) * N + (i + 1) % N))


@WARPS
def test_loop(num_warps):
    before = torch.randn(9, 256)
    x = before.clone()
    shift_kernel[(1,)](x, 9, N=256, num_warps=num_warps)
    assert torch.equal(x, torch.cat([before[1:].roll(-1, 1), before[-1:]]))


@triton.jit
def statistics_kernel(x, largest, R: tl.constexpr, C: tl.constexpr):
    """A row's maximum so far, which sub-groups with parts of the row have each."""
    i, j = tl.arange(0, R), tl.arange(0, C)
    value = tl.load(x + i[:, None] * C + j)
    before = tl.load(largest + i)
    after = tl.maximum(before, tl.max(value, 1))
    tl.store(largest + i, after)
    tl.store(x + i[:, None] * C + j, value - after[:, None])


@WARPS
@pytest.mark.parametrize("shape", [(2, 512), (64, 16), (16, 64)])
def test_statistics(shape, num_warps):
    x, largest = torch.randn(shape), torch.randn(shape[0])
    after = torch.maximum(largest, x.max(1).values)
    expected = x - after[:, None]
    statistics_kernel[(1,)](x, largest, R=shape[0], C=shape[1], num_warps=num_warps)
    assert torch.equal(largest, after) and torch.equal(x, expected)


@triton.jit(noinline=True)
def load_next(x, step, N: tl.constexpr):
    return tl.load(x + (tl.arange(0, N) + step) % N)


@triton.jit
def call_kernel(x, step, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), load_next(x, step, N))


@WARPS
def test_function_that_loads(num_warps):
    before = torch.randn(512)
    x = before.clone()
    call_kernel[(1,)](x, 16, N=512, num_warps=num_warps)
    assert torch.equal(x, before.roll(-16))
