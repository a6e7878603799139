; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; Each lane accesses four neighbours. The same operation on all of them is one
; operation on the vector as it lies in memory: no shuffles.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

define spir_kernel void @scale(ptr addrspace(1) %in, ptr addrspace(1) %out, float %factor) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @scale
; CHECK: %[[LOADED:.*]] = load <64 x float>, ptr
; CHECK-NOT: shufflevector <64 x float> %[[LOADED]]
; CHECK: %[[SCALED:.*]] = fmul <64 x float> %[[LOADED]],
; CHECK: store <64 x float> %[[SCALED]], ptr
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %index = shl i32 %lane, 2
  %index64 = zext i32 %index to i64
  %place = getelementptr float, ptr addrspace(1) %in, i64 %index64
  %loaded = load <4 x float>, ptr addrspace(1) %place, align 16
  %first = insertelement <4 x float> poison, float %factor, i64 0
  %factors = shufflevector <4 x float> %first, <4 x float> poison, <4 x i32> zeroinitializer
  %scaled = fmul <4 x float> %loaded, %factors
  %target = getelementptr float, ptr addrspace(1) %out, i64 %index64
  store <4 x float> %scaled, ptr addrspace(1) %target, align 16
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
