# SPDX-License-Identifier: MIT
"""IR of our own stages that a user edited (`TRITON_KERNEL_OVERRIDE`, the launch option `ir_override`).

Triton lets a file take the place of a stage's result, and reads it by its suffix: `.ttgir` with the wheel's MLIR, which
does not know the `ttig` dialect, and `.spv` not at all. The next stage of ours wants the text or the bytes as they are,
so the reading of files for our own stages is taken over; files for other backends are read as ever.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triton.compiler import compiler as triton_compiler

from triton_xe import errors

#: Stages whose result Triton cannot read, and whether it is binary.
OWN_STAGES = {"ttgir": False, "spv": True, "obj": True, "zebin": True, "isa": False}

#: The stage of ours that this thread has just finished: what Triton reads next takes its place.
_finished = threading.local()

_lock = threading.Lock()


def mark_finished(name: str, stage: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A stage that remembers that the last result of this thread is its own."""

    @functools.wraps(stage)
    def run(source: Any, metadata: Any) -> Any:
        result = stage(source, metadata)
        _finished.name = name
        return result

    return run


def install() -> None:
    """Take over the reading of files for our stages; harmless when done twice."""
    with _lock:
        stock = triton_compiler.parse
        if getattr(stock, "reads_triton_xe", False):
            return

        @functools.wraps(stock)
        def parse(full_name: str, ext: str, context: Any) -> Any:
            finished, _finished.name = getattr(_finished, "name", None), None
            if finished != ext or ext not in OWN_STAGES:
                return stock(full_name, ext, context)
            try:
                content = Path(full_name).read_bytes()
                return content if OWN_STAGES[ext] else content.decode()
            except (OSError, UnicodeDecodeError) as error:
                raise errors.OptionError(
                    f"cannot read `{full_name}`, which overrides stage `{ext}`: {error}"
                ) from error

        parse.reads_triton_xe = True
        triton_compiler.parse = parse
