# SPDX-License-Identifier: MIT
"""Matrix products beyond the plain GEMM: batched, grouped, split along K, stream-K, block-sparse, convolution."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from kernel_suite.case import TOLERANCE, Result, Session, kernel_case


@triton.jit
def batched_gemm_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_ab, stride_am, stride_bb, stride_bk, stride_cb, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):  # fmt: skip
    """C[i] = A[i] @ B[i], tiles of C in groups of rows."""
    batch = tl.program_id(1).to(tl.int64)
    tile_m, tile_n = tl.swizzle2d(
        tl.program_id(0) // tl.cdiv(N, BLOCK_N), tl.program_id(0) % tl.cdiv(N, BLOCK_N),
        tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N), GROUP_M,
    )  # fmt: skip
    a = tl.make_block_ptr(
        a_ptr + batch * stride_ab, (M, K), (stride_am, 1), (tile_m * BLOCK_M, 0), (BLOCK_M, BLOCK_K), (1, 0)
    )
    b = tl.make_block_ptr(
        b_ptr + batch * stride_bb, (K, N), (stride_bk, 1), (0, tile_n * BLOCK_N), (BLOCK_K, BLOCK_N), (1, 0)
    )
    c = tl.make_block_ptr(
        c_ptr + batch * stride_cb, (M, N), (stride_cm, 1), (tile_m * BLOCK_M, tile_n * BLOCK_N), (BLOCK_M, BLOCK_N),
        (1, 0),
    )  # fmt: skip
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, K, BLOCK_K):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        accumulator = tl.dot(x, y, accumulator)
        a = tl.advance(a, (0, BLOCK_K))
        b = tl.advance(b, (BLOCK_K, 0))
    tl.store(c, accumulator.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@kernel_case(num_warps=(8, 4), dtype=(torch.bfloat16,), pitches=("ragged", "whole"))
@kernel_case(num_warps=(8, 4), full=True, dtype=(torch.float16,), pitches=("ragged", "whole"))
def batched_gemm(session: Session, dtype: torch.dtype, pitches: str) -> list[Result]:
    """A batch of products, tiles in a grouped order; with pitches that 2D block messages take, or not."""
    batch = 3
    m, n, k = (72, 104, 56) if pitches == "ragged" else (72, 112, 48)
    a, b = session.randn((batch, m, k), dtype), session.randn((batch, k, n), dtype)
    c = session.output((batch, m, n), dtype)
    grid = (triton.cdiv(m, 32) * triton.cdiv(n, 64), batch)
    session.launch(
        batched_gemm_kernel, grid, a, b, c, m, n, k, m * k, k, k * n, n, m * n, n,
        BLOCK_M=32, BLOCK_N=64, BLOCK_K=32, GROUP_M=2,
    )  # fmt: skip
    return [Result(c, a.double() @ b.double(), TOLERANCE[dtype])]


@triton.jit
def grouped_gemm_kernel(
    a_table, b_table, c_table, sizes_ptr, pitches_ptr, groups, programs,
    DTYPE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Products of different sizes; a fixed number of programs takes the tiles of all of them in turn."""
    tile = tl.program_id(0)
    first = 0
    for group in range(groups):
        m = tl.load(sizes_ptr + group * 3)
        n = tl.load(sizes_ptr + group * 3 + 1)
        k = tl.load(sizes_ptr + group * 3 + 2)
        columns = tl.cdiv(n, BLOCK_N)
        count = tl.cdiv(m, BLOCK_M) * columns
        pitch_a = tl.load(pitches_ptr + group * 3)
        pitch_b = tl.load(pitches_ptr + group * 3 + 1)
        pitch_c = tl.load(pitches_ptr + group * 3 + 2)
        while tile >= first and tile < first + count:
            a_ptr = tl.load(a_table + group).to(tl.pointer_type(DTYPE))
            b_ptr = tl.load(b_table + group).to(tl.pointer_type(DTYPE))
            c_ptr = tl.load(c_table + group).to(tl.pointer_type(DTYPE))
            i = (tile - first) // columns * BLOCK_M + tl.arange(0, BLOCK_M)
            j = (tile - first) % columns * BLOCK_N + tl.arange(0, BLOCK_N)
            depth = tl.arange(0, BLOCK_K)
            accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
            for start in range(0, k, BLOCK_K):
                inner = start + depth
                x_mask = (i[:, None] < m) & (inner[None, :] < k)
                y_mask = (inner[:, None] < k) & (j[None, :] < n)
                x = tl.load(a_ptr + i[:, None] * pitch_a + inner[None, :], mask=x_mask, other=0.0)
                y = tl.load(b_ptr + inner[:, None] * pitch_b + j[None, :], mask=y_mask, other=0.0)
                accumulator = tl.dot(x, y, accumulator)
            mask = (i[:, None] < m) & (j[None, :] < n)
            tl.store(c_ptr + i[:, None] * pitch_c + j[None, :], accumulator.to(DTYPE), mask=mask)
            tile += programs
        first += count


