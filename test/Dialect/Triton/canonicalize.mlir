// RUN: triton-xe-opt %s --canonicalize --split-input-file | FileCheck %s

// Offsets of zero move no pointer.
// CHECK-LABEL: tt.func @zero_offsets(
// CHECK-SAME: %[[P:.*]]: tensor<8x!tt.ptr<f32>>, %[[B:.*]]: !tt.ptr<tensor<8x8xf32>>, %[[N:.*]]: i32)
tt.func @zero_offsets(%p: tensor<8x!tt.ptr<f32>>, %b: !tt.ptr<tensor<8x8xf32>>, %n: i32)
    -> (tensor<8x!tt.ptr<f32>>, !tt.ptr<tensor<8x8xf32>>, !tt.ptr<tensor<8x8xf32>>) {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<8xi32>
  // CHECK-NOT: tt.addptr
  %0 = tt.addptr %p, %zeros : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %1 = tt.advance %b, [%zero, %zero] : <tensor<8x8xf32>>
  // CHECK: %[[Q:.*]] = tt.advance %[[B]], [%{{.*}}, %[[N]]]
  %2 = tt.advance %b, [%zero, %n] : <tensor<8x8xf32>>
  // CHECK: tt.return %[[P]], %[[B]], %[[Q]]
  tt.return %0, %1, %2 : tensor<8x!tt.ptr<f32>>, !tt.ptr<tensor<8x8xf32>>, !tt.ptr<tensor<8x8xf32>>
}

// -----

// Casts there and back, and casts to the same type, vanish; two bitcasts are one.
// CHECK-LABEL: tt.func @casts(
// CHECK-SAME: %[[I:.*]]: i64, %[[P:.*]]: !tt.ptr<f32>, %[[X:.*]]: f32)
tt.func @casts(%i: i64, %p: !tt.ptr<f32>, %x: f32) -> (i64, !tt.ptr<f32>, !tt.ptr<i8>, f32, f16) {
  %0 = tt.int_to_ptr %i : i64 -> !tt.ptr<f32>
  %1 = tt.ptr_to_int %0 : !tt.ptr<f32> -> i64
  %2 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  %3 = tt.int_to_ptr %2 : i64 -> !tt.ptr<f32>
  // Through an integer a pointer may change its type: that must stay.
  // CHECK: %[[A:.*]] = tt.ptr_to_int %[[P]]
  // CHECK: %[[Q:.*]] = tt.int_to_ptr %[[A]] : i64 -> !tt.ptr<i8>
  %4 = tt.int_to_ptr %2 : i64 -> !tt.ptr<i8>
  %5 = tt.bitcast %x : f32 -> i32
  %6 = tt.bitcast %5 : i32 -> f32
  %7 = tt.fp_to_fp %6 : f32 -> f32
  // CHECK: %[[H:.*]] = tt.fp_to_fp %[[X]], rounding = rtz : f32 -> f16
  %8 = tt.fp_to_fp %7, rounding = rtz : f32 -> f16
  // CHECK: tt.return %[[I]], %[[P]], %[[Q]], %[[X]], %[[H]]
  tt.return %1, %3, %4, %7, %8 : i64, !tt.ptr<f32>, !tt.ptr<i8>, f32, f16
}

// -----

// Every change of shape of a constant is a constant.
// CHECK-LABEL: tt.func @constants(
tt.func @constants() -> (tensor<4x8xi32>, tensor<8x4xi32>, tensor<32xi32>, i32, tensor<1xi32>) {
  %seven = arith.constant 7 : i32
  %0 = tt.splat %seven : i32 -> tensor<8xi32>
  %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %2 = tt.broadcast %1 : tensor<1x8xi32> -> tensor<4x8xi32>
  %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<4x8xi32> -> tensor<8x4xi32>
  %4 = tt.reshape %3 : tensor<8x4xi32> -> tensor<32xi32>
  %5 = tt.splat %seven : i32 -> tensor<1xi32>
  %6 = tt.unsplat %5 : tensor<1xi32>
  // A range of one number is one, too.
  %7 = tt.make_range {start = 3 : i32, end = 4 : i32} : tensor<1xi32>
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<7> : tensor<4x8xi32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<7> : tensor<8x4xi32>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<7> : tensor<32xi32>
  // CHECK-DAG: %[[D:.*]] = arith.constant 7 : i32
  // CHECK-DAG: %[[E:.*]] = arith.constant dense<3> : tensor<1xi32>
  // CHECK: tt.return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]]
  tt.return %2, %3, %4, %6, %7 : tensor<4x8xi32>, tensor<8x4xi32>, tensor<32xi32>, i32, tensor<1xi32>
}

// -----

