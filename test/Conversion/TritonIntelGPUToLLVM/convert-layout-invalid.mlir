// RUN: triton-xe-opt %s --split-input-file --convert-triton-intel-gpu-to-llvm --verify-diagnostics

// Shared memory that nobody has allocated.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#across = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func @convert(%x: tensor<32x32xf32, #blocked>) {
  // expected-error@below {{has no place in shared memory, expected 'allocation.offset'}}
  // expected-error@below {{failed to legalize operation 'ttg.convert_layout'}}
  %y = ttg.convert_layout %x : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #across>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Rounding f64 toward zero has no path that rounds once.
tt.func @rounding(%x: tensor<64xf64, #blocked>) {
  // expected-error@below {{has no lowering from 'f64' to 'bf16' rounding toward zero}}
  // expected-error@below {{failed to legalize operation 'tt.fp_to_fp'}}
  %y = tt.fp_to_fp %x, rounding = rtz : tensor<64xf64, #blocked> -> tensor<64xbf16, #blocked>
  tt.return
}
}
