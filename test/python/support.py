"""Which operation of the language is tested with which element types.

Tests say what they cover (`covers("tl.sum", "i32", "fp16")`, a mark); the README's table of support is made from these
marks, by `scripts/support_table.py`, and names of the language without a test are found.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable

import pytest

#: Element types in the order of the table.
ELEMENT_TYPES = (
    "i1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "fp16", "bf16", "fp32", "fp64",
    "fp8e5", "fp8e4nv", "fp8e4b15",
)  # fmt: skip


INTEGER_TYPES = ELEMENT_TYPES[1:9]
FLOAT_TYPES = ELEMENT_TYPES[9:13]


def covers(names: str | Iterable[str], *element_types: str) -> pytest.MarkDecorator:
    """Marks a test, or one set of its parameters; a string may hold several names, separated by blanks.

    Operations on no data (`tl.program_id`) have no element type.
    """
    names = tuple(names.split()) if isinstance(names, str) else tuple(names)
    unknown = set(element_types) - set(ELEMENT_TYPES)
    if unknown:
        raise ValueError(f"unknown element types: {', '.join(sorted(unknown))}")
    return pytest.mark.covers(names=names, element_types=element_types)


#: Debian packages of both exist, and `make setup` installs them; elsewhere there may be none.
needs_ocloc = pytest.mark.skipif(
    not (shutil.which("ocloc") and shutil.which("iga64")),
    reason="native code is made by `ocloc` and read by `iga64`, of which one is not on this machine",
)
