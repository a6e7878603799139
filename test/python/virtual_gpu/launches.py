# SPDX-License-Identifier: MIT
"""Launches of the XPU driver that meet other work, on the virtual GPU: `launches.py NAME,... [LIBRARY]` runs functions.

The library is recording.cpp.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import dpctl
import dpctl.memory
import kernels
import numpy as np
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
import xpu_double as xpu

import triton_xe.tools.profiler as proton
from triton_xe import _compiler, _runtime, errors, launching


@triton.jit
def step_kernel(x, y, count, rounds, SIZE: tl.constexpr):
    """Writes a number that shows how often it ran, and in which order."""
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    values = tl.load(x + i, mask=i < count)
    for _ in range(rounds):
        values = values * 3 + 1
    tl.store(y + i, values, mask=i < count)


@triton.jit
def add_kernel(total, amount):
    tl.atomic_add(total, amount)


@triton.jit
def checked_kernel(x, limit, SIZE: tl.constexpr):
    values = tl.load(x + tl.arange(0, SIZE))
    tl.device_assert(values < limit, "above the limit")
    tl.store(x + tl.arange(0, SIZE), values + 1)


COUNT = 1000


def step(x: torch.Tensor, y: torch.Tensor, rounds: int = 1) -> None:
    """Launch on the current stream."""
    step_kernel[(4,)](x, y, COUNT, rounds, SIZE=256)


def numbers() -> torch.Tensor:
    """Return what the steps begin with, in the GPU's memory."""
    return xpu.copy(torch.arange(COUNT, dtype=torch.int32))


def expect_steps(found: torch.Tensor, rounds: int) -> None:
    """Compare with `rounds` steps."""
    values = np.arange(COUNT, dtype=np.int32)
    with np.errstate(over="ignore"):
        for _ in range(rounds):
            values = values * np.int32(3) + np.int32(1)
    np.testing.assert_array_equal(xpu.host(found).numpy(), values)


def streams() -> None:
    """Two streams wait for each other's events."""
    first, second = xpu.queue(), xpu.make_queue("in_order")
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    for _ in range(10):
        for here, there in ((first, second), (second, first)):
            with xpu.stream(here):
                step(x, y, 300)
            there.submit_barrier([here.submit_barrier()])
            x, y = y, x
    second.wait()
    expect_steps(x, 20 * 300)


def order() -> None:
    """Launches run in the order of their queue, between copies of others, whatever waits for them."""
    for properties in (("in_order",), ("in_order", "enable_profiling")):
        queue = xpu.make_queue(*properties)
        x, y = numbers(), xpu.empty((COUNT,), torch.int32)
        between = dpctl.memory.MemoryUSMDevice(4 * COUNT, queue=queue)
        shared = {name: dpctl.memory.as_usm_memory(_Interface(tensor, queue)) for name, tensor in (("x", x), ("y", y))}
        with xpu.stream(queue):
            for _ in range(10):
                step(x, y, 300)
                queue.memcpy_async(between, shared["y"], 4 * COUNT)
                # Whatever its content, the next copy replaces it.
                step(y, x, 300)
                queue.memcpy_async(shared["x"], between, 4 * COUNT)
        # An event of another's after our launch.
        step_queue = xpu.make_queue("in_order")
        with xpu.stream(queue):
            step(x, y, 300)
        step_queue.submit_barrier([queue.submit_barrier()])
        step_queue.wait()
        expect_steps(y, 11 * 300)


class _Interface:
    """Shows dpctl the memory of a tensor."""

    def __init__(self, tensor: torch.Tensor, queue: dpctl.SyclQueue) -> None:
        self.tensor = tensor
        self.__sycl_usm_array_interface__ = {
            "data": (tensor.data_ptr(), True), "shape": (4 * COUNT,), "strides": None, "typestr": "|u1", "version": 1,
            "syclobj": queue,
        }  # fmt: skip


def out_of_order() -> None:
    """The program makes the order of a queue that has none."""
    queue = xpu.make_queue()
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    with xpu.stream(queue):
        for _ in range(10):
            step(x, y, 300)
            queue.submit_barrier()
            step(y, x, 300)
            queue.submit_barrier()
    queue.wait()
    expect_steps(x, 20 * 300)
    # The report of a kernel is cleared before it and read after it.
    with xpu.stream(queue):
        assertion()


