# SPDX-License-Identifier: MIT
"""Sessions that measure whole kernels: their times, their places in trees and traces, metadata of launches, and what
threads, exceptions, phases and ends of processes do to them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
import warm_python
from triton.profiler.hooks.hook import Hook, HookManager
from triton.profiler.hooks.launch import LaunchHook

import triton_xe.tools.profiler as proton
from triton_xe import errors
from triton_xe.cpu import runtime
from triton_xe.tools.profiler import scope_stack, sessions

B = 256


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files go there; no session outlives its test."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    proton.finalize()
    assert scope_stack.current_path() == ()


def describe(grid, _metadata, arguments) -> dict:
    return {"name": f"scale_{arguments['B']}", "flops32": 1024.0, "bytes": 8192, "note": "no number", "none": None}


@triton.jit(launch_metadata=describe)
def scale(x, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    with pl.scope("all"):
        tl.store(x + i, tl.load(x + i) * 2)


@triton.jit
def repeat(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    for _ in range(n):
        v = v * 1.0001 + 1e-6
    tl.store(x + i, v)


@triton.jit
def assert_zero(x):
    tl.device_assert(tl.load(x) == 0)


def launch(programs: int = 4) -> None:
    x = torch.ones(programs * B)
    scale[(programs,)](x, B)
    assert x.sum() == 2 * x.numel()


def read(name: str) -> list[dict]:
    return json.loads(Path(name).read_text())


def find(node: dict, *path: str) -> dict:
    for name in path:
        (node,) = (child for child in node["children"] if child["frame"]["name"] == name)
    return node


def total(node: dict, metric: str) -> float:
    return node["metrics"].get(metric, 0) + sum(total(child, metric) for child in node["children"])


def test_times_of_kernels():
    """A longer kernel takes longer, all launches are counted, and together they take no more than the host saw."""
    x = torch.ones(B)
    repeat[(1,)](x, 1, B)
    begin = time.perf_counter_ns()
    proton.start("times")
    with proton.scope("short"):
        for _ in range(3):
            repeat[(1,)](x, 1000, B)
    with proton.scope("long"):
        repeat[(1,)](x, 10_000_000, B)
    proton.finalize()
    elapsed = time.perf_counter_ns() - begin
    root, devices = read("times.hatchet")
    short, long = (find(root, name, "repeat")["metrics"] for name in ("short", "long"))
    assert (short["count"], long["count"]) == (3, 1)
    assert 0 < short["time (ns)"] < long["time (ns)"] < elapsed
    assert short["time (ns)"] + long["time (ns)"] < elapsed
    assert (short["device_type"], short["device_id"]) == ("CPU", "0")
    # A launch there ends with its kernel: nothing had to be waited for.
    assert "clock" not in short
    # The metrics that viewers sum up.
    assert root["metrics"] == {"count": 0, "time (ns)": 0}
    assert devices["CPU"]["0"].keys() >= {"arch", "num_sms", "clock_rate", "bus_width", "memory_clock_rate"}


def test_trace_of_kernels():
    """A row per stream, in the order of the launches, which do not overlap."""
    proton.start("trace", data="trace")
    with proton.scope("outer"):
        launch()
        launch()
    proton.finalize()
    first, second = json.loads(Path("trace.chrome_trace").read_text())["traceEvents"]
    assert first["name"] == second["name"] == "scale"
    assert (first["pid"], first["tid"]) == (second["pid"], second["tid"]) == ("CPU 0", "stream 0x0")
    assert first["ts"] == 0
    assert 0 < first["dur"] <= second["ts"]
    assert first["args"]["call_stack"] == ["outer"]


def test_whole_kernels_and_scopes_at_once():
    """Two sessions of one launch; the kernel is the instrumented one."""
    proton.start("whole")
    proton.start("inside", backend="instrumentation")
    launch()
    proton.finalize()
    assert find(read("whole.hatchet")[0], "scale")["metrics"]["count"] == 1
    inside = find(read("inside.hatchet")[0], "scale")
    assert "time (ns)" not in inside["metrics"]
    assert find(inside, "all")["metrics"]["cycles"] > 0


def test_only_launches_while_it_is_active():
    """Launches outside of the active times, without programs, or that fail, do not count; a second session sees its
    own."""
    first = proton.start("first")
    launch()
    proton.deactivate(first)
    launch()
    second = proton.start("second")
    launch()
    proton.activate(first)
    scale[(0,)](torch.ones(B), B)
    with pytest.raises(errors.DeviceAssertionError):
        assert_zero[(1,)](torch.ones(1), debug=True)
    launch()
    proton.finalize(first)
    launch()
    proton.finalize(second)
    assert total(read("first.hatchet")[0], "count") == 2
    assert total(read("second.hatchet")[0], "count") == 3


def test_a_session_of_the_same_name_goes_on():
    """It does so with Triton's profiler; with other settings it would lose what is requested."""
    session = proton.start("same")
    launch()
    proton.deactivate(session)
    assert proton.start("same") == session
    launch()
    with pytest.raises(errors.OptionError, match="a session `same` with other settings has not ended"):
        proton.start("same", data="trace")
    proton.finalize(session)
    assert find(read("same.hatchet")[0], "scale")["metrics"]["count"] == 2


