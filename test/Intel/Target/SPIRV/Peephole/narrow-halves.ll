; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; A CPU has no arithmetic of halves.
; CPU-NOT: fmul half

; Weights of 4 bits less a zero point that a group of them shares, times a scale. The zero point is made a half once. Fields are
; shifted by 8 bits or not at all within 16.
; CHECK-LABEL: @weights
; CHECK-NOT: float
; CHECK: %[[S:.*]] = lshr <8 x i32> %words, <i32 0, i32 0, i32 8, i32 8, i32 16, i32 16, i32 24, i32 24>
; CHECK: %[[T:.*]] = trunc <8 x i32> %[[S]] to <8 x i16>
; CHECK: %[[A:.*]] = and <8 x i16> %[[T]], <i16 15, i16 240, i16 15, i16 240, i16 15, i16 240, i16 15, i16 240>
; CHECK: %[[B:.*]] = or <8 x i16> %[[A]], <i16 25600, i16 21504, i16 25600, i16 21504, i16 25600, i16 21504, i16 25600, i16 21504>
; CHECK: %[[H:.*]] = bitcast <8 x i16> %[[B]] to <8 x half>
; CHECK: %[[Z:.*]] = or i32 %zero, 25600
; CHECK: trunc i32 %[[Z]] to i16
; CHECK-NOT: sitofp
; CHECK: %[[R:.*]] = fsub <8 x half> <half 0xH0000, half 0xH6380, {{.*}}>, %
; CHECK: fadd <8 x half> %[[H]], %[[R]]
; CHECK: fmul <8 x half>
; CHECK-NOT: fptrunc
; CHECK: ret void
define spir_kernel void @weights(i32 %word, i32 %packed, half %scale, ptr addrspace(1) %out) !reqd_work_group_size !0 {
  %w = insertelement <8 x i32> poison, i32 %word, i64 0
  %words = shufflevector <8 x i32> %w, <8 x i32> poison, <8 x i32> zeroinitializer
  %shifted = lshr <8 x i32> %words, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %weights = and <8 x i32> %shifted, splat (i32 15)
  %zero = and i32 %packed, 15
  %z = insertelement <8 x i32> poison, i32 %zero, i64 0
  %zeros = shufflevector <8 x i32> %z, <8 x i32> poison, <8 x i32> zeroinitializer
  %steps = sub nsw <8 x i32> %weights, %zeros
  %numbers = sitofp <8 x i32> %steps to <8 x float>
  %wide = fpext half %scale to float
  %s = insertelement <8 x float> poison, float %wide, i64 0
  %scales = shufflevector <8 x float> %s, <8 x float> poison, <8 x i32> zeroinitializer
  %product = fmul <8 x float> %numbers, %scales
  %halves = fptrunc <8 x float> %product to <8 x half>
  store <8 x half> %halves, ptr addrspace(1) %out, align 16
  ret void
}

; A field of a word with a sign, as far up as the lane determines: for a shift
; of at most 28 bits, no sign gets into a field of four. One of 31 bits gets it
; there.
; CHECK-LABEL: @fields
; CHECK: %[[FIELD:.*]] = lshr i32 %word, %shift
; CHECK: and i32 %[[FIELD]], 15
; CHECK: ashr i32 %word, %far
; CHECK: ret void
define spir_kernel void @fields(i32 %word, i32 %lane, ptr addrspace(1) %out, ptr addrspace(1) %out2) !reqd_work_group_size !0 {
  %place = shl i32 %lane, 2
  %shift = and i32 %place, 28
  %shifted = ashr i32 %word, %shift
  %field = and i32 %shifted, 15
  %a = uitofp i32 %field to half
  store half %a, ptr addrspace(1) %out, align 2
  %far = and i32 %lane, 31
  %shifted2 = ashr i32 %word, %far
  %field2 = and i32 %shifted2, 15
  %b = uitofp i32 %field2 to half
  store half %b, ptr addrspace(1) %out2, align 2
  ret void
}

; Conversions alone, of what is known to have at most ten bits. More bits and numbers below zero stay what they are.
; CHECK-LABEL: @conversions
; CHECK: or i32 %{{.*}}, 25600
; CHECK: fsub half %{{.*}}, 0xH6400
; CHECK: uitofp i32 %{{.*}} to half
; CHECK: sitofp i32 %signed to half
define spir_kernel void @conversions(i32 %x, i32 %signed, ptr addrspace(1) %out, ptr addrspace(1) %out2, ptr addrspace(1) %out3) !reqd_work_group_size !0 {
  %ten = and i32 %x, 1023
  %a = uitofp i32 %ten to half
  store half %a, ptr addrspace(1) %out, align 2
  %eleven = and i32 %x, 2047
  %b = uitofp i32 %eleven to half
  store half %b, ptr addrspace(1) %out2, align 2
  %c = sitofp i32 %signed to half
  store half %c, ptr addrspace(1) %out3, align 2
  ret void
}

; Not where something else sees the wider result, nor for a division, of which one of f16 rounds otherwise on a device.
; CHECK-LABEL: @others
; CHECK: fmul float
; CHECK: fdiv float
define spir_kernel void @others(half %x, i32 %n, ptr addrspace(1) %out, ptr addrspace(1) %wide) !reqd_work_group_size !0 {
  %four = and i32 %n, 15
  %number = uitofp i32 %four to float
  %f = fpext half %x to float
  %p = fmul float %f, %number
  store float %p, ptr addrspace(1) %wide, align 4
  %h = fptrunc float %p to half
  %q = fdiv float %f, %number
  %g = fptrunc float %q to half
  %s = fadd half %h, %g
  store half %s, ptr addrspace(1) %out, align 2
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
