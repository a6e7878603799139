; RUN: not triton-xe-translate --llvmir-to-object %s -o /dev/null 2>&1 | FileCheck %s

; The selector of instructions calls a function for what the processor lacks,
; which are not visible in LLVM IR. One that the device lacks is an error with
; the kernel's line.
; CHECK: error: x86 back end: kernel.py:7:3: no instruction of the processor does what a kernel computes here, and the CPU device lacks the function `__divti3`

target triple = "spirv64-unknown-unknown"
define spir_kernel void @kernel(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 !dbg !5 {
  %x = load i128, ptr addrspace(1) %p
  %q = sdiv i128 %x, 12345, !dbg !8
  store i128 %q, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !4, emissionKind: LineTablesOnly)
!4 = !DIFile(filename: "kernel.py", directory: "/tmp")
!5 = distinct !DISubprogram(name: "kernel", file: !4, line: 1, type: !6, unit: !3)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 7, column: 3, scope: !5)