def test_disabled(monkeypatch, folder):
    """It is disabled by the variable of Triton's profiler, and where its command line measures already."""
    monkeypatch.setattr(triton.knobs.proton, "disable", True)
    assert proton.start("disabled") is None

    @proton.profile(name="disabled")
    def measured() -> int:
        return 7

    assert measured() == 7
    monkeypatch.setattr(triton.knobs.proton, "disable", False)
    monkeypatch.setattr(proton.flags.flags, "command_line", True)
    assert proton.start("disabled") is None
    with pytest.raises(ValueError, match="there is one session, number 0"):
        proton.activate(1)
    assert list(folder.iterdir()) == []


def test_explicit_backends():
    """The active device may be named, others not."""
    session = proton.start("cpu", backend="cpu")
    launch()
    proton.finalize(session)
    assert total(read("cpu.hatchet")[0], "count") == 1
    with pytest.raises(errors.OptionError, match="`backend`: expected None, 'cpu' or 'instrumentation', found 'xpu'"):
        proton.start("xpu", backend="xpu")


def test_python_stacks():
    """Lines and functions in the place of scopes, as Triton spells them, with its own functions but none of this
    package; metrics belong to their lines, and states stay."""

    def inner() -> int:
        launch()
        with proton.scope("not in the tree", {"metric": 1}):
            pass
        return sys._getframe().f_lineno

    proton.start("stack", context="python")
    with proton.state("warm"):
        line = inner()
    assert proton.context.depth(proton.start("stack", context="python")) > 3
    proton.finalize()
    root, _ = read("stack.hatchet")
    paths = []

    def walk(node: dict, path: tuple[str, ...]) -> None:
        path = (*path, node["frame"]["name"])
        if node["metrics"]:
            paths.append(path)
        for child in node["children"]:
            walk(child, path)

    walk(root, ())
    assert all(re.fullmatch(r".+:\d+@.+|warm|scale|ROOT", name) for path in paths for name in path)
    assert not any("triton_xe" in name for path in paths for name in path)
    (kernel,) = (path for path in paths if path[-1] == "scale")
    assert kernel[-2] == "warm"
    assert f"{__file__}:{line - 3}@inner" in kernel
    assert kernel[-3].endswith("@run")
    (metric,) = (path for path in paths if path[-1] == "warm")
    assert metric[-2] == f"{__file__}:{line - 2}@inner"


