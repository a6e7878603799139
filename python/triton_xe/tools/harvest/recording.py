# SPDX-License-Identifier: MIT
"""Record the kernels that get a launcher, and their first launches, in the file that `TRITON_XE_HARVEST` names.

Every kernel gets one launcher or more, whichever code compiled it, and wherever it was found: Triton, its autotuner,
Inductor, and launches that need a variant. Nothing that goes wrong here reaches a launch.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from triton_xe import errors, launching
from triton_xe.tools.harvest import arguments, callers, records, specializations

#: The number of launches of a kernel that are recorded, all with different grids or shapes.
MAX_LAUNCHES = 8
#: The number of launches of a kernel that are looked at.
_MAX_LOOKED_AT = 256

#: The kernels that this process has recorded, by the file and their keys.
_kernels: dict[tuple[str, str], _Kernel | None] = {}
#: The files that could not be written.
_failed: set[str] = set()


def with_recording(launch: Callable[..., None], source: Any, metadata: Any, path: str) -> Callable[..., None]:
    """Record a kernel, and return a launcher that does what `launch` does, and records its first launches."""
    place = path, metadata.hash
    if place not in _kernels:
        _kernels[place] = _record_kernel(source, metadata, path)
    kernel = _kernels[place]
    if kernel is None:
        return launch

    @functools.wraps(launch)
    def launch_recorded(*values: Any) -> None:
        launch(*values)
        if kernel.is_done:
            return
        # Arguments may be of any class, which need not have all attributes that those of torch have.
        try:
            kernel.look_at(values)
        except Exception:
            kernel.is_done = True

    return launch_recorded


def _record_kernel(source: Any, metadata: Any, path: str) -> _Kernel | None:
    """Record a kernel. Returns None for one that could not be recorded, which is recorded instead."""
    try:
        specialization = specializations.of_kernel(source, metadata, launching.variant_base())
        is_recorded = _append(path, records.specialization_line(specialization))
    except Exception as error:
        reason = str(error) if isinstance(error, errors.HarvestError) else f"{type(error).__name__}: {error}"
        _append(path, records.failure_line(records.Failure(str(metadata.name), metadata.hash, reason)))
        return None
    return _Kernel(path, metadata.hash, source) if is_recorded else None


def _append(path: str, line: dict[str, Any]) -> bool:
    """Append a line to the file, and return whether it was written. After the first failure nothing is appended."""
    if path in _failed:
        return False
    try:
        records.append(path, line)
    except (OSError, ValueError) as error:
        _failed.add(path)
        # There may be no reader.
        with contextlib.suppress(OSError, ValueError):
            print(f"triton-xe: this process records nothing more in `{path}`: {error}", file=sys.stderr)
        return False
    return True


class _Kernel:
    """The launches of a recorded kernel."""

    def __init__(self, path: str, key: str, source: Any) -> None:
        self._path = path
        self._key = key
        self._signature = list(source.signature.values())
        names = list(getattr(getattr(source, "fn", None), "arg_names", ()))
        self._names = [*names, *[""] * len(self._signature)][: len(self._signature)]
        self._outlines: set[tuple[object, ...]] = set()
        self._looked_at = 0
        self._is_winner = False
        #: This is true once no further launch is looked at.
        self.is_done = False

    def look_at(self, values: Sequence[Any]) -> None:
        """Record a launch, unless it is measured or was recorded before."""
        caller = callers.find()
        if caller.measures:
            return
        self._looked_at += 1
        if caller.tuner and not self._is_winner:
            self._is_winner = _append(self._path, records.winner_line(self._key))
        launch = arguments.describe_launch(self._signature, self._names, values)
        if (outline := launch.outline()) not in self._outlines:
            self._outlines.add(outline)
            _append(self._path, records.launch_line(self._key, launch))
        self.is_done = len(self._outlines) >= MAX_LAUNCHES or self._looked_at >= _MAX_LOOKED_AT or self._path in _failed
