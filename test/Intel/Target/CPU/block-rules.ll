; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; A 2D block message is distinguished from those that no hardware takes: base in
; multiples of 64 bytes, width of 4, pitch of 16, column of 4; width and pitch
; from 64 to 2^24 bytes, height from 1 row; no pitch below the width. The call
; that names the rule is in a branch that is not expected.

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

; CHECK-LABEL: define void @copy
; CHECK-DAG: and i32 {{.*}}, 63
; CHECK-DAG: add i32 %{{.*}}, -16777217
; CHECK-DAG: icmp ult i32 %{{.*}}, -16777153
; CHECK: br i1 %{{.*}}, label %[[BROKEN:broken.rule]], label %[[GOOD:.*]], !prof
; CHECK: [[BROKEN]]:
; CHECK: call void @triton_xe_cpu_check_block(
; CHECK: call void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(
define spir_kernel void @copy(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %width, i32 %height, i32 %pitch, i32 %x) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %at = insertelement <2 x i32> zeroinitializer, i32 %x, i64 0
  %tile = alloca [8 x i16]
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %a, i32 %width, i32 %height, i32 %pitch, <2 x i32> %at, ptr %tile)
  %value = load i16, ptr %tile
  store i16 %value, ptr addrspace(1) %out
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
