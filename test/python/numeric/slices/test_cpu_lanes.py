# SPDX-License-Identifier: MIT
"""Work that the CPU device does lane by lane.

This is masked accesses next to missing memory, gathers and scatters, atomic operations of lanes that meet, values of
other lanes, functions of a library that knows no lanes.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap

import pytest
import torch
import triton
import triton.language as tl
from numeric.expressions import evaluate
from numeric.math.test_libdevice import BINARY, UNARY, samples
from numerics import poisoned, random_tensor

PAGE = mmap.PAGESIZE
DTYPES = [
    torch.int8,
    torch.int16,
    torch.float16,
    torch.bfloat16,
    torch.int32,
    torch.float32,
    torch.int64,
    torch.float64,
]
#: The sub-groups that there are, of 8 lanes on one chip only.
SUB_GROUPS = {lanes: {"warp_size": lanes, "arch": "dg2" if lanes == 8 else "pvc"} for lanes in (8, 16, 32)}
LANES = pytest.mark.parametrize("lanes", SUB_GROUPS)

_LIBC = ctypes.CDLL(None, use_errno=True)
#: Memory between guards lives as long as the process: a tensor does not own it.
_MAPPINGS = []


def between_guards(count: int, dtype: torch.dtype, at_end: bool) -> torch.Tensor:
    """Return elements right before, or right after, a page that may not be touched."""
    size = count * dtype.itemsize
    pages = (size + PAGE - 1) // PAGE
    mapping = mmap.mmap(-1, (pages + 2) * PAGE)
    _MAPPINGS.append(mapping)
    address = ctypes.addressof(ctypes.c_char.from_buffer(mapping))
    for guard in (address, address + (pages + 1) * PAGE):
        assert _LIBC.mprotect(ctypes.c_void_p(guard), ctypes.c_size_t(PAGE), 0) == 0
    offset = (pages + 1) * PAGE - size if at_end else PAGE
    return torch.frombuffer(mapping, dtype=dtype, count=count, offset=offset)


# --- Masks ------------------------------------------------------------------------------------------------------------


@triton.jit
def copy_part(x_ptr, y_ptr, low, high, N: tl.constexpr, STRIDE: tl.constexpr, OTHER: tl.constexpr):
    """Elements [low, high) of a block; what is outside may be no memory."""
    index = tl.arange(0, N)
    mask = (index >= low) & (index < high)
    x = tl.load(x_ptr + (index - low) * STRIDE, mask, other=OTHER)
    tl.store(y_ptr + (index - low) * STRIDE, x, mask)


@triton.jit
def copy_by_index(x_ptr, y_ptr, index_ptr, low, high, N: tl.constexpr):
    """Copy with addresses that the compiler cannot know."""
    place = tl.arange(0, N)
    mask = (place >= low) & (place < high)
    index = tl.load(index_ptr + place)
    tl.store(y_ptr + index, tl.load(x_ptr + index, mask), mask)


RANGES = [(0, 0), (0, 1), (0, 7), (0, 16), (3, 20), (0, 33), (15, 17), (31, 128), (127, 128), (1, 128), (0, 128)]


#: AVX2 has no masks for narrow elements, AVX-512 has: another way through the compiler.
NARROW = [torch.int8, torch.bfloat16]


def marked(dtypes: list[torch.dtype]) -> list:
    """Return the types as parameters; narrow types also run with other instruction sets."""
    return [pytest.param(t, marks=[pytest.mark.instruction_sets] * (t in NARROW), id=str(t)) for t in dtypes]


@pytest.mark.pairwise
@LANES
@pytest.mark.parametrize("at_end", [True, False], ids=["end", "begin"])
@pytest.mark.parametrize("dtype", marked(DTYPES))
def test_masked_lanes_touch_nothing(request, dtype, at_end, lanes):
    """Every element of the memory is taken; one more, on either side, ends the launch with an error.

    The tests of a type with other sub-groups take other strides, so that each range meets all of them; in a long run it
    does so in each test.
    """
    stride_of_test = (list(SUB_GROUPS).index(lanes) + DTYPES.index(dtype)) % 3 + 1
    for low, high in RANGES:
        for stride in (1, 2, 3):
            if stride != stride_of_test and not request.config.getoption("--full"):
                continue
            count = max(0, (high - low - 1) * stride + 1)
            x, y = (between_guards(max(count, 1), dtype, at_end) for _ in range(2))
            x.copy_(random_tensor((max(count, 1),), dtype, low + high))
            y.zero_()
            copy_part[(1,)](x, y, low, high, 128, stride, 1, num_warps=2, **SUB_GROUPS[lanes])
            expected = torch.zeros_like(y)
            if count:
                expected[::stride] = x[::stride]
            assert torch.equal(y, expected)


@LANES
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_masked_lanes_of_gathers_touch_nothing(dtype, lanes):
    """Addresses of lanes that are masked off are wild."""
    n = 128
    for low, high in RANGES:
        count = max(high - low, 1)
        x, y = (between_guards(count, dtype, at_end=True) for _ in range(2))
        x.copy_(random_tensor((count,), dtype, 3))
        y.zero_()
        index = torch.randint(-(2**40), 2**40, (n,), generator=torch.Generator().manual_seed(low))
        index[low:high] = torch.randperm(high - low, generator=torch.Generator().manual_seed(high))
        copy_by_index[(1,)](x, y, index, low, high, n, num_warps=2, **SUB_GROUPS[lanes])
        assert torch.equal(y, x if high > low else torch.zeros_like(y))


# --- Gathers and scatters ---------------------------------------------------------------------------------------------


@triton.jit
def scatter_all(x_ptr, y_ptr, index_ptr, mask_ptr, N: tl.constexpr):
    place = tl.arange(0, N)
    mask = tl.load(mask_ptr + place) != 0
    tl.store(y_ptr + tl.load(index_ptr + place), tl.load(x_ptr + place), mask)


@LANES
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_lanes_that_store_to_one_place(dtype, lanes):
    """One of the values that were stored is stored, whole; places without a store keep theirs."""
    n, places = 256, 40
    generator = torch.Generator().manual_seed(5)
    index = torch.randint(0, places - 4, (n,), generator=generator)
    mask = torch.randint(0, 3, (n,), generator=generator).to(torch.int8)
    x, y = random_tensor((n,), dtype, 6), poisoned((places,), dtype)
    before = y.clone()
    scatter_all[(1,)](x, y, index, mask, n, num_warps=4, **SUB_GROUPS[lanes])
    for place in range(places):
        candidates = x[(index == place) & (mask != 0)]
        if len(candidates):
            assert (candidates == y[place]).any(), place
        else:
            assert torch.equal(y[place].view(1).view(torch.uint8), before[place].view(1).view(torch.uint8))


@triton.jit
def transpose_strided(x_ptr, y_ptr, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Runs of neighbours on one side, a stride that is not known on the other."""
    i, j = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    tl.store(y_ptr + j * stride + i, tl.load(x_ptr + i * stride + j))


