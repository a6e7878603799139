// RUN: triton-xe-opt %s --triton-intel-simplify-div-rem | FileCheck %s

module {

// A counter in steps of 32 is a multiple of 8 and of 32: of the sum, words are those of both parts, and places within them those
// of the range. All of the range is in one group.
// CHECK-LABEL: tt.func @words
// CHECK: %[[RANGE:.*]] = tt.make_range {end = 32 : i32, start = 0 : i32}
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[FIRST:.*]] = arith.divsi %[[I]], %{{.*}} : i32
// CHECK-NEXT: %[[SPLAT:.*]] = tt.splat %[[FIRST]]
// CHECK-NEXT: %[[REST:.*]] = arith.divsi %[[RANGE]]
// CHECK: arith.addi %[[SPLAT]], %[[REST]]
// CHECK: arith.remsi %[[RANGE]]
// CHECK: %[[GROUP:.*]] = arith.divsi %[[I]], %{{.*}} : i32
// CHECK: tt.splat %[[GROUP]]
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK: tt.return
tt.func @words(%n: i32) -> (tensor<32xi32>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c8s = arith.constant dense<8> : tensor<32xi32>
  %c32s = arith.constant dense<32> : tensor<32xi32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r:4 = scf.for %i = %c0 to %n step %c32 iter_args(%w0 = %range, %p0 = %range, %g0 = %range, %o0 = %range) -> (tensor<32xi32>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>) : i32 {
    %start = tt.splat %i : i32 -> tensor<32xi32>
    %k = arith.addi %start, %range : tensor<32xi32>
    %word = arith.divsi %k, %c8s : tensor<32xi32>
    %place = arith.remsi %k, %c8s : tensor<32xi32>
    %group = arith.divsi %k, %c32s : tensor<32xi32>
    %other = arith.remsi %k, %c32s : tensor<32xi32>
    scf.yield %word, %place, %group, %other : tensor<32xi32>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>
  }
  tt.return %r#0, %r#1, %r#2, %r#3 : tensor<32xi32>, tensor<32xi32>, tensor<32xi32>, tensor<32xi32>
}

// A range after the first group: what comes before it is subtracted, or added.
// CHECK-LABEL: tt.func @second_group
// CHECK-DAG: %[[C32:.*]] = arith.constant dense<32>
// CHECK-DAG: %[[C2:.*]] = arith.constant dense<2>
// CHECK-DAG: arith.divsi %{{.*}} : i32
// CHECK-DAG: arith.addi %{{.*}}, %[[C2]]
// CHECK-DAG: arith.subi %{{.*}}, %[[C32]]
// CHECK: tt.return
tt.func @second_group(%table: tensor<16x!tt.ptr<i32>>) -> (tensor<16xi32>, tensor<16xi32>) {
  %c64 = arith.constant 64 : i32
  %c16s = arith.constant dense<16> : tensor<16xi32>
  %range = tt.make_range {end = 48 : i32, start = 32 : i32} : tensor<16xi32>
  %p = tt.get_program_id x : i32
  %first = arith.muli %p, %c64 : i32
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %k = arith.addi %range, %start : tensor<16xi32>
  %address = tt.addptr %table, %k : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %word = arith.divsi %k, %c16s : tensor<16xi32>
  %place = arith.remsi %k, %c16s : tensor<16xi32>
  tt.return %word, %place : tensor<16xi32>, tensor<16xi32>
}

// A tile of 16 tokens in pages of 64: all are in the page of the first one, and its place goes on from that one's.
// CHECK-LABEL: tt.func @part_of_a_group
// CHECK: %[[S:.*]] = arith.muli
// CHECK: %[[Q:.*]] = arith.divsi %[[S]], %c64_i32 : i32
// CHECK: %[[PAGE:.*]] = tt.splat %[[Q]]
// CHECK: %[[R:.*]] = arith.remsi %[[S]], %c64_i32{{.*}} : i32
// CHECK: %[[FIRST:.*]] = tt.splat %[[R]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %{{.*}} : tensor<16xi32>
// CHECK: tt.return %[[PAGE]], %[[PLACE]]
tt.func @part_of_a_group(%table: tensor<16x!tt.ptr<i32>>) -> (tensor<16xi32>, tensor<16xi32>) {
  %c16 = arith.constant 16 : i32
  %c64s = arith.constant dense<64> : tensor<16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.get_program_id x : i32
  %first = arith.muli %p, %c16 : i32
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %t = arith.addi %start, %range : tensor<16xi32>
  %address = tt.addptr %table, %t : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %page = arith.divsi %t, %c64s : tensor<16xi32>
  %place = arith.remsi %t, %c64s : tensor<16xi32>
  tt.return %page, %place : tensor<16xi32>, tensor<16xi32>
}

