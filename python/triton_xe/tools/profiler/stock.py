# SPDX-License-Identifier: MIT
"""Route `triton.profiler` at its first session, for programs that know nothing of this package.

Without this, Triton's own profiler would only report that it has no backend for our devices. Few programs need it: its
module is changed when a program imports it (`import_watch`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from triton_xe.compat import changes


def change(module: ModuleType) -> None:
    """Route the profiler at the first session of `triton.profiler.profile`, which has just been imported."""
    changes.replace(module, "start", _routing)


def _routing(start: Callable) -> Callable:
    """Return the function that starts a session, extended to route the profiler before."""

    @functools.wraps(start)
    def start_routed(*arguments: Any, **named: Any) -> Any:
        _route()
        return start(*arguments, **named)

    return start_routed


def _route() -> None:
    """Route the profiler if one of our devices is active, unless the program has restored it or disabled measuring."""
    from triton import knobs
    from triton.profiler.flags import flags

    from triton_xe.tools.profiler import routing

    if not (flags.command_line or knobs.proton.disable or routing.is_restored()):
        routing.route()
