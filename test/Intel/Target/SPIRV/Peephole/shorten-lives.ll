; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; A result that is not valid is refused when it is read again.
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | triton-xe-translate --llvmir-prepare --arch=pvc -o /dev/null
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=CPU

; Four values of 16 numbers for each of five vectors are more than the 256 registers of 64 bytes that a thread has at
; most: what is stored is computed vector by vector. The loads stay where they are.
; CHECK-LABEL: @wide
; CHECK-COUNT-5: load
; CHECK: %[[A:.*]] = fadd
; CHECK: %[[B:.*]] = fmul
; CHECK: %[[E:.*]] = fadd <16 x float> %[[A]], %[[B]]
; CHECK: %[[C:.*]] = fdiv
; CHECK: %[[D:.*]] = fsub
; CHECK: %[[F:.*]] = fadd <16 x float> %[[C]], %[[D]]
; CHECK: store
; CHECK: fadd
; CHECK: ret void
; CPU-LABEL: @wide
; CPU: fadd
; CPU-NEXT: fadd
; CPU: ret void
define spir_kernel void @wide(ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %x0 = load <16 x float>, ptr addrspace(1) %p0
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %x1 = load <16 x float>, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %x2 = load <16 x float>, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %x3 = load <16 x float>, ptr addrspace(1) %p3
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %x4 = load <16 x float>, ptr addrspace(1) %p4
  %a0 = fadd <16 x float> %x0, splat (float 1.5)
  %a1 = fadd <16 x float> %x1, splat (float 1.5)
  %a2 = fadd <16 x float> %x2, splat (float 1.5)
  %a3 = fadd <16 x float> %x3, splat (float 1.5)
  %a4 = fadd <16 x float> %x4, splat (float 1.5)
  %b0 = fmul <16 x float> %x0, splat (float 1.5)
  %b1 = fmul <16 x float> %x1, splat (float 1.5)
  %b2 = fmul <16 x float> %x2, splat (float 1.5)
  %b3 = fmul <16 x float> %x3, splat (float 1.5)
  %b4 = fmul <16 x float> %x4, splat (float 1.5)
  %c0 = fdiv <16 x float> %x0, splat (float 1.5)
  %c1 = fdiv <16 x float> %x1, splat (float 1.5)
  %c2 = fdiv <16 x float> %x2, splat (float 1.5)
  %c3 = fdiv <16 x float> %x3, splat (float 1.5)
  %c4 = fdiv <16 x float> %x4, splat (float 1.5)
  %d0 = fsub <16 x float> %x0, splat (float 1.5)
  %d1 = fsub <16 x float> %x1, splat (float 1.5)
  %d2 = fsub <16 x float> %x2, splat (float 1.5)
  %d3 = fsub <16 x float> %x3, splat (float 1.5)
  %d4 = fsub <16 x float> %x4, splat (float 1.5)
  %e0 = fadd <16 x float> %a0, %b0
  %e1 = fadd <16 x float> %a1, %b1
  %e2 = fadd <16 x float> %a2, %b2
  %e3 = fadd <16 x float> %a3, %b3
  %e4 = fadd <16 x float> %a4, %b4
  %f0 = fadd <16 x float> %c0, %d0
  %f1 = fadd <16 x float> %c1, %d1
  %f2 = fadd <16 x float> %c2, %d2
  %f3 = fadd <16 x float> %c3, %d3
  %f4 = fadd <16 x float> %c4, %d4
  %g0 = fadd <16 x float> %e0, %f0
  %g1 = fadd <16 x float> %e1, %f1
  %g2 = fadd <16 x float> %e2, %f2
  %g3 = fadd <16 x float> %e3, %f3
  %g4 = fadd <16 x float> %e4, %f4
  %q0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store <16 x float> %g0, ptr addrspace(1) %q0
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store <16 x float> %g1, ptr addrspace(1) %q1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store <16 x float> %g2, ptr addrspace(1) %q2
  %q3 = getelementptr i8, ptr addrspace(1) %q, i64 192
  store <16 x float> %g3, ptr addrspace(1) %q3
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 256
  store <16 x float> %g4, ptr addrspace(1) %q4
  ret void
}

; The registers of three vectors suffice, and there is no product: the order stays.
; CHECK-LABEL: @narrow
; CHECK: fadd
; CHECK-NEXT: fadd
; CHECK-NEXT: fadd
; CHECK: ret void
define spir_kernel void @narrow(ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %x0 = load <16 x float>, ptr addrspace(1) %p0
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %x1 = load <16 x float>, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %x2 = load <16 x float>, ptr addrspace(1) %p2
  %a0 = fadd <16 x float> %x0, splat (float 1.5)
  %a1 = fadd <16 x float> %x1, splat (float 1.5)
  %a2 = fadd <16 x float> %x2, splat (float 1.5)
  %b0 = fmul <16 x float> %x0, splat (float 1.5)
  %b1 = fmul <16 x float> %x1, splat (float 1.5)
  %b2 = fmul <16 x float> %x2, splat (float 1.5)
  %c0 = fdiv <16 x float> %x0, splat (float 1.5)
  %c1 = fdiv <16 x float> %x1, splat (float 1.5)
  %c2 = fdiv <16 x float> %x2, splat (float 1.5)
  %d0 = fsub <16 x float> %x0, splat (float 1.5)
  %d1 = fsub <16 x float> %x1, splat (float 1.5)
  %d2 = fsub <16 x float> %x2, splat (float 1.5)
  %e0 = fadd <16 x float> %a0, %b0
  %e1 = fadd <16 x float> %a1, %b1
  %e2 = fadd <16 x float> %a2, %b2
  %f0 = fadd <16 x float> %c0, %d0
  %f1 = fadd <16 x float> %c1, %d1
  %f2 = fadd <16 x float> %c2, %d2
  %g0 = fadd <16 x float> %e0, %f0
  %g1 = fadd <16 x float> %e1, %f1
  %g2 = fadd <16 x float> %e2, %f2
  %q0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store <16 x float> %g0, ptr addrspace(1) %q0
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store <16 x float> %g1, ptr addrspace(1) %q1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store <16 x float> %g2, ptr addrspace(1) %q2
  ret void
}

