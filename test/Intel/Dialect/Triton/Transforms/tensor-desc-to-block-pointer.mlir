// RUN: triton-xe-opt %s --split-input-file --triton-intel-tensor-desc-to-block-pointer --canonicalize | FileCheck %s

// A descriptor made in the kernel: loads check every dimension and pad with the
// descriptor's value, stores check every dimension.

// CHECK-LABEL: tt.func public @copy
// CHECK-SAME: (%[[BASE:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32, %[[LD:.*]]: i64, %[[I:.*]]: i32)
// CHECK: %[[P:.*]] = ttig.surface %[[BASE]], [%{{.*}}, %{{.*}}], [%[[LD]], %c1_i64]
// CHECK: %[[X:.*]] = ttig.load_block %[[P]][%[[I]], %c0_i32] {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32}
// CHECK: ttig.store_block %[[X]], %{{.*}} {boundaryCheck = array<i32: 0, 1>}
// CHECK-NOT: tensordesc
tt.func public @copy(%base: !tt.ptr<f32>, %n: i32, %ld: i64, %i: i32) {
  %c1_i64 = arith.constant 1 : i64
  %c0_i32 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %base, [%n, %n], [%ld, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %x = tt.descriptor_load %d[%i, %c0_i32] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.descriptor_store %d[%c0_i32, %i], %x : !tt.tensordesc<tensor<16x32xf32>>, tensor<16x32xf32>
  tt.return
}

// -----

// A descriptor argument: base, shape and strides take its place, with what the
// host guarantees of them; the innermost stride is 1. The other arguments keep
// their hints.

// CHECK-LABEL: tt.func public @argument
// CHECK-SAME: (%[[BASE:.*]]: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[S0:.*]]: i64 {tt.divisibility = 8 : i32}, %{{.*}}: i64, %{{.*}}: i32 {tt.divisibility = 4 : i32})
// CHECK: ttig.surface %[[BASE]], [%[[M]], %[[N]]], [%[[S0]], %c1_i64]
tt.func public @argument(%d: !tt.tensordesc<tensor<16x32xf16>>, %i: i32 {tt.divisibility = 4 : i32}) {
  %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
  tt.return
}

// -----

// Descriptors that a loop carries are carried in parts; a result without the
// leading one is reshaped.

// CHECK-LABEL: tt.func public @carried
// CHECK: scf.for
// CHECK: ttig.surface
// CHECK: ttig.load_block {{.*}}padding = 1 : i32
// CHECK: tt.reshape {{.*}} : tensor<1x16xf16> -> tensor<16xf16>
tt.func public @carried(%base: !tt.ptr<f16>, %other: !tt.ptr<f16>, %n: i32, %out: tensor<16x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1_i64 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<16xf16>
  %d = tt.make_tensor_descriptor %base, [%n, %n], [%c1_i64, %c1_i64] : <f16>, <tensor<1x16xf16>>
  %e = tt.make_tensor_descriptor %other, [%n, %n], [%c1_i64, %c1_i64] : <f16>, <tensor<1x16xf16>>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %d, %q = %e, %acc = %zero) -> (!tt.tensordesc<tensor<1x16xf16>>, !tt.tensordesc<tensor<1x16xf16>>, tensor<16xf16>) : i32 {
    %x = tt.descriptor_load %p[%i, %c0] : !tt.tensordesc<tensor<1x16xf16>> -> tensor<16xf16>
    %s = arith.addf %acc, %x : tensor<16xf16>
    scf.yield %q, %p, %s : !tt.tensordesc<tensor<1x16xf16>>, !tt.tensordesc<tensor<1x16xf16>>, tensor<16xf16>
  }
  tt.store %out, %r#2 : tensor<16x!tt.ptr<f16>>
  tt.return
}

// -----

// Gathered rows: a block pointer as high as there are numbers, with
// the extents and the padding of the descriptor, and the numbers as a column.
// Numbers of 16 bits are signed.

