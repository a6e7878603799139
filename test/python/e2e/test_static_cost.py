"""`benchmarks/static_cost.py`: native code of products and attention is as long as that of kernels written by hand."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from support import needs_ocloc

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "static_cost.py"


@needs_ocloc
@pytest.mark.parametrize(
    ("part", "count"), [("gemm bf16", 9), ("gemm int8 n", 2), ("gemm fp8e5 n", 2), ("head 128", 4)]
)
def test_rows(tmp_path, part, count):
    """None beyond its limit, which the script checks; products in 2D block messages alone."""
    table = tmp_path / "table.csv"
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--filter", part, "--csv", str(table)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    with table.open() as file:
        rows = [row for row in csv.DictReader(file) if row["by hand"] == "False"]
    assert len(rows) == count
    for row in rows:
        if row["kernel"].startswith("gemm"):
            assert (row["SLM"], row["convert"], row["scratch"], row["dpas"]) == ("0", "0", "0", "32")
