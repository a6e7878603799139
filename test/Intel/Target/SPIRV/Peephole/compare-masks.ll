; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; Any number is compared with the boolean's sign extension once its sign is turned.
; CHECK-LABEL: @any_number
; CHECK-DAG: %[[MASK:.*]] = sext <4 x i1> %{{.*}} to <4 x i32>
; CHECK-DAG: %[[NUMBER:.*]] = sub <4 x i32> zeroinitializer, %n
; CHECK: icmp eq <4 x i32> %[[MASK]], %[[NUMBER]]
; CHECK-NOT: zext
; CHECK: ret void
; The CPU device has separate masks.
; CPU-LABEL: @any_number
; CPU: zext <4 x i1>
define spir_kernel void @any_number(<4 x float> %x, <4 x float> %y, <4 x i32> %n, ptr addrspace(1) %p) {
  %b = fcmp ogt <4 x float> %x, %y
  %z = zext <4 x i1> %b to <4 x i32>
  %c = icmp eq <4 x i32> %n, %z
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
}

; Another predicate needs the boolean as 0 or 1.
; CHECK-LABEL: @order
; CHECK: zext <4 x i1>
; CHECK: icmp slt <4 x i32>
define spir_kernel void @order(<4 x float> %x, <4 x float> %y, <4 x i32> %n, ptr addrspace(1) %p) {
  %b = fcmp ogt <4 x float> %x, %y
  %z = zext <4 x i1> %b to <4 x i32>
  %c = icmp slt <4 x i32> %n, %z
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
}

; A byte is no boolean, though it is extended like one.
; CHECK-LABEL: @byte
; CHECK: zext <4 x i8>
; CHECK-NOT: sext
; CHECK: ret void
define spir_kernel void @byte(<4 x i8> %b, <4 x i32> %n, <4 x float> %x, <4 x float> %y, ptr addrspace(1) %p) {
  %z = zext <4 x i8> %b to <4 x i32>
  %c = icmp ne <4 x i32> %n, %z
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
}

; An XOR with a comparison of numbers of one bit is that comparison with their XOR.
; CHECK-LABEL: @bits
; CHECK-DAG: %[[MASK:.*]] = sext <4 x i1> %{{.*}} to <4 x i32>
; CHECK-DAG: %[[XOR:.*]] = xor <4 x i32> %m.bit, %n.bit
; CHECK-DAG: %[[NUMBER:.*]] = sub <4 x i32> zeroinitializer, %[[XOR]]
; CHECK: icmp ne <4 x i32> %[[MASK]], %[[NUMBER]]
; CHECK-NOT: xor <4 x i1>
; CHECK: ret void
define spir_kernel void @bits(<4 x float> %x, <4 x float> %y, <4 x i32> %m, <4 x i32> %n, ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %o) {
  %m.bit = and <4 x i32> %m, splat (i32 1)
  %n.bit = and <4 x i32> %n, splat (i32 1)
  %b = fcmp ogt <4 x float> %x, %y
  %d = icmp ne <4 x i32> %m.bit, %n.bit
  %c = xor <4 x i1> %b, %d
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr addrspace(1) %p
  store <4 x i32> %m.bit, ptr addrspace(1) %q
  store <4 x i32> %n.bit, ptr addrspace(1) %o
  ret void
}

; So is an XOR with what such a comparison gives for one element, in all of them.
; CHECK-LABEL: @repeated_bit
; CHECK: %[[XOR:.*]] = xor <4 x i32> %m.bit, %n.bit
; CHECK: %[[BIT:.*]] = shufflevector <4 x i32> %[[XOR]], <4 x i32> poison, <4 x i32> zeroinitializer
; CHECK: %[[NUMBER:.*]] = sub <4 x i32> zeroinitializer, %[[BIT]]
; CHECK: icmp ne <4 x i32> %{{.*}}, %[[NUMBER]]
; CHECK-NOT: xor <4 x i1>
; CHECK: ret void
define spir_kernel void @repeated_bit(<4 x float> %x, <4 x float> %y, <4 x i32> %m, <4 x i32> %n, ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %o) {
  %m.bit = and <4 x i32> %m, splat (i32 1)
  %n.bit = and <4 x i32> %n, splat (i32 1)
  %b = fcmp ogt <4 x float> %x, %y
  %d = icmp ne <4 x i32> %m.bit, %n.bit
  %s = shufflevector <4 x i1> %d, <4 x i1> poison, <4 x i32> zeroinitializer
  %c = xor <4 x i1> %b, %s
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr addrspace(1) %p
  store <4 x i32> %m.bit, ptr addrspace(1) %q
  store <4 x i32> %n.bit, ptr addrspace(1) %o
  ret void
}

; So is an XOR with the lowest bit of a number.
; CHECK-LABEL: @lowest_bit
; CHECK: %[[BIT:.*]] = and <4 x i32> %n, splat (i32 1)
; CHECK: %[[NUMBER:.*]] = sub <4 x i32> zeroinitializer, %[[BIT]]
; CHECK: icmp ne <4 x i32> %{{.*}}, %[[NUMBER]]
; CHECK-NOT: xor <4 x i1>
; CHECK: ret void
define spir_kernel void @lowest_bit(<4 x i32> %x, <4 x i32> %y, <4 x i32> %n, ptr addrspace(1) %p) {
  %b = icmp sgt <4 x i32> %x, %y
  %d = trunc <4 x i32> %n to <4 x i1>
  %c = xor <4 x i1> %d, %b
  %r = select <4 x i1> %c, <4 x i32> %x, <4 x i32> %y
  store <4 x i32> %r, ptr addrspace(1) %p
  ret void
}

; Numbers of more bits differ in more ways than their lowest bits.
; CHECK-LABEL: @numbers
; CHECK: xor <4 x i1>
; CHECK-NOT: sext
; CHECK: ret void
define spir_kernel void @numbers(<4 x float> %x, <4 x float> %y, <4 x i32> %m, <4 x i32> %n, ptr addrspace(1) %p) {
  %m.bits = and <4 x i32> %m, splat (i32 3)
  %n.bits = and <4 x i32> %n, splat (i32 3)
  %b = fcmp ogt <4 x float> %x, %y
  %d = icmp ne <4 x i32> %m.bits, %n.bits
  %c = xor <4 x i1> %b, %d
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
}

; A boolean that no comparison writes is in a flag, as is the other one.
; CHECK-LABEL: @flags
; CHECK: xor <4 x i1>
; CHECK-NOT: sext
; CHECK: ret void
define spir_kernel void @flags(<4 x i1> %b, <4 x i32> %m, <4 x float> %x, <4 x float> %y, ptr addrspace(1) %p) {
  %bit = and <4 x i32> %m, splat (i32 1)
  %d = icmp ne <4 x i32> %bit, zeroinitializer
  %c = xor <4 x i1> %b, %d
  %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %y
  store <4 x float> %r, ptr addrspace(1) %p
  ret void
}
