# SPDX-License-Identifier: MIT
"""The selection of the tests of a run: the options of conftest.py."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import conftest
import pytest
from conftest import cover_pairs, pairs_of_parameters, sample


@dataclass(frozen=True)
class Item:
    """The properties that the selection uses."""

    nodeid: str


@dataclass(frozen=True)
class ItemOfProduct:
    """One with parameters, which has their numbers."""

    indices: tuple[int, ...]

    @property
    def callspec(self) -> SimpleNamespace:
        """Return the call as pytest has it."""
        return SimpleNamespace(_idlist=list(map(str, self.indices)))


ITEMS = [
    Item("a.py::test_alone"),
    *(Item(f"a.py::test_types[{dtype}-{size}]") for dtype in ("i8", "i16", "i32") for size in range(20)),
    *(Item(f"b.py::test_types[{dtype}]") for dtype in ("i8", "i16")),
]


@pytest.mark.parametrize("share", [2, 3, 20, 1000])
def test_a_sample_has_every_test(share):
    """One in `share` of each test's sets of parameters, rounded up, in the order that they had."""
    chosen = sample(ITEMS, share)
    assert chosen == [item for item in ITEMS if item in chosen]
    tests = [item.nodeid.partition("[")[0] for item in chosen]
    assert tests.count("a.py::test_alone") == tests.count("b.py::test_types") == 1
    assert tests.count("a.py::test_types") == -(-60 // share)


def test_a_sample_mixes_the_parameters():
    """One in three of sixty has all three types, although each third set has the same one; and always the same sets."""
    chosen = sample(ITEMS, 3)
    assert all(any(f"[{dtype}-" in item.nodeid for item in chosen) for dtype in ("i8", "i16", "i32"))
    assert chosen == sample(ITEMS[::-1], 3)[::-1]


def test_one_in_one_is_all():
    assert sample(ITEMS, 1) == ITEMS


@pytest.mark.parametrize("sizes", [(5, 3, 3, 5), (8, 5, 3), (2, 2, 2, 2, 2), (4, 7)], ids=str)
def test_each_two_values_meet(sizes):
    """They do in few items: no fewer than the two longest lists need, and less than double that number."""
    items = [ItemOfProduct(indices) for indices in itertools.product(*map(range, sizes))]
    chosen = cover_pairs(items)
    assert chosen == [item for item in items if item in chosen]
    pairs = [set().union(*map(pairs_of_parameters, some)) for some in (items, chosen)]
    assert pairs[0] == pairs[1]
    least = math.prod(sorted(sizes)[-2:])
    assert least <= len(chosen) < 2 * least


def test_one_parameter_has_no_pairs():
    """All of its values occur."""
    items = [ItemOfProduct((index,)) for index in range(6)]
    assert cover_pairs(items) == items


def test_options_without_a_folder():
    """The value of an option is not taken for a folder of tests, which would have hidden the options' file."""
    root = Path(__file__).parents[3]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "--one-in", "7", "--markers"]
    result = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(("failures", "left"), [(0, []), (1, ["test_a0", "test_a0/file"])])
def test_files_of_a_run(monkeypatch, tmp_path, failures, left):
    """A run without failures leaves no file in memory, one with failures the files of tests, but no kernels."""
    monkeypatch.setattr(conftest, "MEMORY", tmp_path)
    folder = tmp_path / f"{conftest.NAME}{os.getpid()}" / "popen-gw0"
    for name in ("test_a0", f"{conftest.KERNELS}0"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").touch()
    config = SimpleNamespace(
        option=SimpleNamespace(basetemp=str(folder.parent)),
        pluginmanager=SimpleNamespace(get_plugin=lambda name: SimpleNamespace(testsfailed=failures)),
    )
    conftest.pytest_unconfigure(config)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) == left
