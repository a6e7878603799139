# SPDX-License-Identifier: MIT
"""Kernels in Gluon: each operation of its generic language gives right numbers in several layouts."""

from __future__ import annotations

import pytest
import torch
import triton
from numerics import poisoned
from packaging.version import Version
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from triton_xe import errors

M, N = 32, 64
#: Four warps of 16 lanes have these layouts of a matrix.
LAYOUTS = {
    "rows": gl.BlockedLayout([1, 4], [1, 16], [4, 1], [1, 0]),
    "tiles": gl.BlockedLayout([2, 2], [4, 4], [2, 2], [1, 0]),
    "columns": gl.BlockedLayout([8, 1], [4, 4], [1, 4], [0, 1]),
    "linear": gl.DistributedLinearLayout(
        [[0, 8], [4, 0], [0, 1], [16, 0], [0, 32]],
        [[0, 2], [1, 0], [0, 4], [2, 0]],
        [[8, 0], [0, 16]],
        [],
        [M, N],
    ),
    "slice": gl.SliceLayout(1, gl.BlockedLayout([1, 2, 4], [2, 2, 4], [2, 1, 2], [2, 0, 1])),
}
SHARED = {
    "plain": gl.SwizzledSharedLayout(1, 1, 1, [1, 0]),
    "swizzled": gl.SwizzledSharedLayout(4, 2, 4, [1, 0]),
    "columns": gl.SwizzledSharedLayout(2, 1, 8, [0, 1]),
    "padded": gl.PaddedSharedLayout.with_identity_for([[64, 4]], [M, N], [1, 0]),
    "padded-twice": gl.PaddedSharedLayout.with_identity_for([[32, 4], [256, 8]], [M, N], [0, 1]),
    "linear": gl.SharedLinearLayout(
        [[0, 1], [0, 2], [1, 4], [2, 8], [4, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 1], [16, 2]]
    ),
}
ELEMENT_TYPES = {
    gl.int8: torch.int8, gl.int16: torch.int16, gl.int32: torch.int32, gl.int64: torch.int64,
    gl.float16: torch.float16, gl.bfloat16: torch.bfloat16, gl.float32: torch.float32, gl.float64: torch.float64,
}  # fmt: skip
LINE = gl.BlockedLayout([4], [16], [4], [0])

every_layout = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
every_shared = pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED)


@pytest.fixture
def matrix() -> torch.Tensor:
    """Numbers of a few bits, whose sums are exact."""
    return torch.randint(-8, 9, (M, N), generator=torch.Generator().manual_seed(0)).float()


