// RUN: triton-xe-opt %s --split-input-file --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#registers = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 1], warpsPerCTA = [1, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Within a work-item two steps for four elements, and no call.
// CHECK-LABEL: llvm.func spir_kernelcc @within
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK-COUNT-2: arith.addf {{.*}} : vector<2xf32>
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
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
// in a single warp. The last one has one source.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes
// CHECK-COUNT-3: ttig.shuffle lane %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{ttig.shuffle (lane|xor)}}
// CHECK:         ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
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
// The last of these lanes gets what one lane has, which needs no shuffle: the
// device's compiler reads it in place. The sum of all is the last element.
// CHECK-LABEL: llvm.func spir_kernelcc @total
// CHECK-COUNT-3: ttig.shuffle lane %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{ttig.shuffle (lane|xor)}}
// CHECK-COUNT-2: ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @total(%x: tensor<64xf32, #registers>) -> (tensor<64xf32, #registers>, f32) {
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32, #registers>) -> tensor<64xf32, #registers>
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #registers>) -> f32
  tt.return %s, %r : tensor<64xf32, #registers>, f32
}

// Other operations and other orders are separate reductions; so is the one
// before the scan.
// CHECK-LABEL: llvm.func spir_kernelcc @other_operation
// CHECK:         ttig.shuffle xor
// CHECK:         arith.maxnumf
// CHECK:         llvm.return
tt.func @other_operation(%x: tensor<64xf32, #registers>) -> (tensor<64xf32, #registers>, f32) {
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32, #registers>) -> tensor<64xf32, #registers>
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #registers>) -> f32
  tt.return %s, %r : tensor<64xf32, #registers>, f32
}

// CHECK-LABEL: llvm.func spir_kernelcc @reverse
// CHECK:         ttig.shuffle xor
// CHECK:         llvm.return
tt.func @reverse(%x: tensor<64xf32, #registers>) -> (tensor<64xf32, #registers>, f32) {
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32, #registers>) -> tensor<64xf32, #registers>
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #registers>) -> f32
  tt.return %s, %r : tensor<64xf32, #registers>, f32
}

// CHECK-LABEL: llvm.func spir_kernelcc @reduced_before
// CHECK:         ttig.shuffle xor
// CHECK:         llvm.return
tt.func @reduced_before(%x: tensor<64xf32, #registers>) -> (tensor<64xf32, #registers>, f32) {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #registers>) -> f32
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32, #registers>) -> tensor<64xf32, #registers>
  tt.return %s, %r : tensor<64xf32, #registers>, f32
}

// CHECK-LABEL: llvm.func spir_kernelcc @other_operand
// CHECK:         ttig.shuffle xor
// CHECK:         llvm.return
tt.func @other_operand(%x: tensor<64xf32, #registers>, %y: tensor<64xf32, #registers>) -> (tensor<64xf32, #registers>, f32) {
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32, #registers>) -> tensor<64xf32, #registers>
  %r = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #registers>) -> f32
  tt.return %s, %r : tensor<64xf32, #registers>, f32
}
}

// -----

#warps = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#split = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 4], warpsPerCTA = [1, 4], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// All lanes store the totals of their warp, without a branch; what all warps
// have comes back in vectors, and so does the sum of the row: one barrier.
// CHECK-LABEL: llvm.func spir_kernelcc @warps
// CHECK-NOT:     scf.if
// CHECK-COUNT-2: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-NOT:     barrierj
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:     llvm.load
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @warps(%x: tensor<128xf32, #warps>) -> (tensor<128xf32, #warps>, f32) {
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<128xf32, #warps>) -> tensor<128xf32, #warps>
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<128xf32, #warps>) -> f32
  tt.return %s, %r : tensor<128xf32, #warps>, f32
}

// Iterations of a loop take two places by turns: where the totals are follows
// from the number of the iteration.
// CHECK-LABEL: llvm.func spir_kernelcc @turns
// CHECK:         scf.for %[[I:.*]] = %[[LB:.*]] to
// CHECK:           %[[DISTANCE:.*]] = arith.subi %[[I]], %[[LB]] : i32
// CHECK:           %[[NUMBER:.*]] = arith.divui %[[DISTANCE]]
// CHECK:           %[[TURN:.*]] = arith.remui %[[NUMBER]]
// CHECK:           %[[BYTES:.*]] = arith.muli %[[TURN]]
// CHECK:           llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CHECK-NOT:       barrierj
// CHECK:           llvm.store
// CHECK:           llvm.call spir_funccc @_Z7barrierj
// CHECK-NOT:       barrierj
// CHECK:         llvm.return
tt.func @turns(%x: tensor<128xf32, #warps>, %p: tensor<128x!tt.ptr<f32>, #warps>, %lb: i32, %ub: i32) {
  %step = arith.constant 128 : i32
  scf.for %i = %lb to %ub step %step : i32 {
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<128xf32, #warps>) -> tensor<128xf32, #warps>
    tt.store %p, %s : tensor<128x!tt.ptr<f32>, #warps>
  }
  tt.return
}

// Rows in lanes: the last lane of each stores.
// CHECK-LABEL: llvm.func spir_kernelcc @rows_in_lanes
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.return
tt.func @rows_in_lanes(%x: tensor<4x16xf32, #split>) -> tensor<4x16xf32, #split> {
  %s = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<4x16xf32, #split>) -> tensor<4x16xf32, #split>
  tt.return %s : tensor<4x16xf32, #split>
}
}
