; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=dg2 %s | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=PLAIN

declare spir_func i32 @_Z22get_sub_group_local_idv()

; Rows of an identity matrix: each instruction adds to the lane of its row, and the sum with zero comes last.
; CHECK-LABEL: @identity
; CHECK-NOT:   icmp
; CHECK:       %[[X:.+]] = extractelement <2 x float> %x, i64 0
; CHECK:       %[[BITS:.+]] = bitcast float %[[X]] to i32
; CHECK:       %[[SUM:.+]] = call i32 asm "{\0A.decl F v_type=G type=F num_elts=16 alias=<$0,0>\0Aadd (M1_NM, 1) F(0,3)<1> F(0,3)<0;1,0> 0x3f800000:f\0A}\0A", "=rw,0"(i32 %[[BITS]])
; CHECK:       bitcast i32 %[[SUM]] to float
; CHECK:       add (M1_NM, 1) F(0,15)<1> F(0,15)<0;1,0> 0x3f800000:f
; CHECK:       fadd <2 x float> %{{.+}}, zeroinitializer
; CHECK:       ret void
; Registers of other chips have 8 lanes, and other devices none.
; PLAIN-LABEL: @identity
; PLAIN-NOT:   asm
; PLAIN:       ret void
define spir_kernel void @identity(<2 x float> %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %first = insertelement <2 x i32> poison, i32 %lane, i64 0
  %lanes = shufflevector <2 x i32> %first, <2 x i32> poison, <2 x i32> zeroinitializer
  %c = icmp eq <2 x i32> %lanes, <i32 3, i32 15>
  %e = uitofp <2 x i1> %c to <2 x float>
  %s = fadd <2 x float> %x, %e
  store <2 x float> %s, ptr addrspace(1) %p
  ret void
}

; Another number, of a sum of scalars, by a number that follows from the lane: it is 4 in lane 12.
; CHECK-LABEL: @scalar
; CHECK:       add (M1_NM, 1) F(0,12)<1> F(0,12)<0;1,0> 0xc0200000:f
; CHECK:       fadd float %{{.+}}, 0.000000e+00
; CHECK:       ret void
define spir_kernel void @scalar(float %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %column = sub i32 %lane, 8
  %c = icmp eq i32 %column, 4
  %e = select i1 %c, float -2.5, float 0.0
  %s = fadd float %e, %x
  store float %s, ptr addrspace(1) %p
  ret void
}

; A number in two lanes, one in no lane, a difference, other bits than those of f32, a row that is used twice, and a
; negative zero, which only it adds as it is.
; CHECK-LABEL: @others
; CHECK-NOT:   asm
; CHECK:       ret void
define spir_kernel void @others(float %x, half %h, ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %low = and i32 %lane, 7
  %two = icmp eq i32 %low, 5
  %none = icmp eq i32 %lane, 16
  %one = icmp eq i32 %lane, 5
  %e0 = uitofp i1 %two to float
  %s0 = fadd float %x, %e0
  %e1 = uitofp i1 %none to float
  %s1 = fadd float %s0, %e1
  %e2 = uitofp i1 %one to float
  %s2 = fsub float %s1, %e2
  %e3 = uitofp i1 %one to half
  %s3 = fadd half %h, %e3
  %e4 = select i1 %one, float 2.0, float 0.0
  %s4 = fadd float %s2, %e4
  %s5 = fmul float %s4, %e4
  %e6 = select i1 %one, float -0.0, float 0.0
  %s6 = fadd float %s5, %e6
  store float %s6, ptr addrspace(1) %p
  store half %s3, ptr addrspace(1) %q
  ret void
}

; Lanes that do not run a block keep their numbers.
; CHECK-LABEL: @divergent
; CHECK-NOT:   asm
; CHECK:       ret void
define spir_kernel void @divergent(float %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
entry:
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %some = icmp ult i32 %lane, 3
  br i1 %some, label %then, label %end
then:
  %one = icmp eq i32 %lane, 5
  %e = uitofp i1 %one to float
  %s = fadd float %x, %e
  br label %end
end:
  %r = phi float [ %s, %then ], [ %x, %entry ]
  store float %r, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 16}
