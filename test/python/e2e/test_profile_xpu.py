# SPDX-License-Identifier: MIT
"""Whole kernels on a GPU, without one: the driver of `xpu` launches on queues of Intel's OpenCL runtime for CPUs, in a
process in which torch finds a device. Its queues represent those of torch.xpu's streams: one whose
events know when kernels ran, and one without such events, where the host has to wait."""

from __future__ import annotations

import itertools
import json
import os
import sys
import textwrap

import warm_python

PROGRAM = textwrap.dedent("""
    import types
    import torch, triton, triton.language as tl
    from triton.runtime import driver
    import triton.profiler
    import triton.profiler.language as pl
    import triton_xe.tools.profiler as proton
    from triton_xe import _runtime
    from triton_xe.cpu import runtime
    from triton_xe.tools.profiler import sessions
    from triton_xe.xpu.compiler import XPUBackend
    from triton_xe.xpu.driver import XPUDriver

    opened = runtime.open_opencl()
    stream = types.SimpleNamespace(sycl_queue=opened.timed_queue)
    torch._C._has_xpu = True
    torch.xpu.is_available = lambda: True
    torch.xpu.current_device = lambda: 0
    torch.xpu.current_stream = lambda _device=None: stream
    torch.xpu.get_device_capability = lambda _device=None: {
        "architecture": 0, "device_id": 0xBD5, "driver_version": "1.0", "has_fp64": True, "max_work_group_size": 1024,
        "name": "Intel(R) Data Center GPU Max 1550", "sub_group_sizes": [16, 32], "type": "gpu",
    }
    make_launcher = _runtime.make_launcher

    def make_launcher_of_cpu(signature, names, backend, threads, wait, *rest, **options):
        # Arguments are CPU tensors.
        assert backend == "xpu" and not wait
        return make_launcher(signature, names, "cpu", threads, wait, *rest, **options)

    _runtime.make_launcher = make_launcher_of_cpu
    XPUBackend.device_library = "emulation"
    driver.set_active(XPUDriver())

    @triton.jit
    def repeat(x, n, B: tl.constexpr):
        i = tl.arange(0, B)
        v = tl.load(x + i)
        for _ in range(n):
            v = v * 1.0001 + 1e-6
        tl.store(x + i, v)

    x = torch.ones(256)
    assert triton.profiler.context and proton.route()
    tree = triton.profiler.start("tree", backend=None)
    triton.profiler.start("trace", data="trace", backend="xpu")
    collector = sessions.find(tree)
    with triton.profiler.scope("events"):
        for _ in range(3):
            repeat[(1,)](x, 20_000_000, 256)
        # Launches were not waited for, nor were their times.
        assert collector.pending_runs
        assert not collector.pending_runs[-1][1].time.is_known
    triton.profiler.data.get(tree)
    assert not collector.pending_runs
    stream.sycl_queue = opened.queue
    with triton.profiler.scope("host"):
        repeat[(1,)](x, 1000, 256)
    triton.profiler.finalize()

    @triton.jit
    def marked(x, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        for _ in range(n):
            with pl.scope("load"):
                v = tl.load(x + i)
            with pl.scope("store"):
                tl.store(x + i, v + 1)

    # Memory for records is a tensor of the host, too; the session of times waits for launches on this queue.
    zeros = torch.zeros
    torch.zeros = lambda *sizes, device=None, **options: zeros(*sizes, **options)
    x = torch.ones(3 * 256)
    triton.profiler.start("times")
    triton.profiler.start("scopes", backend="instrumentation")
    marked[(3,)](x, 5, 256, num_warps=4)
    triton.profiler.finalize()
    assert x.tolist() == [6.0] * 3 * 256
""")


def find(node: dict, *path: str) -> dict:
    for name in path:
        (node,) = (child for child in node["children"] if child["frame"]["name"] == name)
    return node


def test_queues(tmp_path):
    """Launches on a queue with events are not waited for, and have their own times; others are the host's."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_DEFAULT_BACKEND"}
    done = warm_python.run([sys.executable, program], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    root, devices = json.loads((tmp_path / "tree.hatchet").read_text())
    events, host = (find(root, name, "repeat")["metrics"] for name in ("events", "host"))
    assert events["count"] == 3
    assert (events["device_type"], events["device_id"]) == ("XPU", "0")
    assert "clock" not in events
    assert host["clock"] == "host"
    assert 0 < host["time (ns)"] < events["time (ns)"]
    assert devices["XPU"]["0"]["arch"] == "pvc"
    entries = json.loads((tmp_path / "trace.chrome_trace").read_text())["traceEvents"]
    assert len({entry["tid"] for entry in entries}) == 2
    for first, second in itertools.pairwise(entries[:3]):
        assert first["ts"] + first["dur"] <= second["ts"] + 1e-3
    # Scopes inside: 3 programs of 4 warps, 5 times each; the clock is the runtime's.
    (kernel,) = json.loads((tmp_path / "scopes.hatchet").read_text())[0]["children"]
    for scope in ("load", "store"):
        metrics = find(kernel, scope)["metrics"]
        assert metrics["count"] == 3 * 4 * 5
        assert metrics["cycles"] > 0
