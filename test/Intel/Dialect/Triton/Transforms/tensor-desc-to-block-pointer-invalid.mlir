// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --triton-intel-tensor-desc-to-block-pointer

// There is no atomic minimum of floats.
tt.func public @minimum(%d: !tt.tensordesc<tensor<16x32xf16>>, %x: tensor<16x32xf16>, %i: i32) {
  // expected-error @+2 {{has no atomic `min` of 'f16'}}
  // expected-error @+1 {{failed to legalize}}
  tt.descriptor_reduce min, %d[%i, %i], %x : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// -----

// Nor do increments that wrap around have a place in the language.
tt.func public @increment(%d: !tt.tensordesc<tensor<16x32xui32>>, %x: tensor<16x32xi32>, %i: i32) {
  // expected-error @+2 {{has no atomic `inc` of 'ui32'}}
  // expected-error @+1 {{failed to legalize}}
  tt.descriptor_reduce inc, %d[%i, %i], %x : !tt.tensordesc<tensor<16x32xui32>>, tensor<16x32xi32>
  tt.return
}

// -----

// Rows with a layout do not have numbers without one, nor the other way round.
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @numbers(%d: !tt.tensordesc<tensor<1x32xf16>>, %r: tensor<16xi32>, %i: i32) {
    // expected-error @below {{expects both its rows and their numbers to have a layout, or neither}}
    %x = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<tensor<1x32xf16>>, tensor<16xi32>, i32) -> tensor<16x32xf16, #rows>
    tt.return
  }
  tt.func public @rows(%d: !tt.tensordesc<tensor<1x32xf16>>, %r: tensor<16xi32, #line>, %x: tensor<16x32xf16>, %i: i32) {
    // expected-error @below {{expects both its rows and their numbers to have a layout, or neither}}
    tt.descriptor_scatter %d[%r, %i], %x : !tt.tensordesc<tensor<1x32xf16>>, tensor<16xi32, #line>, i32, tensor<16x32xf16>
    tt.return
  }
}
