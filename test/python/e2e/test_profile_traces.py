"""Sessions write traces of the scopes that kernels went through."""

from __future__ import annotations

import json
import time

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
from triton.profiler.flags import flags

import triton_xe.profiler as proton
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
    return json.loads(path.read_text())["traceEvents"]


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
    events = read(folder / "first.chrome_trace")
    rows = {(event["pid"], event["tid"]) for event in events}
    assert len(rows) == (1 + 2) * 2
    for row in rows:
        outer, *inner = (event for event in events if (event["pid"], event["tid"]) == row)
        assert outer["name"] == "all"
        assert [event["name"] for event in inner] == ["load", "store"] * 4
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
    assert {event["pid"] for event in read(folder / "first.chrome_trace")} == {"scale (launch 0), program 0"}
    assert len({event["pid"] for event in read(folder / "second.chrome_trace")}) == 2


def test_lost_records_are_told(folder):
    proton.start("lost", data="trace", backend="instrumentation", mode="default:buffer_size=64:granularity=cta")
    launch(programs=1)
    proton.finalize()
    assert "10 older records are lost" in {event["name"] for event in read(folder / "lost.chrome_trace")}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"data": "graph"}, "`data`: expected 'trace', found 'graph'"),
        ({"backend": "cupti"}, "`backend`: expected 'instrumentation', found 'cupti'"),
        ({"context": "none"}, "`context`: expected 'shadow' or 'python', found 'none'"),
        ({"mode": "default:buffer_size=many"}, "`buffer_size`: expected numbers"),
        ({"hook": "triton"}, "`hook`: expected None, found 'triton'"),
    ],
)
def test_bad_options(options, message):
    """Nothing is measured, and no session is left."""
    with pytest.raises(errors.OptionError, match=message):
        proton.start("bad", **options)
    assert not flags.instrumentation_on
    with pytest.raises(errors.OptionError, match="there is no session 1000"):
        proton.finalize(1000)
    with pytest.raises(errors.OptionError, match="`output_format`: expected 'chrome_trace', found 'hatchet'"):
        proton.finalize(output_format="hatchet")
