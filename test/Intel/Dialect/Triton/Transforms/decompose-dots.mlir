// RUN: triton-xe-opt %s --split-input-file --triton-intel-decompose-dots --verify-diagnostics | FileCheck %s

// An exponent becomes that of an f32, one for all values of a group; the scaled
// values fit bf16. An operand without a scale stays what it is.
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
// scales of the right operand are transposed.
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

// Two values per byte, along K: the pair is last for the left operand, and moves
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

// Batches keep their dimension first.
// CHECK-LABEL: @batch
// CHECK: tt.broadcast {{.*}} : tensor<2x16x2x1xf32> -> tensor<2x16x2x32xf32>
// CHECK: tt.trans {{.*}} {order = array<i32: 0, 2, 1>} : tensor<2x16x64xf32> -> tensor<2x64x16xf32>
// CHECK: tt.dot {{.*}} -> tensor<2x16x16xf32>
tt.func @batch(%a: tensor<2x16x64xf8E5M2>, %b: tensor<2x64x16xf8E5M2>, %s: tensor<2x16x2xi8>, %c: tensor<2x16x16xf32>) -> tensor<2x16x16xf32> {
  %d = tt.dot_scaled %a, %b scale %s, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<2x16x64xf8E5M2> * tensor<2x64x16xf8E5M2>, tensor<2x16x2xi8> -> tensor<2x16x16xf32>
  tt.return %d : tensor<2x16x16xf32>
}

// -----

// Where instructions multiply by scales, operands of 8 bits stay as they are. An
// operand of pairs becomes e4m3 beside one of 8 bits, and where its pairs lie
// along N; two operands of pairs along K stay packed. The accumulator is f32.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "cri">} {
// CHECK-LABEL: @native
// CHECK-SAME: (%[[A:.*]]: tensor<16x64xi8>, %[[S:.*]]: tensor<16x2xi8>, %[[B:.*]]: tensor<64x16xf8E5M2>, %[[C:.*]]: tensor<16x16xf16>)
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[C]] : tensor<16x16xf16> to tensor<16x16xf32>
// CHECK-NEXT: %[[D:.*]] = tt.dot_scaled %[[A]] scale %[[S]], %[[B]], %[[WIDE]] lhs = e4m3 rhs = e5m2 {fastMath = false}
// CHECK-NEXT: arith.truncf %[[D]]
tt.func @native(%a: tensor<16x64xi8>, %s: tensor<16x2xi8>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xi8>, tensor<16x2xi8> * tensor<64x16xf8E5M2> -> tensor<16x16xf16>
  tt.return %d : tensor<16x16xf16>
}

// CHECK-LABEL: @pairs
// CHECK-SAME: (%[[A:.*]]: tensor<16x32xi8>, %[[S:.*]]: tensor<16x2xi8>, %[[B:.*]]: tensor<32x16xi8>, %[[N:.*]]: tensor<64x8xi8>, %[[F:.*]]: tensor<16x64xf8E5M2>
// CHECK-NEXT: %[[D:.*]] = tt.dot_scaled %[[A]] scale %[[S]], %[[B]], %{{.*}} lhs = e2m1 rhs = e2m1 {fastMath = true} : tensor<16x32xi8>, tensor<16x2xi8> * tensor<32x16xi8> -> tensor<16x16xf32>
// CHECK: tt.bitcast {{.*}} : tensor<64x8xi8> -> tensor<64x8xf8E4M3FN>
// CHECK: %[[WIDE:.*]] = tt.reshape {{.*}} -> tensor<64x16xf8E4M3FN>
// CHECK-NEXT: tt.dot_scaled %[[F]] scale %[[S]], %[[WIDE]], %[[D]] lhs = e5m2 rhs = e4m3
tt.func @pairs(%a: tensor<16x32xi8>, %s: tensor<16x2xi8>, %b: tensor<32x16xi8>, %n: tensor<64x8xi8>, %f: tensor<16x64xf8E5M2>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = e2m1 {fastMath = true} : tensor<16x32xi8>, tensor<16x2xi8> * tensor<32x16xi8> -> tensor<16x16xf32>
  %1 = tt.dot_scaled %f scale %s, %n, %0 lhs = e5m2 rhs = e2m1 {fastMath = true, rhs_k_pack = false} : tensor<16x64xf8E5M2>, tensor<16x2xi8> * tensor<64x8xi8> -> tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// No instruction: scales of e4m3, an operand of 16 bits, fewer rows than an
// instruction has, and no scales at all.
// CHECK-LABEL: @common
// CHECK-NOT: tt.dot_scaled
// CHECK-COUNT-4: tt.dot
tt.func @common(%a: tensor<16x64xf8E4M3FN>, %s: tensor<16x4xf8E4M3FN>, %t: tensor<16x2xi8>, %b: tensor<64x16xf8E5M2>, %wide: tensor<64x16xbf16>, %short: tensor<4x64xf8E4M3FN>, %u: tensor<4x2xi8>, %c: tensor<16x16xf32>, %d: tensor<4x16xf32>) -> (tensor<16x16xf32>, tensor<4x16xf32>) {
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x4xf8E4M3FN> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  %1 = tt.dot_scaled %a scale %t, %wide, %0 lhs = e4m3 rhs = bf16 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x2xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  %2 = tt.dot_scaled %a, %b, %1 lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  %3 = tt.dot_scaled %short scale %u, %b, %d lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<4x64xf8E4M3FN>, tensor<4x2xi8> * tensor<64x16xf8E5M2> -> tensor<4x16xf32>
  tt.return %2, %3 : tensor<16x16xf32>, tensor<4x16xf32>
}
}

