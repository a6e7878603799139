; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The CPU device has instructions for bytes.
; CPU-NOT: load <1 x i32>
; CPU-NOT: load <2 x i32>

; Both halves of each byte become fields of the double words, whose load is aligned alike. The range of the bytes is none
; of the words.
; CHECK-LABEL: @weights
; CHECK: %[[W:.*]] = load <2 x i32>, ptr addrspace(1) %p, align 8{{$}}
; CHECK-NOT: zext
; CHECK: %[[LOW:.*]] = shufflevector <2 x i32> %[[W]], <2 x i32> poison, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1>
; CHECK: lshr <8 x i32> %[[LOW]], <i32 0, i32 8, i32 16, i32 24, i32 0, i32 8, i32 16, i32 24>
; CHECK: and <8 x i32> %{{.*}}, splat (i32 15)
; CHECK: lshr <8 x i32> %{{.*}}, <i32 4, i32 12, i32 20, i32 28, i32 4, i32 12, i32 20, i32 28>
; CHECK-NOT: zext
; CHECK: ret void
define spir_kernel void @weights(ptr addrspace(1) %p, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %bytes = load <8 x i8>, ptr addrspace(1) %p, align 8, !range !1
  %wide = zext <8 x i8> %bytes to <8 x i32>
  %low = and <8 x i32> %wide, splat (i32 15)
  %high = lshr <8 x i32> %wide, splat (i32 4)
  %sum = mul <8 x i32> %low, %high
  store <8 x i32> %sum, ptr addrspace(1) %q, align 32
  ret void
}

; Shifts by element, after a shuffle, are added up. A byte that is shifted by eight bits or more is zero.
; CHECK-LABEL: @shuffled
; CHECK: load i32, ptr addrspace(1) %p, align 4
; CHECK: %[[S:.*]] = lshr <4 x i32> %{{.*}}, <i32 24, i32 26, i32 13, i32 15>
; CHECK: and <4 x i32> %[[S]], <i32 3, i32 3, i32 3, i32 0>
; CHECK: ret void
define spir_kernel void @shuffled(ptr addrspace(1) %p, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %bytes = load <4 x i8>, ptr addrspace(1) %p, align 4
  %moved = shufflevector <4 x i8> %bytes, <4 x i8> poison, <4 x i32> <i32 3, i32 3, i32 1, i32 1>
  %wide = zext <4 x i8> %moved to <4 x i32>
  %first = lshr <4 x i32> %wide, <i32 0, i32 1, i32 2, i32 7>
  %second = lshr <4 x i32> %first, <i32 0, i32 1, i32 3, i32 3>
  %field = and <4 x i32> %second, splat (i32 3)
  store <4 x i32> %field, ptr addrspace(1) %q, align 16
  ret void
}

; Arithmetic of bytes that ends in a conversion, of bytes that a message brings as double words.
; CHECK-LABEL: @converted
; CHECK: %[[S:.*]] = lshr <4 x i32> %{{.*}}, <i32 4, i32 12, i32 20, i32 28>
; CHECK: %[[F:.*]] = and <4 x i32> %[[S]], splat (i32 7)
; CHECK: uitofp {{.*}}<4 x i32> %[[F]] to <4 x float>
; CHECK: ret void
define spir_kernel void @converted(i32 %word, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %bytes = bitcast i32 %word to <4 x i8>
  %high = lshr <4 x i8> %bytes, splat (i8 4)
  %field = and <4 x i8> %high, splat (i8 7)
  %float = uitofp <4 x i8> %field to <4 x float>
  store <4 x float> %float, ptr addrspace(1) %q, align 16
  ret void
}

; These stay bytes: whole ones; upper halves alone; some with an alignment of less than a double word; shifts that are
; no constants; and fields whose sign is extended.
; CHECK-LABEL: @bytes
; CHECK-NOT: load <1 x i32>
; CHECK: zext <4 x i8>
; CHECK: zext <4 x i8>
; CHECK: zext <4 x i8>
; CHECK: zext <4 x i8>
; CHECK: sext <4 x i8>
; CHECK: ret void
define spir_kernel void @bytes(ptr addrspace(1) %p, ptr addrspace(1) %q, <4 x i32> %shift) !reqd_work_group_size !0 {
  %a = load <4 x i8>, ptr addrspace(1) %p, align 4
  %whole = zext <4 x i8> %a to <4 x i32>
  store <4 x i32> %whole, ptr addrspace(1) %q, align 16
  %b = load <4 x i8>, ptr addrspace(1) %q, align 4
  %b.wide = zext <4 x i8> %b to <4 x i32>
  %upper = lshr <4 x i32> %b.wide, splat (i32 4)
  store <4 x i32> %upper, ptr addrspace(1) %q, align 16
  %c = load <4 x i8>, ptr addrspace(1) %q, align 2
  %c.wide = zext <4 x i8> %c to <4 x i32>
  %low = and <4 x i32> %c.wide, splat (i32 15)
  store <4 x i32> %low, ptr addrspace(1) %q, align 16
  %d = load <4 x i8>, ptr addrspace(1) %q, align 4
  %d.wide = zext <4 x i8> %d to <4 x i32>
  %any = lshr <4 x i32> %d.wide, %shift
  %field = and <4 x i32> %any, splat (i32 15)
  store <4 x i32> %field, ptr addrspace(1) %q, align 16
  %e = load <4 x i8>, ptr addrspace(1) %q, align 4
  %e.low = and <4 x i8> %e, splat (i8 -113)
  %e.wide = sext <4 x i8> %e.low to <4 x i32>
  store <4 x i32> %e.wide, ptr addrspace(1) %q, align 16
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i8 0, i8 100}
