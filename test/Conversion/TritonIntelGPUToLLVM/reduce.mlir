// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#warps = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#copies = #ttg.linear<{register = [], lane = [[1], [2], [0], [0]], warp = [[0], [0]], block = []}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Within a work-item: whole vectors, then halves of one; no call.
// CHECK-LABEL: llvm.func spir_kernelcc @registers
// CHECK-NOT:     llvm.call
// CHECK:         arith.addf {{.*}} : vector<8xf32>
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK:         arith.addf {{.*}} : vector<2xf32>
// CHECK:         arith.addf {{.*}} : f32
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
tt.func @registers(%x: tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.return %r : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
}

// Within a sub-group: one function for all of its lanes.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes
// CHECK:         llvm.call spir_funccc @_Z20sub_group_reduce_maxf({{.*}}) {convergent, {{.*}}memory_effects
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
tt.func @lanes(%x: tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Unsigned integers have a function of their own; the operands may be swapped.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes_unsigned
// CHECK:         llvm.call spir_funccc @_Z20sub_group_reduce_minj
// CHECK-NOT:     llvm.call
tt.func @lanes_unsigned(%x: tensor<4x16xi32, #lanes>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.minui %b, %a : i32
    tt.reduce.return %c : i32
  }) : (tensor<4x16xi32, #lanes>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Maxima that keep NaN have no function: four butterflies. Neither has a region
// that does not take both of its arguments once, nor a type of 16 bits.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes_butterflies
// CHECK-COUNT-4: llvm.call spir_funccc @_Z21sub_group_shuffle_xorfj
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
tt.func @lanes_butterflies(%x: tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// CHECK-LABEL: llvm.func spir_kernelcc @lanes_same_argument
// CHECK-COUNT-4: llvm.call spir_funccc @_Z21sub_group_shuffle_xorfj
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
tt.func @lanes_same_argument(%x: tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// CHECK-LABEL: llvm.func spir_kernelcc @lanes_half
// CHECK-NOT:     sub_group_reduce
// CHECK:         llvm.return
tt.func @lanes_half(%x: tensor<4x16xf16, #lanes>) -> tensor<4xf16, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    tt.reduce.return %c : f16
  }) : (tensor<4x16xf16, #lanes>) -> tensor<4xf16, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xf16, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Across warps: one partial result each, a barrier, and all of them back.
// CHECK-LABEL: llvm.func spir_kernelcc @warps
// CHECK:         llvm.call spir_funccc @_Z20sub_group_reduce_addf
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK-COUNT-3: arith.addf {{.*}} : f32
tt.func @warps(%x: tensor<64xf32, #warps>) -> f32 {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #warps>) -> f32
  tt.return %r : f32
}

// Lanes and warps with copies of an element add nothing, so that butterflies go
// over some of the lanes only.
// CHECK-LABEL: llvm.func spir_kernelcc @copies
// CHECK-COUNT-2: llvm.call spir_funccc @_Z21sub_group_shuffle_xorfj
// CHECK-NOT:     llvm.call
// CHECK:         llvm.return
tt.func @copies(%x: tensor<4xf32, #copies>) -> f32 {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4xf32, #copies>) -> f32
  tt.return %r : f32
}
}
