# SPDX-License-Identifier: MIT
"""The benchmarks run, and report what they measured. Their results are not judged here: a test does not time."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
import sanitizers
import warm_python
from support import needs_ocloc

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


#: The virtual GPU's library is loaded before all others.
PRELOADS = pytest.mark.skipif(sanitizers.LOADED, reason="the sanitizers' library has to be loaded before all others")
TINY = ["--tiny", "--rows", "add", "--seconds", "0"]


@pytest.mark.parametrize(
    ("script", "options", "column"),
    [
        ("compile_time.py", ["--topics", "softmax", "--repeat", "1", "--largest", "2"], "ratio"),
        pytest.param("cpu_device.py", [*TINY, "--sides", "interpreter"], "interpreter_ratio", marks=pytest.mark.full),
        ("launch.py", ["--seconds", "0"], "ratio"),
        pytest.param("launch.py", ["--device", "xpu", "--seconds", "0"], "ratio", marks=PRELOADS),
        pytest.param("first_launch.py", ["--runs", "1"], "ratio", marks=pytest.mark.full),
        pytest.param("cpu_device.py", TINY, "opencl_ratio", marks=pytest.mark.full),
        pytest.param("masked_accesses.py", ["--kernel", "gather"], "instructions", marks=needs_ocloc),
    ],
)
def test_benchmark_writes_its_table(tmp_path, script, options, column):
    """The smallest problems; every side of the CPU device in a long run."""
    output = tmp_path / "table.csv"
    command = [sys.executable, "-W", "ignore", str(BENCHMARKS / script), *options, "--csv", str(output)]
    result = warm_python.run(command)
    # 1 is its verdict about the times, which depend on what else runs.
    assert result.returncode in (0, 1), result.stderr
    assert "Traceback" not in result.stderr
    with output.open() as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert all(float(row[column]) > 0 for row in rows)


@needs_ocloc
def test_native_run_compares_what_was_executed():
    """A row has four pairs of numbers, of kernels that execute something, and their ratios; the last is the model's."""
    command = [sys.executable, str(BENCHMARKS / "native_run.py"), "--filter", "softmax.cl-FORWARD", "--arch", "max1550"]
    result = warm_python.run(command)
    assert result.returncode == 0, result.stderr
    name, *numbers = result.stdout.splitlines()[-1].split()
    assert name == "softmax.cl-FORWARD"
    assert len(numbers) == 12
    assert numbers[-1] == f"{int(numbers[-3]) / int(numbers[-2]):.2f}"
    assert all(float(number) > 0 for number in numbers)


@needs_ocloc
def test_simulator_speed_names_its_cases():
    result = warm_python.run([sys.executable, str(BENCHMARKS / "simulator_speed.py")])
    assert result.returncode == 0, result.stderr
    _, *rows = result.stdout.splitlines()
    assert len(rows) == 5
    assert all(int(row.split()[1]) > 0 for row in rows)
