# SPDX-License-Identifier: MIT
"""Cache modifiers and eviction policies reach the GPU's driver: they decorate the pointers of accesses in SPIR-V."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest
import triton
import triton.language as tl
from kernel_suite.case import PVC
from triton.compiler import ASTSource

#: Numbers of SPIR-V: instructions, decorations, and their requests at a level.
DECORATE, LOAD, STORE = 71, 61, 62
#: Plain, transforming and transposing loads of blocks.
BLOCK_LOADS = (6231, 6232, 6233)
LOADS, STORES = 6442, 6443
UNCACHED, CACHED, STREAMING = 0, 1, 2
WRITE_THROUGH, WRITE_BACK, STREAMING_STORE = 1, 2, 3


def instructions(binary: bytes) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield code and operands of each."""
    words = struct.unpack(f"<{len(binary) // 4}I", binary[: len(binary) // 4 * 4])
    place = 5
    while place < len(words):
        count = words[place] >> 16
        yield words[place] & 0xFFFF, words[place + 1 : place + count]
        place += max(count, 1)


def controls(binary: bytes, code: int, operand: int) -> list[dict[int, int]]:
    """Return the requests of accesses, by level, in the order of the code; nothing for those without a wish."""
    wishes: dict[int, dict[int, int]] = {}
    kind = STORES if code == STORE else LOADS
    found = []
    for number, operands in instructions(binary):
        if number == DECORATE and operands[1] == kind:
            wishes.setdefault(operands[0], {})[operands[2]] = operands[3]
        if number == code:
            found.append(wishes.get(operands[operand], {}))
    return found


@triton.jit
def plain_kernel(x, y, LOAD: tl.constexpr, EVICT: tl.constexpr, STORE: tl.constexpr):
    i = tl.arange(0, 64)
    value = tl.load(x + i, cache_modifier=LOAD, eviction_policy=EVICT)
    tl.store(y + i, value, cache_modifier=STORE)


@pytest.mark.parametrize(
    ("load", "evict", "store", "loads", "stores"),
    [
        ("", "", "", {}, {}),
        (".ca", "", ".wb", {0: CACHED, 1: CACHED}, {}),
        (".cg", "", ".cg", {0: UNCACHED, 1: CACHED}, {0: UNCACHED, 1: WRITE_BACK}),
        (".cv", "", ".wt", {0: UNCACHED, 1: UNCACHED}, {0: WRITE_THROUGH, 1: WRITE_BACK}),
        ("", "evict_first", ".cs", {0: STREAMING, 1: CACHED}, {0: STREAMING_STORE, 1: WRITE_BACK}),
        ("", "evict_last", "", {}, {}),
    ],
)
def test_plain_pointers(load, evict, store, loads, stores):
    constants = {"LOAD": load, "EVICT": evict, "STORE": store}
    source = ASTSource(plain_kernel, {"x": "*fp32", "y": "*fp32"} | dict.fromkeys(constants, "constexpr"), constants)
    binary = triton.compile(source, target=PVC, options={"num_warps": 4}).asm["spv"]
    # Numbers of lanes are loads as well.
    assert controls(binary, LOAD, 2)[-1] == loads
    assert controls(binary, STORE, 0) == [stores]


@triton.jit
def block_kernel(a, b, c, N):
    x = tl.make_block_ptr(a, (N, 64), (64, 1), (0, 0), (16, 16), (1, 0))
    y = tl.make_block_ptr(b, (64, N), (N, 1), (0, 0), (16, 16), (1, 0))
    z = tl.dot(tl.load(x, boundary_check=(0,), eviction_policy="evict_first"), tl.load(y, boundary_check=(1,)))
    tl.store(tl.make_block_ptr(c, (N, N), (N, 1), (0, 0), (16, 16), (1, 0)), z, boundary_check=(0, 1))


def test_block_messages():
    """The pointer of a message is the operand after its shape."""
    signature = {"a": "*bf16", "b": "*bf16", "c": "*fp32", "N": "i32"}
    attributes = {(index,): [["tt.divisibility", 16]] for index in range(4)}
    source = ASTSource(block_kernel, signature, {}, attributes)
    binary = triton.compile(source, target=PVC, options={"num_warps": 1}).asm["spv"]
    wishes = [wish for code in BLOCK_LOADS for wish in controls(binary, code, 4)]
    assert {0: STREAMING, 1: CACHED} in wishes
    assert {} in wishes
