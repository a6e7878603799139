# SPDX-License-Identifier: MIT
"""Jobs in processes of this machine, and on the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import bundles
import pytest
from small_jobs import crash, fail, process, square, variable

from triton_xe import errors
from triton_xe.tools import command_line
from triton_xe.tools.precompile import engines


def run(function, numbers, engine="local", workers=2):
    return dict(engines.run(engine, workers, function, numbers))


def test_local():
    assert run(square, range(20)) == {number: number * number for number in range(20)}
    assert run(square, []) == {}


def test_local_processes():
    """Two processes share the work, and neither is this one."""
    found = set(run(process, range(6)).values())
    assert len(found) == 2 and os.getpid() not in found


def test_environment(monkeypatch):
    """Processes have the variables of each run, though all of them are forks of one that the first run has started."""
    run(square, [1])
    monkeypatch.setenv("SET_LATER", "here")
    monkeypatch.delenv("HOME")
    assert run(variable, ["SET_LATER", "HOME"]) == {"SET_LATER": "here", "HOME": None}


def test_exception_is_a_result():
    results = run(fail, [1, 2, 3])
    assert (results[1], results[3]) == (1, 3)
    assert isinstance(results[2], ValueError) and str(results[2]) == "two"


def test_crash_is_the_result_of_one():
    """The other jobs of a process that ends are done nevertheless."""
    results = run(crash, range(6))
    broken = results.pop(2)
    assert isinstance(broken, Exception) and "terminated abruptly" in str(broken)
    assert results == {number: number for number in (0, 1, 3, 4, 5)}


@pytest.mark.parametrize("name", ["", "ray", "dask", "dask:"])
def test_unknown_engine(name):
    with pytest.raises(errors.OptionError, match="expected the engine"):
        engines.check(name)


def wait_for_address(path: Path) -> str:
    """Return the address that the scheduler writes into a file when it listens."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError):
            return json.loads(path.read_text())["address"]
        time.sleep(0.05)
    pytest.fail("the scheduler does not start")


def end(process: subprocess.Popen) -> None:
    """End a process, which need not listen."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler and two workers in separate processes, as on two machines."""
    distributed = pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    # Workers import this module by its name.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def start(module, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *arguments]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, env=environment, cwd=folder, **quiet)

    with contextlib.ExitStack() as stack:
        place = folder / "scheduler.json"
        scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(place))
        stack.callback(end, scheduler)
        address = wait_for_address(place)
        for _ in range(2):
            stack.callback(end, start("dask_worker", address, "--nthreads", "1", "--no-nanny"))
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield f"dask:{address}"


def test_cluster(cluster):
    """Both workers do a part, and failures are results."""
    assert len(set(run(process, range(6), cluster).values())) == 2
    results = run(fail, [1, 2, 3], cluster)
    assert (results[1], results[3]) == (1, 3) and isinstance(results[2], ValueError)


def test_bundle_of_a_cluster(cluster, tmp_path, monkeypatch):
    """The workers compile, and this process puts what they send into the bundle."""
    harvest = tmp_path / "harvest.jsonl"
    with bundles.as_new_process(tmp_path / "recording"):
        monkeypatch.setenv("TRITON_XE_HARVEST", str(harvest))
        for kernel in bundles.KERNELS:
            bundles.run(kernel)
        monkeypatch.delenv("TRITON_XE_HARVEST")
    line = ["precompile", str(harvest), "--arch", "cpu,bmg", "--engine", cluster, "--output", str(tmp_path / "bundle")]
    assert command_line.main(line) == 0
    with bundles.as_new_process(tmp_path / "cache", tmp_path / "bundle") as compiled:
        for kernel in bundles.KERNELS:
            bundles.run(kernel)
    assert compiled == []


def test_no_cluster():
    """There is no scheduler at the address."""
    dask = pytest.importorskip("dask")
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}), pytest.raises(errors.ToolError) as caught:
        run(square, [1], "dask:tcp://127.0.0.1:9")
    assert "there is no scheduler of Dask at `tcp://127.0.0.1:9`" in str(caught.value)
