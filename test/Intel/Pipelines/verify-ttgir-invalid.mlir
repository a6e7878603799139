// RUN: triton-xe-opt %s -split-input-file -triton-xe-verify-ttgir -verify-diagnostics

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// This stage chooses layouts: the registers of the next come from them.
tt.func public @tensor_without_layout() {
  // expected-error @below {{'arith.constant' op has a result that no register can hold: 'tensor<8xf32>' is a tensor without a layout of registers}}
  %x = arith.constant dense<0.0> : tensor<8xf32>
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Also those of arguments, whose place is that of the function.
// expected-error @below {{'tt.func' op has an argument that no register can hold: 'tensor<8xi32>' is a tensor without a layout of registers}}
tt.func public @argument_without_layout(%x: tensor<8xi32>) {
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// A block is loaded in the layout that its pointer names. What accesses it is no
// error of its own.
tt.func public @block_without_layout(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  // expected-error @below {{'tt.make_tensor_ptr' op has a result that no register can hold: '!tt.ptr<tensor<8x16xf16>>' is a block pointer without a layout of registers}}
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  ttig.prefetch %bp {cache = 1 : i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>} : !tt.ptr<tensor<8x16xf16>>
  tt.return
}
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Block pointers are no elements: a register holds an address.
// expected-error @below {{is a tensor of block pointers}}
tt.func public @tensor_of_block_pointers(%p: tensor<16x!tt.ptr<tensor<16xf16, #line>>, #line>) {
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Descriptors have become block pointers, or tensors of pointers.
tt.func public @descriptor(%p: !tt.ptr<f16>, %n: i32) {
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  // expected-error @below {{is a tensor descriptor, which should have become a block pointer}}
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%c64, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<8x16xf16>>
  tt.return
}
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Operations without a lowering are named where they stand, all of them.
tt.func public @operations(%x: tensor<16xf32, #line>, %n: index) {
  // expected-error @below {{'tt.cat' op should have been taken apart: it has no lowering}}
  %y = tt.cat %x, %x : tensor<16xf32, #line> -> tensor<32xf32, #line>
  // expected-error @below {{'builtin.unrealized_conversion_cast' op should have been taken apart: it has no lowering}}
  %i = builtin.unrealized_conversion_cast %n : index to i64
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// What block accesses ask for and no message does. An access without a mark is
// one that nobody has found to fit.
tt.func public @accesses(%p: !tt.ptr<f16>, %n: i64, %mask: tensor<8x16xi1, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{'tt.load' op accesses a block that is not marked as a 2D block access by `ttig.block_io`}}
  %x = tt.load %bp : !tt.ptr<tensor<8x16xf16, #mma>>
  // expected-error @below {{'tt.load' op 2D block messages read elements out of range as zero, not NaN}}
  %y = tt.load %bp {boundaryCheck = array<i32: 0>, padding = 2 : i32, ttig.block_io = "row_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<8x16xf16, #mma>>
  // expected-error @below {{'tt.store' op has no 2D block messages: the lanes of the layout are not those of any 2D block message for column-major memory}}
  tt.store %bp, %x {ttig.block_io = "column_major", ttig.bounded_rows, ttig.starts_in_row} : !tt.ptr<tensor<8x16xf16, #mma>>
  tt.return
}
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// A layout of shared memory is none of registers.
// expected-error @below {{is a tensor without a layout of registers}}
tt.func public @tensor_in_shared_memory(%x: tensor<16xf32, #shared>) {
  // expected-error @below {{is a tensor without a layout of registers}}
  %y = arith.addf %x, %x : tensor<16xf32, #shared>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// A prefetch has no registers, but must be known to fit messages as well.
tt.func public @prefetch(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{'ttig.prefetch' op accesses a block that is not marked as a 2D block access by `ttig.block_io`}}
  ttig.prefetch %bp {cache = 1 : i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>} : !tt.ptr<tensor<8x16xf16, #mma>>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// No prefetch has the shape that is stated for it.
tt.func public @stated_prefetch(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<2x16xf16, #mma>>
  // expected-error @below {{'ttig.prefetch' op has no 2D block messages: no message of the target has the stated shape (2, 8, 1) here; rows, columns and blocks of those that are possible: (1, 16, 1), (2, 16, 1)}}
  ttig.prefetch %bp {cache = 1 : i32, evict = 1 : i32, isVolatile = false, ttig.block_io = "row_major", ttig.block_message = array<i32: 2, 8, 1>} : !tt.ptr<tensor<2x16xf16, #mma>>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// Neither has a load: registers of the layout are 16 columns wide.
tt.func public @stated_load(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<2x16xf16, #mma>>
  // expected-error @below {{'tt.load' op has no 2D block messages: no message of the target has the stated shape (2, 32, 1) here; rows, columns and blocks of those that are possible: (2, 16, 1), (1, 16, 1)}}
  %x = tt.load %bp {ttig.block_io = "row_major", ttig.block_message = array<i32: 2, 32, 1>} : !tt.ptr<tensor<2x16xf16, #mma>>
  tt.return
}
}
