# SPDX-License-Identifier: MIT
"""2D block messages that no hardware takes: launches fail on both runtimes of the CPU device, with the same text.

Kernels in LLVM IR take the operands of a message as arguments, so that each rule is broken on its own; kernels in
Python have their launch conditions taken away, which otherwise keep launches from breaking a rule.
"""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from numeric.block_builtins import LANES, Builtin, block_kernel
from numerics import poisoned
from support import Runtime

from triton_xe import errors
from triton_xe.ir_source import IRSource

#: Operands that satisfy every rule: bytes, rows, elements.
GOOD = {"base": 0, "width": 208, "height": 37, "pitch": 256, "x": 0, "y": 0}
MOST = 2**24
SIGNATURE = ["*i8", "*i8", "i32", "i32", "i32", "i32", "i32"]

READ = Builtin("read", 16, 8, 16, 1)
WRITE = Builtin("write", 16, 8, 16, 1)


@pytest.fixture(params=["native", "opencl"])
def runtime(request) -> Runtime:
    return Runtime(request.param)


class Blocks:
    """A kernel in LLVM IR, memory for a surface with room around it, and values."""

    def __init__(self, runtime: Runtime, llvm_ir: str, arch: str = "pvc") -> None:
        self.runtime, self.kernel = runtime, runtime.load(llvm_ir, "blocks", arch)
        storage = np.random.default_rng(1).integers(1, 256, 3 * 64 * 256 + 64, dtype=np.uint8)
        start = -storage.ctypes.data % 64 + 64 * 256
        self.surface = storage[start : start + 64 * 256]
        self.values = np.full(4096, 0xA5, np.uint8)

    def launch(self, grid: tuple[int, int] = (1, 1), num_warps: int = 1, **changes: int) -> None:
        """Launches with good operands except for some."""
        operands = GOOD | changes
        names = [f"arg{index}" for index in range(len(SIGNATURE))]
        launcher = self.runtime.module.make_launcher(SIGNATURE, names, "cpu", num_warps * LANES, True)
        pointers = [self.surface.ctypes.data + operands.pop("base"), self.values.ctypes.data]
        launcher(
            *grid, 1, 0, self.kernel, None, SimpleNamespace(name="blocks"), None, None, *pointers, *operands.values()
        )

    def expect(self, rule: str, **changes: int) -> None:
        """A launch with these operands breaks the rule, and the message states which operands there were."""
        operands = GOOD | changes
        with pytest.raises(errors.MemoryAccessError) as caught:
            self.launch(**changes)
        assert str(caught.value) == (
            f"unknown line: a 2D block message that no hardware takes: {rule}\n"
            f"  the surface has base {self.surface.ctypes.data + operands['base']:#x}, "
            f"width {operands['width']} bytes, height {operands['height']}, pitch {operands['pitch']} bytes; "
            f"the block is at column {operands['x']}, row {operands['y']}\n"
            "  in sub-group 0 of program (0, 0, 0) of kernel `blocks`"
        )


