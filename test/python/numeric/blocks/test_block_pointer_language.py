# SPDX-License-Identifier: MIT
"""Block pointers in every language: of the IR (3.7), of the language (3.8), or of triton_xe.block_pointers (3.9).

The results of a kernel, and which accesses are 2D block messages, do not depend on it.
"""

from __future__ import annotations

import re

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite.gemm_variants import gemm_block_pointers
from numerics import TOLERANCES, assert_close, poisoned, random_tensor, reference_matmul
from triton.compiler.errors import CompilationError

from triton_xe import block_pointers

pytestmark = pytest.mark.conformance


@pytest.mark.parametrize("sizes", [(64, 64, 96), (70, 72, 104)], ids=["whole", "ragged"])
def test_gemm(sizes):
    """All three matrices of a GEMM move in 2D block messages, with right numbers at the borders."""
    m, n, k = sizes
    a, b = random_tensor((m, k), torch.float16, seed=1), random_tensor((k, n), torch.float16, seed=2)
    c = poisoned((m, n), torch.float32)
    kernel = gemm_block_pointers[(triton.cdiv(m, 32), triton.cdiv(n, 32), 1)](
        a, b, c, c, c, m, n, k, 0, *a.stride(), 0, *b.stride(), 0, *c.stride(), 0, *c.stride(),
        BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, ACC=tl.float32, EPILOGUE="none", num_warps=4,
    )  # fmt: skip
    assert_close(c, reference_matmul(a, b), TOLERANCES[torch.float16])
    assert len(re.findall(r"ttig\.(?:load|store)_block ", kernel.asm["ttgir"])) >= 3


@triton.jit
def shifted(x, y, n, m, B: tl.constexpr, PADDING: tl.constexpr):
    """A block before and after its tensor, moved there; written transposed."""
    block = tl.make_block_ptr(x, (n, m), (m, 1), (-B, 0), (B, 2 * B), (1, 0))
    for i in range(3):
        value = tl.load(block, boundary_check=(0, 1), padding_option=PADDING)
        out = tl.make_block_ptr(y + i * 2 * B * B, (2 * B, B), (B, 1), (0, 0), (2 * B, B), (1, 0))
        tl.store(out, tl.trans(value))
        block = tl.advance(block, (B, B // 2))


@pytest.mark.parametrize("padding", ["zero", "nan"])
def test_padding_on_all_sides(padding):
    """Rows before it, rows and columns after it."""
    n, m, block = 10, 20, 16
    x, y = random_tensor((n, m), torch.float32, seed=3), poisoned((3, 2 * block, block), torch.float32)
    shifted[(1,)](x, y, n, m, B=block, PADDING=padding)
    large = torch.full((4 * block, 4 * block), float("nan") if padding == "nan" else 0.0)
    large[block : block + n, :m] = x
    for i in range(3):
        expected = large[i * block : (i + 1) * block, i * block // 2 : i * block // 2 + 2 * block].T
        torch.testing.assert_close(y[i], expected, rtol=0, atol=0, equal_nan=True)


@triton.jit
def chosen(x, y, n, LINE: tl.constexpr):
    """A pointer that an `if` chooses, of rank 1, without checks."""
    block = tl.make_block_ptr(x, (2 * LINE,), (1,), (0,), (LINE,), (0,))
    if n > 0:
        block = tl.advance(block, (LINE,))
    tl.store(tl.make_block_ptr(y, (LINE,), (1,), (0,), (LINE,), (0,)), tl.load(block))


@pytest.mark.parametrize("n", [0, 5])
def test_chosen_by_a_condition(n):
    """Block pointers flow through branches."""
    x, y = torch.arange(128, dtype=torch.int32), poisoned((64,), torch.int32)
    chosen[(1,)](x, y, n, LINE=64)
    assert torch.equal(y, x[64:] if n else x[:64])


@triton.jit
def wrong(x, KIND: tl.constexpr):
    block = tl.make_block_ptr(x, (64,), (1,), (0,), (64,), (0,))
    if KIND == "mask":
        tl.load(block, mask=tl.arange(0, 64) < 3)
    elif KIND == "dimension":
        tl.load(block, boundary_check=(1,))
    elif KIND == "padding":
        tl.load(block, boundary_check=(0,), padding_option="one")
    elif KIND == "rank":
        tl.advance(block, (1, 1))
    elif KIND == "store":
        tl.store(block, 0, mask=True)
    elif KIND == "pointer":
        tl.load(x + tl.arange(0, 64), boundary_check=(0,))
    elif KIND == "order":
        tl.make_block_ptr(x, (64,), (1,), (0,), (64,), (1,))


@pytest.mark.parametrize("kind", ["mask", "dimension", "padding", "rank", "store", "pointer", "order"])
def test_errors(kind):
    """An operation that a block pointer does not have is an error of the frontend, in every language."""
    with pytest.raises(CompilationError):
        wrong[(1,)](torch.zeros(64), KIND=kind)


def test_the_wheels_own_block_pointers_stay():
    """The import changes nothing where the language has them."""
    is_ours = tl.make_block_ptr is block_pointers.make_block_ptr
    assert is_ours == block_pointers.install()
