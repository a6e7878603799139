// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-accelerate-matmul --verify-diagnostics

// Only scaled dots that an instruction computes get here: pvc has none.
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func @scaled(%a: tensor<16x64xf8E4M3FN, #a>, %s: tensor<16x2xi8, #blocked>, %b: tensor<64x16xf8E5M2, #b>, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    // expected-error @below {{has formats or a shape that no instruction of the target multiplies}}
    %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN, #a>, tensor<16x2xi8, #blocked> * tensor<64x16xf8E5M2, #b> -> tensor<16x16xf32, #blocked>
    tt.return %0 : tensor<16x16xf32, #blocked>
  }
}
