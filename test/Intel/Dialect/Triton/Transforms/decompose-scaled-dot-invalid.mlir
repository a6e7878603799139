// RUN: triton-xe-opt %s --triton-intel-decompose-scaled-dot --verify-diagnostics

// Six bits per value: the language has no tensors of them.
tt.func @six_bits(%a: tensor<16x64xi8>, %b: tensor<64x16xbf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // expected-error @below {{cannot multiply values of the formats e2m3 and bf16}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = bf16 {fastMath = false} : tensor<16x64xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
