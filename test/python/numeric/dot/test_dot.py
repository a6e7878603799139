# SPDX-License-Identifier: MIT
"""Dots of every pair of types, precision and shape, and what kernels do with operands and results of dots."""

from __future__ import annotations

import itertools

import pytest
import torch
import triton
import triton.language as tl
from allpairspy import AllPairs
from numeric.layouts import ELEMENT_TYPES, KernelBuilder, TensorType
from numerics import assert_close, poisoned, random_tensor
from support import covers

F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
E5M2, E4M3 = torch.float8_e5m2, torch.float8_e4m3fn
LANGUAGE_TYPES = {F16: tl.float16, F32: tl.float32, F64: tl.float64, torch.int32: tl.int32}

#: (left operand, right operand, result, relative error): the frontend allows no other combinations.
pytestmark = pytest.mark.instruction_sets

TYPES = [
    (F16, F16, F32, 1e-6),
    (F16, F16, F16, 4e-3),
    (BF16, BF16, F32, 1e-6),
    (F32, F32, F32, 1e-6),
    (F64, F64, F64, 1e-14),
    (torch.int8, torch.int8, torch.int32, 0.0),
    (E5M2, E5M2, F32, 1e-6),
    (E4M3, E5M2, F32, 1e-6),
    (E4M3, E4M3, F16, 4e-3),
]
#: (batch or 0, M, N, K): below, at and above one DPAS instruction.
SHAPES = [(0, 1, 1, 1), (0, 2, 4, 8), (0, 8, 16, 16), (0, 16, 16, 32), (0, 16, 16, 64), (0, 1, 16, 32), (0, 16, 8, 16)]
SHAPES += [(0, 16, 32, 4), (2, 16, 16, 16), (4, 2, 2, 4), (1, 8, 16, 32)]


def random_operand(shape: tuple[int, ...], dtype: torch.dtype, seed: int) -> torch.Tensor:
    if dtype.is_floating_point:
        return random_tensor(shape, F32, seed).to(dtype)
    return random_tensor(shape, dtype, seed)


