// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of the verifiers of ttg's operations.

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16>) {
    // expected-error @+1 {{'ttg.convert_layout' op expected tensors with a layout, found 'tensor<32x32xf16>'}}
    %0 = ttg.convert_layout %x : tensor<32x32xf16> -> tensor<32x32xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16, #blocked>) {
    // expected-error @+1 {{'ttg.convert_layouts' op expected a result for each operand, found 1 for 2}}
    %0 = ttg.convert_layouts %x, %x : (tensor<32x32xf16, #blocked>, tensor<32x32xf16, #blocked>) -> tensor<32x32xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16, #blocked>) {
    // expected-error @+1 {{'ttg.convert_layouts' op expected tensors that differ in their layouts alone, found 'tensor<32x32xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>' and 'tensor<32x32xbf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>'}}
    %0 = ttg.convert_layouts %x : (tensor<32x32xf16, #blocked>) -> tensor<32x32xbf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16>) {
    // expected-error @+1 {{'ttg.convert_layouts' op expected tensors that differ in their layouts alone, found 'tensor<32x32xf16>' and}}
    %0 = ttg.convert_layouts %x : (tensor<32x32xf16>) -> tensor<32x32xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16, #blocked>) {
    // expected-error @+1 {{'ttg.convert_layout' op requires the same shape for all operands and results}}
    %0 = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16, #blocked>) {
    // expected-error @+1 {{'ttg.convert_layout' op requires the same element type for all operands and results}}
    %0 = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xbf16, #blocked>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// fp4_to_fp
//===----------------------------------------------------------------------===//

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xi8, #blocked>) {
    // expected-error @+1 {{'ttg.fp4_to_fp' op expected 'axis' to be a dimension of the operand, found 2}}
    %0 = ttg.fp4_to_fp %x {axis = 2 : i32} : tensor<32x32xi8, #blocked> -> tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xi8, #blocked>) {
    // expected-error @+1 {{'ttg.fp4_to_fp' op expected 'axis' to be a dimension of the operand, found -1}}
    %0 = ttg.fp4_to_fp %x {axis = -1 : i32} : tensor<32x32xi8, #blocked> -> tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xi8, #blocked>) {
    // expected-error @+1 {{'ttg.fp4_to_fp' op expected the result to be the operand with double the elements along 'axis', found 'tensor<32x64xf16, #ttg.blocked}}
    %0 = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<32x32xi8, #blocked> -> tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xi8, #blocked>) {
    // expected-error @+1 {{'ttg.fp4_to_fp' op expected both tensors to have a layout, or none}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #blocked> -> tensor<32x64xf16>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xi8, #blocked>) {
    // expected-error @+1 {{'ttg.fp4_to_fp' op result #0 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float values}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #blocked> -> tensor<32x64xf64, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xi4, #blocked>) {
    // expected-error @+1 {{'ttg.fp4_to_fp' op operand #0 must be ranked tensor of 8-bit signless integer values}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi4, #blocked> -> tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// Barriers, regions, scratch memory
//===----------------------------------------------------------------------===//

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{expected a memory space, found 'shared'}}
    ttg.barrier local|shared
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: i1) {
    // expected-error @+1 {{'ttg.mask' op expected the region to end in 'ttg.mask.return'}}
    "ttg.mask"(%p) ({
      llvm.unreachable
    }) : (i1) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: i1, %x: i32) {
    // expected-error @+1 {{'ttg.mask' op expected the region to return values of the result types}}
    %0 = "ttg.mask"(%p) ({
      ttg.mask.return %x : i32
    }) : (i1) -> f32
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: i32) {
    // expected-error @+1 {{'ttg.mask.return' op expects parent op 'ttg.mask'}}
    "ttg.mask.return"(%x) : (i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.global_scratch_alloc' op expected 'nbytes' to be non-negative, found -1}}
    %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = -1 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.global_scratch_alloc' op expected 'alignment' to be a power of two up to 1048576, found 0}}
    %0 = ttg.global_scratch_alloc {alignment = 0 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.global_scratch_alloc' op expected 'alignment' to be a power of two up to 1048576, found -2147483648}}
    %0 = ttg.global_scratch_alloc {alignment = -2147483648 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.global_scratch_alloc' op expected 'alignment' to be a power of two up to 1048576, found 96}}
    %0 = ttg.global_scratch_alloc {alignment = 96 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// Allocation, loads and stores
//===----------------------------------------------------------------------===//

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.local_alloc' op expected the allocation shape to be the shape, found '!ttg.memdesc<32x32xf16}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable, 64x32>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.local_alloc' op expected mutable memory without a source, found '!ttg.memdesc<32x32xf16}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16, #blocked>) {
    // expected-error @+1 {{'ttg.local_alloc' op expected tensor and memory of the same shape and element type, found 'tensor<32x32xf16}}
    %0 = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.local_alloc' op expected 'alignment' to be a power of two up to 1048576, found 0}}
    %0 = ttg.local_alloc {alignment = 0 : i32} : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.local_alloc' op expected 'alignment' to be a power of two up to 1048576, found -16}}
    %0 = ttg.local_alloc {alignment = -16 : i32} : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.local_alloc' op expected 'alignment' to be a power of two up to 1048576, found 48}}
    %0 = ttg.local_alloc {alignment = 48 : i32} : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f() {
    // expected-error @+1 {{'ttg.local_alloc' op expected 'alignment' to be a power of two up to 1048576, found 2097152}}
    %0 = ttg.local_alloc {alignment = 2097152 : i32} : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.local_load' op expected tensor and memory of the same shape and element type, found 'tensor<32x32xbf16}}
    %0 = ttg.local_load %m : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xbf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16, #blocked>, %m: !ttg.memdesc<32x32xf16, #shared, #smem>) {
    // expected-error @+1 {{'ttg.local_store' op expected mutable memory as destination, found '!ttg.memdesc<32x32xf16}}
    ttg.local_store %x, %m : tensor<32x32xf16, #blocked> -> !ttg.memdesc<32x32xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<32x32xf16, #blocked>, %m: !ttg.memdesc<3x32x32xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.local_store' op expected tensor and memory of the same shape and element type, found 'tensor<32x32xf16}}
    ttg.local_store %x, %m : tensor<32x32xf16, #blocked> -> !ttg.memdesc<3x32x32xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>) {
    // expected-error @+1 {{'ttg.local_gather' op expected 'axis' to be a dimension of the memory, found 2}}
    %0 = ttg.local_gather %m[%i] {axis = 2 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xi32, #blocked> -> tensor<32x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>) {
    // expected-error @+1 {{'ttg.local_gather' op expected 'axis' to be a dimension of the memory, found -1}}
    %0 = ttg.local_gather %m[%i] {axis = -1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xi32, #blocked> -> tensor<32x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>) {
    // expected-error @+1 {{'ttg.local_gather' op expected indices and values of the same shape and layout, found 'tensor<32x8xi32}}
    %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xi32, #blocked> -> tensor<32x16xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>) {
    // expected-error @+1 {{'ttg.local_gather' op expected indices and values of the same shape and layout, found 'tensor<32x8xi32}}
    %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xi32, #blocked> -> tensor<32x8xf16, #other>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>) {
    // expected-error @+1 {{'ttg.local_gather' op expected values and memory of the same element type, found 'tensor<32x8xbf16}}
    %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xi32, #blocked> -> tensor<32x8xbf16, #blocked>
    tt.return
  }
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<64xi32, #line>) {
    // expected-error @+1 {{'ttg.local_gather' op expected indices of rank 2, found 'tensor<64xi32}}
    %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<64xi32, #line> -> tensor<64xf16, #line>
    tt.return
  }
}

// -----

// Along the axis there may be any number of them.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<64x8xi32, #blocked>) {
    // expected-error @+1 {{'ttg.local_gather' op expected at most 32 indices along dimension 0, found 64}}
    %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<64x8xi32, #blocked> -> tensor<64x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem>, %i: tensor<32x8xi32, #blocked>, %x: tensor<32x8xf16, #blocked>) {
    // expected-error @+1 {{'ttg.local_scatter' op expected mutable memory as destination, found '!ttg.memdesc<32x32xf16}}
    ttg.local_scatter %m[%i], %x {axis = 1 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem>, tensor<32x8xi32, #blocked>, tensor<32x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x64xi32, #blocked>, %x: tensor<32x64xf16, #blocked>) {
    // expected-error @+1 {{'ttg.local_scatter' op expected at most 32 indices along dimension 1, found 64}}
    ttg.local_scatter %m[%i], %x {axis = 0 : i32} : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x64xi32, #blocked>, tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem>, %i: tensor<32x8xi32, #blocked>, %x: tensor<32x8xf16, #blocked>) {
    // expected-error @+1 {{'ttg.local_atomic_scatter_rmw' op expected mutable memory as destination, found '!ttg.memdesc<32x32xf16}}
    %0 = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 1 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem>, tensor<32x8xf16, #blocked>, tensor<32x8xi32, #blocked>) -> tensor<32x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>, %x: tensor<32x8xf16, #blocked>) {
    // expected-error @+1 {{'ttg.local_atomic_scatter_rmw' op expected 'axis' to be a dimension of the memory, found 2}}
    %0 = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 2 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xf16, #blocked>, tensor<32x8xi32, #blocked>) -> tensor<32x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>, %x: tensor<32x8xf16, #blocked>) {
    // expected-error @+1 {{'ttg.local_atomic_scatter_rmw' op expects integers for `max`, found 'f16'}}
    %0 = ttg.local_atomic_scatter_rmw max, %m[%i], %x {axis = 1 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xf16, #blocked>, tensor<32x8xi32, #blocked>) -> tensor<32x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %i: tensor<32x8xi32, #blocked>, %x: tensor<32x8xf16, #blocked>, %k: tensor<32x16xi1, #blocked>) {
    // expected-error @+1 {{'ttg.local_atomic_scatter_rmw' op expected mask and values of the same shape and layout, found 'tensor<32x16xi1}}
    %0 = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x, %k {axis = 1 : i32} : (!ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x8xf16, #blocked>, tensor<32x8xi32, #blocked>, tensor<32x16xi1, #blocked>) -> tensor<32x8xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: tensor<32x32x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<32x32xf16, #shared, #smem>) {
    // expected-error @+1 {{'ttg.async_copy_global_to_local' op expected mutable memory as destination, found '!ttg.memdesc<32x32xf16}}
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: tensor<32x32x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<32x32xf32, #shared, #smem, mutable>) {
    // expected-error @+1 {{'ttg.async_copy_global_to_local' op expected tensor and memory of the same shape and element type, found 'tensor<32x32xf16}}
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: tensor<32x32x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %k: tensor<32x16xi1, #blocked>) {
    // expected-error @+1 {{'ttg.async_copy_global_to_local' op failed to verify that `mask` must have the shape of `src`}}
    %0 = "ttg.async_copy_global_to_local"(%p, %m, %k) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x16xi1, #blocked>) -> !ttg.async.token
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: tensor<32x32x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, %o: tensor<32x32xbf16, #blocked>) {
    // expected-error @+1 {{'ttg.async_copy_global_to_local' op failed to verify that `other` must have the type that `src` points to}}
    %0 = "ttg.async_copy_global_to_local"(%p, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<32x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<32x32xf16, #shared, #smem, mutable>, tensor<32x32xbf16, #blocked>) -> !ttg.async.token
    tt.return
  }
}
