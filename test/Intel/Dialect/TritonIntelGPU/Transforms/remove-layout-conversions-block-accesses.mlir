// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions=keep-block-accesses=true | FileCheck %s
// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions | FileCheck %s --check-prefix=REWRITTEN

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 16], warpsPerCTA = [16, 2], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 8], repCluster = [4, 2]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>

// Two ways to load a tensor, of which one is a block access. In the layout of
// the other one it would have no messages; as long as somebody rewrites it then,
// that is cheaper than a conversion (REWRITTEN).
//
// CHECK-LABEL: tt.func public @branches
// CHECK: tt.load %{{.*}}ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row{{.*}} : !tt.ptr<tensor<32x256xbf16, #ttg.dot_op<{opIdx = 1
// REWRITTEN-LABEL: tt.func public @branches
// REWRITTEN: tt.load %{{.*}}ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row{{.*}} : !tt.ptr<tensor<32x256xbf16, #blocked>>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @branches(%base: !tt.ptr<bf16> {tt.divisibility = 64 : i32}, %fits: i1, %p: tensor<32x256x!tt.ptr<bf16>, #blocked>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %size = arith.constant 256 : i64
  %y = scf.if %fits -> (tensor<32x256xbf16, #blocked>) {
    %q = tt.make_tensor_ptr %base, [%size, %size], [%size, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x256xbf16, #b>>
    %v = tt.load %q {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<32x256xbf16, #b>>
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
