; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

; A CPU converts integers in one instruction.
; CPU-NOT: 1258291200

; A constant zero point: 2^23 is subtracted with it.
; CHECK-LABEL: @constant
; CHECK: %[[B:.*]] = or {{.*}}<4 x i32> %{{.*}}, splat (i32 1258291200)
; CHECK: %[[F:.*]] = bitcast <4 x i32> %[[B]] to <4 x float>
; CHECK: fadd <4 x float> %[[F]], splat (float 0xC160000100000000)
; CHECK-NOT: uitofp
; CHECK: ret void
define spir_kernel void @constant(<4 x i32> %word, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %field = and <4 x i32> %word, splat (i32 15)
  %float = uitofp <4 x i32> %field to <4 x float>
  %step = fadd <4 x float> %float, splat (float -8.0)
  store <4 x float> %step, ptr addrspace(1) %q, align 16
  ret void
}

; A zero point that elements share gets its bits once, as a scalar, and without the upper half of its 64 bits.
; CHECK-LABEL: @shared
; CHECK-DAG: %[[Z:.*]] = trunc {{.*}}i64 %zero to i32
; CHECK-DAG: or {{.*}}i32 %[[Z]], 1258291200
; CHECK-DAG: or {{.*}}<4 x i32> %field, splat (i32 1258291200)
; CHECK: fsub <4 x float>
; CHECK-NOT: {{ui|si}}tofp
; CHECK: ret void
define spir_kernel void @shared(<4 x i32> %word, i64 %other, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %field = and <4 x i32> %word, splat (i32 15)
  %float = sitofp <4 x i32> %field to <4 x float>
  %zero = and i64 %other, 15
  %zero.float = uitofp i64 %zero to float
  %zero.first = insertelement <4 x float> poison, float %zero.float, i64 0
  %zeros = shufflevector <4 x float> %zero.first, <4 x float> poison, <4 x i32> zeroinitializer
  %step = fsub <4 x float> %float, %zeros
  store <4 x float> %step, ptr addrspace(1) %q, align 16
  ret void
}

; Conversions that stay: of 23 bits, whose sum with 2^23 is no float; with a constant that is no integer; of an integer
; that no `and` has extracted; of one whose float has another user; and in a constant less the float.
; CHECK-LABEL: @kept
; CHECK-NOT: 1258291200
; CHECK-COUNT-5: uitofp
; CHECK: ret void
define spir_kernel void @kept(i32 %word, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %long = and i32 %word, 8388607
  %long.float = uitofp i32 %long to float
  %a = fadd float %long.float, -8.0
  store volatile float %a, ptr addrspace(1) %q
  %field = and i32 %word, 15
  %field.float = uitofp i32 %field to float
  %b = fadd float %field.float, 0.5
  store volatile float %b, ptr addrspace(1) %q
  %shifted = lshr i32 %word, 28
  %shifted.float = uitofp i32 %shifted to float
  %c = fadd float %shifted.float, -8.0
  store volatile float %c, ptr addrspace(1) %q
  %used = and i32 %word, 7
  %used.float = uitofp i32 %used to float
  %d = fadd float %used.float, -8.0
  store volatile float %d, ptr addrspace(1) %q
  store volatile float %used.float, ptr addrspace(1) %q
  %less = and i32 %word, 3
  %less.float = uitofp i32 %less to float
  %e = fsub float 8.0, %less.float
  store volatile float %e, ptr addrspace(1) %q
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
