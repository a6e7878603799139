; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-object --instruction-set=avx2 %s -o /dev/null
; RUN: triton-xe-translate --llvmir-to-object --instruction-set=avx512 %s -o /dev/null

target triple = "spirv64-unknown-unknown"

; LLVM narrows a maximum between conversions to one of f16, for which there is no instruction: it becomes one of f32 again. So
; do functions on f16 itself, of rows and of scalars. Signs are bits, which need no more of them.
; CHECK-LABEL: define {{.*}}@kernel(
; CHECK-DAG: call <16 x float> @llvm.maxnum.v16f32
; CHECK-DAG: call float @llvm.minimum.f32
; CHECK-DAG: call <16 x float> @llvm.rint.v16f32
; CHECK-DAG: call <16 x half> @llvm.copysign.v16f16
; CHECK-DAG: call <16 x float> @llvm.fma.v16f32
; CHECK: ret void
define spir_kernel void @kernel(ptr addrspace(1) %p, half %s, half %t) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %at = getelementptr half, ptr addrspace(1) %p, i32 %lane
  %x = load half, ptr addrspace(1) %at
  %y = fadd half %x, %s
  %wide.x = fpext half %x to float
  %wide.y = fpext half %y to float
  %max = call float @llvm.maxnum.f32(float %wide.x, float %wide.y)
  %narrow = fptrunc float %max to half
  %least = call half @llvm.minimum.f16(half %s, half %t)
  %round = call half @llvm.rint.f16(half %narrow)
  %sign = call half @llvm.copysign.f16(half %round, half %y)
  %fma = call half @llvm.fma.f16(half %sign, half %least, half %x)
  store half %fma, ptr addrspace(1) %at
  ret void
}

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare float @llvm.maxnum.f32(float, float)
declare half @llvm.minimum.f16(half, half)
declare half @llvm.rint.f16(half)
declare half @llvm.copysign.f16(half, half)
declare half @llvm.fma.f16(half, half, half)

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
