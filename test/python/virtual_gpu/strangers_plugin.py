# SPDX-License-Identifier: MIT
"""A plugin of pytest that runs a sample of tests, and notes each before and after it runs.

If a test ends the process, its note states that it has begun, and the next process goes on with the test after it.
A test that loses the device ends the process.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

_NOTES, _SAMPLE = Path(os.environ["STRANGERS_NOTES"]), int(os.environ["STRANGERS_SAMPLE"])

_LOST = ("OUT_OF_RESOURCES", "DEVICE_LOST")


def _note(name: str, outcome: str, reason: str = "") -> None:
    with _NOTES.open("a") as file:
        file.write(json.dumps([name, outcome, reason]) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the sample, which is the same every time, without the tests that have begun before."""
    known = {json.loads(line)[0] for line in _NOTES.read_text().splitlines()} if _NOTES.exists() else set()
    order = sorted((item.nodeid for item in items), key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    chosen = set(order[:_SAMPLE]) - known
    items[:] = [item for item in items if item.nodeid in chosen]


def pytest_runtest_logstart(nodeid: str) -> None:
    """Note that a test begins."""
    _note(nodeid, "crashed", "the process ended")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how a test went; what comes last counts."""
    if report.when == "call" or report.outcome != "passed":
        lines = report.longreprtext.strip().splitlines()
        _note(report.nodeid, report.outcome, next((line for line in reversed(lines) if line.startswith("E ")), "")[2:])
        # OpenCL and SYCL have lost the device, and all further tests of the process would fail, too.
        if report.outcome == "failed" and any(word in report.longreprtext for word in _LOST):
            os._exit(3)
