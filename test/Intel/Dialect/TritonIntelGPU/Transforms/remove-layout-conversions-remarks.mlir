// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions -o /dev/null \
// RUN:   -remarks-filter-missed=tritonintelgpu-remove-layout-conversions -remark-format=emitRemark 2>&1 | FileCheck %s

// The remark engine gets what is left: a conversion through shared local memory
// with its bytes and layouts, and none of those within a warp.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK: remarks.mlir:[[# @LINE + 6]]:{{.*}} remark: [Missed] layout-conversion | Category:tritonintelgpu-remove-layout-conversions | Bytes=16384
  // CHECK-SAME: From="#ttg.blocked<{{.*}}warpsPerCTA = [4, 1]{{.*}}To="#ttg.blocked<{{.*}}warpsPerCTA = [1, 4]
  // CHECK-NOT: [Missed]
  tt.func @conversions(%x: tensor<64x64xf32, #blocked>) -> (tensor<64x64xf32, #blocked1>, tensor<64x64xf32, #blocked2>) {
    %y = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
    %z = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked2>
    tt.return %y, %z : tensor<64x64xf32, #blocked1>, tensor<64x64xf32, #blocked2>
  }
  // What the allocation will take: a conversion of 256 KiB goes through half of
  // the shared local memory, in parts.
  // CHECK: [Missed] layout-conversion | {{.*}} Bytes=65536
  // CHECK-NOT: [Missed]
  tt.func @large(%x: tensor<256x256xf32, #blocked>) -> tensor<256x256xf32, #blocked1> {
    %y = ttg.convert_layout %x : tensor<256x256xf32, #blocked> -> tensor<256x256xf32, #blocked1>
    tt.return %y : tensor<256x256xf32, #blocked1>
  }
}
