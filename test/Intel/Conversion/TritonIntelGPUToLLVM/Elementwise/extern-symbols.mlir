// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm="extern-symbols=mine,yours" | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Functions of the user's libraries are called like those of OpenCL.
  // CHECK-LABEL: @libraries
  // CHECK-COUNT-4: llvm.call spir_funccc @yours(%{{.*}}) {{.*}}: (f32) -> i32
  // CHECK: llvm.call spir_funccc @mine(%{{.*}}) {{.*}}: (f64) -> f64
  tt.func private @libraries(%x: tensor<64xf32, #blocked>, %s: f64) -> (tensor<64xi32, #blocked>, f64) attributes {noinline = true} {
    %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "yours"} : (tensor<64xf32, #blocked>) -> tensor<64xi32, #blocked>
    %b = tt.extern_elementwise %s {libname = "", libpath = "", pure = false, symbol = "mine"} : (f64) -> f64
    tt.return %a, %b : tensor<64xi32, #blocked>, f64
  }
}
