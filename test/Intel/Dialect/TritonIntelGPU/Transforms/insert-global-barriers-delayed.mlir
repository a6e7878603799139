// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-insert-global-barriers=assume-launch | FileCheck %s --check-prefixes=CHECK,DELAYED
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-insert-global-barriers | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -split-input-file -tritonintelgpu-insert-global-barriers=assume-launch \
// RUN:   | FileCheck %s --check-prefixes=CHECK,KEPT

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4], repCluster = [4, 1], A = [32, 16], B = [16, 16], C = [32, 16]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, ttig.registers = 256 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Both halves of what the loop carries are stored first, and multiplied later. In launches whose tensors do not overlap, the
// second half is converted and stored after the first product, before the load that only the second one needs. Where
// tensors may overlap, or registers do not hold the first product in addition
// to everything else, the order is that of the program.
// CHECK-LABEL: tt.func public @halves
// CHECK:         scf.for
// CHECK:           arith.truncf
// CHECK:           ttig.store_block
// KEPT:            arith.truncf
// KEPT-NEXT:       ttig.store_block
// DELAYED-NOT:     arith.truncf
// CHECK:           ttig.load_block
// CHECK:           tt.dot
// DELAYED:         %[[LOWER:.+]] = arith.truncf
// DELAYED-NEXT:    ttig.store_block %[[LOWER]]
// CHECK:           ttig.load_block
// DELAYED-NEXT:    tt.dot %{{.+}}, %[[LOWER]],
// KEPT-NEXT:       tt.dot
tt.func public @halves(%p: !tt.ptr<bf16>, %q: !tt.ptr<bf16>, %o: !tt.ptr<bf16>, %n: i32, %start: tensor<64x64xf32, #right>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %next = arith.constant 64 : i32
  %rows = arith.constant 128 : i64
  %unit = arith.constant 1 : i64
  %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
  %w = ttig.surface %p, [%rows, %rows], [%rows, %unit] {number = 0 : i32} : <bf16>
  %h = ttig.surface %q, [%rows, %rows], [%rows, %unit] {number = 1 : i32} : <bf16>
  %c = ttig.surface %o, [%rows, %rows], [%rows, %unit] {number = 2 : i32} : <bf16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%upper = %start, %lower = %start) -> (tensor<64x64xf32, #right>, tensor<64x64xf32, #right>) : i32 {
    %u = arith.truncf %upper : tensor<64x64xf32, #right> to tensor<64x64xbf16, #right>
    ttig.store_block %u, %h[%zero, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<64x64xbf16, #right>) -> ()
    %l = arith.truncf %lower : tensor<64x64xf32, #right> to tensor<64x64xbf16, #right>
    ttig.store_block %l, %h[%next, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<64x64xbf16, #right>) -> ()
    %a = ttig.load_block %w[%i, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 32, width = 16, blocks = 2>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x64xbf16, #left>
    %d = tt.dot %a, %u, %none, inputPrecision = tf32 : tensor<64x64xbf16, #left> * tensor<64x64xbf16, #right> -> tensor<64x64xf32, #mma>
    %b = ttig.load_block %w[%i, %next] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 32, width = 16, blocks = 2>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x64xbf16, #left>
    %e = tt.dot %b, %l, %d, inputPrecision = tf32 : tensor<64x64xbf16, #left> * tensor<64x64xbf16, #right> -> tensor<64x64xf32, #mma>
    %t = arith.truncf %e : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
    ttig.store_block %t, %c[%i, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<64x64xbf16, #mma>) -> ()
    %v = arith.addf %upper, %upper : tensor<64x64xf32, #right>
    %x = arith.addf %lower, %lower : tensor<64x64xf32, #right>
    scf.yield %v, %x : tensor<64x64xf32, #right>, tensor<64x64xf32, #right>
  }
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4], repCluster = [4, 1], A = [32, 16], B = [16, 16], C = [32, 16]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, ttig.registers = 256 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// The load may read the elements that the store writes: both may access one tensor, so that the store stays before the load.
// CHECK-LABEL: tt.func public @same_tensor
// CHECK:         ttig.store_block
// CHECK:         ttig.load_block
// CHECK:         tt.dot
tt.func public @same_tensor(%p: !tt.ptr<bf16>, %n: i32, %start: tensor<64x64xf32, #right>) {
  %zero = arith.constant 0 : i32
  %rows = arith.constant 128 : i64
  %unit = arith.constant 1 : i64
  %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
  %w = ttig.surface %p, [%rows, %rows], [%rows, %unit] {number = 0 : i32} : <bf16>
  %u = arith.truncf %start : tensor<64x64xf32, #right> to tensor<64x64xbf16, #right>
  ttig.store_block %u, %w[%zero, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<64x64xbf16, #right>) -> ()
  %a = ttig.load_block %w[%zero, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 32, width = 16, blocks = 2>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x64xbf16, #left>
  %s = tt.dot %a, %u, %none, inputPrecision = tf32 : tensor<64x64xbf16, #left> * tensor<64x64xbf16, #right> -> tensor<64x64xf32, #mma>
  %c = ttig.surface %p, [%rows, %rows], [%rows, %unit] {number = 2 : i32} : <bf16>
  %t = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
  ttig.store_block %t, %c[%zero, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 16, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<64x64xbf16, #mma>) -> ()
  tt.return
}
}
