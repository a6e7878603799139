# SPDX-License-Identifier: MIT
"""Find kernels in a bundle, and check each of them once in a process.

A part of a bundle that is not as it should be is treated as missing: a line on stderr names it, and the kernel is
compiled.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from triton_xe import errors, seals
from triton_xe.tools.bundle import groups, messages
from triton_xe.tools.bundle.manifest import KERNELS, Entry, Manifest


class Bundle:
    """A folder of kernels that this process reads."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        #: The paths of the files of kernels that have been requested; None for those that are missing or not sound.
        self._groups: dict[str, dict[str, str] | None] = {}

    @staticmethod
    def open(path: Path) -> Bundle:
        """Return the bundle in a folder. Raises BundleError if there is none."""
        return Bundle(path.absolute(), Manifest.read(path))

    def group(self, key: str, filename: str) -> dict[str, str] | None:
        """Return the paths of a kernel's files by their names, if the file that represents them has this name.

        `key` is the name of the kernel's folder. The files have been checked.
        """
        group = self._group(key)
        return dict(group) if group and filename in group else None

    def __contains__(self, key: str) -> bool:
        """Return whether the bundle has sound files in the folder with this name."""
        return self._group(key) is not None

    def _group(self, key: str) -> dict[str, str] | None:
        # Threads that look at the same time find the same.
        if key not in self._groups:
            self._groups[key] = self._find(key)
        return self._groups[key]

    def folder(self, key: str) -> Path:
        """Return the folder of a kernel's files."""
        return self.path / KERNELS / key

    def entries(self) -> Iterator[Entry]:
        """Yield all entries that have the expected form; a line on stderr names each other one."""
        for key in self.manifest.kernels:
            if entry := self._entry(key):
                yield entry

    def named(self, name: str) -> list[Entry]:
        """Return the kernels whose files have this name before the suffix."""
        keys = self._keys_by_name.get(name, ())
        entries = filter(None, map(self._entry, keys))
        return [entry for entry in entries if entry.is_kernel]

    @functools.cached_property
    def _keys_by_name(self) -> dict[str, list[str]]:
        keys: dict[str, list[str]] = {}
        for key, value in self.manifest.kernels.items():
            if isinstance(value, dict) and isinstance(name := value.get("name"), str):
                keys.setdefault(groups.stem_of(name), []).append(key)
        return keys

    def check(self, entry: Entry) -> dict[str, bytes]:
        """Return the content of an entry's files. Raises BundleError if it is not sound."""
        folder, contents = self.folder(entry.key), {}
        inside = self.path.resolve()
        for name, record in entry.files.items():
            path = folder / name
            if not path.resolve().is_relative_to(inside):
                raise errors.BundleError(f"`{path}`: it is a link to a place outside of the bundle")
            contents[name] = groups.read_file(path, record.size)
            if seals.digest(contents[name]) != record.sha256:
                raise errors.BundleError(f"`{path}`: it was changed after it was added")
        try:
            groups.check(entry.hash, contents)
        except errors.BundleError as error:
            raise errors.BundleError(f"`{folder}`: {error}") from error
        return contents

    def _entry(self, key: str) -> Entry | None:
        try:
            return self.manifest.entry(key)
        except errors.BundleError as error:
            messages.print_once(f"bundle `{self.path}`: the manifest's entry {key[:80]!r} is not used: {error}")
            return None

    def _find(self, key: str) -> dict[str, str] | None:
        """Return the paths of the files of a kernel, if it exists and is sound."""
        entry = self._entry(key)
        if entry is None:
            return None
        try:
            self.check(entry)
        except errors.BundleError as error:
            messages.print_once(f"bundle: kernel `{entry.name}` is not used: {error}")
            return None
        return {name: str(self.folder(key) / name) for name in entry.files}
