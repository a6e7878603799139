; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s

; Rows of 64-bit elements in private memory are longer than that memory is
; aligned: their accesses must not claim more.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

define spir_kernel void @kernel(ptr addrspace(1) %out, i64 %index) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
; CHECK: alloca [512 x i8], align 64
; CHECK-NOT: align {{128|256}}
; CHECK: store <16 x i64> {{.*}}, align 64
; CHECK: load <16 x i64>, {{.*}}, align 64
; CHECK: ret void
  %values = alloca [4 x i64]
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %second = getelementptr i64, ptr %values, i64 1
  store i64 %wide, ptr %second, align 8
  %place = getelementptr i64, ptr %values, i64 %index
  %loaded = load i64, ptr %place, align 8
  %target = getelementptr i64, ptr addrspace(1) %out, i64 %wide
  store i64 %loaded, ptr addrspace(1) %target, align 8
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
