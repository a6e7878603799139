// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

tt.func @rank(%a: tensor<16xf16>, %d: tensor<16xf32>) {
  // expected-error @+1 {{'tt.dot' op expects matrices or batches of matrices, found 'tensor<16xf16>'}}
  %0 = tt.dot %a, %a, %d : tensor<16xf16> * tensor<16xf16> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @result_rank(%a: tensor<16x16xf16>, %d: tensor<1x16x16xf32>) {
  // expected-error @+1 {{'tt.dot' op expects a result of rank 2, found 'tensor<1x16x16xf32>'}}
  %0 = tt.dot %a, %a, %d : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<1x16x16xf32>
  tt.return
}

// -----

tt.func @k(%a: tensor<16x32xf16>, %b: tensor<16x16xf16>, %d: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot' op expects `b` to have 32 rows and 16 columns in the number of batches of `a`, 'tensor<16x32xf16>', found 'tensor<16x16xf16>'}}
  %0 = tt.dot %a, %b, %d : tensor<16x32xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @m(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %d: tensor<32x16xf32>) {
  // expected-error @+1 {{'tt.dot' op expects `d` to have 16 rows and 16 columns in the number of batches of `a`, 'tensor<16x32xf16>', found 'tensor<32x16xf32>'}}
  %0 = tt.dot %a, %b, %d : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<32x16xf32>
  tt.return
}

// -----

tt.func @batches(%a: tensor<2x16x16xf16>, %b: tensor<4x16x16xf16>, %d: tensor<2x16x16xf32>) {
  // expected-error @+1 {{'tt.dot' op expects `b` to have 16 rows and 16 columns in the number of batches of `a`, 'tensor<2x16x16xf16>', found 'tensor<4x16x16xf16>'}}
  %0 = tt.dot %a, %b, %d : tensor<2x16x16xf16> * tensor<4x16x16xf16> -> tensor<2x16x16xf32>
  tt.return
}

// -----

// Two 8-bit floats may differ in format.
tt.func @width(%a: tensor<16x16xf8E5M2>, %b: tensor<16x16xf8E4M3FN>, %c: tensor<16x16xf16>, %d: tensor<16x16xf32>) {
  %0 = tt.dot %a, %b, %d : tensor<16x16xf8E5M2> * tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  // expected-error @+1 {{'tt.dot' op expects operands of the same kind and width, found 'f8E5M2' and 'f16'}}
  %1 = tt.dot %a, %c, %d : tensor<16x16xf8E5M2> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @kind(%a: tensor<16x16xi8>, %d: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot' op expects an integer result of integer operands and a float result of float operands, found 'f32' of 'i8'}}
  %0 = tt.dot %a, %a, %d : tensor<16x16xi8> * tensor<16x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_rank(%a: tensor<16x32xi8>, %b: tensor<1x32x16xi8>, %d: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled' op expects `b` and the result to have rank 2, found 'tensor<1x32x16xi8>' and 'tensor<16x16xf32>'}}
  %0 = tt.dot_scaled %a, %b, %d lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16x32xi8> * tensor<1x32x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scaled_format(%a: tensor<16x32xf8E5M2>, %b: tensor<32x16xf16>, %d: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled' op expects elements of `b` that hold bf16, found 'f16'}}
  %0 = tt.dot_scaled %a, %b, %d lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<16x32xf8E5M2> * tensor<32x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

// Pairs along K: 32 bytes are 64 values.
tt.func @scaled_k(%a: tensor<16x32xi8>, %b: tensor<32x16xf8E5M2>, %d: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled' op expects `b` to have 64 rows and 16 columns}}
  %0 = tt.dot_scaled %a, %b, %d lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<16x32xi8> * tensor<32x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

// The scales of b are N x K / 32, not K / 32 x N.
tt.func @scaled_scale(%a: tensor<16x64xi8>, %b: tensor<64x16xi8>, %s: tensor<2x16xi8>, %d: tensor<16x16xf32>) {
  // expected-error @+1 {{'tt.dot_scaled' op expects `b_scale` to have 16 rows and 2 columns}}
  %0 = tt.dot_scaled %a, %b scale %s, %d lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<16x64xi8> * tensor<64x16xi8>, tensor<2x16xi8> -> tensor<16x16xf32>
  tt.return
}
