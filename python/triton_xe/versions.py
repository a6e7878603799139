# SPDX-License-Identifier: MIT
"""Which Triton is installed, and what its wheel has.

What a wheel has is asked of the wheel itself, never derived from its version: builds from source carry the version of
the release they lead to. The version only says whether anybody has tried.
"""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from dataclasses import dataclass

#: The series of Triton that the tests run with, oldest and newest; pyproject.toml asks for the same.
TESTED = ((3, 7), (3, 9))


@dataclass(frozen=True)
class Feature:
    """Something that not all wheels in the tested range have."""

    name: str
    #: What to do without it, or what it is for.
    remark: str
    present: bool


def has_block_pointers() -> bool:
    """Does the language have block pointers?"""
    import triton.language as tl

    # Where the language has lost them `tl.make_block_ptr` is still there, to raise.
    return "boundary_check" in inspect.signature(tl.load).parameters


def has_block_pointer_operations() -> bool:
    """Does the IR have block pointers? Imports Triton's compiler."""
    from triton._C.libtriton import ir, passes

    # Neither builder nor passes know them once the operations are gone.
    return hasattr(passes.ttir, "add_rewrite_tensor_pointer") or hasattr(ir.builder, "create_make_block_ptr")


def has_short_row_numbers() -> bool:
    """May rows that a descriptor gathers have numbers of 16 bits? Imports Triton's language."""
    from triton.language.semantic import TritonSemantic

    return "int16" in inspect.getsource(TritonSemantic.descriptor_gather)


def features() -> tuple[Feature, ...]:
    """What the installed Triton has of what differs. Imports Triton's compiler and language."""
    import triton.language as tl

    operations = has_block_pointer_operations()
    return (
        Feature("block pointers (language)", "`tl.make_block_ptr`, `tl.advance`", has_block_pointers()),
        Feature("block pointers (IR)", "otherwise they are raised from plain pointers", operations),
        Feature("atomic loads and stores", "`tl.atomic_load`, `_store`, `_poll`", hasattr(tl, "atomic_load")),
        Feature("row numbers of 16 bits", "of a descriptor's `gather` and `scatter`", has_short_row_numbers()),
    )


def series(version: str) -> tuple[int, int]:
    """(major, minor) of a version; (0, 0) if it does not start with two numbers."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def tested_range() -> str:
    """The tested series as text: `3.7 to 3.9`."""
    return " to ".join(".".join(map(str, bound)) for bound in TESTED)


@functools.cache
def warn_if_untested(version: str) -> None:
    """Warn, once per version, of a Triton that is newer than all that were tested."""
    if series(version) > TESTED[1]:
        warnings.warn(
            f"triton-xe is tested with Triton {tested_range()}; found {version}, whose IR it may fail to read",
            stacklevel=2,
        )
