# SPDX-License-Identifier: MIT
"""Print the build requirements of pyproject.toml, or those of an extra, one a line, for pip."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib


def main() -> None:
    """Read the project file beside this script's folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extra", help="name of an optional dependency")
    extra = parser.parse_args().extra
    project = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text())
    requires = project["project"]["optional-dependencies"][extra] if extra else project["build-system"]["requires"]
    print("\n".join(requires))


if __name__ == "__main__":
    main()
