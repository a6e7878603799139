# SPDX-License-Identifier: MIT
"""Launches on the simulator as a program sees them: stopped, from several threads, failed, and of damaged binaries."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned, random_tensor
from support import needs_ocloc
from triton import knobs as triton_knobs
from triton.backends.compiler import GPUTarget

from triton_xe import IRSource, errors
from triton_xe.cpu import runtime, simulator

pytestmark = [needs_ocloc, pytest.mark.usefixtures("on_native")]

#: The options that a launch gets instead of the environment.
ZEBIN = {"cpu_code": "zebin"}

CHIPS = ["pvc", "bmg"]


@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, N: tl.constexpr):
    index = tl.program_id(0) * N + tl.arange(0, N)
    mask = index < n
    tl.store(z_ptr + index, tl.load(x_ptr + index, mask) + tl.load(y_ptr + index, mask), mask)


@triton.jit
def sum_rows(x_ptr, y_ptr, N: tl.constexpr):
    """Sub-groups meet at barriers, and exchange values through shared local memory."""
    row = tl.program_id(0)
    tl.store(y_ptr + row, tl.sum(tl.load(x_ptr + row * N + tl.arange(0, N)), 0))


@triton.jit
def far_away(x_ptr, distance, program):
    here = tl.where(tl.program_id(0) == program, distance, tl.zeros_like(distance))
    tl.store(x_ptr + here, 1)


@triton.jit
def forever(x_ptr):
    """Ends when another thread changes the memory."""
    while tl.atomic_add(x_ptr, 0) == 0:
        pass


def run_add(**options):
    """Launch once, with a last program that is not full."""
    x, y, z = (
        random_tensor((1000,), torch.float32, 1),
        random_tensor((1000,), torch.float32, 2),
        poisoned((1024,), torch.float32),
    )
    untouched = z[1000:].clone()
    compiled = add[(8,)](x, y, z, 1000, 128, **options)
    assert torch.equal(z[:1000], x + y)
    assert torch.equal(z[1000:].view(torch.int32), untouched.view(torch.int32))
    return compiled


@pytest.mark.parametrize("arch", CHIPS)
@pytest.mark.parametrize("num_warps", [1, 4])
def test_native_code_runs(arch, num_warps):
    """The code that runs is a zebin for the chip, though it has the name of object code."""
    compiled = run_add(arch=arch, num_warps=num_warps, **ZEBIN)
    assert simulator.is_zebin(compiled.asm["obj"])
    assert compiled.metadata.arch == arch
    assert compiled.metadata.device_compiler


@pytest.mark.parametrize("arch", CHIPS)
@pytest.mark.parametrize("num_warps", [2, 8])
def test_sub_groups_meet(arch, num_warps):
    rows, n = 5, 512
    x = torch.randint(-1000, 1000, (rows, n), dtype=torch.int32)
    y = poisoned((rows,), torch.int32)
    compiled = sum_rows[(rows,)](x, y, n, num_warps=num_warps, arch=arch, **ZEBIN)
    assert compiled.metadata.shared > 0
    assert torch.equal(y, x.sum(1, dtype=torch.int32))


@pytest.mark.parametrize("distance", [2**40, -(2**40), 2**58], ids=["above", "below", "no-address"])
def test_invalid_memory(distance):
    """The error names the instruction and who ran it; later launches go on."""
    x = torch.zeros(1, dtype=torch.int64)
    message = (
        r"kernel `far_away` accessed invalid memory at 0x[0-9a-f]+\n"
        r"  `send` at 0x[0-9a-f]+, in sub-group 0 of program \(3, 0, 0\)"
    )
    with pytest.raises(errors.LaunchError, match=message):
        far_away[(5,)](x, distance, 3, num_warps=1, **ZEBIN)
    x.zero_()
    far_away[(5,)](x, 0, 3, num_warps=1, **ZEBIN)
    assert x.item() == 1


def test_wrong_arguments():
    x = torch.zeros(8)
    with pytest.raises(errors.ArgumentError, match=r"argument `y_ptr`: .*on `meta`"):
        add[(1,)](x, x.to("meta"), x, 8, 8, **ZEBIN)
    with pytest.raises(errors.LaunchError, match=r"grid\[0\] is negative: -1"):
        add[(-1,)](x, x, x, 8, 8, **ZEBIN)
    # An empty grid runs nothing.
    add[(0,)](x, x, poisoned((8,), torch.float32), 8, 8, **ZEBIN)
    with pytest.raises(errors.OptionError, match=r"`cpu_code`: expected .*`zebin`, found `elf`"):
        add[(1,)](x, x, x, 8, 8, cpu_code="elf")


def test_launch_hooks():
    seen = []
    hooks = triton_knobs.runtime

    def enter(metadata) -> None:
        seen.append(("enter", metadata.get()["name"]))

    def leave(metadata) -> None:
        seen.append(("exit", metadata.get()["name"]))

    hooks.launch_enter_hook.add(enter)
    hooks.launch_exit_hook.add(leave)
    try:
        run_add(**ZEBIN)
    finally:
        hooks.launch_enter_hook.remove(enter)
        hooks.launch_exit_hook.remove(leave)
    assert seen == [("enter", "add"), ("exit", "add")]


def test_interrupts():
    """Ctrl-C ends a kernel of many sub-groups that never ends by itself, and soon."""
    x = torch.zeros(1, dtype=torch.int32)
    forever.warmup(x, grid=(1,), num_warps=32, **ZEBIN)
    # A shell lets what it runs in the background ignore the key.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    start = time.monotonic()
    key = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    key.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            forever[(1,)](x, num_warps=32, **ZEBIN)
    finally:
        x.fill_(1)
        key.join()
        signal.signal(signal.SIGINT, handler)
    assert time.monotonic() - start < 2


def test_launches_from_threads():
    """All at once; the threads that run programs have one caller at a time."""
    failures = []

    def work() -> None:
        try:
            for _ in range(5):
                run_add(**ZEBIN)
        except BaseException as error:
            failures.append(error)

    run_add(**ZEBIN)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def load(binary: bytes, name: str):
    return simulator.open_device().load_kernel(binary, name)


def test_damaged_binaries():
    """A cache file that was cut off, or is for another chip, is an error that reports it."""
    zebin = run_add(**ZEBIN).asm["obj"]
    assert load(zebin, "add").argument_count == 4
    with pytest.raises(errors.BinaryError, match="no kernel `sub` in the binary; it holds `add`"):
        load(zebin, "sub")
    for size in (0, 20, len(zebin) // 2, len(zebin) - 1):
        with pytest.raises(errors.BinaryError):
            load(zebin[:size], "add")
    # The number of the product, which a note has: graphics 12.55 is Alchemist.
    product = (12 << 22 | 60 << 14).to_bytes(4, "little")[1:]
    position = zebin.rindex(product)
    other = zebin[:position] + (12 << 22 | 55 << 14).to_bytes(4, "little")[1:] + zebin[position + 3 :]
    with pytest.raises(errors.BinaryError, match=r"graphics IP 12\.55; the simulator knows 12\.60 \(Xe-HPC\)"):
        load(other, "add")


def test_spirv_cannot_be_simulated(tmp_path):
    """A file takes the place of LLVM IR, not of what the GPU's compiler makes."""
    path = tmp_path / "add.spv"
    path.write_bytes(runtime.SPIRV_MAGIC)
    with pytest.raises(errors.OptionError, match=r"add\.spv`: .* cannot be simulated; a file of LLVM IR can"):
        triton.compile(IRSource(path, ["*fp32"]), target=GPUTarget("cpu", "pvc", 16), options=ZEBIN)
