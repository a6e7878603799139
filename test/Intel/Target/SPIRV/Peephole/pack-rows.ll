; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; Lanes of a CPU device are elements of a vector already.
; CPU-LABEL: @rows
; CPU: call <2 x float> @llvm.exp2.v2f32

declare spir_func float @_Z19sub_group_broadcastfj(float, i32)
declare <2 x float> @llvm.maxnum.v2f32(<2 x float>, <2 x float>)
declare <2 x float> @llvm.exp2.v2f32(<2 x float>)
declare <4 x float> @llvm.maxnum.v4f32(<4 x float>, <4 x float>)

; The maximum so far and the change of it are computed for both rows in one instruction, before the broadcasts, and the loop
; carries the register. An operation with other operands stays, such as the
; product with a value that differs among lanes.
; CHECK-LABEL: @rows
; CHECK: loop:
; CHECK: %[[OLD:.*]] = phi float [ 0xFFF0000000000000, %entry ], [ %[[NEW:.*]], %loop ]
; CHECK-NOT: phi <2 x float>
; CHECK: %[[X:.*]] = load float
; CHECK: %[[NEW]] = call float @llvm.maxnum.f32(float %[[OLD]], float %[[X]])
; CHECK: %[[CHANGE:.*]] = fsub fast float %[[OLD]], %[[NEW]]
; CHECK: %[[DECAY:.*]] = call float @llvm.exp2.f32(float %[[CHANGE]])
; CHECK: %[[A:.*]] = call spir_func float @_Z19sub_group_broadcastfj(float %[[DECAY]], i32 0)
; CHECK: %[[B:.*]] = call spir_func float @_Z19sub_group_broadcastfj(float %[[DECAY]], i32 8)
; CHECK: fmul <2 x float>
; CHECK-NOT: sub_group_broadcast
; CHECK: ret void
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = phi <2 x float> [ splat (float 0xFFF0000000000000), %entry ], [ %new, %loop ]
  %x = load float, ptr addrspace(1) %p
  %a = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %b = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 8)
  %v0 = insertelement <2 x float> poison, float %a, i64 0
  %v = insertelement <2 x float> %v0, float %b, i64 1
  %new = call <2 x float> @llvm.maxnum.v2f32(<2 x float> %old, <2 x float> %v)
  %change = fsub fast <2 x float> %old, %new
  %decay = call <2 x float> @llvm.exp2.v2f32(<2 x float> %change)
  %own = load <2 x float>, ptr addrspace(1) %q
  %product = fmul <2 x float> %own, %decay
  store <2 x float> %product, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Rows of several vectors that come from the same registers are computed once, and so are the values that the loop carries:
; two registers have eight rows here.
; CHECK-LABEL: @registers
; CHECK: loop:
; CHECK-COUNT-2: phi float
; CHECK-NOT: phi
; CHECK-COUNT-2: call float @llvm.maxnum.f32
; CHECK-NOT: maxnum
; CHECK: ret void
define spir_kernel void @registers(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = phi <4 x float> [ zeroinitializer, %entry ], [ %new, %loop ]
  %old1 = phi <4 x float> [ zeroinitializer, %entry ], [ %new1, %loop ]
  %x = load float, ptr addrspace(1) %p
  %y = load float, ptr addrspace(1) %q
  %b0 = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %b1 = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 0)
  %b2 = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 2)
  %b3 = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 2)
  %b4 = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 8)
  %b5 = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 8)
  %b6 = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 10)
  %b7 = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 10)
  %v0 = insertelement <4 x float> poison, float %b0, i64 0
  %v1 = insertelement <4 x float> %v0, float %b1, i64 1
  %v2 = insertelement <4 x float> %v1, float %b2, i64 2
  %v = insertelement <4 x float> %v2, float %b3, i64 3
  %w0 = insertelement <4 x float> poison, float %b4, i64 0
  %w1 = insertelement <4 x float> %w0, float %b5, i64 1
  %w2 = insertelement <4 x float> %w1, float %b6, i64 2
  %w = insertelement <4 x float> %w2, float %b7, i64 3
  %new = call <4 x float> @llvm.maxnum.v4f32(<4 x float> %old, <4 x float> %v)
  %new1 = call <4 x float> @llvm.maxnum.v4f32(<4 x float> %old1, <4 x float> %w)
  store <4 x float> %new, ptr addrspace(1) %q
  store <4 x float> %new1, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A branch that some lanes take: what it computes is computed before it, where all lanes execute the broadcasts.
