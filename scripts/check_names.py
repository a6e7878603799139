# SPDX-License-Identifier: MIT
"""The rules of scripts/check_sources.py for names of C++: include guards, namespaces and passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

#: The prefix of passes, by the folder that defines them below `include`. The first entry that fits counts.
PASS_PREFIXES = (
    ("intel/Dialect/Triton/", "triton-intel-"),
    ("intel/Conversion/", "convert-"),
    ("intel/", "tritonintelgpu-"),
    ("triton/Conversion/", "convert-"),
    ("triton/Dialect/TritonGPU/", "tritongpu-"),
    ("triton/Dialect/ProtonGPU/", "proton-gpu-"),
    ("triton/Dialect/Triton/", "triton-"),
)

#: The namespaces that this project adds to: code that uses MLIR is in the first one, other code in the second one.
ROOTS = ("mlir::triton", "triton::intel")
#: The namespace of MLIR that traits have to be in.
TRAITS = "mlir::OpTrait"


def include_guard(name: str) -> str:
    """Return the guard of a header: its path without `include` and `third_party`, in capital letters."""
    parts = [part for part in PurePosixPath(name).parts if part not in ("include", "third_party")]
    if parts[0] != "triton":
        parts.insert(0, "triton")
    kept = [part for index, part in enumerate(parts) if index == 0 or part.lower() != parts[index - 1].lower()]
    return re.sub(r"\W", "_", "_".join(kept)).upper()


def check_guard(name: str, text: str) -> Iterator[str]:
    """Yield a guard with a name other than the file's. Headers without a guard are included several times."""
    guard = re.search(r"^#ifndef (\w+)\n#define \1\n", text, re.MULTILINE)
    if guard and guard[1] != (expected := include_guard(name)):
        yield f"{name}: expected the guard `{expected}`, found `{guard[1]}`"


def check_namespaces(name: str, text: str) -> Iterator[str]:
    """Yield namespaces that are opened at the start of a line and are in neither root, other than foreign ones."""
    for opened in re.finditer(r"^(?:inline )?namespace ([\w:]+) \{", text, re.MULTILINE):
        begin, _, rest = opened[1].partition("::")
        is_foreign = not begin.startswith("triton") and (begin != "mlir" or not rest or opened[1] == TRAITS)
        if not is_foreign and not f"{opened[1]}::".startswith(tuple(f"{root}::" for root in ROOTS)):
            yield f"{name}: expected a namespace in {' or '.join(ROOTS)}, found `{opened[1]}`"


def check_pass_names(name: str, text: str) -> Iterator[str]:
    """Yield passes whose name has another prefix than those of its folder."""
    folder = name.partition("include/")[2]
    prefix = next((prefix for begin, prefix in PASS_PREFIXES if folder.startswith(begin)), "")
    for flag in re.findall(r'Pass<\s*"([\w-]+)"', text):
        if not flag.startswith(prefix):
            yield f"{name}: expected a pass of the name `{prefix}…`, found `{flag}`"


def check_names(name: str, text: str) -> Iterator[str]:
    """Yield what a file violates."""
    suffix = PurePosixPath(name).suffix
    if suffix in (".h", ".td"):
        yield from check_guard(name, text)
    if suffix in (".h", ".cpp"):
        yield from check_namespaces(name, text)
    if name.endswith("/Passes.td"):
        yield from check_pass_names(name, text)
