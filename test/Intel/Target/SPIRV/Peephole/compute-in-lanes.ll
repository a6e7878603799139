; RUN: triton-xe-translate --llvmir-prepare --arch=pvc %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --arch=pvc --library=emulation %s | FileCheck %s --check-prefix=PLAIN

declare spir_func i32 @_Z22get_sub_group_local_idv()

; Masks of 32 elements, two of which share a word: lane i computes that of word i, and each word is read from its lane.
; CHECK-LABEL: @words
; CHECK: %[[LANE:.*]] = call spir_func i32 @_Z22get_sub_group_local_idv()
; CHECK: %[[PLACE:.*]] = mul i32 %[[LANE]], 2
; CHECK: %[[EVEN:.*]] = add i32 %start, %[[PLACE]]
; CHECK: %[[IS_EVEN:.*]] = icmp slt i32 %[[EVEN]], %end
; CHECK: %[[LOW:.*]] = select i1 %[[IS_EVEN]], i32 65535, i32 0
; CHECK: %[[NEXT:.*]] = add i32 %start, 1
; CHECK: %[[ODD:.*]] = add i32 %[[NEXT]], %[[PLACE]]
; CHECK: %[[IS_ODD:.*]] = icmp slt i32 %[[ODD]], %end
; CHECK: %[[HIGH:.*]] = select i1 %[[IS_ODD]], i32 -65536, i32 0
; CHECK: %[[MASKS:.*]] = or i32 %[[LOW]], %[[HIGH]]
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[MASKS]], i32 0)
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[MASKS]], i32 7)
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[MASKS]], i32 8)
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[MASKS]], i32 15)
; CHECK-NOT: {{icmp|sext}}
; CHECK: ret void
; Other devices have no use for it.
; PLAIN-LABEL: @words
; PLAIN-NOT: sub_group_broadcast
; PLAIN: ret void
define spir_kernel void @words(i32 %start, i32 %end, <8 x i32> %x, <8 x i32> %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %first = insertelement <16 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %bound = insertelement <16 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <16 x i32> %bound, <16 x i32> poison, <16 x i32> zeroinitializer
  %k0 = or disjoint <16 x i32> %starts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %k1 = add <16 x i32> %starts, <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %c0 = icmp slt <16 x i32> %k0, %ends
  %c1 = icmp slt <16 x i32> %k1, %ends
  %m0 = sext <16 x i1> %c0 to <16 x i16>
  %m1 = sext <16 x i1> %c1 to <16 x i16>
  %w0 = bitcast <16 x i16> %m0 to <8 x i32>
  %w1 = bitcast <16 x i16> %m1 to <8 x i32>
  %x0 = and <8 x i32> %x, %w0
  %x1 = and <8 x i32> %y, %w1
  store <8 x i32> %x0, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %p, i64 32
  store <8 x i32> %x1, ptr addrspace(1) %q
  ret void
}

