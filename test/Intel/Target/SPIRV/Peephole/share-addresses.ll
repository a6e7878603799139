; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; The CPU's own code generator adds constants in its addressing modes.
; CPU-LABEL: @vectors
; CPU-COUNT-2: shl i64

; Two vectors of a row: the second address is 16 bytes after the first one, whether the constant is added or is a bit that
; is known to be 0.
; CHECK-LABEL: @vectors
; CHECK: %[[FIRST:.*]] = add i64 %{{.*}}, %base
; CHECK: add i64 %[[FIRST]], 16
; CHECK-NOT: shl
; CHECK: add i64 %[[FIRST]], 96
; CHECK-NOT: shl
; CHECK: ret void
define spir_kernel void @vectors(i64 %base, i64 %row, i64 %step, ptr addrspace(1) %to) {
  %k = shl i64 %step, 5
  %n0 = add i64 %row, %k
  %s0 = shl i64 %n0, 1
  %a0 = add i64 %s0, %base
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %v0 = load i32, ptr addrspace(1) %p0
  store volatile i32 %v0, ptr addrspace(1) %to
  %k1 = or disjoint i64 %k, 8
  %n1 = add i64 %row, %k1
  %s1 = shl i64 %n1, 1
  %a1 = add i64 %s1, %base
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v1 = load i32, ptr addrspace(1) %p1
  store volatile i32 %v1, ptr addrspace(1) %to
  %k2 = add i64 %k, 48
  %n2 = add i64 %k2, %row
  %s2 = shl i64 %n2, 1
  %a2 = add i64 %base, %s2
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  %v2 = load i32, ptr addrspace(1) %p2
  store volatile i32 %v2, ptr addrspace(1) %to
  ret void
}

; First elements of vectors of positions, which the compiler does not look into.
; CHECK-LABEL: @elements
; CHECK: %[[FIRST:.*]] = add i64 %{{.*}}, %base
; CHECK: add i64 %[[FIRST]], 16
; CHECK-NOT: shl
; CHECK: ret void
define spir_kernel void @elements(i64 %base, i64 %k, i64 %row, <4 x i64> %end, ptr addrspace(1) %to) {
  %i = insertelement <4 x i64> poison, i64 %k, i64 0
  %s = shufflevector <4 x i64> %i, <4 x i64> poison, <4 x i32> zeroinitializer
  %v0 = add <4 x i64> %s, <i64 0, i64 1, i64 2, i64 3>
  %v1 = add <4 x i64> %s, <i64 4, i64 5, i64 6, i64 7>
  %e0 = extractelement <4 x i64> %v0, i64 0
  %n0 = add i64 %e0, %row
  %s0 = shl i64 %n0, 2
  %a0 = add i64 %s0, %base
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %r0 = load i32, ptr addrspace(1) %p0
  store volatile i32 %r0, ptr addrspace(1) %to
  %e1 = extractelement <4 x i64> %v1, i64 0
  %n1 = add i64 %e1, %row
  %s1 = shl i64 %n1, 2
  %a1 = add i64 %s1, %base
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %r1 = load i32, ptr addrspace(1) %p1
  store volatile i32 %r1, ptr addrspace(1) %to
  ret void
}

; Neither branch computes its address before the other one: each keeps its own. The code after both finds none, too.
; CHECK-LABEL: @branches
; CHECK-COUNT-3: shl i64
; CHECK: ret void
define spir_kernel void @branches(i64 %base, i64 %k, i1 %c, ptr addrspace(1) %to) {
  br i1 %c, label %yes, label %no
yes:
  %s0 = shl i64 %k, 2
  %a0 = add i64 %s0, %base
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  store volatile i32 0, ptr addrspace(1) %p0
  br label %end
no:
  %n1 = add i64 %k, 1
  %s1 = shl i64 %n1, 2
  %a1 = add i64 %s1, %base
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  store volatile i32 1, ptr addrspace(1) %p1
  br label %end
end:
  %n2 = add i64 %k, 2
  %s2 = shl i64 %n2, 2
  %a2 = add i64 %s2, %base
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  store volatile i32 2, ptr addrspace(1) %p2
  ret void
}

; One operation is no more than the sum with a constant would be, and another factor gives another sum.
; CHECK-LABEL: @others
; CHECK-DAG: %[[A:.*]] = add i64 %base, %k
; CHECK-DAG: %[[B:.*]] = add i64 %next, %k
; CHECK-DAG: %[[S:.*]] = shl i64 %m, 3
; CHECK-DAG: add i64 %base, %[[S]]
; CHECK: ret void
define spir_kernel void @others(i64 %base, i64 %k, ptr addrspace(1) %to) {
  %next = add i64 %base, 64
  %a0 = add i64 %base, %k
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  store volatile i32 0, ptr addrspace(1) %p0
  %a1 = add i64 %next, %k
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  store volatile i32 1, ptr addrspace(1) %p1
  store volatile i64 %next, ptr addrspace(1) %to
  %m = add i64 %k, 1
  %s = shl i64 %m, 3
  %a2 = add i64 %base, %s
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  store volatile i32 2, ptr addrspace(1) %p2
  ret void
}

; In a loop, what it does not change is added up before it: each address is then one sum. Rows are the same for both
; columns.
; CHECK-LABEL: @invariant_parts
; CHECK: %[[COLUMN:.*]] = shl i64 %column, 1
; CHECK-NEXT: %[[ONE:.*]] = add i64 %base, %[[COLUMN]]
; CHECK: %[[OTHER:.*]] = shl i64 %other, 1
; CHECK-NEXT: %[[TWO:.*]] = add i64 %base, %[[OTHER]]
; CHECK: loop:
; CHECK: %[[ROW:.*]] = shl i64 %{{.*}}, 1
; CHECK-NEXT: add i64 %[[ROW]], %[[ONE]]
; CHECK-NOT: shl
; CHECK: add i64 %[[ROW]], %[[TWO]]
; CHECK-NOT: shl
; CHECK: br i1
; CPU-LABEL: @invariant_parts
; CPU: loop:
; CPU-COUNT-2: shl i64
define spir_kernel void @invariant_parts(i64 %base, i64 %column, i64 %other, i64 %n, ptr addrspace(1) %to) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %i, %n
  %n0 = add i64 %row, %column
  %s0 = shl i64 %n0, 1
  %a0 = add i64 %base, %s0
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %v0 = load i32, ptr addrspace(1) %p0
  store volatile i32 %v0, ptr addrspace(1) %to
  %n1 = add i64 %row, %other
  %s1 = shl i64 %n1, 1
  %a1 = add i64 %base, %s1
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v1 = load i32, ptr addrspace(1) %p1
  store volatile i32 %v1, ptr addrspace(1) %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
