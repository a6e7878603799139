# SPDX-License-Identifier: MIT
"""Files with the result of a stage, as sources of compilations."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: The kinds of binaries that are launched, by their suffixes.
KINDS = {"spv": "SPIR-V", "obj": "object code"}
#: The suffixes of all files that compilations start from: the names of their stages.
SUFFIXES = ("ttir", "ttgir", "llir", *KINDS)
#: The name of the option by which a source passes on its binary, which the backend checks against the target.
BINARY = "source_binary"


@dataclass(frozen=True)
class StageFile:
    """The result of the stage that the file is named after, at which a compilation starts.

    Triton keeps sources as text, for which the name of a binary is enough.
    """

    path: Path
    content: bytes

    @property
    def stage(self) -> str:
        """Return the name of the stage."""
        return self.path.suffix[1:]

    @property
    def is_binary(self) -> bool:
        """Return whether this is no text."""
        return self.stage in KINDS

    @property
    def kind(self) -> str:
        """Return the kind of the binary, for messages."""
        return KINDS[self.stage]

    def __str__(self) -> str:
        return f"; {self.kind} of {self.path}\n" if self.is_binary else self.content.decode()


def passing_on(stage: Callable[[Any, dict[str, Any]], Any]) -> Callable[[Any, dict[str, Any]], Any]:
    """Return a stage that returns the text of its file as it is. A stage of a binary reads such a file itself."""

    @functools.wraps(stage)
    def run(source: Any, metadata: dict[str, Any]) -> Any:
        if isinstance(source, StageFile) and not source.is_binary:
            return str(source)
        return stage(source, metadata)

    return run
