; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; Flags that differ, element by element; the choice that they make stays whole. A negation stays, too.
; CHECK-LABEL: @differences
; CHECK-NOT: xor <4 x i1> %x, %y
; CHECK-COUNT-4: xor i1
; CHECK: select <4 x i1> {{.*}} <4 x float>
; CHECK: xor <4 x i1> %{{.*}}, splat (i1 true)
; CPU-LABEL: @differences
; CPU: xor <4 x i1>
define spir_kernel void @differences(<4 x i32> %a, <4 x i32> %b, <4 x float> %c, <4 x float> %d, ptr addrspace(1) %p, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %x = icmp ult <4 x i32> %a, %b
  %y = fcmp ogt <4 x float> %c, %d
  %n = xor <4 x i1> %x, %y
  %s = select <4 x i1> %n, <4 x float> %c, <4 x float> %d
  store <4 x float> %s, ptr addrspace(1) %p, align 16
  %z = fcmp olt <4 x float> %s, %d
  %both = and <4 x i1> %z, %y
  %not = xor <4 x i1> %both, splat (i1 true)
  %wide = zext <4 x i1> %not to <4 x i32>
  store <4 x i32> %wide, ptr addrspace(1) %q, align 16
  ret void
}

; Flags chosen by other flags.
; CHECK-LABEL: @choices
; CHECK-NOT: select <2 x i1> {{.*}} <2 x i1>
; CHECK-COUNT-2: select i1 %{{.*}}, i1 %{{.*}}, i1
define spir_kernel void @choices(<2 x i32> %a, <2 x i32> %b, <2 x float> %c, <2 x float> %d, ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = icmp ult <2 x i32> %a, %b
  %y = fcmp ogt <2 x float> %c, %d
  %z = fcmp ult <2 x float> %c, splat (float 1.0)
  %n = select <2 x i1> %x, <2 x i1> %y, <2 x i1> %z
  %s = select <2 x i1> %n, <2 x float> %c, <2 x float> %d
  store <2 x float> %s, ptr addrspace(1) %p, align 8
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