// Declined: a tile of 16 that begins at any multiple of 8 may be in two pages.
// CHECK-LABEL: tt.func @in_two_groups
// CHECK: arith.divsi %{{.*}} : tensor<16xi32>
// CHECK: arith.remsi %{{.*}} : tensor<16xi32>
tt.func @in_two_groups(%table: tensor<16x!tt.ptr<i32>>) -> (tensor<16xi32>, tensor<16xi32>) {
  %c8 = arith.constant 8 : i32
  %c64s = arith.constant dense<64> : tensor<16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.get_program_id x : i32
  %first = arith.muli %p, %c8 : i32
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %t = arith.addi %start, %range : tensor<16xi32>
  %address = tt.addptr %table, %t : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %page = arith.divsi %t, %c64s : tensor<16xi32>
  %place = arith.remsi %t, %c64s : tensor<16xi32>
  tt.return %page, %place : tensor<16xi32>, tensor<16xi32>
}

// Numbers without an unknown part: all of a range is in the first group, or in the second one.
// CHECK-LABEL: tt.func @known
// CHECK-DAG: %[[RANGE:.*]] = tt.make_range {end = 64 : i32, start = 0 : i32}
// CHECK-DAG: %[[SECOND:.*]] = tt.make_range {end = 80 : i32, start = 64 : i32}
// CHECK-DAG: %[[C0:.*]] = arith.constant dense<0> : tensor<64xi32>
// CHECK-DAG: %[[C1:.*]] = arith.constant dense<1> : tensor<16xi32>
// CHECK-DAG: %[[REST:.*]] = arith.subi %[[SECOND]], %{{.*}}
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK: tt.return %[[C0]], %[[RANGE]], %[[C1]], %[[REST]]
tt.func @known() -> (tensor<64xi32>, tensor<64xi32>, tensor<16xi32>, tensor<16xi32>) {
  %c64 = arith.constant dense<64> : tensor<64xi32>
  %c64s = arith.constant dense<64> : tensor<16xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %second = tt.make_range {end = 80 : i32, start = 64 : i32} : tensor<16xi32>
  %part = arith.divsi %range, %c64 : tensor<64xi32>
  %column = arith.remsi %range, %c64 : tensor<64xi32>
  %other_part = arith.divsi %second, %c64s : tensor<16xi32>
  %other_column = arith.remsi %second, %c64s : tensor<16xi32>
  tt.return %part, %column, %other_part, %other_column : tensor<64xi32>, tensor<64xi32>, tensor<16xi32>, tensor<16xi32>
}

// Declined: a range over two groups, and one that begins below zero, whose quotients are rounded toward zero.
// CHECK-LABEL: tt.func @two_groups
// CHECK-COUNT-2: arith.divsi %{{.*}} : tensor<16xi32>
tt.func @two_groups() -> (tensor<16xi32>, tensor<16xi32>) {
  %c64 = arith.constant dense<64> : tensor<16xi32>
  %range = tt.make_range {end = 72 : i32, start = 56 : i32} : tensor<16xi32>
  %below = tt.make_range {end = 0 : i32, start = -16 : i32} : tensor<16xi32>
  %part = arith.divsi %range, %c64 : tensor<16xi32>
  %other = arith.divsi %below, %c64 : tensor<16xi32>
  tt.return %part, %other : tensor<16xi32>, tensor<16xi32>
}

