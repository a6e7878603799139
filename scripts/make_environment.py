# SPDX-License-Identifier: MIT
"""Make an environment that has another Triton than the one of this Python, and shares everything else with it.

    .venv/bin/python scripts/make_environment.py 3.9.0 .venv-3.9.0
    .venv/bin/python scripts/make_environment.py 3.9.0 .venv-torch-2.15.0 --torch 2.15.0
    .venv/bin/python scripts/make_environment.py 3.7.1 .venv-sanitize --sanitize

The wheel is the only package that is installed, or that and torch's; the compiler of triton-xe, torch and the tools of
the tests are found after it, in the environment that runs this script.
"""

from __future__ import annotations

import argparse
import platform
import re
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


def install(python: Path, *requirements: str) -> bool:
    """Install packages without what they require; False, and an error, where that fails."""
    command = [python, "-m", "pip", "install", "--quiet", "--no-deps", *requirements]
    if not subprocess.run(command, check=False).returncode:
        return True
    names = ", ".join(f"`{requirement}`" for requirement in requirements)
    print(f"error: {names} cannot be installed, so that nothing is tested with it", file=sys.stderr)
    return False


def install_torch(python: Path, packages: Path, version: str) -> bool:
    """Install torch as it is on PyPI.

    Of what its build for CUDA requires it gets the two libraries in which torch checks whether there is a GPU: the
    runtime and its profiler. Its other requirements are those of the torch below it.
    """
    if not install(python, f"torch=={version}"):
        return False
    (metadata,) = packages.glob(f"torch-{version}*.dist-info/METADATA")
    if toolkit := re.search(r"^Requires-Dist: cuda-toolkit\[.*\]==([\d.]+)", metadata.read_text(), re.MULTILINE):
        # The package of the toolkit requires the matching versions of both libraries.
        command = [python, "-m", "pip", "install", "--quiet", "--no-warn-conflicts"]
        subprocess.run([*command, f"cuda-toolkit[cudart,cupti]=={toolkit[1]}"], check=True)
        subprocess.run([python, Path(__file__).with_name("stub_cuda.py")], check=True)
    return True


def library(name: str) -> str:
    """Return where clang finds a library."""
    command = ["clang++-22", f"-print-file-name={name}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def load_sanitizers(folder: Path, packages: Path) -> None:
    """Let Python load the library of sanitizers ahead of all others, as extension modules built with them require.

    `bin/python` becomes a script, which is `sys.executable` for Python. Programs that Python starts do not load the
    library: some bring along a newer C++ library, others a handler of signals. The C++ library is loaded from the
    beginning, as its exceptions are looked up then. The library of sanitizers loads libraries in the name of others,
    whose own search paths do not count then.
    """
    libraries = f"{library(f'libclang_rt.asan-{platform.machine()}.so')}:{library('libstdc++.so.6')}"
    python = folder / "bin" / "python"
    for name in python.parent.glob("python*"):
        name.unlink()
        name.symlink_to(python.name)
    python.unlink()
    python.write_text(
        f"""#!/bin/bash
export LD_PRELOAD={libraries} LD_LIBRARY_PATH={folder}/lib
exec -a "$0" {Path("/proc/self/exe").resolve()} "$@"
"""
    )
    python.chmod(0o755)
    (packages / "sanitizers.pth").write_text(
        "import os; [os.environ.pop(name, None) for name in ('LD_PRELOAD', 'LD_LIBRARY_PATH')]\n"
    )


def main() -> int:
    """Make the environment; existing parts are kept, so that a second call is cheap."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triton", help="version of Triton")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--torch", metavar="VERSION", help="another torch, too; its build for CUDA will do")
    parser.add_argument("--sanitize", action="store_true", help="for a build with sanitizers")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()

    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    packages = Path(sysconfig.get_path("purelib"))
    here = packages.relative_to(sys.prefix)
    if not install(python, f"triton=={arguments.triton}"):
        return 1
    if arguments.torch and not install_torch(python, folder / here, arguments.torch):
        return 1
    # After the environment's own packages; files of the same kind in there, of editable installs, are read, too.
    (folder / here / "shared.pth").write_text(f"import site; site.addsitedir({str(packages)!r})\n")
    # The OpenCL runtime is looked for beside Python.
    link_all(Path(sys.prefix, "lib"), folder / "lib")
    # So are the device compiler and the tools.
    for path in (Path("bin", "ruff"), Path("bin", "triton-xe-opt"), Path("share", "triton-xe")):
        link = folder / path
        if Path(sys.prefix, path).exists() and not link.exists():
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(Path(sys.prefix, path))
    if arguments.sanitize:
        load_sanitizers(folder, folder / here)
    return 0


if __name__ == "__main__":
    sys.exit(main())
