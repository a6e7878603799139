// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --triton-intel-normalize-block-pointers

// A block pointer that comes from outside has no parts, nor have those that join it.
// expected-note @+1 {{the block pointer comes from here}}
tt.func @unknown(%p: !tt.ptr<tensor<16xf32>>, %first: i1, %base: !tt.ptr<f32>, %size: i64) -> tensor<16xf32> {
  %one = arith.constant 1 : i64
  %c16 = arith.constant 16 : i32
  %other = tt.make_tensor_ptr %base, [%size], [%one], [%c16] {order = array<i32: 0>} : <tensor<16xf32>>
  %q = arith.select %first, %p, %other : !tt.ptr<tensor<16xf32>>
  %r = tt.advance %q, [%c16] : <tensor<16xf32>>
  %y = tt.load %other : !tt.ptr<tensor<16xf32>>
  // expected-error @+1 {{cannot be a 2D block access, and its block pointer does not come from `tt.make_tensor_ptr`}}
  %x = tt.load %r : !tt.ptr<tensor<16xf32>>
  tt.return %x : tensor<16xf32>
}

// -----

// No access is through the pointer.
// expected-error @+1 {{expected a block pointer that comes from `tt.make_tensor_ptr`}}
tt.func @unused(%p: !tt.ptr<tensor<16xf32>>) {
  tt.return
}
