# SPDX-License-Identifier: MIT
"""The files of a kernel: which of them belong to a bundle, and whether they are sound.

The rules are the same for a cache that is copied from and for a bundle that is read: a kernel has metadata with this
package's seal and with the hash that the folder is named after, and the binary that the seal names. A result of the
autotuner is a list of configurations with their times.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from triton_xe import errors, seals, stage_files
from triton_xe.compat import overrides

#: The suffix of results of the autotuner, and that of metadata, which it ends in.
TUNED, METADATA = ".autotune.json", ".json"
#: Files that a kernel needs: variants of it are compiled from its TTIR, and native code that was requested is read with
#: the binary.
NEEDED = (METADATA, ".ttir", ".zebin", *(f".{kind}" for kind in stage_files.KINDS))
#: Other stages, for those who want to read them.
FURTHER = (".source", ".ttgir", ".llir", ".isa")

#: The parameters of `triton.Config`, which a result lists.
_CONFIG = {"kwargs", "num_warps", "num_ctas", "num_stages", "maxnreg", "pre_hook", "ir_override"}


def stem_of(kernel: str) -> str:
    """Return what Triton begins the names of a kernel's files with."""
    return kernel[:150]


def read_file(path: Path, size: int | None = None) -> bytes:
    """Return the content of a regular file; with `size`, of a file of this size. Raises BundleError."""
    try:
        # Reading does not wait for the other end of a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise errors.BundleError(f"`{path}`: it is no file")
            if size is not None and status.st_size != size:
                raise errors.BundleError(f"`{path}`: expected {size} bytes, found {status.st_size}")
            return file.read()
    except OSError as error:
        raise errors.BundleError(f"`{path}`: {error.strerror}") from error


def find_metadata(names: Iterable[str]) -> str | None:
    """Return the one file among these that has a kernel's metadata; None if there is none or if there are several."""
    found = [name for name in names if name.endswith(METADATA) and not name.startswith("__grp__")]
    return found[0] if len(found) == 1 and not found[0].endswith(TUNED) else None


def parse_object(name: str, content: bytes) -> dict[str, Any]:
    """Return the JSON object in a file. Raises BundleError if there is something else."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise errors.BundleError(f"`{name}`: it is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise errors.BundleError(f"`{name}`: expected an object, found {type(value).__name__}")
    return value


def check_kernel(digest: str, contents: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the metadata of the kernel with this hash and these files. Raises BundleError if it is not sound."""
    name = find_metadata(contents)
    if name is None:
        raise errors.BundleError("expected the metadata of one kernel")
    metadata, stem = parse_object(name, contents[name]), name.removesuffix(METADATA)
    foreign = [other for other in contents if other not in {stem + suffix for suffix in (*NEEDED, *FURTHER)}]
    if foreign:
        raise errors.BundleError(f"`{foreign[0]}`: it is no file of kernel `{stem}`")
    if metadata.get("hash") != digest:
        raise errors.BundleError(f"`{name}`: it is the metadata of another kernel")
    if not seals.is_sealed(metadata):
        raise errors.BundleError(f"`{name}`: it has no seal of this package, or was changed")
    if metadata.get("ir_override") or metadata.get(overrides.OVERRIDDEN):
        # Another machine has another file, or none, and requests the kernel by the same key.
        raise errors.BundleError(f"`{name}`: a file of the user has replaced a stage of the kernel")
    found = [f"{stem}.{kind}" for kind in stage_files.KINDS if f"{stem}.{kind}" in contents]
    if len(found) != 1:
        raise errors.BundleError(f"`{name}`: expected one binary beside it, found {len(found)}")
    if metadata.get(seals.BINARY) != seals.digest(contents[found[0]]):
        raise errors.BundleError(f"`{found[0]}`: it is not the binary that `{name}` describes")
    return metadata


def _is_config(value: Any) -> bool:
    """Return whether a value has the form of a configuration as Triton writes it."""
    if not isinstance(value, dict) or not value.keys() <= _CONFIG or not isinstance(value.get("kwargs"), dict):
        return False
    numbers = [value[name] for name in value.keys() - {"kwargs"}]
    scalars = (bool, int, float, str, type(None))
    return all(type(each) in (int, type(None)) for each in numbers) and all(
        type(each) in scalars for each in value["kwargs"].values()
    )


def _is_time(value: Any) -> bool:
    """Return whether a value is a time, or a list of quantiles, of which the first one decides."""
    numbers = value if isinstance(value, list) else [value]
    return bool(numbers) and all(type(number) in (int, float) for number in numbers)


def check_tuned(name: str, content: bytes) -> None:
    """Raise BundleError unless a file has a result of the autotuner, which Triton reads without a check.

    A configuration with a hook or a file for a stage (`ir_override`), which are of one process or machine, has none.
    """
    timings = parse_object(name, content).get("configs_timings")
    if not isinstance(timings, list) or not timings:
        raise errors.BundleError(f"`{name}`: expected configurations with times")
    for pair in timings:
        if not isinstance(pair, list) or len(pair) != 2 or not _is_config(pair[0]) or not _is_time(pair[1]):
            raise errors.BundleError(f"`{name}`: expected pairs of a configuration and its times")
    if len({type(times) is list for _, times in timings}) > 1:
        raise errors.BundleError(f"`{name}`: expected times of one kind")


def check(digest: str, contents: Mapping[str, bytes]) -> None:
    """Raise BundleError unless these are the files of a kernel with this hash, or one result of the autotuner."""
    if len(contents) == 1 and (name := next(iter(contents))).endswith(TUNED):
        check_tuned(name, contents[name])
    else:
        check_kernel(digest, contents)
