# SPDX-License-Identifier: MIT
"""A line on the terminal that shows how far a long work has come."""

from __future__ import annotations

import shutil
import sys
import time

#: Seconds between two texts.
_PERIOD = 0.1
#: Back to the beginning of the line, and clear it.
_CLEAR = "\r\x1b[2K"


class Progress:
    """A line of stderr that is rewritten; nothing where stderr is no terminal."""

    def __init__(self) -> None:
        self.is_shown = sys.stderr.isatty()
        self._last = 0.0

    def show(self, text: str) -> None:
        """Show a text, at most ten times in a second."""
        now = time.monotonic()
        if self.is_shown and now - self._last > _PERIOD:
            self._last = now
            text = text[: shutil.get_terminal_size().columns - 1]
            print(f"{_CLEAR}{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the text, for other output."""
        if self._last:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
