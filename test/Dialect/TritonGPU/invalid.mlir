// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of ttg on types, on launch attributes, and on layouts of
// operations.

// An encoding and its tensor have one rank.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected a layout of rank 1, found rank 2}}
tt.func private @f(tensor<32xf16, #blocked>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected a layout of rank 3, found rank 1}}
tt.func private @f(tensor<2x2x2xf16, #ttg.slice<{dim = 0, parent = #blocked}>>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected every size of a tensor with a layout to be a power of two}}
tt.func private @f(tensor<32x24xf16, #blocked>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected every size of a tensor with a layout to be a power of two}}
tt.func private @f(tensor<0x32xf16, #blocked>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected every size of a tensor with a layout to be a power of two}}
tt.func private @f(tensor<?x32xf16, #blocked>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected at most 1073741824 elements in a tensor with a layout}}
tt.func private @f(tensor<65536x32768xf16, #blocked>)

// -----

// Products that leave 64 bits count as what they are.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected at most 1073741824 elements in a tensor with a layout}}
tt.func private @f(tensor<4611686018427387904x32xf16, #blocked>)

// -----

// Registers that hold copies count as well.
#wide = #ttg.blocked<{sizePerThread = [1, 1048576], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected a layout with at most 2^28 registers per lane and a tile of at most 2^28 elements, found up to 2^31 and 2^26}}
tt.func private @f(tensor<2048x1xf16, #wide>)

// -----

// K of an operand is in registers, beside those of the tile.
#wide = #ttg.blocked<{sizePerThread = [1, 1048576], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{expected a layout with at most 2^28 registers per lane and a tile of at most 2^28 elements, found up to 2^40 and 2^26}}
tt.func private @f(tensor<1048576x1xf16, #ttg.dot_op<{opIdx = 1, parent = #wide}>>)

// -----

// So are those of a slice's parent.
#wide = #ttg.blocked<{sizePerThread = [1, 1048576], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @+1 {{found up to 2^31 and 2^26}}
tt.func private @f(tensor<2048xf16, #ttg.slice<{dim = 1, parent = #wide}>>)

// -----

#copies = #ttg.linear<{register = [[1]], lane = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]], warp = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]], block = []}>
// expected-error @+1 {{expected a layout with at most 2^28 registers per lane and a tile of at most 2^28 elements, found up to 2^3 and 2^58}}
tt.func private @f(tensor<8xf16, #copies>)

// -----

//===----------------------------------------------------------------------===//
// memdesc
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected non-function type}}
tt.func private @f(!ttg.memdesc<>)

// -----

// expected-error @+1 {{expected ','}}
tt.func private @f(!ttg.memdesc<32x32xf16>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected static shape}}
tt.func private @f(!ttg.memdesc<?x32xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{invalid dimension}}
tt.func private @f(!ttg.memdesc<99999999999999999999x32xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected 'mutable' or the shape of the allocation}}
tt.func private @f(!ttg.memdesc<32x32xf16, #shared, #smem, constant>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected 'mutable' or the shape of the allocation}}
tt.func private @f(!ttg.memdesc<32x32xf16, #shared, #smem, mutable, >)

// -----

#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected rank 1 or more}}
tt.func private @f(!ttg.memdesc<f16, #flat, #smem>)

// -----

// Whose size in bits is known.
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected elements that are integers, floats or pointers, found 'none'}}
tt.func private @f(!ttg.memdesc<32x32xnone, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected elements that are integers, floats or pointers, found 'index'}}
tt.func private @f(!ttg.memdesc<32x32xindex, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected elements that are integers, floats or pointers, found 'vector<4xf16>'}}
tt.func private @f(!ttg.memdesc<32x32xvector<4xf16>, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected elements that are integers, floats or pointers, found 'tensor<4xf16>'}}
tt.func private @f(!ttg.memdesc<32x32xtensor<4xf16>, #shared, #smem>)

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected a layout of shared memory, found #ttg.blocked}}
tt.func private @f(!ttg.memdesc<32x32xf16, #blocked, #smem>)

// -----

#smem = #ttg.shared_memory
// expected-error @+1 {{expected a layout of shared memory, found 16 : i32}}
tt.func private @f(!ttg.memdesc<32x32xf16, 16 : i32, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
// expected-error @+1 {{expected memory space '#ttg.shared_memory', found 3 : i32}}
tt.func private @f(!ttg.memdesc<32x32xf16, #shared, 3 : i32>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected a layout of rank 1 or 0, found rank 2}}
tt.func private @f(!ttg.memdesc<32xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected a layout of rank 4 or 3, found rank 2}}
tt.func private @f(!ttg.memdesc<2x2x32x32xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected an allocation shape of rank 3 or more, found rank 2}}
tt.func private @f(!ttg.memdesc<2x32x32xf16, #shared, #smem, mutable, 32x32>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected sizes to be powers of two, save that of buffers, found 24}}
tt.func private @f(!ttg.memdesc<3x32x24xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected sizes to be powers of two, save that of buffers, found 0}}
tt.func private @f(!ttg.memdesc<0x32x32xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected sizes to be powers of two, save that of buffers, found 48}}
tt.func private @f(!ttg.memdesc<32x32xf16, #shared, #smem, mutable, 32x48>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected at most 1073741824 elements}}
tt.func private @f(!ttg.memdesc<65536x32768xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected at most 1073741824 elements}}
tt.func private @f(!ttg.memdesc<4611686018427387904x32x32xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{expected an allocation at least as large as the view, found 16 elements for 32}}
tt.func private @f(!ttg.memdesc<32x32xf16, #shared, #smem, mutable, 32x16>)

// -----

//===----------------------------------------------------------------------===//
// Launch attributes
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected "ttg.num-warps" to be an integer of at most 32 bits, found 4294967296 : i64}}
module attributes {"ttg.num-warps" = 4294967296 : i64} {}

// -----

// expected-error @+1 {{expected "ttg.num-warps" to be a power of two, found 6}}
module attributes {"ttg.num-warps" = 6 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.num-warps" to be a power of two, found 0}}
module attributes {"ttg.num-warps" = 0 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.threads-per-warp" to be a power of two, found -16}}
module attributes {"ttg.threads-per-warp" = -16 : i32} {}

// -----

// The only bit is the sign.
// expected-error @+1 {{expected "ttg.threads-per-warp" to be a power of two, found -2147483648}}
module attributes {"ttg.threads-per-warp" = -2147483648 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.num-ctas" to be a power of two, found 3}}
module attributes {"ttg.num-ctas" = 3 : i32} {}

// -----

// expected-error @+1 {{programs of several CTAs are not supported: "ttg.num-ctas" must be 1}}
module attributes {"ttg.num-ctas" = 2 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.shared" to be non-negative, found -1}}
module attributes {"ttg.shared" = -1 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.total-num-warps" to be non-negative, found -1}}
module attributes {"ttg.total-num-warps" = -1 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.global_scratch_memory_size" to be non-negative, found -1}}
module attributes {"ttg.global_scratch_memory_size" = -1 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.global_scratch_memory_alignment" to be non-negative, found -1}}
module attributes {"ttg.global_scratch_memory_alignment" = -1 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.global_scratch_memory_offset" to be non-negative, found -1}}
module attributes {"ttg.global_scratch_memory_offset" = -1 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.profile_scratch_memory_size" to be non-negative, found -1}}
module attributes {"ttg.profile_scratch_memory_size" = -1 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.profile_scratch_memory_alignment" to be non-negative, found -1}}
module attributes {"ttg.profile_scratch_memory_alignment" = -1 : i32} {}

// -----

// expected-error @+1 {{expected "ttg.shared" to be an integer of at most 32 bits, found "1"}}
module attributes {ttg.shared = "1"} {}

// -----

// expected-error @+1 {{expected "ttg.target" to be a string, found 1 : i32}}
module attributes {ttg.target = 1 : i32} {}

// -----

//===----------------------------------------------------------------------===//
// Layouts on operations
//===----------------------------------------------------------------------===//

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: f32) {
    // expected-error @+1 {{expected a tensor with a distributed layout, found 'tensor<32x32xf32, #ttg.swizzled_shared}}
    %0 = tt.splat %x : f32 -> tensor<32x32xf32, #shared>
    tt.return
  }
}

// -----

#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: f32) {
    // expected-error @+1 {{expected a tensor with a distributed layout, found 'tensor<32xf32, #ttg.shared_memory>'}}
    %0 = tt.splat %x : f32 -> tensor<32xf32, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// Without a launch the number of warps is unknown.
tt.func @f(%x: f32) {
  // expected-error @+1 {{'tt.splat' op expected 'ttg.num-warps' on a function or module around an operation on tensors with a layout}}
  %0 = tt.splat %x : f32 -> tensor<32x32xf32, #blocked>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// The number is that of the innermost operation that has one.
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @own(%x: f32) attributes {"ttg.num-warps" = 4 : i32} {
    %0 = tt.splat %x : f32 -> tensor<32x32xf32, #blocked>
    tt.return
  }
  tt.func @module(%x: f32) {
    // expected-error @+1 {{'tt.splat' op expected a layout for 8 warps, found 4}}
    %0 = tt.splat %x : f32 -> tensor<32x32xf32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @lanes(%x: f32) {
    // expected-error @+1 {{'tt.splat' op expected a layout for 32 threads per warp, found 16}}
    %0 = tt.splat %x : f32 -> tensor<32x32xf32, #blocked>
    tt.return
  }
}
