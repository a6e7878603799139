# SPDX-License-Identifier: MIT
"""The table of everything that this package replaces in Triton and torch."""

from __future__ import annotations

from triton_xe.compat import torch_table, triton_table
from triton_xe.compat.entries import Entry

ALL = (*triton_table.ENTRIES, *torch_table.ENTRIES)

_by_symbol = {entry.symbol: entry for entry in ALL}


def find(symbol: str) -> Entry:
    """Return the entry of a symbol. Raises LookupError if there is none."""
    if symbol not in _by_symbol:
        raise LookupError(f"`{symbol}` is not in the table of what is replaced (triton_xe.compat.table)")
    return _by_symbol[symbol]
