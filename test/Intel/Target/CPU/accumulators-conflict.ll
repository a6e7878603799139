; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; The old accumulator is needed after the new one is computed: they cannot share
; a place, and the operand is copied.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16>, <8 x i32>, <8 x float>)

define spir_kernel void @twice(ptr addrspace(1) %a, ptr addrspace(1) %c) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @twice
; CHECK-NOT: %accumulator
; CHECK: %[[C:scratch.*]] = alloca [512 x i8]
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %place = getelementptr <8 x i16>, ptr addrspace(1) %a, i64 %wide
  %x = load <8 x i16>, ptr addrspace(1) %place, align 16
  %second = getelementptr <8 x i32>, ptr addrspace(1) %a, i64 %wide
  %y = load <8 x i32>, ptr addrspace(1) %second, align 32
; CHECK: call void @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(ptr nonnull %[[C]], ptr {{.*}}, ptr {{.*}}, ptr nonnull %[[C]])
; CHECK: load <16 x float>, ptr %[[C]]
  %once = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %x, <8 x i32> %y, <8 x float> zeroinitializer)
; CHECK: call void @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(
  %twice = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %x, <8 x i32> %y, <8 x float> %once)
  %sum = fadd <8 x float> %once, %twice
  %target = getelementptr <8 x float>, ptr addrspace(1) %c, i64 %wide
  store <8 x float> %sum, ptr addrspace(1) %target, align 32
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
