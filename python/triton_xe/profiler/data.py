# SPDX-License-Identifier: MIT
"""The data of sessions with `data="tree"` while they last, as `triton.profiler.data` gives them.

They are kept by phases, which begin when the program says so (`advance_phase`).
"""

from __future__ import annotations

from typing import Any

from triton_xe.profiler import sessions, tree


def get(session: int | None = 0, phase: int = 0) -> list[dict[str, Any]] | None:
    """The tree of a phase, and the table of devices, as in files. Waits for devices."""
    return None if session is None else sessions.find(session).database(phase)


def get_msgpack(session: int | None = 0, phase: int = 0) -> bytes | None:
    """The same in MessagePack."""
    return None if session is None else tree.to_msgpack(sessions.find(session).database(phase))


def advance_phase(session: int | None = 0) -> int | None:
    """Begin a phase; returns its number."""
    return None if session is None else sessions.find(session).advance()


def is_phase_complete(session: int | None = 0, phase: int = 0) -> bool:
    """Whether nothing will be added to a phase: another one has begun, and no device works on it."""
    return session is not None and sessions.find(session).is_complete(phase)


def clear(session: int | None = 0, phase: int = 0, clear_up_to_phase: bool = False) -> None:
    """Forget a phase, or all until then."""
    if session is not None:
        sessions.find(session).clear(phase, clear_up_to_phase)
