// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// The requirements of the verifiers of ttig's operations, and of dpas on dots.

// Operands fill the 32 bits of a channel.
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%a: tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, %b: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %c: tensor<32x32xf32, #mma>) {
    // expected-error @+1 {{'tt.dot' op expected operands of 16 bits for dpas with 2 operations per channel, found 'f32'}}
    %0 = tt.dot %a, %b, %c : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
    tt.return
  }
}

// -----

#tf32 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #tf32, kWidth = 1}>>, %b: tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #tf32, kWidth = 1}>>, %c: tensor<32x32xf32, #tf32>) {
    // expected-error @+1 {{'tt.dot' op expected operands of 32 bits for dpas with 1 operations per channel, found 'f16'}}
    %0 = tt.dot %a, %b, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #tf32, kWidth = 1}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #tf32, kWidth = 1}>> -> tensor<32x32xf32, #tf32>
    tt.return
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
#tf32 = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 1, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #tf32, kWidth = 1}>>, %b: tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %c: tensor<32x32xf32, #mma>) {
    // expected-error @+1 {{expected the layout of operand 0 to have the result's layout #ttig.dpas}}
    %0 = tt.dot %a, %b, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #tf32, kWidth = 1}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: f32) {
    // expected-error @+1 {{'tt.splat' op expected a layout for 4 warps, found 8}}
    %0 = tt.splat %x : f32 -> tensor<64x32xf32, #ttig.subgroup_2d_block<{warpsPerCTA = [8, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>>
    tt.return
  }
}

// -----

//===----------------------------------------------------------------------===//
// prefetch
//===----------------------------------------------------------------------===//

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<64xf16>) {
    // expected-error @+1 {{expected a pointer type, found 'tensor<64xf16>'}}
    ttig.prefetch %x : tensor<64xf16>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: i32) {
    // expected-error @+1 {{expected a pointer type, found 'i32'}}
    ttig.prefetch %x : i32
    tt.return
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: !tt.ptr<tensor<32x32xf16, #mma>>) {
    // expected-error @+1 {{'ttig.prefetch' op attribute 'cache' failed to satisfy constraint}}
    ttig.prefetch %p {cache = "ca"} : !tt.ptr<tensor<32x32xf16, #mma>>
    tt.return
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: !tt.ptr<tensor<32x32xf16, #mma>>) {
    // expected-error @+1 {{'ttig.prefetch' op attribute 'evict' failed to satisfy constraint}}
    ttig.prefetch %p {evict = 99 : i32} : !tt.ptr<tensor<32x32xf16, #mma>>
    tt.return
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: !tt.ptr<tensor<32x32xf16, #mma>>) {
    // expected-error @+1 {{'ttig.prefetch' op attribute 'boundaryCheck' failed to satisfy constraint}}
    ttig.prefetch %p {boundaryCheck = array<i64: 0>} : !tt.ptr<tensor<32x32xf16, #mma>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: tensor<64x!tt.ptr<f16>>) {
    // expected-error @+1 {{'ttig.prefetch' op expected 'boundaryCheck' only with a block pointer}}
    ttig.prefetch %p {boundaryCheck = array<i32: 0>} : tensor<64x!tt.ptr<f16>>
    tt.return
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: !tt.ptr<tensor<32x32xf16, #mma>>) {
    // expected-error @+1 {{'ttig.prefetch' op expected 'boundaryCheck' to name dimensions of the block, found 2}}
    ttig.prefetch %p {boundaryCheck = array<i32: 0, 2>} : !tt.ptr<tensor<32x32xf16, #mma>>
    tt.return
  }
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: !tt.ptr<tensor<32x32xf16, #mma>>) {
    // expected-error @+1 {{'ttig.prefetch' op expected 'boundaryCheck' to name dimensions of the block, found -1}}
    ttig.prefetch %p {boundaryCheck = array<i32: -1>} : !tt.ptr<tensor<32x32xf16, #mma>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: tensor<64x!tt.ptr<f16>>, %m: tensor<32xi1>) {
    // expected-error @+1 {{'ttig.prefetch' op expected a mask of type 'tensor<64xi1>', found 'tensor<32xi1>'}}
    "ttig.prefetch"(%p, %m) : (tensor<64x!tt.ptr<f16>>, tensor<32xi1>) -> ()
    tt.return
  }
}

