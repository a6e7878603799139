; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; The clock is the processor's own counter, and is read once for all lanes; its number the system keeps next to that.

declare spir_func i64 @_Z20__spirv_ReadClockKHRi(i32)
declare spir_func i32 @__builtin_IB_slice_id()
declare spir_func i32 @__builtin_IB_dual_subslice_id()

define spir_kernel void @kernel(ptr addrspace(1) %out) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  ; CHECK: %[[CLOCK:.*]] = call i64 @llvm.readcyclecounter()
  ; CHECK: store i64 %[[CLOCK]]
  %clock = call spir_func i64 @_Z20__spirv_ReadClockKHRi(i32 1)
  store i64 %clock, ptr addrspace(1) %out, align 8
  ; CHECK: %[[BOTH:.*]] = call { i64, i32 } @llvm.x86.rdtscp()
  ; CHECK: %[[NODE:.*]] = extractvalue { i64, i32 } %[[BOTH]], 1
  ; CHECK: %[[NUMBER:.*]] = and i32 %[[NODE]], 4095
  ; CHECK: store i32 %[[NUMBER]]
  %slice = call spir_func i32 @__builtin_IB_slice_id()
  %processor = call spir_func i32 @__builtin_IB_dual_subslice_id()
  %sum = add i32 %slice, %processor
  %next = getelementptr i8, ptr addrspace(1) %out, i64 8
  store i32 %sum, ptr addrspace(1) %next, align 4
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
!1 = !{i32 16}
