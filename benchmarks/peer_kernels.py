# SPDX-License-Identifier: MIT
"""The kernels by which `peers.py` compares this compiler with Intel's libraries, and their configurations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import triton
import triton.language as tl


@triton.jit
def _place(program, M, N, HEIGHT: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    """Return the first row and the first column of a program's tile: GROUP_M of them follow each other in a column."""
    tiles_n = tl.cdiv(N, BLOCK_N)
    first = program // (GROUP_M * tiles_n) * GROUP_M
    rows = min(tl.cdiv(M, HEIGHT) - first, GROUP_M)
    row = (first + program % (GROUP_M * tiles_n) % rows) * HEIGHT
    return row, program % (GROUP_M * tiles_n) // rows * BLOCK_N


@triton.jit
def _store(
    total, c_ptr, bias_ptr, added_ptr, end, N, stride_cm, row, column, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
    BIAS: tl.constexpr, GELU: tl.constexpr, ADDED: tl.constexpr, IS_PART: tl.constexpr,
):  # fmt: skip
    """Store what follows a product, for rows before `end`. Parts of sums are added by atomics."""
    n = column + tl.arange(0, BLOCK_N)
    if BIAS:
        total += tl.load(bias_ptr + n, n < N, 0.0).to(total.dtype)[None, :]
    if GELU:
        total = 0.5 * total * (1 + tl.erf(total * 0.7071067811865476))
    shape, strides, place = (end, N), (stride_cm, 1), (row, column)
    if ADDED:
        added = tl.make_block_ptr(added_ptr, shape, strides, place, (BLOCK_M, BLOCK_N), (1, 0))
        total += tl.load(added, boundary_check=(0, 1), padding_option="zero").to(total.dtype)
    if IS_PART:
        m = row + tl.arange(0, BLOCK_M)
        inside = (m[:, None] < end) & (n[None, :] < N)
        tl.atomic_add(c_ptr + m[:, None] * stride_cm + n[None, :], total, inside, sem="relaxed")
    else:
        c = tl.make_block_ptr(c_ptr, shape, strides, place, (BLOCK_M, BLOCK_N), (1, 0))
        tl.store(c, total.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def _store_both(
    total, more, c_ptr, bias_ptr, added_ptr, bound, N, stride_cm, row, column,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, MORE_M: tl.constexpr,
    BIAS: tl.constexpr, GELU: tl.constexpr, ADDED: tl.constexpr, IS_PART: tl.constexpr,
):  # fmt: skip
    """Store or add the sums of a tile and of the one of MORE_M rows below it."""
    _store(
        total, c_ptr, bias_ptr, added_ptr, bound, N, stride_cm, row, column, BLOCK_M, BLOCK_N,
        BIAS, GELU, ADDED, IS_PART,
    )  # fmt: skip
    if MORE_M:
        row += BLOCK_M
        _store(
            more, c_ptr, bias_ptr, added_ptr, bound, N, stride_cm, row, column, MORE_M, BLOCK_N,
            BIAS, GELU, ADDED, IS_PART,
        )  # fmt: skip


@triton.jit
def _multiply(
    a_ptr, b_ptr, bound, N, K, stride_am, stride_ak, stride_bk, stride_bn, row, column, begin, end,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, MORE_M: tl.constexpr,
    ACC: tl.constexpr, PRECISION: tl.constexpr, TRANSPOSED: tl.constexpr = False,
):  # fmt: skip
    """Return the sums of a part of K for a tile and for one of MORE_M rows below it, of rows before `bound`.

    With TRANSPOSED, the loop multiplies the transposes: of operands by columns, these are by rows.
    """
    a = tl.make_block_ptr(a_ptr, (bound, K), (stride_am, stride_ak), (row, begin), (BLOCK_M, BLOCK_K), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (begin, column), (BLOCK_K, BLOCK_N), (1, 0))
    total = tl.zeros((BLOCK_N, BLOCK_M) if TRANSPOSED else (BLOCK_M, BLOCK_N), ACC)
    if MORE_M:
        place = (row + BLOCK_M, begin)
        below = tl.make_block_ptr(a_ptr, (bound, K), (stride_am, stride_ak), place, (MORE_M, BLOCK_K), (1, 0))
        more = tl.zeros((MORE_M, BLOCK_N), ACC)
    else:
        more = total
    for _ in range(begin, end, BLOCK_K):
        x = tl.load(a, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(b, boundary_check=(0, 1), padding_option="zero")
        if TRANSPOSED:
            total = tl.dot(tl.trans(y), tl.trans(x), total, input_precision=PRECISION, out_dtype=ACC)
        else:
            total = tl.dot(x, y, total, input_precision=PRECISION, out_dtype=ACC)
        if MORE_M:
            z = tl.load(below, boundary_check=(0, 1), padding_option="zero")
            more = tl.dot(z, y, more, input_precision=PRECISION, out_dtype=ACC)
            below = tl.advance(below, (0, BLOCK_K))
        a, b = tl.advance(a, (0, BLOCK_K)), tl.advance(b, (BLOCK_K, 0))
    if TRANSPOSED:
        total = tl.trans(total)
    return total, more


@triton.jit
def product(
    a_ptr, b_ptr, c_ptr, bias_ptr, added_ptr, M, N, K,
    stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn, stride_cb, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr, SPLIT_K: tl.constexpr,
    BIAS: tl.constexpr, GELU: tl.constexpr, ADDED: tl.constexpr, ACC: tl.constexpr, PRECISION: tl.constexpr,
    MORE_M: tl.constexpr = 0, HEIGHT: tl.constexpr = 0, TRANSPOSED: tl.constexpr = False,
):  # fmt: skip
    """gelu(A @ B + bias) + added. With SPLIT_K above 1, parts of K are added to C by atomics.

    With MORE_M, a program has a second tile below that of BLOCK_M rows, which shares its columns of B. Its own are the
    first HEIGHT rows of both: so the rows of a program are any number, and the number of programs can be that of the
    cores.
    """
    program, part, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2).to(tl.int64)
    STEP: tl.constexpr = HEIGHT if MORE_M else BLOCK_M
    row, column = _place(program, M, N, STEP, BLOCK_N, GROUP_M)
    bound = min(M, row + STEP) if MORE_M else M
    depth = tl.cdiv(tl.cdiv(K, SPLIT_K), BLOCK_K) * BLOCK_K
    begin = part * depth
    total, more = _multiply(
        a_ptr + batch * stride_ab, b_ptr + batch * stride_bb, bound, N, K, stride_am, stride_ak, stride_bk, stride_bn,
        row, column, begin, min(begin + depth, K), BLOCK_M, BLOCK_N, BLOCK_K, MORE_M, ACC, PRECISION, TRANSPOSED,
    )  # fmt: skip
    c_ptr += batch * stride_cb
    if ADDED:
        added_ptr += batch * stride_cb
    IS_PART: tl.constexpr = SPLIT_K > 1
    _store_both(
        total, more, c_ptr, bias_ptr, added_ptr, bound, N, stride_cm, row, column, BLOCK_M, BLOCK_N, MORE_M,
        BIAS, GELU, ADDED, IS_PART,
    )  # fmt: skip


@triton.jit
def shared_product(
    a_ptr, b_ptr, c_ptr, lock_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
    ACC: tl.constexpr, PRECISION: tl.constexpr, MORE_M: tl.constexpr = 0, HEIGHT: tl.constexpr = 0,
):  # fmt: skip
    """A @ B by programs that all do the same amount: each has equally many whole tiles, and the steps along K of the
    tiles that are left are cut into stretches of equal length, one per program (stream-K).

    The first part of a tile is stored, and the others are added to it by atomics after that. The lock of a tile counts
    its steps, and is zero again after the last one. First parts come before whole tiles, and others after them, so that
    programs rarely wait. They wait for those with lower numbers alone, whatever number of them runs at the same time.
    """
    STEP: tl.constexpr = HEIGHT if MORE_M else BLOCK_M
    program, programs = tl.program_id(0), tl.num_programs(0)
    steps = tl.cdiv(K, BLOCK_K)
    tiles = tl.cdiv(M, STEP) * tl.cdiv(N, BLOCK_N)
    own = tiles // programs
    whole = own * programs
    begin, end = (tiles - whole) * steps * program // programs, (tiles - whole) * steps * (program + 1) // programs
    turn = 0
    while (turn < own) | (begin < end):
        # The last tile of the stretch, whose part is a first one unless the stretch begins after the tile does.
        cut = (end - 1) // steps
        start = max(begin - cut * steps, 0)
        is_cut = (begin < end) & ((start == 0) | (turn == own))
        tile = tl.where(is_cut, whole + cut, turn * programs + program)
        first, last = tl.where(is_cut, start, 0), tl.where(is_cut, end - cut * steps, steps)
        turn += tl.where(is_cut, 0, 1)
        end = tl.where(is_cut, cut * steps + start, end)
        row, column = _place(tile, M, N, STEP, BLOCK_N, GROUP_M)
        # The launch knows these bounds, and can check what 2D block messages require of a tile's end.
        row = max(min(row, M), 0)
        bound = min(M, row + STEP) if MORE_M else M
        k, k_end = first * BLOCK_K, last * BLOCK_K
        tl.assume(column >= 0)
        tl.assume(k >= 0)
        tl.assume(k < k_end)
        total, more = _multiply(
            a_ptr, b_ptr, bound, N, K, stride_am, stride_ak, stride_bk, stride_bn, row, column,
            k, k_end, BLOCK_M, BLOCK_N, BLOCK_K, MORE_M, ACC, PRECISION,
        )  # fmt: skip
        lock = lock_ptr + tile - whole
        if first == 0:
            _store_both(
                total, more, c_ptr, None, None, bound, N, stride_cm, row, column, BLOCK_M, BLOCK_N, MORE_M,
                False, False, False, False,
            )  # fmt: skip
            if last < steps:
                # Every thread's store before the announcement.
                tl.debug_barrier()
                tl.atomic_xchg(lock, last, sem="release")
        else:
            while tl.atomic_cas(lock, 0, 0, sem="acquire") == 0:
                pass
            if tl.atomic_add(lock, last - first, sem="relaxed") + last - first == steps:
                tl.atomic_xchg(lock, 0, sem="relaxed")
            _store_both(
                total, more, c_ptr, None, None, bound, N, stride_cm, row, column, BLOCK_M, BLOCK_N, MORE_M,
                False, False, False, True,
            )  # fmt: skip


@triton.jit
def softmax(x_ptr, y_ptr, columns, SIZE: tl.constexpr):
    """The softmax of a row."""
    row, i = tl.program_id(0).to(tl.int64), tl.arange(0, SIZE)
    x = tl.load(x_ptr + row * columns + i, i < columns, -float("inf")).to(tl.float32)
    powers = tl.exp(x - tl.max(x, 0))
    tl.store(y_ptr + row * columns + i, (powers / tl.sum(powers, 0)).to(y_ptr.dtype.element_ty), i < columns)


@triton.jit
def normalization(x_ptr, scale_ptr, shift_ptr, y_ptr, columns, epsilon, SIZE: tl.constexpr, CENTRED: tl.constexpr):
    """The layer norm of a row, or its RMS norm."""
    row, i = tl.program_id(0).to(tl.int64), tl.arange(0, SIZE)
    inside = i < columns
    x = tl.load(x_ptr + row * columns + i, inside, 0.0).to(tl.float32)
    if CENTRED:
        x = tl.where(inside, x - tl.sum(x, 0) / columns, 0.0)
    y = x * tl.rsqrt(tl.sum(x * x, 0) / columns + epsilon) * tl.load(scale_ptr + i, inside, 0.0)
    if CENTRED:
        y += tl.load(shift_ptr + i, inside, 0.0)
    tl.store(y_ptr + row * columns + i, y.to(y_ptr.dtype.element_ty), inside)


def product_configs(
    m: int,
    n: int,
    k: int,
    item_bytes: int,
    has_engine: bool,
    can_split: bool,
    cores: int,
    batch: int = 1,
    *,
    a_by_columns: bool = False,
    b_by_columns: bool = False,
) -> Iterator[dict[str, int]]:
    """Yield tiles that are worth a try: few rows need few of them, and more parts of K."""
    depth = 64 // item_bytes
    if not has_engine:
        # Few sub-groups of an engine have to be equally many, and a wave of groups to be full: which of these tiles is
        # best, depends on the size. A short part of K leaves room for the sums.
        for rows, columns, warps in ((128, 64, 8), (64, 64, 8), (64, 64, 4), (64, 32, 4), (32, 32, 8)):
            yield _config(rows, columns, depth // 2, warps)
        for columns, warps in ((32, 4), (16, 8), (16, 4)):
            yield _config(64, columns, depth, warps)
        return
    if m <= 32:
        rows = max(8, triton.next_power_of_2(m))
        for columns, warps in ((64, 4), (128, 4), (256, 8), (128, 8)):
            for split in (1, 2, 4) if can_split else (1,):
                yield _config(rows, columns, 2 * depth, warps, split)
        return
    tiles = [(256, 256, 32), (128, 256, 32), (128, 128, 16), (64, 128, 8), (64, 64, 4)]
    for rows, columns, warps in tiles if m * n <= 1024**2 else tiles[:3]:
        yield _config(rows, columns, depth, warps)
    if a_by_columns and b_by_columns and item_bytes < 4:
        # Messages deliver the transposes as the product needs them, and narrow elements change no places in registers.
        for rows, columns, warps in ((256, 256, 32), (128, 128, 16), (128, 64, 8)):
            yield _config(rows, columns, depth, warps, TRANSPOSED=1)
    for rows, columns, warps in ((256, 256, 32), (128, 256, 16), (128, 128, 16), (128, 64, 8), (64, 64, 8)):
        # The rows of a program bound its part of A. Of columns, 2D block messages know the end in units of 4 bytes.
        unit = 4 if a_by_columns else 1
        # A deep part of K has fewer waits and more registers, of which sub-groups of small tiles have enough.
        depths = (depth, 2 * depth) if m * n > 1024**2 and (rows, columns) == (128, 64) else (depth,)
        shares = _share_rows(m, triton.cdiv(n, columns) * batch, rows, cores, unit)
        for (height, more), part in itertools.product(shares, depths):
            yield _config(rows, columns, part, warps, MORE_M=more, HEIGHT=height)


def shared_product_configs(
    m: int, n: int, item_bytes: int, cores: int, *, a_by_columns: bool = False
) -> Iterator[dict[str, int]]:
    """Yield tiles of `shared_product`, in one program of 32 sub-groups for each core, which fills it: large tiles whose
    last ones are shared, and a tile for every two programs. Steps along K are short, and loaded two steps before."""
    shapes = [(256, 256, {}), (128, 256, {})]
    for height, more in _share_rows(m, triton.cdiv(n, 256), 128, cores // 2, 4 if a_by_columns else 1):
        if triton.cdiv(m, height) * triton.cdiv(n, 256) <= cores:
            shapes.append((128, 256, {"MORE_M": more, "HEIGHT": height}))
    for (rows, columns, more), depth in itertools.product(shapes, (32 // item_bytes, 64 // item_bytes)):
        config = _config(rows, columns, depth, 32, **more)
        del config["SPLIT_K"]
        yield config | {"num_stages": 3}


def _share_rows(m: int, tiles_n: int, most: int, cores: int, unit: int) -> Iterator[tuple[int, int]]:
    """Yield how many rows, a multiple of `unit`, a program has if all cores are to have the same number of programs,
    and how many of them a second tile has below one of `most` rows: an eighth to a half of it, as larger ones take too
    many registers. The fewest programs come first."""
    known = set()
    for waves in itertools.count(1):
        parts = waves * cores // tiles_n
        height = triton.cdiv(triton.cdiv(m, parts) if parts else m, unit) * unit
        if height <= most:
            return
        more = triton.next_power_of_2(height - most)
        if most // 8 <= more <= most // 2 and more not in known:
            known.add(more)
            yield height, max(8, more)


def _config(rows: int, columns: int, depth: int, warps: int, split: int = 1, **more: int) -> dict[str, int]:
    names = ("BLOCK_M", "BLOCK_N", "BLOCK_K", "num_warps", "SPLIT_K")
    return dict(zip(names, (rows, columns, depth, warps, split), strict=True)) | more


def attention_configs() -> Iterator[dict[str, int]]:
    """Yield rows and columns of the tiles of attention; a sub-group has 8 or 16 rows."""
    for rows, columns, rows_of_warp in itertools.product((32, 64, 128), (32, 64), (8, 16)):
        yield {"BLOCK_M": rows, "BLOCK_N": columns, "num_warps": rows // rows_of_warp}


def row_configs(columns: int) -> Iterator[dict[str, int]]:
    """Yield the sub-groups that share a row."""
    for warps in (1, 2, 4, 8, 16, 32):
        if 16 * warps <= columns <= 2048 * warps:
            yield {"SIZE": triton.next_power_of_2(columns), "num_warps": warps}
