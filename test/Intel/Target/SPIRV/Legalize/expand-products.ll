; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func <4 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv2_fDv8_fDv4_f(<2 x float>, <8 x float>, <4 x float>) #0

; Two products that do not depend on each other, for a driver: eight steps along K, in each of which all four rows of
; both are multiplied, by an element of A that two rows share a register for (row 1 begins at lane 8).
; CHECK-LABEL: @together
; CHECK-NOT:   matrix_mad
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[A:.*]], i32 0)
; CHECK:       call float @llvm.fma.f32
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[A]], i32 8)
; CHECK-COUNT-7: call float @llvm.fma.f32
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[A]], i32 1)
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

; A register of A has one row of a product of twice the depth.
; CHECK-LABEL: @deep
; CHECK:       %[[FIRST:.*]] = extractelement <2 x float> %a, i64 0
; CHECK:       %[[SECOND:.*]] = extractelement <2 x float> %a, i64 1
; CHECK:       %[[ROW0:.*]] = bitcast float %[[FIRST]] to i32
; CHECK:       %[[ROW1:.*]] = bitcast float %[[SECOND]] to i32
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ROW0]], i32 0)
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ROW1]], i32 0)
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ROW0]], i32 15)
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ROW1]], i32 15)
; CHECK-NOT:   matrix_mad
; CHECK:       ret void
; CPU-LABEL:   @deep
; CPU-COUNT-2: call {{.*}}float @_Z3fmafff
; CPU-NOT:     call {{.*}}float @_Z3fmafff
; CPU:         ret void
define spir_kernel void @deep(ptr addrspace(1) %out, <2 x float> %a, <16 x float> %b, <2 x float> %c) !intel_reqd_sub_group_size !0 {
  %x = call spir_func <2 x float> @_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv2_fDv16_fS_(<2 x float> %a, <16 x float> %b, <2 x float> %c) #0
  store <2 x float> %x, ptr addrspace(1) %out, align 8
  ret void
}

; Products of two depths are not expanded together: all of the first comes first.
; CHECK-LABEL: @two_depths
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[PAIR:.*]], i32 0)
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[PAIR]], i32 15)
; CHECK-NOT:   call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[PAIR]],
; CHECK-COUNT-32: call spir_func i32 @_Z19sub_group_broadcastij
; CHECK:       ret void
define spir_kernel void @two_depths(ptr addrspace(1) %out, <2 x float> %a, float %d, <8 x float> %e, <16 x float> %b, <2 x float> %c) !intel_reqd_sub_group_size !0 {
  %x = call spir_func <2 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8fDv8_fDv2_f(float %d, <8 x float> %e, <2 x float> %c) #0
  %y = call spir_func <2 x float> @_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv2_fDv16_fS_(<2 x float> %a, <16 x float> %b, <2 x float> %c) #0
  %sum = fadd <2 x float> %x, %y
  store <2 x float> %sum, ptr addrspace(1) %out, align 8
  ret void
}

; The integers that a message has brought are broadcast: IGC copies elements of a cast.
; CHECK-LABEL: @message
; CHECK:       %[[ROW:.*]] = extractelement <2 x i32> %message, i64 0
; CHECK:       call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ROW]], i32 0)
; CHECK:       ret void
define spir_kernel void @message(ptr addrspace(1) %out, <2 x i32> %message, <16 x float> %b, <2 x float> %c) !intel_reqd_sub_group_size !0 {
  %a = bitcast <2 x i32> %message to <2 x float>
  %x = call spir_func <2 x float> @_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv2_fDv16_fS_(<2 x float> %a, <16 x float> %b, <2 x float> %c) #0
  store <2 x float> %x, ptr addrspace(1) %out, align 8
  ret void
}

declare spir_func <2 x float> @_Z37intel_sub_group_f32_f32_matrix_mad_k8fDv8_fDv2_f(float, <8 x float>, <2 x float>) #0
declare spir_func <2 x float> @_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv2_fDv16_fS_(<2 x float>, <16 x float>, <2 x float>) #0
attributes #0 = { convergent }
!0 = !{i32 16}