@pytest.mark.pairwise
@LANES
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("rows", "columns"), [(2, 64), (4, 32), (8, 8), (32, 4), (64, 1)])
def test_strided_accesses(dtype, rows, columns, lanes):
    stride = 67
    x, y = random_tensor((rows, stride), dtype, 7), poisoned((columns, stride), dtype)
    expected = y.clone()
    expected[:, :rows] = x[:, :columns].T
    transpose_strided[(1,)](x, y, stride, rows, columns, num_warps=2, **SUB_GROUPS[lanes])
    assert torch.equal(y.view(torch.uint8), expected.view(torch.uint8))


# --- Atomic operations ------------------------------------------------------------------------------------------------


@triton.jit
def meet(place_ptr, x_ptr, old_ptr, mask_ptr, OPERATION: tl.constexpr, N: tl.constexpr):
    """All lanes of all programs at one address."""
    index = tl.program_id(0) * N + tl.arange(0, N)
    x, mask = tl.load(x_ptr + index), tl.load(mask_ptr + index) != 0
    pointer = place_ptr + index * 0
    if OPERATION == "add":
        old = tl.atomic_add(pointer, x, mask)
    elif OPERATION == "max":
        old = tl.atomic_max(pointer, x, mask)
    elif OPERATION == "min":
        old = tl.atomic_min(pointer, x, mask)
    elif OPERATION == "and":
        old = tl.atomic_and(pointer, x, mask)
    elif OPERATION == "or":
        old = tl.atomic_or(pointer, x, mask)
    elif OPERATION == "xor":
        old = tl.atomic_xor(pointer, x, mask)
    else:
        old = tl.atomic_xchg(pointer, x, mask)
    tl.store(old_ptr + index, old, mask)


INTEGERS = [torch.int32, torch.int64]
MEETINGS = [
    *itertools.product(("add", "max", "min", "xchg"), [*INTEGERS, torch.float32, torch.float64]),
    *itertools.product(("and", "or", "xor"), INTEGERS),
    ("add", torch.float16),
    ("add", torch.bfloat16),
]


