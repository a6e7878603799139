; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func i64 @_Z21sub_group_shuffle_xorlj(i64, i32)
declare spir_func i64 @_Z17sub_group_shufflelj(i64, i32)
declare spir_func i32 @_Z21sub_group_shuffle_xorij(i32, i32)
declare spir_func i32 @_Z19sub_group_broadcastij(i32, i32)
declare spir_func float @_Z19sub_group_broadcastfj(float, i32)

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

; Bytes of a value of one lane are shuffled by themselves, since the device compiler would read those of lane 0.
; CHECK-LABEL: @byte
; CHECK-COUNT-4: call spir_func i8 @_Z19sub_group_broadcastcj(i8 %{{.*}}, i32 3)
; CHECK-NOT: call spir_func i32
; CHECK: trunc <2 x i32> %{{.*}} to <2 x i8>
; CPU-LABEL: @byte
; CPU: call spir_func i32 @_Z19sub_group_broadcastij
define spir_kernel void @byte(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load i32, ptr addrspace(1) %p
  %s = call spir_func i32 @_Z19sub_group_broadcastij(i32 %x, i32 3)
  %v = insertelement <2 x i32> poison, i32 %s, i32 0
  %w = insertelement <2 x i32> %v, i32 %x, i32 1
  %b = trunc <2 x i32> %w to <2 x i8>
  store <2 x i8> %b, ptr addrspace(1) %p
  ret void
}

; The same byte by shifts, of a float.
; CHECK-LABEL: @shifts
; CHECK-COUNT-4: call spir_func i8 @_Z19sub_group_broadcastcj(i8 %{{.*}}, i32 3)
; CHECK-NOT: call spir_func float
; CHECK: ret void
define spir_kernel void @shifts(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load float, ptr addrspace(1) %p
  %s = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 3)
  %i = bitcast float %s to i32
  %l = shl i32 %i, 24
  %b = ashr i32 %l, 24
  store i32 %b, ptr addrspace(1) %p
  ret void
}

; Halves are read from the right lane, and so are bytes of any lane's own choice.
; CHECK-LABEL: @halves
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij
; CHECK: call spir_func i32 @_Z21sub_group_shuffle_xorij
; CHECK-NOT: i8 @
; CHECK: ret void
define spir_kernel void @halves(ptr addrspace(1) %p, i32 %mask) !intel_reqd_sub_group_size !0 {
  %x = load i32, ptr addrspace(1) %p
  %s = call spir_func i32 @_Z19sub_group_broadcastij(i32 %x, i32 3)
  %h = trunc i32 %s to i16
  store i16 %h, ptr addrspace(1) %p
  %o = call spir_func i32 @_Z21sub_group_shuffle_xorij(i32 %x, i32 %mask)
  %b = trunc i32 %o to i8
  %q = getelementptr i8, ptr addrspace(1) %p, i64 64
  store i8 %b, ptr addrspace(1) %q
  ret void
}
!0 = !{i32 16}
