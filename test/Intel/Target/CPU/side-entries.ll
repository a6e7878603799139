; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s

; Both sides of a uniform branch end in a store by one lane, which they share:
; a block of two divergent regions. Each gets its own.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n, i32 %x) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %owner = icmp slt i32 %lane, %x
  %which = icmp sgt i32 %n, 0
; CHECK: br i1
  br i1 %which, label %positive, label %negative

; CHECK: call void @llvm.masked.store.v16i32.p0(
positive:
  %twice = shl i32 %n, 1
  br i1 %owner, label %store, label %exit

; CHECK: call void @llvm.masked.store.v16i32.p0(
negative:
  %minus = sub i32 0, %n
  br i1 %owner, label %store, label %exit

store:
  %value = phi i32 [ %twice, %positive ], [ %minus, %negative ]
  store i32 %value, ptr addrspace(1) %place, align 4
  br label %exit

; CHECK-NOT: llvm.masked.store.v16i32.p0(<
; CHECK: ret void
exit:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
