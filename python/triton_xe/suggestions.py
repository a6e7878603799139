# SPDX-License-Identifier: MIT
"""The name that a word which is none was probably meant for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping


def suggest(word: str, names: Iterable[str] | Mapping[str, str], nearness: float = 0.6) -> str:
    """Return `: did you mean ...?` with the nearest name, in quotes or as a mapping has it; an empty text if none is
    as near as that: the share of letters that both have in the same order."""
    known = names if isinstance(names, Mapping) else {name: f"`{name}`" for name in names}
    nearest = difflib.get_close_matches(word, known, n=1, cutoff=nearness)
    return f": did you mean {known[nearest[0]]}?" if nearest else ""
