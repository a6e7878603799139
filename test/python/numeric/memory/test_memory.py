# SPDX-License-Identifier: MIT
"""Loads and stores of every kind: scalars to rank 5, pointers and block pointers, masks, paddings, hints."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass

import pytest
import torch
from allpairspy import AllPairs
from generated import kernel_from_source
from numeric.language_cases import ANY, TORCH_TYPES
from numerics import poisoned
from support import covers

#: Extents in memory, and the block that covers them.
SHAPES = {
    0: ((), ()),
    1: ((50,), (64,)),
    2: ((13, 27), (16, 32)),
    3: ((3, 7, 13), (4, 8, 16)),
    4: ((2, 3, 3, 13), (2, 4, 4, 16)),
    5: ((2, 3, 1, 3, 5), (2, 4, 1, 4, 8)),
}

VARIANTS = {
    "element_type": ANY,
    "rank": list(SHAPES),
    "access": ["pointers", "block"],
    "mask": ["none", "boundary", "boundary_other", "scalar"],
    "modifier": ["", ".ca", ".cg", ".cv"],
    "eviction": ["", "evict_first", "evict_last"],
    "volatile": [False, True],
    "num_warps": [1, 4, 8],
    "warp_size": [16, 32],
}


@dataclass(frozen=True)
class Access:
    """One combination."""

    element_type: str
    rank: int
    access: str
    mask: str
    modifier: str
    eviction: str
    volatile: bool
    num_warps: int
    warp_size: int

    def __str__(self) -> str:
        hints = self.modifier + ("." + self.eviction if self.eviction else "") + (".volatile" if self.volatile else "")
        return f"{self.element_type}-{self.access}{self.rank}-{self.mask}{hints}-{self.num_warps}x{self.warp_size}"


def is_meaningful(values: list) -> bool:
    chosen = dict(zip(VARIANTS, values, strict=False))
    if chosen.get("access") == "block":
        # Block pointers have a rank, take no mask, and know no truth values; NaN is for floats.
        if chosen.get("rank") == 0 or chosen.get("mask") == "scalar" or chosen.get("element_type") == "i1":
            return False
        if chosen.get("mask") == "boundary_other" and chosen.get("element_type", "fp32") not in (
            "fp16",
            "fp32",
            "bf16",
        ):
            return False
    return not (chosen.get("rank") == 0 and chosen.get("mask", "none").startswith("boundary"))


CASES = [Access(*values) for values in AllPairs(list(VARIANTS.values()), filter_func=is_meaningful)]


def random_values(shape: tuple[int, ...], dtype: torch.dtype, seed: int) -> torch.Tensor:
    """Return any bits that are no NaN, so that results are compared as bytes."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.randint(-100, 100, shape, generator=generator)
    return (values > 0) if dtype == torch.bool else values.abs().float().to(dtype)


def hints(case: Access) -> str:
    parts = []
    if case.modifier:
        parts.append(f'cache_modifier="{case.modifier}"')
    if case.eviction:
        parts.append(f'eviction_policy="{case.eviction}"')
    if case.volatile:
        parts.append("volatile=True")
    return "".join(f", {part}" for part in parts)


def store_hints(case: Access) -> str:
    # `.ca` and `.cv` are for loads alone.
    modifier = {".cg": ".cg", ".cv": ".wt"}.get(case.modifier, "")
    eviction = f', eviction_policy="{case.eviction}"' if case.eviction else ""
    return (f', cache_modifier="{modifier}"' if modifier else "") + eviction


def pointer_lines(case: Access, extent: tuple[int, ...], block: tuple[int, ...], strides: tuple[int, ...]) -> list[str]:
    """Return lines that load `x`, and store it to `y`."""
    lines, places, masks = [], ["0"], []
    for dim, size in enumerate(block):
        index = ", ".join(":" if other == dim else "None" for other in range(len(block)))
        lines.append(f"i{dim} = tl.arange(0, {size})" + (f"[{index}]" if len(block) > 1 else ""))
        places.append(f"i{dim} * {strides[dim]}")
        masks.append(f"(i{dim} < {extent[dim]})")
    place, mask = " + ".join(places), " & ".join(masks)
    # Without a mask the kernel moves the elements that are in memory.
    if case.mask == "none":
        arguments = ""
    elif case.mask == "scalar":
        arguments = ", flag != 0, other=1.0"
    else:
        arguments = f", {mask}" + (", other=1.0" if case.mask == "boundary_other" else "")
    lines.append(f"x = tl.load(x_ptr + {place}{arguments}{hints(case)})")
    store_mask = "" if case.mask in ("none", "scalar") else f", {mask}"
    lines.append(f"tl.store(y_ptr + {place}, x{store_mask}{store_hints(case)})")
    lines.append(f"tl.store(z_ptr + {place}, x{store_mask})")
    return lines


