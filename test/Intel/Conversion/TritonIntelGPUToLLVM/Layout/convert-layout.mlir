// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#across = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
#other_lanes = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 4], warpsPerCTA = [1, 4], order = [1, 0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [1, 1]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#right = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>
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

// Across warps and lanes: vector stores, one barrier, vector loads.
// CHECK-LABEL: llvm.func spir_kernelcc @warps
// CHECK:         llvm.mlir.addressof @triton_xe_slm : !llvm.ptr<3>
// CHECK:         llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-NOT:     barrier
// CHECK:         llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @warps(%x: tensor<32x32xf32, #blocked>) -> tensor<32x32xf32, #other_lanes> {
  %y = ttg.convert_layout %x : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #other_lanes>
  tt.return %y : tensor<32x32xf32, #other_lanes>
}

// Across warps, while lanes keep their places: registers as they are, as
// integers, from addresses that only the warp decides.
// CHECK-LABEL: llvm.func spir_kernelcc @whole_registers
// CHECK:         xevm.blockstore %{{.*}}, %{{.*}} : (!llvm.ptr<3>, vector<8xi16>)
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         xevm.blockload %{{.*}} : (!llvm.ptr<3>) -> vector<8xi16>
// CHECK:         llvm.bitcast %{{.*}} : vector<8xi16> to vector<8xf16>
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return
tt.func @whole_registers(%x: tensor<32x32xf16, #blocked>) -> tensor<32x32xf16, #across> {
  %y = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #across>
  tt.return %y : tensor<32x32xf16, #across>
}

// Results of a dot keep their lanes as the operands of another one. In the right
// operand a word has elements of two rows, which are in registers of both.
// Both share a barrier.
// CHECK-LABEL: llvm.func spir_kernelcc @operands
// CHECK-DAG:     xevm.blockstore %{{.+}}, %{{.+}} : (!llvm.ptr<3>, vector<8xi16>)
// CHECK-DAG:     xevm.blockstore %{{.+}}, %{{.+}} : (!llvm.ptr<3>, vector<8xi32>)
// CHECK-NOT:     xevm.blockload
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-NOT:     barrier
// CHECK-NOT:     llvm.load
// CHECK-NOT:     llvm.store
// CHECK-DAG:     xevm.blockload %{{.+}} : (!llvm.ptr<3>) -> vector<8xi16>
// CHECK-DAG:     xevm.blockload %{{.+}} : (!llvm.ptr<3>) -> vector<8xi32>
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return
tt.func @operands(%x: tensor<32x32xf16, #dpas>) -> (tensor<32x32xf16, #left>, tensor<32x32xf16, #right>) {
  %a = ttg.convert_layout %x : tensor<32x32xf16, #dpas> -> tensor<32x32xf16, #left>
  %b = ttg.convert_layout %x : tensor<32x32xf16, #dpas> -> tensor<32x32xf16, #right>
  tt.return %a, %b : tensor<32x32xf16, #left>, tensor<32x32xf16, #right>
}

// A word of the operand has elements of two lanes, which bring them together.
// CHECK-LABEL: llvm.func spir_kernelcc @pairs_of_lanes
// CHECK-NOT:     xevm.block
// CHECK:         llvm.return
tt.func @pairs_of_lanes(%x: tensor<32x32xf16, #other_lanes>) -> tensor<32x32xf16, #right> {
  %y = ttg.convert_layout %x : tensor<32x32xf16, #other_lanes> -> tensor<32x32xf16, #right>
  tt.return %y : tensor<32x32xf16, #right>
}

// Bytes would have to be packed first.
// CHECK-LABEL: llvm.func spir_kernelcc @bytes
// CHECK-NOT:     xevm.blockstore
// CHECK:         llvm.return
tt.func @bytes(%x: tensor<32x32xi8, #blocked>) -> tensor<32x32xi8, #across> {
  %y = ttg.convert_layout %x : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #across>
  tt.return %y : tensor<32x32xi8, #across>
}

// Iterations use two places by turns: 2048 bytes lie between them.
// CHECK-LABEL: llvm.func spir_kernelcc @turns
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NOT:       barrier
// CHECK:           %[[PARITY:.*]] = arith.remui
// CHECK:           %[[SIZE:.*]] = arith.constant 2048 : i32
// CHECK:           arith.muli %[[PARITY]], %[[SIZE]]
// CHECK:           xevm.blockstore
// CHECK:           barrier
// CHECK-NOT:       barrier
// CHECK:         llvm.return
tt.func @turns(%x: tensor<32x32xf16, #blocked>, %n: i32) -> tensor<32x32xf16, #across> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 8 : i32
  %start = arith.constant dense<0.0> : tensor<32x32xf16, #across>
  %sum = scf.for %i = %zero to %n step %step iter_args(%s = %start) -> tensor<32x32xf16, #across> : i32 {
    %y = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #across>
    %next = arith.addf %s, %y : tensor<32x32xf16, #across>
    scf.yield %next : tensor<32x32xf16, #across>
  }
  tt.return %sum : tensor<32x32xf16, #across>
}
}
