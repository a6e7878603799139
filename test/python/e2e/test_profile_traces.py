# SPDX-License-Identifier: MIT
"""Sessions write traces and trees of the scopes that kernels and the host went through."""

from __future__ import annotations

import collections
import itertools
import json
import threading
import time

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
from triton.profiler.flags import flags

import triton_xe.tools.profiler as proton
from triton_xe import errors


@triton.jit
def scale(x, n, B: tl.constexpr):
    with pl.scope("all"):
        for i in range(0, n, B):
            with pl.scope("load"):
                v = tl.load(x + i + tl.arange(0, B))
            with pl.scope("store"):
                tl.store(x + i + tl.arange(0, B), v * 2)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files go there; no session outlives its test."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    proton.finalize()


def read(path) -> list[dict]:
    """Return slices and marks of a trace, which is well formed: rows have names and places, and slices are nested."""
    everything = json.loads(path.read_text())["traceEvents"]
    events = [event for event in everything if event["ph"] != "M"]
    names: dict[str, dict] = {}
    for event in everything:
        if event["ph"] == "M":
            assert names.setdefault(event["name"], {}).setdefault((event["pid"], event["tid"]), event) is event
    rows = collections.defaultdict(list)
    for event in events:
        assert type(event["pid"]) is type(event["tid"]) is int
        assert event["pid"] > 0 and event["tid"] > 0 and event["name"]
        for kind, row in itertools.product(("process", "thread"), ("name", "sort_index")):
            place = (event["pid"], event["tid"] if kind == "thread" else 0)
            assert row in names[f"{kind}_{row}"][place]["args"] or row == "name"
        event["process"] = names["process_name"][event["pid"], 0]["args"]["name"]
        event["row"] = names["thread_name"][event["pid"], event["tid"]]["args"]["name"]
        if event["ph"] == "X":
            rows[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for slices in rows.values():
        ends: list[float] = []
        for begin, end in sorted(slices, key=lambda times: (times[0], -times[1])):
            assert begin < end
            while ends and ends[-1] <= begin + 1e-6:
                ends.pop()
            assert not ends or end <= ends[-1] + 1e-6
            ends.append(end)
    return events


def of_warps(events: list[dict]) -> list[dict]:
    """Return the events of scopes."""
    return [event for event in events if event["row"].startswith("warp")]


def launch(programs: int = 2) -> None:
    x = torch.ones(1024)
    scale[(programs,)](x, 1024, 256, num_warps=2)


def test_trace(folder):
    """A row per warp of each program; times are microseconds of this machine, and inner scopes are in outer ones."""
    before = time.perf_counter()
    proton.start("first", data="trace", backend="instrumentation")
    launch(programs=1)
    launch(programs=2)
    proton.finalize()
    microseconds = (time.perf_counter() - before) * 1e6
    everything = read(folder / "first.chrome_trace")
    first, second = (event for event in everything if event["process"] == "launches")
    assert first["name"] == second["name"] == "scale"
    assert (first["args"]["programs"], second["args"]["programs"]) == (1, 2)
    assert first["ts"] + first["dur"] < second["ts"]
    programs = [event for event in everything if event["row"] == "program"]
    assert [(event["name"], event["args"]["launch"]) for event in programs] == [
        *(("program 0", 0), ("program 0", 1), ("program 1", 1))
    ]
    events = of_warps(everything)
    rows = {(event["pid"], event["tid"], event["args"]["launch"]) for event in events}
    assert len(rows) == (1 + 2) * 2
    assert {event["row"] for event in events} == {"warp 0", "warp 1"}
    for row in rows:
        outer, *inner = (event for event in events if (event["pid"], event["tid"], event["args"]["launch"]) == row)
        assert outer["name"] == "all"
        (program,) = (event for event in programs if (event["pid"], event["args"]["launch"]) == (row[0], row[2]))
        assert program["ts"] <= outer["ts"] and outer["args"]["call_stack"] == ["ROOT", "scale"]
        assert [event["name"] for event in inner] == ["load", "store"] * 4
        first_line = scale.starting_line_number
        assert [event["args"]["line"] - first_line for event in (outer, *inner[:2])] == [2, 4, 6]
        assert {event["cat"] for event in inner} == {"scale"}
        assert 0 <= outer["ts"] < outer["ts"] + outer["dur"] <= microseconds
        for event in inner:
            assert outer["ts"] <= event["ts"]
            assert event["ts"] + event["dur"] <= outer["ts"] + outer["dur"]
            assert event["args"]["cycles"] > 0


def test_only_active_sessions_collect(folder):
    """Kernels that are launched outside of one have no scopes, and are not slower."""
    first = proton.start("first", data="trace", backend="instrumentation")
    second = proton.start("second", data="trace", backend="instrumentation")
    proton.deactivate(second)
    launch(programs=1)
    proton.deactivate(first)
    assert not flags.instrumentation_on
    launch(programs=1)
    proton.activate(second)
    launch(programs=1)
    launch(programs=1)
    proton.finalize(first)
    proton.finalize(second)
    assert not flags.instrumentation_on
    first, second = ([e["process"] for e in read(folder / f"{name}.chrome_trace")] for name in ("first", "second"))
    assert first.count("launches") == 1
    assert second.count("launches") == 2


def test_modes_of_several_sessions():
    """The latest one that is active determines how; when it ends, the one before does again."""
    first = proton.start("first", data="trace", backend="instrumentation", mode="default:granularity=cta")
    second = proton.start("second", data="trace", backend="instrumentation", mode="default:optimizations=clock32")
    assert triton.knobs.compilation.instrumentation_mode == "default:optimizations=clock32"
    proton.deactivate(second)
    assert triton.knobs.compilation.instrumentation_mode == "default:granularity=cta"
    proton.activate(second)
    proton.finalize(first)
    assert triton.knobs.compilation.instrumentation_mode == "default:optimizations=clock32"
    proton.finalize(second)
    assert not triton.knobs.compilation.instrumentation_mode


def test_lost_records_are_told(folder):
    proton.start("lost", data="trace", backend="instrumentation", mode="default:buffer_size=64:granularity=cta")
    launch(programs=1)
    proton.finalize()
    assert "10 records are lost" in {event["name"] for event in read(folder / "lost.chrome_trace")}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"data": "graph"}, "`data`: expected 'tree' or 'trace', found 'graph'"),
        ({"backend": "cupti"}, "`backend`: expected None, 'cpu' or 'instrumentation', found 'cupti'"),
        ({"context": "stack"}, "`context`: expected 'shadow' or 'python', found 'stack'"),
        ({"mode": "default:buffer_size=many", "backend": "instrumentation"}, "`buffer_size`: expected numbers"),
        ({"mode": "pcsampling"}, "`mode`: times of whole kernels have none .*, found 'pcsampling'"),
        ({"hook": "other"}, "`hook`: expected None, 'triton' or a .*, found 'other'"),
    ],
)
def test_bad_options(options, message):
    """Nothing is measured, and no session is left."""
    with pytest.raises(errors.OptionError, match=message):
        proton.start("bad", **options)
    assert not flags.instrumentation_on
    with pytest.raises(errors.OptionError, match="there is no session 1000"):
        proton.activate(1000)
    # One that has ended stays so, as with Triton's own.
    proton.finalize(1000)


