# SPDX-License-Identifier: MIT
"""Write tables between marks in pages of the documentation: `<!-- name: begin -->` and `<!-- name: end -->`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def put(text: str, name: str, table: str) -> str:
    """Return a page with another table of this name. Raises ValueError for a page without the marks."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return before + begin + table + end + after


def update(page: Path, tables: Mapping[str, str], *, script: str, check: bool) -> bool:
    """Write the tables into a page, or only check it. Return whether it has them then; a message names the script."""
    text = page.read_text()
    updated = text
    for name, table in tables.items():
        updated = put(updated, name, table)
    if check and updated != text:
        print(f"{page}: the tables are not up to date: run scripts/{script}", file=sys.stderr)
        return False
    if updated != text:
        page.write_text(updated)
    return True
