# SPDX-License-Identifier: MIT
"""The tables of docs/guides/tune-for-arc.md are what the script makes that they name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support import needs_ocloc

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import arc_guide

#: A row of each table that takes little time.
ROWS = {
    "tiles": lambda: arc_guide.describe_tile((64, 64, 32, 8), (1024, 1024, 1024)),
    "sub-groups": lambda: arc_guide.describe_row(1000, 4),
    "padding": lambda: arc_guide.describe_depth(1008),
}


@needs_ocloc
@pytest.mark.parametrize("table", arc_guide.TABLES)
def test_tables(table: str) -> None:
    """A row of each is measured again; `benchmarks/arc_guide.py --write` makes all of them."""
    rows = arc_guide.find_table(table, arc_guide.PAGE.read_text())[1].splitlines()
    assert arc_guide.format_table([], [ROWS[table]()]).splitlines()[-1] in rows
