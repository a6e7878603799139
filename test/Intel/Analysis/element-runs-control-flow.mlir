// RUN: triton-xe-opt %s -split-input-file -test-print-element-runs -verify-diagnostics=only-expected -o /dev/null

// A loop carries pointers: by induction, they have the groups of the first ones,
// and the alignment of all steps.
tt.func public @loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
  %init = tt.addptr %base, %r : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
  %step = arith.constant dense<24> : tensor<32xi32>
  // expected-remark @below {{argument 1: contiguity = [32], aligned = [8], constancy = [1]}}
  %result:2 = scf.for %i = %c0 to %n step %c32 iter_args(%q = %init, %k = %c0) -> (tensor<32x!tt.ptr<f16>>, i32) : i32 {
    %c8 = arith.constant 8 : i32
    %next = tt.addptr %q, %step : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
    %nextK = arith.addi %k, %c8 : i32
    scf.yield %next, %nextK : tensor<32x!tt.ptr<f16>>, i32
  }
  tt.return
}

// -----

// Branches join: the smaller groups of both.
tt.func public @branches(%c: i1) {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r16 = tt.make_range {end = 48 : i32, start = 16 : i32} : tensor<32xi32>
  %s = arith.constant dense<24> : tensor<32xi32>
  %c8 = arith.constant dense<8> : tensor<32xi32>
  %byEight = arith.remui %r, %c8 : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], aligned = [16], constancy = [1]}}
  %a = scf.if %c -> tensor<32xi32> {
    scf.yield %r : tensor<32xi32>
  } else {
    scf.yield %r16 : tensor<32xi32>
  }
  // expected-remark @below {{contiguity = [8], aligned = [8], constancy = [1]}}
  %b = scf.if %c -> tensor<32xi32> {
    scf.yield %r16 : tensor<32xi32>
  } else {
    scf.yield %byEight : tensor<32xi32>
  }
  // A scalar condition takes the whole of either operand.
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %d = arith.select %c, %r, %s : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], aligned = [16], constancy = [1]}}
  %e = arith.select %c, %r, %r16 : tensor<32xi32>
  tt.return
}

// -----

// Hints: what is on an operation adds to what is known; numbers that are no
// powers of two count with the power of two in them.
tt.func public @hints(%n: i32 {tt.divisibility = 12 : i32}, %t: tensor<64xi32> {tt.contiguity = 64 : i32, tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [64]}}
  %s = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %given = arith.addi %t, %s : tensor<64xi32>
  // expected-remark @below {{contiguity = [64], aligned = [32], constancy = [1]}}
  %stated = arith.remsi %given, %s {tt.contiguity = dense<64> : tensor<1xi32>, tt.divisibility = dense<32> : tensor<1xi32>} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [8]}}
  %equal = arith.divsi %given, %s {tt.constancy = dense<8> : tensor<1xi32>} : tensor<64xi32>
  tt.return
}

// -----

// A kernel assumes that a loop does not begin below zero: quotients of its
// counter are rounded down then, so that they are the same for all of a group.
tt.func public @assumed(%n: i32, %x: i32 {tt.divisibility = 16 : i32}, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant dense<128> : tensor<32xi32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %first = arith.muli %x, %c32 : i32
  %other = arith.muli %x, %c32 : i32
  %positive = arith.cmpi sge, %first, %c0 : i32
  llvm.intr.assume %positive : i1
  scf.for %i = %first to %n step %c32 : i32 {
    %s = tt.splat %i : i32 -> tensor<32xi32>
    %k = arith.addi %s, %range : tensor<32xi32>
    // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [32]}}
    %group = arith.divsi %k, %c128 : tensor<32xi32>
    %above = arith.cmpi sge, %other, %c0 : i32
    llvm.intr.assume %above : i1
  }
  scf.for %i = %other to %n step %c32 : i32 {
    %s = tt.splat %i : i32 -> tensor<32xi32>
    %k = arith.addi %s, %range : tensor<32xi32>
    // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [32]}}
    %group = arith.divsi %k, %c128 : tensor<32xi32>
  }
  tt.return
}
