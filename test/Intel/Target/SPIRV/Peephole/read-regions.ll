; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=dg2 %s | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-to-spirv --arch=pvc %s | FileCheck %s --check-prefix=SPIRV

declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z17sub_group_shuffleij(i32, i32) #0
declare spir_func float @_Z17sub_group_shufflefj(float, i32) #0
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

; The result may be extended (extend-numbers.ll).
; CHECK-LABEL: @extended
; CHECK: %[[MOVED:.*]] = call i32 asm
; CHECK: insertelement <2 x i32> zeroinitializer, i32 %[[MOVED]], i64 0
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

; A selection by lane between two shuffles consists of two moves of half of the lanes.
; CHECK-LABEL: @halves
; CHECK: %[[X:.*]] = bitcast float %x to i32
; CHECK: %[[Y:.*]] = bitcast float %y to i32
; CHECK: call i32 asm "{\0Amov (M1_NM, 8) $0(0,0)<1> $1(0,8)<1;1,0>\0Amov (M1_NM, 8) $0(0,8)<1> $2(0,8)<1;1,0>\0A}\0A", "=rw,rw,rw"(i32 %[[X]], i32 %[[Y]])
; CHECK-NOT: {{sub_group_shuffle|select}}
; CHECK: ret void
define spir_kernel void @halves(float %x, float %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %isLow = icmp ult i32 %lane, 8
  %i = and i32 %lane, 7
  %j = or disjoint i32 %i, 8
  %bl = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %j)
  %bh = call spir_func float @_Z17sub_group_shufflefj(float %y, i32 %j)
  %b = select i1 %isLow, float %bl, float %bh
  store float %b, ptr addrspace(1) %p
  ret void
}

; Where two selections are combined, the code that moves the halves combines them, too. It returns the bits.
; CHECK-LABEL: @joined
; CHECK: %[[BITS:.*]] = call i32 asm "{\0A.decl ROWS0 v_type=G type=F num_elts=16 align=GRF\0A.decl ROWS1
; CHECK-SAME: .decl RESULT v_type=G type=F num_elts=16 alias=<$0,0>
; CHECK-SAME: \0Amov (M1_NM, 8) ROWS0(0,0)<1> $1(0,0)<1;1,0>\0Amov (M1_NM, 8) ROWS0(0,8)<1> $2(0,0)<1;1,0>
; CHECK-SAME: \0Amov (M1_NM, 8) ROWS1(0,0)<1> $1(0,8)<1;1,0>\0Amov (M1_NM, 8) ROWS1(0,8)<1> $2(0,8)<1;1,0>
; CHECK-SAME: \0Amax (M1, 16) RESULT(0,0)<1> ROWS0(0,0)<1;1,0> ROWS1(0,0)<1;1,0>\0A}\0A", "=rw,rw,rw"(float %x, float %y)
; CHECK: %r = bitcast i32 %[[BITS]] to float
; CHECK-NOT: {{sub_group_shuffle|select}}
; CHECK: ret void
define spir_kernel void @joined(float %x, float %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %isLow = icmp ult i32 %lane, 8
  %i = and i32 %lane, 7
  %j = or disjoint i32 %i, 8
  %al = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %i)
  %ah = call spir_func float @_Z17sub_group_shufflefj(float %y, i32 %i)
  %a = select i1 %isLow, float %al, float %ah
  %bl = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %j)
  %bh = call spir_func float @_Z17sub_group_shufflefj(float %y, i32 %j)
  %b = select i1 %isLow, float %bl, float %bh
  %r = call float @llvm.maxnum.f32(float %a, float %b)
  store float %r, ptr addrspace(1) %p
  ret void
}

