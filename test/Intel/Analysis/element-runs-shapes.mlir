// RUN: triton-xe-opt %s -split-input-file -test-print-element-runs -verify-diagnostics=only-expected -o /dev/null

// A row index times a stride plus a column index: contiguous along the columns,
// and along them aligned as the stride allows.
tt.func public @matrix_of_pointers(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %ld: i32 {tt.divisibility = 8 : i32}) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [64, 1], aligned = [64, 1], constancy = [1, 1]}}
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  // expected-remark @below {{contiguity = [1, 64], aligned = [1, 64], constancy = [1, 1]}}
  %columns = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %stride = tt.splat %ld : i32 -> tensor<64x1xi32>
  // expected-remark @below {{contiguity = [1, 1], aligned = [1, 1], constancy = [1, 1]}}
  %starts = arith.muli %rows, %stride : tensor<64x1xi32>
  // expected-remark @below {{contiguity = [1, 1], aligned = [1, 1], constancy = [1, 64]}}
  %a = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  // expected-remark @below {{contiguity = [1, 64], aligned = [1, 64], constancy = [64, 1]}}
  %b = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  // expected-remark @below {{contiguity = [1, 8], aligned = [1, 8], constancy = [1, 1]}}
  %offsets = arith.addi %a, %b : tensor<64x64xi32>
  // expected-remark @below {{contiguity = [1, 1], aligned = [1, 1], constancy = [64, 64]}}
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  // expected-remark @below {{contiguity = [1, 64], aligned = [1, 8], constancy = [1, 1]}}
  %ptrs = tt.addptr %base, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  // expected-remark @below {{contiguity = [64, 1], aligned = [8, 1], constancy = [1, 1]}}
  %transposed = tt.trans %ptrs {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  tt.return
}

// -----

// Row-major order keeps the groups of a dimension that starts at the same step,
// and constant groups over whole dimensions add up.
tt.func public @reshape() {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  // expected-remark @below {{contiguity = [1, 4], aligned = [1, 4], constancy = [1, 1]}}
  %split = tt.reshape %r : tensor<16xi32> -> tensor<4x4xi32>
  %column = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %repeated = tt.broadcast %column : tensor<16x1xi32> -> tensor<16x8xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [8]}}
  %flat = tt.reshape %repeated : tensor<16x8xi32> -> tensor<128xi32>
  // expected-remark @below {{contiguity = [1, 1], aligned = [1, 1], constancy = [4, 2]}}
  %cut = tt.reshape %repeated : tensor<16x8xi32> -> tensor<64x2xi32>
  // The order of elements is free.
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %any = tt.reshape %repeated allow_reorder : tensor<16x8xi32> -> tensor<128xi32>
  tt.return
}

// -----

// Neighbours of a pointer are elements, so another element size ends them.
tt.func public @casts(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  // expected-remark @below {{contiguity = [16], aligned = [4], constancy = [1]}}
  %ptrs = tt.addptr %base, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  // expected-remark @below {{contiguity = [16], aligned = [4], constancy = [1]}}
  %sameSize = tt.bitcast %ptrs : tensor<16x!tt.ptr<f32>> -> tensor<16x!tt.ptr<i32>>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %otherSize = tt.bitcast %ptrs : tensor<16x!tt.ptr<f32>> -> tensor<16x!tt.ptr<i8>>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %addresses = tt.ptr_to_int %ptrs : tensor<16x!tt.ptr<f32>> -> tensor<16xi64>
  // Bits of equal floats are equal.
  %cst = arith.constant dense<1.0> : tensor<16xf32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [16]}}
  %bits = tt.bitcast %cst : tensor<16xf32> -> tensor<16xi32>
  tt.return
}

// -----

// Sums that wrap around are contiguous up to there. Unsigned values wrap around
// at 0.
tt.func public @wrap_around(%n: i32) {
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %edge = arith.constant dense<2147483644> : tensor<16xi32>
  %minus4 = arith.constant dense<-4> : tensor<16xi32>
  %beyond = arith.addi %r, %edge : tensor<16xi32>
  // expected-remark @below {{contiguity = [4], aligned = [4], constancy = [1]}}
  %wide = arith.extsi %beyond : tensor<16xi32> to tensor<16xi64>
  %around = arith.addi %r, %minus4 : tensor<16xi32>
  // expected-remark @below {{contiguity = [16], aligned = [4], constancy = [1]}}
  %signed = arith.extsi %around : tensor<16xi32> to tensor<16xi64>
  // expected-remark @below {{contiguity = [4], aligned = [4], constancy = [1]}}
  %unsigned = arith.extui %around : tensor<16xi32> to tensor<16xi64>
  // The compiler does not know where a sum of unknown size wraps around.
  %s = tt.splat %n : i32 -> tensor<16xi32>
  %index = arith.addi %r, %s : tensor<16xi32>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %wideIndex = arith.extsi %index : tensor<16xi32> to tensor<16xi64>
  // expected-remark @below {{contiguity = [1], aligned = [1], constancy = [1]}}
  %narrow = arith.trunci %index : tensor<16xi32> to tensor<16xi8>
  tt.return
}
