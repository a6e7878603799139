; RUN: triton-xe-translate --llvmir-optimize %s | FileCheck %s

declare void @llvm.assume(i1)

; The first iteration of the inner loop is assumed to run: the loop ends with its test, and has none before.
; CHECK-LABEL: define spir_kernel void @assumed
; CHECK: call void @llvm.assume
; CHECK-NEXT: br label %[[BODY:.*]]
; CHECK: [[BODY]]:
; CHECK: phi i32
; CHECK: load float
; CHECK: %[[MORE:.*]] = icmp slt i32 %{{.*}}, %k.end
; CHECK-NEXT: br i1 %[[MORE]], label %[[BODY]], label
define spir_kernel void @assumed(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i32 %k.begin, i32 %k.end) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %tail ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %start, label %exit
start:
  %some = icmp slt i32 %k.begin, %k.end
  call void @llvm.assume(i1 %some)
  br label %inner
inner:
  %k = phi i32 [ %k.begin, %start ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %start ], [ %sum.next, %body ]
  %more = icmp slt i32 %k, %k.end
  br i1 %more, label %body, label %tail
body:
  %from = getelementptr float, ptr addrspace(1) %p, i32 %k
  %x = load float, ptr addrspace(1) %from, align 4
  %sum.next = fadd float %sum, %x
  %k.next = add nsw i32 %k, 32
  br label %inner
tail:
  %to = getelementptr float, ptr addrspace(1) %q, i32 %i
  store float %sum, ptr addrspace(1) %to, align 4
  %i.next = add nsw i32 %i, 1
  br label %outer
exit:
  ret void
}

; Without the assumption, the loop begins with its test.
; CHECK-LABEL: define spir_kernel void @unknown
; CHECK: %k = phi i32
; CHECK: phi float
; CHECK-NEXT: %more = icmp slt i32 %k, %k.end
; CHECK-NEXT: br i1
; CHECK: load float
define spir_kernel void @unknown(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i32 %k.begin, i32 %k.end) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %tail ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %inner, label %exit
inner:
  %k = phi i32 [ %k.begin, %outer ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %outer ], [ %sum.next, %body ]
  %more = icmp slt i32 %k, %k.end
  br i1 %more, label %body, label %tail
body:
  %from = getelementptr float, ptr addrspace(1) %p, i32 %k
  %x = load float, ptr addrspace(1) %from, align 4
  %sum.next = fadd float %sum, %x
  %k.next = add nsw i32 %k, 32
  br label %inner
tail:
  %to = getelementptr float, ptr addrspace(1) %q, i32 %i
  store float %sum, ptr addrspace(1) %to, align 4
  %i.next = add nsw i32 %i, 1
  br label %outer
exit:
  ret void
}

; A loop that no other one contains is left to device compilers.
; CHECK-LABEL: define spir_kernel void @outermost
; CHECK: call void @llvm.assume
; CHECK: %k = phi i32
; CHECK: phi float
; CHECK-NEXT: %more = icmp slt i32 %k, %k.end
; CHECK-NEXT: br i1
; CHECK: load float
define spir_kernel void @outermost(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %k.begin, i32 %k.end) {
entry:
  %some = icmp slt i32 %k.begin, %k.end
  call void @llvm.assume(i1 %some)
  br label %loop
loop:
  %k = phi i32 [ %k.begin, %entry ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %k, %k.end
  br i1 %more, label %body, label %exit
body:
  %from = getelementptr float, ptr addrspace(1) %p, i32 %k
  %x = load float, ptr addrspace(1) %from, align 4
  %sum.next = fadd float %sum, %x
  %k.next = add nsw i32 %k, 32
  br label %loop
exit:
  store float %sum, ptr addrspace(1) %q, align 4
  ret void
}
