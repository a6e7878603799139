# SPDX-License-Identifier: MIT
"""Fields of bytes, less a zero point, as GPUs read and convert them (ReadBitFields.cpp, ConvertByBits.cpp)."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc


@triton.jit
def fields_kernel(
    packed, zeros, out, constants, GROUPS: tl.constexpr, BYTES: tl.constexpr, BITS: tl.constexpr, NARROW: tl.constexpr
):
    """Each byte of a row has 8 / BITS fields, and the row has one zero point."""
    FIELDS: tl.constexpr = 8 // BITS
    row = tl.program_id(0) * GROUPS + tl.arange(0, GROUPS)[:, None]
    field = tl.arange(0, BYTES * FIELDS)[None, :]
    byte = tl.load(packed + row * BYTES + field // FIELDS)
    if NARROW:
        number = (byte >> (field % FIELDS * BITS).to(tl.uint8)) & ((1 << BITS) - 1)
    else:
        number = (byte >> (field % FIELDS * BITS)) & ((1 << BITS) - 1)
    zero = (tl.load(zeros + row) & 127).to(tl.float32)
    places = row * BYTES * FIELDS + field
    tl.store(out + places, number.to(tl.float32) - zero)
    tl.store(constants + places, number.to(tl.float32) - 8.0)


@needs_ocloc
@pytest.mark.pairwise
@pytest.mark.parametrize("bits", [1, 2, 4])
@pytest.mark.parametrize("row_bytes", [16, 64])
@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize("zero_type", [torch.uint8, torch.int64])
@pytest.mark.parametrize("code", ["pvc", "bmg", "cpu"])
def test_fields(bits: int, row_bytes: int, is_narrow: bool, zero_type: torch.dtype, code: str) -> None:
    """All bytes and zero points, exactly."""
    groups, programs = 16, 4
    shape = (groups * programs, row_bytes)
    packed = torch.randint(0, 256, shape, dtype=torch.uint8)
    packed.view(-1)[:256] = torch.arange(256, dtype=torch.uint8)
    zeros = torch.randint(0, 128, (shape[0],)).to(zero_type)
    out, constants = (torch.full((shape[0], row_bytes * 8 // bits), torch.nan) for _ in range(2))
    options = {} if code == "cpu" else {"cpu_code": "zebin", "arch": code}
    fields_kernel[(programs,)](
        packed, zeros, out, constants, groups, row_bytes, bits, is_narrow, num_warps=4, **options
    )
    shifts = torch.arange(0, 8, bits)
    numbers = (packed.int()[:, :, None] >> shifts & (1 << bits) - 1).reshape(shape[0], -1)
    assert torch.equal(out, (numbers - zeros.int()[:, None]).float())
    assert torch.equal(constants, (numbers - 8).float())


@triton.jit
def words_kernel(
    packed, zeros, out, ROWS: tl.constexpr, FIELDS: tl.constexpr, STEP: tl.constexpr, BITS: tl.constexpr
):  # fmt: skip
    """Each word of a row of four has FIELDS fields, the first bits of which are STEP apart."""
    row = tl.arange(0, ROWS)[:, None]
    field = tl.arange(0, 4 * FIELDS)[None, :]
    word = tl.load(packed + row * 4 + field // FIELDS)
    number = ((word >> (field % FIELDS * STEP)) & ((1 << BITS) - 1)).to(tl.int32)
    zero = tl.load(zeros + row) & 127
    SIZE: tl.constexpr = ROWS * 4 * FIELDS
    places = row * 4 * FIELDS + field
    tl.store(out + places, number.to(tl.float32) - zero.to(tl.float32))
    tl.store(out + SIZE + places, number.to(tl.float32) - 8.0)
    tl.store(out + 2 * SIZE + places, (number - zero).to(tl.float32))
    tl.store(out + 3 * SIZE + places, (number - 8).to(tl.float32))


@needs_ocloc
@pytest.mark.parametrize(
    "fields, step, bits", [(8, 4, 4), (16, 2, 2), (32, 1, 1), (4, 8, 8), (4, 7, 6), (2, 9, 22), (2, 16, 16)]
)
@pytest.mark.parametrize("code", ["pvc", "bmg", "cpu"])
def test_fields_of_words(fields: int, step: int, bits: int, code: str) -> None:
    """Fields everywhere in a word, also across the bits of an exponent, of unsigned and signed words."""
    rows = 64
    options = {} if code == "cpu" else {"cpu_code": "zebin", "arch": code}
    packed = torch.randint(-(2**31), 2**31, (rows, 4), dtype=torch.int32)
    packed[0] = torch.tensor([-1, 0, -(2**31), 2**31 - 1])
    zeros = torch.randint(0, 128, (rows,), dtype=torch.int32)
    numbers = (packed.long()[:, :, None] >> torch.arange(fields) * step & (1 << bits) - 1).reshape(rows, -1)
    expected = torch.stack([numbers - zeros[:, None], numbers - 8] * 2)
    for words in (packed, packed.view(torch.uint32)):
        out = torch.full((4, rows, 4 * fields), torch.nan)
        words_kernel[(1,)](words, zeros, out, rows, fields, step, bits, num_warps=4, **options)
        assert torch.equal(out, expected.float())


@triton.jit
def halves_kernel(
    packed, zeros, scales, out, ROWS: tl.constexpr, FIELDS: tl.constexpr, STEP: tl.constexpr, BITS: tl.constexpr
):
    """The same less a zero point, times a scale, in f16."""
    row = tl.arange(0, ROWS)[:, None]
    field = tl.arange(0, 4 * FIELDS)[None, :]
    word = tl.load(packed + row * 4 + field // FIELDS)
    number = (word >> (field % FIELDS * STEP)) & ((1 << BITS) - 1)
    zero = tl.load(zeros + row) & 127
    scale = tl.load(scales + row).to(tl.float32)
    places = row * 4 * FIELDS + field
    tl.store(out + places, ((number - zero).to(tl.float32) * scale).to(tl.float16))
    tl.store(out + (places + ROWS * 4 * FIELDS), ((number.to(tl.float32) - 8.0).to(tl.float16) * scale).to(tl.float16))


@needs_ocloc
@pytest.mark.parametrize(
    "fields, step, bits",
    [(8, 4, 4), (16, 2, 2), (32, 1, 1), (4, 8, 8), (4, 7, 6), (2, 9, 10), (2, 13, 10), (2, 16, 10)],
)
@pytest.mark.parametrize("code", ["pvc", "bmg", "cpu"])
def test_fields_of_words_as_halves(fields: int, step: int, bits: int, code: str) -> None:
    """Fields everywhere in both halves of a word, and across them."""
    rows = 64
    options = {} if code == "cpu" else {"cpu_code": "zebin", "arch": code}
    packed = torch.randint(-(2**31), 2**31, (rows, 4), dtype=torch.int32)
    packed[0] = torch.tensor([-1, 0, -(2**31), 2**31 - 1])
    zeros = torch.randint(0, 128, (rows,), dtype=torch.int32)
    scales = torch.randn(rows, 1).half()
    out = torch.full((2, rows, 4 * fields), torch.nan, dtype=torch.float16)
    halves_kernel[(1,)](packed, zeros, scales, out, rows, fields, step, bits, num_warps=4, **options)
    numbers = (packed.long()[:, :, None] >> torch.arange(fields) * step & (1 << bits) - 1).reshape(rows, -1)
    expected = torch.stack([numbers - zeros[:, None], numbers - 8]).float() * scales.float()
    assert torch.equal(out, expected.half())