; The registers of masks may be joined to those of a wider load, if they follow each other.
; CHECK-LABEL: @joined
; CHECK: icmp slt i32 %{{.*}}, %end
; CHECK: icmp slt i32 %{{.*}}, %end
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[MASKS:.*]], i32 0)
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij(i32 %[[MASKS]], i32 7)
; CHECK-NOT: {{icmp slt <8|sext}}
; CHECK: ret void
; CHECK-LABEL: @other_order
; CHECK: sext <16 x i1>
; CHECK: ret void
define spir_kernel void @joined(i32 %start, i32 %end, <8 x i32> %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %first = insertelement <8 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %bound = insertelement <8 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <8 x i32> %bound, <8 x i32> poison, <8 x i32> zeroinitializer
  %k0 = add <8 x i32> %starts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %k1 = add <8 x i32> %starts, <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %c0 = icmp slt <8 x i32> %k0, %ends
  %c1 = icmp slt <8 x i32> %k1, %ends
  %c = shufflevector <8 x i1> %c0, <8 x i1> %c1, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %m = sext <16 x i1> %c to <16 x i16>
  %w = bitcast <16 x i16> %m to <8 x i32>
  %r = and <8 x i32> %x, %w
  store <8 x i32> %r, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @other_order(i32 %start, i32 %end, <8 x i32> %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %first = insertelement <8 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %bound = insertelement <8 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <8 x i32> %bound, <8 x i32> poison, <8 x i32> zeroinitializer
  %k0 = add <8 x i32> %starts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %k1 = add <8 x i32> %starts, <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %c0 = icmp slt <8 x i32> %k0, %ends
  %c1 = icmp slt <8 x i32> %k1, %ends
  %c = shufflevector <8 x i1> %c1, <8 x i1> %c0, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %m = sext <16 x i1> %c to <16 x i16>
  %w = bitcast <16 x i16> %m to <8 x i32>
  %r = and <8 x i32> %x, %w
  store <8 x i32> %r, ptr addrspace(1) %p
  ret void
}

; Four bytes share a word. The bound may be the left side, and steps may be larger than one.
; CHECK-LABEL: @bytes
; CHECK: %[[PLACE:.*]] = mul i32 %{{.*}}, 8
; CHECK: add i32 %start, %[[PLACE]]
; CHECK: icmp ult i32 %{{.*}}, %end
; CHECK: select i1 %{{.*}}, i32 255, i32 0
; CHECK: add i32 %start, 6
; CHECK: select i1 %{{.*}}, i32 -16777216, i32 0
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij(i32 %{{.*}}, i32 7)
; CHECK-NOT: sext
; CHECK: ret void
define spir_kernel void @bytes(i32 %start, i32 %end, <8 x i32> %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %first = insertelement <32 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <32 x i32> %first, <32 x i32> poison, <32 x i32> zeroinitializer
  %bound = insertelement <32 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <32 x i32> %bound, <32 x i32> poison, <32 x i32> zeroinitializer
  %k = add <32 x i32> %starts, <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30, i32 32, i32 34, i32 36, i32 38, i32 40, i32 42, i32 44, i32 46, i32 48, i32 50, i32 52, i32 54, i32 56, i32 58, i32 60, i32 62>
  %c = icmp ugt <32 x i32> %ends, %k
  %m = sext <32 x i1> %c to <32 x i8>
  %w = bitcast <32 x i8> %m to <8 x i32>
  %r = and <8 x i32> %x, %w
  store <8 x i32> %r, ptr addrspace(1) %p
  ret void
}

; Numbers that a loop carries are the same in all lanes, if they are before it and after each iteration.
; CHECK-LABEL: @carried
; CHECK: call spir_func i32 @_Z19sub_group_broadcastij
; CHECK: ret void
define spir_kernel void @carried(i32 %end, <8 x i32> %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
entry:
  br label %loop
loop:
  %start = phi i32 [ 0, %entry ], [ %next, %loop ]
  %first = insertelement <16 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %bound = insertelement <16 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <16 x i32> %bound, <16 x i32> poison, <16 x i32> zeroinitializer
  %k = add <16 x i32> %starts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %c = icmp slt <16 x i32> %k, %ends
  %m = sext <16 x i1> %c to <16 x i16>
  %w = bitcast <16 x i16> %m to <8 x i32>
  %r = and <8 x i32> %x, %w
  store <8 x i32> %r, ptr addrspace(1) %p
  %next = add i32 %start, 16
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A number that differs between lanes: each computes the masks.
; CHECK-LABEL: @varying
; CHECK-NOT: sub_group_broadcast
; CHECK: ret void
define spir_kernel void @varying(i32 %end, <8 x i32> %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
entry:
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  br label %loop
loop:
  %start = phi i32 [ 0, %entry ], [ %next, %loop ]
  %other = phi i32 [ 0, %entry ], [ %start, %loop ]
  %first = insertelement <16 x i32> poison, i32 %other, i64 0
  %starts = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %bound = insertelement <16 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <16 x i32> %bound, <16 x i32> poison, <16 x i32> zeroinitializer
  %k = add <16 x i32> %starts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %c = icmp slt <16 x i32> %k, %ends
  %m = sext <16 x i1> %c to <16 x i16>
  %w = bitcast <16 x i16> %m to <8 x i32>
  %r = and <8 x i32> %x, %w
  store <8 x i32> %r, ptr addrspace(1) %p
  %next = add i32 %start, %lane
  %more = icmp slt i32 %end, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Lanes that do not run the code would not compute their masks.
; CHECK-LABEL: @branch
; CHECK-NOT: sub_group_broadcast
; CHECK: ret void
define spir_kernel void @branch(i32 %start, i32 %end, <8 x i32> %x, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
entry:
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %isFirst = icmp slt i32 %lane, 5
  br i1 %isFirst, label %then, label %exit
then:
  %first = insertelement <16 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %bound = insertelement <16 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <16 x i32> %bound, <16 x i32> poison, <16 x i32> zeroinitializer
  %k = add <16 x i32> %starts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %c = icmp slt <16 x i32> %k, %ends
  %m = sext <16 x i1> %c to <16 x i16>
  %w = bitcast <16 x i16> %m to <8 x i32>
  %r = and <8 x i32> %x, %w
  store <8 x i32> %r, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; Elements that follow no rule are compared one by one, and so are few of them.
; CHECK-LABEL: @others
; CHECK-NOT: sub_group_broadcast
; CHECK: ret void
define spir_kernel void @others(i32 %start, i32 %end, <8 x i32> %x, <2 x i32> %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %first = insertelement <16 x i32> poison, i32 %start, i64 0
  %starts = shufflevector <16 x i32> %first, <16 x i32> poison, <16 x i32> zeroinitializer
  %bound = insertelement <16 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <16 x i32> %bound, <16 x i32> poison, <16 x i32> zeroinitializer
  %k = add <16 x i32> %starts, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 17>
  %c = icmp slt <16 x i32> %k, %ends
  %m = sext <16 x i1> %c to <16 x i16>
  %w = bitcast <16 x i16> %m to <8 x i32>
  %r = and <8 x i32> %x, %w
  store <8 x i32> %r, ptr addrspace(1) %p
  %start4 = shufflevector <16 x i32> %starts, <16 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %end4 = shufflevector <16 x i32> %ends, <16 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %k4 = add <4 x i32> %start4, <i32 100, i32 101, i32 102, i32 103>
  %c4 = icmp slt <4 x i32> %k4, %end4
  %m4 = sext <4 x i1> %c4 to <4 x i16>
  %w4 = bitcast <4 x i16> %m4 to <2 x i32>
  %r4 = and <2 x i32> %y, %w4
  store <2 x i32> %r4, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 16}
