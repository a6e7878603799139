# SPDX-License-Identifier: MIT
"""The command `triton-xe`: describes the installation and the machine, draws layouts, exports, records, precompiles,
bundles, profiles and verifies kernels, and reports native code."""

from __future__ import annotations

import argparse
import os
import sys

import triton_xe
from triton_xe import information


def main(arguments: list[str] | None = None) -> int:
    """Entry point of the console script."""
    parser = argparse.ArgumentParser(prog="triton-xe", description=triton_xe.__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    information.add_parsers(commands)
    if triton_xe.failure is None:
        from triton_xe import commands as others

        others.add_parsers(commands)
    else:
        parser.epilog = f"Other commands need Triton, which cannot be imported: {triton_xe.failure}"
    parsed = parser.parse_args(arguments)
    try:
        status = parsed.run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
