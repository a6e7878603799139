# SPDX-License-Identifier: MIT
"""Changes of `enable` where this torch lacks something of them. This is for a process in which nothing is enabled.

Names are taken away one by one: every one that a feature replaces or keeps a table of.
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from triton_xe import inductor
from triton_xe.compat import features, table
from triton_xe.compat.changes import Changes, symbol_of
from triton_xe.compat.entries import Entry, anything
from triton_xe.compat.features import Feature, find_any
from triton_xe.compat.inductor.descriptors import DEVICE_QUESTIONS

FEATURES = {feature.name: feature for feature in inductor.list_features()}
#: They set something that has no name in torch, or that stays set.
WITHOUT_NAMES = {
    "launches in functions that are not traced",
    "persistent products by descriptors",
    "Triton kernels for CPU tensors",
}


@pytest.fixture(autouse=True)
def no_pollution(monkeypatch) -> Iterator[None]:
    """Forget what is set in the environment for other processes."""
    monkeypatch.setenv("TORCHINDUCTOR_XPU_KERNEL_FORMAT", "zebin")
    yield


def list_names(feature: Feature) -> list[tuple[Any, str, Any]]:
    """Return what a feature replaces, as it was before."""
    changes = Changes()
    feature.change(changes)
    names = list(changes.replaced)
    changes.undo()
    return [(owner, name, vars(owner).get(name)) for owner, name in names]


@pytest.mark.parametrize("name", [name for name in FEATURES if name not in WITHOUT_NAMES])
def test_missing_names(name, monkeypatch):
    """Each of them costs this feature and a warning; nothing of the feature stays."""
    feature = FEATURES[name]
    names = list_names(feature)
    assert names
    for owner, missing, before in names:
        if any(missing in questions for questions in DEVICE_QUESTIONS) and owner.__name__ != before.__module__:
            continue  # imported there in some versions of torch only
        with monkeypatch.context() as patch:
            # The class that defines an attribute loses it: it may be a base class.
            classes = owner.__mro__ if isinstance(owner, type) else (owner,)
            for one in classes:
                if missing in vars(one):
                    patch.delattr(one, missing)
            with pytest.warns(UserWarning) as caught:
                assert not feature.enable()
        (warning,) = [str(one.message) for one in caught if "triton-xe" in str(one.message)]
        assert name in warning
        assert f"torch {torch.__version__}" in warning
        assert missing in warning
        for other, kept, was in names:
            assert vars(other).get(kept) is was, f"{other}.{kept} is changed though {missing} is missing"


def test_nothing_is_missing():
    """This torch has everything that is changed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for feature in FEATURES.values():
            changes = Changes()
            feature.change(changes)
            changes.undo()


def entry_of(symbol: str) -> Entry:
    """Return an entry for anything."""
    return Entry(*symbol.rsplit(".", 1), "", "", ("2.13",), "", anything)


def test_the_table_has_what_is_replaced():
    """Each symbol that a feature changes, and no other."""
    version = ".".join(torch.__version__.split(".")[:2])
    expected = {entry.symbol: entry for entry in table.ALL if entry.package == "torch" and version in entry.versions}
    replaced = {symbol_of(*name[:2]) for feature in FEATURES.values() for name in list_names(feature)}
    kept = ("lowerings", "GPU_KERNEL_BIN_EXTS", "_TEMPLATE_HEURISTIC_REGISTRY")
    assert replaced | {symbol for symbol, entry in expected.items() if entry.name in kept} == expected.keys()


def test_all_or_nothing(monkeypatch):
    """Attributes of modules and classes, inherited ones and tables are as they were."""
    module = types.ModuleType("module")
    module.f = lambda: 1
    base = type("Base", (), {"g": lambda self: 2})
    derived = type("Derived", (base,), {"h": staticmethod(lambda: 3)})
    module.table = {"a": 1}
    h = vars(derived)["h"]
    monkeypatch.setattr(features, "Changes", lambda: Changes(entry_of))

    def change(changes: Changes) -> None:
        changes.replace(module, "f", lambda original: lambda: original() + 10)
        changes.replace(derived, "g", lambda original: lambda self: original(self) + 10)
        changes.replace(derived, "h", lambda original: lambda: original() + 10, staticmethod)
        changes.keep(module, "table").update(a=5, b=6)
        assert (module.f(), derived().g(), derived.h()) == (11, 12, 13)
        changes.replace(module, "no_such_function", lambda original: original)

    with pytest.warns(UserWarning, match=r"something: torch .*\(CompatibilityError: `module\.no_such_function`"):
        assert not Feature("something", change).enable()
    assert (module.f(), derived().g(), derived.h(), module.table) == (1, 2, 3, {"a": 1})
    assert "g" not in vars(derived)
    assert vars(derived)["h"] is h


def test_renamed():
    """One of the names is enough, and an error has all of them."""
    module = types.ModuleType("module")
    module.new = None
    assert find_any(module, "old", "new") == "new"
    with pytest.raises(AttributeError, match="`module` has no `older` or `old`"):
        find_any(module, "older", "old")


def test_compiles_without(monkeypatch):
    """Without one feature the others exist."""
    from torch._inductor import ir
    from torch._inductor.utils import fresh_cache, run_and_get_code

    monkeypatch.delattr(ir.TMADescriptor, "create")
    with pytest.warns(UserWarning, match="one kernel after another by host descriptors"):
        inductor.enable()
    with fresh_cache(), torch._inductor.config.patch(compile_threads=1):
        x = torch.randn(100)
        actual, code = run_and_get_code(torch.compile(lambda x: x.sin() + 1, fullgraph=True), x)
    torch.testing.assert_close(actual, x.sin() + 1)
    assert "@triton.jit" in "\n".join(code)