; Nine vectors that are loaded first are most of what is live: the other order saves too little.
; CHECK-LABEL: @little
; CHECK: add <16 x i32>
; CHECK-NEXT: add <16 x i32>
; CHECK-NEXT: add <16 x i32>
; CHECK: ret void
define spir_kernel void @little(ptr addrspace(1) %p, <8 x i16> %a, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %x0 = load <16 x i32>, ptr addrspace(1) %p0
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %x1 = load <16 x i32>, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %x2 = load <16 x i32>, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %x3 = load <16 x i32>, ptr addrspace(1) %p3
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %x4 = load <16 x i32>, ptr addrspace(1) %p4
  %p5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %x5 = load <16 x i32>, ptr addrspace(1) %p5
  %p6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %x6 = load <16 x i32>, ptr addrspace(1) %p6
  %p7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %x7 = load <16 x i32>, ptr addrspace(1) %p7
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 512
  %x8 = load <16 x i32>, ptr addrspace(1) %p8
  %u0 = add <16 x i32> %x0, splat (i32 1)
  %u1 = add <16 x i32> %x1, splat (i32 1)
  %u2 = add <16 x i32> %x2, splat (i32 1)
  %v0 = shufflevector <16 x i32> %u0, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v1 = shufflevector <16 x i32> %u1, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v2 = shufflevector <16 x i32> %u2, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %s0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v0, <8 x float> zeroinitializer)
  %s1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v1, <8 x float> %s0)
  %s2 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v2, <8 x float> %s1)
  store <8 x float> %s2, ptr addrspace(1) %q
  %q0 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store <16 x i32> %x0, ptr addrspace(1) %q0
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store <16 x i32> %x1, ptr addrspace(1) %q1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 192
  store <16 x i32> %x2, ptr addrspace(1) %q2
  %q3 = getelementptr i8, ptr addrspace(1) %q, i64 256
  store <16 x i32> %x3, ptr addrspace(1) %q3
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 320
  store <16 x i32> %x4, ptr addrspace(1) %q4
  %q5 = getelementptr i8, ptr addrspace(1) %q, i64 384
  store <16 x i32> %x5, ptr addrspace(1) %q5
  %q6 = getelementptr i8, ptr addrspace(1) %q, i64 448
  store <16 x i32> %x6, ptr addrspace(1) %q6
  %q7 = getelementptr i8, ptr addrspace(1) %q, i64 512
  store <16 x i32> %x7, ptr addrspace(1) %q7
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 576
  store <16 x i32> %x8, ptr addrspace(1) %q8
  ret void
}

; Ten operands of products need more than half of the registers, and another order much less: each operand is computed
; right ahead of its product, although no access to memory is between the products.
; CHECK-LABEL: @products
; CHECK: add <16 x i32>
; CHECK: call {{.*}}matrix_mad
; CHECK: add <16 x i32>
; CHECK: call {{.*}}matrix_mad
; CHECK: ret void
define spir_kernel void @products(ptr addrspace(1) %p, <8 x i16> %a, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %x = load <16 x i32>, ptr addrspace(1) %p
  %u0 = add <16 x i32> %x, splat (i32 1)
  %u1 = add <16 x i32> %x, splat (i32 2)
  %u2 = add <16 x i32> %x, splat (i32 3)
  %u3 = add <16 x i32> %x, splat (i32 4)
  %u4 = add <16 x i32> %x, splat (i32 5)
  %u5 = add <16 x i32> %x, splat (i32 6)
  %u6 = add <16 x i32> %x, splat (i32 7)
  %u7 = add <16 x i32> %x, splat (i32 8)
  %u8 = add <16 x i32> %x, splat (i32 9)
  %u9 = add <16 x i32> %x, splat (i32 10)
  %v0 = shufflevector <16 x i32> %u0, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v1 = shufflevector <16 x i32> %u1, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v2 = shufflevector <16 x i32> %u2, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v3 = shufflevector <16 x i32> %u3, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v4 = shufflevector <16 x i32> %u4, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v5 = shufflevector <16 x i32> %u5, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v6 = shufflevector <16 x i32> %u6, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v7 = shufflevector <16 x i32> %u7, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v8 = shufflevector <16 x i32> %u8, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v9 = shufflevector <16 x i32> %u9, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %s0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v0, <8 x float> zeroinitializer)
  %s1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v1, <8 x float> %s0)
  %s2 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v2, <8 x float> %s1)
  %s3 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v3, <8 x float> %s2)
  %s4 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v4, <8 x float> %s3)
  %s5 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v5, <8 x float> %s4)
  %s6 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v6, <8 x float> %s5)
  %s7 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v7, <8 x float> %s6)
  %s8 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v8, <8 x float> %s7)
  %s9 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %v9, <8 x float> %s8)
  store <8 x float> %s9, ptr addrspace(1) %q
  ret void
}

declare spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16>, <8 x i32>, <8 x float>) convergent nounwind willreturn memory(none)

