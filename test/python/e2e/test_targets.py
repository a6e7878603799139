# SPDX-License-Identifier: MIT
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
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from triton_xe import errors, target

#: All but the default.
CHIPS = [name for name in target.architectures() if name != target.DEFAULT]

#: One case of each file of the suite.
LAST_CASES = {str(case).partition("/")[0]: case for case in ALL_CASES if not case.full}


def parameters() -> list:
    """Return one case of each file of the suite, each for another chip; all of them for all chips in a long run."""
    chosen, seen = [], set()
    for case in ALL_CASES:
        family = str(case).partition("/")[0]
        for number, chip in enumerate(CHIPS):
            is_first = not case.full and family not in seen and number == len(seen) % len(CHIPS)
            marks = () if is_first else pytest.mark.full
            chosen.append(pytest.param(case, chip, id=f"{chip}-{case}", marks=marks))
        seen.add(family)
    return chosen


@pytest.mark.parametrize(("case", "chip"), parameters())
def test_kernels(case: KernelCase, chip: str) -> None:
    """Numbers are right with another chip's code for a kernel, by the CPU device."""
    for result in case.run("cpu", seed=1, num_warps=case.num_warps[0], arch=chip):
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


#: Cases with more values than a chip has room for. The registers of dg2 are half as wide, and nothing but them holds
#: operands.
SPILLING = {
    "ptl": ("serving/latent_decode-rank_512-multiple_1-",),
    "nvl-s": ("serving/latent_decode-rank_512-multiple_1-",),
    "nvl-p": ("delta_rule/halved_states-block_64",),
    "cri": ("delta_rule/halved_states-block_64",),
    "dg2": (
        "attention/",
        "delta_rule/corrections",
        "delta_rule/halved_states-block_64",
        "delta_rule/inverses",
        "experts/mixture_of_experts",
        "linear_attention/gated_chunks",
        "operand_gemm/changed_gemm-change_matrix",
        "operand_gemm/changed_gemm-change_gelu",
        "operand_gemm/low_rank-rank_32",
        "quantized/byte_weights",
        "serving/",
        "serving_products/",
    ),
}


@pytest.mark.parametrize("case", LAST_CASES.values(), ids=str)
def test_sub_groups_of_eight(case: KernelCase) -> None:
    """The smallest sub-groups that there are, also where nothing is multiplied."""
    for result in case.run("cpu", seed=2, num_warps=case.num_warps[0], arch="dg2", warp_size=8):
        assert_close(result.actual.cpu(), result.expected, result.tolerance)


@needs_ocloc
@pytest.mark.parametrize(("case", "chip"), parameters())
def test_native_code(case: KernelCase, chip: str) -> None:
    """The device compiler takes every kernel for every chip, and none spills that fits the registers."""
    gpu = GPUTarget("xpu", chip, 16)
    for source, options in case.sources(gpu, num_warps=case.num_warps[0], generate_native_code=True):
        compiled = triton.compile(source, target=gpu, options=options)
        assert compiled.metadata.native["unknown_functions"] == []
        if not case.spills and not str(case).startswith(SPILLING.get(chip, ())):
            assert compiled.metadata.native["total"]["scratch_messages"] == 0


@triton.jit
def copy_large(x, y, SIZE: tl.constexpr):
    rows, columns = tl.arange(0, SIZE)[:, None], tl.arange(0, SIZE)[None, :]
    tl.store(y + columns * SIZE + rows, tl.load(x + rows * SIZE + columns))


def test_limits_are_those_of_the_target():
    """A work-group of the smaller chip has half of the shared memory, and its registers have other names."""
    assert target.resolve("dg2").shared_memory == 64 * 1024
    assert target.resolve("bmg").shared_memory == 128 * 1024
    assert target.resolve("cri").shared_memory == 384 * 1024
    x = torch.empty(256, 256, dtype=torch.float16)
    copy_large.warmup(x, x, 256, arch="pvc", num_warps=32, grid=(1,))
    with pytest.raises(errors.OutOfResources, match="Required: 131072, Hardware limit: 65536"):
        copy_large.warmup(x, x, 256, arch="dg2", num_warps=32, grid=(1,))


@pytest.mark.parametrize(
    ("device", "chip"),
    [
        ({"name": "Intel(R) Arc(TM) B580 Graphics"}, "bmg"),
        ({"name": "Intel(R) Arc(TM) B390 GPU"}, "ptl"),
        ({"name": "Intel(R) Arc(TM) 140V GPU"}, "lnl"),
        ({"name": "Intel(R) Arc(TM) A770 Graphics"}, "dg2"),
        # The number of the graphics IP goes before a name.
        ({"name": "Intel(R) Arc(TM) B580 Graphics", "architecture": 0x780000400}, "ptl"),
        ({"name": "Intel(R) Graphics", "architecture": 0x500400000}, "bmg"),
        ({"name": "Intel(R) Graphics", "architecture": 0x501000400}, "lnl"),
        ({"name": "Intel(R) Graphics", "architecture": 0x8C2C00000}, "cri"),
    ],
)
def test_devices(device: dict[str, object], chip: str) -> None:
    """Chips are found by the names that torch.xpu has for them."""
    assert target.resolve(device).name == chip


