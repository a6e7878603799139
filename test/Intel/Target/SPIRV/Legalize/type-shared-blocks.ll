; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s

@slm = internal addrspace(3) global [4096 x i8] undef, align 128

declare spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3))

; A pointer to elements, not to the array that the variable is. A pointer that is computed is one already.
; CHECK-LABEL: @shared
; CHECK: %[[Q:.*]] = getelementptr i16, ptr addrspace(3) @slm, i32 0
; CHECK: call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) %[[Q]])
; CHECK: call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) %p)
define spir_kernel void @shared(ptr addrspace(1) %q, ptr addrspace(3) %p) !reqd_work_group_size !0 {
  %x = call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) @slm)
  %y = call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) %p)
  %s = add <8 x i16> %x, %y
  store <8 x i16> %s, ptr addrspace(1) %q, align 16
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
