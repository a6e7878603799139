# SPDX-License-Identifier: MIT
"""Kernels whose programs have private global memory, which launches bring along, also next to that of records."""

from __future__ import annotations

import pytest
import torch
import triton
from numerics import poisoned
from triton.backends.compiler import GPUTarget

from triton_xe import errors
from triton_xe.ir_source import IRSource
from triton_xe.tools.ahead_of_time import compilation
from triton_xe.tools.profiler import events

TARGET = GPUTarget("cpu", "pvc", 16)
#: Elements of a block.
B = 128

#: Every program puts its block into its scratch memory, and takes it from there the other way round.
KERNEL = """
#blocked = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}}>
module attributes {{"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, "ttg.num-ctas" = 1 : i32}} {{
  tt.func public @reverse(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) attributes {{noinline = false}} {{
    {begin}
    %unused = ttg.global_scratch_alloc {{alignment = 4 : i32, nbytes = 4 : i32}} : !tt.ptr<f32>
    %scratch = ttg.global_scratch_alloc {{alignment = 128 : i32, nbytes = 512 : i32}} : !tt.ptr<f32>
    %program = tt.get_program_id x : i32
    %size = arith.constant {size} : i32
    %start = arith.muli %program, %size : i32
    %range = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32, #blocked>
    %starts = tt.splat %start : i32 -> tensor<{size}xi32, #blocked>
    %indices = arith.addi %starts, %range : tensor<{size}xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<{size}x!tt.ptr<f32>, #blocked>
    %sources = tt.addptr %xs, %indices : tensor<{size}x!tt.ptr<f32>, #blocked>, tensor<{size}xi32, #blocked>
    %values = tt.load %sources : tensor<{size}x!tt.ptr<f32>, #blocked>
    %ss = tt.splat %scratch : !tt.ptr<f32> -> tensor<{size}x!tt.ptr<f32>, #blocked>
    %places = tt.addptr %ss, %range : tensor<{size}x!tt.ptr<f32>, #blocked>, tensor<{size}xi32, #blocked>
    tt.store %places, %values : tensor<{size}x!tt.ptr<f32>, #blocked>
    ttg.barrier all
    %last = arith.constant dense<{last}> : tensor<{size}xi32, #blocked>
    %back = arith.subi %last, %range : tensor<{size}xi32, #blocked>
    %others = tt.addptr %ss, %back : tensor<{size}x!tt.ptr<f32>, #blocked>, tensor<{size}xi32, #blocked>
    %reversed = tt.load %others : tensor<{size}x!tt.ptr<f32>, #blocked>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<{size}x!tt.ptr<f32>, #blocked>
    %targets = tt.addptr %ys, %indices : tensor<{size}x!tt.ptr<f32>, #blocked>, tensor<{size}xi32, #blocked>
    tt.store %targets, %reversed : tensor<{size}x!tt.ptr<f32>, #blocked>
    {end}
    tt.return
  }}
}}
"""


def compile_kernel(folder, begin: str = "", end: str = ""):
    path = folder / "reverse.ttgir"
    path.write_text(KERNEL.format(begin=begin, end=end, size=B, last=B - 1))
    return triton.compile(IRSource(path), target=TARGET)


def run_and_check(kernel, programs: int = 37) -> None:
    x = torch.randn(programs, B)
    y = poisoned((programs, B), torch.float32)
    kernel[(programs, 1, 1)](x, y)
    assert torch.equal(y, x.flip(1))


def test_programs_have_memory_of_their_own(tmp_path):
    kernel = compile_kernel(tmp_path)
    # 4 bytes, 512 from the next multiple of 128 on.
    assert (kernel.metadata.global_scratch_size, kernel.metadata.global_scratch_align) == (640, 128)
    run_and_check(kernel)


def test_next_to_a_profile(tmp_path):
    """The memory of records is another argument."""
    kernel = compile_kernel(tmp_path, 'proton.record start "all"', 'proton.record end "all"')
    seen = []

    class Listener:
        def launched(self, launch: events.Launch) -> None:
            seen.append(launch)

    listener = Listener()
    events.listen(listener)
    try:
        run_and_check(kernel, programs=5)
    finally:
        events.ignore(listener)
    programs = seen[0].programs()
    assert [len(program.intervals) for program in programs] == [4] * 5


def test_memory_of_the_users_allocator(tmp_path):
    """`triton.set_allocator` determines where the memory comes from, as for Triton's other back ends."""
    kernel = compile_kernel(tmp_path)
    requested = []

    def allocate(size: int, alignment: int, stream: int | None):
        requested.append((size, alignment))
        memory = torch.full((size + alignment,), 0xFF, dtype=torch.uint8)
        return memory[-memory.data_ptr() % alignment :]

    from triton.runtime import _allocation

    default = _allocation._allocator.get()
    triton.set_allocator(allocate)
    try:
        run_and_check(kernel, programs=3)
    finally:
        triton.set_allocator(default)
    assert requested == [(3 * 640, 128)]


def test_kernels_for_other_programs_cannot_have_any(tmp_path):
    with pytest.raises(errors.CompileError, match="`reverse` wants global scratch memory"):
        compilation.describe_version(compile_kernel(tmp_path))
