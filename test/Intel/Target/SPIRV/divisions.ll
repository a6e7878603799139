; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The CPU device divides once for both.
; CPU-LABEL: @group
; CPU: srem i32

; A remainder follows from the quotient of the same numbers.
; CHECK-LABEL: @group
; CHECK: %[[Q:.*]] = sdiv i32 %[[X:.*]], %[[Y:.*]]
; CHECK: %[[P:.*]] = mul i32 %[[Q]], %[[Y]]
; CHECK: sub i32 %[[X]], %[[P]]
; CHECK-NOT: srem
; Other numbers have another one.
; CHECK: urem i32
define spir_kernel void @group(i32 %x, i32 %y, ptr addrspace(1) %to) {
  %q = sdiv i32 %x, %y
  store volatile i32 %q, ptr addrspace(1) %to
  %r = srem i32 %x, %y
  store volatile i32 %r, ptr addrspace(1) %to
  %u = urem i32 %x, %y
  store volatile i32 %u, ptr addrspace(1) %to
  ret void
}
