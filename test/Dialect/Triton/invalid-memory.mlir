// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// Bounds belong to blocks.
tt.func @checked_pointer(%p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{'tt.load' op expects `boundaryCheck` only with a block pointer, found 'tensor<8x!tt.ptr<f32>>'}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>} : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @padded_pointer(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load' op expects `padding` only with a block pointer, found '!tt.ptr<f32>'}}
  %0 = tt.load %p {padding = 1 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @checked_dim(%p: !tt.ptr<tensor<8x8xf32>>) {
  // expected-error @+1 {{'tt.load' op expects `boundaryCheck` to name dimensions of the block, which has rank 2, found 2}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0, 2>} : !tt.ptr<tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @checked_twice(%p: !tt.ptr<tensor<8x8xf32>>, %x: tensor<8x8xf32>) {
  // expected-error @+1 {{'tt.store' op expects `boundaryCheck` to name a dimension once, found twice 1}}
  tt.store %p, %x {boundaryCheck = array<i32: 1, 1>} : !tt.ptr<tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @integer_nan(%p: !tt.ptr<tensor<8x8xi32>>) {
  // expected-error @+1 {{'tt.load' op expects float elements to be padded with NaN, found 'i32'}}
  %0 = tt.load %p {boundaryCheck = array<i32: 1>, padding = 2 : i32} : !tt.ptr<tensor<8x8xi32>>
  tt.return
}

// -----

// The custom form cannot express it.
tt.func @other_without_mask(%p: !tt.ptr<f32>, %x: f32) {
  // expected-error @+1 {{'tt.load' op expects `other` only with a mask}}
  %0 = "tt.load"(%p, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @loaded_type(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.load' op failed to verify that `result` must have the type that the pointer points to}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f32>) -> i32
  tt.return
}

// -----

tt.func @mask_shape(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<4xi1>, %x: tensor<8xf32>) {
  // expected-error @+1 {{'tt.store' op failed to verify that `mask` must have the shape that the pointer points to}}
  "tt.store"(%p, %x, %m) : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<4xi1>) -> ()
  tt.return
}

// -----

tt.func @not_a_pointer(%x: tensor<8xf32>) {
  // expected-error @+1 {{custom op 'tt.load' 'ptr' must be pointer to a scalar or ranked tensor of pointer to a scalar values or block pointer, but got 'tensor<8xf32>'}}
  %0 = tt.load %x : tensor<8xf32>
  tt.return
}

// -----

tt.func @atomic_integer(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @+1 {{'tt.atomic_rmw' op expects floats for `fadd`, found 'i32'}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_float(%p: !tt.ptr<f32>, %x: f32) {
  // Any 32 bits can be exchanged.
  %0 = tt.atomic_rmw exch, relaxed, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
  // expected-error @+1 {{'tt.atomic_rmw' op expects integers for `max`, found 'f32'}}
  %1 = tt.atomic_rmw max, relaxed, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @descriptor_indices(%d: !tt.tensordesc<tensor<8x8xf32>>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_load' op expects one index per dimension of the block, 2, found 1}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<8x8xf32>> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @descriptor_element(%d: !tt.tensordesc<tensor<8xui8>>, %i: i32, %x: tensor<8xi16>) {
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<8xui8>> -> tensor<8xi8>
  // expected-error @+1 {{'tt.descriptor_store' op expects a tensor of the block's elements, 'i8', found 'i16'}}
  tt.descriptor_store %d[%i], %x : !tt.tensordesc<tensor<8xui8>>, tensor<8xi16>
  tt.return
}

// -----

// Only leading ones may be missing.
tt.func @descriptor_shape(%d: !tt.tensordesc<tensor<8x1x8xf32>>, %i: i32, %x: tensor<8x8xf32>) {
  // expected-error @+1 {{'tt.descriptor_reduce' op expects a tensor of the block's shape, 'tensor<8x1x8xf32>', found 'tensor<8x8xf32>'}}
  tt.descriptor_reduce add, %d[%i, %i, %i], %x : !tt.tensordesc<tensor<8x1x8xf32>>, tensor<8x8xf32>
  tt.return
}

// -----

tt.func @gather_block(%d: !tt.tensordesc<tensor<2x8xf32>>, %r: tensor<8xi32>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_gather' op expects a descriptor whose block is one row, found 'tensor<2x8xf32>'}}
  %0 = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<tensor<2x8xf32>>, tensor<8xi32>, i32) -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @gather_rank(%d: !tt.tensordesc<tensor<1x8xf32>>, %r: tensor<8x1xi32>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_gather' op expects row numbers of rank 1, found 'tensor<8x1xi32>'}}
  %0 = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<tensor<1x8xf32>>, tensor<8x1xi32>, i32) -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @gather_element(%d: !tt.tensordesc<tensor<1x8xf32>>, %r: tensor<8xi32>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_gather' op expects a tensor of the block's elements, 'f32', found 'i32'}}
  %0 = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<tensor<1x8xf32>>, tensor<8xi32>, i32) -> tensor<8x8xi32>
  tt.return
}

// -----

tt.func @gather_shape(%d: !tt.tensordesc<tensor<1x8xf32>>, %r: tensor<8xi32>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_gather' op expects a tensor of 8 rows and 8 columns, found 'tensor<8x16xf32>'}}
  %0 = tt.descriptor_gather %d[%r, %i] : (!tt.tensordesc<tensor<1x8xf32>>, tensor<8xi32>, i32) -> tensor<8x16xf32>
  tt.return
}

// -----

tt.func @scatter_rows(%d: !tt.tensordesc<tensor<1x8xf32>>, %r: tensor<4xi32>, %i: i32, %x: tensor<4x8xf32>) {
  // expected-error @+1 {{'tt.descriptor_scatter' op expects at least 8 rows, found 4}}
  tt.descriptor_scatter %d[%r, %i], %x : !tt.tensordesc<tensor<1x8xf32>>, tensor<4xi32>, i32, tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scatter_columns(%d: !tt.tensordesc<tensor<1x8xf16>>, %r: tensor<8xi32>, %i: i32, %x: tensor<8x8xf16>) {
  // expected-error @+1 {{'tt.descriptor_scatter' op expects at least 16 columns of 'f16', found 8}}
  tt.descriptor_scatter %d[%r, %i], %x : !tt.tensordesc<tensor<1x8xf16>>, tensor<8xi32>, i32, tensor<8x8xf16>
  tt.return
}

// -----

// A read cannot release.
tt.func @atomic_load_ordering(%p: !tt.ptr<i32>) {
  // expected-error @+1 {{'tt.atomic_load' op expects `relaxed` or `acquire`, found `release`}}
  %0 = tt.atomic_load release, gpu, %p : (!tt.ptr<i32>) -> i32
  tt.return
}

// -----

// A write cannot acquire.
tt.func @atomic_store_ordering(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @+1 {{'tt.atomic_store' op expects `relaxed` or `release`, found `acq_rel`}}
  tt.atomic_store acq_rel, gpu, %p, %x : !tt.ptr<i32>
  tt.return
}

// -----

tt.func @atomic_poll_ordering(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @+1 {{'tt.atomic_poll' op expects `relaxed` or `acquire`, found `release`}}
  %0 = tt.atomic_poll release, gpu, %p, %x : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// -----

tt.func @atomic_poll_float(%p: !tt.ptr<f32>, %x: f32) {
  // expected-error @+1 {{'tt.atomic_poll' op operand #1 must be}}
  %0 = tt.atomic_poll relaxed, gpu, %p, %x : !tt.ptr<f32>, f32 -> i1
  tt.return
}

// -----

// One answer per element.
tt.func @atomic_poll_result(%p: tensor<8x!tt.ptr<i32>>, %x: tensor<8xi32>) {
  // expected-error @+1 {{'tt.atomic_poll' op failed to verify that the result must be an i1 per element of `expected`}}
  %0 = tt.atomic_poll relaxed, gpu, %p, %x : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> i1
  tt.return
}

// -----

// Rows have numbers of 16 or 32 bits.
tt.func @gather_rows(%d: !tt.tensordesc<tensor<1x32xf32>>, %rows: tensor<32xi8>, %i: i32) {
  // expected-error @+1 {{'tt.descriptor_gather' op operand #1 must be}}
  %0 = tt.descriptor_gather %d[%rows, %i] : (!tt.tensordesc<tensor<1x32xf32>>, tensor<32xi8>, i32) -> tensor<32x32xf32>
  tt.return
}

// -----

// An attribute of another kind would be lost, without a message.
tt.func @checked_by_wide_numbers(%p: !tt.ptr<tensor<8x8xf32>>) {
  // expected-error @+1 {{'tt.load' op attribute 'boundaryCheck' failed to satisfy constraint: i32 dense array attribute}}
  %0 = tt.load %p {boundaryCheck = array<i64: 1>} : !tt.ptr<tensor<8x8xf32>>
  tt.return
}

// -----

tt.func @stored_by_wide_numbers(%p: !tt.ptr<tensor<8x8xf32>>, %x: tensor<8x8xf32>) {
  // expected-error @+1 {{'tt.store' op attribute 'boundaryCheck' failed to satisfy constraint: i32 dense array attribute}}
  tt.store %p, %x {boundaryCheck = array<i64: 1>} : !tt.ptr<tensor<8x8xf32>>
  tt.return
}
