# SPDX-License-Identifier: MIT
"""Whether the scopes of a kernel become records: its option `instrumentation_mode` says so, which is part of the key
that Triton keeps the kernel under.

Triton's language asks a flag of the process instead, which a session of another thread may change between the choice of
the key and the compilation: a kernel with records could be found again by launches that want none.
"""

from __future__ import annotations

import sys
import threading
from typing import Any


class _Compilation(threading.local):
    """What this thread compiles for a device of ours; None: nothing."""

    is_instrumented: bool | None = None


_compilation = _Compilation()


class _Flags:
    """Triton's flags as a compilation of ours sees them."""

    def __init__(self, flags: Any) -> None:
        self._flags = flags

    @property
    def instrumentation_on(self) -> bool:
        wanted = _compilation.is_instrumented
        return self._flags.instrumentation_on if wanted is None else wanted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._flags, name)


def begin(mode: str) -> None:
    """This thread is about to make the IR of a kernel, with records unless `mode` is empty."""
    language = sys.modules.get("triton.profiler.language")
    if language is None:
        # A kernel cannot have scopes then.
        return
    if not isinstance(language.flags, _Flags):
        language.flags = _Flags(language.flags)
    _compilation.is_instrumented = bool(mode)


def end() -> None:
    """The IR is made."""
    _compilation.is_instrumented = None