// -----

// Numbers of rows are a column as high as the block.
tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %r: tensor<8x1xi32>) {
  // expected-error @+1 {{'ttig.load_block' op expected a column of 16 row numbers, found 'tensor<8x1xi32>'}}
  %x = ttig.load_block %p[%o, %o] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<8x1xi32>) -> tensor<16x32xf16>
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %r: tensor<16x32xi32>, %x: tensor<16x32xf16>) {
  // expected-error @+1 {{'ttig.store_block' op expected a column of 16 row numbers, found 'tensor<16x32xi32>'}}
  ttig.store_block %x, %p[%o, %o] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<16x32xf16>, tensor<16x32xi32>) -> ()
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<f16, 3>, %o: i32, %r: tensor<16x1xi32>) {
  // expected-error @+1 {{'ttig.load_block' op expected a block of rank 2, found 'tensor<2x16x32xf16>'}}
  %x = ttig.load_block %p[%o, %o, %o] rows %r : (!ttig.memory<f16, 3>, i32, i32, i32, tensor<16x1xi32>) -> tensor<2x16x32xf16>
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<i16, 2>, %o: i32, %r: tensor<16x1xi32>) {
  // expected-error @+1 {{'ttig.load_block' op expected floats to be padded with NaN, found 'i16'}}
  %x = ttig.load_block %p[%o, %o] rows %r {boundaryCheck = array<i32: 0>, padding = 2 : i32} : (!ttig.memory<i16, 2>, i32, i32, tensor<16x1xi32>) -> tensor<16x32xi16>
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<i16, 2>, %o: i32, %r: tensor<16x1xi32>) {
  // expected-error @+1 {{'ttig.load_block' op expected 'boundaryCheck' to name dimensions of the block once each, found 1}}
  %x = ttig.load_block %p[%o, %o] rows %r {boundaryCheck = array<i32: 1, 1>} : (!ttig.memory<i16, 2>, i32, i32, tensor<16x1xi32>) -> tensor<16x32xi16>
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<i16, 2>, %o: i32, %r: tensor<16x1xi32>) {
  // expected-error @+1 {{'ttig.load_block' op expected 'boundaryCheck' to name dimensions of the block once each, found 2}}
  %x = ttig.load_block %p[%o, %o] rows %r {boundaryCheck = array<i32: 2>} : (!ttig.memory<i16, 2>, i32, i32, tensor<16x1xi32>) -> tensor<16x32xi16>
  tt.return
}

// -----

// The numbers lie where the rows do.
#b1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#b2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %r: tensor<16x1xi32, #b2>) {
    // expected-error @+1 {{'ttig.load_block' op requires the same encoding for all operands and results}}
    %x = ttig.load_block %p[%o, %o] rows %r : (!ttig.memory<f16, 2>, i32, i32, tensor<16x1xi32, #b2>) -> tensor<16x32xf16, #b1>
    tt.return
  }
}

// -----

module {
  tt.func @f(%p: !ttig.memory<f16, 3>, %o: i32, %s: !tt.ptr<f16>) {
    // expected-error @+1 {{'ttig.load_block' op expected a block of rank 2, found 'tensor<2x32x16xf16>'}}
    %0 = ttig.load_block %p[%o, %o, %o] pages[%s] : (!ttig.memory<f16, 3>, i32, i32, i32, !tt.ptr<f16>) -> tensor<2x32x16xf16>
    tt.return
  }
}

// -----

// Three pages are no equal parts of a power of two.
module {
  tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %s: !tt.ptr<f16>) {
    // expected-error @+1 {{'ttig.load_block' op expected equal parts of dimension 0 of 'tensor<32x16xf16>', found 3}}
    %0 = ttig.load_block %p[%o, %o] pages[%s, %s, %s] : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x16xf16>
    tt.return
  }
}

