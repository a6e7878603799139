// RUN: triton-xe-opt %s --tritongpu-allocate-memory | FileCheck %s
// RUN: triton-xe-opt %s --tritongpu-allocate-memory --test-print-allocation=requests -o /dev/null | FileCheck %s --check-prefix=REQUESTS

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory

// The module gets the size, the operations their offsets.
// CHECK: module attributes {{.*}}ttg.shared = 6144 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func @f
tt.func @f(%x: tensor<32x32xf16, #blocked>, %y: tensor<32x32xf32, #blocked>) {
  // CHECK: ttg.local_alloc %{{.*}} {allocation.offset = 4096 : i32}
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  // CHECK: ttg.convert_layout %{{.*}} {allocation.offset = 0 : i32}
  %z = ttg.convert_layout %y : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #rows>
  // CHECK: ttg.local_load %{{[^{]*}} : !ttg
  %w = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
  tt.return
}
}

// Messages name the largest first.
// REQUESTS:      ttg.convert_layout wants 4096 bytes at 0
// REQUESTS-NEXT: ttg.local_alloc wants 2048 bytes at 4096
