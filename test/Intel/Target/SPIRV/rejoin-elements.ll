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

; A computed pair that is a whole register: behind a call it is put together where it is computed, else where it is used.
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
