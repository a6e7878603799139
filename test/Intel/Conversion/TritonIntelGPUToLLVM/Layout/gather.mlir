// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#registers = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#warps = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// The axis lies in the registers of a work-item: seven selects.
// CHECK-LABEL: llvm.func spir_kernelcc @registers
// CHECK-NOT:     ttig.shuffle
// CHECK-COUNT-7: arith.select
// CHECK-NOT:     arith.select
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @registers(%x: tensor<64x8xf32, #registers>, %i: tensor<64x1xi32, #rows>) -> tensor<64x1xf32, #rows> {
  %r = tt.gather %x[%i] {axis = 1 : i32} : (tensor<64x8xf32, #registers>, tensor<64x1xi32, #rows>) -> tensor<64x1xf32, #rows>
  tt.return %r : tensor<64x1xf32, #rows>
}

// It lies in the lanes of a sub-group: one shuffle, from the lane that the index names, however wide that is.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes
// CHECK:         %[[INDEX:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK:         %[[MASK:.*]] = arith.constant 15 : i32
// CHECK:         arith.andi %[[INDEX]], %[[MASK]]
// CHECK:         ttig.shuffle lane %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @lanes(%x: tensor<4x16xf32, #lanes>, %i: tensor<4x16xi64, #lanes>) -> tensor<4x16xf32, #lanes> {
  %r = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4x16xf32, #lanes>, tensor<4x16xi64, #lanes>) -> tensor<4x16xf32, #lanes>
  tt.return %r : tensor<4x16xf32, #lanes>
}

// Across the warps that it does not lie along, the index of a warp names another warp's row: shared memory.
// CHECK-LABEL: llvm.func spir_kernelcc @rows
// CHECK:         llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> f32
tt.func @rows(%x: tensor<4x16xf32, #lanes>, %i: tensor<4x16xi32, #lanes>) -> tensor<4x16xf32, #lanes> {
  %r = tt.gather %x[%i] {axis = 0 : i32} : (tensor<4x16xf32, #lanes>, tensor<4x16xi32, #lanes>) -> tensor<4x16xf32, #lanes>
  tt.return %r : tensor<4x16xf32, #lanes>
}

// So does a result in a layout whose warps hold other rows than those of the operand.
// CHECK-LABEL: llvm.func spir_kernelcc @other_layout
// CHECK:         llvm.call spir_funccc @_Z7barrierj
tt.func @other_layout(%x: tensor<4x16xf32, #lanes>, %i: tensor<4x64xi32, #warps>) -> tensor<4x64xf32, #warps> {
  %r = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4x16xf32, #lanes>, tensor<4x64xi32, #warps>) -> tensor<4x64xf32, #warps>
  tt.return %r : tensor<4x64xf32, #warps>
}
}
