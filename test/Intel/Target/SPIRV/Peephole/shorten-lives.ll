; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
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

; Two vectors need half of the registers: the order stays.
; CHECK-LABEL: @narrow
; CHECK: fadd
; CHECK-NEXT: fadd
; CHECK: ret void
define spir_kernel void @narrow(ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %p0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %x0 = load <16 x float>, ptr addrspace(1) %p0
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %x1 = load <16 x float>, ptr addrspace(1) %p1
  %a0 = fadd <16 x float> %x0, splat (float 1.5)
  %a1 = fadd <16 x float> %x1, splat (float 1.5)
  %b0 = fmul <16 x float> %x0, splat (float 1.5)
  %b1 = fmul <16 x float> %x1, splat (float 1.5)
  %c0 = fdiv <16 x float> %x0, splat (float 1.5)
  %c1 = fdiv <16 x float> %x1, splat (float 1.5)
  %d0 = fsub <16 x float> %x0, splat (float 1.5)
  %d1 = fsub <16 x float> %x1, splat (float 1.5)
  %e0 = fadd <16 x float> %a0, %b0
  %e1 = fadd <16 x float> %a1, %b1
  %f0 = fadd <16 x float> %c0, %d0
  %f1 = fadd <16 x float> %c1, %d1
  %g0 = fadd <16 x float> %e0, %f0
  %g1 = fadd <16 x float> %e1, %f1
  %q0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store <16 x float> %g0, ptr addrspace(1) %q0
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store <16 x float> %g1, ptr addrspace(1) %q1
  ret void
}

; The registers of three vectors suffice, but are more than half, and another order needs less than two thirds of them.
; CHECK-LABEL: @better
; CHECK: fadd
; CHECK-NEXT: fmul
; CHECK-NEXT: fadd
; CHECK: ret void
define spir_kernel void @better(ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
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
; CHECK: fadd
; CHECK-NEXT: fadd
; CHECK-NEXT: fadd
; CHECK-NEXT: fmul
; CHECK: ret void
define spir_kernel void @little(ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
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
  %p5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %x5 = load <16 x float>, ptr addrspace(1) %p5
  %p6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %x6 = load <16 x float>, ptr addrspace(1) %p6
  %p7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %x7 = load <16 x float>, ptr addrspace(1) %p7
  %p8 = getelementptr i8, ptr addrspace(1) %p, i64 512
  %x8 = load <16 x float>, ptr addrspace(1) %p8
  %a0 = fadd <16 x float> %x0, splat (float 1.5)
  %a1 = fadd <16 x float> %x1, splat (float 1.5)
  %a2 = fadd <16 x float> %x2, splat (float 1.5)
  %b0 = fmul <16 x float> %x0, %a0
  %b1 = fmul <16 x float> %x1, %a1
  %b2 = fmul <16 x float> %x2, %a2
  %q0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store <16 x float> %b0, ptr addrspace(1) %q0
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store <16 x float> %b1, ptr addrspace(1) %q1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store <16 x float> %b2, ptr addrspace(1) %q2
  %q3 = getelementptr i8, ptr addrspace(1) %q, i64 192
  store <16 x float> %x3, ptr addrspace(1) %q3
  %q4 = getelementptr i8, ptr addrspace(1) %q, i64 256
  store <16 x float> %x4, ptr addrspace(1) %q4
  %q5 = getelementptr i8, ptr addrspace(1) %q, i64 320
  store <16 x float> %x5, ptr addrspace(1) %q5
  %q6 = getelementptr i8, ptr addrspace(1) %q, i64 384
  store <16 x float> %x6, ptr addrspace(1) %q6
  %q7 = getelementptr i8, ptr addrspace(1) %q, i64 448
  store <16 x float> %x7, ptr addrspace(1) %q7
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 512
  store <16 x float> %x8, ptr addrspace(1) %q8
  ret void
}

; The operand of each product is computed right ahead of it, although no access to memory is between the products.
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
