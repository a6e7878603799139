// RUN: triton-xe-opt %s --triton-intel-raise-block-pointers=print-forms --split-input-file --verify-diagnostics -o /dev/null

// Which block of which tensor an access is, as the pass reads it.

module attributes {ttig.target = #ttig.target<arch = "pvc">} {

// The number of a tile is a sum, which the kernel assumes not to be negative:
// so is the first row of the block, and the rows may be bounded by their
// modulus. The other operand steps through a batch by a 64-bit offset.
tt.func public @assumed(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %m: i32, %ld: i32 {tt.divisibility = 16 : i32}, %batch: i64 {tt.divisibility = 16 : i32}, %group: i32, %acc: tensor<16x16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c4_i32 = arith.constant 4 : i32
  %c16_i32 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %groups = arith.divsi %pid, %group : i32
  %first = arith.muli %groups, %c4_i32 : i32
  %inner = arith.remsi %pid, %group : i32
  %tile = arith.addi %first, %inner : i32
  %positive = arith.cmpi sge, %tile, %c0_i32 : i32
  llvm.intr.assume %positive : i1
  %y = arith.muli %tile, %c16_i32 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ys = tt.splat %y : i32 -> tensor<16xi32>
  %rows = arith.addi %ys, %range : tensor<16xi32>
  %limit = tt.splat %m : i32 -> tensor<16xi32>
  %wrapped = arith.remsi %rows, %limit : tensor<16xi32>
  %row = tt.expand_dims %wrapped {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %row, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  // expected-remark @below {{a block of %arg0, [64 * %1 + 16 * %3 of %arg3 by %arg4], [0 of at least 16 by 1]}}
  %x = tt.load %p : tensor<16x16x!tt.ptr<f32>>

  %pid64 = arith.extsi %pid : i32 to i64
  %z = arith.muli %pid64, %batch : i64
  %bz = tt.addptr %b, %z : !tt.ptr<f32>, i64
  %brow = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %bline = arith.muli %brow, %pitch : tensor<16x1xi32>
  %bline2 = tt.broadcast %bline : tensor<16x1xi32> -> tensor<16x16xi32>
  %bo = arith.addi %bline2, %column2 : tensor<16x16xi32>
  %bbase = tt.splat %bz : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %bp = tt.addptr %bbase, %bo : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  // expected-remark @below {{a block of %arg1 + %0 * %arg5, [0 of at least 16 by %arg4], [0 of at least 16 by 1]}}
  %w = tt.load %bp : tensor<16x16x!tt.ptr<f32>>

  %d = tt.dot %x, %w, %acc, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %crow = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cline = arith.muli %crow, %pitch : tensor<16x1xi32>
  %cline2 = tt.broadcast %cline : tensor<16x1xi32> -> tensor<16x16xi32>
  %co = arith.addi %cline2, %column2 : tensor<16x16xi32>
  %cbase = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %cp = tt.addptr %cbase, %co : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %inside = arith.cmpi slt, %rows, %limit : tensor<16xi32>
  %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
  %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
  // expected-remark @below {{a block of %arg2, [64 * %1 + 16 * %3 of %arg3 by %arg4], [0 of at least 16 by 1]}}
  tt.store %cp, %d, %mask : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {

// The other branch may not rely on an assumption of one branch about a sum:
// there the base moves to the block.
tt.func public @assumed_elsewhere(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %m: i32, %ld: i32 {tt.divisibility = 16 : i32}, %first: i32, %more: i32, %choice: i1, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0_i32 = arith.constant 0 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %limit = tt.splat %m : i32 -> tensor<16xi32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %r = scf.if %choice -> (tensor<16x16xf32>) {
    %y = arith.addi %first, %more : i32
    %positive = arith.cmpi sge, %y, %c0_i32 : i32
    llvm.intr.assume %positive : i1
    %ys = tt.splat %y : i32 -> tensor<16xi32>
    %rows = arith.addi %ys, %range : tensor<16xi32>
    %inside = arith.cmpi slt, %rows, %limit : tensor<16xi32>
    %row = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %line = arith.muli %row, %pitch : tensor<16x1xi32>
    %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
    %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
    %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
    // expected-remark @below {{[%arg3 + %arg4 of %arg1 by %arg2]}}
    %x = tt.load %p, %mask : tensor<16x16x!tt.ptr<f32>>
    %d = tt.dot %x, %w, %acc, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  } else {
    %y = arith.addi %first, %more : i32
    %ys = tt.splat %y : i32 -> tensor<16xi32>
    %rows = arith.addi %ys, %range : tensor<16xi32>
    %inside = arith.cmpi slt, %rows, %limit : tensor<16xi32>
    %row = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %line = arith.muli %row, %pitch : tensor<16x1xi32>
    %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
    %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
    %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
    // expected-remark @below {{[0 of -1 * %arg3 + -1 * %arg4 + %arg1 by %arg2]}}
    %x = tt.load %p, %mask : tensor<16x16x!tt.ptr<f32>>
    %d = tt.dot %x, %w, %acc, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {

// A page that is looked up under the mask of the access is the page, and its
// value elsewhere does not matter. Under another mask it is: there the
// addresses stay, and its facts are not used for the next access.
tt.func public @looked_up(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %page: i32, %length: i32, %other: i32, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %size = arith.constant dense<512> : tensor<16xi32>
  %line = arith.constant dense<32> : tensor<16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %lengths = tt.splat %length : i32 -> tensor<16xi32>
  %others = tt.splat %other : i32 -> tensor<16xi32>
  %inside = arith.cmpi slt, %range, %lengths : tensor<16xi32>
  %elsewhere = arith.cmpi slt, %range, %others : tensor<16xi32>
  %pages = tt.splat %page : i32 -> tensor<16xi32>
  %known = arith.select %inside, %pages, %zero : tensor<16xi1>, tensor<16xi32>
  %first = arith.muli %known, %size : tensor<16xi32>
  %step = arith.muli %range, %line : tensor<16xi32>
  %row = arith.addi %first, %step : tensor<16xi32>
  %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rows = tt.broadcast %row2 : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %rows, %columns : tensor<16x16xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
  %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
  %elsewhere2 = tt.expand_dims %elsewhere {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
  %mask2 = tt.broadcast %elsewhere2 : tensor<16x1xi1> -> tensor<16x16xi1>
  %y = tt.load %p, %mask2 : tensor<16x16x!tt.ptr<f32>>
  // expected-remark @below {{a block of %arg0 + 512 * %arg1, [0 of %arg2 by 32], [0 of at least 16 by 1]}}
  %x = tt.load %p, %mask : tensor<16x16x!tt.ptr<f32>>
  %z = arith.addf %x, %y : tensor<16x16xf32>
  %d = tt.dot %z, %w, %acc, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

}

// -----

module attributes {ttig.target = #ttig.target<arch = "pvc">} {

// The same condition masks the columns of both accesses. It hides what is chosen for a column that it leaves out, and
// nothing of what is chosen for a row: each row is the one with the number that was chosen.
tt.func public @other_axis(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %page: i32, %length: i32, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %line = arith.constant dense<32> : tensor<16x1xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %lengths = tt.splat %length : i32 -> tensor<16xi32>
  %inside = arith.cmpi slt, %range, %lengths : tensor<16xi32>
  %pages = tt.splat %page : i32 -> tensor<16xi32>
  %known = arith.select %inside, %pages, %zero : tensor<16xi1>, tensor<16xi32>
  %chosen = arith.addi %known, %range : tensor<16xi32>
  %inside2 = tt.expand_dims %inside {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
  %mask = tt.broadcast %inside2 : tensor<1x16xi1> -> tensor<16x16xi1>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>

  %chosen_row = tt.expand_dims %chosen {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %any_column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %line0 = arith.muli %chosen_row, %line : tensor<16x1xi32>
  %rows0 = tt.broadcast %line0 : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns0 = tt.broadcast %any_column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset0 = arith.addi %rows0, %columns0 : tensor<16x16xi32>
  %p0 = tt.addptr %base, %offset0 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  // expected-remark @below {{a block of %arg0, [0 + rows %5 under 0 masks by 32], [0 of %arg2 by 1]}}
  %x = tt.load %p0, %mask : tensor<16x16x!tt.ptr<f32>>

  %any_row = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %chosen_column = tt.expand_dims %chosen {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %line1 = arith.muli %any_row, %line : tensor<16x1xi32>
  %rows1 = tt.broadcast %line1 : tensor<16x1xi32> -> tensor<16x16xi32>
  %columns1 = tt.broadcast %chosen_column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset1 = arith.addi %rows1, %columns1 : tensor<16x16xi32>
  %p1 = tt.addptr %base, %offset1 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  // expected-remark @below {{a block of %arg0 + %arg1, [0 of at least 16 by 32], [0 of %arg2 by 1]}}
  %y = tt.load %p1, %mask : tensor<16x16x!tt.ptr<f32>>
  %z = arith.addf %x, %y : tensor<16x16xf32>
  %d = tt.dot %z, %w, %acc, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

}

// -----

// Each word of a row holds eight elements. Row i is masked by its first element,
// `k + 8 * i < K`, and the kernel divides `k` for the address. In all iterations
// the block is a part of one tensor, which has K / 8 rows, rounded up.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @words(%words: !tt.ptr<i32> {tt.divisibility = 64 : i32}, %a: tensor<16x4xf32>, %n: i32 {tt.divisibility = 16 : i32}, %end: i32, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %eight = arith.constant dense<8> : tensor<4xi32>
  %four = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %steps = arith.muli %four, %eight : tensor<4xi32>
  %rest = arith.divsi %steps, %eight : tensor<4xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<4x16xi32>
  %base = tt.splat %words : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
  %pitch = tt.splat %n : i32 -> tensor<4x1xi32>
  %ends = tt.splat %end : i32 -> tensor<4xi32>
  %sum = scf.for %k = %c0 to %end step %c32 iter_args(%carried = %acc) -> tensor<16x16xf32> : i32 {
    %first = tt.splat %k : i32 -> tensor<4xi32>
    %element = arith.addi %first, %steps : tensor<4xi32>
    %inside = arith.cmpi slt, %element, %ends : tensor<4xi32>
    %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %mask = tt.broadcast %inside2 : tensor<4x1xi1> -> tensor<4x16xi1>
    %quotient = arith.divsi %k, %c8 : i32
    %quotients = tt.splat %quotient : i32 -> tensor<4xi32>
    %row = arith.addi %quotients, %rest : tensor<4xi32>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %line = arith.muli %row2, %pitch : tensor<4x1xi32>
    %lines = tt.broadcast %line : tensor<4x1xi32> -> tensor<4x16xi32>
    %offset = arith.addi %lines, %columns : tensor<4x16xi32>
    %p = tt.addptr %base, %offset : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
    // expected-remark @below {{a block of %arg0, [%15 of ((7 + %arg3) / (8)) by %arg2], [0 of at least 16 by 1]}}
    %word = tt.load %p, %mask, %zero : tensor<4x16x!tt.ptr<i32>>
    %b = arith.sitofp %word : tensor<4x16xi32> to tensor<4x16xf32>
    %d = tt.dot %a, %b, %carried, inputPrecision = tf32 : tensor<16x4xf32> * tensor<4x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tt.return %sum : tensor<16x16xf32>
}
}

// -----

// The loop carries pointers to the same rows, advances them by four rows, and
// compares with what is left along K. The steps are rows of the same tensor.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @carried_words(%words: !tt.ptr<i32> {tt.divisibility = 64 : i32}, %a: tensor<16x4xf32>, %n: i32 {tt.divisibility = 16 : i32}, %end: i32, %trips: i32, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %eight = arith.constant dense<8> : tensor<4xi32>
  %four = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %steps = arith.muli %four, %eight : tensor<4xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<4x16xi32>
  %base = tt.splat %words : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
  %pitch = tt.splat %n : i32 -> tensor<4x1xi32>
  %row = tt.expand_dims %four {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %line = arith.muli %row, %pitch : tensor<4x1xi32>
  %lines = tt.broadcast %line : tensor<4x1xi32> -> tensor<4x16xi32>
  %offset = arith.addi %lines, %columns : tensor<4x16xi32>
  %start = tt.addptr %base, %offset : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
  %stride = arith.muli %n, %c4 : i32
  %strides = tt.splat %stride : i32 -> tensor<4x16xi32>
  %sum:2 = scf.for %k = %c0 to %trips step %c1 iter_args(%carried = %acc, %p = %start) -> (tensor<16x16xf32>, tensor<4x16x!tt.ptr<i32>>) : i32 {
    %done = arith.muli %k, %c32 : i32
    %left = arith.subi %end, %done : i32
    %lefts = tt.splat %left : i32 -> tensor<4xi32>
    %inside = arith.cmpi slt, %steps, %lefts : tensor<4xi32>
    %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
    %mask = tt.broadcast %inside2 : tensor<4x1xi1> -> tensor<4x16xi1>
    // expected-remark @below {{a block of %arg0, [4 * %arg6 of ((7 + %arg3) / (8)) by %arg2], [0 of at least 16 by 1]}}
    %word = tt.load %p, %mask, %zero : tensor<4x16x!tt.ptr<i32>>
    %b = arith.sitofp %word : tensor<4x16xi32> to tensor<4x16xf32>
    %d = tt.dot %a, %b, %carried, inputPrecision = tf32 : tensor<16x4xf32> * tensor<4x16xf32> -> tensor<16x16xf32>
    %next = tt.addptr %p, %strides : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
    scf.yield %d, %next : tensor<16x16xf32>, tensor<4x16x!tt.ptr<i32>>
  }
  tt.return %sum#0 : tensor<16x16xf32>
}
}

// -----

// The bound may be negative: its quotient, which is rounded toward zero, is not
// above zero then, and no row is below it.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @unknown_sign(%words: !tt.ptr<i32> {tt.divisibility = 64 : i32}, %a: tensor<16x4xf32>, %n: i32 {tt.divisibility = 16 : i32}, %end: i32, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0> : tensor<4x16xi32>
  %eight = arith.constant dense<8> : tensor<4xi32>
  %four = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %steps = arith.muli %four, %eight : tensor<4xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<4x16xi32>
  %base = tt.splat %words : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
  %pitch = tt.splat %n : i32 -> tensor<4x1xi32>
  %row = tt.expand_dims %four {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %line = arith.muli %row, %pitch : tensor<4x1xi32>
  %lines = tt.broadcast %line : tensor<4x1xi32> -> tensor<4x16xi32>
  %offset = arith.addi %lines, %columns : tensor<4x16xi32>
  %p = tt.addptr %base, %offset : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
  %ends = tt.splat %end : i32 -> tensor<4xi32>
  %inside = arith.cmpi slt, %steps, %ends : tensor<4xi32>
  %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<4xi1> -> tensor<4x1xi1>
  %mask = tt.broadcast %inside2 : tensor<4x1xi1> -> tensor<4x16xi1>
  // expected-remark @below {{a block of %arg0, [0 of ((7 + %arg3) / (8)) by %arg2], [0 of at least 16 by 1]}}
  %word = tt.load %p, %mask, %zero : tensor<4x16x!tt.ptr<i32>>
  %b = arith.sitofp %word : tensor<4x16xi32> to tensor<4x16xf32>
  %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x4xf32> * tensor<4x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}

// -----

// Negative: a quotient that is rounded is no coordinate, because elements have
// one in common.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @rounded(%words: !tt.ptr<i32> {tt.divisibility = 64 : i32}, %a: tensor<16x4xf32>, %n: i32 {tt.divisibility = 16 : i32}, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %three = arith.constant dense<3> : tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %four = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %steps = arith.muli %four, %three : tensor<4xi32>
  %half = arith.divsi %steps, %two : tensor<4xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<4x16xi32>
  %base = tt.splat %words : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
  %pitch = tt.splat %n : i32 -> tensor<4x1xi32>
  %row = tt.expand_dims %half {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %line = arith.muli %row, %pitch : tensor<4x1xi32>
  %lines = tt.broadcast %line : tensor<4x1xi32> -> tensor<4x16xi32>
  %offset = arith.addi %lines, %columns : tensor<4x16xi32>
  %p = tt.addptr %base, %offset : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
  %word = tt.load %p : tensor<4x16x!tt.ptr<i32>>
  %b = arith.sitofp %word : tensor<4x16xi32> to tensor<4x16xf32>
  %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x4xf32> * tensor<4x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}

// -----

// Negative: a dividend is no part of an address, so that `8 * (first + i)` may
// have wrapped around, and the quotient is another number then.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @may_wrap(%words: !tt.ptr<i32> {tt.divisibility = 64 : i32}, %a: tensor<16x4xf32>, %n: i32 {tt.divisibility = 16 : i32}, %first: i32, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %eight = arith.constant dense<8> : tensor<4xi32>
  %four = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %firsts = tt.splat %first : i32 -> tensor<4xi32>
  %sum = arith.addi %firsts, %four : tensor<4xi32>
  %steps = arith.muli %sum, %eight : tensor<4xi32>
  %quotient = arith.divsi %steps, %eight : tensor<4xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<4x16xi32>
  %base = tt.splat %words : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>>
  %pitch = tt.splat %n : i32 -> tensor<4x1xi32>
  %row = tt.expand_dims %quotient {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %line = arith.muli %row, %pitch : tensor<4x1xi32>
  %lines = tt.broadcast %line : tensor<4x1xi32> -> tensor<4x16xi32>
  %offset = arith.addi %lines, %columns : tensor<4x16xi32>
  %p = tt.addptr %base, %offset : tensor<4x16x!tt.ptr<i32>>, tensor<4x16xi32>
  %word = tt.load %p : tensor<4x16x!tt.ptr<i32>>
  %b = arith.sitofp %word : tensor<4x16xi32> to tensor<4x16xf32>
  %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x4xf32> * tensor<4x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}

// -----

// A sequence begins at a loaded number, of which nothing is known, and its rows are masked by `k + i < T`. The base moves
// by the number, and the block by the steps of the loop, so that base and extent are the same in all iterations. A
// number that the mask does not count is no offset.
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @sequence(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %starts: !tt.ptr<i32>, %n: i32 {tt.divisibility = 16 : i32}, %a: tensor<16x16xf16>, %init: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %begin = tt.load %starts : !tt.ptr<i32>
  %q = tt.addptr %starts, %c1 : !tt.ptr<i32>, i32
  %length = tt.load %q : !tt.ptr<i32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %columns = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %pitch = tt.splat %n : i32 -> tensor<16x1xi32>
  %begins = tt.splat %begin : i32 -> tensor<16xi32>
  %first = arith.addi %begins, %range : tensor<16xi32>
  %row = tt.expand_dims %first {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %line = arith.muli %row, %pitch : tensor<16x1xi32>
  %lines = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %offset = arith.addi %lines, %columns : tensor<16x16xi32>
  %pointers = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %lengths = tt.splat %length : i32 -> tensor<16xi32>
  %sum = scf.for %k = %c0 to %length step %c16 iter_args(%acc = %init) -> (tensor<16x16xf32>) : i32 {
    %ks = tt.splat %k : i32 -> tensor<16xi32>
    %place = arith.addi %ks, %range : tensor<16xi32>
    %inside = arith.cmpi slt, %place, %lengths : tensor<16xi32>
    %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
    %step = arith.muli %k, %n : i32
    %steps = tt.splat %step : i32 -> tensor<16x16xi32>
    %at = tt.addptr %pointers, %steps : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    // expected-remark @below {{a block of %arg0 + %0 * %arg2, [%arg5 of %2 by %arg2], [0 of at least 16 by 1]}}
    %b = tt.load %at, %mask, %zero : tensor<16x16x!tt.ptr<f16>>
    %d = tt.dot %a, %b, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tt.return %sum : tensor<16x16xf32>
}
}
