# SPDX-License-Identifier: MIT
"""Measure what a launch costs the host: our device and stock Triton with a driver that does nothing, in one run.

Both run the same Python: Triton binds arguments, looks the kernel up and calls its launcher. The driver of nothing then
returns; ours packs the arguments, and calls an empty kernel. How long that call takes from C++ is a separate row
(`submission`). Each row has a limit, as a multiple of another row of the same run. On the CPU device:

    none         no arguments                            1.2 x the driver of nothing + a submission
    tensors      5 tensors, 9 scalars                    1.1 x the driver of nothing + a submission
    compared     3 tensors that must not overlap         1.2 x the driver of nothing + a submission
    strided      the same, with rows that are longer     1.3 x the driver of nothing + a submission
    descriptors  5 tensor descriptors of the host        1.1 x our launch of tensors
    from_tensor  5 descriptors created and launched      1.5 x our launch of tensors

On a GPU (`--device xpu`) an `append` is a launch by Level Zero alone, which appends a kernel to an immediate list. The
GPU is the virtual one, with Intel's driver, and executes nothing (launch_xpu.py). Times are those of the thread:

    none, two, tensors, compared, strided            1.3 x (the driver of nothing + an append)
    descriptors, from_tensor                         1.3 x (the same, which unfolds descriptors as stock Triton's do)

Allocations are those of the C library per launch (`malloc` and its kin), counted in a separate process.

    .venv/bin/python benchmarks/launch.py [--device xpu] [--chip pvc] [--seconds 1] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import dataclasses
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.backends.nvidia import driver as nvidia
from triton.runtime import driver
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe.cpu.driver import CPUDriver

SCALARS = (1, 7, 16, 33, 128, 4096, 3, 5, 9)
BLOCK = [16, 16]


@triton.jit
def none():
    pass


@triton.jit
def two(a, b):
    pass


@triton.jit
def tensors(a, b, c, d, e, i0, i1, i2, i3, i4, i5, i6, i7, i8):
    pass


@triton.jit
def compared(a, b, out, n):
    """Does nothing with n = 0, but is compiled for tensors that do not overlap."""
    if n > 0:
        i = tl.arange(0, 1024)
        tl.store(out + i, tl.load(a + 1023 - i) + tl.load(b + 1023 - i))


@triton.jit
def descriptors(a, b, c, d, e):
    pass


class NullUtils:
    """Loads nothing, on a device of no particular kind."""

    def load_binary(self, *arguments: object) -> tuple[None, None, int, int, int]:
        return None, None, 0, 0, 1024

    def unload_module(self, module: None) -> None:
        pass

    def get_device_properties(self, device: int) -> dict[str, int]:
        return {"max_shared_mem": 1 << 20, "multiprocessor_count": 1, "warpSize": 32}


class NullLauncher:
    """Takes what a launcher takes."""

    def __init__(self, source: object, metadata: object) -> None:
        pass

    def __call__(self, *arguments: object) -> None:
        pass


class UnfoldingLauncher(NullLauncher):
    """Unfolds descriptors, which stock Triton does in Python, and then does nothing."""

    def __init__(self, source: Any, metadata: object) -> None:
        self.launch = nvidia.wrap_handle_tensordesc(lambda *arguments: None, source.signature, None)

    def __call__(self, *arguments: object) -> None:
        self.launch(*arguments[:9], arguments[9:])


def make_unfolding_launcher(source: Any, metadata: object) -> NullLauncher:
    """Return a launcher that does nothing but what Python does for descriptors."""
    has_descriptors = any(str(kind).startswith("tensordesc") for kind in source.signature.values())
    return (UnfoldingLauncher if has_descriptors else NullLauncher)(source, metadata)


class NullDriver(DriverBase):
    """Stock Triton compiles for its own target, and nothing is launched."""

    def __init__(self, launcher_cls: Callable[..., NullLauncher]) -> None:
        self.launcher_cls = launcher_cls

    utils = NullUtils()

    @classmethod
    def is_active(cls) -> bool:
        return True

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", 90, 32)

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cpu")

    def get_benchmarker(self) -> None:
        return None

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0


KERNELS = (none, two, tensors, compared, descriptors)


@dataclasses.dataclass(frozen=True)
class Side:
    """A device of ours, and what a measurement has to know of it."""

    driver: DriverBase
    #: Arguments of kernels are built from these tensors.
    place: Callable[[torch.Tensor], torch.Tensor]
    clock: Callable[[], float]
    #: Called after each round, outside of its time.
    wait: Callable[[], None]
    #: Python's part of stock Triton.
    stock: DriverBase
    #: Other rows, each of which measures itself: the seconds of one call for a number of calls.
    more: dict[str, Callable[[int], float]] = dataclasses.field(default_factory=dict)


def make_arguments(place: Callable[[torch.Tensor], torch.Tensor]) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Return the cases: kernel and arguments."""
    values = [place(torch.zeros(64, 64, dtype=torch.float16)) for _ in range(5)]
    longer = [place(torch.zeros(64, 96, dtype=torch.float16))[:, :64] for _ in range(3)]
    return {
        "none": (none, ()),
        "two": (two, (*values[:2],)),
        "tensors": (tensors, (*values, *SCALARS)),
        "compared": (compared, (*values[:3], 0)),
        "strided": (compared, (*longer, 0)),
        "descriptors": (descriptors, tuple(TensorDescriptor.from_tensor(tensor, BLOCK) for tensor in values)),
    }


