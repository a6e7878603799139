# SPDX-License-Identifier: MIT
"""Put the kernels of a bundle into Triton's remote cache, where machines without the folder find them."""

from __future__ import annotations

import tempfile

from triton import knobs as triton_knobs

from triton_xe import errors
from triton_xe.compat import redis_cache
from triton_xe.tools.bundle import groups
from triton_xe.tools.bundle.manifest import Entry
from triton_xe.tools.bundle.reading import Bundle


def push(bundle: Bundle) -> list[Entry]:
    """Put all sound entries into the remote cache, and return them; a line on stderr names each other one.

    Raises BundleError if there is no remote cache, or if it cannot be written.
    """
    try:
        backend = triton_knobs.cache.remote_manager_class
    except (AttributeError, ImportError, RuntimeError) as error:
        raise errors.BundleError(f"TRITON_REMOTE_CACHE_BACKEND: {error}") from error
    if backend is None:
        raise errors.BundleError(
            "TRITON_REMOTE_CACHE_BACKEND names no remote cache; that of Triton for Redis is "
            "`triton.runtime.cache:RedisRemoteCacheBackend`"
        )
    redis_cache.install()
    entries = [entry for entry in bundle.entries() if entry.key in bundle]
    # Triton's manager writes each file to the local cache, too, which is not needed here.
    with tempfile.TemporaryDirectory() as folder, triton_knobs.cache.scope():
        triton_knobs.cache.dir = folder
        for entry in entries:
            _push(entry, bundle.check(entry))
    return entries


def _push(entry: Entry, contents: dict[str, bytes]) -> None:
    from triton.runtime import cache

    try:
        manager = cache.RemoteCacheManager(entry.key)
        for name, content in contents.items():
            manager.put(content, name)
        # Readers request the list first, and then expect its files.
        if name := groups.find_metadata(contents):
            manager.put_group(name, dict.fromkeys(contents, ""))
    except Exception as error:
        # A remote cache may be of any class, with its own errors.
        raise errors.BundleError(
            f"the remote cache does not take kernel `{entry.name}`: {type(error).__name__}: {error}"
        ) from error
