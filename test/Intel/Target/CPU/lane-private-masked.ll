; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s

; Masked code runs without a lane, too: the last round of a loop that all lanes
; have left by its header. The counter of the loop is outside of the memory
; then, and the beginning of the memory is accessed in its place.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

; CHECK-LABEL: define void @kernel
define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK: %[[MEMORY:.*]] = alloca [256 x i8]
  %values = alloca [4 x i32]
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %some = icmp slt i32 %lane, %n
  br i1 %some, label %header, label %exit

; CHECK: loop:
header:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %inside = icmp ult i64 %i, 4
  br i1 %inside, label %body, label %left

; CHECK: %[[I:.*]] = phi i64
; CHECK: %[[ROW:.*]] = shl i64 %[[I]], 6
; CHECK: %[[NONE:.*]] = icmp eq i16 %{{.*}}, 0
; CHECK: %[[OFFSET:.*]] = select i1 %[[NONE]], i64 0, i64 %[[ROW]]
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %[[MEMORY]], i64 %[[OFFSET]]
; CHECK: store <16 x i32> %{{.*}}, ptr %[[PLACE]], align 64
body:
  %place = getelementptr i32, ptr %values, i64 %i
  store i32 %lane, ptr %place, align 4
  %loaded = load i32, ptr %place, align 4
  %wide = zext i32 %loaded to i64
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %lane, ptr addrspace(1) %target, align 4
  %next = add i64 %i, 1
  br label %header

; A constant place inside of the memory is always there; one outside of it is in
; code that never runs.
; CHECK: left:
; CHECK-NEXT: %[[LAST:.*]] = getelementptr {{.*}}i8, ptr %[[MEMORY]], i64 192
; CHECK-NEXT: load <16 x i32>, ptr %[[LAST]], align 64
; CHECK: %[[BEYOND:.*]] = select i1 %{{.*}}, i64 0, i64 256
; CHECK: %[[END:.*]] = getelementptr {{.*}}i8, ptr %[[MEMORY]], i64 %[[BEYOND]]
; CHECK-NEXT: load <16 x i32>, ptr %[[END]], align 64
left:
  %last = getelementptr i32, ptr %values, i64 3
  %end = load i32, ptr %last, align 4
  store i32 %end, ptr addrspace(1) %out, align 4
  %beyond = getelementptr i32, ptr %values, i64 4
  %never = load i32, ptr %beyond, align 4
  store i32 %never, ptr addrspace(1) %out, align 4
  br label %exit

exit:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