@kernel_case(num_warps=(4, 8))
def grouped_gemm(session: Session) -> list[Result]:
    """Products of four sizes through a table of pointers in device memory."""
    sizes = [(33, 40, 20), (17, 16, 64), (64, 70, 33), (5, 3, 1)]
    dtype = torch.float16
    a = [session.randn((m, k), dtype) for m, _, k in sizes]
    b = [session.randn((k, n), dtype) for _, n, k in sizes]
    c = [session.output((m, n), dtype) for m, n, _ in sizes]
    tables = [session.input(torch.tensor([t.data_ptr() for t in group], dtype=torch.int64)) for group in (a, b, c)]
    numbers = session.input(torch.tensor(sizes, dtype=torch.int32))
    pitches = session.input(torch.tensor([(k, n, n) for _, n, k in sizes], dtype=torch.int32))
    programs = 3
    session.launch(
        grouped_gemm_kernel, (programs,), *tables, numbers, pitches, len(sizes), programs,
        DTYPE=tl.float16, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32,
    )  # fmt: skip
    return [Result(z, x.double() @ y.double(), TOLERANCE[dtype]) for x, y, z in zip(a, b, c, strict=True)]


@triton.jit
def split_k_kernel(
    a_ptr, b_ptr, part_ptr, M, N, K, k_per_split,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, ATOMIC: tl.constexpr,
):  # fmt: skip
    """One stretch of K of one tile: into a separate slice, or added to the result."""
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    split = tl.program_id(2)
    depth = tl.arange(0, BLOCK_K)
    end = tl.minimum(K, (split + 1) * k_per_split)
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(split * k_per_split, end, BLOCK_K):
        inner = start + depth
        x = tl.load(a_ptr + i[:, None] * K + inner[None, :], mask=(i[:, None] < M) & (inner[None, :] < end), other=0.0)
        y = tl.load(b_ptr + inner[:, None] * N + j[None, :], mask=(inner[:, None] < end) & (j[None, :] < N), other=0.0)
        accumulator = tl.dot(x, y, accumulator)
    place = i[:, None] * N + j[None, :]
    mask = (i[:, None] < M) & (j[None, :] < N)
    if ATOMIC:
        tl.atomic_add(part_ptr + place, accumulator, mask=mask, sem="relaxed")
    else:
        tl.store(part_ptr + split * M * N + place, accumulator, mask=mask)


@triton.jit
def add_splits_kernel(c_ptr, part_ptr, count, splits, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    total = tl.zeros((BLOCK,), tl.float32)
    for split in range(splits):
        total += tl.load(part_ptr + split * count + offsets, mask=mask)
    tl.store(c_ptr + offsets, total.to(c_ptr.dtype.element_ty), mask=mask)


@kernel_case(num_warps=(4, 8))
def split_k_slices(session: Session) -> list[Result]:
    """Split along K with a slice per split and a second launch that adds them."""
    m, n, k, splits = 40, 50, 300, 3
    a, b = session.randn((m, k), torch.bfloat16), session.randn((k, n), torch.bfloat16)
    part, c = session.output((splits, m, n)), session.output((m, n), torch.bfloat16)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 32), splits)
    session.launch(split_k_kernel, grid, a, b, part, m, n, k, 104, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, ATOMIC=False)
    session.launch(add_splits_kernel, (triton.cdiv(m * n, 256),), c, part, m * n, splits, BLOCK=256)
    return [Result(c, a.double() @ b.double(), 1e-2)]


@kernel_case(num_warps=(4, 8))
def split_k_atomic(session: Session) -> list[Result]:
    """Split along K with atomic additions."""
    m, n, k, splits = 40, 50, 300, 3
    a, b, c = session.randn((m, k), torch.bfloat16), session.randn((k, n), torch.bfloat16), session.zeros((m, n))
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 32), splits)
    session.launch(split_k_kernel, grid, a, b, c, m, n, k, 104, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, ATOMIC=True)
    return [Result(c, a.double() @ b.double(), 1e-5)]


