# SPDX-License-Identifier: MIT
"""Kernels as native code of GPUs, on the simulator: the whole-kernel suite, launches, and what goes wrong."""

from __future__ import annotations

import os
import re
import sys

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from kernel_suite import ALL_CASES
from kernel_suite.case import KernelCase, Session
from numerics import assert_close
from support import needs_ocloc

from triton_xe import errors
from triton_xe.cpu import simulator

pytestmark = needs_ocloc

#: Chips whose code the simulator knows, one of each generation.
CHIPS = ("pvc", "bmg", "ptl")


def suite() -> list:
    """Return every case on every chip, watched and not.

    A short run has the first case of each kernel: watched on pvc, and not watched on bmg for each third kernel. The
    other cases differ by constants.
    """
    chosen = []
    for chip in CHIPS:
        seen = set()
        for case in ALL_CASES:
            kernel = case.name.partition("-")[0]
            is_first = not case.full and kernel not in seen
            is_chosen = is_first and (chip == "pvc" or (chip == "bmg" and len(seen) % 3 == 0))
            seen |= {kernel} if is_first else set()
            for checks in (False, True):
                short = is_chosen and checks == (chip == "pvc")
                name = f"{case}-{chip}" + ("-watched" if checks else "")
                chosen.append(pytest.param(case, chip, checks, id=name, marks=() if short else pytest.mark.full))
    return chosen


@pytest.mark.parametrize(("case", "chip", "checks"), suite())
def test_suite(case: KernelCase, chip: str, checks: bool) -> None:
    """The native code of every kernel computes what it should, and writes nothing around its buffers.

    Checks find nothing: neither in the kernels nor in the device compiler's code for them. The device compiler finds no
    function that it does not know. On pvc, no kernel spills registers unless its case states it.
    """
    options = {"num_warps": case.num_warps[0], "cpu_code": "zebin", "arch": chip, "cpu_checks": checks}
    session = Session("cpu", seed=3, options=options)
    for result in case.run_in(session):
        assert_close(result.actual, result.expected, result.tolerance)
    figures = [compiled.metadata.native for compiled in session.compiled]
    assert all(native["unknown_functions"] == [] for native in figures)
    assert all(native["total"]["indirect_calls"] == 0 for native in figures)
    if chip == "pvc":
        assert any(native["total"]["scratch_messages"] for native in figures) == case.spills


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, SIZE: tl.constexpr):
    index = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    mask = index < n
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=mask) + tl.load(y_ptr + index, mask=mask), mask=mask)


@triton.jit
def program_ids_kernel(out_ptr):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    place = (z * tl.num_programs(1) + y) * tl.num_programs(0) + x
    tl.store(out_ptr + place, x + 10 * y + 100 * z)


def test_program_ids() -> None:
    grid = (5, 3, 2)
    out = torch.full((30,), -1, dtype=torch.int32)
    program_ids_kernel[grid](out, cpu_code="zebin")
    expected = [x + 10 * y + 100 * z for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])]
    assert out.tolist() == expected


