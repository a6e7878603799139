# SPDX-License-Identifier: MIT
"""The identity of builds of an extension module, compared with what binutils read."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

from triton_xe import build_id


def module(name: str) -> Path:
    return Path(importlib.util.find_spec(f"triton_xe.{name}").origin)


@pytest.mark.parametrize("name", ["_compiler", "_cpu"])
def test_build_id(name):
    """The build requests an id of 20 bytes from the linker."""
    notes = subprocess.run(["readelf", "--notes", module(name)], capture_output=True, text=True, check=True).stdout
    (expected,) = re.findall(r"Build ID: (\w+)", notes)
    assert build_id.fingerprint(module(name)).hex() == expected
    assert len(expected) == 40


def test_a_file_without_build_id_is_its_content(tmp_path):
    """Also one that `strip` took the note from, one that ends too early, and one that is no ELF file."""
    content = module("_cpu").read_bytes()
    stripped = tmp_path / "stripped.so"
    subprocess.run(["objcopy", "--remove-section=.note.gnu.build-id", module("_cpu"), stripped], check=True)
    contents = [stripped.read_bytes(), content[:40], content[:100], b"", b"#!/bin/sh\n" * 10]
    for number, other in enumerate(contents):
        path = tmp_path / str(number)
        path.write_bytes(other)
        assert build_id.fingerprint(path) == other
