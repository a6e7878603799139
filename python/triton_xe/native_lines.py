# SPDX-License-Identifier: MIT
"""The lines of Python that native code comes from.

LLVM's SPIR-V backend writes no lines. The kernel's LLVM IR is compiled to SPIR-V with lines (`SourceLines.cpp`), which
change no instruction of the native code, and the device compiler writes their table.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from triton_xe import compiler, errors, native
from triton_xe.options import XeOptions

#: The source of code: the line itself, then the calls that it was inlined through, outwards. Empty if it has no line.
Places = tuple[errors.SourceLocation, ...]


class LineTable:
    """The source places of the code between two addresses."""

    def __init__(self, rows: Sequence[tuple[int, int]], places: Sequence[Places]) -> None:
        self._addresses = [address for address, _ in rows]
        self._numbers = [number for _, number in rows]
        self._places = places

    def places(self, address: int) -> Places:
        """Return the source places of the instruction at an address."""
        row = bisect.bisect_right(self._addresses, address) - 1
        number = self._numbers[row] if row >= 0 else 0
        return self._places[number - 1] if number else ()


def translate(llvm_ir: str, options: XeOptions) -> tuple[bytes, list[Places]]:
    """Return SPIR-V with lines, and the places that the lines refer to."""
    binary, places = compiler.native_compiler().translate_to_spirv_with_lines(
        llvm_ir, "none", b"", options.enable_fp_fusion, options.arch
    )
    return binary, [
        tuple(errors.SourceLocation(place.file, place.line, place.column) for place in chain) for chain in places
    ]


def compile_with_lines(name: str, llvm_ir: str, options: XeOptions, mode: str) -> tuple[native.NativeCode, LineTable]:
    """Return native code of a kernel, and its table of lines."""
    spirv, places = translate(llvm_ir, options)
    compiled = native.compile_native(spirv, options.arch, mode, name)
    section = native.line_section(compiled.zebin)
    rows = compiler.native_compiler().read_line_table(section) if places and section else []
    return compiled, LineTable(rows, places)
