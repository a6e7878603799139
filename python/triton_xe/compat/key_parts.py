# SPDX-License-Identifier: MIT
"""Remember what Triton makes a kernel's cache key of. Triton hashes the parts, and keeps only the result.

A kernel's metadata record the parts, so that others can make the same key, and report which part of another key
differs.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from triton_xe import errors
from triton_xe.compat import changes


@dataclass(frozen=True)
class Parts:
    """The arguments of Triton's function that makes keys."""

    source: Any
    backend: Any
    options: Any
    environment: Mapping[str, str]


#: The parts of the last key that this thread has made.
_last = threading.local()


def install() -> None:
    """Remember the parts of keys. A Triton without such a function stays as it is."""
    from triton.compiler import compiler as triton_compiler

    with contextlib.suppress(errors.CompatibilityError):
        changes.replace(triton_compiler, "get_cache_key", _remembering)


def _remembering(stock: Callable[..., str]) -> Callable[..., str]:
    """Return Triton's function, extended to remember its arguments."""

    @functools.wraps(stock)
    def get_cache_key(src: Any, backend: Any, backend_options: Any, env_vars: Mapping[str, str]) -> str:
        _last.parts = Parts(src, backend, backend_options, env_vars)
        return stock(src, backend, backend_options, env_vars)

    return get_cache_key


def last() -> Parts | None:
    """Return the parts of the last key that this thread has made; None if it has made none."""
    return getattr(_last, "parts", None)
