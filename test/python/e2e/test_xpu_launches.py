# SPDX-License-Identifier: MIT
"""Launches of the XPU driver on a GPU: other queues, threads, processes, graphs, and errors.

Programs run on the virtual GPU, through SYCL, Level Zero and Intel's driver (test_virtual_gpu.py).
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sanitizers
import warm_gpu

PROGRAMS = Path(__file__).resolve().parent.parent / "virtual_gpu"
#: Chips for which SYCL has different adapters of Level Zero, and which differ in how programs are submitted.
CHIPS = pytest.mark.parametrize("chip", ["bmg", "pvc"])
#: Behaviour that both adapters share is tested with the second one in a long run.
ADAPTERS = pytest.mark.parametrize("chip", ["bmg", pytest.param("pvc", marks=pytest.mark.full)])

pytestmark = pytest.mark.skipif(
    sanitizers.LOADED, reason="the sanitizers' library has to be loaded before all others, as that of the GPU has"
)


def run_from_start(*command: str | Path, chip: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the GPU in place, in a process that has imported nothing."""
    start = [sys.executable, "-m", "triton_xe", "gpu", "run", "--chip", chip, "--"]
    return subprocess.run([*start, *map(str, command)], capture_output=True, text=True, check=False, timeout=300)


def run_bad(name: str, *, chip: str, seconds: int = 60) -> subprocess.CompletedProcess[str]:
    """Run a function of bad_launches.py, whose kernels may run for so long."""
    command = (sys.executable, PROGRAMS / "bad_launches.py", name)
    return warm_gpu.run(*command, chip=chip, options=("--seconds", str(seconds)), timeout=300)


def run_programs(
    *names: str,
    library: Path | None = None,
    chip: str,
    run: Callable[..., subprocess.CompletedProcess[str]] = warm_gpu.run,
) -> str:
    """Run functions of launches.py in one process. They must succeed and print nothing else. Return stderr."""
    command = [sys.executable, PROGRAMS / "launches.py", ",".join(names), *([library] if library else [])]
    result = run(*command, chip=chip)
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
    """The docstring of each function states what it shows (launches.py); the GPU reports nothing."""
    names = ("streams", "order", "out_of_order", "threads", "assertion", "spill", "conditions", "profile", "scopes")
    names += ("benchmark",)
    assert "virtual GPU" not in run_programs(*names, chip=chip)


@ADAPTERS
def test_memory(chip: str) -> None:
    assert "virtual GPU" not in run_programs("memory", chip=chip)


@ADAPTERS
def test_captured_launches(chip: str, recording: Path) -> None:
    """Launches become part of a graph, which neither allocates nor waits; those that would have to are refused."""
    assert "virtual GPU" not in run_programs("graph", "checked_graph", library=recording, chip=chip)


def test_processes() -> None:
    """A child that was forked has no device, and one that was spawned has its own."""
    run_programs("fork", "spawn", chip="bmg", run=run_from_start)


@pytest.mark.parametrize(
    ("name", "chip"),
    [
        ("null_pointer", "bmg"),
        pytest.param("null_pointer", "pvc", marks=pytest.mark.full),
        ("null_pointer_without_wait", "bmg"),
    ],
)
def test_null_pointer(name: str, chip: str) -> None:
    """The GPU names kernel and address, and launches raise (bad_launches.py)."""
    result = run_bad(name, chip=chip)
    assert (result.returncode, result.stdout) == (0, f"{name} ok\n"), result.stderr
    assert re.search(r"page fault at 0x\w{1,3}, where 4 bytes cannot be read", result.stderr), result.stderr


@ADAPTERS
def test_kernel_without_an_end(chip: str) -> None:
    """The GPU ends it, and its launch raises."""
    result = run_bad("no_end", chip=chip, seconds=1)
    assert (result.returncode, result.stdout) == (0, "no_end ok\n"), result.stderr
    assert "has not ended after 1 seconds" in result.stderr


def test_out_of_memory() -> None:
    result = run_bad("out_of_memory", chip="bmg")
    assert (result.returncode, result.stdout) == (0, "out_of_memory ok\n"), result.stderr


@pytest.mark.parametrize(("name", "status"), [("leave", 5), ("leave_at_once", 6)])
def test_exit_inside_of_a_launch(name: str, status: int) -> None:
    """A process ends with its own status, although a kernel runs that does not end."""
    result = run_bad(name, chip="bmg", seconds=1)
    assert (result.returncode, result.stdout) == (status, "running\n"), result.stderr


def test_killed_inside_of_a_launch(tmp_path: Path) -> None:
    """Nothing is left, except for complete files in the cache."""
    cache, temporary = tmp_path / "cache", tmp_path / "temporary"
    temporary.mkdir()
    environment = os.environ | {"TRITON_CACHE_DIR": str(cache), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "triton_xe", "gpu", "run", "--", sys.executable]
    command += [str(PROGRAMS / "bad_launches.py"), "stay"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "running\n"
        process.kill()
    assert list(temporary.iterdir()) == []
    assert not [path for path in cache.rglob("*") if "tmp" in path.name]
