; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

@slm = internal addrspace(3) global [4096 x i8] undef, align 128

declare spir_func <2 x i16> @_Z30intel_sub_group_block_read_us2PU3AS3t(ptr addrspace(3))
declare spir_func void @_Z30intel_sub_group_block_write_uiPU3AS3jj(ptr addrspace(3), i32)

; A driver has both functions. Other devices get an access of each lane for each
; element: registers of 16 lanes follow each other.
; CHECK-LABEL: @exchange
; CHECK:         call spir_func void @_Z30intel_sub_group_block_write_uiPU3AS3jj
; CHECK:         call spir_func <2 x i16> @_Z30intel_sub_group_block_read_us2PU3AS3t
; CPU-LABEL: @exchange
; CPU-NOT:     intel_sub_group_block
; CPU:         %[[LANE:.*]] = call spir_func i32 @_Z22get_sub_group_local_idv()
; CPU:         %[[OWN:.*]] = getelementptr i32, ptr addrspace(3) %p, {{.*}}
; CPU:         store i32 %x, ptr addrspace(3) %[[OWN]], align 4
; CPU:         %[[FIRST:.*]] = getelementptr i16, ptr addrspace(3) %q, {{.*}}
; CPU:         load i16, ptr addrspace(3) %[[FIRST]], align 2
; CPU:         %[[NEXT:.*]] = getelementptr i8, ptr addrspace(3) %[[FIRST]], i{{32|64}} 32
; CPU:         load i16, ptr addrspace(3) %[[NEXT]], align 2
; CPU-NOT:     intel_sub_group_block
define spir_kernel void @exchange(ptr addrspace(1) %out, ptr addrspace(3) %p, ptr addrspace(3) %q, i32 %x) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  call spir_func void @_Z30intel_sub_group_block_write_uiPU3AS3jj(ptr addrspace(3) %p, i32 %x)
  %v = call spir_func <2 x i16> @_Z30intel_sub_group_block_read_us2PU3AS3t(ptr addrspace(3) %q)
  store <2 x i16> %v, ptr addrspace(1) %out, align 4
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
