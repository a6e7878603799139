# SPDX-License-Identifier: MIT
"""Scopes of kernels on the CPU device: exactly the expected records, nested as they are, in order, none but the
oldest lost, and the kernel's numbers unchanged."""

from __future__ import annotations

import collections
import itertools

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
from triton.profiler.flags import flags

from triton_xe import errors
from triton_xe.tools.profiler import events, launches

B = 256


@pytest.fixture(autouse=True)
def instrumented(monkeypatch):
    """Kernels that are compiled here have their scopes."""
    pl.enable_semantic("triton")
    monkeypatch.setattr(flags, "instrumentation_on", True)
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "default")
    yield
    pl.disable_semantic("triton")


class Launches(list):
    """Listens to launches, and forgets the rest."""

    def launched(self, launch: events.Launch) -> None:
        self.append(launch)

    def measured(self, path, metrics) -> None:
        pass


@pytest.fixture
def seen():
    listener = Launches()
    events.listen(listener)
    yield listener
    events.ignore(listener)


@triton.jit
def scale(x, n, B: tl.constexpr):
    with pl.scope("all"):
        start = tl.program_id(0) * n
        for i in range(0, n, B):
            with pl.scope("load"):
                v = tl.load(x + start + i + tl.arange(0, B))
            with pl.scope("store"):
                tl.store(x + start + i + tl.arange(0, B), v * 2)


def launch(kernel, programs: int, per_program: int, **options) -> triton.compiler.CompiledKernel:
    x = torch.randn(programs * per_program)
    expected = x * 2
    compiled = kernel[(programs,)](x, per_program, B, **options)
    torch.testing.assert_close(x, expected)
    return compiled


def count(launch: events.Launch, program) -> collections.Counter:
    """Count intervals by name and warp."""
    return collections.Counter((launch.scopes[i.scope][0], i.warp) for i in program.intervals)


@pytest.mark.conformance
@pytest.mark.parametrize("num_warps", [1, 4, 8])
def test_counts_and_nesting(seen, num_warps):
    """Every warp of every program enters each scope once per iteration, in its parent, and leaves it later."""
    iterations, programs = 5, 3
    launch(scale, programs, iterations * B, num_warps=num_warps)
    (made,) = seen
    assert [name for name, _ in made.scopes] == ["all", "load", "store"]
    assert [parent for _, parent in made.scopes] == [-1, 0, 0]
    decoded = made.programs()
    assert [program.number for program in decoded] == list(range(programs))
    for program in decoded:
        expected = {("all", w): 1 for w in range(num_warps)}
        expected |= {(name, w): iterations for name in ("load", "store") for w in range(num_warps)}
        assert count(made, program) == expected
        assert program.lost == 0
        for warp in range(num_warps):
            intervals = sorted((i for i in program.intervals if i.warp == warp), key=lambda i: i.begin)
            outer, *inner = intervals
            assert outer.scope == 0
            assert program.begin <= outer.begin
            assert all(i.begin < i.end for i in intervals)
            assert all(one.end <= other.begin for one, other in itertools.pairwise(inner))
            assert [made.scopes[i.scope][0] for i in inner] == ["load", "store"] * iterations
            assert outer.begin < inner[0].begin
            assert inner[-1].end < outer.end


