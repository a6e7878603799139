# SPDX-License-Identifier: MIT
"""Add kernels of a cache of Triton's to a bundle.

Any number of processes may add to a bundle, and any of them may be killed: one after the other writes, under a lock
that ends with its process. A kernel's files are written into a new folder, which then gets its name, and the manifest
that lists them replaces the former one last. A file that no manifest lists is the rest of a writer that was killed, and
the next one removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.metadata
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import triton

from triton_xe import errors, origins, seals
from triton_xe.compat import wheel_key
from triton_xe.tools.bundle import entries, groups
from triton_xe.tools.bundle.manifest import KERNELS, MANIFEST, Build, Entry, FileRecord, Manifest, hash_of, is_key

#: The names of what only a writer sees.
_LOCK, _NEW, _OLD = ".lock", ".new-", ".old-"


@dataclass
class Summary:
    """The result of adding kernels."""

    #: The entries that were added, and those that the bundle had already.
    added: list[Entry] = field(default_factory=list)
    kept: list[Entry] = field(default_factory=list)
    #: The reasons why kernels were left out, by the names of their folders.
    skipped: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Group:
    """The files of an entry, which have been checked."""

    entry: Entry
    contents: Mapping[str, bytes]


def collect(bundle: Path, cache_folder: Path, *, keys: Collection[str] | None = None, with_ir: bool = False) -> Summary:
    """Copy the kernels that this installation has left in a cache of Triton's, and the results of the autotuner for
    them: all, or those in the folders with these names.

    Kernels of other backends are not looked at, and those of other versions of the compiler are left out. `with_ir`
    also copies the stages that no launch needs. Raises BundleError if the cache cannot be read or the bundle not be
    written; that then is as it was.
    """
    summary, folders = Summary(), _folders(cache_folder)

    def found() -> Iterator[_Group]:
        build = this_build()
        names: set[str] = set()
        for folder in folders:
            if keys is not None and folder.name not in keys:
                continue
            try:
                group = _read_ours(folder, build, with_ir=with_ir)
            except errors.BundleError as error:
                summary.skipped[folder.name] = str(error)
                continue
            if group:
                names.add(groups.stem_of(group.entry.name))
                yield group
        yield from _read_tuned(folders, names, summary)

    _write(bundle, found(), summary)
    return summary


def this_build() -> Build:
    """Return what this installation writes kernels with."""
    # Triton loads the compiler, which finds bundles, and need not know how they are written.
    from triton_xe import compiler

    # A process that only writes has no backend.
    wheel_key.install()
    return Build(
        triton=triton.__version__,
        triton_xe=importlib.metadata.version("triton-xe"),
        triton_key=origins.triton_key_digest(),
        toolchain_key=compiler.toolchain_key(),
    )


def _folders(cache_folder: Path) -> list[Path]:
    """Return the folders of kernels in a cache."""
    try:
        return sorted(path for path in cache_folder.iterdir() if is_key(path.name) and path.is_dir())
    except OSError as error:
        raise errors.BundleError(f"cannot read the cache `{cache_folder}`: {error.strerror}") from error


def _names(folder: Path) -> list[str]:
    """Return the names of the files in a folder; none if it no longer exists, or cannot be read."""
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError:
        return []


def _read_kernel(folder: Path, *, with_ir: bool) -> tuple[dict, dict[str, bytes]]:
    """Return the metadata and the files of a kernel in a cache. Raises BundleError if it is not sound."""
    names = _names(folder)
    name = groups.find_metadata(names)
    # Triton writes the list of the files when all of them exist.
    if name is None or f"__grp__{name}" not in names:
        raise errors.BundleError(f"`{folder}` has no finished kernel")
    suffixes = (*groups.NEEDED, *(groups.FURTHER if with_ir else ()))
    stem = name.removesuffix(groups.METADATA)
    contents = {each: groups.read_file(folder / each) for suffix in suffixes if (each := stem + suffix) in names}
    try:
        return groups.check_kernel(hash_of(folder.name), contents), contents
    except errors.BundleError as error:
        raise errors.BundleError(f"`{folder}`: {error}") from error


def _read_ours(folder: Path, build: Build, *, with_ir: bool) -> _Group | None:
    """Return a kernel of this installation in a cache; None for what this package has not made.

    Raises BundleError if it is not sound, or of another installation.
    """
    name = groups.find_metadata(_names(folder))
    if name is None or seals.METADATA not in groups.parse_object(name, groups.read_file(folder / name)):
        return None
    metadata, contents = _read_kernel(folder, with_ir=with_ir)
    entry = entries.from_metadata(name.removesuffix(groups.METADATA), metadata)
    toolchain = f"-{build.toolchain_key}"
    if not entry or entry.triton_key != build.triton_key or not entry.backend_hash.endswith(toolchain):
        raise errors.BundleError(f"`{folder}`: `{name}` is of another version of Triton or triton-xe")
    return _Group(entry, contents)


def _read_tuned(folders: Iterable[Path], kernels: Collection[str], summary: Summary) -> Iterator[_Group]:
    """Yield the results of the autotuner for these kernels that are in the folders of a cache."""
    files = {kernel + groups.TUNED: kernel for kernel in kernels}
    for folder in folders:
        for name in files.keys() & set(_names(folder)):
            if group := _read_result(folder, name, files[name], summary):
                yield group


def _read_result(folder: Path, name: str, kernel: str, summary: Summary) -> _Group | None:
    """Return a result of the autotuner in a cache; None, with a reason in the summary, if it is not sound."""
    try:
        content = groups.read_file(folder / name)
        groups.check_tuned(name, content)
    except errors.BundleError as error:
        summary.skipped[folder.name] = f"`{folder}`: {error}"
        return None
    return _Group(Entry(folder.name, hash_of(folder.name), kernel), {name: content})


@contextlib.contextmanager
def _locked(bundle: Path) -> Iterator[None]:
    """Wait until no other process writes to the bundle, and keep others waiting."""
    bundle.mkdir(parents=True, exist_ok=True)
    with (bundle / _LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Writer:
    """A change of a bundle, made under its lock.

    Everything that takes space is written before anything that readers see changes: the kernels below separate names,
    and the manifest. Then kernels get their names, and the manifest replaces the former one.
    """

    def __init__(self, bundle: Path) -> None:
        self.bundle, self.kernels = bundle, bundle / KERNELS
        self.kernels.mkdir(exist_ok=True)
        self.new: list[str] = []
        self.is_changed = False
        self.recover()

    def recover(self) -> None:
        """Return to what the manifest lists, whatever this or another writer has begun."""
        self.manifest = Manifest.read(self.bundle) if (self.bundle / MANIFEST).exists() else Manifest()
        (self.bundle / f"{_NEW}{MANIFEST}").unlink(missing_ok=True)
        for path in list(self.kernels.iterdir()):
            key = path.name.removeprefix(_OLD)
            if key == path.name or not is_key(key):
                continue
            if self.has(key):
                shutil.rmtree(path)
            else:
                shutil.rmtree(self.kernels / key, ignore_errors=True)
                path.rename(self.kernels / key)
        for path in self.kernels.iterdir():
            if path.name.startswith(_NEW) or (is_key(path.name) and path.name not in self.manifest.kernels):
                shutil.rmtree(path)

    def has(self, key: str, names: Collection[str] = ()) -> bool:
        """Return whether the bundle has a whole kernel with files of these names."""
        try:
            entry = self.manifest.entry(key)
            return bool(
                entry
                and set(names) <= entry.files.keys()
                and all(
                    seals.digest(groups.read_file(self.kernels / key / name, record.size)) == record.sha256
                    for name, record in entry.files.items()
                )
            )
        except errors.BundleError:
            return False

    def put(self, group: _Group) -> Entry | None:
        """Write a kernel, and return its entry; None if the bundle has the kernel already."""
        key = group.entry.key
        if key in self.new:
            return None
        if self.has(key, group.contents):
            return None
        folder = self.kernels / f"{_NEW}{key}"
        # It counts as begun before a full disk leaves a part of it.
        self.new.append(key)
        folder.mkdir()
        for name, content in group.contents.items():
            (folder / name).write_bytes(content)
        records = {name: FileRecord(seals.digest(content), len(content)) for name, content in group.contents.items()}
        entry = replace(group.entry, files=records)
        self.manifest.put(entry)
        self.is_changed = True
        return entry

    def finish(self) -> None:
        """Let readers see the change."""
        if not self.is_changed:
            return
        self.manifest.put_build(this_build())
        # A wheel without the expected files is hashed by every process, as without a bundle.
        with contextlib.suppress(OSError):
            folder = Path(triton.__file__).parent
            self.manifest.triton_keys[wheel_key.content_fingerprint(folder)] = origins.triton_key()
        path = self.bundle / f"{_NEW}{MANIFEST}"
        with path.open("w") as file:
            file.write(self.manifest.to_text())
            file.flush()
            os.fsync(file.fileno())
        replaced = []
        for key in self.new:
            place = self.kernels / key
            if place.exists():
                replaced.append(place.rename(self.kernels / f"{_OLD}{key}"))
            (self.kernels / f"{_NEW}{key}").rename(place)
        path.replace(self.bundle / MANIFEST)
        for place in replaced:
            shutil.rmtree(place, ignore_errors=True)


def _write(bundle: Path, found: Iterable[_Group], summary: Summary) -> None:
    """Add groups to a bundle. Raises BundleError if that is not possible; the bundle then is as it was."""
    try:
        with _locked(bundle):
            writer = _Writer(bundle)
            try:
                for group in found:
                    added = writer.put(group)
                    (summary.added if added else summary.kept).append(added or group.entry)
                writer.finish()
            except BaseException:
                writer.recover()
                raise
    except OSError as error:
        raise errors.BundleError(
            f"cannot write to the bundle `{bundle}`, which stays as it was: {error.strerror}"
        ) from error
