; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The CPU's own code generator has use for offsets of 32 bits.
; CPU-NOT: sext i32 %lane

; A lane's number, the counter of a loop and constants: the address of the lane is made once, and every element is a constant
; away. The mask keeps its number.
; CHECK-LABEL: @elements
; CHECK: %[[LANE:.*]] = sext i32 %lane to i64
; CHECK: %[[L:.*]] = shl i64 %[[LANE]], 1
; CHECK: %[[START:.*]] = sext i32 %start to i64
; CHECK: %[[S:.*]] = shl i64 %[[START]], 1
; CHECK: %[[SUM:.*]] = add i64 %[[L]], %[[S]]
; CHECK: %[[FIRST:.*]] = add i64 %[[SUM]], %base
; CHECK-NOT: sext <4 x i32>
; CHECK: add <4 x i64> %{{.*}}, <i64 0, i64 128, i64 256, i64 384>
; CHECK: icmp slt <4 x i32> %n
; CHECK: inttoptr i64 %[[FIRST]]
; CHECK: ret void
define spir_kernel void @elements(i64 %base, i32 %lane, i32 %start, i32 %end, ptr addrspace(1) %out) {
  %i = insertelement <4 x i32> poison, i32 %lane, i64 0
  %l = shufflevector <4 x i32> %i, <4 x i32> poison, <4 x i32> zeroinitializer
  %j = insertelement <4 x i32> poison, i32 %start, i64 0
  %s = shufflevector <4 x i32> %j, <4 x i32> poison, <4 x i32> zeroinitializer
  %k = insertelement <4 x i64> poison, i64 %base, i64 0
  %b = shufflevector <4 x i64> %k, <4 x i64> poison, <4 x i32> zeroinitializer
  %e = insertelement <4 x i32> poison, i32 %end, i64 0
  %m = shufflevector <4 x i32> %e, <4 x i32> poison, <4 x i32> zeroinitializer
  %r = add <4 x i32> %l, <i32 0, i32 64, i32 128, i32 192>
  %n = add <4 x i32> %r, %s
  %w = sext <4 x i32> %n to <4 x i64>
  %o = shl <4 x i64> %w, splat (i64 1)
  %a = add <4 x i64> %o, %b
  %c = icmp slt <4 x i32> %n, %m
  %a0 = extractelement <4 x i64> %a, i64 0
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %v0 = load i16, ptr addrspace(1) %p0
  store i16 %v0, ptr addrspace(1) %out
  %a3 = extractelement <4 x i64> %a, i64 3
  %p3 = inttoptr i64 %a3 to ptr addrspace(1)
  %v3 = load i16, ptr addrspace(1) %p3
  %q3 = getelementptr i16, ptr addrspace(1) %out, i64 1
  store i16 %v3, ptr addrspace(1) %q3
  %f = zext <4 x i1> %c to <4 x i8>
  %q = getelementptr i16, ptr addrspace(1) %out, i64 2
  store <4 x i8> %f, ptr addrspace(1) %q
  ret void
}

; A number that is stored, too, is the one of 32 bits; of products nothing is known, nor of two vectors.
; CHECK-LABEL: @values
; CHECK: add <4 x i32> %x, <i32 0, i32 64
; CHECK: sext <4 x i32> %n
; CHECK: %[[PRODUCT:.*]] = mul <4 x i32>
; CHECK: sext <4 x i32> %[[PRODUCT]]
; CHECK: %[[SUM:.*]] = add <4 x i32> %x, %y
; CHECK: sext <4 x i32> %[[SUM]]
; CHECK: ret void
define spir_kernel void @values(i64 %base, <4 x i32> %x, <4 x i32> %y, ptr addrspace(1) %out) {
  %k = insertelement <4 x i64> poison, i64 %base, i64 0
  %b = shufflevector <4 x i64> %k, <4 x i64> poison, <4 x i32> zeroinitializer
  %n = add <4 x i32> %x, <i32 0, i32 64, i32 128, i32 192>
  %w = sext <4 x i32> %n to <4 x i64>
  store <4 x i64> %w, ptr addrspace(1) %out
  %product = mul <4 x i32> %x, %y
  %w1 = sext <4 x i32> %product to <4 x i64>
  %sum = add <4 x i32> %x, %y
  %w2 = sext <4 x i32> %sum to <4 x i64>
  %a = add <4 x i64> %w, %b
  %a1 = add <4 x i64> %w1, %a
  %a2 = add <4 x i64> %w2, %a1
  %e = extractelement <4 x i64> %a2, i64 2
  %p = inttoptr i64 %e to ptr addrspace(1)
  store i8 0, ptr addrspace(1) %p
  ret void
}

