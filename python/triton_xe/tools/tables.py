# SPDX-License-Identifier: MIT
"""Tables of text for the output of commands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def lay_out(head: Sequence[str], rows: Iterable[Sequence[object]], numbers: Collection[str] = ()) -> list[str]:
    """Return the lines of a table with these titles. Columns whose titles are among `numbers` are aligned to the
    right."""
    cells = [list(map(str, row)) for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    signs = [">" if title in numbers else "<" for title in head]
    return [
        "  ".join(f"{cell:{sign}{width}}" for cell, sign, width in zip(row, signs, widths, strict=True)).rstrip()
        for row in cells
    ]
