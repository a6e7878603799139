# SPDX-License-Identifier: MIT
"""Let Triton's remote cache in Redis find its settings.

`RedisRemoteCacheBackend` reads them from `knobs.cache.redis`. They are in `knobs.redis`, so that it raises an
AttributeError wherever it is used.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from triton import knobs as triton_knobs
from triton.runtime import cache

from triton_xe import errors
from triton_xe.compat import changes


def install() -> None:
    """Let the remote cache find its settings. A Triton without this class stays as it is."""
    if hasattr(cache, "RedisRemoteCacheBackend"):
        with contextlib.suppress(errors.CompatibilityError):
            changes.replace(cache.RedisRemoteCacheBackend, "__init__", _finding_settings)


def install_if_used() -> None:
    """Do the same if this process has a remote cache in Redis."""
    try:
        remote = triton_knobs.cache.remote_manager_class
    except (AttributeError, ImportError, RuntimeError):
        # Triton reports a class that does not exist where it uses it.
        return
    stock = getattr(cache, "RedisRemoteCacheBackend", None)
    if stock and isinstance(remote, type) and issubclass(remote, stock):
        install()


def _finding_settings(stock: Callable[..., None]) -> Callable[..., None]:
    """Return Triton's method, extended to put the settings where it looks for them."""

    @functools.wraps(stock)
    def init(self: Any, key: str) -> None:
        if not hasattr(triton_knobs.cache, "redis"):
            triton_knobs.cache.redis = triton_knobs.redis
        stock(self, key)

    return init
