# SPDX-License-Identifier: MIT
"""The part of a kernel's key that identifies this compiler changes with the files that compile, and with no other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from triton_xe import compiler, toolchain

LIBRARY = compiler.device_library_path("emulation")


@pytest.fixture
def package(tmp_path) -> Path:
    """Return a copy of the package's files of Python."""
    return Path(
        shutil.copytree(toolchain.PACKAGE, tmp_path / "package", ignore=lambda *_: {"__pycache__"}, symlinks=True)
    )


def key(package: Path, library: Path = LIBRARY) -> str:
    """Return the key of a new process."""
    return toolchain.key.__wrapped__(library, package)


def edit(path: Path) -> None:
    """Add a comment to a file."""
    path.write_text(f"{path.read_text()}# Edited.\n")


def test_tools_change_no_key(package):
    """All of them are edited, one is new, and one is gone."""
    before = key(package)
    assert before == compiler.toolchain_key()
    tools = sorted((package / "tools").rglob("*.py"))
    assert len(tools) > 50
    for path in tools:
        edit(path)
    (package / "tools" / "new.py").write_text("")
    tools[-1].unlink()
    assert key(package) == before


@pytest.mark.parametrize(
    "name",
    [
        *("compiler.py", "cpu/compiler.py", "xpu/compiler.py", "options.py", "register_mode.py", "target.py"),
        *("instrumentation_mode.py", "libdevice/special.py", "experimental/gluon/layouts.py", "gluon.py"),
        *("compat/gluon_builder.py", "block_pointers.py", "custom_types.py", "native.py"),
    ],
)
def test_compilers_change_the_key(package, name):
    before = key(package)
    edit(package / name)
    assert key(package) != before


def test_other_changes_of_the_core(package):
    """A file of the core is new, gone, or has another name; the device library is another one."""
    keys = [key(package)]
    (package / "new.py").write_text("")
    keys.append(key(package))
    (package / "new.py").rename(package / "other.py")
    keys.append(key(package))
    (package / "custom_types.py").unlink()
    keys.append(key(package))
    library = package / "library.bc"
    library.write_bytes(LIBRARY.read_bytes() + b"\0")
    keys.append(key(package, library))
    assert len(set(keys)) == len(keys)
