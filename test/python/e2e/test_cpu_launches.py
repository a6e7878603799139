# SPDX-License-Identifier: MIT
"""Launches of object code as a program sees them: from several threads, interrupted, and with wild pointers."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned, random_tensor
from support import interrupt

from triton_xe import errors

pytestmark = pytest.mark.usefixtures("on_native")


@triton.jit
def running_sums(x_ptr, y_ptr, turns, N: tl.constexpr):
    """Sub-groups meet at the barriers of a scan, turn after turn."""
    index = tl.program_id(0) * N + tl.arange(0, N)
    x = tl.load(x_ptr + index)
    for _ in range(turns):
        x = tl.cumsum(x, 0)
    tl.store(y_ptr + index, x)


@triton.jit
def far_away(x_ptr, y_ptr, distance, program, N: tl.constexpr):
    """One program accesses missing memory."""
    index = tl.program_id(0) * N + tl.arange(0, N)
    shift = tl.where(tl.program_id(0) == program, distance, tl.zeros_like(distance))
    tl.store(y_ptr + index, tl.load(x_ptr + index + shift))


@triton.jit
def forever(x_ptr):
    """Ends when another thread changes the memory."""
    while tl.atomic_add(x_ptr, 0) == 0:
        pass


@triton.jit
def long_kernel(x_ptr, turns, N: tl.constexpr):
    """Many programs that each take a while."""
    index = tl.arange(0, N)
    x = tl.load(x_ptr + index)
    for _ in range(turns):
        x = tl.cumsum(x, 0)
    tl.store(x_ptr + index, x)


@pytest.mark.parametrize("num_warps", [1, 4])
def test_threads_launch_the_same_and_other_kernels(num_warps):
    """All at once, with different numbers of programs, hence of helping threads."""
    count, n = 8, 64
    start = threading.Barrier(count)
    failures = []

    def work(number: int) -> None:
        programs = 1 + 13 * number
        x = torch.randint(-5, 6, (programs, n), generator=torch.Generator().manual_seed(number)).to(torch.int32)
        expected = x
        for _ in range(3):
            expected = expected.cumsum(1, dtype=torch.int32)
        start.wait()
        for turn in range(20):
            y = poisoned((programs, n), torch.int32)
            running_sums[(programs,)](x, y, 3, n, num_warps=num_warps, warp_size=16 if number % 2 else 32)
            if not torch.equal(y, expected):
                failures.append((number, turn))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_kernel_waits_for_a_thread():
    """A launch keeps neither the interpreter nor other launches from running."""
    flag = torch.zeros(1, dtype=torch.int32)
    waiting = threading.Thread(target=lambda: forever[(1,)](flag, num_warps=1))
    waiting.start()
    time.sleep(0.2)
    assert waiting.is_alive()
    x, y = random_tensor((4, 64), torch.int32, 1), poisoned((4, 64), torch.int32)
    running_sums[(4,)](x, y, 1, 64)
    assert torch.equal(y, x.cumsum(1, dtype=torch.int32))
    flag.fill_(1)
    waiting.join(timeout=60)
    assert not waiting.is_alive()


@pytest.mark.parametrize("distance", [2**40, -(2**40), 2**58], ids=["above", "below", "no-address"])
@pytest.mark.parametrize("program", [0, 5])
def test_wild_pointers_are_errors_of_the_launch(distance, program):
    """The error names kernel and program; the process and later launches go on."""
    programs, n = 8, 64
    x, y = random_tensor((programs, n), torch.float32, 1), poisoned((programs, n), torch.float32)
    far_away[(programs,)](x, y, 0, program, n)
    assert torch.equal(y, x)
    message = rf"kernel `far_away` accessed invalid memory at .* in program \({program}, 0, 0\)"
    with pytest.raises(errors.LaunchError, match=message) as caught:
        far_away[(programs,)](x, y, distance, program, n)
    assert str(caught.value).endswith("\n  with `TRITON_XE_CPU_DEBUG=1` the error names the line of the kernel")
    y = poisoned((programs, n), torch.float32)
    far_away[(programs,)](x, y, 0, program, n)
    assert torch.equal(y, x)


def test_wild_pointers_in_threads():
    """Each thread gets the error of its launch."""
    n = 64
    x, y = random_tensor((4, n), torch.float32, 1), torch.zeros(4, n)
    outcomes = {}

    def launch(distance: int) -> str:
        try:
            far_away[(4,)](x, torch.zeros_like(y), distance, 2, n)
        except errors.LaunchError:
            return "fails"
        return "runs"

    def work(number: int) -> None:
        outcomes[number] = {launch(2**40 if number % 2 else 0) for _ in range(10)}

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {number: {"fails" if number % 2 else "runs"} for number in range(6)}


def interrupted() -> None:
    """Run a kernel that is interrupted; the test below runs this in a separate process."""
    x = torch.ones(1024, dtype=torch.int32)
    long_kernel[(2,)](x, 1, 1024)
    print("running", flush=True)
    start = time.monotonic()
    try:
        # An hour or so.
        long_kernel[(1_000_000,)](x, 200, 1024)
    except KeyboardInterrupt:
        assert time.monotonic() - start < 30
        y = torch.ones(1024, dtype=torch.int32)
        long_kernel[(1,)](y, 1, 1024)
        assert torch.equal(y, torch.arange(1, 1025, dtype=torch.int32))
        print("interrupted", flush=True)


def test_keyboard_interrupt_ends_a_launch():
    """The launch ends in the middle of its programs; the process goes on."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
    code, output, messages = interrupt(
        [sys.executable, "-W", "ignore", __file__], "running", delay=0.5, env=environment
    )
    assert (code, output) == (0, "interrupted\n"), messages


if __name__ == "__main__":
    interrupted()
