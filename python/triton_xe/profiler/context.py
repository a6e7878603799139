# SPDX-License-Identifier: MIT
"""Where this thread is, as `triton.profiler.context` tells it."""

from __future__ import annotations

from triton_xe.profiler import host_scopes, sessions


def depth(session: int | None = 0) -> int | None:
    """How many scopes (`context="python"`: functions) are around a launch of this thread; None without a session."""
    if session is None or not sessions.is_open():
        return None
    return len(sessions.find(session).place(host_scopes.current_path()))