def test_unknown_target(monkeypatch):
    x, y = random_tensor((64, 64), torch.float32, seed=1), poisoned((64, 64), torch.float32)
    with pytest.raises(
        errors.OptionError, match=r"unknown architecture: expected `pvc`, `bmg`, `lnl`, `ptl`, .*, found `xe9`"
    ):
        copy_large[(1,)](x, y, 64, arch="xe9")
    with monkeypatch.context() as context:
        context.setenv("TRITON_XE_CPU_ARCH", "xe9")
        with pytest.raises(errors.OptionError, match=r"TRITON_XE_CPU_ARCH: unknown architecture: .*, found `xe9`"):
            copy_large[(1,)](x, y, 64)
    copy_large[(1,)](x, y, 64, arch="bmg")
    assert torch.equal(y, x.T)


@triton.jit
def multiply(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, depth = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :], tl.arange(0, K)
    product = tl.dot(tl.load(a + rows * K + depth[None, :]), tl.load(b + depth[:, None] * N + columns))
    tl.store(c + rows * N + columns, product)


@needs_ocloc
@pytest.mark.parametrize("rows", [1, 4, 32])
@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float8_e5m2, torch.int8], ids=str)
def test_eight_columns(kind: torch.dtype, rows: int) -> None:
    """Products of dg2 have 8 columns, in sub-groups of 8; a launch that requests 16 gets them, too."""
    a, b = random_tensor((rows, 64), kind, seed=2), random_tensor((64, 32), kind, seed=3)
    exact = a.to(torch.float64) @ b.to(torch.float64)
    c = poisoned((rows, 32), torch.int32 if kind == torch.int8 else torch.float32)
    kernel = multiply[(1,)](a, b, c, rows, 32, 64, num_warps=2, arch="dg2", generate_native_code=True)
    assert_close(c, exact.to(c.dtype), 0 if kind == torch.int8 else 1e-5)
    assert kernel.metadata.threads_per_warp == 8
    # An instruction takes 256 bits along K, and each sub-group has at least two columns of instructions.
    assert kernel.metadata.native["total"]["dpas"] >= 2 * (2 if kind == torch.int8 else 4)


@needs_ocloc
def test_without_block_messages():
    """The code for dg2 has ordinary messages."""
    x = torch.empty(64, 64)
    kernel = copy_large.warmup(x, x, 64, arch="dg2", generate_native_code=True, grid=(1,))
    assert "send.ugm" in kernel.asm["isa"] and "block2d" not in kernel.asm["isa"]


@needs_ocloc
def test_more_registers():
    """Chips that have 512 registers, and one that has not."""
    x = torch.empty(64, 64)
    for count in ("128", "256", "512"):
        kernel = copy_large.warmup(x, x, 64, arch="cri", grf_mode=count, generate_native_code=True, grid=(1,))
        assert kernel.metadata.native["grf_count"] == int(count)
    with pytest.raises(errors.OptionError, match="`ptl` has `128` or `256` registers, found `512`"):
        copy_large.warmup(x, x, 64, arch="ptl", grf_mode="512", grid=(1,))


@triton.jit
def keep_all(x, y, STEPS: tl.constexpr, SIZE: tl.constexpr):
    places = tl.arange(0, SIZE)
    total = tl.zeros((SIZE,), tl.float32)
    values = tl.load(x + places)
    for step in range(STEPS):
        total = total * 1.5 + tl.sin(values + total * step)
    tl.store(y + places, total + values)


@needs_ocloc
@pytest.mark.parametrize("chip", target.architectures())
def test_spills_are_counted(chip: str) -> None:
    """The disassembler has another name for scratch memory on nearly each generation."""
    signature = {"x": "*fp32", "y": "*fp32", "STEPS": "constexpr", "SIZE": "constexpr"}
    source = ASTSource(keep_all, signature, {"STEPS": 100, "SIZE": 1024})
    options = {"num_warps": 1, "grf_mode": "128", "generate_native_code": True}
    native = triton.compile(source, target=GPUTarget("xpu", chip, 16), options=options).metadata.native
    assert native["scratch_bytes"] > 0
    assert native["total"]["scratch_messages"] > 0
