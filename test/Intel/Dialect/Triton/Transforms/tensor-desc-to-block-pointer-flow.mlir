// RUN: triton-xe-opt %s --split-input-file --triton-intel-tensor-desc-to-block-pointer --canonicalize --verify-each | FileCheck %s --implicit-check-not=tensordesc --implicit-check-not=unrealized

// One of two existing ones is chosen part by part.

// CHECK-LABEL: tt.func public @select
// CHECK-SAME: (%[[A:.*]]: !tt.ptr<f32>, %[[B:.*]]: !tt.ptr<f32>
// CHECK: %[[BASE:.*]] = arith.select %{{.*}}, %[[A]], %[[B]] : !tt.ptr<f32>
// CHECK: ttig.surface %[[BASE]]
// CHECK: ttig.load_block {{.*}}padding = 1 : i32
tt.func public @select(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32, %ld: i64, %c: i1, %out: tensor<16x32x!tt.ptr<f32>>) {
  %c1_i64 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%ld, %c1_i64] : <f32>, <tensor<16x32xf32>>
  %e = tt.make_tensor_descriptor %b, [%n, %n], [%ld, %c1_i64] : <f32>, <tensor<16x32xf32>>
  %s = arith.select %c, %d, %e : !tt.tensordesc<tensor<16x32xf32>>
  %x = tt.descriptor_load %s[%n, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Padding is found through a while loop.

// CHECK-LABEL: tt.func public @while
// CHECK: scf.while
// CHECK: ttig.load_block {{.*}}padding = 2 : i32
// CHECK-NOT: scf.if
tt.func public @while(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32, %ld: i64, %out: tensor<16x32x!tt.ptr<f32>>) {
  %c1_i64 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%ld, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %e = tt.make_tensor_descriptor %b, [%n, %n], [%ld, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %r:3 = scf.while (%p = %d, %q = %e, %i = %c0) : (!tt.tensordesc<tensor<16x32xf32>>, !tt.tensordesc<tensor<16x32xf32>>, i32) -> (!tt.tensordesc<tensor<16x32xf32>>, !tt.tensordesc<tensor<16x32xf32>>, i32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %p, %q, %i : !tt.tensordesc<tensor<16x32xf32>>, !tt.tensordesc<tensor<16x32xf32>>, i32
  } do {
  ^bb0(%u: !tt.tensordesc<tensor<16x32xf32>>, %v: !tt.tensordesc<tensor<16x32xf32>>, %j: i32):
    %k = arith.addi %j, %n : i32
    scf.yield %v, %u, %k : !tt.tensordesc<tensor<16x32xf32>>, !tt.tensordesc<tensor<16x32xf32>>, i32
  }
  %x = tt.descriptor_load %r#0[%n, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Two paddings meet in a loop: one bit is carried along, and the load tests it.
// Other descriptors do not pay for that.

// CHECK-LABEL: tt.func public @mixed
// CHECK: scf.for {{.*}} -> (!tt.ptr<f32>, {{.*}}i1
// CHECK: %[[X:.*]] = scf.if %{{.*}} -> (tensor<16x32xf32>)
// CHECK: ttig.load_block {{.*}}padding = 2 : i32
// CHECK: else
// CHECK: ttig.load_block {{.*}}padding = 1 : i32
// CHECK: scf.yield {{.*}}i1
// CHECK: ttig.surface
// CHECK-NOT: scf.if
// CHECK: ttig.load_block {{.*}}padding = 2 : i32
tt.func public @mixed(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32, %ld: i64, %out: tensor<16x32x!tt.ptr<f32>>) {
  %c1_i64 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%ld, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %e = tt.make_tensor_descriptor %b, [%n, %n], [%ld, %c1_i64] {padding = 1 : i32} : <f32>, <tensor<16x32xf32>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %d, %q = %e) -> (!tt.tensordesc<tensor<16x32xf32>>, !tt.tensordesc<tensor<16x32xf32>>) : i32 {
    %x = tt.descriptor_load %p[%i, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
    tt.store %out, %x : tensor<16x32x!tt.ptr<f32>>
    scf.yield %q, %p : !tt.tensordesc<tensor<16x32xf32>>, !tt.tensordesc<tensor<16x32xf32>>
  }
  %f = tt.make_tensor_descriptor %a, [%n, %n], [%ld, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %y = tt.descriptor_load %f[%n, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.store %out, %y : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A descriptor of the host pads with zero: the kernel's signature stays, and the other one is chosen with its bit. A
// gather is a branch, as a load is.

// CHECK-LABEL: tt.func public @host
// CHECK-SAME: (%{{.*}}: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64 {tt.divisibility = 4 : i32}, %{{.*}}: i64, %{{.*}}: !tt.ptr<f32>, %{{.*}}: i32, %{{.*}}: i1
// CHECK: scf.if %{{.*}} -> (tensor<16x32xf32>)
// CHECK-DAG: ttig.load_block {{.*}}padding = 2 : i32
// CHECK-DAG: ttig.load_block {{.*}}padding = 1 : i32
tt.func public @host(%d: !tt.tensordesc<tensor<1x32xf32>>, %a: !tt.ptr<f32>, %n: i32, %c: i1, %rows: tensor<16xi32>, %out: tensor<16x32x!tt.ptr<f32>>) {
  %c1_i64 = arith.constant 1 : i64
  %e = tt.make_tensor_descriptor %a, [%n, %n], [%c1_i64, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<1x32xf32>>
  %s = arith.select %c, %d, %e : !tt.tensordesc<tensor<1x32xf32>>
  %x = tt.descriptor_gather %s[%rows, %n] : (!tt.tensordesc<tensor<1x32xf32>>, tensor<16xi32>, i32) -> tensor<16x32xf32>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Branches between blocks, as an early return leaves them, pass on parts.

// CHECK-LABEL: tt.func public @blocks
// CHECK-SAME: (%[[A:.*]]: !tt.ptr<f32>, %[[B:.*]]: !tt.ptr<f32>
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[LAST:.*]](%[[A]], %{{.*}}, %{{.*}}, %c1_i64, %false : !tt.ptr<f32>, i64, i64, i64, i1)
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[LAST]](%[[B]], %{{.*}}, %{{.*}}, %c1_i64, %true : !tt.ptr<f32>, i64, i64, i64, i1)
// CHECK: ^[[LAST]](%[[BASE:.*]]: !tt.ptr<f32>, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[LD:.*]]: i64, %[[NAN:.*]]: i1):
// CHECK: scf.if %[[NAN]]
// CHECK: ttig.surface %[[BASE]], [%[[M]], %[[N]]], [%[[LD]], %c1_i64]
tt.func public @blocks(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32, %c: i1, %e: i1, %out: tensor<16x32x!tt.ptr<f32>>) {
  %c1_i64 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%c1_i64, %c1_i64] : <f32>, <tensor<16x32xf32>>
  cf.cond_br %c, ^bb1, ^bb2(%d : !tt.tensordesc<tensor<16x32xf32>>)
^bb1:
  %f = tt.make_tensor_descriptor %b, [%n, %n], [%c1_i64, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %y = tt.descriptor_load %f[%n, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.store %out, %y : tensor<16x32x!tt.ptr<f32>>
  cf.cond_br %e, ^bb3, ^bb2(%f : !tt.tensordesc<tensor<16x32xf32>>)
^bb2(%p: !tt.tensordesc<tensor<16x32xf32>>):
  %x = tt.descriptor_load %p[%n, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f32>>
  cf.br ^bb3
^bb3:
  tt.return
}

// -----

// Functions take and return parts; the padding that callers agree on is known inside.

// CHECK-LABEL: tt.func public @caller
// CHECK: %[[R:.*]]:6 = tt.call @pick(%{{.*}}) : (i1, !tt.ptr<f32>, i64, i64, i64, i64, i1, !tt.ptr<f32>, i64, i64, i64, i64, i1, i32) -> (!tt.ptr<f32>, i64, i64, i64, i64, i1)
// CHECK: ttig.surface %[[R]]#0, [%[[R]]#1, %[[R]]#2], [%[[R]]#3, %c1_i64]
// CHECK: tt.call @read(%{{.*}}) : (!tt.ptr<f32>, i64, i64, i64, i64) -> tensor<16x32xf32>
// CHECK-LABEL: tt.func private @pick
// CHECK-SAME: (%{{.*}}: i1, %{{.*}}: !tt.ptr<f32>, {{.*}}, %{{.*}}: i32 {tt.divisibility = 2 : i32}) -> (!tt.ptr<f32>, i64, i64, i64, i64, i1) attributes {noinline = true}
// CHECK: tt.return {{.*}} : !tt.ptr<f32>, i64, i64, i64, i64, i1
// CHECK-LABEL: tt.func private @read
// CHECK: ttig.load_block {{.*}}padding = 2 : i32
tt.func public @caller(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %n: i32, %c: i1, %out: tensor<16x32x!tt.ptr<f32>>) {
  %c1_i64 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%c1_i64, %c1_i64] : <f32>, <tensor<16x32xf32>>
  %e = tt.make_tensor_descriptor %b, [%n, %n], [%c1_i64, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %s = tt.call @pick(%c, %d, %e, %n) : (i1, !tt.tensordesc<tensor<16x32xf32>>, !tt.tensordesc<tensor<16x32xf32>>, i32) -> !tt.tensordesc<tensor<16x32xf32>>
  %x = tt.descriptor_load %s[%n, %n] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f32>>
  %f = tt.make_tensor_descriptor %b, [%n, %n], [%c1_i64, %c1_i64] {padding = 2 : i32} : <f32>, <tensor<16x32xf32>>
  %y = tt.call @read(%f) : (!tt.tensordesc<tensor<16x32xf32>>) -> tensor<16x32xf32>
  tt.store %out, %y : tensor<16x32x!tt.ptr<f32>>
  tt.return
}
tt.func private @pick(%c: i1, %d: !tt.tensordesc<tensor<16x32xf32>>, %e: !tt.tensordesc<tensor<16x32xf32>>, %n: i32 {tt.divisibility = 2 : i32}) -> !tt.tensordesc<tensor<16x32xf32>> attributes {noinline = true} {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return %d : !tt.tensordesc<tensor<16x32xf32>>
^bb2:
  tt.return %e : !tt.tensordesc<tensor<16x32xf32>>
}
tt.func private @read(%d: !tt.tensordesc<tensor<16x32xf32>>) -> tensor<16x32xf32> attributes {noinline = true} {
  %c0 = arith.constant 0 : i32
  %x = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.return %x : tensor<16x32xf32>
}
