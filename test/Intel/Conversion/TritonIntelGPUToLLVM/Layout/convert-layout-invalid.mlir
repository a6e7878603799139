// RUN: triton-xe-opt %s --split-input-file --convert-triton-intel-gpu-to-llvm --verify-diagnostics

// Shared memory that was not allocated.
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

// A conversion within warps needs no exchange.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#warp = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func @convert(%x: tensor<32x32xf32, #blocked>) {
  // expected-error@below {{has a conversion that is not one exchange, from 'tensor<32x32xf32}}
  // expected-error@below {{failed to legalize operation 'ttg.convert_layouts'}}
  %y = ttg.convert_layouts %x {allocation.offset = 0 : i32} : (tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #warp>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// A format of another vendor's GPU.
tt.func @format(%x: tensor<64xf64, #blocked>) {
  // expected-error@below {{has no lowering from 'f64' to 'f8E4M3FNUZ'}}
  // expected-error@below {{failed to legalize operation 'tt.fp_to_fp'}}
  %y = tt.fp_to_fp %x, rounding = rtne : tensor<64xf64, #blocked> -> tensor<64xf8E4M3FNUZ, #blocked>
  tt.return
}
}
