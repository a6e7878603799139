# SPDX-License-Identifier: MIT
"""GEMM with epilogues against float64, over everything that changes the code of such a kernel.

The product of all variants has tens of thousands of cases; `make test` runs a set in which every pair of values
occurs, `make test-full` adds the whole product of those that decide about block pointers.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
import torch
import triton
import triton.language as tl
from allpairspy import AllPairs
from kernel_suite.gemm_variants import gemm_block_pointers, gemm_pointers, reference_epilogue
from numerics import (
    TOLERANCES,
    assert_close,
    column_major,
    poisoned,
    random_tensor,
    reference_matmul,
    strided,
)

#: BLOCK_M, BLOCK_N, BLOCK_K, num_warps.
TILES = [
    (256, 256, 32, 32), (256, 128, 32, 32), (64, 128, 32, 32), (8, 512, 64, 32), (8, 128, 64, 4),
    (128, 128, 32, 16), (128, 64, 64, 8), (64, 64, 32, 4), (32, 32, 32, 2), (16, 32, 64, 1), (64, 16, 32, 1),
]  # fmt: skip
DTYPES = [torch.bfloat16, torch.float16, torch.float32, torch.int8]
#: Sizes relative to the tile: exactly two tiles and three steps; ragged, but with rows of whole 16 bytes; odd; smaller
#: than a tile.
SIZES = ["whole", "ragged", "odd", "small"]
EPILOGUES = ["none", "add", "gelu", "scale_bias", "downcast", "load_add_store"]


@dataclass(frozen=True)
class Case:
    """One combination of variants."""

    dtype: torch.dtype
    tile: tuple[int, int, int, int]
    num_stages: int
    size: str
    epilogue: str
    access: str
    a_order: str
    b_order: str
    padding: int
    batch: int

    def __str__(self) -> str:
        m, n, k, warps = self.tile
        name = str(self.dtype).removeprefix("torch.")
        return (
            f"{name}-{m}x{n}x{k}w{warps}s{self.num_stages}-{self.size}-{self.epilogue}-{self.access}"
            f"-a_{self.a_order}-b_{self.b_order}-pad{self.padding}-batch{self.batch}"
        )


VARIANTS = {
    "dtype": DTYPES,
    "tile": TILES,
    "num_stages": [1, 2, 3, 4],
    "size": SIZES,
    "epilogue": EPILOGUES,
    "access": ["block", "pointers"],
    "a_order": ["row", "column"],
    "b_order": ["row", "column"],
    "padding": [0, 16, 3],
    "batch": [1, 3],
}


def is_meaningful(values: list) -> bool:
    """Return whether there are such kernels: there is no GELU of integers."""
    chosen = dict(zip(VARIANTS, values, strict=False))
    return not (chosen.get("dtype") == torch.int8 and chosen.get("epilogue") == "gelu")


PAIRWISE = [Case(*values) for values in AllPairs(list(VARIANTS.values()), filter_func=is_meaningful)]
#: All orders, paddings and sizes for the layouts that matter most.
FULL = [
    Case(dtype, tile, 2, size, epilogue, access, a_order, b_order, padding, 1)
    for dtype, tile, size, epilogue, access, a_order, b_order, padding in itertools.product(
        DTYPES, [(64, 64, 32, 4), (256, 256, 32, 32)], SIZES, ["none", "add"], ["block", "pointers"],
        ["row", "column"], ["row", "column"], [0, 16, 3],
    )
]  # fmt: skip


def problem_size(case: Case) -> tuple[int, int, int]:
    """Return M, N, K."""
    m, n, k, _ = case.tile
    return {
        "whole": (2 * m, n, 3 * k),
        "ragged": (m + 16, n + 48, 2 * k + 16),
        "odd": (m + 5, n + 3, 2 * k + 7),
        "small": (max(1, m // 2 - 1), max(16, n // 2), 16),
    }[case.size]


def arrange(tensor: torch.Tensor, order: str, padding: int) -> torch.Tensor:
    """Return the same values in column-major order, or with rows (columns) that are `padding` elements apart."""
    if order == "column":
        inner = tensor.transpose(-1, -2)
        return strided(inner, inner.shape[-1] + padding).transpose(-1, -2) if padding else column_major(tensor)
    return strided(tensor, tensor.shape[-1] + padding) if padding else tensor.contiguous()


def run(case: Case, device: str = "cpu") -> None:
    m, n, k = problem_size(case)
    block_m, block_n, block_k, num_warps = case.tile
    is_float = case.dtype.is_floating_point
    accumulator = torch.float32 if is_float else torch.int32
    output = case.dtype if case.epilogue == "downcast" and is_float else accumulator

    a = random_tensor((case.batch, m, k), case.dtype, seed=1)
    b = random_tensor((case.batch, k, n), case.dtype, seed=2)
    d = random_tensor((case.batch, m, n), torch.float32, seed=3)
    bias = random_tensor((n,), torch.float32, seed=4)
    if not is_float:
        d, bias = (d * 1000).to(accumulator), (bias * 1000).to(accumulator)
    product = reference_matmul(a, b)
    expected = reference_epilogue(product, d, bias, case.epilogue)

    a, b = arrange(a, case.a_order, case.padding), arrange(b, case.b_order, case.padding)
    d_argument = arrange(d.clone(), "row", case.padding).to(device)
    c = arrange(poisoned((case.batch, m, n), output), "row", case.padding).to(device)
    kernel = gemm_block_pointers if case.access == "block" else gemm_pointers
    grid = (triton.cdiv(m, block_m), triton.cdiv(n, block_n), case.batch)
    kernel[grid](
        a.to(device), b.to(device), c, d_argument, bias.to(device), m, n, k,
        *a.stride(), *b.stride(), *c.stride(), *d_argument.stride(),
        BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=block_k,
        ACC=tl.float32 if is_float else tl.int32, EPILOGUE=case.epilogue,
        num_warps=num_warps, num_stages=case.num_stages, grf_mode="256" if num_warps <= 32 else "default",
    )  # fmt: skip
    assert_close(c.cpu(), expected, TOLERANCES[case.dtype])
    if case.epilogue == "load_add_store":
        assert_close(d_argument.cpu(), expected + d.to(expected.dtype), TOLERANCES[case.dtype])


def marked(cases: list[Case]) -> list:
    """Return the cases as parameters; small ones of every type also run with other instruction sets."""
    seen: list[torch.dtype] = []
    parameters = []
    for case in cases:
        is_chosen = case.tile[0] * case.tile[1] <= 64 * 64 and seen.count(case.dtype) < 2
        seen += [case.dtype] * is_chosen
        parameters.append(pytest.param(case, marks=[pytest.mark.instruction_sets] * is_chosen))
    return parameters


@pytest.mark.parametrize("case", marked(PAIRWISE), ids=str)
def test_gemm(case: Case) -> None:
    run(case)


@pytest.mark.full
@pytest.mark.parametrize("case", FULL, ids=str)
def test_gemm_full(case: Case) -> None:
    run(case)
