# SPDX-License-Identifier: MIT
"""Block pointers that cannot be 2D block messages: right numbers, and a remark that states why and where.

One test per reason of `BlockAccessObstacle` that a kernel can meet. Each compares all remarks of the kernel, so that an
access which is rewritten without need fails as well.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite import rewritten_pointers as kernels
from numerics import TOLERANCES, assert_close, column_major, poisoned, random_tensor, reference_matmul, strided

pytestmark = pytest.mark.instruction_sets

BLOCK = 32
# Not multiples of the tile, but rows of whole 16 bytes.
M, N, K = 48, 80, 64
GRID = (triton.cdiv(M, BLOCK), triton.cdiv(N, BLOCK))

#: Reasons that several tests meet.
LAYOUT = "its layout is neither of DPAS nor of a DPAS operand"
SURFACE = "this code is for sizes or addresses of its tensor that 2D block messages do not take"
STEPS = "the offset in dimension 1 must be a multiple of 2 elements (4 bytes), but only 1 is known"

_REMARK = re.compile(r"^(.*):(\d+): remark: block pointer rewritten to a tensor of pointers: (.*)$", re.MULTILINE)


class Output:
    """A poisoned matrix inside a larger poisoned one."""

    def __init__(self, rows: int, columns: int, dtype: torch.dtype, *, transposed: bool = False) -> None:
        inner = (columns, rows) if transposed else (rows, columns)
        self.storage = poisoned((inner[0] + 8, inner[1] + 16), dtype)
        self.inner = self.storage[4 : inner[0] + 4, : inner[1]]
        self.tensor = self.inner.T if transposed else self.inner

    def check(self, expected: torch.Tensor, tolerance: float) -> None:
        """Compare, and see that nothing was written around the matrix; NaN must be where it is expected."""
        assert torch.equal(torch.isnan(self.tensor), torch.isnan(expected))
        assert_close(torch.nan_to_num(self.tensor), torch.nan_to_num(expected), tolerance)
        self.inner.copy_(poisoned(tuple(self.inner.shape), self.inner.dtype))
        untouched = poisoned(tuple(self.storage.shape), self.storage.dtype)
        assert torch.equal(self.storage.view(torch.int32), untouched.view(torch.int32))


@pytest.fixture
def launch(monkeypatch, capsys) -> Callable[..., dict[str, str]]:
    """Launch a kernel and return {access: reason} of its rewritten block pointers."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    # A kernel from a cache would come without remarks.
    monkeypatch.setattr(triton.knobs.compilation, "always_compile", True)

    def run(kernel: Any, grid: tuple[int, ...], *arguments: Any, **meta: Any) -> dict[str, str]:
        kernel.device_caches.clear()
        capsys.readouterr()
        kernel[grid](*arguments, num_warps=4, **meta)
        lines, first = inspect.getsourcelines(kernel.fn)
        marks = {first + i: line.rsplit("# ", 1)[1].strip() for i, line in enumerate(lines) if "  # " in line}
        found = {}
        for file, line, reason in _REMARK.findall(capsys.readouterr().err):
            assert file == kernels.__file__
            # Another test compares the conditions that the launch lacks.
            found[marks[int(line)]] = reason.partition(", as not all of this holds: ")[0]
        return found

    return run


def pitch(unit: int, known: int = 1, dim: int = 0) -> str:
    """Return the reason for a pitch that is not a multiple of `unit` elements."""
    return (
        f"the pitch (stride of dimension {dim}) must be a multiple of {unit} elements (16 bytes), "
        f"but only {known} is known"
    )


def misaligned(tensor: torch.Tensor) -> torch.Tensor:
    """Return the same values at an address that is not a multiple of 4 bytes; rows stay 16 bytes apart."""
    view = torch.empty(tensor.numel() + 1, dtype=tensor.dtype)[1:].view(tensor.shape)
    view.copy_(tensor)
    assert view.data_ptr() % 4 == 2
    return view


