// RUN: triton-xe-opt %s --tritonintelgpu-materialize-block-pointer | FileCheck %s

// Marks are about memory alone: every layout will do. The contiguous dimension
// decides between row and column major; loads of the left factor of a dot cannot
// be transposed.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: tt.func public @marks
  tt.func public @marks(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i64 {tt.divisibility = 16 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %odd: i64, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %rows = tt.make_tensor_ptr %base, [%m, %m], [%ld, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    %columns = tt.make_tensor_ptr %base, [%m, %m], [%c1, %ld], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x16xf16, #blocked>>
    %other = tt.make_tensor_ptr %base, [%m, %m], [%odd, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    // CHECK: tt.load {{.*}} {ttig.block_io = "row_major"}
    %x = tt.load %rows : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: tt.load {{.*}} {ttig.block_io = "column_major"}
    %y = tt.load %columns : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: tt.load %{{[0-9]+}} : !tt.ptr
    %z = tt.load %columns : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: tt.load %{{[0-9]+}} : !tt.ptr
    %w = tt.load %other : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: tt.store {{.*}} {ttig.block_io = "row_major"}
    tt.store %rows, %w : !tt.ptr<tensor<16x16xf16, #blocked>>
    // CHECK: tt.store %{{[0-9]+}}, %{{[0-9]+}} : !tt.ptr
    tt.store %columns, %x : !tt.ptr<tensor<16x16xf16, #blocked>>
    %za = ttg.convert_layout %z : tensor<16x16xf16, #blocked> -> tensor<16x16xf16, #a>
    %yb = ttg.convert_layout %y : tensor<16x16xf16, #blocked> -> tensor<16x16xf16, #b>
    %d = tt.dot %za, %yb, %c : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #blocked>
    tt.return %d : tensor<16x16xf32, #blocked>
  }
}
