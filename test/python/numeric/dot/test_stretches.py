# SPDX-License-Identifier: MIT
"""Products in stretches of K that programs compute from their numbers: split-K and stream-K, by plain pointers.

Where a stretch begins and ends depends on the program, so that the launch knows bounds of it alone. The sizes lie at
both sides of what these bounds require of a launch; every 2D block message on the CPU device is checked against the
rules of the hardware.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite.case import PVC, Session
from kernel_suite.matmul import split_k_kernel, stream_k_kernel
from numerics import assert_close, poisoned, random_tensor
from support import needs_ocloc, record_variants

pytestmark = pytest.mark.instruction_sets

BLOCK = 32


def split(m: int, n: int, k: int, stretch: int, splits: int, dtype: torch.dtype = torch.bfloat16) -> None:
    """Each split into a separate slice; past K there is a slice of zeros."""
    a, b = random_tensor((m, k), dtype, 1), random_tensor((k, n), dtype, 2)
    part = poisoned((splits, m, n), torch.float32)
    grid = (triton.cdiv(m, BLOCK), triton.cdiv(n, BLOCK), splits)
    split_k_kernel[grid](
        a, b, part, m, n, k, stretch, BLOCK_M=BLOCK, BLOCK_N=BLOCK, BLOCK_K=BLOCK, ATOMIC=False, num_warps=4
    )
    for index in range(splits):
        piece = slice(min(k, max(0, index * stretch)), min(k, max(0, (index + 1) * stretch)))
        assert_close(part[index], a[:, piece].double() @ b[piece].double(), 1e-5)


@pytest.fixture
def variants(monkeypatch) -> Iterator[list]:
    """Yield the variants that launches of a test compile."""
    yield from record_variants(monkeypatch, lambda *options: options, split_k_kernel, stream_k_kernel)


@pytest.mark.parametrize("splits", (1, 3, 5))
@pytest.mark.parametrize("stretch", (32, 48, 96, 160))
def test_bounds_that_the_launch_takes(variants, stretch, splits):
    """Stretches that end before, at and after K, and programs after the last one: one kernel."""
    split(64, 64, 160, stretch, splits)
    assert variants == []


@pytest.mark.parametrize(
    ("k", "stretch"),
    [
        # Rows of less than 64 bytes at the end of the first stretch, or of all.
        (160, 16),
        (16, 32),
        # Nothing at all, and stretches that lie before the matrix.
        (160, 0),
        (160, -32),
    ],
)
def test_bounds_that_it_does_not(variants, k, stretch):
    """Such launches run a variant with ordinary accesses."""
    split(40, 64, k, stretch, 3)
    assert variants


@pytest.mark.parametrize(("k", "stretch"), [(160, 33), (161, 32)])
def test_ends_between_messages(k, stretch):
    """Widths that are no multiple of four bytes, and pitches that are none of 16: the kernel knows before."""
    split(40, 64, k, stretch, 6)


@triton.jit
def stretches_kernel(a, b, c, first_ptr, M, N, K, stretch, BLOCK: tl.constexpr, KIND: tl.constexpr):
    """A stretch of K whose ends come in several ways."""
    i, j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    split = tl.program_id(2)
    if KIND == "last":
        # The last split takes what is left.
        begin = split * stretch
        end = tl.maximum(begin + stretch, tl.where(split == tl.num_programs(2) - 1, K, 0))
        end = tl.minimum(end, K)
    elif KIND == "balanced":
        begin = split * K // tl.num_programs(2) // BLOCK * BLOCK
        end = tl.where(split == tl.num_programs(2) - 1, K, (split + 1) * K // tl.num_programs(2) // BLOCK * BLOCK)
    elif KIND == "backwards":
        begin = K - tl.minimum(K, (split + 1) * stretch)
        end = K - tl.minimum(K, split * stretch)
    else:
        begin = tl.load(first_ptr + split)
        end = tl.minimum(tl.load(first_ptr + split + 1), K)
    acc = tl.zeros((BLOCK, BLOCK), tl.float32)
    for start in range(begin, end, BLOCK):
        inner = start + tl.arange(0, BLOCK)
        x = tl.load(a + i[:, None] * K + inner[None, :], mask=(i[:, None] < M) & (inner[None, :] < end), other=0.0)
        y = tl.load(b + inner[:, None] * N + j[None, :], mask=(inner[:, None] < end) & (j[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    mask = (i[:, None] < M) & (j[None, :] < N)
    tl.store(c + split * M * N + i[:, None] * N + j[None, :], acc, mask=mask)


@pytest.mark.parametrize("k", (64, 160, 200))
@pytest.mark.parametrize("kind", ("last", "balanced", "backwards", "loaded"))
def test_other_ends(kind, k):
    m, n, splits, stretch = 40, 64, 3, 64
    a, b = random_tensor((m, k), torch.float16, 1), random_tensor((k, n), torch.float16, 2)
    ends = [0, 40, 72, k]
    c = poisoned((splits, m, n), torch.float32)
    grid = (triton.cdiv(m, BLOCK), triton.cdiv(n, BLOCK), splits)
    stretches_kernel[grid](
        a, b, c, torch.tensor(ends, dtype=torch.int32), m, n, k, stretch, BLOCK=BLOCK, KIND=kind, num_warps=4
    )
    for index in range(splits):
        last = index == splits - 1
        begin, end = {
            "last": (index * stretch, max((index + 1) * stretch, k if last else 0)),
            "balanced": (
                index * k // splits // BLOCK * BLOCK,
                k if last else (index + 1) * k // splits // BLOCK * BLOCK,
            ),
            "backwards": (k - min(k, (index + 1) * stretch), k - min(k, index * stretch)),
            "loaded": (ends[index], ends[index + 1]),
        }[kind]
        piece = slice(min(begin, k), min(end, k))
        assert_close(c[index], a[:, piece].double() @ b[piece].double(), 1e-5)


@pytest.mark.parametrize("k", (64, 200, 320))
@pytest.mark.parametrize("programs", (1, 3, 7))
def test_tiles_that_programs_share(variants, k, programs):
    """Stream-K: where a program begins in a tile is not negative, which the launch does not have to check."""
    m, n, dtype = 70, 64, torch.float16
    a, b, c = random_tensor((m, k), dtype, 1), random_tensor((k, n), dtype, 2), poisoned((m, n), torch.float32)
    tiles, per_tile = triton.cdiv(m, BLOCK) * triton.cdiv(n, BLOCK), triton.cdiv(k, BLOCK)
    part, lock = poisoned((tiles, BLOCK, BLOCK), torch.float32), torch.zeros(tiles, dtype=torch.int32)
    stream_k_kernel[(programs,)](
        a, b, c, part, lock, m, n, k, triton.cdiv(tiles * per_tile, programs),
        BLOCK_M=BLOCK, BLOCK_N=BLOCK, BLOCK_K=BLOCK, num_warps=4,
    )  # fmt: skip
    assert_close(c, a.double() @ b.double(), 1e-5)
    assert variants == []


@needs_ocloc
@pytest.mark.parametrize("kind", ("slices", "atomic", "stream"))
def test_no_exchange(kind):
    """Messages for both operands, and nothing goes through shared memory but the answer of a lock."""
    session = Session(recording=True, options={"num_warps": 32})
    size, tile = 1024, {"BLOCK_M": 256, "BLOCK_N": 256, "BLOCK_K": 32}
    a, b = session.randn((size, size), torch.bfloat16), session.randn((size, size), torch.bfloat16)
    if kind == "stream":
        part, lock = session.output((16, 256, 256)), session.zeros((16,), torch.int32)
        c = session.output((size, size))
        session.launch(stream_k_kernel, (12,), a, b, c, part, lock, size, size, size, 43, **tile)
    else:
        part = session.output((4, size, size))
        session.launch(split_k_kernel, (4, 4, 4), a, b, part, size, size, size, 256, ATOMIC=kind == "atomic", **tile)
    source, options = session.launches[0].source(PVC, grf_mode="256", generate_native_code=True)
    compiled = triton.compile(source, target=PVC, options=options)
    native = compiled.metadata.native
    assert compiled.metadata.shared <= (4 if kind == "stream" else 0)
    loop = min((loop for loop in native["loops"] if loop["dpas"]), key=lambda loop: loop["instructions"])
    assert (loop["dpas"], loop["load_block2d"], loop["prefetches"]) == (32, 3, 2)
    assert loop["instructions"] <= 1.15 * 69
    assert loop["scratch_messages"] == 0
    # Where programs share tiles, some numbers go to scratch memory outside of the loop.
    assert kind == "stream" or native["total"]["scratch_messages"] == 0
