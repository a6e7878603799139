# SPDX-License-Identifier: MIT
"""`tl.dot_scaled` against the definition of the formats, in float64."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from allpairspy import AllPairs
from numerics import assert_close, poisoned, random_tensor
from support import covers

E2M1_VALUES = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0], dtype=torch.float64)
STORAGE = {"e5m2": torch.float8_e5m2, "e4m3": torch.float8_e4m3fn, "bf16": torch.bfloat16, "fp16": torch.float16}
GROUP = 32


@triton.jit
def scaled_kernel(a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, c_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr,
                  K: tl.constexpr, A_FORMAT: tl.constexpr, B_FORMAT: tl.constexpr, A_PACKED: tl.constexpr,
                  B_PACKED: tl.constexpr, A_K_PACK: tl.constexpr, B_K_PACK: tl.constexpr, FAST: tl.constexpr,
                  GROUP: tl.constexpr):  # fmt: skip
    A_ROWS: tl.constexpr = M // A_PACKED if not A_K_PACK else M
    A_COLUMNS: tl.constexpr = K // A_PACKED if A_K_PACK else K
    B_ROWS: tl.constexpr = K // B_PACKED if B_K_PACK else K
    B_COLUMNS: tl.constexpr = N // B_PACKED if not B_K_PACK else N
    a = tl.load(a_ptr + tl.arange(0, A_ROWS)[:, None] * A_COLUMNS + tl.arange(0, A_COLUMNS)[None, :])
    b = tl.load(b_ptr + tl.arange(0, B_ROWS)[:, None] * B_COLUMNS + tl.arange(0, B_COLUMNS)[None, :])
    groups = tl.arange(0, K // GROUP)[None, :]
    if a_scale_ptr is None:  # noqa: SIM108 kernels cannot mix types in an expression
        a_scale = None
    else:
        a_scale = tl.load(a_scale_ptr + tl.arange(0, M)[:, None] * (K // GROUP) + groups)
    if b_scale_ptr is None:  # noqa: SIM108
        b_scale = None
    else:
        b_scale = tl.load(b_scale_ptr + tl.arange(0, N)[:, None] * (K // GROUP) + groups)
    places = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    c = tl.load(c_ptr + places)
    result = tl.dot_scaled(a, a_scale, A_FORMAT, b, b_scale, B_FORMAT, acc=c, fast_math=FAST, lhs_k_pack=A_K_PACK,
                           rhs_k_pack=B_K_PACK)  # fmt: skip
    tl.store(out_ptr + places, result)


def random_values(shape: tuple[int, int], number_format: str, packed_dim: int, seed: int):
    """Return an operand as it is stored, and its values."""
    if number_format != "e2m1":
        stored = random_tensor(shape, torch.float32, seed).to(STORAGE[number_format])
        return stored, stored.double()
    codes = torch.randint(0, 16, shape, generator=torch.Generator().manual_seed(seed))
    values = E2M1_VALUES[codes & 7] * torch.where(codes >= 8, -1.0, 1.0)
    low, high = (codes.unflatten(packed_dim, (-1, 2)).select(packed_dim + 1, half) for half in (0, 1))
    return (low | high << 4).to(torch.uint8), values


def random_scale(rows: int, k: int, kind: str, seed: int):
    """Return scales as they are stored, and the factor of every value."""
    generator = torch.Generator().manual_seed(seed)
    if kind == "none":
        return None, torch.ones(rows, k, dtype=torch.float64)
    if kind == "e8m0":
        stored = torch.randint(120, 134, (rows, k // GROUP), generator=generator).to(torch.uint8)
        return stored, (2.0 ** (stored.double() - 127)).repeat_interleave(GROUP, 1)
    stored = (torch.rand(rows, k // 16, generator=generator) + 0.5).to(torch.float8_e4m3fn)
    return stored, stored.double().repeat_interleave(16, 1)


def run_scaled(
    a, a_scale, a_format, b, b_scale, b_format, c, k, *, a_k_pack=True, b_k_pack=True, fast=False, **options
):
    m, n = c.shape
    out = poisoned((m, n), torch.float32)
    group = 16 if any(s is not None and s.dtype == torch.float8_e4m3fn for s in (a_scale, b_scale)) else GROUP
    scaled_kernel[(1,)](
        a, a_scale, b, b_scale, c, out, m, n, k, a_format, b_format,
        2 if a_format == "e2m1" else 1, 2 if b_format == "e2m1" else 1, a_k_pack, b_k_pack, fast, group,
        num_warps=4, **options,
    )  # fmt: skip
    return out


FORMATS = ["e2m1", "e4m3", "e5m2", "bf16", "fp16"]
SCALES = ["e8m0", "none", "e4m3"]


def is_valid(row: list) -> bool:
    """Return whether both scales are of one kind, and only 4-bit values have pairs along other dimensions than K."""
    if len(row) > 3 and {row[2], row[3]} == {"e8m0", "e4m3"}:
        return False
    if len(row) > 4 and not row[4] and row[0] != "e2m1":
        return False
    return not (len(row) > 5 and not row[5] and row[1] != "e2m1")


CASES = AllPairs(
    [
        FORMATS,
        FORMATS,
        SCALES,
        SCALES,
        [True, False],
        [True, False],
        [(16, 16, 64), (8, 16, 32), (8, 32, 64)],
        [16, 32],
        ["pvc", "cri"],
    ],
    filter_func=is_valid,
)


@covers("tl.dot_scaled", "u8", "fp16", "bf16", "fp8e5", "fp8e4nv")
@pytest.mark.parametrize(
    ("a_format", "b_format", "a_scale_kind", "b_scale_kind", "a_k_pack", "b_k_pack", "shape", "warp_size", "arch"),
    [pytest.param(*row, marks=[pytest.mark.full] if i % 3 else []) for i, row in enumerate(CASES)],
)
def test_formats(a_format, b_format, a_scale_kind, b_scale_kind, a_k_pack, b_k_pack, shape, warp_size, arch):
    """Scaled values are exact, so that only the sum rounds."""
    m, n, k = shape
    a, a_values = random_values((m, k), a_format, 1 if a_k_pack else 0, 1)
    b, b_values = random_values((k, n), b_format, 0 if b_k_pack else 1, 2)
    a_scale, a_factors = random_scale(m, k, a_scale_kind, 3)
    b_scale, b_factors = random_scale(n, k, b_scale_kind, 4)
    c = random_tensor((m, n), torch.float32, 5)
    out = run_scaled(
        a, a_scale, a_format, b, b_scale, b_format, c, k, a_k_pack=a_k_pack, b_k_pack=b_k_pack, warp_size=warp_size,
        arch=arch,
    )  # fmt: skip
    expected = (a_values * a_factors) @ (b_values * b_factors.T) + c.double()
    assert_close(out, expected, 2e-6)


@pytest.mark.parametrize("fast", [False, True])
def test_scales_at_the_ends(fast):
    """255 is NaN for its whole group (unless `fast_math`), 0 is 2^-127, and large exponents overflow in no step."""
    a, a_values = random_values((16, 64), "fp16", 1, 1)
    b, b_values = random_values((64, 16), "e4m3", 0, 2)
    exponents = torch.full((16, 2), 127, dtype=torch.uint8)
    exponents[1], exponents[2] = 240, 3
    b_exponents = exponents.clone()
    if not fast:
        exponents[4, 1] = b_exponents[7, 0] = 255
    out = run_scaled(a, exponents, "fp16", b, b_exponents, "e4m3", torch.zeros(16, 16), 64, fast=fast)
    factors = [2.0 ** (e.double() - 127) for e in (exponents, b_exponents)]
    factors = [torch.where(e == 255, torch.nan, f).repeat_interleave(GROUP, 1)
               for e, f in zip((exponents, b_exponents), factors, strict=True)]  # fmt: skip
    expected = (a_values * factors[0]) @ (b_values * factors[1].T)
    assert torch.equal(torch.isnan(out), torch.isnan(expected))
    assert torch.isnan(out).sum() == (0 if fast else 31)
    infinite = torch.isinf(expected.float())
    assert infinite.any() and torch.equal(out[infinite], expected.float()[infinite])
    regular = torch.isfinite(expected.float()) & (expected.abs() > 1e-30)
    torch.testing.assert_close(out[regular].double(), expected[regular], rtol=1e-3, atol=0)


#: Formats of 8 and 4 bits, which `cri` multiplies by scales: each by each.
SMALL_FORMATS = ["e2m1", "e4m3", "e5m2"]


@pytest.mark.pairwise
@pytest.mark.parametrize("scales", [("e8m0", "e8m0"), ("e8m0", "none"), ("none", "e8m0")])
@pytest.mark.parametrize("b_format", SMALL_FORMATS)
@pytest.mark.parametrize("a_format", SMALL_FORMATS)
def test_scaled_instructions(a_format, b_format, scales):
    """Rows and columns of several sub-groups and instructions, two along K, with one scale of each or two."""
    m, n, k = 64, 64, 128
    a, a_values = random_values((m, k), a_format, 1, 1)
    b, b_values = random_values((k, n), b_format, 0, 2)
    (a_scale, a_factors), (b_scale, b_factors) = random_scale(m, k, scales[0], 3), random_scale(n, k, scales[1], 4)
    c = random_tensor((m, n), torch.float32, 5)
    out = run_scaled(a, a_scale, a_format, b, b_scale, b_format, c, k, arch="cri")
    assert_close(out, (a_values * a_factors) @ (b_values * b_factors.T) + c.double(), 2e-6)


def test_bytes_are_floats():
    """Values of 8 bits may come as integers."""
    a, a_values = random_values((16, 64), "e4m3", 1, 1)
    b, b_values = random_values((64, 16), "e5m2", 0, 2)
    a_scale, a_factors = random_scale(16, 64, "e8m0", 3)
    out = run_scaled(
        a.view(torch.uint8), a_scale, "e4m3", b.view(torch.uint8), None, "e5m2", torch.zeros(16, 16), 64, arch="cri"
    )
    assert_close(out, (a_values * a_factors) @ b_values, 2e-6)


@pytest.mark.parametrize("fast", [False, True])
def test_scales_at_the_ends_of_instructions(fast):
    """255 is NaN, 0 is 2^-127, and a scale that is no number of f32 with the other one is none without it."""
    a, a_values = random_values((16, 64), "e5m2", 1, 1)
    b, b_values = random_values((64, 16), "e4m3", 0, 2)
    a_scale = torch.full((16, 2), 127, dtype=torch.uint8)
    b_scale = a_scale.clone()
    a_scale[1], a_scale[2], b_scale[3] = 254, 0, 0
    a_scale[4, 1] = b_scale[7, 0] = 255
    out = run_scaled(a, a_scale, "e5m2", b, b_scale, "e4m3", torch.zeros(16, 16), 64, fast=fast, arch="cri")
    factors = [
        torch.where(s == 255, torch.nan, 2.0 ** (s.double() - 127)).repeat_interleave(GROUP, 1)
        for s in (a_scale, b_scale)
    ]
    expected = (a_values * factors[0]) @ (b_values * factors[1].T)
    assert torch.equal(torch.isnan(out), torch.isnan(expected))
    # Row 1 with column 3: 2^127 and 2^-127.
    assert_close(out[1, 3:4], expected[1, 3:4], 2e-6)
    # Elsewhere in that row a group may leave the range of f32 though the sum does not.
    regular = torch.isfinite(expected.float()) & (expected.abs() > 1e-30)
    regular[1] = False
    assert_close(out[regular], expected[regular], 2e-6)


@triton.jit
def batched_kernel(
    a_ptr, scale_ptr, b_ptr, out_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
    FORMAT: tl.constexpr,
):  # fmt: skip
    batch = tl.arange(0, B)[:, None, None]
    rows, columns, inner = tl.arange(0, M)[None, :, None], tl.arange(0, N)[None, None, :], tl.arange(0, K)
    a = tl.load(a_ptr + batch * M * (K // 2) + rows * (K // 2) + tl.arange(0, K // 2)[None, None, :])
    scale = tl.load(scale_ptr + batch * M * (K // 32) + rows * (K // 32) + tl.arange(0, K // 32)[None, None, :])
    b = tl.load(b_ptr + batch * K * N + inner[None, :, None] * N + columns)
    result = tl.dot_scaled(a, scale, "e2m1", b, None, FORMAT)
    tl.store(out_ptr + batch * M * N + rows * N + columns, result)


@pytest.mark.parametrize("b_format", ["bf16", "e4m3"])
@pytest.mark.parametrize("arch", ["pvc", "cri"])
def test_batches(arch, b_format):
    a, a_values = random_values((2 * 16, 64), "e2m1", 1, 1)
    scale, factors = random_scale(2 * 16, 64, "e8m0", 2)
    b = random_tensor((2, 64, 16), torch.float32, 3).to(STORAGE[b_format])
    out = poisoned((2, 16, 16), torch.float32)
    batched_kernel[(1,)](a, scale, b, out, 2, 16, 16, 64, b_format, arch=arch)
    assert_close(out, (a_values * factors).reshape(2, 16, 64) @ b.double(), 2e-6)


@triton.jit
def loop_kernel(
    a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, out_ptr, K, M: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr
):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, BLOCK)
    groups = tl.arange(0, BLOCK // 32)
    result = tl.zeros((M, N), tl.float32)
    for start in range(0, K, BLOCK):
        a = tl.load(a_ptr + rows[:, None] * K + start + inner[None, :])
        b = tl.load(b_ptr + (start + inner[:, None]) * N + columns[None, :])
        a_scale = tl.load(a_scale_ptr + rows[:, None] * (K // 32) + start // 32 + groups[None, :])
        b_scale = tl.load(b_scale_ptr + columns[:, None] * (K // 32) + start // 32 + groups[None, :])
        result = tl.dot_scaled(a, a_scale, "e4m3", b, b_scale, "e5m2", result)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], result)


@pytest.mark.parametrize(("arch", "marker"), [("pvc", "xbf16, #ttg.dot_op"), ("cri", "tt.dot_scaled")])
def test_accumulation_in_a_loop(arch, marker):
    """The product runs on the systolic array, in bf16 where that has no scales."""
    a, a_values = random_values((16, 256), "e4m3", 1, 1)
    b, b_values = random_values((256, 16), "e5m2", 0, 2)
    (a_scale, a_factors), (b_scale, b_factors) = random_scale(16, 256, "e8m0", 3), random_scale(16, 256, "e8m0", 4)
    out = poisoned((16, 16), torch.float32)
    compiled = loop_kernel[(1,)](a, a_scale, b, b_scale, out, 256, 16, 16, 64, arch=arch)
    assert_close(out, (a_values * a_factors) @ (b_values * b_factors.T), 2e-6)
    assert marker in compiled.asm["ttgir"]
