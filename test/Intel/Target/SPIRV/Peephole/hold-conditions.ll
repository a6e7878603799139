; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=CPU

; Two flags with another use would be combined in registers: they are numbers from the comparison on, and what is chosen
; instead of zero is one more operation on them.
; CHECK-LABEL: @two_flags
; CHECK: %[[A:.*]] = sext <2 x i1> %a to <2 x i32>
; CHECK: %[[A0:.*]] = extractelement <2 x i32> %[[A]], i64 0
; CHECK: call i32 asm "\0A", "=rw,0"(i32 %[[A0]]) #[[PURE:[0-9]+]]
; CHECK: %[[B:.*]] = sext <2 x i1> %b to <2 x i32>
; CHECK: %[[OR:.*]] = or <2 x i32>
; CHECK: %[[AND:.*]] = and <2 x i32>
; CHECK: %s = and <2 x i32> %[[OR]], %x
; CHECK: %[[NOT:.*]] = xor <2 x i32> %[[AND]], splat (i32 -1)
; CHECK: %t = and <2 x i32> %[[NOT]], %y
; CHECK-NOT: select
; CHECK: ret void
; The CPU device has separate masks.
; CPU-LABEL: @two_flags
; CPU: select <2 x i1>
; CPU-NOT: asm
define spir_kernel void @two_flags(<2 x float> %u, <2 x i32> %x, <2 x i32> %y, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = fcmp olt <2 x float> %u, zeroinitializer
  %b = icmp slt <2 x i32> %x, %y
  %or = or <2 x i1> %a, %b
  %and = and <2 x i1> %a, %b
  %s = select <2 x i1> %or, <2 x i32> %x, <2 x i32> zeroinitializer
  %t = select <2 x i1> %and, <2 x i32> zeroinitializer, <2 x i32> %y
  store <2 x i32> %s, ptr addrspace(1) %p
  store <2 x i32> %t, ptr addrspace(1) %q
  ret void
}

; A choice of other values than zero, or of another width, uses a flag: that the
; numbers are not zero.
; CHECK-LABEL: @any_values
; CHECK: %[[MASK:.*]] = or <2 x i32>
; CHECK: %[[FLAG:.*]] = icmp ne <2 x i32> %[[MASK]], zeroinitializer
; CHECK: select <2 x i1> %[[FLAG]], <2 x double> %v, <2 x double> zeroinitializer
; CHECK: %[[BYTE:.*]] = trunc <2 x i32> %{{.*}} to <2 x i8>
; CHECK: %[[BIT:.*]] = lshr <2 x i32> %{{.*}}, splat (i32 31)
; CHECK: zext <2 x i32> %[[BIT]] to <2 x i64>
; CHECK: ret void
define spir_kernel void @any_values(<2 x float> %u, <2 x i32> %x, <2 x double> %v, ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r) {
  %a = fcmp olt <2 x float> %u, zeroinitializer
  %b = icmp slt <2 x i32> %x, zeroinitializer
  %or = or <2 x i1> %a, %b
  %and = and <2 x i1> %a, %b
  %s = select <2 x i1> %or, <2 x double> %v, <2 x double> zeroinitializer
  %bytes = sext <2 x i1> %and to <2 x i8>
  %numbers = zext <2 x i1> %and to <2 x i64>
  store <2 x double> %s, ptr addrspace(1) %p
  store <2 x i8> %bytes, ptr addrspace(1) %q
  store <2 x i64> %numbers, ptr addrspace(1) %r
  ret void
}

; Shuffles and constants of conditions are those of the numbers.
; CHECK-LABEL: @shuffled
; CHECK: %[[FIRST:.*]] = shufflevector <2 x i32> %{{.*}}, <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 0, i32 1>
; CHECK: xor <4 x i32> %{{.*}}, <i32 0, i32 -1, i32 0, i32 -1>
; CHECK-NOT: x i1> %{{.*}} to <4
; CHECK: ret void
define spir_kernel void @shuffled(<2 x i32> %u, <2 x i32> %v, <4 x i32> %x, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = icmp slt <2 x i32> %u, zeroinitializer
  %b = icmp slt <2 x i32> %u, %v
  %or = or <2 x i1> %a, %b
  %and = and <2 x i1> %a, %b
  %wide = shufflevector <2 x i1> %or, <2 x i1> poison, <4 x i32> <i32 0, i32 1, i32 0, i32 1>
  %c = xor <4 x i1> %wide, <i1 false, i1 true, i1 false, i1 true>
  %s = select <4 x i1> %c, <4 x i32> %x, <4 x i32> zeroinitializer
  %t = select <2 x i1> %and, <2 x i32> %u, <2 x i32> zeroinitializer
  store <4 x i32> %s, ptr addrspace(1) %p
  store <2 x i32> %t, ptr addrspace(1) %q
  ret void
}

; A comparison of one use is combined with a flag as it is made: a chain of these stays in flags.
; CHECK-LABEL: @chain
; CHECK: and <2 x i1>
; CHECK: or <2 x i1>
; CHECK: select <2 x i1>
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @chain(<2 x float> %u, <2 x i32> %x, <2 x i32> %y, ptr addrspace(1) %p) {
  %a = fcmp olt <2 x float> %u, zeroinitializer
  %b = icmp slt <2 x i32> %x, %y
  %c = icmp slt <2 x i32> %y, zeroinitializer
  %and = and <2 x i1> %a, %b
  %or = or <2 x i1> %and, %c
  %s = select <2 x i1> %or, <2 x i32> %x, <2 x i32> zeroinitializer
  store <2 x i32> %s, ptr addrspace(1) %p
  ret void
}

; A product with a number that is 0 or 1 is an `and`; one of 16 bits is one instruction as it is, and 2 is no bit.
; CHECK-LABEL: @products
; CHECK: %[[SIGN:.*]] = sub <2 x i32> zeroinitializer, %bit
; CHECK: %product = and <2 x i32> %[[SIGN]], %x
; CHECK: %short = mul <2 x i16>
; CHECK: %other = mul <2 x i32>
define spir_kernel void @products(<2 x i32> %n, <2 x i32> %x, <2 x i16> %y, ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %r) {
  %bit = and <2 x i32> %n, splat (i32 1)
  %two = and <2 x i32> %n, splat (i32 2)
  %half = trunc <2 x i32> %bit to <2 x i16>
  %product = mul <2 x i32> %x, %bit
  %short = mul <2 x i16> %y, %half
  %other = mul <2 x i32> %x, %two
  store <2 x i32> %product, ptr addrspace(1) %p
  store <2 x i16> %short, ptr addrspace(1) %q
  store <2 x i32> %other, ptr addrspace(1) %r
  ret void
}

; The assembly touches no memory, so that other passes may move it.
; CHECK: attributes #[[PURE]] = { nounwind willreturn memory(none) }
