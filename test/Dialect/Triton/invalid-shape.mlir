// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

tt.func @splat_element(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expects a result with elements of type 'f32', found 'i32'}}
  %0 = tt.splat %x : f32 -> tensor<8xi32>
  tt.return
}

// -----

tt.func @unsplat_size(%x: tensor<2xf32>) {
  // expected-error @+1 {{'tt.unsplat' op expects a tensor of one element, found 'tensor<2xf32>'}}
  %0 = tt.unsplat %x : tensor<2xf32>
  tt.return
}

// -----

tt.func @expand_axis(%x: tensor<8xf32>) {
  // expected-error @+2 {{`tt.expand_dims` expects `axis` from 0 to 1, found 2}}
  // expected-error @+1 {{'tt.expand_dims' op failed to infer returned types}}
  %0 = tt.expand_dims %x {axis = 2 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @expand_shape(%x: tensor<8xf32>) {
  // expected-error @+2 {{'tt.expand_dims' op inferred type(s) 'tensor<1x8xf32>' are incompatible with return type(s) of operation 'tensor<8x1xf32>'}}
  // expected-error @+1 {{'tt.expand_dims' op failed to infer returned types}}
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @broadcast_rank(%x: tensor<1x8xf32>) {
  // expected-error @+1 {{'tt.broadcast' op expects operand and result of the same rank, found 'tensor<1x8xf32>' and 'tensor<8xf32>'}}
  %0 = tt.broadcast %x : tensor<1x8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @broadcast_size(%x: tensor<1x8xf32>) {
  // expected-error @+1 {{'tt.broadcast' op expects only dimensions of size 1 to grow, found 8 to 16 in dimension 1}}
  %0 = tt.broadcast %x : tensor<1x8xf32> -> tensor<2x16xf32>
  tt.return
}

// -----

tt.func @reshape_size(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.reshape' op expects the result to have the number of elements of the operand, 8, found 16}}
  %0 = tt.reshape %x : tensor<8xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @cat_size(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.cat' op expects a result of 16 elements, found 8}}
  %0 = tt.cat %x, %x : tensor<8xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @join_shape(%x: tensor<8xf32>) {
  // expected-error @+2 {{'tt.join' op inferred type(s) 'tensor<8x2xf32>' are incompatible with return type(s) of operation 'tensor<2x8xf32>'}}
  // expected-error @+1 {{'tt.join' op failed to infer returned types}}
  %0 = tt.join %x, %x : tensor<8xf32> -> tensor<2x8xf32>
  tt.return
}

// -----

tt.func @split_size(%x: tensor<2x4xf32>) {
  // expected-error @+2 {{`tt.split` expects a last dimension of size 2, found 'tensor<2x4xf32>'}}
  // expected-error @+1 {{'tt.split' op failed to infer returned types}}
  %0, %1 = tt.split %x : tensor<2x4xf32> -> tensor<2xf32>
  tt.return
}

// -----

tt.func @trans_order(%x: tensor<2x4xf32>) {
  // expected-error @+2 {{`tt.trans` expects `order` to be a permutation of the operand's dimensions}}
  // expected-error @+1 {{'tt.trans' op failed to infer returned types}}
  %0 = tt.trans %x {order = array<i32: 0, 0>} : tensor<2x4xf32> -> tensor<2x2xf32>
  tt.return
}

// -----

tt.func @gather_shape(%x: tensor<2x4xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{'tt.gather' op expects a result of the indices' shape, found 'tensor<2x4xf32>' and 'tensor<2x8xi32>'}}
  %0 = tt.gather %x[%i] {axis = 1 : i32} : (tensor<2x4xf32>, tensor<2x8xi32>) -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @gather_element(%x: tensor<2x4xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{'tt.gather' op expects a result with elements of type 'f32', found 'i32'}}
  %0 = tt.gather %x[%i] {axis = 1 : i32} : (tensor<2x4xf32>, tensor<2x8xi32>) -> tensor<2x8xi32>
  tt.return
}

// -----

tt.func @gather_rank(%x: tensor<2x4xf32>, %i: tensor<8xi32>) {
  // expected-error @+1 {{'tt.gather' op expects operand and indices of the same rank, found 'tensor<2x4xf32>' and 'tensor<8xi32>'}}
  %0 = tt.gather %x[%i] {axis = 1 : i32} : (tensor<2x4xf32>, tensor<8xi32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @gather_axis(%x: tensor<2x4xf32>, %i: tensor<2x8xi32>) {
  // expected-error @+1 {{'tt.gather' op expects `axis` to be a dimension of the operand, found -1}}
  %0 = tt.gather %x[%i] {axis = -1 : i32} : (tensor<2x4xf32>, tensor<2x8xi32>) -> tensor<2x8xf32>
  tt.return
}

// -----

tt.func @gather_sizes(%x: tensor<2x4xf32>, %i: tensor<4x4xi32>) {
  // expected-error @+1 {{'tt.gather' op expects operand and indices to differ in size only in dimension 1, found 'tensor<2x4xf32>' and 'tensor<4x4xi32>'}}
  %0 = tt.gather %x[%i] {axis = 1 : i32} : (tensor<2x4xf32>, tensor<4x4xi32>) -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @histogram_rank(%x: tensor<2x4xi32>) {
  // expected-error @+1 {{'tt.histogram' op expects operand and result of rank 1, found 'tensor<2x4xi32>' and 'tensor<8xi32>'}}
  %0 = tt.histogram %x : tensor<2x4xi32> -> tensor<8xi32>
  tt.return
}
