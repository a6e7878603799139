; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=bmg %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The builtins are those of a GPU's compiler.
; CPU-NOT: AddressPayload

declare spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1), i32, i32, i32, <2 x i32>)

; The loop leaves surface and columns alone: they stand in the payload, with the size of the block, and an iteration writes
; the rows. Both blocks are one, of 64 bytes a row. The cache controls, cached in L1 and L3, are the last operand.
; CHECK-LABEL: @rows
; CHECK: entry:
; CHECK-DAG: %[[BASE:.*]] = ptrtoint ptr addrspace(1) %base to i64
; CHECK-DAG: %[[WIDTH:.*]] = sub i32 %width, 1
; CHECK-DAG: %[[HEIGHT:.*]] = sub i32 %height, 1
; CHECK-DAG: %[[PITCH:.*]] = sub i32 %pitch, 1
; CHECK: %[[PAYLOAD:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload(i64 %[[BASE]], i32 %[[WIDTH]], i32 %[[HEIGHT]], i32 %[[PITCH]], i32 %x, i32 0, i32 32, i32 8, i32 1)
; CHECK: loop:
; CHECK: %[[Y:.*]] = extractelement <2 x i32> %p, i64 1
; CHECK: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockY(ptr %[[PAYLOAD]], i32 %[[Y]])
; CHECK-NEXT: call spir_func void @__builtin_IB_subgroup_block_read_ap_prefetch_u16_m8k32v1(ptr %[[PAYLOAD]], i32 0, i32 0, i32 4)
; CHECK-NOT: block_prefetch_16b
define spir_kernel void @rows(ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, i32 %x) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  call spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %p), !spirv.DecorationCacheControlINTEL !2
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %height
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Both coordinates change, and nothing is said about caches.
; CHECK-LABEL: @diagonal
; CHECK: createBlock2DAddressPayload({{.*}}, i32 0, i32 0, i32 32, i32 8, i32 1)
; CHECK: loop:
; CHECK: setBlock2DAddressPayloadBlockX
; CHECK: setBlock2DAddressPayloadBlockY
; CHECK: block_read_ap_prefetch_u16_m8k32v1(ptr %{{.*}}, i32 0, i32 0, i32 0)
define spir_kernel void @diagonal(ptr addrspace(1) %base, i32 %n) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %y, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  call spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop that changes the height keeps its prefetch, and so does code without a loop.
; CHECK-LABEL: @height
; CHECK-NOT: AddressPayload
; CHECK: block_prefetch_16b_8r16x2c
; CHECK-NOT: AddressPayload
; CHECK: block_prefetch_16b_8r16x2c
; CHECK-NOT: AddressPayload
; CHECK: ret void
define spir_kernel void @height(ptr addrspace(1) %base, i32 %n) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = insertelement <2 x i32> zeroinitializer, i32 %y, i64 1
  call spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1) %base, i32 %n, i32 %y, i32 %n, <2 x i32> %p)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  call spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  ret void
}

; 110 of 128 registers have values and 16 are for others. Two prefetches get registers, and the third one does not.
; CHECK-LABEL: @full
; CHECK-COUNT-2: block_read_ap_prefetch
; CHECK: block_prefetch_16b_8r16x2c
; CHECK: ret void
define spir_kernel void @full(ptr addrspace(1) %base, i32 %n) #1 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = insertelement <2 x i32> zeroinitializer, i32 %y, i64 1
  %q = insertelement <2 x i32> splat (i32 32), i32 %y, i64 1
  %r = insertelement <2 x i32> splat (i32 64), i32 %y, i64 1
  call spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  call spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q)
  call spir_func void @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %r)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

attributes #0 = { "triton-xe-live-bytes"="640" "triton-xe-registers"="128" }
attributes #1 = { "triton-xe-live-bytes"="7040" "triton-xe-registers"="128" }

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
!2 = !{!3, !4}
!3 = !{i32 6442, i32 0, i32 2, i32 0}
!4 = !{i32 6442, i32 1, i32 2, i32 0}
