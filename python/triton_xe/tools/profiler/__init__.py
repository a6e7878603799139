# SPDX-License-Identifier: MIT
"""Profile kernels with the interface of `triton.profiler`: `import triton_xe.tools.profiler as proton`."""

from __future__ import annotations

import importlib
from typing import Any

#: The public names, by the module that has them.
_PUBLIC = {
    "sessions": ("DEFAULT_PROFILE_NAME", "activate", "deactivate", "finalize", "profile", "start"),
    "host_scopes": (
        *("cpu_timed_scope", "enter_scope", "exit_scope", "scope"),
        *("enter_state", "exit_state", "metadata_state", "state"),
    ),
    "routing": ("restore", "route"),
}
_MODULES = ("context", "data", "hooks", "mode", "specs", "viewer")
#: The modules of Triton's own profiler that serve here, too.
_TRITON_MODULES = ("flags", "language")
#: The reasons why some of Triton's names are not here.
_ABSENT = {
    "configure_runtime": "it loads libraries of AMD GPUs",
    "metric": "tensors are metrics without kernels that copy them: `scope(name, {metric: tensor})`",
    "proton": "the command line of profiles is `triton-xe profile`",
}
__all__ = sorted((*(name for names in _PUBLIC.values() for name in names), *_MODULES, *_TRITON_MODULES))


def __dir__() -> list[str]:
    # The names that are loaded on request are not in the module yet.
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    # Triton imports this package with the backend; what sessions need is not loaded before there is one.
    for module, names in _PUBLIC.items():
        if name in names:
            return getattr(importlib.import_module(f"triton_xe.tools.profiler.{module}"), name)
    if name in _MODULES:
        return importlib.import_module(f"triton_xe.tools.profiler.{name}")
    if name in _TRITON_MODULES:
        return importlib.import_module(f"triton.profiler.{name}")
    reason = f": {_ABSENT[name]}" if name in _ABSENT else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{reason}")
