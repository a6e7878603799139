# SPDX-License-Identifier: MIT
"""`benchmarks/static_cost.py`: native code of products and attention is as long as that of kernels written by hand."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
import torch
import triton
import warm_python
from kernel_suite import CASES
from kernel_suite.case import PVC, Session
from kernel_suite.operand_gemm import OperandGemm
from support import needs_ocloc

from triton_xe import device_compiler

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "static_cost.py"


@needs_ocloc
@pytest.mark.parametrize(
    ("part", "count"),
    [
        ("gemm bf16 n", 2),
        ("gemm bf16 t", 2),
        ("gemm bf16 + m", 1),
        ("gemm bf16 + r", 1),
        ("gemm int8 n", 2),
        ("gemm fp8e5 n", 2),
        ("split-k", 2),
        ("cumsum", 1),
        ("sort", 1),
    ],
)
def test_rows(tmp_path, part, count):
    """None beyond its limit, which the script checks; products in 2D block messages alone."""
    table = tmp_path / "table.csv"
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--filter", part, "--csv", str(table)]
    result = warm_python.run(command)
    assert result.returncode == 0, result.stdout + result.stderr
    with table.open() as file:
        rows = [row for row in csv.DictReader(file) if row["by hand"] == "False"]
    assert len(rows) == count
    for row in rows:
        if row["kernel"].startswith("gemm"):
            assert (row["SLM"], row["convert"], row["scratch"], row["dpas"]) == ("0", "0", "0", "32")


@needs_ocloc
def test_compilers_side_by_side():
    """The same compiler makes the same code; one that takes no SPIR-V is no success."""
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--filter", "gemm bf16 nn", "--arch", "bmg", "--compare"]
    version = device_compiler.find().version
    same = warm_python.run([*command, device_compiler.find().ocloc])
    assert same.returncode == 0, same.stdout + same.stderr
    heading, _, row = same.stdout.splitlines()
    assert heading == f"ocloc {version} and {version}, bmg"
    cells = row.removeprefix("gemm bf16 nn").split()
    assert cells[:-1:2] == cells[1:-1:2] and cells[-1] == "1.00"
    assert warm_python.run([*command, "no such program"]).returncode == 1


@needs_ocloc
@pytest.mark.parametrize("mode", ["128", "256"])
def test_spills_are_said(tmp_path, monkeypatch, capfd, mode):
    """Remarks state how much spills, and that there are more registers, if there are. A kernel with room has none."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path))
    printed = {}
    # Accumulators of 256 registers, all in one loop.
    session = Session(recording=True, options={"num_warps": 16, "skip_passes": ("tritonintelgpu-divide-loops",)})
    OperandGemm((1024,) * 3, (256, 256, 32), torch.bfloat16).run(session)
    (wide,) = session.launches
    (narrow, _) = CASES["softmax/row_softmax-dtype_float32"].launches()
    for launch in (wide, narrow):
        source, options = launch.source(PVC, grf_mode=mode, generate_native_code=True)
        compiled = triton.compile(source, target=PVC, options=options)
        messages = compiled.metadata.native["total"]["scratch_messages"]
        remarks = [line for line in capfd.readouterr().err.splitlines() if "spills registers" in line]
        assert len(remarks) == (messages > 0)
        printed[launch.kernel.__name__] = (messages, remarks)
    messages, (remark,) = printed[wide.kernel.__name__]
    assert (
        f"`{wide.kernel.__name__}`: ocloc {device_compiler.find().version} spills registers: {messages} messages"
        in remark
    )
    assert ('grf_mode="256"' in remark) == (mode == "128")
    assert printed[narrow.kernel.__name__] == (0, [])
