# SPDX-License-Identifier: MIT
"""Reductions, scans and conversions of NaN, infinities and zeros of both signs, whatever the layout and the device.

The promises of the language (triton/language/standard.py and core.py):

    tl.max, tl.min     combine by `tl.maximum` and `tl.minimum` with `PropagateNan.NONE`: a number wins against NaN, so
                       that NaN is the result of nothing but NaN. The sign of a zero is open if there are both.
    PropagateNan.ALL   NaN is the result as soon as there is one; -0 is below +0 (`arith.maximumf`, `arith.minimumf`).
    argmax, argmin     combine pairs by `>` and `<`, which are false for NaN. Without NaN: an extreme element, and the
                       first one with `tie_break_left`. With NaN the order of combination decides: one of the pairs.
    associative_scan   the same for every prefix (or suffix).
    conversions        nothing is promised of a float that an integer cannot hold; here they saturate, and NaN is 0.

In any case an element has one value: all work-items that hold it hold the same.
"""

from __future__ import annotations

import math
import random

import pytest
import torch
import triton
import triton.language as tl
from allpairspy import AllPairs
from numeric.expressions import SIZE, evaluate
from numeric.layouts import LANES, KernelBuilder, TensorType, random_layout, random_shape
from numeric.reduce.test_reduce_scan import SHAPES, reduce_op, reduced, store
from numerics import poisoned

pytestmark = pytest.mark.instruction_sets

NAN, INF = float("nan"), float("inf")


@triton.jit
def largest(a, b):
    return tl.maximum(a, b)


@triton.jit
def smallest(a, b):
    return tl.minimum(a, b)


