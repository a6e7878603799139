; RUN: triton-xe-translate --llvmir-vectorize-lanes --checks %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s --check-prefix=PLAIN

; Checks precede accesses. A place is the line, kind 0 a load and 1 a store,
; space 0 global and 1 shared memory; the rest is the size of an element, the
; number of elements, and the argument that the address comes from.
; CHECK-DAG: = private constant [13 x i8] c"/src/k.py:10\00"
; CHECK-DAG: @[[LOAD:.*]] = private constant { ptr, i32, i32, i32, i32, i32, i32 } { ptr @{{.*}}, i32 0, i32 0, i32 4, i32 1, i32 0, i32 0 }
; CHECK-DAG: @[[STORE:.*]] = private constant { ptr, i32, i32, i32, i32, i32, i32 } { ptr @{{.*}}, i32 1, i32 0, i32 4, i32 1, i32 1, i32 0 }
; CHECK-DAG: @[[BOTH:.*]] = private constant { ptr, i32, i32, i32, i32, i32, i32 } { ptr @{{.*}}, i32 0, i32 0, i32 4, i32 1, i32 -1, i32 0 }
; CHECK-DAG: @[[LOADED:.*]] = private constant { ptr, i32, i32, i32, i32, i32, i32 } { ptr @{{.*}}, i32 0, i32 0, i32 4, i32 1, i32 -2, i32 0 }
; The kernel stores to the memory of its second argument alone.
; CHECK-DAG: = private constant [4 x i8] c"\00\01\00\00"

; CHECK-LABEL: define void @accesses(
; CHECK: call void @triton_xe_cpu_check_access(ptr {{.*}}, ptr {{.*}}@[[LOAD]], ptr {{.*}}, i64 65535, i32 16, ptr null)
; CHECK: load <16 x i32>
; CHECK: call void @triton_xe_cpu_check_access(ptr {{.*}}, ptr {{.*}}@[[BOTH]], ptr {{.*}}, i64 1, i32 1, ptr null)
; CHECK: load i32
; CHECK: call void @triton_xe_cpu_check_access(ptr {{.*}}, ptr {{.*}}@[[LOADED]],
; A barrier comes with the memory that it orders.
; CHECK: call void @triton_xe_cpu_check_barrier(ptr {{.*}}, ptr {{.*}}, i32 1)
; CHECK: call void @triton_xe_cpu_check_access(ptr {{.*}}, ptr {{.*}}@[[STORE]],
; CHECK: store <16 x i32>

; PLAIN-NOT: triton_xe_cpu_check
; PLAIN: call void @triton_xe_cpu_barrier(
; PLAIN-NOT: triton_xe_cpu_check
define spir_kernel void @accesses(ptr addrspace(1) %x, ptr addrspace(1) %out, ptr addrspace(1) %table, i1 %which) !dbg !5 !reqd_work_group_size !2 !intel_reqd_sub_group_size !3 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv(), !dbg !8
  %offset = zext i32 %lane to i64, !dbg !8
  %address = getelementptr i32, ptr addrspace(1) %x, i64 %offset, !dbg !8
  %a = load i32, ptr addrspace(1) %address, align 4, !dbg !8
  %either = select i1 %which, ptr addrspace(1) %x, ptr addrspace(1) %table, !dbg !8
  %b = load i32, ptr addrspace(1) %either, align 4, !dbg !8
  %entry = load i64, ptr addrspace(1) %table, align 8, !dbg !8
  %pointer = inttoptr i64 %entry to ptr addrspace(1), !dbg !8
  %c = load i32, ptr addrspace(1) %pointer, align 4, !dbg !8
  call spir_func void @_Z7barrierj(i32 1), !dbg !8
  %sum = add i32 %a, %b, !dbg !8
  %total = add i32 %sum, %c, !dbg !8
  ; An address that went through integers is still one of the argument.
  %base = ptrtoint ptr addrspace(1) %out to i64, !dbg !8
  %bytes = shl i64 %offset, 2, !dbg !8
  %place = add i64 %base, %bytes, !dbg !8
  %target = inttoptr i64 %place to ptr addrspace(1), !dbg !8
  store i32 %total, ptr addrspace(1) %target, align 4, !dbg !8
  ret void, !dbg !8
}

declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func void @_Z7barrierj(i32)

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!4}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 16, i32 1, i32 1}
!3 = !{i32 16}
!4 = distinct !DICompileUnit(language: DW_LANG_C, file: !6, emissionKind: LineTablesOnly)
!5 = distinct !DISubprogram(name: "accesses", scope: !6, file: !6, line: 9, type: !7, spFlags: DISPFlagDefinition, unit: !4)
!6 = !DIFile(filename: "k.py", directory: "/src")
!7 = !DISubroutineType(types: !{null})
!8 = !DILocation(line: 10, column: 3, scope: !5)
