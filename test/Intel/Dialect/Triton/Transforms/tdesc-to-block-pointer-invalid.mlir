// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --triton-intel-tdesc-to-block-pointer

// No message of the target gathers rows.
tt.func public @gather(%d: !tt.tensordesc<tensor<1x32xf32>>, %rows: tensor<16xi32>, %i: i32) {
  // expected-error @+1 {{`tt.descriptor_gather` is not supported on this target; use pointers instead}}
  %x = tt.descriptor_gather %d[%rows, %i] : (!tt.tensordesc<tensor<1x32xf32>>, tensor<16xi32>, i32) -> tensor<16x32xf32>
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
