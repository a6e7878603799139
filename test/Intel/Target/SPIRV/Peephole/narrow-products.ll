; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=PLAIN

; The assembly is a GPU's.
; PLAIN-NOT: asm

declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z17sub_group_shuffleij(i32, i32)

; The word of a lane is multiplied by one that all lanes share: its upper half comes from assembly.
; CHECK-LABEL: @product
; CHECK: %[[HIGH:.*]] = call i32 asm "mulh (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>", "=rw,rw,rw"(i32 %page, i32 %stride)
; CHECK: %[[LOW:.*]] = mul i32 %page, %stride
; CHECK: %[[PART:.*]] = insertelement <2 x i32> poison, i32 %[[LOW]], i64 0
; CHECK: %[[BOTH:.*]] = insertelement <2 x i32> %[[PART]], i32 %[[HIGH]], i64 1
; CHECK: bitcast <2 x i32> %[[BOTH]] to i64
; CHECK-NOT: mul i64
; CHECK: ret void
define spir_kernel void @product(ptr addrspace(1) %table, i32 %stride, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %p = getelementptr i32, ptr addrspace(1) %table, i32 %lane
  %page = load i32, ptr addrspace(1) %p
  %x = sext i32 %page to i64
  %y = sext i32 %stride to i64
  %r = mul i64 %x, %y
  %to = getelementptr i64, ptr addrspace(1) %q, i32 %lane
  store i64 %r, ptr addrspace(1) %to
  ret void
}

; Vectors have one product for each element. A number of 16 bits, a number that is not negative, and a constant are words, too.
; CHECK-LABEL: @vectors
; CHECK: sext <2 x i16> %x to <2 x i32>
; CHECK-COUNT-2: mulh (M1, 32)
; CHECK: asm "mulh {{.*}}(i32 %{{.*}}, i32 -12)
; CHECK-NOT: {{mulh|mul <2 x i64>}}
; CHECK: ret void
define spir_kernel void @vectors(<2 x i32> %y, ptr addrspace(1) %q) !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %narrow = trunc i32 %lane to i16
  %from = insertelement <2 x i16> poison, i16 %narrow, i64 0
  %x = insertelement <2 x i16> %from, i16 7, i64 1
  %a = sext <2 x i16> %x to <2 x i64>
  %b = sext <2 x i32> %y to <2 x i64>
  %r = mul <2 x i64> %a, %b
  %to = getelementptr <2 x i64>, ptr addrspace(1) %q, i32 %lane
  store <2 x i64> %r, ptr addrspace(1) %to
  %c = zext nneg i32 %lane to i64
  %s = mul i64 %c, -12
  %next = getelementptr i64, ptr addrspace(1) %q, i64 %s
  store i64 %s, ptr addrspace(1) %next
  ret void
}

; All lanes share both numbers, or what one lane gives to all; no sign is multiplied; or a number has more than 32 bits.
; CHECK-LABEL: @others
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @others(i32 %a, i32 %b, i64 %c, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %shared = mul i64 %x, %y
  %first = call spir_func i32 @_Z17sub_group_shuffleij(i32 %lane, i32 0)
  %z = sext i32 %first to i64
  %given = mul i64 %z, %y
  %u = zext i32 %lane to i64
  %v = zext i32 %b to i64
  %unsigned = mul i64 %u, %v
  %w = sext i32 %lane to i64
  %wide = mul i64 %w, %c
  %to = getelementptr <4 x i64>, ptr addrspace(1) %q, i32 %lane
  %r0 = insertelement <4 x i64> poison, i64 %shared, i64 0
  %r1 = insertelement <4 x i64> %r0, i64 %given, i64 1
  %r2 = insertelement <4 x i64> %r1, i64 %unsigned, i64 2
  %r3 = insertelement <4 x i64> %r2, i64 %wide, i64 3
  store <4 x i64> %r3, ptr addrspace(1) %to
  ret void
}

!0 = !{i32 16}
!1 = !{i32 32}
