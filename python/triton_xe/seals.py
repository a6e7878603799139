# SPDX-License-Identifier: MIT
"""Seals of compiled kernels: what is launched is what the compiler wrote.

Triton keeps a kernel's binary and its metadata as two files, and does not look whether they are whole. A bit that has
changed may leave a binary that runs, with wrong numbers. Therefore the metadata holds the SHA-256 of the binary, and
one of itself. A launcher checks the metadata before it reads what is in it, and the driver checks a binary if a
launcher expects one of this name. This finds damage; it is no protection against a program that writes both files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from triton_xe import errors

#: Entries of the metadata: the digests of the binary and of all other entries.
BINARY, METADATA = "binary_digest", "metadata_digest"

Stage = Callable[[Any, dict[str, Any]], Any]

#: The digests of the binaries of kernels that have a launcher, by the kernels' names.
_expected: dict[str, set[str]] = {}


def seal_stages(stages: dict[str, Stage], binary: str) -> None:
    """Let the stages of a compilation seal the result of stage `binary`, and the metadata after the last stage."""

    def after(name: str, seal: Callable[[dict[str, Any], Any], None]) -> None:
        stage = stages[name]

        def run(source: Any, metadata: dict[str, Any]) -> Any:
            result = stage(source, metadata)
            seal(metadata, result)
            return result

        stages[name] = run

    after(binary, seal_binary)
    after(next(reversed(stages)), lambda metadata, _: _seal_metadata(metadata))


def seal_binary(metadata: dict[str, Any], content: bytes) -> None:
    """Seal a binary, which may take the place of another one."""
    metadata[BINARY] = digest(content)
    if METADATA in metadata:
        _seal_metadata(metadata)


def check_metadata(metadata: Any) -> None:
    """Check what a launcher gets, and expect its binary. Raises BinaryError if the metadata is damaged."""
    entries = metadata._asdict()
    if not is_sealed(entries):
        raise errors.BinaryError(_describe("metadata", str(entries.get("name")), entries.get("hash")))
    _expected.setdefault(metadata.name, set()).add(entries[BINARY])


def is_sealed(entries: Mapping[str, Any]) -> bool:
    """Return whether the metadata is as the compiler wrote it."""
    return entries.get(METADATA) == _digest_metadata(entries)


def check_binary(name: str, content: bytes) -> None:
    """Raise BinaryError if a kernel of this name has a launcher, and none of these expects this binary."""
    if name in _expected and digest(content) not in _expected[name]:
        raise errors.BinaryError(_describe("binary", name, None))


def _describe(part: str, name: str, key: object) -> str:
    from triton import knobs as triton_knobs

    place = triton_knobs.cache.dir
    if isinstance(key, str):
        from triton.runtime import cache

        place = getattr(cache.get_cache_manager(key), "cache_dir", None) or place
    return f"kernel `{name}`: its {part} in Triton's cache is damaged; delete `{place}`, and it is compiled again"


def digest(content: bytes) -> str:
    """Return the digest of a file's content."""
    return hashlib.sha256(content).hexdigest()


def _seal_metadata(metadata: dict[str, Any]) -> None:
    metadata[METADATA] = _digest_metadata(metadata)


def _digest_metadata(entries: Mapping[str, Any]) -> str:
    """Return the digest of all other entries, as Triton's file has them."""
    rest = {name: value for name, value in entries.items() if name != METADATA}
    return digest(json.dumps(rest, default=vars, sort_keys=True).encode())
