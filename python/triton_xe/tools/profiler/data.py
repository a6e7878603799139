# SPDX-License-Identifier: MIT
"""Access the data of open sessions with `data="tree"`, with the interface of `triton.profiler.data`.

The data are kept by phases. The program begins a phase with `advance_phase`.
"""

from __future__ import annotations

from typing import Any

from triton_xe.tools.profiler import sessions, tree


def get(session: int | None = 0, phase: int = 0) -> list[dict[str, Any]] | None:
    """Return the tree of a phase, and the table of devices, as in files. Waits for devices."""
    return None if session is None else sessions.find(session).database(phase)


def get_msgpack(session: int | None = 0, phase: int = 0) -> bytes | None:
    """Return the same data in MessagePack."""
    return None if session is None else tree.to_msgpack(sessions.find(session).database(phase))


def advance_phase(session: int | None = 0) -> int | None:
    """Begin a phase, and return its number."""
    return None if session is None else sessions.find(session).advance()


def is_phase_complete(session: int | None = 0, phase: int = 0) -> bool:
    """Return whether a phase is complete: another one has begun, and no device works on its launches."""
    return session is not None and sessions.find(session).is_complete(phase)


def clear(session: int | None = 0, phase: int = 0, clear_up_to_phase: bool = False) -> None:
    """Delete the data of a phase, or of all phases up to it."""
    if session is not None:
        sessions.find(session).clear(phase, clear_up_to_phase)
