# SPDX-License-Identifier: MIT
"""The papers of the project: licences of what a wheel holds, and the project's statements about itself."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_licences_are_there_and_named():
    """Each text that the notices name exists, and each existing one is named."""
    notices = (ROOT / "THIRD_PARTY_NOTICES.md").read_text()
    texts = {path.name for path in (ROOT / "licenses").iterdir()}
    assert set(re.findall(r"`([\w.-]+\.txt)`", notices)) == texts
    assert all((ROOT / "licenses" / name).stat().st_size > 500 for name in texts)


def test_libraries_of_the_build_have_notices():
    """Each library that CMake links into a wheel has a row, which is found by a word of it."""
    notices = (ROOT / "THIRD_PARTY_NOTICES.md").read_text()
    sources = list((ROOT / "cmake").glob("*.cmake"))
    for folder in ("bin", "include", "lib", "python", "test", "third_party"):
        sources += (ROOT / folder).rglob("CMakeLists.txt")
    lines = [line for source in sources for line in source.read_text().splitlines()]
    packages = {found[1] for line in lines if (found := re.match(r"\s*find_package\((\w+)", line))}
    # These belong to the build, the tests, or the C library.
    packages -= {"Python", "GTest", "Threads"}
    assert packages == {"MLIR", "Boost", "pybind11"}
    for name in (*packages, "LLVM", "SLEEF", "zlib", "Zstandard", "GNU C++ library", "SYCL"):
        assert name in notices


def test_build_and_extras_agree_on_sycl():
    """A wheel loads with every SYCL runtime that its extras allow, since the build takes one of the same year.

    All of a year have one soname. Version 2026.0 lacks a function that headers of 2026.2 call for queues without a
    handler of exceptions; torch 2.13 requires 2026.0.
    """
    requirements = []
    for arguments in ([], ["--extra", "xpu"], ["--extra", "opencl"]):
        command = [sys.executable, ROOT / "scripts" / "list_build_requirements.py", *arguments]
        lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        requirements += [line for line in lines if line.startswith("intel-sycl-rt")]
    assert requirements == ["intel-sycl-rt>=2026.0,<2027"] * 3
    assert importlib.metadata.version("intel-sycl-rt").startswith("2026.")
    module = Path(importlib.util.find_spec("triton_xe._runtime").origin).read_bytes()
    assert b"\0libsycl.so.9\0" in module
    assert b"defaultAsyncHandler" not in module
