// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#registers = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 1], warpsPerCTA = [1, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Within a work-item two steps for four elements, and no call.
// CHECK-LABEL: llvm.func spir_kernelcc @within
// CHECK-NOT:     llvm.call
// CHECK-COUNT-2: arith.addf {{.*}} : vector<2xf32>
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
tt.func @within(%x: tensor<16x4xf32, #rows>) -> tensor<16x4xf32, #rows> {
  %s = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<16x4xf32, #rows>) -> tensor<16x4xf32, #rows>
  tt.return %s : tensor<16x4xf32, #rows>
}

// Per lane bit one shuffle, of the last element of a run only, and no barrier
// in a single warp.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes
// CHECK-COUNT-4: llvm.call spir_funccc @_Z17sub_group_shufflefj
// CHECK-NOT:     sub_group_shuffle
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @lanes(%x: tensor<64xf32, #registers>) -> tensor<64xf32, #registers> {
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32, #registers>) -> tensor<64xf32, #registers>
  tt.return %s : tensor<64xf32, #registers>
}
}
