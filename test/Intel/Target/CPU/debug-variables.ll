; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-object %s -o %t.o
; RUN: llvm-dwarfdump --debug-info %t.o | tr -s '\t ' ' ' | FileCheck %s --check-prefix=DWARF

; Debuggers get the scalars that all lanes share, which stay in memory after
; their last use. A value that differs between lanes is no scalar of Python;
; where only some lanes take part, memory and calls may give anything.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

; CHECK-LABEL: define void @kernel
define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n, float %x) !dbg !4 !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv(), !dbg !20
  ; CHECK: %[[PRODUCT:.*]] = shl i32 %[[N:.*]], 1
  ; CHECK: store volatile i32 %[[PRODUCT]], ptr %[[SLOT:.*]], align 4, !dbg ![[NOWHERE:.*]]
  ; CHECK-NEXT: #dbg_value(ptr %[[SLOT]], ![[DOUBLE:.*]], !DIExpression(DW_OP_deref), !
  ; CHECK-NEXT: store volatile i32 7, ptr %[[SLOT_OF_SEVEN:.*]], align 4
  ; CHECK-NEXT: #dbg_value(ptr %[[SLOT_OF_SEVEN]], ![[SEVEN:.*]], !DIExpression(DW_OP_deref), !
  %double = shl i32 %n, 1, !dbg !20
    #dbg_value(i32 %double, !10, !DIExpression(), !20)
    #dbg_value(i32 7, !11, !DIExpression(), !20)
  ; A row of lanes, with values of no scalar.
  ; CHECK: #dbg_value(i32 poison, ![[VARYING:.*]], !DIExpression(), !
  %varying = mul i32 %lane, %n, !dbg !20
    #dbg_value(i32 %varying, !12, !DIExpression(), !20)
  ; Several operands, all of them uniform, or not.
  ; CHECK: #dbg_value(!DIArgList(i32 %[[PRODUCT]], i32 %[[N]]), ![[PAIR:.*]], !DIExpression(
    #dbg_value(!DIArgList(i32 %double, i32 %n), !13, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !20)
  ; CHECK: #dbg_value({{.*}}poison{{.*}}, ![[MIXED:.*]], !DIExpression(
    #dbg_value(!DIArgList(i32 %double, i32 %varying), !14, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !20)
  %divided = call spir_func i32 @divide(i32 %n), !dbg !20
  store i32 %divided, ptr addrspace(1) %out, align 4, !dbg !20
  br label %loop, !dbg !20

; CHECK: %[[COUNTER:.*]] = phi i32
; CHECK: %[[TOTAL:.*]] = phi float
; CHECK: store volatile i32 %[[COUNTER]], ptr %[[SLOT_OF_K:.*]], align
; CHECK-NEXT: #dbg_value(ptr %[[SLOT_OF_K]], ![[K:.*]], !DIExpression(DW_OP_deref)
; CHECK: store volatile float %[[TOTAL]], ptr %[[SLOT_OF_SUM:.*]], align
; CHECK-NEXT: #dbg_value(ptr %[[SLOT_OF_SUM]], ![[SUM:.*]], !DIExpression(DW_OP_deref)
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %total = phi float [ 0.0, %0 ], [ %added, %loop ]
    #dbg_value(i32 %k, !15, !DIExpression(), !20)
    #dbg_value(float %total, !16, !DIExpression(), !20)
  %added = fadd float %total, %x, !dbg !20
  %next = add i32 %k, 1, !dbg !20
  %more = icmp slt i32 %next, %n, !dbg !20
  br i1 %more, label %loop, label %after, !dbg !20

after:
  %first = icmp eq i32 %lane, 0, !dbg !20
  br i1 %first, label %masked, label %end, !dbg !20

masked:
  ; Arithmetic is done for all lanes, loads are not.
  ; Definitions ahead of other blocks are repeated in those.
  ; CHECK: #dbg_value(ptr %[[SLOT]], ![[DOUBLE]], !DIExpression(DW_OP_deref)
  ; CHECK: store volatile float %{{.*}}, ptr %[[SLOT_OF_SQUARE:.*]], align 4
  ; CHECK-NEXT: #dbg_value(ptr %[[SLOT_OF_SQUARE]], ![[SQUARE:.*]], !DIExpression(DW_OP_deref)
  ; CHECK: #dbg_value(float poison, ![[LOADED:.*]], !DIExpression()
  %square = fmul float %added, %added, !dbg !20
    #dbg_value(float %square, !17, !DIExpression(), !20)
  store float %square, ptr addrspace(1) %out, align 4, !dbg !20
  %loaded = load float, ptr addrspace(1) %out, align 4, !dbg !20
    #dbg_value(float %loaded, !18, !DIExpression(), !20)
  %wide = fadd float %loaded, 1.0, !dbg !20
  store float %wide, ptr addrspace(1) %out, align 4, !dbg !20
  br label %end, !dbg !20

