# SPDX-License-Identifier: MIT
"""Compilation from files with the IR of each stage."""

from __future__ import annotations

import os
import sys

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from numerics import poisoned, random_tensor
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe import IRSource, errors

TARGET = GPUTarget("cpu", "pvc", 16)
XPU = GPUTarget("xpu", "pvc", 16)
SIGNATURE = ["*fp32", "*fp32", "*fp32", "i32"]


@triton.jit
def add_kernel(a, b, c, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(c + offsets, tl.load(a + offsets, mask) + tl.load(b + offsets, mask), mask)


@pytest.fixture(params=["native", "opencl"])
def binary(request) -> str:
    """Return the stage with the binary that a runtime launches; the test runs on that runtime."""
    request.getfixturevalue(f"on_{request.param}")
    return {"native": "obj", "opencl": "spv"}[request.param]


@pytest.fixture
def compiled(binary):
    add_kernel.device_caches.clear()
    tensors = [torch.zeros(1000) for _ in range(3)]
    return add_kernel.warmup(*tensors, 1000, BLOCK=128, num_warps=4, grid=(1,))


def run_and_check(kernel) -> None:
    a, b = (random_tensor((1000,), torch.float32, seed) for seed in (1, 2))
    c = poisoned((1000,), torch.float32)
    kernel[(8, 1, 1)](a, b, c, 1000)
    assert torch.equal(c, a + b)


def write(compiled, folder, stage: str) -> str:
    content = compiled.asm[stage]
    path = folder / f"add_kernel.{stage}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.mark.parametrize("stage", ["ttir", "ttgir", "llir", "binary"])
def test_every_stage_can_be_the_start(compiled, tmp_path, binary, stage):
    stage = binary if stage == "binary" else stage
    # Only tt and ttg functions have the types of their arguments.
    source = IRSource(write(compiled, tmp_path, stage), SIGNATURE if stage in ("llir", binary) else None)
    kernel = triton.compile(source, target=TARGET, options={"num_warps": 4})
    assert kernel.asm[binary] == compiled.asm[binary]
    run_and_check(kernel)


def test_the_file_itself_is_kept(compiled, tmp_path):
    """It is the result of its stage, so that reports and other tools find it; the stages before it have none."""
    kernel = triton.compile(IRSource(write(compiled, tmp_path, "ttgir")), target=TARGET, options={"num_warps": 4})
    assert kernel.asm["ttgir"] == compiled.asm["ttgir"]
    assert "ttir" not in kernel.asm and "llir" in kernel.asm


#: Compiles a file with native code beside the binary, and prints what Triton has read of both, and from where.
NATIVE = """
import sys, triton, triton_xe
from triton.backends.compiler import GPUTarget
source = triton_xe.IRSource(sys.argv[1])
kernel = triton.compile(source, target=GPUTarget("xpu", "pvc", 16), options={"generate_native_code": True})
paths = kernel.metadata_group
(native,) = (path for name, path in paths.items() if name.endswith(".zebin"))
print(open(native, "rb").read() == kernel.asm["zebin"], kernel.asm["zebin"][:4], kernel.asm["spv"] == kernel.kernel)
"""


@needs_ocloc
def test_native_code_from_the_cache(compiled, tmp_path):
    """A process that finds the kernel reads the same as the one that has compiled it."""
    path = write(compiled, tmp_path, "ttir")
    environment = os.environ | {"TRITON_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", NATIVE, path]
    outputs = [warm_python.run(command, env=environment, check=True).stdout for _ in range(2)]
    assert outputs == ["True b'\\x7fELF' True\n"] * 2


def test_spirv_needs_a_target_that_runs_it(tmp_path, monkeypatch):
    """SPIR-V passes for a GPU, and on the CPU device with the OpenCL runtime; otherwise the error names the setting."""
    source = ASTSource(add_kernel, dict(zip("abcn", SIGNATURE, strict=True)) | {"BLOCK": "constexpr"}, {(4,): 128})
    compiled = triton.compile(source, target=XPU, options={"num_warps": 4})
    source = IRSource(write(compiled, tmp_path, "spv"), SIGNATURE)
    assert triton.compile(source, target=XPU, options={"num_warps": 4}).asm["spv"] == compiled.asm["spv"]
    monkeypatch.delenv("TRITON_XE_CPU_RUNTIME", raising=False)
    with pytest.raises(errors.OptionError, match=r"needs the OpenCL runtime .*TRITON_XE_CPU_RUNTIME=opencl"):
        triton.compile(source, target=TARGET, options={"num_warps": 4})


def test_object_code_runs_on_the_cpu_device_only(tmp_path):
    path = tmp_path / "add_kernel.obj"
    path.write_bytes(b"\x7fELF")
    with pytest.raises(errors.OptionError, match="expected SPIR-V, found object code"):
        triton.compile(IRSource(path, SIGNATURE), target=XPU, options={"num_warps": 4})


def test_tritons_own_way_takes_ttir(compiled, tmp_path):
    run_and_check(triton.compile(write(compiled, tmp_path, "ttir"), target=TARGET, options={"num_warps": 4}))


def test_options_come_from_the_module(compiled, tmp_path):
    kernel = triton.compile(IRSource(write(compiled, tmp_path, "ttgir")), target=TARGET, options={"num_warps": 32})
    assert kernel.metadata.num_warps == 4


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("k.ttgir", "module { nonsense }", errors.CompileError, r"k.ttgir:1: error: custom op 'nonsense' is unknown"),
        ("k.ttir", "module {}", errors.CompileError, "expected one kernel in .*, found 0"),
        ("k.txt", "", errors.OptionError, "expected a file name that ends in"),
    ],
)
def test_bad_files_are_named(tmp_path, name, content, error, message):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(error, match=message):
        IRSource(path)
    with pytest.raises(errors.OptionError, match="cannot read"):
        IRSource(tmp_path / "missing.ttir")


