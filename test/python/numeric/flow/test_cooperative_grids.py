# SPDX-License-Identifier: MIT
"""Launches with `launch_cooperative_grid`, whose programs wait for each other."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc

from triton_xe import errors


@triton.jit
def exchange_kernel(x, flags, y, N: tl.constexpr):
    """Store the sum of what all programs have brought along, after all of them have arrived."""
    program = tl.program_id(0)
    index = tl.arange(0, N)
    value = tl.load(x + program * N + index)
    tl.store(y + program * N + index, value * 2)
    tl.debug_barrier()
    tl.atomic_add(flags, 1, sem="release", scope="gpu")
    count = tl.num_programs(0)
    while tl.atomic_add(flags, 0, sem="acquire", scope="gpu") < count:
        pass
    total = tl.zeros([N], tl.float32)
    for other in range(count):
        total += tl.load(y + other * N + index, volatile=True)
    tl.store(y + (count + program) * N + index, total)


@triton.jit
def failing_kernel(flags):
    """Program 3 fails, and the others wait for it."""
    if tl.program_id(0) == 3:
        tl.store(flags + 2**46, 1)
    tl.atomic_add(flags, 1)
    while tl.atomic_add(flags, 0) < tl.num_programs(0):
        pass


def exchange(programs: int, **options: object) -> None:
    x = torch.randn(programs, 32)
    y = torch.full((2 * programs, 32), float("nan"))
    exchange_kernel[(programs,)](x, torch.zeros(1, dtype=torch.int32), y, 32, launch_cooperative_grid=True, **options)
    expected = (2 * x.double()).sum(0).expand(programs, -1)
    assert torch.equal(y[:programs], 2 * x)
    assert torch.allclose(y[programs:].double(), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("programs", [1, 2, 11])
def test_programs_wait_for_each_other(programs):
    """Also more programs than processors: each has a thread."""
    exchange(programs, num_warps=2)


@needs_ocloc
def test_programs_wait_in_machine_code():
    exchange(5, num_warps=1, cpu_code="zebin", arch="bmg")


def test_a_program_that_fails_ends_the_others():
    with pytest.raises(errors.LaunchError, match=r"accessed invalid memory at .* in program \(3, 0, 0\)"):
        failing_kernel[(6,)](torch.zeros(1, dtype=torch.int32), launch_cooperative_grid=True)


@pytest.mark.parametrize(
    ("programs", "options", "limit"),
    [(1025, {}, 1024), (2, {"cpu_checks": True}, 1), pytest.param(65, {"cpu_code": "zebin"}, 64, marks=needs_ocloc)],
)
def test_more_programs_than_can_run(programs, options, limit):
    """A launch that would never end is refused."""
    message = (
        rf"`launch_cooperative_grid`\), of which at most {limit} run at a time, found a grid of \({programs}, 1, 1\)"
    )
    with pytest.raises(errors.LaunchError, match=message):
        exchange(programs, **options)
