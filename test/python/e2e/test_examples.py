# SPDX-License-Identifier: MIT
"""Every program of `examples/` runs on the CPU device, is right, and has a report for PVC."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import warm_python
from support import needs_ocloc

ROOT = Path(__file__).parents[3]
PROGRAMS = sorted((ROOT / "examples").glob("*.py"))


def test_the_list_is_complete() -> None:
    """The page names each program, and no other."""
    page = (ROOT / "examples" / "README.md").read_text()
    assert sorted(re.findall(r"^\| \[`(\w+\.py)`\]", page, re.MULTILINE)) == [path.name for path in PROGRAMS]


@needs_ocloc
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    """A program fails where its numbers are wrong; each of its kernels has a section in the report, and none spills."""
    tool = Path(sys.executable).parent / "triton-xe"
    command = [sys.executable, str(tool), "report", "--run", str(path)]
    result = warm_python.run(command, cwd=ROOT, timeout=600)
    assert result.returncode == 0, result.stderr
    assert f"{path.stem}: " in result.stdout
    # Functions that kernels call are not launched.
    kernels = set(re.findall(r"^def (\w+_kernel)\(", path.read_text(), re.MULTILINE))
    assert set(re.findall(r"^(\w+) for pvc ", result.stdout, re.MULTILINE)) == kernels
    assert set(re.findall(r", (\d+) spilled;", result.stdout)) == {"0"}
