# SPDX-License-Identifier: MIT
"""What a kernel's cache key was made of, as a compilation knows it and as the kernel's metadata keep it.

Triton hashes the parts of a key, and keeps only the result. A bundle has to say which part of a key is another one on
this machine. So the metadata record those parts that a backend knows: Triton's own part, the compiler, and the options
of the launch, of which compilations overwrite some. The source is known to nobody but Triton while it makes the key.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from triton_xe import options as xe_options
from triton_xe.bundle.manifest import Entry, key_of

#: The entry of the metadata.
ORIGIN = "origin"

Stage = Callable[[Any, dict[str, Any]], Any]


def triton_key() -> str:
    """Return Triton's own part of cache keys; an empty text if this Triton has none."""
    # It is not there yet while Triton looks for backends.
    from triton.runtime import cache

    return cache.triton_key() if hasattr(cache, "triton_key") else ""


def triton_key_digest() -> str:
    """Return the SHA-256 of Triton's own part of cache keys."""
    return _digest(triton_key())


def record(stages: dict[str, Stage], backend_hash: str, options: xe_options.XeOptions) -> None:
    """Let the last stage of a compilation record what the kernel's key was made of."""
    name = next(reversed(stages))
    stage = stages[name]

    def run(source: Any, metadata: dict[str, Any]) -> Any:
        result = stage(source, metadata)
        metadata[ORIGIN] = {
            "triton_key": triton_key_digest(),
            "backend_hash": backend_hash,
            "options_hash": options.hash(),
            "requested": {name: value for name, value in vars(options).items() if metadata.get(name) != value},
        }
        return result

    stages[name] = run


def from_metadata(name: str, metadata: Mapping[str, Any]) -> Entry | None:
    """Return the entry of the kernel with these metadata; None if an earlier version of this package has made it."""
    origin = metadata.get(ORIGIN)
    texts = ("triton_key", "backend_hash", "options_hash")
    if not isinstance(origin, dict) or not all(isinstance(origin.get(text), str) for text in texts):
        return None
    if not isinstance(origin.get("requested"), dict) or not isinstance(metadata.get("target"), dict):
        return None
    fields = [field.name for field in dataclasses.fields(xe_options.XeOptions)]
    return Entry(
        key=key_of(metadata["hash"]),
        hash=metadata["hash"],
        name=name,
        backend_hash=origin["backend_hash"],
        options={field: metadata[field] for field in fields if field in metadata} | origin["requested"],
        options_hash=origin["options_hash"],
        environment={name: str(value) for name, value in metadata.items() if name.isupper()},
        target=metadata["target"],
        triton_key=origin["triton_key"],
    )


def describe(src: Any, backend: Any, options: Any, environment: Mapping[str, str]) -> Entry:
    """Return the entry, without files, of the kernel that `triton.compile` makes of a source.

    `options` are those that the backend has parsed; `environment` is `get_cache_invalidating_env_vars()`. Raises what
    the hashes of these raise.
    """
    from triton.runtime import cache

    digest = _digest(cache.get_cache_key(src, backend, options, environment))
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
        triton_key=triton_key_digest(),
        text_hash=str(getattr(getattr(src, "fn", None), "cache_key", "")),
    )


def _as_json(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as they are in a file."""
    return json.loads(json.dumps(dict(values), default=str))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
