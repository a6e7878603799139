"""What is left of a kernel in which a device's compiler crashed."""

from __future__ import annotations

import tempfile
from pathlib import Path

from triton_xe import errors


def crash_error(what: str, name: str, spirv: bytes) -> errors.CompileError:
    """The error for a compiler that crashed in the kernel `name`; its SPIR-V goes to a file that stays."""
    folder = Path(tempfile.mkdtemp(prefix="triton-xe-crash-"))
    path = folder / f"{name}.spv"
    try:
        path.write_bytes(spirv)
    except OSError as error:
        return errors.CompileError(f"{what} in kernel `{name}`, whose SPIR-V cannot be saved: {error}")
    return errors.CompileError(f"{what} in kernel `{name}`; its SPIR-V is `{path}`")
