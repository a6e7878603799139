// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#copies = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Clear, count, read, with barriers between; 64 work-items clear two bins each, and a value without a bin is not counted.
// CHECK-LABEL: llvm.func spir_kernelcc @many_bins
// CHECK-COUNT-2: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         arith.cmpi ult
// CHECK:         scf.if
// CHECK:           llvm.atomicrmw add %{{.*}} syncscope("workgroup") monotonic : !llvm.ptr<3>, i32
// CHECK:         llvm.atomicrmw add
// CHECK-NOT:     llvm.atomicrmw
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
tt.func @many_bins(%x: tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked> {
  %h = tt.histogram %x : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked>
  tt.return %h : tensor<128xi32, #blocked>
}

// Fewer bins than work-items: the first clear them. Elements that several work-items hold are counted by one, if their
// mask is true.
// CHECK-LABEL: llvm.func spir_kernelcc @few_bins
// CHECK:         %[[IS_BIN:.*]] = arith.cmpi ult
// CHECK:         scf.if %[[IS_BIN]]
// CHECK:           llvm.store
// CHECK:         %[[MASKED:.*]] = arith.andi %{{.*}} : i1
// CHECK:         %[[OWNED:.*]] = arith.andi %[[MASKED]], %{{.*}} : i1
// CHECK:         scf.if %[[OWNED]]
// CHECK:           llvm.atomicrmw add
tt.func @few_bins(%x: tensor<16xi64, #copies>, %m: tensor<16xi1, #copies>) -> tensor<16xi32, #copies> {
  %h = tt.histogram %x, %m : tensor<16xi64, #copies> -> tensor<16xi32, #copies>
  tt.return %h : tensor<16xi32, #copies>
}
}
