# SPDX-License-Identifier: MIT
"""Check that source files include what they use, without the headers that the build precompiles.

    .venv/bin/python scripts/check_includes.py                        # all of them
    .venv/bin/python scripts/check_includes.py lib/Tools python/src   # those below folders

A precompiled header declares what a file may have forgotten to include. Each file is parsed with the options of the
build, except for that header; errors are those of clang. All files take as long as a build did without such headers.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def parse_alone(command: list[str]) -> list[str] | None:
    """Return the command that parses a source alone; None if it is compiled without a precompiled header."""
    if "-include-pch" not in command or "-emit-pch" in command:
        return None
    at = command.index("-include-pch")
    options = ["-fsyntax-only", "-fno-color-diagnostics", "-Wno-unused-command-line-argument"]
    return [*command[:at], *command[at + 2 :], *options]


def check(entry: dict[str, str], command: list[str]) -> str:
    """Return the errors of a source."""
    result = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return result.stderr if result.returncode else ""


def main() -> int:
    """Print the errors of all sources; the status is 1 if there are some."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[ROOT], help="files, or folders of files")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many run at a time")
    arguments = parser.parse_args()
    paths = [path.resolve() for path in arguments.paths]
    jobs = []
    for entry in json.loads((arguments.build / "compile_commands.json").read_text()):
        source = Path(entry["file"]).resolve()
        command = parse_alone(shlex.split(entry["command"]))
        if command and any(source.is_relative_to(path) for path in paths):
            jobs.append((entry, command))
    if not jobs:
        print("error: no such source is compiled after a precompiled header", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(arguments.jobs) as pool:
        errors = [text for text in pool.map(lambda job: check(*job), jobs) if text]
    for text in errors:
        print(text, file=sys.stderr)
    print(f"{len(jobs)} sources, {len(errors)} with errors")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
