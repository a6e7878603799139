// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of the verifiers of views into shared memory.

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{'ttg.memdesc_index' op expected a view of the same memory space and mutability, found}}
    %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{'ttg.memdesc_index' op expected a view of the same element type, found}}
    %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xbf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{'ttg.memdesc_index' op expected several buffers (a layout of one dimension less than the memory), found}}
    %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32xf16, #flat, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{'ttg.memdesc_index' op expected a view without dimension 0, found}}
    %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x16xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{'ttg.memdesc_index' op expected a view of the same layout and allocation, found}}
    %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #transposed, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>, %i: i32) {
    // expected-error @+1 {{'ttg.memdesc_index' op expected a view of the same layout and allocation, found}}
    %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable, 64x32>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// memdesc_subslice
//===----------------------------------------------------------------------===//

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected a view of the same layout and allocation, found}}
    %0 = ttg.memdesc_subslice %m[16, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 16x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected a view of the same layout and allocation, found}}
    %0 = ttg.memdesc_subslice %m[16, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #transposed, #smem, mutable, 32x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected one offset per dimension of the operand and the result, found 1}}
    %0 = ttg.memdesc_subslice %m[16] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected one offset per dimension of the operand and the result, found 3}}
    %0 = ttg.memdesc_subslice %m[0, 16, 0] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 2x32x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected the view to lie inside of its operand, found elements 32 to 47 of 32 along dimension 0}}
    %0 = ttg.memdesc_subslice %m[32, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected the view to lie inside of its operand, found elements -16 to -1 of 32 along dimension 0}}
    %0 = ttg.memdesc_subslice %m[-16, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected the view to lie inside of its operand, found elements 2147483632 to 2147483647 of 32 along dimension 1}}
    %0 = ttg.memdesc_subslice %m[0, 2147483632] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x16xf16, #shared, #smem, mutable, 32x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_subslice' op expected offsets to be multiples of the view's size, found 8 along dimension 0}}
    %0 = ttg.memdesc_subslice %m[8, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{integer value too large}}
    %0 = ttg.memdesc_subslice %m[4294967296, 0] : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// memdesc_trans
//===----------------------------------------------------------------------===//

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_trans' op expected 'order' to be a permutation of the dimensions that keeps the dimension of buffers first}}
    %0 = ttg.memdesc_trans %m {order = array<i32: 1, 1>} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #transposed, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_trans' op expected 'order' to be a permutation of the dimensions that keeps the dimension of buffers first}}
    %0 = ttg.memdesc_trans %m {order = array<i32: 1>} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #transposed, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_trans' op expected 'order' to be a permutation of the dimensions that keeps the dimension of buffers first}}
    %0 = ttg.memdesc_trans %m {order = array<i32: 2, 0>} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #transposed, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_trans' op expected 'order' to be a permutation of the dimensions that keeps the dimension of buffers first}}
    %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0, 2>} : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x2x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x16xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_trans' op expected a view of type '!ttg.memdesc<16x32xf16}}
    %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x16xf16, #transposed, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x16xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_trans' op expected a view of type '!ttg.memdesc<16x32xf16}}
    %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x16xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_trans' op expected a view of the same element type, found}}
    %0 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x32xbf16, #transposed, #smem, mutable>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// memdesc_reshape
//===----------------------------------------------------------------------===//

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x16xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_reshape' op expected a whole buffer in a shape of the same number of elements, found}}
    %0 = ttg.memdesc_reshape %m : !ttg.memdesc<32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<256xf16, #flat, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>) {
    // expected-error @+1 {{'ttg.memdesc_reshape' op expected a whole buffer in a shape of the same number of elements, found}}
    %0 = ttg.memdesc_reshape %m : !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32> -> !ttg.memdesc<512xf16, #flat, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32x16xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_reshape' op expected a whole buffer in a shape of the same number of elements, found}}
    %0 = ttg.memdesc_reshape %m : !ttg.memdesc<2x32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<1024xf16, #flat, #smem, mutable>
    tt.return
  }
}

// -----

// The rotation of the rows stays.
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x16xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_reshape' op expected a view of type '!ttg.memdesc<512xf16}}
    %0 = ttg.memdesc_reshape %m : !ttg.memdesc<32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<512xf16, #flat, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x16xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_reshape' op expected a view of the same memory space and mutability, found}}
    %0 = ttg.memdesc_reshape %m : !ttg.memdesc<32x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<512xf16, #flat, #smem>
    tt.return
  }
}

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#deep = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<1xf16, #flat, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_reshape' op expected a whole buffer in a shape of the same number of elements, found}}
    %0 = ttg.memdesc_reshape %m : !ttg.memdesc<1xf16, #flat, #smem, mutable> -> !ttg.memdesc<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16, #deep, #smem, mutable>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// memdesc_reinterpret
//===----------------------------------------------------------------------===//

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x16xf16, #shared, #smem, mutable, 32x32>) {
    // expected-error @+1 {{'ttg.memdesc_reinterpret' op expected a part of a buffer whose elements follow each other in memory, found}}
    %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<32x16xf16, #shared, #smem, mutable, 32x32> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

// Two rows of four, of which the swizzling moves the elements of the second one: not where each part starts.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<2x32xf16, #shared, #smem, mutable, 32x32>) {
    // expected-error @+1 {{'ttg.memdesc_reinterpret' op expected a part of a buffer whose elements follow each other in memory, found}}
    %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<2x32xf16, #shared, #smem, mutable, 32x32> -> !ttg.memdesc<2x16xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

// A part has only its own bytes.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32>) {
    // expected-error @+1 {{'ttg.memdesc_reinterpret' op expected a view that needs no more than 1024 bytes, found 2048}}
    %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<16x32xf16, #shared, #smem, mutable, 32x32> -> !ttg.memdesc<32x16xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_reinterpret' op expected a view that needs no more than 2048 bytes, found 4096}}
    %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.memdesc_reinterpret' op expected a view of the same memory space and mutability, found}}
    %0 = ttg.memdesc_reinterpret %m : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x16xf32, #shared, #smem>
    tt.return
  }
}
