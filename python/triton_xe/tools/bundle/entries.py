# SPDX-License-Identifier: MIT
"""The entries of a manifest for kernels, from the metadata of a compiled kernel or from the source of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from triton_xe import origins, seals
from triton_xe.tools.bundle.manifest import Entry, key_of


def from_metadata(name: str, metadata: Mapping[str, Any]) -> Entry | None:
    """Return the entry of the kernel with these metadata; None if they have another form (see `origins.read`)."""
    origin = origins.read(metadata)
    if origin is None or not isinstance(metadata.get("target"), dict):
        return None
    return Entry(
        key=key_of(metadata["hash"]),
        hash=metadata["hash"],
        name=name,
        environment={name: str(value) for name, value in metadata.items() if name.isupper()},
        target=metadata["target"],
        **vars(origin),
    )


def describe(src: Any, backend: Any, options: Any, environment: Mapping[str, str]) -> Entry:
    """Return the entry, without files, of the kernel that `triton.compile` compiles from a source.

    `options` are those that the backend has parsed; `environment` is `get_cache_invalidating_env_vars()`. Raises what
    the hashes of these raise.
    """
    from triton.runtime import cache

    digest = seals.digest(cache.get_cache_key(src, backend, options, environment).encode())
    return Entry(
        key=key_of(digest),
        hash=digest,
        name=src.name,
        source_hash=src.hash(),
        backend_hash=backend.hash(),
        options=_as_json(vars(options)),
        options_hash=options.hash(),
        environment=dict(environment),
        target=_as_json(vars(backend.target)),
        triton_key=origins.triton_key_digest(),
        text_hash=origins.text_hash(src),
    )


def _as_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as they are in a file."""
    return json.loads(json.dumps(dict(values), default=str))
