# SPDX-License-Identifier: MIT
"""Let errors of launches on the simulator name lines of Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triton_xe import errors, kept_files

#: The form in which a launch names an instruction.
_PLACE = re.compile(r"`\w+` at 0x([0-9a-f]+), in sub-group \d+")


def with_lines(launch: Callable, src: Any, metadata: Any) -> Callable:
    """Let errors of a launch name the line of Python that an instruction comes from."""

    def launch_with_lines(*arguments: Any) -> None:
        try:
            launch(*arguments)
        except (errors.KernelCheckError, errors.LaunchError) as error:
            if place := _PLACE.search(str(error)):
                lines = _describe_lines(int(place[1], 16), src, metadata)
                raise type(error)(str(error) + lines) from None
            raise

    return launch_with_lines


def _describe_lines(address: int, src: Any, metadata: Any) -> str:
    """Return where an instruction comes from, innermost call first; the text is empty if nobody knows.

    Code with lines is compiled a second time, from what Triton keeps of the kernel. Lines do not change the code.
    """
    # Needs more of the package than a launch does.
    from triton_xe.report import kernel

    path = kept_files.find(src, metadata, "llir")
    if path is None:
        return ""
    try:
        _, instructions = kernel.compile_with_places(
            metadata.name, Path(path).read_text(), kernel.read_options(metadata), metadata.chosen_grf_mode
        )
    except errors.TritonXeError:
        return ""
    places = next((each.places for each in instructions if each.address == address), ())
    return "".join(f"\n  {'of' if index == 0 else 'called from'} {place}" for index, place in enumerate(places))
