# SPDX-License-Identifier: MIT
"""Which of the tests of a run are left out: the options of conftest.py."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from conftest import sample


@dataclass(frozen=True)
class Item:
    """All that the selection looks at."""

    nodeid: str


ITEMS = [
    Item("a.py::test_alone"),
    *(Item(f"a.py::test_types[{dtype}-{size}]") for dtype in ("i8", "i16", "i32") for size in range(20)),
    *(Item(f"b.py::test_types[{dtype}]") for dtype in ("i8", "i16")),
]


@pytest.mark.parametrize("share", [2, 3, 20, 1000])
def test_a_sample_has_every_test(share):
    """One in so many of each test's sets of parameters, rounded up, in the order that they had."""
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
