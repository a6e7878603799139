; RUN: triton-xe-translate --llvmir-optimize %s | FileCheck %s

; Halves of registers that were moved around in pairs are the registers; those that are wanted come out of the vector that
; has them.
; CHECK-LABEL: @pairs
; CHECK-NEXT: %[[W:.*]] = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 2, i32 0>
; CHECK-NEXT: ret <2 x i32> %[[W]]
define <2 x i32> @pairs(<4 x i32> %v) {
  %h = bitcast <4 x i32> %v to <8 x half>
  %s = shufflevector <8 x half> %h, <8 x half> poison, <4 x i32> <i32 4, i32 5, i32 0, i32 1>
  %w = bitcast <4 x half> %s to <2 x i32>
  ret <2 x i32> %w
}

; Two scalars whose halves were interleaved in a tensor's order, and are taken apart again.
; CHECK-LABEL: @interleaved
; CHECK-NOT: shufflevector
; CHECK: insertelement <2 x i32> poison, i32 %x
; CHECK: insertelement <2 x i32> {{.*}}, i32 %y
; CHECK-NOT: half
; CHECK: ret <2 x i32>
define <2 x i32> @interleaved(i32 %x, i32 %y, i32 %z) {
  %hx = bitcast i32 %x to <2 x half>
  %hy = bitcast i32 %y to <2 x half>
  %hz = bitcast i32 %z to <2 x half>
  %xz = shufflevector <2 x half> %hx, <2 x half> %hz, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  %yz = shufflevector <2 x half> %hy, <2 x half> %hz, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  %s = shufflevector <4 x half> %xz, <4 x half> %yz, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %w = bitcast <4 x half> %s to <2 x i32>
  ret <2 x i32> %w
}

; Neighbours along K of an 8-bit left operand that came in different messages: bytes 0 and 2 of two registers together, and
; bytes 1 and 3.
; CHECK-LABEL: @byte_pairs
; CHECK-DAG: %[[H:.*]] = shl i32 %y, 8
; CHECK-DAG: %[[LM:.*]] = and i32 %x, 16711935
; CHECK-DAG: %[[HM:.*]] = and i32 %[[H]], -16711936
; CHECK: %[[EVEN:.*]] = or {{.*}}i32 %[[LM]], %[[HM]]
; CHECK: %[[L2:.*]] = lshr i32 %x, 8
; CHECK-NOT: i8
; CHECK: ret <4 x i16>
define <4 x i16> @byte_pairs(i32 %x, i32 %y) {
  %bx = bitcast i32 %x to <4 x i8>
  %by = bitcast i32 %y to <4 x i8>
  %s = shufflevector <4 x i8> %bx, <4 x i8> %by, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  %w = bitcast <8 x i8> %s to <4 x i16>
  ret <4 x i16> %w
}

; Other bytes of each: they are moved one by one.
; CHECK-LABEL: @other_bytes
; CHECK: bitcast <4 x i8> %{{.*}} to <2 x i16>
define <2 x i16> @other_bytes(i32 %x, i32 %y) {
  %bx = bitcast i32 %x to <4 x i8>
  %by = bitcast i32 %y to <4 x i8>
  %s = shufflevector <4 x i8> %bx, <4 x i8> %by, <4 x i32> <i32 0, i32 5, i32 1, i32 6>
  %w = bitcast <4 x i8> %s to <2 x i16>
  ret <2 x i16> %w
}

; A computed pair that is a whole register: after a call it is combined where it
; is computed, else where it is used.
; CHECK-LABEL: @far_and_near
; CHECK: %[[F:.*]] = fmul <2 x half> %x
; CHECK-NEXT: %[[W:.*]] = bitcast <2 x half> %[[F]] to i32
; CHECK: call void @other
; CHECK: %[[N:.*]] = fmul <2 x half> %x
; CHECK-NOT: bitcast <2 x half> %[[N]] to i32
; CHECK: ret
define { <2 x i32>, <2 x i32> } @far_and_near(<2 x half> %x, <2 x half> %y) {
  %f = fmul <2 x half> %x, splat (half 2.0)
  %g = fmul <2 x half> %y, splat (half 2.0)
  call void @other()
  %n = fmul <2 x half> %x, splat (half 3.0)
  %m = fmul <2 x half> %y, splat (half 3.0)
  %fg = shufflevector <2 x half> %f, <2 x half> %g, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %nm = shufflevector <2 x half> %n, <2 x half> %m, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %a = bitcast <4 x half> %fg to <2 x i32>
  %b = bitcast <4 x half> %nm to <2 x i32>
  %r = insertvalue { <2 x i32>, <2 x i32> } poison, <2 x i32> %a, 0
  %s = insertvalue { <2 x i32>, <2 x i32> } %r, <2 x i32> %b, 1
  ret { <2 x i32>, <2 x i32> } %s
}

