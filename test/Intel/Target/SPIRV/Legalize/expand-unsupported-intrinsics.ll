; RUN: triton-xe-translate --llvmir-optimize --opt-level=0 %s | FileCheck %s

; A NaN in either operand wins, and the bits distinguish -0 from +0.
; CHECK-LABEL: define float @minimum
; CHECK-DAG: call float @llvm.minnum.f32(float %a, float %b)
; CHECK-DAG: or i32
; CHECK-DAG: fcmp uno float %a, %b
; CHECK: select i1 %{{.*}}, float 0x7FF8000000000000
define float @minimum(float %a, float %b) {
  %r = call float @llvm.minimum.f32(float %a, float %b)
  ret float %r
}

; A NaN loses against a number, as in fmax, but the zeros are ordered.
; CHECK-LABEL: define float @maximum_number
; CHECK-DAG: call float @llvm.maxnum.f32(float %a, float %b)
; CHECK-DAG: and i32
; CHECK-NOT: fcmp uno
; CHECK: ret float
define float @maximum_number(float %a, float %b) {
  %r = call float @llvm.maximumnum.f32(float %a, float %b)
  ret float %r
}

; Without NaNs and signed zeros nothing is left to do.
; CHECK-LABEL: define float @maximum_fast
; CHECK-NEXT: call nnan nsz float @llvm.maxnum.f32(float %a, float %b)
; CHECK-NEXT: ret float
define float @maximum_fast(float %a, float %b) {
  %r = call nnan nsz float @llvm.maximum.f32(float %a, float %b)
  ret float %r
}

; Narrow products overflow in twice the width, 64 bits in the upper half.
; CHECK-LABEL: define i1 @multiply_i32
; CHECK: mul i64
; CHECK-NOT: with.overflow
define i1 @multiply_i32(i32 %a, i32 %b) {
  %pair = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %overflow = extractvalue { i32, i1 } %pair, 1
  ret i1 %overflow
}

; CHECK-LABEL: define i1 @multiply_i64
; CHECK: call spir_func i64 @_Z6mul_hill(i64 %a, i64 %b)
define i1 @multiply_i64(i64 %a, i64 %b) {
  %pair = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %overflow = extractvalue { i64, i1 } %pair, 1
  ret i1 %overflow
}

; The result for a product of 128 bits in a library.
; CHECK-LABEL: define i64 @upper_half
; CHECK-NEXT: call spir_func i64 @_Z6mul_himm(i64 %a, i64 %b)
; CHECK-NEXT: ret i64
define i64 @upper_half(i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %product = mul i128 %x, %y
  %shifted = lshr i128 %product, 64
  %r = trunc i128 %shifted to i64
  ret i64 %r
}

; CHECK-LABEL: define i16 @reverse
; CHECK: and i16 %{{.*}}, 21845
; CHECK: and i16 %{{.*}}, 13107
; CHECK: and i16 %{{.*}}, 3855
; CHECK: call i16 @llvm.bswap.i16
define i16 @reverse(i16 %x) {
  %r = call i16 @llvm.bitreverse.i16(i16 %x)
  ret i16 %r
}

; Element by element: IGC emits nothing for vectors.
; CHECK-LABEL: define <2 x i32> @swap
; CHECK-COUNT-2: call i32 @llvm.bswap.i32
; CHECK-NOT: call
; CHECK: ret
define <2 x i32> @swap(<2 x i32> %x) {
  %r = call <2 x i32> @llvm.bswap.v2i32(<2 x i32> %x)
  ret <2 x i32> %r
}

; CHECK-LABEL: define <4 x float> @power
; CHECK: call spir_func <4 x float> @_Z4pownDv4_fDv4_i(<4 x float> %x, <4 x i32>
define <4 x float> @power(<4 x float> %x, i32 %n) {
  %r = call <4 x float> @llvm.powi.v4f32.i32(<4 x float> %x, i32 %n)
  ret <4 x float> %r
}

; CHECK-LABEL: define float @scale
; CHECK-NEXT: call spir_func float @_Z5ldexpfi(float %x, i32 %n)
define float @scale(float %x, i32 %n) {
  %r = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  ret float %r
}

; Operations that the backend translates well are left to it.
; CHECK-LABEL: define float @kept
; CHECK-NEXT: call float @llvm.fma.f32
define float @kept(float %x) {
  %r = call float @llvm.fma.f32(float %x, float %x, float %x)
  ret float %r
}
