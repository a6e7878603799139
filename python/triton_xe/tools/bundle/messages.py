# SPDX-License-Identifier: MIT
"""Messages about bundles. A process that runs for months prints each of them once."""

from __future__ import annotations

import sys

_said: set[str] = set()


def print_once(text: str) -> None:
    """Print a line to stderr, unless this process has printed it before."""
    if text not in _said:
        _said.add(text)
        # A name in a damaged manifest may have any letters.
        shown = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)
        print(f"triton-xe: {shown}", file=sys.stderr)
