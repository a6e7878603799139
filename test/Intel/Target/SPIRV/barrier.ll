; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv --library=none %s -o %t.spv
; RUN: spirv-val %t.spv
; RUN: spirv-dis --raw-id %t.spv | FileCheck %s

; The flags of OpenCL's `barrier` state which memory it orders: 1 is shared
; local memory, 3 global memory, too, as `tl.debug_barrier()` and the barriers
; before stores need it. SPIR-V has the bits 0x100 for the memory of a
; work-group, 0x200 for global memory, and 0x10 for all orders in sequence.
; CHECK-DAG: %[[SCOPE:[0-9]+]] = OpConstant %{{[0-9]+}} 2{{$}}
; CHECK-DAG: %[[LOCAL:[0-9]+]] = OpConstant %{{[0-9]+}} 272{{$}}
; CHECK-DAG: %[[BOTH:[0-9]+]] = OpConstant %{{[0-9]+}} 784{{$}}
; CHECK: OpControlBarrier %[[SCOPE]] %[[SCOPE]] %[[LOCAL]]
; CHECK: OpControlBarrier %[[SCOPE]] %[[SCOPE]] %[[BOTH]]
define spir_kernel void @barriers() !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  call spir_func void @_Z7barrierj(i32 1)
  call spir_func void @_Z7barrierj(i32 3)
  ret void
}

declare spir_func void @_Z7barrierj(i32)

!0 = !{i32 16}
!1 = !{i32 64, i32 1, i32 1}
