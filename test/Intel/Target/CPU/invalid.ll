; RUN: split-file %s %t
; RUN: not triton-xe-translate --llvmir-vectorize-lanes %t/barrier.ll 2>&1 | FileCheck %t/barrier.ll
; RUN: not triton-xe-translate --llvmir-vectorize-lanes %t/function.ll 2>&1 | FileCheck %t/function.ll
; RUN: not triton-xe-translate --llvmir-vectorize-lanes %t/lanes.ll 2>&1 | FileCheck %t/lanes.ll
; RUN: not triton-xe-translate --llvmir-vectorize-lanes %t/none.ll 2>&1 | FileCheck %t/none.ll
; RUN: not triton-xe-translate --llvmir-to-object %t/two.ll 2>&1 | FileCheck %t/two.ll
; RUN: not triton-xe-translate --llvmir-to-object %t/block.ll 2>&1 | FileCheck %t/block.ll
; RUN: not triton-xe-translate --llvmir-to-object %t/private.ll 2>&1 | FileCheck %t/private.ll

;--- barrier.ll
; CHECK: error: a barrier that not all lanes come to
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func void @_Z7barrierj(i32) convergent
define spir_kernel void @kernel(i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %some = icmp slt i32 %lane, %n
  br i1 %some, label %then, label %exit
then:
  call spir_func void @_Z7barrierj(i32 1)
  br label %exit
exit:
  ret void
}
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- function.ll
; CHECK: error: the CPU device has no function `nonsense`
declare spir_func float @_Z8nonsensef(float) memory(none) willreturn nounwind
define spir_kernel void @kernel(float %x, ptr addrspace(1) %out) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %y = call spir_func float @_Z8nonsensef(float %x)
  store float %y, ptr addrspace(1) %out
  ret void
}
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- lanes.ll
; CHECK: error: kernel 'kernel': expected sub-groups of 8, 16 or 32, found 4
define spir_kernel void @kernel() !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  ret void
}
!0 = !{i32 4, i32 1, i32 1}
!1 = !{i32 4}

;--- none.ll
; CHECK: error: expected one kernel in the module, found none
define void @function() {
  ret void
}

;--- two.ll
; CHECK: error: expected one kernel in the module, found 'first' and 'second'
define spir_kernel void @first() !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  ret void
}
define spir_kernel void @second() !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  ret void
}
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- block.ll
; CHECK: error: a 2D block message whose operands differ between lanes
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
define spir_kernel void @kernel(ptr addrspace(1) %a) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %at = insertelement <2 x i32> zeroinitializer, i32 %lane, i64 0
  %tile = alloca [8 x i16]
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %a, i32 64, i32 8, i32 64, <2 x i32> %at, ptr %tile)
  ret void
}
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- private.ll
; CHECK: error: a place in private memory that differs between lanes
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
define spir_kernel void @kernel(ptr addrspace(1) %out) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %memory = alloca [16 x i32]
  %place = getelementptr i32, ptr %memory, i32 %lane
  store i32 1, ptr %place
  ret void
}
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- part.ll
; CHECK: error: a part of an element of private memory
declare spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
define spir_kernel void @kernel(ptr addrspace(1) %a) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %tile = alloca [8 x i32]
  store i16 1, ptr %tile, align 2
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %a, i32 64, i32 16, i32 64, <2 x i32> zeroinitializer, ptr %tile)
  ret void
}
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
