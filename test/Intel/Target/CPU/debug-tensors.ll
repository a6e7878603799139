; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-object --checks --arch=pvc %s -o %t.o
; RUN: llvm-dwarfdump --debug-info %t.o | tr -s '\t ' ' ' | FileCheck %s --check-prefix=DWARF

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

; Registers of a tensor are rows, one after the other; a bit is a separate byte.
; A value that is not all of the variable is a part of it, in separate memory. A
; row of poison is none.
; CHECK-LABEL: define void @rows
define spir_kernel void @rows(ptr addrspace(1) %out, float %x) !dbg !40 !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv(), !dbg !41
  %same = insertelement <2 x float> poison, float %x, i32 0, !dbg !41
  %number = uitofp i32 %lane to float, !dbg !41
  %pair = insertelement <2 x float> %same, float %number, i32 1, !dbg !41
  %small = icmp ult i32 %lane, 3, !dbg !41
  ; CHECK: store volatile <16 x float> %{{.*}}, ptr %[[PAIR:.*]], align 64
  ; CHECK-NEXT: %[[SECOND:.*]] = getelementptr {{.*}}i8, ptr %[[PAIR]], i64 64
  ; CHECK-NEXT: store volatile <16 x float> <{{.*}}>, ptr %[[SECOND]], align 64
  ; CHECK-NEXT: #dbg_value(ptr %[[PAIR]], ![[PAIR_VARIABLE:.*]], !DIExpression(DW_OP_deref), !
    #dbg_value(<2 x float> %pair, !42, !DIExpression(), !41)
  ; CHECK-NEXT: store volatile <16 x float> <{{.*}}>, ptr %[[PART:.*]], align 64
  ; CHECK-NEXT: #dbg_value(ptr %[[PART]], ![[PART_VARIABLE:.*]], !DIExpression(DW_OP_deref, DW_OP_LLVM_fragment, 512, 512), !
    #dbg_value(float %number, !43, !DIExpression(DW_OP_LLVM_fragment, 512, 512), !41)
  ; CHECK-NEXT: store volatile <16 x i8> <i8 1, i8 1, i8 1, i8 0, {{.*}}>, ptr %[[BITS:.*]], align 16
  ; CHECK-NEXT: #dbg_value(ptr %[[BITS]], ![[BITS_VARIABLE:.*]], !DIExpression(DW_OP_deref), !
    #dbg_value(i1 %small, !44, !DIExpression(), !41)
  ; CHECK-NEXT: #dbg_value(<2 x float> poison, ![[PAIR_VARIABLE]], !DIExpression(), !
    #dbg_value(<2 x float> poison, !42, !DIExpression(), !41)
  store <2 x float> %pair, ptr addrspace(1) %out, align 8, !dbg !41
  %bit = zext i1 %small to i32, !dbg !41
  store i32 %bit, ptr addrspace(1) %out, align 4, !dbg !41
  ret void, !dbg !41
}

; CHECK-DAG: ![[PAIR_VARIABLE]] = !DILocalVariable(name: "pair"
; CHECK-DAG: ![[PART_VARIABLE]] = !DILocalVariable(name: "part"
; CHECK-DAG: ![[BITS_VARIABLE]] = !DILocalVariable(name: "bits"

; DWARF: DW_AT_name ("pair")
; DWARF: DW_AT_type {{.*}} "float32[2][16]"
; DWARF: DW_OP_piece 0x40, DW_OP_breg{{.*}}, DW_OP_piece 0x40)
; DWARF-NEXT: DW_AT_name ("part")
; DWARF: DW_AT_name ("bits")
; DWARF: DW_AT_type {{.*}} "bool[16]"

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!9}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "k.py", directory: "/")
!6 = !DISubroutineType(types: !{})
!9 = !{i32 2, !"Debug Info Version", i32 3}
!40 = distinct !DISubprogram(name: "rows", file: !3, line: 20, type: !6, scopeLine: 20, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!41 = !DILocation(line: 21, column: 1, scope: !40)
!42 = !DILocalVariable(name: "pair", scope: !40, file: !3, line: 21, type: !45)
!43 = !DILocalVariable(name: "part", scope: !40, file: !3, line: 21, type: !45)
!44 = !DILocalVariable(name: "bits", scope: !40, file: !3, line: 21, type: !46)
!45 = !DICompositeType(tag: DW_TAG_array_type, baseType: !47, size: 1024, elements: !48)
!46 = !DICompositeType(tag: DW_TAG_array_type, baseType: !49, size: 128, elements: !50)
!47 = !DIBasicType(name: "float32", size: 32, encoding: DW_ATE_float)
!48 = !{!51, !52}
!49 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!50 = !{!52}
!51 = !DISubrange(count: 2)
!52 = !DISubrange(count: 16)
