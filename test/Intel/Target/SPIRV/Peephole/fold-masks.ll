; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s

; The row's mask chooses the bound of its columns, once: nothing is less than the
; least number.
; CHECK-LABEL: @row(
; CHECK: %[[BOUND:.*]] = select i1 %row, i32 %end, i32 -2147483648
; CHECK: insertelement <8 x i32> {{.*}}, i32 %[[BOUND]]
; CHECK: %[[MASK:.*]] = icmp slt <8 x i32> %x
; CHECK-NOT: and
; CHECK: ret <8 x i1> %[[MASK]]
define spir_func <8 x i1> @row(<8 x i32> %x, i32 %end, i1 %row) {
  %e = insertelement <8 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <8 x i32> %e, <8 x i32> poison, <8 x i32> zeroinitializer
  %r = insertelement <8 x i1> poison, i1 %row, i64 0
  %rows = shufflevector <8 x i1> %r, <8 x i1> poison, <8 x i32> zeroinitializer
  %c = icmp slt <8 x i32> %x, %ends
  %m = and <8 x i1> %rows, %c
  ret <8 x i1> %m
}

; Without a sign, and with the bound on the left.
; CHECK-LABEL: @unsigned(
; CHECK: select i1 %row, i32 %end, i32 0
; CHECK: %[[MASK:.*]] = icmp ult <4 x i32> %x
; CHECK-NOT: and
; CHECK: ret <4 x i1> %[[MASK]]
define spir_func <4 x i1> @unsigned(<4 x i32> %x, i32 %end, i1 %row) {
  %e = insertelement <4 x i32> poison, i32 %end, i64 0
  %ends = shufflevector <4 x i32> %e, <4 x i32> poison, <4 x i32> zeroinitializer
  %r = insertelement <4 x i1> poison, i1 %row, i64 0
  %rows = shufflevector <4 x i1> %r, <4 x i1> poison, <4 x i32> zeroinitializer
  %c = icmp ugt <4 x i32> %ends, %x
  %m = and <4 x i1> %c, %rows
  ret <4 x i1> %m
}

; Of three masks, one is a comparison with a bound of all elements.
; CHECK-LABEL: @three(
; CHECK: select i1 %row, i32 17, i32 2147483647
; CHECK: %[[COLUMNS:.*]] = icmp sgt <8 x i32> %x
; CHECK: and <8 x i1> %mask, %[[COLUMNS]]
; CHECK-NOT: and
; CHECK: ret
define spir_func <8 x i1> @three(<8 x i32> %x, <8 x i1> %mask, i1 %row) {
  %r = insertelement <8 x i1> poison, i1 %row, i64 0
  %rows = shufflevector <8 x i1> %r, <8 x i1> poison, <8 x i32> zeroinitializer
  %c = icmp sgt <8 x i32> %x, splat (i32 17)
  %both = and <8 x i1> %mask, %c
  %m = and <8 x i1> %rows, %both
  ret <8 x i1> %m
}

; Declined: a bound with which the comparison always holds for one number,
; separate bounds for all elements, and equality.
; CHECK-LABEL: @declined(
; CHECK-NOT: select
; CHECK-COUNT-3: and <8 x i1>
; CHECK-NOT: select
; CHECK: ret
define spir_func <8 x i1> @declined(<8 x i32> %x, <8 x i32> %ends, <8 x i32> %y, i32 %end, i1 %row, i1 %second, i1 %third) {
  %e = insertelement <8 x i32> poison, i32 %end, i64 0
  %end.of.all = shufflevector <8 x i32> %e, <8 x i32> poison, <8 x i32> zeroinitializer
  %r = insertelement <8 x i1> poison, i1 %row, i64 0
  %rows = shufflevector <8 x i1> %r, <8 x i1> poison, <8 x i32> zeroinitializer
  %s = insertelement <8 x i1> poison, i1 %second, i64 0
  %seconds = shufflevector <8 x i1> %s, <8 x i1> poison, <8 x i32> zeroinitializer
  %t = insertelement <8 x i1> poison, i1 %third, i64 0
  %thirds = shufflevector <8 x i1> %t, <8 x i1> poison, <8 x i32> zeroinitializer
  %c = icmp sle <8 x i32> %x, %end.of.all
  %m = and <8 x i1> %rows, %c
  %d = icmp slt <8 x i32> %x, %ends
  %n = and <8 x i1> %seconds, %d
  %f = icmp eq <8 x i32> %y, %end.of.all
  %o = and <8 x i1> %thirds, %f
  %p = xor <8 x i1> %m, %n
  %q = xor <8 x i1> %o, %p
  ret <8 x i1> %q
}

declare spir_func void @use(<4 x i1>)

; A causal mask: rows may reach the column. They are kept from the greatest number
; before the loop, and a column past the end becomes that number.
; CHECK-LABEL: @causal(
; CHECK: %[[ROWS:.*]] = add <4 x i32> %r, %offsets
; CHECK-NEXT: %[[KEPT:.*]] = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %[[ROWS]], <4 x i32> splat (i32 2147483646))
; CHECK: loop:
; CHECK: %[[ALL:.*]] = extractelement <4 x i1> %first, i64 0
; CHECK: select i1 %[[ALL]], i32 %{{.*}}, i32 2147483647
; CHECK: icmp s{{[gl]}}e <4 x i32> {{.*}}%[[KEPT]]
; CHECK-NOT: and <4 x i1>
; CHECK: ret void
define spir_func void @causal(<4 x i32> %r, <4 x i32> %offsets, <4 x i32> %columns, <4 x i32> %ends, i1 %any, i32 %count) {
entry:
  %rows = add <4 x i32> %r, %offsets
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %b = insertelement <4 x i32> poison, i32 %i, i64 0
  %begin = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> zeroinitializer
  %c = add <4 x i32> %begin, %columns
  %column = shufflevector <4 x i32> %c, <4 x i32> poison, <4 x i32> zeroinitializer
  %first = icmp slt <4 x i32> %c, %ends
  %all = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %seen = icmp sle <4 x i32> %column, %rows
  %m = and <4 x i1> %all, %seen
  call spir_func void @use(<4 x i1> %m)
  %n = add i32 %i, 4
  %go = icmp slt i32 %n, %count
  br i1 %go, label %loop, label %end
end:
  ret void
}

; A column that is greater than another number is not the least one, which is none
; that rows could be kept from.
; CHECK-LABEL: @greater(
; CHECK-NOT: call <4 x i32> @llvm.s
; CHECK: and <4 x i1>
; CHECK: ret void
define spir_func void @greater(<4 x i32> %r, <4 x i32> %offsets, <4 x i32> %columns, <4 x i32> %ends, i1 %any, i32 %count) {
entry:
  %rows = add <4 x i32> %r, %offsets
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %b = insertelement <4 x i32> poison, i32 %i, i64 0
  %begin = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> zeroinitializer
  %c = add <4 x i32> %begin, %columns
  %column = shufflevector <4 x i32> %c, <4 x i32> poison, <4 x i32> zeroinitializer
  %first = icmp sgt <4 x i32> %c, %ends
  %all = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %seen = icmp sle <4 x i32> %column, %rows
  %m = and <4 x i1> %all, %seen
  call spir_func void @use(<4 x i1> %m)
  %n = add i32 %i, 4
  %go = icmp slt i32 %n, %count
  br i1 %go, label %loop, label %end
end:
  ret void
}

; The first mask does not depend on the column.
; CHECK-LABEL: @unrelated(
; CHECK-NOT: call <4 x i32> @llvm.s
; CHECK: and <4 x i1>
; CHECK: ret void
define spir_func void @unrelated(<4 x i32> %r, <4 x i32> %offsets, <4 x i32> %columns, <4 x i32> %ends, i1 %any, i32 %count) {
entry:
  %rows = add <4 x i32> %r, %offsets
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %b = insertelement <4 x i32> poison, i32 %i, i64 0
  %begin = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> zeroinitializer
  %c = add <4 x i32> %begin, %columns
  %column = shufflevector <4 x i32> %c, <4 x i32> poison, <4 x i32> zeroinitializer
  %first = icmp slt <4 x i32> %offsets, %begin
  %all = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %seen = icmp sle <4 x i32> %column, %rows
  %m = and <4 x i1> %all, %seen
  call spir_func void @use(<4 x i1> %m)
  %n = add i32 %i, 4
  %go = icmp slt i32 %n, %count
  br i1 %go, label %loop, label %end
end:
  ret void
}

; Rows that change in the loop would be kept from the number each time.
; CHECK-LABEL: @changing(
; CHECK-NOT: call <4 x i32> @llvm.s
; CHECK: and <4 x i1>
; CHECK: ret void
define spir_func void @changing(<4 x i32> %r, <4 x i32> %offsets, <4 x i32> %columns, <4 x i32> %ends, i1 %any, i32 %count) {
entry:
  %rows = add <4 x i32> %r, %offsets
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %b = insertelement <4 x i32> poison, i32 %i, i64 0
  %begin = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> zeroinitializer
  %c = add <4 x i32> %begin, %columns
  %column = shufflevector <4 x i32> %c, <4 x i32> poison, <4 x i32> zeroinitializer
  %here = mul <4 x i32> %rows, %c
  %first = icmp slt <4 x i32> %c, %ends
  %all = shufflevector <4 x i1> %first, <4 x i1> poison, <4 x i32> zeroinitializer
  %seen = icmp sle <4 x i32> %column, %here
  %m = and <4 x i1> %all, %seen
  call spir_func void @use(<4 x i1> %m)
  %n = add i32 %i, 4
  %go = icmp slt i32 %n, %count
  br i1 %go, label %loop, label %end
end:
  ret void
}
