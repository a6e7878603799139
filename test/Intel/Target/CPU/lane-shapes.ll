; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s --check-prefix=WIDE

; Values that the lanes have in common stay scalar; addresses that run along
; with them are a vector access, if no lane's index can wrap around.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func i32 @_Z16get_sub_group_idv() memory(none) willreturn nounwind
declare spir_func i64 @_Z12get_group_idj(i32) memory(none) willreturn nounwind

; The runtime learns the geometry, and what the processor must have.
; CHECK: c"kernel\00"
; CHECK: c"avx2\00"
; WIDE: c"avx512\00"
; CHECK: @triton_xe_kernel_info = constant {{.*}} { i32 2, i32 3, i32 0, i32 16, i32 4, i32 0, ptr
; CHECK-NOT: get_sub_group

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %stride) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel(ptr noundef %0, ptr noundef %1)
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %warp = call spir_func i32 @_Z16get_sub_group_idv()
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %group32 = trunc i64 %group to i32

  ; One scalar load serves all lanes.
  ; CHECK: load float, ptr
  ; CHECK-NOT: load float
  %uniform = load float, ptr addrspace(1) %in, align 4

  ; The base is a multiple of 16 and the lanes are below: no carry, one vector.
  ; CHECK: %[[ROW:.*]] = load <16 x float>, ptr
  %block = shl i32 %group32, 6
  %part = shl i32 %warp, 4
  %first = add i32 %block, %part
  %index = add i32 %first, %lane
  %wide = sext i32 %index to i64
  %place = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %row = load float, ptr addrspace(1) %place, align 4
  ; CHECK: %[[SPLAT:.*]] = shufflevector <16 x float> {{.*}}, <16 x float> poison, <16 x i32> zeroinitializer
  ; CHECK: %[[SUM:.*]] = fadd <16 x float> %[[ROW]], %[[SPLAT]]
  %sum = fadd float %row, %uniform
  %target = getelementptr float, ptr addrspace(1) %out, i64 %wide
  ; CHECK: store <16 x float> %[[SUM]], ptr
  store float %sum, ptr addrspace(1) %target, align 4

  ; Two rows of 8 neighbours: two vectors.
  ; CHECK: load <8 x float>, ptr
  ; CHECK: load <8 x float>, ptr
  %column = and i32 %lane, 7
  %line = lshr i32 %lane, 3
  %distance = mul i32 %line, 1000
  %offset = add i32 %distance, %column
  %offset64 = zext i32 %offset to i64
  %tile = getelementptr float, ptr addrspace(1) %in, i64 %offset64
  %two = load float, ptr addrspace(1) %tile, align 4

  ; The stride is not known, and neither is whether i32 wraps: lane by lane.
  ; CHECK: call void @triton_xe_cpu_gather(
  %scaled = mul i32 %lane, %stride
  %scaled64 = sext i32 %scaled to i64
  %strided = getelementptr float, ptr addrspace(1) %in, i64 %scaled64
  %three = load float, ptr addrspace(1) %strided, align 4
  %total = fadd float %two, %three
  store float %total, ptr addrspace(1) %target, align 4

  ; 32 * lane wraps around in i8 from lane 8 on, however aligned the base is.
  ; CHECK: call void @triton_xe_cpu_gather(
  %high = shl i32 %group32, 9
  %times = shl i32 %lane, 5
  %both = add i32 %high, %times
  %byte = trunc i32 %both to i8
  %back = zext i8 %byte to i64
  %wrapped = getelementptr float, ptr addrspace(1) %in, i64 %back
  %four = load float, ptr addrspace(1) %wrapped, align 4
  store float %four, ptr addrspace(1) %target, align 4
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
!1 = !{i32 16}
