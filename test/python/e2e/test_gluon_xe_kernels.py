# SPDX-License-Identifier: MIT
"""Kernels in Gluon with DPAS and 2D block messages, as libraries write them."""

from __future__ import annotations

import pytest
import torch
from numerics import poisoned
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from triton_xe.experimental import gluon as xe

pytestmark = pytest.mark.conformance

every_mode = pytest.mark.parametrize("checks", [False, True], ids=["plain", "checks"])


def check(found: torch.Tensor, expected: torch.Tensor, tolerance: float = 2e-3) -> None:
    """Compare with a result in higher precision, relative to its largest element."""
    expected = expected.double()
    torch.testing.assert_close(found.double(), expected, rtol=0, atol=tolerance * expected.abs().max().item())


@gluon.jit
def split_k(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, dpas: gl.constexpr):
    m, part, parts = gl.program_id(0) * BM, gl.program_id(1), gl.num_programs(1)
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = xe.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    result: gl.constexpr = dpas.accumulator([BM, BN])
    acc = gl.zeros([BM, BN], gl.float32, result)
    for k in range(part * BK, K, BK * parts):
        x = left.load([m, k], dpas.operand(0, [BM, BK], gl.float16))
        acc = xe.dot(x, right.load([k, 0], dpas.operand(1, [BK, BN], gl.float16)), acc)
    row = m + gl.arange(0, BM, layout=gl.SliceLayout(1, result))
    column = gl.arange(0, BN, layout=gl.SliceLayout(0, result))
    gl.atomic_add(c + row[:, None] * N + column[None, :], acc, mask=(row < M)[:, None])


@every_mode
def test_split_k(checks):
    """Programs add to the same elements of memory."""
    m, n, k = 70, 32, 256
    a, b, c = torch.randn(m, k).half(), torch.randn(k, n).half(), torch.zeros(m, n)
    split_k[(3, 4)](a, b, c, m, n, k, 32, 32, 32, xe.DPASLayout([4, 1]), num_warps=4, cpu_checks=checks)
    check(c, a.double() @ b.double())


@gluon.jit
def softmax(x, y, M, N, BM: gl.constexpr, BN: gl.constexpr, layout: gl.constexpr):
    m = gl.program_id(0) * BM
    value = xe.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN]).load([m, 0], layout)
    column = gl.arange(0, BN, layout=gl.SliceLayout(0, layout))
    value = gl.where((column < N)[None, :], value, float("-inf"))
    weight = gl.exp(value - gl.max(value, 1)[:, None])
    xe.make_tensor_descriptor(y, [M, N], [N, 1], [BM, BN]).store([m, 0], weight / gl.sum(weight, 1)[:, None])


@every_mode
@pytest.mark.parametrize("warps", [(1, 4), (2, 2)], ids=str)
def test_softmax(warps, checks):
    """Without a product, and with rows that several warps share."""
    x, y = torch.randn(50, 200), poisoned((50, 200), torch.float32)
    layout = xe.DPASLayout(warps).accumulator([16, 256])
    softmax[(4,)](x, y, 50, 200, 16, 256, layout, num_warps=4, cpu_checks=checks)
    check(y, torch.softmax(x.double(), 1), 1e-5)


@gluon.jit
def hidden_layer(
    x, w1, w2, y, M, D: gl.constexpr, H, BM: gl.constexpr, BH: gl.constexpr, dpas: gl.constexpr
):  # fmt: skip
    m = gl.program_id(0) * BM
    left = xe.make_tensor_descriptor(x, [M, D], [D, 1], [BM, D]).load([m, 0], dpas.operand(0, [BM, D], gl.float16))
    first = xe.make_tensor_descriptor(w1, [D, H], [H, 1], [D, BH])
    second = xe.make_tensor_descriptor(w2, [H, D], [D, 1], [BH, D])
    acc = gl.zeros([BM, D], gl.float32, dpas.accumulator([BM, D]))
    for h in range(0, H, BH):
        hidden = gl.zeros([BM, BH], gl.float32, dpas.accumulator([BM, BH]))
        hidden = xe.dot(left, first.load([0, h], dpas.operand(1, [D, BH], gl.float16)), hidden)
        hidden = gl.convert_layout(gl.maximum(hidden, 0.0).to(gl.float16), dpas.operand(0, [BM, BH], gl.float16))
        acc = xe.dot(hidden, second.load([h, 0], dpas.operand(1, [BH, D], gl.float16)), acc)
    xe.make_tensor_descriptor(y, [M, D], [D, 1], [BM, D]).store([m, 0], acc)


