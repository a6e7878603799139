# SPDX-License-Identifier: MIT
"""`benchmarks/addressing_modes.py`: in every addressing mode, the native code is that of block pointers."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
import warm_python
from kernel_suite.addressing_modes import ADDRESSING_MODES
from support import needs_ocloc

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "addressing_modes.py"
MESSAGES = ("loads", "stores", "prefetches", "dpas", "loop_dpas")


@needs_ocloc
@pytest.mark.parametrize(
    "family",
    [
        pytest.param("gemm", marks=pytest.mark.conformance),
        pytest.param("gemm_addmatrix", marks=pytest.mark.full),
        pytest.param("gemm_batched", marks=pytest.mark.full),
        "attention",
    ],
)
def test_addressing_modes(tmp_path, family):
    """Other Tritons compile one family, which has all modes: what differs between them is how they write addresses."""
    table = tmp_path / "table.csv"
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--family", family, "--csv", str(table)]
    warm_python.run(command, check=True)
    with table.open() as file:
        rows = {row.pop("mode"): row for row in csv.DictReader(file)}
    assert rows.keys() == ADDRESSING_MODES.keys()
    yardstick = rows["block_pointers"]
    # Such a loop takes 69 instructions, written by hand (benchmarks/static_cost.py).
    assert family == "attention" or int(yardstick["loop_instructions"]) <= 1.1 * 69
    for row in rows.values():
        assert (row["SLM"], row["scratch"]) == ("0", "0")
        # Attention's probabilities become a dot operand, in registers. This operand and the result of sums that lanes
        # scale get another layout, with the same elements in each lane.
        assert int(row["convert"]) == (3 if family == "attention" else 0)
        assert [row[name] for name in MESSAGES] == [yardstick[name] for name in MESSAGES]
        # Where the loop counts steps, two coordinates are shifted in each.
        assert int(row["loop_instructions"]) <= 1.1 * int(yardstick["loop_instructions"])
