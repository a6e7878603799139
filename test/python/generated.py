# SPDX-License-Identifier: MIT
"""Kernels whose text is made by a test: Triton wants to find a kernel's source in a file."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

_HEADER = "import triton\nimport triton.language as tl\n"


@cache
def _folder() -> Path:
    # Kept for as long as the process lives: errors quote the source.
    return Path(tempfile.mkdtemp(prefix="triton-xe-kernels-"))


@cache
def kernel_from_source(text: str, preamble: str = "") -> Any:
    """Return the kernel `def kernel(...): ...` in `text`; `preamble` has what it calls."""
    return load_source(f"{_HEADER}{preamble}\n\n@triton.jit\n{text}", {}).kernel


def load_source(text: str, names: Mapping[str, Any]) -> ModuleType:
    """Return the module with this text, which may use `names`."""
    name = f"generated_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    path = _folder() / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update({key: value for key, value in names.items() if not key.startswith("__")})
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