def make_cases(place: Callable[[torch.Tensor], torch.Tensor]) -> dict[str, Callable[[], Any]]:
    """Return what is measured."""
    made = make_arguments(place)
    bases = [descriptor.base for descriptor in made["descriptors"][1]]
    return {
        **{name: lambda kernel=kernel, values=values: kernel[(1,)](*values) for name, (kernel, values) in made.items()},
        "from_tensor": lambda: descriptors[(1,)](*(TensorDescriptor.from_tensor(tensor, BLOCK) for tensor in bases)),
    }


def use(active: DriverBase) -> None:
    """Launch through this driver from now on."""
    driver.set_active(active)
    for kernel in KERNELS:
        kernel.device_caches.clear()


def open_cpu() -> Side:
    """Return the CPU device, whose launches wait."""
    return Side(CPUDriver(), lambda tensor: tensor, time.perf_counter, lambda: None, NullDriver(NullLauncher))


def open_gpu() -> Side:
    """Return the GPU of the process."""
    import launch_xpu

    from triton_xe.xpu.driver import XPUDriver

    launch_xpu.install()
    side = Side(XPUDriver(), launch_xpu.place, time.thread_time, launch_xpu.wait, NullDriver(make_unfolding_launcher))
    use(side.driver)
    spirv = none[(1,)]().asm["spv"]
    submit = launch_xpu.make_submit(spirv, "none")

    def time_submits(count: int) -> float:
        start = side.clock()
        for _ in range(count):
            submit()
        return (side.clock() - start) / count

    side.more.update(append=launch_xpu.make_append(spirv, "none"), dpctl=time_submits)
    return side


def measure(side: Side, seconds: float) -> dict[tuple[str, str], float]:
    """Return microseconds by side and case, the medians of rounds in which the sides take turns."""
    sides = {"stock": side.stock, "ours": side.driver}
    cases = make_cases(side.place)
    caches: dict[str, list[Any]] = {}
    for name, active in sides.items():
        use(active)
        for case in cases.values():
            case()
        caches[name] = [kernel.device_caches.copy() for kernel in KERNELS]
    empty = none[(1,)]()
    work_group = empty.metadata.num_warps * empty.metadata.threads_per_warp
    more = {"submission": lambda count: empty.function.time_launches(work_group, count), **side.more}
    samples: dict[tuple[str, str], list[float]] = {}
    count = 100
    end = time.perf_counter() + seconds
    while not samples or time.perf_counter() < end:
        for owner, active in sides.items():
            driver.set_active(active)
            for kernel, cache in zip(KERNELS, caches[owner], strict=True):
                kernel.device_caches.clear()
                kernel.device_caches.update(cache)
            for name, case in cases.items():
                start = side.clock()
                for _ in range(count):
                    case()
                samples.setdefault((owner, name), []).append((side.clock() - start) / count * 1e6)
                side.wait()
        for name, function in more.items():
            samples.setdefault(("ours", name), []).append(function(count) * 1e6)
            side.wait()
    return {key: statistics.median(times) for key, times in samples.items()}


