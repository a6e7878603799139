// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-materialize-block-pointer -tritonintelgpu-remove-layout-conversions -tritonintelgpu-rewrite-tensor-pointer | FileCheck %s

// Gathered rows in a loop over K: the access is marked, and
// takes the layout of the operand, so that no conversion stays in the loop. Numbers
// and mask, which are data, are converted before it.

// CHECK: #[[MMA:.*]] = #ttig.dpas
// CHECK-LABEL: tt.func public @left_operand
// CHECK: %[[COLUMN:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x1xi32, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
// CHECK: scf.for
// CHECK-NOT: ttg.convert_layout
// CHECK: ttig.load_block %{{.*}} rows %[[COLUMN]] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 1, width = 16, blocks = 1>, order = #ttig.order<row_major>, padding = 1 : i32, startsInRow} {{.*}} -> tensor<32x16xf16, #ttg.dot_op<{opIdx = 0, parent = #[[MMA]], kWidth = 1}>>
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.dot
// CHECK-NOT: ttg.convert_layout
// CHECK: scf.yield
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @left_operand(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %t: tensor<32x!tt.ptr<i32>, #line>, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf16, #b>, %k: i32) -> tensor<32x16xf32, #mma> {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %init = arith.constant dense<0.0> : tensor<32x16xf32, #mma>
    %rows = tt.load %t : tensor<32x!tt.ptr<i32>, #line>
    %slice = ttg.convert_layout %rows : tensor<32xi32, #line> -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %column = tt.expand_dims %slice {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %sum = scf.for %iv = %c0 to %k step %c16 iter_args(%acc = %init) -> (tensor<32x16xf32, #mma>) : i32 {
      %p = ttig.surface %base, [%m, %n], [%ld, %c1] : !tt.ptr<f16>
      %x = ttig.load_block %p[%c0, %iv] rows %column {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : (!ttig.memory<f16, 2>, i32, i32, tensor<32x1xi32, #blocked>) -> tensor<32x16xf16, #blocked>
      %a = ttg.convert_layout %x : tensor<32x16xf16, #blocked> -> tensor<32x16xf16, #a>
      %d = tt.dot %a, %w, %acc : tensor<32x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<32x16xf32, #mma>
      scf.yield %d : tensor<32x16xf32, #mma>
    }
    tt.return %sum : tensor<32x16xf32, #mma>
  }
}
