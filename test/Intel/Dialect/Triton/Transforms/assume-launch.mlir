// RUN: triton-xe-opt %s -split-input-file -triton-intel-assume-launch | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -triton-intel-assume-launch -remarks-filter-passed=triton-intel-assume-launch -remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK --allow-empty

// Groups of 4 rows of tiles: the number of a column is not negative if there
// are no more programs than tiles. That of a group follows from the numbers of
// tiles, and values that cannot be negative need no assumption. Sums that are
// divided have to fit 32 bits.
//
// CHECK-DAG: #[[GROUPED:.*]] = affine_set<(d0, d1, d2)[s0, s1] : (-s1 + 2147483584 >= 0, s1 - 1 >= 0, -s0 + 2147483584 >= 0, s0 >= 0, -d0 + ((s1 + 63) floordiv 64) * ((s0 + 63) floordiv 64) >= 0)>
// CHECK-LABEL: tt.func public @grouped
// CHECK-NEXT: ttig.launch_condition #[[GROUPED]][%{{.*}}]
// CHECK: arith.minsi
// CHECK: %[[COLUMN:.*]] = arith.divsi %{{.*}}, %[[ROWS:.*]] :
// CHECK: %[[HOLDS:.*]] = arith.cmpi sge, %[[COLUMN]], %{{.*}}
// CHECK-NEXT: llvm.intr.assume %[[HOLDS]]
// CHECK: arith.divsi %{{.*}}, %c2_i32
// CHECK-NOT: llvm.intr.assume
// CHECK: tt.dot
// REMARK: remark: {{.*}}no position is negative in launches where #1 is from 1 to 2147483584, #0 is from 0 to 2147483584, ((#1 + 63) floordiv 64) * ((#0 + 63) floordiv 64) >= num_programs(0)"
module {
tt.func public @grouped(%m: i32, %n: i32, %out: !tt.ptr<i32>) {
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c63 = arith.constant 63 : i32
  %c64_i32 = arith.constant 64 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %m0 = arith.addi %m, %c63 : i32
  %tiles_m = arith.divsi %m0, %c64_i32 : i32
  %n0 = arith.addi %n, %c63 : i32
  %tiles_n = arith.divsi %n0, %c64_i32 : i32
  %width = arith.muli %tiles_n, %c4 : i32
  %group = arith.divsi %p, %width : i32
  %first = arith.muli %group, %c4 : i32
  %left = arith.subi %tiles_m, %first : i32
  %rows = arith.minsi %left, %c4 : i32
  %inside = arith.remsi %p, %width : i32
  %down = arith.remsi %inside, %rows : i32
  %row = arith.addi %first, %down : i32
  %column = arith.divsi %inside, %rows : i32
  %half = arith.divsi %p, %c2 : i32
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %sum = arith.addi %row, %column : i32
  %sum2 = arith.addi %sum, %half : i32
  %sum2_at = tt.addptr %out, %sum2 : !tt.ptr<i32>, i32
  tt.store %sum2_at, %sum2 : !tt.ptr<i32>
  tt.return
}
}

// -----

