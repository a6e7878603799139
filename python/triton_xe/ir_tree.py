# SPDX-License-Identifier: MIT
"""The folders to which `TRITON_XE_IR_TREE` writes the IR after each pass.

    folder/matmul-1f0c9a22/ttgir/builtin_module_no-symbol-name/0_triton-intel-decompose-dots.mlir

Each compilation of a kernel has a folder, named with the hash that Triton gives it, and each stage has a folder in
that. A stage that runs again, with another number of registers or in another process, gets a new folder such as
`ttgir-2`, so nothing is overwritten.
"""

from __future__ import annotations

import contextlib
import contextvars
import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from triton_xe import errors

#: The hash of the running compilation, if Triton runs it. Each thread has its own, since several may compile.
_compilation: contextvars.ContextVar[str] = contextvars.ContextVar("compilation", default="")


@contextlib.contextmanager
def compiling(metadata: Mapping[str, Any]) -> Iterator[None]:
    """Return the compilation that the metadata belongs to."""
    token = _compilation.set(metadata.get("hash", ""))
    try:
        yield
    finally:
        _compilation.reset(token)


def within_compilation(stage: Callable[[Any, dict], Any]) -> Callable[[Any, dict], Any]:
    """Return a stage that remembers its compilation while it runs."""

    def run(source: Any, metadata: dict[str, Any]) -> Any:
        with compiling(metadata):
            return stage(source, metadata)

    return run


def make_folder(root: str, module: Any, pipeline: str) -> str:
    """Make a new folder for the IR of a pipeline. Returns "" if there is no root."""
    if not root:
        return ""
    kernels = [kernel.name for kernel in module.kernels()]
    compilation = _compilation.get() or hashlib.sha256(module.to_text(debug_info=False).encode()).hexdigest()
    parent = Path(root, f"{kernels[0] if kernels else 'module'}-{compilation[:8]}")
    named = re.match(r"triton-xe-(\w+)-pipeline", pipeline)
    stage = named[1] if named else "passes"
    for number in itertools.count(1):
        folder = parent / (stage if number == 1 else f"{stage}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise errors.FileError(f"cannot write IR to `{folder}`: {error.strerror}") from error
        return str(folder)
    raise AssertionError("numbers do not end")