def widened(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(F64 if tensor.dtype.is_floating_point else torch.int64)


@triton.jit
def dot_kernel(a_ptr, b_ptr, c_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr,
               TYPE: tl.constexpr):  # fmt: skip
    rows, columns, inner = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    a = tl.load(a_ptr + rows * K + inner[None, :])
    b = tl.load(b_ptr + inner[:, None] * N + columns)
    c = tl.load(c_ptr + rows * N + columns)
    result = tl.dot(a, b, acc=c, input_precision=PRECISION, out_dtype=TYPE, max_num_imprecise_acc=0)
    tl.store(out_ptr + rows * N + columns, result)


@triton.jit
def batched_dot_kernel(a_ptr, b_ptr, c_ptr, out_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
                       PRECISION: tl.constexpr, TYPE: tl.constexpr):  # fmt: skip
    batch = tl.arange(0, B)[:, None, None]
    rows, columns, inner = tl.arange(0, M)[None, :, None], tl.arange(0, N)[None, None, :], tl.arange(0, K)
    a = tl.load(a_ptr + batch * M * K + rows * K + inner[None, None, :])
    b = tl.load(b_ptr + batch * K * N + inner[None, :, None] * N + columns)
    places = batch * M * N + rows * N + columns
    result = tl.dot(a, b, acc=tl.load(c_ptr + places), input_precision=PRECISION, out_dtype=TYPE)
    tl.store(out_ptr + places, result)


def run_dot(types, shape, precision, num_warps, warp_size):
    """Return the error relative to the largest result."""
    a_type, b_type, out_type, _ = types
    b, m, n, k = shape
    batch = (b,) if b else ()
    a, b_ = random_operand((*batch, m, k), a_type, 1), random_operand((*batch, k, n), b_type, 2)
    c, out = random_operand((*batch, m, n), out_type, 3), poisoned((*batch, m, n), out_type)
    if out_type == torch.int32:
        c //= 2
    kernel = batched_dot_kernel if b else dot_kernel
    compiled = kernel[(1,)](
        a, b_, c, out, *shape[0 if b else 1 :], PRECISION=precision, TYPE=LANGUAGE_TYPES[out_type],
        num_warps=num_warps, warp_size=warp_size,
    )  # fmt: skip
    return out, widened(a) @ widened(b_) + widened(c), compiled


def every(count: int, rows) -> list:
    """Return parameters of which one of `count` runs by default."""
    return [pytest.param(*row, marks=[pytest.mark.full] if i % count else []) for i, row in enumerate(rows)]


@covers("tl.dot", "i8", "fp16", "bf16", "fp32", "fp64", "fp8e5", "fp8e4nv")
@pytest.mark.parametrize(
    ("types", "shape", "num_warps", "warp_size"), every(6, AllPairs([TYPES, SHAPES, [4, 1], [16, 32]]))
)
def test_types_and_shapes(types, shape, num_warps, warp_size):
    out, expected, _ = run_dot(types, shape, "ieee", num_warps, warp_size)
    assert_close(out, expected, types[3])


#: Relative error, and dots with the array's layout in place of one. Exact products have it, too.
PRECISIONS = {"ieee": (1e-6, 1), "tf32": (3e-3, 1), "tf32x3": (3e-6, 3), "bf16x3": (1e-4, 3), "bf16x6": (1e-6, 6)}


@pytest.mark.parametrize("precision", list(PRECISIONS))
@pytest.mark.parametrize(
    "shape",
    [(0, 8, 16, 16), (0, 16, 16, 32), (2, 8, 16, 16), (0, 4, 8, 4), (0, 1, 32, 32), (2, 1, 16, 16), (0, 2, 16, 8)],
)
def test_precisions_of_f32(precision, shape):
    """The parts of f32 operands make up for what the array's types lack, and it is the array that multiplies them.
    Where they do not fill it, products are exact, in its layout for f32 if they fill that."""
    tolerance, count = PRECISIONS[precision]
    out, expected, compiled = run_dot((F32, F32, F32, None), shape, precision, 1, 16)
    _, m, n, k = shape
    is_large = n >= 16 and (k >= 16 or ("bf16" not in precision and k >= 8))
    # A value of 32 bits in each lane makes two rows.
    is_large = is_large and (m > 1 or "bf16" in precision)
    is_exact = not is_large and precision != "tf32" and n >= 16 and k >= 8 and m > 1
    assert_close(out, expected, tolerance if is_large else 1e-6)
    dots = [line for line in compiled.asm["ttgir"].splitlines() if "tt.dot " in line]
    on_array = [line for line in dots if "#ttig.dpas" in line or "#mma" in line]
    assert len(on_array) == (count if is_large else int(is_exact))
    assert len(dots) == max(count if is_large else 1, 1)


@pytest.mark.parametrize("precision", ["tf32x3", "bf16x3", "bf16x6"])
def test_parts_of_infinity(precision):
    """Infinities and NaN come out as they do of one product, although they have no finite parts."""
    a, b = random_tensor((8, 16), F32, 1), random_tensor((16, 16), F32, 2)
    a[1, 3], a[2, 4], a[3, 5] = float("inf"), -float("inf"), float("nan")
    b[2, 5], b[4, 6] = float("inf"), float("inf")
    a[5, 7], b[7, 9] = 3e38, 2.0**-20
    a[a == 0] = 1.0
    c, out = torch.zeros(8, 16), poisoned((8, 16), F32)
    dot_kernel[(1,)](a, b, c, out, 8, 16, 16, precision, tl.float32, num_warps=1)
    expected = a.double() @ b.double()
    assert torch.equal(torch.isnan(out), torch.isnan(expected))
    infinite = torch.isinf(expected.float())
    assert torch.equal(out[infinite], expected.float()[infinite])
    finite = torch.isfinite(expected.float())
    torch.testing.assert_close(out[finite].double(), expected[finite], rtol=1e-3, atol=1e-3)


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr
):
    """Dot, softmax, dot in a loop, with running maxima and sums."""
    rows, features = tl.arange(0, M), tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + features[None, :])
    maximum = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    for start in range(0, N, BLOCK):
        keys = start + tl.arange(0, BLOCK)
        k = tl.load(k_ptr + keys[:, None] * D + features[None, :])
        v = tl.load(v_ptr + keys[:, None] * D + features[None, :])
        scores = tl.dot(q, tl.trans(k)) * 0.25
        new_maximum = tl.maximum(maximum, tl.max(scores, 1))
        weights = tl.exp(scores - new_maximum[:, None])
        correction = tl.exp(maximum - new_maximum)
        total = total * correction + tl.sum(weights, 1)
        result = tl.dot(weights.to(v.dtype), v, result * correction[:, None])
        maximum = new_maximum
    tl.store(out_ptr + rows[:, None] * D + features[None, :], result / total[:, None])


