# SPDX-License-Identifier: MIT
"""Find which Triton is installed, and which features its wheel has.

Features are found by looking into the wheel, never by its version: a build from source has the version of the next
release. The version only shows whether this package has been tested with it.
"""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from dataclasses import dataclass

#: The series of Triton that the tests run with, oldest and newest; pyproject.toml requires the same.
TESTED = ((3, 7), (3, 9))


@dataclass(frozen=True)
class Feature:
    """A feature that not all wheels in the tested range have."""

    name: str
    #: The replacement for the feature, or its purpose.
    remark: str
    present: bool


def has_block_pointers() -> bool:
    """Return whether the language has block pointers."""
    import triton.language as tl

    # Where the language has lost them `tl.make_block_ptr` is still there, to raise.
    return "boundary_check" in inspect.signature(tl.load).parameters


def has_block_pointer_operations() -> bool:
    """Return whether the IR has block pointers. Imports Triton's compiler."""
    from triton._C.libtriton import ir, passes

    # Neither builder nor passes know them once the operations are gone.
    return hasattr(passes.ttir, "add_rewrite_tensor_pointer") or hasattr(ir.builder, "create_make_block_ptr")


def has_short_row_numbers() -> bool:
    """Return whether a descriptor gathers rows by numbers of 16 bits. Imports Triton's language."""
    from triton.language.semantic import TritonSemantic

    return "int16" in inspect.getsource(TritonSemantic.descriptor_gather)


def features() -> tuple[Feature, ...]:
    """Return which of the differing features the installed Triton has. Imports Triton's compiler and language."""
    import triton.language as tl

    operations = has_block_pointer_operations()
    return (
        Feature("block pointers (language)", "`tl.make_block_ptr`, `tl.advance`", has_block_pointers()),
        Feature("block pointers (IR)", "otherwise they are raised from plain pointers", operations),
        Feature("atomic loads and stores", "`tl.atomic_load`, `_store`, `_poll`", hasattr(tl, "atomic_load")),
        Feature("row numbers of 16 bits", "of a descriptor's `gather` and `scatter`", has_short_row_numbers()),
    )


def series(version: str) -> tuple[int, int]:
    """Return (major, minor) of a version, or (0, 0) if it does not start with two numbers."""
    match = re.match(r"(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def tested_range() -> str:
    """Return the tested series as text, such as `3.7 to 3.9`."""
    return " to ".join(".".join(map(str, bound)) for bound in TESTED)


@functools.cache
def warn_if_untested(version: str) -> None:
    """Warn, once per version, if Triton is newer than all tested versions."""
    if series(version) > TESTED[1]:
        warnings.warn(
            f"triton-xe is tested with Triton {tested_range()}; found {version}, whose IR it may fail to read",
            stacklevel=2,
        )
