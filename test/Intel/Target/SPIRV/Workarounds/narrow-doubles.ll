; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; Values of a vector by themselves, as assembly: what the device compiler joins, it reads from wrong registers.
; CHECK-LABEL: @single
; CHECK-COUNT-2: call i32 asm "{{.*}}mov (M1, 16) NARROW(0,0)<1> $1(0,0)<1;1,0>{{.*}}", "=rw,rw"(double
; CHECK-NOT: fptrunc
; CHECK: call i32 asm
; CHECK-NOT: fptrunc
; The CPU device's compiler converts the vector.
; CPU-LABEL: @single
; CPU: fptrunc <2 x double> %{{.*}} to <2 x float>
define spir_kernel void @single(ptr addrspace(1) %from, ptr addrspace(1) %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %wide = load <2 x double>, ptr addrspace(1) %from
  %narrow = fptrunc <2 x double> %wide to <2 x float>
  store <2 x float> %narrow, ptr addrspace(1) %to
  %first = extractelement <2 x double> %wide, i32 0
  %one = fptrunc double %first to float
  %next = getelementptr i8, ptr addrspace(1) %to, i64 64
  store float %one, ptr addrspace(1) %next
  ret void
}

; To f16 by way of f32, which is rounded to odd.
; CHECK-LABEL: @half
; CHECK: call i32 asm
; CHECK: fpext float %{{.*}} to double
; CHECK: fptrunc float %{{.*}} to half
; CHECK-NOT: fptrunc double
define spir_kernel void @half(ptr addrspace(1) %from, ptr addrspace(1) %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %wide = load double, ptr addrspace(1) %from
  %narrow = fptrunc double %wide to half
  store half %narrow, ptr addrspace(1) %to
  ret void
}

; Other conversions are as they were.
; CHECK-LABEL: @others
; CHECK: fptrunc <2 x float> %{{.*}} to <2 x half>
; CHECK-NOT: asm
define spir_kernel void @others(ptr addrspace(1) %from, ptr addrspace(1) %to) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %wide = load <2 x float>, ptr addrspace(1) %from
  %narrow = fptrunc <2 x float> %wide to <2 x half>
  store <2 x half> %narrow, ptr addrspace(1) %to
  ret void
}

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
