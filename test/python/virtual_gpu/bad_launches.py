# SPDX-License-Identifier: MIT
"""Launches of the XPU driver that go wrong, on the virtual GPU: `bad_launches.py NAME` runs a function, which asserts.

Intel's driver takes up to half a minute to end after it has lost a device, and may crash: processes end without that.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable

import dpctl.memory
import torch
import triton
import triton.language as tl
import xpu_double as xpu
from launches import COUNT, checked_kernel, expect_steps, numbers, step

from triton_xe import errors


@triton.jit
def endless_kernel(x):
    while tl.load(x, volatile=True) == 0:
        pass


@triton.jit
def endless_checked_kernel(x):
    """Reports something, so that its launch waits."""
    tl.device_assert(tl.load(x) == 0, "not zero")
    while tl.load(x, volatile=True) == 0:
        pass


class Pointer:
    """Memory of others, which reports only where it is."""

    dtype = torch.int32

    def __init__(self, address: int = 0) -> None:
        self.address = address

    def data_ptr(self) -> int:
        return self.address


def make_memory(count: int) -> tuple[dpctl.memory.MemoryUSMDevice, Pointer]:
    """Return zeros on the device: a driver that has lost it ends the process that moves shared memory."""
    memory = dpctl.memory.MemoryUSMDevice(4 * count, queue=xpu.queue())
    memory.copy_from_host(bytes(4 * count))
    return memory, Pointer(memory._pointer)


def expect(kind: type[Exception], launch: Callable[[], object], *parts: str) -> None:
    """The launch raises an error with these texts."""
    try:
        launch()
    except kind as error:
        assert all(part in str(error) for part in parts), error
    else:
        raise AssertionError(f"no error, but expected: {parts}")


INVALID = "a kernel accessed invalid memory, or did not end"


def null_pointer() -> None:
    """A launch that waits raises, and so does the next one."""
    memory, values = make_memory(16)
    checked_kernel[(1,)](values, 5, SIZE=16, debug=True)
    expect(
        errors.LaunchError,
        lambda: checked_kernel[(1,)](Pointer(), 5, SIZE=16, debug=True),
        "kernel `checked_kernel` failed to run: ", "_DEVICE_LOST", INVALID,
    )  # fmt: skip
    expect(errors.LaunchError, lambda: checked_kernel[(1,)](values, 5, SIZE=16, debug=True), "kernel `checked_kernel`")
    del memory


def null_pointer_without_wait() -> None:
    """A launch that does not wait returns, and a later one raises."""
    memory, values = make_memory(COUNT)
    step(values, values)
    step(Pointer(), values)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            step(values, values)
        except errors.LaunchError as error:
            assert INVALID in str(error), error
            break
        time.sleep(0.05)
    else:
        raise AssertionError("no launch has failed in a minute")
    del memory


def no_end() -> None:
    """The GPU ends a kernel that does not end itself."""
    memory, flag = make_memory(1)
    expect(errors.LaunchError, lambda: endless_checked_kernel[(1,)](flag, debug=True), "_DEVICE_LOST", INVALID)
    del memory


def out_of_memory() -> None:
    """A kernel that finds no room on the device; afterwards there is some."""
    held: list[dpctl.memory.MemoryUSMDevice] = []
    x, y = numbers(), xpu.empty((COUNT,), torch.int32)
    for size in (1 << 30, 1 << 26, 1 << 22, 1 << 16):
        with contextlib.suppress(dpctl.memory.USMAllocationError):
            while True:
                held.append(dpctl.memory.MemoryUSMDevice(size, queue=xpu.queue()))
    expect(errors.DeviceCompilerRefusal, lambda: step(x, y), "memory of the device", "step_kernel")
    held.clear()
    step(x, y)
    expect_steps(y, 1)


def leave() -> None:
    """The program ends while a kernel runs."""
    memory, flag = make_memory(1)
    endless_kernel[(1,)](flag)
    print("running", flush=True)
    sys.exit(5 if memory else 0)


def leave_at_once() -> None:
    """Likewise, and nothing is tidied up."""
    memory, flag = make_memory(1)
    endless_kernel[(1,)](flag)
    print("running", flush=True)
    os._exit(6 if memory else 0)


def stay() -> None:
    """A kernel runs until the process is killed."""
    memory, flag = make_memory(1)
    endless_kernel[(1,)](flag)
    print("running", flush=True)
    time.sleep(600)
    del memory


PROGRAMS = (null_pointer, null_pointer_without_wait, no_end, out_of_memory, leave, leave_at_once, stay)


if __name__ == "__main__":
    xpu.install()
    next(program for program in PROGRAMS if program.__name__ == sys.argv[1])()
    print(sys.argv[1], "ok", flush=True)
    os._exit(0)
