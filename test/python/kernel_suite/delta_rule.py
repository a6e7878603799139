# SPDX-License-Identifier: MIT
"""The delta rule with a gate of each key, in chunks: products of parts of chunks, inverses, corrections, and states.

As in libraries of linear attention, heads lie next to each other in memory, all accesses are block pointers with
bounds, and keys are multiplied by exponentials of sums of gates.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import Result, Session, kernel_case


@triton.jit
def halved_state_kernel(
    k_ptr, v_ptr, w_ptr, gate_ptr, change_ptr, state_ptr, last_ptr, length, HEADS: tl.constexpr, KEY: tl.constexpr,
    VALUE: tl.constexpr, CHUNK: tl.constexpr, BLOCK_V: tl.constexpr,
):  # fmt: skip
    """States before each chunk and after the last one, in two halves of 64 keys."""
    column, head = tl.program_id(0) * BLOCK_V, tl.program_id(1)
    upper, lower = tl.zeros((64, BLOCK_V), tl.float32), tl.zeros((64, BLOCK_V), tl.float32)
    k_ptr += head * KEY
    w_ptr += head * KEY
    v_ptr += head * VALUE
    change_ptr += head * VALUE
    for chunk in range(tl.cdiv(length, CHUNK)):
        start = chunk * CHUNK
        own = state_ptr + ((chunk * HEADS + head).to(tl.int64) * KEY * VALUE)
        h = tl.make_block_ptr(own, (KEY, VALUE), (VALUE, 1), (0, column), (64, BLOCK_V), (1, 0))
        tl.store(h, upper.to(state_ptr.dtype.element_ty), boundary_check=(0, 1))
        h = tl.make_block_ptr(own, (KEY, VALUE), (VALUE, 1), (64, column), (64, BLOCK_V), (1, 0))
        tl.store(h, lower.to(state_ptr.dtype.element_ty), boundary_check=(0, 1))
        w = tl.make_block_ptr(w_ptr, (length, KEY), (HEADS * KEY, 1), (start, 0), (CHUNK, 64), (1, 0))
        weight = tl.load(w, boundary_check=(0, 1))
        change = tl.dot(weight, upper.to(weight.dtype))
        w = tl.make_block_ptr(w_ptr, (length, KEY), (HEADS * KEY, 1), (start, 64), (CHUNK, 64), (1, 0))
        weight = tl.load(w, boundary_check=(0, 1))
        change += tl.dot(weight, lower.to(weight.dtype))
        place = (start, column)
        v = tl.make_block_ptr(v_ptr, (length, VALUE), (HEADS * VALUE, 1), place, (CHUNK, BLOCK_V), (1, 0))
        change = tl.load(v, boundary_check=(0, 1)) - change
        c = tl.make_block_ptr(change_ptr, (length, VALUE), (HEADS * VALUE, 1), place, (CHUNK, BLOCK_V), (1, 0))
        tl.store(c, change.to(change_ptr.dtype.element_ty), boundary_check=(0, 1))
        end = tl.minimum(start + CHUNK, length) - 1
        last = tl.load(gate_ptr + end * HEADS + head)
        g = tl.make_block_ptr(gate_ptr + head, (length,), (HEADS,), (start,), (CHUNK,), (0,))
        gate = tl.load(g, boundary_check=(0,))
        inside = start + tl.arange(0, CHUNK) < length
        change = change * tl.where(inside, tl.exp(last - gate), 0)[:, None]
        factor = tl.exp(last)
        upper *= factor
        lower *= factor
        change = change.to(k_ptr.dtype.element_ty)
        k = tl.make_block_ptr(k_ptr, (KEY, length), (1, HEADS * KEY), (0, start), (64, CHUNK), (0, 1))
        upper += tl.dot(tl.load(k, boundary_check=(0, 1)), change)
        k = tl.make_block_ptr(k_ptr, (KEY, length), (1, HEADS * KEY), (64, start), (64, CHUNK), (0, 1))
        lower += tl.dot(tl.load(k, boundary_check=(0, 1)), change)
    own = last_ptr + head * KEY * VALUE
    h = tl.make_block_ptr(own, (KEY, VALUE), (VALUE, 1), (0, column), (64, BLOCK_V), (1, 0))
    tl.store(h, upper, boundary_check=(0, 1))
    h = tl.make_block_ptr(own, (KEY, VALUE), (VALUE, 1), (64, column), (64, BLOCK_V), (1, 0))
    tl.store(h, lower, boundary_check=(0, 1))


@kernel_case(num_warps=(4, 2, 8), block=(64,))
@kernel_case(num_warps=(4, 8), full=True, block=(32,))
def halved_states(session: Session, block: int) -> list[Result]:
    """Three chunks, the last of which is not whole."""
    heads, length, key, value, chunk = 2, 150, 128, 128, 64
    chunks, dtype = triton.cdiv(length, chunk), torch.bfloat16
    k, w = (session.randn((length, heads, key), dtype, 0.1) for _ in range(2))
    v, change = session.randn((length, heads, value), dtype, 0.2), session.output((length, heads, value), dtype)
    state, final = session.output((chunks, heads, key, value), dtype), session.output((heads, key, value))
    steps = torch.rand(length, heads, generator=torch.Generator().manual_seed(session.seed))
    gates = [-part.cumsum(0) / chunk for part in steps.split(chunk)]
    session.launch(
        halved_state_kernel, (value // block, heads), k, v, w, session.input(torch.cat(gates)), change, state, final,
        length, HEADS=heads, KEY=key, VALUE=value, CHUNK=chunk, BLOCK_V=block, grf_mode="256",
    )  # fmt: skip
    states, changes = [torch.zeros(heads, key, value, dtype=torch.float64)], []
    for number, part in enumerate(gates):
        ks, vs, ws = (tensor[number * chunk :][:chunk].double().transpose(0, 1) for tensor in (k, v, w))
        gate = part.double().T
        changes.append(vs - ws @ states[-1].to(dtype).double())
        scaled = (changes[-1] * (gate[:, -1:] - gate).exp()[:, :, None]).to(dtype).double()
        states.append(states[-1] * gate[:, -1].exp()[:, None, None] + ks.mT @ scaled)
    return [
        Result(state, torch.stack(states[:-1]), 2e-2),
        Result(change, torch.cat(changes, 1).transpose(0, 1), 2e-2),
        Result(final, states[-1], 1e-2),
    ]


@triton.jit
def parts_kernel(
    q_ptr, k_ptr, gate_ptr, beta_ptr, score_ptr, product_ptr, scale, length, HEADS: tl.constexpr, KEY: tl.constexpr,
    CHUNK: tl.constexpr, PART: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Products of a part of a chunk with each part before it, in f32: gates are sums up to a step of the chunk."""
    PARTS: tl.constexpr = CHUNK // PART
    chunk, pair, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    i, j = pair // PARTS, pair % PARTS
    row, other = chunk * CHUNK + i * PART, chunk * CHUNK + j * PART
    if row >= length or i <= j:
        return
    q_ptr += head * KEY
    k_ptr += head * KEY
    gate_ptr += head * KEY
    b = tl.make_block_ptr(beta_ptr + head, (length,), (HEADS,), (row,), (PART,), (0,))
    beta = tl.load(b, boundary_check=(0,))
    score, product = tl.zeros((PART, PART), tl.float32), tl.zeros((PART, PART), tl.float32)
    for step in range(tl.cdiv(KEY, BLOCK_K)):
        column = step * BLOCK_K
        q = tl.make_block_ptr(q_ptr, (length, KEY), (HEADS * KEY, 1), (row, column), (PART, BLOCK_K), (1, 0))
        k = tl.make_block_ptr(k_ptr, (length, KEY), (HEADS * KEY, 1), (row, column), (PART, BLOCK_K), (1, 0))
        g = tl.make_block_ptr(gate_ptr, (length, KEY), (HEADS * KEY, 1), (row, column), (PART, BLOCK_K), (1, 0))
        kt = tl.make_block_ptr(k_ptr, (KEY, length), (1, HEADS * KEY), (column, other), (BLOCK_K, PART), (0, 1))
        gt = tl.make_block_ptr(gate_ptr, (KEY, length), (1, HEADS * KEY), (column, other), (BLOCK_K, PART), (0, 1))
        inner = column + tl.arange(0, BLOCK_K)
        first = tl.load(gate_ptr + row * HEADS * KEY + inner, mask=inner < KEY, other=0)
        decay = tl.exp(tl.load(g, boundary_check=(0, 1)) - first[None, :])
        growth = tl.exp(first[:, None] - tl.load(gt, boundary_check=(0, 1)))
        right = tl.load(kt, boundary_check=(0, 1)) * growth
        product += tl.dot(tl.load(k, boundary_check=(0, 1)) * decay, right)
        score += tl.dot(tl.load(q, boundary_check=(0, 1)) * decay * scale, right)
    product *= beta[:, None]
    place = (row, j * PART)
    s = tl.make_block_ptr(score_ptr + head * CHUNK, (length, CHUNK), (HEADS * CHUNK, 1), place, (PART, PART), (1, 0))
    tl.store(s, score.to(score_ptr.dtype.element_ty), boundary_check=(0, 1))
    p = tl.make_block_ptr(product_ptr + head * CHUNK, (length, CHUNK), (HEADS * CHUNK, 1), place, (PART, PART), (1, 0))
    tl.store(p, product.to(product_ptr.dtype.element_ty), boundary_check=(0, 1))


