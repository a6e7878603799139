; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s --check-prefixes=CHECK,PVC
; RUN: triton-xe-translate --llvmir-prepare --arch=bmg %s | FileCheck %s --check-prefixes=CHECK,XE2
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The builtins are those of a GPU's compiler.
; CPU-NOT: AddressPayload

declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>)
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32, i32, i32, i32, ptr, ptr addrspace(1), i32, i32, i32, <2 x i32>)

; The loop leaves surface and columns alone: they are in the payload, with the
; size of the block, and an iteration writes the rows. Both blocks are one, of
; 64 bytes a row. The cache controls, cached in L1 and L3, are the last operand.
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
; CHECK-NOT: Subgroup2DBlockPrefetch
define spir_kernel void @rows(ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, i32 %x) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %p), !spirv.DecorationCacheControlINTEL !2
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %height
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Both coordinates change, and there are no cache controls.
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
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A branch leads to the loop or past it: the payload is created in a block between
; both, which is not executed where the loop is not.
; CHECK-LABEL: @skipped
; CHECK: br i1 %any, label %[[BEFORE:.*]], label %end
; CHECK: [[BEFORE]]:
; CHECK: createBlock2DAddressPayload({{.*}}, i32 %x, i32 0, i32 32, i32 8, i32 1)
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK: setBlock2DAddressPayloadBlockY
; CHECK: block_read_ap_prefetch_u16_m8k32v1(ptr %{{.*}}, i32 0, i32 0, i32 0)
; CHECK: end:
define spir_kernel void @skipped(ptr addrspace(1) %base, i32 %n, i32 %x) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %any = icmp slt i32 0, %n
  br i1 %any, label %loop, label %end
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop that changes the height keeps its prefetch, and so does code without a loop.
; CHECK-LABEL: @height
; CHECK-NOT: AddressPayload
; CHECK: Subgroup2DBlockPrefetch
; CHECK-NOT: AddressPayload
; CHECK: Subgroup2DBlockPrefetch
; CHECK-NOT: AddressPayload
; CHECK: ret void
define spir_kernel void @height(ptr addrspace(1) %base, i32 %n) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = insertelement <2 x i32> zeroinitializer, i32 %y, i64 1
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %y, i32 %n, <2 x i32> %p)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  ret void
}

