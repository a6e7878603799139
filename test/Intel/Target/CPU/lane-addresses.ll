; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s

; `row * stride + lane` in 32 bits runs along with the lanes unless it wraps
; around between them, which scalars determine: a vector access, and lane by
; lane only where it does wrap.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %row, i32 %stride) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %line = mul i32 %row, %stride
  %index = add i32 %line, %lane
  %wide = sext i32 %index to i64
  %source = getelementptr float, ptr addrspace(1) %in, i64 %wide
; CHECK: icmp {{.*}} i32 %{{.*}}, 2147483{{[0-9]+}}
; CHECK: br i1 %{{.*}}, label %[[FAST:.*]], label %[[SLOW:.*]], !prof
; CHECK: {{^}}wrapped:
; CHECK: call void @triton_xe_cpu_gather(ptr {{.*}} %[[GATHERED:.*]], ptr
; CHECK: {{^}}accessed:
; CHECK: %[[FROM:.*]] = phi ptr [ %{{.*}}, %along ], [ %[[GATHERED]], %wrapped ]
; CHECK: load <16 x float>, ptr %[[FROM]]
  %value = load float, ptr addrspace(1) %source, align 4
  %target = getelementptr float, ptr addrspace(1) %out, i64 %wide
; CHECK: store <16 x float>
; CHECK: call void @triton_xe_cpu_scatter(
  store float %value, ptr addrspace(1) %target, align 4

; The operation that the optimizer must leave in a loop is a call.
; CHECK: call void @triton_xe_cpu_gather(
  %again = load volatile float, ptr addrspace(1) %source, align 4
  store float %again, ptr addrspace(1) %target, align 4
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
