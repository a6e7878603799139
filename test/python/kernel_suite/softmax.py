# SPDX-License-Identifier: MIT
"""Softmax over rows and cross entropy."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def softmax_row_kernel(out_ptr, x_ptr, out_stride, x_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * x_stride + offsets, mask=mask, other=-float("inf")).to(tl.float32)
    numerator = tl.exp(x - tl.max(x, axis=0))
    result = numerator / tl.sum(numerator, axis=0)
    tl.store(out_ptr + row * out_stride + offsets, result.to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def softmax_row_backward_kernel(dx_ptr, y_ptr, grad_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * stride
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    y = tl.load(y_ptr + row + offsets, mask=mask, other=0).to(tl.float32)
    grad = tl.load(grad_ptr + row + offsets, mask=mask, other=0).to(tl.float32)
    product = y * grad
    dx = product - y * tl.sum(product, axis=0)
    tl.store(dx_ptr + row + offsets, dx.to(dx_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 8), dtype=(torch.float32, torch.bfloat16))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.float16,))
def row_softmax(session: Session, dtype: torch.dtype) -> list[Result]:
    """One row per program, with a row of -inf except for one element; forward and backward."""
    rows, columns = 7, 781
    values = torch.randn(rows, columns, generator=torch.Generator().manual_seed(session.seed)) * 3
    values[3] = -float("inf")
    values[3, 5] = 1.0
    x, grad = session.input(values.to(dtype)), session.randn((rows, columns), dtype)
    out, dx = session.output((rows, columns + 3), dtype), session.output((rows, columns), dtype)
    session.launch(softmax_row_kernel, (rows,), out, x, columns + 3, columns, columns, BLOCK=1024)
    expected = x.double().softmax(1)
    rounded = session.input(expected.to(dtype))
    session.launch(softmax_row_backward_kernel, (rows,), dx, rounded, grad, columns, columns, BLOCK=1024)
    y, g = rounded.double(), grad.double()
    return [
        Result(out[:, :columns], expected, TOLERANCE[dtype]),
        Result(dx, y * g - y * (y * g).sum(1, keepdim=True), TOLERANCE[dtype]),
    ]


@triton.jit
def softmax_online_kernel(out_ptr, x_ptr, stride, columns, BLOCK: tl.constexpr):
    """Rows longer than a block: running maximum and sum, then a second pass."""
    row = tl.program_id(0).to(tl.int64) * stride
    lanes = tl.arange(0, BLOCK)
    maximum = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + lanes
        x = tl.load(x_ptr + row + offsets, mask=offsets < columns, other=-float("inf"), eviction_policy="evict_last")
        new = tl.maximum(maximum, x.to(tl.float32))
        # A lane that has seen nothing but -inf keeps its sum of 0.
        base = tl.where(new == -float("inf"), 0.0, new)
        total = total * tl.exp(maximum - base) + tl.exp(x.to(tl.float32) - base)
        maximum = new
    largest = tl.max(maximum, axis=0)
    denominator = tl.sum(total * tl.exp(maximum - largest), axis=0)
    for start in range(0, columns, BLOCK):
        offsets = start + lanes
        mask = offsets < columns
        x = tl.load(x_ptr + row + offsets, mask=mask, eviction_policy="evict_first").to(tl.float32)
        result = tl.exp(x - largest) / denominator
        tl.store(out_ptr + row + offsets, result.to(out_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 16), dtype=(torch.float32, torch.bfloat16))
def online_softmax(session: Session, dtype: torch.dtype) -> list[Result]:
    """Rows of several blocks, the last one ragged."""
    rows, columns = 3, 2351
    x, out = session.randn((rows, columns), dtype, 4.0), session.output((rows, columns), dtype)
    session.launch(softmax_online_kernel, (rows,), out, x, columns, columns, BLOCK=512)
    return [Result(out, x.double().softmax(1), TOLERANCE[dtype])]


@triton.jit
def softmax_rows_kernel(out_ptr, x_ptr, rows, columns, LOG: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Several short rows per program."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.arange(0, BLOCK)[None, :]
    mask = (i < rows) & (j < columns)
    x = tl.load(x_ptr + i * columns + j, mask=mask, other=-float("inf"))
    shifted = x - tl.where(i < rows, tl.max(x, axis=1)[:, None], 0.0)
    total = tl.sum(tl.exp(shifted), axis=1)[:, None]
    result = shifted - tl.log(total) if LOG else tl.exp(shifted) / total
    tl.store(out_ptr + i * columns + j, result, mask=mask)


@kernel_case(num_warps=(4, 1, 2), log=(False, True))
def short_rows(session: Session, log: bool) -> list[Result]:
    """Softmax and logarithmic softmax of many short rows."""
    rows, columns = 45, 27
    x, out = session.randn((rows, columns)), session.output((rows, columns))
    grid = (triton.cdiv(rows, 16),)
    session.launch(softmax_rows_kernel, grid, out, x, rows, columns, LOG=log, ROWS=16, BLOCK=32)
    return [Result(out, x.double().log_softmax(1) if log else x.double().softmax(1), 1e-5)]


@triton.jit
def cross_entropy_kernel(
    loss_ptr, lse_ptr, logits_ptr, target_ptr, stride, classes, smoothing, IGNORE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Loss and the logarithm of the sum of exponentials of a row, in blocks of classes."""
    row = tl.program_id(0)
    target = tl.load(target_ptr + row)
    logits = logits_ptr + row.to(tl.int64) * stride
    largest = -float("inf")
    total = 0.0
    summed = 0.0
    for start in range(0, classes, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < classes
        x = tl.load(logits + offsets, mask=mask, other=-float("inf")).to(tl.float32)
        new = tl.maximum(largest, tl.max(x, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(x - new), axis=0)
        summed += tl.sum(tl.where(mask, x, 0.0), axis=0)
        largest = new
    lse = largest + tl.log(total)
    tl.store(lse_ptr + row, lse)
    loss = 0.0
    if target != IGNORE:
        picked = tl.load(logits + target).to(tl.float32)
        loss = lse - (1.0 - smoothing) * picked - smoothing * summed / classes
    tl.store(loss_ptr + row, loss)


@triton.jit
def cross_entropy_backward_kernel(
    dlogits_ptr, grad_ptr, lse_ptr, logits_ptr, target_ptr, stride, classes, smoothing,
    IGNORE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0)
    offsets = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < classes
    place = row.to(tl.int64) * stride + offsets
    target = tl.load(target_ptr + row)
    grad = tl.load(grad_ptr + row)
    grad = tl.where(target == IGNORE, 0.0, grad)
    x = tl.load(logits_ptr + place, mask=mask, other=-float("inf")).to(tl.float32)
    probability = tl.exp(x - tl.load(lse_ptr + row))
    dx = probability - smoothing / classes - tl.where(offsets == target, 1.0 - smoothing, 0.0)
    tl.store(dlogits_ptr + place, (grad * dx).to(dlogits_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 2), dtype=(torch.float32, torch.bfloat16), smoothing=(0.0, 0.1))
def cross_entropy(session: Session, dtype: torch.dtype, smoothing: float) -> list[Result]:
    """Cross entropy with ignored targets and label smoothing, forward and backward."""
    rows, classes, ignore = 9, 1111, -100
    logits, grad = session.randn((rows, classes), dtype, 2.0), session.randn((rows,))
    targets = torch.randint(0, classes, (rows,), generator=torch.Generator().manual_seed(session.seed))
    targets[4] = ignore
    target = session.input(targets)
    loss, lse, dlogits = session.output((rows,)), session.output((rows,)), session.output((rows, classes), dtype)
    session.launch(
        cross_entropy_kernel, (rows,), loss, lse, logits, target, classes, classes, smoothing,
        IGNORE=ignore, BLOCK=512,
    )  # fmt: skip
    wide = logits.double().requires_grad_()
    expected = torch.nn.functional.cross_entropy(
        wide, targets, reduction="none", ignore_index=ignore, label_smoothing=smoothing
    )
    expected.backward(grad.double())
    expected_lse = wide.detach().logsumexp(1)
    known_lse = session.input(expected_lse.float())
    session.launch(
        cross_entropy_backward_kernel, (rows, triton.cdiv(classes, 256)), dlogits, grad, known_lse, logits, target,
        classes, classes, smoothing, IGNORE=ignore, BLOCK=256,
    )  # fmt: skip
    return [
        Result(loss, expected.detach(), 1e-5),
        Result(lse, expected_lse, 1e-5),
        Result(dlogits, wide.grad, TOLERANCE[dtype]),
    ]
