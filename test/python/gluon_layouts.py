# SPDX-License-Identifier: MIT
"""Random layouts of tensors and of shared memory, as Gluon writes them."""

from __future__ import annotations

import random

from triton.experimental.gluon import language as gl

LANES = 16


def _bits(size: int) -> int:
    return size.bit_length() - 1


def _units(shape: list[int]) -> list[list[int]]:
    """Return the bases of all bits of an element's coordinates."""
    return [
        [1 << bit if place == dim else 0 for place in range(len(shape))]
        for dim, size in enumerate(shape)
        for bit in range(_bits(size))
    ]


def random_distributed(draw: random.Random, shape: list[int], num_warps: int) -> gl.DistributedLinearLayout:
    """Return a layout whose registers, lanes and warps hold bits of the coordinates in any order, and some copies."""
    bases = _units(shape)
    threads = _bits(LANES) + _bits(num_warps)
    # Lanes and warps that no bit is left for hold copies, and so may others.
    copies = max(threads - len(bases), 0) + draw.choice((0, 0, 1))
    held = bases[:]
    draw.shuffle(held)
    in_threads = held[: threads - copies] + [[0] * len(shape)] * min(copies, threads)
    draw.shuffle(in_threads)
    return gl.DistributedLinearLayout(
        held[max(threads - copies, 0) :], in_threads[: _bits(LANES)], in_threads[_bits(LANES) :], [], shape
    )


def random_blocked(draw: random.Random, shape: list[int], num_warps: int) -> gl.BlockedLayout:
    """Return a blocked layout, which may hold more or fewer elements than the tensor has."""
    rank = len(shape)
    factors = {"lanes": [1] * rank, "warps": [1] * rank}
    for name, bits in (("lanes", _bits(LANES)), ("warps", _bits(num_warps))):
        for _ in range(bits):
            factors[name][draw.randrange(rank)] *= 2
    order = list(range(rank))
    draw.shuffle(order)
    return gl.BlockedLayout([draw.choice((1, 2, 4)) for _ in shape], factors["lanes"], factors["warps"], order)


def random_layout(draw: random.Random, shape: list[int], num_warps: int) -> gl.DistributedLinearLayout:
    """Return any layout of a tensor."""
    kind = draw.choice((random_distributed, random_distributed, random_blocked))
    if draw.random() < 0.2:
        dim = draw.randrange(len(shape) + 1)
        parent = [*shape[:dim], draw.choice((1, 2, 4)), *shape[dim:]]
        return gl.SliceLayout(dim, random_blocked(draw, parent, num_warps))
    return kind(draw, shape, num_warps)


def _independent(draw: random.Random, shape: list[int]) -> list[list[int]]:
    """Return one basis per bit of the shape, in any order and mixed with each other."""
    bases = _units(shape)
    draw.shuffle(bases)
    for _ in range(draw.choice((0, 0, 3, 10))):
        one, other = draw.sample(range(len(bases)), 2)
        bases[one] = [a ^ b for a, b in zip(bases[one], bases[other], strict=True)]
    return bases


def random_shared(draw: random.Random, shape: list[int]) -> gl.SharedLinearLayout:
    """Return any layout of shared memory."""
    order = list(range(len(shape)))
    draw.shuffle(order)
    kind = draw.choice(("swizzled", "padded", "linear", "linear"))
    if kind == "swizzled":
        vector, rows, phases = (1 << draw.randrange(limit) for limit in (4, 3, 4))
        return gl.SwizzledSharedLayout(vector, rows, phases if len(shape) > 1 else 1, order)
    if kind == "padded":
        intervals = draw.sample((16, 32, 64, 128), draw.choice((1, 2)))
        pairs = [[interval, draw.choice((1, 2, 4, 8))] for interval in intervals]
        return gl.PaddedSharedLayout.with_identity_for(pairs, shape, order)
    return gl.SharedLinearLayout(_independent(draw, shape))
