// RUN: triton-xe-opt %s -split-input-file -test-print-axis-info -verify-diagnostics=only-expected -o /dev/null

// A range is contiguous as a whole; a sum with something constant stays so, and
// its divisor is that of the first element of a group.
tt.func public @ranges(%n: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], constant_value = <none>}}
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [4], constancy = [1], constant_value = <none>}}
  %r12 = tt.make_range {end = 76 : i32, start = 12 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64], constant_value = <none>}}
  %s = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [16], constancy = [1], constant_value = <none>}}
  %sum = arith.addi %r, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [16], constancy = [1], constant_value = <none>}}
  %difference = arith.subi %r, %s : tensor<64xi32>
  // The other way round it counts down.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %down = arith.subi %s, %r : tensor<64xi32>
  tt.return
}

// -----

// Products multiply divisors, up to the largest one there is; 1 changes nothing.
tt.func public @products(%n: i32 {tt.divisibility = 16 : i32}) {
  %one = arith.constant dense<1> : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %s = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], constant_value = <none>}}
  %same = arith.muli %r, %one : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [64], constant_value = 0}}
  %nothing = arith.muli %s, %zero : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>}}
  %rows = arith.muli %r, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [256], constancy = [64], constant_value = <none>}}
  %square = arith.muli %s, %s : tensor<64xi32>
  %five = arith.constant dense<5> : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [512], constancy = [64], constant_value = <none>}}
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
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>}}
  %quotient = arith.divsi %r, %c16 : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>}}
  %remainder = arith.remsi %r, %c48 : tensor<64xi32>
  %unknown = arith.addi %r, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %signedQuotient = arith.divsi %unknown, %c16 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>}}
  %unsignedQuotient = arith.divui %unknown, %c16 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %signedRemainder = arith.remsi %unknown, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>}}
  %unsignedRemainder = arith.remui %unknown, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>}}
  %shifted = arith.shrsi %unknown, %c4 : tensor<64xi32>
  // Exact: a multiple of 16 is divided.
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [64], constant_value = <none>}}
  %exact = arith.divsi %s, %c8 : tensor<64xi32>
  tt.return
}

// -----

// The index of a GEMM: a program id is not negative, and the remainder by a
// multiple of 16 keeps groups of 16.
tt.func public @wrapped_index(%m: i32 {tt.divisibility = 16 : i32}) {
  %c128 = arith.constant 128 : i32
  %pid = tt.get_program_id x : i32
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1], constant_value = <none>}}
  %start = arith.muli %pid, %c128 : i32
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %s = tt.splat %start : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [128], divisibility = [128], constancy = [1], constant_value = <none>}}
  %offsets = arith.addi %s, %r : tensor<128xi32>
  %size = tt.splat %m : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>}}
  %wrapped = arith.remsi %offsets, %size : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>}}
  %mask = arith.cmpi slt, %offsets, %size : tensor<128xi32>
  // The first of a group may be equal alone.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %maskLe = arith.cmpi sle, %offsets, %size : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>}}
  %maskGt = arith.cmpi sgt, %size, %offsets : tensor<128xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>}}
  %chosen = arith.select %mask, %offsets, %wrapped : tensor<128xi1>, tensor<128xi32>
  tt.return
}

// -----

// Low bits, high bits and disjoint bits of an aligned group.
tt.func public @bits() {
  %low = arith.constant dense<15> : tensor<64xi32>
  %high = arith.constant dense<-16> : tensor<64xi32>
  %offset = arith.constant dense<256> : tensor<64xi32>
  %odd = arith.constant dense<1> : tensor<64xi32>
  %c24 = arith.constant dense<24> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>}}
  %lowBits = arith.andi %r, %low : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [16], constant_value = <none>}}
  %highBits = arith.andi %r, %high : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [256], constancy = [1], constant_value = <none>}}
  %disjoint = arith.ori %r, %offset : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %flipped = arith.xori %r, %odd : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1], constant_value = <none>}}
  %smaller = arith.minsi %r, %offset : tensor<64xi32>
  // expected-remark @below {{constant_value = 256}}
  %larger = arith.maxsi %r, %offset : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [16], constant_value = <none>}}
  %either = arith.maxsi %highBits, %c24 : tensor<64xi32>
  tt.return
}
