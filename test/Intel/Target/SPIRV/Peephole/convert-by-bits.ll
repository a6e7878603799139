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

; Fields of four bits stay where they are below the exponent, whose base is smaller there; the others are shifted by 16 bits.
; CHECK-LABEL: @fields
; CHECK: %[[S:.*]] = lshr <8 x i32> %word, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 16, i32 16, i32 16>
; CHECK: %[[A:.*]] = and <8 x i32> %[[S]], <i32 15, i32 240, i32 3840, i32 61440, i32 983040, i32 240, i32 3840, i32 61440>
; CHECK: %[[B:.*]] = or <8 x i32> %[[A]], <i32 1258291200, i32 1224736768, i32 1191182336, i32 1157627904, i32 1124073472, i32 1224736768, i32 1191182336, i32 1157627904>
; CHECK: %[[F:.*]] = bitcast <8 x i32> %[[B]] to <8 x float>
; CHECK: fadd <8 x float> %[[F]], <float 0xC160000100000000, float -5.242960e+05, float -3.277600e+04, float -2.056000e+03, float -1.360000e+02, float -5.242960e+05, float -3.277600e+04, float -2.056000e+03>
; CHECK: ret void
define spir_kernel void @fields(<8 x i32> %word, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %shifted = lshr <8 x i32> %word, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %field = and <8 x i32> %shifted, splat (i32 15)
  %float = uitofp <8 x i32> %field to <8 x float>
  %step = fadd <8 x float> %float, splat (float -8.0)
  store <8 x float> %step, ptr addrspace(1) %q, align 32
  ret void
}

; A zero point that elements share is added to each base once, and not for each element.
; CHECK-LABEL: @fields_and_zero
; CHECK: and <2 x i32> %{{.*}}, <i32 15, i32 240>
; CHECK: %[[X:.*]] = bitcast <2 x i32> %{{.*}} to <2 x float>
; CHECK: %[[Z:.*]] = fsub <2 x float> <float 0.000000e+00, float 7.864320e+06>, %{{.*}}
; CHECK: fadd <2 x float> %[[X]], %[[Z]]
; CHECK: ret void
define spir_kernel void @fields_and_zero(<2 x i32> %word, i32 %other, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %shifted = lshr <2 x i32> %word, <i32 0, i32 4>
  %field = and <2 x i32> %shifted, splat (i32 15)
  %float = sitofp <2 x i32> %field to <2 x float>
  %zero = and i32 %other, 15
  %zero.float = uitofp i32 %zero to float
  %zero.first = insertelement <2 x float> poison, float %zero.float, i64 0
  %zeros = shufflevector <2 x float> %zero.first, <2 x float> poison, <2 x i32> zeroinitializer
  %step = fsub <2 x float> %float, %zeros
  store <2 x float> %step, ptr addrspace(1) %q, align 8
  ret void
}

; Differences of integers that are converted afterwards are those of floats, too.
; CHECK-LABEL: @integers
; CHECK: %[[X:.*]] = bitcast <2 x i32> %{{.*}} to <2 x float>
; CHECK: fadd <2 x float> %[[X]], <float 0xC160000100000000, float -5.242960e+05>
; CHECK: %[[Y:.*]] = bitcast <2 x i32> %{{.*}} to <2 x float>
; CHECK: %[[Z:.*]] = bitcast i32 %{{.*}} to float
; CHECK: insertelement <2 x float> poison, float %[[Z]], i64 0
; CHECK: fadd <2 x float> %[[Y]],
; CHECK-NOT: sitofp
; CHECK: ret void
define spir_kernel void @integers(<2 x i32> %word, <2 x i32> %next, i32 %other, ptr addrspace(1) %q) !reqd_work_group_size !0 {
  %shifted = lshr <2 x i32> %word, <i32 0, i32 4>
  %field = and <2 x i32> %shifted, splat (i32 15)
  %difference = add nsw <2 x i32> %field, splat (i32 -8)
  %step = sitofp <2 x i32> %difference to <2 x float>
  store <2 x float> %step, ptr addrspace(1) %q, align 8
  %moved = lshr <2 x i32> %next, <i32 8, i32 12>
  %second = and <2 x i32> %moved, splat (i32 15)
  %zero = and i32 %other, 15
  %zero.first = insertelement <2 x i32> poison, i32 %zero, i64 0
  %zeros = shufflevector <2 x i32> %zero.first, <2 x i32> poison, <2 x i32> zeroinitializer
  %rest = sub nsw <2 x i32> %second, %zeros
  %last = sitofp <2 x i32> %rest to <2 x float>
  %r = getelementptr i8, ptr addrspace(1) %q, i64 8
  store <2 x float> %last, ptr addrspace(1) %r, align 8
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
