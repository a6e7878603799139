# SPDX-License-Identifier: MIT
"""Layer norm, RMS norm and group norm, forward and backward."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case

EPSILON = 1e-5


@triton.jit
def layer_norm_kernel(
    out_ptr, mean_ptr, rstd_ptr, x_ptr, weight_ptr, bias_ptr, stride, columns, epsilon, BLOCK: tl.constexpr,
):  # fmt: skip
    """One row per program, in three passes over blocks of columns."""
    row = tl.program_id(0)
    x_row = x_ptr + row * stride
    partial = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        partial += tl.load(x_row + offsets, mask=offsets < columns, other=0.0).to(tl.float32)
    mean = tl.sum(partial, axis=0) / columns
    partial = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_row + offsets, mask=offsets < columns, other=0.0).to(tl.float32)
        centred = tl.where(offsets < columns, x - mean, 0.0)
        partial += centred * centred
    rstd = tl.rsqrt(tl.sum(partial, axis=0) / columns + epsilon)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        x = tl.load(x_row + offsets, mask=mask, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + offsets, mask=mask)
        bias = tl.load(bias_ptr + offsets, mask=mask)
        y = (x - mean) * rstd * weight + bias
        tl.store(out_ptr + row * stride + offsets, y.to(out_ptr.dtype.element_ty), mask=mask)


@triton.jit
def layer_norm_backward_kernel(
    dx_ptr, dw_part_ptr, db_part_ptr, grad_ptr, x_ptr, weight_ptr, mean_ptr, rstd_ptr,
    stride, rows, columns, rows_per_program, BLOCK: tl.constexpr,
):  # fmt: skip
    """A few rows per program: dx of each, and one row of partial sums of the gradients of weight and bias."""
    program = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    weight = tl.load(weight_ptr + offsets, mask=mask, other=0.0)
    dw = tl.zeros((BLOCK,), tl.float32)
    db = tl.zeros((BLOCK,), tl.float32)
    first = program * rows_per_program
    for row in range(first, tl.minimum(first + rows_per_program, rows)):
        x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=0.0).to(tl.float32)
        grad = tl.load(grad_ptr + row * stride + offsets, mask=mask, other=0.0).to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        normal = tl.where(mask, (x - mean) * rstd, 0.0)
        scaled = weight * grad
        c1 = tl.sum(normal * scaled, axis=0) / columns
        c2 = tl.sum(scaled, axis=0) / columns
        dx = (scaled - (normal * c1 + c2)) * rstd
        tl.store(dx_ptr + row * stride + offsets, dx.to(dx_ptr.dtype.element_ty), mask=mask)
        dw += grad * normal
        db += grad
    tl.store(dw_part_ptr + program * columns + offsets, dw, mask=mask)
    tl.store(db_part_ptr + program * columns + offsets, db, mask=mask)


@triton.jit
def sum_rows_kernel(out_ptr, part_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Column sums, by tiles of rows."""
    j = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, rows, ROWS):
        i = start + tl.arange(0, ROWS)
        mask = (i[:, None] < rows) & (j[None, :] < columns)
        total += tl.load(part_ptr + i[:, None] * columns + j[None, :], mask=mask, other=0.0)
    tl.store(out_ptr + j, tl.sum(total, axis=0), mask=j < columns)


@kernel_case(num_warps=(4, 8), dtype=(torch.float32, torch.float16))
@kernel_case(num_warps=(4, 8), full=True, dtype=(torch.bfloat16,))
def layer_norm(session: Session, dtype: torch.dtype) -> list[Result]:
    """Layer norm; the gradients of weight and bias by two steps of parallel sums."""
    rows, columns, programs = 21, 500, 6
    x, grad = session.randn((rows, columns), dtype, 2.0), session.randn((rows, columns), dtype)
    weight, bias = session.randn((columns,)), session.randn((columns,))
    out, mean, rstd = session.output((rows, columns), dtype), session.output((rows,)), session.output((rows,))
    session.launch(layer_norm_kernel, (rows,), out, mean, rstd, x, weight, bias, columns, columns, EPSILON, BLOCK=256)
    wide = [tensor.double().requires_grad_() for tensor in (x, weight, bias)]
    expected = torch.nn.functional.layer_norm(wide[0], (columns,), wide[1], wide[2], EPSILON)
    expected.backward(grad.double())
    expected_mean = x.double().mean(1)
    expected_rstd = (x.double().var(1, unbiased=False) + EPSILON).rsqrt()
    dx = session.output((rows, columns), dtype)
    dw_part, db_part = session.output((programs, columns)), session.output((programs, columns))
    dw, db = session.output((columns,)), session.output((columns,))
    session.launch(
        layer_norm_backward_kernel, (programs,), dx, dw_part, db_part, grad, x, weight,
        session.input(expected_mean.float()), session.input(expected_rstd.float()),
        columns, rows, columns, triton.cdiv(rows, programs), BLOCK=512,
    )  # fmt: skip
    for total, part in ((dw, dw_part), (db, db_part)):
        session.launch(sum_rows_kernel, (triton.cdiv(columns, 64),), total, part, programs, columns, ROWS=4, COLUMNS=64)
    tolerance = TOLERANCE[dtype]
    return [
        Result(out, expected.detach(), tolerance),
        Result(mean, expected_mean, 1e-5),
        Result(rstd, expected_rstd, 1e-5),
        Result(dx, wide[0].grad, tolerance),
        Result(dw, wide[1].grad, 1e-5),
        Result(db, wide[2].grad, 1e-5),
    ]


