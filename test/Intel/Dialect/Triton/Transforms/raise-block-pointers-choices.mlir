// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers | FileCheck %s

// The stores of these products leave out the rows from `%m` on. Where nothing else depends on those rows, a choice does
// not require them.

// The product keeps rows apart, so that only the bound of columns, which it sums, is left of the choice.
// CHECK-LABEL: @rows
// CHECK: %[[COLUMNS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<1x16xi32>
// CHECK: %[[HERE:.*]] = tt.broadcast %[[COLUMNS]]
// CHECK: arith.select %[[HERE]]
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @rows(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %all_rows = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %ks = tt.splat %k : i32 -> tensor<1x16xi32>
  %there = arith.cmpi slt, %column, %ks : tensor<1x16xi32>
  %all_columns = tt.broadcast %there : tensor<1x16xi1> -> tensor<16x16xi1>
  %inside = arith.andi %all_rows, %all_columns : tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %mask = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %masks = tt.broadcast %mask : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %ps, %d, %masks : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// A block pointer whose store is checked leaves out the same rows. A choice
// that a loop carries keeps its rows. The coordinate of the choice is no part
// of an address: where it overflows it is beyond the bound, and the choice may
// be either.
// CHECK-LABEL: @block
// CHECK-NOT: arith.select
// CHECK: ttig.store_block
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @block(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %begin = arith.constant 0 : i32
  %sum = scf.for %i = %begin to %k step %c1 iter_args(%s = %zeros) -> (tensor<16x16xf32>) : i32 {
    %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
    %t = tt.dot %left, %y, %s : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %t : tensor<16x16xf32>
  }
  %d = math.exp %sum : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1_i64 = arith.constant 1 : i64
  %m64 = arith.extsi %m : i32 to i64
  %ld64 = arith.extsi %ld : i32 to i64
  %block = ttig.surface %p, [%m64, %ld64], [%ld64, %c1_i64] : !tt.ptr<f32>
  ttig.store_block %d, %block[%first, %c0] {boundaryCheck = array<i32: 0>} : (!ttig.memory<f32, 2>, i32, i32, tensor<16x16xf32>) -> ()
  tt.return
}
}

// -----