@triton.jit
def stream_k_kernel(
    a_ptr, b_ptr, c_ptr, part_ptr, lock_ptr, M, N, K, steps_per_program,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """All steps along K of all tiles in one row, cut into stretches of equal length, one per program.

    The program with the last step of a tile waits for the parts of those before, which come in the order of the
    programs. A program needs no later one to finish, so that it does not matter how many run at a time.
    """
    program = tl.program_id(0)
    per_tile = tl.cdiv(K, BLOCK_K)
    columns = tl.cdiv(N, BLOCK_N)
    step = program * steps_per_program
    end = tl.minimum(step + steps_per_program, tl.cdiv(M, BLOCK_M) * columns * per_tile)
    inside = tl.arange(0, BLOCK_M)[:, None] * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    while step < end:
        tile = step // per_tile
        first = step % per_tile
        last = tl.minimum(per_tile, first + end - step)
        i = tile // columns * BLOCK_M + tl.arange(0, BLOCK_M)
        j = tile % columns * BLOCK_N + tl.arange(0, BLOCK_N)
        accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for block in range(first, last):
            k = block * BLOCK_K + tl.arange(0, BLOCK_K)
            x = tl.load(a_ptr + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
            y = tl.load(b_ptr + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
            accumulator = tl.dot(x, y, accumulator)
        part = part_ptr + tile * BLOCK_M * BLOCK_N + inside
        if first > 0:
            # The programs of a tile take turns; the lock counts the steps that are done.
            while tl.atomic_cas(lock_ptr + tile, first, first, sem="acquire") != first:
                pass
            accumulator += tl.load(part)
        if last < per_tile:
            tl.store(part, accumulator)
            # Every thread's store before the announcement.
            tl.debug_barrier()
            tl.atomic_xchg(lock_ptr + tile, last, sem="release")
        else:
            mask = (i[:, None] < M) & (j[None, :] < N)
            tl.store(c_ptr + i[:, None] * N + j[None, :], accumulator.to(c_ptr.dtype.element_ty), mask=mask)
        step += last - first


@kernel_case(num_warps=(4, 8))
def stream_k(session: Session) -> list[Result]:
    """Stream-K: tiles shared by programs in stretches, joined in order through locks."""
    m, n, k, programs = 70, 50, 200, 4
    a, b, c = session.randn((m, k), torch.float16), session.randn((k, n), torch.float16), session.output((m, n))
    tiles, per_tile = triton.cdiv(m, 32) * triton.cdiv(n, 32), triton.cdiv(k, 32)
    part, lock = session.output((tiles, 32, 32)), session.zeros((tiles,), torch.int32)
    session.launch(
        stream_k_kernel, (programs,), a, b, c, part, lock, m, n, k, triton.cdiv(tiles * per_tile, programs),
        BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, grf_mode="256",
    )  # fmt: skip
    return [Result(c, a.double() @ b.double(), 1e-5)]


@triton.jit
def block_sparse_kernel(
    a_ptr, b_ptr, c_ptr, row_start_ptr, column_ptr, N, K, BLOCK: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """C = A @ B with A stored as its non-zero blocks, in the order of `column_ptr`."""
    row = tl.program_id(0)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK)
    accumulator = tl.zeros((BLOCK, BLOCK_N), tl.float32)
    for block in range(tl.load(row_start_ptr + row), tl.load(row_start_ptr + row + 1)):
        x = tl.load(a_ptr + block * BLOCK * BLOCK + inner[:, None] * BLOCK + inner[None, :])
        k = tl.load(column_ptr + block) * BLOCK + inner
        y = tl.load(b_ptr + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
        accumulator = tl.dot(x, y, accumulator)
    i = row * BLOCK + inner
    tl.store(c_ptr + i[:, None] * N + j[None, :], accumulator, mask=j[None, :] < N)


@kernel_case(num_warps=(4, 2), dtype=(torch.bfloat16,))
@kernel_case(num_warps=(4, 2), full=True, dtype=(torch.float16,))
def block_sparse(session: Session, dtype: torch.dtype) -> list[Result]:
    """A block-sparse matrix, with an empty row of blocks, times a dense one."""
    block, rows, columns, n = 32, 4, 5, 45
    pattern = torch.rand(rows, columns, generator=torch.Generator().manual_seed(session.seed)) < 0.5
    pattern[1] = False
    pattern[0, 2] = True
    k = columns * block
    counts = torch.cat([torch.zeros(1, dtype=torch.int64), pattern.sum(1).cumsum(0)]).to(torch.int32)
    a = session.randn((int(pattern.sum()), block, block), dtype)
    b, c = session.randn((k, n), dtype), session.output((rows * block, n))
    places = pattern.nonzero()
    session.launch(
        block_sparse_kernel, (rows, triton.cdiv(n, 32)), a, b, c, session.input(counts),
        session.input(places[:, 1].to(torch.int32)), n, k, BLOCK=block, BLOCK_N=32,
    )  # fmt: skip
    dense = torch.zeros(rows, block, columns, block, dtype=torch.float64)
    for index, (i, j) in enumerate(places.tolist()):
        dense[i, :, j] = a[index].double()
    return [Result(c, dense.reshape(rows * block, k) @ b.double(), TOLERANCE[dtype])]


@triton.jit
def convolution_kernel(
    x_ptr, weight_ptr, out_ptr, images, channels, height, width, out_channels, out_height, out_width,
    KERNEL: tl.constexpr, STRIDE: tl.constexpr, PADDING: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Convolution of NHWC images as a product: pixels of the output times (place in the window, channel)."""
    pixel = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    filter_ = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    image = pixel // (out_height * out_width)
    row = pixel // out_width % out_height * STRIDE - PADDING
    column = pixel % out_width * STRIDE - PADDING
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    blocks = tl.cdiv(channels, BLOCK_K)
    for step in range(KERNEL * KERNEL * blocks):
        place = step // blocks
        y = row + place // KERNEL
        x = column + place % KERNEL
        c = step % blocks * BLOCK_K + tl.arange(0, BLOCK_K)
        inside = (image < images) & (y >= 0) & (y < height) & (x >= 0) & (x < width)
        offset = ((image * height + y) * width + x) * channels
        value = tl.load(x_ptr + offset[:, None] + c[None, :], mask=inside[:, None] & (c[None, :] < channels), other=0.0)
        weight = tl.load(
            weight_ptr + (place * channels + c)[:, None] * out_channels + filter_[None, :],
            mask=(c[:, None] < channels) & (filter_[None, :] < out_channels), other=0.0,
        )  # fmt: skip
        accumulator = tl.dot(value, weight, accumulator)
    mask = (pixel[:, None] < images * out_height * out_width) & (filter_[None, :] < out_channels)
    out = accumulator.to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + pixel[:, None] * out_channels + filter_[None, :], out, mask=mask)


@kernel_case(num_warps=(4, 2), stride=(1, 2))
def convolution(session: Session, stride: int) -> list[Result]:
    """A 3 x 3 convolution with padding as an implicit GEMM."""
    images, channels, height, width, out_channels, kernel, padding = 2, 20, 7, 6, 24, 3, 1
    dtype = torch.float16
    x = session.randn((images, height, width, channels), dtype)
    weight = session.randn((kernel, kernel, channels, out_channels), dtype)
    expected = torch.nn.functional.conv2d(
        x.double().permute(0, 3, 1, 2), weight.double().permute(3, 2, 0, 1), stride=stride, padding=padding
    ).permute(0, 2, 3, 1)
    out = session.output(expected.shape, dtype)
    _, out_height, out_width, _ = expected.shape
    grid = (triton.cdiv(images * out_height * out_width, 32), triton.cdiv(out_channels, 32))
    session.launch(
        convolution_kernel, grid, x, weight, out, images, channels, height, width, out_channels, out_height, out_width,
        KERNEL=kernel, STRIDE=stride, PADDING=padding, BLOCK_M=32, BLOCK_N=32, BLOCK_K=16,
    )  # fmt: skip
    return [Result(out, expected, TOLERANCE[dtype])]


@triton.jit
def device_descriptor_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """C = A @ B^T through descriptors made in the kernel."""
    a = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    b = tl.make_tensor_descriptor(b_ptr, [N, K], [K, 1], [BLOCK_N, BLOCK_K])
    c = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for k in range(0, K, BLOCK_K):
        accumulator = tl.dot(a.load([row, k]), b.load([column, k]).T, accumulator)
    c.store([row, column], accumulator.to(c_ptr.dtype.element_ty))


@triton.jit
def host_descriptor_kernel(
    a, b, c, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, PROGRAMS: tl.constexpr,
    TILES_N: tl.constexpr, TILES: tl.constexpr,
):  # fmt: skip
    """Compute the same product by persistent programs, through descriptors made on the host."""
    for tile in range(tl.program_id(0), TILES, PROGRAMS):
        row, column = tile // TILES_N * BLOCK_M, tile % TILES_N * BLOCK_N
        accumulator = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for k in range(0, K, BLOCK_K):
            accumulator = tl.dot(a.load([row, k]), b.load([column, k]).T, accumulator)
        c.store([row, column], accumulator.to(tl.float16))


@kernel_case(num_warps=(4, 8), made_on=("device", "host"))
def descriptor_gemm(session: Session, made_on: str) -> list[Result]:
    """A product through tensor descriptors."""
    m, n, k = 72, 80, 88
    dtype = torch.float16
    a, b, c = session.randn((m, k), dtype), session.randn((n, k), dtype), session.output((m, n), dtype)
    tiles = (triton.cdiv(m, 32), triton.cdiv(n, 32))
    if made_on == "device":
        session.launch(device_descriptor_kernel, tiles, a, b, c, m, n, k, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32)
    else:
        descriptors = [TensorDescriptor.from_tensor(tensor, [32, 32]) for tensor in (a, b, c)]
        session.launch(
            host_descriptor_kernel, (4,), *descriptors, k, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32,
            PROGRAMS=4, TILES_N=tiles[1], TILES=tiles[0] * tiles[1],
        )  # fmt: skip
    return [Result(c, a.double() @ b.double().t(), TOLERANCE[dtype])]
