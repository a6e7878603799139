; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=bmg %s | FileCheck %s --check-prefix=XE2
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; No other chip has copies of coordinates, and neither has the CPU device.
; XE2-NOT: broadcast
; CPU-NOT: broadcast

declare spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z52intel_sub_group_2d_block_read_transform_16b_16r16x1cPU3AS1viiiDv2_iPj(ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

; The loop leaves the columns of three messages alone. The first one keeps its register; the others get copies of their
; columns in front of the loop, also where both have the same column.
; CHECK-LABEL: @columns
; CHECK: entry:
; CHECK: %[[X1:.*]] = or disjoint i32 %x, 16
; CHECK-NEXT: %[[LANE:.*]] = call spir_func i32 @_Z22get_sub_group_local_idv()
; CHECK-NEXT: %[[FROM0:.*]] = sub i32 %[[LANE]], 0
; CHECK-NEXT: %[[TIMES1:.*]] = mul i32 %[[FROM0]], 1
; CHECK-NEXT: %[[ONLY0:.*]] = add i32 %[[X1]], %[[TIMES1]]
; CHECK-NEXT: %[[A:.*]] = call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ONLY0]], i32 0)
; CHECK-NEXT: %[[FROM1:.*]] = sub i32 %[[LANE]], 1
; CHECK-NEXT: %[[TIMES1B:.*]] = mul i32 %[[FROM1]], 1
; CHECK-NEXT: %[[ONLY1:.*]] = add i32 %[[X1]], %[[TIMES1B]]
; CHECK-NEXT: %[[B:.*]] = call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ONLY1]], i32 1)
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK: block_read_16b_8r16x1c{{.*}}<2 x i32> %p0,
; CHECK: %[[PA:.*]] = insertelement <2 x i32> %p1, i32 %[[A]], i64 0
; CHECK-NEXT: block_read_16b_8r16x1c{{.*}}<2 x i32> %[[PA]],
; CHECK: %[[PB:.*]] = insertelement <2 x i32> %p2, i32 %[[B]], i64 0
; CHECK-NEXT: block_read_16b_8r16x1c{{.*}}<2 x i32> %[[PB]],
; CHECK-NOT: broadcast
define spir_kernel void @columns(ptr addrspace(1) %base, i32 %n, i32 %a) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [8 x i16]
  %v1 = alloca [8 x i16]
  %v2 = alloca [8 x i16]
  %x = shl i32 %a, 5
  %x1 = or disjoint i32 %x, 16
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c0 = insertelement <2 x i32> poison, i32 %x, i64 0
  %p0 = insertelement <2 x i32> %c0, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v0)
  %c1 = insertelement <2 x i32> poison, i32 %x1, i64 0
  %p1 = insertelement <2 x i32> %c1, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p1, ptr %v1)
  %next = add i32 %y, 8
  %p2 = insertelement <2 x i32> %c1, i32 %next, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p2, ptr %v2)
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The loop leaves rows alone.
; CHECK-LABEL: @rows
; CHECK: %[[ONLY:.*]] = add i32 %y1, %{{.*}}
; CHECK-NEXT: %[[Y:.*]] = call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[ONLY]], i32 0)
; CHECK: loop:
; CHECK: insertelement <2 x i32> %p1, i32 %[[Y]], i64 1
define spir_kernel void @rows(ptr addrspace(1) %base, i32 %n, i32 %y) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [8 x i16]
  %v1 = alloca [8 x i16]
  %y1 = add i32 %y, 8
  br label %loop
loop:
  %x = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c0 = insertelement <2 x i32> poison, i32 %x, i64 0
  %p0 = insertelement <2 x i32> %c0, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v0)
  %p1 = insertelement <2 x i32> %c0, i32 %y1, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p1, ptr %v1)
  %next = add i32 %x, 16
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Messages of different kinds, or to different surfaces, share no register; nor is there anything to share where both
; coordinates change.
; CHECK-LABEL: @apart
; CHECK-NOT: broadcast
; CHECK: ret void
define spir_kernel void @apart(ptr addrspace(1) %base, ptr addrspace(1) %other, i32 %n, i32 %y) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [8 x i16]
  %v1 = alloca [8 x i16]
  %v2 = alloca [8 x i32]
  %v3 = alloca [8 x i16]
  br label %loop
loop:
  %x = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c0 = insertelement <2 x i32> poison, i32 %x, i64 0
  %p0 = insertelement <2 x i32> %c0, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v0)
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %other, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v1)
  call spir_func void @_Z52intel_sub_group_2d_block_read_transform_16b_16r16x1cPU3AS1viiiDv2_iPj(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v2)
  %both = insertelement <2 x i32> %c0, i32 %x, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %both, ptr %v3)
  %next = add i32 %x, 16
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; 16 of 128 registers are left to others. The values leave one more, and the three messages would take two.
; CHECK-LABEL: @full
; CHECK-NOT: broadcast
; CHECK: ret void
define spir_kernel void @full(ptr addrspace(1) %base, i32 %n, i32 %x) #1 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [8 x i16]
  %v1 = alloca [8 x i16]
  %v2 = alloca [8 x i16]
  %x1 = add i32 %x, 16
  %x2 = add i32 %x, 32
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c0 = insertelement <2 x i32> poison, i32 %x, i64 0
  %p0 = insertelement <2 x i32> %c0, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v0)
  %c1 = insertelement <2 x i32> poison, i32 %x1, i64 0
  %p1 = insertelement <2 x i32> %c1, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p1, ptr %v1)
  %c2 = insertelement <2 x i32> poison, i32 %x2, i64 0
  %p2 = insertelement <2 x i32> %c2, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p2, ptr %v2)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The same loop of a kernel whose model of registers is not known, and messages outside of loops, stay as they are.
; CHECK-LABEL: @unknown
; CHECK-NOT: broadcast
; CHECK: ret void
define spir_kernel void @unknown(ptr addrspace(1) %base, i32 %n, i32 %x) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [8 x i16]
  %v1 = alloca [8 x i16]
  %x1 = add i32 %x, 16
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c0 = insertelement <2 x i32> poison, i32 %x, i64 0
  %p0 = insertelement <2 x i32> %c0, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v0)
  %c1 = insertelement <2 x i32> poison, i32 %x1, i64 0
  %p1 = insertelement <2 x i32> %c1, i32 %y, i64 1
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p1, ptr %v1)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @straight
; CHECK-NOT: broadcast
; CHECK: ret void
define spir_kernel void @straight(ptr addrspace(1) %base, i32 %n, i32 %x) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %v0 = alloca [8 x i16]
  %v1 = alloca [8 x i16]
  %x1 = add i32 %x, 16
  %p0 = insertelement <2 x i32> <i32 poison, i32 0>, i32 %x, i64 0
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p0, ptr %v0)
  %p1 = insertelement <2 x i32> <i32 poison, i32 0>, i32 %x1, i64 0
  call spir_func void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p1, ptr %v1)
  ret void
}

attributes #0 = { "triton-xe-registers"="256" "triton-xe-live-bytes"="8192" }
attributes #1 = { "triton-xe-registers"="128" "triton-xe-live-bytes"="7100" }

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
