// RUN: triton-xe-opt %s -split-input-file -convert-triton-intel-gpu-to-llvm -verify-diagnostics

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Nobody has checked that memory fits 2D block messages.
tt.func public @unmarked(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{accesses a block that is not marked as a 2D block access by `ttig.block_io`}}
  // expected-error @below {{failed to legalize operation 'tt.load'}}
  %x = tt.load %bp : !tt.ptr<tensor<8x16xf16, #mma>>
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
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #blocked>>
  // expected-error @below {{has no 2D block messages: the lanes of the layout are not those of any 2D block message for row-major memory}}
  // expected-error @below {{failed to legalize operation 'tt.load'}}
  %x = tt.load %bp {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<8x16xf16, #blocked>>
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
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%c1, %n], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{has no 2D block messages: the lanes of the layout are not those of any 2D block message for column-major memory}}
  // expected-error @below {{failed to legalize operation 'tt.store'}}
  tt.store %bp, %x {ttig.block_io = "column_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<8x16xf16, #mma>>
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
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{2D block messages read elements out of range as zero, not NaN}}
  // expected-error @below {{failed to legalize operation 'tt.load'}}
  %x = tt.load %bp {boundaryCheck = array<i32: 0>, padding = 2 : i32, ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<8x16xf16, #mma>>
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
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{2D block messages take no mask}}
  // expected-error @below {{failed to legalize operation 'tt.load'}}
  %x = tt.load %bp, %mask {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<8x16xf16, #mma>>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Without a target nothing is known to be there.
tt.func public @no_target(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{has no 2D block messages: the target has no 2D block messages}}
  // expected-error @below {{failed to legalize operation 'tt.load'}}
  %x = tt.load %bp {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<8x16xf16, #mma>>
  tt.return
}
}
