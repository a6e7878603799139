# SPDX-License-Identifier: MIT
"""Gathers along any axis, from any layout to any layout, with every type of index; and concatenation."""

from __future__ import annotations

import random

import pytest
import torch
import triton
import triton.language as tl
from numeric.layouts import ELEMENT_TYPES, LANES, KernelBuilder, TensorType, random_layout
from numerics import poisoned, random_tensor
from support import covers, needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.float64]
INDEX_DTYPES = [torch.int8, torch.int16, torch.int32, torch.int64]
#: Shape of the operand, axis, and size of the result along the axis.
CASES = [
    ((64,), 0, 64), ((128,), 0, 32), ((16,), 0, 128), ((1,), 0, 8), ((16, 16), 0, 16), ((16, 16), 1, 16),
    ((8, 32), 1, 16), ((64, 4), 0, 8), ((4, 8, 16), 1, 8), ((4, 8, 16), 0, 2), ((2, 4, 4, 4), 2, 8),
]  # fmt: skip


def gather_in_layouts(
    directory, rng: random.Random, dtype: torch.dtype, index_dtype: torch.dtype, same: bool, lanes: int
) -> None:
    """`same` gives operand and indices one layout, so that most gathers stay within a sub-group."""
    shape, axis, size = rng.choice(CASES)
    num_warps = rng.choice([1, 2, 4])
    index_shape = (*shape[:axis], size, *shape[axis + 1 :])
    layout = random_layout(rng, shape, num_warps, lanes)
    if same:
        index_shape = shape
    source_type = TensorType(shape, ELEMENT_TYPES[dtype], layout)
    index_layout = layout if same else random_layout(rng, index_shape, num_warps, lanes)
    index_type = TensorType(index_shape, ELEMENT_TYPES[index_dtype], index_layout)
    result_type = index_type.with_element(source_type.element)
    builder = KernelBuilder(num_warps, lanes)
    source, index = builder.load(source_type), builder.load(index_type)
    result = builder.op(
        f"tt.gather {source}[{index}] {{axis = {axis} : i32}} : ({source_type}, {index_type}) -> {result_type}"
    )
    builder.store(result, result_type)

    values = random_tensor(shape, dtype, rng.randrange(2**31))
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    indices = torch.randint(0, shape[axis], index_shape, generator=generator).to(index_dtype)
    out = poisoned(index_shape, dtype)
    builder.run(directory, values, indices, out)
    assert torch.equal(out, values.gather(axis, indices.long())), builder.text()


@covers("tl.gather", "i8", "i64", "fp16", "bf16", "fp32", "fp64")
@pytest.mark.parametrize("seed", range(12))
def test_gather(tmp_path, seed):
    gather_in_layouts(
        tmp_path,
        random.Random(seed),
        DTYPES[seed % len(DTYPES)],
        INDEX_DTYPES[seed // 3],
        seed % 2 == 0,
        (16, 32)[seed // 2 % 2],
    )


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_gather_in_many_layouts(tmp_path, seed):
    rng = random.Random(seed)
    gather_in_layouts(
        tmp_path, rng, rng.choice(DTYPES), rng.choice(INDEX_DTYPES), seed % 2 == 0, (16, 32)[seed // 2 % 2]
    )


@triton.jit
def gather_rows(source, index, out, M: tl.constexpr, K: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr):
    """A gather between ordinary loads and stores, in a loop."""
    m, k, n = tl.arange(0, M), tl.arange(0, K), tl.arange(0, N)
    if AXIS == 1:
        x = tl.load(source + m[:, None] * K + k[None, :])
        places = m[:, None] * N + n[None, :]
    else:
        x = tl.load(source + k[:, None] * M + m[None, :])
        places = n[:, None] * M + m[None, :]
    i = tl.load(index + places)
    total = tl.zeros(i.shape, x.dtype)
    for step in range(2):
        total += tl.gather(x, (i + step) % K, AXIS)
    tl.store(out + places, total)


@pytest.mark.instruction_sets
@pytest.mark.parametrize(
    ("m", "k", "n", "axis", "num_warps", "warp_size"),
    [(16, 32, 8, 1, 4, 16), (16, 32, 64, 0, 2, 32), (4, 128, 128, 1, 8, 32)],
)
def test_gather_in_a_kernel(m, k, n, axis, num_warps, warp_size):
    shape, index_shape = ((m, k), (m, n)) if axis == 1 else ((k, m), (n, m))
    values = random_tensor(shape, torch.float32, 2)
    indices = torch.randint(0, k, index_shape, generator=torch.Generator().manual_seed(3)).to(torch.int32)
    out = poisoned(index_shape, torch.float32)
    gather_rows[(1,)](values, indices, out, m, k, n, axis, num_warps=num_warps, warp_size=warp_size)
    expected = values.gather(axis, indices.long()) + values.gather(axis, (indices.long() + 1) % k)
    assert torch.equal(out, expected)


def test_an_index_that_is_none():
    """Gives some element; the neighbours in shared memory and the process stay as they are."""
    m, k = 4, 64
    values, out = random_tensor((m, k), torch.float32, 5), poisoned((m, k), torch.float32)
    indices = random_tensor((m, k), torch.int32, 6)
    gather_rows[(1,)](values, indices, out, m, k, k, 1, num_warps=4)
    assert torch.isfinite(out).all()


@triton.jit
def concatenate(x, y, out, N: tl.constexpr):
    """Two halves, each in its order."""
    index = tl.arange(0, N)
    both = tl.cat(tl.load(x + index), tl.load(y + index), can_reorder=True)
    tl.store(out + tl.arange(0, 2 * N), both)


@covers("tl.cat", "i8", "i64", "bf16", "fp32")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.int8])
@pytest.mark.parametrize(("n", "num_warps", "warp_size"), [(1, 4, 16), (8, 1, 16), (256, 4, 32), (128, 2, 16)])
def test_cat(dtype, n, num_warps, warp_size):
    x, y, out = random_tensor((n,), dtype, 1), random_tensor((n,), dtype, 2), poisoned((2 * n,), dtype)
    concatenate[(1,)](x, y, out, n, num_warps=num_warps, warp_size=warp_size)
    assert torch.equal(out, torch.cat([x, y]))


@needs_ocloc
def test_native_code():
    source = ASTSource(
        gather_rows, {"source": "*fp32", "index": "*i32", "out": "*fp32"}, {"M": 16, "K": 32, "N": 32, "AXIS": 0}
    )
    kernel = triton.compile(source, target=GPUTarget("xpu", "pvc", LANES), options={"generate_native_code": True})
    assert kernel.asm["zebin"]