def empty(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return poisoned(shape, dtype)


@gluon.jit
def places(rows: gl.constexpr, columns: gl.constexpr, layout: gl.constexpr):
    row = gl.arange(0, rows, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, columns, layout=gl.SliceLayout(0, layout))
    return row[:, None] * columns + column[None, :]


# Accesses and layouts


@gluon.jit
def scale(x, y, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    place = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(y + place, gl.load(x + place, mask=place < n, other=0) * 2, mask=place < n)


@pytest.mark.parametrize(("element", "dtype"), ELEMENT_TYPES.items(), ids=map(str, ELEMENT_TYPES))
@pytest.mark.parametrize("num_warps", [1, 4, 8])
@pytest.mark.conformance
def test_elements(element, dtype, num_warps):
    x, y = torch.arange(500).to(dtype), empty(512, dtype=dtype)
    layout = gl.BlockedLayout([2], [16], [num_warps], [0])
    scale[(2,)](x, y, 500, 256, layout, num_warps=num_warps, cpu_checks=True)
    assert torch.equal(y[:500], x * 2)
    # NaN differs from itself, its bytes do not.
    assert torch.equal(y[500:].view(torch.uint8), empty(12, dtype=dtype).view(torch.uint8))


@gluon.jit
def scale_open(x, y, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    place = gl.arange(0, BLOCK, layout)
    if layout == gl.AutoLayout():
        place = gl.set_auto_layout(place, gl.BlockedLayout([4], [16], [4], [0]))
    value = gl.load(x + place, mask=place < n) + gl.full([BLOCK], 1, gl.float32)
    gl.store(y + place, value, mask=place < n)


@pytest.mark.parametrize("layout", [gl.AutoLayout(), gl.CoalescedLayout(), LINE], ids=["auto", "coalesced", "given"])
def test_open_layouts(layout):
    x, y = torch.randn(200), empty(256)
    scale_open[(1,)](x, y, 200, 256, layout)
    assert torch.equal(y[:200], x + 1)


@gluon.jit
def convert(x, y, M: gl.constexpr, N: gl.constexpr, first: gl.constexpr, second: gl.constexpr):
    value = gl.load(x + places(M, N, first))
    gl.store(y + places(M, N, second), gl.convert_layout(value, second))


@every_layout
@pytest.mark.parametrize("second", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.int8, torch.bfloat16, torch.float32, torch.float64], ids=str)
@pytest.mark.pairwise
def test_conversions(layout, second, dtype):
    x, y = torch.arange(M * N).to(dtype).reshape(M, N), empty(M, N, dtype=dtype)
    convert[(1,)](x, y, M, N, layout, second, cpu_checks=True)
    assert torch.equal(y, x)


@gluon.jit
def convert_operand(x, y, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr, index: gl.constexpr):
    operand: gl.constexpr = gl.DotOperandLayout(index, layout, 0)
    value = gl.convert_layout(gl.load(x + places(M, N, layout)), operand)
    gl.store(y + places(M, N, layout), gl.convert_layout(value * 2, layout))


@pytest.mark.parametrize("index", [0, 1])
def test_operand_layouts(matrix, index):
    y = empty(M, N)
    convert_operand[(1,)](matrix, y, M, N, LAYOUTS["tiles"], index)
    assert torch.equal(y, matrix * 2)


# Shared memory


@gluon.jit
def through_shared(
    x, y, M: gl.constexpr, N: gl.constexpr, shared: gl.constexpr, first: gl.constexpr, second: gl.constexpr,
    element: gl.constexpr, way: gl.constexpr,
):  # fmt: skip
    value = gl.load(x + places(M, N, first))
    if way == "filled":
        memory = gl.allocate_shared_memory(element, [M, N], shared, value)
    else:
        memory = gl.allocate_shared_memory(element, [M, N], shared)
        memory.store(value)
    if way == "transposed":
        result = memory.permute((1, 0)).load(second)
        gl.store(y + places(N, M, second), result)
    else:
        gl.store(y + places(M, N, second), memory.load(second))


@every_shared
@every_layout
@pytest.mark.parametrize("element", [gl.int8, gl.float16, gl.float32, gl.int64], ids=str)
@pytest.mark.parametrize("way", ["stored", "filled"])
@pytest.mark.pairwise
def test_shared_memory(shared, layout, element, way):
    dtype = ELEMENT_TYPES[element]
    x, y = torch.arange(M * N).to(dtype).reshape(M, N), empty(M, N, dtype=dtype)
    through_shared[(1,)](x, y, M, N, shared, layout, LAYOUTS["tiles"], element, way, cpu_checks=True)
    assert torch.equal(y, x)


@every_shared
@pytest.mark.conformance
def test_transposed_shared_memory(matrix, shared):
    y = empty(N, M)
    through_shared[(1,)](
        matrix, y, M, N, shared, LAYOUTS["rows"], LAYOUTS["tiles"], gl.float32, "transposed", cpu_checks=True
    )
    assert torch.equal(y, matrix.t())


@gluon.jit
def views(x, y, z, shared: gl.constexpr, layout: gl.constexpr, line: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float32, [32, 64], shared)
    memory.store(gl.load(x + places(32, 64, layout)))
    gl.store(y + places(16, 64, layout), memory.slice(16, 16, dim=0).load(layout))
    flat = memory.reshape([2048]).load(line)
    gl.store(z + gl.arange(0, 2048, layout=line), flat)
    memory.slice(0, 16, dim=0).store(gl.full([16, 64], 5.0, gl.float32, layout))
    gl.barrier()
    gl.store(z + 2048 + places(32, 64, layout), memory.load(layout))


@pytest.mark.parametrize("name", ["plain", "padded"])
@pytest.mark.conformance
def test_views(matrix, name):
    y, z = empty(16, N), empty(2, M, N)
    views[(1,)](matrix, y, z, SHARED[name], LAYOUTS["tiles"], LINE, cpu_checks=True)
    assert torch.equal(y, matrix[16:])
    assert torch.equal(z[0], matrix)
    assert torch.equal(z[1], torch.cat((torch.full((16, N), 5.0), matrix[16:])))


@gluon.jit
def reinterpreted(x, y, layout: gl.constexpr, has_public_name: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float32, [32, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    memory.store(gl.load(x + places(32, 64, layout)))
    if has_public_name:
        words = memory.reinterpret(gl.int16, [64, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    else:
        words = memory._reinterpret(gl.int16, [64, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    gl.store(y + places(64, 64, layout), words.load(layout))


@pytest.mark.conformance
def test_reinterpreted_memory(matrix):
    y = empty(64, 64, dtype=torch.int16)
    reinterpreted[(1,)](
        matrix, y, LAYOUTS["tiles"], hasattr(gl.shared_memory_descriptor, "reinterpret"), cpu_checks=True
    )
    assert torch.equal(y.flatten(), matrix.view(torch.int16).flatten())


@gluon.jit
def reinterpreted_parts(x, y, layout: gl.constexpr, has_public_name: gl.constexpr):
    flat: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    rows: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    memory = gl.allocate_shared_memory(gl.int8, [16384], flat)
    for part in gl.static_range(2):
        half = memory.slice(part * 8192, 8192)
        if has_public_name:
            tile = half.reinterpret(gl.float32, [32, 64], rows)
        else:
            tile = half._reinterpret(gl.float32, [32, 64], rows)
        tile.store(gl.load(x + places(32, 64, layout)) + part)
    if has_public_name:
        whole = memory.reinterpret(gl.float32, [64, 64], rows)
    else:
        whole = memory._reinterpret(gl.float32, [64, 64], rows)
    gl.store(y + places(64, 64, layout), whole.load(layout))


@pytest.mark.skipif(
    not triton.__version__.startswith("3.7"),
    reason="the verifier of Triton 3.8 and later refuses to reinterpret a part of an allocation",
)
def test_reinterpreted_parts_of_memory(matrix):
    """Each half of some bytes is a separate tile, where the half starts."""
    y = empty(64, 64)
    reinterpreted_parts[(1,)](
        matrix, y, LAYOUTS["tiles"], hasattr(gl.shared_memory_descriptor, "reinterpret"), cpu_checks=True
    )
    assert torch.equal(y, torch.cat((matrix, matrix + 1)))


@gluon.jit
def gather_shared(x, indices, y, layout: gl.constexpr, axis: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float32, [32, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    memory.store(gl.load(x + places(32, 64, layout)))
    index = gl.load(indices + places(32, 64, layout))
    gl.store(y + places(32, 64, layout), memory.gather(index, axis))


@every_layout
@pytest.mark.parametrize("axis", [0, 1])
def test_gather_from_shared_memory(matrix, layout, axis):
    index = torch.randint(0, (M, N)[axis], (M, N), generator=torch.Generator().manual_seed(1), dtype=torch.int32)
    y = empty(M, N)
    gather_shared[(1,)](matrix, index, y, layout, axis, cpu_checks=True)
    assert torch.equal(y, torch.gather(matrix, axis, index.long()))


@gluon.jit
def gather_part(x, indices, y, shared: gl.constexpr, layout: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float32, [32, 64], shared)
    memory.store(gl.load(x + places(32, 64, layout)))
    place = places(16, 8, layout)
    gl.store(y + place, memory.slice(16, 16, dim=0).gather(gl.load(indices + place), 1))


@pytest.mark.parametrize("name", ["plain", "swizzled", "padded"])
@pytest.mark.parametrize("dtype", [torch.int16, torch.int32, torch.int64], ids=str)
@pytest.mark.pairwise
def test_gather_of_another_shape(matrix, name, dtype):
    index = torch.randint(0, N, (16, 8), generator=torch.Generator().manual_seed(4), dtype=dtype)
    y = empty(16, 8)
    gather_part[(1,)](matrix, index, y, SHARED[name], LAYOUTS["tiles"], cpu_checks=True)
    assert torch.equal(y, torch.gather(matrix[16:], 1, index.long()))


@gluon.jit
def scatter_shared(x, y, shared: gl.constexpr, layout: gl.constexpr, axis: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float32, [32, 64], shared)
    place = places(32, 64, layout)
    index = 63 - place % 64 if axis == 1 else 31 - place // 64
    memory.scatter(gl.load(x + place), index, axis)
    gl.store(y + place, memory.load(layout))


@every_shared
@every_layout
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.pairwise
def test_scatter_to_shared_memory(matrix, shared, layout, axis):
    y = empty(M, N)
    scatter_shared[(1,)](matrix, y, shared, layout, axis, cpu_checks=True)
    assert torch.equal(y, matrix.flip(axis))


@gluon.jit
def double_buffer(x, y, n, layout: gl.constexpr):
    buffers = gl.allocate_shared_memory(gl.float32, [2, 32, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    place = places(32, 64, layout)
    buffers.index(0).store(gl.load(x + place))
    total = gl.zeros([64, 32], gl.float32, layout)
    for step in range(n):
        following = gl.load(x + (step + 1) * 2048 + place, mask=(place >= 0) & (step + 1 < n), other=0)
        total += buffers.index(step % 2).permute((1, 0)).load(layout)
        buffers.index((step + 1) % 2).store(following)
    gl.store(y + places(64, 32, layout), total)


@pytest.mark.parametrize("name", ["rows", "tiles", "columns", "slice"])
@pytest.mark.conformance
def test_double_buffering(name):
    x, y = torch.arange(5 * M * N).remainder(97).float().reshape(5, M, N), empty(N, M)
    double_buffer[(1,)](x, y, 5, LAYOUTS[name], cpu_checks=True)
    assert torch.equal(y, x.sum(0).t())


# Reductions, scans and what moves elements


@gluon.jit
def larger(a, b):
    return gl.maximum(a, b)


@gluon.jit
def reduce(x, y, axis: gl.constexpr, kind: gl.constexpr, layout: gl.constexpr):
    value = gl.load(x + places(32, 64, layout))
    if kind == "sum":
        result = gl.sum(value, axis)
    elif kind == "max":
        result = gl.max(value, axis)
    elif kind == "min":
        result = gl.min(value, axis)
    else:
        result = gl.reduce(value, axis, larger)
    place = gl.arange(0, result.shape[0], layout=gl.SliceLayout(axis, layout))
    gl.store(y + place, result)


@every_layout
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("kind", ["sum", "max", "min", "own"])
@pytest.mark.pairwise
def test_reductions(matrix, layout, axis, kind):
    y = empty((M, N)[1 - axis])
    reduce[(1,)](matrix, y, axis, kind, layout, cpu_checks=True)
    expected = {"sum": matrix.sum, "max": matrix.amax, "min": matrix.amin, "own": matrix.amax}[kind](axis)
    assert torch.equal(y, expected)


@gluon.jit
def plus(a, b):
    return a + b


@gluon.jit
def scan(x, y, axis: gl.constexpr, reverse: gl.constexpr, layout: gl.constexpr):
    place = places(32, 64, layout)
    gl.store(y + place, gl.associative_scan(gl.load(x + place), axis, plus, reverse))


@every_layout
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.pairwise
def test_scans(matrix, layout, axis, reverse):
    y = empty(M, N)
    scan[(1,)](matrix, y, axis, reverse, layout, cpu_checks=True)
    expected = matrix.flip(axis).cumsum(axis).flip(axis) if reverse else matrix.cumsum(axis)
    assert torch.equal(y, expected)


@gluon.jit
def gather(x, index, y, axis: gl.constexpr, layout: gl.constexpr):
    place = places(32, 64, layout)
    gl.store(y + place, gl.gather(gl.load(x + place), gl.load(index + place), axis))


@every_layout
@pytest.mark.parametrize("axis", [0, 1])
def test_gather(matrix, layout, axis):
    index = torch.randint(0, (M, N)[axis], (M, N), generator=torch.Generator().manual_seed(2), dtype=torch.int32)
    y = empty(M, N)
    gather[(1,)](matrix, index, y, axis, layout, cpu_checks=True)
    assert torch.equal(y, torch.gather(matrix, axis, index.long()))


@gluon.jit
def histogram(x, y, BINS: gl.constexpr, line: gl.constexpr, bins: gl.constexpr):
    value = gl.load(x + gl.arange(0, 1024, layout=line))
    counts = gl.histogram(value, BINS, mask=value != 3, layout=bins)
    gl.store(y + gl.arange(0, BINS, layout=bins), counts)


@pytest.mark.parametrize("bins", [gl.BlockedLayout([1], [16], [4], [0]), LINE], ids=["one", "four"])
def test_histogram(bins):
    x, y = torch.arange(1024, dtype=torch.int32).square() % 16, empty(16, dtype=torch.int32)
    histogram[(1,)](x, y, 16, LINE, bins, cpu_checks=True)
    expected = torch.bincount(x, minlength=16)
    expected[3] = 0
    assert torch.equal(y.long(), expected)


@gluon.jit
def rearrange(x, y, layout: gl.constexpr):
    value = gl.load(x + places(32, 64, layout))
    first, second = gl.split(gl.reshape(value, [32, 32, 2]))
    both = gl.reshape(gl.permute(gl.join(second, first), (1, 0, 2)), [32, 64])
    result = gl.convert_layout(both, layout)
    gl.store(y + places(32, 64, layout), result)


# Both halves of a pair have to be in one lane.
@pytest.mark.parametrize("name", ["rows", "tiles", "linear"])
@pytest.mark.conformance
def test_rearrangements(matrix, name):
    y = empty(M, N)
    rearrange[(1,)](matrix, y, LAYOUTS[name], cpu_checks=True)
    assert torch.equal(y, matrix.reshape(M, N // 2, 2).flip(2).permute(1, 0, 2).reshape(M, N))


# Arithmetic


@gluon.jit
def product(a, b, c, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, layout: gl.constexpr):
    left = gl.convert_layout(gl.load(a + places(M, K, layout)), gl.DotOperandLayout(0, layout, 0))
    right = gl.convert_layout(gl.load(b + places(K, N, layout)), gl.DotOperandLayout(1, layout, 0))
    total = gl.dot_fma(left, right, gl.full([M, N], 1.0, gl.float32, layout))
    gl.store(c + places(M, N, layout), total)


@pytest.mark.parametrize("name", ["rows", "tiles", "columns"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)
@pytest.mark.conformance
def test_products(name, dtype):
    generator = torch.Generator().manual_seed(3)
    a, b = (torch.randint(-4, 5, shape, generator=generator).to(dtype) for shape in ((32, 16), (16, 64)))
    c = empty(32, 64)
    product[(1,)](a, b, c, 32, 64, 16, LAYOUTS[name], cpu_checks=True)
    assert torch.equal(c, a.float() @ b.float() + 1)


@gluon.jit
def swap(a, b):
    return b, a


@gluon.jit
def elementwise(x, y, layout: gl.constexpr):
    place = places(32, 64, layout)
    value = gl.load(x + place)
    one, other = gl.map_elementwise(swap, value, value * 2)
    result = gl.where(value > 0, one, other) + gl.maximum(value, 1.0) + gl.exp(value * 0) + gl.abs(value)
    gl.store(y + place, result + gl.to_tensor(3.0))


@every_layout
def test_elementwise(matrix, layout):
    y = empty(M, N)
    elementwise[(1,)](matrix, y, layout, cpu_checks=True)
    assert torch.equal(y, torch.where(matrix > 0, matrix * 2, matrix) + matrix.clamp(min=1) + 4 + matrix.abs())


@gluon.jit
def atomics(x, sums, tops, old, layout: gl.constexpr):
    place = places(32, 64, layout)
    value = gl.load(x + place)
    gl.atomic_add(sums + place % 8, value)
    gl.atomic_max(tops + place % 8, value.to(gl.int32))
    gl.atomic_xor(tops + 8 + place % 8, value.to(gl.int32))
    gl.store(old + place, gl.atomic_xchg(old + place, value))
    gl.atomic_cas(tops + 16, 0, 7)


@every_layout
def test_atomics(matrix, layout):
    sums, tops, old = torch.zeros(8), torch.zeros(17, dtype=torch.int32), torch.ones(M, N)
    atomics[(1,)](matrix, sums, tops, old, layout)
    columns = matrix.reshape(-1, 8)
    assert torch.equal(sums, columns.sum(0))
    assert torch.equal(tops[:8].float(), columns.amax(0).clamp(min=0))
    parities = torch.zeros(8, dtype=torch.int32)
    for row in columns.int():
        parities ^= row
    assert torch.equal(tops[8:16], parities)
    assert tops[16] == 7
    assert torch.equal(old, torch.ones(M, N))


# The language around them


@gluon.constexpr_function
def halved(layout):
    return gl.BlockedLayout(
        [max(layout.size_per_thread[0] // 2, 1)], layout.threads_per_warp, layout.warps_per_cta, [0]
    )


@gluon.jit
def power(value, exponent: gl.constexpr):
    result = value
    for _ in gl.static_range(exponent - 1):
        result *= value
    return result


@gluon.jit
def loops(x, y, n, layout: gl.constexpr, exponent: gl.constexpr):
    gl.static_assert(exponent > 1)
    narrow: gl.constexpr = halved(layout)
    place = gl.arange(0, 256, layout=layout)
    total = gl.zeros([256], gl.float32, layout)
    for step in range(n):
        total += power(gl.load(x + step * 256 + place), exponent)
    steps = 0
    while steps < n:
        total += 1
        steps += 1
    if n > 2:
        total = -total
    gl.store(y + gl.arange(0, 256, layout=narrow), gl.convert_layout(total, narrow))


@pytest.mark.parametrize("n", [0, 2, 3])
@pytest.mark.conformance
def test_loops(n):
    x, y = torch.arange(256 * 3).remainder(11).float().reshape(3, 256), empty(256)
    loops[(1,)](x, y, n, LINE, 3, cpu_checks=True)
    assert torch.equal(y, (x[:n].pow(3).sum(0) + n) * (-1 if n > 2 else 1))


# Triton 3.9 gives it a public name.
aggregate = getattr(triton, "aggregate", None) or triton.language.core._aggregate


@aggregate
class Ring:
    """Buffers that are used in turn."""

    # Triton 3.7 wants types, and annotations of this file are texts.
    __annotations__ = {"memory": gl.shared_memory_descriptor, "size": gl.constexpr}

    @gluon.constexpr_function
    def __init__(self, memory, size):
        self.memory = memory
        self.size = gl.constexpr(size)

    @gluon.jit
    def at(self, step):
        return self.memory.index(step % self.size)


@gluon.jit
def turns(x, y, n, line: gl.constexpr):
    ring = Ring(gl.allocate_shared_memory(gl.float32, [4, 256], gl.SwizzledSharedLayout(1, 1, 1, [0])), 4)
    place = gl.arange(0, 256, layout=line)
    for step in range(n):
        ring.at(step).store(gl.load(x + step * 256 + place))
    total = gl.zeros([256], gl.float32, line)
    for step in gl.static_range(4):
        total = total * 2 + ring.at(step).load(line)
    gl.store(y + place, total)


@pytest.mark.conformance
def test_aggregates():
    x, y = torch.arange(6 * 256).remainder(13).float().reshape(6, 256), empty(256)
    turns[(1,)](x, y, 6, LINE, cpu_checks=True)
    assert torch.equal(y, ((x[4] * 2 + x[5]) * 2 + x[2]) * 2 + x[3])


@gluon.jit
def two_turns(x, y, n, line: gl.constexpr):
    ring = Ring(gl.allocate_shared_memory(gl.float32, [4, 256], gl.SwizzledSharedLayout(1, 1, 1, [0])), 4)
    ring = gl.aggregate_replace(ring, size=2)
    place = gl.arange(0, 256, layout=line)
    for step in range(n):
        ring.at(step).store(gl.load(x + step * 256 + place))
    gl.store(y + place, ring.at(0).load(line) * 2 + ring.at(1).load(line))


@pytest.mark.conformance
@pytest.mark.skipif(
    Version(triton.__version__) < Version("3.8"), reason="Gluon has `aggregate_replace` since Triton 3.8"
)
def test_aggregates_with_another_field():
    x, y = torch.arange(6 * 256).remainder(13).float().reshape(6, 256), empty(256)
    two_turns[(1,)](x, y, 6, LINE, cpu_checks=True)
    assert torch.equal(y, x[4] * 2 + x[5])


@gluon.jit
def noisy(x, layout: gl.constexpr):
    place = gl.arange(0, 64, layout=layout)
    value = gl.load(x + place)
    gl.static_print("compiled for", gl.num_warps(), "warps")
    gl.device_print("value", value)
    gl.device_assert(value < 63, "too large")


def test_prints_and_assertions(capfd):
    layout = gl.BlockedLayout([1], [16], [4], [0])
    noisy[(1,)](torch.zeros(64, dtype=torch.int32), layout, debug=True)
    printed = capfd.readouterr().out
    assert "compiled for 4 warps" in printed
    assert printed.count("value") == 64
    with pytest.raises(errors.DeviceAssertionError, match="too large"):
        noisy[(1,)](torch.arange(64, dtype=torch.int32), layout, debug=True)