@pytest.mark.parametrize("buffer", ["shared", "global"])
@pytest.mark.parametrize("iterations", [3, 4, 5, 50])
def test_the_latest_records_are_kept(monkeypatch, seen, buffer, iterations):
    """Segments of 16 records, at the edge: 14, 18, 22 and 202 are made."""
    mode = f"default:buffer_type={buffer}:buffer_size={2 * 16 * 8}"
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", mode)
    launch(scale, 2, iterations * B, num_warps=2)
    records = 4 * iterations + 2
    for program in seen[0].programs():
        assert program.lost == 2 * max(records - 16, 0)
        for warp in range(2):
            intervals = [i for i in program.intervals if i.warp == warp]
            # The last record ends the outer scope, whose begin may be lost: what is left are 7 scopes and an end.
            assert len(intervals) == (records // 2 if records <= 16 else 7)
            assert all(i.end - i.begin > 0 for i in intervals)
            assert max(i.end for i in intervals) <= program.end or warp > 0


@pytest.mark.parametrize("iterations", [3, 4, 5, 50])
def test_all_records_are_kept(monkeypatch, seen, iterations):
    """Segments of 16 records are emptied as often as they are full; also under calls, and for units of warps."""
    for granularity, warps in (("warp", (0, 1, 2, 3)), ("warp_2", (0, 2))):
        mode = f"default:buffer_strategy=flush:granularity={granularity}:buffer_size={len(warps) * 16 * 8}"
        monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", mode)
        launch(scale, 3, iterations * B, num_warps=4)
        for program in seen[-1].programs():
            assert program.lost == 0
            expected = {("all", w): 1 for w in warps}
            expected |= {(name, w): iterations for name in ("load", "store") for w in warps}
            assert count(seen[-1], program) == expected
            for warp in warps:
                _outer, *inner = sorted((i for i in program.intervals if i.warp == warp), key=lambda i: i.begin)
                assert all(one.end <= other.begin for one, other in itertools.pairwise(inner))


def test_an_arena_that_is_full(monkeypatch, seen):
    """A record without a place is counted, and nothing else is lost."""
    monkeypatch.setattr(launches, "ARENA_BYTES", 1024)
    mode = f"default:buffer_strategy=flush:buffer_size={2 * 16 * 8}"
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", mode)
    launch(scale, 1, 50 * B, num_warps=2)
    (program,) = seen[0].programs()
    # 7 pieces of 16 records fit, of the 24 that the two warps had.
    assert program.lost == (24 - 7) * 16
    assert all(i.begin < i.end for i in program.intervals)


def test_selected_units(monkeypatch, seen):
    """The first warps of two of the four pairs make records, the others none."""
    mode = "default:granularity=warp_2:sampling_strategy=selective:sampling_options=3,1"
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", mode)
    launch(scale, 2, 2 * B, num_warps=8)
    for program in seen[0].programs():
        assert {warp for _, warp in count(seen[0], program)} == {2, 6}
        assert count(seen[0], program)["load", 6] == 2


@pytest.mark.parametrize("strategy", ["circular", "flush"])
def test_selected_programs(monkeypatch, seen, strategy):
    """The others make none and have no memory; one that the grid does not have is left out."""
    mode = "default:sampling_strategy=selective:sampling_programs=6,1,100:sampling_options=0,3:buffer_size=128"
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", f"{mode}:buffer_strategy={strategy}")
    launch(scale, 8, 40 * B, num_warps=4)
    layout = seen[0].layout
    assert seen[0].memory.numel() == 3 * layout.program_bytes + layout.arena_bytes
    programs = seen[0].programs()
    assert [program.number for program in programs] == [1, 6]
    for program in programs:
        assert {interval.warp for interval in program.intervals} == {0, 3}
        # 162 records of each warp, or the last 8 of them.
        assert len(program.intervals) == (2 * 81 if strategy == "flush" else 2 * 3)


def test_one_unit_per_program(monkeypatch, seen):
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "default:granularity=cta")
    launch(scale, 2, 2 * B, num_warps=4)
    for program in seen[0].programs():
        assert count(seen[0], program) == {("all", 0): 1, ("load", 0): 2, ("store", 0): 2}


def test_short_clock(monkeypatch, seen):
    """32 bits of the clock give the same times."""
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "default:optimizations=clock32")
    launch(scale, 2, 2 * B, num_warps=2)
    for program in seen[0].programs():
        assert len(program.intervals) == 10
        assert all(program.begin <= i.begin < i.end < program.begin + 2**32 for i in program.intervals)


@triton.jit(noinline=True)
def increment(x, program):
    with pl.scope("inner"):
        tl.store(x + program, tl.load(x + program) + 1)


@triton.jit
def call_in_branches(x):
    program = tl.program_id(0)
    with pl.scope("outer"):
        if program % 2 == 0:
            with pl.scope("even"):
                increment(x, program)
        with pl.scope("outer"):
            increment(x, program)


@pytest.mark.conformance
def test_functions_branches_and_repeated_names(seen):
    """A function that is called goes on with its caller's records, and a scope may be in one of its name."""
    x = torch.zeros(4)
    call_in_branches[(4,)](x, num_warps=1)
    assert x.tolist() == [2, 1, 2, 1]
    for program in seen[0].programs():
        even = program.number % 2 == 0
        assert count(seen[0], program) == {("outer", 0): 2, ("inner", 0): 1 + even} | ({("even", 0): 1} if even else {})


@triton.jit
def open_scope(x, n, B: tl.constexpr):
    pl.enter_scope("open")
    tl.store(x, 1.0)


