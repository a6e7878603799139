// RUN: triton-xe-opt %s > %t.before
// RUN: triton-xe-opt %s -tritonintelgpu-verify-ttgir | cmp - %t.before

// The operations that the lowering takes pass unchanged: tensors with layouts,
// tensors of pointers, accesses by 2D block messages in the layout of DPAS and
// prefetches of any block, buffers in shared memory, scalars, branches.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @kernel(%p: !tt.ptr<f16>, %n: i64, %q: tensor<8x16x!tt.ptr<f16>, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
    ttig.prefetch_block %bp[%c0, %c0] of tensor<8x16xf16> {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> ()
    %x = ttig.load_block %bp[%c0, %c0] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #mma>
    %y = ttg.convert_layout %x : tensor<8x16xf16, #mma> -> tensor<8x16xf16, #blocked>
    tt.store %q, %y : tensor<8x16x!tt.ptr<f16>, #blocked>
    %buffer = ttg.local_alloc %y : (tensor<8x16xf16, #blocked>) -> !ttg.memdesc<8x16xf16, #shared, #smem>
    cf.br ^end(%y : tensor<8x16xf16, #blocked>)
  ^end(%z: tensor<8x16xf16, #blocked>):
    ttig.store_block %x, %bp[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #mma>) -> ()
    tt.return
  }
}