// Declined: the store writes all rows.
// CHECK-LABEL: @all_rows
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @all_rows(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  tt.store %ps, %d : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: the store leaves out other rows.
// CHECK-LABEL: @other_rows
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @other_rows(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %ks = tt.splat %k : i32 -> tensor<16x1xi32>
  %mask = arith.cmpi slt, %rows, %ks : tensor<16x1xi32>
  %masks = tt.broadcast %mask : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %ps, %d, %masks : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: the right operand's rows are summed.
// CHECK-LABEL: @summed_rows
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @summed_rows(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %y, %left, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %mask = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %masks = tt.broadcast %mask : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %ps, %d, %masks : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: an integer is divided by the choice, which may be zero in surplus rows.
// CHECK-LABEL: @divided
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @divided(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %one = arith.constant dense<1> : tensor<16x16xi32>
  %n = arith.fptosi %x : tensor<16x16xf16> to tensor<16x16xi32>
  %chosen = arith.select %inside, %n, %one : tensor<16x16xi1>, tensor<16x16xi32>
  %q = arith.divsi %one, %chosen : tensor<16x16xi32>
  %left = arith.sitofp %q : tensor<16x16xi32> to tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %mask = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %masks = tt.broadcast %mask : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %ps, %d, %masks : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: an unsigned bound of the store may be negative as a signed one: then it leaves out nothing.
// CHECK-LABEL: @unsigned_bound
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @unsigned_bound(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %mask = arith.cmpi ult, %rows, %ms : tensor<16x1xi32>
  %masks = tt.broadcast %mask : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %ps, %d, %masks : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: the choice's bound may have overflowed, and hide rows that the store writes.
// CHECK-LABEL: @overflow_of_bound
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @overflow_of_bound(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %c100 = arith.constant 100 : i32
  %twice = arith.addi %m, %c100 : i32
  %bounds = tt.splat %twice : i32 -> tensor<16x1xi32>
  %here = arith.cmpi slt, %rows, %bounds : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %mask = arith.cmpi slt, %rows, %bounds : tensor<16x1xi32>
  %masks = tt.broadcast %mask : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %ps, %d, %masks : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: the store's coordinate is no part of its address, and may have overflowed: then it writes surplus rows.
// CHECK-LABEL: @overflow_in_the_store
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @overflow_in_the_store(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %index = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %index, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %mask = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %masks = tt.broadcast %mask : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %ps, %d, %masks : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: the extent of the block pointer may have overflowed.
// CHECK-LABEL: @overflow_of_extent
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @overflow_of_extent(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %first: i32, %m: i32, %k: i32, %ld: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %first : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %rows = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %m2 = arith.addi %m, %m : i32
  %m2s = tt.splat %m2 : i32 -> tensor<16x1xi32>
  %here = arith.cmpi slt, %rows, %m2s : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1_i64 = arith.constant 1 : i64
  %m64 = arith.extsi %m2 : i32 to i64
  %ld64 = arith.extsi %ld : i32 to i64
  %block = ttig.surface %p, [%m64, %ld64], [%ld64, %c1_i64] : !tt.ptr<f32>
  ttig.store_block %d, %block[%first, %c0] {boundaryCheck = array<i32: 0>} : (!ttig.memory<f32, 2>, i32, i32, tensor<16x16xf32>) -> ()
  tt.return
}
}

// -----

// Declined: the groups of scales along K are no columns of the product.
// CHECK-LABEL: @scales
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "cri">} {
tt.func @scales(%a: tensor<128x128xf8E4M3FN>, %scale: tensor<128x4xi8>, %b: tensor<128x128xf8E4M3FN>, %p: tensor<128x128x!tt.ptr<f32>>, %m: i32) {
  %one = arith.constant dense<127> : tensor<128x4xi8>
  %sums = arith.constant dense<0.0> : tensor<128x128xf32>
  %groups = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %group = tt.expand_dims %groups {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %ms = tt.splat %m : i32 -> tensor<1x4xi32>
  %here = arith.cmpi slt, %group, %ms : tensor<1x4xi32>
  %inside = tt.broadcast %here : tensor<1x4xi1> -> tensor<128x4xi1>
  %chosen = arith.select %inside, %scale, %one : tensor<128x4xi1>, tensor<128x4xi8>
  %d = tt.dot_scaled %a scale %chosen, %b, %sums lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<128x128xf8E4M3FN>, tensor<128x4xi8> * tensor<128x128xf8E4M3FN> -> tensor<128x128xf32>
  %columns = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %column = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %ends = tt.splat %m : i32 -> tensor<1x128xi32>
  %mask = arith.cmpi slt, %column, %ends : tensor<1x128xi32>
  %masks = tt.broadcast %mask : tensor<1x128xi1> -> tensor<128x128xi1>
  tt.store %p, %d, %masks : tensor<128x128x!tt.ptr<f32>>
  tt.return
}
}

// -----

// A reshape that divides the columns keeps the rows: the choice goes.
// CHECK-LABEL: @reshaped_columns
// CHECK-NOT: arith.select
// CHECK: tt.return
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @reshaped_columns(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %m: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %parts = tt.reshape %d : tensor<16x16xf32> -> tensor<16x4x4xf32>
  %line = tt.expand_dims %rows {axis = 2 : i32} : tensor<16x1xi32> -> tensor<16x1x1xi32>
  %places = tt.broadcast %line : tensor<16x1x1xi32> -> tensor<16x4x4xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x4x4x!tt.ptr<f32>>
  %ps = tt.addptr %base, %places : tensor<16x4x4x!tt.ptr<f32>>, tensor<16x4x4xi32>
  %mask = tt.expand_dims %here {axis = 2 : i32} : tensor<16x1xi1> -> tensor<16x1x1xi1>
  %masks = tt.broadcast %mask : tensor<16x1x1xi1> -> tensor<16x4x4xi1>
  tt.store %ps, %parts, %masks : tensor<16x4x4x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Declined: a reshape puts several rows into one, whose index is none of theirs.
// CHECK-LABEL: @reshaped_rows
// CHECK: arith.select
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func @reshaped_rows(%x: tensor<16x16xf16>, %y: tensor<16x16xf16>, %p: !tt.ptr<f32>, %m: i32) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %sums = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %here = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %inside = tt.broadcast %here : tensor<16x1xi1> -> tensor<16x16xi1>
  %left = arith.select %inside, %x, %zero : tensor<16x16xi1>, tensor<16x16xf16>
  %d = tt.dot %left, %y, %sums : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %parts = tt.reshape %d : tensor<16x16xf32> -> tensor<4x64xf32>
  %four = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %line = tt.expand_dims %four {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %places = tt.broadcast %line : tensor<4x1xi32> -> tensor<4x64xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>>
  %ps = tt.addptr %base, %places : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
  %bounds = tt.splat %m : i32 -> tensor<4x1xi32>
  %mask = arith.cmpi slt, %line, %bounds : tensor<4x1xi32>
  %masks = tt.broadcast %mask : tensor<4x1xi1> -> tensor<4x64xi1>
  tt.store %ps, %parts, %masks : tensor<4x64x!tt.ptr<f32>>
  tt.return
}
}
