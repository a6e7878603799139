// RUN: triton-xe-opt %s | triton-xe-opt | FileCheck %s

// Operations of tt on tensors with layouts.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// The layout #line on 256 elements, spelled in another way.
#linear = #ttg.linear<{register = [[1], [2]], lane = [[4], [8], [16], [32]], warp = [[64], [128]], block = []}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Dimensions come and go by slicing, and a transposition permutes the layout.
  // CHECK-LABEL: tt.func @dimensions
  tt.func @dimensions(%x: tensor<16x16xf32, #blocked>) {
    // CHECK: -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    // CHECK: tt.expand_dims {{.*}} -> tensor<16x1xf32, #blocked>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xf32, #blocked>
    // CHECK: tt.broadcast {{.*}} : tensor<16x1xf32, #blocked> -> tensor<16x16xf32, #blocked>
    %2 = tt.broadcast %1 : tensor<16x1xf32, #blocked> -> tensor<16x16xf32, #blocked>
    // CHECK: tt.trans {{.*}} -> tensor<16x16xf32, #blocked1>
    %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #blocked1>
    tt.return
  }

  // The places of the elements count, not the spelling of the layout.
  // CHECK-LABEL: tt.func @spelling
  tt.func @spelling(%x: tensor<1x256xf32, #blocked>, %y: tensor<256xf32, #line>) {
    // CHECK: tt.reshape {{.*}} : tensor<256xf32, #blocked{{.*}}> -> tensor<256xf32, #linear>
    %0 = tt.reshape %y : tensor<256xf32, #line> -> tensor<256xf32, #linear>
    tt.return
  }

  // A block pointer carries the layout of the block that is loaded through it.
  // CHECK-LABEL: tt.func @block
  tt.func @block(%p: !tt.ptr<tensor<16x16xf32, #blocked>>) {
    // CHECK: tt.load %{{.*}} : !tt.ptr<tensor<16x16xf32, #blocked>>
    %0 = tt.load %p : !tt.ptr<tensor<16x16xf32, #blocked>>
    // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<tensor<16x16xf32, #blocked>>
    tt.store %p, %0 : !tt.ptr<tensor<16x16xf32, #blocked>>
    tt.return
  }

  // CHECK-LABEL: tt.func @dot
  tt.func @dot(%a: tensor<16x16xf32, #dot0>, %b: tensor<16x16xf32, #dot1>, %c: tensor<16x16xf32, #blocked>) {
    // CHECK: tt.dot {{.*}} -> tensor<16x16xf32, #blocked>
    %0 = tt.dot %a, %b, %c : tensor<16x16xf32, #dot0> * tensor<16x16xf32, #dot1> -> tensor<16x16xf32, #blocked>
    tt.return
  }
}
