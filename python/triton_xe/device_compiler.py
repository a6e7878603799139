# SPDX-License-Identifier: MIT
"""The compiler of Intel's GPU drivers as a program: `ocloc`, with `iga64` that disassembles what it makes.

The versions in Linux distributions differ by years. This module takes, in this order: the program that the user names
(`TRITON_XE_OCLOC`); `ocloc` on the PATH, if it is not older than the version that this package was made with; a program
in a separate folder, which `install` fills from Debian's packages. Its `bin/ocloc` and `bin/iga64` call the programs
through the dynamic loader of these packages.
"""

from __future__ import annotations

import functools
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from triton_xe import errors, knobs
from triton_xe.debian_packages import LIBRARIES, LOADER, PackageSet

#: Older versions on the PATH are not used, since figures and limits of this package come from this version.
OLDEST = (26, 27)
#: Packages with the programs.
PACKAGES = PackageSet(
    "the compiler", "device-compiler", ("intel-ocloc", "libigc2", "libigdfcl2", "libigc2-tools", "zlib1g")
)
#: How long a program may take, by default: ten times what the slowest known kernel takes.
_SECONDS = 1800

#: A script that calls a program of the packages with their libraries, wherever the folder is. It cuts the path itself:
#: a process for each part would take longer than the disassembler.
_SCRIPT = """#!/bin/sh
self=$0
if [ -L "$self" ] || [ "${{self#/}}" = "$self" ]; then self=$(readlink -f "$self"); fi
root=${{self%/bin/*}}
libraries=$root/{libraries}
exec "$libraries/{loader}" --library-path "$libraries" "$root/usr/bin/{program}" "$@"
"""
_ADVICE = "`triton-xe install-compiler` fetches it"


@dataclass(frozen=True)
class DeviceCompiler:
    """The programs `ocloc` and `iga64` of one version."""

    ocloc: str
    #: The path of `iga64`; empty if there is none.
    iga64: str
    #: The version of the driver, such as 26.27.39122.
    version: str
    #: The place where it was found: `TRITON_XE_OCLOC`, `PATH`, or the folder.
    origin: str

    @property
    def number(self) -> tuple[int, ...]:
        """Return the version as numbers, which compare."""
        return tuple(map(int, self.version.split(".")))

    def run_ocloc(self, *arguments: str | Path) -> str:
        """Call `ocloc`, and return its output.

        Raises ToolError; CompileError if it crashes, or does not end; DeviceCompilerRefusal if it is killed, as the
        system does if memory runs out.
        """
        return _run("ocloc", self.ocloc, *arguments)

    def run_iga64(self, *arguments: str | Path) -> str:
        """Call `iga64`, and return its output. Raises ToolError, or CompileError if it crashes."""
        self.require_iga64()
        return _run("iga64", self.iga64, *arguments)

    def require_iga64(self) -> None:
        """Raise ToolError if there is no `iga64`."""
        if not self.iga64:
            raise errors.ToolError(
                f"`iga64` is needed to read native code, and was not found beside `{self.ocloc}` or on the PATH; "
                "Debian has it in `libigc2-tools`"
            )


def seconds() -> float:
    """Return how long a program may take."""
    text = knobs.OCLOC_SECONDS.text() or str(_SECONDS)
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number <= threading.TIMEOUT_MAX:
        raise errors.OptionError(f"`{knobs.OCLOC_SECONDS.name}`: expected a number of seconds, found `{text}`")
    return number


def _run(name: str, path: str, *arguments: str | Path) -> str:
    # On an error the compiler writes files into the current folder.
    with tempfile.TemporaryDirectory(prefix="triton-xe-") as folder:
        try:
            result = subprocess.run(
                [path, *map(str, arguments)],
                capture_output=True,
                text=True,
                check=False,
                cwd=folder,
                timeout=seconds(),
            )
        except subprocess.TimeoutExpired as expired:
            raise errors.CompileError(
                f"`{name}` did not end within {expired.timeout:g} seconds ({knobs.OCLOC_SECONDS.name})"
            ) from None
    output = (result.stdout + result.stderr).strip()
    if result.returncode == -signal.SIGKILL:
        raise errors.DeviceCompilerRefusal(0, 0, "memory of the device compiler", f"`{name}` was killed")
    if result.returncode < 0:
        raise errors.CompileError(f"`{name}` crashed ({signal.strsignal(-result.returncode)})")
    if result.returncode != 0:
        # It repeats an error for every instruction that has it.
        lines = "\n".join(dict.fromkeys(output.splitlines()))
        raise errors.ToolError(f"`{name}` failed with status {result.returncode}:\n{lines}")
    return output


