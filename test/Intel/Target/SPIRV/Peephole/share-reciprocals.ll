; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv %s | spirv-dis | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-spirv --library=emulation %s | spirv-dis | FileCheck %s --check-prefix=CPU

; A CPU divides as exactly as it can.
; CPU-NOT: OpFMul
; CPU-COUNT-10: OpFDiv
; CPU-NOT: OpFMul

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func float @_Z19sub_group_broadcastfj(float, i32)

; One reciprocal of a scaled divisor for eight elements, which are scaled likewise.
; CHECK: OpFunction
; CHECK: OpExtInst {{.*}} fabs
; CHECK-DAG: OpFOrdLessThan
; CHECK-DAG: OpFOrdGreaterThan
; CHECK: %[[SCALED:[0-9]+]] = OpFMul
; CHECK-NEXT: OpFDiv %{{.*}} %[[SCALED]]
; CHECK-COUNT-2: OpFMul %v8float
; CHECK-NOT: OpFDiv
; CHECK: OpFunctionEnd
define spir_kernel void @splat(ptr addrspace(1) %p, float %y) !reqd_work_group_size !0 {
  %x = load <8 x float>, ptr addrspace(1) %p
  %i = insertelement <8 x float> poison, float %y, i64 0
  %s = shufflevector <8 x float> %i, <8 x float> poison, <8 x i32> zeroinitializer
  %q = fdiv <8 x float> %x, %s
  store <8 x float> %q, ptr addrspace(1) %p
  ret void
}

; Two quotients by the same rows of divisors.
; CHECK: OpFunction
; CHECK-COUNT-1: OpFDiv %v8float
; CHECK-COUNT-4: OpFMul %v8float
; CHECK-NOT: OpFDiv
; CHECK: OpFunctionEnd
define spir_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %rows) !reqd_work_group_size !0 {
  %y = load <8 x float>, ptr addrspace(1) %rows
  %x0 = load <8 x float>, ptr addrspace(1) %p
  %p1 = getelementptr <8 x float>, ptr addrspace(1) %p, i64 1
  %x1 = load <8 x float>, ptr addrspace(1) %p1
  %q0 = fdiv <8 x float> %x0, %y
  %q1 = fdiv <8 x float> %x1, %y
  store <8 x float> %q0, ptr addrspace(1) %p
  store <8 x float> %q1, ptr addrspace(1) %p1
  ret void
}

; Divisors of eight rows in lanes of one register: its scales and reciprocals are computed once, and then broadcast.
; CHECK: OpFunction
; CHECK: OpFOrdGreaterThan
; CHECK: %[[SCALE:[0-9]+]] = OpSelect %float
; CHECK: %[[SCALED:[0-9]+]] = OpFMul %float %{{[0-9]+}} %[[SCALE]]
; CHECK: %[[RECIPROCAL:[0-9]+]] = OpFDiv %float %{{[a-z0-9_]+}} %[[SCALED]]
; CHECK-COUNT-8: OpGroupBroadcast %float %{{[a-z0-9_]+}} %[[SCALE]]
; CHECK-COUNT-8: OpGroupBroadcast %float %{{[a-z0-9_]+}} %[[RECIPROCAL]]
; CHECK-COUNT-2: OpFMul %v8float
; CHECK-NOT: OpFDiv
; CHECK: OpFunctionEnd
define spir_kernel void @rows_in_lanes(ptr addrspace(1) %p, float %y) !reqd_work_group_size !0 {
  %lane = call spir_func i64 @_Z12get_local_idj(i32 0)
  %number = uitofp i64 %lane to float
  %r = fadd float %number, %y
  %b0 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 0)
  %b1 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 1)
  %b2 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 2)
  %b3 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 3)
  %b4 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 4)
  %b5 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 5)
  %b6 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 6)
  %b7 = call spir_func float @_Z19sub_group_broadcastfj(float %r, i32 7)
  %v0 = insertelement <8 x float> poison, float %b0, i32 0
  %v1 = insertelement <8 x float> %v0, float %b1, i32 1
  %v2 = insertelement <8 x float> %v1, float %b2, i32 2
  %v3 = insertelement <8 x float> %v2, float %b3, i32 3
  %v4 = insertelement <8 x float> %v3, float %b4, i32 4
  %v5 = insertelement <8 x float> %v4, float %b5, i32 5
  %v6 = insertelement <8 x float> %v5, float %b6, i32 6
  %v7 = insertelement <8 x float> %v6, float %b7, i32 7
  %at = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %lane
  %x = load <8 x float>, ptr addrspace(1) %at
  %q = fdiv <8 x float> %x, %v7
  store <8 x float> %q, ptr addrspace(1) %at
  ret void
}

; Nothing to share: a divisor for each quotient, a constant, f64.
; CHECK: OpFunction
; CHECK-NOT: fabs
; CHECK-COUNT-5: OpFDiv
; CHECK-NOT: OpFMul
; CHECK: OpFunctionEnd
define spir_kernel void @others(ptr addrspace(1) %p, float %a, float %b, double %c, double %d) !reqd_work_group_size !0 {
  %q0 = fdiv float %a, %b
  store float %q0, ptr addrspace(1) %p
  %v = load <4 x float>, ptr addrspace(1) %p
  %w = load <4 x float>, ptr addrspace(1) %p, align 8
  %q1 = fdiv <4 x float> %v, splat (float 3.0)
  %q2 = fdiv <4 x float> %q1, %w
  store <4 x float> %q2, ptr addrspace(1) %p
  %q3 = fdiv double %c, %d
  %q4 = fdiv double %q3, %d
  store double %q4, ptr addrspace(1) %p
  ret void
}

; After the definition, wherever the quotients are.
; CHECK: OpFunction
; CHECK: OpLoad %float
; CHECK: OpFDiv
; CHECK: OpBranchConditional
; CHECK-NOT: OpFDiv
; CHECK: OpFunctionEnd
define spir_kernel void @branches(ptr addrspace(1) %p, ptr addrspace(1) %from, i1 %c) !reqd_work_group_size !0 {
  %y = load float, ptr addrspace(1) %from
  %x = load float, ptr addrspace(1) %p
  br i1 %c, label %then, label %else
then:
  %q0 = fdiv float %x, %y
  store float %q0, ptr addrspace(1) %p
  br label %end
else:
  %z = fadd float %x, 1.0
  %q1 = fdiv float %z, %y
  %place = getelementptr float, ptr addrspace(1) %p, i64 1
  store float %q1, ptr addrspace(1) %place
  br label %end
end:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
