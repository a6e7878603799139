// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 16], warpsPerCTA = [16, 2], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 8], repCluster = [4, 2]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

// Two ways to load a tensor, of which one could be a block access. Its messages
// would take a conversion. An ordinary load, by which the next pass replaces
// it, has the layout of the other one.
//
// CHECK-LABEL: tt.func public @branches
// CHECK-NOT: ttg.convert_layout
// CHECK: ttig.load_block {{.*}}boundedRows{{.*}}order = #ttig.order<row_major>{{.*}}startsInRow{{.*}} -> tensor<32x256xbf16, #[[LAYOUT:.*]]>
// CHECK: tt.load {{.*}} : tensor<32x256x!tt.ptr<bf16>, #[[LAYOUT]]>
// CHECK-NOT: ttg.convert_layout
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @branches(%base: !tt.ptr<bf16> {tt.divisibility = 64 : i32}, %fits: i1, %p: tensor<32x256x!tt.ptr<bf16>, #blocked>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %size = arith.constant 256 : i64
  %y = scf.if %fits -> (tensor<32x256xbf16, #blocked>) {
    %q = ttig.surface %base, [%size, %size], [%size, %one] : !tt.ptr<bf16>
    %v = ttig.load_block %q[%c0, %c0] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<32x256xbf16, #b>
    %w = ttg.convert_layout %v : tensor<32x256xbf16, #b> -> tensor<32x256xbf16, #blocked>
    scf.yield %w : tensor<32x256xbf16, #blocked>
  } else {
    %v = tt.load %p : tensor<32x256x!tt.ptr<bf16>, #blocked>
    scf.yield %v : tensor<32x256xbf16, #blocked>
  }
  tt.store %p, %y : tensor<32x256x!tt.ptr<bf16>, #blocked>
  tt.return
}
}