; CHECK-LABEL: @branch
; CHECK: call float @llvm.exp2.f32
; CHECK-COUNT-2: sub_group_broadcast
; CHECK: br i1
; CHECK-NOT: exp2
; CHECK: ret void
define spir_kernel void @branch(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %own) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %x = load float, ptr addrspace(1) %p
  %a = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %b = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 8)
  %v0 = insertelement <2 x float> poison, float %a, i64 0
  %v = insertelement <2 x float> %v0, float %b, i64 1
  br i1 %own, label %some, label %end
some:
  %e = call <2 x float> @llvm.exp2.v2f32(<2 x float> %v)
  store <2 x float> %e, ptr addrspace(1) %q
  br label %end
end:
  ret void
}

; A value that is computed from a carried one after the loop is not computed in
; each iteration.
; CHECK-LABEL: @after
; CHECK: loop:
; CHECK-NOT: exp2
; CHECK: end:
; CHECK: call float @llvm.exp2.f32
; CHECK-COUNT-2: sub_group_broadcast
; CHECK: ret void
define spir_kernel void @after(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %old = phi <2 x float> [ zeroinitializer, %entry ], [ %new, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %x = load float, ptr addrspace(1) %p
  %a = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %b = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 8)
  %v0 = insertelement <2 x float> poison, float %a, i64 0
  %v = insertelement <2 x float> %v0, float %b, i64 1
  %new = call <2 x float> @llvm.maxnum.v2f32(<2 x float> %old, <2 x float> %v)
  %next = add i32 %i, 1
  br label %loop
end:
  %e = call <2 x float> @llvm.exp2.v2f32(<2 x float> %old)
  store <2 x float> %e, ptr addrspace(1) %q
  ret void
}

; These stay: rows that differ in what they are combined with, a comparison whose flags lanes use, a phi after a branch, which lanes
; may take in different ways, and a value that a loop carries without broadcasts in it.
; CHECK-LABEL: @kept
; CHECK-NOT: {{(fadd|fcmp|phi|fneg).* float }}
; CHECK: fadd <2 x float>
; CHECK: fcmp ogt <2 x float>
; CHECK: phi <2 x float>
; CHECK: phi <2 x float>
; CHECK: ret void
define spir_kernel void @kept(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %own, <2 x float> %z, i32 %n) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %x = load float, ptr addrspace(1) %p
  %a = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %b = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 8)
  %v0 = insertelement <2 x float> poison, float %a, i64 0
  %v = insertelement <2 x float> %v0, float %b, i64 1
  %sum = fadd <2 x float> %v, <float 1.0, float 2.0>
  store volatile <2 x float> %sum, ptr addrspace(1) %q
  %is = fcmp ogt <2 x float> %v, zeroinitializer
  %chosen = select <2 x i1> %is, <2 x float> %z, <2 x float> zeroinitializer
  store <2 x float> %chosen, ptr addrspace(1) %q
  br i1 %own, label %some, label %join
some:
  br label %join
join:
  %one = phi <2 x float> [ %v, %entry ], [ zeroinitializer, %some ]
  store <2 x float> %one, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %join ], [ %next, %loop ]
  %carried = phi <2 x float> [ %v, %join ], [ %negated, %loop ]
  %negated = fneg <2 x float> %carried
  store <2 x float> %carried, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