// The loop ends where the tiles do: the grid does not matter. So does the
// remainder of a program's number by the number of tiles.
//
// CHECK: #[[SIGNS:.*]] = affine_set<()[s0, s1] : (-(s0 * s1) + 2147483647 >= 0, s1 * -4 + 2147483647 >= 0, s0 - 1 >= 0, s1 - 1 >= 0)>
// REMARK: no position is negative in launches where #1 is from 1 to 2^29 - 1, #0 is at least 1, #0 * #1 <= 2^31 - 1"
// CHECK-LABEL: tt.func public @loop
// CHECK-NEXT: ttig.launch_condition #[[SIGNS]][%{{.*}}]
// CHECK: scf.for
// CHECK: %[[ROWS:.*]] = arith.minsi
// CHECK: %[[COLUMN:.*]] = arith.divsi %{{.*}}, %[[ROWS]] :
// CHECK: %[[HOLDS:.*]] = arith.cmpi sge, %[[COLUMN]], %{{.*}}
// CHECK-NEXT: llvm.intr.assume %[[HOLDS]]
// CHECK: }
// CHECK: arith.remsi
// CHECK: %[[ROWS:.*]] = arith.minsi
// CHECK: %[[COLUMN:.*]] = arith.divsi %{{.*}}, %[[ROWS]] :
// CHECK: %[[HOLDS:.*]] = arith.cmpi sge, %[[COLUMN]], %{{.*}}
// CHECK-NEXT: llvm.intr.assume %[[HOLDS]]
module {
tt.func public @loop(%m: i32, %n: i32, %out: !tt.ptr<i32>) {
  %c4 = arith.constant 4 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %tiles = arith.muli %m, %n : i32
  %width = arith.muli %n, %c4 : i32
  scf.for %tile = %p to %tiles step %programs : i32 {
    %group = arith.divsi %tile, %width : i32
    %first = arith.muli %group, %c4 : i32
    %left = arith.subi %m, %first : i32
    %rows = arith.minsi %left, %c4 : i32
    %inside = arith.remsi %tile, %width : i32
    %column = arith.divsi %inside, %rows : i32
    %column_at = tt.addptr %out, %column : !tt.ptr<i32>, i32
    tt.store %column_at, %column : !tt.ptr<i32>
  }
  %rest = arith.remsi %p, %tiles : i32
  %group = arith.divsi %rest, %width : i32
  %first = arith.muli %group, %c4 : i32
  %left = arith.subi %m, %first : i32
  %rows = arith.minsi %left, %c4 : i32
  %column = arith.divsi %rest, %rows : i32
  %column_at = tt.addptr %out, %column : !tt.ptr<i32>, i32
  tt.store %column_at, %column : !tt.ptr<i32>
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}
}

// -----

// Numbers built from digits: programs of a grid of two dimensions, of which the
// last one has a tile, and every other program.
//
// CHECK: #[[DIGITS:.*]] = affine_set<(d0, d1, d2)[s0, s1] : ({{.*}}s1 - 1 >= 0, s0 >= 0, -(d0 * s1) + s0 * s1 + s1 - d1 >= 0, -d2 + (s0 * s1) * 2 >= 0)>
// CHECK-LABEL: tt.func public @digits
// CHECK-NEXT: ttig.launch_condition #[[DIGITS]][%{{.*}}]
// CHECK-COUNT-2: llvm.intr.assume
// REMARK: no position is negative in launches where #1 is from 1 to 2^29 - 1, #0 is at least 0, #1 + 2147483648 >= num_programs(0) * #1 + num_programs(1), #0 * #1 + #1 >= num_programs(0) * #1 + num_programs(1), (#0 * #1) * 2 >= num_programs(2)"
module {
tt.func public @digits(%m: i32, %n: i32, %out: !tt.ptr<i32>) {
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %width = arith.muli %n, %c4 : i32
  %line = arith.muli %x, %n : i32
  %tile = arith.addi %line, %y : i32
  %group = arith.divsi %tile, %width : i32
  %first = arith.muli %group, %c4 : i32
  %left = arith.subi %m, %first : i32
  %column = arith.divsi %y, %left : i32
  %column_at = tt.addptr %out, %column : !tt.ptr<i32>, i32
  tt.store %column_at, %column : !tt.ptr<i32>
  %half = arith.divsi %z, %c2 : i32
  %group2 = arith.divsi %half, %width : i32
  %first2 = arith.muli %group2, %c4 : i32
  %left2 = arith.subi %m, %first2 : i32
  %column2 = arith.divsi %half, %left2 : i32
  %column2_at = tt.addptr %out, %column2 : !tt.ptr<i32>, i32
  tt.store %column2_at, %column2 : !tt.ptr<i32>
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}
}

// -----

