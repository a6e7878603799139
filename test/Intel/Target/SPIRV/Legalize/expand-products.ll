; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func <4 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv2_fDv8_fDv4_f(<2 x float>, <8 x float>, <4 x float>) #0

; Two products that do not depend on each other, for a driver: eight steps along K, in each of which all four rows of
; both are multiplied, by an element of A that two rows share a register for (row 1 begins at lane 8).
; CHECK-LABEL: @together
; CHECK-NOT:   matrix_mad
; CHECK:       call spir_func float @_Z19sub_group_broadcastfj(float %[[A:.*]], i32 0)
; CHECK:       call float @llvm.fma.f32
; CHECK:       call spir_func float @_Z19sub_group_broadcastfj(float %[[A]], i32 8)
; CHECK-COUNT-7: call float @llvm.fma.f32
; CHECK:       call spir_func float @_Z19sub_group_broadcastfj(float %[[A]], i32 1)
; CHECK-COUNT-56: call float @llvm.fma.f32
; CHECK-NOT:   call float @llvm.fma.f32
; CHECK:       ret void
; On other devices it is a function of the device library, whose loop along K is not unrolled.
; CPU-LABEL:   @together
; CPU-NOT:     matrix_mad
; CPU-COUNT-8: call {{.*}}float @_Z3fmafff
; CPU-NOT:     call {{.*}}float @_Z3fmafff
; CPU:         ret void
define spir_kernel void @together(ptr addrspace(1) %out, <2 x float> %a, <8 x float> %b, <4 x float> %c, <4 x float> %d) !intel_reqd_sub_group_size !0 {
  %x = call spir_func <4 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv2_fDv8_fDv4_f(<2 x float> %a, <8 x float> %b, <4 x float> %c) #0
  %y = call spir_func <4 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv2_fDv8_fDv4_f(<2 x float> %a, <8 x float> %b, <4 x float> %d) #0
  %sum = fadd <4 x float> %x, %y
  store <4 x float> %sum, ptr addrspace(1) %out, align 16
  ret void
}

; The second product adds to the first, and the use between two others takes the result of the first of them: none of
; these can wait for the next.
; CHECK-LABEL: @chained
; CHECK-COUNT-32: call float @llvm.fma.f32
; CHECK:       store <4 x float>
; CHECK-COUNT-32: call float @llvm.fma.f32
; CHECK:       store <4 x float>
; CHECK:       ret void
define spir_kernel void @chained(ptr addrspace(1) %out, <2 x float> %a, <8 x float> %b, <4 x float> %c) !intel_reqd_sub_group_size !0 {
  %x = call spir_func <4 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv2_fDv8_fDv4_f(<2 x float> %a, <8 x float> %b, <4 x float> %c) #0
  store <4 x float> %x, ptr addrspace(1) %out, align 16
  %y = call spir_func <4 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv2_fDv8_fDv4_f(<2 x float> %a, <8 x float> %b, <4 x float> %x) #0
  store <4 x float> %y, ptr addrspace(1) %out, align 16
  ret void
}

attributes #0 = { convergent }
!0 = !{i32 16}
