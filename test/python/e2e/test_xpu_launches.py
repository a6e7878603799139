# SPDX-License-Identifier: MIT
"""What launches of the XPU driver meet on a GPU: other queues, threads, processes, graphs, and what goes wrong.

Programs run on the virtual GPU, through SYCL, Level Zero and Intel's driver (test_virtual_gpu.py).
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest
import sanitizers

PROGRAMS = Path(__file__).resolve().parent.parent / "virtual_gpu"
#: Chips for which SYCL has different adapters of Level Zero, and which differ in how programs are submitted.
CHIPS = pytest.mark.parametrize("chip", ["bmg", "pvc"])

pytestmark = pytest.mark.skipif(
    sanitizers.LOADED, reason="the sanitizers' library has to be loaded before all others, as that of the GPU has"
)


def run(*command: str | Path, chip: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run a command with the GPU in place."""
    start = [sys.executable, "-m", "triton_xe.command_line", "gpu", "run", "--chip", chip, *options, "--"]
    return subprocess.run([*start, *map(str, command)], capture_output=True, text=True, check=False, timeout=300)


def run_programs(*names: str, library: Path | None = None, chip: str, options: tuple[str, ...] = ()) -> str:
    """Run functions of launches.py in one process. They must succeed and print nothing else. Return stderr."""
    command = [sys.executable, PROGRAMS / "launches.py", ",".join(names), *([library] if library else [])]
    result = run(*command, chip=chip, options=options)
    expected = "".join(f"{name} ok\n" for name in names)
    assert (result.returncode, result.stdout) == (0, expected), result.stdout + result.stderr
    return result.stderr


@pytest.fixture(scope="module")
def recording(tmp_path_factory) -> Path:
    """Graphs of SYCL, for programs in Python."""
    # <prefix>/lib/python3.x/site-packages
    prefix = Path(importlib.metadata.distribution("intel-sycl-rt").locate_file("")).resolve().parents[2]
    library = tmp_path_factory.mktemp("recording") / "librecording.so"
    flags = ["-std=c++17", "-shared", "-fPIC", "-Wall", "-Werror", "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING"]
    places = ["-isystem", prefix / "include", f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}", "-lsycl"]
    subprocess.run(["c++", *flags, PROGRAMS / "recording.cpp", *places, "-o", library], check=True)
    return library


@CHIPS
def test_launches(chip: str) -> None:
    """Each function says what it shows (launches.py); the GPU has nothing to say."""
    names = ("streams", "order", "out_of_order", "threads", "assertion", "spill", "conditions", "profile", "scopes")
    assert "virtual GPU" not in run_programs(*names, chip=chip)


@CHIPS
def test_memory(chip: str) -> None:
    assert "virtual GPU" not in run_programs("memory", chip=chip)


@CHIPS
def test_captured_launches(chip: str, recording: Path) -> None:
    """Launches become part of a graph, which neither allocates nor waits; those that would have to are refused."""
    assert "virtual GPU" not in run_programs("graph", "checked_graph", library=recording, chip=chip)


def test_processes() -> None:
    """A child that was forked has no device, and one that was spawned has its own."""
    run_programs("fork", "spawn", chip="bmg")
