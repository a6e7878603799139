; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func i64 @_Z21sub_group_shuffle_xorlj(i64, i32)
declare spir_func i64 @_Z17sub_group_shufflelj(i64, i32)
declare spir_func i32 @_Z21sub_group_shuffle_xorij(i32, i32)

; The halves are shuffled by themselves, where the device compiler would take it for a reduction that it leaves out.
; CHECK-LABEL: @bits
; CHECK: %[[LOW:.*]] = call spir_func i32 @_Z21sub_group_shuffle_xorij(i32 %{{.*}}, i32 8)
; CHECK: %[[HIGH:.*]] = call spir_func i32 @_Z21sub_group_shuffle_xorij(i32 %{{.*}}, i32 8)
; CHECK: xor i64
; CHECK-NOT: call spir_func i64
; The CPU device's compiler knows i64.
; CPU-LABEL: @bits
; CPU: call spir_func i64 @_Z21sub_group_shuffle_xorlj
define spir_kernel void @bits(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load i64, ptr addrspace(1) %p
  %s = call spir_func i64 @_Z21sub_group_shuffle_xorlj(i64 %x, i32 8)
  %r = xor i64 %x, %s
  store i64 %r, ptr addrspace(1) %p
  ret void
}

; So is a shuffle by index, whatever follows.
; CHECK-LABEL: @index
; CHECK-COUNT-2: call spir_func i32 @_Z17sub_group_shuffleij(i32 %{{.*}}, i32 %lane)
; CHECK-NOT: call spir_func i64
define spir_kernel void @index(ptr addrspace(1) %p, i32 %lane) !intel_reqd_sub_group_size !0 {
  %x = load i64, ptr addrspace(1) %p
  %s = call spir_func i64 @_Z17sub_group_shufflelj(i64 %x, i32 %lane)
  store i64 %s, ptr addrspace(1) %p
  ret void
}

; Sums and products are reductions that it compiles.
; CHECK-LABEL: @sum
; CHECK: call spir_func i64 @_Z21sub_group_shuffle_xorlj(i64 %{{.*}}, i32 8)
; CHECK-NOT: sub_group_shuffle_xorij
; CHECK: ret void
define spir_kernel void @sum(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load i64, ptr addrspace(1) %p
  %s = call spir_func i64 @_Z21sub_group_shuffle_xorlj(i64 %x, i32 8)
  %r = add i64 %x, %s
  store i64 %r, ptr addrspace(1) %p
  ret void
}

; 32 bits are as they were.
; CHECK-LABEL: @word
; CHECK-COUNT-1: call spir_func i32 @_Z21sub_group_shuffle_xorij
; CHECK-NOT: call
; CHECK: ret void
define spir_kernel void @word(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load i32, ptr addrspace(1) %p
  %s = call spir_func i32 @_Z21sub_group_shuffle_xorij(i32 %x, i32 8)
  %r = xor i32 %x, %s
  store i32 %r, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 16}
