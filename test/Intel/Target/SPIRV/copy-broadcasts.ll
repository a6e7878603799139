; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func i32 @_Z19sub_group_broadcastij(i32, i32)
declare spir_func float @_Z19sub_group_broadcastfj(float, i32)
declare spir_func i64 @_Z19sub_group_broadcastlj(i64, i32)

; What bytes are taken of is a copy: here they are taken of a vector, after a shift. The CPU device reads the right lane.
; CHECK-LABEL: @vector
; CHECK: %[[A:.*]] = call spir_func i32 @_Z19sub_group_broadcastij(i32 %x, i32 1)
; CHECK-NEXT: %[[COPY:.*]] = call i32 asm "\0A", "=rw,0"(i32 %[[A]])
; CHECK: insertelement <2 x i32> poison, i32 %[[COPY]], i64 0
; CPU-LABEL: @vector
; CPU-NOT: asm
define spir_kernel void @vector(ptr addrspace(1) %p, i32 %x, i32 %y) !intel_reqd_sub_group_size !0 {
  %a = call spir_func i32 @_Z19sub_group_broadcastij(i32 %x, i32 1)
  %v0 = insertelement <2 x i32> poison, i32 %a, i64 0
  %v = insertelement <2 x i32> %v0, i32 %y, i64 1
  %h = lshr <2 x i32> %v, <i32 8, i32 4>
  %r = and <2 x i32> %h, <i32 255, i32 4095>
  store <2 x i32> %r, ptr addrspace(1) %p
  ret void
}

; So are floats and 64 bits. The lowest byte is moved to the top to extend its sign.
; CHECK-LABEL: @other_types
; CHECK: %[[F:.*]] = call spir_func float @_Z19sub_group_broadcastfj(float %f, i32 2)
; CHECK-NEXT: %[[BITS:.*]] = bitcast float %[[F]] to i32
; CHECK-NEXT: call i32 asm "\0A", "=rw,0"(i32 %[[BITS]])
; CHECK: %[[L:.*]] = call spir_func i64 @_Z19sub_group_broadcastlj(i64 %l, i32 3)
; CHECK-NEXT: call i64 asm "\0A", "=rw,0"(i64 %[[L]])
define spir_kernel void @other_types(ptr addrspace(1) %p, float %f, i64 %l) !intel_reqd_sub_group_size !0 {
  %a = call spir_func float @_Z19sub_group_broadcastfj(float %f, i32 2)
  %b = bitcast float %a to i32
  %t = shl i32 %b, 24
  %s = ashr i32 %t, 24
  %c = call spir_func i64 @_Z19sub_group_broadcastlj(i64 %l, i32 3)
  %d = trunc i64 %c to i32
  %e = trunc i32 %d to i8
  %g = sext i8 %e to i32
  %r = add i32 %s, %g
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; Halves of 32 bits, and sums of bytes, are compiled correctly.
; CHECK-LABEL: @halves
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @halves(ptr addrspace(1) %p, i32 %x) !intel_reqd_sub_group_size !0 {
  %a = call spir_func i32 @_Z19sub_group_broadcastij(i32 %x, i32 1)
  %t = trunc i32 %a to i16
  %s = sext i16 %t to i32
  %b = call spir_func i32 @_Z19sub_group_broadcastij(i32 %x, i32 2)
  %c = add i32 %b, %s
  %r = and i32 %c, 255
  store i32 %r, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 16}