@every_mode
@pytest.mark.parametrize(("warps", "shared"), [((4, 1), 0), ((2, 2), 2 * 2048)], ids=["rows", "tiles"])
def test_hidden_layer(warps, shared, checks):
    """A result becomes a left operand in its registers, or through shared memory if other warps need it, too.

    Iterations take turns to use two places there.
    """
    m, d, h = 100, 64, 160
    x, w1, w2 = (torch.randn(shape).half() for shape in ((m, d), (d, h), (h, d)))
    y = poisoned((m, d), torch.float32)
    dpas = xe.DPASLayout(warps)
    compiled = hidden_layer[(4,)](x, w1, w2, y, m, d, h, 32, 32, dpas, num_warps=4, cpu_checks=checks)
    check(y, torch.relu(x.double() @ w1.double()) @ w2.double())
    assert compiled.metadata.shared == shared


@gluon.jit
def staged(a, b, c, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, dpas: gl.constexpr, plain: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float16, [BK, BN], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    left = xe.make_tensor_descriptor(a, [BM, K], [K, 1], [BM, BK])
    acc = gl.zeros([BM, BN], gl.float32, dpas.accumulator([BM, BN]))
    row = gl.arange(0, BK, layout=gl.SliceLayout(1, plain))
    column = gl.arange(0, BN, layout=gl.SliceLayout(0, plain))
    for k in range(0, K, BK):
        memory.store(gl.load(b + (k + row)[:, None] * BN + column[None, :]))
        x = left.load([0, k], dpas.operand(0, [BM, BK], gl.float16))
        acc = xe.dot(x, memory.load(dpas.operand(1, [BK, BN], gl.float16)), acc)
    xe.make_tensor_descriptor(c, [BM, BN], [BN, 1], [BM, BN]).store([0, 0], acc)


@every_mode
def test_operand_from_shared_memory(checks):
    a, b = torch.randn(32, 128).half(), torch.randn(128, 32).half()
    c = poisoned((32, 32), torch.float32)
    plain = gl.BlockedLayout([1, 2], [1, 16], [4, 1], [1, 0])
    staged[(1,)](a, b, c, 128, 32, 32, 32, xe.DPASLayout([2, 2]), plain, num_warps=4, cpu_checks=checks)
    check(c, a.double() @ b.double())


@gluon.jit
def byte_weights(
    a, b, scales, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, dpas: gl.constexpr
):  # fmt: skip
    n = gl.program_id(0) * BN
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = xe.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    result: gl.constexpr = dpas.accumulator([BM, BN])
    acc = gl.zeros([BM, BN], gl.float32, result)
    for k in range(0, K, BK):
        weight = right.load([k, n], dpas.operand(1, [BK, BN], gl.int8)).to(gl.float16)
        weight = gl.convert_layout(weight, dpas.operand(1, [BK, BN], gl.float16))
        acc = xe.dot(left.load([0, k], dpas.operand(0, [BM, BK], gl.float16)), weight, acc)
    scale = gl.load(scales + n + gl.arange(0, BN, layout=gl.SliceLayout(0, result)))
    xe.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN]).store([0, n], acc * scale[None, :])


@every_mode
def test_weights_of_bytes(checks):
    """Bytes arrive as operands of an 8-bit product, four rows in 32 bits, and are widened."""
    m, n, k = 16, 128, 128
    a, b, scales = torch.randn(m, k).half(), torch.randint(-128, 128, (k, n)).to(torch.int8), torch.rand(n)
    c = poisoned((m, n), torch.float32)
    dpas = xe.DPASLayout([1, 4])
    byte_weights[(2,)](a, b, scales, c, m, n, k, 16, 64, 32, dpas, num_warps=4, cpu_checks=checks)
    check(c, (a.double() @ b.double()) * scales)


@gluon.jit
def add_pages(q, pool, table, out, count, PAGE: gl.constexpr, HEAD: gl.constexpr, dpas: gl.constexpr):
    result: gl.constexpr = dpas.accumulator([4, PAGE])
    query = xe.make_tensor_descriptor(q, [4, HEAD], [HEAD, 1], [4, HEAD])
    query = query.load([0, 0], dpas.operand(0, [4, HEAD], gl.float16))
    acc = gl.zeros([4, PAGE], gl.float32, result)
    for number in range(count):
        start = pool + gl.load(table + number).to(gl.int64) * PAGE * HEAD
        keys = xe.make_tensor_descriptor(start, [HEAD, PAGE], [1, HEAD], [HEAD, PAGE])
        acc = xe.dot(query, keys.load([0, 0], dpas.operand(1, [HEAD, PAGE], gl.float16)), acc)
    xe.make_tensor_descriptor(out, [4, PAGE], [PAGE, 1], [4, PAGE]).store([0, 0], acc)