def test_every_rule(runtime):
    """Just beyond each limit the launch fails, at the limit it does not; a launch that fails has no further effect."""
    blocks = Blocks(runtime, block_kernel([READ]))
    for base in (1, 32, 63):
        blocks.expect("the base must be a multiple of 64 bytes", base=base)
    blocks.expect("the width must be at least 64, found 60", width=60)
    blocks.expect("the width must be at least 64, found -64", width=-64)
    blocks.expect("the width must be a multiple of 4, found 206", width=206)
    blocks.expect(f"the width must be at most {MOST}, found {MOST + 4}", width=MOST + 4)
    blocks.expect("the pitch must be at least 64, found 48", pitch=48)
    blocks.expect("the pitch must be a multiple of 16, found 264", pitch=264)
    blocks.expect(f"the pitch must be at most {MOST}, found {MOST + 16}", pitch=MOST + 16)
    blocks.expect("the pitch must not be below the width", pitch=192)
    blocks.expect("the height must be at least 1, found 0", height=0, y=3)
    blocks.expect("the height must be at least 1, found -1", height=-1)
    blocks.expect(f"the height must be at most {MOST}, found {MOST + 1}", height=MOST + 1)
    blocks.expect("the column must be a multiple of 4 bytes, found 2", x=1)
    blocks.expect("the column must be a multiple of 4 bytes, found -2", x=-1, y=-7)

    blocks.launch(width=64, pitch=64, height=1)
    blocks.launch(width=MOST, pitch=MOST, height=MOST, x=MOST // 2)
    blocks.launch(base=64, x=-2, y=-5)


def test_every_kind_of_message(runtime):
    """The size of an element decides which columns are legal; prefetches have to satisfy the rules, too."""
    for builtin, column in [
        (Builtin("read", 8, 8, 16, 1), 2),
        (Builtin("read_transform", 16, 16, 16, 1), 1),
        (WRITE, 3),
        (Builtin("prefetch", 8, 8, 32, 1), 1),
    ]:
        blocks = Blocks(runtime, block_kernel([builtin]))
        blocks.launch()
        found = column * builtin.bits // 8
        blocks.expect(f"the column must be a multiple of 4 bytes, found {found}", x=column)
        blocks.expect("the width must be at least 64, found 32", width=32)
    # Elements of 4 bytes have no other columns.
    blocks = Blocks(runtime, block_kernel([Builtin("read_transpose", 32, 16, 8, 1)]))
    blocks.launch(x=1)
    blocks.expect("the pitch must be at least 64, found 16", pitch=16, x=1)


def test_without_an_architecture(runtime):
    """Rules are those of a chip: without one there are none."""
    Blocks(runtime, block_kernel([READ]), arch="").launch(width=32)


def test_a_message_that_fails_has_no_effect(runtime):
    """A store leaves memory alone, also memory that its operands lead far away from the surface."""
    blocks = Blocks(runtime, block_kernel([WRITE]))
    before = blocks.surface.copy()
    for changes in ({"width": 206}, {"base": 2}, {"x": 1}, {"pitch": MOST + 16, "y": 8}, {"pitch": -MOST, "y": 9}):
        with pytest.raises(errors.MemoryAccessError):
            blocks.launch(**changes)
        assert np.array_equal(blocks.surface, before)
    blocks.launch()
    assert not np.array_equal(blocks.surface, before)


#: Program 2 alone comes to the message, which a function sends that is not inlined, in a loop; all meet at a barrier.
CALLS = f"""
target triple = "spirv64-unknown-unknown"
{READ.declaration}
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent

define internal spir_func i16 @read(
    ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %at) noinline {{
  %tile = alloca [8 x i16], align 16
  {READ.call("ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %at", "ptr %tile")}
  %value = load i16, ptr %tile
  ret i16 %value
}}

define spir_kernel void @blocks(
    ptr addrspace(1) %base, ptr addrspace(1) %out, i32 %width, i32 %height, i32 %pitch, i32 %x, i32 %y)
    !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {{
entry:
  %program = call spir_func i64 @_Z12get_group_idj(i32 0)
  %is.second = icmp eq i64 %program, 2
  br i1 %is.second, label %loop, label %exit
loop:
  %row = phi i32 [ %y, %entry ], [ %next, %loop ]
  %sum = phi i16 [ 0, %entry ], [ %more, %loop ]
  %column = insertelement <2 x i32> poison, i32 %x, i64 0
  %at = insertelement <2 x i32> %column, i32 %row, i64 1
  %value = call spir_func i16 @read(ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %at)
  %more = add i16 %sum, %value
  %next = add i32 %row, 8
  %ends = icmp sge i32 %next, 32
  br i1 %ends, label %store, label %loop
store:
  store i16 %more, ptr addrspace(1) %out
  br label %exit
exit:
  call spir_func void @_Z7barrierj(i32 1) convergent
  ret void
}}

!0 = !{{i32 16}}
!1 = !{{i32 32, i32 1, i32 1}}
"""


def test_programs_and_calls(runtime):
    """The report names the program, whichever function sends the message; the others do not wait for it forever."""
    blocks = Blocks(runtime, CALLS)
    blocks.launch(grid=(4, 2), num_warps=2)
    blocks.launch(grid=(2, 2), num_warps=2, width=30)
    with pytest.raises(
        errors.MemoryAccessError, match=r"in sub-group [01] of program \(2, [01], 0\) of kernel `blocks`"
    ):
        blocks.launch(grid=(4, 2), num_warps=2, width=30)
    blocks.launch(grid=(4, 2), num_warps=2)


# Kernels in Python


@triton.jit
def copy_block(x, out, M, N, stride, BLOCK: tl.constexpr):
    tl.device_assert(N < 1000, "too many columns")
    source = tl.make_block_ptr(x, (M, N), (stride, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    target = tl.make_block_ptr(out, (M, N), (stride, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    value = tl.load(source, boundary_check=(0, 1))
    tl.store(target, tl.dot(value, value).to(tl.float16), boundary_check=(0, 1))


@pytest.mark.opencl
@pytest.mark.parametrize("debug", [False, True])
def test_lines_of_messages(tmp_path, debug):
    """Launches are kept from breaking a rule; without their conditions, the code does. Assertions go before.

    Intel's OpenCL runtime takes long to compile larger blocks.
    """
    x, out = torch.ones(32 * 32, dtype=torch.float16), poisoned((32, 32), torch.float16)
    options = {"num_warps": 1, "debug": debug}
    compiled = copy_block.warmup(x, out, 32, 16, 32, 16, grid=(1,), **options)
    path = tmp_path / "copy_block.ttgir"
    path.write_text(re.sub(r"ttig.launch_condition .*", "", compiled.asm["ttgir"]))
    kernel = triton.compile(IRSource(str(path)), options=options)
    kernel[(1, 1, 1)](x, out, 32, 32, 32)
    assert torch.equal(out[:16, :16], torch.full((16, 16), 16, dtype=torch.float16))

    with pytest.raises(errors.MemoryAccessError) as caught:
        kernel[(1, 1, 1)](x, out, 32, 16, 32)
    line = copy_block.starting_line_number + 5
    rule = "a 2D block message that no hardware takes: the width must be at least 64, found 32"
    assert str(caught.value).startswith(f"{__file__}:{line}: {rule}\n  the surface has base {x.data_ptr():#x}, ")
    assert str(caught.value).endswith("in sub-group 0 of program (0, 0, 0) of kernel `copy_block`")
    if debug:
        with pytest.raises(errors.DeviceAssertionError, match="too many columns"):
            kernel[(1, 1, 1)](x, out, 32, 1002, 32)
