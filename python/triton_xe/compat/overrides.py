# SPDX-License-Identifier: MIT
"""Read IR of our own stages that a user has edited (`TRITON_KERNEL_OVERRIDE`, the launch option `ir_override`).

Triton lets a file replace the result of a stage, and reads it by its suffix: `.ttgir` with the wheel's MLIR, which does
not know the `ttig` dialect, and `.spv` not at all. Our next stage needs the text or the bytes as they are. This module
therefore reads the files for our stages; Triton still reads the files for other backends.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triton.compiler import compiler as triton_compiler

from triton_xe import errors, seals
from triton_xe.compat import changes

#: Stages whose result Triton cannot read, and whether it is binary.
OWN_STAGES = {"ttgir": False, "spv": True, "obj": True, "zebin": True, "isa": False}

#: The entry of the metadata of a kernel with a stage from a file. Triton's cache key does not depend on the file.
OVERRIDDEN = "overridden"

#: The stage that this thread has just finished, whether its result is launched, and the metadata of the compilation.
#: The file that Triton reads next replaces the result.
_finished = threading.local()


def mark_finished(name: str, stage: Callable[[Any, Any], Any], *, is_launched: bool) -> Callable[[Any, Any], Any]:
    """Return a stage that records that the last result of this thread is its own, and whether it is launched."""

    @functools.wraps(stage)
    def run(source: Any, metadata: Any) -> Any:
        result = stage(source, metadata)
        _finished.name, _finished.is_launched, _finished.metadata = name, is_launched, metadata
        return result

    return run


def install() -> None:
    """Replace Triton's reading of files for our stages. A second call does nothing."""
    changes.replace(triton_compiler, "parse", _reading_ours)


def _reading_ours(stock: Callable[[str, str, Any], Any]) -> Callable[[str, str, Any], Any]:
    """Return Triton's function, extended to read files of our stages."""

    @functools.wraps(stock)
    def parse(full_name: str, ext: str, context: Any) -> Any:
        finished, _finished.name = getattr(_finished, "name", None), None
        if finished == ext:
            _finished.metadata[OVERRIDDEN] = True
        if finished != ext or ext not in OWN_STAGES:
            return stock(full_name, ext, context)
        try:
            content = Path(full_name).read_bytes()
            result = content if OWN_STAGES[ext] else content.decode()
        except (OSError, UnicodeDecodeError) as error:
            raise errors.OptionError(f"cannot read `{full_name}`, which overrides stage `{ext}`: {error}") from error
        if _finished.is_launched:
            seals.seal_binary(_finished.metadata, content)
        return result

    return parse
