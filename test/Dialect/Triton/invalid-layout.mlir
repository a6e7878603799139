// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of the verifiers of tt on layouts.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @slice(%x: tensor<16x16xf32, #blocked>) {
    // expected-error @+2 {{'tt.reduce' op inferred type(s) 'tensor<16xf32, #ttg.slice<{dim = 0, parent = #ttg.blocked}}
    // expected-error @+1 {{'tt.reduce' op failed to infer returned types}}
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      tt.reduce.return %a : f32
    }) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}

// -----

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @reshape_without(%x: tensor<256xf32, #line>) {
    // expected-error @+1 {{'tt.reshape' op expects operand and result to have both an encoding or none}}
    %0 = tt.reshape %x : tensor<256xf32, #line> -> tensor<16x16xf32>
    tt.return
  }
}

// -----

// With the order given up, any layout is right; otherwise only the same places.
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @reshape_order(%x: tensor<256xf32, #line>) {
    %0 = tt.reshape %x allow_reorder : tensor<256xf32, #line> -> tensor<256xf32, #other>
    // expected-error @+1 {{expected layout}}
    %1 = tt.reshape %x : tensor<256xf32, #line> -> tensor<256xf32, #other>
    tt.return
  }
}

// -----

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @gather(%x: tensor<64xf32, #line>, %i: tensor<128xi32, #line>) {
    // expected-error @+1 {{'tt.gather' op expects a result with the indices' encoding}}
    %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<64xf32, #line>, tensor<128xi32, #line>) -> tensor<128xf32, #other>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @dot_without(%a: tensor<16x16xf32>, %c: tensor<16x16xf32, #blocked>) {
    // expected-error @+1 {{'tt.dot' op expects `a`, `b` and the result to have all an encoding or none}}
    %0 = tt.dot %a, %a, %c : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32, #blocked>
    tt.return
  }
}

// -----

// The operands of a dot are no ordinary tensors.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @dot_operand(%c: tensor<16x16xf32, #blocked>) {
    // expected-error @+1 {{expected the layout of operand 0 to be a dot_op layout}}
    %0 = tt.dot %c, %c, %c : tensor<16x16xf32, #blocked> * tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @block(%p: !tt.ptr<tensor<16x16xf32, #blocked>>, %x: tensor<16x16xf32>) {
    // expected-error @+1 {{'tt.store' op failed to verify that `value` must have the type that the pointer points to}}
    "tt.store"(%p, %x) : (!tt.ptr<tensor<16x16xf32, #blocked>>, tensor<16x16xf32>) -> ()
    tt.return
  }
}
