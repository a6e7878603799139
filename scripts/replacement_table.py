# SPDX-License-Identifier: MIT
"""Write the tables of docs/reference/replaced.md, of what is replaced in Triton and torch, from `triton_xe.compat`.

.venv/bin/python scripts/replacement_table.py           # update the page
.venv/bin/python scripts/replacement_table.py --check   # fail when it is not up to date
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import marked_tables

from triton_xe.compat import table
from triton_xe.compat.entries import Entry

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "replaced.md"


def describe_symbols(entries: list[Entry]) -> str:
    """Return the symbols of a row; those that not all versions have are followed by the versions."""
    common = max((entry.versions for entry in entries), key=len)
    return ", ".join(
        f"`{entry.symbol}`" + ("" if entry.versions == common else f" ({', '.join(entry.versions)})")
        for entry in entries
    )


def write_table(package: str) -> str:
    """Write one row for the symbols that are replaced for one reason."""
    rows = defaultdict(list)
    for entry in table.ALL:
        if entry.package == package:
            rows[entry.reason, entry.until].append(entry)
    lines = ["| why | versions | symbols | what would make it unnecessary |", "|---|---|---|---|"]
    for (reason, until), entries in rows.items():
        versions = sorted({version for entry in entries for version in entry.versions})
        lines.append(f"| {reason} | {', '.join(versions)} | {describe_symbols(entries)} | {until} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Update or check the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    tables = {package: write_table(package) for package in ("triton", "torch")}
    check = parser.parse_args().check
    return 0 if marked_tables.update(PAGE, tables, script="replacement_table.py", check=check) else 1


if __name__ == "__main__":
    sys.exit(main())
