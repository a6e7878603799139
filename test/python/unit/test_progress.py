# SPDX-License-Identifier: MIT
"""The line that shows how far a long work has come."""

import io
import sys

from triton_xe.tools import progress


def test_progress(monkeypatch):
    """The line is written again on a terminal, and is no longer than that."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "_PERIOD", 0)
    line = progress.Progress()
    line.show("1 launch of one")
    monkeypatch.setenv("COLUMNS", "25")
    line.show("2 launches of a kernel that is long")
    line.clear()
    parts = sys.stderr.getvalue().split("\r\x1b[2K")
    assert parts == ["", "1 launch of one", "2 launches of a kernel t", ""]


def test_no_terminal(monkeypatch):
    """Nothing is written to a file."""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(progress, "_PERIOD", 0)
    line = progress.Progress()
    line.show("1 launch of one")
    line.clear()
    assert sys.stderr.getvalue() == ""
