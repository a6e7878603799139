# SPDX-License-Identifier: MIT
"""Right operands that memory has as the matrix engine reads them: words of a lane are loaded without shared memory.

Keys have a few numbers of a token next to each other (`PACKED`), values the tokens of a page for each element. Tokens
lie in pages, which a table has in any order, and those after the last one are not a number in memory.
"""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned
from support import needs_ocloc, record_variants

DEVICES = {
    "cpu": {},
    "checked": {"cpu_checks": True},
    "pvc": {"cpu_code": "zebin", "arch": "pvc", "grf_mode": "256"},
    "bmg": {"cpu_code": "zebin", "arch": "bmg", "grf_mode": "256"},
}
PAGE = 16


@triton.jit
def packed_keys(
    a_ptr, k_ptr, table_ptr, out_ptr, length, stride_page, stride_part, HEAD: tl.constexpr, PACKED: tl.constexpr,
    PAGE: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr, IS_MASKED: tl.constexpr,
):  # fmt: skip
    """Products of rows with all keys, block by block."""
    rows, inner, column = tl.arange(0, ROWS), tl.arange(0, HEAD), tl.arange(0, BLOCK)
    a = tl.load(a_ptr + rows[:, None] * HEAD + inner[None, :])
    part = inner // PACKED * stride_part + inner % PACKED
    for start in range(0, length, BLOCK):
        token = start + column
        inside = token < length
        page = tl.load(table_ptr + token // PAGE, mask=inside, other=0)
        place = page * stride_page + token % PAGE * PACKED
        pointers = k_ptr + (place[None, :] + part[:, None])
        key = tl.load(pointers, mask=inside[None, :], other=0.0) if IS_MASKED else tl.load(pointers)
        acc: tl.constexpr = tl.int32 if k_ptr.dtype.element_ty == tl.int8 else tl.float32
        score = tl.dot(a, key.to(a.dtype), out_dtype=acc)
        tl.store(out_ptr + rows[:, None] * length + token[None, :], score, mask=inside[None, :])


@triton.jit
def tokens_of_values(
    p_ptr, v_ptr, table_ptr, out_ptr, length, stride_page, stride_inner, HEAD: tl.constexpr, PAGE: tl.constexpr,
    ROWS: tl.constexpr, BLOCK: tl.constexpr, IS_MASKED: tl.constexpr, OTHER: tl.constexpr,
):  # fmt: skip
    """Sums of values with the weights of all tokens."""
    rows, inner, column = tl.arange(0, ROWS), tl.arange(0, HEAD), tl.arange(0, BLOCK)
    acc: tl.constexpr = tl.int32 if v_ptr.dtype.element_ty == tl.int8 else tl.float32
    sums = tl.zeros((ROWS, HEAD), acc)
    for start in range(0, length, BLOCK):
        token = start + column
        inside = token < length
        p = tl.load(p_ptr + rows[:, None] * (length + BLOCK) + token[None, :])
        page = tl.load(table_ptr + token // PAGE, mask=inside, other=0)
        place = page * stride_page + token % PAGE
        pointers = v_ptr + (place[:, None] + inner[None, :] * stride_inner)
        value = tl.load(pointers, mask=inside[:, None], other=OTHER) if IS_MASKED else tl.load(pointers)
        sums += tl.dot(p, value.to(p.dtype), out_dtype=acc)
    tl.store(out_ptr + rows[:, None] * HEAD + inner[None, :], sums)


def random_numbers(shape: tuple[int, ...], dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    if dtype == torch.int8:
        return torch.randint(-128, 128, shape, generator=generator).to(dtype)
    return torch.randn(shape, generator=generator).to(dtype)


def make_cache(tokens: torch.Tensor, order: tuple[int, ...], shape: tuple[int, ...], generator: torch.Generator):
    """Return pages with the tokens of (token, element), each page reshaped and permuted, and their table.

    All elements that are not of a token are NaN, or the largest number.
    """
    length, head = tokens.shape
    count = triton.cdiv(length, PAGE)
    table = torch.randperm(count + 3, generator=generator)[:count].to(torch.int32)
    filler = torch.nan if tokens.dtype.is_floating_point else 127
    pages = torch.full((count + 3, PAGE, head), filler, dtype=tokens.dtype)
    padded = torch.full((count * PAGE, head), filler, dtype=tokens.dtype)
    padded[:length] = tokens
    pages[table.long()] = padded.view(count, PAGE, head)
    return pages.view(count + 3, *shape).permute(0, *order).contiguous(), table


def count_words(compiled) -> int:
    """Return how many loads have the layout of an operand."""
    return len(re.findall(r"= tt.load [^\n]*x!tt.ptr<(?:bf16|f16|i8)>, #ttg.dot_op", compiled.asm["ttgir"]))


def run_keys(dtype, packed, length, rows, block, num_warps, is_masked, **options):
    generator = torch.Generator().manual_seed(packed + length + rows)
    head = 64
    a, keys = random_numbers((rows, head), dtype, generator), random_numbers((length, head), dtype, generator)
    cache, table = make_cache(keys, (2, 1, 3), (PAGE, head // packed, packed), generator)
    out = poisoned((rows, length), torch.int32 if dtype == torch.int8 else torch.float32)
    compiled = packed_keys[(1,)](
        a, cache, table, out, length, cache.stride(0), cache.stride(1), head, packed, PAGE, rows, block, is_masked,
        num_warps=num_warps, **options,
    )  # fmt: skip
    assert_close(out, a.double() @ keys.double().T, 0 if dtype == torch.int8 else 1e-5)
    return compiled


def run_values(dtype, length, rows, block, num_warps, is_masked, other=0.0, shift=0, **options):
    generator = torch.Generator().manual_seed(length + rows)
    head = 64
    p, values = (
        random_numbers((rows, length + block), dtype, generator),
        random_numbers((length, head), dtype, generator),
    )
    pages, table = make_cache(values, (2, 1), (PAGE, head), generator)
    # The first page begins `shift` bytes after a multiple of 64.
    first = shift // dtype.itemsize
    cache = torch.empty(first + pages.numel(), dtype=dtype)[first:].view(pages.shape).copy_(pages)
    assert cache.data_ptr() % 64 == shift
    out = poisoned((rows, head), torch.int32 if dtype == torch.int8 else torch.float32)
    compiled = tokens_of_values[(1,)](
        p, cache, table, out, length, cache.stride(0), cache.stride(1), head, PAGE, rows, block, is_masked, other,
        num_warps=num_warps, **options,
    )  # fmt: skip
    count = triton.cdiv(length, block) * block
    padded = torch.full((count, head), other, dtype=torch.float64)
    padded[:length] = values.double()
    assert_close(out, p[:, :count].double() @ padded, 0 if dtype == torch.int8 else 1e-5)
    return compiled


@pytest.mark.pairwise
@pytest.mark.parametrize("device", [pytest.param(name, marks=[] if name in ("cpu", "checked") else needs_ocloc)
                                    for name in DEVICES])  # fmt: skip
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.int8], ids=str)
@pytest.mark.parametrize("packed", [2, 8, 16])
@pytest.mark.parametrize("length", [64, 131])
@pytest.mark.parametrize("rows", [16, 64])
@pytest.mark.parametrize("num_warps", [1, 4])
@pytest.mark.parametrize("is_masked", [True, False], ids=["masked", "whole"])
def test_keys(device, dtype, packed, length, rows, num_warps, is_masked):
    """Unmasked ones have a whole number of blocks."""
    length = length if is_masked else triton.cdiv(length, 64) * 64
    run_keys(dtype, packed, length, rows, 64, num_warps, is_masked, **DEVICES[device])


@pytest.mark.pairwise
@pytest.mark.parametrize("device", [pytest.param(name, marks=[] if name in ("cpu", "checked") else needs_ocloc)
                                    for name in DEVICES])  # fmt: skip
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.int8], ids=str)
@pytest.mark.parametrize("length", [64, 131, 135])
@pytest.mark.parametrize("rows", [16, 64])
@pytest.mark.parametrize("num_warps", [1, 4])
@pytest.mark.parametrize("other", [0, 3, None])
def test_values(device, dtype, length, rows, num_warps, other):
    """The mask ends in a vector of a lane. Elements after it are what the kernel states."""
    length = length if other is not None else triton.cdiv(length, 64) * 64
    run_values(dtype, length, rows, 64, num_warps, other is not None, other or 0, **DEVICES[device])


@pytest.fixture
def variants(monkeypatch):
    yield from record_variants(monkeypatch, lambda _surfaces, assume_launch: assume_launch, tokens_of_values)


@pytest.mark.pairwise
@pytest.mark.parametrize("device", [pytest.param(name, marks=[] if name in ("cpu", "checked") else needs_ocloc)
                                    for name in DEVICES])  # fmt: skip
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.int8], ids=str)
@pytest.mark.parametrize("other", [0, 3])
@pytest.mark.parametrize("shift", [0, 16, 32])
def test_alignments_of_values(variants, device, dtype, other, shift):
    """A lane loads the 16 tokens of a page at once if all pages are multiples of 32 bytes (AlignPointers.cpp). A cache
    that begins elsewhere takes a variant of the kernel.
    """
    for length in (131, 144):
        compiled = run_values(dtype, length, 64, 64, 4, True, other, shift, **DEVICES[device])
    is_wide = dtype == torch.bfloat16
    assert ("tt.divisibility = 32" in compiled.asm["ttgir"]) == is_wide
    assert (False in variants) == (is_wide and shift == 16)


def test_no_shared_memory():
    """Four sub-groups load the operands directly where tokens follow each other, and share them where lanes would each
    touch another line of a longer row."""
    assert count_words(run_keys(torch.bfloat16, 8, 128, 64, 64, 4, False)) == 1
    assert count_words(run_values(torch.bfloat16, 128, 64, 64, 4, False)) == 1
    compiled = run_keys(torch.bfloat16, 64, 128, 64, 64, 4, True)
    assert count_words(compiled) == 0
