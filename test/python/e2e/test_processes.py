# SPDX-License-Identifier: MIT
"""Processes that are forked after a kernel ran: kernels work there, or there is an error. Nothing hangs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python


@triton.jit
def add_one(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def triple(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 3, mask=i < n)


def run(kernel, factor: float, summand: float) -> None:
    """Over enough programs that other threads take part."""
    x, y = torch.randn(100_000), torch.full((100_000,), float("nan"))
    kernel[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), 64)
    torch.testing.assert_close(y, x * factor + summand)


def fork_and_run() -> None:
    """Prints what came of a kernel that ran before the fork, of one that did not, and of the parent's."""
    # Torch's own threads do not survive a fork.
    torch.set_num_threads(1)
    run(add_one, 1, 1)
    for kernel, factor, summand in ((add_one, 1, 1), (triple, 3, 0)):
        child = os.fork()
        if child == 0:
            try:
                run(kernel, factor, summand)
                print("child: right", flush=True)
            except Exception as error:
                print(f"child: {type(error).__name__}: {error}", flush=True)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    run(add_one, 1, 1)
    print("parent: right", flush=True)


ERROR = "child: DeviceError: this process was forked from one that had opened a SYCL device"


@pytest.mark.parametrize(
    ("runtime", "child"),
    [("native", "child: right"), pytest.param("opencl", ERROR, marks=pytest.mark.opencl)],
)
def test_fork(runtime, child):
    """The CPU device starts separate threads in each process; drivers have threads that a child lacks."""
    environment = os.environ | {"TRITON_XE_CPU_RUNTIME": runtime, "PYTHONPATH": str(Path(__file__).parents[1])}
    result = warm_python.run([sys.executable, "-W", "ignore", __file__], env=environment, timeout=300)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(child) for line in lines[:2])
    assert lines[2] == "parent: right"


if __name__ == "__main__":
    fork_and_run()
