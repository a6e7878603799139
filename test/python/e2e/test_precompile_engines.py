# SPDX-License-Identifier: MIT
"""Jobs in processes of this machine, and on the workers of a Dask cluster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from triton_xe import errors
from triton_xe.precompile import engines


def square(number: int) -> int:
    return number * number


def process(_number: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def fail(number: int) -> int:
    if number == 2:
        raise ValueError("two")
    return number


def crash(number: int) -> int:
    if number == 2:
        os.abort()
    return number


def run(function, numbers, engine="local", workers=2):
    return dict(engines.run(engine, workers, function, numbers))


def test_local():
    assert run(square, range(20)) == {number: number * number for number in range(20)}
    assert run(square, []) == {}


def test_local_processes():
    """Two processes share the work, and neither is this one."""
    found = set(run(process, range(6)).values())
    assert len(found) == 2 and os.getpid() not in found


def test_exception_is_a_result():
    results = run(fail, [1, 2, 3])
    assert (results[1], results[3]) == (1, 3)
    assert isinstance(results[2], ValueError) and str(results[2]) == "two"


def test_crash_is_the_result_of_one():
    """The other jobs of a process that ends are done all the same."""
    results = run(crash, range(6))
    broken = results.pop(2)
    assert isinstance(broken, Exception) and "terminated abruptly" in str(broken)
    assert results == {number: number for number in (0, 1, 3, 4, 5)}


@pytest.mark.parametrize("name", ["", "ray", "dask", "dask:"])
def test_unknown_engine(name):
    with pytest.raises(errors.OptionError, match="expected the engine"):
        engines.check(name)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler and two workers in processes of their own, as on two machines."""
    distributed = pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    address_file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    # Workers import this module by its name.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def start(module, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", str(address_file)]
        return subprocess.Popen([*command, "--no-dashboard", *arguments], env=environment, **quiet)

    with start("dask_scheduler", "--host", "127.0.0.1", "--port", "0") as scheduler:
        workers = [start("dask_worker", "--nthreads", "1", "--no-nanny") for _ in range(2)]
        try:
            deadline = time.monotonic() + 60
            while not address_file.exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            address = json.loads(address_file.read_text())["address"]
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=60)
            yield f"dask:{address}"
        finally:
            for each in (*workers, scheduler):
                each.terminate()
            for each in workers:
                each.wait()


def test_cluster(cluster):
    """Both workers do a part, and failures are results."""
    assert len(set(run(process, range(6), cluster).values())) == 2
    results = run(fail, [1, 2, 3], cluster)
    assert (results[1], results[3]) == (1, 3) and isinstance(results[2], ValueError)
