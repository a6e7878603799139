# SPDX-License-Identifier: MIT
"""Find out which packages own the folder of Triton, from metadata and files alone.

Intel's fork of Triton (`triton-xpu`, before: `pytorch-triton-xpu`) and other builds install their files into the same
folder as Triton. A mixture there may not be importable, so nothing of it is imported here.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

#: Versions of Triton that stay where they are installed.
_TESTED = re.compile(r"3\.[789]\.\d+")
#: The files that hold a package's version.
_VERSION_FILES = {"triton": "__init__.py", "torch": "version.py"}
_VERSION = re.compile(r"^__version__\s*(?::\s*\w+\s*)?=\s*['\"]([^'\"]+)['\"]", re.MULTILINE)
#: The file of Triton by which its owners are known.
_MARK = "triton/__init__.py"


@dataclass(frozen=True)
class Owner:
    """A distribution that has installed files into the folder of Triton."""

    name: str
    version: str
    #: The files, relative to that folder, with their sizes where the distribution knows them.
    files: dict[str, int | None]

    def __str__(self) -> str:
        return f"`{self.name}` {self.version}"


@dataclass(frozen=True)
class Mixture:
    """The errors in the folder of Triton."""

    findings: tuple[str, ...]
    owners: tuple[Owner, ...]
    #: Folders of backends that no distribution owns.
    leftovers: tuple[Path, ...]

    def commands(self, wheels: Path | None = None) -> tuple[tuple[str, ...], ...]:
        """Return the commands that leave one complete Triton: those that remove, and one that installs.

        With a folder another one comes first, which fetches into it what the last one then installs without a network.
        """
        is_uv = importlib.util.find_spec("pip") is None
        pip = ("uv", "pip") if is_uv else (sys.executable, "-m", "pip")
        place = ("--python", sys.executable) if is_uv else ()
        stock = [owner.version for owner in self.owners if owner.name == "triton"]
        wanted = f"triton=={stock[0]}" if stock and _TESTED.fullmatch(stock[0]) else required_triton()
        names = sorted({owner.name for owner in self.owners})
        fetch: list[tuple[str, ...]] = []
        source: tuple[str, ...] = ()
        if wheels and is_uv:
            # uv has no command that only fetches: what it installs elsewhere stays in its cache.
            cache = ("--cache-dir", str(wheels / "cache"))
            fetch.append((*pip, "install", *place, *cache, "--no-deps", "--target", str(wheels / "unused"), wanted))
            source = (*cache, "--offline")
        elif wheels:
            fetch.append((*pip, "download", "--no-deps", "--dest", str(wheels), wanted))
            source = ("--no-index", "--find-links", str(wheels))
        remove = []
        if names:
            remove.append((*pip, "uninstall", *place, *(() if is_uv else ("--yes",)), *names))
        if self.leftovers:
            remove.append(("rm", "-r", *map(str, self.leftovers)))
        return *fetch, *remove, (*pip, "install", *place, *source, "--force-reinstall", "--no-deps", wanted)

    def explain(self) -> str:
        """Return sentences that name what is mixed, and the commands."""
        commands = "\n".join(f"  {shlex.join(command)}" for command in self.commands())
        return f"{'; '.join(self.findings)}. These commands (`triton-xe doctor --fix`) leave one Triton:\n{commands}"


def required_triton() -> str:
    """Return what this package requires of Triton. Not each Python has the newest one."""
    requirements = importlib.metadata.requires("triton-xe") or ()
    return next(each for each in requirements if re.match(r"triton\b(?!-)", each))


def folder_of(package: str) -> Path | None:
    """Return the folder of a package, which is not imported; None if it is not installed."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


def version_of(package: str) -> str:
    """Return the version that the files of a package have; an empty text if it is not installed."""
    folder = folder_of(package)
    if folder is None:
        return ""
    try:
        match = _VERSION.search((folder / _VERSION_FILES[package]).read_text())
    except OSError:
        match = None
    return match[1] if match else f"without a version, in {folder}"


