# SPDX-License-Identifier: MIT
"""The parts of a kernel's cache key, as a compilation knows them and as the kernel's metadata keep them.

Triton hashes the parts of a key, and keeps only the result. A bundle has to report which part of a key is another one
on this machine, and kernels that torch compiles in other processes lose their sources. So the metadata record the
parts: the source, Triton's own part, the compiler, and the options of the launch, of which compilations overwrite some.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from triton_xe import options as xe_options
from triton_xe import seals
from triton_xe.compat import key_parts

#: The entry of the metadata.
ORIGIN = "origin"

Stage = Callable[[Any, dict[str, Any]], Any]


@dataclasses.dataclass(frozen=True)
class Origin:
    """The parts of a kernel's key that its metadata have: all but the environment."""

    source_hash: str
    #: The hash of the kernel's text, without the types and constants of its arguments.
    text_hash: str
    triton_key: str
    backend_hash: str
    options_hash: str
    #: The options of the launch.
    options: dict[str, Any]


def triton_key() -> str:
    """Return Triton's own part of cache keys; an empty text if this Triton has none."""
    # It does not exist yet while Triton looks for backends.
    from triton.runtime import cache

    from triton_xe.compat import wheel_key

    # A process that has compiled nothing yet would hash the whole wheel.
    wheel_key.install()
    return cache.triton_key() if hasattr(cache, "triton_key") else ""


def triton_key_digest() -> str:
    """Return the SHA-256 of Triton's own part of cache keys."""
    return seals.digest(triton_key().encode())


def record(stages: dict[str, Stage], backend_hash: str, options: xe_options.XeOptions) -> None:
    """Let the last stage of a compilation record the inputs of the kernel's key, in this thread right before."""
    parts = key_parts.last()
    kernel = parts.source if parts and parts.options is options else None
    name = next(reversed(stages))
    stage = stages[name]

    def run(source: Any, metadata: dict[str, Any]) -> Any:
        result = stage(source, metadata)
        metadata[ORIGIN] = {
            "source_hash": kernel.hash() if kernel else "",
            "text_hash": text_hash(kernel),
            "triton_key": triton_key_digest(),
            "backend_hash": backend_hash,
            "options_hash": options.hash(),
            "requested": {name: value for name, value in vars(options).items() if metadata.get(name) != value},
        }
        return result

    stages[name] = run


def read(metadata: Mapping[str, Any]) -> Origin | None:
    """Return what the key of the kernel with these metadata was computed from.

    Returns None for metadata of another form: an earlier version of this package, or other code, has written them.
    """
    origin = metadata.get(ORIGIN)
    texts = ("source_hash", "text_hash", "triton_key", "backend_hash", "options_hash")
    if not isinstance(origin, dict) or not all(isinstance(origin.get(text), str) for text in texts):
        return None
    if not isinstance(origin.get("requested"), dict):
        return None
    fields = [field.name for field in dataclasses.fields(xe_options.XeOptions)]
    options = {field: metadata[field] for field in fields if field in metadata} | origin["requested"]
    return Origin(options=options, **{text: origin[text] for text in texts})


def text_hash(source: Any) -> str:
    """Return the hash of a kernel's text; an empty text for a source without a function."""
    return str(getattr(getattr(source, "fn", None), "cache_key", ""))
