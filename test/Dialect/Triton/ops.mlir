// RUN: triton-xe-opt %s | triton-xe-opt | FileCheck %s
// RUN: triton-xe-opt %s --mlir-print-op-generic | triton-xe-opt | FileCheck %s

// Types print their short form wherever a default allows it.
// CHECK-LABEL: tt.func @types(
// CHECK-SAME: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f16, 3>, %{{.*}}: !tt.ptr<!tt.ptr<f32>>,
// CHECK-SAME: tensor<64x!tt.ptr<f32>>, %{{.*}}: !tt.ptr<tensor<256x32xbf16>>,
// CHECK-SAME: !tt.tensordesc<tensor<32x64xui8>>)
tt.func @types(%a: !tt.ptr<f32, 1>, %b: !tt.ptr<f16, 3>, %c: !tt.ptr<!tt.ptr<f32>>,
               %d: tensor<64x!tt.ptr<f32>>, %e: !tt.ptr<tensor<256x32xbf16>>,
               %f: !tt.tensordesc<tensor<32x64xui8>>) {
  tt.return
}

// Attributes of functions, arguments and results stay what they are.
// CHECK-LABEL: tt.func private @attributes(%{{.*}}: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> i32
// CHECK-SAME: attributes {noinline = true}
tt.func private @attributes(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> i32 attributes {noinline = true} {
  %zero = arith.constant 0 : i32
  tt.return %zero : i32
}

// A call may have any number of operands and results.
// CHECK-LABEL: tt.func @calls
tt.func @calls(%p: !tt.ptr<f32>) {
  // CHECK: tt.call @attributes(%{{.*}}) : (!tt.ptr<f32>) -> i32
  %r = tt.call @attributes(%p) : (!tt.ptr<f32>) -> i32
  // CHECK: tt.call @calls(%{{.*}}) : (!tt.ptr<f32>) -> ()
  tt.call @calls(%p) : (!tt.ptr<f32>) -> ()
  tt.return
}

// Defaults are elided, given values are kept, and the two clauses of a load may
// come in either order.
// CHECK-LABEL: tt.func @loads
tt.func @loads(%p: tensor<64x!tt.ptr<f32>>, %m: tensor<64xi1>, %o: tensor<64xf32>, %b: !tt.ptr<tensor<8x8xf16>>,
               %c: tensor<8x8xi1>) {
  // CHECK: tt.load %{{[a-z0-9]+}} : tensor<64x!tt.ptr<f32>>
  %0 = tt.load %p {boundaryCheck = array<i32>, isVolatile = false} : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = ca evictionPolicy = evict_last {isVolatile = true}
  %1 = tt.load %p, %m, %o evictionPolicy = evict_last cacheModifier = ca {isVolatile = true} : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<8x8xf16>>
  %2 = tt.load %b {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<8x8xf16>>
  // A block may have a mask in addition to its bounds: pipeliners predicate
  // with it.
  // CHECK: tt.load %{{.*}}, %{{.*}} : !tt.ptr<tensor<8x8xf16>>
  %3 = tt.load %b, %c : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// CHECK-LABEL: tt.func @stores
tt.func @stores(%p: !tt.ptr<i8>, %v: i8, %m: i1, %b: !tt.ptr<tensor<8x8xf16>>, %w: tensor<8x8xf16>) {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i8>
  tt.store %p, %v : !tt.ptr<i8>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cs : !tt.ptr<i8>
  tt.store %p, %v, %m cacheModifier = cs evictionPolicy = evict_normal : !tt.ptr<i8>
  // CHECK: tt.store %{{.*}}, %{{.*}} evictionPolicy = evict_first {boundaryCheck = array<i32: 0, 1>}
  tt.store %b, %w evictionPolicy = evict_first {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x8xf16>>
  tt.return
}

// CHECK-LABEL: tt.func @atomics
tt.func @atomics(%p: !tt.ptr<i64>, %v: i64, %m: i1) {
  // CHECK: tt.atomic_rmw umin, relaxed, sys, %{{.*}}, %{{.*}} : (!tt.ptr<i64>, i64) -> i64
  %0 = tt.atomic_rmw umin, relaxed, sys, %p, %v : (!tt.ptr<i64>, i64) -> i64
  // CHECK: tt.atomic_rmw exch, acquire, cta, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i64>, i64, i1) -> i64
  %1 = tt.atomic_rmw exch, acquire, cta, %p, %v, %m : (!tt.ptr<i64>, i64, i1) -> i64
  // CHECK: tt.atomic_cas release, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i64>, i64, i64) -> i64
  %2 = tt.atomic_cas release, gpu, %p, %v, %v : (!tt.ptr<i64>, i64, i64) -> i64
  tt.return
}

// Block pointers and descriptors drop the name of the type where it is implied.
// CHECK-LABEL: tt.func @blocks
tt.func @blocks(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // CHECK: tt.make_tensor_ptr {{.*}} {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %0 = tt.make_tensor_ptr %p, [%s, %s], [%s, %s], [%n, %n] {order = array<i32: 1, 0>} : !tt.ptr<tensor<8x16xf16>>
  // CHECK: tt.advance %{{.*}}, [%{{.*}}, %{{.*}}] : <tensor<8x16xf16>>
  %1 = tt.advance %0, [%n, %n] : <tensor<8x16xf16>>
  // CHECK: tt.make_tensor_descriptor %{{.*}} : <f16>, <tensor<8x16xf16>>
  %2 = tt.make_tensor_descriptor %p, [%n, %n], [%s, %s] {padding = 1 : i32} : <f16>, <tensor<8x16xf16>>
  // The tensor may lack the block's leading ones.
  %3 = tt.make_tensor_descriptor %p, [%n, %n, %n], [%s, %s, %s] : <f16>, <tensor<1x8x16xf16>>
  // CHECK: tt.descriptor_load {{.*}} : !tt.tensordesc<tensor<1x8x16xf16>> -> tensor<8x16xf16>
  %4 = tt.descriptor_load %3[%n, %n, %n] : !tt.tensordesc<tensor<1x8x16xf16>> -> tensor<8x16xf16>
  tt.return
}

// Elementwise operations work on scalars as on tensors.
// CHECK-LABEL: tt.func @elementwise
tt.func @elementwise(%x: f32, %t: tensor<8xf32>, %i: i64) {
  // CHECK: tt.fp_to_fp %{{.*}} : f32 -> f64
  %0 = tt.fp_to_fp %x : f32 -> f64
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : tensor<8xf32> -> tensor<8xbf16>
  %1 = tt.fp_to_fp %t, rounding = rtz : tensor<8xf32> -> tensor<8xbf16>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : f32
  %2 = tt.clampf %x, %x, %x, propagateNan = none : f32
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : i64
  %3 = tt.mulhiui %i, %i : i64
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {{.*}} : (tensor<8xf32>, f32) -> tensor<8xf32>
  %4 = tt.extern_elementwise %t, %x {libname = "", libpath = "", pure = true, symbol = "f"} : (tensor<8xf32>, f32) -> tensor<8xf32>
  // CHECK: tt.elementwise_inline_asm "a" {{.*}} %{{.*}}, %{{.*}} : tensor<8xf32>, f32 -> tensor<8xf32>, tensor<8xi32>
  %5:2 = tt.elementwise_inline_asm "a" {constraints = "", packed_element = 4 : i32, pure = true} %t, %x : tensor<8xf32>, f32 -> tensor<8xf32>, tensor<8xi32>
  // CHECK: tt.elementwise_inline_asm "b" {{.*}} -> i32
  %6 = tt.elementwise_inline_asm "b" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
  tt.return
}

// CHECK-LABEL: tt.func @dots
tt.func @dots(%a: tensor<4x16x32xf16>, %b: tensor<4x32x16xf16>, %c: tensor<4x16x16xf32>, %p: tensor<16x16xi8>,
              %q: tensor<32x16xi8>, %s: tensor<16x1xi8>, %h: tensor<16x32xf16>, %d: tensor<16x16xf32>,
              %f: tensor<16x2xf8E4M3FN>) {
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{[a-z0-9]+}} : tensor<4x16x32xf16> * tensor<4x32x16xf16> -> tensor<4x16x16xf32>
  %0 = tt.dot %a, %b, %c, inputPrecision = ieee {maxNumImpreciseAcc = 0 : i32} : tensor<4x16x32xf16> * tensor<4x32x16xf16> -> tensor<4x16x16xf32>
  // Pairs of 4-bit values along K in one operand, 16-bit floats without a scale in
  // the other.
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e2m1 rhs = fp16 {fastMath = true}
  // CHECK-SAME: : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xf16> -> tensor<16x16xf32>
  %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  %1 = tt.dot_scaled %p scale %s, %t, %d lhs = e2m1 rhs = fp16 {fastMath = true, lhs_k_pack = true} : tensor<16x16xi8>, tensor<16x1xi8> * tensor<32x16xf16> -> tensor<16x16xf32>
  // Scales that are floats hold for 16 values.
  // CHECK: tt.dot_scaled {{.*}} lhs = e2m1 rhs = e5m2 {fastMath = false}
  %2 = tt.dot_scaled %p scale %f, %q scale %f, %d lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<16x16xi8>, tensor<16x2xf8E4M3FN> * tensor<32x16xi8>, tensor<16x2xf8E4M3FN> -> tensor<16x16xf32>
  // Pairs along N instead.
  // CHECK: tt.dot_scaled {{.*}} lhs = fp16 rhs = e2m1 {fastMath = false, rhs_k_pack = false}
  %w = tt.trans %d {order = array<i32: 1, 0>} : tensor<16x16xf32> -> tensor<16x16xf32>
  %j = tt.join %w, %w : tensor<16x16xf32> -> tensor<16x16x2xf32>
  %u = tt.reshape %j : tensor<16x16x2xf32> -> tensor<16x32xf32>
  %3 = tt.dot_scaled %h, %q, %u lhs = fp16 rhs = e2m1 {fastMath = false, rhs_k_pack = false} : tensor<16x32xf16> * tensor<32x16xi8> -> tensor<16x32xf32>
  tt.return
}

// Scalar code may branch inside of a map.
// CHECK-LABEL: tt.func @map
tt.func @map(%x: tensor<8xi32>) {
  // CHECK: "tt.map_elementwise"(%{{.*}}) <{pack = 2 : i32}> ({
  %0:2 = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.map_elementwise.return %a, %b, %c, %c : i32, i32, i1, i1
  ^bb2:
    tt.map_elementwise.return %b, %a, %c, %c : i32, i32, i1, i1
  }) : (tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi1>)
  tt.return
}
