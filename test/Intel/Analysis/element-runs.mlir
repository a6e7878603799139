// RUN: triton-xe-opt %s -split-input-file -test-print-element-runs -verify-diagnostics=only-expected -o /dev/null

// A range is contiguous as a whole. A sum with an unknown number may wrap around,
// but not within a group that begins at a multiple of its size.
tt.func public @ranges(%n: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [64], aligned = [64], constancy = [1]}}
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], aligned = [4], constancy = [1]}}
  %r12 = tt.make_range {end = 76 : i32, start = 12 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [64]}}
  %s = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [16], aligned = [16], constancy = [1]}}
  %sum = arith.addi %r, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], aligned = [16], constancy = [1]}}
  %difference = arith.subi %r, %s : tensor<64xi32>
  // The other way round it counts down.
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %down = arith.subi %s, %r : tensor<64xi32>
  tt.return
}

// -----

// Products of what is constant are constant; 1 changes nothing, and 0 leaves
// nothing.
tt.func public @products(%n: i32 {tt.divisibility = 16 : i32}) {
  %one = arith.constant dense<1> : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [64], aligned = [64], constancy = [1]}}
  %same = arith.muli %r, %one : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [64]}}
  %nothing = arith.muli %s, %zero : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %rows = arith.muli %r, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [64]}}
  %square = arith.muli %s, %s : tensor<64xi32>
  %five = arith.constant dense<5> : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [64]}}
  %shifted = arith.shli %s, %five : tensor<64xi32>
  tt.return
}

// -----

// Division and remainder by a multiple of the alignment keep to aligned groups.
// An unknown sign matters to signed division, which rounds to 0: only what is
// not negative is known to behave.
tt.func public @division(%n: i32 {tt.divisibility = 16 : i32}) {
  %c4 = arith.constant dense<4> : tensor<64xi32>
  %c8 = arith.constant dense<8> : tensor<64xi32>
  %c16 = arith.constant dense<16> : tensor<64xi32>
  %c48 = arith.constant dense<48> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %quotient = arith.divsi %r, %c16 : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], aligned = [16], constancy = [1]}}
  %remainder = arith.remsi %r, %c48 : tensor<64xi32>
  %unknown = arith.addi %r, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %signedQuotient = arith.divsi %unknown, %c16 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %unsignedQuotient = arith.divui %unknown, %c16 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %signedRemainder = arith.remsi %unknown, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %shifted = arith.shrsi %unknown, %c4 : tensor<64xi32>
  // Exact: a multiple of 16 is divided.
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [64]}}
  %exact = arith.divsi %s, %c8 : tensor<64xi32>
  tt.return
}

// -----

// The index of a GEMM may have wrapped around, so that its sign is unknown: the
// remainder of a negative number counts in other groups. A mask that compares
// it with a multiple of 16 has groups of 16.
tt.func public @wrapped_index(%m: i32 {tt.divisibility = 16 : i32}) {
  %c128 = arith.constant 128 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c128 : i32
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %s = tt.splat %start : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [128], aligned = [128], constancy = [1]}}
  %offsets = arith.addi %s, %r : tensor<128xi32>
  %size = tt.splat %m : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %wrapped = arith.remsi %offsets, %size : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %mask = arith.cmpi slt, %offsets, %size : tensor<128xi32>
  // The first of a group may be equal alone.
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %maskLe = arith.cmpi sle, %offsets, %size : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %maskGt = arith.cmpi sgt, %size, %offsets : tensor<128xi32>
  // Each element may be from either.
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %chosen = arith.select %mask, %offsets, %wrapped : tensor<128xi1>, tensor<128xi32>
  tt.return
}

// -----

// Low bits, high bits and disjoint bits of an aligned group; an inverted bit
// ends it.
tt.func public @bits() {
  %low = arith.constant dense<15> : tensor<64xi32>
  %high = arith.constant dense<-16> : tensor<64xi32>
  %offset = arith.constant dense<256> : tensor<64xi32>
  %odd = arith.constant dense<1> : tensor<64xi32>
  %c24 = arith.constant dense<24> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], aligned = [16], constancy = [1]}}
  %lowBits = arith.andi %r, %low : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %highBits = arith.andi %r, %high : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], aligned = [64], constancy = [1]}}
  %disjoint = arith.ori %r, %offset : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %flipped = arith.xori %r, %odd : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], aligned = [64], constancy = [1]}}
  %smaller = arith.minsi %r, %offset : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [64]}}
  %larger = arith.maxsi %r, %offset : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %either = arith.maxsi %highBits, %c24 : tensor<64xi32>
  tt.return
}
