# SPDX-License-Identifier: MIT
"""Tensors whose sizes, strides and addresses a kernel loads: messages where they fit, and right numbers anywhere.

The launch knows nothing about such tensors. The kernel has two versions of the code that uses them and chooses when it
runs. Each launch here has a group of matrices at both sides of the limits, so that both versions run; every 2D block
message on the CPU device is checked against the rules of the hardware.
"""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from numeric.matrices import Matrix
from numerics import assert_close

pytestmark = pytest.mark.instruction_sets

BLOCK = 32


@triton.jit
def grouped_gemm(
    addresses, sizes, group, PROGRAMS: tl.constexpr, DTYPE: tl.constexpr, ACC: tl.constexpr, OUT: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """C_g = A_g @ B_g^T, with descriptors that are made on the device; tiles of all products are dealt to programs."""
    tile, end = tl.program_id(0), 0
    for g in range(group):
        begin = end
        m, n, k = tl.load(sizes + g * 6), tl.load(sizes + g * 6 + 1), tl.load(sizes + g * 6 + 2)
        pa, pb, pc = tl.load(sizes + g * 6 + 3), tl.load(sizes + g * 6 + 4), tl.load(sizes + g * 6 + 5)
        columns = tl.cdiv(n, BLOCK)
        end += tl.cdiv(m, BLOCK) * columns
        a = tl.load(addresses + g * 3).to(tl.pointer_type(DTYPE))
        b = tl.load(addresses + g * 3 + 1).to(tl.pointer_type(DTYPE))
        c = tl.load(addresses + g * 3 + 2).to(tl.pointer_type(OUT))
        a_block = tl.make_tensor_descriptor(a, [m, k], [pa, 1], [BLOCK, BLOCK])
        b_block = tl.make_tensor_descriptor(b, [n, k], [pb, 1], [BLOCK, BLOCK])
        c_block = tl.make_tensor_descriptor(c, [m, n], [pc, 1], [BLOCK, BLOCK])
        while tile >= begin and tile < end:
            row, column = (tile - begin) // columns * BLOCK, (tile - begin) % columns * BLOCK
            acc = tl.zeros((BLOCK, BLOCK), ACC)
            for step in range(tl.cdiv(k, BLOCK)):
                acc = tl.dot(
                    a_block.load([row, step * BLOCK]), b_block.load([column, step * BLOCK]).T, acc, out_dtype=ACC
                )
            c_block.store([row, column], acc.to(OUT))
            tile += PROGRAMS


@triton.jit
def pointer_array_gemm(
    addresses, sizes, group, PROGRAMS: tl.constexpr, DTYPE: tl.constexpr, ACC: tl.constexpr, OUT: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Compute the same through block pointers, each made as soon as its address is known: one product per program."""
    for g in range(tl.program_id(0), group, PROGRAMS):
        m, n, k = tl.load(sizes + g * 6), tl.load(sizes + g * 6 + 1), tl.load(sizes + g * 6 + 2)
        for tile in range(tl.cdiv(m, BLOCK) * tl.cdiv(n, BLOCK)):
            row, column = tile // tl.cdiv(n, BLOCK) * BLOCK, tile % tl.cdiv(n, BLOCK) * BLOCK
            a = tl.load(addresses + g * 3).to(tl.pointer_type(DTYPE))
            pa = tl.load(sizes + g * 6 + 3)
            a_block = tl.make_block_ptr(a, (m, k), (pa, 1), (row, 0), (BLOCK, BLOCK), (1, 0))
            b = tl.load(addresses + g * 3 + 1).to(tl.pointer_type(DTYPE))
            pb = tl.load(sizes + g * 6 + 4)
            b_block = tl.make_block_ptr(b, (k, n), (1, pb), (0, column), (BLOCK, BLOCK), (0, 1))
            acc = tl.zeros((BLOCK, BLOCK), ACC)
            for _ in range(0, k, BLOCK):
                x = tl.load(a_block, boundary_check=(0, 1), padding_option="zero")
                y = tl.load(b_block, boundary_check=(0, 1), padding_option="zero")
                acc = tl.dot(x, y, acc, out_dtype=ACC)
                a_block = tl.advance(a_block, (0, BLOCK))
                b_block = tl.advance(b_block, (BLOCK, 0))
            c = tl.load(addresses + g * 3 + 2).to(tl.pointer_type(OUT))
            pc = tl.load(sizes + g * 6 + 5)
            c_block = tl.make_block_ptr(c, (m, n), (pc, 1), (row, column), (BLOCK, BLOCK), (1, 0))
            tl.store(c_block, acc.to(OUT), boundary_check=(0, 1))


@triton.jit
def selected_gemm(
    addresses, sizes, group, PROGRAMS: tl.constexpr, DTYPE: tl.constexpr, ACC: tl.constexpr, OUT: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """One tile of each product; its matrices of rank 3 have one plane, and a branch chooses the sizes."""
    g = tl.program_id(0)
    while g < group:
        m, n, k = tl.load(sizes + g * 6), tl.load(sizes + g * 6 + 1), tl.load(sizes + g * 6 + 2)
        if g % 2 == 0:
            pa, pb = tl.load(sizes + g * 6 + 3), tl.load(sizes + g * 6 + 4)
        else:
            pb, pa = tl.load(sizes + g * 6 + 4), tl.load(sizes + g * 6 + 3)
        a = tl.load(addresses + g * 3).to(tl.pointer_type(DTYPE))
        b = tl.load(addresses + g * 3 + 1).to(tl.pointer_type(DTYPE))
        c = tl.load(addresses + g * 3 + 2).to(tl.pointer_type(OUT))
        pc = tl.load(sizes + g * 6 + 5)
        a_block = tl.make_tensor_descriptor(a, [1, m, k], [m * pa, pa, 1], [1, BLOCK, BLOCK])
        b_block = tl.make_tensor_descriptor(b, [1, n, k], [n * pb, pb, 1], [1, BLOCK, BLOCK])
        c_block = tl.make_tensor_descriptor(c, [m, n], [pc, 1], [BLOCK, BLOCK])
        for row in range(0, m, BLOCK):
            for column in range(0, n, BLOCK):
                acc = tl.zeros((BLOCK, BLOCK), ACC)
                for step in range(0, k, BLOCK):
                    x = a_block.load([0, row, step]).reshape(BLOCK, BLOCK)
                    y = b_block.load([0, column, step]).reshape(BLOCK, BLOCK)
                    acc = tl.dot(x, y.T, acc, out_dtype=ACC)
                c_block.store([row, column], acc.to(OUT))
        g += PROGRAMS


@triton.jit
def stepping_gemm(
    addresses, sizes, group, PROGRAMS: tl.constexpr, DTYPE: tl.constexpr, ACC: tl.constexpr, OUT: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Plain pointers that step along K without masks; the rest of K, which is no whole block, comes after the loop."""
    for g in range(tl.program_id(0), group, PROGRAMS):
        m, n, k = tl.load(sizes + g * 6), tl.load(sizes + g * 6 + 1), tl.load(sizes + g * 6 + 2)
        pa, pb, pc = tl.load(sizes + g * 6 + 3), tl.load(sizes + g * 6 + 4), tl.load(sizes + g * 6 + 5)
        a = tl.load(addresses + g * 3).to(tl.pointer_type(DTYPE))
        b = tl.load(addresses + g * 3 + 1).to(tl.pointer_type(DTYPE))
        c = tl.load(addresses + g * 3 + 2).to(tl.pointer_type(OUT))
        for tile in range(tl.cdiv(m, BLOCK) * tl.cdiv(n, BLOCK)):
            i = tile // tl.cdiv(n, BLOCK) * BLOCK + tl.arange(0, BLOCK)
            j = tile % tl.cdiv(n, BLOCK) * BLOCK + tl.arange(0, BLOCK)
            depth = tl.arange(0, BLOCK)
            a_block = a + i[:, None] * pa + depth[None, :]
            b_block = b + j[None, :] * pb + depth[:, None]
            acc = tl.zeros((BLOCK, BLOCK), ACC)
            for _ in range(k // BLOCK):
                x = tl.load(a_block, mask=i[:, None] < m, other=0)
                y = tl.load(b_block, mask=j[None, :] < n, other=0)
                acc = tl.dot(x, y, acc, out_dtype=ACC)
                a_block += BLOCK
                b_block += BLOCK
            if k % BLOCK > 0:
                rest = k // BLOCK * BLOCK + depth
                x = tl.load(a + i[:, None] * pa + rest[None, :], mask=(i[:, None] < m) & (rest[None, :] < k), other=0)
                y = tl.load(b + j[None, :] * pb + rest[:, None], mask=(j[None, :] < n) & (rest[:, None] < k), other=0)
                acc = tl.dot(x, y, acc, out_dtype=ACC)
            mask = (i[:, None] < m) & (j[None, :] < n)
            tl.store(c + i[:, None] * pc + j[None, :], acc.to(OUT), mask=mask)


def groups(dtype: torch.dtype) -> list[tuple[Matrix, Matrix, Matrix]]:
    """Return products whose matrices are ordinary, or just miss or meet a rule of the messages."""
    out = torch.int32 if dtype == torch.int8 else dtype
    line = 64 // dtype.itemsize
    wide = 16 // dtype.itemsize
    # Columns of A and B, what pitches have in addition, and elements that A begins after a multiple of 64 bytes.
    cases = [
        (2 * line, 0, 0), (line, 0, 0), (line - 1, 1, 0), (line - wide, wide, 0), (line + wide, 0, 0),
        (line + wide - 1, 1, 0), (line, wide, wide), (line, 0, wide), (2 * line, 1, 0), (2 * line, line, 1),
        (2 * line + 2, 2 * line - 2, 4), (5, wide - 5, 0), (line + 4, line - 4, 2),
    ]  # fmt: skip
    products = []
    for index, (k, more, shift) in enumerate(cases):
        m, n = 16 + 8 * index, 96 - 4 * index
        a = Matrix.make(m, k, k + more, dtype, 1000 * index, shift)
        b = Matrix.make(n, k, k + more, dtype, 1000 * index + 300)
        c = Matrix.make(m, n, n + max(more, 0), out, 1000 * index + 600)
        products.append((a, b, c))
    return products


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.int8], ids=str)
@pytest.mark.parametrize(
    ("kernel", "dots", "messages"),
    # Blocks of rank 3 lose their layout where they are reshaped.
    [(grouped_gemm, 2, 3), (pointer_array_gemm, 2, 3), (selected_gemm, 2, 1), (stepping_gemm, 3, 5)],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_group(kernel, dots, messages, dtype):
    products = groups(dtype)
    out = products[0][2].memory.dtype
    acc = torch.int32 if dtype == torch.int8 else torch.float32
    before = [c.memory.clone() for _, _, c in products]
    addresses = torch.tensor([matrix.pointer.data_ptr() for product in products for matrix in product])
    sizes = torch.tensor(
        [(a.rows, b.rows, a.columns, a.pitch, b.pitch, c.pitch) for a, b, c in products], dtype=torch.int32
    )
    language = {name: getattr(tl, str(value).removeprefix("torch.")) for name, value in (
        ("DTYPE", dtype), ("ACC", acc), ("OUT", out)
    )}  # fmt: skip
    compiled = kernel[(3,)](addresses, sizes, len(products), PROGRAMS=3, BLOCK=BLOCK, **language)

    for (a, b, c), untouched in zip(products, before, strict=True):
        expected = torch.from_numpy(a.numpy() @ b.numpy().T)
        assert_close(torch.from_numpy(c.numpy()), expected, 1e-2)
        for row in range(c.rows):
            c.row(row).copy_(untouched[c.first + row * c.pitch :][: c.columns])
        assert torch.equal(c.memory.view(torch.uint8), untouched.view(torch.uint8))
    # Both versions exist, and one of them has the messages.
    ttgir = compiled.asm["ttgir"]
    assert ttgir.count("tt.dot ") == dots
    assert len(re.findall("ttig.(load|store)_block", ttgir)) == messages
