# SPDX-License-Identifier: MIT
"""Write several C++ sources and the headers of this project that they include into one file, for users to compile.

    amalgamate.py --include DIR... --keep HEADER... --output FILE SOURCE...

A header is put where it is first included. One of `--keep` stays a header: it is included by its name alone, without
its folder. The namespace is one of this text alone: a process may hold several versions of the file, in libraries that
know nothing of each other.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_INCLUDE = re.compile(r'#include "([^"]+)"')

_NAMESPACE = re.compile(r"\btriton::intel\b")

_BANNER = """\
// Generated from several files of triton-xe; do not edit. To be compiled once into a
// program that launches exported kernels, with any C++17 compiler:
//
//   c++ -std=c++17 -O2 -c {name}
//
// and linked with SYCL (`-lsycl`). See triton_xe.h.

"""


class Amalgamation:
    """The lines of the files, each file once."""

    def __init__(self, folders: list[Path], kept: list[str]) -> None:
        self.folders = folders
        self.kept = kept
        self.seen: set[Path] = set()

    def find(self, name: str, user: Path) -> Path:
        """Return the file that an include names: beside its user, or below the folders."""
        for folder in (user.parent, *self.folders):
            if (folder / name).is_file():
                return (folder / name).resolve()
        sys.exit(f"error: {user}: cannot find `{name}`")

    def lines(self, path: Path) -> Iterator[str]:
        """Yield the lines that a file becomes."""
        for line in path.read_text().splitlines():
            include = _INCLUDE.match(line)
            if not include:
                yield line
            elif include[1] in self.kept:
                yield f'#include "{Path(include[1]).name}"'
            elif (header := self.find(include[1], path)) not in self.seen:
                self.seen.add(header)
                yield from self.lines(header)


def main() -> None:
    """Entry point of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--include", type=Path, action="append", default=[])
    parser.add_argument("--keep", action="append", default=[])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("sources", type=Path, nargs="+")
    arguments = parser.parse_args()
    amalgamation = Amalgamation(arguments.include, arguments.keep)
    text = "\n".join(line for source in arguments.sources for line in amalgamation.lines(source))
    namespace = f"triton_xe_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    text = _NAMESPACE.sub(namespace, text)
    arguments.output.write_text(f"{_BANNER.format(name=arguments.output.name)}{text}\n")


if __name__ == "__main__":
    main()
