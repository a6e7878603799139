// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The rules for all operations on tensors: sizes and layouts.

tt.func @odd_size(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expects tensors whose number of elements is a power of two, found 'tensor<6xf32>'}}
  %0 = tt.splat %x : f32 -> tensor<6xf32>
  tt.return
}

// -----

// Each dimension may be anything as long as the product is a power of two; zero
// is none.
tt.func @empty(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expects tensors whose number of elements is a power of two, found 'tensor<0x4xf32>'}}
  %0 = tt.splat %x : f32 -> tensor<0x4xf32>
  tt.return
}

// -----

tt.func @too_large(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<1024x1024xf32>
  // expected-error @+1 {{'tt.splat' op expects tensors of at most 1048576 elements, found 'tensor<2048x1024xf32>'}}
  %1 = tt.splat %x : f32 -> tensor<2048x1024xf32>
  tt.return
}

// -----

// A product that leaves 64 bits is too large as well.
tt.func @overflow(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expects tensors of at most 1048576 elements}}
  %0 = tt.splat %x : f32 -> tensor<4294967296x4294967296x4xf32>
  tt.return
}

// -----

tt.func @dynamic(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expects tensors of static shape, found 'tensor<?xf32>'}}
  %0 = tt.splat %x : f32 -> tensor<?xf32>
  tt.return
}

// -----

// The size of a block counts, too.
tt.func @odd_block(%p: !tt.ptr<tensor<3x4xf32>>) {
  // expected-error @+1 {{'tt.load' op expects tensors whose number of elements is a power of two, found '!tt.ptr<tensor<3x4xf32>>'}}
  %0 = tt.load %p : !tt.ptr<tensor<3x4xf32>>
  tt.return
}

// -----

tt.func @no_layout(%x: f32) {
  // expected-error @+1 {{expected the encoding of a tensor to be a layout, found "blocked"}}
  %0 = tt.splat %x : f32 -> tensor<8xf32, "blocked">
  tt.return
}

// -----

tt.func @different_encodings(%x: tensor<8xi32, "a">, %p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{'tt.addptr' op requires the same encoding for all operands and results}}
  %0 = tt.addptr %p, %x : tensor<8x!tt.ptr<f32>>, tensor<8xi32, "a">
  tt.return
}

// -----

tt.func @different_operands(%x: tensor<8xf32, "a">, %y: tensor<8xf32>) {
  // expected-error @+1 {{'tt.scan' op requires the same encoding for all operands}}
  %0:2 = "tt.scan"(%x, %y) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.scan.return %a, %b : f32, f32
  }) : (tensor<8xf32, "a">, tensor<8xf32>) -> (tensor<8xf32, "a">, tensor<8xf32>)
  tt.return
}

// -----

// Scalars are no tensors, and the number of dimensions is limited.
tt.func @no_dimension(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expects tensors of rank 1 to 32, found 'tensor<f32>'}}
  %0 = tt.splat %x : f32 -> tensor<f32>
  tt.return
}

// -----

tt.func @many_dimensions(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expects tensors of rank 1 to 32, found}}
  %0 = tt.splat %x : f32 -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  tt.return
}

// -----

// A pointee has a size in bits.
// expected-error @+1 {{expected a pointer to an integer, a float, a pointer or a ranked tensor of these, found 'index'}}
tt.func private @pointer_to_index(!tt.ptr<index>)

// -----

// expected-error @+1 {{expected a pointer to an integer, a float, a pointer or a ranked tensor of these, found 'tensor<*xf32>'}}
tt.func private @pointer_to_unranked(!tt.ptr<tensor<*xf32>>)

// -----

// expected-error @+1 {{expected a block of rank 1 or more of integers, floats or pointers, found 'tensor<f32>'}}
tt.func private @pointer_to_rank_0(!tt.ptr<tensor<f32>>)

// -----

// expected-error @+1 {{expected a block of rank 1 or more of integers, floats or pointers, found 'tensor<8xindex>'}}
tt.func private @descriptor_of_index(!tt.tensordesc<tensor<8xindex>>)

// -----

// expected-error @+1 {{expected a non-negative address space, found -1}}
tt.func @address_space(%p: !tt.ptr<f32, -1>) {
  tt.return
}

// -----

// Hints are integers, one of them or one per dimension.
// expected-error @+1 {{expected attribute `tt.divisibility` to be an integer or integers, found "16"}}
tt.func @argument_hint(%p: !tt.ptr<f32> {tt.divisibility = "16"}) {
  tt.return
}

// -----

tt.func @result_hint(%x: i32) {
  // expected-error @+1 {{expected attribute `tt.contiguity` to be an integer or integers, found 1.000000e+00 : f32}}
  %0 = arith.addi %x, %x {tt.contiguity = 1.0 : f32} : i32
  tt.return
}

// -----

tt.func @loop_integer(%n: i32) {
  // expected-error @+1 {{'scf.for' op expected attribute `tt.num_stages` to be an integer, found unit}}
  scf.for %i = %n to %n step %n : i32 {
  } {tt.num_stages}
  tt.return
}

// -----

tt.func @loop_unit(%n: i32) {
  // expected-error @+1 {{'scf.for' op expected attribute `tt.flatten` to be a unit attribute, found true}}
  scf.for %i = %n to %n step %n : i32 {
  } {tt.flatten = true}
  tt.return
}
