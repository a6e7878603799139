; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The CPU's runtime has no such conversion.
; CPU-NOT: ConvertBF16ToFINTEL

; A scalar, and a vector of OpenCL.
; CHECK-LABEL: @vectors
; CHECK: call spir_func float @_Z27__spirv_ConvertBF16ToFINTELs(i16 %h)
; CHECK: call spir_func <8 x float> @_Z27__spirv_ConvertBF16ToFINTELDv8_s(<8 x i16> %h8)
; CHECK-NOT: shl
; CHECK: ret void
define spir_kernel void @vectors(ptr addrspace(1) %from, ptr addrspace(1) %to) !reqd_work_group_size !0 {
  %h = load i16, ptr addrspace(1) %from
  %w = zext i16 %h to i32
  %s = shl i32 %w, 16
  %f = bitcast i32 %s to float
  %more = fadd float %f, 1.0
  store float %more, ptr addrspace(1) %to
  %from8 = getelementptr i8, ptr addrspace(1) %from, i64 64
  %h8 = load <8 x i16>, ptr addrspace(1) %from8
  %w8 = zext <8 x i16> %h8 to <8 x i32>
  %s8 = shl <8 x i32> %w8, splat (i32 16)
  %f8 = bitcast <8 x i32> %s8 to <8 x float>
  %to8 = getelementptr i8, ptr addrspace(1) %to, i64 64
  %more8 = fadd <8 x float> %f8, splat (float 1.0)
  store <8 x float> %more8, ptr addrspace(1) %to8
  ret void
}

; Bits that are used as such, and others than the upper half.
; CHECK-LABEL: @others
; CHECK-NOT: ConvertBF16ToFINTEL
; CHECK: ret void
define spir_kernel void @others(ptr addrspace(1) %from, ptr addrspace(1) %to) !reqd_work_group_size !0 {
  %h = load i16, ptr addrspace(1) %from
  %w = zext i16 %h to i32
  %s = shl i32 %w, 16
  %f = bitcast i32 %s to float
  %more = fadd float %f, 1.0
  store float %more, ptr addrspace(1) %to
  store i32 %s, ptr addrspace(1) %from
  %t = shl i32 %w, 15
  %g = bitcast i32 %t to float
  %most = fadd float %g, 1.0
  store float %most, ptr addrspace(1) %from
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
