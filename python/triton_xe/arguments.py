# SPDX-License-Identifier: MIT
"""The parsers of the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from triton_xe.suggestions import suggest

_CHOICE = re.compile(r"invalid choice: '(?P<word>[^']*)'.* \(choose from (?P<names>.*)\)")


class Parser(argparse.ArgumentParser):
    """A parser whose errors suggest what was meant, and whose options are written in full."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        #: The names of options.
        self.known: list[str] = []
        #: Whether the command runs a script, which has arguments of its own.
        self.takes_script = False
        super().__init__(*arguments, **{"allow_abbrev": False} | options)

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:
        self.known += [name for name in names if name.startswith("-")]
        return super().add_argument(*names, **options)

    def error(self, message: str) -> NoReturn:
        if match := _CHOICE.search(message):
            message += suggest(match["word"], re.findall(r"[\w-]+", match["names"]))
        super().error(message)

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """End with an error about words that nothing expects."""
        self.error(f"unrecognized arguments: {' '.join(words)}{suggest(words[0].partition('=')[0], self.known)}")

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        words = list(args or ())
        end = words.index("--") if self.takes_script and "--" in words else len(words)
        parsed, rest = super().parse_known_args(words[:end], namespace)
        if not self.takes_script:
            # The parser of the command is the one that knows its options.
            if rest:
                self.refuse(rest)
            return parsed, rest
        before = words[: words.index(str(parsed.script))]
        if unknown := [word for word in rest if word in before]:
            self.refuse(unknown)
        parsed.arguments = rest + words[end + 1 :]
        return parsed, []


def take_script(parser: Parser) -> None:
    """Let a command take a script: `[options] SCRIPT.py [options] [arguments of the script]`.

    Words after the script that are no options of the command are for the script; so is everything after `--`.
    """
    parser.takes_script = True
    parser.usage = f"{parser.prog} [options] SCRIPT.py [options] [arguments of the script] [-- more of them]"
    parser.add_argument("script", type=Path, metavar="SCRIPT.py", help="a script that launches kernels")
