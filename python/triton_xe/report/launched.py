# SPDX-License-Identifier: MIT
"""Find the kernels that a script launches."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import triton
from triton.compiler import CompiledKernel

from triton_xe import errors


def _loading() -> CompiledKernel | None:
    """Find the kernel that is being loaded. It knows its constants, unlike its files, but hooks are called without
    it."""
    frame = sys._getframe(1)
    while frame is not None:
        if isinstance(kernel := frame.f_locals.get("self"), CompiledKernel):
            return kernel
        frame = frame.f_back
    return None


def check(script: Path) -> None:
    """Raise OptionError if there is no such script."""
    if not script.is_file():
        raise errors.OptionError(f"there is no file `{script}`")


def run(script: Path, arguments: Sequence[str], name: str | None = None) -> list[Any]:
    """Execute a script as `python script.py arguments` does, and return the kernels that it launches, in the order of
    their first launches; every configuration of a kernel (types, constants, options) counts. With `name`, returns only
    kernels of that name.

    Raises OptionError if there is no such script; ScriptError if it fails, or launches no kernel.
    """
    check(script)
    found: dict[str, Any] = {}

    def remember(_module: object, _function: object, kernel: str, files: Any, key: str) -> None:
        if name in (None, kernel):
            found.setdefault(key, _loading() or CompiledKernel(None, files, key))

    saved = sys.argv, sys.path[:]
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.parent))
    hooks = triton.knobs.runtime.kernel_load_end_hook
    hooks.add(remember)
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as error:
        if error.code not in (None, 0):
            raise errors.ScriptError(f"`{script}` ended with {error.code!r}") from error
    except Exception as error:
        raise errors.ScriptError(f"`{script}` failed: {type(error).__name__}: {error}") from error
    finally:
        hooks.remove(remember)
        sys.argv, sys.path[:] = saved
    if not found:
        what = "no kernel" if name is None else f"no kernel `{name}`"
        raise errors.ScriptError(f"`{script}` launches {what}")
    return list(found.values())
