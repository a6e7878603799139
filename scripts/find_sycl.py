# SPDX-License-Identifier: MIT
"""Print the folders that the SYCL runtime may be in, for CMake: separated by semicolons, the likeliest first.

Packages of a build that pip isolates are found through the search path alone: `sys.prefix` is that of the Python
outside of the isolation.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path

HEADER = ("include", "sycl", "sycl.hpp")


def prefixes() -> Iterator[Path]:
    """Yield the prefix that the package was installed into, then Python's."""
    try:
        files = importlib.metadata.files("intel-sycl-rt") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.parts[-len(HEADER) :] == HEADER:
            yield Path(file.locate()).resolve().parents[len(HEADER) - 1]
    yield Path(sys.prefix)


if __name__ == "__main__":
    print(";".join(dict.fromkeys(map(str, prefixes()))))