; A loop of one block carries what it computes from loads: phis come first, and the loads before their uses.
; CHECK-LABEL: @carried
; CHECK-COUNT-65: phi
; CHECK: %[[X:.*]] = load <2 x float>
; CHECK: fmul <2 x float> %[[X]],
; CHECK: br i1
define spir_kernel void @carried(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) !intel_reqd_sub_group_size !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %c0 = phi <2 x float> [ zeroinitializer, %entry ], [ %s0, %loop ]
  %c1 = phi <2 x float> [ zeroinitializer, %entry ], [ %s1, %loop ]
  %c2 = phi <2 x float> [ zeroinitializer, %entry ], [ %s2, %loop ]
  %c3 = phi <2 x float> [ zeroinitializer, %entry ], [ %s3, %loop ]
  %c4 = phi <2 x float> [ zeroinitializer, %entry ], [ %s4, %loop ]
  %c5 = phi <2 x float> [ zeroinitializer, %entry ], [ %s5, %loop ]
  %c6 = phi <2 x float> [ zeroinitializer, %entry ], [ %s6, %loop ]
  %c7 = phi <2 x float> [ zeroinitializer, %entry ], [ %s7, %loop ]
  %c8 = phi <2 x float> [ zeroinitializer, %entry ], [ %s8, %loop ]
  %c9 = phi <2 x float> [ zeroinitializer, %entry ], [ %s9, %loop ]
  %c10 = phi <2 x float> [ zeroinitializer, %entry ], [ %s10, %loop ]
  %c11 = phi <2 x float> [ zeroinitializer, %entry ], [ %s11, %loop ]
  %c12 = phi <2 x float> [ zeroinitializer, %entry ], [ %s12, %loop ]
  %c13 = phi <2 x float> [ zeroinitializer, %entry ], [ %s13, %loop ]
  %c14 = phi <2 x float> [ zeroinitializer, %entry ], [ %s14, %loop ]
  %c15 = phi <2 x float> [ zeroinitializer, %entry ], [ %s15, %loop ]
  %c16 = phi <2 x float> [ zeroinitializer, %entry ], [ %s16, %loop ]
  %c17 = phi <2 x float> [ zeroinitializer, %entry ], [ %s17, %loop ]
  %c18 = phi <2 x float> [ zeroinitializer, %entry ], [ %s18, %loop ]
  %c19 = phi <2 x float> [ zeroinitializer, %entry ], [ %s19, %loop ]
  %c20 = phi <2 x float> [ zeroinitializer, %entry ], [ %s20, %loop ]
  %c21 = phi <2 x float> [ zeroinitializer, %entry ], [ %s21, %loop ]
  %c22 = phi <2 x float> [ zeroinitializer, %entry ], [ %s22, %loop ]
  %c23 = phi <2 x float> [ zeroinitializer, %entry ], [ %s23, %loop ]
  %c24 = phi <2 x float> [ zeroinitializer, %entry ], [ %s24, %loop ]
  %c25 = phi <2 x float> [ zeroinitializer, %entry ], [ %s25, %loop ]
  %c26 = phi <2 x float> [ zeroinitializer, %entry ], [ %s26, %loop ]
  %c27 = phi <2 x float> [ zeroinitializer, %entry ], [ %s27, %loop ]
  %c28 = phi <2 x float> [ zeroinitializer, %entry ], [ %s28, %loop ]
  %c29 = phi <2 x float> [ zeroinitializer, %entry ], [ %s29, %loop ]
  %c30 = phi <2 x float> [ zeroinitializer, %entry ], [ %s30, %loop ]
  %c31 = phi <2 x float> [ zeroinitializer, %entry ], [ %s31, %loop ]
  %c32 = phi <2 x float> [ zeroinitializer, %entry ], [ %s32, %loop ]
  %c33 = phi <2 x float> [ zeroinitializer, %entry ], [ %s33, %loop ]
  %c34 = phi <2 x float> [ zeroinitializer, %entry ], [ %s34, %loop ]
  %c35 = phi <2 x float> [ zeroinitializer, %entry ], [ %s35, %loop ]
  %c36 = phi <2 x float> [ zeroinitializer, %entry ], [ %s36, %loop ]
  %c37 = phi <2 x float> [ zeroinitializer, %entry ], [ %s37, %loop ]
  %c38 = phi <2 x float> [ zeroinitializer, %entry ], [ %s38, %loop ]
  %c39 = phi <2 x float> [ zeroinitializer, %entry ], [ %s39, %loop ]
  %c40 = phi <2 x float> [ zeroinitializer, %entry ], [ %s40, %loop ]
  %c41 = phi <2 x float> [ zeroinitializer, %entry ], [ %s41, %loop ]
  %c42 = phi <2 x float> [ zeroinitializer, %entry ], [ %s42, %loop ]
  %c43 = phi <2 x float> [ zeroinitializer, %entry ], [ %s43, %loop ]
  %c44 = phi <2 x float> [ zeroinitializer, %entry ], [ %s44, %loop ]
  %c45 = phi <2 x float> [ zeroinitializer, %entry ], [ %s45, %loop ]
  %c46 = phi <2 x float> [ zeroinitializer, %entry ], [ %s46, %loop ]
  %c47 = phi <2 x float> [ zeroinitializer, %entry ], [ %s47, %loop ]
  %c48 = phi <2 x float> [ zeroinitializer, %entry ], [ %s48, %loop ]
  %c49 = phi <2 x float> [ zeroinitializer, %entry ], [ %s49, %loop ]
  %c50 = phi <2 x float> [ zeroinitializer, %entry ], [ %s50, %loop ]
  %c51 = phi <2 x float> [ zeroinitializer, %entry ], [ %s51, %loop ]
  %c52 = phi <2 x float> [ zeroinitializer, %entry ], [ %s52, %loop ]
  %c53 = phi <2 x float> [ zeroinitializer, %entry ], [ %s53, %loop ]
  %c54 = phi <2 x float> [ zeroinitializer, %entry ], [ %s54, %loop ]
  %c55 = phi <2 x float> [ zeroinitializer, %entry ], [ %s55, %loop ]
  %c56 = phi <2 x float> [ zeroinitializer, %entry ], [ %s56, %loop ]
  %c57 = phi <2 x float> [ zeroinitializer, %entry ], [ %s57, %loop ]
  %c58 = phi <2 x float> [ zeroinitializer, %entry ], [ %s58, %loop ]
  %c59 = phi <2 x float> [ zeroinitializer, %entry ], [ %s59, %loop ]
  %c60 = phi <2 x float> [ zeroinitializer, %entry ], [ %s60, %loop ]
  %c61 = phi <2 x float> [ zeroinitializer, %entry ], [ %s61, %loop ]
  %c62 = phi <2 x float> [ zeroinitializer, %entry ], [ %s62, %loop ]
  %c63 = phi <2 x float> [ zeroinitializer, %entry ], [ %s63, %loop ]
  %o0 = add i32 %i, 0
  %p0 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o0
  %x0 = load <2 x float>, ptr addrspace(1) %p0, align 8
  %o1 = add i32 %i, 1
  %p1 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o1
  %x1 = load <2 x float>, ptr addrspace(1) %p1, align 8
  %o2 = add i32 %i, 2
  %p2 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o2
  %x2 = load <2 x float>, ptr addrspace(1) %p2, align 8
  %o3 = add i32 %i, 3
  %p3 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o3
  %x3 = load <2 x float>, ptr addrspace(1) %p3, align 8
  %o4 = add i32 %i, 4
  %p4 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o4
  %x4 = load <2 x float>, ptr addrspace(1) %p4, align 8
  %o5 = add i32 %i, 5
  %p5 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o5
  %x5 = load <2 x float>, ptr addrspace(1) %p5, align 8
  %o6 = add i32 %i, 6
  %p6 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o6
  %x6 = load <2 x float>, ptr addrspace(1) %p6, align 8
  %o7 = add i32 %i, 7
  %p7 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o7
  %x7 = load <2 x float>, ptr addrspace(1) %p7, align 8
  %o8 = add i32 %i, 8
  %p8 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o8
  %x8 = load <2 x float>, ptr addrspace(1) %p8, align 8
  %o9 = add i32 %i, 9
  %p9 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o9
  %x9 = load <2 x float>, ptr addrspace(1) %p9, align 8
  %o10 = add i32 %i, 10
  %p10 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o10
  %x10 = load <2 x float>, ptr addrspace(1) %p10, align 8
  %o11 = add i32 %i, 11
  %p11 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o11
  %x11 = load <2 x float>, ptr addrspace(1) %p11, align 8
  %o12 = add i32 %i, 12
  %p12 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o12
  %x12 = load <2 x float>, ptr addrspace(1) %p12, align 8
  %o13 = add i32 %i, 13
  %p13 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o13
  %x13 = load <2 x float>, ptr addrspace(1) %p13, align 8
  %o14 = add i32 %i, 14
  %p14 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o14
  %x14 = load <2 x float>, ptr addrspace(1) %p14, align 8
  %o15 = add i32 %i, 15
  %p15 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o15
  %x15 = load <2 x float>, ptr addrspace(1) %p15, align 8
  %o16 = add i32 %i, 16
  %p16 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o16
  %x16 = load <2 x float>, ptr addrspace(1) %p16, align 8
  %o17 = add i32 %i, 17
  %p17 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o17
  %x17 = load <2 x float>, ptr addrspace(1) %p17, align 8
  %o18 = add i32 %i, 18
  %p18 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o18
  %x18 = load <2 x float>, ptr addrspace(1) %p18, align 8
  %o19 = add i32 %i, 19
  %p19 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o19
  %x19 = load <2 x float>, ptr addrspace(1) %p19, align 8
  %o20 = add i32 %i, 20
  %p20 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o20
  %x20 = load <2 x float>, ptr addrspace(1) %p20, align 8
  %o21 = add i32 %i, 21
  %p21 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o21
  %x21 = load <2 x float>, ptr addrspace(1) %p21, align 8
  %o22 = add i32 %i, 22
  %p22 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o22
  %x22 = load <2 x float>, ptr addrspace(1) %p22, align 8
  %o23 = add i32 %i, 23
  %p23 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o23
  %x23 = load <2 x float>, ptr addrspace(1) %p23, align 8
  %o24 = add i32 %i, 24
  %p24 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o24
  %x24 = load <2 x float>, ptr addrspace(1) %p24, align 8
  %o25 = add i32 %i, 25
  %p25 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o25
  %x25 = load <2 x float>, ptr addrspace(1) %p25, align 8
  %o26 = add i32 %i, 26
  %p26 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o26
  %x26 = load <2 x float>, ptr addrspace(1) %p26, align 8
  %o27 = add i32 %i, 27
  %p27 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o27
  %x27 = load <2 x float>, ptr addrspace(1) %p27, align 8
  %o28 = add i32 %i, 28
  %p28 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o28
  %x28 = load <2 x float>, ptr addrspace(1) %p28, align 8
  %o29 = add i32 %i, 29
  %p29 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o29
  %x29 = load <2 x float>, ptr addrspace(1) %p29, align 8
  %o30 = add i32 %i, 30
  %p30 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o30
  %x30 = load <2 x float>, ptr addrspace(1) %p30, align 8
  %o31 = add i32 %i, 31
  %p31 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o31
  %x31 = load <2 x float>, ptr addrspace(1) %p31, align 8
  %o32 = add i32 %i, 32
  %p32 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o32
  %x32 = load <2 x float>, ptr addrspace(1) %p32, align 8
  %o33 = add i32 %i, 33
  %p33 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o33
  %x33 = load <2 x float>, ptr addrspace(1) %p33, align 8
  %o34 = add i32 %i, 34
  %p34 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o34
  %x34 = load <2 x float>, ptr addrspace(1) %p34, align 8
  %o35 = add i32 %i, 35
  %p35 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o35
  %x35 = load <2 x float>, ptr addrspace(1) %p35, align 8
  %o36 = add i32 %i, 36
  %p36 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o36
  %x36 = load <2 x float>, ptr addrspace(1) %p36, align 8
  %o37 = add i32 %i, 37
  %p37 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o37
  %x37 = load <2 x float>, ptr addrspace(1) %p37, align 8
  %o38 = add i32 %i, 38
  %p38 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o38
  %x38 = load <2 x float>, ptr addrspace(1) %p38, align 8
  %o39 = add i32 %i, 39
  %p39 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o39
  %x39 = load <2 x float>, ptr addrspace(1) %p39, align 8
  %o40 = add i32 %i, 40
  %p40 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o40
  %x40 = load <2 x float>, ptr addrspace(1) %p40, align 8
  %o41 = add i32 %i, 41
  %p41 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o41
  %x41 = load <2 x float>, ptr addrspace(1) %p41, align 8
  %o42 = add i32 %i, 42
  %p42 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o42
  %x42 = load <2 x float>, ptr addrspace(1) %p42, align 8
  %o43 = add i32 %i, 43
  %p43 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o43
  %x43 = load <2 x float>, ptr addrspace(1) %p43, align 8
  %o44 = add i32 %i, 44
  %p44 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o44
  %x44 = load <2 x float>, ptr addrspace(1) %p44, align 8
  %o45 = add i32 %i, 45
  %p45 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o45
  %x45 = load <2 x float>, ptr addrspace(1) %p45, align 8
  %o46 = add i32 %i, 46
  %p46 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o46
  %x46 = load <2 x float>, ptr addrspace(1) %p46, align 8
  %o47 = add i32 %i, 47
  %p47 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o47
  %x47 = load <2 x float>, ptr addrspace(1) %p47, align 8
  %o48 = add i32 %i, 48
  %p48 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o48
  %x48 = load <2 x float>, ptr addrspace(1) %p48, align 8
  %o49 = add i32 %i, 49
  %p49 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o49
  %x49 = load <2 x float>, ptr addrspace(1) %p49, align 8
  %o50 = add i32 %i, 50
  %p50 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o50
  %x50 = load <2 x float>, ptr addrspace(1) %p50, align 8
  %o51 = add i32 %i, 51
  %p51 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o51
  %x51 = load <2 x float>, ptr addrspace(1) %p51, align 8
  %o52 = add i32 %i, 52
  %p52 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o52
  %x52 = load <2 x float>, ptr addrspace(1) %p52, align 8
  %o53 = add i32 %i, 53
  %p53 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o53
  %x53 = load <2 x float>, ptr addrspace(1) %p53, align 8
  %o54 = add i32 %i, 54
  %p54 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o54
  %x54 = load <2 x float>, ptr addrspace(1) %p54, align 8
  %o55 = add i32 %i, 55
  %p55 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o55
  %x55 = load <2 x float>, ptr addrspace(1) %p55, align 8
  %o56 = add i32 %i, 56
  %p56 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o56
  %x56 = load <2 x float>, ptr addrspace(1) %p56, align 8
  %o57 = add i32 %i, 57
  %p57 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o57
  %x57 = load <2 x float>, ptr addrspace(1) %p57, align 8
  %o58 = add i32 %i, 58
  %p58 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o58
  %x58 = load <2 x float>, ptr addrspace(1) %p58, align 8
  %o59 = add i32 %i, 59
  %p59 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o59
  %x59 = load <2 x float>, ptr addrspace(1) %p59, align 8
  %o60 = add i32 %i, 60
  %p60 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o60
  %x60 = load <2 x float>, ptr addrspace(1) %p60, align 8
  %o61 = add i32 %i, 61
  %p61 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o61
  %x61 = load <2 x float>, ptr addrspace(1) %p61, align 8
  %o62 = add i32 %i, 62
  %p62 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o62
  %x62 = load <2 x float>, ptr addrspace(1) %p62, align 8
  %o63 = add i32 %i, 63
  %p63 = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %o63
  %x63 = load <2 x float>, ptr addrspace(1) %p63, align 8
  %m0 = fmul <2 x float> %x0, %c1
  %m1 = fmul <2 x float> %x1, %c2
  %m2 = fmul <2 x float> %x2, %c3
  %m3 = fmul <2 x float> %x3, %c4
  %m4 = fmul <2 x float> %x4, %c5
  %m5 = fmul <2 x float> %x5, %c6
  %m6 = fmul <2 x float> %x6, %c7
  %m7 = fmul <2 x float> %x7, %c8
  %m8 = fmul <2 x float> %x8, %c9
  %m9 = fmul <2 x float> %x9, %c10
  %m10 = fmul <2 x float> %x10, %c11
  %m11 = fmul <2 x float> %x11, %c12
  %m12 = fmul <2 x float> %x12, %c13
  %m13 = fmul <2 x float> %x13, %c14
  %m14 = fmul <2 x float> %x14, %c15
  %m15 = fmul <2 x float> %x15, %c16
  %m16 = fmul <2 x float> %x16, %c17
  %m17 = fmul <2 x float> %x17, %c18
  %m18 = fmul <2 x float> %x18, %c19
  %m19 = fmul <2 x float> %x19, %c20
  %m20 = fmul <2 x float> %x20, %c21
  %m21 = fmul <2 x float> %x21, %c22
  %m22 = fmul <2 x float> %x22, %c23
  %m23 = fmul <2 x float> %x23, %c24
  %m24 = fmul <2 x float> %x24, %c25
  %m25 = fmul <2 x float> %x25, %c26
  %m26 = fmul <2 x float> %x26, %c27
  %m27 = fmul <2 x float> %x27, %c28
  %m28 = fmul <2 x float> %x28, %c29
  %m29 = fmul <2 x float> %x29, %c30
  %m30 = fmul <2 x float> %x30, %c31
  %m31 = fmul <2 x float> %x31, %c32
  %m32 = fmul <2 x float> %x32, %c33
  %m33 = fmul <2 x float> %x33, %c34
  %m34 = fmul <2 x float> %x34, %c35
  %m35 = fmul <2 x float> %x35, %c36
  %m36 = fmul <2 x float> %x36, %c37
  %m37 = fmul <2 x float> %x37, %c38
  %m38 = fmul <2 x float> %x38, %c39
  %m39 = fmul <2 x float> %x39, %c40
  %m40 = fmul <2 x float> %x40, %c41
  %m41 = fmul <2 x float> %x41, %c42
  %m42 = fmul <2 x float> %x42, %c43
  %m43 = fmul <2 x float> %x43, %c44
  %m44 = fmul <2 x float> %x44, %c45
  %m45 = fmul <2 x float> %x45, %c46
  %m46 = fmul <2 x float> %x46, %c47
  %m47 = fmul <2 x float> %x47, %c48
  %m48 = fmul <2 x float> %x48, %c49
  %m49 = fmul <2 x float> %x49, %c50
  %m50 = fmul <2 x float> %x50, %c51
  %m51 = fmul <2 x float> %x51, %c52
  %m52 = fmul <2 x float> %x52, %c53
  %m53 = fmul <2 x float> %x53, %c54
  %m54 = fmul <2 x float> %x54, %c55
  %m55 = fmul <2 x float> %x55, %c56
  %m56 = fmul <2 x float> %x56, %c57
  %m57 = fmul <2 x float> %x57, %c58
  %m58 = fmul <2 x float> %x58, %c59
  %m59 = fmul <2 x float> %x59, %c60
  %m60 = fmul <2 x float> %x60, %c61
  %m61 = fmul <2 x float> %x61, %c62
  %m62 = fmul <2 x float> %x62, %c63
  %m63 = fmul <2 x float> %x63, %c0
  %s0 = fadd <2 x float> %m0, %c0
  %s1 = fadd <2 x float> %m1, %c1
  %s2 = fadd <2 x float> %m2, %c2
  %s3 = fadd <2 x float> %m3, %c3
  %s4 = fadd <2 x float> %m4, %c4
  %s5 = fadd <2 x float> %m5, %c5
  %s6 = fadd <2 x float> %m6, %c6
  %s7 = fadd <2 x float> %m7, %c7
  %s8 = fadd <2 x float> %m8, %c8
  %s9 = fadd <2 x float> %m9, %c9
  %s10 = fadd <2 x float> %m10, %c10
  %s11 = fadd <2 x float> %m11, %c11
  %s12 = fadd <2 x float> %m12, %c12
  %s13 = fadd <2 x float> %m13, %c13
  %s14 = fadd <2 x float> %m14, %c14
  %s15 = fadd <2 x float> %m15, %c15
  %s16 = fadd <2 x float> %m16, %c16
  %s17 = fadd <2 x float> %m17, %c17
  %s18 = fadd <2 x float> %m18, %c18
  %s19 = fadd <2 x float> %m19, %c19
  %s20 = fadd <2 x float> %m20, %c20
  %s21 = fadd <2 x float> %m21, %c21
  %s22 = fadd <2 x float> %m22, %c22
  %s23 = fadd <2 x float> %m23, %c23
  %s24 = fadd <2 x float> %m24, %c24
  %s25 = fadd <2 x float> %m25, %c25
  %s26 = fadd <2 x float> %m26, %c26
  %s27 = fadd <2 x float> %m27, %c27
  %s28 = fadd <2 x float> %m28, %c28
  %s29 = fadd <2 x float> %m29, %c29
  %s30 = fadd <2 x float> %m30, %c30
  %s31 = fadd <2 x float> %m31, %c31
  %s32 = fadd <2 x float> %m32, %c32
  %s33 = fadd <2 x float> %m33, %c33
  %s34 = fadd <2 x float> %m34, %c34
  %s35 = fadd <2 x float> %m35, %c35
  %s36 = fadd <2 x float> %m36, %c36
  %s37 = fadd <2 x float> %m37, %c37
  %s38 = fadd <2 x float> %m38, %c38
  %s39 = fadd <2 x float> %m39, %c39
  %s40 = fadd <2 x float> %m40, %c40
  %s41 = fadd <2 x float> %m41, %c41
  %s42 = fadd <2 x float> %m42, %c42
  %s43 = fadd <2 x float> %m43, %c43
  %s44 = fadd <2 x float> %m44, %c44
  %s45 = fadd <2 x float> %m45, %c45
  %s46 = fadd <2 x float> %m46, %c46
  %s47 = fadd <2 x float> %m47, %c47
  %s48 = fadd <2 x float> %m48, %c48
  %s49 = fadd <2 x float> %m49, %c49
  %s50 = fadd <2 x float> %m50, %c50
  %s51 = fadd <2 x float> %m51, %c51
  %s52 = fadd <2 x float> %m52, %c52
  %s53 = fadd <2 x float> %m53, %c53
  %s54 = fadd <2 x float> %m54, %c54
  %s55 = fadd <2 x float> %m55, %c55
  %s56 = fadd <2 x float> %m56, %c56
  %s57 = fadd <2 x float> %m57, %c57
  %s58 = fadd <2 x float> %m58, %c58
  %s59 = fadd <2 x float> %m59, %c59
  %s60 = fadd <2 x float> %m60, %c60
  %s61 = fadd <2 x float> %m61, %c61
  %s62 = fadd <2 x float> %m62, %c62
  %s63 = fadd <2 x float> %m63, %c63
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  %q0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store <2 x float> %s0, ptr addrspace(1) %q0, align 8
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 8
  store <2 x float> %s1, ptr addrspace(1) %q1, align 8
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 16
  store <2 x float> %s2, ptr addrspace(1) %q2, align 8
  %q3 = getelementptr i8, ptr addrspace(1) %q, i64 24
  store <2 x float> %s3, ptr addrspace(1) %q3, align 8
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 32
  store <2 x float> %s4, ptr addrspace(1) %q4, align 8
  %q5 = getelementptr i8, ptr addrspace(1) %q, i64 40
  store <2 x float> %s5, ptr addrspace(1) %q5, align 8
  %q6 = getelementptr i8, ptr addrspace(1) %q, i64 48
  store <2 x float> %s6, ptr addrspace(1) %q6, align 8
  %q7 = getelementptr i8, ptr addrspace(1) %q, i64 56
  store <2 x float> %s7, ptr addrspace(1) %q7, align 8
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store <2 x float> %s8, ptr addrspace(1) %q8, align 8
  %q9 = getelementptr i8, ptr addrspace(1) %q, i64 72
  store <2 x float> %s9, ptr addrspace(1) %q9, align 8
  %q10 = getelementptr i8, ptr addrspace(1) %q, i64 80
  store <2 x float> %s10, ptr addrspace(1) %q10, align 8
  %q11 = getelementptr i8, ptr addrspace(1) %q, i64 88
  store <2 x float> %s11, ptr addrspace(1) %q11, align 8
  %q12 = getelementptr i8, ptr addrspace(1) %q, i64 96
  store <2 x float> %s12, ptr addrspace(1) %q12, align 8
  %q13 = getelementptr i8, ptr addrspace(1) %q, i64 104
  store <2 x float> %s13, ptr addrspace(1) %q13, align 8
  %q14 = getelementptr i8, ptr addrspace(1) %q, i64 112
  store <2 x float> %s14, ptr addrspace(1) %q14, align 8
  %q15 = getelementptr i8, ptr addrspace(1) %q, i64 120
  store <2 x float> %s15, ptr addrspace(1) %q15, align 8
  %q16 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store <2 x float> %s16, ptr addrspace(1) %q16, align 8
  %q17 = getelementptr i8, ptr addrspace(1) %q, i64 136
  store <2 x float> %s17, ptr addrspace(1) %q17, align 8
  %q18 = getelementptr i8, ptr addrspace(1) %q, i64 144
  store <2 x float> %s18, ptr addrspace(1) %q18, align 8
  %q19 = getelementptr i8, ptr addrspace(1) %q, i64 152
  store <2 x float> %s19, ptr addrspace(1) %q19, align 8
  %q20 = getelementptr i8, ptr addrspace(1) %q, i64 160
  store <2 x float> %s20, ptr addrspace(1) %q20, align 8
  %q21 = getelementptr i8, ptr addrspace(1) %q, i64 168
  store <2 x float> %s21, ptr addrspace(1) %q21, align 8
  %q22 = getelementptr i8, ptr addrspace(1) %q, i64 176
  store <2 x float> %s22, ptr addrspace(1) %q22, align 8
  %q23 = getelementptr i8, ptr addrspace(1) %q, i64 184
  store <2 x float> %s23, ptr addrspace(1) %q23, align 8
  %q24 = getelementptr i8, ptr addrspace(1) %q, i64 192
  store <2 x float> %s24, ptr addrspace(1) %q24, align 8
  %q25 = getelementptr i8, ptr addrspace(1) %q, i64 200
  store <2 x float> %s25, ptr addrspace(1) %q25, align 8
  %q26 = getelementptr i8, ptr addrspace(1) %q, i64 208
  store <2 x float> %s26, ptr addrspace(1) %q26, align 8
  %q27 = getelementptr i8, ptr addrspace(1) %q, i64 216
  store <2 x float> %s27, ptr addrspace(1) %q27, align 8
  %q28 = getelementptr i8, ptr addrspace(1) %q, i64 224
  store <2 x float> %s28, ptr addrspace(1) %q28, align 8
  %q29 = getelementptr i8, ptr addrspace(1) %q, i64 232
  store <2 x float> %s29, ptr addrspace(1) %q29, align 8
  %q30 = getelementptr i8, ptr addrspace(1) %q, i64 240
  store <2 x float> %s30, ptr addrspace(1) %q30, align 8
  %q31 = getelementptr i8, ptr addrspace(1) %q, i64 248
  store <2 x float> %s31, ptr addrspace(1) %q31, align 8
  %q32 = getelementptr i8, ptr addrspace(1) %q, i64 256
  store <2 x float> %s32, ptr addrspace(1) %q32, align 8
  %q33 = getelementptr i8, ptr addrspace(1) %q, i64 264
  store <2 x float> %s33, ptr addrspace(1) %q33, align 8
  %q34 = getelementptr i8, ptr addrspace(1) %q, i64 272
  store <2 x float> %s34, ptr addrspace(1) %q34, align 8
  %q35 = getelementptr i8, ptr addrspace(1) %q, i64 280
  store <2 x float> %s35, ptr addrspace(1) %q35, align 8
  %q36 = getelementptr i8, ptr addrspace(1) %q, i64 288
  store <2 x float> %s36, ptr addrspace(1) %q36, align 8
  %q37 = getelementptr i8, ptr addrspace(1) %q, i64 296
  store <2 x float> %s37, ptr addrspace(1) %q37, align 8
  %q38 = getelementptr i8, ptr addrspace(1) %q, i64 304
  store <2 x float> %s38, ptr addrspace(1) %q38, align 8
  %q39 = getelementptr i8, ptr addrspace(1) %q, i64 312
  store <2 x float> %s39, ptr addrspace(1) %q39, align 8
  %q40 = getelementptr i8, ptr addrspace(1) %q, i64 320
  store <2 x float> %s40, ptr addrspace(1) %q40, align 8
  %q41 = getelementptr i8, ptr addrspace(1) %q, i64 328
  store <2 x float> %s41, ptr addrspace(1) %q41, align 8
  %q42 = getelementptr i8, ptr addrspace(1) %q, i64 336
  store <2 x float> %s42, ptr addrspace(1) %q42, align 8
  %q43 = getelementptr i8, ptr addrspace(1) %q, i64 344
  store <2 x float> %s43, ptr addrspace(1) %q43, align 8
  %q44 = getelementptr i8, ptr addrspace(1) %q, i64 352
  store <2 x float> %s44, ptr addrspace(1) %q44, align 8
  %q45 = getelementptr i8, ptr addrspace(1) %q, i64 360
  store <2 x float> %s45, ptr addrspace(1) %q45, align 8
  %q46 = getelementptr i8, ptr addrspace(1) %q, i64 368
  store <2 x float> %s46, ptr addrspace(1) %q46, align 8
  %q47 = getelementptr i8, ptr addrspace(1) %q, i64 376
  store <2 x float> %s47, ptr addrspace(1) %q47, align 8
  %q48 = getelementptr i8, ptr addrspace(1) %q, i64 384
  store <2 x float> %s48, ptr addrspace(1) %q48, align 8
  %q49 = getelementptr i8, ptr addrspace(1) %q, i64 392
  store <2 x float> %s49, ptr addrspace(1) %q49, align 8
  %q50 = getelementptr i8, ptr addrspace(1) %q, i64 400
  store <2 x float> %s50, ptr addrspace(1) %q50, align 8
  %q51 = getelementptr i8, ptr addrspace(1) %q, i64 408
  store <2 x float> %s51, ptr addrspace(1) %q51, align 8
  %q52 = getelementptr i8, ptr addrspace(1) %q, i64 416
  store <2 x float> %s52, ptr addrspace(1) %q52, align 8
  %q53 = getelementptr i8, ptr addrspace(1) %q, i64 424
  store <2 x float> %s53, ptr addrspace(1) %q53, align 8
  %q54 = getelementptr i8, ptr addrspace(1) %q, i64 432
  store <2 x float> %s54, ptr addrspace(1) %q54, align 8
  %q55 = getelementptr i8, ptr addrspace(1) %q, i64 440
  store <2 x float> %s55, ptr addrspace(1) %q55, align 8
  %q56 = getelementptr i8, ptr addrspace(1) %q, i64 448
  store <2 x float> %s56, ptr addrspace(1) %q56, align 8
  %q57 = getelementptr i8, ptr addrspace(1) %q, i64 456
  store <2 x float> %s57, ptr addrspace(1) %q57, align 8
  %q58 = getelementptr i8, ptr addrspace(1) %q, i64 464
  store <2 x float> %s58, ptr addrspace(1) %q58, align 8
  %q59 = getelementptr i8, ptr addrspace(1) %q, i64 472
  store <2 x float> %s59, ptr addrspace(1) %q59, align 8
  %q60 = getelementptr i8, ptr addrspace(1) %q, i64 480
  store <2 x float> %s60, ptr addrspace(1) %q60, align 8
  %q61 = getelementptr i8, ptr addrspace(1) %q, i64 488
  store <2 x float> %s61, ptr addrspace(1) %q61, align 8
  %q62 = getelementptr i8, ptr addrspace(1) %q, i64 496
  store <2 x float> %s62, ptr addrspace(1) %q62, align 8
  %q63 = getelementptr i8, ptr addrspace(1) %q, i64 504
  store <2 x float> %s63, ptr addrspace(1) %q63, align 8
  ret void
}

