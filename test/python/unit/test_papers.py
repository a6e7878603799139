# SPDX-License-Identifier: MIT
"""The papers of the project: licences of what a wheel holds, and what the project says of itself."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_licences_are_there_and_named():
    """Each text that the notices name is there, and each that is there is named."""
    notices = (ROOT / "THIRD_PARTY_NOTICES.md").read_text()
    texts = {path.name for path in (ROOT / "licenses").iterdir()}
    assert set(re.findall(r"`([\w.-]+\.txt)`", notices)) == texts
    assert all((ROOT / "licenses" / name).stat().st_size > 500 for name in texts)


def test_libraries_of_the_build_have_notices():
    """What CMake links into a wheel: each library that it looks for, by a word of its row."""
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