; Loads of Ponte Vecchio that would share a register have payloads, too: of blocks as they are, which come in words of 16 bits, of blocks in VNNI form
; and of transposed ones, in words of 32 bits. Other chips have constants in the instruction, and one register for all.
; XE2-LABEL: @loads
; XE2-NOT: AddressPayload
; XE2: ret void
; PVC-LABEL: @loads
; PVC-DAG: %[[PLAIN:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 %x, i32 0, i32 16, i32 8, i32 2)
; PVC-DAG: %[[VNNI:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 0, i32 %x, i32 16, i32 16, i32 1)
; PVC-DAG: %[[COLUMNS:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 0, i32 0, i32 8, i32 16, i32 1)
; PVC: loop:
; PVC: setBlock2DAddressPayloadBlockY(ptr %[[PLAIN]], i32 %{{.*}})
; PVC-NEXT: %[[A:.*]] = call spir_func <16 x i16> @__builtin_IB_subgroup_block_read_ap_u16_m8k16v2(ptr %[[PLAIN]], i32 0, i32 0, i32 0)
; PVC-NEXT: store <16 x i16> %[[A]], ptr %v0
; PVC: setBlock2DAddressPayloadBlockX(ptr %[[VNNI]], i32 %{{.*}})
; PVC-NEXT: %[[B:.*]] = call spir_func <8 x i32> @__builtin_IB_subgroup_block_read_ap_transform_u16_m16k16v1(ptr %[[VNNI]], i32 0, i32 0, i32 0)
; PVC-NEXT: store <8 x i32> %[[B]], ptr %v1
; PVC: setBlock2DAddressPayloadBlockX(ptr %[[COLUMNS]], i32 %{{.*}})
; PVC: setBlock2DAddressPayloadBlockY(ptr %[[COLUMNS]], i32 %{{.*}})
; PVC-NEXT: %[[C:.*]] = call spir_func <8 x i32> @__builtin_IB_subgroup_block_read_ap_transpose_u32_m16k8v1(ptr %[[COLUMNS]], i32 0, i32 0, i32 0)
; PVC-NEXT: store <8 x i32> %[[C]], ptr %v2
; PVC-NOT: Subgroup2DBlockLoad
; PVC: ret void
define spir_kernel void @loads(ptr addrspace(1) %base, ptr addrspace(1) %other, i32 %n, i32 %x) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [16 x i16]
  %w0 = alloca [16 x i16]
  %v1 = alloca [8 x i32]
  %w1 = alloca [8 x i32]
  %v2 = alloca [8 x i32]
  %w2 = alloca [8 x i32]
  %x1 = add i32 %x, 32
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  %p1 = insertelement <2 x i32> %p, i32 %x1, i64 0
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %v0)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p1, ptr %w0)
  %d = insertelement <2 x i32> poison, i32 %y, i64 0
  %q = insertelement <2 x i32> %d, i32 %x, i64 1
  %q1 = insertelement <2 x i32> %d, i32 %x1, i64 1
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 16, i32 1, ptr addrspace(1) %other, i32 %n, i32 %n, i32 %n, <2 x i32> %q, ptr %v1)
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 16, i32 1, ptr addrspace(1) %other, i32 %n, i32 %n, i32 %n, <2 x i32> %q1, ptr %w1)
  %r = insertelement <2 x i32> %d, i32 %y, i64 1
  %y1 = add i32 %y, 16
  %r1 = insertelement <2 x i32> %d, i32 %y1, i64 1
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %r, ptr %v2)
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %r1, ptr %w2)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; No builtin loads elements of 8 bits, and half a register stays (@bytes). Two loads of a kernel whose model of registers is not known stay
; (@unknown), and so do those of a loop that changes the pointer to the surface (@pages).
; CHECK-LABEL: @bytes
; CHECK-NOT: AddressPayload
; CHECK: ret void
define spir_kernel void @bytes(ptr addrspace(1) %base, i32 %n, i32 %x) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [8 x i8]
  %v1 = alloca i16
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 1, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %v0)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 1, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %v1)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @unknown
; CHECK-NOT: AddressPayload
; CHECK: ret void
define spir_kernel void @unknown(ptr addrspace(1) %base, i32 %n, i32 %x) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [16 x i16]
  %v1 = alloca [16 x i16]
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  %q = insertelement <2 x i32> <i32 16, i32 poison>, i32 %y, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %v0)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q, ptr %v1)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @pages
; CHECK-NOT: AddressPayload
; CHECK: ret void
define spir_kernel void @pages(ptr addrspace(1) %base, i32 %n, i32 %x) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [16 x i16]
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %page = getelementptr i8, ptr addrspace(1) %base, i32 %y
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 0, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %page, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %v0)
  %next = add i32 %y, 64
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; 110 of 128 registers have values and 16 are for others. Two prefetches of one surface get registers, and those of the next
; one do not; nor do two loads, which share a register. One load alone has that register as it is.
; CHECK-LABEL: @full
; XE2-COUNT-3: Subgroup2DBlockLoad
; PVC: Subgroup2DBlockLoadINTEL{{.*}} %v0)
; PVC: Subgroup2DBlockLoadINTEL{{.*}} %v1)
; PVC: Subgroup2DBlockLoadTransformINTEL
; CHECK-COUNT-2: block_read_ap_prefetch
; CHECK-COUNT-2: Subgroup2DBlockPrefetch
; CHECK: ret void
define spir_kernel void @full(ptr addrspace(1) %base, ptr addrspace(1) %other, i32 %n) #1 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %v0 = alloca [16 x i16]
  %v1 = alloca [16 x i16]
  %v2 = alloca [8 x i32]
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = insertelement <2 x i32> zeroinitializer, i32 %y, i64 1
  %q = insertelement <2 x i32> splat (i32 32), i32 %y, i64 1
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %v0)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q, ptr %v1)
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 16, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %v2)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %other, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %other, i32 %n, i32 %n, i32 %n, <2 x i32> %q)
  %next = add i32 %y, 8
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Stores of a block of code to one surface share a payload. Chips whose instructions have distances have columns and rows there
; that are constants apart; on others each store but the first has a copy, in which it writes what differs. A lane's part of a
; block is loaded from where the builtin would read it.
; CHECK-LABEL: @stores
; XE2: %[[PAYLOAD:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 %x, i32 %y, i32 16, i32 8, i32 1)
; XE2: %[[FIRST:.*]] = load <8 x i16>, ptr %a, align 2
; XE2-NEXT: call spir_func void @__builtin_IB_subgroup_block_write_ap_u16_m8k16v1(ptr %[[PAYLOAD]], i32 0, i32 0, <8 x i16> %[[FIRST]], i32 0)
; XE2: %[[SECOND:.*]] = load <8 x i16>, ptr %b, align 2
; XE2-NEXT: call spir_func void @__builtin_IB_subgroup_block_write_ap_u16_m8k16v1(ptr %[[PAYLOAD]], i32 16, i32 0, <8 x i16> %[[SECOND]], i32 0)
; XE2: block_write_ap_u16_m8k16v1(ptr %[[PAYLOAD]], i32 16, i32 -8,
; PVC: %[[PAYLOAD:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 %x, i32 %y, i32 16, i32 8, i32 1)
; PVC: block_write_ap_u16_m8k16v1(ptr %[[PAYLOAD]], i32 0, i32 0,
; PVC: %[[ONE:.*]] = call spir_func ptr @__builtin_IB_subgroup_copyBlock2DAddressPayload(ptr %[[PAYLOAD]])
; PVC-NEXT: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockX(ptr %[[ONE]], i32 %x1)
; PVC-NOT: setBlock2DAddressPayload
; PVC: block_write_ap_u16_m8k16v1(ptr %[[ONE]], i32 0, i32 0,
; PVC: %[[TWO:.*]] = call spir_func ptr @__builtin_IB_subgroup_copyBlock2DAddressPayload(ptr %[[PAYLOAD]])
; PVC-NEXT: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockX(ptr %[[TWO]], i32 %x1)
; PVC-NEXT: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockY(ptr %[[TWO]], i32 %y1)
; PVC: block_write_ap_u16_m8k16v1(ptr %[[TWO]], i32 0, i32 0,
; CHECK-NOT: Subgroup2DBlockStore
; CHECK: ret void
define spir_kernel void @stores(ptr addrspace(1) %base, i32 %n, i32 %x, i32 %y, ptr %a, ptr %b) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  %x1 = add i32 %x, 16
  %d = insertelement <2 x i32> poison, i32 %x1, i64 0
  %q = insertelement <2 x i32> %d, i32 %y, i64 1
  %y1 = add i32 %y, -8
  %r = insertelement <2 x i32> %d, i32 %y1, i64 1
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %b, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %r)
  ret void
}

; A distance that the instruction does not hold, or that is not known, takes a copy of the first payload, too, from which the next
; distance counts.
; CHECK-LABEL: @far_stores
; XE2: %[[ONE:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload
; XE2: block_write_ap_u16_m8k16v1(ptr %[[ONE]], i32 0, i32 0,
; XE2: %[[TWO:.*]] = call spir_func ptr @__builtin_IB_subgroup_copyBlock2DAddressPayload(ptr %[[ONE]])
; XE2-NEXT: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockY(ptr %[[TWO]], i32 512)
; XE2: block_write_ap_u16_m8k16v1(ptr %[[TWO]], i32 0, i32 0,
; XE2: block_write_ap_u16_m8k16v1(ptr %[[TWO]], i32 0, i32 8,
; XE2: %[[THREE:.*]] = call spir_func ptr @__builtin_IB_subgroup_copyBlock2DAddressPayload(ptr %[[ONE]])
; XE2-NEXT: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockY(ptr %[[THREE]], i32 %y)
; XE2: block_write_ap_u16_m8k16v1(ptr %[[THREE]], i32 0, i32 0,
define spir_kernel void @far_stores(ptr addrspace(1) %base, i32 %n, i32 %x, i32 %y, ptr %a) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 0, i64 1
  %q = insertelement <2 x i32> %c, i32 512, i64 1
  %q1 = insertelement <2 x i32> %c, i32 520, i64 1
  %r = insertelement <2 x i32> %c, i32 %y, i64 1
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q1)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %r)
  ret void
}

; In a loop that leaves the surface alone, the payload of stores is created before it; what the loop changes of the first place
; is written.
; CHECK-LABEL: @stores_in_loop
; XE2: entry:
; XE2: %[[PAYLOAD:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 %x, i32 0, i32 16, i32 8, i32 1)
; XE2: loop:
; XE2-NOT: setBlock2DAddressPayloadBlockX
; XE2: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockY(ptr %[[PAYLOAD]], i32 %y)
; XE2: block_write_ap_u16_m8k16v1(ptr %[[PAYLOAD]], i32 0, i32 0,
; XE2-NOT: setBlock2DAddressPayload
; XE2: block_write_ap_u16_m8k16v1(ptr %[[PAYLOAD]], i32 0, i32 8,
define spir_kernel void @stores_in_loop(ptr addrspace(1) %base, i32 %n, i32 %x, ptr %a) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %c, i32 %y, i64 1
  %y1 = add i32 %y, 8
  %q = insertelement <2 x i32> %c, i32 %y1, i64 1
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q)
  %next = add i32 %y, 16
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The pages of a cache: the loop changes the surface, whose loads share a payload of the iteration, and so do its prefetches. A
; sum of sums of constants is one distance, and an OR that carries nothing is a
; sum. Loads that are in no loop share one, too.
; CHECK-LABEL: @shared_loads
; CHECK: loop:
; CHECK: %[[PAGE:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 %x1, i32 0, i32 8, i32 16, i32 1)
; CHECK: block_read_ap_transpose_u32_m16k8v1(ptr %[[PAGE]], i32 0, i32 0, i32 0)
; XE2: block_read_ap_transpose_u32_m16k8v1(ptr %[[PAGE]], i32 24, i32 0, i32 0)
; PVC: %[[COPY:.*]] = call spir_func ptr @__builtin_IB_subgroup_copyBlock2DAddressPayload(ptr %[[PAGE]])
; PVC-NEXT: call spir_func void @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockX(ptr %[[COPY]], i32 %x2)
; PVC-NEXT: block_read_ap_transpose_u32_m16k8v1(ptr %[[COPY]], i32 0, i32 0, i32 0)
; CHECK: %[[AHEAD:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 %x1, i32 0, i32 32, i32 8, i32 1)
; CHECK: block_read_ap_prefetch_u16_m8k32v1(ptr %[[AHEAD]], i32 0, i32 0, i32 0)
; XE2: block_read_ap_prefetch_u16_m8k32v1(ptr %[[AHEAD]], i32 24, i32 0, i32 0)
; PVC: block_read_ap_prefetch_u16_m8k32v1(ptr %{{.*}}, i32 0, i32 0, i32 0)
; CHECK: end:
; CHECK: %[[LAST:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 %x1, i32 0, i32 8, i32 16, i32 1)
; XE2: block_read_ap_transpose_u32_m16k8v1(ptr %[[LAST]], i32 24, i32 0, i32 0)
; PVC: copyBlock2DAddressPayload(ptr %[[LAST]])
; CHECK: ret void
define spir_kernel void @shared_loads(ptr addrspace(1) %base, i32 %n, i32 %x, ptr %a) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %x1 = or disjoint i32 %x, 8
  %x2 = add i32 %x1, 24
  %c = insertelement <2 x i32> <i32 poison, i32 0>, i32 %x1, i64 0
  %d = insertelement <2 x i32> <i32 poison, i32 0>, i32 %x2, i64 0
  br label %loop
loop:
  %y = phi i32 [ 0, %entry ], [ %next, %loop ]
  %page = getelementptr i8, ptr addrspace(1) %base, i32 %y
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %page, i32 %n, i32 %n, i32 %n, <2 x i32> %c, ptr %a)
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %page, i32 %n, i32 %n, i32 %n, <2 x i32> %d, ptr %a)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %page, i32 %n, i32 %n, i32 %n, <2 x i32> %c)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 2, ptr addrspace(1) %page, i32 %n, i32 %n, i32 %n, <2 x i32> %d)
  %next = add i32 %y, 64
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %c, ptr %a)
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %d, ptr %a)
  ret void
}

; IGC's own registers in a loop with branches may hold the address of another block of code, so that each block has payloads: one
; for its messages on Xe2, and one for each message on Ponte Vecchio if there are enough registers (@few_registers). The payload
; is created before the loop. Both coordinates change in the second block.
; CHECK-LABEL: @branches
; CHECK: entry:
; XE2: %[[ONE:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 0, i32 8, i32 16, i32 8, i32 1)
; XE2: %[[TWO:.*]] = call spir_func ptr @__builtin_IB_subgroup_createBlock2DAddressPayload({{.*}}, i32 0, i32 0, i32 16, i32 8, i32 1)
; PVC-COUNT-3: createBlock2DAddressPayload
; CHECK: first:
; XE2: setBlock2DAddressPayloadBlockX(ptr %[[ONE]], i32 %k)
; XE2-NOT: setBlock2DAddressPayload
; XE2: block_read_ap_u16_m8k16v1(ptr %[[ONE]], i32 0, i32 0, i32 0)
; XE2: block_read_ap_u16_m8k16v1(ptr %[[ONE]], i32 16, i32 0, i32 0)
; PVC-COUNT-2: setBlock2DAddressPayloadBlockX
; CHECK: second:
; XE2: setBlock2DAddressPayloadBlockX(ptr %[[TWO]], i32 %k)
; XE2: setBlock2DAddressPayloadBlockY(ptr %[[TWO]], i32 %k)
; XE2: block_read_ap_u16_m8k16v1(ptr %[[TWO]], i32 0, i32 0, i32 0)
; PVC: setBlock2DAddressPayloadBlockX
; PVC: setBlock2DAddressPayloadBlockY
; CHECK-NOT: Subgroup2DBlockLoad
; CHECK: ret void
; CHECK-LABEL: @few_registers
; PVC-COUNT-2: Subgroup2DBlockLoad
; XE2-NOT: Subgroup2DBlockLoad
; CHECK: ret void
define spir_kernel void @branches(ptr addrspace(1) %base, i32 %n, i32 %some, ptr %to) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %joined ]
  %place = insertelement <2 x i32> <i32 poison, i32 8>, i32 %k, i64 0
  %right = add i32 %k, 16
  %beside = insertelement <2 x i32> <i32 poison, i32 8>, i32 %right, i64 0
  %diagonal = insertelement <2 x i32> %place, i32 %k, i64 1
  %isSome = icmp slt i32 %k, %some
  br i1 %isSome, label %first, label %second
first:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %place, ptr %to)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %beside, ptr %to)
  br label %joined
second:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %diagonal, ptr %to)
  br label %joined
joined:
  %next = add i32 %k, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define spir_kernel void @few_registers(ptr addrspace(1) %base, i32 %n, i32 %some, ptr %to) #2 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %joined ]
  %place = insertelement <2 x i32> <i32 poison, i32 8>, i32 %k, i64 0
  %right = add i32 %k, 16
  %beside = insertelement <2 x i32> <i32 poison, i32 8>, i32 %right, i64 0
  %diagonal = insertelement <2 x i32> %place, i32 %k, i64 1
  %isSome = icmp slt i32 %k, %some
  br i1 %isSome, label %first, label %second
first:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %place, ptr %to)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %beside, ptr %to)
  br label %joined
second:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %diagonal, ptr %to)
  br label %joined
joined:
  %next = add i32 %k, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; IGC's scheduler may copy a payload before its coordinates are written: loads that are far from each other have separate
; payloads.
; CHECK-LABEL: @far_loads
; CHECK: entry:
; CHECK-COUNT-2: createBlock2DAddressPayload
; CHECK-NOT: copyBlock2DAddressPayload
; CHECK: ret void
define spir_kernel void @far_loads(ptr addrspace(1) %base, i32 %n, i32 %some, i32 %x, i32 %y, ptr %to) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %joined ]
  %c = insertelement <2 x i32> poison, i32 %k, i64 0
  %p = insertelement <2 x i32> %c, i32 %x, i64 1
  %q = insertelement <2 x i32> %c, i32 %y, i64 1
  %isSome = icmp slt i32 %k, %some
  br i1 %isSome, label %first, label %joined
first:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %p, ptr %to)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> %q, ptr %to)
  br label %joined
joined:
  %next = add i32 %k, 16
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A single store gains nothing, neither do stores to different surfaces. IGC has no builtin for 8 bits, and none with the cache
; controls of these stores; that for less than a register is wrong.
; CHECK-LABEL: @other_stores
; CHECK-NOT: AddressPayload
; CHECK: ret void
define spir_kernel void @other_stores(ptr addrspace(1) %base, ptr addrspace(1) %other, ptr addrspace(1) %third, i32 %n, ptr %a) #0 !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %other, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 1, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 1, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> <i32 16, i32 0>)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %third, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer), !spirv.DecorationCacheControlINTEL !6
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %a, ptr addrspace(1) %third, i32 %n, i32 %n, i32 %n, <2 x i32> <i32 16, i32 0>), !spirv.DecorationCacheControlINTEL !6
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 1, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer)
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 1, i32 1, ptr %a, ptr addrspace(1) %base, i32 %n, i32 %n, i32 %n, <2 x i32> <i32 16, i32 0>)
  ret void
}

attributes #0 = { "triton-xe-live-bytes"="640" "triton-xe-registers"="128" }
attributes #1 = { "triton-xe-live-bytes"="7040" "triton-xe-registers"="128" }
attributes #2 = { "triton-xe-live-bytes"="8192" "triton-xe-registers"="128" }

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
!2 = !{!3, !4}
!3 = !{i32 6442, i32 0, i32 1, i32 4}
!4 = !{i32 6442, i32 1, i32 1, i32 4}
!5 = !{i32 6443, i32 0, i32 3, i32 5}
!6 = !{!5, !7}
!7 = !{i32 6443, i32 1, i32 2, i32 5}
