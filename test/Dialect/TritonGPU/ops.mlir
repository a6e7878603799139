// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// Every encoding and operation of the dialect prints as it was read.

// CHECK-DAG: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #linear = #ttg.linear<{register = {{\[\[}}1, 0], [2, 0], [4, 0]], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8]], warp = {{\[\[}}8, 0], [0, 16]], block = []}>
// CHECK-DAG: #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
// CHECK-DAG: #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32, 32]}>
// CHECK-DAG: #smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#square = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#packed = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[8, 0], [0, 16]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32, 32]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: tt.func public @memory
  // CHECK: ttg.local_alloc %{{.*}} : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  // CHECK: ttg.memdesc_trans %{{.*}} {order = array<i32: 1, 0>}
  // CHECK: ttg.local_load
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  // CHECK: ttg.memdesc_index %{{.*}}[%{{.*}}]
  // CHECK: ttg.local_store
  // CHECK: ttg.memdesc_subslice %{{.*}}[16, 0] : {{.*}} -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
  // CHECK: ttg.local_dealloc
  // CHECK: ttg.barrier local|global_read
  tt.func public @memory(%x: tensor<32x32xf16, #blocked>, %i: i32) {
    %s = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
    %t = ttg.memdesc_trans %s {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #transposed, #smem>
    %b = ttg.local_load %t : !ttg.memdesc<32x32xf16, #transposed, #smem> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #square}>>
    %p = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #padded, #smem>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
    %v = ttg.memdesc_index %buf[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    ttg.local_store %x, %v : tensor<32x32xf16, #blocked> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %sub = ttg.memdesc_subslice %v[16, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    ttg.local_dealloc %buf : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
    ttg.barrier local|global_read
    tt.return
  }

  // CHECK-LABEL: tt.func public @layouts
  // CHECK: ttg.convert_layout %{{.*}} : tensor<32x32xf32, #{{.*}}> -> tensor<32x32xf32, #linear>
  // CHECK: tensor<32xf32, #ttg.slice<{dim = 1, parent = #{{.*}}}>>
  // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 1 : i32}
  // CHECK: ttg.warp_id
  tt.func public @layouts(%d: tensor<32x32xf32, #square>, %pk: tensor<32x16xi8, #packed>) {
    %z = ttg.convert_layout %d : tensor<32x32xf32, #square> -> tensor<32x32xf32, #linear>
    %row = "tt.reduce"(%d) <{axis = 1 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      tt.reduce.return %r : f32
    }) : (tensor<32x32xf32, #square>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #square}>>
    %up = ttg.fp4_to_fp %pk {axis = 1 : i32} : tensor<32x16xi8, #packed> -> tensor<32x32xbf16, #blocked>
    %w = ttg.warp_id
    tt.return
  }
}
