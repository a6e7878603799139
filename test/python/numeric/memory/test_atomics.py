# SPDX-License-Identifier: MIT
"""Atomic operations: every kind and type on scalars and tensors, in any layout, and what programs build from them.

A sum of many contributions to few places shows whether an operation is atomic, and whether copies of an element took
part twice; the old values show whether every holder of an element got them.
"""

from __future__ import annotations

import random

import pytest
import torch
import triton
import triton.language as tl
from numeric.layouts import ELEMENT_TYPES, LANES, KernelBuilder, TensorType, random_layout
from numerics import poisoned, random_tensor
from support import covers, needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

NUMPY_LIKE = {
    "add": lambda old, value: old + value,
    "and": lambda old, value: old & value,
    "or": lambda old, value: old | value,
    "xor": lambda old, value: old ^ value,
    "max": torch.maximum,
    "min": torch.minimum,
    "exch": lambda _, value: value,
}


def unsigned(values: torch.Tensor) -> torch.Tensor:
    """Return integers in the order of their unsigned reading."""
    return values ^ torch.iinfo(values.dtype).min


def expected_memory(kind: str, old: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Return memory after one operation per element."""
    if kind in ("umax", "umin"):
        return unsigned(NUMPY_LIKE[kind[1:]](unsigned(old), unsigned(value)))
    if kind == "fadd":
        return (old.to(torch.float64) + value.to(torch.float64)).to(old.dtype)
    return NUMPY_LIKE[kind](old, value)


# --- Any layout -------------------------------------------------------------------------------------------------------

SHAPES = [(64,), (4,), (16, 16), (32, 16), (4, 8, 8), (1,)]
KINDS = ["add", "and", "or", "xor", "max", "min", "umax", "umin", "exch", "fadd"]
INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64]
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def rmw_in_layout(directory, rng: random.Random, kind: str, dtype: torch.dtype) -> None:
    """One operation per element where a mask is true; memory, old values and neighbours are compared."""
    shape = rng.choice(SHAPES)
    num_warps, lanes = rng.choice([1, 2, 4]), rng.choice([16, 32])
    element = ELEMENT_TYPES[dtype]
    tensor = TensorType(shape, element, random_layout(rng, shape, num_warps, lanes))
    mask_type = tensor.with_element("i1")
    pointer_type = tensor.with_element(f"!tt.ptr<{element}>")
    semantic, scope = rng.choice(["relaxed", "acquire", "release", "acq_rel"]), rng.choice(["gpu", "cta", "sys"])
    builder = KernelBuilder(num_warps, lanes)
    value = builder.load(tensor)
    byte_mask = builder.load(tensor.with_element("i8"))
    zero = builder.op(f"arith.constant dense<0> : {tensor.with_element('i8')}")
    mask = builder.op(f"arith.cmpi ne, {byte_mask}, {zero} : {tensor.with_element('i8')}")
    pointers = builder.pointers(builder.argument(element), tensor)
    old = builder.op(
        f"tt.atomic_rmw {kind}, {semantic}, {scope}, {pointers}, {value}, {mask} : "
        f"({pointer_type}, {tensor}, {mask_type}) -> {tensor}"
    )
    builder.store(old, tensor)

    values = random_tensor(shape, dtype, rng.randrange(2**31))
    before = random_tensor(shape, dtype, rng.randrange(2**31))
    mask_values = random_tensor(shape, torch.int8, rng.randrange(2**31)) > 0
    after = torch.where(mask_values, expected_memory(kind, before, values), before)
    memory, result = before.clone(), poisoned(shape, dtype)
    builder.run(directory, values, mask_values.to(torch.int8), memory, result)
    assert torch.equal(memory, after), builder.text()
    assert torch.equal(result[mask_values], before[mask_values]), builder.text()


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [*((kind, INTEGERS[i % 4]) for i, kind in enumerate(KINDS[:-1])), *(("fadd", dtype) for dtype in FLOATS)],
)
def test_rmw(tmp_path, kind, dtype):
    rmw_in_layout(tmp_path, random.Random(f"{kind}{dtype}"), kind, dtype)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("kind", "dtype"),
    [*((kind, dtype) for kind in KINDS[:-1] for dtype in INTEGERS), *(("fadd", dtype) for dtype in FLOATS)],
)
def test_rmw_in_many_layouts(tmp_path, kind, dtype, seed):
    rmw_in_layout(tmp_path, random.Random(f"{kind}{dtype}{seed}"), kind, dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, torch.float16, torch.float32, torch.float64])
def test_cas(tmp_path, dtype):
    """Every other element is what the operation expects; floats compare by their bits."""
    rng = random.Random(str(dtype))
    shape, num_warps, element = (32, 8), 2, ELEMENT_TYPES[dtype]
    tensor = TensorType(shape, element, random_layout(rng, shape, num_warps))
    pointer_type = tensor.with_element(f"!tt.ptr<{element}>")
    builder = KernelBuilder(num_warps)
    compare, value = builder.load(tensor), builder.load(tensor)
    pointers = builder.pointers(builder.argument(element), tensor)
    old = builder.op(
        f"tt.atomic_cas acq_rel, gpu, {pointers}, {compare}, {value} : ({pointer_type}, {tensor}, {tensor}) -> {tensor}"
    )
    builder.store(old, tensor)

    before, values = (random_tensor(shape, dtype, rng.randrange(2**31)) for _ in range(2))
    if dtype.is_floating_point:
        before[0], before[1] = float("nan"), -0.0
    compares = before.clone()
    hits = random_tensor(shape, torch.int8, 3) > 0
    hits[1] = False
    compares[~hits] = random_tensor(shape, dtype, rng.randrange(2**31))[~hits]
    if dtype.is_floating_point:
        compares[1] = 0.0
    else:
        hits |= compares == before
    memory, result = before.clone(), poisoned(shape, dtype)
    builder.run(tmp_path, compares, values, memory, result)
    bits = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[dtype.itemsize]
    assert torch.equal(memory.view(bits), torch.where(hits, values, before).view(bits)), builder.text()
    assert torch.equal(result.view(bits), before.view(bits))


# --- The language -----------------------------------------------------------------------------------------------------


@triton.jit
def language(memory, values, compares, olds, N: tl.constexpr, OPERATION: tl.constexpr, SCALAR: tl.constexpr):
    """One operation per element: of a tensor, or of scalars, one program each."""
    index = tl.program_id(0) if SCALAR else tl.arange(0, N)
    value, place = tl.load(values + index), memory + index
    if OPERATION == "cas":
        old = tl.atomic_cas(place, tl.load(compares + index), value)
    elif OPERATION == "add":
        old = tl.atomic_add(place, value)
    elif OPERATION == "and":
        old = tl.atomic_and(place, value)
    elif OPERATION == "or":
        old = tl.atomic_or(place, value)
    elif OPERATION == "xor":
        old = tl.atomic_xor(place, value)
    elif OPERATION == "max":
        old = tl.atomic_max(place, value)
    elif OPERATION == "min":
        old = tl.atomic_min(place, value)
    else:
        old = tl.atomic_xchg(place, value)
    tl.store(olds + index, old)


WORDS = ["i32", "i64", "u32", "u64"]
ELEMENT_DTYPES = {
    "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u16": torch.uint16, "u32": torch.uint32,
    "u64": torch.uint64, "fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "fp64": torch.float64,
}  # fmt: skip
#: The types that the frontend lets through.
LANGUAGE = {
    "add": [*WORDS, "fp16", "bf16", "fp32", "fp64"],
    "and": WORDS,
    "or": WORDS,
    "xor": WORDS,
    "max": [*WORDS, "fp32", "fp64"],
    "min": [*WORDS, "fp32", "fp64"],
    "xchg": [*WORDS, "fp32", "fp64"],
    "cas": ["i16", "u16", *WORDS, "fp16", "bf16", "fp32", "fp64"],
}


@pytest.mark.parametrize(
    ("operation", "element"),
    [
        pytest.param(operation, element, marks=covers(f"tl.atomic_{operation}", element))
        for operation, elements in LANGUAGE.items()
        for element in elements
    ],
)
def test_language(operation, element):
    """Tensors with sub-groups of 32 and scalars of 16, in turn."""
    dtype = ELEMENT_DTYPES[element]
    scalar = (list(LANGUAGE).index(operation) + LANGUAGE[operation].index(element)) % 2 == 0
    n = 64
    signed = getattr(torch, str(dtype).removeprefix("torch.u")) if element.startswith("u") else dtype
    before, values = (random_tensor((n,), signed, seed) for seed in (21, 22))
    compares = torch.where(torch.arange(n) % 3 == 0, before, values)
    memory, olds = before.clone(), poisoned((n,), signed)
    language[(n if scalar else 1,)](
        memory.view(dtype), values.view(dtype), compares.view(dtype), olds.view(dtype), n, operation, scalar,
        num_warps=2, warp_size=16 if scalar else 32,
    )  # fmt: skip
    if operation == "cas":
        expected = torch.where(compares == before, values, before)
    else:
        kind = {"xchg": "exch"}.get(operation, operation)
        if operation in ("max", "min") and dtype != signed:
            kind = f"u{operation}"
        if operation == "add" and dtype.is_floating_point:
            kind = "fadd"
        expected = expected_memory(kind, before, values)
    assert torch.equal(memory, expected)
    assert torch.equal(olds, before)


# --- Programs together ------------------------------------------------------------------------------------------------


@triton.jit
def add_to_few(values, sums, olds, N: tl.constexpr, BINS: tl.constexpr, SEM: tl.constexpr, SCOPE: tl.constexpr):
    """Every program adds N values to BINS places; the last place is masked off."""
    index = tl.arange(0, N)
    x = tl.load(values + tl.program_id(0) * N + index)
    old = tl.atomic_add(sums + index % BINS, x, mask=index % BINS < BINS - 1, sem=SEM, scope=SCOPE)
    if olds is not None:
        tl.store(olds + tl.program_id(0) * N + index, old)


@pytest.mark.opencl
@pytest.mark.parametrize(
    ("dtype", "num_warps", "warp_size", "sem", "scope", "keep"),
    [
        (torch.int32, 4, 16, "acq_rel", "gpu", True),
        (torch.int64, 1, 32, "relaxed", "sys", True),
        (torch.float32, 8, 32, "release", "cta", False),
        (torch.float64, 2, 16, "acquire", "gpu", False),
        (torch.float16, 4, 32, "relaxed", "gpu", False),
        (torch.bfloat16, 4, 16, "acq_rel", "sys", False),
    ],
)
def test_sums_of_many_programs(dtype, num_warps, warp_size, sem, scope, keep):
    """Small whole numbers: all sums are exact, in any order."""
    programs, n, bins = 16, 128, 8
    values = torch.randint(0, 2, (programs, n), generator=torch.Generator().manual_seed(1)).to(dtype)
    sums = torch.full((bins + 1,), 3, dtype=dtype)
    olds = poisoned((programs, n), dtype) if keep else None
    add_to_few[(programs,)](values, sums, olds, n, bins, sem, scope, num_warps=num_warps, warp_size=warp_size)
    expected = 3 + values.to(torch.float64).reshape(-1, bins).sum(0)
    expected[-1] = 3
    assert torch.equal(sums[:bins].to(torch.float64), expected)
    assert sums[bins] == 3
    if keep:
        # For every place, the old values are the running sums in some order: no two additions of 1 saw the same.
        by_bin = olds.reshape(-1, bins)[:, : bins - 1]
        for column in range(bins - 1):
            seen = by_bin[:, column][values.reshape(-1, bins)[:, column] == 1]
            assert torch.equal(seen.sort().values, torch.arange(3, 3 + len(seen), dtype=dtype))


@triton.jit
def scalar_old_value(counter, out, N: tl.constexpr):
    """All work-items of a program see the same ticket."""
    ticket = tl.atomic_add(counter, 1)
    tl.store(out + ticket * N + tl.arange(0, N), ticket + tl.zeros((N,), tl.int32))


@pytest.mark.opencl
@pytest.mark.parametrize(("num_warps", "warp_size"), [(1, 16), (4, 16), (2, 32), (8, 32)])
def test_ticket(num_warps, warp_size):
    programs, n = 32, 128
    counter, out = torch.zeros(1, dtype=torch.int32), poisoned((programs, n), torch.int32)
    scalar_old_value[(programs,)](counter, out, n, num_warps=num_warps, warp_size=warp_size)
    assert counter.item() == programs
    assert torch.equal(out, torch.arange(programs, dtype=torch.int32)[:, None].expand(programs, n))


@triton.jit
def add_under_lock(lock, x, out, ROUNDS: tl.constexpr, N: tl.constexpr):
    """out += x[program], without atomic additions."""
    index = tl.arange(0, N)
    value = tl.load(x + tl.program_id(0) * N + index)
    for _ in range(ROUNDS):
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
        tl.store(out + index, tl.load(out + index) + value)
        tl.atomic_xchg(lock, 0)


@pytest.mark.opencl
@pytest.mark.parametrize(("num_warps", "warp_size", "n"), [(1, 16, 16), (4, 16, 256), (8, 32, 64)])
def test_spin_lock(num_warps, warp_size, n):
    programs, rounds = 24, 5
    x = random_tensor((programs, n), torch.int32, 4) // 2**12
    lock, out = torch.zeros(1, dtype=torch.int32), torch.zeros(n, dtype=torch.int32)
    add_under_lock[(programs,)](lock, x, out, rounds, n, num_warps=num_warps, warp_size=warp_size)
    assert lock.item() == 0
    assert torch.equal(out, rounds * x.sum(0, dtype=torch.int32))


@triton.jit
def last_program_reduces(x, partial, counter, out, programs, N: tl.constexpr, P: tl.constexpr):
    """Every program leaves a partial result; the last to finish adds them up."""
    index = tl.arange(0, N)
    tl.store(partial + tl.program_id(0) * N + index, 2 * tl.load(x + tl.program_id(0) * N + index))
    if tl.atomic_add(counter, 1) == programs - 1:
        rows = tl.arange(0, P)
        parts = tl.load(partial + rows[:, None] * N + index[None, :], mask=rows[:, None] < programs, other=0)
        tl.store(out + index, tl.sum(parts, 0))


@pytest.mark.parametrize(("num_warps", "warp_size"), [(4, 16), (2, 32)])
def test_last_program_finishes(num_warps, warp_size):
    programs, n = 13, 64
    x = random_tensor((programs, n), torch.int32, 6) // 2**8
    partial, out = poisoned((programs, n), torch.int32), poisoned((n,), torch.int32)
    counter = torch.zeros(1, dtype=torch.int32)
    last_program_reduces[(programs,)](
        x, partial, counter, out, programs, n, 16, num_warps=num_warps, warp_size=warp_size
    )
    assert torch.equal(out, 2 * x.sum(0, dtype=torch.int32))


@triton.jit
def split_k(a, b, c, K, M: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr):
    """Every program multiplies a part of K and adds to the common result."""
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(a + m[:, None] * K + k[None, :])
    y = tl.load(b + k[:, None] * N + n[None, :])
    tl.atomic_add(c + m[:, None] * N + n[None, :], tl.dot(x, y), sem="relaxed")


def test_split_k():
    """Accumulators of DPAS have a separate layout. Small whole numbers: sums are exact."""
    m, n, k, block = 32, 32, 128, 32
    generator = torch.Generator().manual_seed(8)
    a = torch.randint(-4, 5, (m, k), generator=generator).to(torch.float16)
    b = torch.randint(-4, 5, (k, n), generator=generator).to(torch.float16)
    c = torch.ones((m, n))
    split_k[(k // block,)](a, b, c, k, m, n, block, num_warps=4)
    assert torch.equal(c, 1 + (a.to(torch.float64) @ b.to(torch.float64)).to(torch.float32))


@triton.jit
def float_extremes(memory, values, N: tl.constexpr, MAX: tl.constexpr):
    """The frontend makes integer operations of these."""
    index = tl.arange(0, N)
    value = tl.load(values + index)
    if MAX:
        tl.atomic_max(memory + index % 4, value)
    else:
        tl.atomic_min(memory + index % 4, value)


@pytest.mark.opencl
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("is_max", [True, False])
def test_extremes_of_floats(dtype, is_max):
    n = 64
    values = random_tensor((n,), dtype, 12)
    values[:4] = torch.tensor([float("inf"), -float("inf"), -0.0, 0.0])
    memory = torch.zeros(4, dtype=dtype)
    float_extremes[(1,)](memory, values, n, is_max)
    columns = torch.cat([torch.zeros(1, 4, dtype=dtype), values.reshape(-1, 4)])
    assert torch.equal(memory, columns.amax(0) if is_max else columns.amin(0))


# --- Native code ------------------------------------------------------------------------------------------------------


@needs_ocloc
@pytest.mark.parametrize("element", ["i32", "i64", "fp32", "fp64", "fp16", "bf16"])
def test_native_code(element):
    source = ASTSource(
        add_to_few,
        {"values": f"*{element}", "sums": f"*{element}", "olds": f"*{element}"},
        {"N": 128, "BINS": 8, "SEM": "acq_rel", "SCOPE": "gpu"},
    )
    kernel = triton.compile(source, target=GPUTarget("xpu", "pvc", LANES), options={"generate_native_code": True})
    # Elements below 32 bits are exchanged with the word around them.
    message = {"i32": "iadd.ugm.d32", "i64": "iadd.ugm.d64", "fp32": "fadd.ugm.d32", "fp64": "fadd.ugm.d64"}
    assert f"atomic_{message.get(element, 'icas.ugm.d32')}" in kernel.asm["isa"]
