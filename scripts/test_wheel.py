# SPDX-License-Identifier: MIT
"""Test a wheel where nothing of the build is: an empty environment, and a file system that has no LLVM.

    .venv/bin/python scripts/test_wheel.py dist --triton 3.7.1 3.9.0

Among the wheels in the folder it is the newest one for this Python. Each Triton is installed in turn. With it run the
example of README.md, `triton-xe info`, the tests below `test/wheel` and a slice of those that run with every Triton. In
the end the wheel is uninstalled, and must leave nothing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: Other users of LLVM in the process, beside what all tests need.
OTHERS = ("numba", "llvmlite")

#: Folders, and files in the system's folder of libraries, that only machines have which build. They are covered up.
HIDDEN_FOLDERS = ("/usr/lib/llvm-22", "/usr/include/llvm-22")
HIDDEN_LIBRARIES = ("libLLVM*", "libMLIR*", "libclang*", "libsleef*", "libboost_*", "libzstd.a", "libz.a")
SYSTEM_LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")


def namespace() -> list[str]:
    """Return the command before others that lets them see a system without what builds."""
    folders = [folder for folder in HIDDEN_FOLDERS if Path(folder).is_dir()]
    files = [file for name in HIDDEN_LIBRARIES for file in SYSTEM_LIBRARIES.glob(name) if not file.is_symlink()]
    script = ["set -e"]
    script += [f"mount -t tmpfs none {folder}" for folder in folders]
    script += [f"mount --bind /dev/null {file}" for file in files]
    script += ['exec "$@"']
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", "--mount", *user, "sh", "-c", "\n".join(script), "sh"]


class Environment:
    """A virtual environment, with a separate home folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "environment"
        self.new_home("first")
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)

    def new_home(self, name: str) -> None:
        """Begin with an empty home folder."""
        self.home = self.folder.with_name(f"home-{name}")
        self.home.mkdir()

    def install(self, *arguments: str | Path) -> None:
        """Install packages, with what they require."""
        command = [self.folder / "bin" / "pip", "install", "--quiet", *arguments]
        subprocess.run(command, check=True)

    def run(self, program: str, *arguments: str | Path) -> None:
        """Run a program of the environment on the system without LLVM; ends this one where it fails."""
        print("$", program, *arguments, flush=True)
        # Nothing of the environment that this script runs in.
        variables = {"HOME": str(self.home), "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "LANG": "C.UTF-8"}
        # Compiled files of Python would remain.
        variables["PYTHONDONTWRITEBYTECODE"] = "1"
        command = [*namespace(), self.folder / "bin" / program, *arguments]
        result = subprocess.run(command, env=variables, cwd=self.home, check=False)
        if result.returncode:
            raise SystemExit(f"error: `{program}` ends with {result.returncode}")

    def files(self) -> set[Path]:
        """List all files except those that Python compiles."""
        return {path for path in self.folder.rglob("*") if "__pycache__" not in path.parts}

    def check_home(self) -> None:
        """Check that nothing is written but Triton's cache."""
        found = sorted(path.name for path in self.home.iterdir())
        if found != [".triton"]:
            raise SystemExit(f"error: expected `.triton` alone in the home folder, found {found}")


def readme_example(folder: Path) -> Path:
    """Return the first program of README.md."""
    text = (ROOT / "README.md").read_text()
    program = text.partition("```python\n")[2].partition("```\n")[0]
    if "@triton.jit" not in program:
        raise SystemExit("error: README.md does not begin with a kernel")
    path = folder / "readme_example.py"
    path.write_text(program)
    return path


def test_with(environment: Environment, version: str, share: int, jobs: int) -> None:
    """Test everything with one Triton."""
    environment.install(f"triton=={version}")
    environment.new_home(version)
    environment.run("triton-xe", "info")
    environment.run("python", readme_example(environment.folder.parent))
    environment.check_home()
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml"]
    environment.run("python", *pytest, ROOT / "test" / "wheel")
    slice_of_all = ["-m", "conformance", "--one-in", str(share), "-n", str(jobs)]
    # Others are not even read: some want the SYCL runtime.
    files = [file for file in (ROOT / "test" / "python").rglob("test_*.py") if "mark.conformance" in file.read_text()]
    environment.run("python", *pytest, *slice_of_all, *files)


def newest_wheel(folder: Path) -> Path:
    """Return the wheel for this Python that was built last."""
    wheels = folder.glob(f"triton_xe-*-cp{sys.version_info.major}{sys.version_info.minor}-*.whl")
    wheel = max(wheels, key=lambda path: path.stat().st_mtime, default=None)
    if wheel is None:
        raise SystemExit(f"error: no wheel for this Python in `{folder}`")
    return wheel


def main() -> None:
    """Install, test, uninstall."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", type=Path, help="folder of wheels")
    parser.add_argument("--triton", nargs="+", required=True, metavar="VERSION")
    parser.add_argument("--one-in", type=int, default=8, metavar="N", help="share of the kernels' tests")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    wheel = newest_wheel(arguments.wheels.resolve())
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(Path(folder))
        requirements = Path(folder) / "requirements.txt"
        command = [sys.executable, Path(__file__).with_name("list_build_requirements.py"), "--extra", "test"]
        requirements.write_bytes(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        environment.install("-r", requirements, *OTHERS, f"triton=={arguments.triton[0]}")
        before = environment.files()
        environment.install(wheel)
        for version in arguments.triton:
            test_with(environment, version, arguments.one_in, arguments.jobs)
        environment.install(f"triton=={arguments.triton[0]}")
        environment.run("pip", "uninstall", "--quiet", "--yes", "triton-xe")
        if left := environment.files() - before:
            raise SystemExit("error: left by `pip uninstall`:\n" + "\n".join(map(str, sorted(left))))
    print(f"{wheel.name} works with Triton {', '.join(arguments.triton)}")


if __name__ == "__main__":
    main()