@pytest.mark.parametrize(("dtype", "tolerance"), [(F16, 2e-3), (BF16, 1e-2), (F32, 2e-3)])
@pytest.mark.parametrize("warp_size", [16, 32])
def test_chained_dots(dtype, tolerance, warp_size):
    q, k, v = (random_tensor((n, 16), dtype, seed) for seed, n in enumerate((32, 64, 64)))
    out = poisoned((32, 16), F32)
    attention_kernel[(1,)](q, k, v, out, 32, 64, 16, 32, num_warps=4, warp_size=warp_size)
    weights = (q.double() @ k.double().T * 0.25).softmax(1)
    assert_close(out, weights @ v.double(), tolerance)


@triton.jit
def arithmetic_kernel(a_ptr, b_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """Operands from arithmetic and transposes; a dot in a loop that accumulates nothing but by addition."""
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    b = tl.load(b_ptr + columns[:, None] * K + inner[None, :])
    total = tl.zeros((M, N), tl.float32)
    for step in range(3):
        a = tl.load(a_ptr + inner[:, None] * M + rows[None, :])
        scaled = (tl.trans(a).to(tl.float32) * (step + 1)).to(a.dtype)
        product = tl.dot(scaled, tl.trans(tl.maximum(b, 0).to(b.dtype)))
        total += tl.where(product > 0, product, 0.125 * product)
    tl.store(out_ptr + rows[:, None] * N + columns[None, :], total)


@pytest.mark.parametrize(("dtype", "shape", "warp_size"), [
    (F16, (16, 16, 32), 16), (BF16, (8, 32, 16), 16), (F32, (16, 16, 16), 32), (F16, (4, 8, 16), 32),
])  # fmt: skip
def test_operands_from_arithmetic(dtype, shape, warp_size):
    m, n, k = shape
    a, b, out = random_tensor((k, m), dtype, 1), random_tensor((n, k), dtype, 2), poisoned((m, n), F32)
    arithmetic_kernel[(1,)](a, b, out, m, n, k, num_warps=2, warp_size=warp_size)
    expected = torch.zeros(m, n, dtype=F64)
    for step in range(3):
        scaled = (a.T.float() * (step + 1)).to(dtype).double()
        product = scaled @ b.clamp(min=0).double().T
        expected += torch.where(product > 0, product, 0.125 * product)
    assert_close(out, expected, 1e-3 if dtype == F32 else 1e-5)


@triton.jit
def accumulator_kernel(a_ptr, b_ptr, out_ptr, STEPS, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """Two accumulators that meet; one of them starts from a product."""
    rows, columns, inner = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    left = tl.zeros((M, N), tl.float32)
    a = tl.load(a_ptr + rows * K + inner[None, :])
    b = tl.load(b_ptr + inner[:, None] * N + columns)
    right = tl.dot(a, b)
    for step in range(STEPS):
        left = tl.dot(a, b, left)
        if step % 2 == 0:  # noqa: SIM108 a branch is what is tested
            right = tl.dot(a, b, right)
        else:
            right = right * 0.5
    tl.store(out_ptr + rows * N + columns, left - right)


@pytest.mark.parametrize(("steps", "warp_size"), [(0, 16), (3, 16), (4, 32)])
def test_several_accumulators(steps, warp_size):
    a, b, out = random_tensor((16, 32), F16, 1), random_tensor((32, 16), F16, 2), poisoned((16, 16), F32)
    accumulator_kernel[(1,)](a, b, out, steps, 16, 16, 32, num_warps=2, warp_size=warp_size)
    product = a.double() @ b.double()
    left, right = torch.zeros_like(product), product.clone()
    for step in range(steps):
        left += product
        right = right + product if step % 2 == 0 else right * 0.5
    assert_close(out, left - right, 1e-5)


@triton.jit
def fp8e4b15_kernel(a_ptr, b_ptr, out_ptr, SIZE: tl.constexpr):
    rows, columns = tl.arange(0, SIZE)[:, None], tl.arange(0, SIZE)[None, :]
    a = tl.load(a_ptr + rows * SIZE + columns).to(tl.float8e4b15, bitcast=True)
    b = tl.load(b_ptr + rows * SIZE + columns).to(tl.float8e4b15, bitcast=True)
    tl.store(out_ptr + rows * SIZE + columns, tl.dot(a, b))


@covers("tl.dot", "fp8e4b15")
def test_dot_of_fp8e4b15():
    bits = [torch.randint(0, 256, (16, 16), generator=torch.Generator().manual_seed(s)).to(torch.uint8) for s in (1, 2)]
    out = poisoned((16, 16), F32)
    fp8e4b15_kernel[(1,)](*bits, out, 16)
    operands = []
    for pattern in bits:
        exponent, mantissa = (pattern.int() >> 3) & 15, pattern.int() & 7
        normal = (1 + mantissa / 8) * 2.0 ** (exponent - 15).double()
        magnitude = torch.where(exponent == 0, mantissa / 8 * 2.0**-14, normal)
        operands.append(torch.where(pattern >= 128, -magnitude, magnitude).double())
    assert_close(out, operands[0] @ operands[1], 1e-6)


@pytest.mark.parametrize(
    ("operand", "result", "tolerance"),
    [
        (BF16, BF16, 2**-8),
        (F16, F16, 4e-3),
        (E5M2, F16, 4e-3),
        (E4M3, F32, 1e-6),
        (E5M2, BF16, 2**-8),
        (F16, F32, 1e-6),
    ],
)
def test_multiply_adds_into_every_type(tmp_path, operand, result, tolerance):
    """Scalar code in IR that the frontend does not write; bf16 is rounded once, at the end."""
    blocked = "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 4], warpsPerCTA = [1, 1], order = [1, 0]}>"
    types = [
        TensorType((8, 16), ELEMENT_TYPES[operand], f"#ttg.dot_op<{{opIdx = 0, parent = {blocked}}}>"),
        TensorType((16, 8), ELEMENT_TYPES[operand], f"#ttg.dot_op<{{opIdx = 1, parent = {blocked}}}>"),
        TensorType((8, 8), ELEMENT_TYPES[result], blocked),
    ]
    builder = KernelBuilder(num_warps=1)
    a, b, c = map(builder.load, types)
    product = builder.op(f"tt.dot {a}, {b}, {c} : {types[0]} * {types[1]} -> {types[2]}")
    builder.store(product, types[2])
    tensors = [
        random_operand((8, 16), operand, 1),
        random_operand((16, 8), operand, 2),
        random_operand((8, 8), result, 3),
    ]
    out = poisoned((8, 8), result)
    builder.run(tmp_path, *tensors, out)
    expected = widened(tensors[0]) @ widened(tensors[1]) + widened(tensors[2])
    assert_close(out, expected, tolerance)


def test_the_frontend_and_this_table_agree():
    """A combination that this file does not have is one that the language refuses."""
    known = {(a, b) for a, b, _, _ in TYPES} | {(E5M2, E4M3)}
    for a, b in itertools.product([F16, BF16, F32, F64, torch.int8, torch.int16], repeat=2):
        if (a, b) in known:
            continue
        with pytest.raises(triton.CompilationError):
            run_dot((a, b, F32, None), (0, 16, 16, 16), "ieee", 1, 16)
