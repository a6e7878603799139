# SPDX-License-Identifier: MIT
"""The kernel that the project is for: GEMM + added matrix in bf16, 256x256x32, 32 warps, compiled for PVC."""

from __future__ import annotations

import re
from typing import Any

import pytest
import triton
import triton.language as tl
from kernel_suite import block_pointer_gemm
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from triton_xe import IRSource
from triton_xe.tools.statistics import kernel_statistics

#: The dictionary that PyTorch passes for a device: the properties of torch.xpu, with more keys than these.
TORCH_PROPERTIES = {
    "name": "Intel(R) Data Center GPU Max 1550",
    "platform_name": "Intel(R) oneAPI Unified Runtime over Level-Zero",
    "architecture": 0x30F000700,
    "sub_group_sizes": [16, 32],
    "max_work_group_size": 1024,
    "max_num_sub_groups": 64,
}


def compile_reference(arch: object = "pvc", **options: Any) -> Any:
    """Compile GEMM + added matrix of 4096 x 4096 x 4096: strides of 4096, divisible sizes, unit inner strides."""
    kernel = block_pointer_gemm.gemm_addmatrix
    constexprs = {
        "BLOCK_M": 256, "BLOCK_N": 256, "BLOCK_K": 32, "GROUP_M": 4, "ACC": tl.float32,
        "stride_ak": 1, "stride_bn": 1, "stride_cn": 1, "stride_dn": 1,
    }  # fmt: skip
    types = {"a_ptr": "*bf16", "b_ptr": "*bf16", "c_ptr": "*fp32", "d_ptr": "*fp32"}
    names = kernel.arg_names
    signature = {name: "constexpr" if name in constexprs else types.get(name, "i32") for name in names}
    attributes = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names) if name not in constexprs}
    values = {(names.index(name),): value for name, value in constexprs.items()}
    return triton.compile(
        ASTSource(kernel, signature, values, attributes),
        target=GPUTarget("xpu", arch, 16),
        options={"num_warps": 32, "num_stages": 2, "grf_mode": "256"} | options,
    )


@pytest.fixture(scope="module", params=[2, 3], ids=["stages2", "stages3"])
def reference(request, kernel_cache) -> Any:
    """Return the compiled kernel, with 2 and with 3 stages."""
    return compile_reference(num_stages=request.param)


def test_contract_of_a_compilation(reference):
    """Without any device: the stages, and the metadata that tools read."""
    assert {"ttir", "ttgir", "llir", "spv"} <= reference.asm.keys()
    assert isinstance(reference.asm["spv"], bytes)
    metadata = reference.metadata
    assert (metadata.shared, metadata.num_warps, metadata.threads_per_warp) == (0, 32, 16)
    assert (metadata.target.backend, metadata.name) == ("xpu", "gemm_addmatrix")


def test_block_pointers_reach_the_end(reference):
    """No layout conversion and no tensor of pointers: A, B, D are loaded and C is stored in blocks, by messages."""
    ttgir = reference.asm["ttgir"]
    assert "ttg.convert_layout" not in ttgir
    assert not re.search(r"tensor<[^>\n]*!tt\.ptr", ttgir)
    assert len(re.findall(r"= ttig\.load_block [^\n]*messages = #ttig\.messages<", ttgir)) == 3
    assert len(re.findall(r"ttig\.store_block [^\n]*messages = #ttig\.messages<", ttgir)) == 1


def test_messages_and_dpas_of_a_sub_group(reference):
    """Per K-step 32 DPAS on at most 3 messages; D comes and C goes in 2D messages."""
    figures = kernel_statistics(reference.asm, reference.metadata)
    assert (figures["shared"], figures["convert_layouts"], figures["pointer_tensors"]) == (0, 0, 0)
    assert (figures["loop_dpas"], figures["dpas"]) == (32, 32)
    assert 1 <= figures["loop_block_loads"] <= 3
    assert figures["loop_block_stores"] == 0
    # A sub-group has 32 x 64 elements of C: 16 messages of 8 x 16.
    assert figures["block_stores"] == 16
    assert 4 <= figures["block_loads"] - figures["loop_block_loads"] <= 16
    assert figures["loop_block_prefetches"] > 0
    # Nothing but messages touches the matrices.
    llir = reference.asm["llir"]
    assert not re.search(r"(load|store) [^\n]*addrspace\(1\)", llir)
    assert "addrspace(3)" not in llir


def test_properties_of_torch_name_the_architecture(reference):
    """The property dictionary that PyTorch passes as `arch` gives the same code."""
    other = compile_reference(arch=TORCH_PROPERTIES, num_stages=reference.metadata.num_stages)
    assert other.asm["llir"] == reference.asm["llir"]
    assert other.asm["spv"] == reference.asm["spv"]


@pytest.mark.parametrize("stage", ["ttir", "ttgir", "llir", "spv"])
def test_any_stage_is_a_source(reference, stage, tmp_path):
    """The IR of a stage in a file compiles to the same later stages."""
    path = tmp_path / f"gemm_addmatrix.{stage}"
    content = reference.asm[stage]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    options = {"num_warps": 32, "num_stages": reference.metadata.num_stages, "grf_mode": "256"}
    again = triton.compile(IRSource(path), target=GPUTarget("xpu", "pvc", 16), options=options)
    stages = ["ttir", "ttgir", "llir", "spv"]
    for later in stages[stages.index(stage) + 1 :]:
        assert again.asm[later] == reference.asm[later], later
    assert again.metadata.name == "gemm_addmatrix"


@needs_ocloc
def test_native_code():
    """The device compiler makes DPAS and 2D block messages of it, and no spills."""
    compiled = compile_reference(generate_native_code=True)
    assert compiled.asm["zebin"][:4] == b"\x7fELF"
    isa = compiled.asm["isa"]
    assert "dpas" in isa
    assert "load_block2d" in isa
    assert "calla" not in isa
    native = compiled.metadata.native
    # A sub-group has 32x64 numbers of C, in stores of 8x16; A and B are prefetched before the loop and in it.
    assert native["total"]["store_block2d"] == 16
    assert native["total"]["prefetches"] == 4
    assert native["total"]["dpas"] == 32
    assert native["spilled_registers"] == 0
    assert native["total"]["scratch_messages"] == 0
    assert native["scratch_bytes"] == 0
    assert native["slm_bytes"] == 0
    assert native["grf_count"] == 256
