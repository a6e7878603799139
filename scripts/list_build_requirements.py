"""Print the build requirements of pyproject.toml, one a line, for pip."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib


def main() -> None:
    """Read the project file beside this script's folder."""
    project = Path(__file__).resolve().parent.parent / "pyproject.toml"
    print("\n".join(tomllib.loads(project.read_text())["build-system"]["requires"]))


if __name__ == "__main__":
    main()