declare void @other()

; Not a whole register: bytes of two values.
; CHECK-LABEL: @mixed
; CHECK: bitcast <2 x half> %{{.*}} to i32
define i32 @mixed(i32 %x, i32 %y) {
  %hx = bitcast i32 %x to <2 x half>
  %hy = bitcast i32 %y to <2 x half>
  %s = shufflevector <2 x half> %hx, <2 x half> %hy, <2 x i32> <i32 0, i32 3>
  %w = bitcast <2 x half> %s to i32
  ret i32 %w
}

; Loads of halves that end in pairs of 32 bits load these.
; CHECK-LABEL: @loaded_pairs
; CHECK: %[[A:.*]] = load <4 x i32>, ptr addrspace(3) %p, align 16
; CHECK: %[[B:.*]] = load <4 x i32>, ptr addrspace(3) %q, align 16
; CHECK-NOT: i16
; CHECK: ret <8 x i32>
define <8 x i32> @loaded_pairs(ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %a = load <8 x i16>, ptr addrspace(3) %p, align 16
  %b = load <8 x i16>, ptr addrspace(3) %q, align 16
  %s = shufflevector <8 x i16> %a, <8 x i16> %b, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %w = bitcast <16 x i16> %s to <8 x i32>
  ret <8 x i32> %w
}

; One pair is a scalar, and what is known of the load stays known.
; CHECK-LABEL: @loaded_pair
; CHECK: load i32, ptr addrspace(1) %p, align 4, !nontemporal
; CHECK: load i32, ptr addrspace(1) %q, align 4
; CHECK-NOT: i16
; CHECK: ret <2 x i32>
define <2 x i32> @loaded_pair(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load <2 x i16>, ptr addrspace(1) %p, align 4, !nontemporal !0
  %b = load <2 x i16>, ptr addrspace(1) %q, align 4
  %s = shufflevector <2 x i16> %a, <2 x i16> %b, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %w = bitcast <4 x i16> %s to <2 x i32>
  ret <2 x i32> %w
}
!0 = !{i32 1}

; Not where halves are computed with, where pairs come from two loads, or where
; memory may change at any time.
; CHECK-LABEL: @loaded_halves
; CHECK: load <2 x i16>, ptr addrspace(3) %p
; CHECK-LABEL: @loaded_parts
; CHECK-COUNT-2: load <2 x i16>, ptr addrspace(3)
; CHECK-LABEL: @loaded_volatile
; CHECK: load volatile <4 x i16>, ptr addrspace(3) %p
define { i32, <2 x i16> } @loaded_halves(ptr addrspace(3) %p, <2 x i16> %y) {
  %a = load <2 x i16>, ptr addrspace(3) %p, align 4
  %w = bitcast <2 x i16> %a to i32
  %b = add <2 x i16> %a, %y
  %r = insertvalue { i32, <2 x i16> } poison, i32 %w, 0
  %s = insertvalue { i32, <2 x i16> } %r, <2 x i16> %b, 1
  ret { i32, <2 x i16> } %s
}
define i32 @loaded_parts(ptr addrspace(3) %p, ptr addrspace(3) %q) {
  %a = load <2 x i16>, ptr addrspace(3) %p, align 4
  %b = load <2 x i16>, ptr addrspace(3) %q, align 4
  %s = shufflevector <2 x i16> %a, <2 x i16> %b, <2 x i32> <i32 0, i32 3>
  %w = bitcast <2 x i16> %s to i32
  ret i32 %w
}
define <2 x i32> @loaded_volatile(ptr addrspace(3) %p) {
  %a = load volatile <4 x i16>, ptr addrspace(3) %p, align 8
  %w = bitcast <4 x i16> %a to <2 x i32>
  ret <2 x i32> %w
}