// -----

module {
  tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %s: !tt.ptr<f16>, %t: !tt.ptr<f32>) {
    // expected-error @+1 {{'ttig.load_block' op expected pages of elements of type 'f16', found '!tt.ptr<f32>'}}
    %0 = ttig.load_block %p[%o, %o] pages[%s, %t] : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f32>) -> tensor<32x16xf16>
    tt.return
  }
}

// -----

module {
  tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %s: !tt.ptr<f16>) {
    // expected-error @+1 {{'ttig.load_block' op attribute 'pageDim' failed to satisfy constraint}}
    %0 = ttig.load_block %p[%o, %o] pages[%s] {pageDim = 2 : i32} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>) -> tensor<32x16xf16>
    tt.return
  }
}

// -----

module {
  tt.func @f(%p: !ttig.memory<i8, 2>, %o: i32, %s: !tt.ptr<i8>) {
    // expected-error @+1 {{'ttig.load_block' op expected floats to be padded with NaN, found 'i8'}}
    %0 = ttig.load_block %p[%o, %o] pages[%s] {boundaryCheck = array<i32: 0>, padding = 2 : i32} : (!ttig.memory<i8, 2>, i32, i32, !tt.ptr<i8>) -> tensor<32x16xi8>
    tt.return
  }
}

// -----

module {
  tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %s: !tt.ptr<f16>) {
    // expected-error @+1 {{'ttig.load_block' op expected 'boundaryCheck' to name dimensions of the block once each, found 0}}
    %0 = ttig.load_block %p[%o, %o] pages[%s] {boundaryCheck = array<i32: 0, 0>} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>) -> tensor<32x16xf16>
    tt.return
  }
}

// -----

// A block has the elements and the dimensions of the tensor.
tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32) {
  // expected-error @+1 {{'ttig.load_block' op expected a block of the elements and the rank of '!ttig.memory<f16, 2>', found 'tensor<16x32xf32>'}}
  %x = ttig.load_block %p[%o, %o] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x32xf32>
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32) {
  // expected-error @+1 {{'ttig.prefetch_block' op expected 2 offsets, found 1}}
  ttig.prefetch_block %p[%o] of tensor<16x32xf16> : (!ttig.memory<f16, 2>, i32) -> ()
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32) {
  // expected-error @+1 {{'ttig.load_block' op expected 'messageShape' to be three powers of two}}
  %x = ttig.load_block %p[%o, %o] {messageShape = array<i32: 8, 12, 1>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x32xf16>
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32) {
  // expected-error @+1 {{'ttig.load_block' op expected an 'order' with other results of the analysis of accesses}}
  %x = ttig.load_block %p[%o, %o] {boundedRows} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x32xf16>
  tt.return
}

// -----

// Rows are masked as a whole, elements one by one.
tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %m: tensor<1x32xi1>) {
  // expected-error @+1 {{'ttig.load_block' op expected a mask of the block or a column of one, found 'tensor<1x32xi1>'}}
  %x = ttig.load_block %p[%o, %o] mask %m : (!ttig.memory<f16, 2>, i32, i32, tensor<1x32xi1>) -> tensor<16x32xf16>
  tt.return
}

// -----

tt.func @f(%p: !ttig.memory<f16, 2>, %o: i32, %r: tensor<16x1xi32>, %s: !tt.ptr<f16>) {
  // expected-error @+1 {{'ttig.load_block' op expected either row numbers or pages}}
  %x = ttig.load_block %p[%o, %o] rows %r pages[%s] : (!ttig.memory<f16, 2>, i32, i32, tensor<16x1xi32>, !tt.ptr<f16>) -> tensor<16x32xf16>
  tt.return
}

// -----

// A condition is over arguments of the kernel, and over no or three extents of the
// grid.
tt.func public @kernel(%a: i32) {
  // expected-error @+1 {{attribute 'legal' failed to satisfy constraint: an integer set of symbols and of no or three dimensions}}
  ttig.launch_condition affine_set<(d0)[s0] : (d0 - s0 >= 0)>[%a] : i32
  tt.return
}