@LANES
@pytest.mark.parametrize(("operation", "dtype"), MEETINGS, ids=str)
def test_lanes_that_meet(operation, dtype, lanes):
    """Nothing is lost, and no lane sees a value that was never there."""
    programs, n = 8, 64
    generator = torch.Generator().manual_seed(11)
    low, high = (0, 2) if operation == "add" else (-(2**20), 2**20)
    x = torch.randint(low, high, (programs * n,), generator=generator).to(dtype)
    mask = torch.randint(0, 4, (programs * n,), generator=generator).to(torch.int8)
    place, old = torch.full((1,), 5, dtype=dtype), poisoned((programs * n,), dtype)
    meet[(programs,)](place, x, old, mask, operation, n, num_warps=2, **SUB_GROUPS[lanes])
    taken, seen = x[mask != 0], old[mask != 0]
    match operation:
        case "add" if dtype.itemsize == 2:
            assert 5 < place.item() <= 5 + taken.sum(dtype=torch.float64)
        case "add":
            assert place.item() == 5 + taken.double().sum().item()
        case "max":
            assert place.item() == max(5, taken.max().item())
        case "min":
            assert place.item() == min(5, taken.min().item())
        case "xchg":
            # A chain: the first value and all values, without the last one.
            chain = torch.cat([torch.tensor([5], dtype=dtype), taken]).sort().values
            assert torch.equal(torch.cat([seen, place]).sort().values, chain)
        case _:
            function = {"and": torch.bitwise_and, "or": torch.bitwise_or, "xor": torch.bitwise_xor}[operation]
            expected = torch.tensor(5, dtype=dtype)
            for value in taken:
                expected = function(expected, value)
            assert place.item() == expected.item()
    assert torch.equal(old[mask == 0].view(torch.uint8), poisoned((int((mask == 0).sum()),), dtype).view(torch.uint8))


# --- Values of other lanes --------------------------------------------------------------------------------------------


@triton.jit
def take(x_ptr, index_ptr, y_ptr, N: tl.constexpr):
    place = tl.arange(0, N)
    tl.store(y_ptr + place, tl.gather(tl.load(x_ptr + place), tl.load(index_ptr + place), 0))


@pytest.mark.pairwise
@LANES
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("form", ["random", "reversed", "one"])
def test_lanes_that_are_computed(dtype, form, lanes):
    """There is one sub-group, hence shuffles with numbers that are not known before."""
    n = 64
    x, y = random_tensor((n,), dtype, 8), poisoned((n,), dtype)
    index = {
        "random": torch.randint(0, n, (n,), generator=torch.Generator().manual_seed(9)),
        "reversed": torch.arange(n).flip(0),
        "one": torch.full((n,), 37),
    }[form].to(torch.int32)
    take[(1,)](x, index, y, n, num_warps=1, **SUB_GROUPS[lanes])
    assert torch.equal(y, x[index.long()])


# --- Functions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_functions_do_not_depend_on_the_number_of_lanes(request, dtype):
    """Every function of `libdevice` that takes floats: tensors in sub-groups of 16 against 32, 8 or scalars.

    Eight functions in each kernel, which takes all ways in a long run, and otherwise another one than with the other
    type.
    """
    integer = {torch.float32: torch.int32, torch.float64: torch.int64}[dtype]
    y = samples(-10, 10, dtype, 3, special=False)
    groups = [
        (names[start : start + 8], call)
        for names, call in ((list(UNARY), "{0}({1})"), (list(BINARY), "{0}({1}, y)"))
        for start in range(0, len(names), 8)
    ]
    for number, (group, call) in enumerate(groups):
        inputs, texts = {"y": y} if "y" in call else {}, []
        for letter, name in zip("abcdefgh", group, strict=False):
            low, high = UNARY[name][1:3] if name in UNARY else (0.01, 10)
            inputs[letter] = samples(low, high, dtype, 4, special=name in UNARY)
            texts.append("libdevice." + call.format(name, letter))
        ways = [("vector", 2, 32), ("vector", 8, 8), ("scalar", 1, 16)]
        if not request.config.getoption("--full"):
            ways = [ways[(number + (dtype == torch.float64)) % 3]]
        results = [
            evaluate(texts, inputs, [dtype] * len(texts), shape, num_warps=warps, **SUB_GROUPS[lanes])
            for shape, warps, lanes in (("vector", 4, 16), *ways)
        ]
        for name, first, *others in zip(group, *results, strict=True):
            for other in others:
                assert torch.equal(first.view(integer), other.view(integer)), name
