// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// The tile shapes A, B and C follow from the other keys: they are printed for the
// reader and ignored when read, so that wrong ones are corrected.

// CHECK-DAG: #mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
// CHECK-DAG: #mma1 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [1, 1], A = [8, 32], B = [32, 16], C = [8, 16]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [4, 2]}>
#mma8 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, threadsPerWarp = 16, warpsPerCTA = [8, 4], repCluster = [1, 1], A = [1, 1], B = [1, 1], C = [1, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // CHECK-LABEL: tt.func public @prefetch
  // CHECK: ttig.prefetch %{{.*}} {cache = 1 : i32, evict = 1 : i32, isVolatile = false, ttig.block_io = "row_major"} : !tt.ptr<tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>>
  tt.func public @prefetch(%p: !tt.ptr<tensor<256x32xbf16, #a>>, %c: tensor<256x256xf32, #mma>, %d: tensor<256x256xi32, #mma8>) {
    ttig.prefetch %p {cache = 1 : i32, evict = 1 : i32, isVolatile = false, ttig.block_io = "row_major"} : !tt.ptr<tensor<256x32xbf16, #a>>
    tt.return
  }
}
