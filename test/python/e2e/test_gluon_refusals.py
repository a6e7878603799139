# SPDX-License-Identifier: MIT
"""Kernels in Gluon that cannot be: the error names the line, and nothing ends the process."""

from __future__ import annotations

import pytest
import torch
from generated import load_source
from triton.compiler.errors import CompilationError
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import ampere, hopper

from triton_xe import errors

#: The modules that functions for other chips are in, under the names that the statements below use.
PREAMBLE = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language import amd
from triton.experimental.gluon.language.nvidia import ampere, blackwell, hopper
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
from triton.experimental.gluon.language.amd import cdna3, cdna4, rdna3


@gluon.jit
def store(x):
    gl.store(x, 1.0)


@gluon.jit
def kernel(x):
    LINE: gl.constexpr = gl.BlockedLayout([4], [16], [4], [0])
    TILE: gl.constexpr = gl.BlockedLayout([1, 4], [4, 4], [2, 2], [1, 0])
    PLAIN: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    place = gl.arange(0, 256, layout=LINE)
    line = gl.allocate_shared_memory(gl.float32, [256], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    tile = gl.allocate_shared_memory(gl.float32, [32, 32], PLAIN)
    full = gl.full([32, 32], 1.0, gl.float32, TILE)
    tile.store(full)
"""

_BARRIER = "gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())"

#: Triton 3.9 has other names.
_CLUSTER = "arrive" if hasattr(hopper.cluster, "arrive") else "barrier"
_COPY = "async_load" if hasattr(ampere.async_copy, "async_load") else "async_copy_global_to_shared"

#: Statements, with a part of the message.
FOREIGN = {
    "gl.warp_specialize([(store, (x,)), (store, (x,))], [4])": "all warps of a program run the same code",
    f"mbarrier.init({_BARRIER}, 1)": "there is no `mbarrier_init` on this target: `gl.barrier",
    f"mbarrier.wait({_BARRIER}, 0)": "`gl.barrier",
    f"mbarrier.expect({_BARRIER}, 4)": "`gl.barrier",
    f"mbarrier.arrive({_BARRIER})": "`gl.barrier",
    f"mbarrier.invalidate({_BARRIER})": "`gl.barrier",
    f"blackwell.tcgen05_commit({_BARRIER})": "`gl.dot_fma`",
    "hopper.fence_async_shared()": "`gl.barrier",
    f"hopper.cluster.{_CLUSTER}()": "`gl.barrier",
    "ampere.async_copy.commit_group()": "`gl.barrier",
    "ampere.async_copy.wait_group(0)": "`gl.barrier",
    f"ampere.async_copy.{_COPY}(line, x + place)": "`gl.load`",
    "tma.store_wait(0)": "`gl.load`",
    "tma.make_tensor_descriptor(x, [32, 32], [32, 1], [16, 16], gl.NVMMASharedLayout(64, 32))": "`gl.Swizzled",
    "gl.allocate_shared_memory(gl.float32, [32, 32], gl.NVMMASharedLayout(128, 32))": "`gl.PaddedSharedLayout`",
    "gl.full([32, 32], 1.0, gl.float32, gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8]))": "`gl.dot_fma`",
    "blackwell.allocate_tensor_memory(gl.float32, [128, 128], blackwell.TensorMemoryLayout([128, 128], 1))":
        "`gl.allocate_shared_memory`",
    "gl.full([32, 32], 1.0, gl.float32, amd.AMDMFMALayout(3, [16, 16, 16], True, [2, 2]))": "`gl.dot_fma`",
    "gl.full([32, 32], 1.0, gl.float32, amd.AMDWMMALayout(1, True, [[0, 1], [1, 0]]))": "`gl.dot_fma`",
    "cdna3.buffer_load(x, place)": "`gl.load`",
    "cdna3.buffer_store(place.to(gl.float32), x, place)": "`gl.load`",
    "cdna4.async_copy.buffer_load_to_shared(line, x, place)": "`gl.load`",
    "cdna4.async_copy.commit_group()": "`gl.barrier",
}  # fmt: skip

#: Functions of later versions.
if hasattr(gl, "inline_asm"):
    FOREIGN['gl.inline_asm("nop", "", [], ())'] = "Triton's operators and functions compute"
if hasattr(gl, "fpsan"):
    FOREIGN["gl.fpsan.embed(full)"] = "there is no `experimental_fpsan_embed`"

IMPOSSIBLE = {
    "tile.permute([0, 0])": "expected a permutation of the dimensions of the memory, found [0, 0]",
    "gl.full([256], 1.0, gl.float32, gl.BlockedLayout([4], [32], [4], [0]))": "`warp_size=32`",
    "gl.full([256], 1.0, gl.float32, gl.BlockedLayout([4], [16], [8], [0]))": "for 8 warps, and the kernel has 4",
    "gl.full([64], 1.0, gl.float32, gl.DistributedLinearLayout([], [[1], [2], [4], [8]], [[16], [16]], [], [64]))":
        "has 32 of the 64 elements of the shape [64]",
    "gl.full([64], 1.0, gl.float32, gl.DistributedLinearLayout([], [[1], [2], [4], [8]], [[16], [64]], [], [64]))":
        "has a basis outside of the shape [64]: [64]",
    "gl.full([64], 1.0, gl.float32, gl.DistributedLinearLayout([], [[1], [2], [4], [8], [16]], [[32], [0]], [], [64]))":
        "for warps of 32 lanes, and those of the kernel have 16",
}  # fmt: skip


def failure(statement: str) -> str:
    """Return the message about a kernel with this statement, which names its line."""
    kernel = load_source(f"{PREAMBLE}    {statement}\n", {}).kernel
    with pytest.raises(CompilationError) as caught:
        kernel[(1,)](torch.zeros(1024))
    message = str(caught.value)
    assert statement in message
    return message


@pytest.mark.parametrize(("statement", "reason"), FOREIGN.items(), ids=range(len(FOREIGN)))
@pytest.mark.conformance
def test_operations_of_other_chips(statement, reason):
    message = failure(statement)
    assert "on this target" in message
    assert reason in message


@pytest.mark.parametrize(("statement", "reason"), IMPOSSIBLE.items(), ids=range(len(IMPOSSIBLE)))
@pytest.mark.conformance
def test_impossible_layouts(statement, reason):
    assert reason in failure(statement)


def line_of(kernel: gluon.jit, text: str) -> str:
    (number,) = [index for index, line in enumerate(kernel.raw_src) if text in line]
    return f"{__file__}:{kernel.starting_line_number + number}"


@gluon.jit
def assembles(x):
    place = gl.arange(0, 256, layout=gl.BlockedLayout([4], [16], [4], [0]))
    value = gl.inline_asm_elementwise("mov.u32 $0, %clock;", "=r,r", [place], dtype=gl.int32, is_pure=True, pack=1)
    gl.store(x + place, value)


@gluon.jit
def swizzles(x):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 4], [2, 2], [1, 0])
    memory = gl.allocate_shared_memory(gl.float32, [32, 32], gl.SwizzledSharedLayout(3, 1, 1, [1, 0]))
    memory.store(gl.full([32, 32], 1.0, gl.float32, layout))


@pytest.mark.parametrize(
    ("kernel", "text", "reason"),
    [
        (assembles, "inline_asm", "`mov.u32`: `%clock` is a register of the hardware"),
        (swizzles, "SwizzledSharedLayout(3", "expected 'vec' to be a power of two, found 3"),
    ],
    ids=["assembly", "swizzling"],
)
def test_errors_of_the_compiler(kernel, text, reason):
    with pytest.raises(errors.CompileError) as caught:
        kernel[(1,)](torch.zeros(1024, dtype=torch.int32))
    assert str(caught.value).startswith(f"{line_of(kernel, text)}: error: ")
    assert reason in str(caught.value)


@gluon.jit
def allocates(x):
    memory = gl.allocate_shared_memory(gl.float32, [256, 1024], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    memory.store(gl.full([256, 1024], 1.0, gl.float32, gl.BlockedLayout([1, 4], [4, 4], [2, 2], [1, 0])))


def test_too_much_shared_memory():
    with pytest.raises(errors.OutOfResources) as caught:
        allocates[(1,)](torch.zeros(16))
    assert f"1048576 bytes for `ttg.local_alloc` at {line_of(allocates, 'allocate_shared_memory')}" in str(caught.value)


@gluon.jit
def contradicts(x):
    place = gl.arange(0, 256)
    one = gl.set_auto_layout(place, gl.BlockedLayout([4], [16], [4], [0]))
    other = gl.set_auto_layout(place + 1, gl.BlockedLayout([1], [16], [4], [0]))
    gl.store(x + one, gl.convert_layout(other, gl.BlockedLayout([4], [16], [4], [0])))


@gluon.jit
def leaves_open(x):
    place = gl.arange(0, 256)
    gl.store(x + place, place)


@pytest.mark.parametrize("kernel", [contradicts, leaves_open], ids=["contradiction", "none"])
def test_layouts_that_cannot_be_found(kernel, capfd):
    with pytest.raises(errors.CompileError, match="cannot find a layout for each tensor"):
        kernel[(1,)](torch.zeros(256, dtype=torch.int32))
    assert line_of(kernel, "gl.arange(0, 256)") in capfd.readouterr().err


def test_clusters():
    with pytest.raises(errors.OptionError, match="no work-group clusters"):
        allocates[(1,)](torch.zeros(16), num_ctas=2)
