# SPDX-License-Identifier: MIT
"""Let compiled kernels have native code beside the binary that is launched.

Triton reads the files of a kernel as text, other than the one that is launched. `generate_native_code` adds a second
binary, which a file of text cannot hold.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from triton_xe.compat import changes

#: The name of the stage with native code, which is the suffix of its file.
STAGE = "zebin"


def install() -> None:
    """Let Triton's class for compiled kernels read native code. A second call does nothing."""
    from triton.compiler import compiler as triton_compiler

    changes.replace(triton_compiler.CompiledKernel, "__init__", _reading_native_code)


def _reading_native_code(stock: Callable[..., None]) -> Callable[..., None]:
    """Return Triton's method, extended to read files of native code as bytes."""

    @functools.wraps(stock)
    def init(self: Any, src: Any, metadata_group: Mapping[str, str], hash: str) -> None:  # noqa: A002
        others = {name: path for name, path in metadata_group.items() if not name.endswith(f".{STAGE}")}
        stock(self, src, others, hash)
        for name in metadata_group.keys() - others.keys():
            self.asm[STAGE] = Path(metadata_group[name]).read_bytes()
        self.metadata_group = metadata_group

    return init
