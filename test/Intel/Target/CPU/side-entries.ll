; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s

; Both sides of a uniform branch end in a store by one lane, which they share:
; a block of two divergent regions. Each gets its own, with its own variables of
; debuggers.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n, i32 %x) !dbg !5 !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %owner = icmp slt i32 %lane, %x
  %which = icmp sgt i32 %n, 0
; CHECK: br i1
  br i1 %which, label %positive, label %negative

; CHECK: %[[FIRST:.*]] = mul i32
; CHECK: store volatile i32 %[[FIRST]], ptr %[[SLOT:.*]], align 4
; CHECK-NEXT: #dbg_value(ptr %[[SLOT]], ![[SQUARE:.*]], !DIExpression(DW_OP_deref)
; CHECK: call void @llvm.masked.store.v16i32.p0(
positive:
  %twice = shl i32 %n, 1
  br i1 %owner, label %store, label %exit

; CHECK: %[[SECOND:.*]] = mul i32
; CHECK: store volatile i32 %[[SECOND]], ptr %[[SLOT]], align 4
; CHECK-NEXT: #dbg_value(ptr %[[SLOT]], ![[SQUARE]], !DIExpression(DW_OP_deref)
; CHECK: call void @llvm.masked.store.v16i32.p0(
negative:
  %minus = sub i32 0, %n
  br i1 %owner, label %store, label %exit

store:
  %value = phi i32 [ %twice, %positive ], [ %minus, %negative ]
  %square = mul i32 %n, %n
    #dbg_value(i32 %square, !8, !DIExpression(), !9)
  %sum = add i32 %value, %square
  store i32 %sum, ptr addrspace(1) %place, align 4
  br label %exit

; CHECK-NOT: llvm.masked.store.v16i32.p0(<
; CHECK: ret void
exit:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!3}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !4, isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "k.py", directory: "/")
!5 = distinct !DISubprogram(name: "kernel", file: !4, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!6 = !DISubroutineType(types: !{})
!7 = !DIBasicType(name: "int32", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "square", scope: !5, file: !4, line: 2, type: !7)
!9 = !DILocation(line: 2, column: 1, scope: !5)