; Each of 32 lanes has half of the registers.
; CHECK-LABEL: @lanes
; CHECK: fadd
; CHECK-NEXT: fmul
; CHECK-NEXT: fadd
; CHECK: ret void
define spir_kernel void @lanes(ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !1 {
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %x0 = load <16 x float>, ptr addrspace(1) %p0
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %x1 = load <16 x float>, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %x2 = load <16 x float>, ptr addrspace(1) %p2
  %a0 = fadd <16 x float> %x0, splat (float 1.5)
  %a1 = fadd <16 x float> %x1, splat (float 1.5)
  %a2 = fadd <16 x float> %x2, splat (float 1.5)
  %b0 = fmul <16 x float> %x0, splat (float 1.5)
  %b1 = fmul <16 x float> %x1, splat (float 1.5)
  %b2 = fmul <16 x float> %x2, splat (float 1.5)
  %c0 = fdiv <16 x float> %x0, splat (float 1.5)
  %c1 = fdiv <16 x float> %x1, splat (float 1.5)
  %c2 = fdiv <16 x float> %x2, splat (float 1.5)
  %d0 = fsub <16 x float> %x0, splat (float 1.5)
  %d1 = fsub <16 x float> %x1, splat (float 1.5)
  %d2 = fsub <16 x float> %x2, splat (float 1.5)
  %e0 = fadd <16 x float> %a0, %b0
  %e1 = fadd <16 x float> %a1, %b1
  %e2 = fadd <16 x float> %a2, %b2
  %f0 = fadd <16 x float> %c0, %d0
  %f1 = fadd <16 x float> %c1, %d1
  %f2 = fadd <16 x float> %c2, %d2
  %g0 = fadd <16 x float> %e0, %f0
  %g1 = fadd <16 x float> %e1, %f1
  %g2 = fadd <16 x float> %e2, %f2
  %q0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store <16 x float> %g0, ptr addrspace(1) %q0
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store <16 x float> %g1, ptr addrspace(1) %q1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store <16 x float> %g2, ptr addrspace(1) %q2
  ret void
}

!0 = !{i32 16}
!1 = !{i32 32}
