// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#across = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
#r0 = #ttg.linear<{register = [[1], [2]], lane = [[4], [8], [16], [32]], warp = [[64], [128]], block = []}>
#r1 = #ttg.linear<{register = [[2], [1]], lane = [[4], [8], [16], [32]], warp = [[64], [128]], block = []}>
#exchanged = #ttg.linear<{register = [[4], [2]], lane = [[1], [8], [16], [32]], warp = [[64], [128]], block = []}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Another order of the registers is a permutation, without any call.
// CHECK-LABEL: llvm.func spir_kernelcc @registers
// CHECK-NEXT:    llvm.mlir.poison
// CHECK-NEXT:    llvm.shufflevector {{.*}} [0, 2, 1, 3]
// CHECK-NEXT:    llvm.return
tt.func @registers(%x: tensor<256xf32, #r0>) -> tensor<256xf32, #r1> {
  %y = ttg.convert_layout %x : tensor<256xf32, #r0> -> tensor<256xf32, #r1>
  tt.return %y : tensor<256xf32, #r1>
}

// A register bit for a lane bit: shuffles, and no shared memory.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes
// CHECK-NOT:     barrier
// CHECK:         ttig.shuffle xor %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @lanes(%x: tensor<256xf32, #r0>) -> tensor<256xf32, #exchanged> {
  %y = ttg.convert_layout %x : tensor<256xf32, #r0> -> tensor<256xf32, #exchanged>
  tt.return %y : tensor<256xf32, #exchanged>
}

// Two 16-bit values travel in one shuffle.
// CHECK-LABEL: llvm.func spir_kernelcc @packed
// CHECK:         ttig.shuffle xor %{{.*}}, %{{.*}} : vector<2xf16>
// CHECK-NOT:     ttig.shuffle
// CHECK:         llvm.return
tt.func @packed(%x: tensor<256xf16, #r0>) -> tensor<256xf16, #exchanged> {
  %y = ttg.convert_layout %x : tensor<256xf16, #r0> -> tensor<256xf16, #exchanged>
  tt.return %y : tensor<256xf16, #exchanged>
}

// Across warps: vector stores, one barrier, vector loads.
// CHECK-LABEL: llvm.func spir_kernelcc @warps
// CHECK:         llvm.mlir.addressof @triton_xe_slm : !llvm.ptr<3>
// CHECK:         llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-NOT:     barrier
// CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @warps(%x: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #across> {
  %y = ttg.convert_layout %x : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #across>
  tt.return %y : tensor<32x32xf32, #across>
}
}
