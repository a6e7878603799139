# SPDX-License-Identifier: MIT
"""Parts of reports on text that was written by hand: disassembly, lines, loops, estimates, IR."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from triton_xe import errors, native_lines
from triton_xe.tools.report import hardware, instructions, ir, loops, roofline, terminal

A, B, C = (errors.SourceLocation("kernel.py", number, 1) for number in (10, 20, 30))

CODE = """
L0:
/* [0000]  */ (W)     mov (1|M0)               r1.0<1>:ud  0x0:ud   {Compacted}
L8:
/* [0008]  */         send.ugm (16|M0)         r6       r5       null:0  0x0   0x0   {$5} // wr:1+0, rd:8; load_block2d.ugm.d16v.a64
/* [0018]  */         send.ugm (1|M0)          null     r3       null:0  0x0   0x0   {$6} // wr:1+0, rd:0; load_block2d.ugm.d16.a64.ca.ca
/* [0028]  */         dpas.8x8 (16|M0)         r120:f        r120:f            r6:bf             r47.0:bf         {Compacted}
/* [0030]  */         add (32|M0)              r8.0<1>:d     r2.0<1;1,0>:d     r6.0<1;1,0>:d
/* [0040]  */         send.slm (16|M0)         null     r16     r15:2   0x0   0x0   {$2} // wr:1+2, rd:0; store.slm.d32x1t.a32
/* [0050]  */ (W&f0.0) jmpi                                L8
/* [0060]  */         send.dc0 (16|M0)         null     r0      r28:4   0x0   0x0   {$2} // wr:1h+4, rd:0; hword scratch block write x8
/* [0070]  */         illegal
"""  # noqa: E501


def parse(rows, places):
    return instructions.parse(CODE, native_lines.LineTable(rows, places), register_bytes=64)


def test_disassembly():
    """Addresses, labels, bytes of messages; padding after the end is no instruction."""
    found = parse([(0, 0), (8, 1), (0x28, 2)], [(A,), (B, A)])
    assert [item.address for item in found] == [0, 8, 0x18, 0x28, 0x30, 0x40, 0x50, 0x60]
    assert [item.label for item in found[:3]] == ["L0", "L8", None]
    assert [item.places for item in found[:4]] == [(), (A,), (A,), (B, A)]
    assert found[1].message == instructions.Message("load_block2d.ugm.d16v.a64", "ugm", 512, 0)
    assert found[6].targets == ("L8",) and found[4].targets == ()
    figures = instructions.Figures.of(found)
    assert (figures.bytes_read, figures.bytes_written, figures.shared_bytes, figures.scratch_bytes) == (
        512,
        0,
        128,
        256,
    )
    assert (figures.counts.load_block2d, figures.counts.prefetches, figures.other_messages) == (1, 1, 0)


def test_no_line_table():
    """Without a table no instruction has a place."""
    assert all(item.places == () for item in parse([], []))


def test_loop_and_estimate():
    """It goes from the jump's target to the jump; 8 cycles for a DPAS of 8 rows, 2 for 32 lanes, 64 bytes a cycle."""
    (loop,) = loops.find(parse([], []), "pvc")
    assert (loop.begin, loop.end, loop.depth, loop.has_inner, loop.places) == (1, 6, 0, False, ())
    estimate = loop.estimate
    assert (estimate.dpas, estimate.issue, estimate.bytes) == (8, 7, (512 + 128) / 64)
    assert (estimate.bound, estimate.cycles) == ("bytes", 10)
    assert estimate.ratios == {"DPAS": 0.8, "issue": 0.7, "bytes": 1.0}
    # 3276.8e9 / 1.6e9 / (128 * 8) bytes a cycle, and shared memory is not of it.
    assert estimate.memory == 512 / 2
    assert estimate.reuse == 25.6


@pytest.mark.parametrize("arch, peak", [("pvc", 1678), ("bmg", 233), ("lnl", 67), ("ptl", 120)])
def test_hardware(arch: str, peak: int):
    """Figures have sources, and their product is the peak of int8 that Intel publishes, in TOPS."""
    figures = hardware.resolve(arch)
    assert all(figure.source for figure in figures.figures().values())
    rate = 2 * figures.matrix_operations.value * figures.cores.value * figures.clock.value
    assert rate / 1e12 == pytest.approx(peak, rel=0.03)


def test_hardware_without_figures():
    with pytest.raises(errors.OptionError, match="figures of pvc, bmg, lnl, ptl, not of `dg2`"):
        hardware.resolve("dg2")
    assert roofline.estimate([], "pvc").ratios == {"DPAS": 0.0, "issue": 0.0, "bytes": 0.0}


