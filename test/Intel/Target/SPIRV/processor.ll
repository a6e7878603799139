; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv --library=none %s | spirv-dis | FileCheck %s --check-prefix=DRIVER
; RUN: triton-xe-translate --llvmir-to-spirv --library=emulation %s | spirv-dis | FileCheck %s --check-prefix=EMULATION

; Compilers for GPUs know where a program runs; the OpenCL CPU device does not, and would not load what it has to import.
; DRIVER: LinkageAttributes "__builtin_IB_dual_subslice_id" Import
; EMULATION-NOT: "__builtin_IB_dual_subslice_id" Import
; EMULATION: OpConstant %uint 4294967295
; EMULATION-NOT: OpFunctionCall

declare spir_func i32 @__builtin_IB_dual_subslice_id()

define spir_kernel void @kernel(ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
  %number = call spir_func i32 @__builtin_IB_dual_subslice_id()
  store i32 %number, ptr addrspace(1) %out, align 4
  ret void
}

!0 = !{i32 16}
