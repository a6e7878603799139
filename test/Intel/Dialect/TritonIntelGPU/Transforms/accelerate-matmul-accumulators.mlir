// RUN: triton-xe-opt %s --tritonintelgpu-accelerate-matmul | FileCheck %s
// RUN: triton-xe-opt %s --tritonintelgpu-accelerate-matmul=skip=0 | FileCheck %s --check-prefix=SKIP

#other = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

// CHECK-DAG: #[[OTHER:.*]] = #ttg.blocked<{sizePerThread = [1, 1],
// CHECK-DAG: #[[MMA:.*]] = #ttig.dpas
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// The loop scales the accumulator in every iteration, as in flash attention: the dot starts from zero, and scale and sum
// are one operation in the layout of what the loop carries. Without the rewrite, the dot has its accumulator.
// CHECK-LABEL: @scaled
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] =
// CHECK-NOT: arith.mulf
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<32x16xf32, #[[MMA]]>
// CHECK-NEXT: %[[DOT:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[ZERO]]
// CHECK-NEXT: %[[PRODUCT:.*]] = ttg.convert_layout %[[DOT]] {{.*}} -> tensor<32x16xf32, #[[OTHER]]>
// CHECK-NEXT: %[[NEXT:.*]] = math.fma %[[ACC]], %{{.*}}, %[[PRODUCT]] : tensor<32x16xf32, #[[OTHER]]>
// SKIP-LABEL: @scaled
// SKIP: %[[SCALED:.*]] = arith.mulf
// SKIP: %[[C:.*]] = ttg.convert_layout %[[SCALED]]
// SKIP: %[[D:.*]] = ttg.convert_layout %[[C]]
// SKIP: tt.dot %{{.*}}, %{{.*}}, %[[D]]
// SKIP-NOT: math.fma
// SKIP: scf.yield
tt.func @scaled(%a: tensor<32x16xf16, #a>, %b: tensor<16x16xf16, #b>, %init: tensor<32x16xf32, #other>, %factor: tensor<32x16xf32, #other>, %n: i32) -> tensor<32x16xf32, #other> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<32x16xf32, #other>) : i32 {
    %scaled = arith.mulf %acc, %factor : tensor<32x16xf32, #other>
    %c = ttg.convert_layout %scaled : tensor<32x16xf32, #other> -> tensor<32x16xf32, #blocked>
    %d = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #blocked>
    %next = ttg.convert_layout %d : tensor<32x16xf32, #blocked> -> tensor<32x16xf32, #other>
    scf.yield %next : tensor<32x16xf32, #other>
  }
  tt.return %r : tensor<32x16xf32, #other>
}

// An accumulator that the loop changes in another way gets a separate sum.
// CHECK-LABEL: @decayed
// CHECK: %[[C:.*]] = arith.select
// CHECK: %[[DOT:.*]] = tt.dot
// CHECK: %[[PRODUCT:.*]] = ttg.convert_layout %[[DOT]]
// CHECK: arith.addf %[[C]], %[[PRODUCT]]
tt.func @decayed(%a: tensor<32x16xf16, #a>, %b: tensor<16x16xf16, #b>, %init: tensor<32x16xf32, #blocked>, %mask: tensor<32x16xi1, #blocked>, %n: i32) -> tensor<32x16xf32, #blocked> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<32x16xf32, #blocked>) : i32 {
    %c = arith.select %mask, %acc, %init : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
    %d = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #blocked>
    scf.yield %d : tensor<32x16xf32, #blocked>
  }
  tt.return %r : tensor<32x16xf32, #blocked>
}

// These dots keep their accumulators: that of a GEMM, one that no iteration has left, one that is used otherwise, a result
// of 16 bits, scalar multiply-adds, and a dot outside of loops.
// CHECK-LABEL: @kept
// CHECK-NOT: math.fma
// CHECK-NOT: arith.addf
// CHECK: tt.return
tt.func @kept(%a: tensor<32x16xf16, #a>, %b: tensor<16x16xf16, #b>, %init: tensor<32x16xf32, #blocked>, %factor: tensor<32x16xf32, #blocked>, %narrow: tensor<32x16xf16, #blocked>,
              %fa: tensor<32x16xf32, #a>, %fb: tensor<16x16xf32, #b>, %n: i32)
    -> (tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf16, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:6 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %made = %init, %twice = %init, %half = %narrow, %fma = %init, %other = %init)
      -> (tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf16, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>) : i32 {
    %d = tt.dot %a, %b, %acc : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #blocked>
    %new = arith.mulf %init, %factor : tensor<32x16xf32, #blocked>
    %e = tt.dot %a, %b, %new : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #blocked>
    %seen = arith.mulf %twice, %factor : tensor<32x16xf32, #blocked>
    %f = tt.dot %a, %b, %seen : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #blocked>
    %h = arith.mulf %half, %narrow : tensor<32x16xf16, #blocked>
    %g = tt.dot %a, %b, %h : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf16, #blocked>
    %s = arith.mulf %fma, %fma : tensor<32x16xf32, #blocked>
    %t = tt.dot %fa, %fb, %s : tensor<32x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<32x16xf32, #blocked>
    scf.yield %d, %e, %f, %g, %t, %seen : tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf16, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>
  }
  %c = arith.mulf %r#0, %factor : tensor<32x16xf32, #blocked>
  %last = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #blocked>
  tt.return %last, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf16, #blocked>, tensor<32x16xf32, #blocked>, tensor<32x16xf32, #blocked>
}
}