; Elements of vectors are joined like scalars, and integers like floats. A tree is one piece of code, whose inner values
; lie next to each other: regions span both.
; CHECK-LABEL: @tree
; CHECK-NOT: asm
; CHECK: call i32 asm
; CHECK-SAME: .decl ROWS0 v_type=G type=D num_elts=32 align=GRF
; CHECK-SAME: \0Amov (M1_NM, 8) ROWS1(1,8)<1> $4(0,8)<1;1,0>
; CHECK-SAME: \0Aadd (M1, 16) ROWS2(0,0)<1> ROWS0(0,0)<1;1,0> ROWS1(0,0)<1;1,0>
; CHECK-SAME: \0Aadd (M1, 16) ROWS2(1,0)<1> ROWS0(1,0)<1;1,0> ROWS1(1,0)<1;1,0>
; CHECK-SAME: \0Amov (M1, 16) ROWS3(0,0)<1> ROWS2(0,0)<8;4,1>\0Amov (M1, 16) ROWS4(0,0)<1> ROWS2(0,4)<8;4,1>
; CHECK-SAME: \0Aadd (M1, 16) $0(0,0)<1> ROWS3(0,0)<1;1,0> ROWS4(0,0)<1;1,0>\0A}
; CHECK-SAME: "=rw,rw,rw,rw,rw"(i32 %x, i32 %y, i32 %z, i32 %w)
; CHECK-NOT: {{asm|sub_group_shuffle|select}}
; CHECK: ret void
define spir_kernel void @tree(i32 %x, i32 %y, i32 %z, i32 %w, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %isLow = icmp ult i32 %lane, 8
  %i = and i32 %lane, 7
  %j = or disjoint i32 %i, 8
  %al = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %i)
  %ah = call spir_func i32 @_Z17sub_group_shuffleij(i32 %y, i32 %i)
  %a = select i1 %isLow, i32 %al, i32 %ah
  %bl = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %j)
  %bh = call spir_func i32 @_Z17sub_group_shuffleij(i32 %y, i32 %j)
  %b = select i1 %isLow, i32 %bl, i32 %bh
  %cl = call spir_func i32 @_Z17sub_group_shuffleij(i32 %z, i32 %i)
  %ch = call spir_func i32 @_Z17sub_group_shuffleij(i32 %w, i32 %i)
  %c = select i1 %isLow, i32 %cl, i32 %ch
  %dl = call spir_func i32 @_Z17sub_group_shuffleij(i32 %z, i32 %j)
  %dh = call spir_func i32 @_Z17sub_group_shuffleij(i32 %w, i32 %j)
  %d = select i1 %isLow, i32 %dl, i32 %dh
  %low = and i32 %lane, 3
  %quarter = and i32 %lane, 4
  %double = shl i32 %quarter, 1
  %m = or disjoint i32 %low, %double
  %n = or disjoint i32 %m, 4
  %a0 = insertelement <2 x i32> poison, i32 %a, i64 0
  %ac = insertelement <2 x i32> %a0, i32 %c, i64 1
  %b0 = insertelement <2 x i32> poison, i32 %b, i64 0
  %bd = insertelement <2 x i32> %b0, i32 %d, i64 1
  %sums = add <2 x i32> %ac, %bd
  %s = extractelement <2 x i32> %sums, i64 0
  %t = extractelement <2 x i32> %sums, i64 1
  %el = call spir_func i32 @_Z17sub_group_shuffleij(i32 %s, i32 %m)
  %eh = call spir_func i32 @_Z17sub_group_shuffleij(i32 %t, i32 %m)
  %e = select i1 %isLow, i32 %el, i32 %eh
  %fl = call spir_func i32 @_Z17sub_group_shuffleij(i32 %s, i32 %n)
  %fh = call spir_func i32 @_Z17sub_group_shuffleij(i32 %t, i32 %n)
  %f = select i1 %isLow, i32 %fl, i32 %fh
  %r = add i32 %e, %f
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; Other operations than one instruction has: the selections are moves.
; CHECK-LABEL: @multiplied
; CHECK-COUNT-2: call i32 asm "{\0Amov (M1_NM, 8)
; CHECK-NOT: {{asm|sub_group_shuffle}}
; CHECK: fmul
define spir_kernel void @multiplied(float %x, float %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %isLow = icmp ult i32 %lane, 8
  %i = and i32 %lane, 7
  %j = or disjoint i32 %i, 8
  %al = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %i)
  %ah = call spir_func float @_Z17sub_group_shufflefj(float %y, i32 %i)
  %a = select i1 %isLow, float %al, float %ah
  %bl = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %j)
  %bh = call spir_func float @_Z17sub_group_shufflefj(float %y, i32 %j)
  %b = select i1 %isLow, float %bl, float %bh
  %r = fmul float %a, %b
  store float %r, ptr addrspace(1) %p
  ret void
}

; Registers come in the order of the lanes that read them: otherwise shuffles are moves, and the selection stays.
; CHECK-LABEL: @swapped
; CHECK-COUNT-2: call i32 asm "{\0Amov (M1, 16) $0(0,0)<1> $1(0,8)<0;8,1>\0A}\0A", "=rw,rw"(
; CHECK: select i1 %isHigh
define spir_kernel void @swapped(float %x, float %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %isHigh = icmp ugt i32 %lane, 7
  %i = and i32 %lane, 7
  %j = or disjoint i32 %i, 8
  %l = call spir_func float @_Z17sub_group_shufflefj(float %x, i32 %j)
  %h = call spir_func float @_Z17sub_group_shufflefj(float %y, i32 %j)
  %b = select i1 %isHigh, float %l, float %h
  store float %b, ptr addrspace(1) %p
  ret void
}

; The move stays among the lanes that take part, as the shuffle does.
; CHECK: attributes #[[CONVERGENT]] = { convergent

declare float @llvm.maxnum.f32(float, float)

attributes #0 = { convergent nounwind willreturn memory(none) }

!0 = !{i32 16}
!1 = !{i32 32}
