// RUN: triton-xe-opt %s -split-input-file -test-print-element-runs -verify-diagnostics=only-expected -o /dev/null

// A block pointer knows its base, strides and offsets; its elements are
// the addresses in the block: 16 bytes, as far as base, pitch and column allow.
tt.func public @make(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %m: i64, %ld: i64 {tt.divisibility = 8 : i32}, %row: i32, %column: i32 {tt.divisibility = 32 : i32}) {
  %c1 = arith.constant 1 : i64
  // expected-remark @below {{contiguity = [1, 32], aligned = [1, 8], constancy = [1, 1]}}
  %bp = tt.make_tensor_ptr %p, [%m, %m], [%ld, %c1], [%row, %column] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  // expected-remark @below {{contiguity = [1, 32], aligned = [1, 4], constancy = [1, 1]}}
  %next = tt.advance %bp, [%c0, %c4] : <tensor<16x32xf16>>
  tt.return
}

// -----

// In a loop the offset keeps what divides start and step; without a stride of 1
// nothing is contiguous.
tt.func public @loop(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c1_i64 = arith.constant 1 : i64
  // expected-remark @below {{contiguity = [1, 1], aligned = [1, 1], constancy = [1, 1]}}
  %strided = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf32>>
  // expected-remark @below {{contiguity = [16, 1], aligned = [4, 1], constancy = [1, 1]}}
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%c1_i64, %n], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x32xf32>>
  // Nothing is read of what a loop leaves behind.
  // expected-remark @below {{argument 1: contiguity = [16, 1], aligned = [4, 1], constancy = [1, 1]}}
  // expected-remark @below {{contiguity = [1, 1], aligned = [1, 1], constancy = [1, 1]}}
  %last = scf.for %i = %c0 to %count step %c1 iter_args(%q = %bp) -> (!tt.ptr<tensor<16x32xf32>>) : i32 {
    %next = tt.advance %q, [%c32, %c0] : <tensor<16x32xf32>>
    scf.yield %next : !tt.ptr<tensor<16x32xf32>>
  }
  // Known steps add up.
  // expected-remark @below {{contiguity = [16, 1], aligned = [4, 1], constancy = [1, 1]}}
  %known = tt.advance %bp, [%c32, %c32] : <tensor<16x32xf32>>
  tt.return
}

// -----

// Nothing is known of a block pointer that nobody made.
tt.func public @argument(%bp: !tt.ptr<tensor<16x32xf32>>) {
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{contiguity = [1, 1], aligned = [1, 1], constancy = [1, 1]}}
  %next = tt.advance %bp, [%c0, %c0] : <tensor<16x32xf32>>
  tt.return
}
