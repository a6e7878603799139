; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The fault is one of a GPU's compiler.
; CPU-NOT: asm

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32, i32, i32, i32, ptr, ptr addrspace(1), i32, i32, i32, <2 x i32>)

; Row 0 of one message and the row of the other one, which changes, would be in one register: 0 becomes a value that the
; compiler does not know. A third one, before the loop, has a known distance to it. Columns of both change.
; CHECK-LABEL: @rows
; CHECK: %[[ZERO:.*]] = call i32 asm "\0A", "=rw,0"(i32 0)
; CHECK: %[[SUM:.*]] = add i32 %[[ZERO]], 8
; CHECK: %[[P:.*]] = insertelement <2 x i32> {{.*}}, i32 %[[SUM]], i64 1
; CHECK: BlockLoad{{.*}} <2 x i32> %[[P]],
; CHECK: loop:
; CHECK: %[[Q:.*]] = insertelement <2 x i32> %first, i32 %[[ZERO]], i64 1
; CHECK: BlockLoad{{.*}} <2 x i32> %[[Q]],
; CHECK: BlockLoad{{.*}} <2 x i32> %second,
define spir_kernel void @rows(ptr addrspace(1) %base, i32 %size, ptr %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> <i32 0, i32 8>, ptr %to)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %first = insertelement <2 x i32> <i32 poison, i32 0>, i32 %k, i64 0
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %first, ptr %to)
  %second = insertelement <2 x i32> %first, i32 %k, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %second, ptr %to)
  %next = add i32 %k, 16
  %more = icmp slt i32 %next, %size
  br i1 %more, label %loop, label %end
end:
  ret void
}

; No other message of a loop to the same surface changes what is 0: not one that changes the other coordinate, not one of
; blocks of another size, not one whose constant is no 0, and not one to another surface.
; CHECK-LABEL: @separate
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @separate(ptr addrspace(1) %base, ptr addrspace(1) %other, i32 %size, i32 %start, ptr %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %outside = insertelement <2 x i32> <i32 poison, i32 0>, i32 %start, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %outside, ptr %to)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %first = insertelement <2 x i32> <i32 poison, i32 0>, i32 %k, i64 0
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %first, ptr %to)
  %eight = insertelement <2 x i32> <i32 poison, i32 8>, i32 %k, i64 0
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %to, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %eight)
  %second = insertelement <2 x i32> %first, i32 %k, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %second, ptr %to)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %other, i32 %size, i32 %size, i32 %size, <2 x i32> %second, ptr %to)
  %next = add i32 %k, 16
  %more = icmp slt i32 %next, %size
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Column and row are 0 in one message each: a write counts like a load.
; CHECK-LABEL: @both
; CHECK: %[[ZERO:.*]] = call i32 asm "\0A", "=rw,0"(i32 0)
; CHECK-NOT: asm
; CHECK: %[[P:.*]] = insertelement <2 x i32> %row, i32 %[[ZERO]], i64 0
; CHECK: BlockLoad{{.*}} <2 x i32> %[[P]],
; CHECK: %[[Q:.*]] = insertelement <2 x i32> %column, i32 %[[ZERO]], i64 1
; CHECK: BlockStore{{.*}} <2 x i32> %[[Q]])
define spir_kernel void @both(ptr addrspace(1) %base, i32 %size, ptr %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = insertelement <2 x i32> <i32 0, i32 poison>, i32 %k, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %row, ptr %to)
  %column = insertelement <2 x i32> <i32 poison, i32 0>, i32 %k, i64 0
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %to, ptr addrspace(1) %base, i32 %size, i32 %size, i32 %size, <2 x i32> %column)
  %next = add i32 %k, 16
  %more = icmp slt i32 %next, %size
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
