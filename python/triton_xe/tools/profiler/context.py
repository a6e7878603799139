# SPDX-License-Identifier: MIT
"""Mark the scopes of this thread, as `triton.profiler.context` does."""

from __future__ import annotations

from triton_xe.tools.profiler import scope_stack, sessions


def depth(session: int | None = 0) -> int | None:
    """Return how many scopes (`context="python"`: functions) are around a launch in this thread; None without a
    session."""
    if session is None or not sessions.is_open():
        return None
    return len(sessions.find(session).place(scope_stack.current_path()))
