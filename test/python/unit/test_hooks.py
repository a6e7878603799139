# SPDX-License-Identifier: MIT
"""Tools take part in compilations and launches where they are in use, and are not loaded elsewhere."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import sys
from types import SimpleNamespace

import pytest
import warm_python

from triton_xe import hooks, import_watch, knobs

#: Launches a kernel, and prints the tools that were loaded.
PROGRAM = """
import sys, torch, triton, triton.language as tl

@triton.jit
def double(x):
    place = x + tl.arange(0, 16)
    tl.store(place, 2 * tl.load(place))

x = torch.ones(16)
double[(1,)](x, num_warps=1)
assert x.sum() == 32
tools = {name.split(".")[2] for name in sys.modules if name.startswith("triton_xe.tools.")}
print(*sorted(tools))
"""


def hooked() -> list[tuple[str, str]]:
    """Return the modules of tools that the hooks load, each with what they take from it."""
    tree = ast.parse(inspect.getsource(hooks))
    return [
        (node.value.args[0].value, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call) and node.value.func.id == "_tool"
    ]


def test_tools_have_what_hooks_take():
    found = hooked()
    assert {module.partition(".")[0] for module, _ in found} >= {"bundle", "verify", "harvest", "profiler"}
    for module, name in found:
        assert hasattr(importlib.import_module(f"triton_xe.tools.{module}"), name), module


@pytest.mark.parametrize(
    ("variables", "tools"),
    [
        ({}, ""),
        ({"TRITON_XE_HARVEST": "harvest.jsonl"}, "harvest"),
        ({"TRITON_XE_BUNDLE": "nowhere"}, "bundle"),
        ({"TRITON_XE_BUNDLE": "off"}, ""),
        ({"TRITON_XE_VERIFY": "1"}, "profiler verify"),
    ],
)
def test_a_launch_loads_tools_in_use(tmp_path, variables, tools):
    """The profiler comes with verification, whose launches it does not count."""
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRITON_XE_")}
    environment |= {"TRITON_DEFAULT_BACKEND": "cpu", "TRITON_CACHE_DIR": str(tmp_path / "cache")} | variables
    result = warm_python.run([sys.executable, "program.py"], cwd=tmp_path, env=environment)
    assert result.stdout.strip() == tools, result.stderr


def test_observers_see_runtimes_that_come_later(monkeypatch):
    """A runtime that is loaded after the observer gets it, too; a runtime that comes twice gets it once."""
    monkeypatch.setattr(hooks, "_runtimes", ())
    monkeypatch.setattr(hooks, "_observer", None)
    calls = []
    first, second = (SimpleNamespace(set_launch_observer=lambda each, n=n: calls.append((n, each))) for n in (1, 2))
    hooks.add_runtime(first)
    hooks.observe_launches(print)
    hooks.add_runtime(second)
    hooks.add_runtime(second)
    hooks.observe_launches(None)
    assert calls == [(1, None), (1, print), (2, print), (1, None), (2, None)]


def test_nothing_wraps_a_launcher_without_a_tool(monkeypatch):
    """The launcher itself is what Triton keeps."""
    for knob in (knobs.HARVEST, knobs.VERIFY):
        monkeypatch.delenv(knob.name, raising=False)
    metadata = SimpleNamespace(verify=False, target=SimpleNamespace(backend="cpu"))
    assert hooks.wrap_launcher(print, None, metadata) is print


def test_a_module_is_changed_once_when_it_is_imported(tmp_path, monkeypatch):
    """Also if it is watched twice; one that was imported earlier stays as it is."""
    for name in ("watched_module", "other_module"):
        (tmp_path / f"{name}.py").write_text("value = 1\n")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    changed = []
    importlib.import_module("other_module")
    for name in ("watched_module", "watched_module", "other_module"):
        import_watch.watch(name, lambda module: changed.append((module.__name__, module.value)))
    assert changed == []
    importlib.import_module("watched_module")
    importlib.import_module("watched_module")
    assert changed == [("watched_module", 1)]