def gates_of_keys(session: Session, length: int, heads: int, key: int, chunk: int) -> torch.Tensor:
    """Return sums of negative numbers along each chunk."""
    steps = torch.rand(length, heads, key, generator=torch.Generator().manual_seed(session.seed))
    return session.input(torch.cat([-part.cumsum(0) / chunk for part in steps.split(chunk)]))


@kernel_case(num_warps=(4, 1, 8))
def parts(session: Session) -> list[Result]:
    """Two chunks of four parts, the last of which is not whole; parts that are not before others stay as they are."""
    heads, length, key, chunk, part = 2, 120, 128, 64, 16
    dtype, scale = torch.bfloat16, key**-0.5
    q, k = (session.randn((length, heads, key), dtype) for _ in range(2))
    gate = gates_of_keys(session, length, heads, key, chunk)
    beta = session.input(torch.rand(length, heads, generator=torch.Generator().manual_seed(session.seed + 1)))
    score, product = session.zeros((length, heads, chunk)), session.zeros((length, heads, chunk))
    chunks, pairs = triton.cdiv(length, chunk), (chunk // part) ** 2
    session.launch(
        parts_kernel, (chunks, pairs, heads), q, k, gate, beta, score, product, scale, length, HEADS=heads, KEY=key,
        CHUNK=chunk, PART=part, BLOCK_K=32, grf_mode="256",
    )  # fmt: skip
    expected = torch.zeros(2, length, heads, chunk, dtype=torch.float64)
    for start in range(0, length, chunk):
        own = slice(start, start + chunk)
        size = min(chunk, length - start)
        g = gate[own].double()
        decay = (g[:, None] - g[None, :]).exp()
        step = torch.arange(size)
        is_before = step[:, None] // part > step[None, :] // part
        for number, (left, factor) in enumerate(((q, scale), (k, beta[own].double()))):
            sums = torch.einsum("ihd,jhd,ijhd->ihj", left[own].double(), k[own].double(), decay)
            factor = factor if number == 0 else factor[:, :, None]
            expected[number, own, :, :size] = sums * factor * is_before[:, None]
    return [Result(score, expected[0], 2e-3), Result(product, expected[1], 2e-3)]


@triton.jit
def inverse_of_part(a_ptr, start, column, length, STRIDE: tl.constexpr, CHUNK: tl.constexpr):
    """The inverse of the identity plus what a part of 16 steps has below its diagonal, row by row."""
    inner = tl.arange(0, 16)
    a = tl.make_block_ptr(a_ptr, (length, CHUNK), (STRIDE, 1), (start, column), (16, 16), (1, 0))
    part = -tl.where(inner[:, None] > inner[None, :], tl.load(a, boundary_check=(0, 1)), 0)
    for i in range(2, tl.minimum(16, length - start)):
        row = -tl.load(a_ptr + (start + i) * STRIDE + column + inner)
        row = tl.where(inner < i, row, 0)
        row += tl.sum(row[:, None] * part, 0)
        part = tl.where((inner == i)[:, None], row[None, :], part)
    return part + (inner[:, None] == inner[None, :])


@triton.jit
def load_part(a_ptr, start, column, length, STRIDE: tl.constexpr, CHUNK: tl.constexpr):
    """A part of a chunk."""
    a = tl.make_block_ptr(a_ptr, (length, CHUNK), (STRIDE, 1), (start, column), (16, 16), (1, 0))
    return tl.load(a, boundary_check=(0, 1))


@triton.jit
def store_part(a_ptr, start, column, length, part, STRIDE: tl.constexpr, CHUNK: tl.constexpr):
    """Store a part of a chunk."""
    a = tl.make_block_ptr(a_ptr, (length, CHUNK), (STRIDE, 1), (start, column), (16, 16), (1, 0))
    tl.store(a, part, boundary_check=(0, 1))


@triton.jit
def exact_dot(a, b):
    """A product in f32."""
    return tl.dot(a, b, input_precision="ieee")


@triton.jit
def inverses_kernel(a_ptr, out_ptr, length, HEADS: tl.constexpr):
    """The inverse of the identity plus the lower triangle of each chunk of 64 steps, by parts of 16."""
    STRIDE: tl.constexpr = HEADS * 64
    start, head = tl.program_id(0) * 64, tl.program_id(1)
    a_ptr += head * 64
    out_ptr += head * 64
    x00 = inverse_of_part(a_ptr, start, 0, length, STRIDE, 64)
    x11 = inverse_of_part(a_ptr, start + 16, 16, length, STRIDE, 64)
    x22 = inverse_of_part(a_ptr, start + 32, 32, length, STRIDE, 64)
    x33 = inverse_of_part(a_ptr, start + 48, 48, length, STRIDE, 64)
    a10 = load_part(a_ptr, start + 16, 0, length, STRIDE, 64)
    a20 = load_part(a_ptr, start + 32, 0, length, STRIDE, 64)
    a21 = load_part(a_ptr, start + 32, 16, length, STRIDE, 64)
    a30 = load_part(a_ptr, start + 48, 0, length, STRIDE, 64)
    a31 = load_part(a_ptr, start + 48, 16, length, STRIDE, 64)
    a32 = load_part(a_ptr, start + 48, 32, length, STRIDE, 64)
    x10 = -exact_dot(exact_dot(x11, a10), x00)
    x21 = -exact_dot(exact_dot(x22, a21), x11)
    x32 = -exact_dot(exact_dot(x33, a32), x22)
    x20 = -exact_dot(x22, exact_dot(a20, x00) + exact_dot(a21, x10))
    x31 = -exact_dot(x33, exact_dot(a31, x11) + exact_dot(a32, x21))
    x30 = -exact_dot(x33, exact_dot(a30, x00) + exact_dot(a31, x10) + exact_dot(a32, x20))
    store_part(out_ptr, start, 0, length, x00, STRIDE, 64)
    store_part(out_ptr, start + 16, 0, length, x10, STRIDE, 64)
    store_part(out_ptr, start + 16, 16, length, x11, STRIDE, 64)
    store_part(out_ptr, start + 32, 0, length, x20, STRIDE, 64)
    store_part(out_ptr, start + 32, 16, length, x21, STRIDE, 64)
    store_part(out_ptr, start + 32, 32, length, x22, STRIDE, 64)
    store_part(out_ptr, start + 48, 0, length, x30, STRIDE, 64)
    store_part(out_ptr, start + 48, 16, length, x31, STRIDE, 64)
    store_part(out_ptr, start + 48, 32, length, x32, STRIDE, 64)
    store_part(out_ptr, start + 48, 48, length, x33, STRIDE, 64)


@kernel_case(num_warps=(4, 1))
def inverses(session: Session) -> list[Result]:
    """Three chunks, the last of which is not whole; parts above the diagonal stay as they are."""
    heads, length, chunk = 2, 155, 64
    a, out = session.randn((length, heads, chunk), scale=0.2), session.zeros((length, heads, chunk))
    session.launch(inverses_kernel, (triton.cdiv(length, chunk), heads), a, out, length, HEADS=heads, grf_mode="256")
    expected = torch.zeros(out.shape, dtype=torch.float64)
    for start in range(0, length, chunk):
        own = slice(start, min(start + chunk, length))
        size = own.stop - start
        triangle = a[own, :, :size].double().transpose(0, 1).tril(-1) + torch.eye(size, dtype=torch.float64)
        expected[own, :, :size] = torch.linalg.inv(triangle).transpose(0, 1)
    return [Result(out, expected, 1e-5)]


@triton.jit
def corrections_kernel(
    k_ptr, v_ptr, beta_ptr, gate_ptr, a_ptr, w_ptr, u_ptr, rest_ptr, length, HEADS: tl.constexpr, KEY: tl.constexpr,
    VALUE: tl.constexpr, CHUNK: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_V: tl.constexpr,
):  # fmt: skip
    """The matrix A of a chunk times values and times keys with gates, and keys with the rest of their gates."""
    chunk, head = tl.program_id(0), tl.program_id(1)
    start = chunk * CHUNK
    b = tl.make_block_ptr(beta_ptr + head, (length,), (HEADS,), (start,), (CHUNK,), (0,))
    beta = tl.load(b, boundary_check=(0,))
    a = tl.make_block_ptr(a_ptr + head * CHUNK, (length, CHUNK), (HEADS * CHUNK, 1), (start, 0), (CHUNK, CHUNK), (1, 0))
    matrix = tl.load(a, boundary_check=(0, 1))
    v_ptr += head * VALUE
    u_ptr += head * VALUE
    for step in range(tl.cdiv(VALUE, BLOCK_V)):
        place = (start, step * BLOCK_V)
        v = tl.make_block_ptr(v_ptr, (length, VALUE), (HEADS * VALUE, 1), place, (CHUNK, BLOCK_V), (1, 0))
        u = tl.make_block_ptr(u_ptr, (length, VALUE), (HEADS * VALUE, 1), place, (CHUNK, BLOCK_V), (1, 0))
        value = tl.load(v, boundary_check=(0, 1))
        scaled = (value * beta[:, None]).to(value.dtype)
        tl.store(u, tl.dot(matrix, scaled).to(u_ptr.dtype.element_ty), boundary_check=(0, 1))
    k_ptr += head * KEY
    w_ptr += head * KEY
    gate_ptr += head * KEY
    rest_ptr += head * KEY
    end = tl.minimum(start + CHUNK, length) - 1
    for step in range(tl.cdiv(KEY, BLOCK_K)):
        place = (start, step * BLOCK_K)
        k = tl.make_block_ptr(k_ptr, (length, KEY), (HEADS * KEY, 1), place, (CHUNK, BLOCK_K), (1, 0))
        g = tl.make_block_ptr(gate_ptr, (length, KEY), (HEADS * KEY, 1), place, (CHUNK, BLOCK_K), (1, 0))
        w = tl.make_block_ptr(w_ptr, (length, KEY), (HEADS * KEY, 1), place, (CHUNK, BLOCK_K), (1, 0))
        r = tl.make_block_ptr(rest_ptr, (length, KEY), (HEADS * KEY, 1), place, (CHUNK, BLOCK_K), (1, 0))
        key = tl.load(k, boundary_check=(0, 1))
        gate = tl.load(g, boundary_check=(0, 1))
        scaled = key * beta[:, None] * tl.exp(gate)
        inner = step * BLOCK_K + tl.arange(0, BLOCK_K)
        last = tl.load(gate_ptr + end * HEADS * KEY + inner, mask=inner < KEY, other=0.0)
        tl.store(r, (key * tl.exp(last - gate)).to(rest_ptr.dtype.element_ty), boundary_check=(0, 1))
        tl.store(w, tl.dot(matrix, scaled.to(key.dtype)).to(w_ptr.dtype.element_ty), boundary_check=(0, 1))


@kernel_case(num_warps=(4, 8))
def corrections(session: Session) -> list[Result]:
    """Two chunks, the last of which is not whole."""
    heads, length, key, value, chunk, dtype = 2, 101, 128, 128, 64, torch.bfloat16
    k = session.randn((length, heads, key), dtype)
    v, a = session.randn((length, heads, value), dtype), session.randn((length, heads, chunk), dtype, 0.1)
    gate = gates_of_keys(session, length, heads, key, chunk)
    beta = session.input(torch.rand(length, heads, generator=torch.Generator().manual_seed(session.seed + 1)))
    w, rest = session.output(k.shape, dtype), session.output(k.shape, dtype)
    u = session.output(v.shape, dtype)
    session.launch(
        corrections_kernel, (triton.cdiv(length, chunk), heads), k, v, beta, gate, a, w, u, rest, length, HEADS=heads,
        KEY=key, VALUE=value, CHUNK=chunk, BLOCK_K=64, BLOCK_V=64, grf_mode="256",
    )  # fmt: skip
    expected = [torch.empty(k.shape, dtype=torch.float64) for _ in range(3)]
    for start in range(0, length, chunk):
        own = slice(start, start + chunk)
        ks, vs, g = k[own].double(), v[own].double(), gate[own].double()
        scale = beta[own].double()[:, :, None]
        matrix = a[own, :, : len(ks)].double()
        for out, right in zip(expected, (ks * scale * g.exp(), vs * scale), strict=False):
            out[own] = torch.einsum("ihj,jhd->ihd", matrix, right.to(dtype).double())
        expected[2][own] = ks * (g[-1] - g).exp()
    return [Result(out, each, 2e-2) for out, each in zip((w, u, rest), expected, strict=True)]
