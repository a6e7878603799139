# SPDX-License-Identifier: MIT
"""Descriptors and block pointers that flow through loops, branches, returns and functions that are not inlined."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numerics import assert_close, poisoned, random_tensor, reference_matmul, strided
from triton.tools.tensor_descriptor import TensorDescriptor

ROWS, COLUMNS = 16, 32
#: Extents of the two tensors in memory: blocks reach over the border of both, and never over the same.
SHAPES = ((21, 30), (27, 35))
PITCHES = (40, 36)

FLOWS = ("for", "while", "made", "select", "return", "argument", "result", "nested")


@triton.jit(noinline=True)
def read_through(descriptor, row):
    """Load a block. The padding of the descriptor is known to the callers alone."""
    return descriptor.load([row, 0])


@triton.jit(noinline=True)
def read_twice(first, second, row):
    return read_through(first, row), read_through(second, row)


@triton.jit(noinline=True)
def pick(first, second, choice):
    """Two returns of two descriptors."""
    if choice > 0:
        return second
    return first


@triton.jit
def padding_kernel(
    x, y, out, choice, trips, x_rows, x_columns, x_pitch, y_rows, y_columns, y_pitch,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, FLOW: tl.constexpr,
    X_PADDING: tl.constexpr, Y_PADDING: tl.constexpr,
):  # fmt: skip
    """out[i] = a block of x or of y, each of which pads in its own way."""
    d = tl.make_tensor_descriptor(x, [x_rows, x_columns], [x_pitch, 1], [ROWS, COLUMNS], padding_option=X_PADDING)
    e = tl.make_tensor_descriptor(y, [y_rows, y_columns], [y_pitch, 1], [ROWS, COLUMNS], padding_option=Y_PADDING)
    o = tl.make_tensor_descriptor(out, [trips * ROWS, COLUMNS], [COLUMNS, 1], [ROWS, COLUMNS])
    if FLOW == "for":
        if choice > 0:
            d, e = e, d
        for i in range(trips):
            o.store([i * ROWS, 0], d.load([ROWS, 0]))
            d, e = e, d
    elif FLOW == "while":
        if choice > 0:
            d, e = e, d
        i = 0
        while i < trips:
            o.store([i * ROWS, 0], d.load([ROWS, 0]))
            d, e = e, d
            i += 1
    elif FLOW == "made":
        for i in range(trips):
            if (choice + i) % 2 == 0:
                f = tl.make_tensor_descriptor(
                    x, [x_rows, x_columns], [x_pitch, 1], [ROWS, COLUMNS], padding_option=X_PADDING
                )
            else:
                f = tl.make_tensor_descriptor(
                    y, [y_rows, y_columns], [y_pitch, 1], [ROWS, COLUMNS], padding_option=Y_PADDING
                )
            o.store([i * ROWS, 0], f.load([ROWS, 0]))
    elif FLOW == "select":
        for i in range(trips):
            f = d
            if (choice + i) % 2 == 1:
                f = e
            o.store([i * ROWS, 0], f.load([ROWS, 0]))
    elif FLOW == "return":
        f = d
        if choice > 0:
            f = e
            if trips == 1:
                o.store([0, 0], f.load([ROWS, 0]))
                return
        else:
            e = d
            d = tl.make_tensor_descriptor(
                y, [y_rows, y_columns], [y_pitch, 1], [ROWS, COLUMNS], padding_option=Y_PADDING
            )
        o.store([0, 0], f.load([ROWS, 0]))
        for i in range(1, trips):
            if i % 2 == 1:
                o.store([i * ROWS, 0], d.load([ROWS, 0]))
            else:
                o.store([i * ROWS, 0], e.load([ROWS, 0]))
    elif FLOW == "argument":
        for i in range(trips):
            if (choice + i) % 2 == 0:
                o.store([i * ROWS, 0], read_through(d, ROWS))
            else:
                o.store([i * ROWS, 0], read_through(e, ROWS))
    elif FLOW == "result":
        for i in range(trips):
            o.store([i * ROWS, 0], pick(d, e, (choice + i) % 2).load([ROWS, 0]))
    else:
        for i in range(trips):
            first, second = read_twice(d, pick(e, d, i), ROWS)
            if (choice + i) % 2 == 0:
                o.store([i * ROWS, 0], first)
            else:
                o.store([i * ROWS, 0], second)


def block_of(tensor: torch.Tensor, padding: str, row: int) -> torch.Tensor:
    """Return a block that starts in `row`, with what it has outside of the tensor."""
    out = torch.full((ROWS, COLUMNS), float("nan") if padding == "nan" else 0.0)
    inside = tensor[row : row + ROWS, :COLUMNS]
    out[: inside.shape[0], : inside.shape[1]] = inside
    return out


@pytest.mark.pairwise
@pytest.mark.parametrize("choice", [0, 1])
@pytest.mark.parametrize("paddings", [("nan", "nan"), ("nan", "zero"), ("zero", "nan")], ids="-".join)
@pytest.mark.parametrize("flow", FLOWS)
def test_padding(flow, paddings, choice):
    """Each block pads with its descriptor's value, however it came to the load."""
    x, y = (
        strided(random_tensor(s, torch.float32, i), p) for i, (s, p) in enumerate(zip(SHAPES, PITCHES, strict=True))
    )
    for trips in (1, 3):
        out = poisoned((trips * ROWS, COLUMNS), torch.float32)
        padding_kernel[(1,)](
            x, y, out, choice, trips, *x.shape, PITCHES[0], *y.shape, PITCHES[1],
            ROWS, COLUMNS, flow, *paddings, num_warps=2,
        )  # fmt: skip
        for i in range(trips):
            use_y = (choice + i) % 2 == 1
            if flow == "return" and i > 0:
                use_y = (choice + i) % 2 == 1 if choice == 0 else i % 2 == 0
            if flow == "nested":
                use_y = use_y and i == 0
            expected = block_of(y, paddings[1], ROWS) if use_y else block_of(x, paddings[0], ROWS)
            torch.testing.assert_close(out[i * ROWS : (i + 1) * ROWS], expected, rtol=0, atol=0, equal_nan=True)