// -----

// Instructions work with sub-groups of 16.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttig.target = #ttig.target<arch = "cri">} {
// CHECK-LABEL: @wide_sub_groups
// CHECK-NOT: tt.dot_scaled
// CHECK: tt.dot {{.*}} -> tensor<16x16xf32>
tt.func @wide_sub_groups(%a: tensor<16x64xf8E4M3FN>, %s: tensor<16x2xi8>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN>, tensor<16x2xi8> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}

// -----

module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // Upper parts have the bits of tf32; lower parts are what is left. The upper
  // product comes last, on top of the accumulator and of the small products,
  // where these are finite.
  // CHECK-LABEL: @tf32x3
  // CHECK-SAME: (%[[A:.*]]: tensor<16x32xf32>, %[[B:.*]]: tensor<32x16xf32>, %[[C:.*]]: tensor<16x16xf32>)
  // CHECK-DAG: arith.constant dense<-8192> : tensor<16x32xi32>
  // CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[A]], %[[A]]
  // CHECK: %[[A_HIGH:.*]] = arith.select %[[NUMBER]], %{{.*}}, %[[A]]
  // CHECK: %[[A_LOW:.*]] = arith.subf %[[A]], %[[A_HIGH]]
  // CHECK: %[[B_HIGH:.*]] = arith.select
  // CHECK: %[[B_LOW:.*]] = arith.subf %[[B]], %[[B_HIGH]]
  // CHECK: %[[FIRST:.*]] = tt.dot %[[A_LOW]], %[[B_HIGH]], %{{.*}}, inputPrecision = tf32
  // CHECK: %[[SECOND:.*]] = tt.dot %[[A_HIGH]], %[[B_LOW]], %[[FIRST]], inputPrecision = tf32
  // CHECK: math.absf %[[SECOND]]
  // CHECK: %[[SMALL:.*]] = arith.select %{{.*}}, %[[SECOND]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[C]], %[[SMALL]]
  // CHECK: tt.dot %[[A_HIGH]], %[[B_HIGH]], %[[SUM]], inputPrecision = tf32
  tt.func @tf32x3(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }

  // Two parts of bf16 of each operand, and three products.
  // CHECK-LABEL: @bf16x3
  // CHECK-COUNT-4: arith.truncf {{.*}} toward_zero
  // CHECK-NOT: arith.truncf
  // CHECK-COUNT-3: tt.dot {{.*}} : tensor<16x32xbf16> * tensor<32x16xbf16> -> tensor<16x16xf32>
  // CHECK-NOT: tt.dot
  tt.func @bf16x3(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = bf16x3 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }

  // Three parts are all of an f32; of nine products six count.
  // CHECK-LABEL: @bf16x6
  // CHECK-COUNT-6: arith.truncf {{.*}} toward_zero
  // CHECK-NOT: arith.truncf
  // CHECK-COUNT-6: tt.dot
  // CHECK-NOT: tt.dot
  tt.func @bf16x6(%a: tensor<16x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %d : tensor<16x16xf32>
  }

  // A dot with less than one instruction's columns, or less than its depth, becomes
  // exact.
  // CHECK-LABEL: @small
  // CHECK: tt.dot %{{[^=]*}} : tensor<16x32xf32> * tensor<32x8xf32>
  // CHECK: tt.dot %{{[^=]*}} : tensor<16x8xf32> * tensor<8x16xf32>
  tt.func @small(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>, %c: tensor<16x8xf32>, %e: tensor<16x8xf32>, %f: tensor<8x16xf32>, %g: tensor<16x16xf32>) -> (tensor<16x8xf32>, tensor<16x16xf32>) {
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
    %1 = tt.dot %e, %f, %g, inputPrecision = bf16x3 : tensor<16x8xf32> * tensor<8x16xf32> -> tensor<16x16xf32>
    tt.return %0, %1 : tensor<16x8xf32>, tensor<16x16xf32>
  }

  // Other types have nothing to split, whatever precision the frontend gives.
  // CHECK-LABEL: @others
  // CHECK: tt.dot %{{[^=]*}} : tensor<16x32xf16>
  // CHECK: tt.dot %{{.*}}, inputPrecision = tf32 : tensor<16x32xf32>
  tt.func @others(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>, %e: tensor<16x32xf32>, %f: tensor<32x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
    %1 = tt.dot %e, %f, %c, inputPrecision = tf32 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
    tt.return %0, %1 : tensor<16x16xf32>, tensor<16x16xf32>
  }
}

// -----

// Values of six bits are refused: the language has no tensors of them.
tt.func @six_bits(%a: tensor<16x64xi8>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // expected-error @below {{cannot multiply values of the formats e2m3 and bf16}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = bf16 {fastMath = false} : tensor<16x64xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// A dot with layouts does not change: they belong to its own operands.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: @layouts
  // CHECK-NEXT: tt.dot_scaled %arg0 scale %arg1, %arg2, %arg3
  tt.func @layouts(%a: tensor<16x64xf8E4M3FN, #a>, %s: tensor<16x2xi8, #blocked>, %b: tensor<64x16xf8E5M2, #b>, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN, #a>, tensor<16x2xi8, #blocked> * tensor<64x16xf8E5M2, #b> -> tensor<16x16xf32, #blocked>
    tt.return %0 : tensor<16x16xf32, #blocked>
  }
}
