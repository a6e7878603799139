// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// A mask that is known is a separate instruction, for all registers.
// CHECK-LABEL: llvm.func spir_kernelcc @mask
// CHECK-NOT:     arith.select
// CHECK:         ttig.shuffle xor %{{.*}}, %{{.*}} : vector<4xf16>
// CHECK-NOT:     ttig.shuffle
// CHECK:         llvm.return
tt.func @mask(%x: tensor<256xf16, #blocked>) -> tensor<256xf16, #blocked> {
  %c4 = arith.constant 4 : i32
  %y = ttig.sub_group_shuffle xor %x, %c4 : tensor<256xf16, #blocked>, i32
  tt.return %y : tensor<256xf16, #blocked>
}

// The lane is computed once for all registers. One outside of the sub-group is
// replaced by the own one.
// CHECK-LABEL: llvm.func spir_kernelcc @up
// CHECK:         %[[OWN:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv()
// CHECK:         %[[BELOW:.*]] = arith.subi %[[OWN]], %{{.*}} : i32
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[BELOW]], %{{.*}} : i32
// CHECK:         %[[LANE:.*]] = arith.select %[[INSIDE]], %[[BELOW]], %[[OWN]] : i32
// CHECK:         ttig.shuffle lane %{{.*}}, %[[LANE]] : vector<4xf32>
// CHECK-NOT:     ttig.shuffle
// CHECK:         llvm.return
tt.func @up(%x: tensor<256xf32, #blocked>, %i: i32) -> tensor<256xf32, #blocked> {
  %y = ttig.sub_group_shuffle up %x, %i : tensor<256xf32, #blocked>, i32
  tt.return %y : tensor<256xf32, #blocked>
}

// CHECK-LABEL: llvm.func spir_kernelcc @down
// CHECK:         %[[OWN:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv()
// CHECK:         arith.addi %[[OWN]], %{{.*}} : i32
// CHECK:         arith.cmpi ult
// CHECK:         ttig.shuffle lane %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK-NOT:     ttig.shuffle
// CHECK:         llvm.return
tt.func @down(%x: tensor<256xi32, #blocked>, %i: i32) -> tensor<256xi32, #blocked> {
  %y = ttig.sub_group_shuffle down %x, %i : tensor<256xi32, #blocked>, i32
  tt.return %y : tensor<256xi32, #blocked>
}

// With a lane for each register, each is a separate shuffle.
// CHECK-LABEL: llvm.func spir_kernelcc @each
// CHECK-COUNT-4: ttig.shuffle lane %{{.*}}, %{{.*}} : i64
// CHECK-NOT:     ttig.shuffle
// CHECK:         llvm.return
tt.func @each(%x: tensor<256xi64, #blocked>, %i: tensor<256xi32, #blocked>) -> tensor<256xi64, #blocked> {
  %y = ttig.sub_group_shuffle lane %x, %i : tensor<256xi64, #blocked>, tensor<256xi32, #blocked>
  tt.return %y : tensor<256xi64, #blocked>
}
}
