# SPDX-License-Identifier: MIT
"""Reports of sanitizers, which may be loaded (CONTRIBUTING.md): they fail the run, whatever process they come from.

A process ends with its report. pytest would drop what a worker has written, and a test may be content with any end of a
process that it starts.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from pathlib import Path

PROCESS = ctypes.CDLL(None)
LOADED = hasattr(PROCESS, "__asan_init")


def collect_reports() -> None:
    """Let this process and those that it starts write reports to files."""
    if "log_path=" not in os.environ.get("ASAN_OPTIONS", ""):
        path = Path(tempfile.mkdtemp(prefix="triton-xe-reports-"), "report")
        os.environ["ASAN_OPTIONS"] = f"{os.environ.get('ASAN_OPTIONS', '')}:log_path={path}"
        PROCESS.__sanitizer_set_report_path(str(path).encode())


def reports() -> list[str]:
    """Return what has been written so far."""
    path = Path(os.environ["ASAN_OPTIONS"].rpartition("log_path=")[2])
    return [file.read_text(errors="replace") for file in sorted(path.parent.glob(f"{path.name}.*"))]
