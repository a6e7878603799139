// RUN: triton-xe-opt %s -split-input-file -convert-triton-intel-gpu-to-llvm -verify-diagnostics

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// No pass has found messages.
tt.func public @unmarked(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{has no 2D block messages}}
  // expected-error @below {{failed to legalize operation 'ttig.load_block'}}
  %x = ttig.load_block %bp[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #mma>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Lanes that lie on a square are no message's lanes.
tt.func public @layout(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{has messages that do not move its layout: the lanes of the layout are not those of any 2D block message for row-major memory}}
  // expected-error @below {{failed to legalize operation 'ttig.load_block'}}
  %x = ttig.load_block %bp[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #blocked>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Stores cannot transpose.
tt.func public @column_major_store(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %x = arith.constant dense<0.0> : tensor<8x16xf16, #mma>
  %bp = ttig.surface %p, [%n, %n], [%c1, %n] : !tt.ptr<f16>
  // expected-error @below {{has messages that do not move its layout: the lanes of the layout are not those of any 2D block message for column-major memory}}
  // expected-error @below {{failed to legalize operation 'ttig.store_block'}}
  ttig.store_block %x, %bp[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<column_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #mma>) -> ()
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Messages fill with zeros.
tt.func public @nan_padding(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{2D block messages read elements out of range as zero, not NaN}}
  // expected-error @below {{failed to legalize operation 'ttig.load_block'}}
  %x = ttig.load_block %bp[%c0, %c0] {boundaryCheck = array<i32: 0>, padding = 2 : i32, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #mma>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Messages move whole tiles.
tt.func public @mask(%p: !tt.ptr<f16>, %n: i64, %mask: tensor<8x16xi1, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{2D block messages take no mask}}
  // expected-error @below {{failed to legalize operation 'ttig.load_block'}}
  %x = ttig.load_block %bp[%c0, %c0] mask %mask {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xi1, #mma>) -> tensor<8x16xf16, #mma>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Without a target nothing is known to exist.
tt.func public @no_target(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{has no 2D block messages}}
  // expected-error @below {{failed to legalize operation 'ttig.load_block'}}
  %x = ttig.load_block %bp[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #mma>
  tt.return
}
}
