; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv --library=none %s -o %t.driver
; RUN: grep -a -q SPV_INTEL_2d_block_io %t.driver && grep -a -q SPV_INTEL_split_barrier %t.driver
; RUN: grep -a -q _Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f %t.driver && not grep -a GenISA %t.driver
; RUN: triton-xe-translate --llvmir-to-spirv --library=emulation %s | spirv-dis | FileCheck %s --check-prefix=EMULATION

; The driver has instructions for messages and split barriers, and the builtin of
; a product under its published name.

; The CPU device gets plain code: nothing is imported, nothing is called.
; EMULATION-NOT: LinkageAttributes "_Z{{[0-9]+}}intel_sub_group
; EMULATION-NOT: SplitBarrier
; EMULATION: OpControlBarrier
; EMULATION-NOT: OpFunctionCall

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16>, <8 x i32>, <8 x float>)
declare spir_func void @_Z33__spirv_ControlBarrierArriveINTELiii(i32, i32, i32)
declare spir_func void @_Z31__spirv_ControlBarrierWaitINTELiii(i32, i32, i32)

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %size) !intel_reqd_sub_group_size !0 {
  %tile = alloca [8 x i16], align 16
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %in, i32 %size, i32 %size, i32 %size, <2 x i32> zeroinitializer, ptr %tile)
  %a = load <8 x i16>, ptr %tile, align 16
  %b = load <8 x i32>, ptr addrspace(1) %in, align 32
  %c = load <8 x float>, ptr addrspace(1) %out, align 32
  call spir_func void @_Z33__spirv_ControlBarrierArriveINTELiii(i32 2, i32 2, i32 272)
  call spir_func void @_Z31__spirv_ControlBarrierWaitINTELiii(i32 2, i32 2, i32 272)
  %d = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %b, <8 x float> %c)
  store <8 x float> %d, ptr addrspace(1) %out, align 32
  ret void
}

!0 = !{i32 16}
