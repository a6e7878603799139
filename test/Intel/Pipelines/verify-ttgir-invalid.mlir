// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-verify-ttgir -verify-diagnostics

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
// A block is loaded in a layout.
tt.func public @block_without_layout(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{'ttig.load_block' op has a result that no register can hold: 'tensor<8x16xf16>' is a tensor without a layout of registers}}
  %x = ttig.load_block %bp[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// The first pass replaces block pointers.
tt.func public @block_pointer(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  // expected-error @below {{'tt.make_tensor_ptr' op should have been taken apart: it has no lowering}}
  %bp = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16, #mma>>
  // expected-error @below {{'tt.load' op should have been taken apart: it has no lowering}}
  %x = tt.load %bp {ttig.block_io = "row_major"} : !tt.ptr<tensor<8x16xf16, #mma>>
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
// Operations without a lowering are named where they are, all of them.
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
// The requirements of block accesses that no message has. One without messages
// is one for which no pass has found any.
tt.func public @accesses(%p: !tt.ptr<f16>, %n: i64, %mask: tensor<8x16xi1, #mma>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{'ttig.load_block' op has no 2D block messages}}
  %x = ttig.load_block %bp[%c0, %c0] : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #mma>
  // expected-error @below {{'ttig.load_block' op 2D block messages read elements out of range as zero, not NaN}}
  %y = ttig.load_block %bp[%c0, %c0] {boundaryCheck = array<i32: 0>, padding = 2 : i32, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #mma>
  // expected-error @below {{'ttig.load_block' op 2D block messages take no mask}}
  %z = ttig.load_block %bp[%c0, %c0] mask %mask {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xi1, #mma>) -> tensor<8x16xf16, #mma>
  %columns = ttig.surface %p, [%n, %n], [%c1, %n] : !tt.ptr<f16>
  // expected-error @below {{'ttig.store_block' op has messages that do not move its layout: the lanes of the layout are not those of any 2D block message for column-major memory}}
  ttig.store_block %x, %columns[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<column_major>} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #mma>) -> ()
  // expected-error @below {{'ttig.store_block' op has another order than its tensor, of which the stride of dimension 1 is not 1}}
  ttig.store_block %x, %columns[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #mma>) -> ()
  %refused = ttig.surface %p, [%n, %n], [%n, %c1] {rules = #ttig.rules<refused>} : !tt.ptr<f16>
  // expected-error @below {{'ttig.store_block' op has an order, and its tensor is refused}}
  ttig.store_block %x, %refused[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #mma>) -> ()
  // expected-error @below {{'ttig.store_block' op has messages that the target does not have: #ttig.messages<mode = plain, bits = 16, height = 16, width = 16, blocks = 1>}}
  ttig.store_block %x, %bp[%c0, %c0] {messages = #ttig.messages<mode = plain, bits = 16, height = 16, width = 16, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, tensor<8x16xf16, #mma>) -> ()
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
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{'ttig.prefetch_block' op has no 2D block messages}}
  ttig.prefetch_block %bp[%c0, %c0] of tensor<8x16xf16> : (!ttig.memory<f16, 2>, i32, i32) -> ()
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 1], repCluster = [1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// The target has no prefetch of 8 columns.
tt.func public @messages_of_prefetch(%p: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{'ttig.prefetch_block' op has messages that the target does not have: #ttig.messages<mode = plain, bits = 16, height = 2, width = 8, blocks = 1>}}
  ttig.prefetch_block %bp[%c0, %c0] of tensor<2x16xf16> {messages = #ttig.messages<mode = plain, bits = 16, height = 2, width = 8, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32) -> ()
  tt.return
}
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
// A message of 32 rows would leave a page of 16.
tt.func public @prefetch_of_pages(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %bp = ttig.surface %p, [%n, %n], [%n, %c1] : !tt.ptr<f16>
  // expected-error @below {{'ttig.prefetch_block' op has messages of more rows than a page: #ttig.messages<mode = plain, bits = 16, height = 32, width = 16, blocks = 1>}}
  ttig.prefetch_block %bp[%c0, %c0] pages[%p, %q] of tensor<32x16xf16> {messages = #ttig.messages<mode = plain, bits = 16, height = 32, width = 16, blocks = 1>, order = #ttig.order<row_major>} : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> ()
  tt.return
}
}