def test_output_format(folder):
    """A wrong one ends nothing."""
    session = proton.start("some", data="trace", backend="instrumentation")
    with pytest.raises(errors.OptionError, match="`output_format`: expected 'chrome_trace', found 'hatchet'"):
        proton.finalize(session, "hatchet")
    launch(programs=1)
    proton.finalize(session, "chrome_trace")
    assert read(folder / "some.chrome_trace")


def find(node: dict, *path: str) -> dict:
    for name in path:
        (node,) = (child for child in node["children"] if child["frame"]["name"] == name)
    return node


def test_tree(folder):
    """Scopes of the host around kernels, and those of kernels below them; what happens again is added up."""
    session = proton.start("tree", backend="instrumentation")
    with proton.scope("step", {"bytes": 8}):
        launch(programs=2)
        with proton.scope("inner"):
            launch(programs=1)
        launch(programs=2)
    with proton.scope("step", {"bytes": 4}), proton.state("warm"):
        launch(programs=1)
    proton.finalize(session)
    root, _devices = json.loads((folder / "tree.hatchet").read_text())
    assert find(root, "step")["metrics"] == {"bytes": 12}
    assert find(root, "step", "scale")["metrics"] == {"count": 2}
    assert find(root, "step", "inner", "scale")["metrics"] == {"count": 1}
    assert find(root, "step", "warm", "scale")["metrics"] == {"count": 1}
    outer = find(root, "step", "scale", "all")
    # Of both launches: 2 programs of 2 warps.
    assert outer["metrics"]["count"] == 2 * 2 * 2
    assert outer["metrics"]["normalized_cycles"] == pytest.approx(outer["metrics"]["cycles"] / 4)
    load, store = (find(outer, name)["metrics"] for name in ("load", "store"))
    assert load["count"] == store["count"] == 4 * 8
    assert 0 < load["cycles"] + store["cycles"] < outer["metrics"]["cycles"]