def limit_cpu(times: dict[tuple[str, str], float]) -> dict[str, float]:
    """Return how long launches on the CPU device may take."""
    submission = times["ours", "submission"]
    return {
        "none": 1.2 * times["stock", "none"] + submission,
        "two": 1.2 * times["stock", "two"] + submission,
        "tensors": 1.1 * times["stock", "tensors"] + submission,
        "compared": 1.2 * times["stock", "compared"] + submission,
        "strided": 1.3 * times["stock", "strided"] + submission,
        "descriptors": 1.1 * times["ours", "tensors"],
        "from_tensor": 1.5 * times["ours", "tensors"],
    }


def limit_gpu(times: dict[tuple[str, str], float]) -> dict[str, float]:
    """Return how long launches on a GPU may take."""
    append = times["ours", "append"]
    return {name: 1.3 * (time + append) for (owner, name), time in times.items() if owner == "stock"}


COUNTER = """
#include <stddef.h>
unsigned long long allocations;
extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t), *__libc_calloc(size_t, size_t);
void *malloc(size_t n) { __atomic_add_fetch(&allocations, 1, 0); return __libc_malloc(n); }
void *realloc(void *p, size_t n) { __atomic_add_fetch(&allocations, 1, 0); return __libc_realloc(p, n); }
void *calloc(size_t n, size_t size) { __atomic_add_fetch(&allocations, 1, 0); return __libc_calloc(n, size); }
"""


def count_allocations() -> dict[str, float]:
    """Return allocations per call of our launchers, in a process whose C library counts; empty without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("clang-22")
    if not compiler:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "counter.c", Path(folder) / "counter.so"
        source.write_text(COUNTER)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", source, "-o", library], check=True)
        result = subprocess.run(
            [sys.executable, "-W", "ignore", __file__, "--count", str(library)],
            env=os.environ | {"LD_PRELOAD": str(library)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return {name: float(value) for name, value in (line.split() for line in result.stdout.splitlines())}


def print_allocations(library: str) -> None:
    """Print the allocations of launches, in the process that counts them."""
    allocations = ctypes.c_ulonglong.in_dll(ctypes.CDLL(library), "allocations")
    use(CPUDriver())
    for name, (kernel, values) in make_arguments(lambda tensor: tensor).items():
        compiled = kernel[(1,)](*values)
        call = (1, 1, 1, 0, compiled.function, compiled.packed_metadata, None, None, None, *values)
        for _ in range(100):
            compiled.run(*call)
        before = allocations.value
        for _ in range(1000):
            compiled.run(*call)
        print(name, (allocations.value - before) / 1000)


def read_arguments() -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "xpu"), default="cpu", help="whose launches (cpu)")
    parser.add_argument("--chip", default="bmg", help="the virtual GPU's, with --device xpu (bmg)")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to measure")
    parser.add_argument("--csv", help="also write the table to this file")
    parser.add_argument("--count", help=argparse.SUPPRESS)
    parser.add_argument("--started", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Print the table; non-zero if a row is beyond its limit."""
    arguments = read_arguments()
    if arguments.count:
        print_allocations(arguments.count)
        return 0

    is_gpu = arguments.device == "xpu"
    if is_gpu and not arguments.started:
        import launch_xpu

        launch_xpu.start(arguments.chip, [*sys.argv[1:], "--started"])

    side = open_gpu() if is_gpu else open_cpu()
    times = measure(side, arguments.seconds)
    # Whatever the driver below SYCL allocates is none of ours.
    allocations = {} if is_gpu else count_allocations()
    limits = (limit_gpu if is_gpu else limit_cpu)(times)
    header = ["launch", "stock us", "ours us", "ratio", "limit us", "allocations"]
    rows = []
    for name, limit in limits.items():
        stock, ours = times["stock", name], times["ours", name]
        rows.append([name, stock, ours, ours / stock, limit, allocations.get(name, "")])
    print("".join(f"{title:>13}" for title in header))
    for row in rows:
        print("".join(f"{cell:>13.2f}" if isinstance(cell, float) else f"{cell:>13}" for cell in row))
    for name, text in (("submission", "submission from C++"), ("append", "append"), ("dpctl", "submission by dpctl")):
        if ("ours", name) in times:
            print(f"one {text} takes {times['ours', name]:.2f} us")
    if arguments.csv:
        with Path(arguments.csv).open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
    too_slow = [row[0] for row in rows if row[2] > row[4]]
    if too_slow:
        print("beyond their limits:", ", ".join(too_slow))
    return 1 if too_slow or any(allocations.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
