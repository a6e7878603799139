# SPDX-License-Identifier: MIT
"""Substitutes for NVIDIA's libraries, so that a CUDA build of torch can be imported where nothing uses them.

    .venv-torch-2.15.0/bin/python scripts/stub_cuda.py

New releases of torch are on PyPI only as builds for CUDA, whose libraries name several gigabytes of others that are
loaded with them. A machine without a GPU calls none of these, except for the CUDA runtime and its profiler, in which
torch queries the number of devices. Each of the others becomes a library with the functions that torch's libraries
refer to, in the versions that they name; a call of one ends the process with the function's name. torch itself is as it
was released.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

#: The libraries that `import torch` loads.
ROOTS = ("libtorch_python.so", "libtorch_global_deps.so")

HEADER = """#include <stdio.h>
#include <stdlib.h>
static void fail(const char *name) {
  fprintf(stderr, "%s: a substitute of the CUDA library, which this environment does not have\\n", name);
  abort();
}
"""


def list_needed(library: Path) -> list[str]:
    """Return the libraries that are loaded with this one."""
    command = ["llvm-readobj-22", "--needed-libs", str(library)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\S+)$", output, re.MULTILINE)


def list_symbols(library: Path, kind: str) -> Iterator[tuple[str, str]]:
    """Yield names and versions of the symbols that a library defines or refers to; weak references may stay open."""
    command = ["llvm-nm-22", "--dynamic", f"--{kind}-only", "--format=posix", str(library)]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        name, letter = line.split()[:2]
        if letter not in "wv":
            name, _, version = name.partition("@")
            yield name, version.lstrip("@")


def is_there(library: str) -> bool:
    """Return whether the system has the library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def find_missing(folders: list[Path]) -> tuple[list[Path], list[str]]:
    """Return what is loaded with torch: the libraries that are in the folders, and those that are nowhere."""
    loaded: dict[str, Path | None] = {}
    names = list(ROOTS)
    while names:
        name = names.pop()
        if name in loaded:
            continue
        loaded[name] = next((folder / name for folder in folders if (folder / name).exists()), None)
        if path := loaded[name]:
            names.extend(list_needed(path))
    missing = [name for name, path in loaded.items() if not path and not is_there(name)]
    return [path for path in loaded.values() if path], sorted(missing)


def list_versions(library: Path) -> Iterator[tuple[str, str]]:
    """Yield versions of symbols that a library refers to, with the library that each is looked for in."""
    command = ["llvm-readobj-22", "--version-info", str(library)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    _, _, output = output.partition("VersionRequirements [")
    owner = ""
    for field, value in re.findall(r"^ +(FileName|Name): (\S+)", output, re.MULTILINE):
        if field == "FileName":
            owner = value
        else:
            yield value, owner


def assign_symbols(libraries: list[Path], missing: list[str]) -> dict[str, set[tuple[str, str]]]:
    """Return the functions of each missing library, with their versions.

    The loader looks for symbols without a version in all of them, so that any may have them.
    """
    defined = {name for library in libraries for name, _ in list_symbols(library, "defined")}
    functions: dict[str, set[tuple[str, str]]] = {library: set() for library in missing}
    for library in libraries:
        owners = dict(list_versions(library))
        for name, version in list_symbols(library, "undefined"):
            if not version and name not in defined:
                functions[missing[0]].add((name, ""))
            elif owners.get(version) in functions:
                functions[owners[version]].add((name, version))
    return functions


def build(library: Path, functions: set[tuple[str, str]]) -> None:
    """Build a shared library with these functions."""
    by_version = defaultdict(list)
    for name, version in sorted(functions):
        by_version[version].append(name)
    names = sorted({name for name, _ in functions})
    body = "".join(f'void {name}(void) {{ fail("{name}"); }}\n' for name in names)
    script = "".join(
        f"{version} {{ global: {' '.join(f'{name};' for name in named)} }};\n"
        for version, named in by_version.items()
        if version
    )
    with tempfile.TemporaryDirectory() as folder:
        source, map_file = Path(folder, "stub.c"), Path(folder, "stub.map")
        source.write_text(HEADER + body)
        map_file.write_text(script)
        options = [f"-Wl,--version-script={map_file}"] if script else []
        command = ["clang-22", "-shared", "-fPIC", "-w", "-fno-builtin", f"-Wl,-soname={library.name}", *options]
        subprocess.run([*command, "-o", library, source], check=True)


def main() -> int:
    """Write the libraries beside the CUDA runtime, where torch's libraries look for them."""
    packages = Path(sysconfig.get_path("purelib"))
    (runtime,) = packages.glob("nvidia/cu*/lib/libcudart.so.*")
    libraries, missing = find_missing([packages / "torch" / "lib", runtime.parent])
    if not missing:
        return 0
    for name, functions in assign_symbols(libraries, missing).items():
        build(runtime.parent / name, functions)
    print(f"substitutes: {', '.join(missing)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
