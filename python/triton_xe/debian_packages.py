# SPDX-License-Identifier: MIT
"""Programs and libraries of Debian's packages, below one folder.

The packages of a newer Debian need a newer C library than other systems have. The folder contains that library, too:
what is in it is called through its own dynamic loader, and nothing else on the system changes.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from triton_xe import errors

#: The folder of libraries below that of the packages, and the loader in it.
LIBRARIES = Path("usr/lib/x86_64-linux-gnu")
LOADER = "ld-linux-x86-64.so.2"

_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command that installs packages."""
    parser.add_argument("--folder", type=Path, help="instead of one in this Python environment, or the user's")
    parser.add_argument("--if-missing", action="store_true", help="only if none is found")
    parser.add_argument("--mirror", help="address of Debian's packages, where apt has none")


def _mirrors() -> Iterator[str]:
    """Return the addresses of Debian's packages that apt uses on this system."""
    command = ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(REPO_URI)"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    for line in result.stdout.splitlines():
        origin, _, address = line.partition("|")
        if origin == "Debian" and "security" not in address:
            yield address


@dataclass(frozen=True)
class PackageSet:
    """Packages that are installed together, with what they depend on."""

    #: The name of the packages in messages: "the compiler".
    what: str
    #: The name of the folder below those of environments.
    folder_name: str
    packages: tuple[str, ...]
    #: The distribution.
    suite: str = "forky"

    def folders(self) -> tuple[Path, Path]:
        """Return the folders that `install` may fill: that of the Python environment, which is preferred, and the
        user's."""
        below = Path("share", "triton-xe", self.folder_name)
        return Path(sys.prefix) / below, Path("~/.local").expanduser() / below

    def install(self, folder: Path | None, mirror: str | None, finish: Callable[[Path], None]) -> Path:
        """Fetch the packages and unpack them below a folder, in the place of its former content; return the folder.

        The default is the first of `folders()` that can be written. `finish` gets the unpacked files, and adds to them.
        Raises ToolError if something is missing.
        """
        for candidate in (folder,) if folder else self.folders():
            try:
                candidate.parent.mkdir(parents=True, exist_ok=True)
                work = Path(tempfile.mkdtemp(prefix=f".{self.folder_name}-", dir=candidate.parent))
            except OSError as error:
                problem = errors.FileError(f"cannot write below `{candidate.parent}`: {error.strerror}")
                problem.__cause__ = error
                continue
            try:
                for package in self._download(work / "packages", mirror):
                    self._command("dpkg-deb", "--extract", package, work / "root")
                finish(work / "root")
                # The old one goes when there is a new one.
                shutil.rmtree(candidate, ignore_errors=True)
                (work / "root").rename(candidate)
            finally:
                shutil.rmtree(work, ignore_errors=True)
            return candidate
        raise problem

    def _command(self, *arguments: str | Path) -> None:
        result = subprocess.run([*map(str, arguments)], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise errors.ToolError(
                f"`{Path(arguments[0]).name}` failed with status {result.returncode}:\n{result.stderr.strip()}\n"
                f"The packages are {', '.join(self.packages)} of Debian's `{self.suite}`, with what they depend on."
            )

    def _download(self, folder: Path, mirror: str | None) -> list[Path]:
        """Fetch the packages into a folder, with separate package lists, so that those of the system do not change."""
        if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
            raise errors.ToolError(
                f"installing {self.what} needs `apt-get` and `dpkg-deb`; without them, unpack these packages of "
                f"Debian's `{self.suite}`, with what they depend on, below `{self.folders()[0]}`: "
                f"{', '.join(self.packages)}"
            )
        address = mirror or next(_mirrors(), None)
        if address is None:
            raise errors.ToolError("apt has no address of Debian's packages; `--mirror` names one")
        for name in ("lists/partial", "archives/partial"):
            (folder / name).mkdir(parents=True)
        (folder / "status").touch()
        signed = f"signed-by={_KEYRING}" if _KEYRING.exists() else ""
        (folder / "sources.list").write_text(f"deb [arch=amd64 {signed}] {address} {self.suite} main\n")
        settings = {
            "APT::Architecture": "amd64",
            "APT::Install-Recommends": "0",
            "APT::Sandbox::User": "",
            "Acquire::Languages": "none",
            "Debug::NoLocking": "1",
            "Dir::Cache::Archives": folder / "archives",
            "Dir::Cache::pkgcache": "",
            "Dir::Cache::srcpkgcache": "",
            "Dir::Etc::sourcelist": folder / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::State::Lists": folder / "lists",
            "Dir::State::status": folder / "status",
        }
        options = [option for name, value in settings.items() for option in ("-o", f"{name}={value}")]
        self._command("apt-get", *options, "update")
        self._command("apt-get", *options, "install", "--yes", "--download-only", *self.packages)
        return sorted((folder / "archives").glob("*.deb"))