// CHECK-LABEL: tt.func public @gather
// CHECK-SAME: (%[[BASE:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32, %[[LD:.*]]: i64, %[[ROWS:.*]]: tensor<16xi32>, %[[SHORT:.*]]: tensor<16xi16>, %[[J:.*]]: i32
// CHECK: %[[COLUMN:.*]] = tt.expand_dims %[[ROWS]] {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
// CHECK: %[[P:.*]] = ttig.surface %[[BASE]], [%{{.*}}, %{{.*}}], [%[[LD]], %{{.*}}]
// CHECK: ttig.load_block %[[P]][%{{.*}}, %[[J]]] rows %[[COLUMN]] {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32}{{.*}} -> tensor<16x32xf32>
// CHECK: %[[WIDE:.*]] = arith.extsi %[[SHORT]] : tensor<16xi16> to tensor<16xi32>
// CHECK: %[[COLUMN2:.*]] = tt.expand_dims %[[WIDE]]
// CHECK: ttig.load_block %{{.*}}{{.*}} rows %[[COLUMN2]]
tt.func public @gather(%base: !tt.ptr<f32>, %n: i32, %ld: i64, %rows: tensor<16xi32>, %short: tensor<16xi16>, %j: i32, %out: tensor<16x32x!tt.ptr<f32>>) {
  %c1_i64 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %base, [%n, %n], [%ld, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<1x32xf32>>
  %x = tt.descriptor_gather %d[%rows, %j] : (!tt.tensordesc<tensor<1x32xf32>>, tensor<16xi32>, i32) -> tensor<16x32xf32>
  %y = tt.descriptor_gather %d[%short, %j] : (!tt.tensordesc<tensor<1x32xf32>>, tensor<16xi16>, i32) -> tensor<16x32xf32>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f32>>
  tt.store %out, %y : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The inverse.

// CHECK-LABEL: tt.func public @scatter
// CHECK: ttig.store_block %{{.*}}, %{{.*}}{{.*}} rows %{{.*}} {boundaryCheck = array<i32: 0, 1>}
tt.func public @scatter(%d: !tt.tensordesc<tensor<1x32xf32>>, %rows: tensor<16xi32>, %j: i32, %x: tensor<16x32xf32>) {
  tt.descriptor_scatter %d[%rows, %j], %x : !tt.tensordesc<tensor<1x32xf32>>, tensor<16xi32>, i32, tensor<16x32xf32>
  tt.return
}

// -----

// A reduction is relaxed atomic operations on what exists. Descriptors know the sign of their elements; the operand may
// leave out leading ones.

// CHECK-LABEL: tt.func public @reduce
// CHECK: tt.atomic_rmw umax, relaxed, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<16x32x!tt.ptr<i32>>, tensor<16x32xi32>, tensor<16x32xi1>)
// CHECK: tt.reshape %{{.*}} : tensor<32xbf16> -> tensor<1x32xbf16>
// CHECK: tt.atomic_rmw fadd, relaxed, gpu
tt.func public @reduce(%d: !tt.tensordesc<tensor<16x32xui32>>, %x: tensor<16x32xi32>, %e: !tt.tensordesc<tensor<1x32xbf16>>, %y: tensor<32xbf16>, %i: i32) {
  tt.descriptor_reduce max, %d[%i, %i], %x : !tt.tensordesc<tensor<16x32xui32>>, tensor<16x32xi32>
  tt.descriptor_reduce add, %e[%i, %i], %y : !tt.tensordesc<tensor<1x32xbf16>>, tensor<32xbf16>
  tt.return
}

// -----

// A block of one element along leading dimensions is one of the last two: its
// base follows from the leading indices, and an index out of range puts it past
// the last row. Nothing remains of the kernel's own reshape and this one's.

// CHECK-LABEL: tt.func public @batch
// CHECK-SAME: (%[[BASE:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[Z:[^:]*]]: i64, %[[M:[^:]*]]: i64, %[[N:[^:]*]]: i64, %[[SZ:[^:]*]]: i64 {{[^,]*}}, %[[SM:[^:]*]]: i64 {{[^,]*}}, %{{[^:]*}}: i64, %[[IZ:[^:]*]]: i32, %[[I:[^:]*]]: i32
// CHECK: %[[IZ64:.*]] = arith.extsi %[[IZ]] : i32 to i64
// CHECK: %[[OFFSET:.*]] = arith.muli %[[IZ64]], %[[SZ]] : i64
// CHECK: %[[MATRIX:.*]] = tt.addptr %[[BASE]], %[[OFFSET]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[IZ64]], %[[Z]] : i64
// CHECK: %[[BEHIND:.*]] = arith.trunci %[[M]] : i64 to i32
// CHECK: %[[ROW:.*]] = arith.select %[[INSIDE]], %[[I]], %[[BEHIND]] : i32
// CHECK: ttig.surface %[[MATRIX]], [%[[M]], %[[N]]], [%[[SM]], %c1_i64]
// CHECK: ttig.load_block %{{[^[]*}}[%[[ROW]], %c0_i32] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}{{.*}} -> tensor<16x32xf16>
// CHECK-NOT: tt.reshape
// CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 0, 1>}{{.*}} tensor<16x32xf16>) -> ()
tt.func public @batch(%d: !tt.tensordesc<tensor<1x16x32xf16>>, %z: i32, %i: i32, %out: tensor<16x32x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %x = tt.descriptor_load %d[%z, %i, %c0] : !tt.tensordesc<tensor<1x16x32xf16>> -> tensor<1x16x32xf16>
  %y = tt.reshape %x : tensor<1x16x32xf16> -> tensor<16x32xf16>
  tt.store %out, %y : tensor<16x32x!tt.ptr<f16>>
  %w = tt.reshape %y : tensor<16x32xf16> -> tensor<1x16x32xf16>
  tt.descriptor_store %d[%z, %i, %c0], %w : !tt.tensordesc<tensor<1x16x32xf16>>, tensor<1x16x32xf16>
  tt.return
}

// -----

// Blocks of several elements along a leading dimension stay what they are; of
// columns alone at least one other dimension stays.

// CHECK-LABEL: tt.func public @kept_dims
// CHECK: ttig.surface
// CHECK: ttig.surface
tt.func public @kept_dims(%d: !tt.tensordesc<tensor<2x1x32xf16>>, %e: !tt.tensordesc<tensor<1x1x1x32xf16>>, %i: i32, %out: tensor<2x1x32x!tt.ptr<f16>>, %out1: tensor<1x32x!tt.ptr<f16>>) {
  %x = tt.descriptor_load %d[%i, %i, %i] : !tt.tensordesc<tensor<2x1x32xf16>> -> tensor<2x1x32xf16>
  tt.store %out, %x : tensor<2x1x32x!tt.ptr<f16>>
  %y = tt.descriptor_load %e[%i, %i, %i, %i] : !tt.tensordesc<tensor<1x1x1x32xf16>> -> tensor<1x1x1x32xf16>
  %z = tt.reshape %y : tensor<1x1x1x32xf16> -> tensor<1x32xf16>
  tt.store %out1, %z : tensor<1x32x!tt.ptr<f16>>
  tt.return
}
