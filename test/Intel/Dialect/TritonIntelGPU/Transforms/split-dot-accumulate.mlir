// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-split-dot-accumulate | FileCheck %s

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#ba = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#bb = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Scaled in every iteration, as in flash attention: the product is formed from zero, and scale and sum are one operation.
// CHECK-LABEL: @scaled
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] =
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK-NEXT: %[[PRODUCT:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[ZERO]]
// CHECK-NEXT: %[[NEXT:.*]] = math.fma %[[ACC]], %{{.*}}, %[[PRODUCT]]
// CHECK-NEXT: scf.yield %[[NEXT]]
tt.func @scaled(%a: tensor<32x16xf16, #a>, %b: tensor<16x16xf16, #b>, %init: tensor<32x16xf32, #mma>, %factor: tensor<32x16xf32, #mma>, %n: i32) -> tensor<32x16xf32, #mma> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<32x16xf32, #mma>) : i32 {
    %c = arith.mulf %acc, %factor : tensor<32x16xf32, #mma>
    %d = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #mma>
    scf.yield %d : tensor<32x16xf32, #mma>
  }
  tt.return %r : tensor<32x16xf32, #mma>
}

// Changed in another way: a sum of its own.
// CHECK-LABEL: @decayed
// CHECK: %[[C:.*]] = arith.select
// CHECK: %[[PRODUCT:.*]] = tt.dot
// CHECK: arith.addf %[[C]], %[[PRODUCT]]
tt.func @decayed(%a: tensor<32x16xf16, #a>, %b: tensor<16x16xf16, #b>, %init: tensor<32x16xf32, #mma>, %mask: tensor<32x16xi1, #mma>, %n: i32) -> tensor<32x16xf32, #mma> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<32x16xf32, #mma>) : i32 {
    %c = arith.select %mask, %acc, %init : tensor<32x16xi1, #mma>, tensor<32x16xf32, #mma>
    %d = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #mma>
    scf.yield %d : tensor<32x16xf32, #mma>
  }
  tt.return %r : tensor<32x16xf32, #mma>
}

// Left alone: a GEMM's accumulator, one that no iteration has left, one that is used otherwise, a result of 16 bits, scalar
// multiply-adds, and a dot outside of loops.
// CHECK-LABEL: @kept
// CHECK-NOT: math.fma
// CHECK-NOT: arith.addf
// CHECK: tt.return
tt.func @kept(%a: tensor<32x16xf16, #a>, %b: tensor<16x16xf16, #b>, %init: tensor<32x16xf32, #mma>, %factor: tensor<32x16xf32, #mma>, %narrow: tensor<32x16xf16, #mma>,
              %ba: tensor<32x16xf32, #ba>, %bb: tensor<16x16xf32, #bb>, %binit: tensor<32x16xf32, #blocked>, %n: i32)
    -> (tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf16, #mma>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #mma>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:6 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %made = %init, %twice = %init, %half = %narrow, %fma = %binit, %other = %init)
      -> (tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf16, #mma>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #mma>) : i32 {
    %d = tt.dot %a, %b, %acc : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #mma>
    %new = arith.mulf %init, %factor : tensor<32x16xf32, #mma>
    %e = tt.dot %a, %b, %new : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #mma>
    %seen = arith.mulf %twice, %factor : tensor<32x16xf32, #mma>
    %f = tt.dot %a, %b, %seen : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #mma>
    %h = arith.mulf %half, %narrow : tensor<32x16xf16, #mma>
    %g = tt.dot %a, %b, %h : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf16, #mma>
    %s = arith.mulf %fma, %fma : tensor<32x16xf32, #blocked>
    %t = tt.dot %ba, %bb, %s : tensor<32x16xf32, #ba> * tensor<16x16xf32, #bb> -> tensor<32x16xf32, #blocked>
    scf.yield %d, %e, %f, %g, %t, %seen : tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf16, #mma>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #mma>
  }
  %c = arith.mulf %r#0, %factor : tensor<32x16xf32, #mma>
  %last = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #mma>
  tt.return %last, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf32, #mma>, tensor<32x16xf16, #mma>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #mma>
}
}
