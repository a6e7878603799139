; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func i32 @_Z22get_sub_group_local_idv()

; Each block that selects compares again, right before its first use; nothing is left where the condition was.
; CHECK-LABEL: @blocks
; CHECK:       entry:
; CHECK-NOT:   icmp ult <8 x i32>
; CHECK:       one:
; CHECK:       %[[A:.+]] = icmp ult <8 x i32> %lanes
; CHECK-NEXT:  %s = select <8 x i1> %[[A]]
; CHECK:       other:
; CHECK:       fadd
; CHECK-NEXT:  %[[B:.+]] = icmp ult <8 x i32> %lanes
; CHECK-NEXT:  %t = select <8 x i1> %[[B]]
; CHECK-NEXT:  %u = select <8 x i1> %[[B]]
; The CPU device has masks as vectors.
; CPU-LABEL:   @blocks
; CPU:         entry:
; CPU:         icmp ult <8 x i32>
; CPU:         one:
; CPU-NOT:     icmp
; CPU-LABEL:   @same_block
define spir_kernel void @blocks(i1 %which, <8 x float> %x, <8 x float> %y, ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %first = insertelement <8 x i32> poison, i32 %lane, i64 0
  %lanes = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %c = icmp ult <8 x i32> %lanes, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  br i1 %which, label %one, label %other
one:
  %s = select <8 x i1> %c, <8 x float> %x, <8 x float> %y
  store <8 x float> %s, ptr addrspace(1) %p
  ret void
other:
  %z = fadd <8 x float> %x, %y
  %t = select <8 x i1> %c, <8 x float> %z, <8 x float> %y
  %u = select <8 x i1> %c, <8 x float> %y, <8 x float> %z
  store <8 x float> %t, ptr addrspace(1) %p
  store <8 x float> %u, ptr addrspace(1) %q
  ret void
}

; In the block that uses it, a condition stays where it is.
; CHECK-LABEL: @same_block
; CHECK:       icmp eq <2 x i32>
; CHECK-NEXT:  fadd
; CHECK-NEXT:  select
; CHECK:       ret void
define spir_kernel void @same_block(<2 x float> %x, <2 x float> %y, ptr addrspace(1) %p) {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %first = insertelement <2 x i32> poison, i32 %lane, i64 0
  %lanes = shufflevector <2 x i32> %first, <2 x i32> poison, <2 x i32> zeroinitializer
  %c = icmp eq <2 x i32> %lanes, <i32 1, i32 9>
  %z = fadd <2 x float> %x, %y
  %s = select <2 x i1> %c, <2 x float> %z, <2 x float> %y
  store <2 x float> %s, ptr addrspace(1) %p
  ret void
}

; Comparisons of vectors, and of two numbers, would keep these in registers.
; CHECK-LABEL: @registers
; CHECK:       icmp slt <2 x i32> %a, %b
; CHECK:       icmp slt i32 %n, %m
; CHECK:       fadd
; CHECK:       ret void
define spir_kernel void @registers(<2 x i32> %a, <2 x i32> %b, i32 %n, i32 %m, <2 x float> %x, <2 x float> %y, ptr addrspace(1) %p) {
  %c = icmp slt <2 x i32> %a, %b
  %d = icmp slt i32 %n, %m
  %z = fadd <2 x float> %x, %y
  %s = select <2 x i1> %c, <2 x float> %z, <2 x float> %y
  %t = select i1 %d, <2 x float> %s, <2 x float> %y
  store <2 x float> %t, ptr addrspace(1) %p
  ret void
}

; A loop keeps a condition that it does not change, and a phi takes one as it is.
; CHECK-LABEL: @loop
; CHECK:       entry:
; CHECK:       %c = icmp
; CHECK:       loop:
; CHECK-NOT:   icmp ult
; CHECK:       ret void
define spir_kernel void @loop(i32 %n, float %x, ptr addrspace(1) %p) {
entry:
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %c = icmp ult i32 %lane, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ %x, %entry ], [ %more, %loop ]
  %own = select i1 %c, float %x, float %sum
  %more = fadd float %sum, %own
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store float %more, ptr addrspace(1) %p
  ret void
}