def test_launch_metadata():
    """It names the kernel for sessions that request it; numbers in it are metrics, others are left out."""
    proton.start("hook", hook="triton")
    proton.start("none")
    proton.start("inside", hook="triton", backend="instrumentation")
    launch()
    launch()
    proton.finalize()
    assert not triton.knobs.runtime.launch_enter_hook.calls
    metrics = find(read("hook.hatchet")[0], "scale_256")["metrics"]
    assert metrics["count"] == 2
    assert metrics["flops32"] == 2048
    assert metrics["bytes"] == 16384
    assert not {"note", "none"} & metrics.keys()
    assert find(read("none.hatchet")[0], "scale")["metrics"].keys() == {
        *("count", "time (ns)", "device_id", "device_type"),
    }
    inside = find(read("inside.hatchet")[0], "scale_256")
    assert inside["metrics"] == {"count": 2, "flops32": 2048, "bytes": 16384}
    assert find(inside, "all")["metrics"]["cycles"] > 0


def test_filters_of_the_launch_hook():
    """Triton's hook is taken as ours, with its filters; a kernel that is not wanted keeps its own name."""
    hook = LaunchHook()
    hook.configure(exclude="scale_")
    try:
        proton.start("filtered", hook=hook)
        launch()
        repeat[(1,)](torch.ones(B), 1, B)
        proton.finalize()
    finally:
        hook.configure()
    assert {child["frame"]["name"] for child in read("filtered.hatchet")[0]["children"]} == {"scale", "repeat"}
    ours = proton.hooks.LaunchHook(include="repeat")
    assert ours.is_wanted("repeat")
    assert not ours.is_wanted("scale")


class Recorder(Hook):
    """Writes down what it is called with."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def init_handle(self, module, function, name, metadata_group, key) -> None:
        self.calls.append(f"load {name}")

    def activate(self) -> None:
        self.calls.append("activate")

    def deactivate(self) -> None:
        self.calls.append("deactivate")

    def enter(self, metadata) -> None:
        self.calls.append(f"enter {metadata.get()['name']}")

    def exit(self, metadata) -> None:
        self.calls.append("exit")


@pytest.mark.conformance
def test_hooks():
    """A hook of the user is called as long as its session is active, also for kernels that were compiled before, and
    Triton's chains of hooks are, too, in their order."""
    scale.device_caches.clear()
    hook, order = Recorder(), []
    session = proton.start("hooks", hook=hook)
    triton.knobs.runtime.launch_enter_hook.add(enter := lambda metadata: order.append("enter"))
    triton.knobs.runtime.launch_exit_hook.add(leave := lambda metadata: order.append("exit"))
    try:
        launch()
        launch()
        proton.deactivate(session)
        launch()
        proton.activate(session)
        launch()
    finally:
        triton.knobs.runtime.launch_enter_hook.remove(enter)
        triton.knobs.runtime.launch_exit_hook.remove(leave)
        proton.finalize()
    launch()
    calls = ["enter scale_256", "exit"]
    assert hook.calls == ["activate", "load scale", *calls, *calls, "deactivate", "activate", *calls, "deactivate"]
    assert order == ["enter", "exit"] * 4
    assert not HookManager.active_hooks
    # Names are for sessions with the hook that reads them.
    assert find(read("hooks.hatchet")[0], "scale")["metrics"]["count"] == 3


def test_a_hook_that_fails():
    """There is no session then, and no hook."""

    class Failing(Recorder):
        def activate(self) -> None:
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        proton.start("failing", hook=Failing())
    launch()
    assert not sessions.is_open()
    assert not triton.knobs.runtime.launch_enter_hook.calls


def describe_by_kernel(_grid, _metadata, arguments) -> dict:
    x = torch.ones(B)
    scale[(1,)](x, B)
    return {"name": "described", "total": x.sum()}


@triton.jit(launch_metadata=describe_by_kernel)
def copy(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i))


