# SPDX-License-Identifier: MIT
"""Write the table of docs/Inductor.md, of what ran, from the statements of the tests of Inductor.

    .venv/bin/python scripts/inductor_table.py           # update docs/Inductor.md
    .venv/bin/python scripts/inductor_table.py --check   # fail when it is not up to date

A test names a feature, and the ways that it was run, by the mark `shows` (test/python/conftest.py).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "Inductor.md"
FEATURES = ROOT / "test" / "python" / "e2e" / "inductor_features"

BEGIN, END = "<!-- features: begin -->\n", "<!-- features: end -->\n"
WAYS = ("forward", "backward", "dynamic")


class Collector:
    """Collects the marks of all tests without running them."""

    def __init__(self) -> None:
        self.ways: dict[str, set[str]] = defaultdict(set)
        self.remarks: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read the marks of the tests, once pytest has found them."""
        for item in items:
            for mark in item.iter_markers("shows"):
                feature, *ways = mark.args
                if unknown := set(ways) - set(WAYS):
                    raise pytest.UsageError(f"{item.nodeid}: expected {', '.join(WAYS)}, found {', '.join(unknown)}")
                self.ways[feature].update(ways)
                if remark := mark.kwargs.get("remark"):
                    self.remarks[feature] = remark


def write_table(collector: Collector) -> str:
    """Write one row for each feature, those of a kind together."""
    rows = ["| feature | " + " | ".join(WAYS) + " | remark |\n", "|---|" + "---|" * (len(WAYS) + 1) + "\n"]
    kinds: dict[str, list[str]] = defaultdict(list)
    for feature in collector.ways:
        kind, colon, _ = feature.partition(": ")
        kinds[kind if colon else ""].append(feature)
    for kind in sorted(kinds):
        for feature in sorted(kinds[kind]):
            ways = ["yes" if way in collector.ways[feature] else "" for way in WAYS]
            rows.append(f"| {feature} | {' | '.join(ways)} | {collector.remarks.get(feature, '')} |\n")
    return "".join(rows)


def main() -> int:
    """Update or check the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    collector = Collector()
    files = [
        str(file)
        for file in sorted(FEATURES.glob("*.py"))
        if file.name not in ("changes.py", "checking.py", "enabling.py", "table.py")
    ]
    with contextlib.redirect_stdout(io.StringIO()) as output:
        status = pytest.main(["-q", "--collect-only", "--full", "-p", "no:cacheprovider", *files], plugins=[collector])
    if status:
        print(output.getvalue(), file=sys.stderr)
        return int(status)
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    updated = before + BEGIN + write_table(collector) + END + after
    if check and updated != text:
        print("docs/Inductor.md: the table is not up to date: run scripts/inductor_table.py", file=sys.stderr)
        return 1
    PAGE.write_text(updated)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