// -----

tt.func public @kernel(%a: i32) {
  // expected-error @+1 {{expected an argument for each of the 2 symbols, found 1}}
  ttig.launch_condition affine_set<()[s0, s1] : (s1 - s0 >= 0)>[%a] : i32
  tt.return
}

// -----

// The launcher knows nothing but what it passes.
tt.func public @kernel(%a: i32) {
  %b = arith.addi %a, %a : i32
  // expected-error @+1 {{expected arguments of the kernel, found another value for symbol 1}}
  ttig.launch_condition affine_set<()[s0, s1] : (s1 - s0 >= 0)>[%a, %b] : i32, i32
  tt.return
}

// -----

// A condition is not empty.
tt.func public @kernel(%a: i32) {
  // expected-error @+1 {{expected a set, pairs of pointers, or both}}
  ttig.launch_condition surface 1
  tt.return
}

// -----

tt.func public @kernel(%a: i32, %p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  // expected-error @+1 {{expected an argument for each of the 0 symbols, found 1}}
  "ttig.launch_condition"(%a, %p, %q) {operandSegmentSizes = array<i32: 1, 2>} : (i32, !tt.ptr<f32>, !tt.ptr<f32>) -> ()
  tt.return
}

// -----

// Pointers are what may be the same.
tt.func public @kernel(%a: i32) {
  // expected-error @+1 {{expected pointers that may be the same}}
  ttig.launch_condition affine_set<()[s0] : (s0 - 1 >= 0)>[%a] {mayBeSame} : i32
  tt.return
}

// -----

// Tensors have pointers, of which there are two.
tt.func public @kernel(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected pointers in pairs, found 1}}
  "ttig.launch_condition"(%p) {operandSegmentSizes = array<i32: 0, 1>} : (!tt.ptr<f32>) -> ()
  tt.return
}

// -----

tt.func public @kernel(%p: !tt.ptr<f32>, %n: i64) {
  // expected-error @+1 {{operand #1 must be variadic of pointer to a scalar, but got 'i64'}}
  ttig.launch_condition disjoint (%p, %n : !tt.ptr<f32>, i64)
  tt.return
}

// -----

tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  // expected-error @+1 {{expected two arguments, found one of them twice in pair 1}}
  ttig.launch_condition disjoint (%p, %q : !tt.ptr<f32>, !tt.ptr<f32>), (%p, %p : !tt.ptr<f32>, !tt.ptr<f32>)
  tt.return
}

// -----

tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %r = tt.addptr %q, %n : !tt.ptr<f32>, i32
  // expected-error @+1 {{expected pointers that are arguments of the kernel, found another value in pair 0}}
  ttig.launch_condition disjoint (%p, %r : !tt.ptr<f32>, !tt.ptr<f32>)
  tt.return
}

// -----

tt.func private @helper(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  // expected-error @+1 {{expected to be in a kernel}}
  ttig.launch_condition disjoint (%p, %q : !tt.ptr<f32>, !tt.ptr<f32>)
  tt.return
}

// -----

tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  // expected-error @+1 {{expected ','}}
  ttig.launch_condition disjoint (%p : !tt.ptr<f32>)
  tt.return
}

// -----

