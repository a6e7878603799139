# SPDX-License-Identifier: MIT
"""Keep a kernel in which a compiler crashed, ours or a device's, and make the error that reports it."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from triton_xe import errors


def crash_error(what: str, name: str, spirv: bytes) -> errors.DeviceCompilerError:
    """Return the error for a device's compiler that crashed in the kernel `name`, or did not end, and keep the SPIR-V
    in a file."""
    try:
        path = save(f"{name}.spv", spirv)
    except OSError as error:
        return errors.DeviceCompilerError(f"{what} in kernel `{name}`, whose SPIR-V cannot be saved: {error}")
    return errors.DeviceCompilerError(f"{what} in kernel `{name}`; its SPIR-V is `{path}`")


def compiler_crash(what: str, diagnostics: Sequence[object], text: str, command: str) -> errors.CompileError:
    """Return the error for our own compiler, which read `text`. `command` repeats the crash for the file in place of
    {}."""
    try:
        path = save("kernel.ll" if "define " in text else "kernel.mlir", text.encode())
        advice = f"this shows it again: {command.replace('{}', shlex.quote(str(path)))}"
    except OSError as error:
        advice = f"what shows it again cannot be saved: {error}"
    message = f"{what}, which is a bug of triton-xe; {advice}"
    places = [errors.Diagnostic.from_native(native).locations for native in diagnostics]
    return errors.CompileError(message, [errors.Diagnostic("error", message, locations) for locations in places])


def save(name: str, content: bytes) -> Path:
    """Write a file to a new folder, which is kept. Raises `OSError`."""
    path = Path(tempfile.mkdtemp(prefix="triton-xe-crash-")) / name
    path.write_bytes(content)
    return path
