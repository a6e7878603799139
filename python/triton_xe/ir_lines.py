# SPDX-License-Identifier: MIT
"""Find the lines of a kernel that operations come from, in the text of a module."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from triton_xe import errors

_LOCATION = re.compile(r"loc\((#loc\d*)\)\s*$")


@dataclass(frozen=True)
class ModuleText:
    """The text of a module with its locations, as MLIR prints it: each operation begins a line."""

    text: str

    @functools.cached_property
    def lines(self) -> list[str]:
        """Return the lines of the text."""
        return self.text.splitlines()

    @functools.cached_property
    def aliases(self) -> dict[str, str]:
        """Return the locations that have names, by these names."""
        return dict(re.findall(r"^(#loc\d*) = (.*)$", self.text, re.MULTILINE))

    def location(self, line: str) -> errors.SourceLocation | None:
        """Return where the operation on a line comes from: of inlined code, the line of the outermost call."""
        match = _LOCATION.search(line)
        text = f"loc({match[1]})" if match else ""
        for _ in range(100):
            if place := re.fullmatch(r'loc\("(.*)":(\d+):(\d+)\)', text):
                return errors.SourceLocation(place[1], int(place[2]), int(place[3]))
            # A name or an alias of a place, or a callee at its caller.
            target = re.fullmatch(r'loc\((?:callsite\(.* at (#loc\d*)\)|".*"\((#loc\d*)\)|(#loc\d*))\)', text)
            if not target:
                return None
            text = self.aliases.get(next(filter(None, target.groups())), "")
        return None

    def operation_location(self, number: int) -> errors.SourceLocation | None:
        """Return where the operation that begins on a line (counted from 0) comes from.

        The location of an operation with a body is after the body, on a line with the same indentation.
        """
        indentation = len(self.lines[number]) - len(self.lines[number].lstrip())
        for line in self.lines[number:]:
            if len(line) - len(line.lstrip()) <= indentation and _LOCATION.search(line):
                return self.location(line)
        return None