@triton.jit
def largest_or_nan(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def smallest_or_nan(a, b):
    return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def store_kept(out_ptr, place, values, KEPT: tl.constexpr, RANK: tl.constexpr):
    if RANK == 1:
        tl.store(out_ptr + place, values)
    else:
        tl.store(out_ptr + place * KEPT + tl.arange(0, KEPT), values)


@triton.jit
def load_source(x_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, RANK: tl.constexpr):
    if RANK == 1:
        place = tl.arange(0, COLUMNS)
    else:
        place = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    return tl.load(x_ptr + place)


@triton.jit
def promoted(x):
    """`tl.maximum` of bf16 is an f32, which the region of a reduction must take too."""
    return x.to(tl.float32) if x.dtype == tl.bfloat16 else x


@triton.jit
def reduce_kernel(out_ptr, x_ptr, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, RANK: tl.constexpr):
    x = load_source(x_ptr, ROWS, COLUMNS, RANK)
    kept: tl.constexpr = COLUMNS if AXIS == 0 else ROWS
    store_kept(out_ptr, 0, tl.max(x, AXIS), kept, RANK)
    store_kept(out_ptr, 1, tl.min(x, AXIS), kept, RANK)
    store_kept(out_ptr, 2, tl.reduce(promoted(x), AXIS, largest_or_nan), kept, RANK)
    store_kept(out_ptr, 3, tl.reduce(promoted(x), AXIS, smallest_or_nan), kept, RANK)


@triton.jit
def index_kernel(
    value_ptr,
    index_ptr,
    hits_ptr,
    x_ptr,
    AXIS: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    LEFT: tl.constexpr,
):
    x = load_source(x_ptr, ROWS, COLUMNS, 2)
    kept: tl.constexpr = COLUMNS if AXIS == 0 else ROWS
    length: tl.constexpr = ROWS if AXIS == 0 else COLUMNS
    for i in tl.static_range(2):
        if i == 0:
            value, index = tl.max(x, AXIS, return_indices=True, return_indices_tie_break_left=LEFT)
        else:
            value, index = tl.min(x, AXIS, return_indices=True, return_indices_tie_break_left=LEFT)
        store_kept(value_ptr, i, value, kept, 2)
        store_kept(index_ptr, i, index, kept, 2)
        # One element of each row has the index, if all lanes know the same one.
        position = tl.expand_dims(tl.arange(0, length), 1 - AXIS)
        hits = tl.sum((position == tl.expand_dims(index, AXIS)).to(tl.int32), AXIS)
        store_kept(hits_ptr, i, hits, kept, 2)


@triton.jit
def scan_kernel(
    out_ptr,
    x_ptr,
    AXIS: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    RANK: tl.constexpr,
    REVERSE: tl.constexpr,
    SIGN: tl.constexpr,
):
    x = promoted(load_source(x_ptr, ROWS, COLUMNS, RANK))
    if RANK == 1:
        place = tl.arange(0, COLUMNS)
    else:
        place = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    if SIGN > 0:
        numbers = tl.associative_scan(x, AXIS, largest, REVERSE)
        with_nan = tl.associative_scan(x, AXIS, smallest_or_nan, REVERSE)
    else:
        numbers = tl.associative_scan(x, AXIS, smallest, REVERSE)
        with_nan = tl.associative_scan(x, AXIS, largest_or_nan, REVERSE)
    tl.store(out_ptr + place, numbers)
    tl.store(out_ptr + ROWS * COLUMNS + place, with_nan)


#: The values that a row may consist of; numbers represent random ones.
ROW_KINDS = (
    (NAN,), (NAN, 1.0), (INF,), (-INF,), (NAN, INF), (NAN, -INF), (INF, -INF), (0.0, -0.0), (-0.0,), (NAN, 0.0, -0.0),
    (NAN, INF, -INF, 1.0, 0.0), (1.0,),
)  # fmt: skip


def special_rows(count: int, length: int, dtype: torch.dtype, rng: random.Random) -> torch.Tensor:
    """Return rows of every kind in turn, from a random one on; of several kinds of values each occurs."""
    first = rng.randrange(len(ROW_KINDS))
    rows = []
    for i in range(count):
        kind = ROW_KINDS[(first + i) % len(ROW_KINDS)]
        row = [rng.choice(kind) for _ in range(length)]
        for place, value in zip(rng.sample(range(length), min(len(kind), length)), kind, strict=False):
            row[place] = value
        rows.append([rng.gauss(0, 1) if value == 1.0 else value for value in row])
    return torch.tensor(rows, dtype=torch.float64).to(dtype)


def special_tensor(shape: tuple[int, ...], axis: int, dtype: torch.dtype, rng: random.Random) -> torch.Tensor:
    """Return a tensor whose rows lie along `axis`."""
    rest = [size for dim, size in enumerate(shape) if dim != axis]
    rows = special_rows(math.prod(rest), shape[axis], dtype, rng)
    return rows.reshape(*rest, shape[axis]).movedim(-1, axis).contiguous()


def scanned(x: torch.Tensor, axis: int, sign: int, keeps_nan: bool, reverse: bool = False) -> torch.Tensor:
    """Return the largest (sign 1) or smallest (-1) number of every prefix by the rules above; zeros as preferred."""
    x = x.flip(axis) if reverse else x
    numbers = torch.where(x.isnan(), -sign * INF, x)
    result = sign * (sign * numbers).cummax(axis).values
    preferred = ((numbers == 0) & (numbers.signbit() == (sign < 0))).int().cummax(axis).values
    zero = torch.where(preferred == 1, sign * 0.0, -sign * 0.0).to(x.dtype)
    result = torch.where(result == 0, zero, result)
    isnan = x.isnan().int()
    is_nan = (isnan.cummax(axis) if keeps_nan else isnan.cummin(axis)).values
    result = torch.where(is_nan == 1, NAN, result)
    return result.flip(axis) if reverse else result


def extreme(x: torch.Tensor, axis: int, sign: int, keeps_nan: bool) -> torch.Tensor:
    """Return the extreme of everything along an axis."""
    return scanned(x, axis, sign, keeps_nan).select(axis, -1)


#: The results that kernels store, in order: (sign, whether NaN wins).
RESULTS = ((1, False), (-1, False), (1, True), (-1, True))


def assert_same(actual: torch.Tensor, expected: torch.Tensor, signed_zeros: bool, text: str = "") -> None:
    """Equal, NaN like NaN, and zeros with their signs if these are promised."""
    actual, expected = actual.double(), expected.double()
    assert torch.equal(actual.isnan(), expected.isnan()), text
    assert torch.equal(actual.nan_to_num(nan=0.0), expected.nan_to_num(nan=0.0)), text
    if signed_zeros:
        number = ~expected.isnan()
        assert torch.equal(actual.signbit() & number, expected.signbit() & number), text


DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64)


def fits(values: list) -> bool:
    """Return whether there are at most 16 registers per work-item: for more the CPU device takes long to compile."""
    keys = ("dtype", "columns", "rows", "axis", "num_warps", "warp_size")
    case = dict(zip(keys, values, strict=False))
    if len(case) < len(keys):
        return True
    size = case["columns"] * case["rows"]
    return size <= (16 if case["warp_size"] == 16 else 8) * case["num_warps"] * case["warp_size"]


