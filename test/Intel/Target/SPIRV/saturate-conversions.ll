; RUN: triton-xe-translate --llvmir-optimize --opt-level=0 %s | FileCheck %s --check-prefixes=CHECK,PLAIN
; RUN: triton-xe-translate --llvmir-optimize --opt-level=3 %s | FileCheck %s --check-prefixes=CHECK,OPTIMIZED
; RUN: triton-xe-translate --llvmir-optimize %s | triton-xe-translate --llvmir-to-spirv - | spirv-dis | FileCheck %s --check-prefix=SPIRV

; No conversion is left whose result depends on the device.
; CHECK-LABEL: define i32 @signed(
; PLAIN-NEXT: %[[ORDERED:.*]] = fcmp ord float %x, %x
; PLAIN-NEXT: %[[NUMBER:.*]] = select i1 %[[ORDERED]], float %x, float 0.0
; PLAIN-NEXT: call i32 @llvm.fptosi.sat.i32.f32(float %[[NUMBER]])
; OPTIMIZED-NEXT: fcmp ord
; OPTIMIZED-NEXT: %[[I:.*]] = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; OPTIMIZED-NEXT: select i1 {{.*}}, i32 %[[I]], i32 0
define i32 @signed(float %x) {
  %i = fptosi float %x to i32
  ret i32 %i
}

; The same for vectors, other widths and unsigned integers.
; CHECK-LABEL: define <8 x i8> @unsigned_vector(
; CHECK: fcmp ord <8 x half>
; CHECK: call <8 x i8> @llvm.fptoui.sat.v8i8.v8f16(
define <8 x i8> @unsigned_vector(<8 x half> %x) {
  %i = fptoui <8 x half> %x to <8 x i8>
  ret <8 x i8> %i
}

; Constants fold to the same; without the pass they were poison.
; CHECK-LABEL: define i32 @constant(
; CHECK-NEXT: ret i32 2147483647
define i32 @constant() {
  %i = fptosi float 0x4630000000000000 to i32
  ret i32 %i
}

; It is one instruction of the device.
; SPIRV: OpDecorate %[[RESULT:.*]] SaturatedConversion
; SPIRV: %[[RESULT]] = OpConvertFToS
define spir_kernel void @kernel(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %i = fptosi float %x to i32
  store i32 %i, ptr addrspace(1) %p
  ret void
}
