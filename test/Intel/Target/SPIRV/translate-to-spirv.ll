; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv %s -o %t.spv
; RUN: spirv-val %t.spv
; RUN: spirv-dis --raw-id %t.spv | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-spirv --no-fp-contraction %s | spirv-dis | FileCheck %s --check-prefix=EXACT
; The same input gives the same bytes.
; RUN: triton-xe-translate --llvmir-to-spirv %s | cmp - %t.spv

; The version that every consumer reads, and the kernel's execution modes.
; CHECK: Version: 1.4
; CHECK: OpEntryPoint Kernel %[[KERNEL:[0-9]+]] "kernel"
; CHECK-DAG: OpExecutionMode %[[KERNEL]] LocalSize 64 1 1
; CHECK-DAG: OpExecutionMode %[[KERNEL]] SubgroupSize 16
; CHECK-NOT: ContractionOff
; CHECK: OpSource OpenCL_C 300000

; EXACT: OpExecutionMode %{{.*}} ContractionOff

; A builtin of the driver stays an import.
; CHECK: OpDecorate %{{[0-9]+}} LinkageAttributes "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt" Import

; Shared memory is a variable of the work-group.
; CHECK: OpVariable %{{[0-9]+}} Workgroup
@shared = internal addrspace(3) global [64 x float] undef, align 16

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

; CHECK: %[[KERNEL]] = OpFunction
; CHECK: OpControlBarrier
; CHECK: OpFunctionCall
; CHECK: OpReturn
define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %size) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %lane = call spir_func i64 @_Z12get_local_idj(i32 0)
  %slot = getelementptr float, ptr addrspace(3) @shared, i64 %lane
  store float 1.0, ptr addrspace(3) %slot, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %first = load float, ptr addrspace(3) @shared, align 16
  %place = getelementptr float, ptr addrspace(1) %out, i64 %lane
  store float %first, ptr addrspace(1) %place, align 4
  %inside = icmp eq i32 %size, 0
  br i1 %inside, label %exit, label %tile
tile:
  %values = alloca [8 x i16], align 16
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %in, i32 %size, i32 %size, i32 %size, <2 x i32> zeroinitializer, ptr %values)
  %value = load i16, ptr %values, align 2
  store i16 %value, ptr addrspace(1) %in, align 2
  br label %exit
exit:
  ret void
}

!0 = !{i32 16}
!1 = !{i32 64, i32 1, i32 1}