# ----------------------------------------------------------------------------------------------------------------------
# Finding it
# ----------------------------------------------------------------------------------------------------------------------


def _version(ocloc: str) -> str:
    """Return the version that a program prints, without leading zeros of its numbers."""
    # The older ones print nothing and write a file.
    with tempfile.TemporaryDirectory(prefix="triton-xe-") as folder:
        query = [ocloc, "query", "OCL_DRIVER_VERSION"]
        try:
            result = subprocess.run(query, capture_output=True, text=True, check=False, cwd=folder)
        except OSError as error:
            raise errors.ToolError(f"cannot run `{ocloc}`: {error.strerror}") from error
        written = Path(folder, "OCL_DRIVER_VERSION")
        text = written.read_text() if written.exists() else result.stdout
    numbers = re.match(r"\d+(\.\d+)+", text.strip())
    if result.returncode != 0 or not numbers:
        raise errors.ToolError(f"`{ocloc}` is no `ocloc`: it does not report its version")
    return ".".join(str(int(number)) for number in numbers[0].split("."))


def _of_folder(folder: Path) -> DeviceCompiler | None:
    """Return the compiler that is installed in a folder, if there is one."""
    ocloc = folder / "bin" / "ocloc"
    return _of_program(str(ocloc), str(folder)) if ocloc.exists() else None


def _of_program(path: str, origin: str) -> DeviceCompiler:
    """Return the compiler of a program on the system. The disassembler beside it is preferred to that on the PATH."""
    beside = Path(path).resolve().with_name("iga64")
    iga64 = str(beside) if beside.exists() else shutil.which("iga64") or ""
    return DeviceCompiler(path, iga64, _version(path), origin)


@functools.cache
def _find(named: str, found: str | None) -> DeviceCompiler:
    if named:
        path = shutil.which(named)
        if path is None:
            raise errors.ToolError(f"`TRITON_XE_OCLOC`: `{named}` is no program")
        return _of_program(path, knobs.OCLOC.name)
    on_path = _of_program(found, "PATH") if found else None
    if on_path and on_path.number >= OLDEST:
        return on_path
    for folder in PACKAGES.folders():
        if installed := _of_folder(folder):
            return installed
    wanted = ".".join(map(str, OLDEST))
    if on_path:
        raise errors.ToolError(
            f"`ocloc` {wanted} or newer is needed for native code, and `{found}` is {on_path.version}; {_ADVICE}, and "
            f"{knobs.OCLOC.name} names another one to use it nevertheless"
        )
    raise errors.ToolError(f"`ocloc` {wanted} or newer is needed for native code, and was not found; {_ADVICE}")


def find() -> DeviceCompiler:
    """Return the compiler to use. If there is none, raises ToolError, which explains how to install one."""
    return _find(knobs.OCLOC.text(), shutil.which("ocloc"))


def require() -> DeviceCompiler:
    """Return the compiler to use, before a command does what needs it. On a terminal, offers to install a missing one.

    Raises ToolError if there is none, or no disassembler.
    """
    try:
        compiler = find()
    except errors.ToolError as error:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        print(f"{error}\nFetch it now, into a separate folder? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise
        compiler = install()
    compiler.require_iga64()
    return compiler


# ----------------------------------------------------------------------------------------------------------------------
# Installing it
# ----------------------------------------------------------------------------------------------------------------------


def _write_scripts(folder: Path) -> None:
    """Write `bin/ocloc` and `bin/iga64`, which call the unpacked programs."""
    (folder / "bin").mkdir()
    for name in ("ocloc", "iga64"):
        # The name of a program may end in its version.
        programs = sorted((folder / "usr" / "bin").glob(f"{name}*"))
        if not programs:
            raise errors.ToolError(f"there is no `{name}` in the packages {', '.join(PACKAGES.packages)}")
        script = folder / "bin" / name
        script.write_text(_SCRIPT.format(program=programs[-1].name, libraries=LIBRARIES, loader=LOADER))
        script.chmod(0o755)


def install(folder: Path | None = None, mirror: str | None = None) -> DeviceCompiler:
    """Fetch the packages and unpack them below a folder, in the place of its former content.

    The default is the first of `PACKAGES.folders()` that can be written. Raises ToolError if something is missing.
    """
    installed = _of_folder(PACKAGES.install(folder, mirror, _write_scripts))
    _find.cache_clear()
    assert installed is not None
    return installed