@pytest.mark.parametrize("target", [TARGET, XPU], ids=["cpu", "xpu"])
def test_ttgir_that_has_no_lowering_is_an_error_with_its_line(tmp_path, target):
    """TTGIR by hand is checked like that of the compiler, before anything takes it for granted."""
    path = tmp_path / "k.ttgir"
    path.write_text(
        """#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32,
                   ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @k() {
  %x = arith.constant dense<0.0> : tensor<16xf32, #shared>
  tt.return
}
}
"""
    )
    with pytest.raises(errors.CompileError, match=r"ttgir:5: .*is a tensor without a layout of registers"):
        triton.compile(IRSource(path), target=target, options={"num_warps": 1})


@triton.jit
def copy_block(x, out, columns, stride):
    """Copy a block whose columns a launch decides on."""
    source = tl.make_block_ptr(x, (32, columns), (stride, 1), (0, 0), (32, 32), (1, 0))
    rows, block = tl.arange(0, 32)[:, None], tl.arange(0, 32)[None, :]
    loaded = tl.load(source, boundary_check=(0, 1))
    product = tl.dot(loaded, loaded)
    tl.store(out + rows * 32 + block, product)


def test_ttgir_cannot_be_made_for_tensors_that_messages_do_not_address(tmp_path):
    """Messages are chosen in TTGIR: a launch that they do not suit is an error, and does not run them."""
    x = torch.ones(32, 65, dtype=torch.float16)[:, :32]
    padded = torch.ones(32, 64, dtype=torch.float16)
    out = torch.empty(32, 32)
    kernel = copy_block[(1,)](padded, out, 32, 64, num_warps=4)
    path = tmp_path / "copy_block.ttgir"
    path.write_text(kernel.asm["ttgir"])
    assert any(surface == 0 for surface, _ in kernel.metadata.launch_conditions)
    with pytest.raises(errors.CompileError, match=r"address tensors of this launch .*\(surfaces 0\)"):
        triton.compile(IRSource(path), target=TARGET, options={"num_warps": 4, "ordinary_surfaces": (0,)})
    # From its source, the kernel gets ordinary accesses for such a launch.
    copy_block[(1,)](x, out, 32, 65, num_warps=4)
    assert torch.equal(out, torch.full((32, 32), 32.0))


@triton.jit
def copy_tile(source, target):
    target.store([0, 0], source.load([0, 0]))


@pytest.mark.parametrize("stage", ["ttir", "ttgir"])
def test_descriptors_that_pad_with_nan(tmp_path, stage):
    """Another version of the kernel is for such launches. TTGIR of the compiler has no descriptors to make it from."""
    source, target = torch.ones(8, 16), poisoned((16, 16), torch.float32)
    descriptors = [TensorDescriptor.from_tensor(each, [16, 16]) for each in (source, target)]
    compiled = copy_tile.warmup(*descriptors, grid=(1,), num_warps=4)
    path = tmp_path / f"copy_tile.{stage}"
    path.write_text(str(compiled.asm[stage]))
    kernel = triton.compile(IRSource(path, ["tensordesc<fp32[16, 16]>"] * 2), target=TARGET, options={"num_warps": 4})
    kernel[(1, 1, 1)](*descriptors)
    assert target.sum() == 128
    descriptors[0].padding = "nan"
    if stage == "ttgir":
        with pytest.raises(errors.ArgumentError, match="source of the kernel no longer has descriptors"):
            kernel[(1, 1, 1)](*descriptors)
    else:
        kernel[(1, 1, 1)](*descriptors)
        assert target[8:].isnan().all()


