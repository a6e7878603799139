// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --tritonintelgpu-rewrite-tensor-pointer

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>

// The parts of a block pointer that is the argument of a kernel are unknown. The access is named, since arguments of
// blocks on the way have no separate lines.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // expected-note @+1 {{the block pointer comes from here}}
  tt.func public @argument(%p: !tt.ptr<tensor<16x16xf16, #blocked>>, %base: !tt.ptr<f16>, %m: i64, %i: i32, %c: i1) {
    %c1_i64 = arith.constant 1 : i64
    %q = tt.make_tensor_ptr %base, [%m, %m], [%m, %c1_i64], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #blocked>>
    cf.cond_br %c, ^bb1(%p : !tt.ptr<tensor<16x16xf16, #blocked>>), ^bb1(%q : !tt.ptr<tensor<16x16xf16, #blocked>>)
  ^bb1(%r: !tt.ptr<tensor<16x16xf16, #blocked>>):
    // expected-error @+1 {{cannot be a 2D block access, and its block pointer does not come from `tt.make_tensor_ptr`}}
    %x = tt.load %r : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.store %r, %x : !tt.ptr<tensor<16x16xf16, #blocked>>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>

// Only the operation that makes a surface has the tensor's address, which an ordinary access reads.
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // expected-note @+1 {{the surface comes from here}}
  tt.func public @surface(%surface: !ttig.memory<f16, 2>, %i: i32) -> tensor<16x16xf16, #blocked> {
    // expected-error @+1 {{cannot be 2D block messages, and its surface does not come from `ttig.surface`}}
    %x = ttig.load_block %surface[%i, %i] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #blocked>
    tt.return %x : tensor<16x16xf16, #blocked>
  }
}