def behind_poison(tensor: torch.Tensor, gap: int = 16) -> torch.Tensor:
    """Return the same values 16 bytes after the start of a line of 64 bytes; NaN lies before and between rows."""
    rows, columns = tensor.shape
    storage = poisoned((rows * (columns + gap) + 256,), tensor.dtype)
    element = tensor.element_size()
    start = (-(storage.data_ptr() // element) % (64 // element)) + (128 + 16) // element
    view = storage.as_strided((rows, columns), (columns + gap, 1), start)
    view.copy_(tensor)
    assert view.data_ptr() % 64 == 16
    return view


def operands(k: int = K) -> tuple[torch.Tensor, torch.Tensor]:
    """Return A and B in bf16."""
    return random_tensor((M, k), torch.bfloat16, seed=1), random_tensor((k, N), torch.bfloat16, seed=2)


@dataclass(frozen=True)
class Obstacle:
    """A change to the standard problem, and what it means for the accesses."""

    name: str
    reasons: dict[str, str]
    dtype: torch.dtype = torch.bfloat16
    d_dtype: torch.dtype | None = None
    #: The layouts of the matrices in memory, by name.
    arrange: dict[str, Callable[[torch.Tensor], torch.Tensor]] = field(default_factory=dict)
    k: int = K
    #: Columns of D, and the first that is added.
    d_columns: int = N
    shift: int = 0
    d_padding: str = "zero"
    volatile: bool = False

    def __str__(self) -> str:
        return self.name


OBSTACLES = [
    Obstacle("nothing", {}),
    Obstacle("pitch", {"load A": SURFACE}, arrange={"a": lambda a: strided(a, K + 4)}),
    Obstacle("pitch_f32", {"load D": SURFACE}, arrange={"d": lambda d: strided(d, N + 2)}),
    Obstacle("pitch_of_columns", {"load B": SURFACE}, arrange={"b": lambda b: strided(b.T, K + 2).T}),
    Obstacle(
        "no_unit_stride",
        {"load B": "no stride is known to be 1"},
        arrange={"b": lambda b: b.repeat_interleave(2, 1)[:, ::2]},
    ),
    Obstacle(
        "base",
        {"load A": SURFACE},
        arrange={"a": misaligned},
    ),
    Obstacle(
        "extent",
        {"load A": SURFACE},
        arrange={"a": lambda a: strided(a, 80)},
        k=59,
    ),
    Obstacle(
        "offset",
        {"load D": "the offset in dimension 1 must be a multiple of 2 elements (4 bytes), but only 1 is known"},
        d_dtype=torch.bfloat16,
        d_columns=96,
        shift=5,
    ),
    # Blocks that lie left of the matrix as a whole read zeros, not what memory holds there.
    Obstacle("left_of_unaligned_base", {}, arrange={"d": behind_poison}, shift=-32),
    Obstacle("half_left_of_unaligned_base", {}, arrange={"d": behind_poison}, shift=-16),
    # Rows without a gap leave no room for the bytes by which the base is rounded down.
    Obstacle("no_room", {"load D": SURFACE}, arrange={"d": lambda d: behind_poison(d, gap=0)}),
    Obstacle(
        "partly_left_of_unaligned_base",
        {
            "load D": "the offset in dimension 1 may be negative, but only 1 is known to divide it, where messages "
            "have 16 elements and the base is not known to be a multiple of 64 bytes"
        },
        arrange={"d": behind_poison},
        shift=-5,
    ),
    Obstacle(
        "nan_padding",
        {"load D": "elements out of range must read as NaN, but 2D block messages give zero"},
        d_columns=67,
        d_padding="nan",
    ),
    Obstacle("volatile", {"load A": "the load is volatile"}, volatile=True),
    Obstacle("column_major_store", {"store C": "2D block stores cannot transpose"}, arrange={"c": column_major}),
    Obstacle(
        "width_64",
        dict.fromkeys(
            ["load A", "load B", "load D", "store C"],
            "elements of 64 bits do not fit the registers of a 2D block message",
        ),
        dtype=torch.float64,
    ),
]


@pytest.mark.parametrize("case", OBSTACLES, ids=str)
def test_one_obstacle_in_a_gemm(launch, case: Obstacle):
    """C = A @ B + D with one matrix that messages cannot reach: that access alone is rewritten, and C is right."""
    accumulator = {torch.int8: torch.int32, torch.float64: torch.float64}.get(case.dtype, torch.float32)
    a = random_tensor((M, case.k), case.dtype, seed=1)
    b = random_tensor((case.k, N), case.dtype, seed=2)
    d = random_tensor((M, case.d_columns), case.d_dtype or accumulator, seed=3)
    expected = reference_matmul(a, b)
    padding = float("nan") if case.d_padding == "nan" else 0
    padded = torch.nn.functional.pad(d.to(expected.dtype), (N, N), value=padding)
    expected = expected + padded[:, N + case.shift : N + case.shift + N]

    c = Output(M, N, accumulator, transposed="c" in case.arrange)
    a, b, d = (case.arrange.get(name, torch.Tensor.contiguous)(x) for name, x in (("a", a), ("b", b), ("d", d)))
    reasons = launch(
        kernels.gemm_add, GRID, a, b, c.tensor, d, M, N, case.k, case.d_columns,
        *a.stride(), *b.stride(), *c.tensor.stride(), *d.stride(), case.shift,
        BLOCK=BLOCK, ACC=getattr(tl, str(accumulator).removeprefix("torch.")),
        D_PADDING=case.d_padding, A_VOLATILE=case.volatile,
    )  # fmt: skip
    c.check(expected, TOLERANCES.get(case.dtype, 1e-12))
    assert reasons == case.reasons


@pytest.mark.parametrize(
    ("stride", "reasons"),
    [(K, {}), (K + 8, {}), (K + 4, {"load A": pitch(8, known=4)})],
    ids=["16", "8", "4"],
)
def test_constant_pitch(launch, stride, reasons):
    """A pitch written as a constant is judged by its value, of which arguments show no more than 16 or nothing."""
    a, b = operands()
    c = Output(M, N, torch.float32)
    pitched = strided(a, stride)
    found = launch(
        kernels.gemm, GRID, pitched, b, c.tensor, M, N, K,
        tl.constexpr(stride), b.stride(0), c.tensor.stride(0), BLOCK=BLOCK,
    )  # fmt: skip
    c.check(reference_matmul(a, b), TOLERANCES[a.dtype])
    assert found == reasons


def test_constant_width_below_one_message(launch):
    """A surface narrower than 64 bytes is no surface; one whose width is an argument: see test_surfaces.py."""
    a, b = operands(k=16)
    c = Output(M, N, torch.float32)
    found = launch(
        kernels.gemm, GRID, a, b, c.tensor, M, N, tl.constexpr(16),
        a.stride(0), b.stride(0), c.tensor.stride(0), BLOCK=BLOCK,
    )  # fmt: skip
    c.check(reference_matmul(a, b), TOLERANCES[a.dtype])
    assert found == {"load A": "the extent of dimension 1 is 32 bytes, not between 64 and 16777216"}


def test_pitch_without_hint(launch):
    """The launch knows the pitch that the compiler is not to look at."""
    a, b = operands()
    c = Output(M, N, torch.float32)
    found = launch(
        kernels.gemm_unknown_pitch, GRID, a, b, c.tensor, M, N, K,
        a.stride(0), b.stride(0), c.tensor.stride(0), BLOCK=BLOCK,
    )  # fmt: skip
    c.check(reference_matmul(a, b), TOLERANCES[a.dtype])
    assert found == {}


@pytest.mark.parametrize("padding", [0, 4], ids=["kept", "rewritten"])
@pytest.mark.parametrize("kernel", [kernels.gemm_while, kernels.gemm_nested], ids=["while", "nested"])
def test_block_pointers_carried_by_loops(launch, kernel, padding):
    """Loops carry block pointers, or their parts where they are rewritten."""
    k = 4 * BLOCK
    a, b = operands(k)
    c = Output(M, N, torch.float32)
    pitched = strided(a, k + padding)
    found = launch(
        kernel, GRID, pitched, b, c.tensor, M, N, k,
        pitched.stride(0), b.stride(0), c.tensor.stride(0), BLOCK=BLOCK,
    )  # fmt: skip
    c.check(reference_matmul(a, b), TOLERANCES[a.dtype])
    assert found == ({"load A": SURFACE} if padding else {})


@pytest.mark.parametrize("second", [0, 1])
@pytest.mark.parametrize("padding", [0, 4], ids=["kept", "rewritten"])
def test_block_pointer_chosen_by_a_branch(launch, padding, second):
    """One block pointer of the two that a branch chooses from decides about both."""
    (a0, b), a1 = operands(), random_tensor((M, K), torch.bfloat16, seed=3)
    c = Output(M, N, torch.float32)
    pitched = strided(a1, K + padding)
    found = launch(
        kernels.gemm_chosen, GRID, a0, pitched, b, c.tensor, M, N, K,
        a0.stride(0), pitched.stride(0), b.stride(0), c.tensor.stride(0), second, BLOCK=BLOCK,
    )  # fmt: skip
    c.check(reference_matmul(a1 if second else a0, b), TOLERANCES[a0.dtype])
    assert found == ({"load A": SURFACE} if padding else {})


@pytest.mark.parametrize(("step", "reasons"), [(48, {}), (7, {"load A": STEPS})], ids=["whole", "odd"])
def test_steps_known_at_run_time(launch, step, reasons):
    """A runtime step along a row needs to be known as even and not negative; along a column anything goes."""
    a, b = operands()
    c = Output(M, N, torch.float32)
    found = launch(
        kernels.gemm_stepped, GRID, a, b, c.tensor, M, N, K,
        a.stride(0), b.stride(0), c.tensor.stride(0), step, BLOCK=BLOCK,
    )  # fmt: skip
    expected = sum(reference_matmul(a[:, i : i + BLOCK], b[i : i + BLOCK]) for i in range(0, K, step))
    c.check(expected, TOLERANCES[a.dtype])
    assert found == reasons


@pytest.mark.parametrize("start", [0, 3])
def test_rank_1(launch, start):
    """A vector has no rows: it becomes a tensor of pointers and keeps its bounds."""
    x = random_tensor((100,), torch.float32, seed=1)
    y = Output(1, 100 - start, torch.float32)
    reasons = launch(kernels.copy_vector, (4,), x, y.tensor, 100, start, BLOCK=32)
    y.check(x[None, start:], 0)
    reason = "a block of rank 1 has no rows and columns"
    assert reasons == {"load X": reason, "store Y": reason}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8, torch.int64, torch.bool], ids=str)
def test_layout_without_dot(launch, dtype):
    """Without a dot nothing requires a layout of DPAS, and a coalesced tensor of pointers is as good."""
    x = random_tensor((M, N), dtype, seed=1)
    y = torch.zeros_like(x)
    reasons = launch(kernels.copy_matrix, GRID, x, y, M, N, x.stride(0), y.stride(0), BLOCK=BLOCK)
    assert torch.equal(x, y)
    reason = LAYOUT
    if dtype == torch.int64:
        reason = "elements of 64 bits do not fit the registers of a 2D block message"
    assert reasons == {"load X": reason, "store Y": reason}


def test_rank_3(launch):
    """A cube that is contiguous along its first dimension, copied to one that is so along its last."""
    x = random_tensor((16, 12, 20), torch.float32, seed=1).permute(2, 1, 0)
    y = poisoned(tuple(x.shape), torch.float32)
    grid = tuple(triton.cdiv(size, 8) for size in x.shape)
    reasons = launch(kernels.copy_cube, grid, x, y, *x.shape, *x.stride(), *y.stride(), BLOCK=8)
    assert torch.equal(x, y)
    unit = "the stride of 1 is in dimension 0, not in one of the last two"
    assert reasons == {"load X": unit, "store Y": LAYOUT}