LLVM_IR = """
define spir_kernel void @kernel(ptr addrspace(1) %p) !dbg !2 {
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiii(i32 2, i32 16, i32 32, i32 2, ptr %p), !dbg !5
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiii(i32 2, i32 16, i32 8, i32 2, ptr %p), !dbg !4
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiii(i32 4, i32 16, i32 8, i32 1, ptr %p), !dbg !4
  %d = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a), !dbg !4
  store <4 x float> %d, ptr addrspace(3) %s, align 16, !dbg !4
  %x = load i16, ptr addrspace(3) %s, align 2
  ret void
}

!1 = !DIFile(filename: "kernel.py", directory: "/folder")
!2 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 3)
!3 = distinct !DISubprogram(name: "helper", scope: !6, file: !6, line: 3)
!4 = !DILocation(line: 7, column: 2, scope: !2)
!5 = !DILocation(line: 9, column: 4, scope: !3, inlinedAt: !4)
!6 = !DIFile(filename: "/other/helper.py", directory: "/folder")
"""


def test_llvm_ir():
    """Bytes come from the operands of messages and from types; places from the metadata, inlined ones first."""
    outer = (errors.SourceLocation("/folder/kernel.py", 7, 2),)
    inner = (errors.SourceLocation("/other/helper.py", 9, 4), *outer)
    assert list(ir.accesses(LLVM_IR, lanes=16)) == [
        ir.Access("load", 32 * 16 * 2 * 2, inner, "d16v"),
        ir.Access("prefetch", 8 * 16 * 2 * 2, outer, "d16"),
        ir.Access("store", 8 * 16 * 4, outer, "d32"),
        ir.Access("dpas", 0, outer),
        ir.Access("shared", 16 * 16, outer),
        ir.Access("shared", 16 * 2, ()),
    ]


TTGIR = """
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1], A = [8, 16]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#same = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#loc = loc("kernel.py":10:1)
#loc1 = loc("value"(#loc))
#loc2 = loc(callsite(#loc1 at #loc3))
#loc3 = loc("kernel.py":20:1)
    %1 = ttg.convert_layout %0 : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #mma> loc(#loc1)
    %2 = ttg.convert_layout %1 {a = 1 : i32} : tensor<64x32xf32, #mma> -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> loc(#loc2)
    %3 = ttg.convert_layout %1 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<64xi32, #other> loc(unknown)
    %4 = ttg.convert_layout %1 : tensor<64x32xf32, #mma> -> tensor<64x32xf32, #same> loc(unknown)
"""  # noqa: E501


def test_conversions():
    """Layouts in short, whether they are aliases or spelled out, and locations through names and calls.

    The last conversion is one between two descriptions of the same map.
    """
    first, second, third = ir.conversions(TTGIR)
    assert str(first) == "64x32xf32: blocked(1x4, lanes 4x4, warps 4x1) -> dpas(warps 2x2)"
    assert first.places == (A,) and second.places == (A, B) and third.places == ()
    assert str(second) == "64x32xf32: dpas(warps 2x2) -> dot_op(0 of dpas(warps 2x2))"
    assert str(third) == "64xi32: slice(0 of blocked(1x4, lanes 4x4, warps 4x1)) -> blocked(1, lanes 16, warps 4)"


def test_loop_statements(tmp_path):
    """The innermost loop around most of the code; loops that the frontend unrolls are none."""
    path = tmp_path / "kernel.py"
    path.write_text("for i in range(n):\n    a\n    for j in tl.static_range(4):\n        b\n    while c:\n        d\n")
    assert loops.loop_statement([]) == ()

    def at(*numbers: int):
        (one,) = parse([(0, 1)], [(A,)])[:1]
        places = [errors.SourceLocation(str(path), number, 3) for number in numbers]
        return [instructions.Instruction(0, one.text, None, (place,), None) for place in places]

    assert loops.loop_statement(at(4, 4, 4))[0].line == 1
    assert loops.loop_statement(at(2, 6, 6))[0].line == 1
    assert loops.loop_statement(at(5, 6, 6))[0].line == 5
    assert loops.loop_statement(at(6, 6, 99))[0].line == 5


def test_damaged_line_table():
    """Bytes that are no line table are an error, not a crash."""
    from triton_xe import _compiler

    for section in (b"\x01", b"\xff" * 40, b"\x10\0\0\0\4\0\xff\xff\xff\xff"):
        with pytest.raises(errors.CompileError):
            _compiler.read_line_table(section)


def test_columns_are_documented():
    """The page lists the columns of reports, all of them, in their order."""
    page = (Path(__file__).parents[3] / "docs" / "Report.md").read_text()
    table = page.partition("| column | what it counts |")[2].partition("\n\n")[0]
    listed = [name for line in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", line.split("|")[1])]
    assert listed == [name for name, _ in terminal.COLUMNS]


def test_figures_have_the_units_of_data_sheets():
    figures = hardware.HARDWARE["bmg"].figures()
    shown = [str(figures[name]) for name in ("clock", "memory_bandwidth", "cache_bytes", "cores")]
    assert shown == ["2.85 GHz, at most", "456 GB/s", "256 KB of an Xe core, L1 and SLM", "20 Xe cores"]