// Split-K: the loop begins at a multiple of an argument.
//
// CHECK: #[[STRETCH:.*]] = affine_set<()[s0] : (s0 >= 0)>
// CHECK-LABEL: tt.func public @split
// CHECK-NEXT: ttig.launch_condition #[[STRETCH]][%{{.*}}]
// CHECK: %[[FIRST:.*]] = arith.muli
// CHECK-NEXT: arith.constant 0
// CHECK-NEXT: %[[HOLDS:.*]] = arith.cmpi sge, %[[FIRST]]
// CHECK-NEXT: llvm.intr.assume %[[HOLDS]]
// CHECK: scf.for
// REMARK: no position is negative in launches where #1 is at least 0"
module {
tt.func public @split(%k: i32, %stretch: i32, %out: !tt.ptr<i32>) {
  %c32 = arith.constant 32 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %first = arith.muli %p, %stretch : i32
  %r = scf.for %i = %first to %k step %c32 iter_args(%acc = %c) -> tensor<16x16xf32> : i32 {
    %block = tt.addptr %out, %i : !tt.ptr<i32>, i32
    %d = tt.dot %a, %a, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  // A loop without a dot has no block to gain.
  // CHECK: scf.yield
  // CHECK-NOT: llvm.intr.assume
  // CHECK: tt.return
  %other = arith.muli %p, %k : i32
  scf.for %i = %other to %k step %c32 : i32 {
    %i_at = tt.addptr %out, %i : !tt.ptr<i32>, i32
    tt.store %i_at, %i : !tt.ptr<i32>
  }
  tt.return
}
}

// -----

// Stream-K: a program goes on where the last tile ended, at most at its own
// end, of which the loop has just compared that it lies after the beginning.
//
// CHECK: #[[SHARED:.*]] = affine_set<(d0, d1, d2)[s0, s1] : (s1 >= 0, -(d0 * s1) + 2147483647 >= 0, s0 - 1 >= 0)>
// CHECK-LABEL: tt.func public @shared
// CHECK-NEXT: ttig.launch_condition #[[SHARED]][%{{.*}}]
// CHECK: scf.while
// CHECK: %[[FIRST:.*]] = arith.remsi
// CHECK: arith.cmpi sge, %[[FIRST]]
// CHECK-NEXT: llvm.intr.assume
// CHECK: scf.for
// REMARK: no position is negative in launches where #1 is at least 0, #0 is at least 1, num_programs(0) * #1 <= 2^31 - 1"
module {
tt.func public @shared(%tile_steps: i32, %steps: i32, %out: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %begin = arith.muli %p, %steps : i32
  %end = arith.addi %begin, %steps : i32
  %last = scf.while (%step = %begin) : (i32) -> i32 {
    %goes_on = arith.cmpi slt, %step, %end : i32
    scf.condition(%goes_on) %step : i32
  } do {
  ^bb0(%step: i32):
    %first = arith.remsi %step, %tile_steps : i32
    %sum = arith.addi %first, %end : i32
    %left = arith.subi %sum, %step : i32
    %limit = arith.minsi %tile_steps, %left : i32
    %r = scf.for %i = %first to %limit step %c1 iter_args(%acc = %c) -> tensor<16x16xf32> : i32 {
      %block = tt.addptr %out, %i : !tt.ptr<i32>, i32
      %d = tt.dot %a, %a, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    %done = arith.subi %limit, %first : i32
    %next = arith.addi %step, %done : i32
    scf.yield %next : i32
  }
  tt.return
}
}

// -----

// Sizes are constants: only the grid depends on the launch, and no argument
// takes part.
//
// CHECK: #[[GRID:.*]] = affine_set<(d0, d1, d2) : (-d0 + 4096 >= 0)>
// CHECK-LABEL: tt.func public @constant_sizes
// CHECK-NEXT: ttig.launch_condition #[[GRID]][]{{$}}
// CHECK: llvm.intr.assume
// REMARK: no position is negative in launches where num_programs(0) is at most 4096"
module {
tt.func public @constant_sizes(%out: !tt.ptr<i32>) {
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %group = arith.divsi %p, %c256 : i32
  %first = arith.muli %group, %c4 : i32
  %left = arith.subi %c64, %first : i32
  %rows = arith.minsi %left, %c4 : i32
  %inside = arith.remsi %p, %c256 : i32
  %column = arith.divsi %inside, %rows : i32
  %column_at = tt.addptr %out, %column : !tt.ptr<i32>, i32
  tt.store %column_at, %column : !tt.ptr<i32>
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}
}

// -----

// The width of a group is no multiple of its rows: rows are left in all groups
// if they are in the last one.
//
// CHECK: #[[OTHER:.*]] = affine_set<(d0, d1, d2)[s0] : (s0 >= 0, ((d0 + 11) floordiv 12) * -5 + s0 + 4 >= 0)>
// CHECK-LABEL: tt.func public @other_groups
// CHECK-NEXT: ttig.launch_condition #[[OTHER]][%{{.*}}]
// CHECK: llvm.intr.assume
// REMARK: no position is negative in launches where #0 is at least 0, #0 + 4 >= ((num_programs(0) + 11) floordiv 12) * 5"
module {
tt.func public @other_groups(%m: i32, %out: !tt.ptr<i32>) {
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %five = arith.constant 5 : i32
  %width = arith.constant 12 : i32
  %x = tt.get_program_id x : i32
  %group = arith.divsi %x, %width : i32
  %first = arith.muli %group, %five : i32
  %left = arith.subi %m, %first : i32
  %column = arith.divsi %x, %left : i32
  %column_at = tt.addptr %out, %column : !tt.ptr<i32>, i32
  tt.store %column_at, %column : !tt.ptr<i32>
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}
}

// -----

// A kernel without dots divides the indices of its elements: the first index of
// a program has to fit 32 bits, and the size that it is divided by has a sign.
// The pass assumes nothing if the result is data.
//
// CHECK: #[[FITS:.*]] = affine_set<(d0, d1, d2)[s0] : ({{.*}}d0 * -1024 + 2147484671 >= 0{{.*}})>
// REMARK: no position is negative in launches where {{.*}}num_programs(0) is at most 2^21
// CHECK-LABEL: tt.func public @indices
// CHECK-NEXT: ttig.launch_condition #[[FITS]][%{{.*}}]
// CHECK: %[[FIRST:.*]] = arith.muli
// CHECK: %[[HOLDS:.*]] = arith.cmpi sge, %[[FIRST]], %{{.*}}
// CHECK-NEXT: llvm.intr.assume %[[HOLDS]]
// CHECK: arith.remsi
module {
tt.func public @indices(%p: !tt.ptr<f32>, %n: i32) {
  %c1024 = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c1024 : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %firsts = tt.splat %first : i32 -> tensor<1024xi32>
  %indices = arith.addi %firsts, %range : tensor<1024xi32>
  %sizes = tt.splat %n : i32 -> tensor<1024xi32>
  %columns = arith.remsi %indices, %sizes : tensor<1024xi32>
  %bases = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %pointers = tt.addptr %bases, %columns : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %pointers : tensor<1024x!tt.ptr<f32>>
  tt.return
}
}

// -----

// CHECK-LABEL: tt.func public @digits
// CHECK-NOT: ttig.launch_condition
// CHECK-NOT: llvm.intr.assume
// CHECK: tt.return
module {
tt.func public @digits(%p: !tt.ptr<i32>) {
  %c1024 = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c1024 : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %firsts = tt.splat %first : i32 -> tensor<1024xi32>
  %indices = arith.addi %firsts, %range : tensor<1024xi32>
  %by = arith.constant dense<7> : tensor<1024xi32>
  %digits = arith.remsi %indices, %by : tensor<1024xi32>
  %bases = tt.splat %p : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
  %pointers = tt.addptr %bases, %range : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
  tt.store %pointers, %digits : tensor<1024x!tt.ptr<i32>>
  tt.return
}
}

// -----

// Programs are numbered along two dimensions of the grid: whether the numbers of
// their rows fit depends on the product of two extents, which no affine set has.
//
// CHECK-LABEL: tt.func public @two_extents
// CHECK-NOT: ttig.launch_condition
// CHECK-NOT: llvm.intr.assume
// CHECK: tt.return
module {
tt.func public @two_extents(%p: !tt.ptr<f32>) {
  %c16 = arith.constant 16 : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %count = tt.get_num_programs y : i32
  %before = arith.muli %z, %count : i32
  %number = arith.addi %y, %before : i32
  %first = arith.muli %number, %c16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %firsts = tt.splat %first : i32 -> tensor<16xi32>
  %rows = arith.addi %firsts, %range : tensor<16xi32>
  %by = arith.constant dense<32> : tensor<16xi32>
  %low = arith.remsi %rows, %by : tensor<16xi32>
  %bases = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %pointers = tt.addptr %bases, %low : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %pointers : tensor<16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Nothing is assumed where the launch does not know: a loop that ends with
// another number than that of tiles, sizes in memory.
//
// CHECK-LABEL: tt.func public @unknown
// CHECK-NOT: ttig.launch_condition
// CHECK-NOT: llvm.intr.assume
// CHECK: tt.return
// REMARK-NOT: remark
module {
tt.func public @unknown(%m: i32, %n: i32, %other: i32, %out: !tt.ptr<i32>) {
  %c4 = arith.constant 4 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %loaded = tt.load %out : !tt.ptr<i32>
  %width = arith.constant 12 : i32
  %x = tt.get_program_id x : i32
  // The loop ends with another number than that of tiles.
  scf.for %tile = %zero to %other step %one : i32 {
    %group = arith.divsi %tile, %width : i32
    %first = arith.muli %group, %c4 : i32
    %left = arith.subi %m, %first : i32
    %rows = arith.minsi %left, %c4 : i32
    %column = arith.divsi %tile, %rows : i32
    %column_at = tt.addptr %out, %column : !tt.ptr<i32>, i32
    tt.store %column_at, %column : !tt.ptr<i32>
  }
  // Memory holds the divisor.
  %quotient = arith.divsi %x, %loaded : i32
  %quotient_at = tt.addptr %out, %quotient : !tt.ptr<i32>, i32
  tt.store %quotient_at, %quotient : !tt.ptr<i32>
  // Vectors are none of our business.
  %v = tt.splat %loaded : i32 -> tensor<16xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %q = arith.divsi %r, %v : tensor<16xi32>
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}
}

// -----

// Without a dot there is no block of a tensor to gain.
//
// CHECK-LABEL: tt.func public @no_dot
// CHECK-NOT: ttig.launch_condition
// CHECK-NOT: llvm.intr.assume
// CHECK: tt.return
module {
tt.func public @no_dot(%n: i32, %out: !tt.ptr<i32>) {
  %p = tt.get_program_id x : i32
  %q = arith.divsi %p, %n : i32
  %q_at = tt.addptr %out, %q : !tt.ptr<i32>, i32
  tt.store %q_at, %q : !tt.ptr<i32>
  tt.return
}
}

// -----

// The loop has compared something else, so that nothing is known of where the
// next tile begins; nor is anything of an order of unsigned numbers.
//
// CHECK-LABEL: tt.func public @not_compared
// CHECK-NOT: ttig.launch_condition
// CHECK-NOT: llvm.intr.assume
// CHECK: tt.return
module {
tt.func public @not_compared(%tile_steps: i32, %steps: i32, %out: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %end = arith.addi %p, %steps : i32
  %last = scf.while (%step = %p) : (i32) -> i32 {
    %goes_on = arith.cmpi ult, %step, %end : i32
    scf.condition(%goes_on) %step : i32
  } do {
  ^bb0(%step: i32):
    %r = scf.for %i = %step to %tile_steps step %c1 iter_args(%acc = %c) -> tensor<16x16xf32> : i32 {
      %block = tt.addptr %out, %i : !tt.ptr<i32>, i32
      %d = tt.dot %a, %a, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    // As long as nothing is known of the step, it may be more than the end.
    %next = arith.subi %end, %step : i32
    scf.yield %next : i32
  }
  tt.return
}
}

// -----

// A function that one of two kernels may have called: it is unknown whose grid
// it is.
//
// CHECK-LABEL: tt.func public @one_kernel
// CHECK-NOT: ttig.launch_condition
// CHECK-NOT: llvm.intr.assume
module {
tt.func public @one_kernel(%out: !tt.ptr<i32>) {
  tt.call @tile(%out) : (!tt.ptr<i32>) -> ()
  tt.return
}
tt.func public @other_kernel(%out: !tt.ptr<i32>) {
  tt.call @tile(%out) : (!tt.ptr<i32>) -> ()
  tt.return
}
tt.func private @tile(%out: !tt.ptr<i32>) attributes {noinline = true} {
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %c256 = arith.constant 256 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %group = arith.divsi %p, %c256 : i32
  %first = arith.muli %group, %c4 : i32
  %left = arith.subi %c64, %first : i32
  %rows = arith.minsi %left, %c4 : i32
  %inside = arith.remsi %p, %c256 : i32
  %column = arith.divsi %inside, %rows : i32
  %column_at = tt.addptr %out, %column : !tt.ptr<i32>, i32
  tt.store %column_at, %column : !tt.ptr<i32>
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}
}

// -----

// Data may wrap around: the kernel multiplies the number of a program by 2^28,
// and what it stores is right for any of them.
//
// CHECK-LABEL: tt.func public @data
// CHECK-NOT: ttig.launch_condition
// CHECK-NOT: llvm.intr.assume
module {
tt.func public @data(%n: i32, %out: !tt.ptr<i32>) {
  %c16 = arith.constant 16 : i32
  %large = arith.constant 268435456 : i32
  %a = arith.constant dense<0.0> : tensor<16x16xf16>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %p = tt.get_program_id x : i32
  %wrapped = arith.muli %p, %large : i32
  %quotient = arith.divsi %wrapped, %c16 : i32
  tt.store %out, %quotient : !tt.ptr<i32>
  %d = tt.dot %a, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}
}
