; RUN: triton-xe-translate --llvmir-optimize --opt-level=0 %s | FileCheck %s
; RUN: sed 's/ !reqd_work_group_size !0//' %s | triton-xe-translate --llvmir-optimize --opt-level=0 | FileCheck %s --check-prefix=UNKNOWN

; Loads and stores touch their surface and the lane's own values; no call may
; move into a branch.
; CHECK: declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1) readonly captures(none), i32, i32, i32, <2 x i32>, ptr noalias writeonly captures(none)) #[[BLOCK:[0-9]+]]
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
; CHECK: declare spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32, i32, i32, i32, ptr noalias readonly captures(none), ptr addrspace(1) writeonly captures(none), i32, i32, i32, <2 x i32>) #[[BLOCK]]
declare spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32, i32, i32, i32, ptr, ptr addrspace(1), i32, i32, i32, <2 x i32>)

; So do blocks in shared memory.
; CHECK: declare spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) readonly captures(none)) #[[BLOCK]]
declare spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3))
; CHECK: declare spir_func void @_Z31intel_sub_group_block_write_us8PU3AS3tDv8_t(ptr addrspace(3) writeonly captures(none), <8 x i16>) #[[BLOCK]]
declare spir_func void @_Z31intel_sub_group_block_write_us8PU3AS3tDv8_t(ptr addrspace(3), <8 x i16>)

; A prefetch needs an effect that keeps it alive.
; CHECK: declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i({{.*}}) #[[PREFETCH:[0-9]+]]
declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>) memory(argmem: read) willreturn nounwind

; DPAS, scaled or not, is called by the driver's name and exchanges values.
; CHECK: declare spir_func <8 x i32> @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_iS_S_({{.*}}) #[[EXCHANGE:[0-9]+]]
declare spir_func <8 x i32> @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_iS_S_(<8 x i32>, <8 x i32>, <8 x i32>)
; CHECK: declare spir_func <8 x float> @_Z45intel_sub_group_hf8_bf8_scaled_matrix_mad_k32Dv8_sDv8_iDv8_fhh({{.*}}) #[[EXCHANGE]]
declare spir_func <8 x float> @_Z45intel_sub_group_hf8_bf8_scaled_matrix_mad_k32Dv8_sDv8_iDv8_fhh(<8 x i16>, <8 x i32>, <8 x float>, i8, i8)

; A declaration without the calling convention gets it, and so do its calls.
; CHECK: declare spir_func float @_Z17sub_group_shufflefj(float, i32) #[[EXCHANGE]]
declare float @_Z17sub_group_shufflefj(float, i32)

; CHECK: declare spir_func void @_Z7barrierj(i32) #[[BARRIER:[0-9]+]]
declare spir_func void @_Z7barrierj(i32)

; CHECK: declare spir_func i64 @_Z12get_group_idj(i32) #[[INDEX:[0-9]+]]
declare spir_func i64 @_Z12get_group_idj(i32)

; The kernels state how many lanes a sub-group has, and how many sub-groups a
; work-group. If one of them does not, nothing is known of the indices.
; CHECK: declare spir_func range(i32 0, 16) i32 @_Z22get_sub_group_local_idv() #[[INDEX]]
; CHECK: declare spir_func range(i32 0, 8) i32 @_Z16get_sub_group_idv() #[[INDEX]]
; UNKNOWN: declare spir_func i32 @_Z22get_sub_group_local_idv()
; UNKNOWN: declare spir_func i32 @_Z16get_sub_group_idv()
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z16get_sub_group_idv()
define spir_kernel void @one_sub_group() !reqd_work_group_size !1 !intel_reqd_sub_group_size !2 {
  ret void
}
define spir_kernel void @sub_groups() !reqd_work_group_size !0 !intel_reqd_sub_group_size !2 {
  ret void
}

; Other functions do not matter.
; CHECK: declare spir_func float @_Z7unknownf(float){{$}}
declare spir_func float @_Z7unknownf(float)

; CHECK-LABEL: define float @caller
; CHECK: call spir_func float @_Z17sub_group_shufflefj
define float @caller(float %x) {
  %r = call float @_Z17sub_group_shufflefj(float %x, i32 3)
  ret float %r
}

; CHECK-DAG: attributes #[[BLOCK]] = { convergent mustprogress nounwind willreturn memory(argmem: readwrite) }
; CHECK-DAG: attributes #[[PREFETCH]] = { convergent mustprogress nounwind willreturn memory(argmem: read, inaccessiblemem: readwrite) }
; CHECK-DAG: attributes #[[EXCHANGE]] = { convergent mustprogress nounwind willreturn memory(none) }
; CHECK-DAG: attributes #[[BARRIER]] = { convergent mustprogress nounwind }
; CHECK-DAG: attributes #[[INDEX]] = { mustprogress nounwind willreturn memory(none) }

!0 = !{i32 64, i32 2, i32 1}
!1 = !{i32 16, i32 1, i32 1}
!2 = !{i32 16}
