# SPDX-License-Identifier: MIT
"""Replacements in Triton: the table holds for the installed wheel, and there is one way to replace something."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path

import pytest
import triton
import warm_python
from triton.runtime import autotuner

from triton_xe import errors, versions
from triton_xe.compat import changes, originals, table
from triton_xe.compat.changes import Changes
from triton_xe.compat.entries import Entry, State, anything, containing, having, taking, using
from triton_xe.tools import command_line

SERIES = ".".join(map(str, versions.series(triton.__version__)))
TRITON = [entry for entry in table.ALL if entry.package == "triton"]


@pytest.mark.conformance
def test_the_table_is_about_this_triton():
    """Each entry states whether this Triton needs it, and what needs a replacement can have it.

    In one test: of tests with parameters, a check of a wheel takes samples.
    """
    wrong = {
        entry.symbol: finding
        for entry in TRITON
        if ((finding := entry.probe()).state is State.NEEDED) != (SERIES in entry.versions)
    }
    assert not wrong


@pytest.mark.conformance
def test_what_this_triton_does_without_is_still_there():
    """Nothing that a tested Triton has got itself has disappeared: that would need another replacement."""
    states = {entry.symbol: entry.probe().state for entry in TRITON}
    assert State.IMPOSSIBLE not in states.values(), states


def test_entries_describe_themselves():
    """A symbol has one entry, of a known package, which a function makes that there is."""
    assert len({entry.symbol for entry in table.ALL}) == len(table.ALL)
    for entry in table.ALL:
        assert entry.package in ("triton", "torch")
        assert entry.reason.endswith(".") and not entry.until.endswith("."), entry
        module, _, name = entry.installer.rpartition(".")
        assert callable(getattr(importlib.import_module(module), name)), entry
        if entry.package == "triton":
            assert set(entry.versions) <= {f"3.{minor}" for _, minor in all_tested()}


def all_tested() -> list[tuple[int, int]]:
    (major, oldest), (_, newest) = versions.TESTED
    return [(major, minor) for minor in range(oldest, newest + 1)]


def find(symbol: str) -> Entry:
    """Return an entry of a module that is no part of Triton."""
    return Entry(*symbol.rsplit(".", 1), "A reason.", "a remedy", ("3.7", "3.8"), "", taking("x"))


@pytest.fixture
def module() -> types.ModuleType:
    """Return a module with a function."""
    module = types.ModuleType("triton.some")
    module.function = lambda x: x
    return module


def test_replacing_twice_is_harmless(module):
    """The second time nothing happens, and the original is the first one."""
    before = module.function
    first, second = Changes(find), Changes(find)
    first.replace(module, "function", lambda original: lambda x: original(x) + 1)
    ours = module.function
    second.replace(module, "function", lambda original: lambda x: original(x) + 1)
    second.put(module, "function", None)
    assert module.function is ours and ours(1) == 2
    assert not second.replaced
    assert originals.original(module, "function") is before
    second.undo()
    assert module.function is ours
    first.undo()
    assert module.function is before is originals.original(module, "function")


def test_found_in_another_module(module):
    """A module that has imported a replacement keeps it."""
    Changes(find).replace(module, "function", lambda original: lambda x: original(x) + 1)
    other = types.ModuleType("triton.other")
    other.function = module.function
    changes = Changes(find)
    changes.replace(other, "function", lambda original: lambda x: original(x) + 1)
    assert not changes.replaced and other.function is module.function


def test_set_again_by_others(module):
    """A function that others have put there since then is replaced next."""
    Changes(find).replace(module, "function", lambda _original: lambda x: 0)
    module.function = other = lambda x: 5
    assert originals.original(module, "function") is other
    Changes(find).replace(module, "function", lambda original: lambda x: original(x) + 1)
    assert module.function(1) == 6


def test_restored_by_others(module):
    """Other code sets it for a while, and then restores our replacement, which is known again."""
    before = module.function
    Changes(find).replace(module, "function", lambda original: lambda x: original(x) + 1)
    ours, module.function = module.function, lambda x: 5
    other = Changes(find)
    other.replace(module, "function", lambda original: lambda x: original(x) + 1)
    module.function = ours
    assert originals.is_replaced(module, "function") and originals.original(module, "function") is before
    again = Changes(find)
    again.replace(module, "function", lambda original: lambda x: original(x) + 1)
    assert not again.replaced and module.function(1) == 2


def test_class_methods_are_recognized():
    """Although each access makes a new object."""
    owner = type("Owner", (), {"make": classmethod(lambda cls: 1)})
    changes = Changes(lambda symbol: Entry("triton.some", "Owner.make", "", "", (), "", anything))
    changes.replace(owner, "make", lambda original: lambda cls: original() + 1, classmethod)
    changes.replace(owner, "make", lambda original: lambda cls: original() + 1, classmethod)
    assert owner.make() == 2
    changes.undo()
    assert owner.make() == 1


def test_errors_name_symbol_and_versions(module):
    """A symbol that is missing, or has another form, is not changed."""
    known = rf"Triton {triton.__version__} is installed; it is known from Triton 3\.7, 3\.8"
    with pytest.raises(errors.CompatibilityError, match=rf"`triton\.some\.other` .*: it does not exist\. {known}"):
        Changes(find).replace(module, "other", lambda original: original)
    module.function = before = lambda y: y
    with pytest.raises(errors.CompatibilityError, match=r"expected parameters \['x'\], found \['y'\]"):
        Changes(find).replace(module, "function", lambda original: original)
    module.function = 1
    with pytest.raises(errors.CompatibilityError, match="expected a function, found int"):
        Changes(find).put(module, "function", before)
    with pytest.raises(errors.CompatibilityError, match="does not exist"):
        Changes(find).keep(module, "table")
    assert module.function == 1 and not hasattr(module, "other")


def test_a_triton_without_a_symbol(monkeypatch):
    """The feature that needs it reports this, and leaves the rest as it was."""
    from triton_xe.tools.report import rank

    monkeypatch.delattr(autotuner.Autotuner, "_bench")
    run = autotuner.Autotuner.run
    with pytest.raises(errors.CompatibilityError, match=r"`triton\.runtime\.autotuner\.Autotuner\._bench` cannot be"):
        rank.ranking("pvc").__enter__()
    assert autotuner.Autotuner.run is run


def test_only_what_is_in_the_table(module):
    with pytest.raises(LookupError, match=r"`triton\.some\.function` is not in the table"):
        changes.replace(module, "function", lambda original: original)


def test_added_symbols_disappear_again(module):
    """One that does not exist is added where its entry states it."""
    changes = Changes(lambda _: Entry("triton.some", "new", "", "", (), "", anything, is_added=True))
    changes.put(module, "new", 1)
    assert module.new == 1
    assert not originals.exists(module, "new") and not changes.check(module, "new")
    with pytest.raises(AttributeError, match=r"`triton\.some` has no `new` itself"):
        originals.original(module, "new")
    changes.undo()
    assert not hasattr(module, "new")


def test_forms():
    """Each states what is wrong."""

    def function(x, y):
        return "cpu" if x else y

    assert taking()(function) == taking("x")(function) == taking("x", "y")(function) == ""
    assert "found ['x', 'y']" in taking("y")(function)
    assert taking("x")(min) == "its parameters are unknown"
    assert having("real")(1) == ""
    assert having("real", "a", "b")(1) == "it has no a, b"
    assert using("cpu")(function) == ""
    assert using("cpu", 16)(function) == "it has no constant 16"
    assert containing("if x else")(function) == ""
    assert containing("if y")(function) == "its source does not contain `if y`"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (Entry("triton.nowhere", "x", "", "", (), "", anything), "No module named 'triton.nowhere'"),
        (Entry("triton.runtime", "Missing.x", "", "", (), "", anything), "has no attribute 'Missing'"),
        (Entry("triton.runtime", "x", "", "", (), "", anything), "it does not exist"),
        (Entry("no_such_package", "x", "", "", (), "", anything), "no_such_package is not installed"),
    ],
    ids=lambda value: value.symbol if isinstance(value, Entry) else "",
)
def test_probes_of_what_is_not_there(entry, reason):
    """They are no errors."""
    finding = entry.probe()
    assert finding.state is State.IMPOSSIBLE
    assert reason in finding.reason


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Entry("triton.runtime", "driver", "", "", (SERIES,), "", anything), "needed"),
        (Entry("triton.runtime", "x", "", "", ("3.2", "3.3"), "", anything), "not needed (known from 3.2, 3.3)"),
        (
            Entry("triton.runtime", "x", "", "", (SERIES,), "", anything),
            "`triton.runtime.x` cannot be replaced: it does",
        ),
        (Entry("no_such_package", "x", "", "", (), "", anything), "no_such_package is not installed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_info_lists_what_is_replaced(entry, text, monkeypatch, capsys):
    """It does so with an option, since it takes time."""
    monkeypatch.setattr(table, "ALL", (entry,))
    title = "what is replaced in Triton and torch"
    assert command_line.main(["info"]) == 0
    assert title not in capsys.readouterr().out
    assert command_line.main(["info", "--replaced"]) == 0
    assert f"  {entry.symbol:<26} {text}" in capsys.readouterr().out.partition(title)[2]


def test_a_probe_finds_what_triton_can_do_itself(monkeypatch):
    """A Triton that reads SPIR-V needs no replacement."""
    from triton.compiler import compiler

    def parse(full_name, ext, context):
        return full_name if ext == "spv" else None

    monkeypatch.setattr(compiler, "parse", parse)
    finding = table.find("triton.compiler.compiler.parse").probe()
    assert (finding.state, finding.reason) == (State.UNNEEDED, "Triton reads files of SPIR-V itself")


def test_documentation():
    """The page has the table as it is."""
    script = Path(__file__).parents[3] / "scripts" / "replacement_table.py"
    result = warm_python.run([sys.executable, script, "--check"])
    assert result.returncode == 0, result.stdout + result.stderr