@triton.jit
def multiply(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    with pl.scope("all"):
        row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
        left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
        right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
        out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
        total = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            with pl.scope("load"):
                x = left.load([row, k])
                y = right.load([k, column])
            with pl.scope("dot"):
                total = tl.dot(x, y, total)
        with pl.scope("store"):
            out.store([row, column], total)


@triton.jit
def attend(q, k, v, out, length, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    dim = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + dim[None, :])
    high = tl.full((BM,), float("-inf"), tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, length, BN):
        columns = start + tl.arange(0, BN)
        with pl.scope("load"):
            key = tl.load(k + columns[:, None] * D + dim[None, :])
            value = tl.load(v + columns[:, None] * D + dim[None, :])
        with pl.scope("dot"):
            scores = tl.dot(query, key.T) * scale
        with pl.scope("softmax"):
            new_high = tl.maximum(high, tl.max(scores, 1))
            p = tl.exp(scores - new_high[:, None])
            factor = tl.exp(high - new_high)
            weight = weight * factor + tl.sum(p, 1)
            high = new_high
        with pl.scope("second dot"):
            total = tl.dot(p.to(value.dtype), value, total * factor[:, None])
    tl.store(out + rows[:, None] * D + dim[None, :], total / weight[:, None])


@pytest.mark.conformance
def test_matrix_product(seen):
    """Blocks come in 2D messages, with prefetches and DPAS: scopes are the same, and numbers are right."""
    a, b = torch.randn(100, 96, dtype=torch.bfloat16), torch.randn(96, 72, dtype=torch.bfloat16)
    c = torch.full((100, 72), float("nan"))
    multiply[(2, 2)](a, b, c, 100, 72, 96, 64, 64, 32, num_warps=8, num_stages=3)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-3, atol=1e-3)
    for program in seen[0].programs():
        expected = {(name, w): 3 for name in ("load", "dot") for w in range(8)}
        expected |= {(name, w): 1 for name in ("all", "store") for w in range(8)}
        assert count(seen[0], program) == expected


@pytest.mark.conformance
def test_attention(seen):
    q, k, v = (torch.randn(128, 32, dtype=torch.float16) for _ in range(3))
    out = torch.full((128, 32), float("nan"))
    attend[(2,)](q, k, v, out, 128, 32**-0.5, 64, 32, 32, num_warps=4)
    expected = torch.softmax(q.double() @ k.double().T * 32**-0.5, -1) @ v.double()
    torch.testing.assert_close(out.double(), expected, rtol=1e-2, atol=1e-2)
    for program in seen[0].programs():
        names = ("load", "dot", "softmax", "second dot")
        assert count(seen[0], program) == {(name, w): 4 for name in names for w in range(4)}


def test_a_scope_that_does_not_end():
    line = open_scope.starting_line_number + 2
    with pytest.raises(errors.CompileError, match="scope 'open' begins here, but it does not end") as caught:
        open_scope[(1,)](torch.zeros(4), 4, B)
    assert f"test_profile_records.py:{line}" in str(caught.value)


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("other", "expected a mode of the name `default` or `mma`, found `other`"),
        ("default:size=3", "expected one of .*, found `size=3`"),
        ("default:buffer_type=private", "`buffer_type`: expected shared or global, found `private`"),
        ("default:buffer_strategy=flush:buffer_type=global", "`buffer_strategy`: records of `flush` go through shared"),
        ("default:buffer_strategy=drop", "`buffer_strategy`: expected circular or flush, found `drop`"),
        ("default:granularity=lane", "`granularity`: expected warp or .*, found `lane`"),
        ("default:buffer_size=many", "`buffer_size`: expected numbers from 0 on, found `many`"),
        ("default:sampling_strategy=selective:sampling_options=-1", "`sampling_options`: expected numbers"),
        ("default:optimizations=none", "`optimizations`: expected clock32 or .*, found `none`"),
    ],
)
def test_bad_modes(monkeypatch, mode, message):
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", mode)
    with pytest.raises(errors.OptionError, match=f"`instrumentation_mode`: {message}"):
        launch(scale, 1, B)


def test_too_small_a_buffer(monkeypatch):
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "default:buffer_size=16")
    with pytest.raises(errors.CompileError, match="a buffer of 16 bytes has no room for a record of 4 segments each"):
        launch(scale, 1, B, num_warps=4)


def test_too_large_a_buffer(monkeypatch):
    """It fails as any other need for shared memory beyond what the target has."""
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "default:buffer_size=1000000")
    with pytest.raises(errors.OutOfResources, match="Required: 524288, Hardware limit: 131072"):
        launch(scale, 1, B, num_warps=4)


def test_without_instrumentation(monkeypatch, seen):
    """The same kernel has no records, no memory for them, and the code of one that never had a scope."""
    monkeypatch.setattr(flags, "instrumentation_on", False)
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "")
    compiled = launch(scale, 1, B, num_warps=4)
    assert seen == []
    assert compiled.metadata.profile_scratch_size == 0
    assert "ReadClock" not in compiled.asm["llir"]


if hasattr(pl, "allocate_event"):

    @triton.jit
    def copy_events(x, n, B: tl.constexpr):
        event = pl.allocate_event("copy")
        for i in range(0, n, B):
            pl.start_event(event)
            v = tl.load(x + i + tl.arange(0, B))
            tl.store(x + i + tl.arange(0, B), v * 2)
            pl.end_event(event)

    @pytest.mark.conformance
    def test_events(seen):
        """The events of Triton 3.9 are records of their name."""
        launch(copy_events, 1, 3 * B, num_warps=2)
        (program,) = seen[0].programs()
        assert count(seen[0], program) == {("copy", 0): 3, ("copy", 1): 3}
