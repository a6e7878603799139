; RUN: triton-xe-translate --llvmir-optimize %s | FileCheck %s
; The same input gives the same bytes.
; RUN: triton-xe-translate --llvmir-optimize %s -o %t.1
; RUN: triton-xe-translate --llvmir-optimize %s -o %t.2
; RUN: cmp %t.1 %t.2

; CHECK: target datalayout = "e-i64:64
; CHECK: target triple = "spirv64-unknown-unknown"

declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func float @_Z17sub_group_shufflefj(float, i32)

; A loop that clears memory stays a loop: devices have no memset.
; CHECK-LABEL: define spir_kernel void @clear
; CHECK: phi i32
; CHECK: store float 0.000000e+00
; CHECK-NOT: llvm.memset
define spir_kernel void @clear(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr float, ptr addrspace(1) %p, i32 %i
  store float 0.0, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Neither loops nor straight code are vectorized, and a 32-bit index stays one.
; CHECK-LABEL: define spir_kernel void @scale
; CHECK: phi i32
; CHECK-NOT: phi i64
; CHECK-NOT: <{{[0-9]+}} x float>
; CHECK: ret void
define spir_kernel void @scale(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %p, i32 %i
  %to = getelementptr float, ptr addrspace(1) %q, i32 %i
  %x = load float, ptr addrspace(1) %from, align 4
  %y = fmul float %x, 2.0
  store float %y, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An exchange may not move into the branch that alone uses its result.
; CHECK-LABEL: define spir_kernel void @exchange
; CHECK: call spir_func float @_Z17sub_group_shufflefj
; CHECK: br i1
define spir_kernel void @exchange(ptr addrspace(1) %p) {
entry:
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %x = load float, ptr addrspace(1) %p, align 4
  %y = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %lane)
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %then, label %exit
then:
  store float %y, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}

; Unused exchanges and computations go, and private memory becomes values.
; CHECK-LABEL: define spir_kernel void @cleanup
; CHECK-NOT: alloca
; CHECK-NOT: shuffle
; CHECK: ret void
define spir_kernel void @cleanup(ptr addrspace(1) %p) {
  %slot = alloca float, align 4
  %x = load float, ptr addrspace(1) %p, align 4
  %unused = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 1)
  store float %x, ptr %slot, align 4
  %y = load float, ptr %slot, align 4
  %z = fadd float %y, 1.0
  store float %z, ptr addrspace(1) %p, align 4
  ret void
}

; Source locations stay with the instructions.
; CHECK-LABEL: define spir_kernel void @located
; CHECK: fadd float %{{.*}}, !dbg ![[LOCATION:[0-9]+]]
; CHECK: ![[LOCATION]] = !DILocation(line: 12, column: 5
define spir_kernel void @located(ptr addrspace(1) %p) !dbg !4 {
  %x = load float, ptr addrspace(1) %p, align 4, !dbg !6
  %y = fadd float %x, 1.0, !dbg !7
  store float %y, ptr addrspace(1) %p, align 4, !dbg !6
  ret void, !dbg !6
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.py", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "located", scope: !1, file: !1, line: 10, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILocation(line: 11, column: 3, scope: !4)
!7 = !DILocation(line: 12, column: 5, scope: !4)
