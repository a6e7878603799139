// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

tt.func @range_rank() {
  // expected-error @+1 {{'tt.make_range' op expects a result of rank 1, found 'tensor<2x2xi32>'}}
  %0 = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<2x2xi32>
  tt.return
}

// -----

tt.func @range_order() {
  // expected-error @+1 {{'tt.make_range' op expects `end` to be larger than `start`, found -4 and 0}}
  %0 = tt.make_range {start = 0 : i32, end = -4 : i32} : tensor<4xi32>
  tt.return
}

// -----

// The difference needs more than 32 bits here.
tt.func @range_size() {
  // expected-error @+1 {{'tt.make_range' op expects `end` - `start` to be the size of the result, 4, found 4294967295}}
  %0 = tt.make_range {start = -2147483648 : i32, end = 2147483647 : i32} : tensor<4xi32>
  tt.return
}

// -----

tt.func @bitcast_kind(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.bitcast' op cannot cast between pointers and numbers, found '!tt.ptr<f32>' and 'i64'}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func @bitcast_space(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.bitcast' op cannot cast between address spaces, found '!tt.ptr<f32>' and '!tt.ptr<f32, 3>'}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32, 3>
  tt.return
}

// -----

tt.func @bitcast_width(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.bitcast' op expects types of the same width, found 'f32' and 'i16'}}
  %0 = tt.bitcast %x : tensor<8xf32> -> tensor<8xi16>
  tt.return
}

// -----

tt.func @bitcast_shape(%x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.bitcast' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.bitcast %x : tensor<8xf32> -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @block_rank(%p: !tt.ptr<f32>, %n: i64, %o: i32) {
  // expected-error @+1 {{'tt.make_tensor_ptr' op expects one size, stride and offset for each of the block's dimensions, 2, found 1}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%o] {order = array<i32: 1, 0>} : <tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @block_order(%p: !tt.ptr<f32>, %n: i64, %o: i32) {
  // expected-error @+1 {{'tt.make_tensor_ptr' op expects `order` to be a permutation of the block's dimensions}}
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%o, %o] {order = array<i32: 1, 1>} : <tensor<8x8xf32>>
  tt.return
}

// -----

// expected-note @+1 {{prior use here}}
tt.func @block_element(%p: !tt.ptr<f16>, %n: i64, %o: i32) {
  // expected-error @+1 {{use of value '%p' expects different type than prior uses: '!tt.ptr<f32>' vs '!tt.ptr<f16>'}}
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%o, %o] {order = array<i32: 1, 0>} : <tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @block_scalar(%p: !tt.ptr<f32>, %n: i64, %o: i32) {
  // expected-error @+1 {{custom op 'tt.make_tensor_ptr' 'result' must be block pointer, but got '!tt.ptr<f32>'}}
  %0 = tt.make_tensor_ptr %p, [], [], [] {order = array<i32>} : <f32>
  tt.return
}

// -----

tt.func @advance_rank(%p: !tt.ptr<tensor<8x8xf32>>, %o: i32) {
  // expected-error @+1 {{'tt.advance' op expects one offset per dimension of the block, 2, found 1}}
  %0 = tt.advance %p, [%o] : <tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @descriptor_rank(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{'tt.make_tensor_descriptor' op expects one size and stride for each of the block's dimensions, 2, found 1}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <tensor<8x8xf32>>
  tt.return
}

// -----

// Signedness does not count: the first one is right.
tt.func @descriptor_element(%p: !tt.ptr<i8>, %n: i32, %s: i64) {
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <i8>, <tensor<8xui8>>
  // expected-error @+1 {{'tt.make_tensor_descriptor' op expects a base that points to the block's elements, 'i16', found 'i8'}}
  %1 = tt.make_tensor_descriptor %p, [%n], [%s] : <i8>, <tensor<8xsi16>>
  tt.return
}
