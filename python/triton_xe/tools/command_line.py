# SPDX-License-Identifier: MIT
"""The command `triton-xe`: describes the installation and the machine, draws layouts, exports, records, precompiles,
bundles, profiles and verifies kernels, and reports native code.

`triton_xe.statuses` has its statuses.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

import triton_xe
from triton_xe import installation
from triton_xe.statuses import Status
from triton_xe.tools import information
from triton_xe.tools.arguments import Parser


class _PrintVersion(argparse.Action):
    """Print the versions. Other commands do not look them up: set-up runs one before the package is installed."""

    def __call__(self, parser: argparse.ArgumentParser, *_arguments: object) -> None:
        triton_version = installation.version_of("triton") or "not installed"
        print(f"triton-xe {triton_xe.__version__}, Triton {triton_version}")
        parser.exit()


def _make_parser() -> Parser:
    """Return the parser of all commands; of those alone that need no Triton where it cannot be imported."""
    parser = Parser(prog="triton-xe", description=triton_xe.__doc__)
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help="print the versions and exit")
    commands = parser.add_subparsers(metavar="COMMAND")
    information.add_parsers(commands)
    if triton_xe.failure is None:
        from triton_xe.tools import commands as others

        others.add_parsers(commands)
    else:
        parser.epilog = f"Other commands need Triton, which cannot be imported: {triton_xe.failure}"
    return parser


def _report_errors(run: Callable[[], int]) -> int:
    """Run a command, and print its error, if it is one of this package or of Triton, as a separate line."""
    if triton_xe.failure is not None:
        return run()
    from triton.errors import TritonError

    from triton_xe import errors

    try:
        return run()
    except BrokenPipeError:
        raise
    except (TritonError, OSError) as error:
        print(f"error: {errors.describe(error)}", file=sys.stderr)
        return errors.exit_status(error)


def main(arguments: list[str] | None = None) -> int:
    """Entry point of the console script."""
    words = sys.argv[1:] if arguments is None else arguments
    if (
        triton_xe.failure is not None
        and words
        and not words[0].startswith("-")
        and words[0] not in information.COMMANDS
    ):
        # The other commands are not even known then.
        print(f"error: `{words[0]}` needs Triton, which cannot be imported: {triton_xe.failure}", file=sys.stderr)
        return Status.FAILED
    parser = _make_parser()
    parsed = parser.parse_args(words)
    if not hasattr(parsed, "run"):
        parser.print_help()
        return 0
    try:
        status = _report_errors(lambda: parsed.run(parsed))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Status.FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return Status.INTERRUPTED
    return status


if __name__ == "__main__":
    sys.exit(main())
