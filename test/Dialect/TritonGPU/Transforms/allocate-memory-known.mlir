// RUN: triton-xe-opt %s --tritongpu-allocate-memory | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory

// An earlier pass has found that the kernel needs more than it does now.
// CHECK: module attributes {{.*}}ttg.shared = 4096 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.shared = 4096 : i32} {
  // CHECK-LABEL: tt.func @f
  // CHECK: ttg.local_alloc %{{.*}} {allocation.offset = 0 : i32}
  tt.func @f(%x: tensor<32x32xf16, #blocked>) {
    %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
    tt.return
  }
}