@contextlib.contextmanager
def recording(library: ctypes.CDLL, queue: dpctl.SyclQueue) -> Iterator[list[int]]:
    """Yield a list that gets the graph of what is submitted to a queue."""
    graphs: list[int] = []
    graph = library.begin_recording(queue.addressof_ref())
    try:
        yield graphs
    finally:
        graphs.append(library.end_recording(graph))


def load_recording() -> ctypes.CDLL:
    """Return the functions of recording.cpp."""
    library = ctypes.CDLL(sys.argv[2])
    for name in ("begin_recording", "end_recording", "replay", "destroy"):
        function = getattr(library, name)
        function.restype = ctypes.c_void_p
        function.argtypes = [ctypes.c_void_p] * (2 if name == "replay" else 1)
    return library


def graph() -> None:
    """A captured launch runs when its graph does, as often as that, also if it is the first of its kernel."""
    library, queue = load_recording(), xpu.queue()
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    with recording(library, queue) as graphs:
        step(x, y, 3)
        step(y, x, 3)
    queue.wait()
    expect_steps(x, 0)
    for replays in range(1, 4):
        library.replay(graphs[0], queue.addressof_ref())
        queue.wait()
        expect_steps(x, 6 * replays)
    # Afterwards the queue is what it was.
    step(x, y)
    expect_steps(y, 19)
    library.destroy(graphs[0])


def checked_graph() -> None:
    """A launch that would have to allocate and to wait is no part of a graph, which is as it was without it."""
    library, queue = load_recording(), xpu.queue()
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    with recording(library, queue) as graphs:
        step(x, y)
        try:
            checked_kernel[(1,)](x, 5, SIZE=16, debug=True)
        except errors.LaunchError as error:
            assert "kernel `checked_kernel`" in str(error) and "captured" in str(error), error
        else:
            raise AssertionError("a launch that waits was captured")
    library.replay(graphs[0], queue.addressof_ref())
    queue.wait()
    expect_steps(x, 0)
    expect_steps(y, 1)
    library.destroy(graphs[0])