@triton.jit
def layer_norm_weights_locked_kernel(
    dw_ptr, db_ptr, lock_ptr, grad_ptr, x_ptr, mean_ptr, rstd_ptr, columns, groups, BLOCK: tl.constexpr,
):  # fmt: skip
    """One row per program, added to one of a few rows of partial sums under a lock.

    Each group has a lock and, after all of them, a mark that its row holds something.
    """
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
    grad = tl.load(grad_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
    dw = grad * (x - tl.load(mean_ptr + row)) * tl.load(rstd_ptr + row)
    group = row % groups
    while tl.atomic_cas(lock_ptr + group, 0, 1) == 1:
        pass
    place = group * columns + offsets
    if tl.load(lock_ptr + groups + group, volatile=True) == 0:
        tl.atomic_xchg(lock_ptr + groups + group, 1)
        db = grad
    else:
        dw += tl.load(dw_ptr + place, mask=mask)
        db = grad + tl.load(db_ptr + place, mask=mask)
    tl.store(dw_ptr + place, dw, mask=mask)
    tl.store(db_ptr + place, db, mask=mask)
    # Every thread's stores before the lock opens.
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr + group, 0)


@kernel_case(num_warps=(4, 8))
def layer_norm_locks(session: Session) -> list[Result]:
    """Gradients of weight and bias, rows added up under locks."""
    rows, columns, groups = 21, 300, 4
    x, grad = session.randn((rows, columns), torch.bfloat16, 2.0), session.randn((rows, columns), torch.bfloat16)
    mean = x.double().mean(1)
    rstd = (x.double().var(1, unbiased=False) + EPSILON).rsqrt()
    dw_part, db_part = session.output((groups, columns)), session.output((groups, columns))
    locks = session.zeros((2 * groups,), torch.int32)
    session.launch(
        layer_norm_weights_locked_kernel, (rows,), dw_part, db_part, locks, grad, x, session.input(mean.float()),
        session.input(rstd.float()), columns, groups, BLOCK=512,
    )  # fmt: skip
    dw, db = session.output((columns,)), session.output((columns,))
    for total, part in ((dw, dw_part), (db, db_part)):
        session.launch(sum_rows_kernel, (triton.cdiv(columns, 64),), total, part, groups, columns, ROWS=4, COLUMNS=64)
    normal = (x.double() - mean[:, None]) * rstd[:, None]
    return [
        Result(dw, (grad.double() * normal).sum(0), 1e-5),
        Result(db, grad.double().sum(0), 1e-5),
        Result(locks[:groups], torch.zeros(groups), 0.0),
    ]


