# SPDX-License-Identifier: MIT
"""Sessions keep launches and metrics of devices that have not ended their work: in order, no more than there may be,
and nothing twice."""

from __future__ import annotations

import json
import types
from pathlib import Path

import pytest
import torch

from triton_xe.tools.profiler import call_stack, collecting, events, kernel_trace, metrics, records, tree

KERNEL = "kernel"


class Time:
    """The time of a launch that ends when the test ends it, or when it is waited for."""

    def __init__(self, begin: int, end: int) -> None:
        self.begin, self.end, self.is_known, self.waits = begin, end, False, 0

    def read(self) -> tuple[int, int]:
        self.waits += not self.is_known
        self.is_known = True
        return self.begin, self.end


class DeviceTensor:
    """A tensor on a device that is not here; reports when it was read."""

    def __init__(self, values: list[float]) -> None:
        self.values, self.reads = values, 0
        self.device = types.SimpleNamespace(type="xpu")
        self.nbytes = 8 * len(values)

    def data_ptr(self) -> int:
        return 0

    def numel(self) -> int:
        return len(self.values)

    def detach(self) -> DeviceTensor:
        return self

    def clone(self) -> DeviceTensor:
        return DeviceTensor(list(self.values))

    def item(self) -> float:
        self.reads += 1
        return self.values[0]

    def tolist(self) -> list[float]:
        self.reads += 1
        return self.values


def make_collector(data: str = "tree", backend: str = "xpu") -> collecting.Collector:
    settings = collecting.Settings(
        name="session", data=data, context="shadow", backend=backend, mode="", reads_metadata=False
    )
    return collecting.Collector(settings)


def make_run(time, stream: int = 1, device: int = 0, path: tuple[str, ...] = (), **fields) -> events.Run:
    fields = {"kernel": KERNEL, "device_type": "XPU", "is_host_time": False} | fields
    return events.Run(path=path, device=device, stream=stream, time=time, **fields)


def count(collector: collecting.Collector, *path: str) -> int:
    return collector.trees[collector.phase].find(path).metrics.get("count", 0)


def test_launches_are_read_when_they_have_ended(monkeypatch):
    """The host waits for none of them as long as there are few, and for the oldest ones if there are many."""
    monkeypatch.setattr(collecting, "PENDING_EVENTS", 3)
    collector = make_collector()
    times = [Time(10 * i, 10 * i + 3) for i in range(6)]
    for time in times[:3]:
        collector.ran(make_run(time))
    assert count(collector, KERNEL) == 0
    times[0].is_known = True
    collector.ran(make_run(times[3]))
    assert count(collector, KERNEL) == 1
    assert sum(time.waits for time in times) == 0
    collector.ran(make_run(times[4]))
    # One more than there may be.
    assert [time.waits for time in times] == [0, 1, 0, 0, 0, 0]
    collector.ran(make_run(times[5]))
    collector.flush()
    collector.flush()
    assert count(collector, KERNEL) == 6
    assert [time.waits for time in times] == [0, 1, 1, 1, 1, 1]
    assert collector.trees[0].find((KERNEL,)).metrics["time (ns)"] == 6 * 3


def test_phases_of_pending_launches():
    """A launch is of the phase that it began in, whenever it ends, and the phase is not complete before."""
    collector = make_collector()
    time = Time(0, 5)
    collector.ran(make_run(time))
    assert collector.advance() == 1
    assert not collector.is_complete(0)
    time.is_known = True
    assert collector.is_complete(0)
    assert collector.trees[0].find((KERNEL,)).metrics["count"] == 1
    assert count(collector, KERNEL) == 0
    collector.ran(make_run(Time(0, 5)))
    collector.clear(1, up_to=True)
    assert list(collector.trees) == [1]
    assert count(collector, KERNEL) == 0


def test_metrics_of_devices():
    """Tensors are copied when they are given, and read at the end."""
    collector = make_collector()
    one, several = DeviceTensor([2.5]), DeviceTensor([1, 2])
    given = metrics.convert({"one (exc)": one, "several": several})
    one.values[0] = 100
    collector.measured(("scope",), given)
    collector.measured(("scope",), given)
    assert collector.trees[0].find(("scope",)).metrics == {}
    assert given["one"].reads == 0
    collector.flush()
    assert collector.trees[0].find(("scope",)).metrics == {"one": 5, "several": [2, 4]}


