// RUN: triton-xe-opt %s --triton-intel-decompose-scaled-dot | FileCheck %s

// An exponent becomes that of an f32, one for all values of a group; the scaled
// values fit bf16. A factor without a scale stays what it is.
// CHECK-LABEL: @exponents
// CHECK-SAME: (%[[A:.*]]: tensor<16x64xf8E4M3FN>, %[[S:.*]]: tensor<16x2xi8>, %[[B:.*]]: tensor<64x16xbf16>, %[[C:.*]]: tensor<16x16xf32>)
// CHECK: %[[VALUES:.*]] = tt.fp_to_fp %[[A]] : tensor<16x64xf8E4M3FN> -> tensor<16x64xf32>
// CHECK: %[[EXPONENT:.*]] = arith.extui %[[S]] : tensor<16x2xi8> to tensor<16x2xi32>
// CHECK: arith.shli %[[EXPONENT]]
// CHECK: arith.cmpi eq, %[[EXPONENT]]
// CHECK: arith.select
// CHECK: arith.cmpi eq, %[[EXPONENT]]
// CHECK: %[[BITS:.*]] = arith.select
// CHECK: %[[SCALE:.*]] = tt.bitcast %[[BITS]] : tensor<16x2xi32> -> tensor<16x2xf32>
// CHECK: tt.expand_dims %[[SCALE]] {axis = 2 : i32}
// CHECK: tt.broadcast {{.*}} -> tensor<16x2x32xf32>
// CHECK: %[[ALL:.*]] = tt.reshape {{.*}} -> tensor<16x64xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[VALUES]], %[[ALL]]
// CHECK: %[[LHS:.*]] = arith.truncf %[[SCALED]] : tensor<16x64xf32> to tensor<16x64xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[B]]
// CHECK: %[[RHS:.*]] = arith.truncf %[[WIDE]]
// CHECK: tt.dot %[[LHS]], %[[RHS]], %[[C]] : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
tt.func @exponents(%a: tensor<16x64xf8E4M3FN>, %s: tensor<16x2xi8>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x2xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// With fast math there is no NaN among scales: one selection, for 2^-127. The
// scales of the right factor are transposed.
// CHECK-LABEL: @right
// CHECK-COUNT-1: arith.select
// CHECK-NOT: arith.select
// CHECK: tt.reshape {{.*}} : tensor<16x2x32xf32> -> tensor<16x64xf32>
// CHECK: tt.trans {{.*}} {order = array<i32: 1, 0>} : tensor<16x64xf32> -> tensor<64x16xf32>
// CHECK: tt.dot
tt.func @right(%a: tensor<16x64xbf16>, %b: tensor<64x16xf8E5M2>, %s: tensor<16x2xi8>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a, %b scale %s, %c lhs = bf16 rhs = e5m2 {fastMath = true} : tensor<16x64xbf16> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Two values per byte, along K: the pair is last for the left factor, and moves
// between the dimensions for the right one.
// CHECK-LABEL: @pairs
// CHECK: tt.join {{.*}} : tensor<16x32xf32> -> tensor<16x32x2xf32>
// CHECK-NEXT: tt.reshape {{.*}} : tensor<16x32x2xf32> -> tensor<16x64xf32>
// CHECK: tt.join {{.*}} : tensor<32x16xf32> -> tensor<32x16x2xf32>
// CHECK-NEXT: tt.trans {{.*}} {order = array<i32: 0, 2, 1>} : tensor<32x16x2xf32> -> tensor<32x2x16xf32>
// CHECK-NEXT: tt.reshape {{.*}} : tensor<32x2x16xf32> -> tensor<64x16xf32>
// CHECK: tt.dot {{.*}} : tensor<16x64xbf16> * tensor<64x16xbf16>
tt.func @pairs(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<16x32xi8> * tensor<32x16xi8> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// ... or along the other dimension.
// CHECK-LABEL: @pairs_of_rows
// CHECK: tt.join {{.*}} : tensor<8x64xf32> -> tensor<8x64x2xf32>
// CHECK-NEXT: tt.trans {{.*}} -> tensor<8x2x64xf32>
// CHECK-NEXT: tt.reshape {{.*}} -> tensor<16x64xf32>
tt.func @pairs_of_rows(%a: tensor<8x64xi8>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false, lhs_k_pack = false} : tensor<8x64xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// f16 has 11 bits, which tf32 has too; the exponents would be too large for f16.
// CHECK-LABEL: @half
// CHECK: tt.dot {{.*}}, inputPrecision = tf32 : tensor<16x64xf32> * tensor<64x16xf32>
tt.func @half(%a: tensor<16x64xf16>, %b: tensor<64x16xf8E5M2>, %s: tensor<16x2xi8>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a, %b scale %s, %c lhs = fp16 rhs = e5m2 {fastMath = false} : tensor<16x64xf16> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Scales with a mantissa add their four bits: bf16 has no room left for its own.
// CHECK-LABEL: @mantissas
// CHECK: tt.fp_to_fp {{.*}} : tensor<16x4xf8E4M3FN> -> tensor<16x4xf32>
// CHECK: tt.broadcast {{.*}} -> tensor<16x4x16xf32>
// CHECK: tt.dot {{[^=]*}} : tensor<16x64xf32> * tensor<64x16xf32>
tt.func @mantissas(%a: tensor<16x64xbf16>, %s: tensor<16x4xf8E4M3FN>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = bf16 rhs = bf16 {fastMath = false} : tensor<16x64xbf16>, tensor<16x4xf8E4M3FN> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Batches keep their dimension in front.
// CHECK-LABEL: @batch
// CHECK: tt.broadcast {{.*}} : tensor<2x16x2x1xf32> -> tensor<2x16x2x32xf32>
// CHECK: tt.trans {{.*}} {order = array<i32: 0, 2, 1>} : tensor<2x16x64xf32> -> tensor<2x64x16xf32>
// CHECK: tt.dot {{.*}} -> tensor<2x16x16xf32>
tt.func @batch(%a: tensor<2x16x64xf8E5M2>, %b: tensor<2x64x16xf8E5M2>, %s: tensor<2x16x2xi8>, %c: tensor<2x16x16xf32>) -> tensor<2x16x16xf32> {
  %d = tt.dot_scaled %a, %b scale %s, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<2x16x64xf8E5M2> * tensor<2x64x16xf8E5M2>, tensor<2x16x2xi8> -> tensor<2x16x16xf32>
  tt.return %d : tensor<2x16x16xf32>
}
