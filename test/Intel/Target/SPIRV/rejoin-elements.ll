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
