# SPDX-License-Identifier: MIT
"""Linear attention in chunks: products whose results feed further products."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from kernel_suite.case import Result, Session, kernel_case


@triton.jit
def chunk_state_kernel(
    k_ptr, v_ptr, state_ptr, length, chunks, KEY: tl.constexpr, VALUE: tl.constexpr, CHUNK: tl.constexpr,
):  # fmt: skip
    """The state before each chunk: the sum of K^T V over the chunks before it."""
    head = tl.program_id(0).to(tl.int64)
    state = tl.zeros((KEY, VALUE), tl.float32)
    for chunk in range(chunks):
        place = ((head * chunks + chunk) * KEY + tl.arange(0, KEY))[:, None] * VALUE + tl.arange(0, VALUE)[None, :]
        tl.store(state_ptr + place, state)
        start = chunk * CHUNK
        k = tl.make_block_ptr(k_ptr + head * length * KEY, (KEY, length), (1, KEY), (0, start), (KEY, CHUNK), (0, 1))
        v = tl.make_block_ptr(
            v_ptr + head * length * VALUE, (length, VALUE), (VALUE, 1), (start, 0), (CHUNK, VALUE), (1, 0)
        )
        key = tl.load(k, boundary_check=(1,), padding_option="zero")
        value = tl.load(v, boundary_check=(0,), padding_option="zero")
        state = tl.dot(key, value, state)


@triton.jit
def chunk_output_kernel(
    q_ptr, k_ptr, v_ptr, state_ptr, out_ptr, scale, length, chunks,
    KEY: tl.constexpr, VALUE: tl.constexpr, CHUNK: tl.constexpr,
):  # fmt: skip
    """Inside a chunk the masked product (Q K^T) V, and Q times the state before it."""
    chunk = tl.program_id(0)
    head = tl.program_id(1).to(tl.int64)
    start = chunk * CHUNK
    q = tl.make_block_ptr(q_ptr + head * length * KEY, (length, KEY), (KEY, 1), (start, 0), (CHUNK, KEY), (1, 0))
    k = tl.make_block_ptr(k_ptr + head * length * KEY, (KEY, length), (1, KEY), (0, start), (KEY, CHUNK), (0, 1))
    v = tl.make_block_ptr(
        v_ptr + head * length * VALUE, (length, VALUE), (VALUE, 1), (start, 0), (CHUNK, VALUE), (1, 0)
    )
    state = tl.make_block_ptr(
        state_ptr + (head * chunks + chunk) * KEY * VALUE, (KEY, VALUE), (VALUE, 1), (0, 0), (KEY, VALUE), (1, 0)
    )
    query = tl.load(q, boundary_check=(0,), padding_option="zero")
    key = tl.load(k, boundary_check=(1,), padding_option="zero")
    value = tl.load(v, boundary_check=(0,), padding_option="zero")
    rows = tl.arange(0, CHUNK)
    score = tl.where(rows[:, None] >= rows[None, :], tl.dot(query, key), 0.0)
    result = tl.dot(query, tl.load(state).to(query.dtype))
    result = tl.dot(score.to(value.dtype), value, result) * scale
    out = tl.make_block_ptr(
        out_ptr + head * length * VALUE, (length, VALUE), (VALUE, 1), (start, 0), (CHUNK, VALUE), (1, 0)
    )
    tl.store(out, result.to(out_ptr.dtype.element_ty), boundary_check=(0,))


@kernel_case(num_warps=(4, 8))
def chunked(session: Session) -> list[Result]:
    """Causal linear attention: states of chunks, then outputs of chunks."""
    heads, length, key, value, chunk = 2, 75, 32, 64, 32
    chunks = triton.cdiv(length, chunk)
    dtype, scale = torch.bfloat16, key**-0.5
    q, k = (session.randn((heads, length, key), dtype) for _ in range(2))
    v = session.randn((heads, length, value), dtype)
    state, out = session.output((heads, chunks, key, value)), session.output((heads, length, value), dtype)
    meta = {"KEY": key, "VALUE": value, "CHUNK": chunk}
    session.launch(chunk_state_kernel, (heads,), k, v, state, length, chunks, **meta)
    wide = [tensor.double() for tensor in (q, k, v)]
    padded = [torch.nn.functional.pad(tensor, (0, 0, 0, chunks * chunk - length)) for tensor in wide]
    products = padded[1].view(heads, chunks, chunk, key).mT @ padded[2].view(heads, chunks, chunk, value)
    expected_state = products.cumsum(1) - products
    known = session.input(expected_state.float())
    session.launch(chunk_output_kernel, (chunks, heads), q, k, v, known, out, scale, length, chunks, **meta)
    expected = (wide[0] @ wide[1].mT).tril() @ wide[2] * scale
    return [Result(state, expected_state, 1e-5), Result(out, expected, 1e-2)]


@triton.jit
def delta_rule_kernel(
    q_ptr, k_ptr, v_ptr, beta_ptr, out_ptr, length, KEY: tl.constexpr, VALUE: tl.constexpr,
):  # fmt: skip
    """The delta rule one step at a time: the state is corrected by what it predicts wrongly for the new key."""
    head = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, KEY)
    j = tl.arange(0, VALUE)
    state = tl.zeros((KEY, VALUE), tl.float32)
    for t in range(length):
        row = head * length + t
        key = tl.load(k_ptr + row * KEY + i).to(tl.float32)
        query = tl.load(q_ptr + row * KEY + i).to(tl.float32)
        value = tl.load(v_ptr + row * VALUE + j).to(tl.float32)
        predicted = tl.sum(state * key[:, None], axis=0)
        change = (value - predicted) * tl.load(beta_ptr + row)
        state += key[:, None] * change[None, :]
        tl.store(out_ptr + row * VALUE + j, tl.sum(state * query[:, None], axis=0).to(out_ptr.dtype.element_ty))


@kernel_case(num_warps=(4, 1, 2))
def delta_rule(session: Session) -> list[Result]:
    """A recurrence whose state is a matrix in registers."""
    heads, length, key, value = 2, 19, 16, 32
    dtype = torch.bfloat16
    q, k = (session.randn((heads, length, key), dtype, key**-0.5) for _ in range(2))
    v = session.randn((heads, length, value), dtype)
    beta = session.input(torch.rand(heads, length, generator=torch.Generator().manual_seed(session.seed)))
    out = session.output((heads, length, value))
    session.launch(delta_rule_kernel, (heads,), q, k, v, beta, out, length, KEY=key, VALUE=value)
    state, expected = torch.zeros(heads, key, value, dtype=torch.float64), []
    for t in range(length):
        kt, vt = k[:, t].double(), v[:, t].double()
        change = (vt - torch.einsum("hkv,hk->hv", state, kt)) * beta[:, t, None].double()
        state = state + kt[:, :, None] * change[:, None]
        expected.append(torch.einsum("hkv,hk->hv", state, q[:, t].double()))
    return [Result(out, torch.stack(expected, 1), 1e-4)]


@triton.jit
def gated_output_kernel(
    q_ptr, k_ptr, v_ptr, state_ptr, gate_ptr, out_ptr, scale, length,
    HEADS: tl.constexpr, KEY: tl.constexpr, VALUE: tl.constexpr,
    CHUNK: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_V: tl.constexpr,
):  # fmt: skip
    """Compute with gates, by pieces of the keys: two products share the queries, and a third is added to one."""
    column, chunk, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    chunks = tl.num_programs(1)
    state_ptr += (head * chunks + chunk).to(tl.int64) * KEY * VALUE
    result = tl.zeros((CHUNK, BLOCK_V), tl.float32)
    score = tl.zeros((CHUNK, CHUNK), tl.float32)
    for piece in range(tl.cdiv(KEY, BLOCK_K)):
        rows, keys = chunk * CHUNK, piece * BLOCK_K
        q = tl.make_block_ptr(
            q_ptr + head * KEY, (length, KEY), (HEADS * KEY, 1), (rows, keys), (CHUNK, BLOCK_K), (1, 0)
        )
        k = tl.make_block_ptr(
            k_ptr + head * KEY, (KEY, length), (1, HEADS * KEY), (keys, rows), (BLOCK_K, CHUNK), (0, 1)
        )
        h = tl.make_block_ptr(state_ptr, (KEY, VALUE), (VALUE, 1), (keys, column * BLOCK_V), (BLOCK_K, BLOCK_V), (1, 0))
        query = tl.load(q, boundary_check=(0, 1))
        result += tl.dot(query, tl.load(h, boundary_check=(0, 1)))
        score += tl.dot(query, tl.load(k, boundary_check=(0, 1)))
    g = tl.make_block_ptr(gate_ptr + head, (length,), (HEADS,), (chunk * CHUNK,), (CHUNK,), (0,))
    gate = tl.load(g, boundary_check=(0,))
    times = chunk * CHUNK + tl.arange(0, CHUNK)
    is_valid = times < length
    score *= tl.exp(gate[:, None] - gate[None, :])
    score = tl.where((times[:, None] >= times[None, :]) & (is_valid[:, None] & is_valid), score, 0)
    place = (chunk * CHUNK, column * BLOCK_V)
    v = tl.make_block_ptr(v_ptr + head * VALUE, (length, VALUE), (HEADS * VALUE, 1), place, (CHUNK, BLOCK_V), (1, 0))
    o = tl.make_block_ptr(out_ptr + head * VALUE, (length, VALUE), (HEADS * VALUE, 1), place, (CHUNK, BLOCK_V), (1, 0))
    value = tl.load(v, boundary_check=(0, 1))
    result = result * tl.exp(gate)[:, None] * scale + tl.dot(score.to(value.dtype), value) * scale
    tl.store(o, result.to(out_ptr.dtype.element_ty), boundary_check=(0, 1))


@kernel_case(num_warps=(8, 4))
def gated_chunks(session: Session) -> list[Result]:
    """Outputs of chunks with gates; heads lie next to each other in memory, and the last chunk has one step only."""
    heads, length, key, value, chunk = 2, 129, 128, 128, 64
    chunks, scale, dtype = triton.cdiv(length, chunk), key**-0.5, torch.bfloat16
    q, k = (session.randn((length, heads, key), dtype) for _ in range(2))
    v, out = session.randn((length, heads, value), dtype), session.output((length, heads, value), dtype)
    state = session.randn((heads, chunks, key, value), dtype, 0.2)
    steps = torch.rand(length, heads, generator=torch.Generator().manual_seed(session.seed))
    gates = [-part.cumsum(0) / chunk for part in steps.split(chunk)]
    gate = session.input(torch.cat(gates))
    meta = {"HEADS": heads, "KEY": key, "VALUE": value, "CHUNK": chunk, "BLOCK_K": 64, "BLOCK_V": 64}
    session.launch(gated_output_kernel, (2, chunks, heads), q, k, v, state, gate, out, scale, length, **meta)
    expected = []
    for number, g in enumerate(gates):
        part = slice(number * chunk, number * chunk + len(g))
        qs, ks, vs = (tensor[part].double().transpose(0, 1) for tensor in (q, k, v))
        decay = g.double().T
        score = (qs @ ks.mT) * (decay[:, :, None] - decay[:, None, :]).exp()
        inside = score.tril().to(dtype).double() @ vs
        expected.append(((qs @ state[:, number].double()) * decay.exp()[:, :, None] + inside) * scale)
    return [Result(out, torch.cat(expected, 1).transpose(0, 1), 2e-2)]


@triton.jit
def gated_state_kernel(
    k_ptr, v_ptr, w_ptr, gate_ptr, state_ptr, length,
    KEY: tl.constexpr, VALUE: tl.constexpr, CHUNK: tl.constexpr, BLOCK_V: tl.constexpr,
):  # fmt: skip
    """States of the gated delta rule: a product takes the state as its right operand, another one is added to it."""
    column, head = tl.program_id(0) * BLOCK_V, tl.program_id(1).to(tl.int64)
    chunks = tl.cdiv(length, CHUNK)
    state = tl.zeros((KEY, BLOCK_V), tl.float32)
    for chunk in range(chunks):
        start = (chunk * CHUNK).to(tl.int32)
        states = tl.make_block_ptr(
            state_ptr + (head * chunks + chunk) * KEY * VALUE, (KEY, VALUE), (VALUE, 1), (0, column),
            (KEY, BLOCK_V), (1, 0),
        )  # fmt: skip
        w = tl.make_block_ptr(w_ptr + head * length * KEY, (length, KEY), (KEY, 1), (start, 0), (CHUNK, KEY), (1, 0))
        v = tl.make_block_ptr(
            v_ptr + head * length * VALUE, (length, VALUE), (VALUE, 1), (start, column), (CHUNK, BLOCK_V), (1, 0)
        )
        k = tl.make_block_ptr(k_ptr + head * length * KEY, (KEY, length), (1, KEY), (0, start), (KEY, CHUNK), (0, 1))
        rounded = state.to(k_ptr.dtype.element_ty)
        tl.store(states, rounded)
        change = tl.load(v, boundary_check=(0,), padding_option="zero").to(tl.float32)
        change -= tl.dot(tl.load(w, boundary_check=(0,), padding_option="zero"), rounded)
        step = start + tl.arange(0, CHUNK)
        last = tl.load(gate_ptr + head * length + tl.minimum(start + CHUNK, length) - 1)
        gate = tl.load(gate_ptr + head * length + step, mask=step < length, other=0.0)
        change *= tl.where(step < length, tl.exp(last - gate), 0.0)[:, None]
        key = tl.load(k, boundary_check=(1,), padding_option="zero")
        state = tl.dot(key, change.to(key.dtype), state * tl.exp(last))


@kernel_case(num_warps=(8, 16))
def gated_states(session: Session) -> list[Result]:
    """States of 128x64 before each chunk; the last chunk is not whole."""
    heads, length, key, value, chunk = 2, 150, 128, 128, 64
    chunks, dtype = triton.cdiv(length, chunk), torch.bfloat16
    k, w = (session.randn((heads, length, key), dtype, 0.2) for _ in range(2))
    v, state = session.randn((heads, length, value), dtype, 0.2), session.output((heads, chunks, key, value), dtype)
    steps = torch.rand(heads, length, generator=torch.Generator().manual_seed(session.seed))
    gates = [-part.cumsum(1) / chunk for part in steps.split(chunk, 1)]
    meta = {"KEY": key, "VALUE": value, "CHUNK": chunk, "BLOCK_V": 64}
    gate = session.input(torch.cat(gates, 1))
    session.launch(gated_state_kernel, (2, heads), k, v, w, gate, state, length, **meta)
    expected = [torch.zeros(heads, key, value, dtype=torch.float64)]
    for number, part in enumerate(gates[:-1]):
        ks, vs, ws = (tensor[:, number * chunk :][:, :chunk].double() for tensor in (k, v, w))
        last = part[:, -1:].double()
        change = (vs - ws @ expected[-1].to(dtype).double()) * (last - part.double()).exp()[:, :, None]
        expected.append(expected[-1] * last.exp()[:, :, None] + ks.mT @ change.to(dtype).double())
    return [Result(state, torch.stack(expected, 1), 2e-2)]


@triton.jit
def weighted_state_kernel(
    k_ptr, v_ptr, decay_ptr, weight_ptr, state_ptr, norm_ptr, length, KEY: tl.constexpr, VALUE: tl.constexpr,
    CHUNK: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_V: tl.constexpr,
):  # fmt: skip
    """States of an LSTM with matrices: keys have weights along a chunk, and their sum is a state, too."""
    row, column, head = tl.program_id(0) * BLOCK_K, tl.program_id(1) * BLOCK_V, tl.program_id(2).to(tl.int64)
    chunks = tl.cdiv(length, CHUNK)
    state, norm = tl.zeros((BLOCK_K, BLOCK_V), tl.float32), tl.zeros((BLOCK_K,), tl.float32)
    for chunk in range(chunks):
        start = (chunk * CHUNK).to(tl.int32)
        k = tl.make_block_ptr(
            k_ptr + head * length * KEY, (KEY, length), (1, KEY), (row, start), (BLOCK_K, CHUNK), (0, 1)
        )
        v = tl.make_block_ptr(
            v_ptr + head * length * VALUE, (length, VALUE), (VALUE, 1), (start, column), (CHUNK, BLOCK_V), (1, 0)
        )
        step = start + tl.arange(0, CHUNK)
        weight = tl.load(weight_ptr + head * length + step, mask=step < length, other=0.0)
        decay = tl.load(decay_ptr + head * chunks + chunk)
        key = tl.load(k, boundary_check=(1,), padding_option="zero").to(tl.float32) * weight[None, :]
        value = tl.load(v, boundary_check=(0,), padding_option="zero")
        state = decay * state + tl.dot(key.to(value.dtype), value)
        norm = decay * norm + tl.sum(key, 1)
        place = (head * chunks + chunk) * KEY + row
        states = tl.make_block_ptr(
            state_ptr + place * VALUE, (BLOCK_K, VALUE), (VALUE, 1), (0, column), (BLOCK_K, BLOCK_V), (1, 0)
        )
        tl.store(states, state)
        if column == 0:
            tl.store(norm_ptr + place + tl.arange(0, BLOCK_K), norm)


@kernel_case(num_warps=(4, 8), dtype=(torch.bfloat16, torch.float32))
def weighted_states(session: Session, dtype: torch.dtype) -> list[Result]:
    """States of 64x64 after each chunk; the last chunk is not whole."""
    heads, length, key, value, chunk, block = 2, 150, 128, 128, 64, 64
    chunks = triton.cdiv(length, chunk)
    k, v = session.randn((heads, length, key), dtype, 0.2), session.randn((heads, length, value), dtype, 0.2)
    decay, weight = session.randn((heads, chunks), torch.float32).sigmoid(), session.randn((heads, length)).exp()
    decay, weight = session.input(decay), session.input(weight)
    state, norm = session.output((heads, chunks, key, value)), session.output((heads, chunks, key))
    meta = {"KEY": key, "VALUE": value, "CHUNK": chunk, "BLOCK_K": block, "BLOCK_V": block}
    grid = (key // block, value // block, heads)
    session.launch(weighted_state_kernel, grid, k, v, decay, weight, state, norm, length, **meta)
    expected, sums = [torch.zeros(heads, key, value, dtype=torch.float64)], [torch.zeros(heads, key).double()]
    for number in range(chunks):
        ks, vs, ws = (tensor[:, number * chunk :][:, :chunk].double() for tensor in (k, v, weight[:, :, None]))
        factor = decay[:, number].double()
        sums.append(factor[:, None] * sums[-1] + (ks * ws).sum(1))
        expected.append(factor[:, None, None] * expected[-1] + (ks * ws).mT @ vs)
    return [Result(state, torch.stack(expected[1:], 1), 2e-2), Result(norm, torch.stack(sums[1:], 1), 1e-4)]
