# SPDX-License-Identifier: MIT
"""The class that Triton queries for the files of a kernel, before the one that it would query otherwise."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from triton.runtime import cache

from triton_xe.tools.bundle import differences, discovery
from triton_xe.tools.bundle.reading import Bundle


class CacheManager(cache.CacheManager):
    """Looks into the bundles first, and leaves all else to a manager of another class.

    That one is made only when it is needed, since it may make folders and connections.
    """

    #: The class after this one.
    following: ClassVar[type[cache.CacheManager]] = cache.FileCacheManager

    def __init__(self, key: str, override: bool = False, dump: bool = False) -> None:
        self.key = key
        self._options = {name: True for name, value in (("override", override), ("dump", dump)) if value}
        self._other: cache.CacheManager | None = None

    def other(self) -> cache.CacheManager:
        """Return the manager after this one."""
        if self._other is None:
            self._other = self.following(self.key, **self._options)
        return self._other

    def __getattr__(self, name: str) -> Any:
        # Copying and pickling read attributes of an object that does not exist yet.
        if name.startswith("_"):
            raise AttributeError(f"`{type(self).__name__}` has no attribute `{name}`")
        if name == "cache_dir" and (bundle := self._find_bundle()):
            return str(bundle.folder(self.key))
        return getattr(self.other(), name)

    def _find_group(self, filename: str) -> dict[str, str] | None:
        if self._options:
            return None
        groups = (bundle.group(self.key, filename) for bundle in discovery.bundles())
        return next((group for group in groups if group is not None), None)

    def _find_bundle(self) -> Bundle | None:
        """Return the bundle that has this key."""
        if self._options:
            return None
        return next((bundle for bundle in discovery.bundles() if self.key in bundle), None)

    def get_file(self, filename: str) -> str | None:
        """Return the path of a file."""
        group = self._find_group(filename)
        return group[filename] if group else self.other().get_file(filename)

    def get_group(self, filename: str) -> dict[str, str] | None:
        """Return the paths of the files of a kernel by their names; `filename` is the name of its metadata."""
        if group := self._find_group(filename):
            return group
        group = None
        try:
            group = self.other().get_group(filename)
        finally:
            # An error follows where nothing can be written, and then, too, it helps to know why.
            if not group and not self._options:
                differences.explain(self.key)
        return group

    def put(self, data: Any, filename: str, binary: bool = True) -> str:
        """Write a file after the bundles, which are never written."""
        return self.other().put(data, filename, binary)

    def put_group(self, filename: str, group: dict[str, str]) -> Any:
        """Write the list of a kernel's files after the bundles."""
        return self.other().put_group(filename, group)


@functools.cache
def ahead_of(following: type[cache.CacheManager]) -> type[CacheManager]:
    """Return the manager before one of another class."""
    return type(CacheManager.__name__, (CacheManager,), {"following": following})
