# SPDX-License-Identifier: MIT
"""The parsers of the command line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from triton_xe.suggestions import suggest
from triton_xe.tools.scripts import Script

#: How near to an option of the command one of a script is that is probably meant for the command.
_NEAR = 0.8
_CHOICE = re.compile(r"invalid choice: '(?P<word>[^']*)'.* \(choose from (?P<names>.*)\)")


class Parser(argparse.ArgumentParser):
    """A parser whose errors suggest what was meant, and whose options are written in full."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        #: The names of options.
        self.known: list[str] = []
        #: Whether the command runs a script, which has separate arguments.
        self.takes_script = False
        super().__init__(*arguments, **{"allow_abbrev": False} | options)

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:
        self.known += [name for name in names if name.startswith("-")]
        return super().add_argument(*names, **options)

    def error(self, message: str) -> NoReturn:
        if match := _CHOICE.search(message):
            message += suggest(match["word"], re.findall(r"[\w-]+", match["names"]))
        if self.takes_script:
            message += " (what is for the script follows `--`)"
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
        after = words[end + 1 :]
        if parsed.script is None and rest:
            self.refuse(rest)
        if parsed.script is None and not after:
            self.error("expected a script")
        if parsed.script is None:
            parsed.script, *after = after
        elif unknown := [word for word in rest if word in words[: words.index(parsed.script)]]:
            self.refuse(unknown)
        self._hint(rest)
        parsed.script = Script(parsed.script, (*rest, *after), parsed.is_module)
        return parsed, []

    def _hint(self, words: Sequence[str]) -> None:
        """Print which options of a script are probably misspelt ones of the command."""
        for word in words:
            name = word.partition("=")[0]
            if name.startswith("--") and (advice := suggest(name, self.known, _NEAR)):
                print(f"note: `{name}` is passed to the script{advice}", file=sys.stderr)


def number(what: str, least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a function that reads an integer between bounds, as `type` of argparse."""
    limits = f"at least {least}" if most is None else f"{least} to {most}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"expected {what}, {limits}, found {text!r}")
        return value

    return read


class _ModuleFlag(argparse.Action):
    """The option `-m`, which is about the word that follows, and so has to precede it."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: Any) -> None:
        if namespace.script is not None:
            parser.error("`-m` has to precede the name of a module; words for the script follow `--`")
        namespace.is_module = True


def take_script(parser: Parser) -> None:
    """Let a command take a script: `[options] SCRIPT.py [options] [arguments of the script]`.

    Words after the script that are no options of the command are for the script; so is everything after `--`.
    """
    parser.takes_script = True
    following = "[options] [arguments of the script] [-- more of them]"
    parser.usage = "\n       ".join(
        f"{parser.prog} [options] {what} {following}" for what in ("SCRIPT.py", "-m MODULE", "pytest")
    )
    parser.add_argument("-m", dest="is_module", action=_ModuleFlag, nargs=0, default=False,
                        help="run a module, whose name follows")  # fmt: skip
    script = parser.add_argument("script", metavar="SCRIPT.py", help="a script that launches kernels")
    # It may follow `--`.
    script.required = False