// Left alone: a number that is no multiple, one that may be negative, a range that begins below zero, a divisor that is no
// constant or negative.
// CHECK-LABEL: tt.func @others
// CHECK-COUNT-5: arith.addi
// CHECK-COUNT-5: arith.divsi %{{.*}}, %{{.*}} : tensor<16xi32>
// CHECK-NOT: tt.splat
// CHECK: tt.return
tt.func @others(%table: tensor<16x!tt.ptr<i32>>, %x: i32 {tt.divisibility = 16 : i32}, %y: tensor<16xi32>) -> (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>) {
  %c16s = arith.constant dense<16> : tensor<16xi32>
  %minus = arith.constant dense<-16> : tensor<16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %below = tt.make_range {end = 8 : i32, start = -8 : i32} : tensor<16xi32>
  %c16 = arith.constant 16 : i32
  %p = tt.get_program_id x : i32
  %multiple = arith.muli %p, %c16 : i32
  %odd = tt.splat %p : i32 -> tensor<16xi32>
  %signed = tt.splat %x : i32 -> tensor<16xi32>
  %good = tt.splat %multiple : i32 -> tensor<16xi32>
  %k0 = arith.addi %odd, %range : tensor<16xi32>
  %k1 = arith.addi %signed, %range : tensor<16xi32>
  %k2 = arith.addi %good, %below : tensor<16xi32>
  %k3 = arith.addi %good, %range : tensor<16xi32>
  %k4 = arith.addi %good, %range : tensor<16xi32>
  %a0 = tt.addptr %table, %k0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %q0 = arith.divsi %k0, %c16s : tensor<16xi32>
  %a1 = tt.addptr %table, %k1 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %q1 = arith.divsi %k1, %c16s : tensor<16xi32>
  %a2 = tt.addptr %table, %k2 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %q2 = arith.divsi %k2, %c16s : tensor<16xi32>
  %a3 = tt.addptr %table, %k3 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %q3 = arith.divsi %k3, %y : tensor<16xi32>
  %a4 = tt.addptr %table, %k4 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %q4 = arith.divsi %k4, %minus : tensor<16xi32>
  tt.return %q0, %q1, %q2, %q3, %q4 : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>
}

// Data may wrap around: quotients of negative numbers are rounded to the other side. A place in a table that a remainder
// gives is no sum of its dividend, either.
// CHECK-LABEL: tt.func @data
// CHECK: arith.divsi %{{.*}} : tensor<16xi32>
// CHECK: arith.remsi %{{.*}} : tensor<16xi32>
tt.func @data(%table: tensor<16x!tt.ptr<i32>>) -> tensor<16xi32> {
  %large = arith.constant 268435456 : i32
  %c16s = arith.constant dense<16> : tensor<16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %p = tt.get_program_id x : i32
  %first = arith.muli %p, %large : i32
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %x = arith.addi %start, %range : tensor<16xi32>
  %q = arith.divsi %x, %c16s : tensor<16xi32>
  %r = arith.remsi %x, %c16s : tensor<16xi32>
  %address = tt.addptr %table, %r : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  tt.return %q : tensor<16xi32>
}

// A counter of tiles has a bound, by the division that it comes from: no tile of 32 begins where 32 bits end.
// CHECK-LABEL: tt.func @counted
// CHECK: scf.for
// CHECK-NOT: arith.remsi
// CHECK: tt.return
tt.func @counted(%n: i32) -> tensor<32xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c32s = arith.constant dense<32> : tensor<32xi32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %up = arith.addi %n, %c31 : i32
  %tiles = arith.divsi %up, %c32 : i32
  %last = scf.for %i = %c0 to %tiles step %c1 iter_args(%x = %range) -> (tensor<32xi32>) : i32 {
    %first = arith.muli %i, %c32 : i32
    %start = tt.splat %first : i32 -> tensor<32xi32>
    %k = arith.addi %start, %range : tensor<32xi32>
    %place = arith.remsi %k, %c32s : tensor<32xi32>
    scf.yield %place : tensor<32xi32>
  }
  tt.return %last : tensor<32xi32>
}

// A counter that starts anywhere has none.
// CHECK-LABEL: tt.func @not_counted
// CHECK: arith.remsi %{{.*}} : tensor<32xi32>
tt.func @not_counted(%m: i32, %n: i32) -> tensor<32xi32> {
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c32s = arith.constant dense<32> : tensor<32xi32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %last = scf.for %i = %m to %n step %c1 iter_args(%x = %range) -> (tensor<32xi32>) : i32 {
    %first = arith.muli %i, %c32 : i32
    %start = tt.splat %first : i32 -> tensor<32xi32>
    %k = arith.addi %start, %range : tensor<32xi32>
    %place = arith.remsi %k, %c32s : tensor<32xi32>
    scf.yield %place : tensor<32xi32>
  }
  tt.return %last : tensor<32xi32>
}
}
