// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers -canonicalize -cse 2>/dev/null | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers=print-forms -remarks-filter-missed=triton-intel-raise-block-pointers -remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers 2>/dev/null | FileCheck %s --check-prefix=ALONE

// A tile of 32 tokens of a cache whose pages have 16. Each page is looked up
// once, by a scalar load at the place of its first token, if that is one; the
// rest of the address is that of a row within the page. Keys are columns, values
// rows; the bound of tokens is the extent of the block's rows.
//
// CHECK-LABEL: tt.func public @keys_and_values
// CHECK-SAME: (%[[K:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[T:[^:]*]]: !tt.ptr<i32>, %[[LENGTH:[^:]*]]: i32, %[[PAGE:[^:]*]]: i64 {{[^,]*}}, %[[ROW:[^:]*]]: i64
// CHECK: scf.for %[[TILE:[^ ]*]] =
// CHECK-DAG: %[[FIRST:.*]] = tt.load %{{.*}}, %{{.*}}, %c0_i32 : !tt.ptr<i32>
// CHECK-DAG: %[[SECOND:.*]] = tt.load %{{.*}}, %{{.*}}, %c0_i32 : !tt.ptr<i32>
// CHECK-DAG: %[[P:.*]] = ttig.surface %[[K]], [%c64_i64, %[[LEFT:.*]]], [%c1_i64, %[[ROW]]]
// CHECK-DAG: %[[S0:.*]] = tt.addptr %[[K]]
// CHECK-DAG: %[[S1:.*]] = tt.addptr %[[K]]
// CHECK: ttig.load_block %[[P]][%c0_i32, %c0_i32] pages[%[[S0]], %[[S1]]] {boundaryCheck = array<i32: 1>, padding = 1 : i32, pageDim = 1 : i32}{{.*}} -> tensor<64x32xf16>
// CHECK: ttig.load_block %{{.*}} pages[%[[S0]], %[[S1]]] {boundaryCheck = array<i32: 0>, padding = 1 : i32}{{.*}} -> tensor<32x64xf16>
// CHECK-NOT: tt.load %{{.*}} : tensor
// REMARK: a block of %{{.*}}, [0 of at least 64 by 1], [0 of {{.*}} by %{{.*}} from %{{.*}} + {{.*}}, %{{.*}} + {{.*}}]
// REMARK: a block of %{{.*}}, [0 of {{.*}} by %{{.*}} from %{{.*}} + {{.*}}, %{{.*}} + {{.*}}], [0 of at least 64 by 1]
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @keys_and_values(%k: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %t: !tt.ptr<i32>, %length: i32, %page: i64 {tt.divisibility = 32 : i32}, %row: i64 {tt.divisibility = 32 : i32}, %q: tensor<16x64xf16>, %w: tensor<16x32xf16>, %zero: tensor<16x32xf32>, %init: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x32xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c16 = arith.constant dense<16> : tensor<32xi32>
  %none = arith.constant dense<0> : tensor<32xi32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf16>
  %zeros2 = arith.constant dense<0.0> : tensor<32x64xf16>
  %slot = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %d = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %d64 = arith.extsi %d : tensor<64xi32> to tensor<64xi64>
  %n = arith.divsi %length, %c32 : i32
  %r:2 = scf.for %tile = %c0 to %n step %c1 iter_args(%acc = %init, %s = %zero) -> (tensor<16x64xf32>, tensor<16x32xf32>) : i32 {
    %start = arith.muli %tile, %c32 : i32
    %starts = tt.splat %start : i32 -> tensor<32xi32>
    %token = arith.addi %starts, %slot : tensor<32xi32>
    %lengths = tt.splat %length : i32 -> tensor<32xi32>
    %inside = arith.cmpi slt, %token, %lengths : tensor<32xi32>
    %number = arith.divsi %token, %c16 : tensor<32xi32>
    %table = tt.splat %t : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %entry = tt.addptr %table, %number : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %found = tt.load %entry, %inside, %none : tensor<32x!tt.ptr<i32>>
    %wide = arith.extsi %found : tensor<32xi32> to tensor<32xi64>
    %pages = tt.splat %page : i64 -> tensor<32xi64>
    %begin = arith.muli %wide, %pages : tensor<32xi64>
    %within = arith.remsi %token, %c16 : tensor<32xi32>
    %within64 = arith.extsi %within : tensor<32xi32> to tensor<32xi64>
    %rows = tt.splat %row : i64 -> tensor<32xi64>
    %line = arith.muli %within64, %rows : tensor<32xi64>
    %offset = arith.addi %begin, %line : tensor<32xi64>

    %o0 = tt.expand_dims %offset {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %o1 = tt.broadcast %o0 : tensor<1x32xi64> -> tensor<64x32xi64>
    %d0 = tt.expand_dims %d64 {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
    %d1 = tt.broadcast %d0 : tensor<64x1xi64> -> tensor<64x32xi64>
    %o2 = arith.addi %o1, %d1 : tensor<64x32xi64>
    %base = tt.splat %k : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %p = tt.addptr %base, %o2 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi64>
    %m0 = tt.expand_dims %inside {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %m1 = tt.broadcast %m0 : tensor<1x32xi1> -> tensor<64x32xi1>
    %key = tt.load %p, %m1, %zeros : tensor<64x32x!tt.ptr<f16>>

    %e0 = tt.expand_dims %offset {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %e1 = tt.broadcast %e0 : tensor<32x1xi64> -> tensor<32x64xi64>
    %f0 = tt.expand_dims %d64 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %f1 = tt.broadcast %f0 : tensor<1x64xi64> -> tensor<32x64xi64>
    %e2 = arith.addi %e1, %f1 : tensor<32x64xi64>
    %base2 = tt.splat %k : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %p2 = tt.addptr %base2, %e2 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
    %n0 = tt.expand_dims %inside {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %n1 = tt.broadcast %n0 : tensor<32x1xi1> -> tensor<32x64xi1>
    %value = tt.load %p2, %n1, %zeros2 : tensor<32x64x!tt.ptr<f16>>

    %score = tt.dot %q, %key, %s : tensor<16x64xf16> * tensor<64x32xf16> -> tensor<16x32xf32>
    %sum = tt.dot %w, %value, %acc : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
    scf.yield %sum, %score : tensor<16x64xf32>, tensor<16x32xf32>
  }
  tt.return %r#0, %r#1 : tensor<16x64xf32>, tensor<16x32xf32>
}
}

// -----

// These loads stay as they are: pages of fewer rows than a message for an operand
// has; tiles that may begin within a page; pages under a separate mask, which
// represent others where it does not hold; volatile loads; blocks that are no
// dot operands; and bytes along K, of which an instruction takes 32.
//
// CHECK-LABEL: tt.func public @declined
// CHECK-NOT: ttig.load_block {{.*}} pages
//
// The pass has looked up no page, and divided no number, for what stays.
// ALONE-LABEL: tt.func public @declined
// ALONE-NOT: arith.divsi {{.*}} : i
// ALONE-NOT: : !tt.ptr<i32>{{$}}
// ALONE-LABEL: tt.func public @taken
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @declined(%k: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 64 : i32}, %t: !tt.ptr<i32>, %start: i32, %length: i32, %row: i64 {tt.divisibility = 64 : i32}, %w: tensor<16x32xf16>, %v: tensor<16x32xi8>, %init: tensor<16x64xf32>, %init8: tensor<16x64xi32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<32x64xf16>, tensor<16x64xi32>) {
  %c16 = arith.constant dense<16> : tensor<32xi32>
  %c8 = arith.constant dense<8> : tensor<32xi32>
  %none = arith.constant dense<7> : tensor<32xi32>
  %slot = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %d = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %d64 = arith.extsi %d : tensor<64xi32> to tensor<64xi64>
  %f0 = tt.expand_dims %d64 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
  %f1 = tt.broadcast %f0 : tensor<1x64xi64> -> tensor<32x64xi64>
  %rows = tt.splat %row : i64 -> tensor<32xi64>
  %table = tt.splat %t : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %base = tt.splat %k : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %bytes = tt.splat %b : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>>
  %pitch = arith.constant dense<4096> : tensor<32xi64>

  // Pages of 8.
  %n8 = arith.divsi %slot, %c8 : tensor<32xi32>
  %t8 = tt.addptr %table, %n8 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %l8 = tt.load %t8 : tensor<32x!tt.ptr<i32>>
  %w8 = arith.extsi %l8 : tensor<32xi32> to tensor<32xi64>
  %b8 = arith.muli %w8, %pitch : tensor<32xi64>
  %r8 = arith.remsi %slot, %c8 : tensor<32xi32>
  %x8 = arith.extsi %r8 : tensor<32xi32> to tensor<32xi64>
  %y8 = arith.muli %x8, %rows : tensor<32xi64>
  %o8 = arith.addi %b8, %y8 : tensor<32xi64>
  %e8 = tt.expand_dims %o8 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
  %g8 = tt.broadcast %e8 : tensor<32x1xi64> -> tensor<32x64xi64>
  %h8 = arith.addi %g8, %f1 : tensor<32x64xi64>
  %p8 = tt.addptr %base, %h8 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
  %k8 = tt.load %p8 : tensor<32x64x!tt.ptr<f16>>
  %dot8 = tt.dot %w, %k8, %init : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>

  // Begins anywhere.
  %starts = tt.splat %start : i32 -> tensor<32xi32>
  %any = arith.addi %starts, %slot : tensor<32xi32>
  %na = arith.divsi %any, %c16 : tensor<32xi32>
  %ta = tt.addptr %table, %na : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %la = tt.load %ta : tensor<32x!tt.ptr<i32>>
  %wa = arith.extsi %la : tensor<32xi32> to tensor<32xi64>
  %ba = arith.muli %wa, %pitch : tensor<32xi64>
  %ra = arith.remsi %any, %c16 : tensor<32xi32>
  %xa = arith.extsi %ra : tensor<32xi32> to tensor<32xi64>
  %ya = arith.muli %xa, %rows : tensor<32xi64>
  %oa = arith.addi %ba, %ya : tensor<32xi64>
  %ea = tt.expand_dims %oa {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
  %ga = tt.broadcast %ea : tensor<32x1xi64> -> tensor<32x64xi64>
  %ha = arith.addi %ga, %f1 : tensor<32x64xi64>
  %pa = tt.addptr %base, %ha : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
  %ka = tt.load %pa : tensor<32x64x!tt.ptr<f16>>
  %dota = tt.dot %w, %ka, %init : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>

  // Page 7 for tokens that are none, which are read nevertheless.
  %lengths = tt.splat %length : i32 -> tensor<32xi32>
  %inside = arith.cmpi slt, %slot, %lengths : tensor<32xi32>
  %n = arith.divsi %slot, %c16 : tensor<32xi32>
  %tn = tt.addptr %table, %n : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %lm = tt.load %tn, %inside, %none : tensor<32x!tt.ptr<i32>>
  %wm = arith.extsi %lm : tensor<32xi32> to tensor<32xi64>
  %bm = arith.muli %wm, %pitch : tensor<32xi64>
  %r = arith.remsi %slot, %c16 : tensor<32xi32>
  %x = arith.extsi %r : tensor<32xi32> to tensor<32xi64>
  %y = arith.muli %x, %rows : tensor<32xi64>
  %om = arith.addi %bm, %y : tensor<32xi64>
  %em = tt.expand_dims %om {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
  %gm = tt.broadcast %em : tensor<32x1xi64> -> tensor<32x64xi64>
  %hm = arith.addi %gm, %f1 : tensor<32x64xi64>
  %pm = tt.addptr %base, %hm : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
  %km = tt.load %pm : tensor<32x64x!tt.ptr<f16>>
  %dotm = tt.dot %w, %km, %init : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>

  // Legal pages of 16 except for the following.
  %l = tt.load %tn : tensor<32x!tt.ptr<i32>>
  %wl = arith.extsi %l : tensor<32xi32> to tensor<32xi64>
  %bl = arith.muli %wl, %pitch : tensor<32xi64>
  %o = arith.addi %bl, %y : tensor<32xi64>
  %e = tt.expand_dims %o {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
  %g = tt.broadcast %e : tensor<32x1xi64> -> tensor<32x64xi64>
  %h = arith.addi %g, %f1 : tensor<32x64xi64>
  %p = tt.addptr %base, %h : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
  %volatile = tt.load %p {isVolatile = true} : tensor<32x64x!tt.ptr<f16>>
  %dotv = tt.dot %w, %volatile, %init : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
  %other = tt.load %p : tensor<32x64x!tt.ptr<f16>>
  %pb = tt.addptr %bytes, %h : tensor<32x64x!tt.ptr<i8>>, tensor<32x64xi64>
  %kb = tt.load %pb : tensor<32x64x!tt.ptr<i8>>
  %dotb = tt.dot %v, %kb, %init8 : tensor<16x32xi8> * tensor<32x64xi8> -> tensor<16x64xi32>
  tt.return %dot8, %dota, %dotm, %dotv, %other, %dotb : tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<32x64xf16>, tensor<16x64xi32>
}

// The same block becomes a block access where nothing prevents it. Without a
// mask, all of its rows exist.
// CHECK-LABEL: tt.func public @taken
// CHECK: ttig.load_block %{{.*}} pages[%{{.*}}, %{{.*}}] :
tt.func public @taken(%k: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %t: !tt.ptr<i32>, %row: i64 {tt.divisibility = 64 : i32}, %w: tensor<16x32xf16>, %init: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %c16 = arith.constant dense<16> : tensor<32xi32>
  %slot = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %d = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %d64 = arith.extsi %d : tensor<64xi32> to tensor<64xi64>
  %f0 = tt.expand_dims %d64 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
  %f1 = tt.broadcast %f0 : tensor<1x64xi64> -> tensor<32x64xi64>
  %rows = tt.splat %row : i64 -> tensor<32xi64>
  %table = tt.splat %t : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %base = tt.splat %k : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %pitch = arith.constant dense<4096> : tensor<32xi64>
  %n = arith.divsi %slot, %c16 : tensor<32xi32>
  %tn = tt.addptr %table, %n : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %r = arith.remsi %slot, %c16 : tensor<32xi32>
  %x = arith.extsi %r : tensor<32xi32> to tensor<32xi64>
  %y = arith.muli %x, %rows : tensor<32xi64>
  %l = tt.load %tn : tensor<32x!tt.ptr<i32>>
  %wl = arith.extsi %l : tensor<32xi32> to tensor<32xi64>
  %bl = arith.muli %wl, %pitch : tensor<32xi64>
  %o = arith.addi %bl, %y : tensor<32xi64>
  %e = tt.expand_dims %o {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
  %g = tt.broadcast %e : tensor<32x1xi64> -> tensor<32x64xi64>
  %h = arith.addi %g, %f1 : tensor<32x64xi64>
  %p = tt.addptr %base, %h : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi64>
  %v = tt.load %p : tensor<32x64x!tt.ptr<f16>>
  %dot = tt.dot %w, %v, %init : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
  tt.return %dot : tensor<16x64xf32>
}
}
