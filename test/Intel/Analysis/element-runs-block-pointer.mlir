// RUN: triton-xe-opt %s -split-input-file -test-print-element-runs -verify-diagnostics=only-expected -o /dev/null

// An access knows the base, strides and offsets of its block, whose elements are
// addresses: 16 bytes, as far as base, pitch and column allow.
tt.func public @make(%p: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %m: i64, %ld: i64 {tt.divisibility = 8 : i32}, %row: i32, %column: i32 {tt.divisibility = 32 : i32}) {
  %c1 = arith.constant 1 : i64
  %s = ttig.surface %p, [%m, %m], [%ld, %c1] : !tt.ptr<f16>
  // expected-remark @below {{block: contiguity = [1, 32], aligned = [1, 8], constancy = [1, 1]}}
  ttig.prefetch_block %s[%row, %column] of tensor<16x32xf16> : (!ttig.memory<f16, 2>, i32, i32) -> ()
  // An offset of 64 bits is the sum of steps.
  %c4 = arith.constant 4 : i64
  %wide = arith.extsi %column : i32 to i64
  %moved = arith.addi %wide, %c4 : i64
  // expected-remark @below {{block: contiguity = [1, 32], aligned = [1, 4], constancy = [1, 1]}}
  ttig.prefetch_block %s[%row, %moved] of tensor<16x32xf16> : (!ttig.memory<f16, 2>, i32, i64) -> ()
  tt.return
}

// -----

// In a loop the offset keeps what divides start and step; without a stride of 1
// nothing is contiguous.
tt.func public @loop(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c0_i64 = arith.constant 0 : i64
  %c32 = arith.constant 32 : i64
  %c1_i64 = arith.constant 1 : i64
  %strided = ttig.surface %p, [%n, %n], [%n, %n] : !tt.ptr<f32>
  // expected-remark @below {{block: contiguity = [1, 1], aligned = [1, 1], constancy = [1, 1]}}
  ttig.prefetch_block %strided[%c0, %c0] of tensor<16x32xf32> : (!ttig.memory<f32, 2>, i32, i32) -> ()
  %columns = ttig.surface %p, [%n, %n], [%c1_i64, %n] : !tt.ptr<f32>
  %last = scf.for %i = %c0 to %count step %c1 iter_args(%q = %c0_i64) -> (i64) : i32 {
    // expected-remark @below {{block: contiguity = [16, 1], aligned = [4, 1], constancy = [1, 1]}}
    ttig.prefetch_block %columns[%q, %c0] of tensor<16x32xf32> : (!ttig.memory<f32, 2>, i64, i32) -> ()
    %next = arith.addi %q, %c32 : i64
    scf.yield %next : i64
  }
  tt.return
}

// -----

// Nothing is known of a tensor that another function describes.
tt.func public @argument(%s: !ttig.memory<f32, 2>) {
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{block: contiguity = [1, 1], aligned = [1, 1], constancy = [1, 1]}}
  ttig.prefetch_block %s[%c0, %c0] of tensor<16x32xf32> : (!ttig.memory<f32, 2>, i32, i32) -> ()
  tt.return
}
