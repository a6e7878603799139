# SPDX-License-Identifier: MIT
"""Compute the wheel's part of cache keys once per installation instead of once per process.

`triton.runtime.cache.triton_key` hashes the whole wheel, hundreds of megabytes of it, ahead of the first compilation of
every process, even one that finds all its kernels in the cache. This module keeps the key beside the kernels. It is
valid while the names, sizes and modification times of the hashed files stay the same, which is the rule of `make` and
of Python's bytecode.

Names and times do not travel to another machine. A bundle of kernels therefore brings the key along for the content of
the wheel: a fingerprint of its Python files, which are read, and of its library, which the linker has hashed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import triton
from triton import knobs
from triton.runtime import cache

from triton_xe import build_id, errors
from triton_xe.compat import changes

#: The parts of the wheel, below its folder, that its key is computed from.
PARTS = ("compiler", "backends", "language", "_C", "runtime")

#: Keys by the content of the wheel, for processes that have a bundle of kernels.
_known: dict[str, str] = {}


def _files(folder: Path) -> Iterator[os.DirEntry]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(Path(entry.path))
            else:
                yield entry


def fingerprint(folder: Path) -> str:
    """Return a text that changes whenever a file of the wheel in `folder` changes."""
    text = [str(folder)]
    for part in PARTS:
        for entry in _files(folder / part):
            status = entry.stat()
            text.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def content_fingerprint(folder: Path) -> str:
    """Return a text that is the same on all machines with the same wheel, and changes with the content of its files.

    For a library it has the build id and the size; a library without an id is read. Raises OSError.
    """
    digest = hashlib.sha256()
    for part in PARTS:
        for entry in _files(folder / part):
            if entry.name.endswith(".py"):
                with open(entry.path, "rb") as file:
                    content = file.read()
            elif entry.name.startswith("libtriton."):
                content = f"{entry.stat().st_size} ".encode() + build_id.fingerprint(Path(entry.path))
            else:
                continue
            name = entry.path.removeprefix(str(folder))
            digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def know(keys: Mapping[str, str]) -> None:
    """Use these keys, which are listed by the content of the wheel, instead of computing them."""
    _known.update(keys)


def remembered(compute: functools._lru_cache_wrapper) -> functools._lru_cache_wrapper:
    """Return the wheel's own function `compute`, extended to keep its result in a file."""

    @functools.lru_cache
    def triton_key() -> str:
        # Without the files or the cache that are expected, it is unchanged.
        with contextlib.suppress(OSError):
            folder = Path(triton.__file__).parent
            if _known and (key := _known.get(content_fingerprint(folder))):
                return key
            place = Path(knobs.cache.dir) / f"triton-key-{fingerprint(folder)}"
            if place.exists():
                return place.read_text()
            key = compute()
            place.parent.mkdir(parents=True, exist_ok=True)
            part = place.with_name(f"{place.name}.{os.getpid()}")
            part.write_text(key)
            part.replace(place)
        return compute()

    return triton_key


def install() -> None:
    """Let the wheel remember its key. A Triton without such a function stays as it is."""
    with contextlib.suppress(errors.CompatibilityError):
        changes.replace(cache, "triton_key", remembered)