def fork() -> None:
    """A child has no device, and an error reports it; its parent goes on."""
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    step(x, y)
    xpu.queue().wait()
    child = os.fork()
    if not child:
        try:
            step(x, y)
        except errors.DeviceError as error:
            os._exit(7 if "start it with `spawn`" in str(error) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    step(y, x)
    expect_steps(x, 2)


def run_spawned() -> None:
    """A separate process, with a separate device."""
    xpu.install()
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    step(x, y, 5)
    expect_steps(y, 5)


def spawn() -> None:
    """Two children at once, beside their parent."""
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    children = [multiprocessing.get_context("spawn").Process(target=run_spawned) for _ in range(2)]
    for child in children:
        child.start()
    step(x, y)
    for child in children:
        child.join()
        assert child.exitcode == 0
    expect_steps(y, 1)


def threads() -> None:
    """Threads launch together, on one queue and on separate queues."""
    count, launches = 4, 50
    totals = [xpu.copy(torch.zeros(1, dtype=torch.int32)) for _ in range(count + 1)]
    queues, problems = [xpu.make_queue("in_order") for _ in range(count)], []
    start = threading.Barrier(count)
    compiled = add_kernel[(1,)](totals[-1], 0)

    def launch(number: int) -> None:
        try:
            start.wait()
            for _ in range(launches):
                for queue, total in ((xpu.queue(), totals[-1]), (queues[number], totals[number])):
                    # The stream is that of the process in the double: so the launcher is called with the queue.
                    metadata = (compiled.packed_metadata, None, None, None)
                    compiled.run(2, 1, 1, queue.addressof_ref(), compiled.function, *metadata, total, number + 1)
        except Exception as error:
            problems.append(error)

    workers = [threading.Thread(target=launch, args=(number,)) for number in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for queue in queues:
        queue.wait()
    assert not problems, problems
    found = [xpu.host(total).item() for total in totals]
    each = [2 * launches * (number + 1) for number in range(count)]
    assert found == [*each, sum(each)], found


def memory() -> None:
    """Launches keep nothing: those that return at once, and those that allocate a report and wait for it."""
    total, values = xpu.copy(torch.zeros(1, dtype=torch.int32)), xpu.copy(torch.zeros(16, dtype=torch.int32))

    def launch() -> None:
        add_kernel[(1,)](total, 1)

    def check() -> None:
        checked_kernel[(1,)](values, 1 << 30, SIZE=16, debug=True)

    # The driver fills its own pools first. An event of Level Zero has 500 bytes, and a report a page of at least 4 KB.
    for function, warmup, limit in ((launch, 5000, 200_000), (check, 1000, 2_000_000)):
        before = 0
        for count in (warmup, 1000):
            before = read_resident_memory()
            for index in range(count):
                function()
                # The driver's pools grow with the number of launches that have not ended.
                if index % 50 == 0:
                    xpu.queue().wait()
            xpu.queue().wait()
        assert read_resident_memory() - before < limit, function.__name__
    assert xpu.host(total).item() == 6000
    assert xpu.host(values).tolist() == [2000] * 16


def read_resident_memory() -> int:
    """Return the bytes of this process in memory, in which that of the GPU is."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def assertion() -> None:
    """The launch raises, and the next one is well."""
    x = xpu.copy(torch.arange(16, dtype=torch.int32))
    try:
        checked_kernel[(1,)](x, 11, SIZE=16, debug=True)
    except errors.DeviceAssertionError as error:
        assert "launches.py:" in str(error) and "above the limit" in str(error), error
    else:
        raise AssertionError("the assertion holds for 16 values below 11")
    assert xpu.host(x).tolist() == list(range(16))
    checked_kernel[(1,)](x, 16, SIZE=16, debug=True)
    assert xpu.host(x).tolist() == list(range(1, 17))


def spill() -> None:
    """The driver reports what a build spills, and the better one of two is launched."""
    a, b, c = torch.randn(128, 128).half(), torch.randn(128, 128).half(), xpu.empty((128, 128), torch.float32)
    arguments = (xpu.copy(a), xpu.copy(b), c, 128, 128, 128, 64, 128, 32)
    few, many = (kernels.gemm_kernel[(2, 1)](*arguments, num_warps=4, grf_mode=mode) for mode in ("128", "256"))
    spilled = few.function.spill_size
    assert spilled > 0 == many.function.spill_size, (spilled, many.function.spill_size)
    assert (few.n_spills > 0, many.n_spills) == (True, 0)
    options = _runtime.read_build_options(many.asm["spv"])
    opened = _runtime.Device.from_queue(xpu.queue().addressof_ref())
    better = opened.load_kernel(_compiler.add_spill_build_options(few.asm["spv"], options), few.name)
    assert (better.spill_size, better.spill_fallback) == (0, (True, spilled))
    for function in (few.function, many.function, better):
        c.fill_(float("nan"))
        metadata = (few.packed_metadata, None, None, None)
        few.run(2, 1, 1, xpu.queue().addressof_ref(), function, *metadata, *arguments)
        torch.testing.assert_close(xpu.host(c).double(), a.double() @ b.double(), rtol=1e-4, atol=1e-3)


@triton.jit
def reverse_kernel(x, y, SIZE: tl.constexpr):
    """Assumes that the tensors do not overlap."""
    i = tl.arange(0, SIZE)
    tl.store(y + i, tl.load(x + SIZE - 1 - i))


@triton.jit
def copy_block_kernel(x, y, rows, columns, stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Addresses rows by 2D block messages, if their stride is one that these can have."""
    block = tl.make_tensor_descriptor(x, [rows, columns], [stride, 1], [ROWS, COLUMNS]).load([0, 0])
    a = tl.dot(block, tl.full((COLUMNS, 16), 1, block.dtype))
    tl.store(y + tl.arange(0, ROWS)[:, None] * 16 + tl.arange(0, 16)[None, :], a)


def conditions() -> None:
    """Launches that do not satisfy the conditions of a kernel run a variant of it."""
    compiled, original = [], launching.compile_variant

    def record(*arguments: Any) -> Any:
        compiled.append(arguments[2:])
        return original(*arguments)

    launching.compile_variant = record
    values = torch.randn(3 * 256)
    for distance, variants in ((256, 0), (100, 1)):
        x = xpu.copy(values)
        reverse_kernel[(1,)](x[:256], x[distance : distance + 256], SIZE=256)
        expected = values.clone()
        expected[distance : distance + 256] = values[:256].flip(0)
        assert torch.equal(xpu.host(x), expected)
        assert len(compiled) == variants, compiled
    compiled.clear()
    # Rows of 160 bytes, and of 162.
    for stride, variants in ((80, 0), (81, 1)):
        x, y = torch.randn(32, stride).half(), xpu.empty((32, 16), torch.float32)
        copy_block_kernel[(1,)](xpu.copy(x), y, 32, 64, stride, ROWS=32, COLUMNS=64)
        expected = x[:, :64].double().sum(1, keepdim=True).expand(32, 16)
        torch.testing.assert_close(xpu.host(y).double(), expected, rtol=1e-4, atol=1e-3)
        assert len(compiled) == variants, compiled


def profile() -> None:
    """Sessions measure launches by events, and by tags on queues without such events."""
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    for properties, source in (
        (("in_order",), _runtime.TimeSource.TAGS),
        (("in_order", "enable_profiling"), _runtime.TimeSource.EVENTS),
    ):
        times: list[Any] = []
        with tempfile.TemporaryDirectory() as folder, xpu.stream(xpu.make_queue(*properties)):
            # A new launcher sets the observer to that of sessions.
            step(x, y, 100)
            _runtime.set_launch_observer(lambda _name, _metadata, _stream, time, _code, times=times: times.append(time))
            step(x, y, 100)
            step(x, y, 100)
            (begin, end), (next_begin, next_end) = (time.read() for time in times)
            assert begin < end <= next_begin < next_end
            assert [time.source for time in times] == [source] * 2
            proton.start(f"{folder}/tree")
            for _ in range(3):
                step(x, y, 100)
            proton.finalize()
            (tree,) = (node for node in json.loads(Path(f"{folder}/tree.hatchet").read_text()) if "children" in node)
        (kernel,) = tree["children"]
        assert (kernel["frame"]["name"], kernel["metrics"]["count"]) == ("step_kernel", 3)
        assert kernel["metrics"]["time (ns)"] > 0 and "clock" not in kernel["metrics"], kernel["metrics"]


@triton.jit
def marked_kernel(x, rounds, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    for _ in range(rounds):
        with pl.scope("load"):
            values = tl.load(x + i)
        with pl.scope("store"):
            tl.store(x + i, values + 1)


def scopes() -> None:
    """Scopes inside of a kernel are recorded by each warp of each program, in memory that the launch brings along."""
    x, programs, warps, rounds = xpu.copy(torch.zeros(3 * 256)), 3, 4, 5
    with tempfile.TemporaryDirectory() as folder:
        proton.start(f"{folder}/tree", backend="instrumentation")
        marked_kernel[(programs,)](x, rounds, SIZE=256, num_warps=warps)
        proton.finalize()
        (tree,) = (node for node in json.loads(Path(f"{folder}/tree.hatchet").read_text()) if "children" in node)
    (kernel,) = tree["children"]
    found = {node["frame"]["name"]: node["metrics"]["count"] for node in kernel["children"]}
    assert found == dict.fromkeys(("load", "store"), programs * warps * rounds), found
    assert xpu.host(x).tolist() == [rounds] * 3 * 256


def benchmark() -> None:
    """Triton's benchmarks and its autotuner measure the time of the model, which takes one run."""
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    launches = []

    def measure(rounds: int) -> float:
        def launch() -> None:
            launches.append(rounds)
            step(x, y, rounds)

        return triton.runtime.driver.active.get_benchmarker()(launch)

    configs = [triton.Config({"SIZE": size}, num_warps=1) for size in (16, 256)]
    tuned = triton.autotune(configs, key=[])(step_kernel)
    with xpu.stream(xpu.make_queue("in_order", "enable_profiling")):
        times = [measure(rounds) for rounds in (1000, 2000, 4000, 1000)]
        tuned[lambda options: (triton.cdiv(COUNT, options["SIZE"]),)](x, y, COUNT, 3)
    # Counters of time have ticks of 52 ns.
    assert abs(times[0] - times[3]) < 2e-4, times
    assert abs((times[2] - times[1]) / (times[1] - times[0]) - 2) < 0.05, times
    # The first one, five for an estimate, one to warm up and the one that counts.
    assert len(launches) == 4 * 8, launches
    assert len(tuned.configs_timings) == 2, tuned.configs_timings
    fastest = min(tuned.configs_timings, key=tuned.configs_timings.get)
    assert fastest == tuned.best_config, tuned.configs_timings
    expect_steps(y, 3)


PROGRAMS = (
    streams, order, out_of_order, graph, checked_graph, fork, spawn, threads, memory, assertion, spill, conditions,
    profile, scopes, benchmark,
)  # fmt: skip


if __name__ == "__main__":
    xpu.install()
    for name in sys.argv[1].split(","):
        next(program for program in PROGRAMS if program.__name__ == name)()
        print(name, "ok", flush=True)