def test_scopes_of_the_host(folder):
    """They are context managers, decorators and calls; they have times of the host; each thread has its own."""

    @proton.cpu_timed_scope("timed")
    def work(depth: int) -> None:
        if depth:
            work(depth - 1)
        time.sleep(0.002)

    proton.start("host", backend="instrumentation")
    work(1)
    proton.enter_scope("called")
    thread = threading.Thread(target=proton.enter_scope, args=("of a thread",))
    thread.start()
    thread.join()
    proton.exit_scope("called", metrics={"flops": 3})
    with pytest.raises(ValueError, match="there is no scope to end"):
        proton.exit_scope()
    with proton.scope("right"), pytest.raises(ValueError, match="expected the scope `right` to end, found `wrong`"):
        proton.exit_scope("wrong")
    with pytest.raises(ValueError, match="there is no state to end"):
        proton.exit_state()
    with pytest.raises(ValueError, match="the metric `cpu_time` is the scope's own"):
        proton.cpu_timed_scope("timed", {"cpu_time": 1})
    proton.finalize()
    root, _devices = json.loads((folder / "host.hatchet").read_text())
    assert {child["frame"]["name"] for child in root["children"]} == {"timed", "called", "of a thread", "right"}
    assert find(root, "called")["metrics"] == {"flops": 3}
    outer, inner = find(root, "timed"), find(root, "timed", "timed")
    assert outer["metrics"]["cpu_time (ns)"] > inner["metrics"]["cpu_time (ns)"] > 2e6


def test_decorated_function(folder):
    """Its calls are measured, and nothing else."""

    @proton.profile(name="decorated", data="trace", backend="instrumentation")
    def measured() -> None:
        launch(programs=1)

    measured()
    launch(programs=1)
    proton.finalize()
    assert [event["process"] for event in read(folder / "decorated.chrome_trace")].count("launches") == 1


if hasattr(pl, "allocate_event"):

    @triton.jit
    def copy_ahead(x, y, n, B: tl.constexpr):
        copy, last = pl.allocate_event("copy"), pl.allocate_event("last")
        pl.start_event(copy)
        v = tl.load(x + tl.arange(0, B))
        for i in range(B, n, B):
            # The next one begins before this one ends.
            pl.start_event(copy)
            after = tl.load(x + i + tl.arange(0, B))
            with pl.scope("store"):
                tl.store(y + i - B + tl.arange(0, B), v)
            pl.end_event(copy)
            v = after
        pl.end_event(copy)
        pl.start_event(last)
        tl.store(y + n - B + tl.arange(0, B), v)
        pl.end_event(last)

    def test_events_that_overlap(folder):
        """In Triton 3.9 each end is that of the oldest copy, and two rows below the scopes have them in turns."""
        x, y = torch.randn(1024), torch.empty(1024)
        proton.start("events", data="trace", backend="instrumentation")
        copy_ahead[(1,)](x, y, 1024, 256, num_warps=2)
        proton.finalize()
        assert torch.equal(x, y)
        events = of_warps(read(folder / "events.chrome_trace"))
        for warp in range(2):
            rows = [f"warp {warp}", f"warp {warp}, row 2", f"warp {warp}, row 3"]
            scopes, first, second = ([event for event in events if event["row"] == row] for row in rows)
            assert [(event["name"], event["cat"]) for event in scopes] == [("store", "copy_ahead")] * 3
            assert [event["name"] for event in first] == ["copy", "copy", "last"]
            assert [event["name"] for event in second] == ["copy", "copy"]
            assert {event["cat"] for event in (*first, *second)} == {"async"}
            copies = sorted((e for e in (*first, *second) if e["name"] == "copy"), key=lambda event: event["ts"])
            for one, other in itertools.pairwise(copies):
                assert one["ts"] < other["ts"] < one["ts"] + one["dur"] < other["ts"] + other["dur"]
