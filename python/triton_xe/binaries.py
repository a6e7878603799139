# SPDX-License-Identifier: MIT
"""The binaries of compiled kernels: their stages, and files of them as sources."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

#: The kinds of binaries, by their suffixes.
KINDS = {"spv": "SPIR-V", "obj": "object code"}


class BinaryStage(str):
    """The name of the stage with the launchable binary. It compares equal to the suffix of every binary.

    Triton reads the files of a cached kernel as text unless their suffix equals `binary_ext`. Native code is a second
    binary, and has to be read as bytes, too. A compilation that starts at LLVM IR ends in the binary stage of its
    target. The table of `triton_xe.compat` names both places in Triton.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other in ("spv", "obj", "zebin")

    __hash__ = str.__hash__


@dataclass(frozen=True)
class BinaryFile:
    """A finished binary as the source of a compilation. Triton keeps sources as text, for which the name is enough."""

    path: Path
    content: bytes

    @property
    def kind(self) -> str:
        """Return the kind of the binary, for messages."""
        return KINDS[self.path.suffix[1:]]

    def __str__(self) -> str:
        return f"; {self.kind} of {self.path}\n"
