// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --triton-intel-tdesc-to-block-pointer

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
