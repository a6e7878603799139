; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-spirv %s | spirv-dis - | FileCheck %s --check-prefix=SPIRV

; The words of an extended result are a vector.
; CHECK-LABEL: @words
; CHECK: %[[A:.*]] = call i32 asm
; CHECK: %[[V:.*]] = insertelement <2 x i32> zeroinitializer, i32 %[[A]], i64 0
; CHECK: bitcast <2 x i32> %[[V]] to i64
; An extension by the sign, and one to 32 bits, stay.
; CHECK: sext i32 %[[A]] to i64
; CHECK: %[[B:.*]] = call i16 asm
; CHECK: %[[Z:.*]] = zext i16 %[[B]] to i32
; CHECK-NOT: sext
; CHECK: %[[W:.*]] = insertelement <2 x i32> zeroinitializer, i32 %[[Z]], i64 0
; CHECK: bitcast <2 x i32> %[[W]] to i64
; Arithmetic in between keeps the backend from the mistake.
; CHECK: %[[SUM:.*]] = add i32 %[[A]], 1
; CHECK: zext i32 %[[SUM]] to i64
; CHECK: ret void
; SPIRV-NOT: OpBitwiseAnd %ulong
define spir_kernel void @words(i32 %x, i16 %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %a = call i32 asm "\0A", "=rw,0"(i32 %x)
  %wide = zext i32 %a to i64
  %signed = sext i32 %a to i64
  %b = call i16 asm "\0A", "=rw,0"(i16 %y)
  %half = zext i16 %b to i32
  %wider = sext i32 %half to i64
  %sum = add i32 %a, 1
  %next = zext i32 %sum to i64
  %v0 = insertelement <4 x i64> poison, i64 %wide, i64 0
  %v1 = insertelement <4 x i64> %v0, i64 %signed, i64 1
  %v2 = insertelement <4 x i64> %v1, i64 %wider, i64 2
  %v3 = insertelement <4 x i64> %v2, i64 %next, i64 3
  store <4 x i64> %v3, ptr addrspace(1) %p
  ret void
}

; Vectors that were extended by their sign, or truncated from less or more bits, get an AND, for which the backend selects an
; instruction.
; CHECK-LABEL: @vectors
; CHECK: %[[S:.*]] = sext <2 x i8> %x to <2 x i64>
; CHECK: and <2 x i64> %[[S]], splat (i64 4294967295)
; CHECK: %[[A:.*]] = and <2 x i32> %y, splat (i32 65535)
; CHECK: zext <2 x i32> %[[A]] to <2 x i64>
; CHECK: %[[T:.*]] = trunc <2 x i64> %z to <2 x i32>
; CHECK: and <2 x i32> %[[T]], splat (i32 255)
; CHECK: ret void
; SPIRV-COUNT-2: OpBitwiseAnd %v2u
define spir_kernel void @vectors(<2 x i8> %x, <2 x i32> %y, <2 x i64> %z, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %signed = sext <2 x i8> %x to <2 x i32>
  %a = zext <2 x i32> %signed to <2 x i64>
  store volatile <2 x i64> %a, ptr addrspace(1) %p
  %short = trunc <2 x i32> %y to <2 x i16>
  %b = zext <2 x i16> %short to <2 x i64>
  store volatile <2 x i64> %b, ptr addrspace(1) %p
  %bytes = trunc <2 x i64> %z to <2 x i8>
  %c = zext <2 x i8> %bytes to <2 x i32>
  store volatile <2 x i32> %c, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 16}
