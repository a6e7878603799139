; RUN: split-file %s %t
; RUN: not triton-xe-translate --llvmir-optimize %t/syntax.ll 2>&1 | FileCheck %s --check-prefix=SYNTAX
; RUN: not triton-xe-translate --llvmir-optimize %t/verifier.ll 2>&1 | FileCheck %s --check-prefix=VERIFIER
; RUN: not triton-xe-translate --llvmir-optimize %t/wide-integer.ll 2>&1 | FileCheck %s --check-prefix=WIDE
; RUN: not triton-xe-translate --llvmir-optimize %t/wide-call.ll 2>&1 | FileCheck %s --check-prefix=CALL
; RUN: not triton-xe-translate --llvmir-to-spirv %t/bfloat.ll 2>&1 | FileCheck %s --check-prefix=BFLOAT
; RUN: not triton-xe-translate --llvmir-to-spirv --library=emulation %t/sub-group-32.ll 2>&1 | FileCheck %s --check-prefix=LANES
; RUN: not triton-xe-translate --llvmir-to-spirv --library=emulation %t/sub-group-16.ll 2>&1 | FileCheck %s --check-prefix=HALF
; RUN: not triton-xe-translate --llvmir-to-spirv --library=emulation %t/no-such-tile.ll 2>&1 | FileCheck %s --check-prefix=TILE
; RUN: not triton-xe-translate --llvmir-to-spirv --library=emulation --library-dir=%t %t/no-such-tile.ll 2>&1 | FileCheck %s --check-prefix=LIBRARY
; RUN: not triton-xe-translate --llvmir-to-spirv --library=emulation %t/pointer.ll 2>&1 | FileCheck %s --check-prefix=POINTER

; SYNTAX: error: kernel:1:1: error: expected top-level entity
;--- syntax.ll
nonsense

; VERIFIER: error: Instruction does not dominate all uses
;--- verifier.ll
define i32 @f(i32 %x) {
  %a = add i32 %b, 1
  %b = add i32 %x, 1
  ret i32 %a
}

; The message has the place in the source.
; WIDE: error: LLVM optimizer: kernel.py:12:5: in function f {{.*}} 'add' on an integer of 128 bits has no SPIR-V form
;--- wide-integer.ll
define i128 @f(i128 %x) !dbg !4 {
  %a = add i128 %x, 1, !dbg !7
  ret i128 %a, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.py", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 10, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocation(line: 12, column: 5, scope: !4)

; CALL: error: LLVM optimizer: {{.*}}no SPIR-V vector holds a value of 'call'
;--- wide-call.ll
declare <32 x float> @g()
define void @f(ptr %p) {
  %x = call <32 x float> @g()
  store <32 x float> %x, ptr %p
  ret void
}

; A fatal error of the backend is an error like any other.
; BFLOAT: error: SPIR-V backend: OpTypeFloat type with bfloat requires the following SPIR-V extension: SPV_KHR_bfloat16
;--- bfloat.ll
define spir_kernel void @f(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load bfloat, ptr addrspace(1) %p
  %y = fpext bfloat %x to float
  store float %y, ptr addrspace(1) %q
  ret void
}

; LANES: error: kernel 'f' has sub-groups of 32 but calls '_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt', which needs 16
;--- sub-group-32.ll
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
define spir_kernel void @f(ptr addrspace(1) %p, ptr %x, i32 %n) !intel_reqd_sub_group_size !0 {
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %p, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer, ptr %x)
  ret void
}
!0 = !{i32 32}

; HALF: error: kernel 'f' has sub-groups of 16 but calls '_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_iS_S_', which needs 8
;--- sub-group-16.ll
declare spir_func <8 x i32> @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_iS_S_(<8 x i32>, <8 x i32>, <8 x i32>)
define spir_kernel void @f(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %v = load <8 x i32>, ptr addrspace(1) %p
  %d = call spir_func <8 x i32> @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_iS_S_(<8 x i32> %v, <8 x i32> %v, <8 x i32> %v)
  store <8 x i32> %d, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 16}

; TILE: error: the device library has no '_Z41intel_sub_group_2d_block_read_16b_7r16x1cPU3AS1viiiDv2_iPt'
; LIBRARY: error: {{.*}}emulation.bc: No such file or directory
;--- no-such-tile.ll
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
define spir_kernel void @f(ptr addrspace(1) %p, ptr %x, i32 %n) {
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 7, i32 1, ptr addrspace(1) %p, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer, ptr %x)
  ret void
}

; A caller by its address would not pass the report on.
; POINTER: error: function 'f' has 2D block messages, and is not only called
;--- pointer.ll
declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>)
define spir_func void @f(ptr addrspace(1) %p, i32 %n) {
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %p, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer)
  ret void
}
define spir_kernel void @g(ptr addrspace(1) %p) {
  store ptr @f, ptr addrspace(1) %p
  ret void
}
