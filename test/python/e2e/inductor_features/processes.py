# SPDX-License-Identifier: MIT
"""Kernels from other processes: Inductor's compile workers, and caches that a process before has filled."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from checking import normal
from torch._dynamo.utils import counters
from torch._inductor import async_compile, config

from triton_xe import inductor

pytest_plugins = ("enabling",)


@triton.jit
def multiply(a, b, c, M, N, K, B: tl.constexpr):
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [B, B])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [B, B])
    total = tl.zeros((B, B), tl.float32)
    for k in range(0, K, B):
        total = tl.dot(left.load([row, k]), right.load([k, column]), total)
    i, j = row + tl.arange(0, B)[:, None], column + tl.arange(0, B)[None, :]
    tl.store(c + i * N + j, total, mask=(i < M) & (j < N))


def product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    c = torch.empty(a.shape[0], b.shape[1])
    grid = (triton.cdiv(a.shape[0], 32), triton.cdiv(b.shape[1], 32))
    multiply[grid](a, b, c, a.shape[0], b.shape[1], a.shape[1], B=32)
    return c.relu()


def run_both() -> None:
    """Run in two processes, the second one without workers.

    It is a fork of the first one before anything is compiled: Inductor takes as long to import as to compile.
    """
    import torch._inductor.compile_fx  # noqa: F401

    ready, ended = os.pipe()
    second = os.fork()
    if second:
        run(2)
        os.close(ready)
        # The second process begins.
        os.close(ended)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(second, 0)[1]))
    os.close(ended)
    os.read(ready, 1)
    run(1)


def run(threads: int) -> None:
    """Compile, in workers if there are several; launch kernels with sizes that need other code than was compiled."""
    config.compile_threads = threads
    inductor.enable()
    torch.compile(lambda x: x + 1)(normal(3, 3))
    if threads > 1:
        async_compile.AsyncCompile.wait_pool_ready(60)

    def softmax(x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x.sin(), -1) + x.sum()

    x = normal(70, 300)
    torch.testing.assert_close(torch.compile(softmax, fullgraph=True)(x), softmax(x), rtol=1e-4, atol=1e-4)
    compiled = torch.compile(product, fullgraph=True, dynamic=True)
    # No 2D block message addresses rows of 63 or 47 elements.
    for depth, columns in ((64, 48), (63, 47), (72, 50)):
        a, b = normal(70, depth).bfloat16(), normal(depth, columns).bfloat16()
        expected = (a.float() @ b.float()).relu()
        torch.testing.assert_close(compiled(a, b), expected, rtol=1e-2, atol=1e-2)
    print(counters["inductor"]["async_compile_cache_hit"], counters["inductor"]["fxgraph_cache_hit"], flush=True)


@pytest.mark.shows("compile workers (compile_threads of 2)", "forward", "dynamic")
@pytest.mark.shows("FX graph cache of another process", "forward", "dynamic")
def test_workers_and_caches(tmp_path):
    """A second process, without workers, finds what the first one left; launches get the code that they need."""
    environment = {
        **os.environ,
        "TORCHINDUCTOR_CACHE_DIR": str(tmp_path),
        "TRITON_CACHE_DIR": str(tmp_path / "triton"),
        "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), str(Path(__file__).parents[2]))),
    }
    command = [sys.executable, "-W", "ignore", "-c", "import processes; processes.run_both()"]
    result = warm_python.run(command, env=environment, timeout=300)
    assert result.returncode == 0, result.stderr[-5000:]
    outputs = [[int(number) for number in line.split()] for line in result.stdout.splitlines()]
    assert outputs[0][0] > 0, "nothing came from a worker"
    assert outputs[0][1] == 0
    assert outputs[1][1] >= 2, "nothing came from the cache"