def test_runtime_by_environment(tmp_path) -> None:
    """Both variables choose for a whole script, and the binary that is launched is the chip's."""
    script = tmp_path / "add.py"
    script.write_text(
        "import torch, triton\n"
        "from test_simulator import add_kernel\n"
        "x, y = torch.randn(1000), torch.randn(1000)\n"
        "out = torch.full((1000,), float('nan'))\n"
        "kernel = add_kernel[(4,)](x, y, out, 1000, 256)\n"
        "assert torch.equal(out, x + y)\n"
        "print(kernel.metadata.cpu_code, kernel.metadata.arch)\n"
    )
    environment = os.environ | {
        "TRITON_XE_CPU_RUNTIME": "simulator",
        "TRITON_XE_CPU_ARCH": "bmg",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    result = warm_python.run([sys.executable, script], env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["zebin", "bmg"]


def test_chip_without_simulator() -> None:
    """A chip whose code the simulator does not know is named."""
    x = torch.zeros(16)
    with pytest.raises(errors.BinaryError, match=r"the simulator knows 12\.60 \(Xe-HPC\)"):
        add_kernel[(1,)](x, x, x, 16, 16, num_warps=1, cpu_code="zebin", arch="dg2", warp_size=16)


@triton.jit
def assertion_kernel(x_ptr, SIZE: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, SIZE))
    tl.device_assert(x >= 0, "negative")


def test_assertion() -> None:
    x = torch.arange(64, dtype=torch.int32)
    assertion_kernel[(1,)](x, 64, debug=True, cpu_code="zebin")
    x[37] = -1
    with pytest.raises(errors.DeviceAssertionError, match=r"negative[\s\S]*element \(37\)"):
        assertion_kernel[(1,)](x, 64, debug=True, cpu_code="zebin")


@triton.jit
def far_kernel(x_ptr, offset, SIZE: tl.constexpr):
    tl.store(x_ptr + offset + tl.arange(0, SIZE), 1.0)


def test_invalid_memory() -> None:
    """An address that the process does not have names the instruction, the program and the sub-group."""
    x = torch.zeros(64)
    message = r"`far_kernel` accessed invalid memory at 0x[0-9a-f]+\n +`send` at 0x[0-9a-f]+, in sub-group 0 of program"
    with pytest.raises(errors.LaunchError, match=message):
        far_kernel[(1,)](x, 1 << 44, 64, num_warps=1, cpu_code="zebin")
    # The process, and the kernel, go on.
    far_kernel[(1,)](x, 0, 64, num_warps=1, cpu_code="zebin")
    assert (x == 1).all()


@triton.jit
def product_kernel(a_ptr, b_ptr, c_ptr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    total = tl.dot(tl.load(a_ptr + m * K + k[None, :]), tl.load(b_ptr + k[:, None] * N + n))
    tl.store(c_ptr + m * N + n, total)


def test_orders_of_dpas() -> None:
    """Other orders change the last bits of sums; a sum whose parts cancel shows which one it was."""
    m, n, k = 64, 64, 16
    a, b, c = torch.randn(m, k, dtype=torch.bfloat16), torch.randn(k, n, dtype=torch.bfloat16), torch.empty(m, n)

    def run() -> torch.Tensor:
        product_kernel[(1,)](a, b, c, m, n, k, num_warps=1, cpu_code="zebin")
        return c

    differences = simulator.compare_dpas_orders(run)
    assert differences.keys() == {"reversed", "product", "whole"}
    assert all(0 < difference < 1e-5 for difference in differences.values())
    # The first step adds a large number, which the last one takes away: the 1 in between survives in an exact sum.
    a[:], b[:] = 1, 0
    b[0], b[k - 1], b[7] = 2.0**30, -(2.0**30), 1
    assert (run() == 0).all()
    with simulator.dpas_order("whole"):
        assert (run() == 1).all()
    message = "`dpas_order`: expected step, reversed, product, whole, found `any`"
    with pytest.raises(errors.OptionError, match=message), simulator.dpas_order("any"):
        pass


@triton.jit
def read_at(pointer, index):
    return tl.load(pointer + index)


@triton.jit
def outside_kernel(x_ptr, y_ptr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y_ptr + index, read_at(x_ptr, index))


def test_memory_of_another() -> None:
    """A watched launch stays in the memory of its tensors; the message names the argument and the lines of Python."""
    x, y = torch.zeros(64), torch.zeros(128)
    message = (
        r"a load of 4 bytes at 0x[0-9a-f]+ is outside of the memory of all arguments; it is \d+ bytes .*`x_ptr`"
        r"[\s\S]*in sub-group 2 of program \(0, 0, 0\)\n +of .*test_simulator\.py:\d+\n +called from .*:\d+$"
    )
    with pytest.raises(errors.MemoryAccessError, match=message):
        outside_kernel[(1,)](x, y, 128, cpu_code="zebin", cpu_checks=True)


@triton.jit
def tail_kernel(x_ptr, y_ptr, count, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < count, other=-1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int8])
@pytest.mark.parametrize("count", [50, 0, 1, 127])
def test_memory_ends_within_a_vector(dtype, count) -> None:
    """A vector that begins in a tensor may end after it; `other` replaces these elements."""
    x, y = torch.randint(0, 99, (count,)).to(dtype), torch.full((128,), 77, dtype=dtype)
    compiled = tail_kernel[(1,)](x, y, count, 128, num_warps=1, cpu_code="zebin", cpu_checks=True)
    assert torch.equal(y, torch.nn.functional.pad(x, (0, 128 - count), value=-1))
    # Specialized for 0 and 1, the mask is a constant or true for one element.
    if count > 1:
        assert re.search(r" = load <\d+ x ", compiled.asm["llir"])


@triton.jit
def negated_kernel(y_ptr, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(y_ptr + i, (-i).to(tl.int8) < i // 4)


def test_negated_bytes_are_compared() -> None:
    """The device compiler compares a wide number with a narrow one without a sign, which it negates."""
    y = torch.full((64,), -1, dtype=torch.int32)
    negated_kernel[(1,)](y, 64, num_warps=1, cpu_code="zebin")
    assert torch.equal(y, (-torch.arange(64) < torch.arange(64) // 4).int())


@triton.jit
def print_kernel(x_ptr):
    tl.device_print("x", tl.load(x_ptr + tl.arange(0, 1024)))


def test_too_much_is_printed(capfd) -> None:
    """A GPU has a buffer of 4 MB for it; its losses are reported."""
    print_kernel[(100,)](torch.zeros(1024), cpu_code="zebin")
    captured = capfd.readouterr()
    assert captured.out.count("x: 0.000000") > 10000
    assert re.search(r"kernel `print_kernel` prints more than .* \d+ bytes are lost", captured.err)


@triton.jit
def endless_kernel(x_ptr):
    while tl.atomic_add(x_ptr, 0) == 0:
        pass


def test_interrupt(tmp_path) -> None:
    """Ctrl-C ends a kernel that would never end."""
    script = tmp_path / "endless.py"
    script.write_text(
        "import signal, torch\n"
        "from test_simulator import endless_kernel\n"
        "flag = torch.zeros(1, dtype=torch.int32)\n"
        "endless_kernel.warmup(flag, grid=(4,), cpu_code='zebin')\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "signal.alarm(1)\n"
        "try:\n"
        "    endless_kernel[(4,)](flag, cpu_code='zebin')\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    result = warm_python.run([sys.executable, script], env=environment, timeout=60)
    assert result.stdout.strip() == "interrupted", result.stderr


@triton.jit
def handshake_kernel(flag_ptr, out_ptr, N: tl.constexpr):
    program = tl.program_id(0)
    # Each program waits for the next one, so the first must let all others begin.
    while (program + 1 < N) & (tl.atomic_add(flag_ptr + program + 1, 0) == 0):
        pass
    tl.store(out_ptr + program, program)
    tl.atomic_xchg(flag_ptr + program, 1)


def test_programs_that_wait_for_others() -> None:
    """All programs make progress, whatever the order in which they begin."""
    count = 12
    flags, out = torch.zeros(count, dtype=torch.int32), torch.full((count,), -1, dtype=torch.int32)
    handshake_kernel[(count,)](flags, out, count, num_warps=1, cpu_code="zebin")
    assert out.tolist() == list(range(count))


def test_hooks() -> None:
    """Launch hooks run, and a timer of kernels gets a time."""
    seen = []
    x = torch.zeros(16)
    triton.knobs.runtime.launch_enter_hook.add(lambda metadata: seen.append("enter"))
    hook = triton.knobs.runtime.launch_enter_hook
    try:
        add_kernel[(1,)](x, x, x, 16, 16, num_warps=1, cpu_code="zebin")
    finally:
        hook.calls.clear()
    assert seen == ["enter"]
