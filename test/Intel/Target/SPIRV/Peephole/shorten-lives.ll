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

; The registers of three vectors suffice: the order stays.
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
