// RUN: triton-xe-opt %s --tritonintelgpu-limit-block-loads=registers=256 | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: triton-xe-opt %s --tritonintelgpu-limit-block-loads=registers=128 | FileCheck %s --check-prefixes=CHECK,SMALL

// 8 rows per sub-group: every matrix of the right factor is used once.
#rows = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [16, 1], repCluster = [1, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #rows, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #rows, kWidth = 2}>
// 32 rows per sub-group: four instructions use each.
#tiles = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 4], repCluster = [4, 2]}>
#ta = #ttg.dot_op<{opIdx = 0, parent = #tiles, kWidth = 1}>
#tb = #ttg.dot_op<{opIdx = 1, parent = #tiles, kWidth = 2}>
module attributes {"ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// 64 registers of accumulators, 64 of another factor, 16 of this one, which is computed, and 32 of what it is computed from:
// two messages of 32 registers are too much besides, with 256 already; two of 16 are not. With 128, none fit: a matrix has 8.
// CHECK-LABEL: @wide
// CHECK: scf.for
// LARGE: tt.load %{{.*}} {ttig.block_io = "row_major", ttig.bounded_rows, ttig.max_message_bytes = 1024 : i32, ttig.starts_in_row}
// SMALL: tt.load %{{.*}} {ttig.block_io = "row_major", ttig.bounded_rows, ttig.max_message_bytes = 512 : i32, ttig.starts_in_row}
tt.func @wide(%p: !tt.ptr<tensor<64x128xbf16, #b>>, %q: tensor<128x128xbf16, #a>, %init: tensor<128x128xf32, #rows>, %x: tensor<128x64xf32, #a>, %n: i32) -> (tensor<128x128xf32, #rows>, tensor<128x128xbf16, #a>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %last = %q) -> (tensor<128x128xf32, #rows>, tensor<128x128xbf16, #a>) : i32 {
    %v = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<64x128xbf16, #b>>
    %f = arith.truncf %x : tensor<128x64xf32, #a> to tensor<128x64xbf16, #a>
    %d = tt.dot %f, %v, %acc : tensor<128x64xbf16, #a> * tensor<64x128xbf16, #b> -> tensor<128x128xf32, #rows>
    scf.yield %d, %q : tensor<128x128xf32, #rows>, tensor<128x128xbf16, #a>
  }
  tt.return %r#0, %r#1 : tensor<128x128xf32, #rows>, tensor<128x128xbf16, #a>
}

// 32 registers of accumulators, and 16 each of a factor and of what the loop carries: enough room with 256, not with 128, where
// two messages of 16 registers fit. A scalar in all elements takes none.
// CHECK-LABEL: @narrow
// CHECK: scf.for
// LARGE: tt.load %{{.*}} {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row}
// SMALL: tt.load %{{.*}} {ttig.block_io = "row_major", ttig.bounded_rows, ttig.max_message_bytes = 1024 : i32, ttig.starts_in_row}
tt.func @narrow(%p: !tt.ptr<tensor<64x64xbf16, #b>>, %s: f32, %q: tensor<128x64xbf16, #a>, %init: tensor<128x64xf32, #rows>, %n: i32) -> (tensor<128x64xf32, #rows>, tensor<128x64xbf16, #a>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = tt.splat %s : f32 -> tensor<128x64xf32, #a>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %init, %last = %q) -> (tensor<128x64xf32, #rows>, tensor<128x64xbf16, #a>) : i32 {
    %v = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<64x64xbf16, #b>>
    %f = arith.truncf %x : tensor<128x64xf32, #a> to tensor<128x64xbf16, #a>
    %d = tt.dot %f, %v, %acc : tensor<128x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<128x64xf32, #rows>
    scf.yield %d, %q : tensor<128x64xf32, #rows>, tensor<128x64xbf16, #a>
  }
  tt.return %r#0, %r#1 : tensor<128x64xf32, #rows>, tensor<128x64xbf16, #a>
}

// A GEMM's factors are used several times, whatever else is alive; a load outside of loops has nothing next to it.
// CHECK-LABEL: @shared
// CHECK-NOT: max_message_bytes
// CHECK: tt.return
tt.func @shared(%p: !tt.ptr<tensor<128x32xbf16, #ta>>, %q: !tt.ptr<tensor<32x256xbf16, #tb>>, %o: !tt.ptr<tensor<64x128xbf16, #b>>, %init: tensor<128x256xf32, #tiles>, %n: i32) -> (tensor<128x256xf32, #tiles>, tensor<64x128xbf16, #b>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = tt.load %o {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<64x128xbf16, #b>>
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %init) -> (tensor<128x256xf32, #tiles>) : i32 {
    %a = tt.load %p {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<128x32xbf16, #ta>>
    %b = tt.load %q {ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<32x256xbf16, #tb>>
    %d = tt.dot %a, %b, %acc : tensor<128x32xbf16, #ta> * tensor<32x256xbf16, #tb> -> tensor<128x256xf32, #tiles>
    scf.yield %d : tensor<128x256xf32, #tiles>
  }
  tt.return %r, %v : tensor<128x256xf32, #tiles>, tensor<64x128xbf16, #b>
}
}
