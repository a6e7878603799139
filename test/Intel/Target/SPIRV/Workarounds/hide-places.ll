; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=bmg %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The fault is one of a GPU's compiler.
; CPU-NOT: asm

; No builtin takes a payload for elements of 8 bits: such messages keep their places.

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>)

; The loop has branches. Messages of a block whose columns have a constant distance have one copy of the column, and those of
; the other block have another copy. The row does not change, and stays; so do constants, and prefetches.
; CHECK-LABEL: @branches
; CHECK: first:
; CHECK: %[[K:.*]] = call i32 asm "\0A", "=rw,0"(i32 %k)
; CHECK-NOT: asm
; CHECK: %[[P:.*]] = insertelement <2 x i32> %place, i32 %[[K]], i64 0
; CHECK: BlockLoad{{.*}} <2 x i32> %[[P]],
; CHECK: %[[SUM:.*]] = add i32 %[[K]], 16
; CHECK: %[[Q:.*]] = insertelement <2 x i32> %beside, i32 %[[SUM]], i64 0
; CHECK: BlockLoad{{.*}} <2 x i32> %[[Q]],
; CHECK: BlockLoad{{.*}} <2 x i32> <i32 16, i32 8>,
; CHECK: second:
; CHECK: %[[L:.*]] = call i32 asm "\0A", "=rw,0"(i32 %k)
; CHECK-NOT: asm
; CHECK: %[[SUM:.*]] = add i32 %[[L]], 16
; CHECK: %[[R:.*]] = insertelement <2 x i32> %beside, i32 %[[SUM]], i64 0
; CHECK: BlockLoad{{.*}} <2 x i32> %[[R]],
; CHECK: BlockPrefetch{{.*}} <2 x i32> %place)
define spir_kernel void @branches(ptr addrspace(1) %base, i32 %size, i32 %some, i32 %row, ptr %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %start = insertelement <2 x i32> poison, i32 %row, i64 1
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %joined ]
  %place = insertelement <2 x i32> %start, i32 %k, i64 0
  %right = add i32 %k, 16
  %beside = insertelement <2 x i32> %start, i32 %right, i64 0
  %isSome = icmp slt i32 %k, %some
  br i1 %isSome, label %first, label %second
first:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %place, ptr %to)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %beside, ptr %to)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> <i32 16, i32 8>, ptr %to)
  br label %joined
second:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %beside, ptr %to)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %place)
  br label %joined
joined:
  %next = add i32 %k, 32
  %more = icmp slt i32 %next, %size
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Every iteration sends the first message, but the loop inside makes several blocks of it. If it is unrolled, its messages are in
; these blocks, too. Of them, a coordinate that only the outer loop changes is copied before the inner one.
; CHECK-LABEL: @inner
; CHECK: outer:
; CHECK: %[[K:.*]] = call i32 asm "\0A", "=rw,0"(i32 %k)
; CHECK: %[[P:.*]] = insertelement <2 x i32> %place, i32 %[[K]], i64 0
; CHECK: BlockLoad{{.*}} <2 x i32> %[[P]],
; CHECK: inner:
; CHECK: %[[J:.*]] = call i32 asm "\0A", "=rw,0"(i32 %j)
; CHECK-NOT: asm
; CHECK: %[[Q:.*]] = insertelement <2 x i32> %column, i32 %[[J]], i64 0
; CHECK: BlockLoad{{.*}} <2 x i32> %[[Q]],
; CHECK: %[[R:.*]] = insertelement <2 x i32> %place, i32 %[[K]], i64 0
; CHECK: BlockLoad{{.*}} <2 x i32> %[[R]],
; CHECK: ret void
define spir_kernel void @inner(ptr addrspace(1) %base, i32 %size, i32 %n, ptr %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %next, %after ]
  %place = insertelement <2 x i32> <i32 poison, i32 0>, i32 %k, i64 0
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %place, ptr %to)
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %following, %inner ]
  %column = insertelement <2 x i32> <i32 poison, i32 8>, i32 %j, i64 0
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %column, ptr %to)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %place, ptr %to)
  %following = add i32 %j, 16
  %isInside = icmp slt i32 %following, %n
  br i1 %isInside, label %inner, label %after
after:
  %next = add i32 %k, 16
  %more = icmp slt i32 %next, %size
  br i1 %more, label %outer, label %end
end:
  ret void
}

; The test of the end in another block is no branch.
; CHECK-LABEL: @straight
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @straight(ptr addrspace(1) %base, i32 %size, ptr %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, %size
  br i1 %more, label %body, label %end
body:
  %place = insertelement <2 x i32> <i32 poison, i32 8>, i32 %k, i64 0
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %place, ptr %to)
  %next = add i32 %k, 16
  br label %loop
end:
  ret void
}

; A message with a payload has no place that could be hidden (keep-addresses.ll).
; CHECK-LABEL: @kept
; CHECK-NOT: asm
; CHECK: block_read_ap
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @kept(ptr addrspace(1) %base, i32 %size, i32 %some, ptr %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %joined ]
  %place = insertelement <2 x i32> <i32 poison, i32 8>, i32 %k, i64 0
  %isSome = icmp slt i32 %k, %some
  br i1 %isSome, label %first, label %joined
first:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %place, ptr %to)
  br label %joined
joined:
  %next = add i32 %k, 16
  %more = icmp slt i32 %next, %size
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
