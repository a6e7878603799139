# SPDX-License-Identifier: MIT
"""Find the files of a kernel in Triton's cache."""

from __future__ import annotations

from typing import Any

from triton_xe import errors


def find(src: Any, metadata: Any, suffix: str) -> str | None:
    """Return the path of a stage of a kernel in Triton's cache; None where it is kept no longer."""
    from triton.runtime import cache

    name = src.name[:150]
    files = cache.get_cache_manager(metadata.hash).get_group(f"{name}.json") or {}
    return files.get(f"{name}.{suffix}")


def lack_of_ttir(src: Any) -> str:
    """Return why a kernel never has TTIR; an empty text if it has."""
    from triton.backends.compiler import Language

    return "kernels in Gluon have no TTIR" if getattr(src, "language", None) == Language.GLUON else ""


def source(src: Any, metadata: Any) -> Any:
    """Return the TTIR that Triton keeps beside a kernel's binary, as a source.

    Raises CompileError if it is no longer there.
    """
    # Loads the compiler.
    from triton_xe import ir_source

    path = find(src, metadata, "ttir")
    if path is None:
        raise errors.CompileError(
            f"a launch of `{src.name}` needs other code than there is, and neither its function is in this process "
            "nor its TTIR in Triton's cache"
        )
    # TTIR has several arguments for a descriptor.
    return ir_source.IRSource(path, list(src.signature.values()))
