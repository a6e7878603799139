; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=dg2 %s | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-to-spirv --arch=pvc %s | FileCheck %s --check-prefix=SPIRV

declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z17sub_group_shuffleij(i32, i32)
declare spir_func float @_Z17sub_group_shufflefj(float, i32)
declare spir_func double @_Z17sub_group_shuffledj(double, i32)

; SPIRV: SPV_INTEL_inline_assembly

; Runs of four lanes read the second lane of their run, as the second step of a scan does.
; CHECK-LABEL: @runs
; CHECK: %[[BITS:.*]] = bitcast float %x to i32
; CHECK: %[[MOVED:.*]] = call i32 asm "{\0Amov (M1, 16) $0(0,0)<1> $1(0,1)<4;4,0>\0A}\0A", "=rw,rw"(i32 %[[BITS]]) #[[CONVERGENT:.*]]
; CHECK: bitcast i32 %[[MOVED]] to float
; CHECK-NOT: sub_group_shuffle
; CHECK: ret void
; Registers of other chips have 8 lanes, and other devices none.
; PLAIN-LABEL: @runs
; PLAIN-NOT: asm
; PLAIN: call spir_func float @_Z17sub_group_shufflefj
define spir_kernel void @runs(float %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %run = and i32 %lane, -4
  %from = or disjoint i32 %run, 1
  %s = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %from)
  store float %s, ptr addrspace(1) %p
  ret void
}

; Integers of another width on the way are no obstacle: pairs of lanes read one lane after the other.
; CHECK-LABEL: @quotients
; CHECK: mov (M1, 16) $0(0,0)<1> $1(0,0)<1;2,0>
define spir_kernel void @quotients(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %half = lshr i64 %wide, 1
  %from = trunc i64 %half to i32
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; An integer is a float on its way, because LLVM's backend would drop a
; conversion right after assembly.
; CHECK-LABEL: @extended
; CHECK: %[[MOVED:.*]] = call i32 asm
; CHECK: %[[FLOAT:.*]] = bitcast i32 %[[MOVED]] to float
; CHECK: %[[INTEGER:.*]] = bitcast float %[[FLOAT]] to i32
; CHECK: zext i32 %[[INTEGER]] to i64
define spir_kernel void @extended(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %from = and i32 %lane, -2
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  %w = zext i32 %s to i64
  store i64 %w, ptr addrspace(1) %p
  ret void
}

; Rows of a region have strides, too: each run of four reads the first four even lanes.
; CHECK-LABEL: @even
; CHECK: mov (M1, 16) $0(0,0)<1> $1(0,0)<0;4,2>
define spir_kernel void @even(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %place = and i32 %lane, 3
  %from = shl i32 %place, 1
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; No region runs backwards,
; CHECK-LABEL: @reversed
; CHECK-NOT: asm
; CHECK: call spir_func i32 @_Z17sub_group_shuffleij
define spir_kernel void @reversed(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %from = sub i32 15, %lane
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; has rows of three strides,
; CHECK-LABEL: @three_strides
; CHECK-NOT: asm
; CHECK: call spir_func i32 @_Z17sub_group_shuffleij
define spir_kernel void @three_strides(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %low = and i32 %lane, 1
  %high = and i32 %lane, 8
  %from = or disjoint i32 %low, %high
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; or leaves the register.
; CHECK-LABEL: @outside
; CHECK-NOT: asm
; CHECK: call spir_func i32 @_Z17sub_group_shuffleij
define spir_kernel void @outside(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %from = shl i32 %lane, 1
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; Lanes that depend on more than the own number are not known.
; CHECK-LABEL: @unknown
; CHECK-NOT: asm
; CHECK: call spir_func i32 @_Z17sub_group_shuffleij
define spir_kernel void @unknown(i32 %x, i32 %offset, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %from = and i32 %lane, %offset
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; One lane for all is read in place by the device compiler.
; CHECK-LABEL: @constant
; CHECK-NOT: asm
; CHECK: call spir_func i32 @_Z17sub_group_shuffleij
define spir_kernel void @constant(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 3)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; 64 bits take two registers.
; CHECK-LABEL: @double
; CHECK-NOT: asm
; CHECK: call spir_func double @_Z17sub_group_shuffledj
define spir_kernel void @double(double %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %from = and i32 %lane, -2
  %s = call spir_func double @_Z17sub_group_shuffledj(double %x, i32 %from)
  store double %s, ptr addrspace(1) %p
  ret void
}

; So do 32 lanes.
; CHECK-LABEL: @wide
; CHECK-NOT: asm
; CHECK: call spir_func i32 @_Z17sub_group_shuffleij
define spir_kernel void @wide(i32 %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %from = and i32 %lane, -2
  %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %from)
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; Lanes that read each other's elements: the device compiler would take the region
; <1;8,2> for one that reads them in order.
; CHECK-LABEL: @permuted
; CHECK-NOT:     asm
; CHECK:         call spir_func i32 @_Z17sub_group_shuffleij(
define spir_kernel void @permuted(ptr addrspace(1) %p, i32 %x) !intel_reqd_sub_group_size !0 {
  %id = call spir_func i32 @_Z22get_sub_group_local_idv()
  %row = and i32 %id, 7
  %double = shl i32 %row, 1
  %half = lshr i32 %id, 3
  %lane = or i32 %double, %half
  %y = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %lane)
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; The move stays among the lanes that take part, as the shuffle does.
; CHECK: attributes #[[CONVERGENT]] = { convergent

!0 = !{i32 16}
!1 = !{i32 32}
