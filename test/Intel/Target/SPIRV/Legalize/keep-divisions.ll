; RUN: triton-xe-translate --llvmir-optimize --opt-level=3 %s | FileCheck %s

; A GPU does not round f32 quotients correctly: what is divided in f64 stays so, though both numbers are f32.
; CHECK-LABEL: @quotient
; CHECK: %[[SCALED:.*]] = fmul double %{{.*}}, 0x43F0000000000000
; CHECK: %[[QUOTIENT:.*]] = fdiv double %[[SCALED]], %{{.*}}
; CHECK: %[[RESULT:.*]] = fmul double %[[QUOTIENT]], 0x3BF0000000000000
; CHECK: fptrunc double %[[RESULT]] to float
define spir_kernel void @quotient(ptr addrspace(1) %p, float %x, float %y) {
  %a = fpext float %x to double
  %b = fpext float %y to double
  %q = fdiv double %a, %b
  %r = fptrunc double %q to float
  store float %r, ptr addrspace(1) %p
  ret void
}

; The same of vectors, and by or of a constant that is an f32.
; CHECK-LABEL: @constants
; CHECK-NOT: fdiv {{.*}}float
; CHECK: fdiv <2 x double>
; CHECK: fdiv <2 x double>
; CHECK-NOT: fdiv {{.*}}float
define spir_kernel void @constants(ptr addrspace(1) %p, <2 x float> %x) {
  %a = fpext <2 x float> %x to <2 x double>
  %q = fdiv <2 x double> %a, <double 3.0, double 0.5>
  %r = fptrunc <2 x double> %q to <2 x float>
  store <2 x float> %r, ptr addrspace(1) %p
  %i = fdiv <2 x double> splat (double 1.0), %a
  %s = fptrunc <2 x double> %i to <2 x float>
  %end = getelementptr i8, ptr addrspace(1) %p, i64 8
  store <2 x float> %s, ptr addrspace(1) %end
  ret void
}

; LLVM keeps quotients of numbers that no f32 has, and whose exponents may be any.
; CHECK-LABEL: @doubles
; CHECK-NOT: fmul
; CHECK: fdiv double %x, %b
; CHECK-NOT: fmul
; CHECK: fdiv double %b, 1.000000e+300
; CHECK-NOT: fmul
; CHECK: ret void
define spir_kernel void @doubles(ptr addrspace(1) %p, double %x, float %y) {
  %b = fpext float %y to double
  %q = fdiv double %x, %b
  %r = fptrunc double %q to float
  store float %r, ptr addrspace(1) %p
  %h = fdiv double %b, 1.0e300
  %s = fptrunc double %h to float
  %end = getelementptr i8, ptr addrspace(1) %p, i64 4
  store float %s, ptr addrspace(1) %end
  ret void
}

; A value that is not rounded is no quotient of f32.
; CHECK-LABEL: @exact
; CHECK-NOT: fmul
; CHECK: fdiv double
; CHECK-NOT: fmul
; CHECK: ret void
define spir_kernel void @exact(ptr addrspace(1) %p, float %x, float %y) {
  %a = fpext float %x to double
  %b = fpext float %y to double
  %q = fdiv double %a, %b
  store double %q, ptr addrspace(1) %p
  ret void
}
