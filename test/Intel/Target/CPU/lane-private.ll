; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s

; Private memory that a function fills has the function's elements, here 8 of 32
; bits in a lane, whatever a load takes them for: a value of 16 bits is half of
; an element, not a separate place.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
; CHECK: %[[MEMORY:.*]] = alloca [512 x i8]
  %tile = alloca [8 x i32]
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %in, i32 64, i32 16, i32 64, <2 x i32> zeroinitializer, ptr %tile)

; The last of its halves, and the one that begins in the middle of the second
; element.
; CHECK: %[[LAST:.*]] = getelementptr {{.*}}i8, ptr %[[MEMORY]], i64 448
; CHECK: %[[EIGHTH:.*]] = load <16 x i32>, ptr %[[LAST]], align 64
; CHECK: lshr <16 x i32> %[[EIGHTH]], splat (i32 16)
  %all = load <16 x i16>, ptr %tile, align 32
; CHECK: %[[WHOLE:.*]] = getelementptr {{.*}}i8, ptr %[[MEMORY]], i64 64
; CHECK: %[[SECOND:.*]] = load <16 x i32>, ptr %[[WHOLE]], align 64
; CHECK: lshr <16 x i32> %[[SECOND]], splat (i32 16)
  %middle = getelementptr i8, ptr %tile, i64 6
  %half = load i16, ptr %middle, align 2
  %last = extractelement <16 x i16> %all, i64 15
  %sum = add i16 %last, %half
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %place = getelementptr i16, ptr addrspace(1) %out, i64 %wide
  store i16 %sum, ptr addrspace(1) %place, align 2
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
