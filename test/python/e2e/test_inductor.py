"""torch.compile through our backend: `inductor_features.py`, in a process of its own.

Inductor and what it imports take hundreds of megabytes that a worker of this suite would never give back.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_features(request):
    """All of its tests, or those that take long too with `--full`."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--show-capture=no"]
    if request.config.getoption("--full"):
        command.append("--full")
    features = Path(__file__).with_name("inductor_features.py")
    result = subprocess.run([*command, str(features)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-20000:] + result.stderr[-5000:]
    assert " passed" in result.stdout
