; RUN: triton-xe-translate --llvmir-optimize --opt-level=0 %s | FileCheck %s

; The upper bits of a result are cleared.
; CHECK-LABEL: define i32 @add_i24
; CHECK: %[[LOW:.*]] = and i32 %x, 16777215
; CHECK: %[[SUM:.*]] = add i32 %[[LOW]], 5
; CHECK: and i32 %[[SUM]], 16777215
; CHECK-NOT: i24
define i32 @add_i24(i32 %x) {
  %narrow = trunc i32 %x to i24
  %sum = add i24 %narrow, 5
  %wide = zext i24 %sum to i32
  ret i32 %wide
}

; A signed operation extends the sign first.
; CHECK-LABEL: define i1 @less_i4
; CHECK: shl i8 %{{.*}}, 4
; CHECK: ashr i8 %{{.*}}, 4
; CHECK: icmp slt i8
define i1 @less_i4(i8 %x, i8 %y) {
  %a = trunc i8 %x to i4
  %b = trunc i8 %y to i4
  %less = icmp slt i4 %a, %b
  ret i1 %less
}

; The closed form of a sum, as scalar evolution writes it.
; CHECK-LABEL: define i32 @closed_form
; CHECK: mul i64
; CHECK: and i64 %{{.*}}, 8589934591
; CHECK: lshr i64
; CHECK-NOT: i33
define i32 @closed_form(i32 %x, i32 %y) {
  %a = zext i32 %x to i33
  %b = zext i32 %y to i33
  %product = mul i33 %a, %b
  %half = lshr i33 %product, 1
  %result = trunc i33 %half to i32
  ret i32 %result
}

; Whole bytes are loaded in legal widths.
; CHECK-LABEL: define i32 @load_i24
; CHECK-DAG: load i16, ptr %p, align 1
; CHECK-DAG: load i8, ptr %{{.*}}, align 1
define i32 @load_i24(ptr %p) {
  %narrow = load i24, ptr %p, align 1
  %wide = zext i24 %narrow to i32
  ret i32 %wide
}

; CHECK-LABEL: define i32 @phi_and_switch
; CHECK: phi i8
; CHECK: switch i8
; CHECK-NOT: i2{{$}}
define i32 @phi_and_switch(i1 %c, i8 %x) {
entry:
  %two = trunc i8 %x to i2
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %choice = phi i2 [ 1, %then ], [ %two, %entry ]
  switch i2 %choice, label %other [
    i2 1, label %one
    i2 -1, label %three
  ]
one:
  ret i32 1
three:
  ret i32 3
other:
  ret i32 0
}

; A boolean is no condition of a switch.
; CHECK-LABEL: define i32 @boolean_switch
; CHECK: %[[WIDE:.*]] = zext i1 %c to i8
; CHECK: switch i8 %[[WIDE]], label %none [
; CHECK-NEXT: i8 0, label %zero
; CHECK-NEXT: i8 1, label %one
define i32 @boolean_switch(i1 %c) {
  switch i1 %c, label %none [
    i1 false, label %zero
    i1 true, label %one
  ]
none:
  unreachable
zero:
  ret i32 3
one:
  ret i32 5
}

; Legal widths are left alone.
; CHECK-LABEL: define i64 @legal
; CHECK-NEXT: %sum = add i64 %x, %y
; CHECK-NEXT: ret i64 %sum
define i64 @legal(i64 %x, i64 %y) {
  %sum = add i64 %x, %y
  ret i64 %sum
}
