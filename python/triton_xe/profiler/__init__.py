"""Profiles inside of kernels, in the place of `triton.profiler`: `import triton_xe.profiler as proton`."""

from __future__ import annotations

import importlib
from typing import Any

#: By the module that has them.
_PUBLIC = {
    "sessions": ("DEFAULT_PROFILE_NAME", "activate", "deactivate", "finalize", "profile", "start"),
    "host_scopes": (
        *("cpu_timed_scope", "enter_scope", "exit_scope", "scope"),
        *("enter_state", "exit_state", "state"),
    ),
}
__all__ = sorted(name for names in _PUBLIC.values() for name in names)


def __getattr__(name: str) -> Any:
    # Triton imports this package with the backend; what sessions need is not loaded before there is one.
    for module, names in _PUBLIC.items():
        if name in names:
            return getattr(importlib.import_module(f"triton_xe.profiler.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
