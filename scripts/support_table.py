# SPDX-License-Identifier: MIT
"""Write the table of what of the language is supported, from the statements of the tests on what they cover.

    .venv/bin/python scripts/support_table.py           # update the page
    .venv/bin/python scripts/support_table.py --check   # fail when it is not up to date

A test names the operations and element types that it checks by a mark (test/python/support.py). An operation of
`triton.language` without a test is an error, unless it is listed here with the reason.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import marked_tables
import pytest
import triton.language as tl

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "python"))

from support import ELEMENT_TYPES  # noqa: E402

#: Names of `triton.language` that are no operations.
NOT_OPERATIONS = {
    *(
        "dtype",
        "block_type",
        "pointer_type",
        "pi32_t",
        "void",
        "const",
        "constexpr_type",
        "tensor",
        "tensor_descriptor",
    ),
    *(name for name in tl.__all__ if isinstance(getattr(tl, name), tl.dtype)),
    *("PropagateNan", "TRITON_MAX_TENSOR_NUMEL", "math", "extra", "target_info"),
}


def read_marks(items: list[pytest.Item]) -> dict[str, set[str]]:
    """Return the element types of each operation that the tests name."""
    covered: dict[str, set[str]] = defaultdict(set)
    for item in items:
        for mark in item.iter_markers("covers"):
            for name in mark.kwargs["names"]:
                covered[name].update(mark.kwargs["element_types"])
    return covered


class Collector:
    """Collects the marks of all tests without running them."""

    def __init__(self) -> None:
        self.covered: dict[str, set[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read the marks of the tests, once pytest has found them."""
        self.covered = read_marks(items)


def collect() -> dict[str, set[str]]:
    """Return the element types of each operation."""
    collector = Collector()
    arguments = ["--collect-only", "-qq", "--no-header", "-p", "no:cacheprovider", str(ROOT / "test" / "python")]
    code = pytest.main(arguments, plugins=[collector])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"pytest cannot collect the tests: {code}")
    return collector.covered


def describe(element_types: set[str]) -> str:
    """Return element types in the order of the table; runs of them shortened."""
    if not element_types:
        return "any"
    families = (
        ("all", ELEMENT_TYPES),
        ("all but fp8", ELEMENT_TYPES[:13]),
        ("numbers", ELEMENT_TYPES[1:13]),
        ("integers", ELEMENT_TYPES[1:9]),
        ("signed integers", ELEMENT_TYPES[1:5]),
        ("floats", ELEMENT_TYPES[9:13]),
    )
    words, left = [], set(element_types)
    for name, members in families:
        if left.issuperset(members):
            words.append(name)
            left -= set(members)
    return ", ".join([*words, *(name for name in ELEMENT_TYPES if name in left)])


def table(covered: dict[str, set[str]]) -> str:
    """Write one row per set of element types, operations in alphabetical order."""
    rows = defaultdict(list)
    for name, element_types in covered.items():
        rows[describe(element_types)].append(f"`{name.removeprefix('tl.')}`")
    lines = ["| element types | operations of `triton.language` |", "|---|---|"]
    for element_types, names in sorted(rows.items(), key=lambda row: (-len(row[1]), row[0])):
        lines.append(f"| {element_types} | {', '.join(sorted(names))} |")
    return "\n".join(lines) + "\n"


def update(covered: dict[str, set[str]], check: bool) -> int:
    """Write or check the table of these operations; non-zero when something is missing."""
    public = {f"tl.{name}" for name in set(tl.__all__) - NOT_OPERATIONS}
    if missing := sorted(public - covered.keys()):
        print(f"operations without a test: {', '.join(missing)}", file=sys.stderr)
    path = ROOT / "docs/reference/support.md"
    is_written = marked_tables.update(path, {"support table": table(covered)}, script="support_table.py", check=check)
    return 0 if is_written and not missing else 1


def main() -> int:
    """Write or check the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail when the table is not up to date")
    return update(collect(), parser.parse_args().check)


if __name__ == "__main__":
    sys.exit(main())
