# SPDX-License-Identifier: MIT
"""The name that a word which is none was probably meant for."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping


def suggest(word: str, names: Iterable[str] | Mapping[str, str]) -> str:
    """Return `: did you mean ...?` with the nearest name, in quotes or as a mapping has it; an empty text if none is
    near."""
    known = names if isinstance(names, Mapping) else {name: f"`{name}`" for name in names}
    nearest = difflib.get_close_matches(word, known, n=1)
    return f": did you mean {known[nearest[0]]}?" if nearest else ""
