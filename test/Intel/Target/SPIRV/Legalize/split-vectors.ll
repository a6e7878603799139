; RUN: triton-xe-translate --llvmir-optimize --opt-level=0 %s | FileCheck %s

; Slices of a wide load come out of the piece that holds them; unread pieces are
; not loaded.
; CHECK-LABEL: define void @slices_of_a_wide_load
; CHECK: %[[ADDRESS:.*]] = getelementptr inbounds i16, ptr %p, i32 16
; CHECK: %[[PIECE:.*]] = load <16 x i16>, ptr %[[ADDRESS]], align 32
; CHECK-NOT: load
; CHECK: shufflevector <16 x i16> %[[PIECE]], <16 x i16> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK-NOT: <64 x i16>
define void @slices_of_a_wide_load(ptr %p, ptr %q) {
  %all = load <64 x i16>, ptr %p, align 64
  %slice = shufflevector <64 x i16> %all, <64 x i16> poison, <8 x i32> <i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <8 x i16> %slice, ptr %q, align 16
  ret void
}

; A length that is no power of two is 16, 8, 4, 2 and 1 as often as they fit.
; CHECK-LABEL: define void @odd_length
; CHECK: add <4 x i32>
; CHECK: add <2 x i32>
; CHECK: add i32
; CHECK-NOT: <7 x i32>
define void @odd_length(ptr %p) {
  %a = load <7 x i32>, ptr %p, align 4
  %b = add <7 x i32> %a, %a
  store <7 x i32> %b, ptr %p, align 4
  ret void
}

; Vectors that SPIR-V has stay whole, in phis above all.
; CHECK-LABEL: define void @legal_phi
; CHECK: phi <8 x float> [ zeroinitializer, %entry ]
define void @legal_phi(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %next, %loop ]
  %x = load <8 x float>, ptr %p, align 32
  %next = fadd <8 x float> %sum, %x
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  store <8 x float> %next, ptr %p, align 32
  ret void
}

; A wide phi becomes one phi per piece.
; CHECK-LABEL: define void @wide_phi
; CHECK: phi <16 x float>
; CHECK: phi <16 x float>
; CHECK-NOT: <32 x float>
define void @wide_phi(ptr %p, i32 %n) {
entry:
  %init = load <32 x float>, ptr %p, align 32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %sum = phi <32 x float> [ %init, %entry ], [ %next, %loop ]
  %next = fadd <32 x float> %sum, splat (float 1.0)
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  store <32 x float> %next, ptr %p, align 32
  ret void
}

; Vectors of pointers are scalars.
; CHECK-LABEL: define i64 @pointers
; CHECK-NOT: <2 x ptr
; CHECK: ret i64
define i64 @pointers(ptr addrspace(1) %p, <2 x i64> %offsets) {
  %places = getelementptr i64, ptr addrspace(1) %p, <2 x i64> %offsets
  %second = extractelement <2 x ptr addrspace(1)> %places, i32 1
  %value = load i64, ptr addrspace(1) %second, align 8
  ret i64 %value
}

; Bits of a mask go through an integer.
; CHECK-LABEL: define i8 @mask_bits
; CHECK-NOT: bitcast <8 x i1>
; CHECK: ret i8
define i8 @mask_bits(<8 x i32> %a, <8 x i32> %b) {
  %less = icmp slt <8 x i32> %a, %b
  %bits = bitcast <8 x i1> %less to i8
  ret i8 %bits
}

; The lowest bit of an element is one of 256 bits to the optimizer; it is taken
; from the element.
; CHECK-LABEL: define i1 @bit_of_an_element
; CHECK-NOT: i256
; CHECK: %[[ELEMENT:.*]] = extractelement <8 x i32> %x, i64 5
; CHECK: trunc i32 %[[ELEMENT]] to i1
; CHECK: ret i1
define i1 @bit_of_an_element(<8 x i32> %x) {
  %bits = bitcast <8 x i32> %x to <256 x i1>
  %bit = extractelement <256 x i1> %bits, i64 160
  ret i1 %bit
}

; An element at a place known at run time is looked for in every piece.
; CHECK-LABEL: define float @dynamic_index
; CHECK: extractelement <16 x float>
; CHECK: extractelement <16 x float>
; CHECK: select
define float @dynamic_index(ptr %p, i32 %i) {
  %all = load <32 x float>, ptr %p, align 64
  %one = extractelement <32 x float> %all, i32 %i
  ret float %one
}

; A cast between element widths takes runs that are legal on both sides.
; CHECK-LABEL: define void @bitcast
; CHECK: bitcast <16 x i16> %{{.*}} to <8 x i32>
; CHECK-NOT: <32 x i16>
define void @bitcast(ptr %p, ptr %q) {
  %narrow = load <32 x i16>, ptr %p, align 64
  %wide = bitcast <32 x i16> %narrow to <16 x i32>
  store <16 x i32> %wide, ptr %q, align 64
  ret void
}

; Memory of a wide type is an array of the same size.
; CHECK-LABEL: define void @memory
; CHECK: alloca [64 x i16], align 128
; CHECK-NOT: <64 x i16>
define void @memory(i64 %i) {
  %tile = alloca <64 x i16>, align 128
  %place = getelementptr <64 x i16>, ptr %tile, i64 %i
  store i16 1, ptr %place, align 2
  ret void
}
