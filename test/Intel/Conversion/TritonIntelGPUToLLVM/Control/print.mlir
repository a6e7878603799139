// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#copies = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Format strings are constants in the address space of OpenCL's literals; equal lines share one.
// CHECK-DAG: llvm.mlir.global internal constant @[[VALUE:.*]]("pid (%d, %d, %d) idx (%1d, %2d) x: 0x%08x\0A\00") {addr_space = 2 : i32}
// CHECK-DAG: llvm.mlir.global internal constant @[[TEXT:.*]]("pid (%d, %d, %d) 100%% done\0A\00") {addr_space = 2 : i32}
// CHECK-DAG: llvm.mlir.global internal constant @[[FIRST:.*]]("pid (%d, %d, %d) idx (%1d) two: (operand 0) %f\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[SECOND:.*]]("pid (%d, %d, %d) idx () two: (operand 1) %lu\0A\00")
// CHECK-DAG: llvm.func spir_funccc @printf(!llvm.ptr<2>, ...) -> i32

// A line per register.
// CHECK-LABEL: llvm.func spir_kernelcc @values
// CHECK-COUNT-3: @_Z12get_group_idj
// CHECK-COUNT-2: llvm.mlir.addressof @[[VALUE]] : !llvm.ptr<2>
// CHECK-NOT:     llvm.mlir.addressof
tt.func @values(%x: tensor<8x16xi32, #blocked>) {
  tt.print " x: " {hex = true, isSigned = array<i32: 1>} : %x : tensor<8x16xi32, #blocked>
  tt.return
}

// Each work-item prints a text without values; a percent sign represents
// itself.
// CHECK-LABEL: llvm.func spir_kernelcc @text
// CHECK-NOT:     scf.if
// CHECK:         llvm.mlir.addressof @[[TEXT]]
tt.func @text() {
  tt.print " 100% done" {hex = false, isSigned = array<i32>}
  tt.return
}

// Copies of a tensor's elements are not printed, and those of a scalar are;
// bf16 is printed as a float, and integers according to their sign.
// CHECK-LABEL: llvm.func spir_kernelcc @operands
// CHECK:         scf.if
// CHECK:           llvm.mlir.addressof @[[FIRST]]
// CHECK-NOT:     scf.if
// CHECK:         llvm.mlir.addressof @[[SECOND]]
tt.func @operands(%x: tensor<4xbf16, #copies>, %y: i64) {
  tt.print " two: " {hex = false, isSigned = array<i32: 0, 0>} : %x, %y : tensor<4xbf16, #copies>, i64
  tt.return
}
}