def test_metadata_that_needs_kernels():
    """They are distinguished, so that viewers leave them out."""
    proton.start("nested", hook="triton")
    with proton.scope("outer"):
        copy[(1,)](torch.ones(B), B)
    proton.finalize()
    outer = find(read("nested.hatchet")[0], "outer")
    assert find(outer, "described")["metrics"]["total"] == 2 * B
    assert find(outer, "__proton_launch_metadata", "scale")["metrics"]["count"] == 1


def test_metrics():
    """Numbers, lists and tensors are added up; what is none of these, or not alike, is an error, and the scope is not
    entered."""
    proton.start("metrics")
    for _ in range(2):
        with proton.scope(
            "scope",
            {"i": 3, "f": 1.5, "b": True, "list": [1, 2.5], "zero": torch.tensor(2.5), "vector": torch.arange(3)},
        ):
            pass
    for value in ("text", None, [], ["text"], torch.empty(0), 1j):
        with pytest.raises(errors.ArgumentError, match="the metric `bad`"):
            proton.enter_scope("bad", metrics={"bad": value})
    with pytest.raises(errors.ArgumentError, match="the metric `list` has 2 numbers in one place, 3 in another"):
        proton.enter_scope("scope", metrics={"list": [1, 2, 3]})
    with pytest.raises(errors.ArgumentError, match="the metric `i` is a number in one place and a list in another"):
        proton.enter_scope("scope", metrics={"i": [1]})
    number = proton.enter_scope("called")
    assert isinstance(number, int)
    assert proton.exit_scope("called") == number
    proton.finalize()
    root, _ = read("metrics.hatchet")
    expected = {"i": 6, "f": 3.0, "b": 2, "list": [2, 5.0], "zero": 5.0, "vector": [0, 2, 4]}
    assert find(root, "scope")["metrics"] == expected


def test_an_exception_in_scopes():
    """Ends all scopes that it leaves, and not those that are still open."""
    proton.start("exception")
    with proton.scope("outer"):
        with pytest.raises(KeyError), proton.scope("first"):
            proton.enter_scope("left open")
            raise KeyError
        launch()
    proton.finalize()
    assert find(read("exception.hatchet")[0], "outer", "scale")["metrics"]["count"] == 1


def test_phases():
    """Data are kept apart, can be read and forgotten while the session goes on, and become separate files."""
    session = proton.start("phases")
    assert proton.context.depth(session) == 0
    with proton.scope("first"):
        assert proton.context.depth(session) == 1
        launch()
    assert find(proton.data.get(session)[0], "first", "scale")["metrics"]["count"] == 1
    assert not proton.data.is_phase_complete(session, 0)
    assert proton.data.advance_phase(session) == 1
    assert proton.data.is_phase_complete(session, 0)
    launch()
    assert total(proton.data.get(session, 1)[0], "count") == 1
    proton.data.clear(session, 0)
    with pytest.raises(errors.OptionError, match="session `phases` has no data of phase 0"):
        proton.data.get(session, 0)
    proton.finalize(session)
    assert total(read("phases.part_1.hatchet")[0], "count") == 1
    assert not Path("phases.hatchet").exists()
    assert proton.context.depth(session) is None
    assert proton.data.get(None) is None


def test_message_pack():
    msgpack = pytest.importorskip("msgpack", reason="a package that only this format needs")
    session = proton.start("packed")
    launch()
    data = proton.data.get(session)
    assert msgpack.unpackb(proton.data.get_msgpack(session)) == data
    proton.finalize(session, "hatchet_msgpack")
    assert msgpack.unpackb(Path("packed.hatchet_msgpack").read_bytes()) == data


def test_message_pack_without_its_package(monkeypatch):
    """The error names the package, and data are still there."""
    session = proton.start("packed")
    launch()
    monkeypatch.setitem(sys.modules, "msgpack", None)
    with pytest.raises(errors.ToolError, match="MessagePack needs the package `msgpack`"):
        proton.data.get_msgpack(session)
    with pytest.raises(errors.ToolError, match="MessagePack needs"):
        proton.finalize(session, "hatchet_msgpack")
    proton.finalize(session)
    assert total(read("packed.hatchet")[0], "count") == 1


