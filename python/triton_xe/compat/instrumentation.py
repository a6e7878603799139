# SPDX-License-Identifier: MIT
"""Decide whether the scopes of a kernel become records. Its option `instrumentation_mode` decides, which is part of the
cache key of the kernel.

Triton's language reads a flag of the process instead. A session of another thread may change this flag between the
choice of the key and the compilation, so that later launches without records would find a kernel with records.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from triton_xe.compat import changes


class _Compilation(threading.local):
    """The compilation of this thread for one of our devices; None if there is none."""

    is_instrumented: bool | None = None


_compilation = _Compilation()


class _Flags:
    """Triton's flags, with the values that our compilations need."""

    def __init__(self, flags: Any) -> None:
        self._flags = flags

    @property
    def instrumentation_on(self) -> bool:
        wanted = _compilation.is_instrumented
        return self._flags.instrumentation_on if wanted is None else wanted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._flags, name)


def begin(mode: str) -> None:
    """Set the flags with which this thread makes the IR of a kernel: with records unless `mode` is empty."""
    language = sys.modules.get("triton.profiler.language")
    if language is None:
        # A kernel cannot have scopes then.
        return
    if not isinstance(language.flags, _Flags):
        changes.put(language, "flags", _Flags(language.flags))
    _compilation.is_instrumented = bool(mode)


def end() -> None:
    """Reset the flags after this thread has made the IR."""
    _compilation.is_instrumented = None
