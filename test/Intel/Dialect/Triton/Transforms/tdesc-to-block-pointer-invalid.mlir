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

// -----

// One load cannot pad in two ways.
tt.func public @paddings(%base: !tt.ptr<f32>, %n: i32, %c: i1) {
  %c1_i64 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %base, [%n, %n], [%c1_i64, %c1_i64] {padding = 1 : i32} : <f32>, <tensor<16x32xf32>>
  %e = tt.make_tensor_descriptor %base, [%n, %n], [%c1_i64, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %s = scf.if %c -> !tt.tensordesc<tensor<16x32xf32>> {
    scf.yield %d : !tt.tensordesc<tensor<16x32xf32>>
  } else {
    scf.yield %e : !tt.tensordesc<tensor<16x32xf32>>
  }
  // expected-error @+1 {{descriptors with different padding reach this load}}
  %x = tt.descriptor_load %s[%n, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.return
}
