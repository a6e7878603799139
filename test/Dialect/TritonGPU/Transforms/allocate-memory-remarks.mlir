// RUN: triton-xe-opt %s --tritongpu-allocate-memory -o /dev/null --verify-diagnostics \
// RUN:   --remarks-filter-missed=tritongpu-allocate-memory --remark-format=emitRemark

// The remark engine gets every conversion through shared local memory with its
// bytes and layouts, and none of those within a warp.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @conversions(%x: tensor<64x64xf32, #blocked>) -> (tensor<64x64xf32, #blocked1>, tensor<64x64xf32, #blocked2>) {
    // expected-remark @below {{[Missed] layout-conversion | Category:tritongpu-allocate-memory | Bytes=16384, Reason="layout conversion through 16384 bytes of shared local memory, from #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}> to #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>"}}
    %y = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
    %z = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked2>
    tt.return %y, %z : tensor<64x64xf32, #blocked1>, tensor<64x64xf32, #blocked2>
  }

  // A conversion of 256 KiB goes through half of the shared local memory, in
  // parts.
  tt.func @large(%x: tensor<256x256xf32, #blocked>) -> tensor<256x256xf32, #blocked1> {
    // expected-remark @below {{layout conversion through 65536 bytes of shared local memory}}
    %y = ttg.convert_layout %x : tensor<256x256xf32, #blocked> -> tensor<256x256xf32, #blocked1>
    tt.return %y : tensor<256x256xf32, #blocked1>
  }
}
