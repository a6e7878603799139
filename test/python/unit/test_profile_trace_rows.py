# SPDX-License-Identifier: MIT
"""Traces of records that were written by hand: clocks of processors, rows, events, and what distinguishes kernels."""

from __future__ import annotations

import json

import pytest
import torch
from profile_memory import make_launch, make_program, record, scope_records

from triton_xe.tools.profiler import events, naming, trace


def write(folder, launches, origin=0, frequency=1000.0) -> list[dict]:
    path = folder / "some.chrome_trace"
    trace.write(path, launches, origin, frequency)
    return json.loads(path.read_text())["traceEvents"]


def make_gpu_launch(submitted: int, *programs: tuple[int, int]):
    """Return a launch of programs on processors, which begin at this clock, and are in a scope from 10 to 30 ns on."""
    memory = [
        make_program([scope_records(10, 30, begin=begin)], [4], number, 0, begin, processor, duration=50)
        for number, (processor, begin) in enumerate(programs)
    ]
    return make_launch("kernel", [("all", -1)], memory, 1, device="xpu", submitted=submitted)


def test_clocks_of_processors(tmp_path):
    """On each the first program begins when its launch was submitted, or later; times on one processor stay as far
    apart as they were."""
    first = make_gpu_launch(5_000_000, (0, 100), (1, 9_000_000), (0, 300))
    second = make_gpu_launch(6_000_000, (0, 1_000_000), (1, 9_900_000))
    entries = write(tmp_path, [second, first], origin=4_000_000)
    begins = {
        (e["args"]["launch"], e["pid"]): e["ts"] for e in entries if e["ph"] == "X" and e["name"].startswith("program")
    }
    names = {e["pid"]: e["args"]["name"] for e in entries if e["name"] == "process_name"}
    found = {(launch, names[pid]): ts for (launch, pid), ts in begins.items()}
    expected = {
        # The second launch begins just when it was submitted: 2000 us after the origin; the first one 999.9 us before.
        (0, "program 0 on processor 0 of kernel"): 1000.1,
        (0, "program 2 on processor 0 of kernel"): 1000.3,
        (1, "program 0 on processor 0 of kernel"): 2000,
        (0, "program 1 on processor 1 of kernel"): 1100,
        (1, "program 1 on processor 1 of kernel"): 2000,
    }
    assert found == pytest.approx(expected)
    slices = [e for e in entries if e["name"] == "all"]
    assert {round(e["dur"], 4) for e in slices} == {0.02}


def test_rows_are_in_the_order_of_their_numbers(tmp_path):
    """Processors before programs, warps by their numbers, not as text; overlapping launches do not share rows."""
    warps = [scope_records(10, 30)] * 11
    programs = [make_program(warps, [4] * 11, number, processor=10 if number == 2 else 9) for number in range(3)]
    launches = [make_launch("kernel", [("all", -1)], programs, 11, submitted=number) for number in range(2)]
    entries = write(tmp_path, launches)
    names = {e["pid"]: e["args"]["name"] for e in entries if e["name"] == "process_name"}
    places = {names[e["pid"]]: e["args"]["sort_index"] for e in entries if e["name"] == "process_sort_index"}
    one = [f"program {p} on processor {q}" for p, q in ((0, 9), (1, 9), (2, 10))]
    assert sorted(places, key=places.__getitem__) == [
        "launches",
        *(f"{program} of kernel{track}" for track in ("", " (beside others, 1)") for program in one),
    ]
    pid = next(pid for pid, name in names.items() if name == "program 2 on processor 10 of kernel")
    threads = {e["tid"]: e["args"]["name"] for e in entries if e["name"] == "thread_name" and e["pid"] == pid}
    order = {e["tid"]: e["args"]["sort_index"] for e in entries if e["name"] == "thread_sort_index" and e["pid"] == pid}
    assert [threads[tid] for tid in sorted(threads, key=order.__getitem__)] == [
        "program",
        *(f"warp {warp}" for warp in range(11)),
    ]


def test_events(tmp_path):
    """Events of a warp are slices in separate rows; from warp to warp they are two slices with an arrow."""
    first = [record(1, False, (5 << 40) + 10, is_event=True), record(1, False, (5 << 40) + 20, is_event=True)]
    first += [record(1, True, (5 << 40) + 30, is_event=True), record(2, False, (5 << 40) + 40, is_event=True)]
    second = [record(2, True, (5 << 40) + 90, is_event=True), record(1, False, (5 << 40) + 95, is_event=True)]
    second += [record(0, False, (5 << 40) + 100), record(0, True, (5 << 40) + 110)]
    memory = make_program([first, second], [8, 8], cost=0)
    scopes = [("all", -1), ("copy", -1), ("signal", -1)]
    launch = make_launch("kernel", scopes, [memory], 2, lines=(3, 5, 0))
    entries = write(tmp_path, [launch], origin=5 << 40, frequency=1.0)
    rows = {(e["pid"], e["tid"]): e["args"]["name"] for e in entries if e["name"] == "thread_name"}
    found = [
        (e["name"], e["cat"], rows[e["pid"], e["tid"]], e["ts"], e["dur"])
        for e in entries
        if e["ph"] == "X" and rows[e["pid"], e["tid"]].startswith("warp")
    ]
    assert found == [
        # The second begin has no end.
        ("copy", "async", "warp 0", 10, 20),
        ("signal", "flow", "warp 0", 40, 1),
        ("signal", "flow", "warp 1", 90, 1),
        ("all", "kernel", "warp 1", 100, 10),
    ]
    lines = {(e["name"], e["args"].get("line")) for e in entries if e["name"] in dict(scopes)}
    assert lines == {("all", 3), ("copy", 5), ("signal", None)}
    out, into = (e for e in entries if e.get("cat") == "flow")
    assert out["flow_out"] and into["flow_in"] and out["bind_id"] == into["bind_id"]


def test_metadata_of_launches(tmp_path):
    """Metrics that a kernel's metadata give are arguments of the launch."""
    memory = [make_program([scope_records(10, 30)], [4])]
    operation = events.Operation("named", {"flops": 8, "bytes": torch.tensor([3, 4])})
    entries = write(tmp_path, [make_launch("kernel", [("all", -1)], memory, 1, operation=operation)])
    (launch,) = (e for e in entries if e["ph"] == "X" and e["name"] == "kernel")
    assert launch["args"]["metrics"] == {"flops": 8, "bytes": [3, 4]}


def test_names_of_kernels():
    """Kernels of one name state what is different; an option that only some have is one."""
    memory = [make_program([scope_records(10, 30)], [4])]
    configurations = [("one", (("B", "64"), ("num_warps", "4"))), ("one", (("B", "32"), ("num_warps", "4")))]
    configurations += [("two", (("num_warps", "4"),)), ("one", (("C", "1"), ("num_warps", "4")))]
    launches = [
        make_launch(kernel, [("all", -1)], memory, 1, configuration=configuration)
        for kernel, configuration in configurations
    ]
    assert naming.labels(launches) == ["one[B=64]", "one[B=32]", "two", "one[C=1]"]
    assert naming.labels(launches[::2]) == ["one", "two"]