def test_a_truncated_binary_is_refused(compiled, tmp_path, binary):
    """The name of the kernel is read from it."""
    path = tmp_path / f"add_kernel.{binary}"
    path.write_bytes(compiled.asm[binary][:-8])
    message = {"spv": "damaged SPIR-V binary", "obj": "damaged kernel binary"}[binary]
    with pytest.raises(errors.BinaryError, match=message):
        run_and_check(triton.compile(IRSource(path, SIGNATURE), target=TARGET, options={"num_warps": 4}))


#: A kernel of another compiler: counts of 64 bits, and blocks marked for messages.
MARKED_BLOCKS = """
#b = {layout}
module attributes {{ttig.support_2d_block_io, ttig.min_sg_size = 16 : i32, "ttg.num-ctas" = 1, "ttg.num-warps" = 4,
    "ttg.threads-per-warp" = {lanes} : i32}} {{
  tt.func public @k(%p: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %q: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}) {{
    %c0 = arith.constant 0 : i32
    %c48 = arith.constant 48 : i64
    %c64 = arith.constant 64 : i64
    %c1 = arith.constant 1 : i64
    %from = tt.make_tensor_ptr %p, [%c48, %c64], [%c64, %c1], [%c0, %c0] {{order = array<i32: 1, 0>}}
        : <tensor<64x64xf16, #b>>
    %to = tt.make_tensor_ptr %q, [%c48, %c64], [%c64, %c1], [%c0, %c0] {{order = array<i32: 1, 0>}}
        : <tensor<64x64xf16, #b>>
    %v = tt.load %from {{boundaryCheck = array<i32: 0, 1>, ttig.block_io = "row_major"}}
        : !tt.ptr<tensor<64x64xf16, #b>>
    tt.store %to, %v {{boundaryCheck = array<i32: 0, 1>, ttig.block_io = "row_major"}}
        : !tt.ptr<tensor<64x64xf16, #b>>
    tt.return
  }}
}}
"""


BLOCKED = "#ttg.blocked<{{sizePerThread = [1, 1], threadsPerWarp = [1, {}], warpsPerCTA = [4, 1], order = [1, 0]}}>"
DPAS = (
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, "
    "warpsPerCTA = [2, 2], repCluster = [1, 1]}>"
)


@pytest.mark.parametrize("lanes, layout", [(16, DPAS), (16, BLOCKED.format(16)), (32, BLOCKED.format(32))])
def test_marked_blocks_without_messages(tmp_path, lanes, layout):
    """If a layout is none of DPAS, elements are accessed by pointers."""
    path = tmp_path / "k.ttgir"
    path.write_text(MARKED_BLOCKS.format(lanes=lanes, layout=layout))
    kernel = triton.compile(IRSource(str(path)), target=GPUTarget("cpu", "pvc", lanes))
    x = random_tensor((64, 64), torch.float16, seed=1)
    y = poisoned((64, 64), torch.float16)
    before = y.clone()
    kernel[(1, 1, 1)](x, y)
    assert torch.equal(y[:48], x[:48])
    # Beyond the surface nothing is written.
    assert torch.equal(y[48:].view(torch.int16), before[48:].view(torch.int16))
    assert ("Subgroup2DBlock" in kernel.asm["llir"]) == (layout == DPAS)


def test_marked_blocks_of_a_tensor_that_messages_do_not_address(tmp_path):
    """The mark states nothing of the rules for surfaces: the launch checks what is not proved, or has a variant."""
    path = tmp_path / "k.ttgir"
    path.write_text(MARKED_BLOCKS.format(lanes=16, layout=DPAS))
    kernel = triton.compile(IRSource(str(path)), target=GPUTarget("cpu", "pvc", 16))
    assert {0, 1} <= {surface for surface, _ in kernel.metadata.launch_conditions}
    # Rows have no room for the bytes by which the address is not a multiple of 64.
    x = random_tensor((64 * 64 + 8,), torch.float16, seed=1)[8:].view(64, 64)
    y = poisoned((64, 64), torch.float16)
    kernel[(1, 1, 1)](x, y)
    assert torch.equal(y[:48], x[:48])