def block_lines(case: Access, extent: tuple[int, ...], block: tuple[int, ...], strides: tuple[int, ...]) -> list[str]:
    rank = len(block)
    order = tuple(reversed(range(rank)))
    zeros, first = (0,) * rank, (-1,) + (0,) * (rank - 1)
    step = (1,) + (0,) * (rank - 1)
    dims = tuple(range(rank))
    check = f"boundary_check={dims}" if case.mask != "none" else "boundary_check=()"
    padding = 'padding_option="nan"' if case.mask == "boundary_other" else 'padding_option="zero"'
    padding = f", {padding}" if case.mask != "none" else ""
    return [
        # Made one row too early, then advanced.
        f"p = tl.make_block_ptr(x_ptr, {extent}, {strides}, {first}, {block}, {order})",
        f"x = tl.load(tl.advance(p, {step}), {check}{padding}{hints(case)})",
        f"q = tl.make_block_ptr(y_ptr, {extent}, {strides}, {zeros}, {block}, {order})",
        f"tl.store(q, x, {check}{store_hints(case)})",
        *(f"i{dim} = tl.arange(0, {size})" for dim, size in enumerate(block)),
        # All of the block, padding included.
        f"n: tl.constexpr = {torch.Size(block).numel()}",
        "tl.store(z_ptr + tl.arange(0, n), tl.reshape(x, (n,)))",
    ]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=str(case),
            marks=covers(
                ("tl.load", "tl.store") if case.access == "pointers" else ("tl.make_block_ptr", "tl.advance"),
                case.element_type,
            ),
        )
        for case in CASES
    ],
)
@pytest.mark.filterwarnings("ignore:tl.make_block_ptr is deprecated")
def test_access(case: Access) -> None:
    extent, block = SHAPES[case.rank]
    if case.mask in ("none", "scalar"):
        extent = block
    dtype = TORCH_TYPES[case.element_type]
    rng = random.Random(zlib.crc32(str(case).encode()))
    # Rows are further apart than they are long.
    pitched = (*extent[:-1], extent[-1] + 3) if extent else ()
    storage = random_values(pitched, dtype, rng.randrange(2**31))
    x = storage[..., : extent[-1]] if extent else storage
    y_storage = poisoned(pitched, torch.int8 if dtype == torch.bool else dtype)
    before = y_storage.clone()
    y = y_storage[..., : extent[-1]] if extent else y_storage
    is_block = case.access == "block"
    z = poisoned(block if is_block else pitched, y.dtype)
    flag = rng.randrange(2) if case.mask == "scalar" else 1

    build = block_lines if is_block else pointer_lines
    lines = build(case, extent, block, tuple(x.stride()))
    text = "def kernel(x_ptr, y_ptr, z_ptr, flag):\n" + "".join(f"    {line}\n" for line in lines)
    kernel_from_source(text)[(1,)](x, y, z, flag, num_warps=case.num_warps, warp_size=case.warp_size)

    expected = x if flag else torch.ones_like(x)
    for name, actual in (("y", y), ("z", z if is_block else (z[..., : extent[-1]] if extent else z))):
        inner = actual[tuple(slice(0, size) for size in extent)]
        assert torch.equal(as_integers(inner), as_integers(expected.to(actual.dtype))), f"{name} in\n{text}"
    if extent:
        assert torch.equal(as_integers(y_storage[..., extent[-1] :]), as_integers(before[..., extent[-1] :]))
    if is_block and extent != block:
        padding = z.clone()
        padding[tuple(slice(0, size) for size in extent)] = float("nan") if case.mask == "boundary_other" else 0
        wanted = torch.full_like(padding, float("nan") if case.mask == "boundary_other" else 0)
        assert torch.equal(torch.isnan(padding.double()), torch.isnan(wanted.double()))
        assert torch.equal(torch.nan_to_num(padding.double()), torch.nan_to_num(wanted.double()))


def as_integers(tensor: torch.Tensor) -> torch.Tensor:
    """Return the bits, comparable by torch for every type."""
    integer = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return tensor.contiguous().view(integer)


DESCRIPTORS = """def kernel(x_ptr, y_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    y = tl.make_tensor_descriptor(y_ptr, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    tl.store_tensor_descriptor(y, [row, column], tl.load_tensor_descriptor(x, [row, column]))
"""


@pytest.mark.parametrize("warp_size", [16, 32])
@pytest.mark.parametrize(
    "element_type",
    [
        pytest.param(
            name,
            marks=covers("tl.make_tensor_descriptor tl.load_tensor_descriptor tl.store_tensor_descriptor", name),
        )
        for name in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "fp64")
    ],
)
def test_descriptors(element_type: str, warp_size: int) -> None:
    """A copy through descriptors, of a matrix that is no multiple of the block."""
    dtype = TORCH_TYPES[element_type]
    x = random_values((29, 48), dtype, seed=len(element_type))
    storage = poisoned((31, 48), dtype)
    before, y = storage.clone(), storage[1:30]
    kernel_from_source(DESCRIPTORS)[(2, 2)](x, y, 29, 48, BLOCK_M=16, BLOCK_N=32, warp_size=warp_size)
    assert torch.equal(as_integers(y), as_integers(x))
    assert torch.equal(as_integers(storage[[0, 30]].contiguous()), as_integers(before[[0, 30]].contiguous()))