def _owners(folder: Path) -> Iterator[Owner]:
    """Yield the distributions that have installed into a folder of Triton."""
    seen = set()
    for distribution in importlib.metadata.distributions():
        record = distribution.read_text("RECORD") or ""
        name = distribution.metadata["Name"]
        if not name or name in seen or f"\n{_MARK}," not in f"\n{record}":
            continue
        # The path may have two environments; files of the other one do not count.
        if Path(distribution.locate_file("triton")).resolve() != folder.resolve():
            continue
        seen.add(name)
        files: dict[str, int | None] = {}
        for file in distribution.files or ():
            if file.parts[0] == "triton" and file.suffix != ".pyc":
                files["/".join(file.parts[1:])] = file.size
        yield Owner(name, distribution.version, files)


def _size(file: Path) -> int | None:
    """Return the size of a file; None if it does not exist."""
    try:
        return file.stat().st_size
    except OSError:
        return None


def _altered(folder: Path, owner: Owner) -> int:
    """Return the number of files of a distribution that are missing, or have another size than it has installed."""
    return sum(size is not None and size != _size(folder / name) for name, size in owner.files.items())


def _leftovers(folder: Path) -> Iterator[Path]:
    """Yield the backends in the folder of Triton that no distribution owns."""
    records = "\n".join(each.read_text("RECORD") or "" for each in importlib.metadata.distributions())
    for backend in sorted((folder / "backends").glob("*/compiler.py")):
        if f"triton/backends/{backend.parent.name}/compiler.py," not in records:
            yield backend.parent


def find_mixture() -> Mixture | None:
    """Return what is mixed in the folder of Triton; None if it is that of one distribution, or there is none."""
    folder = folder_of("triton")
    owners = tuple(sorted(_owners(folder), key=lambda owner: owner.name)) if folder else ()
    # A source tree has no list of files to compare with.
    if folder is None or not owners:
        return None
    version, findings = version_of("triton"), []
    if len(owners) > 1:
        findings.append(f"{' and '.join(map(str, owners))} have both installed into {folder}")
    findings += [
        f"{altered} of {len(owner.files)} files of {owner} are missing or another package's"
        for owner in owners
        if (altered := _altered(folder, owner))
    ]
    if len(owners) == 1 and not owners[0].version.startswith(version):
        findings.append(f"the files of {owners[0]} are those of version {version}")
    leftovers = tuple(_leftovers(folder))
    findings.extend(f"{backend} is of no installed package" for backend in leftovers)
    # Windows' and Intel's builds have the place of Triton, but not its tests and its promises.
    if not findings and owners[0].name != "triton":
        findings.append(f"{owners[0]} has the place of `triton`")
    return Mixture(tuple(findings), owners, leftovers) if findings else None


def is_importing_backends() -> bool:
    """Return whether Triton is about to import the backends, of which this package has two."""
    backends = sys.modules.get("triton.backends")
    return backends is not None and not hasattr(backends, "backends")


def check_backends(triton: ModuleType) -> None:
    """Import the backends that Triton's library may not serve. Raises what Triton's own import of them would.

    Triton imports the backends of all entry points, in the order of a folder, and ends where one fails. Where this
    package comes first, the error can be explained. Backends that Triton's library knows by name are left to Triton.
    """
    from triton._C import libtriton

    folder = Path(triton.__file__).parent / "backends"
    unknown = {
        f"triton.backends.{path.parent.name}"
        for path in folder.glob("*/driver.py")
        if not hasattr(libtriton, path.parent.name)
    }
    # Without an entry point they are not imported.
    entries = importlib.metadata.entry_points(group="triton.backends") if unknown else ()
    for name in sorted({entry.value for entry in entries} & unknown):
        importlib.import_module(f"{name}.compiler")
