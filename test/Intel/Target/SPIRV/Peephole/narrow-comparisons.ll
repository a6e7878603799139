; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; CPU-LABEL: @position
; CPU: icmp slt <4 x i64>

; A position below an end: the sum does not overflow, as its bits are known to be 0.
; CHECK-LABEL: @position
; CHECK: shl i32 %step, 5
; CHECK-NOT: {{(sext|or|add)}} {{.*}}i64
; CHECK: icmp slt <4 x i32>
define spir_kernel void @position(i32 %step, i32 %end, ptr addrspace(1) %to) {
  %k = shl i32 %step, 5
  %w = sext i32 %k to i64
  %i = insertelement <4 x i64> poison, i64 %w, i32 0
  %s = shufflevector <4 x i64> %i, <4 x i64> poison, <4 x i32> zeroinitializer
  %n = or disjoint <4 x i64> %s, <i64 8, i64 9, i64 10, i64 11>
  %e = sext i32 %end to i64
  %j = insertelement <4 x i64> poison, i64 %e, i32 0
  %t = shufflevector <4 x i64> %j, <4 x i64> poison, <4 x i32> zeroinitializer
  %c = icmp slt <4 x i64> %n, %t
  %r = select <4 x i1> %c, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> zeroinitializer
  store volatile <4 x i32> %r, ptr addrspace(1) %to
  ret void
}

; Numbers that are not negative have an order without a sign. A number that is no extension is truncated if it is one for
; all elements.
; CHECK-LABEL: @unsigned
; CHECK: %[[LESS:.*]] = trunc i64 %{{.*}} to i32
; CHECK: icmp ult i32 %{{.*}}, %{{.*}}
define spir_kernel void @unsigned(i64 %x, i16 %y, ptr addrspace(1) %to) {
  %less = call i64 @llvm.umin.i64(i64 %x, i64 2147483584)
  %w = zext i16 %y to i64
  %c = icmp ult i64 %w, %less
  %r = zext i1 %c to i32
  store volatile i32 %r, ptr addrspace(1) %to
  ret void
}

; A sum may overflow 32 bits, and zeros extend a number that may be negative.
; CHECK-LABEL: @wide
; CHECK: icmp slt i64
; CHECK: icmp slt i64
define spir_kernel void @wide(i32 %x, i32 %y, ptr addrspace(1) %to) {
  %w = sext i32 %x to i64
  %n = add i64 %w, 8
  %e = sext i32 %y to i64
  %c = icmp slt i64 %n, %e
  %r = zext i1 %c to i32
  store volatile i32 %r, ptr addrspace(1) %to
  %z = zext i32 %x to i64
  %d = icmp slt i64 %e, %z
  %q = zext i1 %d to i32
  store volatile i32 %q, ptr addrspace(1) %to
  ret void
}

; Addresses need the sum of each lane in 64 bits as well: one of 32 bits would be kept next to it.
; CHECK-LABEL: @addresses
; CHECK: icmp slt <4 x i64>
define spir_kernel void @addresses(<4 x i32> %x, i32 %end, ptr addrspace(1) %to, i64 %base) {
  %k = shl <4 x i32> %x, splat (i32 5)
  %w = sext <4 x i32> %k to <4 x i64>
  %n = or disjoint <4 x i64> %w, splat (i64 8)
  %e = sext i32 %end to i64
  %j = insertelement <4 x i64> poison, i64 %e, i32 0
  %t = shufflevector <4 x i64> %j, <4 x i64> poison, <4 x i32> zeroinitializer
  %c = icmp slt <4 x i64> %n, %t
  %r = select <4 x i1> %c, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> zeroinitializer
  store volatile <4 x i32> %r, ptr addrspace(1) %to
  store volatile <4 x i64> %n, ptr addrspace(1) %to
  ret void
}

declare i64 @llvm.umin.i64(i64, i64)
