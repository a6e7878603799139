"""Profiles inside of kernels, in the place of `triton.profiler`: `import triton_xe.profiler as proton`."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["DEFAULT_PROFILE_NAME", "activate", "deactivate", "finalize", "start"]


def __getattr__(name: str) -> Any:
    # Triton imports this package with the backend; what sessions need is not loaded before there is one.
    if name in __all__:
        return getattr(importlib.import_module("triton_xe.profiler.sessions"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