@triton.jit
def rms_norm_kernel(
    out_ptr, rstd_ptr, x_ptr, weight_ptr, rows, columns, epsilon, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    """A tile of whole rows per program."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    j = tl.arange(0, BLOCK)
    mask = (i < rows)[:, None] & (j < columns)[None, :]
    place = i[:, None] * columns + j[None, :]
    x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(x * x, axis=1) / columns + epsilon)
    weight = tl.load(weight_ptr + j, mask=j < columns, other=0.0).to(tl.float32)
    tl.store(out_ptr + place, (x * rstd[:, None] * weight[None, :]).to(out_ptr.dtype.element_ty), mask=mask)
    tl.store(rstd_ptr + i, rstd, mask=i < rows)


@triton.jit
def rms_norm_backward_kernel(
    dx_ptr, dw_part_ptr, grad_ptr, x_ptr, weight_ptr, rstd_ptr, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    program = tl.program_id(0)
    i = program * ROWS + tl.arange(0, ROWS)
    j = tl.arange(0, BLOCK)
    mask = (i < rows)[:, None] & (j < columns)[None, :]
    place = i[:, None] * columns + j[None, :]
    x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
    grad = tl.load(grad_ptr + place, mask=mask, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + j, mask=j < columns, other=0.0).to(tl.float32)
    rstd = tl.load(rstd_ptr + i, mask=i < rows, other=0.0)[:, None]
    scaled = grad * weight[None, :]
    projection = tl.sum(scaled * x, axis=1)[:, None] / columns
    dx = rstd * (scaled - x * rstd * rstd * projection)
    tl.store(dx_ptr + place, dx.to(dx_ptr.dtype.element_ty), mask=mask)
    tl.store(dw_part_ptr + program * columns + j, tl.sum(grad * x * rstd, axis=0), mask=j < columns)


@kernel_case(num_warps=(4, 8), dtype=(torch.float32, torch.bfloat16))
def rms_norm(session: Session, dtype: torch.dtype) -> list[Result]:
    """RMS norm on tiles of rows: reductions along both dimensions of one tensor."""
    rows, columns, tile = 10, 200, 4
    x, grad = session.randn((rows, columns), dtype), session.randn((rows, columns), dtype)
    weight = session.randn((columns,), dtype)
    out, rstd = session.output((rows, columns), dtype), session.output((rows,))
    programs = triton.cdiv(rows, tile)
    session.launch(rms_norm_kernel, (programs,), out, rstd, x, weight, rows, columns, EPSILON, ROWS=tile, BLOCK=256)
    wide = [tensor.double().requires_grad_() for tensor in (x, weight)]
    expected_rstd = (wide[0].square().mean(1) + EPSILON).rsqrt()
    expected = wide[0] * expected_rstd[:, None] * wide[1]
    expected.backward(grad.double())
    dx, dw_part = session.output((rows, columns), dtype), session.output((programs, columns))
    dw = session.output((columns,))
    session.launch(
        rms_norm_backward_kernel, (programs,), dx, dw_part, grad, x, weight,
        session.input(expected_rstd.detach().float()), rows, columns, ROWS=tile, BLOCK=256,
    )  # fmt: skip
    session.launch(sum_rows_kernel, (triton.cdiv(columns, 64),), dw, dw_part, programs, columns, ROWS=4, COLUMNS=64)
    return [
        Result(out, expected.detach(), TOLERANCE[dtype]),
        Result(rstd, expected_rstd.detach(), 1e-5),
        Result(dx, wide[0].grad, TOLERANCE[dtype]),
        Result(dw, wide[1].grad, 1e-5),
    ]


@triton.jit
def group_norm_kernel(
    out_ptr, x_ptr, weight_ptr, bias_ptr, groups, channels_per_group, pixels, epsilon,
    CHANNELS: tl.constexpr, PIXELS: tl.constexpr,
):  # fmt: skip
    """One group of one image per program; channels are contiguous planes."""
    group = tl.program_id(0) % groups
    base = tl.program_id(0).to(tl.int64) * channels_per_group * pixels
    c = tl.arange(0, CHANNELS)[:, None]
    total = tl.zeros((CHANNELS, PIXELS), tl.float32)
    squares = tl.zeros((CHANNELS, PIXELS), tl.float32)
    for start in range(0, pixels, PIXELS):
        p = start + tl.arange(0, PIXELS)[None, :]
        x = tl.load(x_ptr + base + c * pixels + p, mask=(c < channels_per_group) & (p < pixels), other=0.0)
        total += x
        squares += x * x
    count = channels_per_group * pixels
    mean = tl.sum(total) / count
    rstd = tl.rsqrt(tl.sum(squares) / count - mean * mean + epsilon)
    weight = tl.load(weight_ptr + group * channels_per_group + c, mask=c < channels_per_group)
    bias = tl.load(bias_ptr + group * channels_per_group + c, mask=c < channels_per_group)
    for start in range(0, pixels, PIXELS):
        p = start + tl.arange(0, PIXELS)[None, :]
        mask = (c < channels_per_group) & (p < pixels)
        x = tl.load(x_ptr + base + c * pixels + p, mask=mask, other=0.0)
        tl.store(out_ptr + base + c * pixels + p, (x - mean) * rstd * weight + bias, mask=mask)


@kernel_case(num_warps=(4, 2))
def group_norm(session: Session) -> list[Result]:
    """Group norm of images whose planes are no multiple of the block."""
    images, channels, groups, height, width = 2, 12, 4, 9, 11
    x, out = session.randn((images, channels, height, width)), session.output((images, channels, height, width))
    weight, bias = session.randn((channels,)), session.randn((channels,))
    session.launch(
        group_norm_kernel, (images * groups,), out, x, weight, bias, groups, channels // groups, height * width,
        EPSILON, CHANNELS=4, PIXELS=64,
    )  # fmt: skip
    expected = torch.nn.functional.group_norm(x.double(), groups, weight.double(), bias.double(), EPSILON)
    return [Result(out, expected, 1e-5)]