#: One row: of rank 1.
CASES = list(AllPairs([DTYPES, (64, 16, 256, 1024), (4, 1, 16), (1, 0), (2, 1, 4, 8), (16, 32)], filter_func=fits))


def options(rows: int, columns: int, axis: int, num_warps: int, warp_size: int) -> dict[str, int]:
    """Return constants and options of a launch."""
    meta = {"AXIS": axis, "ROWS": rows, "COLUMNS": columns, "num_warps": num_warps, "warp_size": warp_size}
    return meta if rows > 1 else meta | {"AXIS": 0}


def case_tensor(dtype: torch.dtype, columns: int, rows: int, axis: int) -> torch.Tensor:
    """Return the source of a case, of rank 2."""
    return special_tensor((rows, columns), axis if rows > 1 else 1, dtype, random.Random(columns + rows))


@pytest.mark.parametrize(("dtype", "columns", "rows", "axis", "num_warps", "warp_size"), CASES)
def test_extremes(dtype, columns, rows, axis, num_warps, warp_size):
    axis = axis if rows > 1 else 1
    # A single row cannot be of all kinds at once.
    for seed in range(len(ROW_KINDS) if rows == 1 else 1):
        x = special_tensor((rows, columns), axis, dtype, random.Random(seed + columns))
        out = poisoned((4, columns if axis == 0 else rows), torch.float64 if dtype == torch.float64 else torch.float32)
        meta = options(rows, columns, axis, num_warps, warp_size)
        reduce_kernel[(1,)](out.fill_(-7.0), x, RANK=1 if rows == 1 else 2, **meta)
        for actual, (sign, keeps_nan) in zip(out, RESULTS, strict=True):
            assert_same(actual, extreme(x, axis, sign, keeps_nan), signed_zeros=keeps_nan)


@pytest.mark.parametrize("tie_break_left", [True, False])
@pytest.mark.parametrize(
    ("dtype", "columns", "rows", "axis", "num_warps", "warp_size"), [case for case in CASES if case[2] > 1]
)
def test_indices_of_extremes(dtype, columns, rows, axis, num_warps, warp_size, tie_break_left):
    x = case_tensor(dtype, columns, rows, axis)
    kept = columns if axis == 0 else rows
    value = poisoned((2, kept), torch.float64 if dtype == torch.float64 else torch.float32)
    index, hits = poisoned((2, kept), torch.int32), poisoned((2, kept), torch.int32)
    meta = options(rows, columns, axis, num_warps, warp_size)
    index_kernel[(1,)](value.fill_(-7.0), index, hits, x, LEFT=tie_break_left, **meta)
    assert (hits == 1).all()
    length = rows if axis == 0 else columns
    for i, sign in enumerate((1, -1)):
        assert ((index[i] >= 0) & (index[i] < length)).all()
        chosen = x.gather(axis, index[i].long().unsqueeze(axis)).squeeze(axis)
        assert_same(value[i], chosen, signed_zeros=True)
        best = extreme(x, axis, sign, keeps_nan=False)
        without_nan = ~x.isnan().any(axis)
        assert torch.equal(chosen[without_nan], best[without_nan])
        if tie_break_left:
            first = (x == best.unsqueeze(axis)).to(torch.int32).argmax(axis)
            assert torch.equal(index[i][without_nan], first.to(torch.int32)[without_nan])


@pytest.mark.parametrize(
    ("dtype", "columns", "rows", "axis", "num_warps", "warp_size"), [case for case in CASES if case[1] * case[2] <= 256]
)
def test_running_extremes(dtype, columns, rows, axis, num_warps, warp_size):
    axis = axis if rows > 1 else 1
    reverse = num_warps in (1, 4)
    sign = -1 if columns in (16, 256) else 1
    meta = options(rows, columns, axis, num_warps, warp_size) | {"SIGN": sign}
    for seed in range(len(ROW_KINDS) if rows == 1 else 1):
        x = special_tensor((rows, columns), axis, dtype, random.Random(seed + columns))
        out = poisoned((2, rows, columns), torch.float64 if dtype == torch.float64 else torch.float32).fill_(-7.0)
        scan_kernel[(1,)](out, x, RANK=1 if rows == 1 else 2, REVERSE=reverse, **meta)
        for actual, keeps_nan in zip(out, (False, True), strict=True):
            expected = scanned(x, axis, -sign if keeps_nan else sign, keeps_nan, reverse)
            assert_same(actual, expected, signed_zeros=keeps_nan)


