// RUN: triton-xe-opt %s --triton-intel-simplify-comparisons | FileCheck %s

// A loop with constant bounds whose step divides them reads nothing past the
// end: the load no longer has a mask.
// CHECK-LABEL: @whole_steps
// CHECK-NOT: arith.cmpi
// CHECK: tt.load %{{[^,]*}} : tensor<128x!tt.ptr<f32>>
tt.func @whole_steps(%p: tensor<128x!tt.ptr<f32>>, %other: tensor<128xf32>) -> tensor<128xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %end = arith.constant 1024 : i32
  %ends = arith.constant dense<1024> : tensor<128xi32>
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %sum = scf.for %i = %zero to %end step %step iter_args(%s = %other) -> (tensor<128xf32>) : i32 {
    %start = tt.splat %i : i32 -> tensor<128xi32>
    %numbers = arith.addi %start, %range : tensor<128xi32>
    %mask = arith.cmpi slt, %numbers, %ends : tensor<128xi32>
    %x = tt.load %p, %mask, %other : tensor<128x!tt.ptr<f32>>
    %t = arith.addf %s, %x : tensor<128xf32>
    scf.yield %t : tensor<128xf32>
  }
  tt.return %sum : tensor<128xf32>
}

// Declined: the last of the steps goes beyond the end.
// CHECK-LABEL: @part_of_a_step
// CHECK: %[[MASK:.*]] = arith.cmpi slt
// CHECK: tt.load %{{.*}}, %[[MASK]]
tt.func @part_of_a_step(%p: tensor<128x!tt.ptr<f32>>, %other: tensor<128xf32>) -> tensor<128xf32> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %end = arith.constant 1000 : i32
  %ends = arith.constant dense<1000> : tensor<128xi32>
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %sum = scf.for %i = %zero to %end step %step iter_args(%s = %other) -> (tensor<128xf32>) : i32 {
    %start = tt.splat %i : i32 -> tensor<128xi32>
    %numbers = arith.addi %start, %range : tensor<128xi32>
    %mask = arith.cmpi slt, %numbers, %ends : tensor<128xi32>
    %x = tt.load %p, %mask, %other : tensor<128x!tt.ptr<f32>>
    %t = arith.addf %s, %x : tensor<128xf32>
    scf.yield %t : tensor<128xf32>
  }
  tt.return %sum : tensor<128xf32>
}

// The end is an argument that 16 divides: so it is with steps of 16, and not
// with steps of 32. The part that the mask shares with another one stays.
// CHECK-LABEL: @known_divisor
// CHECK-NOT: arith.andi
// CHECK: tt.load %{{[^,]*}}, %arg2, %{{.*}} : tensor<16x!tt.ptr<f32>>
// CHECK: arith.cmpi slt
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x!tt.ptr<i32>>
tt.func @known_divisor(%p: tensor<16x!tt.ptr<f32>>, %q: tensor<32x!tt.ptr<i32>>, %m: tensor<16xi1>, %n: i32 {tt.divisibility = 16 : i32}, %other: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %ends = tt.splat %n : i32 -> tensor<16xi32>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %sum = scf.for %i = %zero to %n step %c16 iter_args(%s = %other) -> (tensor<16xf32>) : i32 {
    %start = tt.splat %i : i32 -> tensor<16xi32>
    %numbers = arith.addi %start, %range : tensor<16xi32>
    %inside = arith.cmpi sgt, %ends, %numbers : tensor<16xi32>
    %mask = arith.andi %inside, %m : tensor<16xi1>
    %x = tt.load %p, %mask, %other : tensor<16x!tt.ptr<f32>>
    %t = arith.addf %s, %x : tensor<16xf32>
    scf.yield %t : tensor<16xf32>
  }
  %wide_ends = tt.splat %n : i32 -> tensor<32xi32>
  %wide_range = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  scf.for %i = %zero to %n step %c32 : i32 {
    %start = tt.splat %i : i32 -> tensor<32xi32>
    %numbers = arith.addi %start, %wide_range : tensor<32xi32>
    %inside = arith.cmpi slt, %numbers, %wide_ends : tensor<32xi32>
    tt.store %q, %numbers, %inside : tensor<32x!tt.ptr<i32>>
  }
  tt.return %sum : tensor<16xf32>
}

// Columns of a head, all of which the block has; a choice of what is never past
// the end.
// CHECK-LABEL: @columns
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.select
// CHECK: tt.return %arg0
tt.func @columns(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %c64 = arith.constant dense<64> : tensor<1x64xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %inside = arith.cmpi slt, %row, %c64 : tensor<1x64xi32>
  %all = tt.broadcast %inside : tensor<1x64xi1> -> tensor<4x64xi1>
  %chosen = arith.select %all, %x, %y : tensor<4x64xi1>, tensor<4x64xf32>
  tt.return %chosen : tensor<4x64xf32>
}

