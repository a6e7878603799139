"""Make an environment that has another Triton than the one of this Python, and shares everything else with it.

    .venv/bin/python scripts/make_environment.py 3.9.0 .venv-3.9.0

The wheel is the only package that is installed; the compiler of triton-xe, torch and the tools of the tests are found
behind it, in the environment that runs this script.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
from pathlib import Path


def link_all(target: Path, folder: Path) -> None:
    """Put links to what `target` holds into `folder`, where nothing has the name yet."""
    for path in sorted(target.iterdir()):
        link = folder / path.name
        if not link.exists() and not path.name.startswith("python"):
            link.symlink_to(path)


def main() -> int:
    """Make the environment; what was there is kept, so that a second call is cheap."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triton", help="version of Triton")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()

    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    requirement = f"triton=={arguments.triton}"
    if subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", requirement], check=False).returncode:
        print(f"error: `{requirement}` cannot be installed, so that nothing is tested with it", file=sys.stderr)
        return 1
    packages = Path(sysconfig.get_path("purelib"))
    here = packages.relative_to(sys.prefix)
    # Behind the environment's own packages; files of the same kind in there, of editable installs, are read, too.
    (folder / here / "shared.pth").write_text(f"import site; site.addsitedir({str(packages)!r})\n")
    # The OpenCL runtime and the tool are looked for beside Python.
    link_all(Path(sys.prefix, "lib"), folder / "lib")
    tool = Path(sys.prefix, "bin", "triton-xe-opt")
    link = folder / "bin" / tool.name
    if tool.exists() and not link.exists():
        link.symlink_to(tool)
    return 0


if __name__ == "__main__":
    sys.exit(main())
