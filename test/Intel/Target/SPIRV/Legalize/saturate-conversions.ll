; RUN: triton-xe-translate --llvmir-optimize --opt-level=0 %s | FileCheck %s --check-prefixes=CHECK,PLAIN
; RUN: triton-xe-translate --llvmir-optimize --opt-level=3 %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-optimize --opt-level=0 %s | FileCheck %s --check-prefix=NONE

; No conversion is left whose result depends on the device, and none that takes a GPU's compiler twice as long.
; NONE-NOT: fptosi.sat
; NONE-NOT: fptoui.sat

; Positive and negative numbers apart: NaN is 0 to both. The highest i32 is no f32.
; CHECK-LABEL: define i32 @signed(
; PLAIN-NEXT: %[[POSITIVE:.*]] = call float @llvm.maxnum.f32(float %x, float 0.0
; PLAIN-NEXT: %[[HIGH:.*]] = call float @llvm.minnum.f32(float %[[POSITIVE]], float 0x41DFFFFFE0000000)
; PLAIN-NEXT: %[[NEGATIVE:.*]] = call float @llvm.minnum.f32(float %x, float 0.0
; PLAIN-NEXT: %[[LOW:.*]] = call float @llvm.maxnum.f32(float %[[NEGATIVE]], float 0xC1E0000000000000)
; PLAIN-NEXT: %[[SUM:.*]] = fadd float %[[HIGH]], %[[LOW]]
; PLAIN-NEXT: %[[INTEGER:.*]] = fptosi float %[[SUM]] to i32
; PLAIN-NEXT: %[[BEYOND:.*]] = fcmp ogt float %x, 0x41DFFFFFE0000000
; PLAIN-NEXT: select i1 %[[BEYOND]], i32 2147483647, i32 %[[INTEGER]]
define i32 @signed(float %x) {
  %i = fptosi float %x to i32
  ret i32 %i
}

; Vectors of narrow integers, whose bounds are floats; halves have fewer bits, so by way of f32.
; CHECK-LABEL: define <8 x i8> @unsigned_vector(
; CHECK: %[[WIDE:.*]] = fpext <8 x half> %x to <8 x float>
; CHECK: call <8 x float> @llvm.maxnum.v8f32(<8 x float> %[[WIDE]], <8 x float> {{zeroinitializer|splat}}
; CHECK: %[[BOUNDED:.*]] = call <8 x float> @llvm.minnum.v8f32({{.*}}, <8 x float> splat (float 2.55
; CHECK-NEXT: %[[INTEGERS:.*]] = fptoui <8 x float> %[[BOUNDED]] to <8 x i8>
; CHECK-NEXT: ret <8 x i8> %[[INTEGERS]]
define <8 x i8> @unsigned_vector(<8 x half> %x) {
  %i = fptoui <8 x half> %x to <8 x i8>
  ret <8 x i8> %i
}

; The highest i32 is an f64, the highest u64 is none.
; CHECK-LABEL: define i32 @exact(
; CHECK-NOT: fcmp
; CHECK-LABEL: define i64 @inexact(
; CHECK: fcmp ogt double %x, 0x43EFFFFFFFFFFFFF
define i32 @exact(double %x) {
  %i = fptosi double %x to i32
  ret i32 %i
}
define i64 @inexact(double %x) {
  %i = fptoui double %x to i64
  ret i64 %i
}

; Constants fold to the same; without the pass they were poison.
; CHECK-LABEL: define i32 @constant(
; CHECK-NEXT: ret i32 2147483647
define i32 @constant() {
  %i = fptosi float 0x4630000000000000 to i32
  ret i32 %i
}
