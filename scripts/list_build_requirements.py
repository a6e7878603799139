# SPDX-License-Identifier: MIT
"""Print the build requirements of pyproject.toml, with tools that the system lacks, or those of extras, for pip."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib


#: Tools of the build with the oldest versions that do, which scikit-build-core finds in the environment, too.
TOOLS = {"cmake": (3, 25), "ninja": (1, 10)}


def missing_tools() -> Iterator[str]:
    """Yield what PyPI has of the tools that the system lacks, or has too old: Ubuntu 22.04 has CMake 3.22."""
    for name, oldest in TOOLS.items():
        program = shutil.which(name)
        text = subprocess.run([program, "--version"], capture_output=True, text=True).stdout if program else ""
        found = re.search(r"(\d+)\.(\d+)", text)
        if not found or tuple(map(int, found.groups())) < oldest:
            yield f"{name}>={'.'.join(map(str, oldest))}"


def main() -> None:
    """Read the project file beside this script's folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extra", nargs="+", default=[], metavar="NAME", help="optional dependencies")
    extras = parser.parse_args().extra
    project = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text())
    if extras:
        optional = project["project"]["optional-dependencies"]
        requires = [requirement for extra in extras for requirement in optional[extra]]
    else:
        requires = [*project["build-system"]["requires"], *missing_tools()]
    print("\n".join(requires))


if __name__ == "__main__":
    main()
