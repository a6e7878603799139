# SPDX-License-Identifier: MIT
"""A model of torch's AOTInductor runs kernels of the CPU device without Triton: `exported/make_model.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import warm_python

FOLDER = Path(__file__).with_name("exported")


@pytest.fixture(scope="module")
def run_script():
    """Inductor takes hundreds of megabytes, and its settings stay: each script has a separate process."""

    def run(name: str, folder: Path) -> str:
        command = [sys.executable, str(FOLDER / name), str(folder)]
        result = warm_python.run(command, imports_triton=True)
        assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-20000:]
        return result.stdout

    return run


def test_models(tmp_path, run_script):
    """Kernels of Inductor's and of users, in sizes that the model was not compiled with, equal eager execution; among
    them launches that a kernel's conditions do not hold for. The second process can import no Triton."""
    run_script("make_model.py", tmp_path)
    lines = run_script("run_model.py", tmp_path).split("\n")[:-1]
    assert len(lines) == 3 and all(line.startswith("equal: ") for line in lines)
