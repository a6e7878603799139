# SPDX-License-Identifier: MIT
"""Use call stacks of Python as paths in profiles (`context="python"`)."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = str(Path(__file__).parents[1])


def capture() -> tuple[str, ...]:
    """Return the functions that this thread is in, the outermost first, in the form `file:line@function` of Triton's
    profiler.

    Functions of this package are left out.
    """
    names: list[str] = []
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            names.append(f"{code.co_filename}:{frame.f_lineno}@{code.co_name}")
        frame = frame.f_back
    return tuple(reversed(names))
