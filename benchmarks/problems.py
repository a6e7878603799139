# SPDX-License-Identifier: MIT
"""Arguments and float64 references for the GEMM kernels."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
import triton
import triton.language as tl
from harness import Problem

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from kernel_suite.block_pointer_gemm import gemm, gemm_addmatrix, gemm_addmatrix_batched, gemm_batched, reference_grid

_OPERANDS = {"bf16": torch.bfloat16, "f16": torch.float16, "int8": torch.int8}
_TOLERANCES = {"bf16": 1e-2, "f16": 2e-3, "int8": 0.0}


def _random(shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
    if dtype.is_floating_point:
        return torch.randn(shape, dtype=torch.float32).to(dtype)
    limits = torch.iinfo(dtype)
    return torch.randint(max(limits.min, -128), min(limits.max, 127) + 1, shape, dtype=dtype)


def gemm_problem(shape: Sequence[int], dtype: str, device: torch.device, *, addmatrix: bool) -> Problem:
    """`C = A @ B` or `C = A @ B + D` of shape (M, N, K) or (B, M, N, K).

    Operands are of `dtype`; C and D are float32 (int32 for int8).
    """
    batch = tuple(shape[:-3])
    m, n, k = shape[-3:]
    operand = _OPERANDS[dtype]
    accumulator = torch.float32 if operand.is_floating_point else torch.int32
    wide = torch.float64 if operand.is_floating_point else torch.int64
    a, b = _random((*batch, m, k), operand), _random((*batch, k, n), operand)
    d = _random((*batch, m, n), accumulator) if addmatrix else None
    if operand.is_floating_point:
        reference = a.to(wide) @ b.to(wide)
    else:
        # Exact: products and sums of int8 stay far below 2**53.
        reference = (a.to(torch.float64) @ b.to(torch.float64)).to(wide)
    if d is not None:
        reference = reference + d.to(wide)
    a, b = a.to(device), b.to(device)
    c = torch.empty((*batch, m, n), dtype=accumulator, device=device)
    tensors = [a, b, c]
    if d is not None:
        tensors.append(d.to(device))
    kernel = {
        (False, False): gemm,
        (False, True): gemm_batched,
        (True, False): gemm_addmatrix,
        (True, True): gemm_addmatrix_batched,
    }[addmatrix, bool(batch)]
    strides = [stride for tensor in tensors for stride in tensor.stride()]
    arguments = [*tensors, *batch, m, n, k, *strides]
    acc = tl.float32 if operand.is_floating_point else tl.int32

    def grid(meta: dict) -> tuple[int, ...]:
        return reference_grid(m, n, batch[0] if batch else None, meta["BLOCK_M"], meta["BLOCK_N"])

    def launch(**meta: object) -> object:
        return kernel[grid](*arguments, ACC=acc, **meta)

    def warmup(**meta: object) -> object:
        return kernel.warmup(*arguments, ACC=acc, grid=grid, **meta)

    def autotune(configs: Sequence[triton.Config]) -> triton.Config:
        tuner = triton.autotune(configs=list(configs), key=["M", "N", "K"])(kernel)
        tuner[grid](*arguments, ACC=acc)
        return tuner.best_config

    return Problem(
        kernel=kernel.fn.__name__,
        dtype=dtype,
        shape="x".join(str(size) for size in shape),
        launch=launch,
        warmup=warmup,
        autotune=autotune,
        output=c,
        reference=reference,
        tolerance=_TOLERANCES[dtype],
    )


def gemm_problems(
    shapes: Sequence[Sequence[int]], dtypes: Sequence[str], device: torch.device, *, addmatrix: bool
) -> Iterator[Problem]:
    """Yield one problem per shape and dtype, on fresh random numbers."""
    for shape in shapes:
        if len(shape) not in (3, 4):
            raise SystemExit(f"--shape takes M,N,K or B,M,N,K, found {','.join(map(str, shape))}")
        for dtype in dtypes:
            yield gemm_problem(shape, dtype, device, addmatrix=addmatrix)