end:
  ret void, !dbg !20
}

; A variable that debuggers would have to divide for has no value in the object
; code: they compute with 64 bits, which gives something else for negative
; numbers.
; CHECK-LABEL: define internal fastcc {{.*}} @divide
; CHECK: #dbg_value(i32 %{{.*}}DW_OP_div
; CHECK: #dbg_value(i32 %{{.*}}DW_OP_mul
define internal spir_func i32 @divide(i32 %x) noinline !dbg !5 {
    #dbg_value(i32 %x, !30, !DIExpression(DW_OP_constu, 3, DW_OP_div, DW_OP_stack_value), !21)
    #dbg_value(i32 %x, !31, !DIExpression(DW_OP_constu, 3, DW_OP_mul, DW_OP_stack_value), !21)
  %y = add i32 %x, 1, !dbg !21
  ret i32 %y, !dbg !21
}

; CHECK-DAG: ![[DOUBLE]] = !DILocalVariable(name: "double"
; CHECK-DAG: ![[SEVEN]] = !DILocalVariable(name: "seven"
; CHECK-DAG: ![[VARYING]] = !DILocalVariable(name: "varying"
; CHECK-DAG: ![[PAIR]] = !DILocalVariable(name: "pair"
; CHECK-DAG: ![[MIXED]] = !DILocalVariable(name: "mixed"
; CHECK-DAG: ![[K]] = !DILocalVariable(name: "k"
; CHECK-DAG: ![[SUM]] = !DILocalVariable(name: "total"
; CHECK-DAG: ![[SQUARE]] = !DILocalVariable(name: "square"
; CHECK-DAG: ![[LOADED]] = !DILocalVariable(name: "loaded"

; Variables without a value exist nevertheless.
; DWARF: DW_AT_name ("kernel")
; DWARF: DW_AT_location
; DWARF: DW_AT_name ("k")
; DWARF: DW_AT_name ("mixed")
; DWARF-NOT: DW_AT_location
; DWARF: DW_AT_name ("loaded")
; DWARF: DW_AT_name ("divide")
; DWARF: DW_AT_location {{.*}}DW_OP_mul
; DWARF-NEXT: DW_AT_name ("triple")
; DWARF-NOT: DW_AT_location
; DWARF: DW_AT_name ("third")

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!9}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "k.py", directory: "/")
!4 = distinct !DISubprogram(name: "kernel", file: !3, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!5 = distinct !DISubprogram(name: "divide", file: !3, line: 9, type: !6, scopeLine: 9, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DIBasicType(name: "int32", size: 32, encoding: DW_ATE_signed)
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = !DILocalVariable(name: "double", scope: !4, file: !3, line: 2, type: !8)
!11 = !DILocalVariable(name: "seven", scope: !4, file: !3, line: 2, type: !8)
!12 = !DILocalVariable(name: "varying", scope: !4, file: !3, line: 2, type: !8)
!13 = !DILocalVariable(name: "pair", scope: !4, file: !3, line: 2, type: !8)
!14 = !DILocalVariable(name: "mixed", scope: !4, file: !3, line: 2, type: !8)
!15 = !DILocalVariable(name: "k", scope: !4, file: !3, line: 2, type: !8)
!16 = !DILocalVariable(name: "total", scope: !4, file: !3, line: 2, type: !8)
!17 = !DILocalVariable(name: "square", scope: !4, file: !3, line: 2, type: !8)
!18 = !DILocalVariable(name: "loaded", scope: !4, file: !3, line: 2, type: !8)
!20 = !DILocation(line: 2, column: 1, scope: !4)
!21 = !DILocation(line: 10, column: 1, scope: !5)
!30 = !DILocalVariable(name: "third", scope: !5, file: !3, line: 10, type: !8)
!31 = !DILocalVariable(name: "triple", scope: !5, file: !3, line: 10, type: !8)