def make_launch(memory, arena_bytes: int = 0) -> events.Launch:
    layout = records.Layout(
        program_bytes=64, num_warps=1, units=(0,), warps_per_unit=1, clock_bits=43, arena_bytes=arena_bytes
    )
    return events.Launch(KERNEL, (), (("scope", -1),), layout, memory)


def test_records_stay_on_the_device_until_they_are_many(monkeypatch):
    """No launch of a GPU is waited for before; then all are taken."""
    monkeypatch.setattr(collecting, "PENDING_BYTES", 100)
    read = []
    monkeypatch.setattr(tree, "add_launch", lambda _root, launch: read.append(launch))
    collector = make_collector(backend="instrumentation")
    for _ in range(2):
        collector.launched(make_launch(DeviceTensor([0] * 6)))
    assert not read
    collector.launched(make_launch(DeviceTensor([0] * 6)))
    assert len(read) == 3
    assert collector.pending_bytes == 0
    collector.launched(make_launch(torch.zeros(64, dtype=torch.uint8)))
    assert len(read) == 4


def test_what_is_kept_of_an_arena():
    """The words that are used, in less memory; launches share a buffer."""
    arena_bytes = 4 * 1000
    header = records.Layout(64, 1, (0,), 1, 43, arena_bytes).arena_header()
    memory = torch.zeros(64 + arena_bytes, dtype=torch.uint8)
    memory[64 : 64 + len(header)] = torch.frombuffer(bytearray(header), dtype=torch.uint8)
    memory[64] = 10
    memory[-1] = 1
    buffer = bytearray()
    first = make_launch(memory, arena_bytes).store(buffer)
    second = make_launch(memory, arena_bytes).store(buffer)
    for stored in (first, second):
        assert stored.layout.arena_bytes == len(header) + 4 * 10
        assert stored.memory.cpu().tolist() == memory[: 64 + len(header) + 4 * 10].tolist()
        assert stored.programs() == []
    assert first.memory.end == second.memory.begin
    assert second.memory.end == len(buffer) < 2 * (64 + len(header) + 4 * 10)


def test_rows_of_a_trace(tmp_path):
    """A process per device, whose clock is its own, and a row per stream."""
    operation = events.Operation("name", {"bytes": 3, "late": DeviceTensor([4])})
    runs = [
        make_run(Time(5000, 6000)),
        make_run(Time(5500, 8000), stream=2, path=("scope",), operation=operation),
        make_run(Time(100, 400), device=1, is_host_time=True),
    ]
    path = tmp_path / "trace.chrome_trace"
    kernel_trace.write(path, [kernel_trace.Slice(run, *run.time.read()) for run in runs])
    entries = json.loads(path.read_text())["traceEvents"]
    assert [(entry["pid"], entry["tid"], entry["ts"], entry["dur"]) for entry in entries] == [
        ("XPU 0", "stream 0x1", 0, 1),
        ("XPU 0", "stream 0x2", 0.5, 2.5),
        ("XPU 1", "stream 0x1", 0, 0.3),
    ]
    assert entries[1]["args"] == {"call_stack": ["scope"], "metrics": {"bytes": 3, "late": 4}}
    assert entries[2]["args"]["clock"] == "host"


@pytest.mark.parametrize(
    ("given", "kept"), [("x", "x"), ("x (exc)", "x"), ("cpu_time (ns)(exc)", "cpu_time (ns)"), ("x (inc)", "x (inc)")]
)
def test_names_of_metrics(given, kept):
    assert metrics.convert({given: 1}) == {kept: 1}


def test_call_stack():
    """The innermost function is the last one, with the line that it is at."""

    def inner() -> tuple[str, ...]:
        return call_stack.capture()

    *_, outermost, innermost = inner()
    line = inner.__code__.co_firstlineno + 1
    assert innermost == f"{Path(__file__)}:{line}@inner"
    assert outermost == f"{Path(__file__)}:{line + 2}@test_call_stack"