@triton.jit
def host_kernel(
    given, y, out, rows, choice, y_rows, y_columns, y_pitch, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
    PADDING: tl.constexpr,
):  # fmt: skip
    """One descriptor comes from the host, the other one is made here; a gather reads through either."""
    d = given
    if choice > 0:
        d = tl.make_tensor_descriptor(y, [y_rows, y_columns], [y_pitch, 1], [1, COLUMNS], padding_option=PADDING)
    value = d.gather(tl.load(rows + tl.arange(0, ROWS)), 0)
    tl.store(out + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :], value)


@pytest.mark.parametrize("choice", [0, 1])
@pytest.mark.parametrize("paddings", [("zero", "nan"), ("nan", "zero"), ("nan", "nan")], ids="-".join)
def test_descriptor_of_the_host(paddings, choice):
    x, y = (
        strided(random_tensor(s, torch.float32, i), p) for i, (s, p) in enumerate(zip(SHAPES, PITCHES, strict=True))
    )
    numbers = torch.arange(10, 10 + ROWS, dtype=torch.int32)
    out = poisoned((ROWS, COLUMNS), torch.float32)
    host_kernel[(1,)](
        TensorDescriptor(x, list(x.shape), list(x.stride()), [1, COLUMNS], paddings[0]), y, out, numbers, choice,
        *y.shape, PITCHES[1], ROWS, COLUMNS, paddings[1],
    )  # fmt: skip
    expected = block_of(y, paddings[1], 10) if choice else block_of(x, paddings[0], 10)
    torch.testing.assert_close(out, expected, rtol=0, atol=0, equal_nan=True)