; The parts that the loop does not change are added up first, the tensor and the lane. The row comes after them. The
; pointer to the row is taken apart for it. LLVM's own passes move the first sum out of the loop, or the device compiler.
; CHECK-LABEL: @rows
; CHECK: loop:
; CHECK: %[[OFFSET:.*]] = mul i64 %row, %pitch
; CHECK-NOT: getelementptr
; CHECK: %[[TENSOR:.*]] = ptrtoint ptr addrspace(1) %tensor to i64
; CHECK: %[[FIXED:.*]] = add i64 %{{.*}}, %[[TENSOR]]
; CHECK: %[[BYTES:.*]] = shl i64 %[[OFFSET]], 1
; CHECK: %[[SUM:.*]] = add i64 %[[FIXED]], %[[BYTES]]
; CHECK: insertelement <2 x i64> poison, i64 %[[SUM]]
; CHECK: add <2 x i64> %{{.*}}, <i64 0, i64 32>
; CHECK: ret void
define spir_kernel void @rows(ptr addrspace(1) %tensor, i32 %lane, i64 %pitch, i64 %end) {
entry:
  %i = insertelement <2 x i32> poison, i32 %lane, i64 0
  %l = shufflevector <2 x i32> %i, <2 x i32> poison, <2 x i32> zeroinitializer
  %n = add <2 x i32> %l, <i32 0, i32 16>
  %w = sext <2 x i32> %n to <2 x i64>
  %o = shl <2 x i64> %w, splat (i64 1)
  br label %loop
loop:
  %row = phi i64 [ 0, %entry ], [ %next, %loop ]
  %offset = mul i64 %row, %pitch
  %p = getelementptr i16, ptr addrspace(1) %tensor, i64 %offset
  %q = ptrtoint ptr addrspace(1) %p to i64
  %k = insertelement <2 x i64> poison, i64 %q, i64 0
  %b = shufflevector <2 x i64> %k, <2 x i64> poison, <2 x i32> zeroinitializer
  %a = add <2 x i64> %o, %b
  %a0 = extractelement <2 x i64> %a, i64 0
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  store i16 1, ptr addrspace(1) %p0
  %a1 = extractelement <2 x i64> %a, i64 1
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  store i16 2, ptr addrspace(1) %p1
  %next = add i64 %row, 1
  %c = icmp slt i64 %next, %end
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A disjunction that adds is a sum, for the lane and for its elements. Fields of words that are put together stay.
; CHECK-LABEL: @positions
; CHECK: add i32 %{{.*}}, %lane
; CHECK: add <2 x i32> %{{.*}}, <i32 0, i32 64>
; CHECK: or disjoint <2 x i32> %low, %high
; CHECK: ret void
define spir_kernel void @positions(i32 %group, <2 x i32> %word, ptr addrspace(1) %out, ptr addrspace(1) %out2) {
  %lane = call spir_func range(i32 0, 16) i32 @_Z22get_sub_group_local_idv()
  %g = and i32 %group, 3
  %start = shl i32 %g, 4
  %position = or disjoint i32 %start, %lane
  %i = insertelement <2 x i32> poison, i32 %position, i64 0
  %p = shufflevector <2 x i32> %i, <2 x i32> poison, <2 x i32> zeroinitializer
  %positions = or disjoint <2 x i32> %p, <i32 0, i32 64>
  store <2 x i32> %positions, ptr addrspace(1) %out
  %low = and <2 x i32> %word, splat (i32 15)
  %high = shl <2 x i32> %word, splat (i32 4)
  %fields = or disjoint <2 x i32> %low, %high
  store <2 x i32> %fields, ptr addrspace(1) %out2
  ret void
}

declare spir_func i32 @_Z22get_sub_group_local_idv()
