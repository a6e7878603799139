# SPDX-License-Identifier: MIT
"""The part of a kernel's key that identifies this compiler: a hash of all files that can change the kernel's code."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
from pathlib import Path

from triton_xe import build_id

#: The folder of the package, and the one in it of which no file changes code: the core imports no tool.
PACKAGE, TOOLS = Path(__file__).parent, "tools"
#: The extension modules that compile.
_COMPILERS = ("_compiler", "_cpu")


def sources(package: Path) -> list[Path]:
    """Return the files of Python that can change the code of a kernel, in the folder of a package."""
    return sorted(path for path in package.rglob("*.py") if path.relative_to(package).parts[0] != TOOLS)


@functools.cache
def key(library: Path, package: Path = PACKAGE) -> str:
    """Return a hash of all files that can change the code of a kernel, without loading them.

    `library` is the bitcode of the device library. Of extension modules the linker's hash is enough.
    """
    digest = hashlib.sha256()
    for distribution in ("triton", "triton-xe"):
        digest.update(importlib.metadata.version(distribution).encode())
    for path in sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(library.read_bytes())
    for module in (importlib.util.find_spec(f"triton_xe.{name}") for name in _COMPILERS):
        if module and module.origin:
            digest.update(module.name.encode())
            digest.update(build_id.fingerprint(Path(module.origin)))
    return digest.hexdigest()
