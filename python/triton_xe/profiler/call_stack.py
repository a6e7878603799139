# SPDX-License-Identifier: MIT
"""Stacks of Python as paths in profiles (`context="python"`)."""

from __future__ import annotations

import sys
from pathlib import Path

_PACKAGE = str(Path(__file__).parents[1])


def capture() -> tuple[str, ...]:
    """The functions that this thread is in, the outermost first, as `file:line@function`: Triton's profiler's spelling.

    Without those of this package, through which a launch gets here.
    """
    names: list[str] = []
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            names.append(f"{code.co_filename}:{frame.f_lineno}@{code.co_name}")
        frame = frame.f_back
    return tuple(reversed(names))
