// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// Layouts that operations of tt relate, as ttg answers for them.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    // expected-error @+2 {{expected the operand's layout to be a slice along dimension 0, found 1}}
    // expected-error @+1 {{'tt.expand_dims' op failed to infer returned types}}
    %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x32xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<64xf32, #line>) {
    // expected-error @+2 {{expected the operand's layout to be a slice along dimension 0, found #ttg.blocked}}
    // expected-error @+1 {{'tt.expand_dims' op failed to infer returned types}}
    %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<64xf32, #line> -> tensor<1x64xf32, #blocked>
    tt.return
  }
}

// -----

// Operands in the right places, for the result's layout.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>, %c: tensor<32x32xf32, #blocked>) {
    // expected-error @+1 {{expected the layout of operand 1 to have the same 'opIdx', found 0}}
    %0 = tt.dot %a, %a, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<32x32xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #other}>>, %b: tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>, %c: tensor<32x32xf32, #blocked>) {
    // expected-error @+1 {{expected the layout of operand 0 to have the result's layout #ttg.blocked}}
    %0 = tt.dot %a, %b, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #other}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<32x32xf32, #blocked>
    tt.return
  }
}

// -----

// A split takes both halves from one work-item.
#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<64x2xf32, #lanes>) {
    // expected-error @+2 {{expected a layout in which each work-item holds both halves of the last dimension}}
    // expected-error @+1 {{'tt.split' op failed to infer returned types}}
    %0, %1 = tt.split %x : tensor<64x2xf32, #lanes> -> tensor<64xf32, #line>
    tt.return
  }
}

// -----

// Pairs stay in their work-item, so the result has double the registers.
#other = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xi8, #other>) {
    // expected-error @+1 {{expected layout #ttg.blocked<{sizePerThread = [1, 4]}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #other> -> tensor<32x64xf16, #other>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf32, #blocked>) {
    // expected-error @+2 {{'tt.trans' op inferred type(s) 'tensor<32x32xf32, #ttg.blocked}}
    // expected-error @+1 {{'tt.trans' op failed to infer returned types}}
    %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked>
    tt.return
  }
}

// -----

// A pair may have no room in its layout.
#wide = #ttg.blocked<{sizePerThread = [262144], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<1024xf32, #wide>) {
    // expected-error @+2 {{expected a layout with at most 2^28 registers per lane and a tile of at most 2^28 elements, found up to 2^30 and 2^25}}
    // expected-error @+1 {{'tt.join' op failed to infer returned types}}
    %0 = tt.join %x, %x : tensor<1024xf32, #wide> -> tensor<1024x2xf32>
    tt.return
  }
}
