; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv --library=none %s | spirv-dis | FileCheck %s --check-prefix=DRIVER
; RUN: triton-xe-translate --llvmir-to-spirv --library=emulation %s | spirv-dis | FileCheck %s --check-prefix=DRIVER

; Drivers and the CPU device have an extension for the clock.
; DRIVER: OpExtension "SPV_KHR_shader_clock"
; DRIVER: OpReadClockKHR

declare spir_func i64 @_Z20__spirv_ReadClockKHRi(i32)

define spir_kernel void @kernel(ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
  %clock = call spir_func i64 @_Z20__spirv_ReadClockKHRi(i32 1)
  store i64 %clock, ptr addrspace(1) %out, align 8
  ret void
}

!0 = !{i32 16}
