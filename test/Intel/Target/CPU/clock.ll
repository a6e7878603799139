; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; The clock is the processor's own counter, and is read once for all lanes.

declare spir_func i64 @_Z20__spirv_ReadClockKHRi(i32)

define spir_kernel void @kernel(ptr addrspace(1) %out) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  ; CHECK: %[[CLOCK:.*]] = call i64 @llvm.readcyclecounter()
  ; CHECK: store i64 %[[CLOCK]]
  %clock = call spir_func i64 @_Z20__spirv_ReadClockKHRi(i32 1)
  store i64 %clock, ptr addrspace(1) %out, align 8
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
!1 = !{i32 16}
