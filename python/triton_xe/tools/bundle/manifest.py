# SPDX-License-Identifier: MIT
"""The manifest of a bundle: what it records of each kernel, how that is checked, and how it is written.

A bundle is a folder with `manifest.json` and the files of each kernel in `kernels/KEY`, where KEY is the name that
Triton's own cache gives to the folder of the kernel. Nothing in a manifest is trusted: an entry becomes an `Entry` only
if all of it has the expected form, and no name in it leads out of the folder.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triton_xe import errors, seals

#: The number of the form that this module writes and reads.
FORMAT = 1
#: The names in the folder of a bundle.
MANIFEST, KERNELS = "manifest.json", "kernels"

#: 256 bits in letters of 5 bits each, of which the last one has but one.
_KEY = re.compile("[A-Z2-7]{51}[AQ]")
_DIGEST = re.compile("[0-9a-f]{64}")


def is_key(name: str) -> bool:
    """Return whether a name is one that Triton gives to the folder of a kernel."""
    return _KEY.fullmatch(name) is not None


def key_of(digest: str) -> str:
    """Return the name that Triton gives to the folder of the kernel with this hash. Raises BundleError for no hash."""
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise errors.BundleError(f"expected a SHA-256 in hexadecimal digits, found {digest!r}")
    return base64.b32encode(bytes.fromhex(digest)).decode().rstrip("=")


def hash_of(key: str) -> str:
    """Return the hash of the kernel in the folder with this name. Raises BundleError for any other name."""
    if not is_key(key):
        raise errors.BundleError(f"{key!r} is not the name of a kernel's folder")
    return base64.b32decode(key + "=" * (-len(key) % 8)).hex()


@dataclass(frozen=True)
class FileRecord:
    """A file as it was when it was added."""

    sha256: str
    size: int


@dataclass(frozen=True)
class Entry:
    """A kernel, or a result of the autotuner, which has no more than a name and a file.

    The texts from `source_hash` to `environment` are the parts of the kernel's cache key.
    """

    #: The name of the folder, and the same number as hexadecimal digits.
    key: str
    hash: str
    name: str
    source_hash: str = ""
    backend_hash: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    options_hash: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    target: Mapping[str, Any] = field(default_factory=dict)
    #: The SHA-256 of Triton's own part of the key.
    triton_key: str = ""
    #: The hash of the kernel's text, without the types and constants of its arguments.
    text_hash: str = ""
    files: Mapping[str, FileRecord] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.key != key_of(self.hash):
            raise errors.BundleError(f"kernel `{self.name}`: the key `{self.key}` is not the one of hash {self.hash}")

    @property
    def is_kernel(self) -> bool:
        """Return whether this is a kernel."""
        return bool(self.target)

    @property
    def size(self) -> int:
        """Return the number of bytes of all files."""
        return sum(record.size for record in self.files.values())

    def to_json(self) -> dict[str, Any]:
        """Return the entry as the manifest has it. Options have a separate table, since kernels share them."""
        return {
            "name": self.name,
            "source_hash": self.source_hash,
            "text_hash": self.text_hash,
            "backend_hash": self.backend_hash,
            "options_hash": self.options_hash,
            "environment": dict(self.environment),
            "target": dict(self.target),
            "triton_key": self.triton_key,
            "files": {name: [record.sha256, record.size] for name, record in self.files.items()},
        }

    @staticmethod
    def from_json(key: str, value: Any, options: Mapping[str, Any]) -> Entry:
        """Return the entry that a manifest has for a key. Raises BundleError if it has another form."""
        texts = {
            name: _text(value, name)
            for name in ("name", "source_hash", "text_hash", "backend_hash", "options_hash", "triton_key")
        }
        shared = options.get(texts["options_hash"], {})
        if not isinstance(shared, dict):
            raise errors.BundleError(f"`options`: expected an object, found {_kind(shared)}")
        return Entry(
            key=key,
            hash=hash_of(key),
            options=shared,
            environment=_object(value, "environment"),
            target=_object(value, "target"),
            files={name: _file_record(name, record) for name, record in _object(value, "files").items()},
            **texts,
        )


def _kind(value: Any) -> str:
    return type(value).__name__


def _member(value: Any, name: str) -> Any:
    if not isinstance(value, dict):
        raise errors.BundleError(f"expected an object, found {_kind(value)}")
    return value.get(name)


def _text(value: Any, name: str) -> str:
    found = _member(value, name)
    if not isinstance(found, str):
        raise errors.BundleError(f"`{name}`: expected a text, found {_kind(found)}")
    return found


def _object(value: Any, name: str) -> dict[str, Any]:
    found = _member(value, name)
    if not isinstance(found, dict):
        raise errors.BundleError(f"`{name}`: expected an object, found {_kind(found)}")
    return found


def _file_record(name: str, value: Any) -> FileRecord:
    """Return the record of a file. The name may lead nowhere else."""
    if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise errors.BundleError(f"{name!r} is not a name of a file in this folder")
    if not isinstance(value, list) or len(value) != 2:
        raise errors.BundleError(f"`{name}`: expected a digest and a size")
    digest, size = value
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise errors.BundleError(f"`{name}`: expected a SHA-256 in hexadecimal digits, found {digest!r}")
    if type(size) is not int or size < 0:
        raise errors.BundleError(f"`{name}`: expected a size, found {size!r}")
    return FileRecord(digest, size)


def _lines(values: Mapping[str, Any]) -> str:
    """Return an object as JSON, with a line for each member."""
    members = (f"{json.dumps(name)}: {json.dumps(value, sort_keys=True)}" for name, value in sorted(values.items()))
    return "{" + ",\n".join(members) + "}"


@dataclass(frozen=True)
class Build:
    """An installation that has written kernels."""

    triton: str
    triton_xe: str
    #: The SHA-256 of Triton's own part of cache keys, and the hash of this package (`compiler.toolchain_key`).
    triton_key: str
    toolchain_key: str

    def to_json(self) -> dict[str, str]:
        """Return the build as the manifest has it."""
        return {
            "triton": self.triton,
            "triton-xe": self.triton_xe,
            "triton_key": self.triton_key,
            "toolchain_key": self.toolchain_key,
        }

    @staticmethod
    def from_json(value: Any) -> Build:
        """Return the build that a manifest describes. Raises BundleError if it has another form."""
        names = ("triton", "triton-xe", "triton_key", "toolchain_key")
        return Build(*(_text(value, name) for name in names))


@dataclass
class Manifest:
    """A manifest, whose kernels are as the file has them: `entry` checks one on request."""

    builds: list[Build] = field(default_factory=list)
    #: Triton's own parts of cache keys, by the content of the wheel (`wheel_key.content_fingerprint`).
    triton_keys: dict[str, str] = field(default_factory=dict)
    #: The options of kernels by their hash.
    options: dict[str, Any] = field(default_factory=dict)
    kernels: dict[str, Any] = field(default_factory=dict)

    def entry(self, key: str) -> Entry | None:
        """Return the entry of a key; None if there is none. Raises BundleError if it has another form."""
        if key not in self.kernels:
            return None
        return Entry.from_json(key, self.kernels[key], self.options)

    def put(self, entry: Entry) -> None:
        """Add or replace an entry."""
        if entry.options_hash:
            self.options[entry.options_hash] = dict(entry.options)
        self.kernels[entry.key] = entry.to_json()

    def put_build(self, build: Build) -> None:
        """Add an installation, unless it exists already."""
        if build not in self.builds:
            self.builds.append(build)

    def to_text(self) -> str:
        """Return the content of the file, with a line for each kernel. It is the same for the same kernels."""
        parts = {
            "builds": json.dumps([build.to_json() for build in self.builds]),
            "triton_keys": _lines(self.triton_keys),
            "options": _lines(self.options),
            "kernels": _lines(self.kernels),
        }
        return f'{{"format": {FORMAT}' + "".join(f',\n"{name}": {text}' for name, text in parts.items()) + "}\n"

    @staticmethod
    def parse(text: str) -> Manifest:
        """Return the manifest with this content. Raises BundleError if it has another form."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise errors.BundleError(f"it is not JSON: {error}") from error
        number = _member(content, "format")
        if type(number) is not int or number != FORMAT:
            raise errors.BundleError(f"expected format {FORMAT}, found {number!r}")
        builds = _member(content, "builds")
        if not isinstance(builds, list):
            raise errors.BundleError(f"`builds`: expected a list, found {_kind(builds)}")
        manifest = Manifest(
            builds=[Build.from_json(build) for build in builds],
            triton_keys=_object(content, "triton_keys"),
            options=_object(content, "options"),
            kernels=_object(content, "kernels"),
        )
        manifest._check_keys()
        return manifest

    def _check_keys(self) -> None:
        """Raise BundleError unless Triton's parts of keys are those of the builds.

        A process takes its part from here, and with another one it would find kernels of another Triton in its cache.
        """
        known = {build.triton_key for build in self.builds}
        for key in self.triton_keys.values():
            if not isinstance(key, str) or seals.digest(key.encode()) not in known:
                raise errors.BundleError("`triton_keys`: a key is of none of the builds")

    @staticmethod
    def read(bundle: Path) -> Manifest:
        """Return the manifest of a bundle. Raises BundleError if there is none or if it has another form."""
        path = bundle / MANIFEST
        try:
            return Manifest.parse(path.read_text())
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise errors.BundleError(f"cannot read `{path}`: {reason}") from error
        except errors.BundleError as error:
            raise errors.BundleError(f"`{path}`: {error}") from error
