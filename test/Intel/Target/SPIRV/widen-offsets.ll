; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The CPU's own code generator has use for offsets of 32 bits.
; CPU-NOT: sext i32 %lane

; A lane's number, the counter of a loop and constants: the address of the lane is made once, and every element is a constant
; away. The mask keeps its number.
; CHECK-LABEL: @elements
; CHECK-DAG: %[[LANE:.*]] = sext i32 %lane to i64
; CHECK-DAG: %[[START:.*]] = sext i32 %start to i64
; CHECK: %[[SUM:.*]] = add {{.*}}%[[LANE]], %[[START]]
; CHECK: %[[BYTES:.*]] = shl {{.*}}%[[SUM]], 1
; CHECK: %[[FIRST:.*]] = add i64 %[[BYTES]], %base
; CHECK-NOT: sext <4 x i32>
; CHECK: icmp slt <4 x i32> %n
; CHECK: inttoptr i64 %[[FIRST]]
; CHECK: %[[LAST:.*]] = add i64 %[[FIRST]], 384
; CHECK: inttoptr i64 %[[LAST]]
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
; CHECK: mul <4 x i32>
; CHECK: add <4 x i32> %x, %y
; CHECK-COUNT-2: sext i32
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