# --- Layouts that no kernel requests ----------------------------------------------------------------------------------

OPERATIONS = {(1, False): "maxnumf", (-1, False): "minnumf", (1, True): "maximumf", (-1, True): "minimumf"}
ELEMENTS = {"f32": torch.float32, "f16": torch.float16, "f64": torch.float64}


def extremes_on_layout(directory, seed: int, is_scan: bool) -> None:
    """One of the four operations on a random layout, along a random axis."""
    rng = random.Random(seed)
    lanes = (16, 32)[seed % 2]
    shape = random_shape(rng, SHAPES, lanes)
    num_warps = rng.choice([n for n in (1, 2, 4, 8) if math.prod(shape) <= 32 * LANES * n])
    (sign, keeps_nan), operation = list(OPERATIONS.items())[seed // 2 % 4]
    element, dtype = list(ELEMENTS.items())[seed % 3]
    axis = rng.randrange(len(shape))
    tensor = TensorType(shape, element, random_layout(rng, shape, num_warps, lanes))
    builder = KernelBuilder(num_warps, lanes)
    value = builder.load(tensor)
    body = f"^bb0(%a: {element}, %b: {element}): %c = arith.{operation} %a, %b : {element}"
    source = special_tensor(shape, axis, dtype, rng)
    if is_scan:
        reverse = rng.choice([False, True])
        value = builder.op(
            f'"tt.scan"({value}) <{{axis = {axis} : i32, reverse = {str(reverse).lower()}}}> '
            f"({{{body} tt.scan.return %c : {element}}}) : ({tensor}) -> {tensor}"
        )
        builder.store(value, tensor)
        result = poisoned(shape, dtype).fill_(-7.0)
        expected = scanned(source, axis, sign, keeps_nan, reverse)
    else:
        result_type = reduced(tensor, axis)
        region = f"{body} tt.reduce.return %c : {element}"
        value = builder.op(reduce_op(axis, region, {value: tensor}, [result_type or element]))
        store(builder, value, result_type, element)
        result = poisoned(result_type.shape if result_type else (1,), dtype).fill_(-7.0)
        expected = extreme(source, axis, sign, keeps_nan).reshape(result.shape)
    builder.run(directory, source, result)
    assert_same(result, expected, signed_zeros=keeps_nan, text=builder.text())


@pytest.mark.parametrize("seed", range(16))
def test_extremes_on_layouts(tmp_path, seed):
    extremes_on_layout(tmp_path, seed, is_scan=False)


@pytest.mark.parametrize("seed", range(8))
def test_running_extremes_on_layouts(tmp_path, seed):
    extremes_on_layout(tmp_path, seed, is_scan=True)


@pytest.mark.full
@pytest.mark.parametrize("is_scan", [False, True])
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_extremes_on_many_layouts(tmp_path, seed, is_scan):
    extremes_on_layout(tmp_path, seed, is_scan)


# --- Floats that integers cannot hold ---------------------------------------------------------------------------------

INTEGERS = {
    "int8": torch.int8, "int16": torch.int16, "int32": torch.int32, "int64": torch.int64,
    "uint8": torch.uint8, "uint16": torch.uint16, "uint32": torch.uint32, "uint64": torch.uint64,
}  # fmt: skip


def saturated(value: float, dtype: torch.dtype) -> int:
    """Round toward zero, then to the nearest integer that there is."""
    info = torch.iinfo(dtype)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return info.max if value > 0 else info.min
    return max(info.min, min(info.max, int(value)))


@pytest.mark.parametrize("form", ["vector", "scalar"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_conversions_out_of_range(dtype, form):
    exponents = (7, 8, 15, 16, 31, 32, 63, 64)
    limits = [sign * (2.0**exponent + step) for exponent in exponents for sign in (1, -1) for step in (-1, 0, 1)]
    values = [NAN, -NAN, INF, -INF, 0.0, -0.0, 0.5, -0.5, -1.0, 3e38, -3e38, *limits]
    x = torch.tensor(values, dtype=torch.float64).repeat(SIZE // len(values) + 1)[:SIZE].to(dtype)
    results = evaluate([f"x.to(tl.{name})" for name in INTEGERS], {"x": x}, list(INTEGERS.values()), form, num_warps=4)
    for (name, integer), result in zip(INTEGERS.items(), results, strict=True):
        assert result.tolist() == [saturated(value, integer) for value in x.double().tolist()], name
