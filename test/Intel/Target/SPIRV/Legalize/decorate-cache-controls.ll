; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

; Metadata of another kind is no control. Accesses of one pointer have separate
; controls, or none. For a store the address is meant, whatever is stored, for a
; call the argument with the number. A function takes a pointer to bytes: that is
; one without a change of its type in between.
; CHECK-LABEL: @accesses
; CHECK: %[[A:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: %[[P:.*]] = inttoptr i64 %[[A]] to ptr addrspace(1), !spirv.Decorations ![[LOAD:[0-9]+]]
; CHECK: load ptr addrspace(1), ptr addrspace(1) %[[P]], align 8{{$}}
; CHECK: %[[Q:.*]] = inttoptr i64 %{{.*}} to ptr addrspace(1), !spirv.Decorations ![[STORE:[0-9]+]]
; CHECK: store ptr addrspace(1) %x, ptr addrspace(1) %[[Q]]
; CHECK: load i32, ptr addrspace(1) %p,
; CHECK: %[[R:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 0, !spirv.Decorations ![[LOAD]]
; CHECK: call {{.*}}BlockLoad{{.*}}(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %[[R]], i32 64
; CHECK: ret void
; CHECK-DAG: ![[LOAD]] = !{![[L0:[0-9]+]], ![[L1:[0-9]+]]}
; CHECK-DAG: ![[L0]] = !{i32 6442, i32 0, i32 2}
; CHECK-DAG: ![[L1]] = !{i32 6442, i32 1, i32 1}
; CHECK-DAG: ![[STORE]] = !{![[S0:[0-9]+]], ![[S1:[0-9]+]]}
; CHECK-DAG: ![[S0]] = !{i32 6443, i32 0, i32 3}
; CHECK-DAG: ![[S1]] = !{i32 6443, i32 1, i32 2}
define spir_kernel void @accesses(ptr addrspace(1) %p, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %x = load ptr addrspace(1), ptr addrspace(1) %p, align 8, !spirv.DecorationCacheControlINTEL !1
  store ptr addrspace(1) %x, ptr addrspace(1) %q, align 8, !spirv.DecorationCacheControlINTEL !4
  %y = load i32, ptr addrspace(1) %p, align 8, !spirv.DecorationCacheControlINTEL !6
  store i32 %y, ptr addrspace(1) %x, align 4
  %to = alloca [8 x i16]
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %p, i32 64, i32 8, i32 64, <2 x i32> zeroinitializer, ptr %to), !spirv.DecorationCacheControlINTEL !9
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{!2, !3}
!2 = !{i32 6442, i32 0, i32 2, i32 0}
!3 = !{i32 6442, i32 1, i32 1, i32 0}
!4 = !{!5, !8}
!5 = !{i32 6443, i32 0, i32 3, i32 0}
!8 = !{i32 6443, i32 1, i32 2, i32 0}
!6 = !{!7}
!7 = !{i32 6444, i32 0, i32 1, i32 0}
!9 = !{!10, !11}
!10 = !{i32 6442, i32 0, i32 2, i32 4}
!11 = !{i32 6442, i32 1, i32 1, i32 4}
