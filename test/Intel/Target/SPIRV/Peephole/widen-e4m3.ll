; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=ptl %s | FileCheck %s --check-prefix=XE3
; RUN: triton-xe-translate --llvmir-prepare --arch=dg2 %s | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-to-spirv --arch=pvc %s | FileCheck %s --check-prefix=SPIRV

; SPIRV: SPV_INTEL_inline_assembly

; Four instructions for a register, of which a lane's 16 bytes take four; two
; where there is a conversion. The code comes before its first user.
; CHECK-LABEL: @registers
; CHECK: %units = load <8 x i16>
; CHECK: call void @consume(<8 x i16> %units)
; CHECK: %lower = call <8 x i16> asm
; CHECK-SAME: .decl E4M3 v_type=G type=B num_elts=256 alias=<$1,0>
; CHECK-SAME: shl (M1_NM, 32) MOVED(0,0)<1> E4M3(0,0)<2;1,0> 0x7:w
; CHECK-SAME: add (M1_NM, 32) NEXT(0,0)<1> MOVED(0,0)<1;1,0> 0x80:w
; CHECK-SAME: bfn.x6a (M1_NM, 32) BITS(0,0)<1> BITS(0,0)<1;1,0> NEXTBITS(0,0)<1;1,0> 0x407f:uw
; CHECK-SAME: mul (M1_NM, 32) NUMBER(0,0)<1> NUMBER(0,0)<1;1,0> 0x5c00:hf
; CHECK-SAME: shl (M1_NM, 32) MOVED(3,0)<1> E4M3(3,0)<2;1,0> 0x7:w
; CHECK-SAME: "=rw,rw"(<8 x i16> %units)
; CHECK-NEXT: store <8 x i16> %lower
; CHECK: %upper = call <4 x i32> asm
; CHECK-SAME: asr (M1_NM, 32) MOVED(0,0)<1> UNIT(0,0)<1;1,0> 0x1:w
; CHECK-NEXT: store <4 x i32> %upper
; XE3-LABEL: @registers
; XE3: %lower = call <8 x i16> asm
; XE3-SAME: mov (M1_NM, 32) BYTES(0,0)<1> E4M3(0,0)<2;1,0>
; XE3-SAME: fcvt (M1_NM, 32) NUMBER(0,0)<1> BYTES(0,0)<1;1,0>
; XE3-SAME: mov (M1_NM, 32) BYTES(1,0)<1> E4M3(1,0)<2;1,0>
; XE3-NOT: mul
; XE3: %upper = call <4 x i32> asm
; XE3-SAME: mov (M1_NM, 32) BYTES(0,0)<1> E4M3(0,1)<2;1,0>
; PLAIN-LABEL: @registers
; PLAIN-NOT: asm
; PLAIN: shl <8 x i16> %{{.*}}, splat (i16 8)
; PLAIN: ashr <8 x i16>
; PLAIN: fmul <8 x half>
; PLAIN: ret void
define spir_kernel void @registers(ptr addrspace(1) %from, ptr addrspace(1) %to) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %units = load <8 x i16>, ptr addrspace(1) %from
  %more = load <4 x i32>, ptr addrspace(1) %from
  %lower = call spir_func <8 x i16> @triton_xe.widen_e4m3.lower.v8i16(<8 x i16> %units)
  %upper = call spir_func <4 x i32> @triton_xe.widen_e4m3.upper.v4i32(<4 x i32> %more)
  call void @consume(<8 x i16> %units)
  store <8 x i16> %lower, ptr addrspace(1) %to
  %next = getelementptr i8, ptr addrspace(1) %to, i64 16
  store <4 x i32> %upper, ptr addrspace(1) %next
  ret void
}

; Half a register, and sub-groups of another size.
; CHECK-LABEL: @part
; CHECK-NOT: asm
; CHECK: %[[MOVED:.*]] = ashr <2 x i16> %{{.*}}, splat (i16 1)
; CHECK: %[[NEXT:.*]] = add {{.*}}<2 x i16> %[[MOVED]], splat (i16 128)
; CHECK: %[[NAN:.*]] = and <2 x i16> %[[NEXT]], splat (i16 16511)
; CHECK: %[[BITS:.*]] = xor <2 x i16> %[[MOVED]], %[[NAN]]
; CHECK: %[[SCALED:.*]] = bitcast <2 x i16> %[[BITS]] to <2 x half>
; CHECK: fmul <2 x half> %[[SCALED]], splat (half 0xH5C00)
; CHECK: ret void
define spir_kernel void @part(ptr addrspace(1) %from, ptr addrspace(1) %to) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %units = load i32, ptr addrspace(1) %from
  %upper = call spir_func i32 @triton_xe.widen_e4m3.upper.i32(i32 %units)
  store i32 %upper, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: @wide
; CHECK-NOT: asm
; CHECK: fmul <8 x half>
define spir_kernel void @wide(ptr addrspace(1) %from, ptr addrspace(1) %to) !reqd_work_group_size !0 !intel_reqd_sub_group_size !2 {
  %units = load <4 x i32>, ptr addrspace(1) %from
  %upper = call spir_func <4 x i32> @triton_xe.widen_e4m3.upper.v4i32(<4 x i32> %units)
  store <4 x i32> %upper, ptr addrspace(1) %to
  ret void
}

; Others of such names are left to their definitions.
; CHECK-LABEL: @others
; CHECK: call spir_func float @triton_xe.widen_e4m3.upper.f32(float %x)
; CHECK: ret void
define spir_kernel void @others(ptr addrspace(1) %from, ptr addrspace(1) %to) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %x = load float, ptr addrspace(1) %from
  %y = call spir_func float @triton_xe.widen_e4m3.upper.f32(float %x)
  store float %y, ptr addrspace(1) %to
  ret void
}

declare spir_func float @triton_xe.widen_e4m3.upper.f32(float)
declare void @consume(<8 x i16>)
declare spir_func <8 x i16> @triton_xe.widen_e4m3.lower.v8i16(<8 x i16>)
declare spir_func <4 x i32> @triton_xe.widen_e4m3.upper.v4i32(<4 x i32>)
declare spir_func i32 @triton_xe.widen_e4m3.upper.i32(i32)

!0 = !{i32 32, i32 1, i32 1}
!1 = !{i32 16}
!2 = !{i32 32}