// A function that is not a kernel is never launched.
tt.func private @helper(%a: i32) {
  // expected-error @+1 {{expected to be in a kernel}}
  ttig.launch_condition affine_set<()[s0] : (s0 >= 0)>[%a] : i32
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Warps distinguish the lowest two bits of rows: there are four slices, not
// eight.
tt.func public @kernel(%m: !ttig.private<tensor<16x64xf32, #blocked>>, %i: i32) {
  // expected-error @+1 {{expected 8 slices along dimension 0, each with separate registers}}
  %0 = ttig.load_slice %m[%i] dims = [0] counts = [8] : !ttig.private<tensor<16x64xf32, #blocked>> -> tensor<2x64xf32, #blocked>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func public @kernel(%m: !ttig.private<tensor<16x64xf32, #blocked>>, %i: i32) {
  // expected-error @+1 {{the slice has the layout}}
  %0 = ttig.load_slice %m[%i] dims = [0] counts = [4] : !ttig.private<tensor<16x64xf32, #blocked>> -> tensor<8x64xf32, #blocked>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func public @kernel(%m: !ttig.private<tensor<16x64xf32, #blocked>>, %x: tensor<4x64xf16, #blocked>, %i: i32) {
  // expected-error @+1 {{expected a slice of elements of 'tensor<16x64xf32}}
  ttig.store_slice %x, %m[%i] dims = [0] counts = [4] : tensor<4x64xf16, #blocked> -> !ttig.private<tensor<16x64xf32, #blocked>>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func public @kernel(%m: !ttig.private<tensor<16x64xf32, #blocked>>, %x: tensor<4x64xf32, #blocked>, %i: i32) {
  // expected-error @+1 {{expected a dimension and a count per index, found 1 and 1 for 2}}
  ttig.store_slice %x, %m[%i, %i] dims = [0] counts = [4] : tensor<4x64xf32, #blocked> -> !ttig.private<tensor<16x64xf32, #blocked>>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func public @kernel(%m: !ttig.private<tensor<16x64xf32, #blocked>>, %x: tensor<4x64xf32, #blocked>, %i: i32) {
  // expected-error @+1 {{and a positive count, found 2 and 4}}
  ttig.store_slice %x, %m[%i] dims = [2] counts = [4] : tensor<4x64xf32, #blocked> -> !ttig.private<tensor<16x64xf32, #blocked>>
  tt.return
}
}

// -----

// expected-error @+1 {{expected a tensor with a layout of registers, found 'tensor<16x64xf32>'}}
tt.func public @kernel(%m: !ttig.private<tensor<16x64xf32>>) {
  tt.return
}

// -----

// Each register states which lane its value comes from.
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<256xf32, #blocked>, %i: tensor<256xi32, #other>) {
    // expected-error @+1 {{'ttig.sub_group_shuffle' op expected lanes and values of the same shape and layout, found 'tensor<256xi32}}
    %0 = ttig.sub_group_shuffle lane %x, %i : tensor<256xf32, #blocked>, tensor<256xi32, #other>
    tt.return
  }
}

// -----

// A pointer is nothing that lanes exchange.
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<256x!tt.ptr<f32>, #blocked>, %i: i32) {
    // expected-error @+1 {{'ttig.sub_group_shuffle' op operand #0 must be}}
    %0 = ttig.sub_group_shuffle xor %x, %i : tensor<256x!tt.ptr<f32>, #blocked>, i32
    tt.return
  }
}

// -----

// Without a layout, sub-groups have no elements.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<16x16xf32>) {
    // expected-error @+1 {{'ttig.stack_warps' op expected a layout of registers, found 'tensor<16x16xf32>'}}
    %0 = ttig.stack_warps %x : tensor<16x16xf32> -> tensor<64x16xf32>
    tt.return
  }
}

// -----

// A stack has the rows of all sub-groups.
#blocked = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<16x16xf32, #blocked>) {
    // expected-error @+1 {{'ttig.stack_warps' op expected the operand's layout and the rows of all sub-groups, found 'tensor<32x16xf32}}
    %0 = ttig.stack_warps %x : tensor<16x16xf32, #blocked> -> tensor<32x16xf32, #blocked>
    tt.return
  }
}

// -----

// Each sub-group has four rows of the operand only.
#blocked = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @f(%x: tensor<16x16xf32, #blocked>) {
    // expected-error @+1 {{'ttig.stack_warps' op expected a layout in which each sub-group has 16 rows of the result, found 'tensor<64x16xf32}}
    %0 = ttig.stack_warps %x : tensor<16x16xf32, #blocked> -> tensor<64x16xf32, #blocked>
    tt.return
  }
}
