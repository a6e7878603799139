# SPDX-License-Identifier: MIT
"""Kernels whose TTIR is recorded as test input; see record_ttir.py.

Together they make Triton print every operation that its language can produce, in
the forms that kernels in the wild have. Each kernel states the types of its
arguments: `*fp32` is a pointer, a number or a flag is a constexpr.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import triton
import triton.language as tl
from triton.language.extra import libdevice


@dataclass(frozen=True)
class Case:
    """A kernel with what is needed to compile it."""

    kernel: triton.JITFunction
    arguments: dict
    aligned: tuple[str, ...]
    options: dict = field(default_factory=dict)


CASES: dict[str, Case] = {}


def case(aligned: tuple[str, ...] = (), options: dict | None = None, **arguments: object) -> Callable:
    """Registers a kernel; `aligned` names arguments that are multiples of 16."""

    def register(kernel: triton.JITFunction) -> triton.JITFunction:
        CASES[kernel.__name__] = Case(kernel, arguments, aligned, options or {})
        return kernel

    return register


# Block pointers --------------------------------------------------------------


@case(
    a="*bf16",
    b="*bf16",
    c="*fp32",
    d="*fp32",
    M="i32",
    N="i32",
    K="i32",
    lda="i32",
    ldb="i32",
    aligned=("a", "b", "c", "d", "K", "lda", "ldb"),
    BM=64,
    BN=64,
    BK=32,
)
@triton.jit
def gemm_addmatrix(a, b, c, d, M, N, K, lda, ldb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    a_block = tl.make_block_ptr(a, (M, K), (lda, 1), (pid_m * BM, 0), (BM, BK), (1, 0))
    b_block = tl.make_block_ptr(b, (K, N), (ldb, 1), (0, pid_n * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        x = tl.load(a_block, boundary_check=(0, 1))
        y = tl.load(b_block, boundary_check=(0, 1))
        acc += tl.dot(x, y)
        a_block = tl.advance(a_block, (0, BK))
        b_block = tl.advance(b_block, (BK, 0))
    d_block = tl.make_block_ptr(d, (M, N), (N, 1), (pid_m * BM, pid_n * BN), (BM, BN), (1, 0))
    acc += tl.load(d_block, boundary_check=(0, 1))
    c_block = tl.make_block_ptr(c, (M, N), (N, 1), (pid_m * BM, pid_n * BN), (BM, BN), (1, 0))
    tl.store(c_block, acc, boundary_check=(0, 1))


@case(x="*fp16", y="*fp16", n="i32", m="i64", aligned=("x", "y", "n"))
@triton.jit
def block_pointer_padding(x, y, n, m):
    block = tl.make_block_ptr(x, (n, m), (m, 1), (8, 0), (16, 32), (1, 0))
    zero = tl.load(block, boundary_check=(0,), padding_option="zero")
    nan = tl.load(block, boundary_check=(1, 0), padding_option="nan", cache_modifier=".cg")
    plain = tl.load(block, eviction_policy="evict_last")
    out = tl.make_block_ptr(y, (m, n), (1, m), (0, 8), (16, 32), (0, 1))
    tl.store(out, zero + nan + plain, boundary_check=(1,), cache_modifier=".wb")


@case(x="*i32", y="*i32", n="i32")
@triton.jit
def block_pointer_ranks(x, y, n):
    line = tl.make_block_ptr(x, (n,), (1,), (0,), (64,), (0,))
    line = tl.advance(line, (n,))
    cube = tl.make_block_ptr(y, (n, n, n), (n * n, n, 1), (0, 0, 0), (4, 4, 4), (2, 1, 0))
    value = tl.load(line, boundary_check=(0,), padding_option="zero")
    tl.store(cube, tl.reshape(value, (4, 4, 4)), boundary_check=(0, 1, 2))


# Descriptors -----------------------------------------------------------------


@case(x="*fp32", y="*fp32", n="i32", stride="i64", aligned=("x", "y", "n", "stride"))
@triton.jit
def descriptor_copy(x, y, n, stride):
    src = tl.make_tensor_descriptor(x, [n, n], [stride, 1], [16, 32])
    nan = tl.make_tensor_descriptor(x, [n, n, n], [stride, stride, 1], [1, 16, 32], padding_option="nan")
    dst = tl.make_tensor_descriptor(y, [n, n], [stride, 1], [16, 32])
    row = tl.program_id(0) * 16
    value = src.load([row, 32]) + tl.reshape(nan.load([0, row, 0]), (16, 32))
    dst.store([row, 0], value)


@case(x="*i32", y="*fp16", n="i32")
@triton.jit
def descriptor_reduce(x, y, n):
    ints = tl.make_tensor_descriptor(x, [n, n], [n, 1], [8, 16])
    ones = tl.full((8, 16), 1, tl.int32)
    ints.atomic_add([0, 0], ones)
    ints.atomic_min([0, 0], ones)
    ints.atomic_max([8, 0], ones)
    ints.atomic_and([8, 0], ones)
    ints.atomic_or([0, 16], ones)
    ints.atomic_xor([0, 16], ones)
    halves = tl.make_tensor_descriptor(y, [n, n], [n, 1], [8, 16])
    halves.atomic_add([0, 0], tl.full((8, 16), 1.0, tl.float16))


@case(x="*bf16", y="*bf16", rows="*i32", n="i32")
@triton.jit
def descriptor_gather(x, y, rows, n):
    src = tl.make_tensor_descriptor(x, [n, n], [n, 1], [1, 32])
    dst = tl.make_tensor_descriptor(y, [n, n], [n, 1], [1, 32])
    index = tl.load(rows + tl.arange(0, 16))
    value = src.gather(index, 64)
    dst.scatter(value, index, n)


@case(x="tensordesc<fp16[16, 32]>", y="tensordesc<u8[64]>", z="tensordesc<i32[4, 8]>", out="*i32")
@triton.jit
def descriptor_argument(x, y, z, out):
    x.store([0, 0], x.load([16, 0]))
    total = tl.sum(y.load([0]).to(tl.int32), 0) + tl.sum(tl.sum(z.load([0, 0]), 1), 0)
    tl.store(out, total + x.shape[0])


# Pointers and masks ----------------------------------------------------------


@case(x="*fp32", y="*fp32", out="*fp32", n="i32", BLOCK=256, aligned=("x", "y", "out", "n"))
@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask) + tl.load(y + offsets, mask), mask)


@case(x="*fp32", b="*i1", p="*i8", u="*u16", n="i32", f="fp32", k="i64")
@triton.jit
def pointer_casts(x, b, p, u, n, f, k):
    flag = tl.load(b + n)
    tl.store(b, flag ^ True)
    address = x.to(tl.int64, bitcast=True) + k
    again = address.to(tl.pointer_type(tl.float32), bitcast=True)
    tl.store(again, f)
    offsets = tl.arange(0, 32)
    addresses = (x + offsets).to(tl.int64)
    pointers = (addresses + 64).to(tl.pointer_type(tl.int32))
    tl.store(pointers, tl.load(x + offsets).to(tl.int32, bitcast=True))
    tl.store(u + offsets, tl.load(p + offsets).to(tl.uint8).to(tl.uint16))
    nested = x.to(tl.pointer_type(tl.pointer_type(tl.float32)))
    tl.store(tl.load(nested), f)


@case(x="*fp32", y="*fp32", n="i32")
@triton.jit
def cache_words(x, y, n):
    offsets = tl.arange(0, 64)
    mask = offsets < n
    value = tl.load(x + offsets, cache_modifier=".ca")
    value += tl.load(x + offsets, mask=mask, cache_modifier=".cg", eviction_policy="evict_first")
    value += tl.load(x + offsets, mask=mask, other=1.0, cache_modifier=".cv", eviction_policy="evict_last")
    value += tl.load(x + offsets, mask=mask, volatile=True)
    tl.store(y + offsets, value, cache_modifier=".cs")
    tl.store(y + offsets, value, mask=mask, cache_modifier=".wt", eviction_policy="evict_first")
    tl.store(y, tl.load(x), eviction_policy="evict_last")


@case(x="*fp32", n="i32")
@triton.jit
def ranks(x, n):
    scalar = tl.load(x)
    one = tl.arange(0, 2)
    two = one[:, None] + tl.arange(0, 4)[None, :]
    three = two[None, :, :] * tl.arange(0, 2)[:, None, None]
    four = three[:, :, :, None] + one
    five = tl.expand_dims(four, 2) + tl.reshape(two, (1, 1, 2, 4, 1))
    tl.store(x + five, scalar)
    tl.store(x + tl.broadcast_to(three, (2, 2, 4)), n.to(tl.float32))


@case(x="*fp32", n="i32")
@triton.jit
def hints(x, n):
    n = tl.multiple_of(n, 16)
    rows = tl.max_contiguous(tl.multiple_of(tl.arange(0, 16) * n, 16), 16)
    columns = tl.max_constancy(tl.arange(0, 32) // 4, 4)
    offsets = tl.multiple_of(rows[:, None] + columns[None, :], (16, 8))
    tl.assume(n > 0)
    tl.store(x + offsets, 0.0)


# Atomics ---------------------------------------------------------------------


@case(i="*i32", u="*u32", f="*fp32", h="*fp16", q="*i64", n="i32")
@triton.jit
def atomics(i, u, f, h, q, n):
    offsets = tl.arange(0, 32)
    mask = offsets < n
    tl.atomic_add(i + offsets, offsets, mask=mask)
    tl.atomic_add(f + offsets, 1.0, mask=mask, sem="relaxed", scope="cta")
    tl.atomic_add(h + offsets, tl.full((32,), 1.0, tl.float16), sem="release")
    tl.atomic_max(i + offsets, offsets)
    tl.atomic_min(u + offsets, offsets.to(tl.uint32), sem="acquire", scope="sys")
    tl.atomic_max(u + offsets, offsets.to(tl.uint32), mask=mask)
    tl.atomic_max(f + offsets, offsets.to(tl.float32))
    tl.atomic_min(f, 2.5)
    tl.atomic_and(i, 3)
    tl.atomic_or(i, 3)
    tl.atomic_xor(i + offsets, 3)
    old = tl.atomic_xchg(q, 5)
    seen = tl.atomic_cas(i, 0, n, sem="acquire")
    tl.atomic_cas(i + offsets, offsets, offsets + 1, scope="sys")
    tl.store(q, old + seen)


# Reductions and scans --------------------------------------------------------


@triton.jit
def _combine(mean_a, m2_a, weight_a, mean_b, m2_b, weight_b):
    delta = mean_b - mean_a
    weight = weight_a + weight_b
    ratio = tl.where(weight == 0.0, 0.0, weight_b / weight)
    return mean_a + delta * ratio, m2_a + m2_b + delta * delta * weight_a * ratio, weight


@case(x="*fp32", y="*fp32", z="*i32")
@triton.jit
def reductions(x, y, z):
    rows = tl.arange(0, 16)
    value = tl.load(x + rows[:, None] * 32 + tl.arange(0, 32)[None, :])
    tl.store(y + rows, tl.sum(value, 1))
    tl.store(y + rows, tl.max(value, 1, keep_dims=True).reshape(16))
    tl.store(y + rows, tl.min(value, 1, return_indices=True)[0])
    tl.store(z + rows, tl.argmax(value, 1, tie_break_left=False))
    tl.store(z + rows, tl.argmin(value, 1))
    tl.store(y, tl.sum(value))
    tl.store(z, tl.xor_sum(value.to(tl.int32, bitcast=True).reshape(512), 0))
    mean, m2, _ = tl.reduce((value, value * 0, value * 0 + 1), 1, _combine)
    tl.store(y + rows, mean + m2)


@triton.jit
def _first_order(a, x, b, y):
    return a * b, b * x + y


@case(x="*fp32", y="*fp32")
@triton.jit
def scans(x, y):
    offsets = tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :]
    value = tl.load(x + offsets)
    result = tl.cumsum(value, 1) + tl.cumsum(value, 0, reverse=True) + tl.cumprod(value, 1)
    _, recurrence = tl.associative_scan((value, value), 0, _first_order)
    tl.store(y + offsets, result + recurrence)


@case(x="*fp32", y="*i32")
@triton.jit
def sorting(x, y):
    offsets = tl.arange(0, 8)
    value = tl.sort(tl.load(x + offsets), descending=True)
    tl.store(x + offsets, tl.flip(value, 0))
    tl.store(x + tl.arange(0, 2), tl.topk(value, 2))
    tl.store(y + tl.arange(0, 16), tl.histogram(tl.load(y + offsets), 16))
    counted = tl.histogram(tl.load(y + offsets), 8, mask=value > 0)
    tl.store(y + tl.arange(0, 8), counted)


@case(x="*fp32", y="*fp32", n="i32", BLOCK=128)
@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    row = tl.program_id(0) * n
    value = tl.load(x + row + offsets, mask=offsets < n, other=-float("inf"))
    value = tl.exp(value - tl.max(value, 0))
    tl.store(y + row + offsets, value / tl.sum(value, 0), mask=offsets < n)


# Dots ------------------------------------------------------------------------


@case(x="*fp32", h="*fp16", i="*i8", e="*fp8e5", y="*fp32", z="*i32")
@triton.jit
def dots(x, h, i, e, y, z):
    square = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    f32 = tl.load(x + square)
    f16 = tl.load(h + square)
    i8 = tl.load(i + square)
    f8 = tl.load(e + square)
    acc = tl.dot(f32, f32)
    acc = tl.dot(f32, tl.trans(f32), acc, input_precision="ieee")
    acc = tl.dot(f32, f32, acc, input_precision="tf32x3")
    acc = tl.dot(f32, f32, acc, input_precision="bf16x3")
    acc = tl.dot(f32, f32, acc, input_precision="bf16x6")
    acc = tl.dot(f16, f16, acc)
    acc = tl.dot(f8, f8, acc, max_num_imprecise_acc=32)
    tl.store(y + square, acc + tl.dot(f16, f16, out_dtype=tl.float16))
    tl.store(z + square, tl.dot(i8, i8, out_dtype=tl.int32))


@case(x="*fp16", y="*fp32")
@triton.jit
def dot_batched(x, y):
    batch = tl.arange(0, 4)[:, None, None] * 256
    cube = batch + tl.arange(0, 16)[None, :, None] * 16 + tl.arange(0, 16)[None, None, :]
    value = tl.load(x + cube)
    tl.store(y + cube, tl.dot(value, tl.permute(value, (0, 2, 1))))


@case(a="*fp8e5", b="*u8", sa="*u8", sb="*u8", h="*bf16", out="*fp32")
@triton.jit
def dot_scaled(a, b, sa, sb, h, out):
    m = tl.arange(0, 32)
    k = tl.arange(0, 64)
    groups = tl.arange(0, 2)
    lhs = tl.load(a + m[:, None] * 64 + k[None, :])
    rhs = tl.load(b + m[:, None] * 32 + m[None, :])
    lhs_scale = tl.load(sa + m[:, None] * 2 + groups[None, :])
    rhs_scale = tl.load(sb + m[:, None] * 2 + groups[None, :])
    acc = tl.dot_scaled(lhs, lhs_scale, "e5m2", rhs, rhs_scale, "e2m1")
    half = tl.load(h + m[:, None] * 64 + k[None, :])
    acc = tl.dot_scaled(half, None, "bf16", rhs, rhs_scale, "e2m1", acc, fast_math=True)
    wide = tl.load(b + k[:, None] * 16 + tl.arange(0, 16)[None, :])
    acc = tl.dot_scaled(lhs, lhs_scale, "e5m2", wide, None, "e2m1", acc, rhs_k_pack=False)
    tl.store(out + m[:, None] * 32 + m[None, :], acc)


# Elementwise -----------------------------------------------------------------


@case(x="*fp32", y="*fp32", d="*fp64")
@triton.jit
def elementary_functions(x, y, d):
    offsets = tl.arange(0, 64)
    value = tl.load(x + offsets)
    value = tl.exp(value) + tl.exp2(value) + tl.log(value) + tl.log2(value) + tl.sin(value)
    value = value + tl.cos(value) + tl.sqrt(value) + tl.rsqrt(value) + tl.erf(value)
    value = tl.floor(value) + tl.ceil(value) + tl.abs(value) + tl.fma(value, value, value)
    value = tl.sqrt_rn(value) + tl.div_rn(value, 3.0) + tl.sigmoid(value)
    value = tl.clamp(value, 0.0, 1.0) + tl.clamp(value, -1.0, value, propagate_nan=tl.PropagateNan.ALL)
    value = tl.maximum(value, 0.5, propagate_nan=tl.PropagateNan.ALL) + tl.minimum(value, 2.0)
    value = tl.fdiv(value, 2.0, ieee_rounding=True) % 3.0
    tl.store(y + offsets, value)
    tl.store(d + offsets, -tl.exp(tl.load(d + offsets)))


@case(x="*i32", y="*u32", z="*i64", n="i32", s="i16")
@triton.jit
def integers(x, y, z, n, s):
    offsets = tl.arange(0, 64)
    a = tl.load(x + offsets)
    b = tl.load(y + offsets)
    tl.store(x + offsets, (a // n + a % n) * -a - (a >> 3) + (a << 2) & ~a | a ^ n)
    tl.store(y + offsets, tl.umulhi(b, b) + b // 7 + b % 5 + (b >> 1))
    tl.store(z + offsets, tl.abs(a).to(tl.int64) * s + tl.cdiv(a, 16) + tl.umulhi(z.to(tl.uint64), 3).to(tl.int64))
    flags = (a > n) & (b <= 7) | (a == 3)
    tl.store(x + offsets, tl.where(flags, tl.minimum(a, n), tl.maximum(a, 0)))
    tl.store(y + offsets, tl.minimum(b, 3) + tl.maximum(b, 1) + flags)


@case(
    x="*fp32",
    h="*fp16",
    b="*bf16",
    e="*fp8e5",
    i="*i32",
    options={"supported_fp8_dtypes": ("fp8e4nv", "fp8e5", "fp8e4b15")},
    f="*fp8e4nv",
    g="*fp8e4b15",
)
@triton.jit
def conversions(x, h, b, e, i, f, g):
    offsets = tl.arange(0, 32)
    value = tl.load(x + offsets)
    tl.store(h + offsets, value.to(tl.float16))
    tl.store(h + offsets, value.to(tl.float16, fp_downcast_rounding="rtz"))
    tl.store(b + offsets, value.to(tl.bfloat16))
    tl.store(b + offsets, value.to(tl.bfloat16, fp_downcast_rounding="rtz"))
    tl.store(e + offsets, value.to(tl.float8e5))
    tl.store(e + offsets, value.to(tl.float8e5, fp_downcast_rounding="rtz"))
    tl.store(f + offsets, value.to(tl.float8e4nv))
    tl.store(g + offsets, tl.load(h + offsets).to(tl.float8e4b15))
    wide = tl.load(e + offsets).to(tl.float32) + tl.load(f + offsets).to(tl.float16)
    wide += tl.load(b + offsets) + tl.load(h + offsets).to(tl.float32) + tl.load(g + offsets).to(tl.float32)
    tl.store(i + offsets, wide.to(tl.int32) + wide.to(tl.uint8) + (wide != 0))
    tl.store(x + offsets, tl.load(i + offsets).to(tl.float32) + offsets.to(tl.uint32).to(tl.float32))


@case(x="*fp32", i="*i32")
@triton.jit
def foreign_code(x, i):
    offsets = tl.arange(0, 64)
    value = libdevice.tanh(tl.load(x + offsets)) + libdevice.pow(tl.load(x), 2.0)
    tl.store(x + offsets, libdevice.fast_dividef(value, value))
    bits = tl.load(i + offsets)
    moved = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [bits], tl.int32, True, 1)
    low, high = tl.inline_asm_elementwise(
        "{ add.u32 $0, $2, $3; sub.u32 $1, $2, $3; }", "=r,=r,r,r", [moved, 7], (tl.int32, tl.int32), False, 1
    )
    clock = tl.inline_asm_elementwise("mov.u32 $0, %clock;", "=r", [], tl.int32, is_pure=False, pack=1)
    tl.store(i + offsets, low + high + clock)


@triton.jit
def _branchy(x, y):
    if x > y:  # noqa: SIM108 (branches are the point)
        z = x - y
    else:
        z = y * 2
    return z


@triton.jit
def _sorted_pair(a0, a1, b0, b1):
    low0 = a0
    high0 = b0
    if a0 > b0:
        low0 = b0
        high0 = a0
    return low0, a1, high0, b1


@triton.jit
def _early(x):
    if x < 0:
        return -x
    return x + 1


@case(x="*i32", y="*i32")
@triton.jit
def map_elementwise(x, y):
    offsets = tl.arange(0, 64)
    a = tl.load(x + offsets)
    b = tl.load(y + offsets)
    low, high = tl.map_elementwise(_sorted_pair, a, b, pack=2)
    tl.store(x + offsets, tl.map_elementwise(_branchy, low, high))
    tl.store(y + offsets, tl.map_elementwise(_early, a))


@case(x="*fp32", b="*bf16", e="*fp8e5", d="*fp64", q="*u64", u="*u8", n="u32", k="u64", t="i1")
@triton.jit
def constants(x, b, e, d, q, u, n, k, t):
    offsets = tl.arange(0, 16)
    tl.store(x + offsets, tl.where(offsets > 3, float("inf"), float("nan")))
    tl.store(b + offsets, tl.full((16,), -float("inf"), tl.bfloat16) + tl.full((16,), 3.0, tl.bfloat16))
    tl.store(e + offsets, tl.full((16,), 1.5, tl.float8e5))
    tl.store(d + offsets, tl.full((16,), 1.0e300, tl.float64))
    tl.store(q + offsets, tl.full((16,), 0xFFFFFFFFFFFFFFFF, tl.uint64) - k)
    tl.store(u + offsets, tl.full((16,), 200, tl.uint8))
    tl.store(q, k + 0x8000000000000000)
    for i in range(n):
        tl.store(u + i, i.to(tl.uint8))
    if t:
        tl.store(x, -0.0)


@case(d="*fp64", x="*i8", y="*fp16")
@triton.jit
def unusual_types(d, x, y):
    square = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    wide = tl.load(d + square)
    tl.store(d + square, tl.dot(wide, wide, out_dtype=tl.float64))
    line = tl.arange(0, 64)
    packed = tl.inline_asm_elementwise(
        "vadd4.s32.s32.s32 $0, $1, $1, 0;", "=r,r", [tl.load(x + line)], tl.int8, True, 4
    )
    tl.store(x + line, packed)
    tl.store(y + tl.arange(0, 128), tl.cat(tl.load(y + line), tl.load(y + line)))
    pair = (tl.load(y + line), tl.max(tl.load(y + line), 0))
    tl.store(y + line, pair[0] - pair[1])


# Shapes ----------------------------------------------------------------------


@case(x="*fp32", i="*i32", h="*fp16")
@triton.jit
def shapes(x, i, h):
    rows = tl.arange(0, 8)
    columns = tl.arange(0, 16)
    offsets = rows[:, None] * 16 + columns[None, :]
    value = tl.load(x + offsets)
    joined = tl.join(value, value + 1)
    left, right = tl.split(tl.permute(joined, (1, 0, 2)))
    tl.store(x + offsets, tl.trans(left) + tl.trans(right))
    tl.store(x + tl.arange(0, 128), tl.ravel(value) + tl.reshape(value, (128,), can_reorder=True))
    tl.store(x + tl.arange(0, 256), tl.cat(tl.ravel(value), tl.ravel(value), can_reorder=True))
    tl.store(x + tl.arange(0, 256), tl.ravel(tl.interleave(value, value)))
    index = tl.load(i + offsets)
    tl.store(x + offsets, tl.gather(value, index, 1) + tl.gather(value, index % 8, 0))
    pair = tl.join(tl.load(x), tl.load(x + 1))
    first, second = tl.split(pair)
    tl.store(x, first * second)
    tl.store(h, tl.full((1,), 3.0, tl.float16).reshape(1).item())


# Control flow ----------------------------------------------------------------


@case(x="*fp32", y="*i32", n="i32", m="i64")
@triton.jit
def loops(x, y, n, m):
    acc = tl.zeros((16,), tl.float32)
    for i in tl.range(0, n, 4, num_stages=3):
        acc += tl.load(x + i + tl.arange(0, 16))
    for i in tl.range(n, loop_unroll_factor=2):
        acc *= i
    for i in tl.range(0, m, disallow_acc_multi_buffer=True, flatten=True, disable_licm=True):
        acc += i
    for _ in tl.range(0, 4, warp_specialize=True):
        acc += 1
    for _ in tl.static_range(2):
        acc += n
    count = n
    while count > 1:
        if count % 2 == 0:
            count = count // 2
        elif count > 100:
            count = 1
        else:
            count = count * 3 + 1
            acc += 1
    tl.store(x + tl.arange(0, 16), acc)
    tl.store(y, count)


@case(x="*fp32", n="i32")
@triton.jit
def early_return(x, n):
    pid = tl.program_id(2)
    if pid >= n:
        return
    if tl.num_programs(1) == 3:
        tl.store(x, 1.0)
        return
    value = tl.load(x + pid) if n > 5 else 0.0
    tl.store(x + pid, value)
    if (pid > 1 and n < 9) or pid == 7:
        tl.debug_barrier()
        tl.store(x, value)


@triton.jit(noinline=True)
def _scale(x, factor, p):
    if factor > 10:
        return x
    tl.store(p, x)
    return x * factor


@triton.jit(noinline=True)
def _pair(x, y):
    return y, x + 1.0


@triton.jit
def _inlined(x, y):
    return x * 2 + y


@case(x="*fp32", n="i32", f="fp32")
@triton.jit
def calls(x, n, f):
    value = _scale(f, n, x)
    a, b = _pair(value, n)
    tl.store(x, _inlined(a, b) + _inlined(b, 1.0))


# Diagnostics -----------------------------------------------------------------


@case(x="*fp32", i="*u32", n="i32", options={"debug": True})
@triton.jit
def diagnostics(x, i, n):
    offsets = tl.arange(0, 16)
    value = tl.load(x + offsets)
    tl.device_print("value and n:", value, n)
    tl.device_print("hex", tl.load(i), hex=True)
    tl.device_print("nothing")
    tl.device_assert(value > 0, "positive")
    tl.device_assert(n < 100, "small", mask=n > 2)
    tl.store(x + offsets, value + (n + 7))


# Larger kernels --------------------------------------------------------------


@case(x="*fp32", y="*i32", seed="i32")
@triton.jit
def random_numbers(x, y, seed):
    offsets = tl.arange(0, 64)
    tl.store(x + offsets, tl.rand(seed, offsets) + tl.randn(seed, offsets))
    a, b, c, d = tl.randint4x(seed, offsets)
    tl.store(y + offsets, a ^ b ^ c ^ d)


@case(
    q="*fp16",
    k="*fp16",
    v="*fp16",
    out="*fp16",
    scale="fp32",
    length="i32",
    stride="i32",
    aligned=("q", "k", "v", "out", "length", "stride"),
    BM=64,
    BN=32,
    D=64,
    CAUSAL=True,
)
@triton.jit
def flash_attention(
    q, k, v, out, scale, length, stride, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr
):
    start = tl.program_id(0) * BM
    base = tl.program_id(1).to(tl.int64) * stride * length
    q_block = tl.make_block_ptr(q + base, (length, D), (stride, 1), (start, 0), (BM, D), (1, 0))
    k_block = tl.make_block_ptr(k + base, (D, length), (1, stride), (0, 0), (D, BN), (0, 1))
    v_block = tl.make_block_ptr(v + base, (length, D), (stride, 1), (0, 0), (BN, D), (1, 0))
    query = (tl.load(q_block) * (scale * 1.44269504)).to(tl.float16)
    maximum = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    rows = start + tl.arange(0, BM)
    end = tl.minimum(start + BM, length) if CAUSAL else length
    for j in range(0, end, BN):
        scores = tl.dot(query, tl.load(k_block, boundary_check=(1,), padding_option="zero"))
        if CAUSAL:
            scores = tl.where(rows[:, None] >= j + tl.arange(0, BN)[None, :], scores, -1.0e6)
        new_maximum = tl.maximum(maximum, tl.max(scores, 1))
        weights = tl.exp2(scores - new_maximum[:, None])
        decay = tl.exp2(maximum - new_maximum)
        total = total * decay + tl.sum(weights, 1)
        value = tl.load(v_block, boundary_check=(0,), padding_option="zero")
        acc = tl.dot(weights.to(tl.float16), value, acc * decay[:, None])
        maximum = new_maximum
        k_block = tl.advance(k_block, (0, BN))
        v_block = tl.advance(v_block, (BN, 0))
    out_block = tl.make_block_ptr(out + base, (length, D), (stride, 1), (start, 0), (BM, D), (1, 0))
    tl.store(out_block, (acc / total[:, None]).to(tl.float16), boundary_check=(0,))


@case(x="*bf16", w="*bf16", b="*bf16", y="*bf16", mean="*fp32", n="i32", eps="fp32", BLOCK=256)
@triton.jit
def layer_norm(x, w, b, y, mean, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * n + columns, mask=columns < n, other=0.0).to(tl.float32)
    average = tl.sum(total, axis=0) / n
    square = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * n + columns, mask=columns < n, other=0.0).to(tl.float32)
        value = tl.where(columns < n, value - average, 0.0)
        square += value * value
    scale = 1 / tl.sqrt(tl.sum(square, axis=0) / n + eps)
    tl.store(mean + row, average)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        mask = columns < n
        value = tl.load(x + row * n + columns, mask=mask, other=0.0).to(tl.float32)
        value = (value - average) * scale * tl.load(w + columns, mask=mask) + tl.load(b + columns, mask=mask)
        tl.store(y + row * n + columns, value, mask=mask)


# The additions of later languages ----------------------------------------------------


@case(x="*i32", h="*fp16", n="i64")
@triton.jit
def atomic_accesses(x, h, n):
    i = tl.arange(0, 64)
    values = tl.atomic_load(x + i, mask=i < 40)
    tl.atomic_store(h + i, values.to(tl.float16), mask=i < 40)
    tl.atomic_store(x, tl.atomic_load(x + 1, sem="relaxed", scope="sys"), sem="relaxed", scope="cta")
    seen = tl.atomic_poll(x + i, values, timeout_ns=n)
    tl.store(h + i, seen.to(tl.float16))
    tl.device_assert(tl.atomic_poll(x, 3, sem="relaxed"))