// Declined: numbers that may wrap (@wrapping), that a loop carries (@carried),
// or that are unsigned and may be negative (@unsigned).
// CHECK-LABEL: @wrapping
// CHECK: arith.cmpi
// CHECK-LABEL: @carried
// CHECK: arith.cmpi
// CHECK-LABEL: @unsigned
// CHECK: arith.cmpi
tt.func @wrapping() -> i1 {
  %c3 = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %pid = tt.get_program_id x : i32
  %place = arith.muli %pid, %c3 : i32
  %inside = arith.cmpi sge, %place, %zero : i32
  tt.return %inside : i1
}
tt.func @carried(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.for %i = %zero to %n step %one iter_args(%c = %zero) -> (i32) : i32 {
    %next = arith.addi %c, %one : i32
    scf.yield %next : i32
  }
  %inside = arith.cmpi sge, %last, %zero : i32
  tt.return %inside : i1
}
tt.func @unsigned(%n: i32) -> i1 {
  %pid = tt.get_program_id x : i32
  %minus = arith.constant -1 : i32
  %before = arith.addi %pid, %minus : i32
  %zero = arith.constant 0 : i32
  %inside = arith.cmpi uge, %before, %zero : i32
  tt.return %inside : i1
}

// Declined: the same numbers as rows and as columns, which are others.
// CHECK-LABEL: @triangle
// CHECK: arith.cmpi sge
tt.func @triangle(%n: i32) -> tensor<16x16xi1> {
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %start = tt.splat %n : i32 -> tensor<16xi32>
  %numbers = arith.addi %start, %range : tensor<16xi32>
  %column = tt.expand_dims %numbers {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = tt.expand_dims %numbers {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %columns = tt.broadcast %column : tensor<16x1xi32> -> tensor<16x16xi32>
  %rows = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
  %lower = arith.cmpi sge, %columns, %rows : tensor<16x16xi32>
  tt.return %lower : tensor<16x16xi1>
}

// A program's number is not negative.
// CHECK-LABEL: @program
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: tt.return %[[TRUE]]
tt.func @program() -> i1 {
  %zero = arith.constant 0 : i32
  %pid = tt.get_program_id x : i32
  %inside = arith.cmpi uge, %pid, %zero : i32
  tt.return %inside : i1
}

// An assumption stays, although it follows from itself; its fact is used
// elsewhere.
// CHECK-LABEL: @assumption
// CHECK: %[[HOLDS:.*]] = arith.cmpi sge
// CHECK: llvm.intr.assume %[[HOLDS]]
// CHECK: tt.return %true
tt.func @assumption(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %minus = arith.constant -1 : i32
  %holds = arith.cmpi sge, %n, %zero : i32
  llvm.intr.assume %holds : i1
  %inside = arith.cmpi sgt, %n, %minus : i32
  tt.return %inside : i1
}

// A branch runs where its condition holds.
// CHECK-LABEL: @guarded
// CHECK-NOT: arith.cmpi sle
// CHECK: tt.return
tt.func @guarded(%n: i32, %m: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %small = arith.cmpi slt, %n, %m : i32
  %result = scf.if %small -> i1 {
    %inside = arith.cmpi sle, %n, %m : i32
    scf.yield %inside : i1
  } else {
    scf.yield %true : i1
  }
  tt.return %result : i1
}

// A launch has less than 2^31 programs, so that the number of a program along two axes does not wrap around (@numbered);
// with a gap between rows of programs it may (@apart).
// CHECK-LABEL: @numbered
// CHECK: tt.return %true
// CHECK-LABEL: @apart
// CHECK: arith.cmpi
tt.func @numbered() -> i1 {
  %zero = arith.constant 0 : i32
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %columns = tt.get_num_programs x : i32
  %rows = arith.muli %y, %columns : i32
  %number = arith.addi %rows, %x : i32
  %inside = arith.cmpi sge, %number, %zero : i32
  tt.return %inside : i1
}
tt.func @apart() -> i1 {
  %zero = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %y = tt.get_program_id y : i32
  %columns = tt.get_num_programs x : i32
  %wide = arith.muli %columns, %c2 : i32
  %rows = arith.muli %y, %wide : i32
  %inside = arith.cmpi sge, %rows, %zero : i32
  tt.return %inside : i1
}

// The counter of a loop is not negative; an assumption about its quotient, which is read first, does not change that.
// CHECK-LABEL: @assumption_in_loop
// CHECK: arith.cmpi sge
// CHECK-NEXT: llvm.intr.assume
// CHECK-NOT: arith.cmpi
// CHECK: tt.return
tt.func @assumption_in_loop(%n: i32, %p: !tt.ptr<i1>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %quotient = arith.divsi %i, %n : i32
    %holds = arith.cmpi sge, %quotient, %zero : i32
    llvm.intr.assume %holds : i1
    %inside = arith.cmpi sge, %i, %zero : i32
    tt.store %p, %inside : !tt.ptr<i1>
  }
  tt.return
}

// Declined: integers of more than 64 bits.
// CHECK-LABEL: @wide
// CHECK: arith.cmpi
tt.func @wide(%x: tensor<16xi128>) -> tensor<16xi1> {
  %most = arith.constant dense<170141183460469231731687303715884105727> : tensor<16xi128>
  %inside = arith.cmpi sle, %x, %most : tensor<16xi128>
  tt.return %inside : tensor<16xi1>
}
