# SPDX-License-Identifier: MIT
"""Let errors of launches on the simulator name lines of Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triton_xe import errors, kept_files, options

#: The form in which a launch names an instruction.
_PLACE = re.compile(r"`\w+` at 0x([0-9a-f]+), in sub-group \d+")


def with_lines(launch: Callable, src: Any, metadata: Any) -> Callable:
    """Let errors of a launch name the line of Python that an instruction comes from."""

    def launch_with_lines(*arguments: Any) -> None:
        try:
            launch(*arguments)
        except (errors.KernelCheckError, errors.LaunchError) as error:
            if (address := find_address(str(error))) is not None:
                lines = _describe_kept(address, src, metadata)
                raise type(error)(str(error) + lines) from None
            raise

    return launch_with_lines


def find_address(message: str) -> int | None:
    """Return the address of the instruction that a message names; None if it names none."""
    place = _PLACE.search(message)
    return int(place[1], 16) if place else None


def _describe_kept(address: int, src: Any, metadata: Any) -> str:
    """Return where an instruction of a kernel in Triton's cache comes from; empty if it is not known."""
    path = kept_files.find(src, metadata, "llir")
    return "" if path is None else describe_lines(address, metadata, Path(path).read_text())


def describe_lines(address: int, metadata: Any, llvm_ir: str, zebin: bytes | None = None) -> str:
    """Return where an instruction comes from, innermost call first; the text is empty if it is not known.

    Code with lines is compiled a second time. Lines do not change the code: where it is not that of `zebin`, the
    place is not known.
    """
    # Needs more of the package than a launch does.
    from triton_xe import native, native_lines

    try:
        compiled, table = native_lines.compile_with_lines(
            metadata.name, llvm_ir, options.gpu_options_of(metadata), metadata.chosen_grf_mode
        )
        if zebin is not None and not native.has_same_instructions(
            native.disassemble(zebin, metadata.arch), native.disassemble(compiled.zebin, metadata.arch)
        ):
            return ""
    except errors.TritonXeError:
        return ""
    places = table.places(address)
    return "".join(f"\n  {'of' if index == 0 else 'called from'} {place}" for index, place in enumerate(places))