@triton.jit
def host_pairs_kernel(pair, last, out, choice, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Three descriptors of the host, two of them in a tuple; the product reads through one of these."""
    d = pair[0]
    if choice > 0:
        d = pair[1]
    acc = tl.zeros((ROWS, COLUMNS), tl.float32)
    for k in range(0, N, 32):
        acc = tl.dot(d.load([ROWS, k]), last.load([k, 0]), acc)
    tl.store(out + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :], acc)


@pytest.mark.parametrize(
    "paddings", ["zero zero zero", "nan zero zero", "zero nan zero", "zero zero nan", "nan nan nan"]
)
def test_paddings_of_the_host(paddings):
    """One kernel, launched with descriptors of each padding in turn; tensors that no message can address as well."""
    paddings = paddings.split()
    # Rows of 48 bytes are too narrow for messages.
    for columns in (32, 24):
        tensors = [
            strided(random_tensor(shape, torch.float16, seed), pitch)
            for seed, (shape, pitch) in enumerate(zip([(21, 60), (30, 60), (60, columns)], [64, 80, 40], strict=True))
        ]
        first, second, last = (
            TensorDescriptor(tensor, list(tensor.shape), list(tensor.stride()), block, padding)
            for tensor, block, padding in zip(tensors, [[16, 32], [16, 32], [32, 32]], paddings, strict=True)
        )
        for choice in (0, 1):
            out = poisoned((16, 32), torch.float32)
            host_pairs_kernel[(1,)]((first, second), last, out, choice, 60, 16, 32)
            left, right = torch.zeros(16, 64, dtype=torch.float64), torch.zeros(64, 32, dtype=torch.float64)
            if paddings[choice] == "nan":
                left += float("nan")
            if paddings[2] == "nan":
                right += float("nan")
            rows = tensors[choice][16:32]
            left[: rows.shape[0], :60] = rows
            right[:60, :columns] = tensors[2]
            torch.testing.assert_close(out.double(), left @ right, rtol=1e-2, atol=1e-2, equal_nan=True)


# --- Block pointers ---------------------------------------------------------------------------------------------------


@triton.jit(noinline=True)
def step(pointer, other, count):
    """Moves and exchanges block pointers, by two ways out."""
    for _ in range(count):
        pointer = tl.advance(pointer, (4, 2))
        pointer, other = other, pointer
    if count == 3:
        return other, pointer
    return pointer, other


@triton.jit(noinline=True)
def copy_block(source, target):
    tl.store(target, tl.load(source, boundary_check=(0, 1), padding_option="zero"), boundary_check=(0, 1))


@triton.jit
def moving_kernel(
    x, y, out, count, x_rows, x_columns, x_pitch, y_rows, y_columns, y_pitch,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    p = tl.make_block_ptr(x, (x_rows, x_columns), (x_pitch, 1), (0, 0), (ROWS, COLUMNS), (1, 0))
    q = tl.make_block_ptr(y, (y_rows, y_columns), (y_pitch, 1), (0, 0), (ROWS, COLUMNS), (1, 0))
    o = tl.make_block_ptr(out, (3 * ROWS, COLUMNS), (COLUMNS, 1), (0, 0), (ROWS, COLUMNS), (1, 0))
    p, q = step(p, q, count)
    if count > 4:
        p = tl.advance(p, (0, 5))
        if count > 5:
            copy_block(q, o)
            return
        q = p
    elif count == 1:
        q = tl.advance(q, (1, 0))
        o = tl.advance(o, (ROWS, 0))
    copy_block(p, o)
    copy_block(q, tl.advance(o, (ROWS, 0)))


@pytest.mark.parametrize("count", [0, 1, 3, 5, 6])
def test_block_pointers_in_functions_and_returns(count):
    x, y = (
        strided(random_tensor(s, torch.float32, i), p) for i, (s, p) in enumerate(zip(SHAPES, PITCHES, strict=True))
    )
    out = torch.zeros(3 * ROWS, COLUMNS)
    moving_kernel[(1,)](x, y, out, count, *x.shape, PITCHES[0], *y.shape, PITCHES[1], ROWS, COLUMNS, num_warps=2)

    def block(place: tuple[torch.Tensor, int, int]) -> torch.Tensor:
        tensor, row, column = place
        return block_of(tensor[:, column:], "zero", row)

    p, q = (x, 0, 0), (y, 0, 0)
    for _ in range(count):
        p, q = q, (p[0], p[1] + 4, p[2] + 2)
    if count == 3:
        p, q = q, p
    expected = torch.zeros_like(out)
    first = 0
    if count > 5:
        expected[:ROWS] = block(q)
    else:
        if count == 5:
            p = q = (p[0], p[1], p[2] + 5)
        elif count == 1:
            q, first = (q[0], q[1] + 1, q[2]), ROWS
        expected[first : first + ROWS] = block(p)
        expected[first + ROWS : first + 2 * ROWS] = block(q)
    assert torch.equal(out, expected)


@triton.jit
def far_kernel(x, out, back, pitch, start, step, trips, SIZE: tl.constexpr):
    """Steps that add up to more than 32 bits hold, and a base that lies as far before it."""
    p = tl.make_block_ptr(x - back, (SIZE, 1 << 40), (pitch, 1), (0, start), (SIZE, SIZE), (1, 0))
    o = tl.make_block_ptr(out, (SIZE, SIZE), (SIZE, 1), (0, 0), (SIZE, SIZE), (1, 0))
    for _ in range(trips):
        p = tl.advance(p, (0, step))
    tl.store(o, tl.load(p, boundary_check=(0, 1), padding_option="zero"))


def test_steps_beyond_32_bits():
    """A base 3 * 2^30 elements before the data, which three steps of 2^30 lead back to."""
    size, step, trips = 16, 1 << 30, 3
    data = random_tensor((size, size), torch.int8, 1)
    out = poisoned((size, size), torch.int8)
    far_kernel[(1,)](data, out, trips * step + 4, size, 4, step, trips, size, num_warps=1)
    assert torch.equal(out, data)


# --- Products ---------------------------------------------------------------------------------------------------------


@triton.jit(noinline=True)
def chosen_operand(first, second, choice):
    if choice == 2:
        return second
    return first


@triton.jit
def product_kernel(
    a0, a1, b, c, choice, M, N, K, a0_pitch, a1_pitch, b_pitch, c_pitch,
    BLOCK: tl.constexpr, FLOW: tl.constexpr,
):  # fmt: skip
    """C = A @ B; which A, and through which descriptor, depends on `choice`."""
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    first = tl.make_tensor_descriptor(a0, [M, K], [a0_pitch, 1], [BLOCK, BLOCK])
    second = tl.make_tensor_descriptor(a1, [M, K], [a1_pitch, 1], [BLOCK, BLOCK])
    right = tl.make_tensor_descriptor(b, [K, N], [b_pitch, 1], [BLOCK, BLOCK])
    result = tl.make_tensor_descriptor(c, [M, N], [c_pitch, 1], [BLOCK, BLOCK])
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    left = first
    if FLOW == "if":
        if choice == 2:
            left = second
    elif FLOW == "function":
        left = chosen_operand(first, second, choice)
    elif FLOW == "return":
        if choice == 0:
            result.store([row, column], total)
            return
        if choice == 2:
            left = second
    if FLOW == "while":
        k = 0
        if choice == 2:
            first, second = second, first
        while k < K:
            total = tl.dot(first.load([row, k]), right.load([k, column]), total)
            k += BLOCK
            if choice == 3:
                first, second = second, first
    else:
        for k in range(0, K, BLOCK):
            total = tl.dot(left.load([row, k]), right.load([k, column]), total)
    result.store([row, column], total)


@pytest.mark.pairwise
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "rewritten"])
@pytest.mark.parametrize("choice", [0, 1, 2, 3])
@pytest.mark.parametrize("flow", ["if", "function", "return", "while"])
def test_products(flow, choice, kept):
    """Dots on the systolic array, through 2D block messages or without."""
    m, n, k, block = 48, 80, 96, 32
    a = [strided(random_tensor((m, k), torch.bfloat16, i), k + 16 * kept + 4 * (not kept)) for i in (1, 2)]
    b = random_tensor((k, n), torch.bfloat16, 3)
    c = poisoned((m, n), torch.float32)
    kernel = product_kernel[(triton.cdiv(m, block), triton.cdiv(n, block))](
        *a, b, c, choice, m, n, k, a[0].stride(0), a[1].stride(0), b.stride(0), c.stride(0), block, flow, num_warps=4
    )
    expected = reference_matmul(a[choice == 2], b)
    if choice == 0 and flow == "return":
        expected = torch.zeros_like(expected)
    elif choice == 3 and flow == "while":
        parts = [a[i % 2][:, i * block : (i + 1) * block] for i in range(k // block)]
        expected = reference_matmul(torch.cat(parts, 1), b)
    assert_close(c, expected, 1e-2)
    assert "ttig.load_block" in kernel.asm["ttgir"]
    if kept and flow in ("if", "while"):
        assert "tensor<32x32x!tt.ptr<bf16>" not in kernel.asm["ttgir"]