def test_threads():
    """Launches of several threads, in sessions that begin and end meanwhile: those of the outer session are all there,
    each in the scope of its thread, and others have some of them."""
    launch(), repeat[(1,)](torch.ones(B), 1, B)
    outer = proton.start("outer")
    proton.start("inside", backend="instrumentation", mode="default:granularity=cta")
    failures = []

    def work(name: str) -> None:
        try:
            for _ in range(50):
                with proton.scope(name):
                    launch(1)
                    repeat[(1,)](torch.ones(B), 10, B)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"thread {i}",)) for i in range(3)]
    for thread in threads:
        thread.start()
    short = 0
    while any(thread.is_alive() for thread in threads):
        session = proton.start(f"short {short}", hook="triton")
        time.sleep(0.002)
        proton.finalize(session)
        short += 1
    for thread in threads:
        thread.join()
    assert not failures
    proton.finalize(outer)
    proton.finalize()
    for name in ("outer", "inside"):
        root, _ = read(f"{name}.hatchet")
        for i in range(3):
            assert find(root, f"thread {i}", "scale")["metrics"]["count"] == 50
        if name == "outer":
            assert all(find(root, f"thread {i}", "repeat")["metrics"]["count"] == 50 for i in range(3))
    counts = [total(read(f"short {i}.hatchet")[0], "count") for i in range(short)]
    assert 0 < sum(counts) <= 300


