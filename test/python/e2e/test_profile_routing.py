# SPDX-License-Identifier: MIT
"""`triton.profiler` itself with our sessions below it, under every Triton: all its names are ours, too, functions that
were imported before work, and it becomes what it was."""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler as triton_proton
import triton.profiler.language as pl
import warm_python
from triton.profiler import cpu_timed_scope, enter_scope, exit_scope, scope, start, state
from triton.profiler.hooks.hook import HookManager
from triton.profiler.hooks.launch import LaunchHook

import triton_xe.tools.profiler as proton
from triton_xe import errors
from triton_xe.tools.profiler import routing, sessions

pytestmark = pytest.mark.conformance
B = 256


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files go there; no session and no route outlives its test, nor that the profiler was restored."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(routing, "_is_restored", False)
    yield tmp_path
    proton.finalize()
    proton.restore()


def describe(_grid, _metadata, arguments) -> dict:
    return {"name": f"scale_{arguments['B']}", "bytes": 8192}


@triton.jit(launch_metadata=describe)
def scale(x, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    with pl.scope("all"):
        tl.store(x + i, tl.load(x + i) * 2)


def launch() -> None:
    scale[(2,)](torch.ones(2 * B), B)


def read(name: str) -> dict:
    return json.loads(Path(name).read_text())[0]


def find(node: dict, *path: str) -> dict:
    for name in path:
        (node,) = (child for child in node["children"] if child["frame"]["name"] == name)
    return node


def public(module) -> list[str]:
    return [name for name in dir(module) if not name.startswith("_")]


def test_names():
    """Whatever Triton's profiler has, ours has, too, or it states why not; functions take the same arguments with the
    same defaults, and of other versions more."""
    for name in public(triton_proton):
        theirs = getattr(triton_proton, name)
        try:
            ours = getattr(proton, name)
        except AttributeError as error:
            assert name in ("configure_runtime", "metric", "proton"), name
            assert f"no attribute '{name}': " in str(error)
            continue
        if name == "DEFAULT_PROFILE_NAME":
            assert ours == theirs
        if inspect.isfunction(theirs) or inspect.isclass(theirs):
            expected, found = inspect.signature(theirs).parameters, inspect.signature(ours).parameters
            assert all(
                (mine.name, mine.kind, mine.default) == (other.name, other.kind, other.default)
                for mine, other in zip(found.values(), expected.values(), strict=False)
            ), name
            assert len(found) >= len(expected), name
            assert all(p.default is not p.empty for p in list(found.values())[len(expected) :]), name
        if inspect.ismodule(theirs) and name not in ("hooks", "flags", "language"):
            functions = [
                key for key, value in vars(theirs).items() if getattr(value, "__module__", "") == theirs.__name__
            ]
            missing = [key for key in functions if not key.startswith("_") and not hasattr(ours, key)]
            assert not missing, f"{name}: {missing}"
    with pytest.raises(AttributeError, match=r"has no attribute 'other'$"):
        proton.other
    for name in public(triton_proton.hooks):
        if not inspect.ismodule(getattr(triton_proton.hooks, name)) and name != "InstrumentationHook":
            assert hasattr(proton.hooks, name)
    with pytest.raises(AttributeError, match="sessions instrument kernels themselves"):
        proton.hooks.InstrumentationHook


def test_its_own_backends():
    """Triton's profiler knows no device of ours: where a program wants it as it is, it states that."""
    proton.restore()
    with pytest.raises((ValueError, RuntimeError)):
        triton_proton.start("no")
    triton_proton.flags.flags.profiling_on = False


def test_the_api_is_listed():
    """Also before anything of it is loaded, as for completion in a shell."""
    program = "import triton_xe.tools.profiler as proton; print(*dir(proton))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    listed = set(done.stdout.split())
    assert {"start", "finalize", "scope", "route", "data", "viewer", "language"} <= listed
    assert set(proton.__all__) <= listed and all(hasattr(proton, name) for name in proton.__all__)


def test_functions_imported_before():
    """All of Triton's functions work, those of its module and those that were imported from it before."""
    assert proton.route()
    session = start("routed", hook="triton")
    with scope("outer", {"metric": 3, "tensor": torch.tensor(1.5)}):
        launch()
        with cpu_timed_scope("timed"), state("warm"):
            launch()
    enter_scope("called", metrics={"metric": 4})
    triton_proton.enter_scope("inner")
    assert triton_proton.context.depth(session) == 2
    exit_scope("inner")
    exit_scope()
    assert find(triton_proton.data.get(session)[0], "outer", "scale_256")["metrics"]["bytes"] == 8192
    triton_proton.deactivate(session)
    launch()
    triton_proton.activate(session)
    launch()
    triton_proton.finalize(session)
    root = read("routed.hatchet")
    assert find(root, "outer")["metrics"] == {"metric": 3, "tensor": 1.5}
    assert find(root, "outer", "scale_256")["metrics"]["count"] == 1
    assert find(root, "outer", "timed", "warm", "scale_256")["metrics"]["count"] == 1
    assert find(root, "outer", "timed")["metrics"].keys() == {"cpu_time (ns)"}
    assert find(root, "called")["metrics"] == {"metric": 4}
    assert find(root, "scale_256")["metrics"]["count"] == 1
    assert not HookManager.active_hooks


def test_instrumentation():
    """The mode is a text or an object; and the session is a decorator."""
    proton.route()

    @triton_proton.profile(
        name="inside", backend="instrumentation", data="trace", mode=triton_proton.mode.Default(granularity="cta")
    )
    def measured() -> None:
        launch()

    measured()
    launch()
    triton_proton.finalize()
    events = json.loads(Path("inside.chrome_trace").read_text())["traceEvents"]
    rows = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    # Stacks of the launch, of its program, and of the one unit that makes records.
    assert {row for row in rows if row.startswith("warp")} == {"warp 0"}
    assert len([event for event in events if event["ph"] == "X" and event["tid"] >= 1000]) == 2
    triton_proton.start("text", backend="instrumentation", mode="default:optimizations=clock32")
    launch()
    triton_proton.finalize()
    assert find(read("text.hatchet"), "scale", "all")["metrics"]["count"] == 2 * 4


def test_triton_hook_object():
    """An instance of Triton's own hook."""
    proton.route()
    triton_proton.start("object", hook=LaunchHook())
    launch()
    triton_proton.finalize()
    assert find(read("object.hatchet"), "scale_256")["metrics"]["bytes"] == 8192


def test_what_began_before_the_session():
    """It is not known to the session, and its end does no harm."""
    proton.route()
    with scope("before", {"metric": 1}), state("cold"), cpu_timed_scope("timed"):
        session = start("late")
        with scope("after"):
            launch()
    launch()
    triton_proton.finalize(session)
    root = read("late.hatchet")
    assert find(root, "after", "scale")["metrics"]["count"] == 1
    assert {child["frame"]["name"] for child in root["children"]} == {"after", "scale"}


def test_our_sessions_have_the_scopes_of_triton():
    """This is as when another program starts the session and a library has scopes."""
    proton.route()
    session = proton.start("ours")
    with scope("theirs"):
        launch()
    proton.finalize(session)
    assert find(read("ours.hatchet"), "theirs", "scale")["metrics"]["count"] == 1


def test_restored(monkeypatch):
    """Twice is once; what is replaced is what it was, and another target gets nothing."""
    names = ("profile", "scope", "state", "context", "data")
    modules = [importlib.import_module(f"triton.profiler.{name}") for name in names]
    before = [dict(vars(module)) for module in modules]
    methods = LaunchHook.enter, LaunchHook.exit
    assert proton.route()
    assert proton.route()
    assert all(vars(module) != values for module, values in zip(modules, before, strict=True))
    start("restored")
    assert triton_proton.flags.flags.profiling_on
    proton.restore()
    assert not triton_proton.flags.flags.profiling_on
    with scope("of no session", {"metric": 1}):
        pass
    proton.restore()
    assert all(vars(module) == values for module, values in zip(modules, before, strict=True))
    assert methods == (LaunchHook.enter, LaunchHook.exit)
    proton.route()
    monkeypatch.setattr(sessions, "active_target", lambda: "cuda")
    assert not proton.route()
    assert all(vars(module) == values for module, values in zip(modules, before, strict=True))
    with pytest.raises(errors.OptionError, match="kernels for `cuda`, which is active, are measured by"):
        proton.start("cuda")


def test_another_profiler(monkeypatch):
    """One without what is to be replaced is left alone."""
    module = importlib.import_module("triton.profiler.scope")
    monkeypatch.delattr(module, "set_metric_kernels")
    missing = r"`triton\.profiler\.scope\.set_metric_kernels` cannot be replaced: it does not exist\. Triton "
    with pytest.raises(errors.OptionError, match=missing):
        proton.route()
    with state("works"):
        pass
    assert importlib.import_module("triton.profiler.state").libproton is not None


@pytest.mark.parametrize(
    ("before", "status"),
    [
        ("triton_xe.tools.profiler.restore()", "no"),
        ("triton.knobs.proton.disable = True", "no"),
        ("triton_xe.tools.profiler.sessions.active_target = lambda: 'cuda'", "no"),
        ("", "yes"),
    ],
)
def test_who_is_routed(before, status):
    """No process that does not want to be, nor where nothing is measured; and the function looks as it did."""
    program = f"""
import inspect, triton, triton_xe.tools.profiler, triton_xe.tools.profiler.sessions
import triton.profiler as proton
from triton_xe.tools.profiler import routing
{before}
try:
    proton.start("some")
except ValueError:
    pass
status = "yes" if routing._changes.replaced else "no"
print(status, *inspect.signature(proton.start).parameters, proton.start.__module__)
"""
    done = warm_python.run([sys.executable, "-c", program], check=True)
    expected = [status, "name", "context", "data", "backend", "mode", "hook", "triton.profiler.profile"]
    assert done.stdout.split() == expected


def test_threads():
    """Several threads route, measure and restore at once."""
    failures = []

    def work(i: int) -> None:
        try:
            for _ in range(20):
                proton.route()
                with scope(f"thread {i}"):
                    launch()
        except BaseException as error:
            failures.append(error)

    launch()
    proton.route()
    session = triton_proton.start("threads")
    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    triton_proton.finalize(session)
    assert not failures
    root = read("threads.hatchet")
    assert all(find(root, f"thread {i}", "scale")["metrics"]["count"] == 20 for i in range(3))


@pytest.mark.parametrize("route", ["", "import triton_xe.tools.profiler; triton_xe.tools.profiler.route()"])
def test_a_program(folder, route):
    """The first session routes Triton's profiler, unless that is done before, as with a device that it knows."""
    program = folder / "program.py"
    program.write_text(
        textwrap.dedent(f"""
        import torch, triton, triton.language as tl
        import triton.profiler as proton
        {route}

        @triton.jit
        def scale(x, B: tl.constexpr):
            tl.store(x + tl.arange(0, B), tl.load(x + tl.arange(0, B)) * 2)

        proton.start("program", context="python")
        scale[(1,)](torch.ones(256), 256)
        proton.finalize()
        """)
    )
    warm_python.run([sys.executable, program], check=True, cwd=folder)
    node = read("program.hatchet")
    # The stack of the program begins in the process that it is a fork of.
    while node["children"][0]["frame"]["name"].startswith(warm_python.__file__):
        (node,) = node["children"]
    assert find(node, f"{program}:11@<module>")["children"]
