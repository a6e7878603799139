# SPDX-License-Identifier: MIT
"""The TTIR of a harvest as a source for Triton's compiler.

Triton's cache key consists of keys of the wheel, the kernel's source, the backend, the options and the environment. The
harvest has the key of the source, so that the code which is generated from its TTIR gets the key that a process with
the kernel itself requests. Nothing of the kernel's Python is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from triton.backends.compiler import Language
from triton.compiler import ASTSource

if TYPE_CHECKING:
    from triton_xe.tools.harvest.records import Specialization


class RecordedSource(ASTSource):
    """A specialization of a harvest, in the place of the kernel that was launched."""

    def __init__(self, record: Specialization) -> None:
        self.record = record
        self.name = record.name
        self.ext = "ttir"
        self.language = Language.TRITON
        self.signature: dict[str, Any] = dict(record.signature)
        self.constants: dict[Any, Any] = {}
        self.attrs: dict[Any, Any] = {}
        self.fn = SimpleNamespace(launch_metadata=None, arg_names=list(record.signature), cache_key=record.text_hash)

    def hash(self) -> str:
        """Return the text that identifies the kernel's source in cache keys."""
        return self.record.source_hash

    def make_ir(
        self, target: object, options: object, codegen_fns: Mapping, module_map: Mapping, context: object
    ) -> str:
        """Return the input of the first stage, which keeps TTIR that is clean already."""
        return self.record.ttir

    def parse_options(self) -> dict[str, Any]:
        """Return no options: those of the launch are with the record."""
        return {}
