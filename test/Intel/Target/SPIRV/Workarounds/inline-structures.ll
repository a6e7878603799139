; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; Structures as results or arguments: the function is gone.
; CHECK-NOT: @returned
; CHECK-NOT: @taken
; CHECK-NOT: @nested
; CHECK-LABEL: define spir_kernel void @flags
; CHECK-NOT: call spir_func {{.*}} @{{returned|taken|nested}}(
; CHECK: ret void
; The CPU device's compiler takes them as they are.
; CPU-LABEL: @flags
; CPU: call spir_func { i64, i1 } @returned
define spir_kernel void @flags(ptr addrspace(1) %to, i64 %a, i64 %b) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %pair = call spir_func { i64, i1 } @returned(i64 %a, i64 %b)
  %x = call spir_func i64 @taken({ i64, i1 } %pair)
  %both = call spir_func { i64, { i32, i1 } } @nested(i64 %a, i64 %x)
  %y = extractvalue { i64, { i32, i1 } } %both, 0
  store i64 %y, ptr addrspace(1) %to
  ret void
}
define internal spir_func { i64, i1 } @returned(i64 %a, i64 %b) noinline {
  %c = icmp slt i64 %a, %b
  %s = insertvalue { i64, i1 } poison, i64 %a, 0
  %t = insertvalue { i64, i1 } %s, i1 %c, 1
  ret { i64, i1 } %t
}
define internal spir_func i64 @taken({ i64, i1 } %pair) noinline {
  %a = extractvalue { i64, i1 } %pair, 0
  %c = extractvalue { i64, i1 } %pair, 1
  %r = select i1 %c, i64 %a, i64 7
  ret i64 %r
}
define internal spir_func { i64, { i32, i1 } } @nested(i64 %a, i64 %b) noinline optnone {
  %c = icmp slt i64 %a, %b
  %s = insertvalue { i64, { i32, i1 } } poison, i64 %a, 0
  %t = insertvalue { i64, { i32, i1 } } %s, i1 %c, 1, 1
  %u = insertvalue { i64, { i32, i1 } } %t, i32 3, 1, 0
  ret { i64, { i32, i1 } } %u
}

; Values by themselves: the author's wish holds.
; CHECK-LABEL: define spir_kernel void @others
; CHECK: call spir_func i1 @flag
; CHECK: call spir_func i64 @number
define spir_kernel void @others(ptr addrspace(1) %to, i64 %a, i64 %b) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %c = call spir_func i1 @flag(i64 %a, i1 true)
  %x = call spir_func i64 @number(i64 %a)
  %y = select i1 %c, i64 %x, i64 %b
  store i64 %y, ptr addrspace(1) %to
  ret void
}
define internal spir_func i1 @flag(i64 %a, i1 %b) noinline {
  %c = icmp slt i64 %a, 0
  %r = xor i1 %b, %c
  ret i1 %r
}
define internal spir_func i64 @number(i64 %a) noinline {
  %s = mul i64 %a, 3
  ret i64 %s
}

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
