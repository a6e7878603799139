# SPDX-License-Identifier: MIT
"""Let Triton look into the bundles of this process before its cache."""

from __future__ import annotations

from triton import knobs as triton_knobs

from triton_xe.tools.bundle import discovery


def install() -> None:
    """Let Triton look for kernels in the bundles, if there are any. A second call does nothing."""
    if not discovery.bundles():
        return
    # Only processes with a bundle load these.
    from triton.runtime import cache

    from triton_xe.tools.bundle import manager

    present = triton_knobs.cache.manager_class
    if present is None or not issubclass(present, manager.CacheManager):
        triton_knobs.cache.manager_class = manager.ahead_of(present or cache.FileCacheManager)