@every_mode
def test_pages(checks):
    """A descriptor in a loop, of an address from memory; four rows are half of an instruction."""
    page, head, count = 32, 64, 5
    q, pool = torch.randn(4, head).half(), torch.randn(16, page, head).half()
    table = torch.randperm(16)[:count].int()
    out = poisoned((4, page), torch.float32)
    dpas = xe.DPASLayout([1, 2], repeat_count=4)
    add_pages[(1,)](q, pool, table, out, count, page, head, dpas, num_warps=2, cpu_checks=checks)
    check(out, sum(q.double() @ pool[number].double().t() for number in table.tolist()))


@gluon.jit
def weights_of_four_bits(a, w, scale, c, M, K, N: gl.constexpr, BM: gl.constexpr, BK: gl.constexpr, dpas: gl.constexpr):
    m = gl.program_id(0) * BM
    packed: gl.constexpr = gl.BlockedLayout([1, 1], [1, 16], [dpas.warps_per_cta[0], 1], [1, 0])
    result: gl.constexpr = dpas.accumulator([BM, N])
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    pair = gl.arange(0, BK // 2, layout=gl.SliceLayout(1, packed))
    place = gl.arange(0, N, layout=gl.SliceLayout(0, packed))
    acc = gl.zeros([BM, N], gl.float32, result)
    for k in range(0, K, BK):
        codes = gl.load(w + (k // 2 + pair)[:, None] * N + place[None, :])
        y = gl.convert_layout(gl.fp4_to_fp(codes, gl.float16, 0), dpas.operand(1, [BK, N], gl.float16))
        acc = xe.dot(left.load([m, k], dpas.operand(0, [BM, BK], gl.float16)), y, acc)
    column = gl.arange(0, N, layout=gl.SliceLayout(0, result))
    target = xe.make_tensor_descriptor(c, [M, N], [N, 1], [BM, N])
    target.store([m, 0], acc * gl.load(scale + column)[None, :])


@every_mode
def test_weights_of_four_bits(checks):
    """Two of them share a byte, along K."""
    m, n, k = 50, 32, 96
    a, codes, scale = torch.randn(m, k).half(), torch.randint(0, 16, (k, n), dtype=torch.uint8), torch.rand(n)
    c = poisoned((m, n), torch.float32)
    w = codes[0::2] | codes[1::2] << 4
    dpas = xe.DPASLayout([4, 1])
    weights_of_four_bits[(2,)](a, w, scale, c, m, k, n, 32, 32, dpas, num_warps=4, cpu_checks=checks)
    values = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    check(c, a.double() @ torch.cat([values, -values])[codes.long()].double() * scale)


@gluon.jit
def persistent(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, dpas: gl.constexpr):
    left = xe.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = xe.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    target = xe.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    columns = gl.cdiv(N, BN)
    for tile in range(gl.program_id(0), gl.cdiv(M, BM) * columns, gl.num_programs(0)):
        m, n = tile // columns * BM, tile % columns * BN
        acc = gl.zeros([BM, BN], gl.int32, dpas.accumulator([BM, BN]))
        for k in range(0, K, BK):
            xe.arrive_barrier()
            x = left.load([m, k], dpas.operand(0, [BM, BK], gl.int8), cache_modifier=".ca")
            acc = xe.dot(x, right.load([k, n], dpas.operand(1, [BK, BN], gl.int8)), acc)
            xe.wait_barrier()
        target.store([m, n], acc)


@every_mode
def test_persistent(checks):
    """Programs compute several tiles each, with warps that stay in step."""
    m, n, k = 100, 192, 128
    a, b = (torch.randint(-128, 128, shape, dtype=torch.int8) for shape in ((m, k), (k, n)))
    c = torch.full((m, n), -7, dtype=torch.int32)
    persistent[(3,)](a, b, c, m, n, k, 64, 64, 64, xe.DPASLayout([4, 2], [2, 2]), num_warps=8, cpu_checks=checks)
    assert torch.equal(c, a.int() @ b.int())
