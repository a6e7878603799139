# SPDX-License-Identifier: MIT
"""torch.compile through our backend: the files of `inductor_features`, in separate processes.

Inductor and what it imports take hundreds of megabytes that a worker of this suite would never give back.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import warm_python

FEATURES = Path(__file__).with_name("inductor_features")
#: Files that share a process. In that of `xpu` torch has a device that does not exist, in that of `changes` nothing is
#: enabled.
PROCESSES = {
    "cpu": ("operations", "kernels", "templates", "models", "networks", "options", "processes", "harvests"),
    "xpu": ("xpu",),
    "changes": ("changes", "table"),
    "automatic": ("automatic",),
}


@pytest.mark.parametrize("process", PROCESSES)
def test_features(process, request):
    """All of its tests, or those that take long too with `--full`."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--show-capture=no"]
    if request.config.getoption("--full"):
        command.append("--full")
    files = [str(FEATURES / f"{name}.py") for name in PROCESSES[process]]
    result = warm_python.run([*command, *files])
    assert result.returncode == 0, result.stdout[-20000:] + result.stderr[-5000:]
    assert " passed" in result.stdout


def test_documentation():
    """docs/Inductor.md has the table that the tests' own account gives."""
    script = Path(__file__).parents[3] / "scripts" / "inductor_table.py"
    result = warm_python.run([sys.executable, script, "--check"])
    assert result.returncode == 0, result.stdout + result.stderr