def test_autotuned_kernel():
    """All launches of the autotuner are launches."""
    calls = []

    @triton.autotune([triton.Config({}, num_warps=1), triton.Config({}, num_warps=2)], key=["n"], pre_hook=None)
    @triton.jit
    def tuned(x, n, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.store(x + i, tl.load(x + i) + n)

    triton.knobs.runtime.launch_enter_hook.add(count := lambda metadata: calls.append(metadata))
    try:
        proton.start("tuned")
        tuned[(1,)](torch.ones(B), 1, B)
        proton.finalize()
    finally:
        triton.knobs.runtime.launch_enter_hook.remove(count)
    assert find(read("tuned.hatchet")[0], "tuned")["metrics"]["count"] == len(calls) > 2


def test_opencl_runtime(on_opencl):
    """Times are those of events of the device; where a queue has none, the host waits, and the tree states it."""
    scale.device_caches.clear()
    proton.start("events")
    proton.start("trace", data="trace")
    launch()
    x = torch.ones(B)
    kernel = scale.warmup(x, B, grid=(1,))
    # Given as any other's queue, the device's own is one without events.
    with proton.scope("foreign"):
        queue = runtime.open_opencl().queue
        kernel.run(1, 1, 1, queue, kernel.function, kernel.packed_metadata, None, None, None, x, B)
    proton.finalize()
    scale.device_caches.clear()
    root, devices = read("events.hatchet")
    own, foreign = find(root, "scale")["metrics"], find(root, "foreign", "scale")["metrics"]
    assert 0 < own["time (ns)"] < 1e10
    assert 0 < foreign["time (ns)"] < 1e10
    assert "clock" not in own
    assert foreign["clock"] == "host"
    assert devices["CPU"]["0"]["num_sms"] > 0
    rows = {entry["tid"] for entry in json.loads(Path("trace.chrome_trace").read_text())["traceEvents"]}
    assert rows == {"stream 0x0", f"stream {queue:#x}"}


def test_memory_of_a_long_session():
    """Records of launches that have ended become numbers: a session keeps none of their buffers."""
    x = torch.ones(B)
    session = proton.start("long", backend="instrumentation", mode="default:buffer_strategy=flush")
    collector = sessions.find(session)
    before = _resident()
    for _ in range(40):
        scale[(1,)](x, B)
    grown = _resident() - before
    proton.finalize()
    assert not collector.pending_launches
    # Each had 16 MiB.
    assert grown < 200 << 20


def test_memory_of_a_long_trace():
    """It keeps records, not the memory that they might have needed."""
    x = torch.ones(B)
    proton.start("long", data="trace", backend="instrumentation", mode="default:buffer_strategy=flush")
    before = _resident()
    for _ in range(40):
        scale[(1,)](x, B)
    assert _resident() - before < 200 << 20
    proton.finalize()
    events = json.loads(Path("long.chrome_trace").read_text())["traceEvents"]
    assert len({event["args"]["launch"] for event in events if event["ph"] == "X"}) == 40


def _resident() -> int:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096


PROGRAM = """
import sys, torch, triton, triton.language as tl
import triton_xe.tools.profiler as proton

@triton.jit
def scale(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), tl.load(x + tl.arange(0, B)) * 2)

proton.start("open")
proton.start("inside", backend="instrumentation")
scale[(1,)](torch.ones(256), 256)
if sys.argv[1] == "raise":
    raise SystemError("on purpose")
"""


@pytest.mark.parametrize("way", ["end", "raise"])
def test_a_process_that_ends(folder, way):
    """Sessions that were not ended write nothing, as with Triton's profiler, and do no harm."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    done = warm_python.run([sys.executable, program, way], timeout=120)
    assert done.returncode == (way == "raise")
    assert ("SystemError: on purpose" in done.stderr) == (way == "raise")
    assert list(folder.iterdir()) == [program]


def test_nothing_is_loaded_with_triton():
    """A program without sessions does not pay for them."""
    code = textwrap.dedent("""
        import sys, triton, triton.backends
        import triton_xe.tools.profiler
        print([name for name in sys.modules if name.startswith(("triton.profiler", "triton_xe.tools.profiler.sess"))])
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def view(*arguments: str) -> str:
    done = warm_python.run([sys.executable, "-m", *arguments])
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.conformance
def test_viewers():
    """Triton's viewer reads the files: times, shares, rates of metadata and times of the host; ours also the use of
    devices, which is not known."""
    proton.start("viewed", hook="triton")
    with proton.cpu_timed_scope("outer"):
        launch()
    proton.finalize()
    viewer = "triton.profiler.viewer"
    text = view(viewer, "-m", "time/ms,avg_time/us,time/%", "viewed.hatchet")
    assert re.search(r"\d+\.\d+ \d+\.\d+ .*outer", text)
    assert "scale_256" in text
    assert re.search(r"(?<!nan) [\d.]+ +scale_256", view(viewer, "-m", "gflop32/s,gbyte/s", "viewed.hatchet"))
    assert "outer" in view(viewer, "-m", "cpu_time/us", "viewed.hatchet")
    assert "time" in view(viewer, "-l", "viewed.hatchet")
    assert "scale_256" in view("triton_xe.tools.profiler.viewer", "-m", "util", "viewed.hatchet")


def test_times_in_threads():
    """The time that a thread waits for the interpreter's lock, when its kernel has ended, is not the kernel's."""
    x = torch.ones(B)
    repeat[(1,)](x, 1, B)
    stop = threading.Event()

    def keep_the_lock() -> None:
        while not stop.is_set():
            sum(range(1000))

    thread = threading.Thread(target=keep_the_lock)
    thread.start()
    try:
        proton.start("busy", data="trace")
        for _ in range(30):
            repeat[(1,)](x, 1, B)
        proton.finalize()
    finally:
        stop.set()
        thread.join()
    entries = json.loads(Path("busy.chrome_trace").read_text())["traceEvents"]
    microseconds = sorted(entry["dur"] for entry in entries)
    # To get the lock back takes until the other thread's turn ends.
    assert microseconds[len(microseconds) // 2] < sys.getswitchinterval() * 1e6 / 2
