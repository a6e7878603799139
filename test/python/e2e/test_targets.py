"""Architectures other than the default: an entry in the table of targets, and nothing else, compiles for them."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite import ALL_CASES
from kernel_suite.case import KernelCase
from numerics import assert_close, poisoned, random_tensor
from support import needs_ocloc

from triton_xe import errors, target


def parameters() -> list:
    """One case of each file of the suite; all of them in a long run."""
    chosen, seen = [], set()
    for case in ALL_CASES:
        family = str(case).partition("/")[0]
        marks = [pytest.mark.full] if case.full or family in seen else []
        seen.add(family)
        chosen.append(pytest.param(case, id=str(case), marks=marks))
    return chosen


@pytest.mark.parametrize("case", parameters())
def test_kernels_for_battlemage(case: KernelCase) -> None:
    for result in case.run("cpu", seed=1, num_warps=case.num_warps[0], arch="bmg"):
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


@triton.jit
def copy_large(x, y, SIZE: tl.constexpr):
    rows, columns = tl.arange(0, SIZE)[:, None], tl.arange(0, SIZE)[None, :]
    tl.store(y + columns * SIZE + rows, tl.load(x + rows * SIZE + columns))


def test_limits_are_those_of_the_target():
    """A work-group of the smaller chip has half of the shared memory, and its registers have other names."""
    assert target.resolve("dg2").shared_memory == 64 * 1024
    assert target.resolve("bmg").shared_memory == 128 * 1024
    assert target.resolve({"name": "Intel(R) Arc(TM) B580 Graphics"}).name == "bmg"
    assert target.resolve({"name": "Intel(R) Arc(TM) A770 Graphics"}).name == "dg2"


def test_unknown_target():
    x, y = random_tensor((64, 64), torch.float32, seed=1), poisoned((64, 64), torch.float32)
    with pytest.raises(errors.OptionError, match="unknown architecture: expected `pvc`, `bmg`, `dg2`, found `xe9`"):
        copy_large[(1,)](x, y, 64, arch="xe9")
    copy_large[(1,)](x, y, 64, arch="bmg")
    assert torch.equal(y, x.T)


@needs_ocloc
@pytest.mark.parametrize("arch", target.architectures())
def test_native_code(arch):
    """The device compiler knows all chips of the table, and the disassembler their instructions."""
    x = torch.empty(64, 64)
    kernel = copy_large.warmup(x, x, 64, arch=arch, generate_native_code=True, grid=(1,))
    assert kernel.metadata.native["total"]["sends"] > 0
    assert kernel.metadata.native["unknown_functions"] == []
    assert "send.ugm" in kernel.asm["isa"]
