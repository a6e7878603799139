# SPDX-License-Identifier: MIT
"""`scripts/check_includes.py` reports what a precompiled header hides."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "check_includes.py"


def check(folder: Path, *paths: str, **sources: str) -> subprocess.CompletedProcess[str]:
    """Check sources of which each is compiled after a precompiled header, except for `alone`."""
    entries = []
    for name, text in sources.items():
        (folder / f"{name}.cpp").write_text(text)
        options = [] if name == "alone" else ["-Winvalid-pch", "-include-pch", "header.h.pch"]
        command = ["clang++-22", *options, "-o", f"{name}.o", "-c", str(folder / f"{name}.cpp")]
        entries.append({"directory": str(folder), "file": command[-1], "command": " ".join(command)})
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    command = [sys.executable, SCRIPT, "--build", folder, *(folder / path for path in paths or ("",))]
    return subprocess.run(command, capture_output=True, text=True)


def test_includes(tmp_path):
    """The precompiled header need not exist. A source without one is not parsed, nor one that was not named."""
    sound = "#include <vector>\nstd::vector<int> x;\n"
    result = check(tmp_path, one=sound, two=sound, alone="no code\n")
    assert (result.returncode, result.stdout) == (0, "2 sources, 0 with errors\n"), result.stderr
    sources = {"one": sound, "two": "std::vector<int> x;\n"}
    result = check(tmp_path, **sources)
    assert (result.returncode, result.stdout) == (1, "2 sources, 1 with errors\n")
    assert "two.cpp:1:1: error: use of undeclared identifier 'std'" in result.stderr
    assert check(tmp_path, "one.cpp", **sources).returncode == 0
    assert list(tmp_path.glob("*.o")) == []


@pytest.mark.parametrize("path", ["alone.cpp", "none"])
def test_nothing_to_check(tmp_path, path):
    result = check(tmp_path, path, one="int x;\n", alone="int y;\n")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "error: no such source is compiled after a precompiled header\n"