// A splat absorbs the changes of shape after it.
// CHECK-LABEL: tt.func @splats(
// CHECK-SAME: %[[P:.*]]: !tt.ptr<f32>)
tt.func @splats(%p: !tt.ptr<f32>) -> (tensor<4x8x!tt.ptr<f32>>, tensor<32x!tt.ptr<f32>>, !tt.ptr<f32>) {
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<8x1x!tt.ptr<f32>>
  %2 = tt.broadcast %1 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
  %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<8x4x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
  %4 = tt.reshape %3 : tensor<4x8x!tt.ptr<f32>> -> tensor<32x!tt.ptr<f32>>
  %5 = tt.splat %p : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>>
  %6 = tt.unsplat %5 : tensor<1x!tt.ptr<f32>>
  // CHECK-DAG: %[[A:.*]] = tt.splat %[[P]] : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  // CHECK-DAG: %[[B:.*]] = tt.splat %[[P]] : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  // CHECK: tt.return %[[A]], %[[B]], %[[P]]
  tt.return %3, %4, %6 : tensor<4x8x!tt.ptr<f32>>, tensor<32x!tt.ptr<f32>>, !tt.ptr<f32>
}

// -----

// Changes of shape compose, and those that change nothing vanish.
// CHECK-LABEL: tt.func @shapes(
// CHECK-SAME: %[[X:.*]]: tensor<2x4x8xf32>, %[[Y:.*]]: tensor<1x1x8xf32>)
tt.func @shapes(%x: tensor<2x4x8xf32>, %y: tensor<1x1x8xf32>)
    -> (tensor<4x8x2xf32>, tensor<2x4x8xf32>, tensor<64xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  // Dimension i of the result is dimension order[i] of the operand.
  // CHECK-DAG: %[[A:.*]] = tt.trans %[[X]] {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %0 = tt.trans %x {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  %1 = tt.trans %0 {order = array<i32: 2, 0, 1>} : tensor<8x2x4xf32> -> tensor<4x8x2xf32>
  %2 = tt.trans %1 {order = array<i32: 2, 0, 1>} : tensor<4x8x2xf32> -> tensor<2x4x8xf32>
  // CHECK-DAG: %[[C:.*]] = tt.reshape %[[X]] allow_reorder : tensor<2x4x8xf32> -> tensor<64xf32>
  %3 = tt.reshape %x allow_reorder : tensor<2x4x8xf32> -> tensor<8x8xf32>
  %4 = tt.reshape %3 : tensor<8x8xf32> -> tensor<64xf32>
  // CHECK-DAG: %[[D:.*]] = tt.broadcast %[[Y]] : tensor<1x1x8xf32> -> tensor<2x4x8xf32>
  %5 = tt.broadcast %y : tensor<1x1x8xf32> -> tensor<1x4x8xf32>
  %6 = tt.broadcast %5 : tensor<1x4x8xf32> -> tensor<2x4x8xf32>
  %7 = tt.join %x, %6 : tensor<2x4x8xf32> -> tensor<2x4x8x2xf32>
  %8, %9 = tt.split %7 : tensor<2x4x8x2xf32> -> tensor<2x4x8xf32>
  // CHECK: tt.return %[[A]], %[[X]], %[[C]], %[[D]], %[[X]]
  tt.return %1, %2, %4, %9, %8 : tensor<4x8x2xf32>, tensor<2x4x8xf32>, tensor<64xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// The chosen layout of `efficient_layout` is not to be reconsidered.
// CHECK-LABEL: tt.func @efficient_layout(
tt.func @efficient_layout(%x: tensor<8x8xf32>) -> tensor<16x4xf32> {
  // CHECK-COUNT-2: tt.reshape
  %0 = tt.reshape %x efficient_layout : tensor<8x8xf32> -> tensor<64xf32>
  %1 = tt.reshape %0 : tensor<64xf32> -> tensor<16x4xf32>
  tt.return %1 : tensor<16x4xf32>
}

// -----

// Constant masks: true is dropped, false keeps the access from happening.
// CHECK-LABEL: tt.func @masks(
// CHECK-SAME: %[[P:.*]]: tensor<8x!tt.ptr<f32>>, %[[X:.*]]: tensor<8xf32>)
tt.func @masks(%p: tensor<8x!tt.ptr<f32>>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %yes = arith.constant dense<true> : tensor<8xi1>
  %no = arith.constant dense<false> : tensor<8xi1>
  // CHECK-DAG: arith.constant dense<false>
  // CHECK: %[[A:.*]] = tt.load %[[P]] : tensor
  %0 = tt.load %p, %yes, %x : tensor<8x!tt.ptr<f32>>
  %1 = tt.load %p, %no, %x : tensor<8x!tt.ptr<f32>>
  // A volatile access is left alone.
  // CHECK: tt.load %[[P]], %{{.*}}, %[[X]] {isVolatile = true}
  %2 = tt.load %p, %no, %x {isVolatile = true} : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.store %[[P]], %[[A]] : tensor
  // CHECK-NOT: tt.store
  tt.store %p, %0, %yes : tensor<8x!tt.ptr<f32>>
  tt.store %p, %0, %no : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.return %[[A]], %[[X]]
  tt.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
