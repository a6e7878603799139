# SPDX-License-Identifier: MIT
"""Find the kernels that a script launches."""

from __future__ import annotations

import sys
from typing import Any

import triton
from triton.compiler import CompiledKernel

from triton_xe import errors, scripts
from triton_xe.scripts import Script


def _loading() -> CompiledKernel | None:
    """Find the kernel that is being loaded. It knows its constants, unlike its files, but hooks are called without
    it."""
    frame = sys._getframe(1)
    while frame is not None:
        if isinstance(kernel := frame.f_locals.get("self"), CompiledKernel):
            return kernel
        frame = frame.f_back
    return None


def run(script: Script, name: str | None = None) -> list[Any]:
    """Execute a script, and return the kernels that it launches, in the order of their first launches; every
    configuration of a kernel (types, constants, options) counts. With `name`, returns only kernels of that name.

    Raises OptionError if there is no such script; ScriptError if it fails, or launches no kernel.
    """
    script.check()
    found: dict[str, Any] = {}

    def remember(_module: object, _function: object, kernel: str, files: Any, key: str) -> None:
        if name in (None, kernel):
            found.setdefault(key, _loading() or CompiledKernel(None, files, key))

    hooks = triton.knobs.runtime.kernel_load_end_hook
    hooks.add(remember)
    try:
        script.run()
    except SystemExit as error:
        if error.code not in (None, 0):
            raise errors.ScriptError(f"`{script.name}` ended with {error.code!r}") from error
    except Exception as error:
        raise errors.ScriptError(f"`{script.name}` failed:\n{scripts.explain(error)}") from error
    finally:
        hooks.remove(remember)
    if not found:
        what = "no kernel" if name is None else f"no kernel `{name}`"
        raise errors.ScriptError(f"`{script.name}` launches {what}")
    return list(found.values())
