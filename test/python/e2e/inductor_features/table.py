# SPDX-License-Identifier: MIT
"""The table of what is replaced in torch holds for the torch that is installed."""

from __future__ import annotations

import pytest
import torch

from triton_xe.compat import table
from triton_xe.compat.entries import State


@pytest.mark.newest_torch
def test_the_table_is_about_this_torch():
    """Each entry states whether this torch needs it, and what needs a replacement can have it."""
    version = ".".join(torch.__version__.split(".")[:2])
    entries = [entry for entry in table.ALL if entry.package == "torch"]
    found = {entry.symbol: entry.probe() for entry in entries}
    expected = {entry.symbol for entry in entries if version in entry.versions}
    assert {symbol for symbol, finding in found.items() if finding.state is State.NEEDED} == expected, found
